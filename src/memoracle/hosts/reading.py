"""Read what a source says that was not read before.

Opens files read-only, changes nothing in them, and never raises for what they hold: whatever cannot be
used becomes a finding, and the rest goes on.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO

from memoracle.hosts import data_sets, gemini, plain
from memoracle.hosts.branches import (
    Branches,
    BranchState,
    Reading,
    Step,
    UnknownPast,
    Watermark,
    digest_ids,
    look,
    sample,
)
from memoracle.hosts.hygiene import is_said
from memoracle.hosts.known_hosts import DATABASES, OPENCLAW, Shape
from memoracle.hosts.lines import (
    UNPACK_ERRORS,
    Broken,
    JsonLine,
    LineFinder,
    LineReader,
    is_packed,
    open_bytes,
    parse,
    read_document,
    split_lines,
    string,
    unreadable,
)
from memoracle.hosts.openclaw.database import read_database
from memoracle.hosts.opencode import read_sessions
from memoracle.hosts.plain import Notes
from memoracle.hosts.sources import FORMATS, Source
from memoracle.model.claim import Turn, owned
from memoracle.model.manifest import Loaded, Mark, Role
from memoracle.model.record import TRUST, Channel
from memoracle.model.search import TOOL, Passage
from memoracle.model.search import EvidenceSource as PassageSource
from memoracle.model.value import replace
from memoracle.project import project_of
from memoracle.store import sealed

_LINE_READERS: dict[Shape, type[LineReader]] = {form.names[0][1]: form.reader for form in FORMATS} | {
    Shape.PLAIN: plain.PlainReader
}
_DATA_SETS: dict[Shape, Callable[[str, object, LineFinder], list[Turn]]] = {
    Shape.LOCOMO: data_sets.read_locomo,
    Shape.LONGMEMEVAL: data_sets.read_longmemeval,
    Shape.PACK: data_sets.read_pack,
}


def read(source: Source, watermark: Watermark | None = None) -> Reading:
    """The turns of `source` behind `watermark`, each id once."""
    notes = Notes(str(source.path))
    fits = watermark and (watermark.shape, watermark.path) == (source.shape, str(source.path))
    known = watermark if fits else None
    try:
        state = look(source.path)
        if known is not None and known.is_current(state):
            return Reading(watermark=known)
        reading = _read(source, state, known, notes)
    except OSError as error:
        notes.add(unreadable(error))
        return Reading(watermark=watermark, findings=notes.all())
    turns: dict[str, Turn] = {}
    for turn in reading.turns:
        turns.setdefault(turn.id, turn)
    return replace(reading, turns=tuple(turns.values()))


def project_in(turn: Turn) -> str:
    """The name of the project a turn was said in; an assistant that lives in a folder of its own works on none."""
    if not turn.project or turn.host == OPENCLAW.alias:
        return ""
    return _project_of(turn.project) if os.path.isabs(turn.project) else os.path.basename(turn.project)


_project_of = lru_cache(maxsize=4096)(project_of)


def _read(source: Source, state: BranchState, watermark: Watermark | None, notes: Notes) -> Reading:
    if source.shape is Shape.OPENCLAW_DB:
        return read_database(source.path, state, watermark)
    if source.shape is Shape.OPENCODE_DB:
        return read_sessions(source.path, state, watermark)
    if source.shape not in _LINE_READERS or is_packed(source.path):
        return _read_whole(source, state, watermark, notes)
    with open_bytes(source.path) as stream:
        if watermark is None or not watermark.fits(stream, state):
            return _read_lines(source, stream, state, notes)
        try:
            return _read_lines(source, stream, state, notes, start=watermark)
        except UnknownPast:
            # The new lines leave an older one: only the whole tree tells what is still live.
            again = Notes(str(source.path))
            return _read_lines(source, stream, state, again, before=watermark)


def _read_lines(
    source: Source,
    stream: IO[bytes],
    state: BranchState,
    notes: Notes,
    *,
    start: Watermark | None = None,
    before: Watermark | None = None,
) -> Reading:
    offset, number = (start.offset, start.line) if start else (0, 1)
    stream.seek(offset)
    reader = _LINE_READERS[source.shape](str(source.path), dict(start.memo) if start else {})
    branches = Branches(start.ends, dict(start.memo).get("groups", "").split()) if start else Branches()
    earlier: set[str] | None = None
    for line in split_lines(stream, offset=offset, number=number):
        if not _take(line, reader, branches, notes):
            break
        offset, number = line.after, line.number + line.ended
        if before is not None and earlier is None and offset >= before.offset:
            earlier = {turn.id for turn in branches.live()}
    live = branches.live()
    now = {turn.id for turn in live}
    head, tail = sample(stream, offset)
    return Reading(
        turns=tuple(turn for turn in live if turn.id not in earlier) if earlier else tuple(live),
        findings=notes.all(),
        withdrawn=tuple(sorted(earlier - now)) if earlier else (),
        whole=start is None and before is None,
        watermark=Watermark(
            path=str(source.path),
            shape=source.shape,
            **state._asdict(),
            offset=offset,
            line=number,
            head=head,
            tail=tail,
            ends=branches.ends,
            memo=(*reader.memo().items(), ("groups", branches.groups)),
        ),
    )


def _take(line: JsonLine, reader: LineReader, branches: Branches, notes: Notes) -> bool:
    """Let the reader have a line; False for a last line that is not complete yet."""
    raw = line.raw.rstrip(b"\r")
    if not raw:
        return True
    steps: tuple[Step, ...] | None = None
    if line.ended and raw.startswith(b"{") and raw.endswith(b"}") and b"\0" not in raw:
        steps = reader.skim(raw)
    if steps is None:
        entry, broken = parse(raw)
        if entry is None and not line.ended:
            notes.add(
                Broken("torn-line", "the last line is not complete; it is read when it is"), line.number
            )
            return False
        if broken is not None:
            notes.add(broken, line.number)
        if entry is None:
            return True
        steps = reader.steps(entry, line.number, notes.add)
        if steps is None:
            notes.add(Broken("unknown-shape", "the line is not a line of this host"), line.number)
            return True
    for step in steps:
        branches.grow(step)
    return True


def _read_whole(source: Source, state: BranchState, watermark: Watermark | None, notes: Notes) -> Reading:
    """Documents and compressed copies: read from the start, given from where they differ."""
    if source.shape not in _LINE_READERS:
        turns = _document(source, notes)
    else:
        reader, branches = _LINE_READERS[source.shape](str(source.path), {}), Branches()
        try:
            with open_bytes(source.path) as stream:
                for line in split_lines(stream):
                    _take(line, reader, branches, notes)
        except UNPACK_ERRORS as error:
            notes.add(Broken("damaged-archive", f"the compressed copy ends early: {error}"))
        turns = branches.live()
    memo = dict(watermark.memo) if watermark else {}
    kept = memo.get("turns", "")
    known = int(kept) if kept.isdecimal() and len(kept) < 12 else 0
    grew = 0 < known <= len(turns) and digest_ids(turns[:known]) == memo.get("digest")
    return Reading(
        turns=tuple(turns[known:] if grew else turns),
        findings=notes.all(),
        whole=not grew,
        watermark=Watermark(
            path=str(source.path),
            shape=source.shape,
            **state._asdict(),
            offset=state.size,
            memo=(("turns", str(len(turns))), ("digest", digest_ids(turns))),
        ),
    )


def _document(source: Source, notes: Notes) -> list[Turn]:
    content, broken = read_document(source.path)
    if broken is not None:
        notes.add(broken)
    path = str(source.path)
    if source.shape is Shape.MARKDOWN:
        return plain.read_chat(path, content)
    try:
        document = json.loads(content.decode("utf-8-sig", "replace")) if content else None
    except (ValueError, RecursionError) as error:
        notes.add(Broken("broken-document", f"the file is not JSON: {error}"))
        return []
    lines = LineFinder(content)
    if source.shape in _DATA_SETS:
        return _DATA_SETS[source.shape](path, document, lines)
    is_gemini = source.shape is Shape.GEMINI_FILE
    reader: LineReader = gemini.GeminiReader(path, {}) if is_gemini else plain.PlainReader(path, {})
    entries = gemini.document_entries(document) if is_gemini else plain.document_entries(document)
    branches = Branches()
    for entry in entries:
        # Something by which an entry is found in its document.
        given, words = string(entry, "id", "uuid"), string(entry, *plain.WHAT) or ""
        mark = f'"{given}"' if given else json.dumps(words[:40], ensure_ascii=False)[1:-1]
        for step in reader.steps(entry, lines.line_of(mark), notes.add) or ():
            branches.grow(step)
    return branches.live()


# Turns become passages: what a view is told of a transcript.

HideAll = Callable[[Sequence[str]], list[str]]


def hear(
    path: str,
    shape: str,
    memo: str = "",
    *,
    hide: HideAll = list,
    names: frozenset[str] = frozenset(),
) -> Loaded:
    """What a transcript says, or what it says since the memo was written.

    `hide` takes secrets out of everything a view is told; `names` are the owner's own in conversations.
    """
    source = Source(path=Path(path), shape=Shape(shape))
    if source.shape in DATABASES and is_packed(source.path):
        return _hear_unpacked(source, hide, names)
    watermark = Watermark.from_dict(json.loads(memo)) if memo else None
    reading = read(source, watermark)
    reached = reading.watermark
    mark = Mark(size=0, lines=0, digest="", memo=json.dumps(reached.to_dict())) if reached else None
    said = [turn for turn in reading.turns if turn.session_kind.has_people and is_said(turn.text)]
    return Loaded(
        path=path,
        role=Role.TRANSCRIPT,
        whole=reading.whole or watermark is None,
        mark=mark,
        passages=tuple(_passages([owned(turn, names) for turn in said], hide)),
        withdrawn=reading.withdrawn,
        findings=reading.findings,
    )


def _hear_unpacked(source: Source, hide: HideAll, names: frozenset[str]) -> Loaded:
    """What the compressed copy of a database says: SQLite reads it in a place of our own, always whole."""
    path = str(source.path)
    with tempfile.TemporaryDirectory(dir=sealed.scratch(path)) as folder:
        place = Path(folder) / "copy.sqlite"
        with suppress(*UNPACK_ERRORS), open_bytes(source.path) as packed:
            place.write_bytes(packed.read())
        heard = hear(str(place), source.shape, hide=hide, names=names)
    return replace(
        heard,
        path=path,
        passages=tuple(replace(passage, path=path) for passage in heard.passages),
        findings=tuple(replace(finding, path=path) for finding in heard.findings),
    )


def _passages(turns: list[Turn], hide: HideAll) -> Iterator[Passage]:
    """Each turn without its secrets."""
    texts = hide([turn.text for turn in turns])
    speakers = list({turn.speaker for turn in turns})
    called = dict(zip(speakers, hide(speakers), strict=True))
    for turn, text in zip(turns, texts, strict=True):
        yield Passage(
            ref=turn.id,
            source=PassageSource.TURN,
            kind=TOOL if turn.role is Channel.TOOL else "turn",
            text=text,
            path=turn.path,
            first_line=turn.line,
            last_line=max(turn.lines),
            who=called[turn.speaker],
            at=turn.at,
            session=turn.session,
            channel=turn.role.value,
            trust=TRUST[turn.role],
            project=project_in(turn),
        )
