"""A person's home with a memory and hosts in it; everything started there carries a mark by which it is found again."""

import json
import os
import select
import subprocess
import time
import uuid
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from support.processes import PYTHON, surroundings

_PATIENCE = 60
MARK = "ENDS_MARK"


class Home:
    """Its files, its processes, and the commands that are run in it."""

    def __init__(self, folder):
        self.folder = folder
        self.root = folder / ".local/share/memoracle"
        self.project = folder / "code/app"
        self.project.mkdir(parents=True)
        self.mark = f"{MARK}={uuid.uuid4()}"
        # As bare as a host may hand it on: no path to our program, nothing of the person who runs the tests.
        kept = {
            name: text
            for name, text in surroundings().items()
            if name in {"LANG", "LC_ALL", "COVERAGE_PROCESS_START"}
        }
        name, _, token = self.mark.partition("=")
        self.environment = kept | {
            "HOME": str(folder), "PATH": "/usr/bin:/bin", "TZ": "UTC", "MEMORACLE_EMBEDDER": "none",
            "MEMORACLE_RESIDENT_MINUTES": "0", name: token,
        }  # fmt: skip
        self.told = []

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def run(self, words, given=b""):
        """One command; what it said on stdout. Anything but success, or a word on stderr, fails the test."""
        done = subprocess.run(
            list(map(str, words)),
            input=given,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            cwd=self.project,
            env=self.environment,
        )
        assert done.returncode == 0, (words, done.stdout.decode(), done.stderr.decode())
        self.told += [done.stdout]
        return done.stdout.decode(), done.stderr.decode()

    def memoracle(self, *words):
        return self.run([PYTHON, "-m", "memoracle", *words])[0]

    def hook(self, words, payload):
        """Call a hook as a host does: its JSON in, one JSON object or nothing out, never a word on stderr."""
        out, err = self.run(words, json.dumps(payload, ensure_ascii=False).encode())
        assert err == ""
        return json.loads(out) if out else {}

    def records(self):
        """Records by id; what only tells of the hour and of use is left out."""
        changing = {"activation", "score", "importance", "cite", "first_line", "last_line"}
        items = json.loads(self.memoracle("list", "--limit", "1000", "--json"))["items"]
        return {item["id"]: {k: v for k, v in item.items() if k not in changing} for item in items}

    def texts(self):
        return sorted(record["text"] for record in self.records().values())

    def status(self):
        return json.loads(self.memoracle("status", "--json"))

    def wait_for_workers(self):
        """Until no process of this home is left; a hook's worker is there before the hook has gone."""
        deadline = time.monotonic() + _PATIENCE
        while pids := marked(self.mark):
            assert time.monotonic() < deadline, f"{pids} live on"
            for pid in pids:
                wait_for(pid, deadline - time.monotonic())

    def waiting(self):
        """The transcripts that still wait in the spool, or were given up."""
        lines = [
            json.loads(line)
            for path in sorted((self.root / "state/spool").glob("*.jsonl"))
            for line in path.read_text("utf-8").splitlines()
        ]
        return [line for line in lines if line["event"] != "used"]

    def holds(self, needle):
        """The files of ours, anywhere below the home, that hold these words."""
        places = [path for path in sorted((self.folder / ".local").rglob("*")) if path.is_file()]
        return [str(path.relative_to(self.folder)) for path in places if needle.encode() in path.read_bytes()]


def marked(mark):
    """The processes that were started with this mark, by whatever way."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if mark.encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


def wait_for(pid, seconds):
    """Until a process has ended."""
    with suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        try:
            assert select.select([handle], [], [], max(0.0, seconds))[0], f"process {pid} lives on"
        finally:
            os.close(handle)


def at(days_ago, minute):
    """A moment of that day, as transcripts write it."""
    day = datetime.now(UTC) - timedelta(days=days_ago)
    return f"{day:%Y-%m-%d}T00:{minute:02}:00.000Z"
