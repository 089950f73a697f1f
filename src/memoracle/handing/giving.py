"""Giving work: the file first, then what to say about it."""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.errors import BadInput
from memoracle.handing.proving import Prove
from memoracle.handoffs import message
from memoracle.handoffs.refusals import must_be_possible, seat_for
from memoracle.model.handoff import Dispatch, Handed, Queued, State, TestPolicy
from memoracle.model.ids import OPERATION_PREFIX
from memoracle.model.value import replace
from memoracle.store import handoffs as files
from memoracle.store.registry import read_registry


class Give(Prove):
    """Giving work to a seat, and saying that it was seen."""

    def dispatch(
        self,
        task_id: str,
        *,
        project: str,
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
        """Give a task to a seat; the file first, then what to say about it."""
        if bool(target) == bool(role):
            raise BadInput("name the target or its role", "--to SEAT or --to-role ROLE")
        for what, said in (("title", title), ("objective", objective)):
            if not said.strip():
                raise BadInput(f"a task needs its {what}")
        self._must_speak_as(source)
        registry = read_registry(self._store)
        seat = target or seat_for(role, project, registry)
        now = self._clock()
        words = self._shield.words(
            {"title": title, "objective": objective, "skip": docs_skip, "docs": list(docs)}
        )
        wish = Dispatch(
            task_id=task_id,
            project=project,
            source=source,
            target=seat,
            title=words.fields["title"],
            objective=words.fields["objective"],
            test_policy=_policy(test_policy),
            assigned_at=now,
            reply_to=reply_to or source,
            correlation_id=self._ids.next(OPERATION_PREFIX, now),
            docs_consulted=tuple(words.fields["docs"]),
            docs_skip_reason=words.fields["skip"],
        )
        with self._store.writing():
            stands = self.queue(project)
            self._must_be_rehearsed(project, task_id, stands)
            must_be_possible(wish, registry, stands, queue=queue_it, is_external=external)
            said = self._announcement(wish)
            wish = replace(wish, notify_message=said if notify else "")
            if dry_run:
                return Handed(
                    path="", created=False, message=said, state="would be given", warnings=words.warnings
                )
            made = files.put_dispatch(self._store, wish)
        stands = self.queue(project)
        state = next(one.state for one in stands if one.dispatch.path == made.path)
        tried = notify and state is State.PENDING
        sent = self._tell(said, action="notify") if tried else False
        if sent:
            with self._store.writing():
                files.put_dispatch(self._store, replace(made, notified_at=self._clock()))
        unsent = self._is_unsent(sent, tried=tried)
        return Handed(
            path=made.path, message=said, state=state.value, sent=sent, unsent=unsent, warnings=words.warnings
        )

    def _announcement(self, wish: Dispatch) -> str:
        return message.compose(
            message.About.DISPATCHED,
            [wish.title, wish.objective, f"tests: {wish.test_policy.value}; reply to {wish.reply_to}"],
            seat=wish.source,
            now=wish.assigned_at,
            project=wish.project,
            task_id=wish.task_id,
            session=self._session,
        )

    def acknowledge(self, task_id: str, *, project: str, seat: str) -> Handed:
        """Say that a seat has seen its task; once is enough."""
        self._must_speak_as(seat)
        found = self._task(task_id, project, seat)
        with self._store.writing():
            fresh = files.acknowledge(
                self._store,
                found.dispatch.path,
                task_id=task_id,
                source=found.dispatch.source,
                now=self._clock(),
            )
        return Handed(path=found.dispatch.path + files.CONSUMED, created=fresh, state=found.state.value)

    def consume(self, task_id: str, *, project: str, seat: str) -> Handed:
        """Say that a seat has seen what was given back to it."""
        self._must_speak_as(seat)
        done = [
            one
            for one in files.completions(self._store, project)
            if (one.task_id, one.target) == (task_id, seat)
        ]
        if not done:
            raise BadInput(f"nothing of {task_id} was given back to {seat}")
        last = max(done, key=lambda one: one.completed_at)
        with self._store.writing():
            fresh = files.acknowledge(
                self._store, last.path, task_id=task_id, source=last.source, now=self._clock()
            )
        return Handed(path=last.path + files.CONSUMED, created=fresh)

    def _must_be_rehearsed(self, project: str, task_id: str, stands: Sequence[Queued]) -> None:
        """Hook for those who look at chains: what stands before real work."""


def _policy(said: str) -> TestPolicy:
    try:
        return TestPolicy(said)
    except ValueError:
        raise BadInput(f"`{said}` is no test policy", f"one of: {', '.join(TestPolicy)}") from None
