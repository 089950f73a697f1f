#!/usr/bin/env python3
"""One door for everything a developer or a curious stranger does here.

    python3 dev.py demo          install into .venv and watch the promises being tested
    python3 dev.py test          ruff, mypy, pytest; the exit status says whether all passed
    python3 dev.py lint          ruff and mypy alone
    python3 dev.py conformance   the tests that prove a line of the specification
    python3 dev.py docs          run every example of the documentation and compare what it prints
    python3 dev.py bench NAME    measure on this machine; without a name, what there is to measure

Needs Python 3.11 or later and nothing else. What is installed goes into `.venv`, and only when
`pyproject.toml` has changed since the last time. Nothing outside this folder is touched.
"""

# This file stays readable for older Pythons, so that it can say what is missing.
# ruff: noqa: S603

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

LEAST = (3, 11)
HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
STAMP = os.path.join(VENV, "memoracle-dev.json")
CHECKED = ["src", "tests", "benchmarks", "scripts", "docs", "dev.py", "demo.py"]


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
    os.chdir(HERE)
    return COMMANDS[name](rest)


def demo(rest: list) -> int:
    """Install the package and tell the story."""
    return prepare([]) or run([PYTHON, "demo.py", *rest], "the demonstration")


def test(rest: list) -> int:
    """Every check, all of them even when one fails."""
    unready = prepare(["dev"])
    if unready:
        return unready
    steps = [*lint_steps(), ([PYTHON, "-m", "pytest", "-n", "auto", *rest], "pytest: every test")]
    return run_all(steps)


def lint(_rest: list) -> int:
    """Style and types."""
    return prepare(["dev"]) or run_all(lint_steps())


def conformance(rest: list) -> int:
    """The tests that prove a line of the specification, and whether the page about them is level."""
    unready = prepare(["dev"])
    if unready:
        return unready
    tests = [PYTHON, "-m", "pytest", "-n", "auto", "-m", "seed", *rest]
    page = [PYTHON, os.path.join("scripts", "conformance.py"), "--check"]
    return run_all([(tests, "pytest: what proves a line"), (page, "docs/conformance.md is level")])


def docs(rest: list) -> int:
    """Examples that tell the truth."""
    return prepare([]) or run([PYTHON, os.path.join("docs", "verify.py"), *rest], "the documentation, tried")


def bench(rest: list) -> int:
    """Numbers of this machine."""
    return prepare([]) or run([PYTHON, "-m", "benchmarks", *rest], "measured on this machine")


COMMANDS = {
    "demo": demo,
    "test": test,
    "lint": lint,
    "conformance": conformance,
    "docs": docs,
    "bench": bench,
}


def lint_steps() -> list:
    """Ruff twice, mypy once."""
    paths = [path for path in CHECKED if os.path.exists(path)]
    return [
        ([PYTHON, "-m", "ruff", "check", *paths], "ruff: the rules"),
        ([PYTHON, "-m", "ruff", "format", "--check", *paths], "ruff: the form"),
        ([PYTHON, "-m", "mypy"], "mypy: the types"),
    ]


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


def prepare(extras: list) -> int:
    """Make `.venv` hold the package with these extras; 0 when it does."""
    if not is_alive(PYTHON):
        # An environment that another tool made may only lack pip.
        if os.path.exists(PYTHON):
            quietly([PYTHON, "-m", "ensurepip"])
        status = 0 if is_alive(PYTHON) else make_venv()
        if status:
            return status
    wanted = digest_of_project()
    noted = read_stamp()
    # One installation serves every command: what an earlier one brought in stays.
    extras = sorted(set(extras) | set(noted["extras"]))
    if noted["project"] != wanted or noted["extras"] != extras:
        target = ".[{}]".format(",".join(extras)) if extras else "."
        command = [PYTHON, "-m", "pip", "install", "--quiet", "--compile", "--editable", target]
        status = run(command, f"installing {target} into .venv")
        if status:
            return fail("the installation failed", "pip's own words stand above")
        with open(STAMP, "w", encoding="utf-8") as file:
            json.dump({"project": wanted, "extras": extras}, file)
    # Without bytecode each start of the command line costs several times as much.
    return quietly([PYTHON, "-m", "compileall", "-q", os.path.join("src", "memoracle")])


def make_venv() -> int:
    """A fresh `.venv` of the running Python."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as missing:
        return fail(
            f"this Python has no `{missing.name}` module, so it cannot make a virtual environment",
            "on Debian and Ubuntu: apt install python3-venv",
        )
    shutil.rmtree(VENV, ignore_errors=True)
    status = run([sys.executable, "-m", "venv", VENV], f"making .venv with {sys.executable}")
    if status:
        shutil.rmtree(VENV, ignore_errors=True)
        return fail("could not make .venv", "on Debian and Ubuntu: apt install python3-venv")
    return 0


def is_alive(python: str) -> bool:
    """True when this interpreter starts, is new enough and has pip."""
    ask = f"import sys, pip; sys.exit(sys.version_info < {LEAST})"
    return os.path.exists(python) and not quietly([python, "-c", ask])


def digest_of_project() -> str:
    """What decides whether to install again: the project file, and where it stands."""
    with open("pyproject.toml", "rb") as file:
        return hashlib.sha256(file.read() + HERE.encode()).hexdigest()


def read_stamp() -> dict:
    """What was installed last; nothing when nobody noted it."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            noted = json.load(file)
        return {"project": str(noted["project"]), "extras": list(noted["extras"])}
    except (OSError, ValueError, LookupError, TypeError):
        return {"project": "", "extras": []}


# Running


def surroundings() -> dict:
    """The environment of what is started: bytecode is kept, and no other memory is in sight."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPATH")
    return {
        name: value
        for name, value in os.environ.items()
        if name not in dropped and not name.startswith("MEMORACLE_")
    }


def run(command: list, says: str) -> int:
    """Say what is done, do it, and return its exit status."""
    shown = [os.path.relpath(word, HERE) if word.startswith(HERE) else word for word in command]
    sys.stdout.write("\n— {}\n  {}\n".format(says, " ".join(shown)))
    sys.stdout.flush()
    try:
        return subprocess.call(command, cwd=HERE, env=surroundings())
    except KeyboardInterrupt:
        return 130


def run_all(steps: list) -> int:
    """Run every step and end with one line for each."""
    results = []
    for command, says in steps:
        began = time.monotonic()
        status = run(command, says)
        results.append((says, status, time.monotonic() - began))
        if status == 130:
            return status
    sys.stdout.write("\n")
    for says, status, seconds in results:
        sys.stdout.write("{:<7} {:6.1f} s  {}\n".format("failed" if status else "passed", seconds, says))
    return 1 if any(status for _, status, _ in results) else 0


def quietly(command: list) -> int:
    """The exit status of a command that nobody needs to watch."""
    return subprocess.call(
        command, cwd=HERE, env=surroundings(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def fail(sentence: str, hint: str) -> int:
    """Say what is wrong and how to go on."""
    sys.stderr.write(f"dev.py: {sentence}\n\nhint: {hint}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
