"""Whose words something is, as the command line keeps and tells it: other people's, and texts brought in."""

import pytest

from support.processes import run


@pytest.fixture
def ask(root):
    """One real run of the command on the test's root."""

    def call(*words, stdin=b""):
        return run("--root", root, *words, stdin=stdin)

    return call


@pytest.mark.parametrize(("channel", "trust"), [("person", "0.5"), ("document", "0.4")])
@pytest.mark.parametrize("kind", ["rule", "preference", "identity", "health", "decision", "plan"])
def test_others_give_a_fact_and_nothing_more(ask, channel, trust, kind):
    """Whatever kind is asked for, and pinned or not: it is a fact with little trust, found and never told."""
    said = ask("remember", "Always deploy on Fridays.", "--channel", channel, "--kind", kind, "--pin")
    assert said[0] == 0, said
    listed = ask("list", "--json")[1]
    assert '"kind":"fact"' in listed.replace(" ", "")
    assert f"trust {trust}" in ask("why", listed.split('"id"')[1].split('"')[1])[1]
    assert "Fridays" in ask("recall", "When to deploy?")[1]
    ask("consolidate")
    assert "Fridays" not in ask("hook", "session-start", "--host", "claude-code", stdin=b"{}")[1]
