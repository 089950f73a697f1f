"""A SentencePiece model file is read as written."""

import struct

import pytest

from memoracle.inference.tokenizers import UnigramPiece, parse_model


def _field(number, content):
    return bytes([number << 3 | 2, len(content)]) + content


def test_pieces_and_charsmap():
    """Text, score and kind of each piece; the normaliser's table from the third field."""
    normal = _field(1, "▁a".encode()) + b"\x15" + struct.pack("<f", -2.5)
    special = _field(1, b"<s>") + b"\x15" + struct.pack("<f", 0) + b"\x18\x03"
    model = parse_model(
        _field(1, special) + _field(1, normal) + _field(3, _field(1, b"name") + _field(2, b"table"))
    )

    assert model.pieces == [
        UnigramPiece(text="<s>", score=0.0, special=True),
        UnigramPiece(text="▁a", score=-2.5, special=False),
    ]
    assert model.charsmap == b"table"


def test_foreign_bytes_are_refused():
    """A wire type that protocol buffers do not have."""
    with pytest.raises(ValueError, match="wire type"):
        parse_model(b"\x0f")
