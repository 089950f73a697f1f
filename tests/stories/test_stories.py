"""Shell sessions told in Markdown, run for real.

A story is a `.md` file with `console` blocks. A line that begins with `$ ` is a command (`> ` goes on
with it), what follows is its output: `…` stands for anything within a line, a line of `…` alone for
any lines at all, and a last line `[3]` for an exit status that is not 0. All commands of a story run
in one shell, in an empty folder, with no memory of the person's own in sight.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from support.processes import PYTHON, surroundings

STORIES = sorted(Path(__file__).parent.glob("*.md"))
BLOCKS = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "@@memoracle-story@@"


@dataclass
class Step:
    """One command, and what it should print."""

    line: int
    command: str
    expected: list[str] = field(default_factory=list)
    status: int = 0


def read_story(text):
    steps = []
    for block in BLOCKS.finditer(text):
        first = text[: block.start(1)].count("\n") + 1
        for offset, line in enumerate(block[1].splitlines()):
            if line.startswith("$ "):
                steps.append(Step(line=first + offset, command=line[2:]))
            elif line.startswith("> ") and steps and not steps[-1].expected:
                steps[-1].command += "\n" + line[2:]
            else:
                steps[-1].expected.append(line)
    for step in steps:
        if step.expected and (status := re.fullmatch(r"\[(\d+)\]", step.expected[-1])):
            step.status = int(status[1])
            step.expected.pop()
    return steps


def pattern_of(expected):
    """A regular expression of the expected output."""
    lines = [
        r"(?:.*\n)*?" if line.strip() == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n"
        for line in expected
    ]
    return re.compile("".join(lines))


def play(steps, folder):
    """The output and exit status of each step."""
    script = ["exec 2>&1"]
    for step in steps:
        script += [step.command, f'printf "\\n{MARK} %d\\n" $?']
    home = folder / "home"
    home.mkdir()
    done = subprocess.run(
        ["bash"],
        input="\n".join(script),
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        check=False,
        env=surroundings(HOME=str(home), XDG_DATA_HOME=str(home / "data"), LC_ALL="C.UTF-8"),
    )
    pieces = re.split(rf"\n?{MARK} (\d+)\n", done.stdout)
    return list(zip(pieces[::2], map(int, pieces[1::2]), strict=False))


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_the_story_happens_as_told(story, tmp_path):
    """Every command prints what the story says and ends the way it says."""
    (tmp_path / "bin").mkdir()
    steps = read_story(story.read_text(encoding="utf-8"))
    # The command is called as it is installed; the test does not rely on an installed script.
    (tmp_path / "bin/memoracle").write_text(f'#!/bin/sh\nexec "{PYTHON}" -m memoracle "$@"\n')
    (tmp_path / "bin/memoracle").chmod(0o755)
    (tmp_path / "here").mkdir()
    begin = Step(line=0, command=f'export PATH="{tmp_path}/bin:$PATH"')
    outcomes = play([begin, *steps], tmp_path / "here")[1:]
    assert len(outcomes) == len(steps), outcomes
    for step, (output, status) in zip(steps, outcomes, strict=True):
        told = f"{story.name}:{step.line}: $ {step.command}\n{output}"
        wanted = pattern_of(step.expected)
        assert wanted.fullmatch(output + "\n" if output and not output.endswith("\n") else output), told
        assert status == step.status, told


def test_a_story_is_read_as_it_is_written():
    """Commands, their continuation, wildcards and exit statuses."""
    (step,) = read_story("text\n\n```console\n$ a b\n> c\nx … z\n…\n[3]\n```\n")
    assert (step.line, step.command, step.expected, step.status) == (4, "a b\nc", ["x … z", "…"], 3)
    assert pattern_of(step.expected).fullmatch("x y z\nmore\nand more\n")
    assert not pattern_of(step.expected).fullmatch("x y\n")


def test_there_are_stories():
    """The folder is not empty."""
    assert len(STORIES) >= 5
