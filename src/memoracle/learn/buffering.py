"""The working buffer as a verb: written before a reply, moved into the note of the day when it is full.

What is added is on disk when `add` returns, whatever else goes wrong. Text passes the guard first. Every act but
`show` finishes what an interrupted rotation left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.errors import BadInput, MemoracleError
from memoracle.learn.jotting import guarded
from memoracle.model.report import Buffered, Done, Step
from memoracle.store.buffer import BufferLimits, add, parse, read_buffer
from memoracle.store.jot import bullet
from memoracle.store.rotate import discard, recover, rotate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memoracle.root import Root

ACTS = ("show", "add", "rotate", "clear")


def buffer(root: Root, act: str = "show", text: str = "", *, defer: bool = False) -> Buffered:
    """The working buffer: `show`, `add`, `rotate` or `clear`. What is added is on disk when this returns."""
    if act not in ACTS:
        raise BadInput(f"`{act}` is nothing a buffer can do", f"one of: {', '.join(ACTS)}")
    if act == "show":
        return _shown(root, act)
    now = root.clock()
    if act == "add":
        return _add(root, text, now, defer=defer)
    with root.store.writing():
        if act == "rotate":
            done = rotate(root.store, now=now, zone=root.zone)
        else:
            done = recover(root.store, now=now, zone=root.zone)
            if kept := discard(root.store, now=now):
                done = Done(
                    steps=(
                        *done.steps,
                        Step(act="clear", target=kept, because="it was moved to the trash"),
                    ),
                    findings=done.findings,
                )
        return _shown(root, act, steps=done.steps, warnings=[finding.message for finding in done.findings])


def _add(root: Root, text: str, now: datetime, *, defer: bool) -> Buffered:
    item = bullet(guarded(root.guard, {"text": text})["text"])
    told = list(root.guard.warnings(text))
    steps: tuple[Step, ...] = ()
    with root.store.writing():
        try:
            done = recover(root.store, now=now, zone=root.zone)
            if not defer and _would_be_full(root, item):
                done = rotate(root.store, now=now, zone=root.zone)
            steps = done.steps
            told += [finding.message for finding in done.findings]
        except MemoracleError as problem:
            told.append(f"the buffer is full and could not be moved into the note of today: {problem}")
        line = add(root.store, item, now=now)
        return _shown(root, "add", line=line, steps=steps, warnings=told)


def _would_be_full(root: Root, item: str) -> bool:
    held = read_buffer(root.store)
    if not held.body.strip():
        return False  # a single item may be as long as it is
    fence = "" if held.text.endswith("\n") else "\n"
    return parse(held.path, f"{held.text}{fence}{item}\n").is_full(_limits(root))


def _shown(
    root: Root, act: str, *, line: int | None = None, steps: Sequence[Step] = (), warnings: Sequence[str] = ()
) -> Buffered:
    held = read_buffer(root.store)
    return Buffered(
        act=act,
        path=held.path,
        line=line,
        lines=held.lines,
        items=held.items,
        entries=tuple(root.guard.hide(text) for _, text in held.entries),
        stale=held.is_stale(root.clock(), _limits(root)),
        steps=tuple(steps),
        warnings=tuple(warnings),
    )


def _limits(root: Root) -> BufferLimits:
    return BufferLimits(lines=root.settings.buffer_lines, items=root.settings.buffer_items)
