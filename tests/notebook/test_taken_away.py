"""The core without the notebook: its folder is taken away, and nothing else is missed."""

import shutil
import subprocess
from pathlib import Path

import memoracle
from support.processes import PYTHON, surroundings


def test_the_core_works_without_its_folder(memory, root, tmp_path):
    """Health has fewer checks, questions and recovery go on, and a verb of the notebook names what is missing."""
    memory.remember("the cat is called Miso")
    package = tmp_path / "bare" / "memoracle"
    hidden = shutil.ignore_patterns("notebook", "__pycache__")
    shutil.copytree(Path(memoracle.__file__).parent, package, ignore=hidden)
    done = {
        verb: subprocess.run(
            [PYTHON, "-m", "memoracle", "--root", str(root), verb, *words],
            capture_output=True,
            text=True,
            check=False,
            env=surroundings(PYTHONPATH=str(package.parent)),
        )
        for verb, *words in (["health"], ["recall", "cat"], ["recover"], ["note", "hello"])
    }
    assert [one.returncode for one in done.values()] == [0, 0, 0, 2], done
    assert "14 of 14 checks" in done["health"].stdout
    assert "Miso" in done["recall"].stdout
    assert "the extension notebook is not installed" in done["note"].stderr
