"""What replaced what reaches the answer: a turn inherits what became of the record that was made of it."""

import json

import pytest

RECIPES = ("quick", "balanced", "deep", "openclaw")
CHANGES = [
    ("I live in Austin.", "We moved to Denver last weekend.", "where do I live", "Denver"),
    ("I work at Siemens.", "I now work at Bosch.", "where do I work", "Bosch"),
    ("我住在上海。", "我上周搬到了杭州。", "我住在哪里", "杭州"),
]


@pytest.fixture
def said(cli, tmp_path):
    """Lets something be said on a day, and the night after it pass."""

    def hear(text, day):
        line = {"role": "user", "content": text, "timestamp": f"{day}T10:00:00Z"}
        path = tmp_path / f"{day}.jsonl"
        path.write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
        assert cli("ingest", path).status == 0
        assert cli("consolidate").status == 0

    return hear


def hits_of(cli, question, recipe="balanced", *more):
    return cli("recall", "--json", "--recipe", recipe, *more, question).json["hits"]


@pytest.mark.parametrize("recipe", ["balanced", "deep"])
@pytest.mark.parametrize(("before", "after", "question", "now"), CHANGES)
def test_what_holds_now_comes_first(cli, said, recipe, before, after, question, now):
    """What was said before stands below it, and says what became of it."""
    said(before, "2026-01-10")
    said(after, "2026-06-02")
    hits = hits_of(cli, question, recipe)
    assert now in hits[0]["text"]
    (old,) = [hit for hit in hits if hit["text"] == before]
    assert (old["fate"]["status"], now in old["fate"]["text"]) == ("superseded", True)
    assert old["fate"]["says"].startswith("held until 2026-0")
    assert all(hit["fate"] is None for hit in hits if hit is not old)


@pytest.mark.parametrize("recipe", RECIPES)
def test_before_the_change_the_old_one_holds(cli, said, recipe):
    """As of then there is nothing to say about it."""
    said("I live in Austin.", "2026-01-10")
    said("We moved to Denver last weekend.", "2026-06-02")
    hits = hits_of(cli, "where do I live in Austin", recipe, "--as-of", "2026-03-01")
    assert hits[0]["text"] == "I live in Austin."
    assert {hit["fate"] for hit in hits} == {None}
    assert "replaced by" in cli("recall", "--recipe", recipe, "where do I live in Austin").out


def test_a_new_view_says_the_same(cli, said):
    """Nothing of it is kept anywhere but in the records."""
    said("I live in Austin.", "2026-01-10")
    said("We moved to Denver last weekend.", "2026-06-02")
    before = hits_of(cli, "where do I live")
    assert cli("rebuild-index").status == 0
    assert [(hit["text"], hit["fate"]) for hit in hits_of(cli, "where do I live")] == [
        (hit["text"], hit["fate"]) for hit in before
    ]


def test_what_its_owner_corrected(cli, said):
    """An edited record speaks for itself; the turn it came from is told as what it is."""
    said("I live in Austin.", "2026-01-10")
    (made,) = [hit["id"] for hit in hits_of(cli, "where do I live") if hit["source"] == "record"]
    cli("edit", made, "--text", "I live in Houston")
    first, second = hits_of(cli, "where do I live in Austin")
    assert (first["text"], second["text"]) == ("I live in Houston", "I live in Austin.")
    assert "replaced by “I live in Houston”" in second["fate"]["says"]


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_was_taken_back_is_never_told_plainly(cli, said, recipe):
    """The turn stands in the transcript; that it was taken back stands beside it, and it is no evidence by itself."""
    said("I live in Austin.", "2026-01-10")
    assert cli("undo").status == 0
    found = cli("recall", "--json", "--recipe", recipe, "where do I live in Austin").json
    assert found["status"] != "found"
    assert all(
        hit["fate"]["says"].startswith("taken back on") for hit in found["hits"] if "Austin" in hit["text"]
    )


def test_a_turn_that_says_two_things_keeps_the_other(cli, said):
    """Only what the question is about is out of date."""
    said("My name is Anna and I live in Austin.", "2026-01-10")
    said("We moved to Denver last weekend.", "2026-06-02")
    named = [hit for hit in hits_of(cli, "what is my name") if "Anna" in hit["text"]]
    assert (bool(named), {bool(hit["fate"]) for hit in named}) == (True, {False})
    lives = hits_of(cli, "where do I live")
    assert "Denver" in lives[0]["text"]
    assert all(hit["fate"] for hit in lives if "Austin" in hit["text"])


def test_what_was_said_twice_is_not_out_of_date(cli, said):
    """Two records that say the same become one; both turns still hold."""
    said("I live in Austin.", "2026-01-10")
    said("I live in Austin, Texas.", "2026-02-10")
    said("I live in Austin.", "2026-03-10")
    stands = [(hit, one) for hit in hits_of(cli, "where do I live") for one in (hit, *hit.get("also", ()))]
    turns = [(hit, one) for hit, one in stands if not one["id"].startswith("mem_")]
    assert [hit["fate"] for hit, one in turns if one["at"] > "2026-03"] == [None]


def test_over_mcp_and_unasked(cli, said, root):
    """An agent reads the same label; unasked it is told what holds."""
    from memoracle.compose import open_memory
    from memoracle.interfaces.mcp.finding import SEARCH
    from memoracle.interfaces.mcp.tool import Caller

    said("I live in Austin.", "2026-01-10")
    said("We moved to Denver last weekend.", "2026-06-02")
    with open_memory(str(root)) as memory:
        found = SEARCH.run(memory, {"query": "where do I live"}, Caller(name="a-host")).document
    assert ["outdated" in one for one in found["results"] if "Austin" in one["text"]] == [True]
    told = cli("context", "--after", "prompt", "where do I live").out
    assert ("Denver" in told, "Austin" in told) == (True, False)
