"""Everything kept of one thing, in one look; and everything about an entity, to take away."""

import json

import pytest

from memoracle.errors import BadInput
from memoracle.model.search import Selection
from support.processes import run_here
from support.stores import standing

from .worlds import World


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path / "world")
    made.say("one", "I like tea.", "I like mango.", "I like pears.", "I live in Boston.")
    made.night()
    made.say("two", "I moved to Oslo.", "I like tea.")
    made.night()
    return made


@pytest.mark.seed("S4.071")
def test_a_record_tells_everything(world):
    """Versions with their lines, what rests on it, pages that name it, whether it is at hand, who did what."""
    with world.open() as memory:
        tea = next(one for one in standing(memory.store).values() if one.text == "I like tea.")
        memory.recall("tea")
        found = memory.inspect(tea.id)
        assert [one.version for one in found.versions] == [1, 2]
        assert all(one.cite.startswith(("records/", "archive/")) for one in found.versions)
        assert [(one.relation, one.text) for one in found.derived] == [
            ("rests on it", "likes tea, mango and pears")
        ]
        # The hot file tells the summary, which says it already, and says it once.
        assert found.named_in == ("notes/daily/2026-05-15.md",)
        assert found.lineage.record.origin.session == "one"
        assert len(found.uses) == 1
        assert {told.event.act for told in found.acts} == {"consolidate"}


def test_a_session_tells_what_it_gave(world):
    """Records it taught, others it confirmed, its turns and conversations."""
    with world.open() as memory:
        found = memory.inspect(session="two")
    assert [(one.relation, one.text) for one in found.records] == [
        ("confirmed", "I like tea."),
        ("learned", "I moved to Oslo."),
    ]
    assert (found.turns, found.transcripts) == (2, (str(world.chats / "two.jsonl"),))


def test_inspecting_writes_nothing_and_prints(world):
    """By the command line, as text and as JSON; one thing at a time."""
    from support.files import contents

    with world.open() as memory:
        tea = next(one for one in standing(memory.store).values() if one.text == "I like tea.").id
        memory.inspect(tea)
    before = contents(world.root, skip=("index", "state"))
    here = ("--root", world.root)
    assert "came from   owner" in run_here(*here, "inspect", tea)[1]
    assert json.loads(run_here(*here, "inspect", tea, "--json")[1])["of"] == "record"
    assert run_here(*here, "inspect", "--entity", "Oslo")[0] == 0
    assert run_here(*here, "inspect", tea, "--session", "one")[0] == 2
    assert contents(world.root, skip=("index", "state")) == before


@pytest.mark.seed("S4.071")
def test_everything_about_an_entity_goes_into_one_document(world, tmp_path):
    """Under all its names: records, passages of notes, turns; a dry run only counts."""
    with world.open() as memory:
        memory.remember("Robert Hall leads the audit.", entities=["Robert Hall"])
        memory.remember("Robert Hall is also called Bob", entities=["Robert Hall", "Bob"])
        memory.remember("Bob moved to Lima.", entities=["Bob"])
        memory.remember("Bobby is somebody else.", entities=["Bobby"])
        (world.root / "notes" / "semantic" / "people.md").write_text("# People\n\nMet Bob at noon.\n")
        world.say("two", "Bob called again.", "Bobsleigh is fun.")
        memory.ingest(str(world.chats), embed=False)
        target = tmp_path / "bob.json"
        planned = memory.export(str(target), shape="json", entity="Robert Hall", dry_run=True)
        assert not target.exists()
        done = memory.export(str(target), shape="json", entity="Robert Hall")
        with pytest.raises(BadInput):
            memory.export(str(tmp_path / "x.json"), shape="json")
    assert (
        (planned.records, planned.notes, planned.turns) == (done.records, done.notes, done.turns) == (3, 1, 1)
    )
    document = json.loads(target.read_text(encoding="utf-8"))
    assert document["names"] == ["Robert Hall", "Bob"]
    assert {one["statement"]["text"] for one in document["records"]} == {
        "Robert Hall leads the audit.",
        "Robert Hall is also called Bob",
        "Bob moved to Lima.",
    }
    assert all(one["cite"] for part in ("records", "notes", "turns") for one in document[part])
    assert [one["text"] for one in document["turns"]] == ["Bob called again."]


def test_lines_of_a_note_can_be_forgotten(world):
    """Named as they are cited; generated lines are not, they go with their records."""
    note = world.root / "notes" / "semantic" / "plans.md"
    note.write_text("# Plans\n\nBuy a QUOKKA.\nWalk the dog.\n")
    with world.open() as memory:
        assert memory.search("quokka").hits
        (step,) = memory.plan_forget(["notes/semantic/plans.md#L3"]).steps
        assert step.act == "erase lines"
        memory.forget(["notes/semantic/plans.md#L3"])
        assert not memory.search("quokka").hits
        with pytest.raises(BadInput):
            memory.forget(["MEMORY.md#L4"])
    assert note.read_text() == "# Plans\n\nWalk the dog.\n"
    assert not [path for path in world.root.rglob("*") if path.is_file() and b"QUOKKA" in path.read_bytes()]


def test_an_unknown_session_gave_nothing(world):
    """And there is nothing to forget of it."""
    with world.open() as memory:
        assert memory.inspect(session="nobody").records == ()
        assert not memory.plan_forget(selection=Selection(session="nobody"))
