"""The hot file, the snapshot and the projections on disk: steady, and never at the owner's cost."""

import json
from datetime import UTC

import pytest

from context.standing import one
from memoracle.compose import init
from memoracle.context.publish import publish_hot, shown_before
from memoracle.extensions.layouts.projections import publish_projections
from memoracle.store.erase import erase, tombstone
from memoracle.store.generated import owners_text
from support.build import a_change, days
from support.clock import START
from support.files import contents
from support.stores import a_store, keep

OLD = START - days(40)


def a_root(tmp_path, layout="native"):
    root = tmp_path / layout
    init(str(root), layout=layout, environment={})
    return root, a_store(root, layout=layout)


def hot(store, *records, **how):
    how.setdefault("now", START)
    with store.writing():
        return publish_hot(store, list(records), zone=UTC, **how)


def projections(store, *records, **how):
    how.setdefault("now", START)
    with store.writing():
        return publish_projections(store, list(records), zone=UTC, **how)


RECORDS = [one(f"fact {number}", 0.9, at=OLD, entities=("Mei",), predicate="likes") for number in range(5)]


@pytest.mark.seed("S0.013", "C-09")
def test_five_runs_leave_the_same_bytes(tmp_path):
    """In every layout; only the first one changes anything."""
    for layout in ("native", "vm-oracle", "memory-system", "v4", "clawseat", "openclaw"):
        root, store = a_root(tmp_path, layout)
        assert hot(store, *RECORDS).steps
        projections(store, *RECORDS)
        before = contents(root)
        for run in range(5):
            done = hot(store, *RECORDS, now=START + days(run)), projections(store, *RECORDS)
            assert [one_done.steps for one_done in done] == [(), ()]
        assert contents(root) == before


def test_a_dry_run_says_and_does_nothing(tmp_path):
    """The steps are those of the real run."""
    root, store = a_root(tmp_path, "memory-system")
    with store.writing():
        pass
    before = contents(root)
    planned = hot(store, *RECORDS, dry_run=True).steps, projections(store, *RECORDS, dry_run=True).steps
    assert contents(root) == before
    assert (hot(store, *RECORDS).steps, projections(store, *RECORDS).steps) == planned
    assert planned[0]


def test_the_owner_edits_during_the_run(tmp_path):
    """What they wrote is there, byte for byte, and so is the block."""
    root, store = a_root(tmp_path)
    edits = iter(["# Mine\n\nallergic to morning meetings\n"])
    hot(store, *RECORDS, meanwhile=lambda: [(root / "MEMORY.md").write_text(text) for text in edits])
    text = (root / "MEMORY.md").read_text()
    assert text.startswith("# Mine\n\nallergic to morning meetings\n")
    assert (owners_text(text).strip(), "fact 4" in text) == ("# Mine\n\nallergic to morning meetings", True)


def test_the_block_remembers_who_was_there(tmp_path):
    """A record that faded to 0.2 stays because it stands there; one that comes new with 0.2 does not."""
    root, store = a_root(tmp_path)
    record = one("old friend", 0.9, at=OLD)
    hot(store, record)
    faded = one("old friend", 0.2, at=OLD, ref=record.passage.ref)
    hot(store, faded, one("newcomer", 0.2, at=OLD))
    text = (root / "MEMORY.md").read_text()
    assert ("old friend" in text, "newcomer" in text, len(shown_before(store))) == (True, False, 1)


def test_an_owner_with_the_other_spelling_keeps_it(tmp_path):
    """`memory.md` is not joined by a second file."""
    root, store = a_root(tmp_path, "openclaw")
    (root / "MEMORY.md").rename(root / "memory.md")
    hot(store, *RECORDS)
    assert ((root / "MEMORY.md").exists(), "fact 1" in (root / "memory.md").read_text()) == (False, True)


def test_a_large_hot_file_is_told(tmp_path):
    """As a finding with a code."""
    root, store = a_root(tmp_path)
    (root / "MEMORY.md").write_text("line\n" * 190)
    assert [finding.code for finding in hot(store, *RECORDS).findings] == ["hot-file-large"]


@pytest.mark.seed("S2.010", "S2.059", "S2.110")
def test_the_snapshot_stands_where_its_design_loads_it(tmp_path):
    """`layer1/snapshot.md`, beside the hot file."""
    root, store = a_root(tmp_path, "memory-system")
    hot(store, *RECORDS)
    text = (root / "layer1/snapshot.md").read_text()
    assert ("\n# Working memory\n> Updated: " in text, text.count("fact ")) == (True, 5)
    a_store(root, layout="native")
    native, other = a_root(tmp_path)
    hot(other, *RECORDS)
    assert not (native / "layer1").exists()


@pytest.mark.seed("S0.033")
def test_entities_and_relations_change_when_something_new_appears(tmp_path):
    """One more fact of a known sort changes neither; a new entity lets the counts move."""
    root, store = a_root(tmp_path, "vm-oracle")
    path = root / "knowledge-graph/relations.jsonl"
    projections(store, *RECORDS)
    before = path.read_bytes()
    more = one("fact 6", entities=("Mei",), predicate="likes")
    projections(store, *RECORDS, more)
    assert path.read_bytes() == before
    projections(store, *RECORDS, more, one("fact 7", entities=("Rex",), predicate="likes"))
    assert [json.loads(line) for line in path.read_text().splitlines()] == [{"relation": "likes", "count": 7}]


@pytest.mark.seed("S0.068")
def test_what_stood_there_before_is_kept(tmp_path):
    """A file of the adopted design is copied to the archive once, then replaced."""
    root, store = a_root(tmp_path, "vm-oracle")
    (root / "activation-metadata.json").write_text('{"fact-1": {"activation": 0.4}}')
    projections(store, *RECORDS)
    projections(store, *RECORDS[:2])
    kept = [path for path in contents(root) if "originals" in path]
    assert kept == [".memoracle/archive/originals/activation-metadata.json"]
    assert (root / kept[0]).read_text() == '{"fact-1": {"activation": 0.4}}'
    assert len(json.loads((root / "activation-metadata.json").read_text())) == 2


def test_pages_of_entities_come_and_go(tmp_path):
    """A page that somebody else wrote or changed stays."""
    root, store = a_root(tmp_path, "memory-system")
    folder = root / "layer2/entities"
    projections(store, *RECORDS, one(entities=("Rex", "Ada")))
    (folder / "own.json").write_text("{}")
    (folder / "ada.json").write_text('{"name": "Ada", "note": "mine"}')
    projections(store, *RECORDS)
    assert sorted(path.name for path in folder.iterdir()) == [
        "_index.json",
        "ada.json",
        "mei.json",
        "own.json",
    ]


@pytest.mark.parametrize("layout", ["native", "memory-system", "vm-oracle"])
def test_an_erased_record_leaves_nothing_generated(tmp_path, layout):
    """Neither its line in a block nor its words in a document."""
    root, store = a_root(tmp_path, layout)
    records = keep(store, "the canary is called Tweety-4711", "the cat is called Miso")
    shown = [
        one(record.text, ref=record.id, entities=(record.text.split()[-1],), at=OLD) for record in records
    ]
    hot(store, *shown)
    projections(store, *shown)
    with store.writing():
        erased = erase(store, [tombstone(records[0], a_change("forget"))])
    left = [path for path in contents(root) if b"Tweety" in (root / path).read_bytes()]
    assert (erased.remaining, left, "Miso" in (root / "MEMORY.md").read_text()) == ((), [], True)


def test_a_kill_between_noting_and_writing_makes_nobody_elses_file(tmp_path):
    """What memory wrote itself is never taken for the owner's, whichever of the two steps was reached."""
    root, store = a_root(tmp_path, "vm-oracle")
    projections(store, *RECORDS)
    old = (root / "activation-metadata.json").read_bytes()
    projections(store, *RECORDS[:3])
    (root / "activation-metadata.json").write_bytes(old)  # as if the last write had not been reached
    projections(store, *RECORDS[:1])
    assert [path for path in contents(root) if "originals" in path] == []
