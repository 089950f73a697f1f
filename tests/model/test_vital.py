"""Health, safety and identity are recognised when they are written, without loading any pattern."""

import subprocess

import pytest

from memoracle.learn.draft import make_draft
from memoracle.model.predicates import vital_kind, vital_triple
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
    """Recall starts without a single pattern of what is worth keeping, and so does a write."""
    code = (
        "import sys; import memoracle.recall.answers, memoracle.memory; "
        "from memoracle.learn.draft import make_draft; make_draft('我对花生过敏'); "
        "print([m for m in sorted(sys.modules) if m.startswith('memoracle.learn.')])"
    )
    ran = subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=True, env=surroundings())
    assert ran.stdout.strip() == "['memoracle.learn.draft']"


@pytest.mark.seed("F-41")
@pytest.mark.parametrize(
    ("triple", "kind"),
    [
        (("user", "allergic_to", "shellfish"), Kind.HEALTH), (("user", "is_allergic_to", "penicillin"), Kind.HEALTH),
        (("用户", "对…过敏", "花生"), Kind.HEALTH), (("user", "blood_type", "O negative"), Kind.HEALTH),
        (("user", "has_condition", "asthma"), Kind.HEALTH), (("user", "has", "a peanut allergy"), Kind.HEALTH),
        (("user", "name", "Anna"), Kind.IDENTITY), (("用户", "姓名", "李明"), Kind.IDENTITY),
        (("user", "emergencyContact", "Ruth"), Kind.SAFETY),
    ],
)  # fmt: skip
def test_triples_are_vital_by_their_predicate(triple, kind):
    """A fact that another design keeps as subject, predicate, object weighs what its predicate says."""
    subject, predicate, said = triple
    assert vital_triple(*triple) is kind
    draft = make_draft("", subject=subject, predicate=predicate, object=said).draft
    assert (draft.kind, draft.weight.importance) == (kind, 1.0)


@pytest.mark.parametrize(
    "triple",
    [
        ("project", "name", "Arena"), ("disk", "has_condition", "degraded"), ("user", "not_allergic_to", "nuts"),
        ("user", "renamed", "the project"), ("gateway", "listens_on_port", "8443"), ("user", "has", "no allergies"),
        ("user", "file_name", "a.txt"), ("用户", "不再过敏", "花生"),
    ],
)  # fmt: skip
def test_triples_that_are_not_vital(triple):
    """Names and conditions of things, and what is denied."""
    assert vital_triple(*triple) is None
