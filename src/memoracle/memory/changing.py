"""Verbs that change what is kept: nothing is overwritten; withdrawing can be undone, `Memory.forget` alone erases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from memoracle.errors import RefusedByPolicy
from memoracle.memory.root import receipt_of
from memoracle.memory.writing import Write
from memoracle.model.change import Change
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.inbox import Matter
from memoracle.model.query import Filters
from memoracle.model.record import Record
from memoracle.model.selection import Selection
from memoracle.model.value import replace

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.consolidation.forgetting import Forgetting
    from memoracle.lifecycle.draft import Fields
    from memoracle.model.inbox import Item, Sentence
    from memoracle.model.plan import Plan
    from memoracle.model.receipt import Erased, Receipt, Withdrawn
    from memoracle.store.notelines import NoteLines


_MOST_APART = 1000
_MOST_WITHDRAWN = 1_000_000


class Alter(Write):
    """Verbs that change what is kept: nothing is overwritten, `forget` alone erases."""

    def edit(
        self,
        reference: str,
        *,
        text: str | None = None,
        kind: str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        entities: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        expected: int | None = None,
        because: str = "",
    ) -> Receipt:
        """Put a record differently. With `expected`, only if it is still at that version."""
        from memoracle.lifecycle import revise

        given = {
            "text": text,
            "kind": kind,
            "importance": importance,
            "confidence": confidence,
            "entities": entities,
            "tags": tags,
        }
        words = self._shield.words({name: said for name, said in given.items() if said is not None})

        def make(record: Record, change: Change) -> Record:
            self._shield.must_allow(record.origin.channel, kind or record.kind, was=record.kind)
            for said in (text or "", *(entities or ()), *(tags or ())):
                self._shield.must_be_plain(record.origin.channel, str(said))
            edited = revise.edit(record, change, **words.fields)
            if self._is_owners_hand:
                return revise.seen(edited)
            if edited.statement != record.statement:  # nobody confirmed these words
                return replace(edited, origin=replace(edited.origin, confirmed_by=""))
            return edited

        return self._revise("edit", reference, expected, because, make, warnings=words.warnings)

    def pin(self, reference: str, *, pinned: bool = True, because: str = "") -> Receipt:
        """Keep a record in the live set however old it grows."""
        from memoracle.lifecycle import revise

        verb = "pin" if pinned else "unpin"

        def make(record: Record, change: Change) -> Record:
            made = revise.pin(record, change, pinned=pinned)
            return revise.seen(made) if pinned and self._is_owners_hand else made

        return self._revise(verb, reference, None, because, make)

    @property
    def _is_owners_hand(self) -> bool:
        """True unless an agent's tool or hook is at work here."""
        return self.store.via not in {"mcp", "hook"}

    def archive(self, reference: str, *, because: str = "") -> Receipt:
        """Take a record out of default answers; nothing is lost."""
        from memoracle.lifecycle import revise

        return self._revise("archive", reference, None, because, revise.archive)

    def restore(self, reference: str, *, because: str = "") -> Receipt:
        """Bring back what was archived, superseded or retracted."""
        from memoracle.lifecycle import revise

        return self._revise("restore", reference, None, because, revise.restore)

    def supersede(
        self,
        reference: str,
        text: str,
        *,
        expected: int | None = None,
        because: str = "",
        **fields: Unpack[Fields],
    ) -> Receipt:
        """Put a new record in place of an old one; both stay in the history. `expected` as in `edit`."""
        from memoracle.lifecycle import revise
        from memoracle.lifecycle.admit import admit
        from memoracle.lifecycle.draft import make_draft

        with self._editing(reference) as (old, _):
            self._must_be_theirs(old)
            change = self._change("supersede", because)
            inherited: Fields = {"kind": old.kind, "importance": old.weight.importance}
            inherited.update(fields)
            wish = self.guard(make_draft(text, **inherited))
            if wish.outcome == "quarantined":
                # What waits for its owner takes nobody's place.
                raise RefusedByPolicy(wish.rules)
            new = admit(wish.draft, record_id=self._ids.next(RECORD_PREFIX, change.at), change=change)
            successor, ended = revise.supersede(old, new, change)
            wanted = old.version if expected is None else expected
            place = self.store.append([successor, ended], expected={old.id: wanted})[0]
        told = (*wish.warnings, *self._shield.warnings(because))
        return receipt_of(
            successor, place, created=True, warnings=told, outcome=wish.outcome, rules=wish.rules
        )

    def undo(self, operation: str | None = None) -> Sequence[Receipt]:
        """Reverse one act, the last one unless another is named. Erased is erased."""
        self._must_see_all()
        from memoracle.lifecycle.undo import last_operation, undo
        from memoracle.store.imported import take_back

        with self.store.writing():
            versions = [record for _, record in self.store.journal.all_versions()]
            chosen = operation or last_operation(versions)
            touched = {record.id for record in versions if record.change.operation == chosen}
            notes = take_back(self.store, chosen)
            if notes and not touched:
                return []
            histories = self.store.journal.histories(touched)
            reversed_ = undo(chosen, histories, self._change("undo", undoes=chosen))
            places = self.store.append(reversed_)
        return [
            receipt_of(record, place, created=False) for record, place in zip(reversed_, places, strict=True)
        ]

    def inbox(self) -> Sequence[Item]:
        """The questions that wait for their owner, oldest first; then what waits in quarantine."""
        self._must_see_all()
        from memoracle.lifecycle.inbox import is_moot
        from memoracle.store.inbox import read_inbox

        asked = [item for item in read_inbox(self.store).open if not is_moot(item, self._as_it_stands)]
        return list(self._with_sentences((*asked, *self._apart())))

    def _with_sentences(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Questions as whoever is asked should see them."""
        return tuple(replace(item, sentences=self._judged(item)) for item in items)

    def _judged(self, item: Item) -> tuple[Sentence, ...]:
        """The sentences a question is about, whose they are and where they came from."""
        from memoracle.errors import UnknownRecord
        from memoracle.model.inbox import Sentence

        found = []
        for reference in item.about:
            try:
                record = self._shield.screen(self._as_it_stands(reference))
            except (UnknownRecord, LookupError):
                continue  # a line of a note: the proposal holds its words
            origin = record.origin
            found.append(
                Sentence(
                    id=record.id,
                    text=record.text,
                    kind=record.kind.value,
                    whose=f"{origin.channel.value}{f' ({origin.who})' if origin.who else ''}",
                    where=origin.where or (f"session {origin.session}" if origin.session else ""),
                    at=origin.observed or record.created,
                )
            )
        return tuple(found)

    def _apart(self) -> list[Item]:
        """What waits in quarantine, as questions."""
        from memoracle.lifecycle.quarantine import question_about
        from memoracle.model.record import Status

        self._upkeep.catch_up()
        wanted = Filters(statuses=(Status.QUARANTINED.value,))
        found = self._upkeep.ask(lambda: self.index.list_records(wanted, _MOST_APART, self._clock()))
        records = [self._as_it_stands(one.passage.ref) for one in reversed(found)]
        return [question_about(one) for one in records if one.status is Status.QUARANTINED]

    def plan_answer(self, references: Sequence[str], *, yes: bool) -> Plan:
        """What accepting these questions, or turning them down, would do."""
        from memoracle.lifecycle.inbox import plan_answer

        return plan_answer(self.inbox(), references, self._as_it_stands, self._change("accept"), yes=yes)

    def accept(self, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
        """Make what was proposed true, as one act that `undo` reverses."""
        return self._answer(references, because, yes=True)

    def reject(self, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
        """Turn proposals down; they are not asked again."""
        return self._answer(references, because, yes=False)

    def plan_withdraw(self, references: Sequence[str]) -> Plan:
        """What `withdraw` would take out of memory."""
        from memoracle.model.plan import Plan, Step

        records = self._leaving(references)
        steps = [Step(act="withdraw", target=one.id, because=f"it says `{one.text[:60]}`") for one in records]
        made = self._standing_made_of(records)
        steps += [
            Step(act="withdraw", target=one.id, because=f"derived from it: `{one.text[:60]}`") for one in made
        ]
        return Plan(verb="forget", steps=tuple(steps))

    def withdraw(self, references: Sequence[str], *, because: str = "") -> Withdrawn:
        """Take records out of every answer and every generated file, whole for thirty days: `undo` brings them back.

        What memory made of them goes along. Their lines stay in the record files until then; upkeep erases them after.
        """
        from memoracle.lifecycle.revise import withdraw
        from memoracle.model.receipt import Withdrawn
        from memoracle.model.record import KEPT_WITHDRAWN
        from memoracle.store.retract import retract

        with self.store.writing():
            change = self._change("forget", because)
            records = self._leaving(references)
            made = self._standing_made_of(records)
            self.store.append(
                [
                    *(withdraw(one, change) for one in records),
                    *(withdraw(one, change, again=True) for one in made),
                ]
            )
            ids = tuple(one.id for one in (*records, *made))
            retract(self.store, ids)
        return Withdrawn(
            ids=ids,
            operation=change.operation,
            until=change.at + KEPT_WITHDRAWN,
        )

    def propose_withdrawal(self, references: Sequence[str], *, by: str, because: str = "") -> Sequence[str]:
        """Ask the owner whether these shall leave memory, as an agent wishes; the ids of the questions."""
        from memoracle.lifecycle.inbox import ask_to_withdraw
        from memoracle.store.inbox import ask

        because = self._shield.hide(because)
        with self.store.writing():
            now = self._clock()
            asked = [
                ask_to_withdraw(one, by=by, because=because, since=now) for one in self._leaving(references)
            ]
            ask(self.store, asked, now=now)
        return [one.id for one in asked]

    def trash(self) -> Sequence[Record]:
        """What was withdrawn and can be brought back, the latest first."""
        from memoracle.model.record import Status

        self._must_see_all()
        self._upkeep.catch_up()
        wanted = Filters(statuses=(Status.WITHDRAWN.value,))
        found = self._upkeep.ask(lambda: self.index.list_records(wanted, _MOST_WITHDRAWN, self._clock()))
        records = [self._as_it_stands(one.passage.ref) for one in found]
        held = [self._shield.screen(one) for one in records if one.status is Status.WITHDRAWN]
        return sorted(held, key=lambda one: (one.change.at, one.id), reverse=True)

    def take_back(self, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
        """Bring back what was withdrawn, each record exactly as it was."""
        from memoracle.errors import CannotChange
        from memoracle.lifecycle.undo import undo
        from memoracle.model.record import Status

        with self.store.writing():
            fresh: list[Record] = []
            for record_id in dict.fromkeys(self._resolve(reference) for reference in references):
                held = self._as_it_stands(record_id)
                if held.status is not Status.WITHDRAWN:
                    raise CannotChange(record_id, "bring back", "it was not withdrawn")
                undone = held.change.operation
                change = self._change("undo", because, undoes=undone)
                fresh += undo(undone, self.store.journal.histories({record_id}), change)
            places = self.store.append(fresh)
        return [receipt_of(one, place, created=False) for one, place in zip(fresh, places, strict=True)]

    def _standing_made_of(self, records: Sequence[Record]) -> list[Record]:
        from memoracle.model.record import Status

        made = self._made_of([record.id for record in records])
        return [one for one in made if one.status is not Status.WITHDRAWN]

    def _leaving(self, references: Sequence[str]) -> Sequence[Record]:
        """The records of these names that stand; what is gone or set apart already is not there."""
        from memoracle.errors import UnknownRecord
        from memoracle.model.record import Status

        records = self._doomed(references, None)
        for one in records:
            if one.status in {Status.WITHDRAWN, Status.QUARANTINED}:
                raise UnknownRecord(one.id)
        return records

    def plan_forget(
        self,
        references: Sequence[str] = (),
        *,
        filters: Filters | None = None,
        selection: Selection | None = None,
    ) -> Plan:
        """What `forget` would erase, and all that hangs on it."""
        from memoracle.model.plan import Plan, Step

        chosen = selection or _selected(filters, self._clock())
        if chosen:
            self._must_see_all()
        if chosen and not references:
            return self._forgetting().plan(chosen)
        cited, references = self._cited_lines(references)
        records = self._doomed(references, chosen)
        steps = [
            Step(
                act="erase",
                target=record.id,
                because=f"version 1 to {record.version} of `{record.text[:60]}`",
            )
            for record in records
        ]
        made = self._made_of([record.id for record in records])
        steps += [
            Step(act="erase", target=one.id, because=f"derived from it: `{one.text[:60]}`") for one in made
        ]
        steps += [Step(act="erase lines", target=one.cite, because="of a note") for one in cited]
        return Plan(verb="forget", steps=tuple(steps))

    def forget(
        self,
        references: Sequence[str] = (),
        *,
        filters: Filters | None = None,
        selection: Selection | None = None,
        because: str = "",
    ) -> Erased:
        """Erase records everywhere: every version, the archive, the receipts, the view.

        A selection without ids takes out what came of it as well: memory is then as if it had never heard it.
        """
        from memoracle.model.receipt import Erased
        from memoracle.store.erase import erase, tombstone
        from memoracle.store.notelines import take_out

        chosen = selection or _selected(filters, self._clock())
        if chosen:
            self._must_see_all()
        if chosen and not references:
            erased = self._forgetting().run(chosen, self._change("forget", because))
            if erased.turns or erased.rewritten:
                self._told(
                    "forget",
                    operation=erased.operation,
                    about=[name for name in ("session", "channel", "path", "since") if getattr(chosen, name)],
                )
            return erased
        cited, references = self._cited_lines(references)
        records = self._doomed(references, chosen)
        with self.store.writing():
            change = self._change("forget", because)
            lines = sum(len(take_out(self.store, one)) for one in reversed(cited))
            made = self._made_of([record.id for record in records])
            stones = [tombstone(record, change) for record in records]
            erasure = erase(self.store, [*stones, *(tombstone(one, change, again=True) for one in made)])
            self._sum_up_again(made, change)
        ids = tuple(record.id for record in (*records, *made))
        self._upkeep.forget(ids)
        return Erased(
            ids=ids,
            operation=change.operation,
            lines=lines + sum(erasure.removed.values()),
            remaining=erasure.remaining,
        )

    def _cited_lines(self, references: Sequence[str]) -> tuple[Sequence[NoteLines], Sequence[str]]:
        """Lines of notes among what is named, in the order they stand, and the rest of it."""
        from memoracle.store.notelines import note_lines

        found = {reference: note_lines(self.store, reference) for reference in references}
        cited = sorted((one for one in found.values() if one), key=lambda one: (one.path, one.first))
        if cited:
            self._must_see_all()
        return cited, [reference for reference, one in found.items() if one is None]

    def _made_of(self, ids: Sequence[str]) -> list[Record]:
        """The summaries whose words come from these records."""
        from memoracle.lifecycle.expire import made_of

        return made_of((record for _, record in self.store.journal.all_versions()), ids)

    def expired(self) -> Plan:
        """What is past the time that its owner set for its sensitivity; nothing is written."""
        from memoracle.lifecycle.expire import past_retention
        from memoracle.model.plan import Plan
        from memoracle.model.record import Sensitivity

        self._must_see_all()
        days = {one: int(getattr(self._settings, f"retention_{one.value}_days")) for one in Sensitivity}
        books = self._bench().books
        return Plan(verb="forget", steps=tuple(past_retention(books.every(), days, self._clock())))

    def _sum_up_again(self, erased: Sequence[Record], change: Change) -> None:
        """Summaries of what is left, in place of those that were erased."""
        if not erased:
            return
        from memoracle.consolidation.books import Books
        from memoracle.lifecycle.summaries import plan_summaries

        books = Books(self.store)
        planned = plan_summaries(
            books.active(),
            books.find,
            now=change.at,
            operation=change.operation,
            by=change.by,
            least=self._settings.summary_trigger,
        )
        if planned.versions:
            self.store.append(planned.versions)

    def _forgetting(self) -> Forgetting:
        self._must_see_all()
        from memoracle.consolidation.forgetting import Forgetting

        def refresh() -> None:
            consolidation = self._consolidation(None)
            for phase in ("hot", "digest"):
                consolidation.run_phase(phase)

        return Forgetting(self._bench(), ids=self._ids, now=self._clock(), refresh=refresh)

    def _answer(self, references: Sequence[str], because: str, *, yes: bool) -> Sequence[Receipt]:
        from memoracle.lifecycle.inbox import answer_all, choose
        from memoracle.store.inbox import Answer, answer

        with self.store.writing():
            chosen = choose(self.inbox(), references)
            change = self._change("accept" if yes else "reject", because)
            versions = answer_all(chosen, self._as_it_stands, change, yes=yes)
            places = self.store.append(versions) if versions else []
            if any(item.matter is Matter.ADOPTION for item in chosen):
                from memoracle.store import adopted

                adopted.answer(self.store, yes=yes, now=change.at)
            # The records first: should this be cut off here, a question whose records moved on is moot.
            given = Answer.ACCEPTED if yes else Answer.REJECTED
            answer(self.store, [item.id for item in chosen], given, now=change.at)
        if not yes and (doomed := [item.about[0] for item in chosen if item.matter is Matter.QUARANTINE]):
            self.forget(doomed, because=because)
        if yes and (wished := [item.about[0] for item in chosen if item.matter is Matter.WITHDRAWAL]):
            self.withdraw(wished, because=because)
        return [
            receipt_of(record, place, created=record.version == 1)
            for record, place in zip(versions, places, strict=True)
        ]


def _selected(filters: Filters | None, now: datetime) -> Selection | None:
    """Filters as a selection of where things came from."""
    if filters is None:
        return None
    from memoracle.model.selection import selection_of

    return selection_of(session=filters.session, origin=filters.channel, since=filters.since, now=now)
