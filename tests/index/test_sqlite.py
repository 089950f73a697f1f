"""The embedded view: the contract, and what is peculiar to a file that may be deleted at any time."""

import os
import random
import shutil
import subprocess
import tempfile

import pytest

from index.contract import FACTS, Truth
from memoracle.compose import init, open_memory
from memoracle.index import api as synchronising
from memoracle.index.api import sync
from memoracle.index.sqlite.view import SqliteIndex
from memoracle.learn.draft import make_draft
from support.build import a_passage, a_record
from support.clock import START as NOW
from support.files import PLAIN
from support.processes import PYTHON, start, surroundings


@pytest.fixture
def filled(root, memory):
    """A root with three hundred records and a note, whose view stands on disk."""
    memory.remember_many([make_draft(f"the quokka number {n} likes saffron {n % 7}") for n in range(300)])
    (root / "notes/semantic/zoo.md").write_text("# Zoo\n#tags: animals\n\nThe quokka house opens at nine.\n")
    answers(memory)
    memory.close()
    return root


QUESTIONS = (
    "quokka number 17",
    "saffron 3",
    "when does the quokka house open",
    "number 299",
    "nothing of the kind",
)


def answers(memory):
    found = [memory.search(question) for question in QUESTIONS]
    return [(f.verdict, [(h.passage.cite, h.score) for h in f.hits]) for f in found]


def met(found):
    """What a search met, best first."""
    return [hit.passage.text for hit in found.hits]


def asked(root):
    with open_memory(str(root), environment=PLAIN, clock=lambda: NOW) as memory:
        return answers(memory)


def database(root):
    (path,) = [
        root / "index" / name
        for name in os.listdir(root / "index")
        if name.endswith(".db") and not name.startswith("vectors")
    ]
    return path


# Work


def statements_of(memory, question):
    """Everything SQLite is asked for one search."""
    seen = []
    memory.index._connection.set_trace_callback(seen.append)
    memory.search(question)
    memory.index._connection.set_trace_callback(None)
    return [" ".join(one.split()) for one in seen]


def test_a_warm_search_asks_little(memory, root, monkeypatch):
    """Two words, four records: a dozen statements, no posting list twice, and no file of vectors where there is none."""
    monkeypatch.setattr(synchronising, "_UNSETTLED_NS", 0)  # else a file of this moment is read once more
    for text in (
        "The cat is called Miso",
        "Rex hates the cat",
        "Deploys run on Tuesday",
        "The vet sees Miso",
    ):
        memory.remember(text)
    first = memory.search("cat Miso")
    memory.search("cat Miso")
    seen = statements_of(memory, "cat Miso")
    assert len(seen) <= 13, seen
    postings = [one for one in seen if "FROM postings" in one]
    assert (len(set(postings)), 3 >= len(postings) >= 2) == (len(postings), True)
    assert not (root / "index" / "vectors.db").exists()
    assert memory.search("cat Miso").hits == first.hits


def test_whoever_only_remembers_opens_no_view(memory, root):
    """A record is a line in a file; the view is opened by the first question."""
    memory.remember("The cat is called Miso")
    before = (root / "index").exists()
    memory.search("cat")
    assert (before, (root / "index").exists()) == (False, True)


# Damage


def scribble(path, where, length=4096):
    with open(path, "r+b") as file:
        file.seek(where)
        file.write(random.Random(where).randbytes(length))


DAMAGE = {
    "nothing left": lambda path: open(path, "wb").close(),
    "cut in half": lambda path: os.truncate(path, os.path.getsize(path) // 2),
    "cut to a page": lambda path: os.truncate(path, 4096),
    "all zeroes": lambda path: path.write_bytes(bytes(os.path.getsize(path))),
    "random bytes": lambda path: path.write_bytes(random.Random(1).randbytes(os.path.getsize(path))),
    "a torn header": lambda path: scribble(path, 0, 100),
    "a text file": lambda path: path.write_text("hello\n" * 2000),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.long
@pytest.mark.seed("C-01", "S0.017")
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_view_is_built_again(filled, damage):
    """Whatever happened to the file, the answers are the same as before."""
    before = asked(filled)
    DAMAGE[damage](database(filled))
    assert asked(filled) == before


def test_damaged_vectors_are_no_obstacle(filled):
    """The file that keeps vectors by content may break too."""
    before = asked(filled)
    for path in (filled / "index").glob("vectors*"):
        path.write_bytes(random.Random(2).randbytes(20_000))
    assert asked(filled) == before


def test_damage_inside_the_file_is_healed_too(filled):
    """Pages that break only when a search reaches them are no reason to fail: the view is built again."""
    before = asked(filled)
    path = database(filled)
    pages = os.path.getsize(path) // 4096
    for page in range(3, pages):
        scribble(path, page * 4096, 2048)
    assert asked(filled) == before


@pytest.mark.seed("C-01")
def test_a_deleted_view_is_built_again(filled):
    """Deleting the index loses time, never knowledge."""
    before = asked(filled)
    shutil.rmtree(filled / "index")
    assert asked(filled) == before


def test_a_view_deleted_while_in_use_is_built_again(filled):
    """An open memory notices that its index has gone."""
    with open_memory(str(filled), environment=PLAIN, clock=lambda: NOW) as memory:
        before = answers(memory)
        shutil.rmtree(filled / "index")
        assert (answers(memory), database(filled).exists()) == (before, True)


def test_a_view_for_other_terms_is_built_again(filled, monkeypatch):
    """Another fingerprint means another build; the old file is removed."""
    from memoracle.index.sqlite import connection

    before, old = asked(filled), database(filled)
    monkeypatch.setattr(connection, "TERMS_VERSION", 10_000)
    assert (asked(filled), old.exists(), database(filled).exists()) == (before, False, True)


@pytest.mark.parametrize("pointer", [b"", b"../../etc/passwd", b"nowhere.db\n", b"\xff\xfe", b"x" * 10_000])
def test_a_pointer_to_nowhere_is_passed_over(filled, pointer):
    """What `current` names is only ever a file beside it."""
    before = asked(filled)
    (filled / "index/current").write_bytes(pointer)
    assert asked(filled) == before


# Busy is not damaged

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_busy_view_still_answers_and_says_so(filled):
    """While another process changes the view, recall answers from what is there, and mentions it."""
    before, path = asked(filled), database(filled)
    holder = start(HOLD, path)
    try:
        assert holder.stdout.readline() == "held\n"
        with open_memory(str(filled), environment=PLAIN, clock=lambda: NOW) as memory:
            assert memory.search("quokka number 17").warnings == ()
            memory.remember("the wombat sleeps")
            found = memory.search("quokka number 17")
            assert (met(found) != [], len(found.warnings)) == (True, 1)
            assert met(memory.search("wombat")) == []
    finally:
        holder.communicate("")
    assert path.exists()
    with open_memory(str(filled), environment=PLAIN, clock=lambda: NOW) as memory:
        assert met(memory.search("wombat"))[0] == "the wombat sleeps"
    assert before


def test_a_view_that_is_being_built_answers_and_says_so(filled):
    """Readers see a view fill; what is missing is not taken for unknown in silence."""
    with open_memory(str(filled), environment=PLAIN, clock=lambda: NOW) as memory:
        memory.index.set_whole(False)
        holder = start(HOLD, database(filled))
        try:
            holder.stdout.readline()
            found = memory.search("quokka number 17")
            assert (met(found) != [], len(found.warnings)) == (True, 1)
        finally:
            holder.communicate("")


def test_two_builders_do_not_write_twice(tmp_path, monkeypatch):
    """A second process that gets in between two batches of a rebuild leaves no row doubled."""
    from memoracle.index.sqlite import writer

    monkeypatch.setattr(writer, "_CHUNK", 10)
    truth = Truth()
    truth.records(FACTS, *(a_record(f"quokka {n}") for n in range(30)))
    first, second = SqliteIndex(str(tmp_path / "index")), SqliteIndex(str(tmp_path / "index"))
    seen = []

    def between(statement):
        seen.append(statement)
        if statement == "BEGIN IMMEDIATE" and seen.count(statement) == 2:
            sync(truth, second)

    first._connection.set_trace_callback(between)
    sync(truth, first)
    first._connection.set_trace_callback(None)
    fresh = SqliteIndex(None)
    sync(truth, fresh)
    assert seen.count("BEGIN IMMEDIATE") >= 2
    assert first.dump() == fresh.dump()


# Other processes

RECALL_FOR_A_WHILE = """
import sys, time
from memoracle.compose import open_memory
until = time.monotonic() + float(sys.argv[2])
rounds = 0
while time.monotonic() < until:
    with open_memory(sys.argv[1], environment={'MEMORACLE_RECIPE': 'quick'}) as memory:
        for _ in range(3):
            found = memory.search("quokka number 17")
            hits = found.hits
            assert hits and "quokka" in hits[0].passage.text, "no answer"
            rounds += 1
print(rounds)
"""


def test_the_index_can_be_deleted_while_others_recall(filled):
    """Three processes recall while the folder is deleted again and again; none of them ever fails."""
    readers = [start(RECALL_FOR_A_WHILE, filled, "4") for _ in range(3)]
    while any(reader.poll() is None for reader in readers):
        shutil.rmtree(filled / "index", ignore_errors=True)
        try:
            readers[0].wait(0.15)
        except subprocess.TimeoutExpired:
            continue
    finished = [reader.communicate() for reader in readers]
    assert [error for _, error in finished] == ["", "", ""]
    assert all(int(output) > 0 for output, _ in finished)


def test_many_processes_can_build_the_first_view(filled):
    """Eight processes that all find no index answer alike."""
    shutil.rmtree(filled / "index")
    code = (
        "import sys; from memoracle.compose import open_memory\n"
        "found = open_memory(sys.argv[1], environment={'MEMORACLE_RECIPE': 'quick'}).search('number 17')\n"
        "print([h.passage.text for h in found.hits][:1])"
    )
    runs = [start(code, filled) for _ in range(8)]
    outcomes = {run.communicate() for run in runs}
    assert outcomes == {("['the quokka number 17 likes saffron 3']\n", "")}


# Folders that cannot be written

NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")


@pytest.fixture
def others_root():
    """A memory that belongs to somebody else: readable, not writable."""
    folder = tempfile.mkdtemp(prefix="memoracle-", dir="/tmp")
    os.chmod(folder, 0o755)
    place = os.path.join(folder, "memory")
    init(place, environment={})
    with open_memory(place, environment={}) as memory:
        memory.remember("the cat is called Miso")
        yield memory, place
    shutil.rmtree(folder)


def open_to_all(place):
    for where, _, names in os.walk(place):
        os.chmod(where, 0o755)
        for name in names:
            os.chmod(os.path.join(where, name), 0o644)


def as_nobody(place, question):
    code = (
        "import os, sys, tempfile\n"
        "from memoracle.compose import init, open_memory\n"
        "from memoracle.errors import ReadOnlyRoot\n"
        # Everything is imported before the change of user: nobody may not even read Python's own files.
        "with tempfile.TemporaryDirectory() as own:\n"
        "    init(own, environment={})\n"
        "    with open_memory(own, environment={}) as memory:\n"
        "        memory.remember('warm'); memory.recall('warm')\n"
        f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "memory = open_memory(sys.argv[1], environment={'MEMORACLE_RECIPE': 'quick'})\n"
        "found = memory.recall(sys.argv[2])\n"
        "print([h.passage.text for h in found.hits], memory.index.is_kept)\n"
        "try:\n    memory.remember('x')\nexcept ReadOnlyRoot as error:\n    print(error.code)\n"
    )
    done = subprocess.run(
        [PYTHON, "-c", code, place, question], capture_output=True, text=True, env=surroundings(), check=False
    )
    return done.stdout, done.stderr


@needs_root
def test_a_memory_that_cannot_be_written_still_answers(others_root):
    """The view is built in memory; writing is refused with an error of ours."""
    _, place = others_root
    shutil.rmtree(os.path.join(place, "index"), ignore_errors=True)
    open_to_all(place)
    assert as_nobody(place, "cat") == ("['the cat is called Miso'] False\nread-only-root\n", "")


@needs_root
def test_a_view_that_cannot_be_written_does_not_get_in_the_way(others_root):
    """An index that somebody else left, behind the files, is passed over."""
    memory, place = others_root
    memory.search("cat")
    memory.remember("the dog is called Rex")
    open_to_all(place)
    output, error = as_nobody(place, "dog")
    assert (output.splitlines()[:1], error) == (["['the dog is called Rex'] False"], "")


def test_a_file_in_place_of_the_folder_is_no_obstacle(root, memory):
    """When the index folder cannot be made, the view lives in memory."""
    memory.remember("the cat is called Miso")
    memory.close()
    shutil.rmtree(root / "index", ignore_errors=True)
    (root / "index").write_text("not a folder")
    with open_memory(str(root), environment=PLAIN) as opened:
        assert (met(opened.search("cat")), opened.index.is_kept) == (["the cat is called Miso"], False)


def test_erased_words_leave_the_view(root, memory):
    """After `forget`, no byte of the words is left in the index folder."""
    made = memory.remember("the secret marmalade recipe")
    memory.search("marmalade")
    memory.forget([made.id])
    held = b"".join(path.read_bytes() for path in (root / "index").rglob("*") if path.is_file())
    assert b"marmalade" not in held
    assert b"marmalad" not in held


def test_the_view_is_private(filled):
    """Only the owner may read the index."""
    assert [oct(os.stat(path).st_mode & 0o77) for path in (filled / "index", database(filled))] == [
        "0o0",
        "0o0",
    ]


@pytest.mark.parametrize("at_once", [1, 3, 500])
def test_notes_taken_in_together_are_notes_taken_in_one_by_one(root, memory, monkeypatch, at_once):
    """However many wait for each other: new, changed and gone ones, and records between them, give the same view."""
    from memoracle.index.sqlite import view

    monkeypatch.setattr(view, "_AT_ONCE", at_once)

    def note(name, words):
        (root / f"notes/semantic/{name}.md").write_text(
            f"# {name}\n#tags: animals\n\n{words} [[n1]] ARENA-{len(name)}\n"
        )

    for n in range(8):
        note(f"n{n}", f"the quokka {n} sleeps")
    memory.search("quokka")
    memory.remember("the wombat digs")
    note("n3", "the numbat wakes")
    note("n10", "the quokka is new")
    (root / "notes/semantic/n5.md").unlink()
    found = {word: met(memory.search(word)) for word in ("numbat", "wombat", "new")}
    assert all(found.values())
    before = memory.index.dump()
    memory.rebuild_index()
    assert memory.index.dump() == before


def test_a_change_that_fails_leaves_nothing_waiting(tmp_path):
    """What was heard of notes before the failure is not taken in with the next change."""
    index, truth = SqliteIndex(str(tmp_path / "index")), Truth()
    truth.notes("notes/a.md", a_passage(text="the quokka", path="notes/a.md", ref="notes/a.md#L1"))
    state = truth.manifest()[0]

    def fail():
        with index.changing(wait=1.0):
            index.apply(state, truth.load(state.path, state.role), lambda *_: None)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with index.changing(wait=1.0):
        index.set_whole(True)
    assert (index.known(), index.mark_of("notes/a.md")) == ({}, None)
    index.close()
