"""Plays a chapter of the story in a world of its own and gives back its transcript."""

import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import datetime, timedelta
from json import loads
from pathlib import Path
from unittest import mock

from golden.frozen import sitecustomize
from golden.plain import Plain
from golden.served import talk
from golden.story import CHAPTERS, FILES, NAMES, PROCESSES, PROLOGUE
from memoracle.interfaces.cli import main
from support.processes import PYTHON

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
BEGIN = datetime.fromisoformat("2026-05-15T09:30:00+00:00")
_ANY_ID = re.compile(r"\b([a-z]{1,9})_(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-f]{12,32})\b")
_ROWS, _LETTERS = 120, 4000
_OF_MACHINE = ("recognised.jsonl", "sources.jsonl", "sources.twin.jsonl")
# The view, and the marks that tell whose a state is, are made whenever they are first needed.
_MADE_ANY_TIME = {"index", "states", "own.json", "own.twin.json"}
_BINARY = (".db", ".db-wal", ".db-shm", ".npy", ".gz", ".lock", ".age", ".tar")


class World:
    """A folder with a memory, a home and files to read; commands run in it at a time that stands still."""

    def __init__(self, place, *, names=(), json=False):
        self.place = Path(place)
        self.root = self.place / "memory"
        self.now = BEGIN
        self.names = dict(names) | {"world": self.place}
        self.json = json
        self.plain = Plain(self.place)
        self.environment = {
            "HOME": str(self.place / "home"),
            "PATH": os.environ["PATH"],
            "TZ": "UTC",
            "USER": "mei",
            "LOGNAME": "mei",
            "LANG": "C.UTF-8",
            "COLUMNS": "100",
            "XDG_STATE_HOME": str(self.place / "home/state"),
            "XDG_RUNTIME_DIR": str(self.place / "home/run"),
            "XDG_CACHE_HOME": str(self.place / "home/cache"),
            "MEMORACLE_ROOTS": str(self.place / "home/roots.json"),
            "MEMORACLE_RECIPE": "quick",
            "MEMORACLE_EMBEDDER": "none",
            "MEMORACLE_RESIDENT_MINUTES": "0",
            "PYTHONPATH": os.pathsep.join(map(str, (HERE / "frozen", HERE.parent, HERE.parents[1] / "src"))),
        }

    def run(self, words, stdin=b""):
        """Status, stdout and stderr of one command."""
        self.now += timedelta(minutes=1)
        env = self.environment | {"GOLDEN_NOW": self.now.isoformat()}
        if words[:1] == ["--no-root"]:
            words = words[1:]
        elif "--root" not in words:
            words = ["--root", str(self.root), *words]
        if any(word in PROCESSES for word in words):
            done = subprocess.run(
                [PYTHON, "-m", "memoracle", *words],
                input=stdin, capture_output=True, check=False, env=env, cwd=self.place, timeout=60,
            )  # fmt: skip
            return done.returncode, done.stdout.decode(), done.stderr.decode()
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with (
            _standing(env, self.place),
            mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
            mock.patch.object(sys, "argv", ["memoracle"]),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                status = main(words)
            except SystemExit as end:
                status = end.code
        return status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode()

    def name(self, words):
        """The words with the story's names for ids in place."""
        return [
            re.sub(r"\{(\w+)\}", lambda found: str(self.names.get(found[1], found[0])), word)
            for word in words
        ]

    def notice(self, text):
        """The last id of each kind that was shown can be named by its kind."""
        for found in _ANY_ID.finditer(text):
            self.names[found[1]] = found[0]


@contextmanager
def _standing(env, place):
    """The environment of a command, in this process."""
    before = os.getcwd()
    os.chdir(place)
    with mock.patch.dict(os.environ, env, clear=True):
        time.tzset()
        sitecustomize.stand_still()
        try:
            yield
        finally:
            sitecustomize.go_on()
            os.chdir(before)
    time.tzset()


def found_below(folder):
    """Every file with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


class Stage:
    """Worlds for chapters; the one they all start from is made once."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="golden-", dir="/tmp"))
        self._count = 0
        self.base = self._new()
        self.first = World(self.base)
        for path, text in FILES.items():
            place = self.base / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        self.names = self._make()

    def _new(self):
        self._count += 1
        return self.folder / f"{self._count:04}"

    def _make(self):
        names = {}
        for line in PROLOGUE.strip().splitlines():
            name, _, command = line.strip().partition(": ")
            words = self.first.name(shlex.split(command))
            status, out, err = self.first.run(words)
            assert status == 0, (command, out, err)
            self.first.notice(out)
            names[name] = self.first.names.get("mem", "")
            self.first.names |= names
        # A copy has a state and a view of its own.
        for own in ("memory/state", "memory/index", "home/state"):
            shutil.rmtree(self.base / own, ignore_errors=True)
        (self.base / "home/roots.json").unlink()
        return {name: value for name, value in self.first.names.items() if name in NAMES}

    def world(self, *, json=False):
        place = self._new()
        shutil.copytree(self.base, place, symlinks=True)
        one = World(place, names=self.names, json=json)
        one.now = BEGIN + timedelta(days=1)
        return one

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def play(self, chapter):
        """The transcript of a chapter: for people, as JSON, and what it did to the files."""
        if callable(CHAPTERS[chapter]):
            return CHAPTERS[chapter](self.world())
        lines = []
        for json in (False, True):
            world = self.world(json=json)
            before = found_below(world.place)
            lines += [f"# {chapter}, {'--json' if json else 'text'}", ""]
            steps = [line.strip() for line in CHAPTERS[chapter].strip().splitlines()]
            if not json and chapter != "errors":
                steps.insert(0, f"{chapter} --help")
            for line in steps:
                lines += step(world, line)
            if not json:
                lines += ["# files", "", *changed(world, before, digests=chapter != "encrypt"), ""]
        return "\n".join(lines).rstrip() + "\n"


def step(world, line):
    """One line of the script, carried out; what it says."""
    if not line or line.startswith("#"):
        return []
    if line[0] in "+@":  # append to a file, or write it
        path, _, text = line[1:].strip().partition(" ")
        place = world.place / world.name([path])[0]
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a" if line[0] == "+" else "w", encoding="utf-8") as file:
            file.write(
                world.name([text])[0].encode().decode("unicode_escape").encode("latin-1").decode() + "\n"
            )
        return []
    if line.startswith("> "):  # one call of a tool, as an agent makes it
        name, _, given = line[2:].partition(" ")
        return talk(world, [], [(name, loads(given))])
    if line.startswith("~ "):
        world.now += timedelta(days=float(line[2:]))
        return []
    if line.startswith("= "):
        name, value = line[2:].split("=", 1)
        world.environment[name] = world.name([value])[0]
        return []
    command, _, given = line.partition(" <<< ")
    words = shlex.split(command)
    if world.json and words[0] not in {"hook", "mcp"} and "--help" not in words and "--json" not in words:
        words.append("--json")
    status, out, err = world.run(world.name(words), world.name([given])[0].replace("\\n", "\n").encode())
    world.notice(out)
    shown = shlex.join(words) + (f" <<< {given}" if given else "")
    return [f"$ {shown}", *said("|", world.plain(out)), *said("!", world.plain(err)), f"= {status}", ""]


def said(mark, text):
    """The rows of a text; of a long one the beginning, and the digest of all of it."""
    rows = text.splitlines()
    if len(rows) <= _ROWS and len(text) <= _LETTERS:
        return [f"{mark} {row}".rstrip() for row in rows]
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    begin = "\n".join(rows[: _ROWS // 2])[: _LETTERS // 2].splitlines()
    return [*(f"{mark} {row}".rstrip() for row in begin), f"{mark} … {len(rows)} rows, {digest}"]


def _is_of_machine(path):
    """Whether a file notes inodes and times of this machine, so that its words differ from run to run."""
    return path.endswith(_OF_MACHINE)


def changed(world, before, *, digests=True):
    """Files that came, went or are different, with the digest of what they say."""
    after = found_below(world.place)
    rows = []
    for path in sorted({*before, *after}):
        if before.get(path) == after.get(path) or _MADE_ANY_TIME & {*path.split("/")}:
            continue
        name = Plain(world.place)(path)
        if path not in after:
            rows.append(f"gone {name}")
        elif path.endswith(_BINARY) or b"\0" in after[path] or _is_of_machine(path) or not digests:
            rows.append(f"{'new' if path not in before else 'other'} {name}")
        else:
            said = Plain(world.place)(after[path].decode("utf-8", "replace"))
            digest = hashlib.sha256(said.encode()).hexdigest()[:16]
            rows.append(f"{'new' if path not in before else 'other'} {name} {digest}")
    return sorted(rows)
