"""Recognising what a file holds."""

from __future__ import annotations

import pytest

from memoracle.hosts.known_hosts import Shape
from memoracle.hosts.sources import recognise
from memoracle.model.report import Finding

from . import samples
from .samples import claude_line, make_database, source, write_lines


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        (samples.OPENCLAW, Shape.OPENCLAW),
        (samples.OPENCLAW_FLAT, Shape.OPENCLAW),
        (samples.CLAUDE, Shape.CLAUDE),
        (samples.CODEX, Shape.CODEX),
        (samples.GEMINI, Shape.GEMINI),
        (samples.GEMINI_FILE, Shape.GEMINI_FILE),
        (samples.PLAIN, Shape.PLAIN),
        (samples.CHAT, Shape.MARKDOWN),
        (samples.LOCOMO, Shape.LOCOMO),
        (samples.LONGMEMEVAL, Shape.LONGMEMEVAL),
        (samples.PACK, Shape.PACK),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name[-20:],
)
def test_content_decides(path, shape, tmp_path):
    """A file is known by what it holds, whatever it is called."""
    other = tmp_path / f"somefile{path.suffix}"
    other.write_bytes(path.read_bytes())

    assert source(other).shape is shape


def test_database_is_recognised(tmp_path):
    """A database is known by its first bytes."""
    assert source(make_database(tmp_path / "x.db", {})).shape is Shape.OPENCLAW_DB


def test_first_line_too_long_to_look_at(tmp_path):
    """When not even one line fits into the look, the keys in it tell the host."""
    path = write_lines(tmp_path / "long.jsonl", claude_line("u1", None, "x" * 400_000))

    assert source(path).shape is Shape.CLAUDE


def test_damaged_beginning_is_looked_past(tmp_path):
    """Broken first lines do not hide what follows."""
    path = tmp_path / "broken.jsonl"
    path.write_bytes(b"\0\0\0\n{broken\n" + samples.CODEX.read_bytes())

    assert source(path).shape is Shape.CODEX


def test_empty_transcript_is_known_by_its_name(tmp_path):
    """A session that has just begun has a name and no lines."""
    path = tmp_path / "rollout-2026-07-01T10-00-00-x.jsonl"
    path.write_bytes(b"")

    assert source(path).shape is Shape.CODEX


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n", b"hello", b'{"a": 1}', b"[1, 2]", b"\0" * 99])
def test_other_files_are_told(tmp_path, content):
    """What is no conversation is a finding, not a guess."""
    path = tmp_path / "other.bin"
    path.write_bytes(content)

    found = recognise(path)

    assert isinstance(found, Finding)
    assert found.code == "unknown-shape"


def test_folder_is_told(tmp_path):
    """A folder is no file."""
    found = recognise(tmp_path)

    assert isinstance(found, Finding)
    assert found.code == "unreadable-file"
