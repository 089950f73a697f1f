"""Errors as documents: code, sentence, hint, and whether trying again can help. Secrets are never echoed."""

from __future__ import annotations

import sqlite3
import sys
from typing import Any

from memoracle.errors import AlreadyRunning, MemoracleError, RootLocked
from memoracle.interfaces.render import safe
from memoracle.text import visible

_BUSY = ("locked", "busy")


def failure(problem: Exception) -> dict[str, Any]:
    """What the client is told; a problem nobody foresaw keeps its words to this side."""
    if isinstance(problem, MemoracleError):
        return _document(
            problem.code,
            visible(safe(str(problem))),
            visible(safe(problem.hint or "")),
            retriable=isinstance(problem, RootLocked | AlreadyRunning),
        )
    if isinstance(problem, sqlite3.OperationalError) and any(word in str(problem) for word in _BUSY):
        return _document(
            "busy", "another process is using the memory", "try again in a moment", retriable=True
        )
    sys.stderr.write(f"memoracle: {type(problem).__name__}: {visible(safe(str(problem)))}\n")
    hint = "`memoracle check` looks at the memory; the server's stderr says more"
    return _document("error", f"this went wrong inside ({type(problem).__name__})", hint, retriable=False)


def _document(code: str, message: str, hint: str | None, *, retriable: bool) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "hint": hint or "", "retriable": retriable}}
