"""The files of links that a published design keeps beside its pages."""

import json

import pytest

from memoracle.compose import init, open_memory
from memoracle.recall.linked import write_links
from support.files import PLAIN
from support.pages import write_page

A, B = "projects/arena/decision/a", "projects/arena/decision/b"


@pytest.fixture
def adopted(tmp_path, clock):
    root = tmp_path / "seats"
    init(str(root), layout="clawseat", environment={})
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        yield root, memory


def lines(root, path):
    return [json.loads(line) for line in (root / path).read_text(encoding="utf-8").splitlines()]


@pytest.mark.seed("S1.121", "S1.124")
def test_both_directions_have_files(adopted, clock):
    """An edge stands in the file of its source and in that of its target, with the fields other tools read."""
    root, memory = adopted
    write_page(root, A, "settled in ARENA-228")
    write_links(memory.root)
    edge = {
        "from": A,
        "to": "entity:taskid:ARENA-228",
        "type": "references-task",
        "snippet": "settled in ARENA-228",
    }
    out = lines(root, "_links/projects__arena__decision__a.jsonl")
    back = lines(root, "_backlinks/entity++taskid++ARENA-228.jsonl")
    assert (out == back, {k: v for k, v in out[0].items() if k != "extracted_at"}, len(out)) == (
        True,
        edge,
        1,
    )


@pytest.mark.seed("S1.134", "S1.133")
def test_writing_again_changes_nothing_and_what_is_gone_is_pruned(adopted, clock):
    """Five mentions are one edge; a second run writes no byte; a target without links loses its file."""
    root, memory = adopted
    write_page(root, A, "ARENA-1 " * 5 + "and [[b]]")
    write_page(root, B, "here")
    first = write_links(memory.root, A)
    clock.move(days=1)
    again = write_links(memory.root, A)
    write_page(root, A, "now ARENA-2")
    third = write_links(memory.root, A)
    left = sorted(path.name for path in (root / "_backlinks").iterdir())
    counts = [
        (one.source, one.edges_total, one.targets_added, one.targets_removed) for one in (first, again, third)
    ]
    assert (counts, again.paths, left) == (
        [(A, 2, 2, 0), (A, 2, 0, 0), (A, 1, 1, 2)],
        (),
        ["entity++taskid++ARENA-2.jsonl"],
    )


@pytest.mark.seed("F-35")
def test_a_very_long_address_gets_its_file(adopted):
    """Both files are there, and the whole address stands inside."""
    root, memory = adopted
    url = "https://example.com/" + "x" * 2000
    write_page(root, A, f"see {url}")
    write_links(memory.root)
    (path,) = (root / "_backlinks").iterdir()
    assert lines(root, f"_backlinks/{path.name}")[0]["to"] == f"entity:url:{url}"


def test_a_dry_run_writes_nothing(adopted):
    """It says which files would change."""
    root, memory = adopted
    write_page(root, A, "ARENA-1")
    done = write_links(memory.root, dry_run=True)
    assert (len(done.paths), (root / "_links").exists()) == (2, False)


def test_a_layout_without_such_files_goes_without(root, memory):
    """The edges are counted, and nothing is written."""
    write_page(root, "notes/semantic/a", "ARENA-1")
    assert (write_links(memory.root).edges_total, write_links(memory.root).paths) == (1, ())


@pytest.mark.seed("S1.120")
def test_the_night_keeps_the_files_up_to_date(adopted):
    """A consolidation writes them without being asked, and a second one has nothing to do."""
    root, memory = adopted
    write_page(root, A, "settled in ARENA-228")
    memory.consolidate(force=True)
    path = root / "_links/projects__arena__decision__a.jsonl"
    written = path.read_bytes()
    memory.consolidate(force=True)
    assert (b"ARENA-228" in written, path.read_bytes()) == (True, written)
