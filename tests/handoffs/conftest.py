"""The command line in a process of its own, on the test's root."""

import subprocess

import pytest

from support.processes import PYTHON, surroundings


@pytest.fixture
def cli_of(root):
    """Runs one command."""

    def run(words, **environment):
        return subprocess.run(
            [PYTHON, "-m", "memoracle", "--root", str(root), *words],
            capture_output=True,
            env=surroundings(MEMORACLE_EMBEDDER="none", **environment),
            check=False,
        )

    return run
