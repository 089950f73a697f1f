"""`memoracle pending` and what `status` says of the model."""

import pytest

from memoracle.model.inbox import Waiting, Why
from memoracle.store.inbox import add_pending
from support.asking import a_fragment
from support.clock import START
from support.stores import a_store


@pytest.fixture
def held(root):
    """Three fragments that wait, each for a reason of its own."""
    reasons = [Why.OFF, Why.OVER_BUDGET, Why.NONSENSE]
    store = a_store(root)
    with store.writing():
        add_pending(
            store,
            [
                Waiting(fragment=a_fragment(f"remark {n}", n), since=START, why=why)
                for n, why in enumerate(reasons)
            ],
        )


@pytest.mark.usefixtures("held")
def test_what_waits_and_why(cli):
    """For people in words, for programs in fields."""
    shown, document = cli("pending"), cli("pending", "--limit", "2", "--json").json
    assert ("3 fragments wait" in shown.out, "no model is configured" in shown.out) == (True, True)
    assert ([item["why"] for item in document["items"]], document["waiting"]) == (["off", "over-budget"], 3)
    assert document["items"][0]["where"] == "chat.jsonl#L1"


@pytest.mark.usefixtures("held")
def test_clearing_needs_consent(cli):
    """Without it nothing changes; a dry run shows; with it nothing waits."""
    assert (
        cli("pending", "--clear").status,
        cli("pending", "--clear", "--dry-run", "--json").json["cleared"],
    ) == (2, False)
    assert cli("pending", "--json").json["waiting"] == 3
    assert cli("pending", "--clear", "--yes", "--json").json["cleared"] is True
    assert "nothing waits" in cli("pending").out


@pytest.mark.usefixtures("held")
def test_status_shows_the_model_and_what_waits(cli, monkeypatch):
    """Off by default; otherwise its name, its tokens and its calls."""
    assert "model       off; 3 fragments wait" in cli("status").out
    monkeypatch.setenv("MEMORACLE_LLM", "http://127.0.0.1:9/v1#small")
    assert "model       small: 0 of 20,000 tokens today, 0 calls; 3 fragments wait" in cli("status").out
    use = cli("status", "--json").json["asking"]
    assert use == {"model": "small", "tokens": 0, "budget": 20000, "calls": 0, "failures": 0, "waiting": 3}
