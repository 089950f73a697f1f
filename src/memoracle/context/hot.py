"""The generated block of the hot file: what an agent should have before it and never has to ask for.

Pure: standing records in, text out. The same records give the same text, so a file only changes when
what it says changes; the moment it shows is that of its last change.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, tzinfo

from memoracle.context.choose import Audience, Part, choose, weight_of
from memoracle.context.days import said_on
from memoracle.context.fill import Limits, Line, fill
from memoracle.context.own import as_noted
from memoracle.model.cite import cited, on_one_line
from memoracle.model.predicates import predicate_named
from memoracle.model.record import Kind, Status
from memoracle.model.standing import Standing
from memoracle.model.value import value
from memoracle.model.whose import person_of, under_name, unnamed
from memoracle.text import estimate_tokens
from memoracle.zone import day_in

_LONGEST, _LONGEST_AT_THE_TOP, _TOP = 60, 120, 5
_MUST_FIT = (Part.CONSTRAINTS, Part.PINNED)
_LEAST_SHARE = 4
_LEAST_LINES = 20
_MARKERS = 2
_MOMENT = re.compile(r"(?m)^> Updated: \S+")
_SCORE = re.compile(r"(?m)^- \[\d\.\d\d\]")


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
    limits: Limits | None = None,
    open_items: int = 0,
    owners: str = "",
    audience: Audience = Audience.PRIVATE,
    projects: Collection[str] = ("",),
) -> Hot:
    """The block for these records. `present` names the records that the block before it showed.

    `open_items` is how many questions wait in the inbox; `owners` is the owner's own text in the same
    file, which the limits count. It is read everywhere, so what belongs to a project is not in it, unless that is
    among `projects`.
    """
    most = limits or Limits()
    chosen = choose(standing, present=present, now=now, zone=zone, audience=audience, projects=projects)
    parts = {part: lines_of(part, held[: most.lines], zone) for part, held in chosen.items()}
    if open_items and audience is Audience.PRIVATE:
        asks = f"- {open_items} question{'s' * (open_items > 1)} for you: memoracle review"
        parts[Part.OPEN] = [Line(text=asks), *parts[Part.OPEN]]
    head, foot = _head(standing, now, zone, audience), _foot(standing, audience)
    own_lines = len(owners.rstrip("\n").split("\n")) if owners.strip() else 0
    own_tokens = estimate_tokens(owners)
    room = max(most.tokens - own_tokens, most.tokens // _LEAST_SHARE) - estimate_tokens(
        f"{head}\n\n## Index\n{foot}\n"
    )
    height = max(most.lines - own_lines - _MARKERS, _LEAST_LINES) - 4
    filled = fill(parts, tokens=room, lines=height, target=most.target_lines - 4)
    text = _text(head, filled, foot) if standing or open_items else ""
    lines = own_lines + (len(text.split("\n")) + _MARKERS if text else 0)
    tokens = own_tokens + estimate_tokens(text)
    return Hot(
        text=text,
        ids=tuple(line.ref for held in filled.values() for line in held if line.ref),
        lines=lines,
        tokens=tokens,
        warnings=_warnings(chosen, filled, lines, tokens, most),
    )


def settled(before: str, after: str) -> str:
    """`before` when nothing but its moment and its scores differ from `after`, otherwise `after`."""
    return before if _bare(before) == _bare(after) else after


def _bare(text: str) -> str:
    return _SCORE.sub("- ", _MOMENT.sub("", text)).strip("\n")


def lines_of(part: Part, held: Sequence[Standing], zone: tzinfo) -> list[Line]:
    """The lines of one part, each naming its record."""
    return [_line(part, one, rank, zone) for rank, one in enumerate(held)]


def _line(part: Part, one: Standing, rank: int, zone: tzinfo) -> Line:
    passage = one.passage
    is_top = part is Part.CORE and rank < _TOP
    says = on_one_line(
        said_on(passage, passage.text, zone), tokens=_LONGEST_AT_THE_TOP if is_top else _LONGEST
    )
    says = as_noted(passage, says)
    says = under_name(says, person_of(passage) if part is Part.PEOPLE else unnamed(passage, says))
    if passage.kind == Kind.BELIEF:
        says += f" ({passage.confidence:.0%} sure)"
    if passage.project:
        says += f" (project {passage.project})"
    if part is Part.CORE:
        says = f"[{weight_of(one):.2f}] {says}"
    elif part is Part.RECENT and passage.at:
        says = f"{day_in(zone, passage.at)}: {says}"
    elif part is Part.OPEN and passage.validity.expires:
        says += f" (until {day_in(zone, passage.validity.expires)})"
    return Line(text=cited(f"- {says}", passage.ref), ref=passage.ref)


def _head(standing: Sequence[Standing], now: datetime, zone: tzinfo, audience: Audience) -> str:
    moment = f"> Updated: {now.astimezone(zone).isoformat(timespec='minutes')}"
    if audience is Audience.GROUP:
        return moment
    active = sum(one.passage.status is Status.ACTIVE for one in standing)
    archived = sum(one.passage.status is Status.ARCHIVED for one in standing)
    return f"{moment} | memories: {len(standing)} | active: {active} | archived: {archived}"


def _foot(standing: Sequence[Standing], audience: Audience) -> str:
    pointer = "more: `memoracle recall` (memory_search)"
    if audience is Audience.GROUP:
        return pointer
    alive = [one.passage for one in standing if one.passage.status is Status.ACTIVE]
    entities = {name.casefold() for passage in alive for name in passage.entities}
    topics = {tag.casefold() for passage in alive for tag in passage.tags}
    topics |= {known.family for passage in alive if (known := predicate_named(passage.predicate))}
    return f"{len(alive)} records | {len(entities)} entities | {len(topics)} topics | {pointer}"


def _text(head: str, filled: Mapping[Part, Sequence[Line]], foot: str) -> str:
    parts = [f"## {part}\n" + "\n".join(line.text for line in held) for part, held in filled.items()]
    return "\n\n".join([head, *parts, f"## Index\n{foot}"])


def _warnings(
    chosen: Mapping[Part, Sequence[Standing]],
    filled: Mapping[Part, Sequence[Line]],
    lines: int,
    tokens: int,
    most: Limits,
) -> tuple[str, ...]:
    found = []
    if lines > most.warn_lines:
        found.append(f"the hot file has {lines} lines; its limit is {most.lines}")
    if tokens > most.tokens:
        found.append(f"the hot file costs {tokens:,} tokens; its budget is {most.tokens:,}")
    wanted = {part: len(chosen[part]) - len(filled.get(part, ())) for part in _MUST_FIT}
    left_out = [f"{many} records under `{part}` do not fit" for part, many in wanted.items() if many]
    return (*found, *left_out)
