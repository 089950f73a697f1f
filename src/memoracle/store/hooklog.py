"""`state/hooks.log`: what went wrong in a hook, one line each, the newest last. It never grows beyond its bound.

A hook may not speak where its host listens, so it speaks here. The caller takes secrets out first.
"""

from __future__ import annotations

from memoracle.store.volume import Volume

FILE = "hooks.log"
LARGEST = 256 * 1024
_LONGEST = 500


def note_problem(volume: Volume, folder: str, text: str) -> None:
    """Add a line; when the log is full, its older half goes."""
    name = f"{folder}/{FILE}"
    line = " ".join(text.split())[:_LONGEST].encode("utf-8", "replace") + b"\n"
    end = volume.append({name: line}, loose=name, posted=True)[name].end
    if end > LARGEST:
        raw = volume.raw
        raw.replace(name, raw.read(name, end - LARGEST // 2).partition(b"\n")[2])
