"""One run of the command line: the memory it works on, and where its words go."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from memoracle.errors import (
    BadInput,
    Conflict,
    Declined,
    MemoracleError,
    NeedsConsent,
    NoRoot,
    NotDelivered,
    NotFound,
    NothingToUndo,
    NotPushed,
    Refused,
)
from memoracle.interfaces.render import plain, to_json
from memoracle.text import visible

if TYPE_CHECKING:
    from memoracle.memory import Memory
    from memoracle.model.report import Plan, Receipt


# Error code to exit status. People's scripts rely on these numbers.

DONE = 0
FAILED = 1
USAGE = 2
NOT_IN_MEMORY = 3
NOT_IN_FEDERATION = 4
REFUSED = 5
CONFLICT = 6
NOT_DELIVERED = 7
NOT_READY = 8

MEANING = {
    DONE: "done",
    FAILED: "a check failed, or something went wrong while running",
    USAGE: "the call's words are off",
    NOT_IN_MEMORY: "not_in_memory_db",
    NOT_IN_FEDERATION: "not_in_federated_kb",
    REFUSED: "refused by policy or ownership",
    CONFLICT: "conflict of versions",
    NOT_DELIVERED: "written but not delivered",
    NOT_READY: "not_ready",
}

_FAMILIES: tuple[tuple[type[MemoracleError], int], ...] = (
    (NoRoot, FAILED),
    (NothingToUndo, FAILED),
    (NotFound, NOT_IN_MEMORY),
    (BadInput, USAGE),
    (NeedsConsent, USAGE),
    (Refused, REFUSED),
    (Conflict, CONFLICT),
    (NotPushed, NOT_DELIVERED),
    (NotDelivered, NOT_DELIVERED),
)


def status_of(error: MemoracleError) -> int:
    """The exit status of an error."""
    return next((status for family, status in _FAMILIES if isinstance(error, family)), FAILED)


_LONG = 2000
"""Work on more pieces than this is worth a line that moves."""


class Session:
    """Opens the memory when it is first asked for; prints data to stdout and talk to stderr."""

    def __init__(self, *, root: str | None, json: bool) -> None:
        self.root = root
        self.json = json
        self._memory: Memory | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._memory is not None:
            self._memory.close()

    @property
    def memory(self) -> Memory:
        """The memory of this run."""
        if self._memory is None:
            from memoracle.compose import open_memory

            self._memory = open_memory(
                self.root,
                progress=partial(self.progress, "indexing"),
                embedding=partial(self.progress, "embedding"),
                via="cli",
            )
        return self._memory

    def show(self, document: Any, text: str) -> None:
        """Print the JSON document, or the text for a person."""
        sys.stdout.write((to_json(document) if self.json else visible(text)) + "\n")

    def note_act(self, act: str, **facts: int | str) -> None:
        """Have an act that no `Memory` did told to the audit trail, where that can be written."""
        from memoracle.model.event import Event

        with suppress(MemoracleError):  # a root that is locked, or none
            store = self.memory.store
            store.audit.try_log(Event(act=act, at=store.now(), facts=facts))

    def say(self, text: str) -> None:
        """Talk to the person, beside the data."""
        sys.stderr.write(visible(text) + "\n")

    def show_plan(self, plan: Plan, *, done: bool) -> None:
        """Print a plan that was carried out, or would be."""
        steps = [f"{step.act} {visible(step.target)}: {visible(step.because)}" for step in plan.steps]
        head = f"{plan.verb}: {'done' if done else 'would do'}" if steps else f"{plan.verb}: nothing to do"
        document = {"verb": plan.verb, "dry_run": not done, "items": plain(plan.steps)}
        self.show(document, "\n".join([head, *steps]))

    def ask(self, act: str, *, agreed: bool) -> None:
        """Have consent for what erases or writes outside the root, or raise.

        Consent is `--yes` in the call, or a person's answer at a terminal; a pipe answers for nobody.
        """
        if agreed:
            return
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise NeedsConsent(act)
        sys.stderr.write(visible(f"{act}. Go on? [y/N] "))
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
            raise Declined(act)

    def progress(self, what: str, done: int, total: int) -> None:
        """A line that is written over, on a terminal alone: pipes and files are told what came of it, and no more."""
        if total >= _LONG and sys.stderr.isatty() and not os.environ.get("MEMORACLE_QUIET"):
            sys.stderr.write(f"\r{what} {done:,} of {total:,}" + ("\n" if done >= total else ""))
            sys.stderr.flush()


def sentence(receipt: Receipt) -> str:
    """What became of a record, for a person."""
    state = f"{receipt.id} is now version {receipt.version}, {receipt.status.value}"
    return f"{state}\n  {receipt.path}#L{receipt.line}"
