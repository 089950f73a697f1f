"""Everybody at once: hooks twenty at a time, clients of a server, a command line and consolidations on one root.

    .venv/bin/python -m benchmarks race --seconds 60
    .venv/bin/python -m benchmarks race --seconds 15 --json race.json

Every part is a real process. What was acknowledged is counted while it runs and looked for afterwards: turns that a
hook was told of, records whose id came back, notes. Then the root is checked in depth and the process table is searched
for anything that was started here. The status is 1 when something is lost, was shown or stayed behind.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MARK = "MEMORY_RACE"
TOKEN = "a-token-for-races"
CLIENTS = 3
_EVENTS = ("prompt", "stop", "session-start", "pre-compact", "stop", "prompt", "session-end", "stop")
_READING = frozenset({"prompt", "session-start"})
_PATIENCE = 120


def main() -> int:
    """Race, print the counts, and write them down if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long (default 60)")
    parser.add_argument("--hooks", type=int, default=20, help="hooks at the same time (default 20)")
    parser.add_argument("--json", metavar="FILE", help="also write the counts here")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="memoracle-race-"))
    try:
        found = race(folder, seconds=arguments.seconds, hooks=arguments.hooks)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if found["wrong"] else 0


def race(folder: Path, *, seconds: float, hooks: int) -> dict[str, Any]:
    """Run everything for a while; the counts, and under `wrong` whatever should not have been."""
    field = Field(folder)
    field.call("init")
    parts: list[Callable[[float], None]] = [
        lambda until: _hooks(field, until, hooks),
        lambda until: _command_line(field, until),
        lambda until: _consolidations(field, until),
    ]
    with _server(field) as url:
        parts.append(lambda until: _clients(field, until, url))
        until = time.monotonic() + seconds
        crew = [threading.Thread(target=field.guarded, args=(part, until)) for part in parts]
        for one in crew:
            one.start()
        for one in crew:
            one.join()
    field.wait_until_empty()
    field.call("hook", "work")  # what a worker had to leave for later
    field.wait_until_empty()
    field.call("consolidate", "--force")
    _look(field)
    return {"seconds": seconds, **field.counts, "wrong": field.wrong}


class Field:
    """The root, what everybody did to it, and what went wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "memory"
        self.mark = f"{MARK}={uuid.uuid4()}"
        kept = {name: text for name, text in os.environ.items() if not name.startswith("MEMORACLE_")}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)
        self.environment = kept | {
            "HOME": str(folder),
            "MEMORACLE_EMBEDDER": "none",
            "MEMORACLE_RESIDENT_MINUTES": "0",  # it would outlive the race
            "MEMORACLE_MCP_TOKEN": TOKEN,
            MARK: self.mark.partition("=")[2],
        }
        self.counts: dict[str, int] = {}
        self.wrong: list[str] = []
        self.kept: dict[str, str] = {}
        self.turns: list[str] = []
        self.notes: list[str] = []
        self._lock = threading.Lock()

    def count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self.counts[what] = self.counts.get(what, 0) + number

    def blame(self, problem: str) -> None:
        with self._lock:
            self.wrong.append(problem[:600])

    def guarded(self, part: Callable[[float], None], until: float) -> None:
        """Run a part; one that ends with an error is wrong, and stops no other."""
        try:
            part(until)
        except Exception as problem:  # noqa: BLE001
            self.blame(f"a part ended: {problem!r}")

    def begin(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "memoracle", "--root", str(self.root), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
            cwd=self.folder,
        )

    def call(self, *words: str) -> str:
        """One command of a user: it succeeds, and says nothing of locks."""
        with self.begin(*words) as process:
            out, err = process.communicate(timeout=_PATIENCE)
        if process.returncode or b"lock" in err.lower() or b"running" in err.lower():
            self.blame(f"{' '.join(words)[:80]}: {process.returncode} {err.decode()}{out.decode()}")
        return out.decode()

    def wait_until_empty(self) -> None:
        """Until nothing that was started here is left; what stays for too long is wrong."""
        deadline = time.monotonic() + _PATIENCE
        while pids := marked(self.mark):
            if time.monotonic() > deadline:
                self.blame(f"left behind: {pids}")
                return
            _wait_for(pids[0], deadline - time.monotonic())


def marked(mark: str) -> list[int]:
    """The processes that carry a mark in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if mark.encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


def _wait_for(pid: int, seconds: float) -> None:
    from select import select

    with suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        select([handle], [], [], max(0.0, seconds))
        os.close(handle)


def _hooks(field: Field, until: float, many: int) -> None:
    """Waves: every session says something, and every host calls at the same moment."""
    heads: dict[int, str | None] = dict.fromkeys(range(many))
    wave = 0
    while time.monotonic() < until:
        started = []
        for seat in range(many):
            event = _EVENTS[(wave + seat) % len(_EVENTS)]
            path, said = _say(field, heads, seat, wave)
            payload = {
                "session_id": f"session-{seat:02}",
                "transcript_path": str(path),
                "cwd": "/",
                "permission_mode": "default",
                "hook_event_name": event,
                "prompt": f"Which tool did we decide on for task {seat}-{wave}?",
                "last_assistant_message": "It is done.",
            }
            process = field.begin("hook", event, "--host", "claude-code")
            assert process.stdin
            process.stdin.write(json.dumps(payload).encode())
            process.stdin.close()
            process.stdin = None
            started.append((event, said, process))
        for event, said, process in started:
            out, err = process.communicate(timeout=_PATIENCE)
            _judge(field, event, process.returncode, out, err)
            if event not in _READING:
                field.turns.append(said)
        field.count("waves")
        wave += 1


def _say(field: Field, heads: dict[int, str | None], seat: int, wave: int) -> tuple[Path, str]:
    """One more line in a transcript of Claude Code, in English or Chinese."""
    session = f"session-{seat:02}"
    path = field.folder / f".claude/projects/-x/{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    tool = f"Tool{seat:02}x{wave:03}"
    said = (
        f"We decided to use {tool} for task {seat}-{wave}."
        if (seat + wave) % 2
        else f"我们决定用 {tool} 做第 {seat}-{wave} 个任务。"
    )
    uid = f"{session}-{wave}"
    line = {
        "parentUuid": heads[seat],
        "isSidechain": False,
        "sessionId": session,
        "cwd": "/x",
        "type": "user",
        "message": {"role": "user", "content": said},
        "uuid": uid,
        "timestamp": datetime.now(UTC).isoformat(),
    }
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    heads[seat] = uid
    return path, said


def _judge(field: Field, event: str, status: int, out: bytes, err: bytes) -> None:
    """A hook ends with 0 and prints one JSON object, or nothing."""
    field.count("hooks")
    if status or err:
        field.blame(f"hook {event}: {status} {err.decode()}")
    if out:
        field.count("hooks that told something")
        try:
            is_object = isinstance(json.loads(out), dict) and event in _READING
        except ValueError:
            is_object = False
        if not is_object:
            field.blame(f"hook {event} printed {out.decode()}")


def _command_line(field: Field, until: float) -> None:
    """A person who writes: records, notes, lines of the buffer."""
    number = 0
    while time.monotonic() < until:
        text = f"The command line keeps parcel P{number:05} in shed {number * 7919 % 10_007}."
        out = field.call("remember", text, "--json")
        with suppress(ValueError, KeyError):
            field.kept[json.loads(out)["id"]] = text
        field.count("commands that wrote")
        if number % 4 == 0:
            said = f"note N{number:05} of the command line"
            field.call("note", said)
            field.notes.append(said)
            field.count("notes")
        number += 1


def _consolidations(field: Field, until: float) -> None:
    while time.monotonic() < until:
        field.call("consolidate", "--force")
        field.count("consolidations")


@contextmanager
def _server(field: Field) -> Iterator[str]:
    """A server on a port that all clients share."""
    with field.begin("mcp", "--http", "127.0.0.1:0") as server:
        assert server.stderr
        try:
            yield server.stderr.readline().split()[1].decode()
        finally:
            server.terminate()
            said = server.stderr.read().decode()
            if "lock" in said.lower() or "Traceback" in said:
                field.blame(f"the server said: {said}")


def _clients(field: Field, until: float, url: str) -> None:
    import anyio

    async def all_of_them() -> None:
        async with anyio.create_task_group() as group:
            for number in range(CLIENTS):
                group.start_soon(_client, field, until, url, number)

    anyio.run(all_of_them)


async def _client(field: Field, until: float, url: str, number: int) -> None:
    """Saves and searches through the SDK's own client."""
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {TOKEN}"}) as speaker,
        Client(streamable_http_client(url, http_client=speaker), mode="legacy") as client,
    ):
        turn = 0
        while time.monotonic() < until:
            text = f"Client {number} moored boat B{number}-{turn:05} at pier {turn * 6007 % 10_009}."
            saved = await client.call_tool("memory_save", {"text": text})
            found = await client.call_tool("memory_search", {"query": f"boat B{number}-{turn:05}"})
            field.count("saves")
            field.count("searches")
            for answer in (saved, found):
                if answer.is_error:
                    field.blame(f"a client was told: {answer.content}")
            if not saved.is_error:
                field.kept[json.loads(saved.content[0].model_dump()["text"])["id"]] = text
            turn += 1


def _look(field: Field) -> None:
    """Everything that was acknowledged is there, the root is whole, nothing waits, nobody is left."""
    import memoracle

    with memoracle.open_memory(str(field.root), environment={"MEMORACLE_EMBEDDER": "none"}) as memory:
        for record_id, text in field.kept.items():
            if text not in {version.text for version in memory.store.journal.versions(record_id)}:
                field.blame(f"lost: {record_id} {text}")
        heard = _turns(memory)
        learnt = {record.text for _, record in memory.store.journal.all_versions()}
    for said in field.turns:
        if said not in heard:
            field.blame(f"not heard: {said}")
        if said not in learnt:
            field.blame(f"not learnt: {said}")
    noted = "".join(path.read_text("utf-8") for path in field.root.glob("notes/**/*.md"))
    field.wrong += [f"not noted: {said}" for said in field.notes if said not in noted]
    report = json.loads(field.call("check", "--deep", "--json"))
    field.wrong += [f"check: {finding}" for finding in report["findings"]]
    spool = field.root / "state/spool"
    field.wrong += [
        f"{path.name} waits: {path.read_text()[:300]}" for path in spool.glob("*.jsonl") if _waits(path)
    ]
    field.count("turns acknowledged", len(field.turns))
    field.count("records acknowledged", len(field.kept))
    log = field.root / "state/hooks.log"
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    field.count("hooks that took too long", sum("took too long" in line for line in lines))
    field.wrong += [f"hooks.log: {line[:300]}" for line in lines if "took too long" not in line]
    if left := marked(field.mark):
        field.blame(f"left behind: {left}")


def _waits(path: Path) -> bool:
    return any(json.loads(line)["event"] != "used" for line in path.read_text("utf-8").splitlines())


def _turns(memory: Any) -> str:
    """The turns that the view holds, as it writes them down."""
    return "\n".join(line for line in memory.index.dump() if "session-" in line and ".jsonl" in line)


if __name__ == "__main__":
    raise SystemExit(main())
