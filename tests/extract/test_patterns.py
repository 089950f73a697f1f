"""Every row of patterns shows what it means: its examples give their objects, its counterexamples nothing."""

import pytest

from memoracle.extract import patterns_en, patterns_zh
from memoracle.extract.lexicon_en import ENGLISH
from memoracle.extract.lexicon_zh import CHINESE
from memoracle.extract.matching import fitting
from memoracle.model.predicates import PREDICATES

ROWS = [(ENGLISH, row) for row in patterns_en.PATTERNS] + [(CHINESE, row) for row in patterns_zh.PATTERNS]


def shown(lexicon, pattern, text):
    found = fitting(pattern, text, lexicon)
    return None if found is None else " | ".join(part for part in (found.subject, found.object) if part)


def test_every_pattern_has_examples_of_both_sorts():
    """A pattern without a sentence that it must not fit is half a pattern."""
    assert [row.name for _, row in ROWS if not row.examples or not row.counterexamples] == []


@pytest.mark.parametrize("patterns", [patterns_en.PATTERNS, patterns_zh.PATTERNS])
def test_names_are_names(patterns):
    """Within a language no two patterns share one, so a claim says exactly why it was made."""
    names = [row.name for row in patterns]
    assert len(names) == len(set(names))


def test_predicates_are_known():
    """A pattern speaks the shared vocabulary, or takes its predicate from a word of kin."""
    assert {row.predicate for _, row in ROWS} - {"", *PREDICATES} == set()


@pytest.mark.parametrize(
    ("lexicon", "pattern", "text", "said"),
    [(lexicon, row, text, said) for lexicon, row in ROWS for text, said in row.examples],
    ids=lambda one: getattr(one, "name", None) or getattr(one, "language", None),
)
def test_examples_fit(lexicon, pattern, text, said):
    """An example gives its object."""
    assert shown(lexicon, pattern, text) == said


@pytest.mark.parametrize(
    ("lexicon", "pattern", "text"),
    [(lexicon, row, text) for lexicon, row in ROWS for text in row.counterexamples],
    ids=lambda one: getattr(one, "name", None) or getattr(one, "language", None),
)
def test_counterexamples_do_not(lexicon, pattern, text):
    """What looks alike gives nothing."""
    assert shown(lexicon, pattern, text) is None
