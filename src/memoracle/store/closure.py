"""The four closing lines of a daily note: when it was updated, what was decided, learned and left open.

Pure: lines in, lines out. They are always the last of their note. Chinese and English labels are read alike, and
a line that is renewed keeps the label it has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

LABELS = ("Updated", "Decisions", "Signal", "Open")
NOTHING = "none"

_PATTERNS = (
    r"[-*>\s]{0,12}(?:updated|更新)(?:时间|日期)?\**\s?[:：]",
    r"[-*>\s]{0,12}(?:decisions?|决定|决策)\**\s?[:：]",
    r"[-*>\s]{0,12}(?:signals?|信号|收获|心得)\**\s?[:：]",
    r"[-*>\s]{0,12}(?:open|未决|待办|遗留)(?:问题|事项)?\**\s?[:：]",
)
_NONE = frozenset({"", "-", "none", "none noted", "n/a", "nothing", "无", "没有", "暂无"})
_WIDEST = 40


def closing_at(lines: Sequence[str]) -> int | None:
    """Where the closing lines of a note begin; None when its last lines that say something are others."""
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    start = last - len(LABELS)
    return start if start >= 0 and is_closing(lines[start:last]) else None


def is_closing(lines: Sequence[str]) -> bool:
    """True for four lines that close a note."""
    if len(lines) != len(LABELS):
        return False
    return all(pattern.match(line) for pattern, line in zip(_patterns(), lines, strict=True))


def said_in(line: str) -> tuple[str, str]:
    """The label of a closing line, with its colon, and what stands behind it; what says nothing is empty."""
    places = [at for at in (line.find(":", 0, _WIDEST), line.find("：", 0, _WIDEST)) if at >= 0]
    end = min(places, default=-1) + 1
    said = line[end:].strip().lstrip("*").strip()
    return line[:end], "" if said.casefold().rstrip(".。") in _NONE else said


def closing_lines(values: Mapping[str, str], present: Sequence[str] = ()) -> list[str]:
    """The four lines with these values, by label; where none is given, what `present` says stays."""
    lines = []
    for at, label in enumerate(LABELS):
        head, held = said_in(present[at]) if present else (f"{label}:", "")
        lines.append(f"{head} {values.get(label) or held or NOTHING}")
    return lines


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.IGNORECASE) for one in _PATTERNS)
