"""Small documents about a root, such as `state/jobs.json` and `health.json`: read whole, replaced whole.

They hold no truth, and most are this machine's own. A document that is absent, damaged or of another
shape counts as empty, so that no upkeep stops for it; `check` tells it, and its bytes are kept beside it (`.damaged`)
before another one is put in its place.
"""

from __future__ import annotations

import json
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.store.volume import Volume


def read_document(volume: Volume, name: str) -> dict[str, Any]:
    """The JSON object of that name; what cannot be read as one is empty."""
    try:
        held = json.loads(volume.read(name) or b"{}")
    except (ValueError, RecursionError, MemoracleError):
        return {}
    return held if isinstance(held, dict) else {}


def write_document(volume: Volume, name: str, document: Any) -> None:
    """Put a document in place of the one that is there, or leave that one untouched."""
    _keep_damaged(volume, name)
    text = json.dumps(document, ensure_ascii=False, indent=1)
    volume.replace(name, text.encode() + b"\n")


def _keep_damaged(volume: Volume, name: str) -> None:
    held = volume.read(name)
    try:
        json.loads(held or b"{}")
    except (ValueError, RecursionError):
        volume.replace(f"{name}.damaged", held)
