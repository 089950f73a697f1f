"""Layouts are tables; every logical name leads to one safe place in each of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.errors import BadInput, UnknownLayout
from memoracle.store.layouts import NoteRole, layout_named, note_homes, resolve
from support.layouts import LAYOUTS

PARTS = {
    "date": "2026-05-15",
    "month": "2026-05",
    "name": "infrastructure",
    "project": "arena",
    "seat": "planner",
    "kind": "decisions",
    "flat": "entity++taskid++ARENA-228",
}
SEEDS = sorted(set(LAYOUTS) - {"native"})


def role_of(layout, path):
    return next((home.role for home in note_homes(layout) if home.holds(path)), None)


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_every_layout_knows_every_native_name(layout):
    """Code that asks for a logical name needs no question about the layout."""
    assert set(LAYOUTS["native"]) <= set(layout_named(layout))


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_every_name_resolves_to_its_own_place_inside_the_root(layout):
    """No two logical names share a file, and none leaves the root."""
    paths = [resolve(LAYOUTS[layout], name, **PARTS) for name in LAYOUTS[layout]]

    assert len(set(paths)) == len(paths)
    assert not [path for path in paths if path.startswith("/") or ".." in path or "{" in path]


@pytest.mark.only("a table of names")
@pytest.mark.parametrize(
    ("layout", "name", "path"),
    [
        pytest.param("vm-oracle", "facts", "knowledge-graph/facts.jsonl", marks=pytest.mark.seed("S0.014")),
        pytest.param(
            "vm-oracle", "entities", "knowledge-graph/entities.jsonl", marks=pytest.mark.seed("S0.015")
        ),
        pytest.param(
            "vm-oracle", "relations", "knowledge-graph/relations.jsonl", marks=pytest.mark.seed("S0.016")
        ),
        pytest.param("vm-oracle", "vectors", "embeddings/index.bin", marks=pytest.mark.seed("S0.017")),
        pytest.param(
            "vm-oracle", "vector_ids", "embeddings/metadata.jsonl", marks=pytest.mark.seed("S0.018")
        ),
        pytest.param("vm-oracle", "daily", "daily/2026-05-15.md", marks=pytest.mark.seed("S0.019")),
        pytest.param("vm-oracle", "sessions", "sessions", marks=pytest.mark.seed("S0.020")),
        pytest.param("vm-oracle", "activation", "activation-metadata.json", marks=pytest.mark.seed("S0.021")),
        pytest.param("vm-oracle", "hot", "MEMORY.md", marks=pytest.mark.seed("S0.022")),
        pytest.param("vm-oracle", "health", "health.json", marks=pytest.mark.seed("S0.022")),
        pytest.param(
            "vm-oracle",
            "archived_facts",
            "knowledge-graph/archived-facts.jsonl",
            marks=pytest.mark.seed("S0.023"),
        ),
        pytest.param(
            "vm-oracle", "canaries", "knowledge-graph/canary-facts.json", marks=pytest.mark.seed("S0.023")
        ),
        pytest.param("clawseat", "machine", "machine/infrastructure.json", marks=pytest.mark.seed("S1.045")),
        pytest.param(
            "clawseat", "responses", "responses/infrastructure.json", marks=pytest.mark.seed("S1.045")
        ),
        pytest.param("clawseat", "events", "events.log", marks=pytest.mark.seed("S1.049")),
        pytest.param(
            "clawseat", "page", "projects/arena/planner/infrastructure.md", marks=pytest.mark.seed("S1.046")
        ),
        pytest.param(
            "clawseat", "links", "_links/entity++taskid++ARENA-228.jsonl", marks=pytest.mark.seed("S1.121")
        ),
        pytest.param(
            "clawseat",
            "backlinks",
            "_backlinks/entity++taskid++ARENA-228.jsonl",
            marks=pytest.mark.seed("S1.121"),
        ),
        pytest.param("memory-system", "snapshot", "layer1/snapshot.md", marks=pytest.mark.seed("S2.010")),
        pytest.param("memory-system", "facts", "layer2/active/facts.jsonl", marks=pytest.mark.seed("S2.013")),
        pytest.param(
            "memory-system",
            "archived_beliefs",
            "layer2/archive/beliefs.jsonl",
            marks=pytest.mark.seed("S2.011"),
        ),
        pytest.param(
            "memory-system", "entity_index", "layer2/entities/_index.json", marks=pytest.mark.seed("S2.014")
        ),
        pytest.param(
            "memory-system", "timeline", "layer2/index/timeline.json", marks=pytest.mark.seed("S2.015")
        ),
        pytest.param("memory-system", "rankings", "state/rankings.json", marks=pytest.mark.seed("S2.016")),
        pytest.param("v4", "daily", "memory/episodic/2026-05-15.md", marks=pytest.mark.seed("S3.003")),
        pytest.param("v4", "semantic", "memory/semantic/infrastructure.md", marks=pytest.mark.seed("S3.004")),
        pytest.param(
            "v4", "procedural", "memory/procedural/infrastructure.md", marks=pytest.mark.seed("S3.005")
        ),
        pytest.param("v4", "buffer", "memory/working-buffer.md", marks=pytest.mark.seed("S3.009")),
        pytest.param("v4", "hot", "MEMORY.md", marks=pytest.mark.seed("S3.010")),
        pytest.param(
            "v4", "archived_daily", "memory/archive/2026/05/2026-05-15.md", marks=pytest.mark.seed("S3.013")
        ),
        pytest.param("openclaw", "daily", "memory/2026-05-15.md", marks=pytest.mark.seed("S4.002")),
        pytest.param("openclaw", "hot", "MEMORY.md", marks=pytest.mark.seed("S4.006")),
        pytest.param("openclaw", "soul", "SOUL.md", marks=pytest.mark.seed("S4.009")),
    ],
)
def test_seed_files_stand_where_their_seed_puts_them(layout, name, path):
    """A directory that a seed's user already has is adopted in place."""
    assert resolve(layout_named(layout), name, **PARTS) == path


@pytest.mark.parametrize("layout", SEEDS)
@pytest.mark.parametrize("name", ["state", "index", "quarantine", "trash", "usage"])
def test_what_a_seed_has_no_place_for_is_sheltered(layout, name):
    """Our own machinery never mixes with the files of another design."""
    assert resolve(layout_named(layout), name, **PARTS).startswith(".memoracle/")


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_settings_stand_at_one_place_in_all_layouts(layout):
    """The settings say which layout a root has, so finding them needs none."""
    assert resolve(layout_named(layout), "settings") == "memoracle.toml"


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
@pytest.mark.parametrize("role", list(NoteRole))
def test_where_a_note_is_written_is_where_it_is_found(layout, role):
    """The homes agree with the templates: a written note is listed again, with the same role."""
    assert role_of(layout, resolve(layout_named(layout), role, **PARTS)) is role


@pytest.mark.parametrize(
    ("layout", "path", "role"),
    [
        ("clawseat", "projects/arena/reviewer/findings/2026-05-09-x.md", NoteRole.PAGE),
        ("clawseat", "learnings/tmux.md", NoteRole.PROCEDURAL),
        ("openclaw", "memory.md", NoteRole.HOT),
        ("openclaw", "memory/projects.md", NoteRole.SEMANTIC),
        ("openclaw", "memory/2026-05-15-standup.md", NoteRole.DAILY),
        ("v4", ".learnings/ERRORS.md", NoteRole.PROCEDURAL),
        ("v4", "memory/2026-05-15.md", NoteRole.DAILY),
    ],
)
def test_other_notes_of_a_seeds_users_are_found_too(layout, path, role):
    """What people have beyond our own templates is still a note."""
    assert role_of(layout, path) is role


@pytest.mark.parametrize(
    ("layout", "path"),
    [
        ("clawseat", "projects/arena/_index/files.md"),
        ("clawseat", "projects/arena/decision/_index.md"),
        ("clawseat", "_links/projects__arena__decision__foo.md"),
        ("openclaw", "memory/trash/old.md"),
        ("openclaw", "memory/.draft.md"),
        ("openclaw", "memory/SOUL.md"),
        ("openclaw", "SOUL.md"),
    ],
)
def test_reserved_names_are_no_notes(layout, path):
    """Indexes, trash, hidden files and SOUL.md never appear among the notes."""
    assert role_of(layout, path) is None


@pytest.mark.parametrize(
    "parts",
    [
        {"name": "../../etc/passwd"},
        {"name": "a/b"},
        {"name": ".hidden"},
        {"name": "con"},
        {"name": ""},
        {"name": "naïve".replace("ï", "i\u0308")},
        {},
    ],
)
def test_a_part_that_is_no_name_is_refused(parts):
    """A template is only filled with names that are safe on every disk."""
    with pytest.raises(BadInput):
        resolve(LAYOUTS["native"], "semantic", **parts)


@pytest.mark.parametrize(
    "day", ["2026-13-01", "20260515", "2026-W20-5", "today", "2026-5-1", "../2026-05-15"]
)
def test_a_day_is_an_iso_date(day):
    """One day has one file name."""
    with pytest.raises(BadInput):
        resolve(LAYOUTS["native"], "daily", date=day)


@pytest.mark.parametrize("month", ["2026", "2026-13", "2026-5", "2026-05-15"])
def test_a_month_is_a_year_and_a_month(month):
    """One month has one file name."""
    with pytest.raises(BadInput):
        resolve(LAYOUTS["native"], "usage", month=month)


@pytest.mark.parametrize("project", ["archive", "Trash"])
def test_no_project_is_named_like_a_folder_that_listings_pass_over(project):
    """A page that could be written but never listed cannot be written."""
    with pytest.raises(BadInput):
        resolve(LAYOUTS["native"], "page", project=project, seat="memory", name="x")


def test_an_unknown_logical_name_is_bad_input():
    """A projection that only another layout has is not guessed."""
    with pytest.raises(BadInput):
        resolve(LAYOUTS["native"], "snapshot")


def test_an_unknown_layout_names_the_known_ones():
    """The error helps to choose."""
    with pytest.raises(UnknownLayout) as caught:
        layout_named("obsidian")

    assert "vm-oracle" in caught.value.hint


@given(st.text(max_size=40))
def test_no_text_escapes_its_folder(name):
    """Whatever is given as a name, the path is refused or stays directly in its folder."""
    try:
        path = resolve(LAYOUTS["native"], "semantic", name=name)
    except BadInput:
        return
    assert path == f"notes/semantic/{name}.md"
    assert path.count("/") == 2


@given(st.text(max_size=40))
def test_no_encoded_address_escapes_its_folder(flat):
    """The same holds for addresses in the link folders."""
    try:
        path = resolve(LAYOUTS["clawseat"], "links", flat=flat)
    except BadInput:
        return
    assert path.count("/") == 1
    assert not flat.startswith(".")
