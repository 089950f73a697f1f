"""OpenClaw's transcripts in its database."""

from __future__ import annotations

import sqlite3

import pytest

from memoracle.guard.copies import clean_copy
from memoracle.guard.screening import Masking
from memoracle.hosts.known_hosts import Shape
from memoracle.hosts.openclaw.database import holds
from memoracle.hosts.openclaw.transcript import OpenClawReader
from memoracle.hosts.reading import read
from memoracle.hosts.sources import Source
from memoracle.model.claim import Role, SessionKind

from .samples import (
    DATA,
    OPENCLAW,
    OPENCLAW_REWIND,
    add_events,
    codes,
    make_database,
    source,
    state,
    texts,
)

EVENT = '{"type":"message","id":"n1","parentId":"d0e1f2a3","message":{"role":"user","content":"It rains."}}'


@pytest.fixture
def database(tmp_path):
    """An agent's database with two sessions."""
    return make_database(tmp_path / "openclaw-agent.sqlite", {"one": OPENCLAW, "two": OPENCLAW_REWIND})


@pytest.mark.seed("S2.012")
def test_rows_say_what_lines_said(database):
    """The same entries give the same turns, whether they stand in a file or in a table."""
    assert texts(database) == texts(OPENCLAW) + texts(OPENCLAW_REWIND)


def test_line_of_a_turn_is_its_row(database):
    """A turn can be found again by its row."""
    turn = read(source(database)).turns[0]

    with sqlite3.connect(database) as connection:
        (event,) = connection.execute(
            "SELECT event_json FROM transcript_events WHERE rowid = ?", (turn.line,)
        ).fetchone()
    connection.close()
    assert turn.text in event


def test_reading_leaves_no_trace(database):
    """The database keeps its bytes and its time, and no file appears beside it."""
    before = state(database), sorted(database.parent.iterdir())

    read(source(database))

    assert (state(database), sorted(database.parent.iterdir())) == before


def test_new_rows_are_read_alone(database):
    """With a watermark only what was added is given."""
    mark = read(source(database)).watermark
    with sqlite3.connect(database) as connection:
        add_events(connection, "one", [EVENT])
    connection.close()

    assert [turn.text for turn in read(source(database), mark).turns] == ["It rains."]


def test_rewind_between_readings_withdraws(database):
    """Turns that a later row leaves on a dead branch are named."""
    mark = read(source(database)).watermark
    event = '{"type":"message","id":"n2","parentId":"r2","message":{"role":"user","content":"Stay at home."}}'
    with sqlite3.connect(database) as connection:
        add_events(connection, "two", [event])
    connection.close()

    reading = read(source(database), mark)

    assert ([turn.text for turn in reading.turns], reading.withdrawn) == (
        ["Stay at home."],
        ("rewind-session:r5", "rewind-session:r6"),
    )


def test_replaced_database_is_read_whole(database):
    """A database that lost the last row read is read from its start."""
    mark = read(source(database)).watermark
    database.unlink()
    make_database(database, {"two": OPENCLAW_REWIND})

    reading = read(source(database), mark)

    assert (reading.whole, len(reading.turns)) == (True, 4)


def test_database_in_use_is_read_and_not_locked(tmp_path):
    """While the host writes, rows in its log are seen and the host can go on writing."""
    path = make_database(tmp_path / "openclaw-agent.sqlite", {"one": OPENCLAW}, wal=True)
    host = sqlite3.connect(path, timeout=0)
    host.execute("PRAGMA wal_autocheckpoint=0")
    mark = read(source(path)).watermark
    add_events(host, "one", [EVENT])
    before = state(path), (tmp_path / "openclaw-agent.sqlite-wal").read_bytes()

    reading = read(source(path), mark)
    add_events(host, "one", [EVENT.replace("n1", "n2")])

    assert [turn.text for turn in reading.turns] == ["It rains."]
    assert before[0] == state(path)
    host.close()


def test_crashed_copy_with_a_log_is_read_without_a_trace(tmp_path):
    """A log without shared memory is read from a copy, so nothing appears beside it."""
    path = make_database(tmp_path / "live.sqlite", {"one": OPENCLAW}, wal=True)
    host = sqlite3.connect(path)
    host.execute("PRAGMA wal_autocheckpoint=0")
    add_events(host, "one", [EVENT])
    copied = tmp_path / "copy"
    copied.mkdir()
    for suffix in ("", "-wal"):
        (copied / f"agent.sqlite{suffix}").write_bytes((tmp_path / f"live.sqlite{suffix}").read_bytes())
    host.close()

    found = texts(copied / "agent.sqlite")

    assert (found[-1], sorted(path.name for path in copied.iterdir())) == (
        "It rains.",
        ["agent.sqlite", "agent.sqlite-wal"],
    )


def test_damaged_and_compressed_rows_are_told(database):
    """A row that cannot be read costs itself only and is named."""
    with sqlite3.connect(database) as connection:
        add_events(connection, "one", ['{"type":"mess'])
        connection.execute("INSERT INTO transcript_events VALUES ('one', 99, NULL, 1)")
    connection.close()

    reading = read(source(database))

    assert (codes(reading), len(reading.turns)) == (["broken-line", "packed-event"], 8)


def test_kind_comes_from_the_tables(database):
    """A session that a cron job started is marked."""
    with sqlite3.connect(database) as connection:
        connection.execute("INSERT INTO session_windows VALUES ('two', 'cron:nightly', 'direct')")
    connection.close()

    kinds = {turn.session: turn.session_kind for turn in read(source(database)).turns}

    assert kinds["rewind-session"] is SessionKind.CRON


def test_other_databases_are_told(tmp_path):
    """A database without transcripts, or one that is no database, is a finding."""
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    connection.close()
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 4000)

    found = [codes(read(Source(path=each, shape=Shape.OPENCLAW_DB))) for each in (path, broken)]

    assert found == [["unknown-shape"], ["unreadable-database"]]


def test_table_without_rowid_is_read(tmp_path):
    """A table made without row ids is read whole, by its own order."""
    path = tmp_path / "agent.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER,"
            " PRIMARY KEY (session_id, seq)) WITHOUT ROWID"
        )
        add_events(connection, "two", OPENCLAW_REWIND.read_text("utf-8").splitlines())
    connection.close()

    assert texts(path) == texts(OPENCLAW_REWIND)


@pytest.fixture
def packed(database):
    """The same with a long message as OpenClaw 2026.9.6 wrote it, in one frame of Zstandard."""
    frame = (DATA / "openclaw/event.zst").read_bytes()
    with sqlite3.connect(database) as connection:
        connection.execute("ALTER TABLE transcript_events ADD COLUMN event_zstd BLOB")
        connection.execute("INSERT INTO transcript_events VALUES ('three', 0, NULL, 1, ?)", (frame,))
    connection.close()
    return database


def test_packed_events_are_read(packed):
    """A message of 6 KB is a turn like any other."""
    (turn,) = [one for one in read(source(packed)).turns if one.session == "three"]

    assert (turn.text[:45], turn.role) == ("My dentist is Doctor Quill in Harbour Street.", Role.OWNER)


def test_a_damaged_frame_costs_itself_only(packed):
    """It is named, and the rest is read."""
    with sqlite3.connect(packed) as connection:
        connection.execute(
            "UPDATE transcript_events SET event_zstd = substr(event_zstd, 1, 200) WHERE session_id = 'three'"
        )
    connection.close()

    reading = read(source(packed))

    assert (codes(reading), len(reading.turns)) == (
        ["packed-event"],
        len(texts(OPENCLAW) + texts(OPENCLAW_REWIND)),
    )


def test_a_copy_holds_packed_events_unpacked_and_without_secrets(packed):
    """What nobody could see into would carry a secret along."""
    copy = packed.with_name("copy.sqlite")
    copy.write_bytes(clean_copy(packed.read_bytes(), Masking(lambda: b"salt")) or b"")

    assert texts(copy) == texts(packed)
    assert b"My dentist is Doctor Quill" in copy.read_bytes()


def test_a_session_is_found_in_its_database(packed):
    """By its id, or by its key."""
    with sqlite3.connect(packed) as connection:
        connection.execute("INSERT INTO session_windows VALUES ('three', 'agent:main:main', 'direct')")
    connection.close()

    assert [holds(packed, name) for name in ("three", "agent:main:main", "four")] == [True, True, False]


def test_what_memory_answered_through_the_catalogue_of_tools_is_not_heard():
    """OpenClaw calls listed tools through one of its own, which names them."""
    call = {"type": "toolCall", "id": "c1", "name": "tool_call"}
    heard = []
    for name in ("openclaw:memory-core:memory_search", "memoracle_search", "web_fetch"):
        given = {"id": name, "args": {"query": "dentist"}}
        content = [call | {"arguments": given}]
        reader = OpenClawReader("/s.jsonl", {"kind": "interactive"})
        reader.take({"type": "message", "id": "a", "message": {"role": "assistant", "content": content}}, 1)
        result = {
            "role": "toolResult",
            "toolCallId": "c1",
            "toolName": "tool_call",
            "content": "Doctor Quill",
        }
        (step,) = reader.take({"type": "message", "id": "b", "parentId": "a", "message": result}, 2)
        heard.append(step.turn is not None)

    assert heard == [False, False, True]
