"""The generated block of the hot file: what an agent should have before it and never has to ask for.

Pure: standing records in, text out. The same records give the same text, so a file only changes when
what it says changes; the moment it shows is that of its last change.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo

from memoracle.context.choose import (
    Audience,
    Deduplicator,
    HotPart,
    Placing,
    choose,
    is_heard,
    is_order,
    may_be_told,
    stands_alone,
    stays,
    weight_of,
)
from memoracle.context.days import said_on
from memoracle.model.predicates import NO_LONGER, predicate_named, under_name, unnamed
from memoracle.model.record import QUOTED, Channel, Kind, Status
from memoracle.model.search import EvidenceSource, Passage, Standing, cited, cited_in, on_one_line
from memoracle.model.value import value
from memoracle.store.generated import blocks_in
from memoracle.text import estimate_tokens
from memoracle.times import day_in

# As many lines as a budget holds, by need: parts are filled in their order, each line as long as it is.

_FLOORS = {
    HotPart.CONSTRAINTS: 0.25,
    HotPart.CORE: 0.1,
    HotPart.RECENT: 0.1,
    HotPart.PROJECT: 0.1,
    HotPart.PEOPLE: 0.2,
    HotPart.OPEN: 0.1,
    HotPart.CHANGES: 0.05,
}
_MOST_FOR_PEOPLE = 0.25
"""The share that others may take where the owner has lines of their own."""
_OWNERS = frozenset({HotPart.USER, HotPart.CONSTRAINTS, HotPart.PREFERENCES, HotPart.CORE, HotPart.RECENT})
_ORDINARY = (_OWNERS - {HotPart.CONSTRAINTS}) | {HotPart.PROJECT, HotPart.PEOPLE}
"""Parts that keep to the target; the others may go up to the cap."""

_HEADING_LINES = 2
_CHINESE = {
    HotPart.IDENTITY: "身份",
    HotPart.USER: "用户",
    HotPart.CONSTRAINTS: "约束",
    HotPart.PREFERENCES: "偏好",
    HotPart.PINNED: "置顶",
    HotPart.CORE: "核心记忆",
    HotPart.RECENT: "最近三天",
    HotPart.PROJECT: "项目",
    HotPart.PEOPLE: "人与事物",
    HotPart.OPEN: "未了事项",
    HotPart.CHANGES: "近期变化",
}
INDEX_ZH = "索引"
_HAN = re.compile(r"[\u3400-\u9fff]")


def is_chinese(texts: Sequence[str]) -> bool:
    """True where most of what is told is Chinese: its headings are, too."""
    return 2 * sum(_HAN.search(one) is not None for one in texts) > len(texts)


@value
class HotLimits:
    """How large a hot file may be: tokens bind; so many lines are meant, so many are the most."""

    tokens: int = 2000
    lines: int = 200
    target_lines: int = 60
    warn_lines: int = 180


@value
class _HotLine:
    """One line of a part, and the record it names; a line without a record is none's."""

    text: str
    ref: str = ""

    @property
    def cost(self) -> int:
        """What it costs in tokens."""
        return estimate_tokens(self.text + "\n")


_Filled = dict[HotPart, list[_HotLine]]


def fill(
    parts: Mapping[HotPart, Sequence[_HotLine]],
    *,
    tokens: int,
    lines: int,
    target: int,
    titles: Mapping[HotPart, str] | None = None,
) -> _Filled:
    """The lines of each part that fit; parts without any are left out."""
    chosen: _Filled = {}
    headings = {part: estimate_tokens(f"\n## {(titles or {}).get(part, part)}\n") for part in HotPart}
    floors = {
        part: min(sum(line.cost for line in parts[part]) + max(headings.values()), int(tokens * share))
        for part, share in _FLOORS.items()
        if parts.get(part)
    }
    kept_back = {
        part: min(_HEADING_LINES + min(len(parts[part]), max(3, int(target * _FLOORS[part]))), lines // 8)
        for part in floors
    }
    used_tokens = used_lines = 0
    for part in HotPart:
        floors.pop(part, None)
        own = kept_back.pop(part, 0)
        room = tokens - sum(floors.values())
        if part is HotPart.PEOPLE and not _OWNERS.isdisjoint(chosen):
            room = min(room, used_tokens + int(tokens * _MOST_FOR_PEOPLE))
        # What constraints take beyond the target is not taken from what was kept back for others.
        meant = min(lines, target) if part in _ORDINARY else lines
        most = max(meant - sum(kept_back.values()), min(lines, used_lines + own))
        for line in parts.get(part, ()):
            is_first = part not in chosen
            cost = line.cost + (headings[part] if is_first else 0)
            height = 1 + (_HEADING_LINES if is_first else 0)
            if used_tokens + cost <= room and used_lines + height <= most:
                chosen.setdefault(part, []).append(line)
                used_tokens += cost
                used_lines += height
    return chosen


# What of a passage may be told unasked: records, and words that their owner wrote or said themselves.

_MARKUP = re.compile(
    r"\s*(?:#{1,6}(?:\s.*)?|#tags\s*[:：].*|(?:[-*+]\s+)?(?:\[[ xX]?\]\s*)?(?:\d{1,3}[.)])?\s*)"
)
_EMBEDDED = re.compile(
    r"<!--.*?-->|!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\)|\{\{.*?\}\}|<%.*?%>|</?[a-zA-Z][^>]*>"
)


def own_words(passage: Passage) -> str:
    """The words of a passage that may be told unasked; empty when there are none."""
    if passage.source is EvidenceSource.RECORD:
        return passage.text  # whose word it is, and who vouches for it, was looked at before
    if passage.source is EvidenceSource.NOTE and passage.channel not in QUOTED:
        return "\n\n".join(part for part in _written(passage.text) if not reads_like_an_order(part))
    if passage.source is EvidenceSource.TURN and passage.channel == Channel.OWNER:
        return _said(passage.text)
    return ""


def as_noted(passage: Passage, says: str) -> str:
    """Words as they are told unasked: an agent's are marked as what they are."""
    is_agents = passage.source is EvidenceSource.RECORD and passage.channel == Channel.AGENT
    return f"an agent noted: {says}" if is_agents else says


def reads_like_an_order(text: str, *, to_a_fellow: bool = False) -> bool:
    """True for what the rules about hidden text and injected instructions see in a text from outside."""
    from memoracle.guard.screening import suspicions

    return bool(suspicions(text, Channel.AGENT if to_a_fellow else Channel.EXTERNAL))


def says_nothing(line: str) -> bool:
    """True for a heading, a rule, a comment, an embedded picture, an empty item or field of a template."""
    return bool(_MARKUP.fullmatch(line)) or not any(ch.isalnum() for ch in _EMBEDDED.sub("", line))


def _written(text: str) -> list[str]:
    from memoracle.learn.passages import lines_of_others

    lines = text.split("\n")
    gone = lines_of_others(lines)
    kept = "\n".join("" if at in gone or says_nothing(line) else line for at, line in enumerate(lines))
    return [part.strip("\n") for part in re.split(r"\n[ \t]*\n", kept) if part.strip()]


def _said(text: str) -> str:
    from memoracle.learn.passages import paragraphs, without_quotations

    together = ["\n".join(map(without_quotations, lines)) for lines in paragraphs(text)]
    pasted = [reads_like_an_order(one) for one in together]
    # Behind a paragraph that somebody else wrote the rest is theirs as well, as far as anybody can tell.
    first = together[:1] if any(pasted) else together
    return "\n\n".join(one for one, is_pasted in zip(first, pasted, strict=False) if not is_pasted)


_LONGEST, _LONGEST_AT_THE_TOP, _TOP = 60, 120, 5
_MUST_FIT = (HotPart.CONSTRAINTS, HotPart.PINNED)
_LEAST_SHARE = 4
_LEAST_LINES = 20
_MARKERS = 2
_MOMENT = re.compile(r"(?m)^> Updated: \S+")
_SCORE = re.compile(r"(?m)^- \[\d\.\d\d\]")


BLOCK = "hot"


@value
class Hot:
    """The text of the block, the records it names, its size with the owner's text, and what to tell."""

    text: str
    ids: tuple[str, ...]
    lines: int
    tokens: int
    warnings: tuple[str, ...] = ()


def compose_hot(
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    present: frozenset[str] = frozenset(),
    limits: HotLimits | None = None,
    open_items: int = 0,
    critical: str = "",
    owners: str = "",
    audience: Audience = Audience.PRIVATE,
    projects: Collection[str] = ("",),
    changed: Mapping[str, Passage] | None = None,
) -> Hot:
    """The block for these records. `present` names the records that the block before it showed.

    `open_items` is how many questions wait in the inbox, `critical` what upkeep found broken; `owners` is the owner's
    own text in the same file, which the limits count. It is read everywhere, so what belongs to a project is not in it,
    unless that is among `projects`.
    """
    most = limits or HotLimits()
    placing = Placing(
        standing,
        present=present,
        now=now,
        zone=zone,
        audience=audience,
        projects=projects,
        talk=True,
        changed=changed,
    )
    alive = [one.passage.text for one in standing if one.passage.status is Status.ACTIVE]
    titles, index = (
        (_CHINESE, INDEX_ZH) if is_chinese(alive) else ({part: part.value for part in HotPart}, "Index")
    )
    head, foot = _head_and_foot(standing, now, zone, audience)
    own_lines = len(owners.rstrip("\n").split("\n")) if owners.strip() else 0
    own_tokens = estimate_tokens(owners)
    room = max(most.tokens - own_tokens, most.tokens // _LEAST_SHARE) - estimate_tokens(
        f"{head}\n\n## {index}\n{foot}\n"
    )
    height = max(most.lines - own_lines - _MARKERS, _LEAST_LINES) - 4
    told = [one for one in standing if one.passage.project in projects]
    changes = _changes(told, now, zone, audience, placing)
    asks = f"- {open_items} question{'s' * (open_items > 1)} for you: memoracle inbox --answer"
    asks = f"- 有 {open_items} 个问题等您回答：memoracle inbox --answer" if titles is _CHINESE else asks
    broken = f"- this memory is damaged or in danger ({critical}): memoracle health"
    first = [_HotLine(text=text) for text, tells in ((broken, critical), (asks, open_items)) if tells]
    first = first if audience is Audience.PRIVATE else []

    def fit(unreplaced: Collection[str] = ()) -> tuple[Mapping[HotPart, list[Standing]], _Filled]:
        chosen = choose(standing, placing, unreplaced=unreplaced)
        parts = {part: lines_of(part, held[: most.lines], zone, placing) for part, held in chosen.items()}
        parts |= {HotPart.CHANGES: changes, HotPart.OPEN: [*first, *parts[HotPart.OPEN]]}
        return chosen, fill(parts, tokens=room, lines=height, target=most.target_lines - 4, titles=titles)

    chosen, filled = fit()
    names = {line.ref for held in filled.values() for line in held}
    # Whose successor found no room is told after all.
    if alone := {ref for ref, new in placing.changed.items() if new.ref not in names}:
        chosen, filled = fit(alone)
    shown = [f"## {titles[part]}\n" + "\n".join(line.text for line in held) for part, held in filled.items()]
    text = "\n\n".join([head, *shown, f"## {index}\n{foot}"]) if standing or open_items or critical else ""
    lines = own_lines + (len(text.split("\n")) + _MARKERS if text else 0)
    tokens = own_tokens + estimate_tokens(text)
    warnings = []
    if lines > most.warn_lines:
        warnings.append(f"the hot file has {lines} lines; its limit is {most.lines}")
    if tokens > most.tokens:
        warnings.append(f"the hot file costs {tokens:,} tokens; its budget is {most.tokens:,}")
    wanted = {part: len(chosen[part]) - len(filled.get(part, ())) for part in _MUST_FIT}
    warnings += [f"{many} records under `{part}` do not fit" for part, many in wanted.items() if many]
    return Hot(
        text=text,
        ids=tuple(line.ref for held in filled.values() for line in held if line.ref),
        lines=lines,
        tokens=tokens,
        warnings=tuple(warnings),
    )


def shown_in(text: str) -> frozenset[str]:
    """The short names of the records that the block of a hot file shows."""
    return frozenset().union(*(cited_in(one.inside) for one in blocks_in(text)[0] if one.name == BLOCK))


def settled(before: str, after: str) -> str:
    """`before` when nothing but its moment and its scores differ from `after`, otherwise `after`."""
    bare = [_SCORE.sub("- ", _MOMENT.sub("", text)).strip("\n") for text in (before, after)]
    return before if bare[0] == bare[1] else after


def lines_of(part: HotPart, held: Sequence[Standing], zone: tzinfo, placing: Placing) -> list[_HotLine]:
    """The lines of one part, each naming its record."""
    top = _TOP if part is HotPart.CORE else 0
    return [
        _line(part, one, _LONGEST_AT_THE_TOP if rank < top else _LONGEST, zone, placing)
        for rank, one in enumerate(held)
    ]


def _line(part: HotPart, one: Standing, tokens: int, zone: tzinfo, placing: Placing) -> _HotLine:
    passage = one.passage
    says = as_noted(passage, on_one_line(said_on(passage, passage.text, zone), tokens=tokens))
    new = placing.changed.get(passage.ref)
    if new and new.at:
        later = as_noted(new, on_one_line(said_on(new, new.text, zone), tokens=tokens))
        day = day_in(zone, new.at)
        if stays(passage):  # a guess stands beside it, never in its place
            says = f"{says} (later, {day}: {later})"
        else:
            says = f"{later} ({day}; before: {on_one_line(passage.text, tokens=_LONGEST_OF_TWO)})"
    says = under_name(says, placing.whose(passage) if part is HotPart.PEOPLE else unnamed(passage, says))
    if passage.kind == Kind.BELIEF and not new:
        says += f" ({passage.confidence:.0%} sure)"
    if passage.project:
        says += f" (project {passage.project})"
    if part is HotPart.CORE:
        says = f"[{weight_of(one):.2f}] {says}"
    elif part is HotPart.RECENT and passage.at:
        says = f"{day_in(zone, passage.at)}: {says}"
    elif passage.kind == Kind.HEALTH and is_heard(passage) and passage.at and not new:
        says += f" ({day_in(zone, passage.at)})"
    elif part is HotPart.OPEN and (due := placing.overdue(passage)):
        says += f" (overdue since {day_in(zone, due)})"
    elif part is HotPart.OPEN and passage.validity.expires and not new and not placing.is_due(passage):
        says += f" (until {day_in(zone, passage.validity.expires)})"
    line = cited(f"- {says}", passage.ref)
    is_record = new is not None and new.source is EvidenceSource.RECORD  # who forgets it strikes the line
    return _HotLine(text=cited(line, new.ref) if new and is_record else line, ref=passage.ref)


_CHANGED_FOR, _MOST_CHANGES, _LONGEST_OF_TWO = timedelta(days=30), 6, 30


def _changes(
    standing: Sequence[Standing], now: datetime, zone: tzinfo, audience: Audience, placing: Placing
) -> list[_HotLine]:
    """What the last weeks replaced or ended, newest first; a line names both records, and goes with either."""
    by_ref = {one.passage.ref: one.passage for one in standing}
    found: list[tuple[datetime, datetime, str, _HotLine]] = []

    def may_tell(*both: Passage) -> bool:
        return all(
            may_be_told(one, audience, talk=placing.of_talk) and stands_alone(one) and not is_order(one)
            for one in both
        )

    for old in by_ref.values():
        new, seen = old, {""}
        while new.status is Status.SUPERSEDED and (by := new.validity.superseded_by or "") not in seen:
            seen.add(by)
            new = by_ref.get(by, new)
        is_over = (new is old and len(seen) == 1) or new.predicate.startswith(NO_LONGER)
        at = old.validity.until if new is old else new.at
        if (
            (new is not old or is_over)
            and (at and now - _CHANGED_FOR <= at <= now and old.status is Status.SUPERSEDED)
            and (new is old or new.status is Status.ACTIVE)
            and (is_over or not Deduplicator([new.text]).knows(old.text))
            and may_tell(old, new)
        ):
            line = _changed(at, old, None if is_over else new, new.ref, zone)
            found.append((at, old.at or at, old.text, line))  # not by id: what is told must not depend on it
    for ref, new in placing.changed.items():
        if not {ref, new.ref} <= by_ref.keys() or not new.at or not now - _CHANGED_FOR <= new.at <= now:
            continue
        is_replaced = by_ref[ref].status is Status.ACTIVE and not stays(by_ref[ref])
        if is_replaced and may_tell(old := by_ref[ref], new):
            found.append((new.at, old.at or new.at, old.text, _changed(new.at, old, new, new.ref, zone)))
    newest = sorted(found, key=lambda one: one[:3], reverse=True)
    return [line for *_, line in newest[:_MOST_CHANGES]]


def _changed(at: datetime, old: Passage, new: Passage | None, ref: str, zone: tzinfo) -> _HotLine:
    is_slot = bool(new and new.object and old.object and old.predicate == new.predicate)

    def words(one: Passage) -> str:
        said = one.object if is_slot else said_on(one, one.text, zone)
        return as_noted(one, on_one_line(said, tokens=_LONGEST_OF_TWO))

    what = f"{old.predicate.replace('_', ' ')}: " if is_slot else ""
    says = under_name(f"{what}{words(old)} → {words(new) if new else 'no longer'}", unnamed(old, words(old)))
    line = cited(f"- {day_in(zone, at)}: {says}", old.ref)
    return _HotLine(text=line if ref == old.ref else cited(line, ref), ref=ref)


def _head_and_foot(
    standing: Sequence[Standing], now: datetime, zone: tzinfo, audience: Audience
) -> tuple[str, str]:
    moment = f"> Updated: {now.astimezone(zone).isoformat(timespec='minutes')}"
    pointer = "more: `memoracle recall` (memory_search)"
    if audience is Audience.GROUP:
        return moment, pointer
    alive = [one.passage for one in standing if one.passage.status is Status.ACTIVE]
    archived = sum(one.passage.status is Status.ARCHIVED for one in standing)
    entities = {name.casefold() for passage in alive for name in passage.entities}
    topics = {tag.casefold() for passage in alive for tag in passage.tags}
    topics |= {known.family for passage in alive if (known := predicate_named(passage.predicate))}
    return (
        f"{moment} | memories: {len(standing)} | active: {len(alive)} | archived: {archived}",
        f"{len(alive)} records | {len(entities)} entities | {len(topics)} topics | {pointer}",
    )
