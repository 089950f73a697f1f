"""A flush takes from some transcripts what a night would take from all, and the night finds it done."""

import json
from threading import Timer

import pytest

from learn.known import histories, known
from memoracle.compose import open_memory
from memoracle.errors import AlreadyRunning
from memoracle.store.run_log import read_checkpoint, run_lock
from support.files import PLAIN, copy_root
from support.life import ALLERGY
from support.processes import start


def chats(folder):
    return sorted(folder.glob("*.jsonl"))


def counts(run):
    return {name: number for phase in run.phases for name, number in phase.counts.items()}


def texts(memory):
    return {record.text for record in known(memory).values()}


@pytest.mark.seed("S4.016")
def test_a_flush_keeps_what_one_transcript_says(opened, life):
    """What is worth keeping in it is kept; the others are not read."""
    _, folder, _ = life
    run = opened.flush([str(chats(folder)[0])])
    assert [phase.name for phase in run.phases] == ["collect", "screen", "extract", "reconcile"]
    assert counts(run)["turns"] == 20
    assert any("peanuts" in text for text in texts(opened))
    assert list(read_checkpoint(opened.store)["watermarks"]) == [str(chats(folder)[0])]


def test_a_second_flush_reads_nothing(opened, life):
    """Its watermark has moved; a turn that comes later is read."""
    _, folder, _ = life
    path = chats(folder)[0]
    opened.flush([str(path)])
    before = histories(opened)
    again = opened.flush([str(path)])
    assert (counts(again).get("turns", 0), histories(opened)) == (0, before)
    with path.open("a", encoding="utf-8") as file:
        file.write(
            json.dumps(
                {"role": "user", "content": "My dog is called Rex.", "timestamp": "2025-01-02T00:10:00Z"}
            )
            + "\n"
        )
    assert counts(opened.flush([str(path)]))["turns"] == 1


def comparable(memory):
    """What is known, apart from when which run wrote it."""
    return sorted(
        (one.text, one.kind, one.status, one.statement.object, one.validity.since)
        for one in known(memory).values()
    )


def test_flushed_or_not_the_night_ends_the_same(life, tmp_path):
    """All days flushed one by one, or none: the same records, none of them twice."""
    root, folder, clock = life

    other = tmp_path / "other"
    copy_root(root, other)
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        for path in chats(folder):
            memory.flush([str(path)])
        memory.consolidate(force=True)
        flushed = comparable(memory)
    with open_memory(str(other), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        memory.consolidate(force=True)
        assert comparable(memory) == flushed


def test_reading_the_same_turns_again_changes_nothing(opened, life):
    """A watermark that was lost, or a night that had begun before the flush, costs time and nothing else."""
    _, folder, _ = life
    path = str(chats(folder)[0])
    opened.flush([path])
    before = comparable(opened)
    opened.store.volume.remove(opened.store.state_name("consolidation.json"))
    opened.flush([path])
    assert comparable(opened) == before


def test_an_interrupted_night_stays_where_it_was(opened, life):
    """A flush moves watermarks and nothing else of the checkpoint."""
    _, folder, _ = life
    opened.consolidate(phase="collect")
    before = read_checkpoint(opened.store)
    opened.flush([str(chats(folder)[0])])
    after = read_checkpoint(opened.store)
    assert before["current_phase"] == "screen"
    assert {**after, "watermarks": None} == {**before, "watermarks": None}


def test_a_flush_waits_for_no_night(opened):
    """While one runs, it says so at once."""
    with opened.store.volume.locked(run_lock(opened.store), timeout=0.0), pytest.raises(AlreadyRunning):
        opened.flush()


FLUSHING = """
import sys
from memoracle.compose import open_memory
from memoracle.learn.unit_of_work import alone
with open_memory(sys.argv[1]) as memory, alone(memory.store, briefly=True):
    print("flushing", flush=True)
    sys.stdin.readline()
"""


def test_a_night_waits_for_a_flush(opened, life):
    """A session that ends meanwhile is nothing that a person has to be told of."""
    with start(FLUSHING, opened.store.root) as other:
        assert other.stdout.readline() == "flushing\n"
        Timer(0.3, lambda: other.stdin.write("\n") and other.stdin.flush()).start()
        assert opened.consolidate(force=True).phases != ()
        other.communicate()


def test_a_flush_of_a_session_or_of_all(opened, life):
    """By a name in the file's name, or everything that is known; a new transcript becomes known."""
    _, folder, _ = life
    assert counts(opened.flush(session=chats(folder)[1].stem))["turns"] == 20
    new = folder / "new.jsonl"
    new.write_text(
        json.dumps({"role": "user", "content": ALLERGY, "timestamp": "2025-01-02T00:10:00Z"}) + "\n"
    )
    opened.flush([str(new)])
    assert str(new) in opened.store.sessions.by_path()
    assert counts(opened.flush())["turns"] == 20 * 8


def test_secrets_are_masked_as_at_night(opened, life):
    """A flush is no side door."""
    _, folder, _ = life
    secret = "ghp_" + "a1B2" * 9
    path = folder / "secret.jsonl"
    path.write_text(
        json.dumps({"role": "user", "content": f"Remember: my GitHub token is {secret} and I live in Oslo."})
        + "\n"
    )
    opened.flush([str(path)])
    assert [text for text in texts(opened) if secret in text] == []
