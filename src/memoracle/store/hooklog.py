"""`state/hooks.log`: what went wrong in a hook, one line each, the newest last. It never grows beyond its bound.

A hook may not speak where its host listens, so it speaks here. The caller takes secrets out first.
"""

from __future__ import annotations

import os

from memoracle.store import durable, sealed

FILE = "hooks.log"
LARGEST = 256 * 1024
_LONGEST = 500


def note_problem(folder: str, text: str) -> None:
    """Add a line; when the log is full, its older half goes first."""
    durable.make_folder(folder)
    path = os.path.join(folder, FILE)
    line = " ".join(text.split())[:_LONGEST].encode("utf-8", "replace") + b"\n"
    line = sealed.posted(path, line)
    handle, _ = durable.open_plain(path, os.O_WRONLY | os.O_APPEND, create=True)
    try:
        size = os.fstat(handle).st_size
        if size + len(line) <= LARGEST:
            os.write(handle, line)
            return
    finally:
        os.close(handle)
    kept = durable.read_raw(path, max(0, size - LARGEST // 2)).partition(b"\n")[2]
    durable.put_raw(path, kept + line)
