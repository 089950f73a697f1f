"""Weights are hashed once, and again when they change."""

import os

import pytest

from memoracle.errors import WeightsMismatch
from memoracle.inference import bundled as pinned

SHA_OF_A = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"


@pytest.fixture
def weights(tmp_path):
    (tmp_path / "weights").write_bytes(b"a")
    return str(tmp_path / "weights")


@pytest.fixture
def hashed(monkeypatch):
    """The paths that were hashed."""
    seen = []
    real = pinned.file_sha256
    monkeypatch.setattr(pinned, "file_sha256", lambda path: seen.append(path) or real(path))
    return seen


def test_a_check_is_remembered(weights, hashed, tmp_path):
    """The second check of an unchanged file reads no weights."""
    for _ in range(2):
        pinned.check(weights, SHA_OF_A, str(tmp_path / "cache"))

    assert hashed == [weights]


def test_a_changed_file_is_checked_again(weights, tmp_path):
    """Other bytes of the same size and name are found out."""
    pinned.check(weights, SHA_OF_A, str(tmp_path / "cache"))
    with open(weights, "wb") as file:
        file.write(b"b")
    os.utime(weights, ns=(1, 1))

    with pytest.raises(WeightsMismatch):
        pinned.check(weights, SHA_OF_A, str(tmp_path / "cache"))


def test_another_pin_is_another_check(weights, tmp_path):
    """What was right for one hash is not right for another."""
    pinned.check(weights, SHA_OF_A, str(tmp_path / "cache"))

    with pytest.raises(WeightsMismatch):
        pinned.check(weights, "0" * 64, str(tmp_path / "cache"))


def test_without_a_writable_cache_it_is_checked_each_time(weights, hashed, tmp_path):
    """A cache folder that cannot be made costs time, not an error."""
    (tmp_path / "file").write_text("in the way")
    for _ in range(2):
        pinned.check(weights, SHA_OF_A, str(tmp_path / "file" / "cache"))

    assert hashed == [weights, weights]
