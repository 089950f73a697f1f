"""What of a turn its speaker said in their own words: without code, quotes, tables, logs and pasted text.

Reads a text line by line, each line once. What is left out says nothing about anybody; what memory
injected is cut away too, should a reader have let it through.
"""

from __future__ import annotations

import re

from memoracle.learn.pasting import (
    begins_another,
    open_quotation,
    said_before,
    typed_part,
    without_speech,
    without_tagged,
)

LONGEST_SPOKEN = 4000
"""A turn longer than this was pasted, at least in part: its two ends are read."""
_END = 1200
LONGEST_LINE = 2000
"""No person writes such a line by hand."""
_LONGEST_QUOTATION = 60

_FENCE = re.compile(r"\s{0,8}(```|~~~)")
_QUOTED = re.compile(r"\s{0,8}(?:>|\|)")
_INDENTED = re.compile(r"(?:\t| {4,})\S")
_LIST_ITEM = re.compile(r"\s*(?:[-*•+–]|\d{1,3}[.)、])\s")
_LOG = re.compile(
    r"\s*(?:"
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d"  # 2024-05-01T12:00
    r"|\[?\d\d:\d\d:\d\d[\].,\s]"
    r"|(?:致命)?(?:错误|警告|异常|报错)\s?[：:]"
    r"|\[(?:记忆|memory|memories|context|INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE)\]?"
    r"|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL)\b\s?[:\[(|]"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d"
    r"|Traceback \(most recent|File \"[^\"]{1,300}\", line \d+|at [\w.$<>/]{1,200}\([^)]{0,200}:\d+"
    r"|(?:[\w.]{1,80}\.)?\w{1,60}(?:Error|Exception)\b\s?:|Caused by:|npm ERR!|error\[E\d+\]|\s*\^+\s*$|panic:"
    r"|goroutine \d+"
    r"|\$ \S|# \$|>>> |\.\.\. |In \[\d+\]:|Out\[\d+\]:|PS [A-Z]:\\|\w+@[\w.-]+[:~][^\s]{0,80}[$#]\s"
    r"|(?:user|assistant|human|ai|bot|system|customer|client|agent|interviewer|interviewee|speaker \d|q|a"
    r"|narrator)\s?:\s"
    r"|(?:diff --git|index [0-9a-f]{7}|@@ -\d+|\+\+\+ |--- )"
    r")",
    re.IGNORECASE,
)
_PROMPT = re.compile(r"\$ \S|>>> |Traceback \(most recent|PS [A-Z]:\\|[\w-]+@[\w.-]+[:~][^\s]{0,80}[$#]\s")
_CODE = re.compile(
    r"\s*(?:"
    r"(?:def|class|async def)\s\w+\s?[(:]|(?:import|from)\s[\w.]+(?:\simport\b|\s?;?\s*$)|(?:const|let|var"
    r"|function|public|private|static|void|int|struct|func|fn|pub|export|package|namespace|template|typedef"
    r"|enum)\s\w+[^.!?]{0,200}[={(;]\s*"
    r"|#include\s|#!/|//|/\*|\*/|<[/!?]?[a-zA-Z][^<>]{0,200}/?>\s*\S{0,80}\s*$|[{}()\[\];]+,?\s*$"
    r"|return\b[^.!?]{0,120};\s*$|\"[\w-]+\"\s?:\s|[\w.]+\s?=\s?[^=].{0,200}[;({\[]\s*$"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\s|(?:if|for|while"
    r"|switch)\s?\(.{0,200}\)\s?\{?\s*$|elif\s|else\s?:|try\s?:|except\b.{0,80}:\s*$"
    r")"
)


def spoken(text: str) -> list[str]:
    """The lines of a turn that are its speaker's own words; an item of a list is a line of its own."""
    return [line for paragraph in paragraphs(text) for line in paragraph]


def paragraphs(text: str) -> list[list[str]]:
    """The same lines, those that stand together together."""
    text = without_tagged(_without_own_frames(text))
    lines = text.split("\n")
    if len(text) > LONGEST_SPOKEN:
        lines = _ends(lines)
    kept: list[list[str]] = [[]]
    fence = ""
    printed = False
    previous = ""
    quoted_to = -1
    for place, line in enumerate(lines):
        if place <= quoted_to:
            continue
        mark = _FENCE.match(line[:20])
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
            previous = ""
            continue
        if fence:
            continue
        bare = line.strip()
        if not bare:
            previous, printed = "", False
            if kept[-1]:
                kept.append([])
            continue
        if printed or _PROMPT.match(bare):
            printed = True  # what a command printed goes on to the next empty line
            continue
        behind = lines[place + 1 : place + 3]
        is_last = bool(behind) and not behind[0].strip()
        if begins_another(bare, next(filter(str.strip, behind), ""), is_last=is_last):
            kept[-1] += said_before(bare)
            break
        if _is_foreign(line, previous):
            previous = ""
            continue
        bare, more = open_quotation(bare, lines[place + 1 : place + _LONGEST_QUOTATION])
        quoted_to = place + more
        kept[-1].append(without_speech(bare))
        previous = bare
    return typed_part([paragraph for paragraph in kept if paragraph])


def _without_own_frames(text: str) -> str:
    """Without what memory framed; a frame that was cut off goes on to the end."""
    kept: list[str] = []
    after = 0
    while (begin := text.find("<memoracle", after)) >= 0:
        kept.append(text[after:begin] + "\n")
        end = text.find("</memoracle>", begin)
        if end < 0:
            return "".join(kept)
        after = end + len("</memoracle>")
    return "".join(kept) + text[after:]


def _is_foreign(line: str, previous: str) -> bool:
    if len(line) > LONGEST_LINE:
        return True
    if _QUOTED.match(line) or line.count("|") > 2:
        return True
    if _INDENTED.match(line) and not _LIST_ITEM.match(line) and not previous.endswith((",", "，")):
        return True
    return bool(_LOG.match(line) or _CODE.match(line) or _is_symbols(line))


def _is_symbols(line: str) -> bool:
    letters = sum(ch.isalpha() or ch.isspace() for ch in line)
    return (
        len(line) > 12
        and letters < len(line) * 0.55
        and "@" not in line
        and not any(ch.isdigit() for ch in line)
    )


def _ends(lines: list[str]) -> list[str]:
    """The first and last lines of a pasted text."""
    first = _within(lines, _END)
    last = _within(lines[::-1], _END)
    if first + last >= len(lines):
        return lines
    return [*lines[:first], "", *lines[len(lines) - last :]]


def _within(lines: list[str], budget: int) -> int:
    for place, line in enumerate(lines):
        budget -= len(line) + 1
        if budget < 0:
            return max(1, place)
    return len(lines)
