"""Old is not unknown: what has faded still answers, marked, and nothing weaker takes its place."""

from datetime import UTC, datetime, timedelta

import pytest

from memoracle import times as clock

RECIPES = ("quick", "balanced", "deep", "openclaw")
KEY = "The spare key hangs behind the boiler"
BOILER = "The boiler was serviced by Hanna Lind"
AGES = (320, 3650)


@pytest.fixture
def later(monkeypatch):
    """Lets days pass for every command that follows."""

    def move(days):
        class Later(datetime):
            @classmethod
            def now(cls, tz=None):
                return datetime.now(tz) + timedelta(days=days)

        monkeypatch.setattr(clock, "datetime", Later)

    return move


@pytest.mark.parametrize("days", AGES)
@pytest.mark.parametrize("recipe", RECIPES)
def test_what_was_kept_long_ago_answers(cli, later, recipe, days):
    """After a year and after ten: found, first, marked; by `recall` and by `search`."""
    today = datetime.now(UTC).date().isoformat()[:8]
    cli("remember", KEY)
    cli("remember", BOILER)
    later(days)
    for verb in ("search", "recall"):
        for question in ("Where does the spare key hang?", KEY):
            ran = cli(verb, "--json", "--recipe", recipe, question)
            first = ran.json["hits"][0]
            assert (ran.status, ran.json["status"], first["text"]) == (0, "found", KEY)
            if verb == "search":  # what was recalled has been used
                assert first["unused_since"].startswith(today)
                assert "long unused since" in cli(verb, "--recipe", recipe, question).out


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_a_night_put_away_answers_too(cli, later, recipe):
    """Archived for its age, folded into the archive: the answer is the same."""
    cli("remember", KEY)
    later(3650)
    assert cli("tend").status == 0
    assert KEY in cli("list", "--status", "archived").out
    assert KEY not in cli("list").out
    ran = cli("recall", "--json", "--recipe", recipe, "Where does the spare key hang?")
    assert (ran.status, ran.json["hits"][0]["text"], bool(ran.json["hits"][0]["unused_since"])) == (
        0,
        KEY,
        True,
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_its_owner_archived_waits(cli, recipe):
    """`archive` is a wish, and age is none."""
    made = cli("remember", KEY, "--json").json["id"]
    cli("archive", made)
    assert cli("recall", "--recipe", recipe, "Where does the spare key hang?").status == 3
    assert cli("recall", "--wide", "--recipe", recipe, "Where does the spare key hang?").status == 0


def test_living_evidence_of_the_same_strength_comes_first(cli, later):
    """Activation orders, it never hides."""
    cli("remember", "The blue bicycle stands in the cellar")
    later(400)
    cli("remember", "The blue bicycle stands in the garage")
    hits = cli("search", "--json", "--recipe", "balanced", "Where does the blue bicycle stand?").json["hits"]
    assert [hit["text"].split()[-1] for hit in hits] == ["garage", "cellar"]
    assert [bool(hit["unused_since"]) for hit in hits] == [False, True]


def test_over_mcp_it_is_marked(cli, root, later):
    """An agent learns that it may be out of date."""
    from memoracle.compose import open_memory
    from memoracle.interfaces.mcp.finding import SEARCH
    from memoracle.interfaces.mcp.tool import Caller

    cli("remember", KEY)
    later(400)
    with open_memory(str(root)) as memory:
        found = SEARCH.run(
            memory, {"query": "Where does the spare key hang?"}, Caller(name="a-host")
        ).document
    assert (found["verdict"], [bool(one["unusedSince"]) for one in found["results"]]) == ("found", [True])


def test_unasked_it_is_not_told(cli, later):
    """What has faded is handed to a question, never volunteered."""
    cli("remember", KEY)
    asked = ("context", "--after", "prompt", "Where does the spare key hang?")
    assert KEY in cli(*asked).out
    later(400)
    assert KEY not in cli(*asked).out
