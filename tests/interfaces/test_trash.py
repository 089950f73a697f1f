"""Forgetting a record can be taken back for thirty days; purging is real. The real command line."""

import json

import pytest

from support.processes import run_here, surroundings


@pytest.fixture
def owner(root):
    def call(*words, status=0, at=root, **environment):
        code, out, err = run_here(
            "--root", at, *words, "--json", env=surroundings(MEMORACLE_RECIPE="quick", **environment)
        )
        assert code == status, err
        return json.loads(out)

    return call


def words_in(root, text):
    return sorted(
        str(path.relative_to(root))
        for path in root.rglob("*")
        if path.is_file() and text.encode() in path.read_bytes()
    )


def test_forget_withdraws_and_says_so(root, owner):
    """It names what is still on disk, until when, the way back and the way to erase."""
    kept = owner("remember", "the vault code is on the blue card")["id"]
    code, out, _ = run_here("--root", root, "forget", kept, "--yes", env=surroundings())
    assert (code, "still on disk until" in out, "memoracle undo" in out, "memoracle purge" in out) == (
        0,
        True,
        True,
        True,
    )
    assert owner("search", "vault code", status=3)["hits"] == []
    assert owner("trash", "restore", kept)["items"][0]["status"] == "active"
    assert owner("search", "vault code")["hits"][0]["id"] == kept
    assert owner("trash")["items"] == []


@pytest.mark.parametrize("first", [[], ["forget"]])
def test_purge_is_real(root, owner, first):
    """Also of what was withdrawn before: no byte of it is left, and nothing brings it back."""
    kept = owner("remember", "the vault code is on the blue card")["id"]
    owner("edit", kept, "the vault code is on the crimson card")
    owner("consolidate")
    for verb in first:
        owner(verb, kept, "--yes")
    owner("purge", kept, "--yes")
    assert words_in(root, "vault code") == []
    owner("undo", status=1)
    owner("trash", "restore", kept, status=5)
    owner("check")


def test_the_trash_is_emptied_with_consent(root, owner):
    """And nothing else goes."""
    gone = [owner("remember", f"the {name} is in the shed")["id"] for name in ("ladder", "rake")]
    owner("remember", "the kettle is in the kitchen")
    owner("forget", *gone, "--yes")
    assert owner("trash", "empty", status=2)["error"]["code"] == "needs-consent"
    assert {step["target"] for step in owner("trash", "empty", "--dry-run")["items"]} == set(gone)
    owner("trash", "empty", "--yes")
    assert (words_in(root, "in the shed"), bool(words_in(root, "kettle"))) == ([], True)


def test_what_was_made_of_it_goes_and_comes_along(owner):
    """A summary holds its words too."""
    likes = [
        owner("remember", f"I like {what}", "--subject", "user", "--predicate", "likes", "--object", what)[
            "id"
        ]
        for what in ("plums", "figs", "dates", "limes", "pears", "kiwis")
    ]
    owner("consolidate")
    assert any("limes" in hit["text"] for hit in owner("list", "--kind", "summary")["items"])
    owner("forget", likes[3], "--yes")
    assert not any("limes" in hit["text"] for hit in owner("list", "--wide", "--limit", "99")["items"])
    owner("undo")
    assert any("limes" in hit["text"] for hit in owner("list", "--kind", "summary")["items"])


def test_upkeep_erases_what_nobody_brought_back(root, clock):
    """Before thirty days it stays whole, after them no byte is left; it says why."""
    from datetime import timedelta

    from memoracle.compose import open_memory
    from support.files import PLAIN

    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        kept = memory.remember("the vault code is on the blue card").id
        memory.withdraw([kept])
        clock.now += timedelta(days=29)
        memory.consolidate()
        assert [one.id for one in memory.trash()] == [kept]
        clock.now += timedelta(days=2)
        memory.consolidate()
        assert list(memory.trash()) == []
        assert memory.show(kept).status == "forgotten"
    assert words_in(root, "vault code") == []


def test_a_session_is_erased_as_before(root, owner):
    """What names no record cannot come back whole: `forget --session` is the exact forgetting it was."""
    owner("remember", "the vault code is on the blue card", "--session", "loud")
    owner("forget", "--session", "loud", status=2)
    owner("forget", "--session", "loud", "--yes")
    assert words_in(root, "vault code") == []
    owner("undo", status=1)


def test_what_was_withdrawn_is_not_exported(root, owner, tmp_path):
    """It is out of memory, on the way out too."""
    kept = owner("remember", "the vault code is on the blue card")["id"]
    owner("remember", "the kettle is in the kitchen")
    owner("forget", kept, "--yes")
    done = owner("export", tmp_path / "out")
    assert (done["left_out"], words_in(tmp_path / "out", "vault code")) == ({"withdrawn": 1}, [])
