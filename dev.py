#!/usr/bin/env python3
"""One door for everything a developer or a curious stranger does here.

    python3 dev.py demo          install into .venv and watch the promises being tested
    python3 dev.py test          lint, then every test; the exit status says whether all passed
    python3 dev.py gate          lint, then the quick tests: what every change has to pass
    python3 dev.py long          the long tests alone: kills, years, races, hostile megabytes
    python3 dev.py lint          ruff and mypy alone
    python3 dev.py house         the tests of structure: rooms, imports, start-up, reference
    python3 dev.py conformance   the tests that prove a line of the specification
    python3 dev.py docs          run every example of the documentation and compare what it prints
    python3 dev.py hosts         tests with real agent programs, which npm brings; `hosts newest`: with their newest
    python3 dev.py bench NAME    measure on this machine; without a name, what there is to measure

Needs Python 3.11 or later and nothing else; with uv the locked versions are installed, else pip's choice.
What is installed goes into `.venv` and `.hosts`. Nothing outside this folder is touched. More words are passed on.
"""

# This file stays readable for older Pythons, so that it can say what is missing.
# ruff: noqa: S603

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

LEAST = (3, 11)
HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
CHECKED = ["src", "tests", "benchmarks", "scripts", "training", "docs", "dev.py", "demo.py", "hatch_build.py"]
LINT = [["-m", "ruff", "check", *CHECKED], ["-m", "ruff", "format", "--check", *CHECKED], ["-m", "mypy"]]
PYTEST = ["-m", "pytest", "-n", "auto", "--dist", "worksteal"]
GATE, LONG = [*PYTEST, "-m", "not long"], [*PYTEST, "-rs", "-m", "long and not hosts"]
HOSTS = ["-m", "pytest", "-n", "2", "-rs", "--durations=0", "tests/hosts/real"]
HOUSE = ["-m", "pytest", "tests/test_architecture.py", "tests/test_documents.py"]
# What runs, in order, all of it even when one part fails. Further words go to those parts that are no lint.
COMMANDS = {
    "demo": [["demo.py"]],
    "test": [*LINT, GATE, LONG],
    "gate": [*LINT, GATE],
    "long": [LONG],
    "lint": LINT,
    "house": [HOUSE],
    "conformance": [[*PYTEST, "-m", "seed"], ["scripts/conformance.py", "--check"]],
    "docs": [["scripts/verify.py"]],
    "hosts": [HOSTS],
    "bench": [["-m", "benchmarks"]],
}
FOR_EVERYBODY = {"demo", "docs", "bench"}
HOSTS_VARIABLE = "MEMORACLE_HOSTS"
"""Names a folder whose `node_modules` holds the programs of hosts."""
NPM_PATIENCE = 200
LARGE = ("openclaw",)
"""What `hosts` brings and `test` does not: half a gigabyte, and seven minutes of its days."""
NO_TESTS = 5
"""What pytest says when a choice of tests leaves none."""


def main(words: list) -> int:
    """Run one command; the exit status is returned."""
    if not words or words[0] in {"-h", "--help", "help"}:
        sys.stdout.write(__doc__)
        return 0 if words else 2
    name, rest = words[0], words[1:]
    if name not in COMMANDS:
        return fail(f"there is no command `{name}`", "one of: " + ", ".join(COMMANDS))
    problem = unfit()
    if problem:
        return fail(*problem)
    unready = prepare("" if name in FOR_EVERYBODY else "dev")
    if unready:
        return unready
    hosts = None
    if name == "hosts" or (name == "test" and not rest):
        hosts = HostPrograms(
            newest=name == "hosts" and "newest" in rest, without=LARGE if name == "test" else ()
        )
        rest = [word for word in rest if word != "newest"]
    # Words may choose tests of one tier alone; without words a tier without tests is a mistake.
    fine = {0, NO_TESTS} if rest and len(COMMANDS[name]) > 1 else {0}
    results = []
    for step in COMMANDS[name]:
        began = time.monotonic()
        if hosts and step in (HOSTS, LONG):
            hosts.wait()
        status = run([PYTHON, *step, *([] if step in LINT or "--check" in step else rest)])
        if status == 130:
            return status
        results.append((" ".join(step), status, time.monotonic() - began))
    if len(results) == 1:
        return results[0][1]
    sys.stdout.write("\n")
    for step, status, seconds in results:
        sys.stdout.write(
            "{:<7} {:6.1f} s  {}\n".format("passed" if status in fine else "failed", seconds, step)
        )
    return int(any(status not in fine for _, status, _ in results))


# Getting ready


def unfit() -> tuple:
    """Why this machine cannot run it, with a hint; empty when it can."""
    if os.name != "posix":
        return ("Memoracle runs on Linux and macOS", "on Windows, use WSL")
    if sys.version_info < LEAST:
        found = ".".join(map(str, sys.version_info[:3]))
        names = [f"python3.{minor}" for minor in range(20, LEAST[1] - 1, -1)]
        newer = next((name for name in names if shutil.which(name)), None)
        hint = f"{newer} dev.py …" if newer else "install Python 3.11 or later"
        return (f"this is Python {found}; Memoracle needs 3.11 or later", hint)
    return ()


def prepare(group: str) -> int:
    """Make `.venv` hold the package and this group of tools; 0 when it does."""
    if shutil.which("uv"):
        exact = ["--frozen", "--inexact", "--quiet", "--compile-bytecode"]
        if not run(["uv", "sync", *exact, *([] if group else ["--no-dev"])]):
            return 0
        sys.stdout.write("uv could not do it; trying venv and pip\n")
    return (0 if is_alive() else make_venv()) or install(group)


def install(group: str) -> int:
    """The package in editable form, and the tools of a group, by pip; once for every state of `pyproject.toml`."""
    import tomllib

    with open(os.path.join(HERE, "pyproject.toml"), "rb") as file:
        project = file.read()
    wanted = hashlib.sha256(project + HERE.encode()).hexdigest()
    stamp = os.path.join(VENV, f"memoracle-{group or 'demo'}-{wanted[:16]}")
    if os.path.exists(stamp):
        return 0
    groups = tomllib.loads(project.decode())["dependency-groups"]

    def tools_of(name: str) -> list:
        return [
            tool
            for one in groups[name]
            for tool in ([one] if isinstance(one, str) else tools_of(one["include-group"]))
        ]

    tools = tools_of(group) if group else []
    if run([PYTHON, "-m", "pip", "install", "--quiet", "--editable", ".", *tools]):
        return fail("the installation failed", "pip's own words stand above")
    with open(stamp, "w", encoding="utf-8"):
        return 0


def is_alive() -> bool:
    """True when `.venv` starts, is new enough and has pip."""
    ask = [PYTHON, "-c", f"import sys, pip; sys.exit(sys.version_info < {LEAST})"]
    return os.path.exists(PYTHON) and not subprocess.call(ask, env=surroundings(), stderr=subprocess.DEVNULL)


def make_venv() -> int:
    """A fresh `.venv` of the running Python."""
    shutil.rmtree(VENV, ignore_errors=True)
    if run([sys.executable, "-m", "venv", VENV]):
        shutil.rmtree(VENV, ignore_errors=True)
        return fail("could not make .venv", "on Debian and Ubuntu: apt install python3-venv")
    return 0


class HostPrograms:
    """The programs of hosts, installed by npm while other things are done; what does not come is skipped by name."""

    def __init__(self, newest: bool, without: tuple) -> None:
        self.process = None
        if os.environ.get(HOSTS_VARIABLE):
            return  # somebody has them
        self.folder = os.path.join(HERE, ".hosts", *(["newest"] if newest else []))
        with open(os.path.join(HERE, "tests", "hosts", "real", "package.json"), encoding="utf-8") as file:
            wanted = json.load(file)
        for one in without:
            del wanted["dependencies"][one]
        if newest:
            kept = wanted["dependencies"]
            wanted["dependencies"] = {name: kept[name] if name == "node" else "latest" for name in kept}
        os.environ[HOSTS_VARIABLE] = self.folder
        text = json.dumps(wanted, indent=2)
        self.stamp = os.path.join(self.folder, hashlib.sha256(text.encode()).hexdigest()[:16])
        if os.path.exists(self.stamp) and not newest:
            return
        if not shutil.which("npm"):
            sys.stdout.write("npm is not here: tests with real hosts are skipped\n")
            return
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(self.folder, "package.json"), "w", encoding="utf-8") as file:
            file.write(text)
        quiet = "--no-audit --no-fund --no-package-lock --loglevel=error"
        # Scripts run once the Node is there that some of them ask for.
        steps = (f"npm install --ignore-scripts {quiet}", f"npm rebuild node {quiet}", f"npm rebuild {quiet}")
        words = ["sh", "-c", f'PATH="$PWD/node_modules/node/bin:$PATH"; {" && ".join(steps)}']
        self.began = time.monotonic()
        with open(os.path.join(self.folder, "npm.log"), "wb") as log:
            self.process = subprocess.Popen(
                words, cwd=self.folder, stdout=log, stderr=log, start_new_session=True
            )

    def wait(self) -> None:
        """Until they are there, or have taken too long."""
        if self.process is None:
            return
        try:
            status = self.process.wait(max(1, NPM_PATIENCE - (time.monotonic() - self.began)))
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            os.killpg(self.process.pid, signal.SIGKILL)
            status = self.process.wait()
        self.process = None
        if status:
            shutil.rmtree(os.path.join(self.folder, "node_modules"), ignore_errors=True)
            log = os.path.join(self.folder, "npm.log")
            sys.stdout.write(f"npm could not install the programs of hosts; {log} says why\n")
        else:
            with open(self.stamp, "w", encoding="utf-8"):
                return


# Running


def surroundings() -> dict:
    """The environment of what is started: bytecode is kept, and no other memory is in sight."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in dropped and (not name.startswith("MEMORACLE_") or name == HOSTS_VARIABLE)
    }
    return kept | {"MEMORACLE_RESIDENT_MINUTES": "0"}  # nothing of it stays behind


def run(command: list) -> int:
    """Show a command, do it, and return its exit status."""
    shown = [os.path.relpath(word, HERE) if word.startswith(HERE) else word for word in command]
    sys.stdout.write("\n— {}\n".format(" ".join(shown)))
    sys.stdout.flush()
    try:
        return subprocess.call(command, cwd=HERE, env=surroundings())
    except KeyboardInterrupt:
        return 130


def fail(sentence: str, hint: str) -> int:
    """Say what is wrong and how to go on."""
    sys.stderr.write(f"dev.py: {sentence}\n\nhint: {hint}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
