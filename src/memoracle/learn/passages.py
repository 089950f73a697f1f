"""What of a turn its speaker said in their own words: without code, quotes, tables, logs and pasted text.

Reads a text line by line, each line once. What is left out says nothing about anybody; what memory
injected is cut away too, should a reader have let it through.
"""

from __future__ import annotations

import os
import re
from functools import partial

from memoracle.tables import expression

_pattern = partial(expression, os.path.join(os.path.dirname(__file__), "rules", "passages.toml"))

# Lines of a note that it quotes or fences: somebody else's words, or a program's. Looks at marks alone.


def lines_of_others(lines: list[str]) -> set[int]:
    """The places of lines that a note quotes or fences, the marks among them."""
    found: set[int] = set()
    fence = ""
    for at, line in enumerate(lines):
        mark = _pattern("fence_mark").match(line[:40])
        if mark and (not fence or mark[1].startswith(fence)):
            found.add(at)
            fence = "" if fence else mark[1]
        elif fence or _pattern("quote_mark").match(line[:40]):
            found.add(at)
    return found


# Where somebody else's text begins inside a turn: a label before it, the head of a mail, a forwarding mark, a tag.

_ENDS = (":", "：")
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "p", "li"})
_LONG_TURN, _SHORT_PART = 600, 160
"""How much talk makes a turn of three paragraphs a text, and how much of its ends may be typed; a han weighs three."""
_LONG_LIST = 12
_CLOSES = {'"': '"', "“": "”", "「": "」", "『": "』"}
_SHORT_QUOTATION = 3


def begins_another(line: str, after: str, *, is_last: bool = False) -> bool:
    """True when everything behind this line is somebody else's text; `after` is the line that follows.

    `is_last` says that the line ends its paragraph: what points at a text may be followed by it.
    """
    bare = line.strip()
    if _pattern("forwarded").match(bare[:160]):
        return True
    if after and (_pattern("drawn").match(bare) or (is_last and _pattern("points").match(bare[-200:]))):
        return True
    if bare.endswith(_ENDS):
        return any(_pattern(name).match(bare[-200:]) for name in ("label", "says", "label_zh"))
    return bool(_pattern("head").match(bare[:80]) and _pattern("head").match(after.strip()[:80]))


def without_tagged(text: str) -> str:
    """The text without what stands in tags; one that opens a line and is never closed goes on to the end."""
    if "<" not in text:
        return text
    kept: list[str] = []
    done = 0
    for tag in _pattern("tag").finditer(text):
        name = tag[1] or tag[2]
        if tag.start() < done or name.lower() in _VOID:
            continue
        close = text.rfind(f"</{name}>", tag.end())
        if close < 0 and tag[2]:
            continue
        kept.append(text[done : tag.start()])
        if close < 0:
            return "".join(kept)
        inside = text[tag.end() : close]
        if tag[2] and len(inside.split()) <= _SHORT_QUOTATION and len(inside) <= 40:
            kept.append(inside)  # a word in bold
        done = close + len(name) + 3
    return "".join([*kept, text[done:]])


def typed_part(paragraphs: list[list[str]]) -> list[list[str]]:
    """The paragraphs of a turn that can be its speaker's own, as far as their shape tells."""
    paragraphs = _without_long(paragraphs)
    for at, lines in enumerate(paragraphs):
        heads = len(paragraphs) > 1 and (
            _pattern("heading").match(lines[0]) or any(_pattern("byline").match(one[:80]) for one in lines)
        )
        if heads and sum(map(_weight, paragraphs[at:])) > _SHORT_PART:
            before = at - 1 if at and _pattern("heading").match(paragraphs[at - 1][0]) else at
            return paragraphs[:before]
    if len(paragraphs) < 3 or sum(map(_weight, paragraphs)) <= _LONG_TURN:
        return paragraphs
    return [one for one in (paragraphs[0], paragraphs[-1]) if _weight(one) <= _SHORT_PART]


def _without_long(paragraphs: list[list[str]]) -> list[list[str]]:
    """Of a paragraph with more lines than anybody types, only the line at the turn's own beginning or end is left."""
    kept: list[list[str]] = []
    last = len(paragraphs) - 1
    for at, lines in enumerate(paragraphs):
        if len(lines) <= _LONG_LIST:
            kept.append(lines)
            continue
        ends = [*(lines[:1] if at == 0 else ()), *(lines[-1:] if at == last else ())]
        kept += [
            [line] for line in ends if _weight([line]) <= _SHORT_PART and not _pattern("item").match(line)
        ]
    return kept


def _weight(lines: list[str]) -> int:
    return sum(len(line) + 2 * sum(ch > "\u2e80" for ch in line) for line in lines)


def said_before(line: str) -> list[str]:
    """The sentences that stand on such a line before the one that leads over."""
    ends = [match.end() for match in _pattern("sentence").finditer(line) if match.end() < len(line)]
    return [line[: ends[-1]].strip()] if ends and ends[-1] else []


def without_speech(line: str) -> str:
    """The line with quotations of more than one sentence emptied: their sentences would stand alone otherwise."""
    if not any(map(line.__contains__, _CLOSES)):
        return line
    return _pattern("speech").sub(
        lambda match: _emptied(match[0]) if _pattern("stop_inside").search(match[0][1:-1]) else match[0], line
    )


def open_quotation(line: str, after: list[str]) -> tuple[str, int]:
    """What of a line stands before a quotation that ends on a later one, and how many lines that takes."""
    opened = _pattern("opens").search(line[-2000:]) if any(map(line.__contains__, _CLOSES)) else None
    if opened is None:
        return line, 0
    closing = _CLOSES[opened[1]]
    for number, later in enumerate(after, start=1):
        if closing in later:
            return line[: max(0, len(line) - 2000) + opened.start(1)] + "…", number
    return line, 0


def without_quotations(text: str) -> str:
    """The text with its quotations emptied, short ones (a name, a title) left standing."""

    def left(match: re.Match[str]) -> str:
        inside = match[0][1:-1]
        is_short = len(inside.split()) <= _SHORT_QUOTATION and len(inside) <= (40 if inside.isascii() else 8)
        return match[0] if is_short else _emptied(match[0])

    return _pattern("quotation").sub(left, text)


def _emptied(quotation: str) -> str:
    return f"{quotation[0]}…{quotation[-1]}"


LONGEST_SPOKEN = 4000
"""A turn longer than this was pasted, at least in part: its two ends are read."""
_END = 1200
LONGEST_LINE = 2000
"""No person writes such a line by hand."""
_LONGEST_QUOTATION = 60


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
        mark = _pattern("fence").match(line[:20])
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
        if printed or _pattern("prompt").match(bare):
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
    if len(line) > LONGEST_LINE or _pattern("quoted").match(line) or line.count("|") > 2:
        return True
    if (
        _pattern("indented").match(line)
        and not _pattern("item").match(line)
        and not previous.endswith((",", "，"))
    ):
        return True
    if _pattern("log").match(line) or _pattern("code").match(line):
        return True
    letters = sum(ch.isalpha() or ch.isspace() for ch in line)
    is_symbols = len(line) > 12 and letters < len(line) * 0.55
    return is_symbols and "@" not in line and not any(map(str.isdigit, line))


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
