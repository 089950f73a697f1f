"""Watermarks as values."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.hosts.branches import Watermark
from memoracle.hosts.reading import read

from .samples import DOCUMENTS, LINE_FILES, source


@pytest.mark.parametrize("path", LINE_FILES + DOCUMENTS, ids=lambda path: path.name[-30:])
def test_watermark_survives_being_written(path):
    """What is kept as JSON comes back equal."""
    mark = read(source(path)).watermark

    assert Watermark.from_dict(json.loads(json.dumps(mark.to_dict()))) == mark


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["path", "ends", "memo", "offset", "line", "size", "x"]), inner)
        ),
        max_leaves=6,
    )
)
def test_damaged_watermark_is_none_or_usable(kept):
    """A watermark that was damaged on disk means reading whole, not failing."""
    mark = Watermark.from_dict(kept)

    assert mark is None or isinstance(mark, Watermark)


def test_watermark_of_another_time_is_harmless():
    """Memos nobody understands any more do not stop a reading."""
    path = LINE_FILES[0]
    kept = read(source(path)).watermark.to_dict()
    kept |= {"size": 1, "memo": {"kind": "weather", "turns": "many", "said": ": x:y"}}

    assert read(source(path), Watermark.from_dict(kept)).findings == ()


def test_watermark_of_another_file_is_ignored():
    """A watermark only speaks for its own path and shape."""
    mark = read(source(LINE_FILES[3])).watermark

    assert read(source(LINE_FILES[0]), mark).whole
