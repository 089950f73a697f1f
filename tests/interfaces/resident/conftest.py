"""A memory with a resident process: real programs, a folder of their own for the socket."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

from memoracle.compose import init, open_memory
from support.files import PLAIN
from support.processes import PYTHON, run, surroundings

PAYLOAD = {"session_id": "s", "cwd": "/", "hook_event_name": "UserPromptSubmit"}


class House:
    """A root, the surroundings in which its process may live, and the same without."""

    def __init__(self, folder):
        self.root = folder / "memory"
        self.runtime = tempfile.mkdtemp(dir="/tmp")  # a socket's path is short
        self.folder = os.path.join(self.runtime, "memoracle")
        init(str(self.root), environment={})
        with self.open() as memory:
            memory.remember("the cat is called Miso")
            memory.remember("小美对花生过敏")
            memory.search("anything")

    def open(self):
        return open_memory(str(self.root), environment=PLAIN)

    def surroundings(self, **more):
        usual = {
            "HOME": str(self.root.parent),
            "XDG_RUNTIME_DIR": self.runtime,
            "MEMORACLE_ROOT": str(self.root),
            "MEMORACLE_RESIDENT_MINUTES": "2",
            "MEMORACLE_EMBEDDER": "none",
            "MEMORACLE_RERANKER": "none",
            "TZ": "UTC",
        }
        return {name: said for name, said in surroundings(**usual | more).items() if said is not None}

    def run(self, *words, stdin=b"", **more):
        return run(*words, stdin=stdin, env=self.surroundings(**more))

    def begin(self, *words, **options):
        """A command that is not waited for."""
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(
            [PYTHON, "-m", "memoracle", *words],
            **streams,
            env=self.surroundings(**options.pop("env", {})),
            **options,
        )

    def alone(self, *words, stdin=b""):
        """The same command where there is no such process."""
        return self.run(*words, stdin=stdin, MEMORACLE_RESIDENT_MINUTES="0")

    def hook(self, prompt, **more):
        return self.run("hook", "prompt", stdin=json.dumps(PAYLOAD | {"prompt": prompt}).encode(), **more)

    def about(self):
        """What the process says of itself; None when there is none."""
        return json.loads(self.run("resident", "--json")[1])["process"]

    def start(self):
        """Have one, and wait until it answers."""
        process = self.begin("resident", "serve")

        def look():
            assert process.poll() is None, process.communicate()
            return self.about()

        return self.wait(look)

    def wait(self, look, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if found := look():
                return found
            time.sleep(0.05)
        raise AssertionError("it did not happen")

    def processes(self):
        """Every process that answers for this root, those it forked among them."""
        found = []
        for name in filter(str.isdecimal, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{name}/environ", "rb") as file:
                    is_ours = os.fsencode(f"XDG_RUNTIME_DIR={self.runtime}") in file.read().split(b"\0")
            except OSError:
                continue
            if is_ours and b"serve" in words:
                found.append(int(name))
        return found

    def end(self):
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        shutil.rmtree(self.runtime, ignore_errors=True)


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path)
    yield made
    made.end()
