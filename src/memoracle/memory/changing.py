"""Verbs that change what is kept: nothing is overwritten, `forget` alone erases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memoracle.memory.root import receipt_of
from memoracle.memory.writing import Write
from memoracle.model.change import Change
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.query import Filters
from memoracle.model.record import Record

if TYPE_CHECKING:
    from memoracle.model.inbox import Item
    from memoracle.model.plan import Plan
    from memoracle.model.receipt import Erased, Receipt


class Alter(Write):
    """Verbs that change what is kept: nothing is overwritten, `forget` alone erases."""

    def edit(
        self, reference: str, *, expected: int | None = None, because: str = "", **fields: Any
    ) -> Receipt:
        """Put a record differently. With `expected`, only if it is still at that version."""
        from memoracle.lifecycle import revise

        words = self._shield.words(fields)

        def make(record: Record, change: Change) -> Record:
            self._shield.must_allow(record.origin.channel, fields.get("kind") or record.kind, was=record.kind)
            return revise.edit(record, change, **words.fields)

        return self._revise("edit", reference, expected, because, make, warnings=words.warnings)

    def pin(self, reference: str, *, pinned: bool = True, because: str = "") -> Receipt:
        """Keep a record in the live set however old it grows."""
        from memoracle.lifecycle import revise

        verb = "pin" if pinned else "unpin"
        return self._revise(verb, reference, None, because, lambda r, c: revise.pin(r, c, pinned=pinned))

    def archive(self, reference: str, *, because: str = "") -> Receipt:
        """Take a record out of default answers; nothing is lost."""
        from memoracle.lifecycle import revise

        return self._revise("archive", reference, None, because, revise.archive)

    def restore(self, reference: str, *, because: str = "") -> Receipt:
        """Bring back what was archived, superseded or retracted."""
        from memoracle.lifecycle import revise

        return self._revise("restore", reference, None, because, revise.restore)

    def supersede(
        self, reference: str, text: str, *, expected: int | None = None, because: str = "", **fields: Any
    ) -> Receipt:
        """Put a new record in place of an old one; both stay in the history. `expected` as in `edit`."""
        from memoracle.lifecycle import revise
        from memoracle.lifecycle.admit import admit
        from memoracle.lifecycle.draft import make_draft

        with self._editing(reference) as (old, _):
            change = self._change("supersede", because)
            inherited: dict[str, Any] = {"kind": old.kind, "importance": old.weight.importance}
            wish = self.guard(make_draft(text, **inherited | fields))
            new = admit(wish.draft, record_id=self._ids.next(RECORD_PREFIX, change.at), change=change)
            successor, ended = revise.supersede(old, new, change)
            wanted = old.version if expected is None else expected
            place = self.store.append([successor, ended], expected={old.id: wanted})[0]
        told = (*wish.warnings, *self._shield.warnings(because))
        return receipt_of(successor, place, created=True, warnings=told)

    def undo(self, operation: str | None = None) -> Sequence[Receipt]:
        """Reverse one act, the last one unless another is named. Erased is erased."""
        self._must_see_all()
        from memoracle.lifecycle.undo import last_operation, undo
        from memoracle.store.imported import take_back

        with self.store.writing():
            versions = [record for _, record in self.store.all_versions()]
            chosen = operation or last_operation(versions)
            touched = {record.id for record in versions if record.change.operation == chosen}
            notes = take_back(self.store, chosen)
            if notes and not touched:
                return []
            histories = self.store.histories(touched)
            reversed_ = undo(chosen, histories, self._change("undo", undoes=chosen))
            places = self.store.append(reversed_)
        return [
            receipt_of(record, place, created=False) for record, place in zip(reversed_, places, strict=True)
        ]

    def inbox(self) -> Sequence[Item]:
        """The questions that wait for their owner, oldest first."""
        self._must_see_all()
        from memoracle.lifecycle.inbox import is_moot
        from memoracle.store.inbox import read_inbox

        return [item for item in read_inbox(self.store).open if not is_moot(item, self._as_it_stands)]

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

    def plan_forget(self, references: Sequence[str] = (), *, filters: Filters | None = None) -> Plan:
        """What `forget` would erase."""
        from memoracle.model.plan import Plan, Step

        records = self._doomed(references, filters)
        return Plan(
            verb="forget",
            steps=tuple(
                Step(
                    act="erase",
                    target=record.id,
                    because=f"version 1 to {record.version} of `{record.text[:60]}`",
                )
                for record in records
            ),
        )

    def forget(
        self, references: Sequence[str] = (), *, filters: Filters | None = None, because: str = ""
    ) -> Erased:
        """Erase records everywhere: every version, the archive, the receipts, the view."""
        from memoracle.store.erase import erase, tombstone

        records = self._doomed(references, filters)
        with self.store.writing():
            change = self._change("forget", because)
            erasure = erase(self.store, [tombstone(record, change) for record in records])
        self._upkeep.forget([record.id for record in records])
        from memoracle.model.receipt import Erased

        return Erased(
            ids=tuple(record.id for record in records),
            operation=change.operation,
            lines=sum(erasure.removed.values()),
            remaining=erasure.remaining,
        )

    def _answer(self, references: Sequence[str], because: str, *, yes: bool) -> Sequence[Receipt]:
        from memoracle.lifecycle.inbox import answer_all, choose
        from memoracle.store.inbox import Answer, answer

        with self.store.writing():
            chosen = choose(self.inbox(), references)
            change = self._change("accept" if yes else "reject", because)
            versions = answer_all(chosen, self._as_it_stands, change, yes=yes)
            places = self.store.append(versions) if versions else []
            # The records first: should this be cut off here, a question whose records moved on is moot.
            given = Answer.ACCEPTED if yes else Answer.REJECTED
            answer(self.store, [item.id for item in chosen], given, now=change.at)
        return [
            receipt_of(record, place, created=record.version == 1)
            for record, place in zip(versions, places, strict=True)
        ]
