"""Verbs of work between seats: claims, deliveries, hand-offs, decisions for somebody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.memory.seating import Sit

if TYPE_CHECKING:
    from memoracle.handing import Handing
    from memoracle.handoffs.claims import Verification
    from memoracle.model.handoff import Chain, Handed, Queued


class Hand(Sit):
    """Verbs of work between seats: every claim can be checked, every step leaves a file."""

    def verify(self, response: Any) -> Verification:
        """Hold the claims of a response against evidence anywhere in this memory."""
        return self._handing().verify(response)

    def deliver(
        self,
        task_id: str,
        response: Mapping[str, Any],
        *,
        project: str = "",
        to: str,
        source: str = "",
        summary: str = "",
        verdict: str = "",
        dry_run: bool = False,
    ) -> Handed:
        """Answer a task: the response and its receipt; the same again completes what was cut off."""
        from memoracle.model.page import MEMORY

        self._must_be_no_secret(task_id, project, to)
        return self._handing().deliver(
            task_id,
            response,
            project=self._own_project(project),
            to=to,
            source=source or MEMORY,
            summary=summary,
            verdict=verdict,
            dry_run=dry_run,
        )

    def dispatch(
        self,
        task_id: str,
        *,
        project: str = "",
        source: str,
        target: str = "",
        role: str = "",
        title: str,
        objective: str,
        test_policy: str,
        reply_to: str = "",
        docs: Sequence[str] = (),
        docs_skip: str = "",
        external: bool = False,
        queue_it: bool = False,
        notify: bool = True,
        dry_run: bool = False,
    ) -> Handed:
        """Give a task to a seat; what to say about it comes back, and nothing is sent by itself."""
        self._must_be_no_secret(task_id, project)
        return self._handing().dispatch(
            task_id,
            project=self._own_project(project),
            source=source,
            target=target,
            role=role,
            title=title,
            objective=objective,
            test_policy=test_policy,
            reply_to=reply_to,
            docs=docs,
            docs_skip=docs_skip,
            external=external,
            queue_it=queue_it,
            notify=notify,
            dry_run=dry_run,
        )

    def acknowledge(self, task_id: str, *, project: str = "", seat: str) -> Handed:
        """Say that a seat has seen its task."""
        self._must_be_no_secret(task_id, project)
        return self._handing().acknowledge(task_id, project=self._own_project(project), seat=seat)

    def complete(
        self,
        task_id: str,
        *,
        project: str = "",
        seat: str,
        to: str = "",
        status: str = "completed",
        verdict: str = "",
        summary: str = "",
        commit: str = "",
        weight: str = "",
        dry_run: bool = False,
    ) -> Handed:
        """Give a task back: a delivery page, a receipt, and which task comes next."""
        self._must_be_no_secret(task_id, project)
        return self._handing().complete(
            task_id,
            project=self._own_project(project),
            seat=seat,
            to=to,
            status=status,
            verdict=verdict,
            summary=summary,
            commit=commit,
            weight=weight,
            dry_run=dry_run,
        )

    def consume(self, task_id: str, *, project: str = "", seat: str) -> Handed:
        """Say that a seat has seen what was given back to it."""
        self._must_be_no_secret(task_id, project)
        return self._handing().consume(task_id, project=self._own_project(project), seat=seat)

    def handoffs(self, project: str = "") -> Sequence[Queued]:
        """Every task, and whether it is pending, queued or done."""
        return self._handing().queue(self._own_project(project))

    def check_handoff(self, task_id: str, *, project: str = "") -> Chain:
        """The four steps after a dispatch: the file, that it was seen, the delivery, the commit."""
        return self._handing().check(task_id, project=self._own_project(project))

    def audit_closeout(self, task_id: str, *, project: str = "") -> Chain:
        """Whether a planner closed a task as it should."""
        return self._handing().audit(task_id, project=self._own_project(project))

    def rehearse(self, project: str) -> Sequence[Handed]:
        """Give every seat of a project one step of a rehearsal."""
        return self._handing().rehearse(self._own_project(project))

    def rehearsal(self, project: str, name: str = "") -> Chain:
        """What a rehearsal came to."""
        return self._handing().rehearsal(self._own_project(project), name)

    def condense(
        self, project: str, said: str = "", *, after: int | None = None
    ) -> tuple[str, Sequence[str]]:
        """Whether routing state should be condensed now, and its lines."""
        from memoracle.handoffs.condense import WAVES

        waves = WAVES if after is None else after
        return self._handing().condense(self._own_project(project), said, after=waves)

    def send_decision(self, payload: Mapping[str, Any]) -> Handed:
        """A decision for somebody else, checked and past the privacy gate; sent where a command is set."""
        from memoracle.errors import BadInput
        from memoracle.handoffs.payload import problems_of

        problems = problems_of(payload)
        if problems:
            raise BadInput(
                f"the payload is not valid: {'; '.join(problems)}",
                "`decision payload schema` prints the schema",
            )
        return self._handing().send_decision(payload)

    def _handing(self) -> Handing:
        from memoracle.acts.sending import transport_of
        from memoracle.handing import Handing
        from memoracle.scan.lineage import lineage_of
        from memoracle.store.registry import repository_here

        def lineage(project: str, commit: str) -> str:
            place = repository_here(self.store, project)
            return lineage_of(place, commit) if place else "unknown"

        return Handing(
            self.store,
            seating=self._seating(),
            shield=self._shield,
            clock=self._clock,
            ids=self._ids,
            record=self.show,
            lineage=lineage,
            send=transport_of(self.root.environment),
            seat=self._reader.seat or self._session_seat,
        )
