"""The safetensors format: named arrays in one file, read by memory mapping.

A file is eight bytes of header length, a JSON header, and the arrays' bytes. Opening one costs a
millisecond and no memory: pages arrive when they are touched and are shared between processes. Nothing
is ever unpickled, and a header that points outside its file is refused.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from memoracle.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Tensors = dict[str, NDArray[Any]]

_TYPES: dict[str, np.dtype[Any]] = {
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
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_LONGEST_HEADER = 16 * 1024 * 1024
_ALIGN = 64


def open_tensors(path: str) -> Tensors:
    """The arrays of the file at `path`, read-only and mapped; they keep the mapping alive."""
    try:
        with open(path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _parse(mapped)
    except (OSError, ValueError, KeyError, TypeError, struct.error) as problem:
        because = f"{path} is no usable safetensors file: {problem}"
        raise EmbedderUnavailable(os.path.basename(path), because) from problem


def write_tensors(path: str, tensors: Mapping[str, NDArray[Any]]) -> None:
    """Write `tensors` to a new file at `path` and fsync it; whoever calls makes it visible by a rename."""
    header: dict[str, Any] = {}
    place = 0
    for name, array in tensors.items():
        header[name] = {
            "dtype": _NAMES[array.dtype.newbyteorder("<")],
            "shape": list(array.shape),
            "data_offsets": [place, place + array.nbytes],
        }
        place += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % _ALIGN)
    with open(path, "xb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for array in tensors.values():
            file.write(np.ascontiguousarray(array).data)
        file.flush()
        os.fsync(file.fileno())


def _parse(mapped: mmap.mmap) -> Tensors:
    (length,) = struct.unpack_from("<Q", mapped)
    if length > min(_LONGEST_HEADER, len(mapped) - 8):
        raise ValueError("its header is longer than the file")
    header = json.loads(mapped[8 : 8 + length])
    if not isinstance(header, dict):
        raise TypeError("its header is no table")
    base = 8 + length
    return {name: _view(mapped, base, entry) for name, entry in header.items() if name != "__metadata__"}


def _view(mapped: mmap.mmap, base: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    dtype = _TYPES[entry["dtype"]]
    shape = tuple(int(n) for n in entry["shape"])
    start, end = entry["data_offsets"]
    size = int(np.prod(shape, dtype=np.int64))
    if start < 0 or end - start != size * dtype.itemsize or base + end > len(mapped):
        raise ValueError("an array lies outside the file")
    return np.ndarray(shape, dtype, buffer=mapped, offset=base + start)
