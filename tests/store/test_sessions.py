"""Conversations that belong to a memory: only read, and not lost when their host tidies up."""

import gzip
import json
import os
import re
import sqlite3

import pytest

from hosts.samples import (
    CLAUDE,
    CLAUDE_REWIND,
    OPENCLAW,
    add_events,
    claude_line,
    copy_of,
    make_database,
    state,
    write_lines,
)
from memoracle.compose import open_memory
from memoracle.store.sessions import Transcript, copy_name, write_transcripts
from support.files import PLAIN, contents

HELLO = claude_line("u1", None, "the marmalade is in the cellar")
MORE = claude_line("u2", "u1", "the saffron is in the kitchen")


@pytest.fixture
def talk(tmp_path):
    """A conversation of one turn, in a folder of its host."""
    folder = tmp_path / "host"
    folder.mkdir()
    return write_lines(folder / "talk.jsonl", HELLO)


def heard(memory):
    """What the memory heard, as it stands."""
    query = "SELECT text FROM passages WHERE source = 'turn' AND live = 1 ORDER BY text"
    memory.search("x")
    return [text for (text,) in memory.index._connection.execute(query)]


def answer(memory, question="marmalade"):
    return [hit.passage.text for hit in memory.search(question).hits]


def test_a_transcript_is_registered(memory, root, talk):
    """By its path and its shape, in what is this machine's own; a second time changes nothing."""
    done = memory.ingest(str(talk), embed=False)
    head, row = map(json.loads, (root / "state/sources.jsonl").read_text().splitlines())
    before = contents(root)
    again = memory.ingest(str(talk), embed=False)
    assert (head["rows"], row["path"], row["shape"]) == (1, str(talk), "claude")
    assert not (root / "sessions").exists()
    assert ((done.files, done.turns), (again.files, again.turns), contents(root)) == ((1, 1), (1, 0), before)


@pytest.mark.seed("S2.012")
@pytest.mark.parametrize("keep", [False, True])
def test_a_transcript_is_never_changed(memory, talk, keep):
    """Bytes, time and inode, through ingesting, asking, rebuilding and forgetting."""
    before = state(talk), sorted(os.listdir(talk.parent))
    memory.ingest(str(talk), keep=keep, embed=False)
    memory.recall("marmalade")
    memory.rebuild_index()
    memory.forget([memory.remember("the marmalade is mine").id])
    memory.check(deep=True)
    assert (state(talk), sorted(os.listdir(talk.parent))) == before


def test_what_was_added_is_heard_by_the_next_question(memory, talk):
    """Without ingesting again; and only that is read."""
    memory.ingest(str(talk), embed=False)
    write_lines(talk, HELLO, MORE)
    assert answer(memory, "saffron")[0] == "the saffron is in the kitchen"
    assert memory.ingest(str(talk), embed=False).turns == 0


def test_growth_is_read_from_where_it_was_left(memory, talk, monkeypatch):
    """The rows of what was heard before stay the same rows."""
    memory.ingest(str(talk), embed=False)
    query = "SELECT rowid FROM passages WHERE ref = 'u1'"
    before = memory.index._connection.execute(query).fetchall()
    with talk.open("a") as file:
        file.write(json.dumps(MORE) + "\n")
    assert (
        memory.ingest(str(talk), embed=False).turns,
        memory.index._connection.execute(query).fetchall(),
    ) == (1, before)


def test_a_kept_copy_goes_on_answering(memory, root, talk):
    """The host deletes its own; the copy speaks, also in a view that is built anew."""
    done = memory.ingest(str(talk), keep=True, embed=False)
    (copy,) = (root / "sessions").glob("*.gz")
    talk.unlink()
    first = answer(memory)
    memory.rebuild_index()
    assert (done.kept, gzip.decompress(copy.read_bytes()).count(b"\n")) == (1, 1)
    assert first == answer(memory) == ["the marmalade is in the cellar"]
    assert memory.search("marmalade").hits[0].passage.path == f"sessions/{copy.name}"


def test_a_kept_copy_grows_with_its_transcript(memory, root, talk):
    """Once kept, always kept: a later reading need not say so again."""
    memory.ingest(str(talk), keep=True, embed=False)
    write_lines(talk, HELLO, MORE)
    memory.ingest(str(talk), embed=False)
    talk.unlink()
    memory.rebuild_index()
    assert heard(memory) == ["the marmalade is in the cellar", "the saffron is in the kitchen"]


def test_a_kept_copy_travels_with_the_memory(memory, root, talk, tmp_path):
    """On another machine there is no such host; the copy is enough."""
    import shutil

    memory.ingest(str(talk), keep=True, embed=False)
    shutil.copytree(root, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("index", "state"))
    talk.unlink()
    with open_memory(str(tmp_path / "elsewhere"), environment=PLAIN) as moved:
        assert answer(moved) == ["the marmalade is in the cellar"]


def test_the_same_transcript_gives_the_same_copy(memory, root, talk):
    """Byte for byte: nothing changes that did not change."""
    memory.ingest(str(talk), keep=True, embed=False)
    (copy,) = (root / "sessions").glob("*.gz")
    before = copy.read_bytes()
    copy.unlink()
    os.utime(talk, (1, 1))
    memory.ingest(str(talk), keep=True, embed=False)
    assert copy.read_bytes() == before


def test_without_a_copy_what_was_heard_stays_until_the_view_is_rebuilt(memory, root, talk):
    """A source that is away has not been deleted: nothing is thrown away, nothing is written."""
    memory.ingest(str(talk), embed=False)
    before = contents(root)
    talk.unlink()
    assert (answer(memory), contents(root)) == (["the marmalade is in the cellar"], before)
    memory.rebuild_index()
    assert (answer(memory), contents(root)) == ([], before)


def test_a_transcript_that_comes_back_is_heard_again(memory, talk):
    """A disk that was away for a while."""
    memory.ingest(str(talk), embed=False)
    away = talk.rename(talk.with_suffix(".away"))
    memory.rebuild_index()
    assert answer(memory) == []
    away.rename(talk)
    assert answer(memory) == ["the marmalade is in the cellar"]


def test_resumed_copies_count_once(memory, talk):
    """A host that resumes a conversation copies its turns into a new file."""
    resumed = write_lines(talk.with_name("resumed.jsonl"), HELLO, MORE)
    done = memory.ingest(str(talk.parent), embed=False)
    assert (done.files, done.turns, heard(memory)) == (
        2,
        2,
        ["the marmalade is in the cellar", "the saffron is in the kitchen"],
    )
    talk.unlink()
    resumed.write_bytes(resumed.read_bytes())
    assert len(heard(memory)) == 2


def test_the_first_copy_goes_and_the_second_stands(memory, talk):
    """Emptying one file takes nothing that another one says."""
    write_lines(talk.with_name("resumed.jsonl"), HELLO, MORE)
    memory.ingest(str(talk.parent), embed=False)
    write_lines(talk, claude_line("u9", None, "something else entirely"))
    assert heard(memory) == [
        "something else entirely",
        "the marmalade is in the cellar",
        "the saffron is in the kitchen",
    ]


def test_a_rewind_withdraws(memory, tmp_path):
    """Words on an abandoned branch are no longer found; the view equals one built at once."""
    path = tmp_path / CLAUDE_REWIND.name
    lines = CLAUDE_REWIND.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))
    memory.ingest(str(path), embed=False)
    before = heard(memory)
    with path.open("ab") as file:
        file.writelines(lines[4:])
    after = heard(memory)
    memory.rebuild_index()
    assert ("No, call it Anchor." in before, "No, call it Anchor." in after, heard(memory)) == (
        True,
        False,
        after,
    )


@pytest.mark.seed("S4.040", "S4.042")
def test_a_database_is_heard_like_a_file(memory, tmp_path):
    """And left as it was."""
    path = make_database(tmp_path / "openclaw-agent.sqlite", {"s1": OPENCLAW})
    before = state(path)
    assert (memory.ingest(str(path), embed=False).turns > 0, state(path)) == (True, before)


def test_the_list_is_written_and_read(memory, root):
    """Sorted by path; a copy is named only where there is one, and listed for other machines too."""
    two = [Transcript(path="/b", shape="claude", copy="sessions/b.gz"), Transcript(path="/a", shape="plain")]
    with memory.store.writing():
        write_transcripts(memory.store, two)
    assert list(memory.store.sessions.by_path().values()) == two[::-1]
    assert json.loads((root / "sessions/copies.jsonl").read_text())["copy"] == "sessions/b.gz"


def test_copies_of_different_places_have_different_names():
    """Readable, and safe as a file name."""
    one, other = copy_name("/home/a/会议 1/../talk.jsonl"), copy_name("/home/b/talk.jsonl")
    assert (one != other, one.startswith("talk-"), one.endswith(".jsonl.gz"), "/" in one) == (
        True,
        True,
        True,
        False,
    )


def test_many_files_are_many_conversations(memory, tmp_path):
    """A folder is read with one call; what is no conversation is a finding."""
    for path in (CLAUDE, OPENCLAW):
        copy_of(path, tmp_path)
    (tmp_path / "list.txt").write_text("milk")
    done = memory.ingest(str(tmp_path), embed=False)
    assert (done.files, [finding.code for finding in done.findings if finding.path.endswith("list.txt")]) == (
        2,
        ["unknown-shape"],
    )


def test_a_kept_copy_of_a_database_goes_on_answering(memory, tmp_path):
    """Like that of any other transcript."""
    path = make_database(tmp_path / "openclaw-agent.sqlite", {"s1": OPENCLAW})
    memory.ingest(str(path), keep=True, embed=False)
    before = heard(memory)
    path.unlink()
    memory.rebuild_index()
    assert (heard(memory), len(before) > 0) == (before, True)


def test_a_copy_of_a_database_holds_what_stands_in_its_log(memory, tmp_path):
    """A running host writes to the log first; the copy has it, and the host's files are left as they were."""
    path = make_database(tmp_path / "openclaw-agent.sqlite", {"s1": OPENCLAW}, wal=True)
    with sqlite3.connect(path) as host:
        said = OPENCLAW.read_text("utf-8").replace("demo", "picnic")
        add_events(host, "s2", re.sub(r'"(id|parentId)": ?"', r'"\1":"z', said).splitlines())
        before = state(path), sorted(os.listdir(tmp_path))
        memory.ingest(str(path), keep=True, embed=False)
        assert (state(path), sorted(os.listdir(tmp_path))) == before
    host.close()
    before = heard(memory)
    path.unlink()
    memory.rebuild_index()
    assert (heard(memory), any("picnic" in text for text in before)) == (before, True)
