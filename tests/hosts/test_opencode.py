"""opencode's database, with rows that 1.18.33 wrote: who said what, what is new, and what no longer counts."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from memoracle.hosts.collect import repeats
from memoracle.hosts.reading import hear, read
from memoracle.model.claim import Role

from .samples import DATA, source

REAL = DATA / "opencode"
ROWS = [json.loads(line) for line in (REAL / "rows.jsonl").read_text("utf-8").splitlines()]
TABLES = {
    "session": "id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, version TEXT, revert TEXT, permission TEXT",
    "message": "id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT",
    "part": "id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER,"
    " data TEXT",
}
TYPED = ["I am allergic to shellfish.", "what is this?", "My sister Ilse moved to Porto."]
COMMAND = "I always deploy on Fridays. My dentist is called Amadou."
PASTE = "line one\nline two"


class Database:
    """A database in a home, and the history beside it."""

    def __init__(self, home: Path) -> None:
        self.path = home / ".local/share/opencode/opencode.db"
        self.history = home / ".local/state/opencode/prompt-history.jsonl"
        for one in (self.path, self.history):
            one.parent.mkdir(parents=True)
        shutil.copy(REAL / "prompt-history.jsonl", self.history)
        self.do("PRAGMA journal_mode=WAL")
        for name, columns in TABLES.items():
            self.do(f"CREATE TABLE `{name}` ({columns})")

    def do(self, *statement) -> None:
        with sqlite3.connect(self.path) as database:
            database.execute(*statement)
        database.close()

    def add(self, *rows: dict) -> None:
        for row in rows:
            given = {key: value for key, value in row.items() if key != "table"}
            marks = ", ".join("?" * len(given))
            names = ", ".join(given)
            self.do(f"INSERT INTO {row['table']} ({names}) VALUES ({marks})", list(given.values()))


@pytest.fixture
def database(tmp_path):
    return Database(tmp_path)


@pytest.fixture
def filled(database):
    database.add(*ROWS)
    return database


def said(reading, role):
    return [turn.text for turn in reading.turns if turn.role is role]


def test_only_what_is_known_to_be_typed_is_the_owners(filled):
    """An argument of `run`, a line of the history; not a command's text, a file, a pipe or a paste."""
    reading = read(source(filled.path))
    assert (reading.findings, reading.whole) == ((), True)
    assert said(reading, Role.OWNER) == TYPED
    outside = "\n".join(said(reading, Role.EXTERNAL))
    assert all(words in outside for words in (COMMAND, PASTE, "My cat eats oats."))
    everything = "\n".join(turn.text for turn in reading.turns)
    assert "beets" not in everything  # a file that was attached
    assert {turn.project for turn in reading.turns} == {"/home/mei/app"}


def test_a_history_that_is_gone_proves_nothing(filled):
    filled.history.unlink()
    assert said(read(source(filled.path)), Role.OWNER) == TYPED[:2]


def test_tools_are_heard_and_memory_is_not(filled):
    (tool,) = said(read(source(filled.path)), Role.TOOL)
    assert tool.startswith("bash: echo The mast is 12 metres")
    assert "No such file" in tool


def test_what_is_new_is_read_once(database):
    """As the host writes it, and read at every step: no turn twice, none lost."""
    database.add(*(row for row in ROWS if row["table"] == "session"))
    found: list[str] = []
    watermark = None

    def look() -> None:
        nonlocal watermark
        reading = read(source(database.path), watermark)
        watermark = reading.watermark
        found.extend(turn.id for turn in reading.turns)

    for row in (one for one in ROWS if one["table"] == "message"):
        begun = json.loads(row["data"])
        begun["time"].pop("completed", None)
        database.add(row | {"data": json.dumps(begun)})
        look()
        database.add(*(one for one in ROWS if one.get("message_id") == row["id"]))
        look()
        database.do("UPDATE message SET data = ? WHERE id = ?", [row["data"], row["id"]])
        look()
    assert found == [turn.id for turn in read(source(database.path)).turns]


def test_an_answer_is_read_when_it_has_ended(filled):
    seen = read(source(filled.path)).watermark
    session = next(row["session_id"] for row in ROWS if row["table"] == "message")
    open_one = {"role": "assistant", "time": {"created": 1795000000000}}
    text = {"type": "text", "text": "The mast is made of spruce."}
    stamps = {"session_id": session, "time_created": 1795000000000, "time_updated": 1795000000000}
    filled.add(
        {"table": "message", "id": "msg_2", "data": json.dumps(open_one), **stamps},
        {"table": "part", "id": "prt_2", "message_id": "msg_2", "data": json.dumps(text), **stamps},
    )
    waiting = read(source(filled.path), seen)
    assert waiting.turns == ()
    open_one["time"]["completed"] = 1795000000001
    filled.do("UPDATE message SET data = ? WHERE id = 'msg_2'", [json.dumps(open_one)])
    assert said(read(source(filled.path), waiting.watermark), Role.AGENT) == [text["text"]]


def test_what_was_taken_back_no_longer_counts(filled):
    """A session that went back, and one that was removed: the rest is read again, whole."""
    seen = read(source(filled.path)).watermark
    first = next(row for row in ROWS if row["table"] == "message")
    revert = json.dumps({"messageID": first["id"]})
    filled.do("UPDATE session SET revert = ? WHERE id = ?", [revert, first["session_id"]])
    again = read(source(filled.path), seen)
    assert (again.whole, said(again, Role.OWNER)) == (True, TYPED[1:])
    filled.do("DELETE FROM message WHERE id = ?", [first["id"]])
    assert read(source(filled.path), again.watermark).whole


def test_a_sub_agent_is_asked_by_an_agent(filled):
    filled.do("UPDATE session SET parent_id = 'ses_0'")
    assert said(read(source(filled.path)), Role.OWNER) == []


def test_a_copy_and_a_stranger(filled, tmp_path):
    """A compressed copy says the same; a database of somebody else's by the same name says so."""
    filled.do("PRAGMA journal_mode=DELETE")
    packed = tmp_path / "opencode.db.gz"
    packed.write_bytes(gzip.compress(filled.path.read_bytes()))
    assert TYPED[0] in [one.text for one in hear(str(packed), "opencode-db").passages]
    other = tmp_path / "opencode-dev.db"
    sqlite3.connect(other).execute("CREATE TABLE x (y)")
    assert [one.code for one in read(source(other)).findings] == ["unknown-shape"]


def test_an_agent_that_repeats_a_tool_is_known(filled):
    """What stands before a row of this database is looked up in it."""
    last = max(turn.line for turn in read(source(filled.path)).turns)
    assert repeats(f"{filled.path}#L{last}", "The mast is 12 metres")
    assert not repeats(f"{filled.path}#L{last}", "The keel was laid in Hamburg")
