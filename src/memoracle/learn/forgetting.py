"""Forgetting where words came from: a session, a channel, a path, some days, and all that came of them.

What memory would know without them is told again (`learn/replay.py`) and compared with what it knows: what
would not be there is erased, what would stand otherwise is rewritten. Then turns, copies, questions and what waits for
a model go, and everything generated is written anew. The hosts' own files are never changed: they are named, and
never read again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.learn.replay import Replayed, is_gone_claim, replay, said
from memoracle.learn.unit_of_work import alone
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.record import Change, Kind, Record, Status, newest
from memoracle.model.report import Erased, Plan, Step
from memoracle.model.search import Selection
from memoracle.model.value import field, replace, to_plain, value
from memoracle.store.inbox import read_pending
from memoracle.store.line import decode, encode
from memoracle.store.run_log import strike_claims
from memoracle.store.volume import read_document, write_document
from memoracle.text import shorten

if TYPE_CHECKING:
    from memoracle.root import Root
    from memoracle.store.sessions import Transcript

_SHOWN = 60
_MARKER = "forgetting.json"
"""The selection whose forgetting was begun and not seen to its end."""


@value
class _AffectedTranscript:
    """A conversation with turns that are to go: their lines, and whether any other is left."""

    transcript: Transcript
    lines: frozenset[int]
    turns: int
    is_whole: bool


@value
class Outlook:
    """Everything that forgetting a selection means. `histories` is what stands in the files now."""

    selection: Selection
    histories: Mapping[str, Sequence[Record]]
    erased: tuple[str, ...] = ()
    removed: tuple[Record, ...] = ()
    added: tuple[Record, ...] = ()
    transcripts: tuple[_AffectedTranscript, ...] = ()
    waiting: tuple[str, ...] = ()
    replayed: Replayed = field(default_factory=lambda: Replayed(histories={}))
    plan: Plan = field(default_factory=lambda: Plan(verb="forget"))
    looks: str = ""
    """How everything looked that this was decided from."""

    def __bool__(self) -> bool:
        return bool(self.erased or self.removed or self.added or self.transcripts or self.waiting)


def _look(root: Root, selection: Selection) -> Outlook:
    root.view.catch_up()
    looks = _looks(root)
    histories: dict[str, Sequence[Record]] = {}
    found: dict[str, list[Record]] = {}
    for _, record in root.store.journal.all_versions():
        found.setdefault(record.id, []).append(record)
    for record_id, held in found.items():
        unique = {(one.version, one.change.writer, one.change.sequence): one for one in held}
        histories[record_id] = sorted(unique.values(), key=lambda one: one.precedence)
    outlook = Outlook(
        selection=selection,
        histories=histories,
        transcripts=tuple(affected_transcripts(root, selection)),
        waiting=tuple(
            one.fragment.id
            for one in read_pending(root.store).waiting
            if selection.fits_origin(one.fragment.origin, one.fragment.at)
        ),
        replayed=replay(root, histories, selection),
        looks=looks,
    )
    return _compared(outlook) if outlook.replayed.begun is not None else outlook


def foresee(root: Root, selection: Selection) -> Outlook:
    """What forgetting a selection would do, step by step; given to `forget`, it is not decided a second time."""
    root.reader.must_see_all()
    outlook = _look(root, selection)
    return replace(outlook, plan=Plan(verb="forget", steps=tuple(_steps(root, outlook))))


def forget_selection(root: Root, selection: Selection, change: Change, outlook: Outlook | None) -> Erased:
    """Do it. Nobody else consolidates meanwhile. What was decided before holds while everything looks as it did."""
    from memoracle.context.digest import undo_digests
    from memoracle.learn.run import Consolidation
    from memoracle.store.daily import drop_if_untouched

    root.reader.must_see_all()
    with alone(root.store):
        _finish_earlier(root, change)
        if outlook is None or outlook.selection != selection or outlook.looks != _looks(root):
            outlook = _look(root, selection)
        erased, struck = _erase(root, outlook, change)
    with root.store.writing():
        undo_digests(root.store, struck)
    consolidation = Consolidation(root)
    for phase in ("hot", "digest"):
        consolidation.run_phase(phase)
    with root.store.writing():
        for path in struck:
            drop_if_untouched(root.store, path)
    return erased


def _erase(root: Root, outlook: Outlook, change: Change) -> tuple[Erased, Sequence[str]]:
    """What was erased, and the files that lines were taken from."""
    from memoracle.store.erase import erase, retract, rewrite, tombstone
    from memoracle.store.forgotten import level_forgotten
    from memoracle.store.inbox import retold, settle_pending
    from memoracle.store.run_log import drop_work
    from memoracle.store.sessions import unregister, without_lines

    if not outlook:
        return Erased(ids=(), operation=change.operation, lines=0), ()
    remaining = list(_out_of_reach(root, outlook))
    with root.store.writing():
        # First of all: should this be cut off anywhere, nothing of it is ever read again,
        # and doing it again goes through all of it once more.
        write_document(root.store.volume, root.store.state_name(_MARKER), to_plain(outlook.selection))
        level_forgotten(root.store, outlook.selection)
        stones = [
            tombstone(one, change, again=one.kind is Kind.SUMMARY)
            for one in (newest(outlook.histories[record_id]) for record_id in outlook.erased)
        ]
        lines = rewrite(
            root.store,
            outlook.added,
            outlook.removed,
            stone_id=root.ids.next(RECORD_PREFIX, change.at),
            change=change,
        )
        settle_pending(root.store, outlook.waiting)
        told = outlook.replayed
        if told.begun is not None:
            gone = frozenset(outlook.erased)
            retold(root.store, asked=told.asked, closed=told.closed, times=told.times, gone=gone)
        struck = retract(root.store, _reworded(outlook))
        erasure = erase(root.store, stones, spared=_said_by_others(outlook))
        drop_work(root.store)
        unregister(root.store, [one.transcript.path for one in outlook.transcripts if one.is_whole])
        left = [
            one.transcript.copy
            for one in outlook.transcripts
            if not one.is_whole
            and one.transcript.copy
            and not without_lines(root.store, one.transcript, one.lines)
        ]
        taken = {one.transcript.copy for one in outlook.transcripts}.difference(left)
        remaining += [path for path in (*erasure.remaining, *left) if path not in taken]
    _let_go_of_turns(root, outlook)
    root.view.forget(list(outlook.erased))
    with root.store.writing():
        # Last of all: the run log is what is replayed, should this be cut off before.
        strike_claims(root.store, lambda claim: is_gone_claim(claim, outlook.selection, change.at))
        root.store.volume.remove(root.store.state_name(_MARKER))
    erased = Erased(
        ids=outlook.erased,
        operation=change.operation,
        lines=sum({**lines, **struck}.values()) + sum(erasure.removed.values()),
        remaining=tuple(dict.fromkeys(remaining)),
        restored=_restored(outlook),
        rewritten=tuple(sorted({one.id for one in outlook.removed})),
        turns=sum(one.turns for one in outlook.transcripts),
        unnoted=outlook.replayed.unnoted,
    )
    return erased, tuple({**struck, **erasure.removed})


def _looks(root: Root) -> str:
    """How the files look that a decision is made from: the same looks mean the same decision."""
    from memoracle.model.ids import file_digest
    from memoracle.store import inbox, run_log
    from memoracle.store.forgotten import read_forgotten

    store, own = root.store, {}
    log = os.path.basename(run_log.log_name(store))
    for name in (log, inbox.INBOX, inbox.PENDING, _MARKER):
        with suppress(FileNotFoundError):
            found = os.stat(store.state_path(name))
            own[name] = (found.st_size, found.st_mtime_ns, found.st_ino)
    truth = [(one.path, one.size, one.modified, one.inode) for one in store.manifest()]
    known = (store.sessions.by_path(), read_forgotten(store))
    return file_digest(repr((own, truth, known)).encode("utf-8", "replace"))


def affected_transcripts(root: Root, selection: Selection) -> list[_AffectedTranscript]:
    """The conversations in which the selection speaks, and how much."""
    from memoracle.store.forgotten import may_read, read_forgotten

    begun = read_document(root.store.volume, root.store.state_name(_MARKER)) == to_plain(selection)
    already = [one for one in read_forgotten(root.store) if not begun or one != selection]
    found = []
    for one in root.store.sessions.by_path().values():
        turns = list(root.store.sessions.turns(one))
        if already:  # what was forgotten before is not there any more
            turns = [turn for turn in turns if may_read(already, path=one.path)(turn)]
        passes = may_read([selection], path=one.path)
        gone = [turn for turn in turns if not passes(turn)]
        if gone:
            staying = frozenset().union(*(turn.lines for turn in turns if passes(turn)))
            lines, is_whole = frozenset().union(*(turn.lines for turn in gone)) - staying, not staying
            found.append(_AffectedTranscript(transcript=one, lines=lines, turns=len(gone), is_whole=is_whole))
    return found


def _steps(root: Root, outlook: Outlook) -> list[Step]:
    from memoracle.store.erase import cited_by

    steps: list[tuple[str, str, str]] = []
    for record_id in outlook.erased:
        one = newest(outlook.histories[record_id])
        what = "derived from it:" if one.kind is Kind.SUMMARY else f"version 1 to {one.version} of"
        steps.append(("erase", record_id, f"{what} `{shorten(one.text, _SHOWN)}`"))
    restored = set(_restored(outlook))
    for record_id, stands in sorted(_after(outlook).items()):
        text = shorten(stands.text, _SHOWN) if stands else ""
        if record_id not in outlook.histories:
            steps.append(("add", record_id, f"it would have been kept: `{text}`"))
        elif record_id in restored:
            steps.append(("restore", record_id, f"it stands again: `{text}`"))
        else:
            steps.append(("rewrite", record_id, f"without what it had of that: `{text}`"))
    for held in outlook.transcripts:
        path, turns = held.transcript.path, held.turns
        act = "unregister" if held.is_whole else "never read"
        steps.append((act, path, f"{turns} turns leave the index and are never read again"))
        if copy := held.transcript.copy:
            steps.append(("erase copy", copy, f"of {turns} turns"))
    if outlook.waiting:
        steps.append(("drop", "state/pending.jsonl", f"{len(outlook.waiting)} sentences wait no more"))
    named = [*outlook.erased, *_reworded(outlook)]
    steps += [("write anew", path, "it names them") for path in cited_by(root.store, named)]
    steps += [("out of reach", path, "it is not ours to change") for path in _out_of_reach(root, outlook)]
    return [Step(act=act, target=target, because=because) for act, target, because in steps]


def _out_of_reach(root: Root, outlook: Outlook) -> list[str]:
    """What still holds the words and is not ours: the hosts' files, and a repository's past."""
    found = [
        one.transcript.path
        for one in outlook.transcripts
        if one.transcript.here and os.path.exists(one.transcript.path)
    ]
    is_kept = os.path.isdir(os.path.join(root.store.root, ".git"))
    return [*found, *([".git"] if is_kept and outlook else [])]


def _finish_earlier(root: Root, change: Change) -> None:
    """See an erasing to its end that was cut off: its tombstones stand, its bytes may."""
    from memoracle.store.erase import erase_again, erased_ids, unfinished

    with root.store.writing():
        gone = erased_ids(root.store)
        undead = {
            record.id
            for _, record in root.store.journal.all_versions()
            if record.id in gone and record.status is not Status.FORGOTTEN
        }
        begun = sorted(undead.union(unfinished(root.store)))
        if begun:
            erase_again(root.store, begun, change)
    if begun:
        root.view.forget(begun)


def _let_go_of_turns(root: Root, outlook: Outlook) -> None:
    index = root.index
    with index.changing(wait=20.0) as mine:
        if mine:
            for one in outlook.transcripts:
                for path in filter(None, (one.transcript.path, one.transcript.copy)):
                    index.drop(path)
    if not mine and outlook.transcripts:
        index.reset()


def _compared(outlook: Outlook) -> Outlook:
    """What is not as it would be."""
    would_be = outlook.replayed.histories
    erased: list[str] = []
    removed: list[Record] = []
    added: list[Record] = []
    for record_id in {**outlook.histories, **would_be}:
        actual = outlook.histories.get(record_id, ())
        if any(one.status is Status.FORGOTTEN for one in actual):
            continue
        # As they would come back from a file.
        wanted = [decode(encode(one)[:-1]).record for one in would_be.get(record_id, ())]
        if not wanted:
            erased.append(record_id)
            continue
        same = 0
        while same < min(len(actual), len(wanted)) and said(actual[same]) == said(wanted[same]):
            same += 1
        if same == len(wanted) < len(actual):
            # What stands last gets a number above all that was: a copy of the cut lines that comes back
            # from another machine must not win over it.
            same -= 1
        removed += actual[same:]
        highest = actual[-1].version if actual else 0
        added += [replace(one, version=highest + place) for place, one in enumerate(wanted[same:], start=1)]
    return replace(outlook, erased=tuple(sorted(erased)), removed=tuple(removed), added=tuple(added))


def _after(outlook: Outlook) -> dict[str, Record | None]:
    """What would stand of each record that is rewritten or added."""
    gone = {(one.id, one.version) for one in outlook.removed}
    after: dict[str, Record | None] = {}
    for record_id in {one.id for one in outlook.removed}:
        left = [one for one in outlook.histories[record_id] if (one.id, one.version) not in gone]
        after[record_id] = newest(left) if left else None
    return after | {one.id: one for one in outlook.added}


def _restored(outlook: Outlook) -> tuple[str, ...]:
    """The records that are in force again."""
    after = _after(outlook)
    return tuple(
        record_id
        for record_id in sorted({one.id for one in outlook.removed})
        if (stands := after[record_id])
        and stands.status is Status.ACTIVE
        and newest(outlook.histories[record_id]).status is not Status.ACTIVE
    )


def _reworded(outlook: Outlook) -> list[str]:
    """The records that stay and say something else now."""
    after = {one.id: one for one in outlook.added}
    return sorted({one.id for one in outlook.removed if one.id in after and after[one.id].text != one.text})


def _said_by_others(outlook: Outlook) -> frozenset[str]:
    gone, cut = set(outlook.erased), {(one.id, one.version) for one in outlook.removed}
    every = (one for held in outlook.histories.values() for one in held)
    left = [one for one in every if one.id not in gone and (one.id, one.version) not in cut]
    return frozenset(
        text for one in (*left, *outlook.added) for text in (one.text, one.statement.value) if text
    )
