"""Hosts and folders that were read once are looked into again; what cannot be read there is told, and why."""

import json
import os
import shutil
import threading

import pytest

from memoracle.compose import init, open_memory
from memoracle.errors import MemoracleError
from memoracle.hosts import ingesting
from memoracle.hosts.ingesting import watched
from support.files import PLAIN
from support.processes import run_here

LINE = '{"role": "user", "content": "%s", "timestamp": "2026-03-0%dT09:00:00Z"}\n'


@pytest.fixture
def folder(tmp_path):
    """A folder of chats with one in it."""
    place = tmp_path / "chats"
    place.mkdir()
    (place / "monday.jsonl").write_text(LINE % ("My cat is called Miso.", 2))
    return place


def checks(memory):
    """The checks of health by name."""
    return {check.id: check for check in memory.health(read_back=False).checks}


def test_a_folder_is_read_again_when_it_is_due(memory, folder):
    """A new conversation in it is found without anybody naming it."""
    assert "ingest" not in {one.job for one in memory.tend(dry_run=True).next}
    memory.ingest(str(folder), embed=False)
    (folder / "tuesday.jsonl").write_text(LINE % ("My dog is called Rex.", 3))
    assert not memory.search("dog Rex").hits or "Rex" not in memory.search("dog Rex").hits[0].passage.text
    (ran,) = memory.tend(job="ingest").ran
    assert (ran.outcome, ran.says) == ("done", "1 new turns from 2 conversations")
    assert "Rex" in memory.search("dog Rex").hits[0].passage.text


def test_it_is_due_every_hour(memory, folder, root):
    """Among the other jobs."""
    memory.ingest(str(folder), embed=False)
    (due,) = [one for one in memory.tend(dry_run=True).due if one.job == "ingest"]
    assert due.because == "it has not run yet"


def test_a_file_is_no_place_to_look_into(memory, folder):
    """What is added to it is read anyway."""
    memory.ingest(str(folder / "monday.jsonl"), embed=False)
    assert watched(memory.store) == {}


def test_once_is_once_and_ends_it(memory, folder):
    """The person says where to look."""
    memory.ingest(str(folder), embed=False, once=True)
    assert watched(memory.store) == {}
    memory.ingest(str(folder), embed=False)
    assert set(watched(memory.store)) == {str(folder)}
    memory.ingest(str(folder), embed=False, once=True)
    assert watched(memory.store) == {}


def test_health_says_what_is_unread_and_why(memory, folder):
    """Nothing watched is nothing to tell; an export nobody can read yet is named with its reason."""
    assert checks(memory)["sources"].grade == "skipped"
    memory.ingest(str(folder), embed=False)
    assert checks(memory)["sources"].says == f"all read: {folder}"
    odd = folder / "broken.jsonl.gz"
    odd.write_bytes(b"\x1f\x8b nothing")
    memory.tend(job="ingest")
    found = checks(memory)["sources"]
    assert (found.grade, str(odd) in found.says, "could not be read" in found.says) == ("warning", True, True)
    odd.unlink()
    memory.tend(job="ingest")
    assert checks(memory)["sources"].grade == "pass"


def test_a_place_that_is_gone_is_told_and_keeps_no_other(memory, folder, tmp_path):
    """A disk that is not mounted, for instance: it is looked for again."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.jsonl").write_text(LINE % ("My bird is called Pip.", 4))
    memory.ingest(str(folder), embed=False)
    memory.ingest(str(other), embed=False)
    away = folder.rename(tmp_path / "away")
    (other / "b.jsonl").write_text(LINE % ("My fish is called Bob.", 5))
    (ran,) = memory.tend(job="ingest").ran
    assert ran.says == "1 new turns from 2 conversations; 1 could not be read (`memoracle health`)"
    assert str(folder) in checks(memory)["sources"].says
    away.rename(folder)
    memory.tend(job="ingest")
    assert checks(memory)["sources"].grade == "pass"


def test_a_host_is_looked_into_by_its_name(root, tmp_path):
    """Through the command line, and `--once` ends it."""
    home = tmp_path / "home"
    chat = home / ".codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-0000.jsonl"
    chat.parent.mkdir(parents=True)
    said = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "My cat is called Miso."}],
    }
    chat.write_text(
        json.dumps({"timestamp": "2026-03-02T09:00:00Z", "type": "response_item", "payload": said}) + "\n"
    )
    env = {**os.environ, "HOME": str(home)}
    assert run_here("--root", root, "ingest", "codex", "--no-embed", env=env)[0] == 0
    with open_memory(str(root)) as memory:
        assert set(watched(memory.store)) == {"codex"}
    assert run_here("--root", root, "ingest", "codex", "--no-embed", "--once", env=env)[0] == 0
    with open_memory(str(root)) as memory:
        assert watched(memory.store) == {}


def test_the_looking_ends_where_the_place_is_gone_too(memory, folder):
    """As health says; a place that was never looked into is still not there."""
    memory.ingest(str(folder), embed=False)
    shutil.rmtree(folder)
    memory.tend(job="ingest")
    assert memory.ingest(str(folder), once=True).files == 0
    assert (watched(memory.store), checks(memory)["sources"].grade) == ({}, "skipped")
    with pytest.raises(MemoracleError):
        memory.ingest(str(folder), once=True)


def test_two_who_note_at_once_keep_both(memory, folder, root, tmp_path, monkeypatch):
    """One looks at the list while the other writes to it."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.jsonl").write_text(LINE % ("My bird is called Pip.", 4))
    real, begun = ingesting.read_document, []

    def meanwhile():
        with open_memory(str(root)) as second:
            second.ingest(str(other), embed=False)

    def read(*place):
        found = real(*place)
        if not begun:
            begun.append(threading.Thread(target=meanwhile))
            begun[0].start()
            begun[0].join(1)
        return found

    monkeypatch.setattr(ingesting, "read_document", read)
    memory.ingest(str(folder), embed=False)
    begun[0].join()
    assert set(watched(memory.store)) == {str(folder), str(other)}


def test_a_memory_in_the_folder_is_no_conversation(folder, tmp_path):
    """Its copies, its view and its state are its own: the folder around it can be looked into."""
    assert run_here("init", folder / "memory")[0] == 0
    with open_memory(str(folder / "memory")) as memory:
        memory.ingest(str(folder), keep=True, embed=False)
        memory.search("cat")
        again = memory.ingest(str(folder), embed=False)
        assert (again.files, again.findings, len(memory.store.sessions.by_path())) == (1, (), 1)


@pytest.fixture
def adopted(tmp_path, clock):
    """A directory of the first design with a conversation of today in its own `sessions/`."""
    place = tmp_path / "data"
    (place / "knowledge-graph").mkdir(parents=True)
    (place / "knowledge-graph/facts.jsonl").write_text("")
    (place / "sessions").mkdir()
    init(str(place), environment={}, clock=lambda: clock.ago(days=1))
    (place / "sessions/2026-05-15-080000.jsonl").write_text(
        '{"role": "user", "content": "I am allergic to shellfish.", "timestamp": "2026-05-15T08:00:00Z"}\n'
    )
    return place


@pytest.mark.seed("S0.020", "S0.100")
def test_an_adopted_designs_own_sessions_are_found_by_themselves(adopted, clock):
    """Nobody names them: the digest of that evening tells what was said that day, before any consolidation."""
    with open_memory(str(adopted), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        assert set(watched(memory.store)) == {str(adopted / "sessions")}
        (ran,) = memory.tend(job="digest").ran
    assert (ran.outcome, ran.says) == ("done", "1 notes written")
    assert "I am allergic to shellfish." in (adopted / "daily/2026-05-15.md").read_text()


def test_a_folder_without_conversations_is_nothing_to_worry_about(adopted, clock):
    """A design whose agent has said nothing yet."""
    (adopted / "sessions/2026-05-15-080000.jsonl").unlink()
    with open_memory(str(adopted), environment=PLAIN, clock=clock) as memory:
        assert (watched(memory.store), checks(memory)["sources"].grade) == ({}, "skipped")
        assert memory.tend().ok


def test_a_copy_that_memory_keeps_there_is_no_conversation_of_its_own(adopted, folder, clock):
    """What `--keep` put beside them is read as what it is a copy of, once."""
    with open_memory(str(adopted), environment=PLAIN, clock=clock) as memory:
        memory.ingest(str(folder / "monday.jsonl"), embed=False, keep=True)
        (ran,) = memory.tend(job="ingest").ran
        assert ran.says == "1 new turns from 1 conversations"
        assert len([path for path in memory.store.sessions.by_path() if path.startswith(str(adopted))]) == 1
        assert checks(memory)["sources"].grade == "pass"


def test_the_digest_of_the_day_tells_what_was_said_that_day(memory, folder, clock, root):
    """In a memory of our own too; the night finds nothing more in it, and nothing is learnt twice."""
    memory.ingest(str(folder), embed=False)
    memory.tend()
    said = (
        '{"role": "user", "content": "We decided to use PostgreSQL.", "timestamp": "2026-05-15T20:00:00Z"}\n'
    )
    (folder / "friday.jsonl").write_text(said)
    clock.move(hours=14)
    memory.tend()
    digest = (root / "notes/daily/2026-05-15.md").read_text()
    clock.move(hours=4)
    memory.tend()
    learnt = [hit for hit in memory.list(limit=50) if "PostgreSQL" in hit.passage.text]
    assert ("PostgreSQL" in digest, len(learnt)) == (True, 1)
    assert (root / "notes/daily/2026-05-15.md").read_text() == digest
