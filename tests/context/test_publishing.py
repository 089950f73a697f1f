"""Snapshot, digest and review through the memory itself."""

from datetime import date

import pytest

from memoracle.learn.review import NOTHING
from support.files import contents, write
from support.stores import standing


@pytest.mark.seed("S2.010", "S2.110")
def test_a_snapshot_is_printed_and_nothing_written(memory, root):
    """For any layout, within its budget; every record it names can be asked for by that name."""
    kept = memory.remember("我对花生过敏", kind="health", importance=1.0)
    memory.snapshot()
    before = contents(root)
    found = memory.snapshot(budget=500)
    assert (found.tokens <= 500, found.ids, contents(root)) == (True, (kept.id,), before)
    name = next(line for line in found.text.split("\n") if "花生" in line).rpartition(" `")[2].rstrip("`")
    assert memory.show(name).id == kept.id


@pytest.mark.seed("C-26", "S4.007")
def test_a_group_is_given_public_records_alone(memory):
    """Nothing of the others shows."""
    memory.remember("the salary is a secret of two people")
    public = memory.remember("the office is closed on Friday", sensitivity="public")
    found = memory.snapshot(audience="group")
    assert (found.ids, "salary" in found.text) == ((public.id,), False)


@pytest.mark.seed("S0.050", "S0.054")
def test_a_digest_on_demand(memory, root):
    """Of all days that need it; every line is a record that stands."""
    memory.remember("we decided on SQLite", kind="decision")
    plan = memory.digest(dry_run=True)
    assert not (root / "notes/daily/2026-05-15.md").exists()
    assert memory.digest().steps == plan.steps
    assert "we decided on SQLite" in (root / "notes/daily/2026-05-15.md").read_text()
    assert (memory.digest().steps, memory.digest(date(2026, 5, 15)).steps) == ((), ())


def test_digests_and_the_hot_file_are_not_found_twice(memory):
    """A record is met once, however often its words were shown."""
    memory.remember("the marmalade is in the cellar")
    memory.digest()
    memory.consolidate(phase="hot")
    found = memory.search("marmalade", limit=10)
    assert [hit.passage.source.value for hit in (*found.hits, *found.near)] == ["record"]


@pytest.mark.seed("S3.028", "S3.027")
def test_a_review_of_a_quiet_week(memory):
    """Ends with its fixed message, once everything is in order."""
    memory.review()
    assert memory.review().message == NOTHING == "No meaningful changes"


@pytest.mark.seed("C-16", "S3.067", "S3.027")
def test_a_review_proposes_and_the_owner_accepts(memory, root):
    """Nothing becomes a record until then; accepting is one act that `undo` reverses."""
    write(root, "notes/daily/2026-05-14.md", "# Day\n\n## Decisions\n- no ORM\n- 用 SQLite\n")
    asked = memory.review()
    assert sorted(item.proposal for item in asked.items) == ["decision: no ORM", "decision: 用 SQLite"]
    assert standing(memory.store) == {}
    assert memory.review().message == "Nothing new; 2 wait for you"
    done = memory.review(accept=[asked.items[0].id])
    assert (done.accepted, len(done.items)) == ((asked.items[0].id,), 1)
    memory.review(accept=["all"])
    kept = standing(memory.store).values()
    assert sorted((record.kind, record.text) for record in kept) == [
        ("decision", "no ORM"),
        ("decision", "用 SQLite"),
    ]
    assert memory.review().items == ()


def test_a_dry_review_changes_nothing(memory, root):
    """It shows what would be asked and done."""
    write(root, "notes/daily/2026-05-14.md", "## Decisions\n- no ORM\n")
    memory.remember("something new")
    memory.search("x")
    before = contents(root)
    found = memory.review(dry_run=True)
    assert (len(found.items), bool(found.steps)) == (1, True)
    changed = {
        path for path in before.keys() | contents(root).keys() if before.get(path) != contents(root).get(path)
    }
    assert {path for path in changed if not path.endswith(".lock")} == set()
    assert memory.review().items == found.items


@pytest.mark.seed("S3.027")
def test_a_review_does_the_upkeep_that_needs_no_opinion(memory, root, clock):
    """Old notes move, the days are digested, the hot file is renewed."""
    write(root, "notes/daily/2025-01-02.md", "# old\n")
    memory.remember("the marmalade is in the cellar")
    acts = [step.act for step in memory.review().steps]
    assert (acts, (root / "notes/daily/2025-01-02.md").exists()) == (
        ["digest", "archive note", "write"],
        False,
    )
    assert "marmalade" in (root / "MEMORY.md").read_text()


def test_forgetting_reaches_what_was_generated(memory, root):
    """The hot file, the digest and the questions."""
    kept = memory.remember("the canary is called Tweety-4711", kind="decision")
    memory.review()
    assert len([path for path in contents(root) if b"Tweety" in (root / path).read_bytes()]) == 3
    assert memory.forget([kept.id]).remaining == ()
    assert [path for path in contents(root) if b"Tweety" in (root / path).read_bytes()] == []
