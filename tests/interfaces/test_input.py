"""What the command line is given: words, pipes, files of every sort. Nothing that cannot be read passes for read."""

import gzip
import json
import os
import pty
import socket
import subprocess
import time
from contextlib import suppress

import pytest

from support.processes import PYTHON, run_here, surroundings

CHATGPT = [
    {
        "title": "Trip",
        "create_time": 1700000000.0,
        "mapping": {
            "a": {
                "id": "a",
                "message": {
                    "author": {"role": "user"},
                    "content": {"content_type": "text", "parts": ["Hello"]},
                },
                "parent": None,
                "children": ["b"],
            }
        },
        "current_node": "a",
    }
] * 3
CLAUDE_AI = [
    {
        "uuid": "1",
        "name": "Trip",
        "chat_messages": [
            {"uuid": "2", "text": "Hello", "sender": "human", "created_at": "2026-01-01T00:00:00Z"}
        ],
    }
]
CHAT = "User: I am allergic to peanuts.\n\nAssistant: I will remember that.\n"


@pytest.fixture
def root(tmp_path):
    assert run_here("init", tmp_path / "root")[0] == 0
    return tmp_path / "root"


@pytest.fixture
def told(root):
    """Runs a verb on the root; recall goes by words."""

    def call(*words, **options):
        return run_here("--root", root, *words, env=surroundings(MEMORACLE_RECIPE="quick"), **options)

    return call


@pytest.fixture
def place(tmp_path):
    (tmp_path / "given").mkdir()
    return tmp_path / "given"


# Things nobody reads


@pytest.mark.parametrize("verb", ["ingest", "import"])
@pytest.mark.parametrize(
    ("name", "content", "seems"),
    [
        ("conversations.json", json.dumps(CHATGPT).encode(), "an export of ChatGPT"),
        ("conversations.json", json.dumps(CHATGPT, indent=2).encode(), "an export of ChatGPT"),
        ("conversations.json", json.dumps(CLAUDE_AI).encode(), "an export of Claude.ai"),
        ("export.zip", b"PK\x03\x04" + bytes(200), "a zip archive"),
        ("photo.json", b"\x89PNG\r\n" + bytes(range(256)) * 20, "a picture"),
        ("chat.jsonl", '{"role": "user", "text": "hello"}\n'.encode("utf-16"), "UTF-16"),
        ("blob.jsonl", bytes(range(256)) * 50, "binary data"),
        ("empty.jsonl", b"", "an empty file"),
    ],
)
def test_what_nobody_reads_is_refused_by_its_name(told, place, root, verb, name, content, seems):
    """Not "0 new turns": a status, what it looks like, what can be read; and nothing is registered."""
    (place / name).write_bytes(content)
    status, out, err = told(verb, place / name)
    assert (status, out, seems in err, "hint:" in err) == (2, "", True, True), err
    assert json.loads(told("list", "--json")[1])["total"] == 0
    assert not any(name.encode() in path.read_bytes() for path in root.rglob("*") if path.is_file())


@pytest.mark.parametrize("content", [{"users": [{"name": "ann"}]}, [{"content": 3}], {"messages": []}])
def test_a_json_document_in_which_nobody_speaks_is_refused(told, place, content):
    """A single word that conversations use too does not make one."""
    (place / "users.json").write_text(json.dumps(content))
    status, _, err = told("ingest", place / "users.json", "--no-embed")
    assert (status, "can be read" in err) == (2, True)


def test_an_empty_folder_and_one_with_nothing_in_it_are_refused(told, place):
    status, _, err = told("ingest", place)
    assert (status, "nothing to read" in err) == (2, True)
    assert told("import", place)[0] == 2
    (place / "list.txt").write_text("milk")
    status, _, err = told("ingest", place)
    assert (status, "list.txt" in err) == (2, True)


def test_a_host_that_has_said_nothing_is_told(told, tmp_path):
    """And keeps nobody from tidying up."""
    empty = surroundings(HOME=str(tmp_path), CLAUDE_CONFIG_DIR=str(tmp_path / "none"))
    root = ("--root", tmp_path / "root")
    assert run_here(*root, "ingest", "claude", env=empty)[0] == 2
    status, _, err = run_here(*root, "consolidate", "--ingest", "claude", env=empty)
    assert (status, "no conversations" in err) == (0, True)


def test_a_folder_of_which_some_is_unreadable_is_read_in_part(told, place):
    """The rest is read, what was missed is named, and the status says that it was not all."""
    (place / "chat.md").write_text(CHAT)
    (place / "broken.jsonl.gz").write_bytes(gzip.compress(b'{"role": "user", "text": "hello"}\n' * 50)[:40])
    (place / "conversations.json").write_text(json.dumps(CHATGPT))
    status, out, err = told("ingest", place, "--no-embed")
    assert (status, "2 new turns from 1 conversations" in out, "2 could not be read" in out) == (
        1,
        True,
        True,
    )
    assert "broken.jsonl.gz" in err
    assert "conversations.json: it looks like an export of ChatGPT" in err
    assert json.loads(told("ingest", place, "--no-embed", "--json")[1])["unread"] == 2


def test_files_that_are_merely_something_else_are_no_failure(told, place):
    """A folder may hold a shopping list beside a conversation."""
    (place / "chat.md").write_text(CHAT)
    (place / "list.txt").write_text("milk")
    status, _, err = told("ingest", place, "--no-embed")
    assert (status, "list.txt" in err) == (0, True)


@pytest.mark.parametrize("verb", ["ingest", "import"])
def test_a_link_to_a_folder_is_not_passed_over_in_silence(told, place, tmp_path, verb):
    """It is not followed, and that is said."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "note.md").write_text(CHAT)
    (place / "linked").symlink_to(tmp_path / "vault")
    (place / "chat.md").write_text(CHAT)
    status, _, err = told(verb, place)
    assert (status, "linked: it is a link" in err) == (0, True), err


def test_what_is_left_behind_whole_is_a_failure(told, place):
    """Forced to be what it is not, a source of which nothing comes in fails."""
    (place / "conversations.json").write_text(json.dumps(CHATGPT))
    status, out, _ = told("import", place / "conversations.json", "--from", "mem0")
    assert (status, "3 left behind" in out) == (1, True)


@pytest.mark.parametrize("verb", [("recall", "cats"), ("search", "cats"), ("list",)])
def test_a_kind_that_nothing_can_have_is_refused(told, verb):
    """`preferences` would find nothing for ever; `preference` is meant."""
    told("remember", "cats sleep", "--kind", "preference")
    status, _, err = told(*verb, "--kind", "preferences")
    assert (status, "`preferences` is not a kind" in err, "preference" in err.split("hint:")[1]) == (
        2,
        True,
        True,
    )
    assert told(*verb, "--kind", "preference")[0] == 0


def test_a_list_says_of_how_many_it_shows_some(told):
    """On stderr for people, as `total` for programs."""
    told("remember", "--stdin", stdin=b"".join(b"fact number %d\n" % n for n in range(13)))
    status, out, err = told("list")
    assert (status, out.count("\n"), "10 of 13; --limit" in err) == (0, 10, True)
    assert json.loads(told("list", "--json")[1])["total"] == 13
    assert "of 13" not in told("list", "--limit", "50")[2]


def test_notes_are_listed_by_their_kind(told, root):
    """Each once, wherever it lies under `notes/`; a plain list is of records."""
    told("remember", "the cat is called Miso")
    for name in ("x.md", "a/b.md"):
        (root / "notes" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "notes" / name).write_text("# Pump\n\nThe pump hums.\n\n## Valve\n\nThe valve is shut.\n")
    out = told("list", "--kind", "semantic")[1]
    assert [line.split()[0] for line in out.splitlines()] == ["notes/x.md#L1", "notes/a/b.md#L1"]
    assert json.loads(told("list", "--kind", "semantic", "--json")[1])["total"] == 2
    assert "pump" not in told("list")[1]


# Words on stdin


@pytest.mark.parametrize(
    "words", [("remember",), ("remember", "-"), ("note",), ("note", "-"), ("buffer", "add", "-")]
)
def test_words_come_in_by_a_pipe(told, root, words):
    """`-`, or no words while something is piped in, means stdin: quotes, `$` and backticks arrive as they are."""
    said = 'the "cat" costs $5 `now`\nand 猫 sleeps'
    status, _, err = told(*words, stdin=f"{said}\n".encode())
    assert status == 0, err
    kept = "".join(path.read_text() for path in root.rglob("*") if path.suffix in {".jsonl", ".md"})
    assert ("$5 `now`" in kept, "猫 sleeps" in kept) == (True, True)
    assert '"text":"-"' not in kept


def test_one_pipe_is_one_memory(told):
    """Its lines stay together; `--stdin` keeps a memory per line."""
    told("remember", "-", stdin=b"first line\nsecond line\n")
    assert json.loads(told("list", "--json")[1])["items"][0]["text"] == "first line\nsecond line"
    assert json.loads(told("list", "--json")[1])["total"] == 1


@pytest.mark.parametrize(("given", "said"), [(b"", "nothing to remember"), (b"\xff\xfe\x00", "not UTF-8")])
def test_a_pipe_without_words_is_bad_input(told, given, said):
    status, _, err = told("remember", stdin=given)
    assert (status, said in err) == (2, True)


def test_a_flood_on_stdin_is_refused(told):
    """Longer than any memory, and endless: neither is kept, and neither fills the machine."""
    assert told("remember", "-", stdin=b"word " * 30_000)[0] == 2
    with open("/dev/zero", "rb") as endless:
        done = subprocess.run(
            [PYTHON, "-m", "memoracle", "--root", "nowhere", "remember", "-"],
            stdin=endless,
            capture_output=True,
            timeout=30,
            check=False,
            env=surroundings(),
        )
    assert done.returncode in {1, 2}


def test_fields_without_words_do_not_wait_for_a_pipe(root):
    """`--key` and `--value` say everything: an open pipe that never ends is not read."""
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [PYTHON, "-m", "memoracle", "--root", root, "remember", "--key", "door", "--value", "blue"],
            stdin=reading,
            capture_output=True,
            timeout=30,
            check=False,
            env=surroundings(),
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == 0


def test_a_terminal_without_words_is_told_how_to_call(root):
    """Nobody waits for a person who does not know that they are asked."""
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [PYTHON, "-m", "memoracle", "--root", root, "remember"],
            stdin=theirs,
            capture_output=True,
            timeout=30,
            check=False,
            env=surroundings(),
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, b"hint: give some text" in done.stderr) == (2, True)


# Progress


def shown_on_a_terminal(words):
    """What a command writes to stderr when that is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [PYTHON, "-m", "memoracle", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=surroundings(),
    )
    os.close(theirs)
    said = b""
    with suppress(OSError):  # the terminal's other end is closed
        while piece := os.read(ours, 65536):
            said += piece
    os.close(ours)
    assert process.wait(60) == 0
    return said


def test_progress_is_for_terminals(told, root, place):
    """A pipe or a file gets no carriage return, whatever takes long."""
    (place / "notes.md").write_text("".join(f"# Part {n}\n\nThe box {n} is green.\n\n" for n in range(2500)))
    for words in (("import", place / "notes.md"), ("search", "box"), ("rebuild-index",)):
        _, out, err = told(*words)
        assert "\r" not in out + err
    assert b"\rindexing" in shown_on_a_terminal(("--root", root, "rebuild-index"))


# Files that are no files


def odd_files(place):
    os.mkfifo(place / "pipe")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(place / "socket"))
    (place / "folder").mkdir()
    return listening


ODD = ["pipe", "socket", "/dev/zero", "/dev/tty", "folder"]
TAKES_A_FILE = {
    "ingest": ("ingest", "FILE"),
    "import": ("import", "FILE"),
    "flush": ("flush", "--transcript", "FILE"),
    "prune": ("prune", "FILE"),
    "policy check": ("policy", "check", "FILE"),
    "page write": (
        "page",
        "write",
        "--kind",
        "finding",
        "--project",
        "p",
        "--title",
        "t",
        "--content-file",
        "FILE",
    ),
    "page check-edit": ("page", "check-edit", "FILE", "FILE"),
    "verify": ("verify", "FILE"),
    "deliver": ("deliver", "task", "--project", "p", "--to", "planner", "--response", "FILE"),
    "decision payload": ("decision", "payload", "check", "FILE"),
    "get": ("get", "some.key", "--context", "@FILE"),
    "reply-language": ("reply-language", "--transcript", "FILE"),
    "compact-advice": ("compact-advice", "--transcript", "FILE"),
}


@pytest.mark.parametrize("odd", ODD)
def test_pipes_devices_and_sockets_are_refused_at_once(told, place, odd):
    """Every verb that takes a file: an error with a sentence, within seconds, and no trace of Python."""
    listening = odd_files(place)
    path = odd if odd.startswith("/") else str(place / odd)
    if odd == "/dev/tty" and not os.path.exists(odd):
        pytest.skip("there is no terminal")
    for name, words in TAKES_A_FILE.items():
        begun = time.monotonic()
        status, _, err = told(*(word.replace("FILE", path) for word in words), timeout=25)
        assert (status > 0, "Traceback" in err, err.startswith("memoracle: ")) == (True, False, True), (
            name,
            status,
            err,
        )
        assert time.monotonic() - begun < 20, name
    listening.close()
