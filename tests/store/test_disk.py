"""A folder keeps the promises of a volume, and leads nowhere else."""

import os

import pytest

from memoracle.errors import OutsideRoot
from memoracle.store.disk import DiskVolume
from store.volume_contract import VolumeContract


class TestDiskVolume(VolumeContract):
    """The cases of every volume."""

    IN_A_PROCESS = "from memoracle.store.disk import DiskVolume\nvolume = DiskVolume(sys.argv[1])"

    @pytest.fixture
    def volume(self, tmp_path):
        (tmp_path / "root").mkdir()
        return DiskVolume(str(tmp_path / "root"))


@pytest.mark.parametrize("linked", ["a", "a/b", "a/b/c"])
def test_no_link_is_followed(tmp_path, linked):
    """A link at any step is refused for reading and writing, passed over by listings, and told."""
    root, real = tmp_path / "root", tmp_path / "real"
    (real / "b").mkdir(parents=True)
    (real / "b/c").write_text("theirs")
    (root / linked).parent.mkdir(parents=True)
    (root / linked).symlink_to({"a": real, "a/b": real / "b", "a/b/c": real / "b/c"}[linked])
    volume = DiskVolume(str(root))

    for act in (
        lambda: volume.read("a/b/c"),
        lambda: volume.append({"a/b/c": b"x\n"}),
        lambda: volume.replace("a/b/c", b"x"),
        lambda: volume.overwrite("a/b/c", b"x"),
        lambda: volume.remove("a/b/c"),
        lambda: volume.path("a/b/c"),
    ):
        with pytest.raises(OutsideRoot, match="is a link"):
            act()
    assert (list(volume.walk("", ("",))), list(volume.strange())) == ([], [linked])
    assert (real / "b/c").read_text() == "theirs"
    assert sorted(os.listdir(real / "b")) == ["c"]
