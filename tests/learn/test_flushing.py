"""Whether a flush is due, remembered between calls."""

import json

import pytest


def test_the_golden_calls(memory):
    """Below, at the threshold, and once more in the same cycle."""
    asked = [memory.flush_check(tokens, cycle=1).flush for tokens in (175_999, 176_000, 179_000)]
    assert (asked, memory.flush_check(176_000, cycle=2).flush) == ([False, True, False], True)


@pytest.mark.seed("S4.019")
def test_without_cycles_a_compaction_is_seen_by_its_tokens(memory):
    """They fall, and rise again."""
    asked = [memory.flush_check(tokens).flush for tokens in (176_000, 178_000, 45_000, 176_000, 176_000)]
    assert asked == [True, False, False, True, False]


def test_each_session_has_cycles_of_its_own(memory):
    """One that has flushed keeps no other from it."""
    assert [memory.flush_check(180_000, session=name).flush for name in ("a", "b", "a")] == [
        True,
        True,
        False,
    ]


def test_the_numbers_come_from_the_settings(root, clock):
    """And from the call, which counts more."""
    from memoracle.compose import open_memory

    env = {"MEMORACLE_CONTEXT_WINDOW": "100000", "MEMORACLE_FLUSH_SOFT_TOKENS": "10000"}
    with open_memory(str(root), environment=env, clock=clock) as memory:
        assert memory.flush_check(1).threshold == 70_000
        assert memory.flush_check(1, window=50_000, reserve=25_000, soft=5_000).threshold == 20_000


def test_a_large_transcript(memory, tmp_path):
    """Two megabytes are enough, once."""
    path = tmp_path / "chat.jsonl"
    path.write_bytes(b"x" * 2_000_000)
    asked = [memory.flush_check(10, transcript=str(path)) for _ in range(2)]
    assert ([one.flush for one in asked], "2000000" in asked[0].because) == ([True, False], True)


@pytest.mark.seed("S4.019")
def test_where_nothing_can_be_kept_nothing_is_flushed(memory, root):
    """A place that cannot be written is left alone, and the answer says why."""
    for path in sorted((root / "state").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (root / "state").rmdir()
    (root / "state").write_text("in the way")
    answer = memory.flush_check(180_000)
    assert (answer.flush, answer.threshold, bool(answer.because)) == (False, 176_000, True)


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", '{"sessions": 7}', '{"sessions": {"": 7}}', '{"sessions": {"": {"fired_cycle": "x"}}}'],
)
def test_a_damaged_note_is_an_empty_one(memory, root, damage):
    """At worst there is one flush too many."""
    (root / "state").mkdir(exist_ok=True)
    (root / "state/flush.json").write_text(damage)
    assert memory.flush_check(180_000, cycle=1).flush
    assert json.loads((root / "state/flush.json").read_text())["sessions"][""]["fired_cycle"] == 1
