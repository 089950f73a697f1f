"""The multilingual model is unpacked once, whole, and only from the bytes we know."""

import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

from memoracle.errors import EmbedderUnavailable, WeightsMismatch
from memoracle.inference.bundled import open_unpacked


def _unpacked(folder):
    return [name for name in os.listdir(folder) if name.startswith("use-")]


def test_the_second_opening_needs_no_package(use, cache_dir, tmp_path):
    """Once unpacked, the package's files are not read again."""
    found = open_unpacked(cache_dir, str(tmp_path / "gone"))

    assert found["table"].shape == (128_010, 512)


def test_piece_hashes_are_distinct_and_ascend(use, cache_dir):
    """No two pieces share a hash, and the special ones are not among them."""
    hashes = open_unpacked(cache_dir)["piece_hashes"]

    assert (np.diff(hashes.astype(object)) > 0).all()
    assert len(hashes) == 127_994


def test_other_bytes_are_refused(use_folder, tmp_path):
    """A package with other weights raises before anything is written."""
    shutil.copy(os.path.join(use_folder, "sp.model"), tmp_path)
    (tmp_path / "weights.npz").write_bytes(b"something else")

    with pytest.raises(WeightsMismatch):
        open_unpacked(str(tmp_path / "cache"), str(tmp_path))
    assert not (tmp_path / "cache").exists()


def test_a_missing_package_file_is_said_plainly(tmp_path):
    """`open_use` turns a file that is not there into an unavailable embedder."""
    from memoracle.inference.bundled import open_use

    with pytest.raises(EmbedderUnavailable, match="use-multilingual"):
        open_use(str(tmp_path), cache_dir=str(tmp_path / "cache"))


@pytest.mark.long
def test_two_processes_at_once_and_a_damaged_file(use_folder, tmp_path):
    """Both end with a usable model and one whole file, a damaged and an abandoned one gone."""
    name = _target_name(tmp_path)
    (tmp_path / name).write_bytes(b"damaged")
    abandoned = tmp_path / f"{name}.1.2.new"
    abandoned.write_bytes(b"half")
    os.utime(abandoned, (time.time() - 7200,) * 2)
    code = (
        "from memoracle.inference.bundled import open_use;"
        f"print(open_use({use_folder!r}, cache_dir={str(tmp_path)!r}).embed(['嗨'])[0, 0])"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=env) for _ in range(2)]
    said = [process.communicate(timeout=60)[0] for process in both]

    assert said[0] == said[1] != b""
    assert _unpacked(tmp_path) == [name]


def test_a_folder_that_cannot_be_written_costs_memory_only(use, use_folder, tmp_path):
    """With a file where the cache folder should be, the same arrays come from memory."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    found = open_unpacked(str(blocked / "cache"), use_folder)

    np.testing.assert_array_equal(found["piece_ids"], use._weights["piece_ids"])


def _target_name(folder):
    from memoracle.inference.bundled import _target

    return os.path.basename(_target(str(folder)))
