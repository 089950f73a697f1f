"""What an agent asked for at the end of a turn: `state/requests.jsonl`, and which turns were heard already.

A turn is heard once: hosts call their hooks again for the same turn, and what was asked must not happen twice. The
ledger of turns is bounded; it is written before the requests, so a crash between the two loses a request rather than
repeating it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from memoracle.store import durable
from memoracle.store.documents import read_document, write_document

FILE = "requests.jsonl"
LEDGER = "hook-turns.json"
_MOST_TURNS = 2_000
_PATIENCE = 0.5


def record_once(folder: str, turn: str, requests: Sequence[Mapping[str, Any]]) -> bool:
    """Keep the requests of a turn; False when this turn was heard before."""
    durable.make_folder(folder)
    ledger = os.path.join(folder, LEDGER)
    with durable.locked(f"{ledger}.lock", timeout=_PATIENCE):
        heard = _turns(ledger)
        if turn in heard:
            return False
        write_document(ledger, {"turns": [*heard, turn][-_MOST_TURNS:]})
        lines = [json.dumps({"turn": turn, **one}, ensure_ascii=False) + "\n" for one in requests]
        durable.append(os.path.join(folder, FILE), "".join(lines).encode("utf-8", "replace"))
    return True


def _turns(ledger: str) -> list[str]:
    held = read_document(ledger).get("turns")
    return [one for one in held if isinstance(one, str)] if isinstance(held, list) else []
