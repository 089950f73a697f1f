"""What somebody typed as a record finds its slot."""

from datetime import UTC, datetime

import pytest

from memoracle.learn.claims import read_statement

NOW = datetime(2026, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I live in Boston", ("user", "lives_in", "Boston")),
        ("lives in Boston", ("user", "lives_in", "Boston")),
        ("moved to Hangzhou", ("user", "lives_in", "Hangzhou")),
        ("The user lives in Ghent.", ("user", "lives_in", "Ghent")),
        ("User prefers dark mode", ("user", "prefers", "dark mode")),
        ("The user's name is Tobias", ("user", "is_called", "Tobias")),
        ("User's wife is called Ingrid", ("user", "spouse", "Ingrid")),
        ("用户对花生过敏", ("user", "allergic_to", "花生")),
        ("Anna works at Siemens", ("Anna", "works_at", "Siemens")),
    ],
)
def test_slots(text, slot):
    """In the first person, in the third, and without any."""
    statement = read_statement(text, NOW, UTC).draft.statement
    assert ((statement.subject, statement.predicate, statement.object), statement.text) == (slot, text)


@pytest.mark.parametrize(
    "text",
    [
        "the API rate limit is 100 per minute",
        "remember, my locker is by the east stairs",
        "Do I live in Rome?",
        "x " * 5000,
    ],
)
def test_what_has_no_slot(text):
    """It is kept all the same: only its slot stays empty."""
    assert read_statement(text, NOW, UTC) is None
