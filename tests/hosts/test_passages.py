"""Turns become passages."""

import pytest

from memoracle.hosts.reading import hear
from memoracle.model.manifest import Role
from memoracle.model.search import EvidenceSource

from .samples import CHAT, CLAUDE, CLAUDE_REWIND, LINE_FILES, claude_line, copy_of, source, state, write_lines


def said(loaded):
    return [passage.text for passage in loaded.passages]


def test_a_turn_is_a_passage(tmp_path):
    """With its speaker, its time, its session, its line, and the trust of its channel."""
    path = write_lines(
        tmp_path / "talk.jsonl",
        claude_line("u1", None, "I am allergic to peanuts", cwd="/home/mei/app"),
        claude_line("u2", "u1", "I will remember that", type="assistant"),
    )
    first, second = hear(str(path), "claude").passages
    assert (first.ref, first.source, first.kind, first.cite) == (
        "u1",
        EvidenceSource.TURN,
        "turn",
        f"{path}#L1",
    )
    assert (first.session, first.channel, first.project, first.at.hour) == ("s", "owner", "app-668bb6c1", 12)
    assert (second.channel, second.trust < first.trust) == ("agent", True)


@pytest.mark.parametrize("path", LINE_FILES, ids=lambda path: path.name[-30:])
def test_what_was_heard_is_not_heard_again(path):
    """The memo leads to the end of the file."""
    first = hear(str(path), source(path).shape)
    again = hear(str(path), source(path).shape, first.mark.memo)
    assert (first.whole, again.whole, again.passages, again.role) == (True, False, (), Role.TRANSCRIPT)


def test_only_what_was_added_is_heard(tmp_path):
    """A conversation that grew."""
    path = write_lines(tmp_path / "talk.jsonl", claude_line("u1", None, "one"))
    memo = hear(str(path), "claude").mark.memo
    write_lines(path, claude_line("u1", None, "one"), claude_line("u2", "u1", "two"))
    more = hear(str(path), "claude", memo)
    assert (said(more), more.whole, more.passages[0].first_line) == (["two"], False, 2)


def test_a_rewind_withdraws(tmp_path):
    """What was taken back is named."""
    path = tmp_path / CLAUDE_REWIND.name
    lines = CLAUDE_REWIND.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))
    memo = hear(str(path), "claude").mark.memo
    path.write_bytes(b"".join(lines))
    assert hear(str(path), "claude", memo).withdrawn == ("r3", "r4")


@pytest.mark.parametrize(
    "text",
    ["", "<system-reminder>be nice</system-reminder>", "<memoracle>the cat is called Miso</memoracle>"],
)
def test_what_nobody_said_is_not_heard(tmp_path, text):
    """Neither silence, nor a host's own words, nor memory's own words coming back."""
    path = write_lines(
        tmp_path / "talk.jsonl", claude_line("u1", None, text), claude_line("u2", "u1", "hello you")
    )
    assert said(hear(str(path), "claude")) == ["hello you"]


@pytest.mark.parametrize("memo", ["null", "[]", '{"offset": -1}', '{"ends": 7}'])
def test_a_memo_that_makes_no_sense_means_reading_whole(tmp_path, memo):
    """Nothing is missed, nothing raises."""
    path = copy_of(CLAUDE, tmp_path)
    assert hear(str(path), "claude", memo).passages == hear(str(path), "claude").passages


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path):
    """It says nothing and takes nothing back."""
    path = copy_of(CHAT, tmp_path)
    memo = hear(str(path), "markdown").mark.memo
    path.unlink()
    gone = hear(str(path), "markdown", memo)
    assert (gone.whole, gone.withdrawn, len(gone.findings)) == (False, (), 1)


@pytest.mark.seed("S2.012")
def test_hearing_changes_nothing(tmp_path):
    """Bytes, time and inode."""
    path = copy_of(CLAUDE, tmp_path)
    before = state(path)
    hear(str(path), "claude", hear(str(path), "claude").mark.memo)
    assert state(path) == before
