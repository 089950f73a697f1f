"""The command line in the test's own process, on any root, with a home of its own."""

import json
import subprocess

import pytest

from hosts.samples import claude_line, write_lines
from memoracle.interfaces.cli import main


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Runs one command on a root: its status, and what it said on both streams."""
    monkeypatch.setenv("MEMORACLE_RECIPE", "quick")
    monkeypatch.setenv("MEMORACLE_EMBEDDER", "none")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "own"))

    def call(root, *words):
        capsys.readouterr()
        status = main(["--root", str(root), *map(str, words)])
        said = capsys.readouterr()
        return status, said.out + said.err

    return call


@pytest.fixture
def root(run, tmp_path):
    """A memory that was made by its own command."""
    place = tmp_path / "memory"
    assert run(place, "init", str(place))[0] == 0
    return place


@pytest.fixture
def chat(tmp_path):
    """Writes a conversation of a host, one turn for each sentence; the session is its name."""

    def write(name, *sentences, folder="host"):
        (tmp_path / folder).mkdir(exist_ok=True)
        lines = []
        for number, sentence in enumerate(sentences):
            before = f"{name}-{number - 1}" if number else None
            lines.append({**claude_line(f"{name}-{number}", before, sentence), "sessionId": name})
        return write_lines(tmp_path / folder / f"{name}.jsonl", *lines)

    return write


def git(folder, *words):
    """Git, as a person would call it."""
    config = ("-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *config, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def codes(said):
    """The codes of the findings in what `check --json` printed."""
    return {one["code"] for one in json.loads(said)["findings"]}
