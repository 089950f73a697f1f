"""Giving work back. A response is written before its receipt, and the receipt is what counts.

Cut off between the two, the same call again completes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from memoracle.clock import write_time
from memoracle.errors import BadInput, MemoracleError, NotDelivered
from memoracle.handing.giving import Give
from memoracle.handoffs import chain, message
from memoracle.handoffs.queue import next_task
from memoracle.handoffs.refusals import check_task_name
from memoracle.model.handoff import GOOD, NEEDS_INTEGRATION, REVIEWER, REVIEWS, Completion, Handed, Queued
from memoracle.model.page import MEMORY
from memoracle.model.plain import to_plain
from memoracle.store import handoffs as files
from memoracle.store.registry import read_registry

_LONGEST_SUMMARY = 4_000


class Return(Give):
    """Giving work back, and answering."""

    def complete(
        self,
        task_id: str,
        *,
        project: str,
        seat: str,
        to: str = "",
        status: str = "completed",
        verdict: str = "",
        summary: str = "",
        commit: str = "",
        weight: str = "",
        dry_run: bool = False,
    ) -> Handed:
        """Give a task back: a delivery page of the seat, then the receipt; the next one is promoted."""
        self._must_speak_as(seat)
        found = self._task(task_id, project, seat)
        _check_verdict(seat, verdict, weight)
        words = self._shield.words({"summary": summary})
        target = to or found.dispatch.reply_to
        if dry_run:
            return Handed(path="", created=False, state="would be given back", warnings=words.warnings)
        page = self._seating.write(
            kind="delivery",
            project=project,
            author=seat,
            title=f"Delivery of {task_id}",
            body=_delivery(
                found, target, status, verdict, words.fields["summary"], write_time(self._clock())
            ),
            task_id=task_id,
            status="completed",
        )
        return self._give_back(
            found, target, status, verdict, words.fields["summary"], commit, page.path, weight
        )

    def deliver(
        self,
        task_id: str,
        response: Mapping[str, Any],
        *,
        project: str,
        to: str,
        source: str = MEMORY,
        summary: str = "",
        verdict: str = "",
        dry_run: bool = False,
    ) -> Handed:
        """Answer a task: the response, then its receipt. Claims are checked, and the result goes along."""
        check_task_name(task_id)
        self._must_speak_as(source)
        if not isinstance(response, Mapping):
            raise BadInput("a response is a JSON object", 'such as {"answer": "…", "claims": []}')
        held = self._shield.words({"text": json.dumps(response, ensure_ascii=False), "summary": summary})
        clean = json.loads(held.fields["text"])
        checked = self.verify(clean)
        proof = to_plain(checked)
        if dry_run:
            return Handed(path="", created=False, verified=proof, warnings=held.warnings)
        registry = read_registry(self._store)
        is_seat = registry.seat(to) is not None
        now = self._clock()
        with self._store.writing():
            path, digest = files.put_response(self._store, task_id, {**clean, "verification": proof})
            try:
                done = self._receipt(task_id, project, source, to, path, digest, summary=held.fields["summary"],
                                     verdict=verdict, now=now, is_seat=is_seat)  # fmt: skip
            except (OSError, MemoracleError) as problem:
                again = f"memoracle deliver --project {project} --task {task_id} --to {to}"
                raise NotDelivered(path, str(problem), again) from problem
        holds = checked.all_verified is not False
        said = message.compose(
            message.About.SUCCESS if holds else message.About.BLOCKED,
            [str(clean.get("answer", "")) or held.fields["summary"], f"response: {path}"],
            seat=source,
            now=now,
            project=project,
            task_id=task_id,
            session=self._session,
            verdict="PASS" if holds else "FAIL",
        )
        sent = self._tell(said, action="deliver") if is_seat else False
        unsent = self._is_unsent(sent, tried=is_seat)
        return Handed(
            path=done.path, message=said, response=path, sent=sent, unsent=unsent, verified=proof,
            warnings=held.warnings,
        )  # fmt: skip

    def send_decision(self, payload: Mapping[str, Any]) -> Handed:
        """A valid payload past the gate: the words to send, and whether a transport took them."""
        words = json.dumps(payload, ensure_ascii=False, indent=1)
        self._shield.must_go(words, action="decision", outgoing=True)
        sent = self._tell(words, action="decision")
        unsent = self._is_unsent(sent, tried=True)
        return Handed(path="", created=False, message=words, sent=sent, unsent=unsent)

    def _give_back(
        self,
        found: Queued,
        target: str,
        status: str,
        verdict: str,
        summary: str,
        commit: str,
        delivery: str,
        weight: str,
    ) -> Handed:
        sent = found.dispatch
        now = self._clock()
        with self._store.writing():
            stands = self.queue(sent.project)
            if weight:
                target = chain.routed(
                    weight, [one.dispatch for one in stands if one.dispatch.task_id == sent.task_id]
                )
            is_seat = read_registry(self._store).seat(target) is not None
            done = files.put_completion(
                self._store,
                Completion(
                    task_id=sent.task_id,
                    project=sent.project,
                    source=sent.target,
                    target=target,
                    status=status,
                    verdict=verdict,
                    summary=summary,
                    delivery_path=delivery,
                    commit=commit,
                    lineage_status=self._lineage(sent.project, commit) if commit else "unknown",
                    completed_at=now,
                    notify_skipped=not is_seat,
                ),
            )
            files.acknowledge(self._store, sent.path, task_id=sent.task_id, source=sent.source, now=now)
        said = message.compose(
            message.About.BLOCKED if verdict == "BLOCKED" else message.About.SUCCESS,
            [summary or f"{sent.title}: {status}", f"delivery: {delivery}"],
            seat=sent.target,
            now=now,
            project=sent.project,
            task_id=sent.task_id,
            session=self._session,
            verdict=_ending(verdict),
        )
        is_sent = self._tell(said, action="notify") if is_seat else False
        following = next_task(stands, project=sent.project, target=sent.target, after=sent.task_id)
        unsent = self._is_unsent(is_sent, tried=is_seat)
        return Handed(
            path=done.path,
            message=said,
            delivery=delivery,
            next=following,
            sent=is_sent,
            unsent=unsent,
            state="done",
        )

    def _receipt(
        self,
        task_id: str,
        project: str,
        source: str,
        to: str,
        path: str,
        digest: str,
        *,
        summary: str,
        verdict: str,
        now: datetime,
        is_seat: bool,
    ) -> Completion:
        for one in files.completions(self._store, project):
            if (one.task_id, one.source, one.target, one.response_digest) == (task_id, source, to, digest):
                return one
        return files.put_completion(
            self._store,
            Completion(
                task_id=task_id,
                project=project,
                source=source,
                target=to,
                status="delivered",
                verdict=verdict,
                summary=summary,
                response_path=path,
                response_digest=digest,
                completed_at=now,
                notify_skipped=not is_seat,
            ),
        )


def _check_verdict(seat: str, verdict: str, weight: str) -> None:
    if seat.split("-", maxsplit=1)[0] == REVIEWER and verdict not in REVIEWS:
        raise BadInput("a reviewer gives a verdict", f"one of: {', '.join(REVIEWS)}")
    if (verdict == NEEDS_INTEGRATION) is not bool(weight):
        raise BadInput(f"{NEEDS_INTEGRATION} and --weight belong together", "--weight light, medium or heavy")


def _ending(verdict: str) -> str:
    if not verdict or verdict in GOOD:
        return "PASS"
    return "BLOCKED" if verdict in {"BLOCKED", "DECISION_NEEDED"} else "FAIL"


def _delivery(found: Queued, target: str, status: str, verdict: str, summary: str, at: str) -> str:
    sent = found.dispatch
    rows = [
        f"task_id: {sent.task_id}",
        f"owner: {sent.target}",
        f"target: {target}",
        f"status: {status}",
        f"date: {at}",
        *([f"verdict: {verdict}"] if verdict else []),
    ]
    return "\n".join([f"# Delivery of {sent.task_id}", "", *rows, "", summary[:_LONGEST_SUMMARY], ""])
