"""What memory shows to people on demand: the snapshot, the digests, the weekly review.

Values become writes here, under the store's lock. The nightly run brings the same files up to date by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from memoracle.acts.act import Act
from memoracle.context.choose import Audience
from memoracle.context.fill import Limits
from memoracle.context.hot import Hot
from memoracle.context.publish import shown_before
from memoracle.context.snapshot import compose_snapshot
from memoracle.errors import BadInput, UnknownRecord
from memoracle.lifecycle.digests import publish_digests
from memoracle.lifecycle.inbox import is_moot
from memoracle.lifecycle.review import NOTHING, Page, Review, candidates
from memoracle.model.inbox import ONE_BY_ONE, Item
from memoracle.model.plan import Plan, Step
from memoracle.model.record import Record, newest
from memoracle.model.scope import EVERYBODY, Scope
from memoracle.model.standing import Standing
from memoracle.store.buffer import read_buffer
from memoracle.store.daily import owners_days
from memoracle.store.inbox import ask, read_inbox
from memoracle.zone import day_in


class Publishing(Act):
    """What one store shows to people."""

    def snapshot(
        self,
        audience: str,
        tokens: int | None,
        *,
        reader: Scope = EVERYBODY,
        withheld: Sequence[str] = (),
    ) -> Hot:
        """What an agent is given at the start of a session, of what its reader may see; nothing is written."""
        settings = self._settings
        limits = Limits(
            tokens=tokens or settings.hot_tokens,
            lines=settings.hot_lines,
            target_lines=settings.hot_target_lines,
        )
        return compose_snapshot(
            [one for one in self._standing(reader) if one.passage.sensitivity not in withheld],
            now=self._clock(),
            zone=self._zone,
            audience=_audience(audience),
            limits=limits,
            present=shown_before(self._store),
            open_items=len(read_inbox(self._store).open) if reader == EVERYBODY else 0,
            projects=("", reader.project, *reader.also),
        )

    def digest(self, day: date | None, *, dry_run: bool) -> Plan:
        """Bring the digests of the days that need it up to date, or of one day."""
        standing = self._standing()
        with self._store.writing():
            done = publish_digests(self._store, standing, zone=self._zone, only=day, dry_run=dry_run)
        return Plan(verb="digest", steps=done.steps)

    def review(self, upkeep: Callable[[], Sequence[Step]], *, dry_run: bool) -> Review:
        """Ask what the last seven days suggest, do the upkeep, and show every question that waits."""
        pages = [Page(path=path, day=day, lines=lines) for path, day, lines in owners_days(self._store)]
        buffer = read_buffer(self._store)
        pages.append(Page(path=buffer.path, day=day_in(self._zone, self._clock()), lines=buffer.entries))
        records = list(self._records().values())
        found = candidates(records, pages, now=self._clock(), zone=self._zone)
        if dry_run:
            known = {entry.item.id for entry in read_inbox(self._store).entries}
            new = [item for item in found if item.id not in known]
            steps = tuple(upkeep())
            return Review(
                message=_message(new, steps), items=(*read_inbox(self._store).open, *new), steps=steps
            )
        with self._store.writing():
            new = ask(self._store, found, now=self._clock())
        steps = tuple(upkeep())  # the hot file says how many questions wait
        return Review(message=_message(new, steps), items=read_inbox(self._store).open, steps=steps)

    def answerable(self) -> list[str]:
        """The ids of all questions whose records still stand; whether to tend what was adopted is asked by itself."""
        records = self._records()

        def find(record_id: str) -> Record:
            if record_id not in records:
                raise UnknownRecord(record_id)
            return records[record_id]

        return [
            item.id
            for item in read_inbox(self._store).open
            if item.matter not in ONE_BY_ONE and not is_moot(item, find)
        ]

    def answered(self, ids: Sequence[str], steps: Sequence[Step] = ()) -> Review:
        """What is left after these were accepted."""
        left = read_inbox(self._store).open
        message = f"{len(ids)} accepted, {len(left)} left"
        return Review(message=message, items=left, steps=tuple(steps), accepted=tuple(ids))

    def _records(self) -> dict[str, Record]:
        versions: dict[str, list[Record]] = {}
        for _, record in self._store.journal.all_versions():
            versions.setdefault(record.id, []).append(record)
        return {record_id: newest(held) for record_id, held in sorted(versions.items())}

    def _standing(self, reader: Scope = EVERYBODY) -> Sequence[Standing]:
        self._upkeep.catch_up()
        return self._upkeep.ask(lambda: self._index.standing(self._law, self._clock(), reader=reader))


def _audience(name: str) -> Audience:
    try:
        return Audience(name)
    except ValueError:
        raise BadInput(f"`{name}` is no audience", "one of: private, group") from None


def _message(new: Sequence[Item], steps: Sequence[Step]) -> str:
    if not new and not steps:
        return NOTHING
    return f"{len(new)} new question{'s' * (len(new) != 1)}, {len(steps)} change{'s' * (len(steps) != 1)}"
