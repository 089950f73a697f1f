"""Lines of a note that it quotes or fences: somebody else's words, or a program's. Looks at marks alone."""

from __future__ import annotations

import re

_FENCE = re.compile(r"\s{0,8}(`{3,}|~{3,})")
_QUOTED = re.compile(r"\s{0,12}(?:[-*+•]\s{1,4})?>")


def lines_of_others(lines: list[str]) -> set[int]:
    """The places of lines that a note quotes or fences, the marks among them."""
    found: set[int] = set()
    fence = ""
    for at, line in enumerate(lines):
        mark = _FENCE.match(line[:40])
        if mark and (not fence or mark[1].startswith(fence)):
            found.add(at)
            fence = "" if fence else mark[1]
        elif fence or _QUOTED.match(line[:40]):
            found.add(at)
    return found
