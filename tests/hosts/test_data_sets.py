"""Benchmark-shaped files."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

from memoracle.hosts.known_hosts import Shape
from memoracle.hosts.reading import read
from memoracle.model.claim import Role

from .samples import LOCOMO, LONGMEMEVAL, PACK, source


def test_locomo_samples():
    """Friends' sessions with their dates; captions of pictures are part of what was said."""
    assert [
        (turn.id, turn.session, turn.speaker, turn.text, turn.line) for turn in read(source(LOCOMO)).turns
    ] == [
        ("conv-1/D1:1", "conv-1/D1", "Ana", "I adopted a parrot.", 7),
        ("conv-1/D1:2", "conv-1/D1", "Bo", "Show me! [image: a green parrot]", 8),
        ("conv-1/D2:1", "conv-1/D2", "Ana", "它叫豆豆。", 11),
        ("conv-2/D1:1", "conv-2/D1", "Cy", "Another pair of friends.", 16),
    ]


def test_locomo_dates():
    """“1:56 pm on 8 May, 2023” is a moment."""
    assert read(source(LOCOMO)).turns[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def test_longmemeval_sessions_are_read_once():
    """A session that several questions share gives its turns once."""
    assert [(turn.id, turn.role, turn.at) for turn in read(source(LONGMEMEVAL)).turns] == [
        ("s1#0", Role.OWNER, datetime(2023, 5, 20, 2, 21, tzinfo=UTC)),
        ("s1#1", Role.AGENT, datetime(2023, 5, 20, 2, 21, tzinfo=UTC)),
        ("s2#0", Role.OWNER, datetime(2023, 5, 21, 3, 0, tzinfo=UTC)),
    ]


def test_pack_spaces_stay_apart():
    """Spaces that count from the same id do not collide; shared sessions keep their names."""
    assert [(turn.id, turn.text, turn.at) for turn in read(source(PACK)).turns] == [
        ("shared-1#0", "快递九点到。", datetime(2024, 4, 2, 7, 46, tzinfo=UTC)),
        ("one/D1:1", "Hello from Porto.", datetime(2023, 12, 29, 22, 42, 4, tzinfo=UTC)),
        ("two/D1:1", "Look [image: a tram]", datetime(2024, 3, 15, tzinfo=UTC)),
    ]


def test_compressed_pack(tmp_path):
    """A pack is usually compressed."""
    path = tmp_path / "pack.json.gz"
    path.write_bytes(gzip.compress(PACK.read_bytes()))

    assert (source(path).shape, len(read(source(path)).turns)) == (Shape.PACK, 3)
