"""An existing directory is recognised by the names it holds."""

import os

import pytest

from memoracle.store.layouts import layout_of
from memoracle.store.roots import detect
from support.layouts import LAYOUTS


def lay(root, *paths):
    for path in paths:
        target = root / path
        if path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("")
    return str(root)


@pytest.mark.parametrize(
    ("layout", "paths"),
    [
        ("native", ["records/facts.jsonl", "MEMORY.md", "memoracle.toml"]),
        ("native", ["memoracle.toml"]),
        ("native", ["memoracle.toml", "projects/arena/decision/"]),
        pytest.param(
            "vm-oracle",
            [
                "knowledge-graph/",
                "embeddings/",
                "daily/",
                "sessions/",
                "activation-metadata.json",
                "MEMORY.md",
            ],
            marks=pytest.mark.seed("S0.025"),
        ),
        ("vm-oracle", ["knowledge-graph/facts.jsonl"]),
        (
            "memory-system",
            ["config.json", "layer1/snapshot.md", "layer2/active/facts.jsonl", "state/rankings.json"],
        ),
        ("memory-system", ["layer2/active/", "2026-02-04.md"]),
        ("v4", ["MEMORY.md", "memory/episodic/2026-05-15.md", "memory/semantic/projects.md"]),
        ("v4", ["MEMORY.md", "memory/working-buffer.md"]),
        ("clawseat", ["machine/credentials.json", "machine/current_context.json", "index.json"]),
        ("clawseat", ["projects/arena/decision/", "events.log"]),
        ("clawseat", ["_backlinks/"]),
        ("openclaw", ["MEMORY.md", "memory/2026-05-15.md", "SOUL.md"]),
        ("openclaw", ["memory/2026-05-15.md"]),
        ("openclaw", ["MEMORY.md", "SOUL.md"]),
    ],
)
def test_a_directory_is_recognised_by_what_its_seed_leaves(tmp_path, layout, paths):
    """Pointing Memoracle at what a user already has needs no setting."""
    assert detect(lay(tmp_path, *paths)) == layout


@pytest.mark.parametrize(
    ("layout", "paths"),
    [
        ("v4", ["MEMORY.md", "SOUL.md", "memory/2026-05-15.md", "memory/episodic/"]),
        ("vm-oracle", ["MEMORY.md", "memory/2026-05-15.md", "activation-metadata.json"]),
        ("openclaw", ["memoracle.toml", ".memoracle/state/", "MEMORY.md", "memory/semantic/x.md"]),
        ("vm-oracle", ["memoracle.toml", "knowledge-graph/facts.jsonl"]),
        ("native", ["records/facts.jsonl", "machine/openclaw.json", "projects/arena/decision/"]),
    ],
)
def test_the_more_specific_layout_wins(tmp_path, layout, paths):
    """Where several designs share names, the names only one uses decide."""
    assert detect(lay(tmp_path, *paths)) == layout


@pytest.mark.parametrize(
    "paths", [[], ["README.md", "src/main.py"], ["memory/"], ["MEMORY.md"], ["daily/x.md"]]
)
def test_nothing_is_guessed(tmp_path, paths):
    """An empty or foreign directory has no layout."""
    assert detect(lay(tmp_path, *paths)) is None


def test_an_absent_directory_has_no_layout(tmp_path):
    """Detecting never raises."""
    assert detect(str(tmp_path / "nowhere")) is None


def test_links_are_no_signs(tmp_path):
    """A link that points at somebody else's memory does not make this one."""
    lay(tmp_path, "other/knowledge-graph/facts.jsonl", "here/")
    os.symlink(tmp_path / "other" / "knowledge-graph", tmp_path / "here" / "knowledge-graph")

    assert detect(str(tmp_path / "here")) is None


def test_a_file_where_a_folder_belongs_is_no_sign(tmp_path):
    """`layer2` as a plain file says nothing."""
    assert detect(lay(tmp_path, "layer2", "projects")) is None


def test_every_layout_can_be_recognised():
    """The table of signs covers the table of layouts."""
    assert all(layout_of(name).signs for name in LAYOUTS)
