"""What an agent asks for: only in the last lines of what it said last, once per turn."""

import json

import pytest

from memoracle.interfaces.hooks.capture import requests_in
from support.work import assert_linear

WHOLE = "[DELIVER:seat=planner, task_id=T-7, project=arena, verdict=PASS, summary=it is done, all of it]"


def kinds(said, **environment):
    return [one.kind for one in requests_in(said, environment)]


@pytest.mark.seed("S1.212")
def test_a_delivery_and_its_fields():
    """seat, target and to are one thing, task_id, task and query_id another; a value reaches to the next key."""
    (asked,) = requests_in(f"Done.\n\n{WHOLE}", {})
    assert (asked.kind, asked.missing) == ("deliver", ())
    assert asked.fields == {
        "target": "planner",
        "task": "T-7",
        "project": "arena",
        "verdict": "PASS",
        "summary": "it is done, all of it",
    }


@pytest.mark.parametrize("name", ["seat", "target", "to"])
@pytest.mark.parametrize("task", ["task_id", "task", "query_id", "task-id"])
def test_other_spellings(name, task):
    """As the design's own agents write them; Chinese commas too."""
    (asked,) = requests_in(f"[DELIVER:{name}=规划，{task}=任务7；project=arena]", {})
    assert (asked.fields["target"], asked.fields["task"], asked.missing) == ("规划", "任务7", ())


@pytest.mark.seed("S1.214")
@pytest.mark.parametrize(
    ("said", "environment", "task", "project"),
    [
        ("task_id: T-1\nproject: arena\n", {}, "T-1", "arena"),
        ("task-id: T-2\nproject: arena\n", {"MEMORACLE_PROJECT": "tower"}, "T-2", "tower"),
        (
            "answers MEMORY-QUERY-2026-ab12 now\n",
            {"CLAWSEAT_PROJECT": "own"},
            "MEMORY-QUERY-2026-ab12",
            "own",
        ),
    ],
)
def test_what_the_marker_leaves_out(said, environment, task, project):
    """The task from a line or a token of the same message; the project from the environment, then from a line."""
    (asked,) = requests_in(f"{said}[DELIVER:seat=planner]", environment)
    assert (asked.fields["task"], asked.fields["project"], asked.missing) == (task, project, ())


def test_what_is_not_enough_is_named():
    """Nothing is guessed."""
    assert requests_in("[DELIVER:verdict=PASS]", {})[0].missing == ("target", "task", "project")


@pytest.mark.seed("S1.211")
def test_several_at_the_end():
    """Each on a line of its own, in their order."""
    assert kinds(f"Done.\n{WHOLE}\n[CLEAR-REQUESTED]\n") == ["deliver", "clear"]


@pytest.mark.seed("F-22")
@pytest.mark.parametrize(
    "said",
    [
        "Write [CLEAR-REQUESTED] when you are done.",
        "[CLEAR-REQUESTED]\nThat is what the skill says.",
        "> [CLEAR-REQUESTED]",
        "`[CLEAR-REQUESTED]`",
        "- [CLEAR-REQUESTED]",
        "```\n[CLEAR-REQUESTED]",
        "~~~\nexample:\n[CLEAR-REQUESTED]",
        "```\n[CLEAR-REQUESTED]\n```",
        "[CLEAR-REQUESTED] and more",
        "/clear",
        "[clear-requested]",
        "",
    ],
)
def test_talk_about_a_marker_is_no_marker(said):
    """Quoted, fenced, in the middle, or followed by anything else."""
    assert kinds(said) == []


def test_a_closed_fence_before_it_is_harmless():
    """Code was shown, then the marker was set."""
    assert kinds("```\ncode\n```\n[CLEAR-REQUESTED]") == ["clear"]


@pytest.mark.parametrize(
    ("piece", "before", "after", "found"),
    [
        ("a=", "[DELIVER:", "]", []),
        ("[DELIVER:", "", "", []),
        ("task_id:", "", "\n[CLEAR-REQUESTED]", ["clear"]),
    ],
)
def test_hostile_lines_are_read_in_work_that_grows_with_them(piece, before, after, found):
    """What looks like the beginning of a marker, over and over."""

    def make(size):
        return before + piece * (size // len(piece)) + after

    assert_linear(kinds, make, 200_000)
    assert kinds(make(1_000_000)) == found


# Through the hook


def requests(home):
    path = home.state / "requests.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


@pytest.mark.seed("F-22", "S1.210", "S1.211")
def test_a_request_is_recorded_once_per_turn(home, claude):
    """However often the host calls; the next turn may ask for the same."""
    claude.say("user", "please finish")
    stop = claude.payload("Stop", last_assistant_message=f"Done.\n{WHOLE}", prompt_id="p1")
    outs = [home.call("stop", stop).out for _ in range(3)]
    outs.append(home.call("stop", stop | {"prompt_id": "p2"}).out)
    assert (outs, [one["kind"] for one in requests(home)]) == ([""] * 4, ["deliver"] * 2)
    assert requests(home)[0] | {"turn": "", "at": ""} == {
        "turn": "", "at": "", "host": "claude-code", "session": claude.session, "kind": "deliver",
        "target": "planner", "task": "T-7", "project": "arena", "verdict": "PASS", "summary": "it is done, all of it",
        "answer": "Done.",
    }  # fmt: skip


def test_without_a_turn_id_the_prompt_names_the_turn(home, claude):
    """The same words after the next prompt are another request."""
    stop = claude.payload("Stop", last_assistant_message="Done.\n[CLEAR-REQUESTED]")
    for _ in range(2):
        claude.say("user", "please finish")
        claude.say("assistant", "Done.\n[CLEAR-REQUESTED]")
        for _ in range(2):
            home.call("stop", stop)
    assert [one["kind"] for one in requests(home)] == ["clear", "clear"]


@pytest.mark.seed("F-22")
def test_the_transcript_when_the_host_hands_nothing_over(home, claude):
    """The last assistant message of the current turn; the message may span several lines."""
    claude.say("user", "please finish")
    whole = {"role": "assistant", "id": "msg_1"}
    claude.say("assistant", "", message=whole | {"content": [{"type": "text", "text": "Done."}]})
    claude.say("assistant", "", message=whole | {"content": [{"type": "text", "text": "[CLEAR-REQUESTED]"}]})
    home.call("stop", claude.payload("Stop"))
    assert [one["kind"] for one in requests(home)] == ["clear"]


@pytest.mark.seed("F-22")
def test_neither_users_nor_earlier_turns_nor_tools_ask(home, claude):
    """A marker in user text, in an earlier turn, in tool output or in a side chain does nothing."""
    claude.say("user", "first")
    claude.say("assistant", "Done.\n[CLEAR-REQUESTED]")
    claude.say("user", "the skill says:\n[CLEAR-REQUESTED]")
    result = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t", "content": "[CLEAR-REQUESTED]"}],
    }
    claude.say("user", "", message=result)
    claude.say("assistant", "side\n[CLEAR-REQUESTED]", isSidechain=True)
    home.call("stop", claude.payload("Stop"))
    assert requests(home) == []
    claude.say("assistant", "I did not ask for anything.")
    home.call("stop", claude.payload("Stop"))
    assert requests(home) == []


@pytest.mark.seed("S1.212", "S1.213")
def test_a_delivery_that_lacks_something_is_skipped(home, claude):
    """It is written to the log, and the hook ends as always."""
    done = home.call(
        "stop", claude.payload("Stop", last_assistant_message="[DELIVER:seat=planner]", prompt_id="p")
    )
    assert (done.status, done.out, requests(home)) == (0, "", [])
    assert "deliver_skipped: project, task not given" in home.log()


def test_other_hosts_transcripts(home):
    """OpenClaw, Codex and Gemini end their turns in shapes of their own."""
    said = "Done.\n[CLEAR-REQUESTED]"
    shapes = {
        "openclaw": [
            {"type": "message", "id": "a", "message": {"role": "user", "content": [{"type": "text", "text": "go"}]}},
            {"type": "message", "id": "b", "message": {"role": "assistant", "content": [{"type": "text", "text": said}]}},
        ],
        "codex": [
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}},
            {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]}},
            {"type": "event_msg", "payload": {"type": "task_complete"}},
        ],
        "gemini": [
            {"id": "1", "type": "user", "content": "go"},
            {"id": "2", "type": "gemini", "content": said},
        ],
    }  # fmt: skip
    for host, lines in shapes.items():
        path = home.folder / f"{host}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        home.call("stop", {"session_id": host, "transcript_path": str(path)}, "--host", host)
    assert [one["host"] for one in requests(home)] == ["openclaw", "codex", "gemini"]


@pytest.mark.seed("S1.212", "S1.178", "F-22")
def test_the_worker_delivers_once(home, claude):
    """A marker is a wish: the response and its receipt are what count, and a turn that is told again adds nothing."""
    claude.say("user", "please finish")
    stop = claude.payload("Stop", last_assistant_message=f"The engine runs.\n{WHOLE}", prompt_id="p1")
    for _ in range(3):
        home.call("stop", stop)
        home.settle()
    response = json.loads((home.root / "responses/T-7.json").read_text("utf-8"))
    receipts = sorted(path.name for path in (home.root / "handoffs/arena").iterdir())
    assert (response["answer"], response["query_id"]) == ("The engine runs.", "T-7")
    assert (receipts, home.log()) == (["T-7__memory__planner.done.json"], "")


@pytest.mark.seed("S1.213")
def test_what_cannot_be_delivered_is_told_and_left(home, claude):
    """A task's name that is no file name: a line in the log, nothing written, and the turn goes on."""
    claude.say("user", "please finish")
    asked = "[DELIVER:seat=planner, task_id=../../x, project=arena]"
    done = home.call("stop", claude.payload("Stop", last_assistant_message=asked, prompt_id="p1"))
    home.settle()
    assert (done.status, (home.root / "responses").exists()) == (0, False)
    assert "deliver_skipped" in home.log()


def test_secrets_of_a_request_never_reach_the_disk(home, claude):
    """What the agent said goes into the request masked."""
    token = "ghp_" + "a1B2" * 9
    claude.say("user", "please finish")
    said = f"The token is {token}\n[DELIVER:seat=planner, task_id=T-8, project=arena, summary=use {token}]"
    home.call("stop", claude.payload("Stop", last_assistant_message=said, prompt_id="p1"))
    home.settle()
    held = [p for p in home.root.rglob("*") if p.is_file() and token.encode() in p.read_bytes()]
    assert (held, (home.root / "responses/T-8.json").exists()) == ([], True)
