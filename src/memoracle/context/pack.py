"""The context pack: what an agent should see first, for one audience, within a budget of tokens.

Pure: what was gathered comes in, a framed text goes out. Each line names its source. What came from a tool or from
outside, was quarantined, has ended or is secret is never in it; a group is given public records alone, and none of
the owner's own files. Nothing is reinforced by it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from enum import StrEnum

from memoracle.context.choose import (
    Audience,
    Deduplicator,
    HotPart,
    Placing,
    choose,
    may_be_shown,
)
from memoracle.context.days import said_on
from memoracle.context.hot import as_noted, lines_of, own_words, reads_like_an_order, says_nothing
from memoracle.context.portion import (
    ContextPiece,
    ContextSection,
    framed,
    harmless,
    portion,
    shown_text,
)
from memoracle.learn.passages import lines_of_others
from memoracle.model.predicates import under_name, unnamed
from memoracle.model.record import Channel
from memoracle.model.search import EvidenceSource, Hit, Passage, Standing, on_one_line, short_id
from memoracle.model.value import field, replace, value
from memoracle.store.chunks import headings, split_lines
from memoracle.store.daily import WorkingBuffer
from memoracle.store.frontmatter import parse
from memoracle.store.generated import generated_lines
from memoracle.store.notes import LABELS, closing_at, said_in
from memoracle.text import estimate_tokens, telling_terms
from memoracle.times import day_in

# Notes as pieces of a pack: the owner's lines, each cited by its place. Pure: text in, pieces out.

_LONGEST = 90
_LONGEST_TASK = 110
_LONGEST_HEADING = 24
_MARKER = re.compile(r"\s{0,12}(?:[-*+>•]|\d{1,3}[.)])\s+(?=\S)")
"""What a list puts before its words; inside a line the same signs are the owner's own."""
_ABOUT = re.compile(r"#tags\s*[:：]|(?:>\s?)?(?:\*\*)?last_(?:verified|updated)", re.IGNORECASE)
_RULE = re.compile(r"[-*_=\s]+")


def page_pieces(path: str, text: str, *, newest_first: bool) -> list[ContextPiece]:
    """The owner's lines of a note. With `newest_first` the last ones are chosen first; they are shown in order."""
    found = list(_said(text))
    pieces = []
    for at, (number, heading, line) in enumerate(found):
        rank = len(found) - at if newest_first else at
        pieces.append(
            ContextPiece(
                text=_short(line),
                cite=f"{path}#L{number}",
                heading=_short(heading, _LONGEST_HEADING),
                rank=rank,
                words=line,
            )
        )
    return pieces


def closing_pieces(path: str, text: str) -> dict[str, ContextPiece]:
    """What the closing lines of a note say, by label; a line that says nothing is left out."""
    lines = split_lines(text)
    start = closing_at(lines)
    if start is None:
        return {}
    found = {}
    for at, label in enumerate(LABELS):
        _, said = said_in(lines[start + at])
        if said:
            found[label] = ContextPiece(text=_short(f"{label}: {said}"), cite=f"{path}#L{start + at + 1}")
    return found


def buffer_pieces(path: str, entries: Sequence[tuple[int, str]]) -> list[ContextPiece]:
    """The lines of the working buffer; the newest are chosen first."""
    others = lines_of_others([line for _, line in entries])
    said = [
        (number, line)
        for at, (number, line) in enumerate(entries)
        if line.strip() and at not in others and not reads_like_an_order(line, to_a_fellow=True)
    ]
    return [
        ContextPiece(text=_short(_without_marker(line)), cite=f"{path}#L{number}", rank=len(said) - at)
        for at, (number, line) in enumerate(said)
    ]


def _said(text: str) -> Iterator[tuple[int, str, str]]:
    """Number, heading and words of each line that says something; closing lines are not among them."""
    head = parse(text).head
    before = head.count("\n")
    lines = split_lines(text[len(head) :])
    hidden = generated_lines(text)
    closing = closing_at(lines)
    titles = {one.line: one for one in headings(lines)}
    others = lines_of_others(lines) | _orders(lines)
    heading = ""
    for at, line in enumerate(lines[:closing]):
        if at + before in hidden or at in others or not line.strip():
            continue
        if title := titles.get(at):
            heading = title.title if title.level > 1 else ""
        elif not _ABOUT.match(line.strip()) and not _RULE.fullmatch(line) and not says_nothing(line):
            yield before + at + 1, heading, _without_marker(line)


def _orders(lines: Sequence[str]) -> set[int]:
    """The places of paragraphs that read like injected orders."""
    found: set[int] = set()
    start = 0
    for at in range(len(lines) + 1):
        if at == len(lines) or not lines[at].strip():
            if start < at and reads_like_an_order("\n".join(lines[start:at]), to_a_fellow=True):
                found |= set(range(start, at))
            start = at + 1
    return found


def _without_marker(line: str) -> str:
    found = _MARKER.match(line)
    return line[found.end() :] if found else line


def _short(line: str, tokens: int = _LONGEST) -> str:
    return harmless(on_one_line(line, tokens=tokens))


# What a prompt brings along: hits as lines of a pack, each with who said it, when and where. Pure.

MOST = 8
_RELEVANT_LONGEST = 120


def relevant(
    hits: Sequence[Hit],
    known: set[str],
    now: datetime,
    zone: tzinfo,
    audience: Audience,
    asked: frozenset[str],
    told: Deduplicator,
) -> Iterator[ContextPiece]:
    """What may be told of these hits and is not told elsewhere; of a long text the part that fits what is asked."""
    from memoracle.recall.evidence import best_chunk

    may = [(hit, words) for hit in hits if (words := _words(hit, known, now, audience))]
    # Each sentence once, in its place: the owner's record sooner than another's, any record sooner than talk.
    best = sorted(range(len(may)), key=lambda at: _standing_of(may[at][0].passage))
    kept = {at: rest for at in best if (rest := _rest(*may[at], asked, told))}
    for rank, at in enumerate(sorted(kept)[:MOST]):
        hit = may[at][0]
        passage, own = _part(hit, kept[at])
        is_record = passage.source is EvidenceSource.RECORD
        cite = short_id(passage.ref) if is_record else passage.cite
        when = day_in(zone, passage.at).isoformat() if passage.at else ""
        where = f"project {passage.project}" if is_record and passage.project else ""
        section = passage.title if passage is not hit.passage else ""
        label = ", ".join(one for one in ("" if is_record else passage.who, where, when, section) if one)
        words = said_on(passage, own if is_record else best_chunk(own, set(asked)), zone)
        said = on_one_line(
            under_name(words, unnamed(passage, words) if is_record else ""), tokens=_RELEVANT_LONGEST
        )
        said = as_noted(passage, said)
        yield ContextPiece(
            text=harmless(f"{label}: {said}" if label else said), cite=cite.replace("`", "_"), rank=rank
        )


def _part(hit: Hit, own: str) -> tuple[Passage, str]:
    """Of a long note what answers, with its place, and as many lines beside it as are told; all of anything else."""
    if hit.answers is None:
        return hit.passage, own
    from memoracle.recall.evidence import part_that_answers

    part = part_that_answers(hit, lambda text: estimate_tokens(text) <= _RELEVANT_LONGEST)
    may = {*own.split("\n")}  # whose words a line has is seen in the whole alone
    said = "\n".join(line for line in own_words(part).split("\n") if line in may).strip()
    return (part, said) if said else (hit.passage, own)


def _rest(hit: Hit, words: str, asked: frozenset[str], told: Deduplicator) -> str:
    """What is not told yet of these words; where a part of them is, the rest has to be about what is asked."""
    rest = told.rest_of(words)
    is_whole = rest == Deduplicator().rest_of(words)
    told.add(words)
    if is_whole or hit.passage.source is EvidenceSource.RECORD:
        return words if rest else ""
    return "" if asked.isdisjoint(telling_terms(rest)) else rest


def _words(hit: Hit, known: set[str], now: datetime, audience: Audience) -> str:
    """What may be told of a hit; empty when that is nothing."""
    passage = hit.passage
    if passage.source is EvidenceSource.SCAN:
        return ""  # what scanners saw is given to whoever asks, and never unasked
    is_hidden = audience is Audience.GROUP and passage.source is not EvidenceSource.RECORD
    if is_hidden or not may_be_shown(passage, now, audience) or known & cites_of([hit]):
        return ""
    return own_words(passage).strip()


def _standing_of(passage: Passage) -> int:
    return int(passage.channel == Channel.AGENT) if passage.source is EvidenceSource.RECORD else 2


def cites_of(hits: Sequence[Hit]) -> set[str]:
    """What these hits are cited as where they stand by themselves: a record, or each line of a note."""
    cites: set[str] = set()
    for hit in hits:
        passage = hit.passage
        if passage.source is EvidenceSource.RECORD:
            cites.add(short_id(passage.ref))
        else:
            cites |= {f"{passage.path}#L{at}" for at in range(passage.first_line, passage.last_line + 1)}
    return cites


_OWN_TEXT = "MEMORY.md"
# Constraints before all else: whatever has to be left out, these are not.
_RANKS = {
    part: rank * 1000
    for rank, part in enumerate(
        (
            HotPart.CONSTRAINTS,
            HotPart.IDENTITY,
            HotPart.USER,
            HotPart.PREFERENCES,
            _OWN_TEXT,
            HotPart.PINNED,
            HotPart.PROJECT,
            HotPart.PEOPLE,
            HotPart.CORE,
            HotPart.RECENT,
        )
    )
}
_LEFT_OPEN = "Open"


class After(StrEnum):
    """What happened before: the beginning of a session, a loss of what the agent had in mind, or a prompt."""

    START = "start"
    COMPACT = "compact"
    RESET = "reset"
    PROMPT = "prompt"


# Which sections there are, in the order they are shown, and the share of the budget that none of the others can take.
# After a compaction first MEMORY.md, then the notes of today and yesterday, then the buffer.
_LOST: Mapping[str, float] = {
    "hot": 0.25, "today": 0.2, "yesterday": 0.05, "buffer": 0.25, "open": 0.1, "relevant": 0.15,
}  # fmt: skip
_SHARES: Mapping[After, Mapping[str, float]] = {
    After.START: {"hot": 0.35, "relevant": 0.25, "open": 0.1, "buffer": 0.1, "today": 0.1, "yesterday": 0.05},
    After.COMPACT: _LOST,
    After.RESET: _LOST,
    After.PROMPT: {"relevant": 1.0},
}
_OWN_SHARE = 0.3
"""What a seat has before it comes first, and takes from every other section alike."""
_TITLES = {
    "seat": "Your seat",
    "hot": "At hand",
    "today": "Today",
    "yesterday": "Yesterday",
    "buffer": "Working buffer",
    "open": "Open",
    "relevant": "Relevant to the prompt",
}


@value
class Gathered:
    """What a pack is made from: records, notes by path, the buffer, how much waits for whom, and what fits a prompt.

    `asked` are the terms of the prompt, `told` is what an agent was told before and has in mind still.
    """

    standing: Sequence[Standing] = ()
    present: frozenset[str] = frozenset()
    changed: Mapping[str, Passage] = field(default_factory=dict)
    projects: Collection[str] | None = None
    hot: Mapping[str, str] = field(default_factory=dict)
    today: Mapping[str, str] = field(default_factory=dict)
    yesterday: Mapping[str, str] = field(default_factory=dict)
    buffer: WorkingBuffer | None = None
    stale: str = ""
    questions: int = 0
    waiting: int = 0
    hits: Sequence[Hit] = ()
    seat: Sequence[tuple[str, str]] = ()
    """What the seat of this session has before it: words, and where they stand."""
    asked: frozenset[str] = frozenset()
    told: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


@value
class _Shown:
    """One section of a pack: what it cost, how many lines it has, and how many were left out."""

    name: str
    tokens: int
    lines: int
    left_out: int


@value
class Context:
    """What to hand to an agent; empty when there is nothing. `ids` names the records in it."""

    text: str = ""
    tokens: int = 0
    ids: tuple[str, ...] = ()
    parts: tuple[_Shown, ...] = ()
    warnings: tuple[str, ...] = ()


def compose_context(
    gathered: Gathered,
    *,
    now: datetime,
    zone: tzinfo,
    budget: int,
    audience: Audience = Audience.PRIVATE,
    after: After = After.START,
) -> Context:
    """The pack."""
    made = _records(gathered, now, zone, audience)
    if audience is Audience.PRIVATE:
        _add_notes(made, gathered)
    fitting = cites_of(gathered.hits[:MOST])
    made["seat"] = [
        ContextPiece(text=_short(words, _LONGEST_TASK), cite=cite.replace("`", "_"), rank=rank, words=words)
        for rank, (words, cite) in enumerate(gathered.seat if audience is Audience.PRIVATE else ())
    ]
    made = {name: [_sooner(name, one, fitting) for one in pieces] for name, pieces in made.items()}
    known = {piece.cite for pieces in made.values() for piece in pieces}
    told = Deduplicator(gathered.told)
    # Records come before the owner's own lines, and these before notes.
    made = {
        name: [one for one in pieces if not one.words or told.is_new(one.words)]
        for name, pieces in made.items()
    }
    made["relevant"] = list(relevant(gathered.hits, known, now, zone, audience, gathered.asked, told))
    titles = _TITLES | ({"buffer": f"{_TITLES['buffer']} ({gathered.stale})"} if gathered.stale else {})
    shares = _SHARES[after]
    if made["seat"] and after is not After.PROMPT:
        shares = {"seat": _OWN_SHARE, **{name: share * (1 - _OWN_SHARE) for name, share in shares.items()}}
    sections = [
        ContextSection(name=name, title=titles[name], pieces=tuple(made[name]))
        for name in shares
        if made.get(name)
    ]
    attributes = {
        "kind": "context",
        "audience": audience.value,
        "after": after.value,
        "at": now.astimezone(zone).isoformat(timespec="minutes"),
    }
    notices = "\n".join(f"! {harmless(one)}" for one in gathered.notices)
    chosen = portion(sections, budget - estimate_tokens(framed(f"{notices}\n\n", attributes)), shares)
    texts = {one.name: shown_text(one, chosen[one.name]) for one in sections if one.name in chosen}
    if not texts:
        return Context(warnings=gathered.notices)
    cites = {piece.cite for pieces in chosen.values() for piece in pieces}
    refs = [one.passage.ref for one in gathered.standing]
    refs += [hit.passage.ref for hit in gathered.hits if hit.passage.source is EvidenceSource.RECORD]
    text = framed("\n\n".join(([notices] if notices else []) + list(texts.values())), attributes)
    return Context(
        text=text,
        tokens=estimate_tokens(text),
        ids=tuple(dict.fromkeys(ref for ref in refs if short_id(ref) in cites)),
        parts=tuple(
            _Shown(
                name=one.name,
                tokens=estimate_tokens(texts.get(one.name, "")),
                lines=len(chosen.get(one.name, ())),
                left_out=len(one.pieces) - len(chosen.get(one.name, ())),
            )
            for one in sections
        ),
        warnings=gathered.notices,
    )


def _add_notes(made: dict[str, list[ContextPiece]], gathered: Gathered) -> None:
    """What the owner wrote: the hot file, the notes of two days, the buffer, and what waits."""
    for path, text in gathered.hot.items():
        made["hot"] += _ranked(page_pieces(path, text, newest_first=False), _OWN_TEXT)
    left: list[ContextPiece] = []
    for name, notes in (("today", gathered.today), ("yesterday", gathered.yesterday)):
        pieces = made.setdefault(name, [])
        for path, text in notes.items():
            closing = closing_pieces(path, text)
            closing.pop("Updated", None)
            if _LEFT_OPEN in closing:
                left.append(closing.pop(_LEFT_OPEN))
            pieces += [*page_pieces(path, text, newest_first=True), *closing.values()]
    if gathered.buffer:
        made["buffer"] = buffer_pieces(gathered.buffer.path, gathered.buffer.entries)
    made["open"] = [*left, *_waiting(gathered), *made["open"]]


def _records(
    gathered: Gathered, now: datetime, zone: tzinfo, audience: Audience
) -> dict[str, list[ContextPiece]]:
    placing = Placing(
        gathered.standing,
        present=gathered.present,
        now=now,
        zone=zone,
        audience=audience,
        projects=gathered.projects,
        changed=gathered.changed,
    )
    chosen = choose(gathered.standing, placing)
    made: dict[str, list[ContextPiece]] = {"hot": [], "open": []}
    for part, held in chosen.items():
        pieces = [
            ContextPiece(
                text=harmless(_uncited(line.text[2:], placing.changed.get(line.ref), line.ref)),
                cite=short_id(line.ref),
                words=one.passage.text,
            )
            for line, one in zip(lines_of(part, held, zone, placing), held, strict=True)
        ]
        if part is HotPart.OPEN:
            made["open"] += pieces
        elif pieces:
            made["hot"] += [replace(one, heading=part.value) for one in _ranked(pieces, part)]
    return made


def _uncited(line: str, new: Passage | None, ref: str) -> str:
    """A line without the names of its records; whatever else stands between such marks is the owner's."""
    for name in (new.ref if new else "", ref):
        line = line.removesuffix(f" `{short_id(name)}`")
    return line


def _sooner(section: str, piece: ContextPiece, fitting: set[str]) -> ContextPiece:
    """A piece that fits the prompt is among the first of its section; in the hot one constraints go before it."""
    if piece.cite not in fitting:
        return piece
    return replace(piece, rank=min(piece.rank, _RANKS[HotPart.IDENTITY] - 1 if section == "hot" else 0))


_LEADING = 12
_WORTH_ASKING = 5
"""Fewer undecided remarks are not worth an agent's while."""


def _waiting(gathered: Gathered) -> Iterator[ContextPiece]:
    if gathered.questions:
        many = "question waits" if gathered.questions == 1 else "questions wait"
        yield ContextPiece(text=f"{gathered.questions} {many} for the owner", cite="memoracle inbox")
    if gathered.waiting >= _WORTH_ASKING:
        said = f"{gathered.waiting} remarks are undecided: memory_review hands you a few to settle"
        yield ContextPiece(text=said, cite="memoracle pending", rank=1)


def _ranked(pieces: Iterable[ContextPiece], part: str) -> list[ContextPiece]:
    """The pieces with their ranks: constraints lead, but many of them do not hide whose they are."""
    start, last = _RANKS[part], max(_RANKS.values()) + len(_RANKS)
    leading = _LEADING if part == HotPart.CONSTRAINTS else math.inf
    return [replace(one, rank=at + (start if at < leading else last)) for at, one in enumerate(pieces)]
