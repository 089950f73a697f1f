"""Health, safety and identity are recognised when they are written, without loading any pattern."""

import subprocess

import pytest

from memoracle.extract.vital import vital_kind
from memoracle.lifecycle.draft import make_draft
from memoracle.model.record import Kind
from support.processes import PYTHON, surroundings


@pytest.mark.seed("F-47")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我对花生过敏", Kind.HEALTH), ("I'm allergic to peanuts", Kind.HEALTH), ("My son has a nut allergy", Kind.HEALTH),
        ("我有糖尿病", Kind.HEALTH), ("My blood type is O negative", Kind.HEALTH), ("Emergency contact: Ruth, 555-0142", Kind.SAFETY),
        ("紧急联系人是我姐姐", Kind.SAFETY), ("My name is Anna", Kind.IDENTITY), ("我叫李明", Kind.IDENTITY),
    ],
)  # fmt: skip
def test_typed_records_weigh_what_they_say(text, kind):
    """Without a kind and an importance, what is vital says so itself."""
    draft = make_draft(text).draft
    assert (draft.kind, draft.weight.importance) == (kind, 1.0)


def test_what_the_caller_says_stands():
    """A kind or an importance that was given is not second-guessed, and only the owner's words count."""
    given = [
        make_draft("我对花生过敏", kind="fact").draft, make_draft("我对花生过敏", importance=0.3).draft,
        make_draft("我对花生过敏", channel="external").draft,
    ]  # fmt: skip
    assert [(one.kind, one.weight.importance) for one in given] == [
        (Kind.FACT, 0.5), (Kind.FACT, 0.3), (Kind.FACT, 0.5),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Am I allergic to nuts?",
        "If I were allergic to nuts",
        "The parser is allergic to tabs",
        "He said my name is Bob",
        "我对花生过敏吗",
        "x" * 100_000,
    ],
)
def test_what_is_not_vital(text):
    """Questions, suppositions, other people's words and machines."""
    assert vital_kind(text) is None


def test_nothing_of_extract_is_loaded_on_the_way_to_an_answer():
    """Recall starts without a single pattern, and a write loads no more than this."""
    code = (
        "import sys; import memoracle.recall.pipeline, memoracle.memory; "
        "assert not any(m.startswith('memoracle.extract') for m in sys.modules); "
        "from memoracle.lifecycle.draft import make_draft; make_draft('我对花生过敏'); "
        "print([m for m in sorted(sys.modules) if m.startswith('memoracle.extract.')])"
    )
    ran = subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=True, env=surroundings())
    assert ran.stdout.strip() == "['memoracle.extract.vital']"
