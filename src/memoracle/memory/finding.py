"""Verbs that find things again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memoracle.errors import (
    OutsideRoot,
    StoreProblem,
)
from memoracle.memory.keeping import Keep
from memoracle.model import hit as answers
from memoracle.model.hit import Hit, Recollection
from memoracle.model.query import Filters, Query
from memoracle.model.record import Record, Sensitivity, Status, newest
from memoracle.model.value import replace
from memoracle.recall.pipeline import recollect
from memoracle.recall.weigh import activation_of

if TYPE_CHECKING:
    from memoracle.briefing import Briefing, Recovered
    from memoracle.context.pack import Context
    from memoracle.lifecycle.entities import EntityPage
    from memoracle.lifecycle.lineage import Lineage


class Find(Keep):
    """Verbs that find things again."""

    def recall(self, question: str, **how: Any) -> Recollection:
        """Evidence for a question, or a plain "not in memory". What is handed over is reinforced."""
        found = self.search(question, **how)
        now = self._clock()
        used = [hit.passage.ref for hit in found.hits if _can_be_reinforced(hit, now)]
        if used:
            # A memory that cannot be written still answers; it only learns nothing from it.
            with suppress(StoreProblem, OutsideRoot, OSError):
                self.store.note_use(used, by=self._actor, now=now)
        if self._upkeep.ask(self.index.has_errors):
            from memoracle.store.mend import keep_damage_safe

            keep_damage_safe(self.store)
        return found

    def search(
        self,
        question: str,
        *,
        limit: int | None = None,
        filters: Filters | None = None,
        now: datetime | None = None,
        recipe: str | None = None,
        budget: int | None = None,
    ) -> Recollection:
        """The same evidence, leaving every file exactly as it was."""
        query = Query(text=question, filters=self._within(filters), limit=limit or self._limit)
        chosen = recipe or self._recipe

        def answer() -> Recollection:
            if chosen != "quick":
                self._upkeep.embed_a_few()
            with self.index.snapshot():
                return recollect(
                    query,
                    self.index,
                    law=self._law,
                    now=now or self._clock(),
                    recipe=chosen,
                    models=self._upkeep.models,
                    budget=budget,
                )

        warnings = self._upkeep.catch_up()
        found = self._upkeep.ask(answer)
        return replace(found, warnings=(*found.warnings, *warnings, *self._upkeep.complaints()))

    def show(self, reference: str) -> Record:
        """One record as it stands."""
        return newest(self._history(reference))

    def list(self, *, limit: int | None = None, filters: Filters | None = None) -> Sequence[Hit]:
        """Records that fit, newest first."""
        self._upkeep.catch_up()
        now = self._clock()
        found = self._upkeep.ask(
            lambda: self.index.list_records(self._within(filters), limit or self._limit, now)
        )
        uses = self.index.uses_of([item.passage.ref for item in found])
        return [
            Hit(
                passage=item.passage,
                score=0.0,
                activation=round(activation_of(item, uses.get(item.passage.ref, []), self._law, now), 6),
            )
            for item in found
        ]

    def entity(self, name: str | None = None) -> Sequence[EntityPage]:
        """A page for every entity, the best known first; or the one that answers to a name."""
        from memoracle.lifecycle.entities import entity_pages, pages_named

        self._upkeep.catch_up()
        standing = self._upkeep.ask(
            lambda: self.index.standing(self._law, self._clock(), reader=self._reader)
        )
        if self._public:
            standing = [one for one in standing if one.passage.sensitivity == Sensitivity.PUBLIC]
        pages = entity_pages(standing)
        return pages if name is None else pages_named(pages, name)

    def history(self, reference: str) -> Sequence[Record]:
        """Every version of a record, oldest first: who changed what, when and why."""
        return self._history(reference)

    def why(self, reference: str) -> Lineage:
        """Where a memory came from, what it replaced, and what became of it."""
        from memoracle.lifecycle.lineage import trace_lineage

        record_id = self._resolve(reference)
        return trace_lineage(record_id, self.store.versions, self.store.place_of)

    def context(
        self,
        prompt: str | None = None,
        *,
        audience: str = "private",
        budget: int | None = None,
        after: str = "start",
    ) -> Context:
        """What an agent should see first: at hand, today, the buffer, what is open, what fits the prompt.

        Nothing is written and nothing reinforced. `after` is `start`, `compact`, `reset` or `prompt`: that alone.
        """
        audience = "group" if self._public else audience
        return self._briefing().context(prompt or "", audience=audience, budget=budget, after=after)

    def recover(
        self, prompt: str | None = None, *, audience: str = "private", budget: int | None = None
    ) -> Recovered:
        """What to go on from after a reset, once what was interrupted is finished."""
        audience = "group" if self._public else audience
        return self._briefing().recover(prompt or "", audience=audience, budget=budget)

    def _briefing(self) -> Briefing:
        from memoracle.briefing import Briefing

        return Briefing(
            self.store,
            self.index,
            self._upkeep,
            law=self._law,
            settings=self._settings,
            zone=self._zone(),
            clock=self._clock,
            search=self.search,
            reader=self._reader,
        )


def _can_be_reinforced(hit: Hit, now: datetime) -> bool:
    passage = hit.passage
    is_record = passage.source is answers.Source.RECORD
    return is_record and passage.status is Status.ACTIVE and passage.validity.holds_at(now)
