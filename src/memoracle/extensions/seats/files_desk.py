"""Where hand-offs stand, and the two notes a published design keeps beside them: each seat's queue and delivery.

That design keeps `tasks/` beside the memory, not inside it. Where there is one, hand-offs are read and written in it;
their paths begin with `../` then. Its scripts look into `tasks/<project>/<seat>/TODO.md` for what waits and what
was seen, and into `DELIVERY.md` for what came back, so both follow every hand-off of ours.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError
from memoracle.store.disk import DiskVolume
from memoracle.times import write_time

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.extensions.seats.model import Completion, Dispatch
    from memoracle.store.store import Store
    from memoracle.store.volume import Volume

ABOVE = "../"
_SECTION = re.compile(r"^## \[(?P<state>\w+)\] (?P<task>\S+)[ \t]*$", re.MULTILINE)
_DONE = re.compile(r"^# Completed[ \t]*$", re.MULTILINE)
_SEEN = re.compile(r"^Consumed: (?P<task>\S+) from (?P<source>\S+) at (?P<at>\S+)[ \t]*$", re.MULTILINE)


def desks(store: Store) -> list[tuple[str, Volume]]:
    """Where hand-offs may stand, each with what its paths begin with; new ones are written to the first."""
    own: list[tuple[str, Volume]] = [("", store.volume)]
    beside, around = store.layout.get("tasks_beside"), os.path.dirname(store.root)
    place = os.path.join(around, beside or "")
    if beside and os.path.isdir(place) and not os.path.islink(place):
        return [(ABOVE, DiskVolume(around)), *own]
    return own


def profile_seats(store: Store, project: str) -> set[str]:
    """The seats of a project by its profile beside the root; none where there is no profile."""
    if desks(store)[0][0] != ABOVE:
        return set()
    import tomllib

    content = b""
    with suppress(MemoracleError, OSError):
        content = DiskVolume(os.path.dirname(store.root)).read(f"profiles/{project}-profile-dynamic.toml")
    try:
        held = tomllib.loads(content.decode("utf-8", "replace")).get("seats")
    except (tomllib.TOMLDecodeError, RecursionError):
        return set()
    return set(map(str, held)) if isinstance(held, list) else set()


def desk_of(store: Store, path: str) -> tuple[Volume, str]:
    """The volume of a path and its name there."""
    if path.startswith(ABOVE):
        return DiskVolume(os.path.dirname(store.root)), path.removeprefix(ABOVE)
    return store.volume, path


def todo_of(path: str, seat: str) -> str:
    """The queue of a seat, by the path of one of its project's hand-offs; empty inside the root, which has none."""
    return f"{_project_of(path)}/{seat}/TODO.md" if path.startswith(ABOVE) else ""


def delivery_of(path: str, seat: str) -> str:
    """What a seat delivered last, by the path of one of its project's hand-offs."""
    return f"{_project_of(path)}/{seat}/DELIVERY.md" if path.startswith(ABOVE) else ""


def _project_of(path: str) -> str:
    return "/".join(path.split("/")[:3])


def absolute(store: Store, path: str) -> str:
    """A path as that design's scripts open it."""
    return os.path.join(os.path.dirname(store.root), path.removeprefix(ABOVE))


def read_text(store: Store, path: str) -> str:
    """A note beside the root; what is not there is empty."""
    volume, name = desk_of(store, path)
    return volume.read(name).decode("utf-8", "replace")


def _write(store: Store, path: str, text: str) -> None:
    volume, name = desk_of(store, path)
    volume.replace(name, text.encode())


def enqueue(store: Store, wish: Dispatch) -> None:
    """Put a task into its target's queue: pending when nothing else is, queued otherwise."""
    path = todo_of(wish.path, wish.target)
    if not path:
        return
    text = read_text(store, path) or f"# Queue: {wish.target}\n"
    if any(found["task"] == wish.task_id and found["state"] in _OPEN for found in _SECTION.finditer(text)):
        return
    state = "queued" if any(found["state"] == "pending" for found in _SECTION.finditer(text)) else "pending"
    section = "\n".join(
        [
            f"## [{state}] {wish.task_id}",
            f"task_id: {wish.task_id}",
            f"title: {_one_line(wish.title)}",
            f"source: {wish.source}",
            f"reply_to: {wish.reply_to}",
            f"dispatched_at: {write_time(wish.assigned_at)}",
            f"correlation_id: {wish.correlation_id}",
            f"test_policy: {wish.test_policy.value}",
            "",
            "### Objective",
            "",
            _below_headings(wish.objective.strip()),
            "",
        ]
    )
    done = _DONE.search(text)
    before, after = (text[: done.start()], text[done.start() :]) if done else (text, "")
    rule = "\n\n---\n\n" if _SECTION.search(before) else "\n\n"
    _write(store, path, f"{before.rstrip()}{rule}{section}" + (f"\n{after}" if after else ""))


_OPEN = frozenset({"pending", "queued"})


def close(store: Store, done: Completion) -> None:
    """Note that a seat gave its task back: its queue promotes the next, and its delivery says what was done."""
    path = todo_of(done.path, done.source)
    if not path:
        return
    text = read_text(store, path)
    own = [one for one in _SECTION.finditer(text) if one["task"] == done.task_id and one["state"] in _OPEN]
    for found in reversed(own):
        text = f"{text[: found.start('state')]}completed{text[found.end('state') :]}"
    if own and not any(one["state"] == "pending" for one in _SECTION.finditer(text)):
        following = next((one for one in _SECTION.finditer(text) if one["state"] == "queued"), None)
        if following:
            text = f"{text[: following.start('state')]}pending{text[following.end('state') :]}"
    if own:
        line = f"- [{done.completed_at.date().isoformat()}] {done.task_id} — {_one_line(done.summary or done.status)}\n"
        head = _DONE.search(text)
        at = head.end() + 1 if head else len(text)
        text = f"{text[:at]}{line}{text[at:]}" if head else f"{text.rstrip()}\n\n# Completed\n\n{line}"
        _write(store, path, text)
    lines = [
        f"task_id: {done.task_id}",
        f"owner: {done.source}",
        f"target: {done.target}",
        f"status: {done.status}",
        f"date: {write_time(done.completed_at)}",
        *([f"commit: {done.commit}"] if done.commit else []),
        "",
        f"# Delivery: {done.task_id}",
        "",
        "## Summary",
        "",
        _below_headings(done.summary.strip()) or done.status,
        *(["", f"Verdict: {done.verdict}"] if done.verdict else []),
        "",
    ]
    _write(store, delivery_of(done.path, done.source), "\n".join(lines))


def note_seen(store: Store, path: str, seat: str, *, task_id: str, source: str, now: datetime) -> None:
    """Write the line that says a seat has seen a task, once."""
    place = todo_of(path, seat)
    if place and not seen_in(store, path, seat, task_id=task_id, source=source):
        text = read_text(store, place).rstrip()
        line = f"Consumed: {task_id} from {source} at {write_time(now)}\n"
        _write(store, place, f"{text}\n{line}" if text else line)


def seen_in(store: Store, path: str, seat: str, *, task_id: str, source: str) -> str:
    """When a seat noted that it has seen a task; empty when it did not."""
    place = todo_of(path, seat)
    if not place:
        return ""
    found = (one for one in _SEEN.finditer(read_text(store, place)))
    return next((one["at"] for one in found if (one["task"], one["source"]) == (task_id, source)), "")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _below_headings(text: str) -> str:
    """Words that no reader of the queue takes for one of its sections."""
    return re.sub(r"^(?=#|---|Consumed: )", " ", text, flags=re.MULTILINE)
