"""The index files of clawseat's tools, derived from pages."""

import json

import pytest

from memoracle.compose import init, open_memory
from seats.people import write
from support.files import PLAIN, contents
from support.files import write as put


@pytest.fixture
def seated(tmp_path, clock):
    """A memory in the layout of clawseat."""
    place = tmp_path / "seated"
    init(str(place), layout="clawseat", environment={})
    with open_memory(str(place), environment=PLAIN, clock=clock) as memory:
        yield memory


def read(memory, path):
    with open(f"{memory.store.root}/{path}", encoding="utf-8") as file:
        return [json.loads(line) for line in file] if path.endswith("l") else json.load(file)


@pytest.mark.seed("S1.045", "S1.046", "S1.049")
def test_pages_stand_where_clawseat_has_them(seated, tmp_path):
    """No shelter around them."""
    assert write(seated, seat="memory").path.startswith("projects/arena/decision/")
    assert write(seated, seat="patrol", kind="alignment").path.startswith(
        "projects/arena/patrol/doc-code-alignment/"
    )


@pytest.mark.seed("S1.140", "S1.141")
def test_four_files_per_project(seated):
    """Headers with path, size and time; pairs of characters; wikilinks; a timeline."""
    page = write(seated, seat="builder", title="缓存", body="See [[finding/lock|the lock]] and [[plan]].")
    write(seated, seat="planner", title="Later", body="x", ts=None)
    seated.seats.index_pages("arena")
    base = "projects/arena/_index"
    files = read(seated, f"{base}/files.json")
    assert (files["version"], [one["title"] for one in files["files"]]) == (1, ["缓存", "Later"])
    assert {"path", "size", "mtime"} <= files["files"][0].keys()
    assert read(seated, f"{base}/search.json")["bigrams"]["缓存"] == [page.path]
    links = read(seated, f"{base}/links.json")
    assert [edge["to"] for edge in links["edges"]] == ["finding/lock", "plan"]
    assert [row["kind"] for row in read(seated, f"{base}/timeline.jsonl")] == ["decision", "decision"]


@pytest.mark.seed("S1.142", "F-28")
def test_the_root_index_has_one_owner(seated):
    """Per project count, kinds and last time; a night of upkeep and new pages never take entries out of it."""
    write(seated, seat="builder")
    write(seated, seat="reviewer", kind="finding", project="other")
    seated.seats.index_pages()
    seated.consolidate()
    seated.seats.index_pages("arena")
    found = read(seated, "index.json")["projects"]
    assert found == {
        "arena": {"file_count": 1, "kinds": {"decision": 1}, "last_ts": "2026-05-15T09:30:00Z"},
        "other": {"file_count": 1, "kinds": {"finding": 1}, "last_ts": "2026-05-15T09:30:00Z"},
    }


@pytest.mark.seed("S1.143")
def test_building_them_again_changes_nothing(seated, tmp_path):
    """Not one byte; and what has no header is left out."""
    write(seated, seat="builder")
    put(tmp_path / "seated", "projects/arena/builder/plain.md", "# Plain\n")
    seated.seats.index_pages()
    before = contents(tmp_path / "seated", skip=(".memoracle",))
    assert (seated.seats.index_pages().steps, contents(tmp_path / "seated", skip=(".memoracle",))) == (
        (),
        before,
    )
    assert len(read(seated, "projects/arena/_index/files.json")["files"]) == 1


@pytest.mark.seed("S1.143", "S1.140")
def test_the_night_brings_them_up_to_date(seated):
    """`tend` at 03:00 is the one line a scheduler needs."""
    write(seated, seat="builder")
    seated.consolidate()
    assert read(seated, "index.json")["projects"]["arena"]["file_count"] == 1


@pytest.mark.seed("F-39")
def test_index_files_are_never_pages(seated):
    """Nor facts."""
    write(seated, seat="builder")
    seated.seats.index_pages()
    assert len(seated.seats.pages(project="arena")) == 1
    assert seated.seats.get("files", project="arena").status == "not_in_memory_db"


def test_the_native_layout_needs_none(memory):
    """Its view answers."""
    write(memory)
    assert memory.seats.index_pages().steps == ()


def test_what_somebody_else_wrote_there_is_kept(seated, tmp_path):
    """In the archive, before it is replaced."""
    put(tmp_path / "seated", "index.json", '{"memory_notes": [1]}')
    write(seated, seat="builder")
    seated.seats.index_pages()
    kept = list((tmp_path / "seated").rglob("originals/index.json*"))
    assert len(kept) == 1
