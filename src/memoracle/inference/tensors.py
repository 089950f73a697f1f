"""The safetensors format: named arrays and a few words about them in one file, read by memory mapping."""

from __future__ import annotations

import json
import math
import mmap
import os
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from memoracle.errors import EmbedderUnavailable
from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Tensors = dict[str, NDArray[Any]]

TYPES: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "F64": np.dtype("<f8"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "U64": np.dtype("<u8"),
    "U32": np.dtype("<u4"),
    "I8": np.dtype("i1"),
    "U8": np.dtype("u1"),
}
METADATA = "__metadata__"
_LONGEST_HEADER = 16 * 1024 * 1024


@value
class TensorFile:
    """The arrays of a file, read-only and mapped (they keep the mapping alive), and what it says of itself."""

    tensors: Tensors
    metadata: Mapping[str, str]


def open_tensors(path: str) -> TensorFile:
    """The file at `path`; no array is read before it is used."""
    try:
        with open(path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _parse(mapped)
    except (OSError, ValueError, KeyError, TypeError, struct.error) as problem:
        because = f"{path} is no usable safetensors file: {problem}"
        raise EmbedderUnavailable(os.path.basename(path), because) from problem


def digest_without(path: str, said: str) -> str:
    """The SHA-256 of the file's bytes, with zeros in the header where the digest itself stands."""
    import hashlib

    with open(path, "rb") as file:
        size = file.read(8)
        header = file.read(struct.unpack("<Q", size)[0])
        digest = hashlib.sha256(size + header.replace(said.encode(), b"0" * len(said), 1))
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _parse(mapped: mmap.mmap) -> TensorFile:
    (length,) = struct.unpack_from("<Q", mapped)
    if length > min(_LONGEST_HEADER, len(mapped) - 8):
        raise ValueError("its header is longer than the file")
    header = json.loads(mapped[8 : 8 + length])
    if not isinstance(header, dict):
        raise TypeError("its header is no table")
    metadata = header.pop(METADATA, {})
    base = 8 + length
    tensors = {name: _view(mapped, base, entry) for name, entry in header.items()}
    return TensorFile(tensors=tensors, metadata=metadata)


def _view(mapped: mmap.mmap, base: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    dtype = TYPES[entry["dtype"]]
    shape = tuple(map(int, entry["shape"]))
    start, end = entry["data_offsets"]
    if (
        start < 0
        or min(shape, default=0) < 0
        or end - start != math.prod(shape) * dtype.itemsize
        or base + end > len(mapped)
    ):
        raise ValueError("an array lies outside the file")
    return np.ndarray(shape, dtype, buffer=mapped, offset=base + start)
