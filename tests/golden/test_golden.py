"""What every verb says and writes is what was recorded; a change that is meant is recorded anew."""

import difflib

import pytest

from golden.play import EXPECTED, Stage
from golden.story import CHAPTERS
from memoracle.interfaces.cli import every_verb


@pytest.fixture(scope="module")
def stage():
    made = Stage()
    yield made
    made.close()


def test_every_verb_has_its_chapter():
    """A new verb is recorded too, and no transcript is left of a verb that went."""
    assert {verb.name for verb in every_verb()} - CHAPTERS.keys() == set()
    assert {path.stem for path in EXPECTED.glob("*.txt")} == CHAPTERS.keys()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_transcript_is_as_recorded(stage, chapter):
    """stdout, stderr, exit status and files; `python -m tests.golden --write` records what is meant to differ."""
    expected = (EXPECTED / f"{chapter}.txt").read_text(encoding="utf-8")
    now = stage.play(chapter)
    rows = difflib.unified_diff(expected.splitlines(), now.splitlines(), "recorded", "now", "", "", 1, "")
    assert now == expected, "\n".join(row[:600] for row in list(rows)[:60])
