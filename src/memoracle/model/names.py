"""Which names of projects, seats and files may become names on disk.

A name maps to exactly one file name: itself. So it is refused when a file system could take
two names for one (case, Unicode form, trailing dots) or take it for something else.
"""

from __future__ import annotations

import re
import unicodedata

from memoracle.errors import InvalidName

_ALLOWED = re.compile(r"[^\W_](?:[\w.\-]{0,98}[\w\-])?", re.UNICODE)
_WINDOWS = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}


def check_name(what: str, name: str) -> str:
    """The name itself when it is safe; otherwise an error that says why."""
    if not name:
        raise InvalidName(what, name, "it is empty")
    if unicodedata.normalize("NFC", name) != name:
        raise InvalidName(what, name, "its characters have a second spelling (not NFC)")
    if len(name.encode("utf-8", "replace")) > 200:
        raise InvalidName(what, name[:40] + "…", "it is longer than 200 bytes")
    if not _ALLOWED.fullmatch(name) or ".." in name:
        raise InvalidName(what, name, "it holds characters that a file name should not have")
    if any(unicodedata.category(ch) in {"Cf", "Cc", "Co", "Cn", "Cs"} for ch in name):
        raise InvalidName(what, name, "it holds invisible characters")
    if name.split(".", maxsplit=1)[0].lower() in _WINDOWS:
        raise InvalidName(what, name, "some systems reserve it")
    return name
