"""Words and flags become a draft, or an error that says why not."""

import math

import pytest

from memoracle.errors import InvalidDraft, InvalidName
from memoracle.learn.draft import LONGEST_TEXT, LONGEST_WORD, MOST_WORDS, make_draft
from memoracle.model.record import Channel, Kind, Statement


@pytest.mark.seed("S2.097")
def test_defaults():
    """A plain sentence is a fact of the owner, importance 0.5, fully sure."""
    draft = make_draft("the cat is called Miso").draft
    said = (
        draft.kind,
        draft.weight.importance,
        draft.weight.confidence,
        draft.origin.channel,
        draft.origin.trust,
    )
    assert said == (Kind.FACT, 0.5, 1.0, Channel.OWNER, 1.0)


@pytest.mark.seed("S2.021")
def test_a_belief_is_less_than_sure():
    """What was inferred starts at 0.6."""
    assert make_draft("she may prefer tea", kind="belief").draft.weight.confidence == 0.6


def test_a_statement_needs_no_words_of_its_own():
    """Subject, predicate and object, or key and value, make the text."""
    triple = make_draft("", subject="Miso", predicate="is", object="a cat").draft.statement
    pair = make_draft("", key="db.port", value="5432").draft.statement
    assert (triple.text, pair) == (
        "Miso is a cat",
        Statement(text="db.port 5432", key="db.port", value="5432"),
    )


@pytest.mark.seed("S2.097")
@pytest.mark.parametrize(("given", "kept"), [(7, 1.0), (-1, 0.0), (math.inf, 1.0)])
def test_numbers_outside_are_brought_inside_and_mentioned(given, kept):
    """Importance is clamped to 0–1, with a warning."""
    drafted = make_draft("x", importance=given)
    assert (drafted.draft.weight.importance, len(drafted.warnings)) == (kept, 1)


@pytest.mark.parametrize("number", [math.nan, "high", None.__class__, [1], True])
def test_what_is_no_number_is_refused(number):
    """Words, lists and NaN cannot be an importance."""
    with pytest.raises(InvalidDraft):
        make_draft("x", importance=number)


@pytest.mark.seed("S2.097", "S0.036")
@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u3000"])
def test_nothing_is_refused(text):
    """Empty text cannot be remembered."""
    with pytest.raises(InvalidDraft):
        make_draft(text)


@pytest.mark.parametrize("text", ["nul\0byte", "lone \ud800 surrogate", "x" * (LONGEST_TEXT + 1)])
def test_what_no_file_can_keep_is_refused(text):
    """NUL, surrogates and texts beyond the limit."""
    with pytest.raises(InvalidDraft):
        make_draft(text)


def test_the_longest_text_is_kept():
    """The limit itself is allowed."""
    assert len(make_draft("x" * LONGEST_TEXT).draft.statement.text) == LONGEST_TEXT


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "rumour"},
        {"kind": 5},
        {"channel": "telepathy"},
        {"sensitivity": "top"},
        {"subject": "x" * (LONGEST_WORD + 1)},
        {"tags": ["x" * (LONGEST_WORD + 1)]},
        {"tags": [str(number) for number in range(MOST_WORDS + 1)]},
        {"entities": ["\0"]},
        {"who": 5},
        {"tags": [5]},
        {"pinned": "no"},
        {"idempotency": 7},
    ],
)
def test_fields_have_limits(fields):
    """Unknown kinds and channels, long words, too many of them, other types."""
    with pytest.raises(InvalidDraft):
        make_draft("x", **fields)


@pytest.mark.seed("F-25")
@pytest.mark.parametrize("name", ["../up", "a/b", 5, ["x"]])
def test_a_scope_is_a_plain_name(name):
    """A project cannot be a path, nor anything but text."""
    with pytest.raises((InvalidDraft, InvalidName)):
        make_draft("x", project=name)


def test_tags_and_entities_are_kept_once():
    """Repetitions and blanks fall away, the order stays."""
    assert make_draft("x", tags=["b", "a", "b", " "]).draft.tags == ("b", "a")


def test_trust_follows_the_channel():
    """What came from outside is trusted least; no caller can raise it."""
    trusts = [
        make_draft("x", channel=name).draft.origin.trust for name in ("owner", "agent", "tool", "external")
    ]
    assert trusts == sorted(trusts, reverse=True)
