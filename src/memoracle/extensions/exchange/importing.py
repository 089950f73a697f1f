"""Moving in: what another program kept becomes records and notes of this root, once, as one act that `undo` reverses.

Every piece passes the guard. What is here already is recognised by its content or by the name it had; what changed
there since is changed here, unless somebody changed it here too; what was forgotten stays forgotten. Ids are derived
from what they name, so two machines that move in the same memory make the same records.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, MemoracleError, RefusedByPolicy
from memoracle.extensions.exchange.imports.item import (
    Holding,
    ImportedItem,
    ImportedNote,
    differs,
    home_in,
    lost,
)
from memoracle.index.api import silent
from memoracle.learn.draft import MOST_QUARANTINED, Drafted, admit, already_kept, keys_of
from memoracle.learn.records import guard
from memoracle.model.ids import RECORD_PREFIX, derived_id
from memoracle.model.record import Change, Channel, Draft, Record, Scope, Status, newest
from memoracle.model.report import Finding, Imported
from memoracle.model.value import replace, value
from memoracle.store.erase import erased_ids
from memoracle.store.frontmatter import compose, set_field
from memoracle.store.line import DamagedLine, decode, encode
from memoracle.store.notes import CHANNEL_KEY, note_import, write_note
from memoracle.store.store import Store

if TYPE_CHECKING:
    from memoracle.root import Root


# Whether a piece of a foreign memory is new, here already, or something that changed. Values in, values out.

_ULID = 26
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@value
class KnownImports:
    """What this root holds, as an import meets it."""

    by_id: Mapping[str, Record]
    by_key: Mapping[str, Record]
    by_alias: Mapping[str, Record]
    erased: frozenset[str]


@value
class Judged:
    """What becomes of a piece: a new version, or nothing because of `held`."""

    piece: ImportedItem
    record: Record | None = None
    held: Record | None = None


def known_in(store: Store) -> KnownImports:
    """Everything this root holds, read once."""
    histories: dict[str, list[Record]] = {}
    for _, record in store.journal.all_versions():
        histories.setdefault(record.id, []).append(record)
    standing = {record_id: newest(versions) for record_id, versions in histories.items()}
    order = {Status.ACTIVE: 2, Status.ARCHIVED: 1}
    by_key: dict[str, Record] = {}
    by_alias: dict[str, Record] = {}
    for record in sorted(standing.values(), key=lambda record: order.get(record.status, 0)):
        by_key |= dict.fromkeys(record.keys or keys_of(draft_of(record)), record)
        by_alias |= dict.fromkeys(record.aliases, record)
    return KnownImports(by_id=standing, by_key=by_key, by_alias=by_alias, erased=erased_ids(store))


def judge(
    piece: ImportedItem,
    known: KnownImports,
    taken: Mapping[str, Record],
    change: Change,
    findings: list[Finding],
) -> Judged:
    """Whether a piece is new, the same as something, or something that changed."""
    record_id = _id_of(piece)
    if record_id in known.erased:
        findings.append(lost(piece.place, piece.line, f"it was forgotten here as {record_id}"))
        return Judged(piece=piece)
    held = known.by_id.get(record_id) or taken.get(record_id) or _by_name(piece, known)
    if held is not None and held.status is Status.RETRACTED:
        return Judged(piece=piece, record=_version_of(piece, held.id, change, after=held))
    if held is None:
        same = already_kept(
            keys_of(piece.draft), lambda key: taken.get(key) or known.by_key.get(key), change.at
        )
        if same is not None:
            return Judged(piece=piece, held=same)
        return Judged(piece=piece, record=_version_of(piece, record_id, change))
    if _says_the_same(piece, held):
        return Judged(piece=piece, held=held)
    if held.change.verb != "import" or held.status is not Status.ACTIVE or held.id in taken:
        findings.append(differs(piece.place, piece.line, f"it changed there; {held.id} stays as it is here"))
        return Judged(piece=piece, held=held)
    return Judged(piece=piece, record=_version_of(piece, held.id, change, after=held))


def unwritable(record: Record) -> str:
    """Why a record cannot stand on a line; empty when it can. One bad piece must not cost its batch."""
    try:
        decode(encode(record)[:-1])
    except DamagedLine as problem:
        return str(problem)
    except (TypeError, ValueError, RecursionError) as problem:
        return f"it cannot be written: {problem}"
    return ""


def _by_name(piece: ImportedItem, known: KnownImports) -> Record | None:
    """The record that came from the same thing: of the same name, and of the same age where that is known."""
    held = known.by_alias.get(piece.foreign) if piece.foreign else None
    return held if held and (piece.created is None or piece.created == held.created) else None


def _says_the_same(piece: ImportedItem, held: Record) -> bool:
    return keys_of(piece.draft)[0] in (held.keys or keys_of(draft_of(held)))


def _version_of(
    piece: ImportedItem, record_id: str, change: Change, *, after: Record | None = None
) -> Record:
    heard = piece.created or piece.draft.origin.observed
    told = replace(change, heard=heard) if heard and heard < change.at else change
    names = dict.fromkeys((*(after.aliases if after else ()), piece.foreign, *piece.aliases))
    return replace(
        admit(piece.draft, record_id=record_id, change=told),
        version=after.version + 1 if after else 1,
        status=piece.status,
        created=after.created if after else piece.created or change.at,
        aliases=tuple(name for name in names if name and name != record_id),
        extra=piece.extra,
    )


def _id_of(piece: ImportedItem) -> str:
    """The id a piece has here: its own when it is one of ours, else always the same for the same thing."""
    if piece.foreign.startswith(RECORD_PREFIX) and len(piece.foreign) == len(RECORD_PREFIX) + _ULID:
        return piece.foreign
    moment = piece.created or piece.draft.origin.observed or _LONG_AGO
    return derived_id(RECORD_PREFIX, max(moment, _LONG_AGO), "import", piece.foreign, keys_of(piece.draft)[0])


def draft_of(record: Record) -> Draft:
    return Draft(statement=record.statement, kind=record.kind, scope=record.scope)


Progress = Callable[[int, int], None]
Guard = Callable[[Draft], Drafted]
_BATCH = 1000
_OUTSIDE_WORDS = "parts of the note read like orders to an agent; they are quoted, and never told unasked"
_MOST_NAMES = 1000
_WELCOME = frozenset({Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED})


class Importing:
    """One root's door for memories of other programs."""

    def __init__(
        self,
        store: Store,
        *,
        guard: Guard,
        hide: Callable[[str], str],
        spell_out: Callable[[str], str],
        suspects: Callable[[str], bool],
    ) -> None:
        """`spell_out` shows hidden characters of a note; `suspects` sees orders that somebody put into one."""
        self._spell_out = spell_out
        self._suspects = suspects
        self._store = store
        self._guard = guard
        self._apart = 0
        self._hide = hide

    def run(
        self,
        holding: Holding,
        change: Change,
        *,
        source: str,
        shape: str,
        project: str = "",
        dry_run: bool = False,
        progress: Progress = lambda *_: None,
    ) -> Imported:
        """Move in, or say what moving in would do."""
        findings = list(holding.findings)
        known = known_in(self._store)
        judged = list(self._judge(holding.pieces, known, change, project, findings, progress))
        fresh = [one.record for one in judged if one.record is not None]
        if not dry_run:
            fresh = self._write(fresh, progress)
        notes, present = self._notes(holding.sheets, findings, dry_run=dry_run)
        wrote = bool(fresh or notes) and not dry_run
        if notes and not dry_run:
            with self._store.writing():
                note_import(self._store, change.operation, notes)
        return Imported(
            source=source,
            shape=shape,
            dry_run=dry_run,
            operation=change.operation if wrote else "",
            created=sum(record.version == 1 for record in fresh),
            updated=sum(record.version > 1 for record in fresh),
            already=len(judged) - len(fresh),
            archived=sum(record.status is Status.ARCHIVED for record in fresh),
            notes=tuple(notes),
            notes_already=present,
            findings=tuple(findings),
        )

    def _judge(
        self,
        pieces: Sequence[ImportedItem],
        known: KnownImports,
        change: Change,
        project: str,
        findings: list[Finding],
        progress: Progress,
    ) -> Iterator[Judged]:
        taken: dict[str, Record] = {}
        names: dict[str, str] = {}
        judged: list[Judged] = []
        for at, given in enumerate(pieces, start=1):
            progress(at, len(pieces))
            piece = _hidden(_within(given, project), self._hide)
            if piece.status not in _WELCOME:
                findings.append(lost(piece.place, piece.line, f"the record is {piece.status}"))
                continue
            try:
                passed = self._guard(piece.draft)
            except RefusedByPolicy as refusal:
                findings.append(lost(piece.place, piece.line, str(refusal), hint=refusal.hint))
                continue
            findings += [differs(piece.place, piece.line, warning) for warning in passed.warnings]
            piece = replace(piece, draft=passed.draft)
            one = judge(piece, known, taken, change, findings)
            rules = passed.rules if passed.outcome == "quarantined" else _disguised(piece)
            if rules and one.record is not None:
                one = self._set_apart(one, rules, findings)
            if one.record and (problem := unwritable(one.record)):
                findings.append(lost(piece.place, piece.line, problem))
                continue
            stands = one.record or one.held
            if stands is None:
                continue
            if piece.foreign:
                names[piece.foreign] = stands.id
            if one.record:
                taken |= dict.fromkeys(keys_of(piece.draft), one.record)
                taken[one.record.id] = one.record
            judged.append(one)
        for one in judged:
            yield replace(one, record=_renamed(one.record, names)) if one.record else one

    def _set_apart(self, one: Judged, rules: Sequence[str], findings: list[Finding]) -> Judged:
        """A new piece waits for its owner, as long as there is room; one that changed there stays as it is here."""
        piece, record = one.piece, one.record
        self._apart += 1
        if record is None or record.version > 1:
            findings.append(
                differs(
                    piece.place, piece.line, "it changed there and would be set apart; it stays as it is here"
                )
            )
            return replace(one, record=None)
        if self._apart > MOST_QUARANTINED:
            findings.append(
                lost(piece.place, piece.line, f"more than {MOST_QUARANTINED} pieces would wait in quarantine")
            )
            return replace(one, record=None)
        because = f"quarantined: {', '.join(rules)}"
        waits = replace(
            record,
            status=Status.QUARANTINED,
            pinned=False,
            change=replace(record.change, because=because),
        )
        return replace(one, record=waits)

    def _write(self, records: Sequence[Record], progress: Progress) -> list[Record]:
        """Batch by batch, so that others can write in between; what somebody kept meanwhile is not kept twice."""
        written: list[Record] = []
        for begin in range(0, len(records), _BATCH):
            batch = records[begin : begin + _BATCH]
            with self._store.writing():
                still = [
                    record
                    for record in batch
                    if record.version > 1
                    or already_kept(keys_of(draft_of(record)), self._store.journal.with_key, record.change.at)
                    is None
                ]
                if still:
                    self._store.append(still)
            written += still
            progress(begin + len(batch), len(records))
        return written

    def _notes(
        self, sheets: Sequence[ImportedNote], findings: list[Finding], *, dry_run: bool
    ) -> tuple[list[str], int]:
        made: list[str] = []
        present = 0
        for sheet in sheets:
            hidden = self._hide(sheet.text)
            if hidden != sheet.text:
                findings.append(differs(sheet.place, None, "secrets in the note are masked"))
            text = self._spell_out(hidden)
            if text != hidden:
                findings.append(differs(sheet.place, None, "hidden characters in the note are spelled out"))
            if self._suspects(text):
                findings.append(differs(sheet.place, None, _OUTSIDE_WORDS))
            try:
                path = self._put(replace(sheet, text=text), frozenset(made), dry_run=dry_run)
            except MemoracleError as problem:
                findings.append(lost(sheet.place, None, str(problem)))
                continue
            if path:
                made.append(path)
            else:
                present += 1
        return made, present

    def _put(self, sheet: ImportedNote, made: frozenset[str], *, dry_run: bool) -> str:
        """Where a note stands now; empty when the same text stood there already. Nothing is ever overwritten."""
        wanted = home_in(self._store.layout, sheet)
        content = sheet.text if sheet.text.endswith("\n") else f"{sheet.text}\n"
        if sheet.channel:
            try:
                content = set_field(content, CHANNEL_KEY, sheet.channel)
            except BadInput:  # a header that nobody can read stays part of the text
                content = compose({CHANNEL_KEY: sheet.channel}, content)
        with nullcontext() if dry_run else self._store.writing():
            for path in _names(wanted):
                held = self._store.volume.read(path)
                if held == content.encode("utf-8", "replace"):
                    return ""
                if not held and path not in made:
                    if not dry_run:
                        write_note(self._store.volume, path, content, expected=None)
                        self._store.audit.log_files("import", path)
                    return path
        return ""


def _hidden(piece: ImportedItem, hide: Callable[[str], str]) -> ImportedItem:
    """The piece without secrets in its names and in what is kept beside the record; its draft passes the guard."""
    if not (piece.foreign or piece.aliases or piece.extra):
        return piece
    return replace(
        piece,
        foreign=hide(piece.foreign),
        aliases=tuple(map(hide, piece.aliases)),
        extra={name: _hidden_in(item, hide) for name, item in piece.extra.items()},
    )


def _hidden_in(item: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(item, Mapping):
        return {hide(str(name)): _hidden_in(one, hide) for name, one in item.items()}
    if isinstance(item, list | tuple):
        return [_hidden_in(one, hide) for one in item]
    return hide(item) if isinstance(item, str) else item


def _disguised(piece: ImportedItem) -> tuple[str, ...]:
    """Foreign orders in a file that is its owner's: nobody typed them here, so they wait like an agent's."""
    from memoracle.guard.screening import suspicions

    if piece.draft.origin.channel is not Channel.OWNER or piece.foreign.startswith(RECORD_PREFIX):
        return ()  # what left through `export` returns as it was
    return suspicions(piece.draft.statement.text, Channel.AGENT)


def _within(piece: ImportedItem, project: str) -> ImportedItem:
    scope = piece.draft.scope
    if not project or scope.project:
        return piece
    own = Scope(user=scope.user, agent=scope.agent, project=project, seat=scope.seat)
    return replace(piece, draft=replace(piece.draft, scope=own))


def _renamed(record: Record, names: Mapping[str, str]) -> Record:
    """The record with every reference to a thing that moved in with it by its name here."""
    validity = record.validity
    if not (record.sources or validity.supersedes or validity.superseded_by):
        return record
    return replace(
        record,
        sources=tuple(names.get(one, one) for one in record.sources),
        validity=replace(
            validity,
            supersedes=tuple(names.get(one, one) for one in validity.supersedes),
            superseded_by=names.get(validity.superseded_by or "", validity.superseded_by),
        ),
    )


def _names(path: str) -> Iterator[str]:
    """A path, and the ones beside it for a text that differs from what stands there."""
    stem, ending = os.path.splitext(path)
    yield path
    for number in range(1, _MOST_NAMES):
        yield f"{stem}-imported{'' if number == 1 else f'-{number}'}{ending}"


def import_(
    root: Root,
    source: str,
    *,
    shape: str = "",
    project: str = "",
    dry_run: bool = False,
    progress: Progress = silent,
) -> Imported:
    """Move in what another program kept, once; one act that `undo` reverses. Notes stay notes."""
    from memoracle.extensions.exchange.imports.recognise import ImportShape, locate, read_source, recognise
    from memoracle.guard.hidden import spelled_out

    place = locate(source, home=os.path.expanduser("~"), environment=os.environ)
    chosen = ImportShape(shape) if shape else recognise(place)
    root.guard.must_be_ready()
    importing = Importing(
        root.store,
        guard=partial(guard, root),
        hide=root.guard.hide,
        spell_out=spelled_out,
        suspects=root.guard.is_suspect,
    )
    return importing.run(
        read_source(place, chosen),
        root.change("import", f"from {chosen}"),
        source=place,
        shape=chosen.value,
        project=project,
        dry_run=dry_run,
        progress=progress,
    )
