"""`audit` on the command line: it proves, it shows, and it never holds a word."""

import json

import pytest

from memoracle.store.line import line_sum
from support.stores import FACTS

EVENTS = "events.jsonl"


@pytest.mark.seed("S4.074", "F-27")
def test_a_whole_trail_is_said_to_be_whole(cli):
    """Exit 0, how many entries, since when."""
    cli("remember", "the cat is called Miso")
    done = cli("audit", "verify", "--json")
    assert (done.status, done.json["ok"], done.json["problems"]) == (0, True, [])
    assert done.json["entries"] >= 2
    assert cli("audit").out.startswith("whole:")


def test_a_memory_without_acts_has_nothing_to_prove(cli):
    """A new root is no problem."""
    done = cli("audit", "verify", "--json")
    assert (done.status, done.json["ok"]) == (0, True)
    assert cli("audit", "show").status == 0


@pytest.mark.seed("F-27")
def test_an_edited_entry_and_an_edited_record_end_with_1(cli, root):
    """Each is named; `check` says the same."""
    cli("remember", "the rent is 900 euros")
    trail = (root / EVENTS).read_bytes()
    (root / EVENTS).write_bytes(trail.replace(b'"act":"remember"', b'"act":"recall"', 1))
    done = cli("audit", "--json")
    assert (done.status, done.json["ok"]) == (1, False)
    (root / EVENTS).write_bytes(trail)
    line = next(raw for raw in (root / FACTS).read_bytes().split(b"\n") if b"900 euros" in raw)
    body = line.replace(b"900 euros", b"100 euros")[: -len(b',"sum":"0123456789abcdef"}')]
    forged = body + b',"sum":"' + line_sum(body).encode() + b'"}'
    (root / FACTS).write_bytes((root / FACTS).read_bytes().replace(line, forged))
    done = cli("audit", "--json")
    assert (done.status, [problem["code"] for problem in done.json["problems"]]) == (1, ["altered-record"])
    found = cli("check", "--json")
    assert (found.status, [one["code"] for one in found.json["findings"]]) == (1, ["audit-problem"])


@pytest.mark.seed("S4.074")
def test_show_answers_who_what_when_and_why(cli, root):
    """The reason comes from the record; the trail itself has no words."""
    one = cli("remember", "the cat is called Miso", "--json").json["id"]
    cli("remember", "the dog is called Rex")
    cli("edit", one, "--text", "the cat is called Mo", "--because", "misheard the vet")
    done = cli("audit", "show", "--record", one, "--json")
    acts = [item["act"] for item in done.json["items"]]
    assert (done.status, acts) == (0, ["remember", "edit"])
    last = done.json["items"][-1]
    assert (last["because"], last["via"], bool(last["by"]), bool(last["at"])) == (
        ["misheard the vet"],
        "cli",
        True,
        True,
    )
    assert b"misheard" not in (root / EVENTS).read_bytes()
    assert "misheard the vet" in cli("audit", "show", "--act", "edit").out
    assert cli("audit", "show", "--who", "nobody at all", "--json").json["items"] == []
    assert len(cli("audit", "show", "--limit", "1", "--json").json["items"]) == 1
    assert cli("audit", "show", "--since", "2999-01-01", "--json").json["items"] == []


def test_show_finds_what_came_of_a_session(cli):
    """Only acts on records that a session gave."""
    wish = {"text": "likes tea", "session": "s-17"}
    cli("remember", "--stdin", stdin=json.dumps(wish).encode() + b"\n")
    cli("remember", "the dog is called Rex")
    items = cli("audit", "show", "--session", "s-17", "--json").json["items"]
    assert [(item["act"], item["sessions"]) for item in items] == [("remember", ["s-17"])]


def test_a_head_that_was_noted_is_still_there(cli):
    """What `head` prints can be asked for later; another hash cannot be found."""
    cli("remember", "one")
    (head,) = cli("audit", "head", "--json").json["items"]
    cli("remember", "two")
    assert cli("audit", "verify", "--head", head["hash"]).status == 0
    assert cli("audit", "verify", "--head", "f" * 32).status == 1


@pytest.mark.parametrize("words", [["audit", "verify", "--record", "x"], ["audit", "show", "--head", "x"]])
def test_words_that_do_not_go_together_are_refused(cli, words):
    """Exit 2."""
    assert cli(*words).status == 2
