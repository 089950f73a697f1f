"""What an agent asked for at the end of a turn: `state/requests.jsonl`, and which turns were heard already.

A turn is heard once: hosts call their hooks again for the same turn, and what was asked must not happen twice. The
ledger of turns is bounded; it is written before the requests, so a crash between the two loses a request rather than
repeating it. A worker carries requests out (`waiting`) and notes that it did (`settle`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from memoracle.model.ids import file_digest
from memoracle.store.volume import Volume, read_document, write_document

FILE = "requests.jsonl"
LEDGER = "hook-turns.json"
DONE = "requests-done.json"
_MOST_TURNS = 2_000
_PATIENCE = 0.5


def record_once(volume: Volume, folder: str, turn: str, requests: Sequence[Mapping[str, Any]]) -> bool:
    """Keep the requests of a turn; False when this turn was heard before."""
    ledger = f"{folder}/{LEDGER}"
    with volume.locked(f"{ledger}.lock", timeout=_PATIENCE):
        heard = _turns(volume, ledger)
        if turn in heard:
            return False
        write_document(volume, ledger, {"turns": [*heard, turn][-_MOST_TURNS:]})
        lines = [json.dumps({"turn": turn, **one}, ensure_ascii=False) + "\n" for one in requests]
        content = "".join(lines).encode("utf-8", "replace")
        volume.append({f"{folder}/{FILE}": content}, posted=True)
    return True


def waiting(volume: Volume, folder: str) -> list[tuple[str, dict[str, Any]]]:
    """The requests that nobody has carried out, oldest first, each with its name; damaged lines are passed over."""
    done = set(_done(volume, folder))
    found = []
    for line in volume.read(f"{folder}/{FILE}").split(b"\n"):
        name = file_digest(line)
        if line.strip() and name not in done:
            with suppress(ValueError, RecursionError):
                request = json.loads(line)
                if isinstance(request, dict):
                    found.append((name, request))
    return found


def settle(volume: Volume, folder: str, names: Sequence[str]) -> None:
    """Note that these requests were carried out, or given up."""
    if names:
        kept = [*_done(volume, folder), *names][-_MOST_TURNS:]
        write_document(volume, f"{folder}/{DONE}", {"requests": kept})


def _done(volume: Volume, folder: str) -> list[str]:
    held = read_document(volume, f"{folder}/{DONE}").get("requests")
    return [one for one in held if isinstance(one, str)] if isinstance(held, list) else []


def _turns(volume: Volume, ledger: str) -> list[str]:
    held = read_document(volume, ledger).get("turns")
    return [one for one in held if isinstance(one, str)] if isinstance(held, list) else []
