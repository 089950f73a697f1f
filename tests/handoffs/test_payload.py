"""Decisions for somebody else: what may be sent, and what the published schema says about it."""

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interfaces.conftest import cli  # noqa: F401 - a fixture
from memoracle.extensions.seats.handoffs.payload import problems_of, schema

GOOD = {
    "decision_id": "D-1",
    "from_seat": "planner",
    "to_seat": "koder",
    "severity": "HIGH",
    "category": "breaking",
    "context": "The API changes.",
    "options": [
        {"id": "A", "label": "wait", "impact": "a week"},
        {"id": "B", "label": "go", "impact": "risk"},
    ],
    "default_if_timeout": "A",
    "timeout_minutes": 60,
    "created_at": "2026-05-15T09:30:00Z",
}


@pytest.mark.seed("S1.206", "S1.207")
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"default_if_timeout": "wait"},
        {"default_if_timeout": "abort"},
        {"issue_id": "#12"},
        {"issue_id": "NEW"},
        {"chosen_option_id": "B", "decided_by": "owner", "decided_at": "2026-05-15T10:00:00+02:00"},
        {"supporting_docs": ["a.md"], "free_text_reply": "好"},
        {"timeout_minutes": 1440},
        {"timeout_minutes": 5.0},
        {"context": "字" * 500},
    ],
)
def test_what_may_be_sent(change):
    """Everything that is needed, and what may be there."""
    payload = GOOD | change
    assert problems_of(payload) == []
    jsonschema.validate(payload, schema())


@pytest.mark.seed("S1.206", "S1.207")
@pytest.mark.parametrize(
    "change",
    [
        *({name: None} for name in GOOD),
        {"severity": "high"},
        {"category": "other"},
        {"context": ""},
        {"context": "x" * 501},
        {"options": []},
        {"options": [{"id": letter, "label": "x", "impact": "y"} for letter in "ABCDEFG"]},
        {"options": [{"id": "G", "label": "x", "impact": "y"}]},
        {"options": [{"id": "A", "label": "x" * 81, "impact": "y"}]},
        {"options": [{"id": "A", "label": "x", "impact": "y" * 201}]},
        {"options": [{"id": "A", "label": "x"}]},
        {"options": [{"id": "A", "label": "x", "impact": "y", "z": 1}]},
        {"timeout_minutes": 0},
        {"timeout_minutes": 1441},
        {"timeout_minutes": True},
        {"timeout_minutes": 1.5},
        {"created_at": "yesterday"},
        {"issue_id": "12"},
        {"issue_id": "#\uff11\uff12"},
        {"timeout_minutes": float("inf")},
        {"surprise": 1},
    ],
)
def test_what_may_not(change):
    """One thing wrong is enough, and the schema agrees."""
    payload = GOOD | change
    assert problems_of(payload) != []
    if change not in ({"created_at": "yesterday"}, {"timeout_minutes": True}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(payload, schema())


@pytest.mark.seed("S1.207")
@pytest.mark.parametrize(
    "change",
    [
        {"options": [{"id": "A", "label": "x", "impact": "y"}] * 2},
        {"chosen_option_id": "C"},
        {"default_if_timeout": "C"},
    ],
)
def test_what_refers_to_an_option_names_one(change):
    """Beyond what a schema can say: ids are unique, and references hit."""
    assert problems_of(GOOD | change) != []


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda s: st.lists(s) | st.dictionaries(st.text(), s),
    )
)
def test_any_document_gets_an_answer(document):
    """Nothing of JSON makes the check stumble."""
    assert isinstance(problems_of(document), list)


@pytest.mark.seed("S1.205")
def test_the_command_blocks_what_is_invalid(cli, tmp_path):  # noqa: F811
    """Exit 2 and the reasons; a valid one is printed for whoever sends it."""
    bad, good = tmp_path / "bad.json", tmp_path / "good.json"
    bad.write_text(json.dumps(GOOD | {"severity": "x"}))
    good.write_text(json.dumps(GOOD))
    assert cli("decision", "payload", "validate", str(bad)).status == 2
    assert cli("decision", "payload", "send", str(bad)).status == 2
    sent = cli("decision", "payload", "send", str(good), "--json")
    assert (sent.status, json.loads(json.loads(sent.out)["message"]), json.loads(sent.out)["sent"]) == (
        0,
        GOOD,
        False,
    )
