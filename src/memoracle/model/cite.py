"""How a line of generated text names the record it came from: short, at its end, and found again.

An id of ours is named by its letters after `mem_`: fewer would not tell the records of one batch apart. Every verb
that takes an id takes these.
"""

from __future__ import annotations

import re

from memoracle.model.ids import RECORD_PREFIX
from memoracle.text import estimate_tokens, visible

_OURS = re.compile(rf"{RECORD_PREFIX}[0-9A-HJKMNP-TV-Z]{{26}}")
_ODD = re.compile(r"[\s`]")
_AT_END = re.compile(r"`([^`\s]+)`$")


def short_id(record_id: str) -> str:
    """The short name of a record."""
    if _OURS.fullmatch(record_id):
        return record_id[len(RECORD_PREFIX) :]
    return _ODD.sub("_", record_id)


def cited(line: str, record_id: str) -> str:
    """A line that names its record at the end."""
    return f"{line} `{short_id(record_id)}`"


def cited_in(text: str) -> frozenset[str]:
    """The short names that the lines of a text end with."""
    found = (_AT_END.search(line.rstrip()[-240:]) for line in text.split("\n"))
    return frozenset(one[1] for one in found if one)


def on_one_line(text: str, *, tokens: int) -> str:
    """A record's words as they can stand in a generated line: shown safely, cut to so many tokens."""
    line = " ".join(visible(text).split()).replace("<!--", "&lt;!--")
    if estimate_tokens(line) <= tokens:
        return line
    low, high = 1, min(len(line), 4 * tokens)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(line[:middle]) < tokens:
            low = middle
        else:
            high = middle - 1
    return line[:low].rstrip() + "…"
