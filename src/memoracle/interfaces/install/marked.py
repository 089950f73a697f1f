"""A section of ours in a Markdown file of somebody's, between two markers.

The first marker carries a digest of what stands between them, so that a section that was changed by hand is
known as such wherever the file goes. Pure.
"""

from __future__ import annotations

import hashlib
import re

from memoracle.interfaces.install.json5 import Unclear

_BEGIN = re.compile(r"^<!-- memoracle:begin ([0-9a-f]{12}) -->\r?\n", re.MULTILINE)
_END = re.compile(r"^<!-- memoracle:end -->\r?\n?", re.MULTILINE)


def section(body: str) -> str:
    """The section as it stands in a file."""
    body = body.strip("\n") + "\n"
    return f"<!-- memoracle:begin {_digest(body)} -->\n{body}<!-- memoracle:end -->\n"


def is_edited(text: str) -> bool:
    """Whether somebody changed what stands between the markers."""
    place = _place(text)
    return place is not None and _digest(place[2]) != place[3]


def put(text: str, body: str) -> str:
    """The text with the section: where it stood, or at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    new = section(body).replace("\n", newline)
    place = _place(text)
    if place:
        return text[: place[0]] + new + text[place[1] :]
    is_empty = not text.strip("\ufeff")
    return text + ("" if is_empty else newline if text.endswith("\n") else newline * 2) + new


def take(text: str) -> str:
    """The text without the section, and without the blank line before it."""
    place = _place(text)
    if place is None:
        return text
    head, rest = text[: place[0]], text[place[1] :]
    for blank in ("\r\n\r\n", "\n\n"):
        if head.endswith(blank):
            return head[: len(head) - len(blank) // 2] + rest
    return head + rest


def _place(text: str) -> tuple[int, int, str, str] | None:
    """Start, end, content and stated digest; half a section, or two, is somebody's edit and stays."""
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise Unclear("the section between the `memoracle` markers is not whole")
    return begins[0].start(), ends[0].end(), text[begins[0].end() : ends[0].start()], begins[0][1]


def _digest(body: str) -> str:
    return hashlib.sha256(body.replace("\r\n", "\n").encode("utf-8", "surrogateescape")).hexdigest()[:12]
