"""`ingest`, `why`, and what an answer can be asked for on the command line."""

import pytest

from memoracle.interfaces.cli import keep as ingest
from memoracle.text import estimate_tokens
from support.files import contents

CHAT = "User: I am allergic to peanuts.\n\nAssistant: I will remember that.\n"


@pytest.fixture
def chat(tmp_path):
    """A conversation of two turns."""
    path = tmp_path / "chat.md"
    path.write_text(CHAT)
    return path


# ingest


def test_ingest_says_what_it_read(cli, chat):
    """Conversations, new turns, copies and vectors; a second time there is nothing new."""
    first = cli("ingest", chat, "--no-embed", "--json").json
    again = cli("ingest", chat, "--no-embed", "--json").json
    assert (first["files"], first["turns"], first["embedded"], first["kept"]) == (1, 2, 0, 0)
    assert again["turns"] == 0
    assert cli("recall", "peanuts").status == 0


def test_ingest_keeps_a_copy(cli, chat, root):
    """`--keep`: the answer outlives the file."""
    done = cli("ingest", chat, "--keep", "--no-embed")
    chat.unlink()
    assert ("1 kept as copies" in done.out, len(list((root / "sessions").glob("*.gz")))) == (True, 1)
    assert "peanuts" in cli("recall", "peanuts").out


def test_ingest_tells_what_it_cannot_use(cli, chat):
    """On stderr, beside the data; the rest is read."""
    (chat.parent / "list.txt").write_text("milk")
    done = cli("ingest", chat.parent, "--no-embed")
    assert ("list.txt" in done.err, "2 new turns from 1 conversations" in done.out, done.status) == (
        True,
        True,
        0,
    )


def test_ingest_of_nothing_is_bad_input(cli, tmp_path, root):
    """It says what can be given, and changes nothing."""
    before = contents(root)
    done = cli("ingest", tmp_path / "nowhere")
    assert (done.status, "hint:" in done.err, contents(root)) == (2, True, before)


def test_watching_goes_on_until_it_is_stopped(cli, chat, monkeypatch):
    """Each round reads what was added; one document at the end tells the sum."""
    rounds = []

    def pause(seconds):
        rounds.append(seconds)
        if len(rounds) == 2:
            chat.write_text(CHAT + "\nUser: And to shellfish.\n")
        if len(rounds) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(ingest.time, "sleep", pause)
    done = cli("ingest", chat, "--watch", "--no-embed", "--json")
    assert (done.json["turns"], len(rounds), done.status) == (3, 4, 0)


# why


def test_why_tells_where_it_came_from(cli, made):
    """Its place, its origin, since when, and what it replaced."""
    new = cli("supersede", made, "the cat is called Sesame", "--json").json["id"]
    said = cli("why", new).out
    assert ("the cat is called Sesame" in said, "stands at" in said, "came from" in said) == (
        True,
        True,
        True,
    )
    assert f"replaced    {made}  the cat is called Miso" in said


def test_why_as_a_document(cli, made):
    """The record, its citation, its versions and its relatives."""
    cli("edit", made, "the cat is called Sesame")
    document = cli("why", made, "--json").json
    assert (document["cite"], document["versions"], document["related"]) == ("records/facts.jsonl#L2", 2, [])
    assert document["record"]["text"] == "the cat is called Sesame"


def test_why_of_nobody_is_not_found(cli):
    """Status 3, like every unknown reference."""
    assert cli("why", "mem_NOPE").status == 3


# How an answer is asked for


@pytest.mark.parametrize("budget", [20, 60, 400])
def test_a_budget_brings_a_pack_that_keeps_to_it(cli, made, budget):
    """The pack stands beside the hits and is never larger."""
    cli("remember", "the cat sleeps " + "all day long " * 30)
    pack = cli("search", "cat", "--budget", budget, "--json").json["pack"]
    assert pack["tokens"] == estimate_tokens(pack["text"]) <= budget


def test_a_pack_is_printed_for_people(cli, made):
    """With its size and its citations; without a budget there is none."""
    said = cli("search", "cat", "--budget", "200").out
    assert ("context pack, " in said, "[1] (" in said) == (True, True)
    assert ("context pack" in cli("search", "cat").out, "pack" in cli("search", "cat", "--json").json) == (
        False,
        False,
    )


@pytest.mark.parametrize("recipe", ["quick", "balanced", "deep", "openclaw"])
def test_every_recipe_can_be_named(cli, made, recipe):
    """The trace says which one answered."""
    document = cli("search", "cat", "--recipe", recipe, "--explain", "--json").json
    met = [hit["id"] for hit in (*document["hits"], *document["near"])]
    assert (met[0], recipe in {note["stage"] for note in document["trace"]}) == (made, True)


def test_an_unknown_recipe_is_bad_input(cli, made):
    """The hint lists the known ones."""
    done = cli("search", "cat", "--recipe", "soup")
    assert (done.status, "balanced" in done.err) == (2, True)


def test_an_explanation_for_people(cli, made):
    """Near misses and every stage, only when it is asked for."""
    cli("remember", "the catalogue of the zeppelin museum")
    said = cli("search", "zeppelin submarine trombone saffron lantern", "--explain").out
    assert ("near miss: " in said, "parse: " in said, "judge: " in said) == (True, True, True)
    assert "judge: " not in cli("search", "cat").out


def test_a_turn_is_shown_with_what_was_said_around_it(cli, chat):
    """The document carries the neighbours of a hit."""
    cli("ingest", chat, "--no-embed")
    hit = cli("search", "allergic to peanuts", "--json").json["hits"][0]
    assert (hit["source"], [one["text"] for one in hit["around"]]) == ("turn", ["I will remember that."])
