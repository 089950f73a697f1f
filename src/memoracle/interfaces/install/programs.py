"""Calling a program of the machine and hearing what it says. Nothing of ours calls programs anywhere else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from shutil import which

from memoracle.errors import MemoracleError
from memoracle.model.value import value

_PATIENCE_S = 30


class SchedulerUnavailable(MemoracleError):
    """A scheduler that is not there, or does not do what it is told."""

    code = "scheduler-unavailable"

    def __init__(self, sentence: str, hint: str) -> None:
        self.hint = hint
        super().__init__(sentence)


@value
class Said:
    """How a program ended, and what it said."""

    status: int
    out: bytes
    err: str


def find(name: str, environment: Mapping[str, str]) -> str | None:
    """Where a program is; None when there is none of that name."""
    return which(name, path=environment.get("PATH", os.defpath))


def call(
    *words: str, given: bytes = b"", environment: Mapping[str, str], patience: int = _PATIENCE_S
) -> Said:
    """Run a program to its end, in the plainest language it speaks."""
    try:
        done = subprocess.run(  # noqa: S603 - an absolute path that `find` gave, and words of our own
            words,
            input=given,
            capture_output=True,
            timeout=patience,
            check=False,
            env={**environment, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return Said(status=-1, out=b"", err=str(problem))
    return Said(status=done.returncode, out=done.stdout, err=done.stderr.decode("utf-8", "replace").strip())
