"""The life of a sealed memory, told through the real command line: two machines, hooks, upkeep, forgetting."""

import json
import subprocess

import pytest

from memoracle.store import sealed
from support.processes import PYTHON, run, surroundings

from .conftest import raw_bytes

pytestmark = pytest.mark.long

PLANTED = ("Pangolin", "Tardigrade", "Narwhal", "Capybara", "Wombat", "Ocelot", "Shoebill", "帝王蝶")


@pytest.fixture
def shell(runtime, tmp_path):
    """Runs the command line on a root; the exit has to be 0 unless another is expected."""
    home = tmp_path / "home"
    home.mkdir()
    env = surroundings(
        HOME=str(home), XDG_RUNTIME_DIR=runtime, MEMORACLE_EMBEDDER="none", MEMORACLE_RECIPE="quick"
    )

    def call(root, *words, stdin=b"", status=0, **more):
        code, out, err = run("--root", str(root), *words, stdin=stdin, env=env | more)
        assert code == status, (words, out, err)
        return out

    return call


def words_under(root):
    """The planted words that stand in a file of a root, or in an object of its git history."""
    found = raw_bytes(root)
    if (root / ".git").is_dir():
        asked = ["git", "-C", str(root), "cat-file", "--batch-all-objects", "--batch"]
        found["git"] = subprocess.run(asked, capture_output=True, check=True).stdout
    return sorted(
        {f"{path}: {word}" for path, raw in found.items() for word in PLANTED if word.encode() in raw}
    )


@pytest.mark.seed("S4.074", "F-27")
def test_a_whole_life(shell, identity, tmp_path):
    """From the first record to the last, on two machines: no planted word in any byte, every answer there."""
    here, there, hub = tmp_path / "here", tmp_path / "there", tmp_path / "hub.git"
    shell(here, "init")
    shell(here, "encrypt", "--recipient", identity[1], "--no-recovery")
    kept = json.loads(shell(here, "remember", "the Pangolin sleeps in the attic", "--json"))["id"]
    shell(here, "remember", "--stdin", stdin="我喜欢帝王蝶\nthe Capybara bathes at noon\n".encode())
    shell(here, "edit", kept, "the Pangolin sleeps in the cellar", "--because", "the Wombat said so")
    shell(here, "note", "saw a Narwhal", "--type", "B")
    shell(here, "buffer", "add", "feed the Ocelot")
    chat = tmp_path / "talk.md"
    chat.write_text("User: My favourite animal is the Tardigrade.\n\nAssistant: Noted.\n")
    shell(here, "ingest", chat, "--keep", "--no-embed")
    chat.unlink()
    shell(here, "recall", "Pangolin")
    shell(here, "consolidate", "--force")
    shell(here, "tend")
    shell(here, "fold")
    shell(here, "rebuild-index")
    assert "Tardigrade" in shell(here, "search", "Tardigrade")  # from the kept copy: the host's file is gone

    # A hook while it is locked: the host is not held up, and nothing is lost.
    shell(here, "lock")
    host = tmp_path / "session.jsonl"
    line = {"type": "user", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-05-15T09:30:00Z"}
    host.write_text(
        json.dumps({**line, "message": {"role": "user", "content": "The Shoebill lives by the lake."}}) + "\n"
    )
    payload = json.dumps(
        {"session_id": "s1", "transcript_path": str(host), "hook_event_name": "Stop"}
    ).encode()
    shell(here, "hook", "stop", "--host", "claude-code", stdin=payload)
    shell(
        here, "hook", "prompt", "--host", "claude-code", stdin=b'{"prompt": "where does the Pangolin sleep?"}'
    )
    shell(here, "search", "Pangolin", status=1)
    assert words_under(here) == []
    shell(here, "unlock", "--identity", identity[0])
    shell(here, "hook", "work")
    assert "Shoebill" in shell(here, "search", "Shoebill")

    # Another machine, through git.
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", str(hub)], check=True)
    shell(here, "sync", "--init")
    subprocess.run(["git", "-C", str(here), "remote", "add", "origin", str(hub)], check=True)
    shell(here, "sync", "--push", "--yes")
    subprocess.run(["git", "clone", "--quiet", str(hub), str(there)], check=True)
    shell(there, "remember", "the Wombat digs at night")
    shell(here, "remember", "the Ocelot hunts at dawn")
    for root, text in ((there, "a Narwhal again"), (here, "a Capybara again")):
        shell(root, "note", text, "--type", "B")
    shell(there, "sync", "--push", "--yes")
    shell(here, "sync", "--push", "--yes")
    shell(there, "sync", "--push", "--yes")
    for root in (here, there):
        assert "digs at night" in shell(root, "search", "Wombat")
        assert "hunts at dawn" in shell(root, "search", "Ocelot")
        day = next((root / "notes/daily").iterdir())
        assert "a Narwhal again" in sealed.read(str(day)).decode()
        assert "a Capybara again" in sealed.read(str(day)).decode()
        assert words_under(root) == []

    # Forgetting finds sealed lines; the rest is whole.
    shell(here, "purge", kept, "--yes")
    shell(here, "check", "--deep")
    shell(here, "audit", "verify")
    shell(here, "health", status=0)
    out = tmp_path / "out"
    shell(here, "export", out)
    assert "Pangolin" not in "".join(raw.decode("utf-8", "replace") for raw in raw_bytes(out).values())
    shell(here, "encrypt", "--rekey")
    assert words_under(here) == []

    # In clear again: what the files say is what they said.
    said = {
        path: sealed.read(str(here / path))
        for path in raw_bytes(here)
        # The trail goes on: opening it for good is an act that is told.
        if not path.endswith((".lock", "/sealed.json", "events.jsonl", "/audit.json"))
    }
    shell(here, "decrypt", "--yes")
    assert {path: raw for path, raw in raw_bytes(here).items() if path in said} == said
    assert "records/facts.jsonl: Capybara" in words_under(here)  # the search above finds what is there
    assert "bathes at noon" in shell(here, "search", "Capybara")
    shell(here, "check", "--deep")


def test_a_passphrase_comes_from_a_terminal_or_a_file_never_from_a_word(shell, tmp_path):
    """There is no option that takes one, and a pipe is no terminal."""
    root, paper = tmp_path / "root", tmp_path / "paper"
    paper.write_text("correct horse battery\n")
    shell(root, "init")
    shell(root, "encrypt", "--passphrase", "correct horse battery", status=2)
    shell(root, "encrypt", "--passphrase", status=2)
    assert not (root / "keys").exists()
    shell(root, "encrypt", "--passphrase-file", paper, "--no-recovery")
    shell(root, "lock")
    shell(root, "unlock", "--passphrase-file", "-", stdin=b"correct horse battery\n")
    assert "unlocked" in shell(root, "keys")


def test_locked_is_an_error_with_its_own_code(shell, identity, tmp_path):
    """Scripts can tell it from an empty memory."""
    root = tmp_path / "root"
    shell(root, "init")
    shell(root, "encrypt", "--recipient", identity[1], "--no-recovery")
    assert json.loads(shell(root, "lock", "--json"))["was_open"] is True
    said = json.loads(shell(root, "recall", "anything", "--json", status=1))
    assert (said["error"]["code"], "unlock" in said["error"]["hint"]) == ("locked", True)
    shell(root, "recall", "anything", status=3, MEMORACLE_IDENTITY=identity[0])


def test_a_plan_changes_nothing(shell, identity, tmp_path):
    """`--dry-run` names the files and leaves every byte."""
    root = tmp_path / "root"
    shell(root, "init")
    shell(root, "remember", "the Pangolin")
    before = raw_bytes(root, beside=())
    planned = json.loads(shell(root, "encrypt", "--recipient", identity[1], "--dry-run", "--json"))
    assert ("records/facts.jsonl" in planned["waiting"], raw_bytes(root, beside=())) == (True, before)


def test_the_trail_tells_of_keys_and_seals(root, tmp_path):
    """Who sealed, opened, locked and gave another way in stands in the audit trail, and the trail holds."""
    words = tmp_path / "words"
    words.write_text("correct horse battery staple")
    words.chmod(0o600)
    env = surroundings(MEMORACLE_EMBEDDER="none", XDG_RUNTIME_DIR="/dev/shm")

    def call(*given):
        return subprocess.run(
            [PYTHON, "-m", "memoracle", "--root", str(root), *given], env=env, check=True, capture_output=True
        ).stdout

    call("encrypt", "--passphrase-file", str(words), "--no-recovery")
    call("unlock", "--passphrase-file", str(words))
    call("keys", "add", "--recovery")
    call("lock")
    call("unlock", "--passphrase-file", str(words))
    told = [one["act"] for one in json.loads(call("audit", "show", "--limit", "100", "--json"))["items"]]
    call("audit", "verify")
    call("lock")
    assert [act for act in told if act in {"encrypt", "unlock", "lock", "keys-add"}] == [
        "encrypt", "unlock", "keys-add", "lock", "unlock",
    ]  # fmt: skip
