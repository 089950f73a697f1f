"""Numbers of vanished lines that the owner has accepted as lost, in `state/gaps.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memoracle.store import durable


def read_gaps(path: str) -> dict[str, list[int]]:
    """The accepted numbers by writer; an unreadable file accepts nothing."""
    try:
        kept = json.loads(durable.read(path) or b"{}")
        return {str(writer): [int(number) for number in numbers] for writer, numbers in kept.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def write_gaps(path: str, gaps: Mapping[str, list[int]]) -> None:
    """Keep the accepted numbers."""
    durable.replace(path, json.dumps(gaps).encode() + b"\n")
