"""One look at the files: each folder listed once, links never followed, and the same notes as one by one."""

import os

import pytest

from memoracle.extensions.seats.files_pages import page_files, page_files_named
from memoracle.model.ids import IdSource
from memoracle.model.manifest import Role
from memoracle.store.disk import DiskVolume
from memoracle.store.layouts import NoteRole, NoteTree, note_homes
from memoracle.store.store import Store, Unguarded
from memoracle.times import system_clock
from support.files import write
from support.layouts import LAYOUTS

FOLDERS = (
    "", "x", "notes", "notes/semantic", "notes/semantic/deep/er", "notes/daily", "notes/procedural", "projects", "projects/a",
    "projects/a/b", "projects/a/b/c", "projects/a/archive", "projects/.a/b", "projects/a/_links", "shared", "shared/tools",
    "shared/tools/deep", "learnings", "learnings/deep", ".learnings", "memory", "memory/semantic", "memory/episodic",
    "memory/archive/2025", "memory/_index", "daily", "research", "research/trash/x", ".memoracle/notes/semantic",
    ".memoracle/notes/daily", ".memoracle/projects/a/b", ".memoracle/learnings", "machine", "memory/procedural",
)  # fmt: skip
NAMES = (
    "a.md", "b.txt", ".hidden.md", "_index.md", "_links.md", "SOUL.md", "soul.md", "MEMORY.md", "memory.md",
    "2026-05-15.md", "2026-05-15-x.md", "2026-5-1.md", "working-buffer.md", "x.json", ".md", "dev_env.json",
)  # fmt: skip
layouts = pytest.mark.parametrize("layout", sorted(LAYOUTS))


@pytest.fixture
def full(root):
    """A root with every name in every folder."""
    for folder in FOLDERS:
        for name in NAMES:
            write(root, f"{folder}/{name}" if folder else name, "x")
    return root


def a_store(root, layout):
    return Store(str(root), layout=layout, clock=system_clock, ids=IdSource(), guard=Unguarded())


def paths_in(root):
    return [
        os.path.relpath(os.path.join(folder, name), root)
        for folder, _, names in os.walk(root)
        for name in names
    ]


@layouts
def test_a_folder_answers_for_all_its_names(layout):
    """Asking once per folder gives the same answer as asking for every file."""
    differing = [
        (home, folder, name)
        for home in note_homes(layout)
        for folder in FOLDERS
        for name in NAMES
        if name.endswith(".md")
        and home.holds(f"{folder}/{name}" if folder else name)
        != bool((holds := home.holds_in(folder)) and holds(name))
    ]

    assert differing == []


@layouts
def test_the_listing_is_what_each_file_says_of_itself(full, layout):
    """Every file that some home holds is listed, with the role of the first that does, and no other file."""
    homes = note_homes(layout)
    expected = {
        path: next(home.role for home in homes if home.holds(path))
        for path in paths_in(full)
        if any(home.holds(path) for home in homes)
    }

    assert a_store(full, layout).notes.files() == expected


@layouts
def test_some_roles_are_a_part_of_all(full, layout):
    """Asking for a role gives what the whole listing has of it."""
    store = a_store(full, layout)
    everything = store.notes.files()

    assert {role: store.notes.files(role) for role in NoteRole} == {
        role: {path: own for path, own in everything.items() if own is role} for role in NoteRole
    }


@layouts
def test_one_note_is_known_without_a_listing(full, layout):
    """A path is a note exactly when the listing has it; links, folders and absent files are none."""
    store = a_store(full, layout)
    asked = [*paths_in(full), "notes", "projects/a/b/none.md", "../x.md", "/etc/a.md", ""]

    assert {path for path in asked if store.notes.holds(path)} == set(store.notes.files())


@layouts
def test_pages_by_the_beginning_of_their_names(full, layout):
    """The names that begin so, among all pages."""
    store = a_store(full, layout)
    expected = [path for path in page_files(store) if os.path.basename(path).startswith("2026-05-15")]

    assert page_files_named(store, "2026-05-15") == expected


@layouts
def test_the_manifest_describes_every_note_as_it_is(full, layout):
    """Size, times and inode of every listed note, in the order of their paths."""
    store = a_store(full, layout)
    found = [state for state in store.manifest() if state.role is Role.NOTE]

    assert [state.path for state in found] == sorted(store.notes.files())
    for state in found:
        seen = os.lstat(full / state.path)
        looks = (state.size, state.modified, state.changed, state.inode)
        assert looks == (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


@pytest.mark.parametrize(
    "link", ["projects", "projects/a", "projects/a/b", "projects/a/b/x.md", "machine", "projects/p"]
)
def test_links_are_passed_over_at_every_step(tmp_path, link):
    """A link to a folder or a file, wherever it stands, leads to nothing."""
    outside, root = tmp_path / "outside", tmp_path / "root"
    for name in ("x.md", "b/x.md", "a/b/x.md", "dev_env.json", "a/dev_env.json"):
        write(outside, name, "secret")
    (root / link).parent.mkdir(parents=True)
    (root / link).symlink_to(outside / "x.md" if link.endswith(".md") else outside)

    assert a_store(root, "native").manifest() == []


def test_a_folder_is_listed_once(root):
    """Whoever asks a second time gets the first answer; a new tree sees what is new."""
    write(root, "notes/a.md", "x")
    tree = NoteTree(DiskVolume(str(root)))
    before = tree.folder("notes")
    write(root, "notes/b.md", "x")

    assert (
        tree.folder("notes"),
        [one.name for one in NoteTree(DiskVolume(str(root))).folder("notes").files],
    ) == (
        before,
        ["a.md", "b.md"],
    )


@pytest.mark.parametrize("folder", ["none", "file", "file/below", "../outside", "a/../../outside"])
def test_what_is_no_folder_holds_nothing(tmp_path, folder):
    """Absent, a file, or outside the root: nothing stands there."""
    write(tmp_path, "outside/x.md", "x")
    write(tmp_path, "root/file", "x")

    found = NoteTree(DiskVolume(str(tmp_path / "root"))).folder(folder)

    assert (list(found.files), list(found.folders)) == ([], [])
