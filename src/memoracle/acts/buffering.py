"""The working buffer as a verb: written before a reply, moved into the note of the day when it is full.

What is added is on disk when `add` returns, whatever else goes wrong. Text passes the guard first. Every act but
`show` finishes what an interrupted rotation left.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from memoracle.acts.jotting import guarded
from memoracle.clock import Clock
from memoracle.errors import BadInput, MemoracleError
from memoracle.model.plan import Done, Step
from memoracle.model.receipt import Buffered
from memoracle.policy.shield import Shield
from memoracle.settings import Settings
from memoracle.store.buffer import Limits, add, parse, read_buffer
from memoracle.store.jot import bullet
from memoracle.store.rotate import discard, recover, rotate
from memoracle.store.store import Store

ACTS = ("show", "add", "rotate", "clear")


class Buffering:
    """The working buffer of one store."""

    def __init__(
        self, store: Store, *, shield: Shield, settings: Settings, zone: tzinfo, clock: Clock
    ) -> None:
        self._store = store
        self._shield = shield
        self._limits = Limits(lines=settings.buffer_lines, items=settings.buffer_items)
        self._zone = zone
        self._clock = clock

    def act(self, act: str, text: str = "", *, defer: bool = False) -> Buffered:
        """Show the buffer, add to it, move it into the note of today, or clear it."""
        if act not in ACTS:
            raise BadInput(f"`{act}` is nothing a buffer can do", f"one of: {', '.join(ACTS)}")
        if act == "show":
            return self._told(act)
        now = self._clock()
        if act == "add":
            return self._add(text, now, defer=defer)
        with self._store.writing():
            if act == "rotate":
                done = rotate(self._store, now=now, zone=self._zone)
            else:
                done = recover(self._store, now=now, zone=self._zone)
                if kept := discard(self._store, now=now):
                    done = Done(
                        steps=(
                            *done.steps,
                            Step(act="clear", target=kept, because="it was moved to the trash"),
                        ),
                        findings=done.findings,
                    )
            return self._told(act, steps=done.steps, warnings=[finding.message for finding in done.findings])

    def _add(self, text: str, now: datetime, *, defer: bool) -> Buffered:
        item = bullet(guarded(self._shield, {"text": text})["text"])
        told = list(self._shield.warnings(text))
        steps: tuple[Step, ...] = ()
        with self._store.writing():
            try:
                done = recover(self._store, now=now, zone=self._zone)
                if not defer and self._would_be_full(item):
                    done = rotate(self._store, now=now, zone=self._zone)
                steps = done.steps
                told += [finding.message for finding in done.findings]
            except MemoracleError as problem:
                told.append(f"the buffer is full and could not be moved into the note of today: {problem}")
            line = add(self._store, item, now=now)
            return self._told("add", line=line, steps=steps, warnings=told)

    def _would_be_full(self, item: str) -> bool:
        held = read_buffer(self._store)
        if not held.body.strip():
            return False  # a single item may be as long as it is
        fence = "" if held.text.endswith("\n") else "\n"
        return parse(held.path, f"{held.text}{fence}{item}\n").is_full(self._limits)

    def _told(
        self, act: str, *, line: int | None = None, steps: Sequence[Step] = (), warnings: Sequence[str] = ()
    ) -> Buffered:
        held = read_buffer(self._store)
        return Buffered(
            act=act,
            path=held.path,
            line=line,
            lines=held.lines,
            items=held.items,
            entries=tuple(self._shield.hide(text) for _, text in held.entries),
            stale=held.is_stale(self._clock(), self._limits),
            steps=tuple(steps),
            warnings=tuple(warnings),
        )
