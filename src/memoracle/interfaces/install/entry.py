"""What a scheduler or an agent's host calls: this interpreter, this package, one root.

Pure. Every scheduler has its own quoting; a name that none can carry is refused. When something is due is not
said here: the entry calls often, and the table of jobs decides.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Sequence

from memoracle.errors import BadInput
from memoracle.model.value import value

EVERY_MINUTES = 15


@value
class Entry:
    """One root to be tended, and the interpreter that does it."""

    root: str
    python: str
    language: str = ""
    """The language its owner chose for replies; empty when none was chosen."""

    @property
    def words(self) -> tuple[str, ...]:
        """The command of a scheduler."""
        return self.calling("tend", "--heartbeat")

    def calling(self, *words: str) -> tuple[str, ...]:
        """A command on this root. `-P` keeps modules of the folder it happens to run in out of it."""
        return (self.python, "-P", "-m", "memoracle", "--root", self.root, *words)

    @property
    def name(self) -> str:
        """A name of its own: two roots have two entries."""
        return f"memoracle-{hashlib.sha256(os.fsencode(self.root)).hexdigest()[:8]}"


def entry_for(root: str, python: str, *, language: str = "") -> Entry:
    """The entry of a root; refuses names that a line cannot carry."""
    for path in (root, python):
        if any(ord(ch) < 32 or ord(ch) == 127 for ch in path):
            raise BadInput(f"`{path!r}` holds a control character, which no scheduler can carry")
    if not python:
        raise BadInput(
            "this interpreter does not know where it is", "call memoracle with an installed Python"
        )
    return Entry(root=os.path.abspath(root), python=os.path.abspath(python), language=language)


def cron_line(entry: Entry) -> str:
    """A line of a crontab: the shell's quoting, and cron's own for the percent sign."""
    command = shlex.join(entry.words).replace("%", r"\%")
    return f"*/{EVERY_MINUTES} * * * * {command} >/dev/null 2>&1"


def systemd_words(words: Sequence[str]) -> str:
    """A command in a unit file: quoted, with nothing that systemd would expand."""
    return " ".join(_systemd_word(word) for word in words)


def _systemd_word(word: str) -> str:
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'
