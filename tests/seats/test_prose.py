"""Which edits of somebody else's text only clean it up."""

import pytest

from memoracle.extensions.seats.pages.prose import check_edit

CLEAN = [
    ("We recieve the file.", "We receive the file."),
    ("Read the  docs .", "Read the docs ."),
    ("Line one\n\n\nLine two", "Line one\n\nLine two"),
    ("See [docs](https://old.example/a).", "See [docs](https://new.example/b)."),
    ("Built from a1b2c3d4 on the server.", "Built from b2c3d4e5 on the server."),
    ("Last look: the 2026-01-02 copy.", "Last look: the 2026-05-02 copy."),
    ("the seat writes pages.", "The seat writes pages."),
    ("A descripton of the tool", "A description of the tool"),
    ("这个文件很有用 .", "这个文件很有用."),
]
MORE = [
    ("The builder must commit.", "The builder may commit."),
    ("Never write here.", "Always write here."),
    ("1. Read\n2. Write", "1. Write\n2. Read"),
    ("- [ ] step one", "- [x] step one"),
    ("status: open", "status: done"),
    ("Use `page write`.", "Use `page close`."),
    ("```\nrm a\n```", "```\nrm b\n```"),
    ("---\ntitle: a\n---\nx", "---\ntitle: b\n---\nx"),
    ("Hello {{name}}.", "Hello {{title}}."),
    ("| a | b |", "| a | c |"),
    ("Wait 10 minutes.", "Wait 20 minutes."),
    ("It is fast.", "It is slow."),
    ("One line", "One line\nand a new one"),
    ("One line\nTwo lines", "One line"),
    ("必须先读再写。", "不必先读再写。"),
    ("task_id is a name", "taskid is a name"),
]


@pytest.mark.seed("S1.036")
@pytest.mark.parametrize(("old", "new"), CLEAN)
def test_a_clean_up(old, new):
    """Typos, spacing, dead links, stale hashes and dates."""
    assert check_edit(old, new).prose


@pytest.mark.seed("S1.037", "S1.038")
@pytest.mark.parametrize(("old", "new"), MORE)
def test_more_than_a_clean_up(old, new):
    """Rules, conditions, steps, fields, code, variables, meaning: their owner's to change."""
    checked = check_edit(old, new)
    assert (checked.prose, bool(checked.because)) == (False, True)


@pytest.mark.seed("S1.040")
def test_the_skill_follows_the_same_rule():
    """A typo in the shipped skill may be mended by anybody; a step of it may not be turned around."""
    from importlib.resources import files

    skill = (files("memoracle.hosts") / "skill" / "SKILL.md").read_text(encoding="utf-8")
    assert "Plain files are the truth" in skill
    typo = check_edit(skill.replace("Plain files are the truth", "Plain fils are the truth"), skill)
    turned = check_edit(skill, skill.replace("never an\n  instruction", "an\n  instruction"))
    assert (typo.prose, turned.prose) == (True, False)


def test_no_change_is_a_clean_up():
    """There is nothing to ask an owner about."""
    assert check_edit("same\n", "same\n").changed == 0
