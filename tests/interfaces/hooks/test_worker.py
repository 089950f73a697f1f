"""The spool and its worker: nothing is lost, two never work at once, and no process stays behind."""

import json
import os
import signal

import pytest

from interfaces.hooks.conftest import Claude, Home
from memoracle.compose import init
from memoracle.store.spool import MOST_TRIES
from support.processes import start

pytestmark = pytest.mark.long

FACT = "I'm allergic to peanuts."


@pytest.fixture
def home(tmp_path):
    """Hooks and workers as a host has them: processes."""
    made = Home(tmp_path, alone=True)
    init(str(made.root), environment={})
    yield made
    made.settle()


def texts(home):
    with home.open() as memory:
        return {hit.passage.text for hit in memory.list(limit=100)}


def turns(home):
    with home.open() as memory:
        memory.search("anything")
        return memory.index.counts().get("turns", 0)


def end(claude):
    return claude.payload("SessionEnd", reason="other")


@pytest.mark.parametrize("event", ["pre-compact", "session-end"])
def test_what_was_said_is_kept_before_it_is_lost(home, claude, event):
    """Before a compaction and at the end of a session the transcript is ingested and what matters taken from it."""
    claude.say("user", FACT)
    claude.say("assistant", "I will keep that in mind.")
    done = home.call(event, claude.payload("X", trigger="auto"))
    home.settle()
    assert (done.status, done.out, turns(home), home.spooled(), home.log()) == (0, "", 2, [], "")
    assert [text for text in texts(home) if "peanuts" in text] != []


def test_the_next_session_recalls_it(home, claude):
    """From one session's end to the next session's prompt."""
    claude.say("user", FACT)
    home.call("session-end", end(claude))
    home.settle()
    told = home.call("prompt", {"prompt": "What am I allergic to?", "session_id": "next"}).told
    assert "peanuts" in told


def test_a_stop_makes_a_transcript_known(home, claude):
    """Its turns can be found at once; what matters is taken from it later."""
    claude.say("user", FACT)
    home.call("stop", claude.payload("Stop", last_assistant_message="ok"))
    home.settle()
    assert (turns(home), texts(home)) == (1, set())


def test_a_transcript_is_only_read(home, claude):
    """The host's file is the host's."""
    claude.say("user", FACT)
    before = (claude.transcript.read_bytes(), os.stat(claude.transcript).st_mtime_ns)
    home.call("session-end", end(claude))
    home.settle()
    assert (claude.transcript.read_bytes(), os.stat(claude.transcript).st_mtime_ns) == before


def test_twenty_hooks_at_once(home):
    """Every session's line is drained, whoever started which worker, and nobody is left."""
    sessions = [Claude(home, f"session-{number:02}") for number in range(20)]
    for number, one in enumerate(sessions):
        one.say("user", f"I live in city number {number} and my code is K{number:02}X.")
    started = [home.begin("hook", "session-end") for _ in sessions]
    for process, one in zip(started, sessions, strict=True):
        process.stdin.write(json.dumps(end(one)).encode())
        process.stdin.close()
    outcomes = [(process.wait(60), process.stdout.read(), process.stderr.read()) for process in started]
    for process in started:
        process.stdout.close()
        process.stderr.close()
    home.settle()
    assert outcomes == [(0, b"", b"")] * 20
    assert (turns(home), home.spooled(), home.workers()) == (20, [], [])


HOLD = """
import sys
from memoracle.store.spool import Spool
with Spool(sys.argv[1]).working() as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""


def test_two_workers_never_work(home, claude):
    """While one is at it another goes home, and the line waits for the first."""
    holder = start(HOLD, home.state / "spool")
    assert holder.stdout.readline() == "True\n"
    claude.say("user", FACT)
    home.call("session-end", end(claude))
    assert (home.workers(), home.call("work").status, len(home.spooled())) == ([], 0, 1)
    second = start(HOLD, home.state / "spool")
    assert second.stdout.readline() == "False\n"
    second.communicate("")
    holder.communicate("")
    home.settle()
    assert (home.spooled(), turns(home)) == ([], 1)


def test_a_killed_worker_leaves_its_lines_to_the_next(home, claude):
    """Killed when it has taken them and done nothing yet."""
    claude.say("user", FACT)
    code = "import os, sys; from memoracle.store.spool import Spool, SpoolEntry\nspool = Spool(sys.argv[1])\nspool.add(SpoolEntry(event='session-end', at='', host='claude-code', session='s', transcript=sys.argv[2]))\nwith spool.working():\n    assert spool.take(first=True)\n    print('taken', flush=True)\n    sys.stdin.read()"
    victim = start(code, home.state / "spool", claude.transcript)
    assert victim.stdout.readline() == "taken\n"
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait(20)
    victim.communicate()
    assert len(home.spooled()) == 1
    home.settle()
    assert (home.spooled(), turns(home)) == ([], 1)


def test_what_fails_is_tried_again_and_then_set_aside(home, claude):
    """With a count; the log names it, the spool keeps it."""
    home.call("session-end", end(claude))  # its transcript is not there
    home.settle()
    tries = []
    for _ in range(MOST_TRIES + 1):
        tries.append([(one["event"], one["tries"]) for one in home.spooled()])
        home.call("work")
    assert tries[0] in ([("session-end", 1)], [("session-end", 2)])
    assert home.spooled()[0]["tries"] == MOST_TRIES
    assert [path.name for path in (home.state / "spool").glob("*.jsonl")] == ["given-up.jsonl"]
    assert home.log().count(f"{claude.session}.jsonl: there is no such file") == 1


def test_what_failed_is_done_once_it_can_be(home, claude):
    """A transcript that appears later."""
    home.call("session-end", end(claude))
    home.settle()
    claude.say("user", FACT)
    home.settle()
    assert (home.spooled(), turns(home)) == ([], 1)


def test_a_folder_is_no_transcript(home):
    """A host that names one does not have everything below it read."""
    home.call("session-end", {"session_id": "s", "transcript_path": str(home.folder)})
    home.settle()
    assert (turns(home), [one["event"] for one in home.spooled()]) == (0, ["session-end"])


def test_a_session_without_a_path_is_found_by_its_name(home):
    """Codex may not say where its rollout is."""
    path = home.folder / ".codex/sessions/2026/07/01/rollout-2026-07-01T10-00-00-019abc.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        {"timestamp": "2026-07-01T10:00:00Z", "type": "session_meta", "payload": {"id": "019abc", "cwd": "/x"}},
        {"timestamp": "2026-07-01T10:00:01Z", "type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": FACT}]}},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    home.call(
        "session-end", {"session_id": "019abc", "transcript_path": None, "turn_id": "t", "reason": "other"}
    )
    home.settle()
    assert (turns(home), [text for text in texts(home) if "peanuts" in text] != []) == (1, True)


@pytest.mark.seed("S4.019")
def test_a_compaction_begins_a_new_cycle(home, claude):
    """After the host has told of it, the next flush is another one."""
    claude.say("user", FACT)
    with home.open() as memory:

        def asked():
            return memory.flush_check(180_000, session=claude.session).flush

        first, second = asked(), asked()
        home.call("post-compact", claude.payload("PostCompact", trigger="auto", compact_summary="x"))
        home.settle()
        assert (first, second, asked(), asked()) == (True, False, True, False)


def test_the_worker_belongs_to_nobody(home, claude):
    """It has a session of its own, and none of the host's pipes: the host reads the end at once."""
    claude.say("user", FACT)
    read, write = os.pipe()
    process = home.begin("hook", "session-end", pass_fds=[write])
    os.close(write)
    process.communicate(json.dumps(end(claude)).encode(), timeout=60)
    with os.fdopen(read, "rb") as pipe:
        assert pipe.read() == b""
    for pid in home.workers():
        assert os.getsid(pid) == pid
    home.settle()
    assert home.workers() == []


def test_a_line_that_ends_every_worker_is_given_up(home, claude):
    """It keeps no other line waiting."""
    claude.say("user", FACT)
    folder = home.state / "spool"
    folder.mkdir(parents=True)
    deadly = {"event": "session-end", "at": "", "transcript": "/x.jsonl", "tries": MOST_TRIES - 1}
    (folder / "taken-00000000.jsonl").write_text(json.dumps(deadly) + "\n")
    (folder / "taken-11111111.jsonl").write_text("no line at all\n")
    home.call("session-end", end(claude))
    home.settle()
    assert ([one["transcript"] for one in home.spooled()], turns(home)) == (["/x.jsonl"], 1)
    assert [path.name for path in folder.glob("*.jsonl")] == ["given-up.jsonl"]


def test_gemini_is_not_flushed_at_every_turn(home):
    """It announces a compression before each of them; by hand, or when the context may be full, one takes place."""
    chat = home.folder / ".gemini/tmp/work/chats/session-2026-11-16T18-31-022d29e5.jsonl"
    chat.parent.mkdir(parents=True)
    chat.write_text("{}\n", encoding="utf-8")
    payload = {"session_id": "g", "transcript_path": str(chat), "hook_event_name": "PreCompress"}
    home.call("pre-compact", payload | {"trigger": "auto"}, "--host", "gemini")
    assert home.spooled() == []
    home.call("pre-compact", payload | {"trigger": "manual"}, "--host", "gemini")
    with chat.open("a", encoding="utf-8") as file:
        file.write(" " * (300 << 10))
    home.call("pre-compact", payload | {"trigger": "auto"}, "--host", "gemini")
    assert [one["event"] for one in home.spooled()] == ["pre-compact", "pre-compact"]
