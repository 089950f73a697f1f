"""Looking after hand-offs: what was seen, what was closed, whether a chain works."""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.clock import write_time
from memoracle.errors import BadInput, NotDispatched
from memoracle.handing.returning import Return
from memoracle.handoffs import chain, condense
from memoracle.model.handoff import PLANNER, Chain, Completion, Handed, Queued, TestPolicy
from memoracle.model.page import MEMORY, Page
from memoracle.seats.listing import Wanted
from memoracle.seats.reading import list_pages
from memoracle.store import handoffs as files
from memoracle.store.documents import read_document, write_document
from memoracle.store.registry import read_registry

_REHEARSAL = "chain-rehearsal-"
_CONDENSED = "condensed.json"


class Look(Return):
    """Looking after hand-offs."""

    def check(self, task_id: str, *, project: str) -> Chain:
        """The four-step check of one task."""
        found = next((one for one in self.queue(project) if one.dispatch.task_id == task_id), None)
        page = self._delivery_of(task_id, project, found.dispatch.target) if found else None
        lineage = self._lineage_of(found.completion) if found and found.completion else ""
        return chain.acknowledged(found, task_id=task_id, project=project, delivery=page, commit=lineage)

    def audit(self, task_id: str, *, project: str) -> Chain:
        """The audit of a planner's close-out."""
        done = files.completions(self._store, project)
        pages = list_pages(self._store, Wanted(project=project, kind="delivery"))
        seen = any(
            files.seen_at(self._store, one.path)
            for one in done
            if (one.task_id, one.target) == (task_id, MEMORY)
        )
        return chain.closed(task_id, project, done, pages, seen)

    def rehearse(self, project: str) -> Sequence[Handed]:
        """Begin a rehearsal: the planner gives one step to every seat of the project."""
        registry = read_registry(self._store)
        stamp = f"{self._clock():%Y%m%dt%H%M%Sz}"
        name = f"{_REHEARSAL}{stamp}"
        seats = [one for one in registry.seats if one.is_active and one.sits_in(project)]
        return [
            self.dispatch(
                name,
                project=project,
                source=PLANNER,
                target=seat.name,
                title=f"Rehearsal: report as {seat.name}",
                objective=f"Say your {', '.join(chain.REPORTED)}; acknowledge this step; give it back to {PLANNER}.",
                test_policy=TestPolicy.NOT_APPLICABLE,
                reply_to=PLANNER,
                queue_it=True,
                notify=False,
            )
            for seat in seats
            if seat.name not in {PLANNER, MEMORY}
        ]

    def rehearsal(self, project: str, name: str = "") -> Chain:
        """What a rehearsal came to: the newest one of a project, or the one named."""
        stands = self.queue(project)
        names = sorted(
            {one.dispatch.task_id for one in stands if one.dispatch.task_id.startswith(_REHEARSAL)}
        )
        chosen = name or (names[-1] if names else "")
        if not chosen:
            raise BadInput(f"{project} has never been rehearsed", "`memoracle handoff rehearse` begins one")
        own = {
            one.dispatch.target: one
            for one in stands
            if one.dispatch.task_id == chosen and one.dispatch.target != PLANNER
        }
        reports = {
            page.seat: page
            for page in list_pages(self._store, Wanted(project=project, task=chosen))
            if page.kind == "observation"
        }
        plan = next(
            (
                one
                for one in files.completions(self._store, project)
                if (one.task_id, one.source) == (chosen, PLANNER)
            ),
            None,
        )
        return chain.rehearsed(chosen, project, sorted(own), own, reports, plan)

    def condense(self, project: str, said: str = "", *, after: int = condense.WAVES) -> tuple[str, list[str]]:
        """Whether routing state should be condensed now and why; its lines, when it should."""
        volume, name = self._store.volume, self._store.state_name(_CONDENSED)
        last = str(read_document(volume, name).get(project, ""))
        stands = self.queue(project)
        why = condense.is_due(said, stands, last, after=after)
        if not why:
            return "", []
        with self._store.writing():
            write_document(volume, name, {**read_document(volume, name), project: write_time(self._clock())})
        return why, condense.condensed(stands)

    def _must_be_rehearsed(self, project: str, task_id: str, stands: Sequence[Queued]) -> None:
        """A rehearsal that was begun and has not passed stands before real work."""
        if task_id.startswith(_REHEARSAL):
            return
        if not any(one.dispatch.task_id.startswith(_REHEARSAL) for one in stands):
            return
        looked = self.rehearsal(project)
        if not looked.ok:
            raise NotDispatched(
                "REHEARSAL_OPEN",
                f"{looked.task_id} has not passed",
                "`memoracle handoff rehearsal` says who is missing",
            )

    def _delivery_of(self, task_id: str, project: str, seat: str) -> Page | None:
        pages = list_pages(self._store, Wanted(project=project, kind="delivery", seat=seat))
        return next((page for page in pages if page.task_id == task_id), None)

    def _lineage_of(self, done: Completion) -> str:
        return (self._lineage(done.project, done.commit) or "unknown") if done.commit else ""
