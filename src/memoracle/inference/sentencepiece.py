"""Reading a SentencePiece model file: just enough of protocol buffers for pieces and normaliser.

Only `inference/unpack.py` needs this, once per machine.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Iterator

_NORMAL = 1


@value
class Piece:
    """One entry of the vocabulary. Special pieces (`<s>`, `</s>`, reserved ones) are never found in text."""

    text: str
    score: float
    special: bool


@value
class PieceModel:
    """The pieces, whose places are their ids, and the normaliser's compiled table."""

    pieces: list[Piece]
    charsmap: bytes


def parse_model(content: bytes) -> PieceModel:
    """The model in the bytes of a `.model` file."""
    pieces: list[Piece] = []
    charsmap = b""
    for field, held in _fields(content):
        if field == 1 and isinstance(held, bytes):
            pieces.append(_piece(held))
        elif field == 3 and isinstance(held, bytes):
            charsmap = next(v for f, v in _fields(held) if f == 2 and isinstance(v, bytes))
    return PieceModel(pieces=pieces, charsmap=charsmap)


def _piece(content: bytes) -> Piece:
    fields = dict(_fields(content))
    text, score = fields[1], fields.get(2, b"\0\0\0\0")
    assert isinstance(text, bytes)
    assert isinstance(score, bytes)
    return Piece(
        text=text.decode("utf-8"),
        score=struct.unpack("<f", score)[0],
        special=fields.get(3, _NORMAL) != _NORMAL,
    )


def _fields(content: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Field number and value, in file order: an integer, or the bytes of anything wider."""
    place = 0
    while place < len(content):
        tag, place = _varint(content, place)
        match tag & 7:
            case 0:
                value, place = _varint(content, place)
                yield tag >> 3, value
                continue
            case 1:
                length = 8
            case 2:
                length, place = _varint(content, place)
            case 5:
                length = 4
            case other:
                raise ValueError(f"wire type {other} in a SentencePiece model")
        yield tag >> 3, content[place : place + length]
        place += length


def _varint(content: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
