"""The root's salt: made once, kept, and never a reason to fail."""

import os

import pytest

from memoracle.store.disk import DiskVolume
from memoracle.store.privacy import salt_at


def test_a_salt_is_made_once(tmp_path):
    """And it is long, random and nobody else's."""
    first, again = salt_at(DiskVolume(str(tmp_path)), "a/salt"), salt_at(DiskVolume(str(tmp_path)), "a/salt")
    assert (first, len(first), first == salt_at(DiskVolume(str(tmp_path)), "b/salt")) == (again, 32, False)
    assert sorted(os.listdir(tmp_path / "a")) == ["salt"]


@pytest.mark.parametrize("damage", [b"", b"abc", b"\xff\xfe", b"00" * 31])
def test_a_damaged_salt_is_replaced(tmp_path, damage):
    """Fingerprints differ from then on; nothing else is lost."""
    path = tmp_path / "salt"
    path.write_bytes(damage)
    assert salt_at(DiskVolume(str(tmp_path)), "salt") == salt_at(DiskVolume(str(tmp_path)), "salt")


def test_where_nothing_can_be_written_a_salt_lasts_as_long_as_the_process(tmp_path):
    """A file stands where the folder belongs."""
    (tmp_path / "state").write_text("x")
    assert len(salt_at(DiskVolume(str(tmp_path)), "state/salt")) == 32
