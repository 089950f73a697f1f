"""Verbs that find things again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.errors import (
    OutsideRoot,
    StoreProblem,
)
from memoracle.memory.keeping import Keep
from memoracle.model import hit as answers
from memoracle.model.hit import Hit, Recollection
from memoracle.model.query import Filters, Query
from memoracle.model.record import Kind, Record, Sensitivity, Status, newest
from memoracle.model.value import replace
from memoracle.recall.freshness import BEHIND
from memoracle.recall.pipeline import recollect
from memoracle.recall.weigh import activation_of
from memoracle.store.layouts import NoteRole

if TYPE_CHECKING:
    from memoracle.acts.briefing import Briefing, Recovered
    from memoracle.acts.graphing import Graphing
    from memoracle.context.pack import Context
    from memoracle.index.graph import Neighbourhood, Way
    from memoracle.lifecycle.entities import EntityPage
    from memoracle.lifecycle.lineage import Lineage
    from memoracle.model.link import Backlinks, BrokenLink, Edge
    from memoracle.model.standing import Standing
    from memoracle.policy.explain import InForce, Sight, Verdict


class Find(Keep):
    """Verbs that find things again."""

    def recall(
        self,
        question: str,
        *,
        limit: int | None = None,
        filters: Filters | None = None,
        now: datetime | None = None,
        recipe: str | None = None,
        budget: int | None = None,
    ) -> Recollection:
        """Evidence for a question, or a plain "not in memory". What is handed over is reinforced."""
        found = self.search(question, limit=limit, filters=filters, now=now, recipe=recipe, budget=budget)
        read_at = self._clock()
        used = [hit.passage.ref for hit in found.hits if _can_be_reinforced(hit, read_at)]
        if used:
            # A memory that cannot be written still answers; it only learns nothing from it.
            with suppress(StoreProblem, OutsideRoot, OSError):
                self.store.note_use(used, by=self._actor, now=read_at)
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
        """The same evidence, leaving every file of memory as it was; reading secret ones leaves a line in the trail."""
        chosen = recipe or self._recipe

        def answer() -> Recollection:
            query = Query(text=question, filters=self._narrowed(filters), limit=limit or self._limit)
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
        was_behind = self._upkeep.is_behind
        found = self._upkeep.ask(answer)
        if self._upkeep.is_behind:
            warnings += [] if was_behind else [BEHIND]
            if found.verdict is not answers.Verdict.FOUND:
                found = replace(found, verdict=answers.Verdict.NOT_READY)
        seen = [(hit.passage.ref, hit.passage.sensitivity) for hit in (*found.hits, *found.near)]
        told = (*self._told_reading("search", seen), *self._policy_warning())
        return replace(found, warnings=(*found.warnings, *warnings, *self._upkeep.complaints(), *told))

    def _policy_warning(self) -> tuple[str, ...]:
        problem = self._shield.problem
        if not problem:
            return ()
        kept_back = ", and agents are handed public records alone" if self._withheld else ""
        return (f"nothing is written{kept_back} while the policy cannot be read: {problem}",)

    def policy(self) -> InForce:
        """The policy in force, where each part comes from, and what is wrong with it."""
        from memoracle.policy.explain import in_force
        from memoracle.store.privacy import privacy_path

        lost = self._privacy_lines_lost()
        return in_force(
            self._shield.policy, self._shield.blocklist(), path=privacy_path(self.store), lost=lost
        )

    def _privacy_lines_lost(self, *, note: bool = True) -> int:
        """How many lines the privacy list has lost; new ones are noted, where that is wanted and can be."""
        from memoracle.store.privacy import privacy_mark
        from memoracle.store.privacy_seen import lines_lost, note_unseen
        from memoracle.store.volume import NO_LOOKS

        listed = self._shield.blocklist()
        if listed.problem and privacy_mark(self.store) != NO_LOOKS:
            return 0  # nobody can tell, and everything waits for it anyway
        if note:
            note_unseen(self.store, listed.lines)
        return lines_lost(self.store, listed.lines)

    def policy_test(
        self, text: str, *, channels: Sequence[str] = (), kind: str = "fact"
    ) -> Sequence[Verdict]:
        """What would happen to a text, channel by channel, and by which rule; nothing is written."""
        return self._shield.explain(text, channels, kind)

    def policy_check(self, text: str, *, outgoing: bool = False) -> Sequence[Sight]:
        """What the privacy gate would stop in a text before a guarded action; nothing: it may pass."""
        from memoracle.policy.explain import sights

        return sights(text, self._shield.gate(text, outgoing=outgoing))

    def hide(self, text: str) -> str:
        """A text of a file as it may be shown: without secrets and what the policy masks, line by line where it was."""
        return self._shield.hide(text)

    def show(self, reference: str) -> Record:
        """One record as it stands."""
        return newest(self._read_history("show", reference))

    def count(self, *, filters: Filters | None = None) -> int:
        """How many records fit; `list` gives them."""
        self._upkeep.catch_up()
        return self._upkeep.ask(lambda: self.index.count_records(self._narrowed(filters), self._clock()))

    def _narrowed(self, filters: Filters | None) -> Filters:
        """Filters as this reader may use them; a kind that nobody knows is refused: it would find nothing, for ever."""
        unknown = (
            [kind for kind in filters.kinds if kind not in {*Kind, *NoteRole, "turn"}] if filters else []
        )
        if unknown and (lost := [kind for kind in unknown if kind not in self.index.kinds()]):
            from memoracle.errors import UnknownKind

            raise UnknownKind(lost[0], sorted(self.index.kinds() | set(Kind)))
        return self._within(filters)

    def list(self, *, limit: int | None = None, filters: Filters | None = None) -> Sequence[Hit]:
        """Records that fit, newest first."""
        self._upkeep.catch_up()
        now = self._clock()
        found = self._upkeep.ask(
            lambda: self.index.list_records(self._narrowed(filters), limit or self._limit, now)
        )
        self._told_reading("list", [(item.passage.ref, item.passage.sensitivity) for item in found])
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
        pages = entity_pages(self._seen())
        return pages if name is None else pages_named(pages, name)

    def _seen(self) -> Sequence[Standing]:
        """The standing records that the reader of this memory may see, whatever their status; oldest first."""
        standing = self._upkeep.ask(
            lambda: self.index.standing(self._law, self._clock(), reader=self._reader)
        )
        if self._shows_public_alone:
            standing = [one for one in standing if one.passage.sensitivity == Sensitivity.PUBLIC]
        return [one for one in standing if one.passage.sensitivity not in self._withheld]

    def history(self, reference: str) -> Sequence[Record]:
        """Every version of a record, oldest first: who changed what, when and why."""
        return self._read_history("history", reference)

    def _read_history(self, verb: str, reference: str) -> Sequence[Record]:
        versions = self._shown_versions(self._resolve(reference))
        self._told_reading(verb, [(one.id, one.sensitivity.value) for one in versions])
        return versions

    def why(self, reference: str) -> Lineage:
        """Where a memory came from, what it replaced, and what became of it."""
        from memoracle.lifecycle.lineage import trace_lineage

        record_id = self._resolve(reference)
        return trace_lineage(record_id, self._shown_versions, self.store.journal.place_of)

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
        audience = "group" if self._shows_public_alone else audience
        return self._briefing().context(prompt or "", audience=audience, budget=budget, after=after)

    def recover(
        self, prompt: str | None = None, *, audience: str = "private", budget: int | None = None
    ) -> Recovered:
        """What to go on from after a reset, once what was interrupted is finished."""
        audience = "group" if self._shows_public_alone else audience
        return self._briefing().recover(prompt or "", audience=audience, budget=budget)

    def backlinks(self, target: str) -> Backlinks:
        """Everything that links to a page, a record or an entity."""
        return self._graphing().backlinks(target)

    def graph(self, root: str, *, depth: int = 1, cap: int = 50) -> Neighbourhood:
        """What lies within so many steps of a page, a record or an entity, along links in both directions."""
        return self._graphing().around(root, depth, cap)

    def path(self, start: str, end: str, *, cap: int = 50) -> Way:
        """A shortest way along links, edge by edge."""
        return self._graphing().between(start, end, cap)

    def links(self, page: str) -> Sequence[Edge]:
        """What one page or record links to."""
        return self._graphing().links(page)

    def broken_links(self) -> Sequence[BrokenLink]:
        """Links to pages, records and files of this memory that are not there."""
        return self._graphing().broken()

    def orphans(self) -> Sequence[str]:
        """Pages that link to nothing and that nothing links to."""
        return self._graphing().orphans()

    def _graphing(self) -> Graphing:
        from memoracle.acts.graphing import Graphing

        return Graphing(
            self.store,
            self.index,
            self._upkeep,
            clock=self._clock,
            reader=self._reader,
            public=self._shows_public_alone,
        )

    def _briefing(self) -> Briefing:
        from memoracle.acts.briefing import Briefing

        return self._act(
            Briefing,
            search=self.search,
            reader=self._told_to,
            is_placed=self.root.reader.here is not None,
            troubles=self._policy_warning,
        )


def _can_be_reinforced(hit: Hit, now: datetime) -> bool:
    passage = hit.passage
    is_record = passage.source is answers.Source.RECORD
    is_kept = passage.status in {Status.ACTIVE, Status.ARCHIVED}
    return is_record and is_kept and passage.validity.holds_at(now)
