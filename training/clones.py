"""Git clones that public sets are read from."""

from __future__ import annotations

import subprocess
from pathlib import Path


class Clone:
    """A repository without a work tree, in the folder OWNER+NAME or OWNER+NAME/repo of `clones`."""

    def __init__(self, clones: Path, name: str) -> None:
        places = [clones / name / own for own in ("repo/.git", "repo", ".git", ".")]
        found = [place for place in places if (place / "HEAD").exists()]
        if not found:
            raise FileNotFoundError(f"no clone at {clones / name}")
        self._place = found[0]

    def _run(self, *words: str) -> bytes:
        git = ["git", f"--git-dir={self._place}"]
        return subprocess.run([*git, *words], capture_output=True, check=True).stdout  # noqa: S603

    def read(self, path: str, commit: str = "HEAD") -> bytes:
        """The file at `path`."""
        return self._run("show", f"{commit}:{path}")

    def names(self, *folders: str, commit: str = "HEAD") -> list[str]:
        """All files under the folders, or all that there are."""
        listed = self._run("ls-tree", "-r", "-z", "--name-only", commit, *folders)
        return listed.decode("utf-8", "replace").split("\0")[:-1]
