"""Named arrays survive the way to disk and back, and a damaged file is refused."""

import json
import struct

import numpy as np
import pytest
from training.weights import write_tensors

from memoracle.errors import EmbedderUnavailable
from memoracle.inference.tensors import digest_without, open_tensors


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.safetensors")


def test_round_trip(path):
    """Types, shapes and values come back; scalars and empty arrays too."""
    given = {
        "wide": np.arange(6, dtype=np.uint64).reshape(2, 3),
        "bytes": np.arange(-3, 4, dtype=np.int8),
        "half": np.ones((2, 2), dtype=np.float16),
        "one": np.array(1e-5),
        "none": np.empty((0, 4), dtype=np.float32),
    }
    write_tensors(path, given)
    found = open_tensors(path).tensors

    assert {n: (a.dtype, a.shape, a.tolist()) for n, a in found.items()} == {
        n: (a.dtype, a.shape, a.tolist()) for n, a in given.items()
    }


def test_arrays_are_mapped_read_only(path):
    """Nobody writes into weights by accident."""
    write_tensors(path, {"a": np.zeros(3, dtype=np.float32)})

    with pytest.raises(ValueError, match="read-only"):
        open_tensors(path).tensors["a"][0] = 1


def test_what_a_file_says_of_itself(path):
    """Words beside the arrays, and the digest of every byte but its own."""
    digest = write_tensors(path, {"a": np.zeros(3)}, {"version": "1"})
    assert open_tensors(path).metadata == {"version": "1", "digest": digest}
    assert digest_without(path, digest) == digest


def test_an_existing_file_is_never_overwritten(path):
    """Writing is for new names; the caller renames."""
    write_tensors(path, {"a": np.zeros(3)})

    with pytest.raises(FileExistsError):
        write_tensors(path, {"a": np.ones(3)})


def _file(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"abc",
        struct.pack("<Q", 1 << 60),
        _file(b"not json"),
        _file([1]),
        _file({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, b"1234"),
        _file({"a": {"dtype": "F32", "shape": [2], "data_offsets": [-8, 0]}}, b"12345678"),
        _file({"a": {"dtype": "F32", "shape": [9], "data_offsets": [0, 8]}}, b"12345678"),
        _file({"a": {"dtype": "F32", "shape": [-2], "data_offsets": [0, -8]}}, b"12345678"),
        _file({"a": {"dtype": "PICKLE", "shape": [2], "data_offsets": [0, 8]}}, b"12345678"),
        _file({"a": 5}),
    ],
)
def test_damaged_files_are_refused(path, content):
    """Truncated, lying or foreign headers raise, and nothing outside the file is read."""
    with open(path, "wb") as file:
        file.write(content)

    with pytest.raises(EmbedderUnavailable):
        open_tensors(path)
