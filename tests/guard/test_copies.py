"""Copies of conversations without their secrets: every line where it was, JSON still JSON."""

import gzip
import json
import sqlite3

import pytest

from memoracle.guard.copies import clean_copy
from memoracle.guard.screening import Masking

from .samples import TOKENS, a_private_key, salt

TOKEN = TOKENS["anthropic-key"]


def cleaned(content):
    return clean_copy(content if isinstance(content, bytes) else content.encode(), Masking(salt))


def test_a_conversation_without_secrets_is_copied_byte_for_byte():
    """Odd spellings, bad UTF-8, a torn end."""
    content = b'{"a": "\\u4f60 \\/ x", "n": 1e5}\r\n\xff\xfe {"b":"\xe5\xaf\x86"}\n{"torn": "abc'
    assert cleaned(content) == content


@pytest.mark.parametrize(
    "text",
    [f"key {TOKEN}", f"line\n{TOKEN}", f'say "{TOKEN}" \\ ok', f"密码是 hunter2 {TOKEN}", a_private_key()],
)
def test_a_line_stays_json(text):
    """However the secret is spelled in it."""
    for ensure_ascii in (True, False):
        line = json.dumps({"type": "user", "message": {"content": text}}, ensure_ascii=ensure_ascii)
        after = cleaned(f"{line}\n{line}\n").decode()
        said = [json.loads(one)["message"]["content"] for one in after.splitlines()]
        assert (len(said), said[0] == said[1], "[secret:" in said[0], TOKEN in after) == (
            2,
            True,
            True,
            False,
        )


def test_a_field_is_masked_by_its_name():
    """In what a tool was given, for example."""
    line = '{"input": {"user": "bob", "password": "swordfish"}, "n": 1}'
    assert json.loads(cleaned(line))["input"]["password"].startswith("[secret:password:")


def test_a_torn_line_is_masked_as_well():
    """Its end is missing, its secret is not."""
    assert TOKEN.encode() not in cleaned('{"ok": 1}\n{"text": "use ' + TOKEN)


def test_a_document_keeps_its_lines():
    """And is still the same document elsewhere."""
    document = json.dumps({"messages": [{"role": "user", "content": f"a\n{TOKEN}"}, {"n": [1, 2]}]}, indent=2)
    after = cleaned(document).decode()
    assert (after.count("\n"), json.loads(after)["messages"][1]) == (document.count("\n"), {"n": [1, 2]})
    assert TOKEN not in after


def test_a_chat_in_words_keeps_its_lines():
    """Markdown, with a key of several lines in it."""
    chat = f"**Ana:** hi\n\n{a_private_key()}\n\n**Bo:** {TOKEN}\n"
    after = cleaned(chat).decode()
    assert (after.count("\n"), TOKEN in after, "PRIVATE KEY" in after) == (chat.count("\n"), False, False)


def test_a_packed_conversation_is_unpacked():
    """A copy is packed once, by us; one that cannot be unpacked is not copied."""
    packed = gzip.compress(f"**Ana:** {TOKEN}\n".encode())
    assert (TOKEN.encode() in cleaned(packed), cleaned(packed).startswith(b"**Ana:**")) == (False, True)
    assert cleaned(packed[: len(packed) // 2]) is None


def a_database(path, *, wal=False):
    with sqlite3.connect(path) as database:
        if wal:
            database.execute("PRAGMA journal_mode = WAL")
        database.execute(
            "CREATE TABLE events (session TEXT, seq INTEGER, body TEXT, PRIMARY KEY (session, seq))"
        )
        database.execute("CREATE TABLE plain (id INTEGER PRIMARY KEY, raw BLOB) ")
        database.execute("CREATE TABLE keyed (name TEXT PRIMARY KEY, note TEXT) WITHOUT ROWID")
        database.execute("CREATE INDEX bodies ON events (body)")
        database.execute("CREATE VIRTUAL TABLE found USING fts5(body)")
        for number in (1, 2, 3):
            body = json.dumps({"text": f"{number} {TOKEN}"})
            database.execute("INSERT INTO events VALUES ('s', ?, ?)", (number, body))
            database.execute("INSERT INTO found VALUES (?)", (body,))
        database.execute("INSERT INTO plain VALUES (7, ?)", (f"raw {TOKEN}".encode(),))
        database.execute("INSERT INTO keyed VALUES ('k', ?)", (TOKEN,))
        database.execute("DELETE FROM events WHERE seq = 2")
    database.close()
    return path.read_bytes()


@pytest.mark.parametrize("wal", [False, True])
def test_a_database_is_copied_without_its_secrets(tmp_path, wal):
    """Tables, rows and their numbers; no index, no free page, no shadow of a word index."""
    after = cleaned(a_database(tmp_path / "host.sqlite", wal=wal))
    (tmp_path / "copy.sqlite").write_bytes(after)
    with sqlite3.connect(tmp_path / "copy.sqlite") as copy:
        tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}
        rows = copy.execute("SELECT rowid, seq, body FROM events ORDER BY rowid").fetchall()
        raw = copy.execute("SELECT id, raw FROM plain").fetchall()
    copy.close()
    assert (TOKEN.encode() in after, tables) == (False, {"events", "plain", "keyed"})
    assert [(number, seq) for number, seq, _ in rows] == [(1, 1), (3, 3)]
    assert json.loads(rows[0][2])["text"].startswith("1 [secret:anthropic-key:")
    assert (raw[0][0], raw[0][1].startswith(b"raw [secret:")) == (7, True)


def test_the_same_database_gives_the_same_copy(tmp_path):
    """So a copy is written again only when something was said."""
    content = a_database(tmp_path / "host.sqlite")
    assert cleaned(content) == cleaned(content)


def test_what_only_looks_like_a_database_is_not_copied():
    """Nobody could say what is in it."""
    assert cleaned(b"SQLite format 3\0" + b"\1" * 200) is None
