"""Hosts as they call us: a home of their own, their JSON on stdin, their transcripts beside it."""

import json
import os
import select
import subprocess
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest

from memoracle.compose import init, open_memory
from memoracle.lock import wait_for_lock
from support.files import PLAIN
from support.processes import PYTHON, run_here, surroundings

SESSION = "3f2a0000-aaaa-4bbb-8ccc-dddd00000009"


@dataclass(frozen=True)
class Called:
    """What one call of a hook did."""

    status: int
    out: str
    err: str

    @property
    def told(self):
        """What the agent is told; the whole output is one JSON object, or nothing."""
        if not self.out:
            return ""
        document = json.loads(self.out)
        return document.get("prependContext") or document["hookSpecificOutput"]["additionalContext"]


class Home:
    """A person's home with a memory at the usual place.

    Its hooks run in the test's own process and start no worker: `settle` does its work. `alone`: all are processes.
    """

    def __init__(self, folder, *, alone=False):
        self.folder, self.alone = folder, alone
        self.root = folder / ".local/share/memoracle"
        self.state = self.root / "state"

    def surroundings(self, **more):
        env = surroundings(HOME=str(self.folder), MEMORACLE_EMBEDDER="none", TZ="UTC", **more)
        env.pop("XDG_DATA_HOME", None)
        return env

    def open(self):
        return open_memory(str(self.root), environment=PLAIN | {"TZ": "UTC"})

    def remember(self, *texts):
        """Keep things and have them in the view."""
        with self.open() as memory:
            for text in texts:
                memory.remember(text)
            memory.search("anything")

    def begin(self, *words, **options):
        """Start a hook without waiting for it."""
        more = options.pop("env", {})
        return subprocess.Popen(
            [PYTHON, "-m", "memoracle", *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.surroundings(**more),
            **options,
        )

    def call(self, event, payload=None, *words, stdin=None, before=(), **env):
        """Call a hook with a payload, or with these very bytes."""
        given = stdin if stdin is not None else b"" if payload is None else json.dumps(payload).encode()
        if not self.alone:
            with mock.patch("memoracle.interfaces.hooks.capture.start_worker"):
                asked = [*before, "hook", event, *words]
                return Called(*run_here(*asked, stdin=given, env=self.surroundings(**env), cwd=self.folder))
        process = self.begin(*before, "hook", event, *words, env=env)
        out, err = process.communicate(given, timeout=60)
        return Called(status=process.returncode, out=out.decode(), err=err.decode())

    def log(self):
        path = self.state / "hooks.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def spooled(self):
        """The lines that wait in the spool, in any of its files."""
        folder = self.state / "spool"
        found = sorted(folder.glob("*.jsonl")) if folder.exists() else []
        return [json.loads(line) for path in found for line in path.read_text("utf-8").splitlines()]

    def workers(self):
        """The processes that drain this spool."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if b"work" in words and os.fsencode(self.root) in words:
                    found.append(int(entry.name))
        return found

    def settle(self):
        """Drain what waits, by whichever worker, and wait until none is left."""
        if not self.alone and not self.workers() and not self.spooled():
            return
        assert self.call("work").status == 0
        lock = self.state / "spool/worker.lock"
        handle = os.open(lock, os.O_RDWR)
        try:
            assert wait_for_lock(handle, 60), "a worker lives on"
        finally:
            os.close(handle)
        for pid in self.workers():
            _wait_for(pid)


def _wait_for(pid):
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ready, _, _ = select.select([handle], [], [], 60)
        assert ready, f"worker {pid} lives on"
    finally:
        os.close(handle)


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path)
    init(str(made.root), environment={})
    yield made
    made.settle()


@pytest.fixture
def claude(home):
    """A transcript of Claude Code, and the payloads its hooks get."""
    return Claude(home)


class Claude:
    """One session of Claude Code."""

    def __init__(self, home, session=SESSION):
        self.session = session
        self.transcript = home.folder / f".claude/projects/-home-mei-app/{session}.jsonl"
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self._last = None
        self._count = 0

    def say(self, who, text, **more):
        self._count += 1
        uuid = f"{self.session[-4:]}-{self._count}"
        line = {
            "parentUuid": self._last,
            "isSidechain": False,
            "sessionId": self.session,
            "cwd": "/home/mei/app",
            "type": who,
            "message": {"role": who, "content": text},
            "uuid": uuid,
            "timestamp": f"2026-08-10T12:{self._count // 60:02}:{self._count % 60:02}.000Z",
        } | more
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._last = uuid
        return uuid

    def payload(self, name, **more):
        return {
            "session_id": self.session,
            "transcript_path": str(self.transcript),
            "cwd": "/home/mei/app",
            "permission_mode": "default",
            "hook_event_name": name,
        } | more
