"""Small documents about a root, such as `state/jobs.json` and `health.json`: read whole, replaced whole.

They hold no truth, and most are this machine's own. A document that is absent, damaged or of another
shape counts as empty, so that no upkeep stops for it; `check` tells it, and its bytes are kept beside it (`.damaged`)
before another one is put in its place.
"""

from __future__ import annotations

import json
import os
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.store import durable


def read_document(path: str) -> dict[str, Any]:
    """The JSON object at a place; what cannot be read as one is empty."""
    try:
        held = json.loads(durable.read(path) or b"{}")
    except (ValueError, RecursionError, MemoracleError):
        return {}
    return held if isinstance(held, dict) else {}


def write_document(path: str, document: Any) -> None:
    """Put a document in place of the one that is there, or leave that one untouched."""
    durable.make_folder(os.path.dirname(path))
    _keep_damaged(path)
    text = json.dumps(document, ensure_ascii=False, indent=1)
    durable.replace(path, text.encode() + b"\n")


def _keep_damaged(path: str) -> None:
    held = durable.read(path)
    try:
        json.loads(held or b"{}")
    except (ValueError, RecursionError):
        durable.replace(f"{path}.damaged", held)
