"""What is tried here is tried on a disk."""

import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def tmp_path():
    """A folder on the disk of this machine; other tests may have theirs in memory."""
    with tempfile.TemporaryDirectory(prefix="memoracle-faults-") as folder:
        yield Path(folder)
