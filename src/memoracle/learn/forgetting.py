"""Forgetting where words came from: a session, a channel, a path, some days, and all that came of them.

What memory would know without them is told again (`learn/replay.py`) and compared with what it knows: what
would not be there is erased, what would stand otherwise is rewritten. Then turns, copies, questions and what waits for
a model go, and everything generated is written anew. The hosts' own files are never changed: they are named, and
never read again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.learn.replay import Retold, Terms, is_gone_claim, retell, said
from memoracle.learn.unit_of_work import Bench
from memoracle.model.ids import RECORD_PREFIX, IdSource
from memoracle.model.record import Change, Kind, Record, Status, newest
from memoracle.model.report import Erased, Plan, Step
from memoracle.model.search import Selection
from memoracle.model.value import field, replace, to_plain, value
from memoracle.store.line import decode, encode
from memoracle.store.run_log import read_run_log, strike_claims
from memoracle.store.volume import read_document, write_document
from memoracle.text import shorten

if TYPE_CHECKING:
    from memoracle.model.claim import Turn
    from memoracle.store.sessions import Transcript

_SHOWN = 60
_MARKER = "forgetting.json"
"""The selection whose forgetting was begun and not seen to its end."""


@value
class Hearing:
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
    hearings: tuple[Hearing, ...] = ()
    waiting: tuple[str, ...] = ()
    retold: Retold = field(default_factory=lambda: Retold(histories={}))
    looks: str = ""
    """How everything looked that this was decided from."""

    def __bool__(self) -> bool:
        return bool(self.erased or self.removed or self.added or self.hearings or self.waiting)


class Forgetting:
    """Takes out what a selection names, and what came of it."""

    def __init__(
        self, bench: Bench, *, ids: IdSource, now: datetime, refresh: Callable[[], None] = lambda: None
    ) -> None:
        self._bench = bench
        self._store = bench.store
        self._ids = ids
        self._now = now
        self._refresh = refresh
        self._struck: tuple[str, ...] = ()

    def look(self, selection: Selection) -> Outlook:
        """What it would mean; nothing is written."""
        self._bench.level.ensure()
        looks = self._looks()
        histories: dict[str, Sequence[Record]] = {}
        found: dict[str, list[Record]] = {}
        for _, record in self._store.journal.all_versions():
            found.setdefault(record.id, []).append(record)
        for record_id, held in found.items():
            unique = {(one.version, one.change.writer, one.change.sequence): one for one in held}
            histories[record_id] = sorted(unique.values(), key=lambda one: one.precedence)
        told = retell(histories, read_run_log(self._store), selection, self._terms(histories))
        outlook = Outlook(
            selection=selection,
            histories=histories,
            hearings=tuple(self._hearings(selection)),
            waiting=tuple(self._waiting(selection)),
            retold=told,
            looks=looks,
        )
        return _compared(outlook, told) if told.begun is not None else outlook

    def plan(self, outlook: Outlook) -> Plan:
        """The same as steps, each with its reason."""
        return Plan(verb="forget", steps=tuple(self._steps(outlook)))

    def run(self, selection: Selection, change: Change, *, outlook: Outlook | None = None) -> Erased:
        """Do it. Nobody else consolidates meanwhile. What was decided before holds while everything looks as it did."""
        from memoracle.learn.run import alone
        from memoracle.store.daily import drop_if_untouched

        with alone(self._store):
            self._finish_earlier(change)
            if outlook is None or outlook.selection != selection or outlook.looks != self._looks():
                outlook = self.look(selection)
            erased = self._run(outlook, change)
        self._refresh()
        with self._store.writing():
            for path in self._struck:
                drop_if_untouched(self._store, path)
        return erased

    def _run(self, outlook: Outlook, change: Change) -> Erased:
        from memoracle.store.erase import erase, retract, rewrite, tombstone
        from memoracle.store.forgotten import level_forgotten
        from memoracle.store.inbox import settle_pending
        from memoracle.store.run_log import drop_work

        if not outlook:
            return Erased(ids=(), operation=change.operation, lines=0)
        remaining = list(self._out_of_reach(outlook))
        with self._store.writing():
            # First of all: should this be cut off anywhere, nothing of it is ever read again,
            # and doing it again goes through all of it once more.
            write_document(self._store.volume, self._store.state_name(_MARKER), to_plain(outlook.selection))
            level_forgotten(self._store, outlook.selection)
            stones = [
                tombstone(one, change, again=one.kind is Kind.SUMMARY)
                for one in (newest(outlook.histories[record_id]) for record_id in outlook.erased)
            ]
            lines = rewrite(
                self._store,
                outlook.added,
                outlook.removed,
                stone_id=self._ids.next(RECORD_PREFIX, change.at),
                change=change,
            )
            settle_pending(self._store, outlook.waiting)
            self._set_inbox(outlook)
            struck = retract(self._store, _reworded(outlook))
            erasure = erase(self._store, stones, spared=_said_by_others(outlook))
            drop_work(self._store)
            left = self._take_copies(outlook)
            taken = {one.transcript.copy for one in outlook.hearings}.difference(left)
            remaining += [path for path in (*erasure.remaining, *left) if path not in taken]
        self._let_go_of_turns(outlook)
        self._bench.upkeep.forget(list(outlook.erased))
        with self._store.writing():
            # Last of all: what the nights heard is what tells them again, should this be cut off before.
            strike_claims(self._store, lambda claim: is_gone_claim(claim, outlook.selection, change.at))
            self._store.volume.remove(self._store.state_name(_MARKER))
        told = {**lines, **struck}
        self._struck = tuple({**struck, **erasure.removed})
        for path, many in erasure.removed.items():
            told[path] = told.get(path, 0) + many
        return Erased(
            ids=outlook.erased,
            operation=change.operation,
            lines=sum(told.values()),
            remaining=tuple(dict.fromkeys(remaining)),
            restored=tuple(_restored(outlook)),
            rewritten=tuple(sorted({one.id for one in outlook.removed})),
            turns=sum(one.turns for one in outlook.hearings),
            unnoted=outlook.retold.unnoted,
        )

    def _looks(self) -> str:
        """How the files look that a decision is made from: the same looks mean the same decision."""
        from memoracle.model.ids import file_digest
        from memoracle.store import forgotten as never
        from memoracle.store import inbox
        from memoracle.store import inbox as pending
        from memoracle.store import run_log as heard

        store, own = self._store, {}
        for name in (heard.RUNS, inbox.INBOX, pending.PENDING, _MARKER):
            with suppress(FileNotFoundError):
                found = os.stat(store.state_path(name))
                own[name] = (found.st_size, found.st_mtime_ns, found.st_ino)
        truth = [(one.path, one.size, one.modified, one.inode) for one in store.manifest()]
        known = (store.sessions.by_path(), never.read_forgotten(store))
        return file_digest(repr((own, truth, known)).encode("utf-8", "replace"))

    # What is there

    def hearings_of(self, session: str) -> list[Hearing]:
        """The conversations in which a session speaks, and how much."""
        return self._hearings(Selection(session=session))

    def _terms(self, histories: Mapping[str, Sequence[Record]]) -> Terms:
        from memoracle.learn.claims import read_statement

        bench = self._bench
        uses = bench.upkeep.ask(lambda: bench.index.uses_of(list(histories)))
        return Terms(
            law=bench.law,
            read=lambda text, at: read_statement(text, at, bench.zone),
            uses=lambda record_id: uses.get(record_id, ()),
            least=bench.settings.summary_trigger,
            most_active=bench.settings.max_active,
            writer=self._store.noted_count()[0],
            now=self._now,
            adopted=self._store.adopted(),
            by=bench.actor,
        )

    def _hearings(self, selection: Selection) -> list[Hearing]:
        from memoracle.store.forgotten import may_read, read_forgotten

        begun = read_document(self._store.volume, self._store.state_name(_MARKER)) == to_plain(selection)
        already = [one for one in read_forgotten(self._store) if not begun or one != selection]
        found = []
        for one in self._store.sessions.by_path().values():
            turns = self._turns_of(one)
            if already:  # what was forgotten before is not there any more
                turns = [turn for turn in turns if may_read(already, path=one.path)(turn)]
            passes = may_read([selection], path=one.path)
            gone = [turn for turn in turns if not passes(turn)]
            if gone:
                staying = {turn.line for turn in turns if passes(turn)}
                found.append(
                    Hearing(
                        transcript=one,
                        lines=frozenset(turn.line for turn in gone) - staying,
                        turns=len(gone),
                        is_whole=not staying,
                    )
                )
        return found

    def _turns_of(self, transcript: Transcript) -> list[Turn]:
        return list(self._store.sessions.turns(transcript))

    def _waiting(self, selection: Selection) -> list[str]:
        from memoracle.store.inbox import read_pending

        return [
            one.fragment.id
            for one in read_pending(self._store).waiting
            if selection.fits(
                session=one.fragment.session,
                channel=one.fragment.channel.value,
                where=one.fragment.where,
                at=one.fragment.at,
            )
        ]

    # What is said of it

    def _steps(self, outlook: Outlook) -> list[Step]:
        from memoracle.store.erase import cited_by

        steps = []
        for record_id in outlook.erased:
            one = newest(outlook.histories[record_id])
            what = "derived from it:" if one.kind is Kind.SUMMARY else f"version 1 to {one.version} of"
            steps.append(_step("erase", record_id, f"{what} `{shorten(one.text, _SHOWN)}`"))
        restored = set(_restored(outlook))
        after = {one.id: one for one in outlook.added}
        for record_id in sorted({one.id for one in (*outlook.removed, *outlook.added)}):
            stands = after.get(record_id) or _kept(outlook, record_id)
            text = shorten(stands.text, _SHOWN) if stands else ""
            if record_id not in outlook.histories:
                steps.append(_step("add", record_id, f"it would have been kept: `{text}`"))
            elif record_id in restored:
                steps.append(_step("restore", record_id, f"it stands again: `{text}`"))
            else:
                steps.append(_step("rewrite", record_id, f"without what it had of that: `{text}`"))
        for hearing in outlook.hearings:
            path, turns = hearing.transcript.path, hearing.turns
            act = "unregister" if hearing.is_whole else "never read"
            steps.append(_step(act, path, f"{turns} turns leave the index and are never read again"))
            if copy := hearing.transcript.copy:
                steps.append(_step("erase copy", copy, f"of {turns} turns"))
        if outlook.waiting:
            steps.append(
                _step("drop", "state/pending.jsonl", f"{len(outlook.waiting)} sentences wait no more")
            )
        named = [*outlook.erased, *_reworded(outlook)]
        steps += [_step("write anew", path, "it names them") for path in cited_by(self._store, named)]
        steps += [
            _step("out of reach", path, "it is not ours to change") for path in self._out_of_reach(outlook)
        ]
        return steps

    def _out_of_reach(self, outlook: Outlook) -> list[str]:
        """What still holds the words and is not ours: the hosts' files, and a repository's past."""
        found = [
            one.transcript.path
            for one in outlook.hearings
            if one.transcript.here and os.path.exists(one.transcript.path)
        ]
        is_kept = os.path.isdir(os.path.join(self._store.root, ".git"))
        return [*found, *([".git"] if is_kept and outlook else [])]

    # What is done

    def _finish_earlier(self, change: Change) -> None:
        """See an erasing to its end that was cut off: its tombstones stand, its bytes may."""
        from memoracle.store.erase import erase_again, erased_ids, unfinished

        with self._store.writing():
            gone = erased_ids(self._store)
            undead = {
                record.id
                for _, record in self._store.journal.all_versions()
                if record.id in gone and record.status is not Status.FORGOTTEN
            }
            begun = sorted(undead.union(unfinished(self._store)))
            if begun:
                erase_again(self._store, begun, change)
        if begun:
            self._bench.upkeep.forget(begun)

    def _take_copies(self, outlook: Outlook) -> list[str]:
        from memoracle.store.sessions import unregister, without_lines

        unregister(self._store, [one.transcript.path for one in outlook.hearings if one.is_whole])
        return [
            one.transcript.copy
            for one in outlook.hearings
            if not one.is_whole
            and one.transcript.copy
            and not without_lines(self._store, one.transcript, one.lines)
        ]

    def _let_go_of_turns(self, outlook: Outlook) -> None:
        index = self._bench.index
        with index.changing(wait=20.0) as mine:
            if mine:
                for one in outlook.hearings:
                    for path in filter(None, (one.transcript.path, one.transcript.copy)):
                        index.drop(path)
        if not mine and outlook.hearings:
            index.reset()

    def _set_inbox(self, outlook: Outlook) -> None:
        from memoracle.store.inbox import retold

        told = outlook.retold
        if told.begun is not None:
            retold(
                self._store,
                asked=told.asked,
                closed=told.closed,
                times=told.times,
                gone=frozenset(outlook.erased),
            )


def _compared(outlook: Outlook, told: Retold) -> Outlook:
    """What is not as it would be."""
    erased: list[str] = []
    removed: list[Record] = []
    added: list[Record] = []
    for record_id, actual in outlook.histories.items():
        if any(one.status is Status.FORGOTTEN for one in actual):
            continue
        wanted = [_written(one) for one in told.histories.get(record_id, ())]
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
        highest = actual[-1].version
        added += [replace(one, version=highest + place) for place, one in enumerate(wanted[same:], start=1)]
    for record_id, fresh in told.histories.items():
        if record_id not in outlook.histories:
            added += [replace(_written(one), version=place) for place, one in enumerate(fresh, start=1)]
    return replace(outlook, erased=tuple(sorted(erased)), removed=tuple(removed), added=tuple(added))


def _written(record: Record) -> Record:
    """A version as it comes back from a file."""
    return decode(encode(record)[:-1]).record


def _kept(outlook: Outlook, record_id: str) -> Record | None:
    gone = {(one.id, one.version) for one in outlook.removed}
    left = [one for one in outlook.histories.get(record_id, ()) if (one.id, one.version) not in gone]
    return newest(left) if left else None


def _restored(outlook: Outlook) -> list[str]:
    """The records that are in force again."""
    after = {one.id: one for one in outlook.added}
    back = []
    for record_id in {one.id for one in outlook.removed}:
        stands = after.get(record_id) or _kept(outlook, record_id)
        before = newest(outlook.histories[record_id])
        if stands and stands.status is Status.ACTIVE and before.status is not Status.ACTIVE:
            back.append(record_id)
    return sorted(back)


def _reworded(outlook: Outlook) -> list[str]:
    """The records that stay and say something else now."""
    after = {one.id: one for one in outlook.added}
    return sorted({one.id for one in outlook.removed if one.id in after and after[one.id].text != one.text})


def _said_by_others(outlook: Outlook) -> frozenset[str]:
    gone = set(outlook.erased)
    cut = {(one.id, one.version) for one in outlook.removed}
    left = [
        one
        for record_id, held in outlook.histories.items()
        if record_id not in gone
        for one in held
        if (one.id, one.version) not in cut
    ]
    return frozenset(
        text for one in (*left, *outlook.added) for text in (one.text, one.statement.value) if text
    )


def _step(act: str, target: str, because: str) -> Step:
    return Step(act=act, target=target, because=because)
