"""Tools' calls and their results, in the formats of all hosts: one turn each, short, joined, and never twice."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.hosts import tools
from memoracle.hosts.collect import collect
from memoracle.hosts.reading import hear, read
from memoracle.hosts.tools import LONGEST, OpenCalls, call_text, digest_output
from memoracle.model.claim import Role

from .samples import CLAUDE, CODEX, GEMINI, claude_line, results, source, write_lines

AT = "2026-08-01T09:00:00.000Z"
COMMAND = "npm test -- --run src/cart.test.ts"
FAILED = "FAIL src/cart.test.ts\nError: ENOENT: no such file or directory, open 'fixtures/cart.json'"


def claude(name="Bash", given=None, output=FAILED, *, number=1, after="u1", failed=True):
    """A call and its result, as Claude Code writes them."""
    call = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given or {"command": COMMAND}}
    result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": output, "is_error": failed}
    first = claude_line(f"c{number}", after, "", type="assistant")
    first["message"] = {"id": f"m{number}", "role": "assistant", "content": [call]}
    second = claude_line(f"r{number}", f"c{number}", "")
    second["message"]["content"] = [result]
    return first, second


def codex(item):
    return {"timestamp": AT, "type": "response_item", "payload": item}


CODEX_LINES = [
    {"timestamp": AT, "type": "session_meta", "payload": {"id": "s", "cwd": "/home/mei/shop"}},
    codex({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Run the tests."}]}),
    codex(
        {
            "type": "function_call",
            "name": "shell",
            "arguments": json.dumps({"command": ["bash", "-lc", COMMAND], "timeout_ms": 1000}),
            "call_id": "call_1",
        }
    ),
    codex(
        {
            "type": "function_call_output",
            "call_id": "call_1",
            "output": json.dumps({"output": FAILED, "metadata": {"exit_code": 1, "duration_seconds": 2.1}}),
        }
    ),
]
GEMINI_LINES = [
    {"sessionId": "s", "projectHash": "x", "startTime": AT},
    {"id": "g1", "timestamp": AT, "type": "user", "content": "Run the tests."},
    {
        "id": "g2",
        "timestamp": AT,
        "type": "gemini",
        "content": "",
        "toolCalls": [
            {"id": "run-1", "name": "run_shell_command", "args": {"command": COMMAND}, "status": "executing"}
        ],
    },
    {
        "id": "g2",
        "timestamp": AT,
        "type": "gemini",
        "content": "",
        "toolCalls": [
            {
                "id": "run-1",
                "name": "run_shell_command",
                "args": {"command": COMMAND},
                "status": "error",
                "timestamp": AT,
                "result": [{"functionResponse": {"id": "run-1", "response": {"output": FAILED}}}],
            }
        ],
    },
]
OPENCLAW_LINES = [
    {"type": "session", "id": "s", "timestamp": AT, "cwd": "/home/mei/shop"},
    {
        "type": "message",
        "id": "m1",
        "parentId": None,
        "timestamp": AT,
        "message": {"role": "user", "content": "Run the tests."},
    },
    {
        "type": "message",
        "id": "m2",
        "parentId": "m1",
        "timestamp": AT,
        "message": {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "t1", "name": "exec", "arguments": {"command": COMMAND}}],
        },
    },
    {
        "type": "message",
        "id": "m3",
        "parentId": "m2",
        "timestamp": AT,
        "message": {
            "role": "toolResult",
            "toolCallId": "t1",
            "toolName": "exec",
            "content": [{"type": "text", "text": FAILED}],
            "details": {"exitCode": 1},
            "isError": True,
        },
    },
]
PLAIN_LINES = [
    {"role": "user", "content": "Run the tests.", "timestamp": AT, "id": "1"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "t1", "function": {"name": "bash", "arguments": json.dumps({"command": COMMAND})}}
        ],
    },
    {"role": "tool", "tool_call_id": "t1", "content": FAILED, "timestamp": AT, "id": "3"},
]
HOSTS = {
    "claude": [claude_line("u1", None, "Run the tests."), *claude()],
    "codex": CODEX_LINES,
    "gemini": GEMINI_LINES,
    "openclaw": OPENCLAW_LINES,
    "plain": PLAIN_LINES,
}
CALLED_ON = {"claude": 2, "codex": 3, "gemini": 4, "openclaw": 3, "plain": 2}


def write(host, folder, lines):
    return write_lines(folder / f"{host}.jsonl", *lines)


@pytest.mark.parametrize("host", HOSTS)
def test_a_call_and_its_result_are_one_passage(tmp_path, host):
    """With the command, how it ended, what it said; of the kind `tool`, from outside, cited by the line of the call."""
    path = write(host, tmp_path, HOSTS[host])
    heard = hear(str(path), host)
    (found,) = [one for one in heard.passages if one.kind == "tool"]
    assert COMMAND in found.text
    assert "ENOENT: no such file or directory, open 'fixtures/cart.json'" in found.text
    assert {"claude": "failed", "gemini": "failed", "plain": ""}.get(host, "exit 1") in found.text
    assert (found.who, found.channel, found.trust, found.first_line) == ("tool", "tool", 0.4, CALLED_ON[host])
    assert found.at is not None
    assert found.last_line == len(HOSTS[host])
    assert [one.text for one in heard.passages if one.kind == "turn"] == ["Run the tests."]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("shown", [1, 2, 3])
def test_a_result_that_comes_later_joins_its_call(tmp_path, host, shown):
    """However the file grew between two readings, the turns are the same ones, each once."""
    whole = read(source(write(host, tmp_path, HOSTS[host]))).turns
    folder = tmp_path / "again"
    folder.mkdir()
    path = write(host, folder, HOSTS[host][:shown])
    first = hear(str(path), host)
    write(host, folder, HOSTS[host])
    second = hear(str(path), host, first.mark.memo)
    third = hear(str(path), host, second.mark.memo)
    told = [*first.passages, *second.passages, *third.passages]
    assert [(one.ref, one.text, one.first_line) for one in told] == [
        (one.id, one.text, one.line) for one in whole
    ]


@pytest.mark.parametrize("host", HOSTS)
def test_a_waiting_call_leaves_no_word_in_the_memo(tmp_path, host):
    """It may hold a secret, and it may be forgotten: it stands in the transcript alone."""
    path = write(host, tmp_path, HOSTS[host][:-1])
    assert "cart.test.ts" in path.read_text()
    assert "cart" not in hear(str(path), host).mark.memo.replace(str(path), "")


@pytest.mark.parametrize("host", HOSTS)
def test_tools_teach_nothing(tmp_path, host):
    """What a tool gave is no one's word: learning passes over it."""
    path = write(host, tmp_path, HOSTS[host])
    collected = collect([(str(path), str(path), host)], {})
    assert [turn.text for turn in collected.turns] == ["Run the tests."]
    assert collected.dropped == {"tool output": 1}


def test_samples_of_the_hosts():
    """In what the hosts themselves wrote."""
    assert results(CLAUDE) == ["Read: auth.py\ndef login(): SECRET TOOL OUTPUT"]
    assert results(CODEX) == ["shell: ls\nSECRET TOOL OUTPUT"]
    assert results(GEMINI) == ["read_file\nSECRET TOOL OUTPUT"]


def test_parallel_calls_are_all_kept(tmp_path):
    """Two calls of one message: each hangs under another line, and both are live; so are two results on one line."""
    (one, first), (two, second) = (
        claude(number=1),
        claude(given={"command": "ls"}, number=2, after="c1", output="a.py"),
    )
    two["message"]["id"] = "m1"
    path = write_lines(
        tmp_path / "talk.jsonl",
        claude_line("u1", None, "go"),
        one,
        two,
        first,
        second,
        claude_line("u2", "r2", "done"),
    )
    assert [text.split("\n")[0] for text in results(path)] == [f"Bash: {COMMAND}", "Bash: ls"]
    first["message"]["content"] += second["message"]["content"]
    path = write_lines(
        tmp_path / "both.jsonl",
        claude_line("u1", None, "go"),
        one,
        two,
        first,
        claude_line("u2", "r1", "done"),
    )
    turns = [turn for turn in read(source(path)).turns if turn.role is Role.TOOL]
    assert [(turn.id, turn.line) for turn in turns] == [("r1:1", 2), ("r1", 3)]


@pytest.mark.parametrize("mark", ["isMeta", "isVisibleInTranscriptOnly", "isCompactSummary"])
def test_hidden_results_are_not_heard(tmp_path, mark):
    """Neither are they in OpenClaw, wherever the entry says so."""
    call, result = claude()
    lines = [claude_line("u1", None, "one"), call, result | {mark: True}, claude_line("u2", "r1", "two")]
    assert [turn.text for turn in read(source(write_lines(tmp_path / "a.jsonl", *lines))).turns] == [
        "one",
        "two",
    ]
    *others, last = OPENCLAW_LINES
    hidden = last | {"message": last["message"] | {"hidden": True}}
    assert not [
        one
        for one in hear(str(write("openclaw", tmp_path, [*others, hidden])), "openclaw").passages
        if one.kind == "tool"
    ]


def test_a_result_beside_what_goes_on_is_kept_however_it_was_read(tmp_path):
    """The message that made the call is live, so is its result; also when the call was read before."""
    call, result = claude()
    again = claude_line("c2", "c1", "Next.", type="assistant")
    lines = [
        claude_line("u1", None, "one"),
        call,
        again,
        result | {"parentUuid": "c2"},
        claude_line("u2", "c2", "no"),
    ]
    whole = [one.ref for one in hear(str(write_lines(tmp_path / "a.jsonl", *lines)), "claude").passages]
    assert whole == ["u1", "c2", "r1", "u2"]
    for shown in range(1, len(lines)):
        path = write_lines(tmp_path / f"{shown}.jsonl", *lines[:shown])
        first = hear(str(path), "claude")
        write_lines(path, *lines)
        later = hear(str(path), "claude", first.mark.memo)
        assert [one.ref for one in (*first.passages, *later.passages)] == whole


def test_what_was_rewound_goes_with_its_tools(tmp_path):
    """A prompt that was taken back takes along what tools gave for it."""
    lines = [claude_line("u1", None, "one"), claude_line("u2", "u1", "run"), *claude(after="u2")]
    path = write_lines(tmp_path / "talk.jsonl", *lines)
    memo = hear(str(path), "claude").mark.memo
    write_lines(path, *lines, claude_line("u3", "u1", "no, stop"))
    assert hear(str(path), "claude", memo).withdrawn == ("r1", "u2")
    assert results(path) == []


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("mcp__memoracle__memory_search", {"query": "the cat"}),
        ("memory_search", {"query": "the cat"}),
        ("memoracle__memory_get", {"id": "x"}),
        ("Bash", {"command": "memoracle recall 'the cat'"}),
        ("shell", {"command": ["bash", "-lc", "cd /srv && memoracle search cat"]}),
        ("Bash", {"command": "python -m memoracle recall cat"}),
        ("Bash", {"command": "uv run memoracle recall cat"}),
        ("Bash", {"command": "sudo -u mei /opt/bin/memoracle recall cat"}),
        ("Bash", {"command": "MEMORACLE_ROOT=/x memoracle recall cat"}),
        ("Bash", {"command": "cd /x\nmemoracle recall cat"}),
        ("Bash", {"command": "bash -lc 'memoracle recall cat'"}),
        ("Bash", {"command": "if `memoracle recall cat`; then ssh h memoracle check; fi"}),
        ("Bash", {"command": "cat ~/.memoracle/records/facts.jsonl"}),
        ("Bash", {"command": "true " * 2000 + "; memoracle recall cat"}),
        ("Read", {"file_path": "/home/mei/memory/MEMORY.md"}),
        ("Grep", {"pattern": "cat", "path": "/home/mei/.local/share/memoracle/notes"}),
        ("call_tool", {"server": "memoracle", "tool": "memory_search", "arguments": {"query": "cat"}}),
    ],
)
def test_memory_does_not_feed_on_itself(tmp_path, name, given):
    """What memory was asked, and what it answered, is not heard again."""
    path = write_lines(
        tmp_path / "talk.jsonl",
        claude_line("u1", None, "one"),
        *claude(name, given, "The cat is called Miso"),
    )
    assert results(path) == []


def test_others_with_a_like_name_are_heard():
    """A folder of that name, and what only begins so."""
    for command in ("cat src/memoracle/text.py", "ls memoracle-plugin", "cat memory.md", "memoracles"):
        assert call_text("Bash", {"command": command}) == f"Bash: {command}"


def test_a_call_without_a_result_waits_and_a_result_without_a_call_stands_alone(tmp_path):
    """Nothing is lost, and nothing is made up."""
    call, result = claude()
    assert results(write_lines(tmp_path / "a.jsonl", claude_line("u1", None, "one"), call)) == []
    lone = results(write_lines(tmp_path / "b.jsonl", claude_line("u1", None, "one"), result))
    assert lone == [f"tool\nfailed\n{FAILED}"]
    assert (
        OpenCalls('{"a": 7}').memo()
        == OpenCalls('{"a": ["ls", 7, "m"]}').memo()
        == OpenCalls("[]").memo()
        == OpenCalls("{").memo()
        == ""
    )


def test_long_output_is_kept_by_its_head_tail_and_errors():
    """What stands between and tells nothing goes; the same complaint stands once."""
    lines = [f"compiling module {n} of the whole project" for n in range(2000)]
    lines[700] = "src/app.ts(14,7): error TS2345: Argument of type 'string' is not assignable"
    lines[900] = lines[901] = "npm WARN deprecated left-pad@1.3.0"
    kept = digest_output("\n".join(["$ npm run build", *lines, "Found 1 error in src/app.ts:14"]))
    assert len(kept) <= LONGEST
    assert kept.startswith("$ npm run build")
    assert kept.endswith("Found 1 error in src/app.ts:14")
    assert kept.count("TS2345") == kept.count("left-pad@1.3.0") == 1


@pytest.mark.parametrize("more", range(0, 150, 7))
def test_a_cut_leaves_no_half_of_a_word(more):
    """A secret is masked when it is whole, and half of one would not be known; Chinese is cut anywhere."""
    secret, log = "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "\n".join(["all is well today"] * 200)
    line = f"{'word ' * 40}{'y' * more} {secret} end of line{' and more' * 20}"
    huge = f"{log}\n{'z ' * 99_850}{'y' * more} {secret}{' z' * 210_000}"
    for kept in (
        digest_output(f"{line}\n{log}"),
        digest_output(huge),
        digest_output(huge[::-1].replace(secret[::-1], secret)),
        call_text("f", {"a": [{}, "y " * (440 + more // 2), secret]}),
    ):
        assert secret in kept or not any(piece in kept for piece in (secret[:8], secret[-8:]))
    assert "的记录" in digest_output("今天的记录" * 100 + "\n" + log)


def test_no_part_of_an_encoded_token_stays():
    """Neither the signature behind a long payload."""
    assert "c2lnbmF0dXJl" not in digest_output("eyJhbGciOiJI.eyJ" + "a1" * 120 + ".c2lnbmF0dXJl done")


@pytest.mark.parametrize(
    "output",
    [
        "\x00\x01\x02ELF" + "\ufffd" * 3000,
        "data:image/png;base64," + "iVBORw0KGgo" * 4000,
        json.dumps([{"id": n, "name": f"user {n}"} for n in range(5000)]),
        "\x1b[2K\x1b[1G" + "".join(f"\r{n} %" for n in range(5000)) + "\n",
    ],
)
def test_bytes_encoded_data_and_large_json_are_dropped(output):
    """Nobody will look for them."""
    assert len(digest_output(output)) < 60


def test_the_whole_turn_is_short(tmp_path):
    """A long command and a long output together."""
    written = {"file_path": "docs/plan.md", "content": "A step of the plan.\n" * 900}
    path = write_lines(
        tmp_path / "talk.jsonl",
        claude_line("u1", None, "one"),
        *claude("Write", written, "Saved.\n" + "line\n" * 2000),
    )
    (text,) = results(path)
    assert len(text) <= LONGEST + 20
    assert text.startswith("Write: docs/plan.md\ncontent: A step of the plan.")
    assert "Saved." in text


def test_arguments_in_short():
    """What matters first; numbers of the harness not at all."""
    assert call_text("Read", {"file_path": "a.py", "limit": 20, "offset": 3}) == "Read: a.py"
    assert (
        call_text("Bash", {"description": "Run all", "command": "make"}) == "Bash: make\ndescription: Run all"
    )
    assert call_text("apply_patch", "*** Begin Patch") == "apply_patch: *** Begin Patch"
    assert call_text("think", {}) == call_text("think", None) == "think"


@pytest.mark.parametrize(
    "piece", ["\r", "a", "\x1b[", "|  ", "(", "memoracle", "{", "error ", "A" * 179 + " ", "/"]
)
def test_hostile_output_takes_linear_time(piece):
    """No output keeps a reading waiting."""
    start = time.process_time()
    digest_output(piece * (2_000_000 // len(piece)))
    call_text("Bash", {"command": piece * (2_000_000 // len(piece))})
    assert time.process_time() - start < 5


TELLING = "Error error: KILLED Time-out timed out 3 passed E4021 ENOENT HTTP 404 status=500 XENOENT HTTP/2 200 exited with code".split()


@given(st.lists(st.sampled_from([*TELLING, "word", "_", "-", ": ", " ", "3", "É"])).map("".join))
def test_a_line_in_ascii_tells_of_errors_as_any_other_does(line):
    """The quick way gives the answer of the slow one."""
    assert tools._tells(line) == bool(tools._TELLS.search(line))
