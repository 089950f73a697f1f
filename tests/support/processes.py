"""Memoracle as other programs meet it: real processes with an environment of their own."""

import os
import subprocess
import sys

PYTHON = sys.executable


def surroundings(**more):
    """An environment without the person's own memory in it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MEMORACLE_") or name == "MEMORACLE_ROOTS"
    }
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    kept["PATH"] = os.path.dirname(PYTHON) + os.pathsep + kept.get("PATH", "")
    return kept | more


def run(*words, stdin=b"", timeout=60, **options):
    """One run of the command line; text comes back as text."""
    finished = subprocess.run(
        [PYTHON, "-m", "memoracle", *map(os.fspath, words)],
        input=stdin,
        capture_output=True,
        timeout=timeout,
        check=False,
        env=options.pop("env", surroundings()),
        **options,
    )
    return finished.returncode, finished.stdout.decode(), finished.stderr.decode()


def start(code, *words, **options):
    """A Python process that runs `code` beside the test; it is told where to look by its arguments."""
    return subprocess.Popen(
        [PYTHON, "-c", code, *map(os.fspath, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=options.pop("env", surroundings()),
        **options,
    )
