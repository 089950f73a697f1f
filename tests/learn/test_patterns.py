"""Every row of patterns shows what it means: its examples give their objects, its counterexamples nothing."""

import pytest

from memoracle.learn.compile_rules import rows_of
from memoracle.learn.matching import fitting
from memoracle.learn.rules import pattern_of, rules_of
from memoracle.model.predicates import PREDICATES

ROWS = [(language, row) for language in ("en", "zh") for row in rows_of(language)]


def shown(language, row, text):
    found = fitting(pattern_of(row), text, rules_of(language).lexicon)
    return None if found is None else " | ".join(part for part in (found.subject, found.object) if part)


def test_every_pattern_has_examples_of_both_sorts():
    """A pattern without a sentence that it must not fit is half a pattern."""
    assert [row["name"] for _, row in ROWS if not row["examples"] or not row["counterexamples"]] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_names_are_names(language):
    """Within a language no two patterns share one, so a claim says exactly why it was made."""
    names = [row["name"] for known, row in ROWS if known == language]
    assert len(names) == len(set(names))


def test_predicates_are_known():
    """A pattern speaks the shared vocabulary, or takes its predicate from a word of kin."""
    assert {row["predicate"] for _, row in ROWS} - {"", *PREDICATES} == set()


@pytest.mark.parametrize(
    ("language", "row", "text", "said"),
    [(language, row, text, said) for language, row in ROWS for text, said in row["examples"]],
    ids=lambda one: one["name"] if isinstance(one, dict) else None,
)
def test_examples_fit(language, row, text, said):
    """An example gives its object."""
    assert shown(language, row, text) == said


@pytest.mark.parametrize(
    ("language", "row", "text"),
    [(language, row, text) for language, row in ROWS for text in row["counterexamples"]],
    ids=lambda one: one["name"] if isinstance(one, dict) else None,
)
def test_counterexamples_do_not(language, row, text):
    """What looks alike gives nothing."""
    assert shown(language, row, text) is None
