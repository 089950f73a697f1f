"""Pruning: tool results alone, old ones first, and never the host's own file."""

import json
import os

import pytest

from hosts.samples import CLAUDE, OPENCLAW
from memoracle.hosts.prune import CLEARED, Mode, Pruning, prune, prune_lines, soft_trim
from memoracle.hosts.reading import read
from memoracle.hosts.sources import Source, recognise

SMALL = Pruning(window=2_500, least=5_000)
"""A window of 10,000 characters: soft from 3,000 on, hard from 5,000."""


def encoded(entries):
    return [json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() for entry in entries]


def openclaw(turns, size, *, image=False):
    """A session of OpenClaw: a question, a call, its result and an answer per turn."""
    yield {"type": "session", "version": 3, "id": "s", "timestamp": "2026-04-02T08:00:00.000Z"}
    for n in range(turns):
        result = [{"type": "text", "text": f"result {n} " + "x" * size}] + (
            [{"type": "image", "data": "…"}] if image else []
        )
        call = {"type": "toolCall", "id": f"c{n}", "name": "exec", "arguments": {"command": "ls"}}
        for role, content in (
            ("user", [{"type": "text", "text": f"question {n}"}]),
            ("assistant", [{"type": "thinking", "thinking": "hm"}, call]),
            ("toolResult", result),
            ("assistant", [{"type": "text", "text": f"answer {n}"}]),
        ):
            yield {
                "type": "message",
                "id": f"{role}{n}",
                "timestamp": "2026-04-02T08:00:01.000Z",
                "message": {"role": role, "content": content},
            }


def claude(turns, size):
    """A session of Claude Code: a result is a user line with a block, and stands in it twice."""
    for n in range(turns):
        text = f"result {n} " + "x" * size
        yield {"type": "user", "uuid": f"u{n}", "message": {"role": "user", "content": f"question {n}"}}
        yield {
            "type": "assistant",
            "uuid": f"a{n}",
            "message": {
                "id": f"m{n}",
                "role": "assistant",
                "content": [{"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": "ls"}}],
            },
        }
        yield {
            "type": "user",
            "uuid": f"r{n}",
            "message": {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": f"t{n}", "content": text}],
            },
            "toolUseResult": {"stdout": text},
        }
        yield {
            "type": "assistant",
            "uuid": f"b{n}",
            "message": {
                "id": f"n{n}",
                "role": "assistant",
                "content": [{"type": "text", "text": f"answer {n}"}],
            },
        }


SHAPES = pytest.mark.parametrize("shape", [openclaw, claude])


def spoken(lines):
    """What people and agents said in these lines, with everything a tool gave back left out."""
    found = []
    for line in lines:
        message = json.loads(line).get("message", {})
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        if message.get("role") != "toolResult":
            found += [block for block in blocks if block.get("type") != "tool_result"]
    return found


@pytest.mark.seed("S4.054")
def test_the_usual_numbers():
    """As the design has them."""
    usual = Pruning()
    assert (usual.keep_last_assistants, usual.soft_share, usual.hard_share, usual.least) == (
        3,
        0.3,
        0.5,
        50_000,
    )
    assert (usual.longest, usual.head, usual.tail) == (4_000, 1_500, 1_500)


@pytest.mark.seed("S4.054")
@pytest.mark.parametrize("length", [4_000, 4_001, 20_000])
def test_of_a_long_result_head_and_tail_stay(length):
    """One of 4,000 characters is not long."""
    text = "".join(chr(65 + n % 26) for n in range(length))
    trimmed = soft_trim(text)
    if length == 4_000:
        assert trimmed == text
        return
    assert (trimmed[:1_500], text[-1_500:] in trimmed, str(length) in trimmed) == (text[:1_500], True, True)
    assert len(trimmed) < 3_200


@pytest.mark.seed("S4.053", "S4.054")
@SHAPES
def test_soft_trim(shape):
    """Long results before the last three answers; what was said stays; the last ones stay whole."""
    lines = encoded(shape(6, 4_500))
    done = prune_lines(lines, numbers=SMALL)
    changed = [at for at, (a, b) in enumerate(zip(lines, done.lines, strict=True)) if a != b]
    assert (done.trimmed, done.cleared, len(changed), done.after < done.before) == (5, 0, 5, True)
    assert spoken(done.lines) == spoken(lines)
    assert b"xxx" * 1_400 not in done.lines[changed[0]]
    assert done.lines[-2] == lines[-2]


@pytest.mark.seed("S4.054")
@SHAPES
def test_hard_clear(shape):
    """Old results give way to a placeholder, oldest first, until half of the window is free."""
    lines = encoded(shape(6, 2_000))
    done = prune_lines(lines, mode=Mode.HARD, numbers=SMALL)
    cleared = [
        CLEARED.encode() in line for line in done.lines if b"result" in line or CLEARED.encode() in line
    ]
    assert (done.trimmed, done.cleared >= 3, done.after <= 5_000) == (0, True, True)
    assert cleared == sorted(cleared, reverse=True)
    assert spoken(done.lines) == spoken(lines)


@pytest.mark.parametrize(("size", "trimmed"), [(100, 0), (4_500, 2)])
def test_a_small_context_is_left_alone(size, trimmed):
    """Up to 0.3 of the window nothing happens."""
    numbers = Pruning(window=7_000, least=5_000)  # 28,000 characters; 0.3 of them are 8,400
    done = prune_lines(encoded(openclaw(3, size)), numbers=numbers)
    assert done.trimmed == trimmed


def test_with_few_tool_characters_nothing_is_cleared():
    """Clearing costs the agent more than it brings."""
    lines = encoded(openclaw(6, 2_000))
    assert prune_lines(lines, mode=Mode.HARD, numbers=Pruning(window=2_500)).cleared == 0


def test_fewer_answers_than_are_kept():
    """Nothing is old yet."""
    lines = encoded(openclaw(1, 30_000))
    assert prune_lines(lines, mode=Mode.HARD, numbers=SMALL).lines == tuple(lines)


def test_images_are_never_touched():
    """Nor the result they stand in."""
    lines = encoded(openclaw(6, 9_000, image=True))
    assert prune_lines(lines, mode=Mode.HARD, numbers=SMALL).lines == tuple(lines)


@pytest.mark.seed("S4.050")
def test_what_was_compacted_is_not_pruned_again():
    """Before the last compaction lies what is no longer in the context."""
    old, new = encoded(openclaw(6, 4_500)), encoded(openclaw(6, 4_500))[1:]
    mark = encoded([{"type": "compaction", "id": "c", "summary": "They spoke.", "firstKeptEntryId": "x"}])
    done = prune_lines([*old, *mark, *new], numbers=SMALL)
    assert (done.lines[: len(old)], done.trimmed) == (tuple(old), 5)


@pytest.mark.parametrize("path", [OPENCLAW, CLAUDE], ids=["openclaw", "claude"])
def test_real_sessions_go_through_unharmed(path, tmp_path):
    """Damaged and unknown lines too; the reader finds the same turns in the copy, and the file is as it was."""
    before = (path.read_bytes(), os.stat(path).st_mtime_ns)
    done = prune(str(path), mode="hard", numbers=Pruning(window=100, least=1))
    copy = tmp_path / path.name
    copy.write_bytes(b"".join(line + b"\n" for line in done.lines))
    known = recognise(copy)
    assert isinstance(known, Source)
    assert [turn.text for turn in read(known).turns] == [turn.text for turn in read(recognise(path)).turns]
    assert (path.read_bytes(), os.stat(path).st_mtime_ns) == before


@pytest.mark.parametrize(
    "line", [b"", b"{", b"null", b"[]", b'{"message": 7}', b'{"message": {"content": [7]}}', b"\xff"]
)
def test_a_line_that_is_nothing_stays(line):
    """Byte for byte."""
    lines = [*encoded(openclaw(6, 4_500)), line]
    assert prune_lines(lines, mode=Mode.HARD, numbers=SMALL).lines[-1] == line


def test_codex_results():
    """An item of its own."""
    lines = []
    for n in range(6):
        for payload in (
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"question {n}"}]},
            {"type": "function_call_output", "call_id": f"c{n}", "output": "x" * 5_000},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": f"answer {n}"}],
            },
        ):
            lines += encoded(
                [{"timestamp": "2026-07-01T10:00:00Z", "type": "response_item", "payload": payload}]
            )
    assert prune_lines(lines, numbers=SMALL).trimmed == 4
