r"""Private keys in PEM form: whole, with their line ends spelled `\n`, or cut off at either end."""

from __future__ import annotations

import re

from memoracle.policy.rule import Rule, Span

_LONGEST = 20_000
_BODY = re.compile(
    r"""(?:\s*+(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]{0,120}+)*+"""
    r"""(?:(?:\\+[nrt]|[\s"'+,>|]){0,24}+[A-Za-z0-9+/=]{16,}+)*+"""
    r"""(?:(?:\\+[nrt]|[\s"'+,>|]){0,24}+[A-Za-z0-9+/=]{1,64}+(?=\s*\Z))?+"""
)
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}(?:-----)?")
_LINE = re.compile(r"[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/]{1,15}={0,2}")
_SEPARATOR = re.compile(r"""\\+[nrt]|[\s"'+,>|]+""")


def _from_begin(text: str, match: re.Match[str]) -> Span:
    """From BEGIN to END, or as far as the letters of a key go."""
    end = _END.search(text, match.end(), match.end() + _LONGEST)
    another = text.find("-----BEGIN", match.end(), match.end() + _LONGEST)
    if end and not match.end() <= another < end.start():
        return match.start(), end.end()
    body = _BODY.match(text, match.end())
    return match.start(), body.end() if body else match.end()


def _until_end(text: str, match: re.Match[str]) -> Span | None:
    """Back from an END whose beginning was cut off, line by line."""
    earlier = text.rfind("-----", max(0, match.start() - _LONGEST), match.start())
    if text.rfind("-----BEGIN", max(0, earlier - 80), max(0, earlier)) >= 0:
        return None
    window = text[earlier + 5 if earlier >= 0 else max(0, match.start() - _LONGEST) : match.start()]
    start = match.start()
    cuts = [(0, 0), *(found.span() for found in _SEPARATOR.finditer(window))]
    end = len(window)
    for begin, after in reversed(cuts):
        line = window[after:end]
        if line and not _LINE.fullmatch(line):
            break
        if line:
            start = match.start() - len(window) + after
        end = begin
    return (start, match.end()) if start < match.start() else None


RULES = (
    Rule(
        name="private-key",
        type="private-key",
        pattern=r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----",
        literals=("PRIVATE KEY",),
        check=_from_begin,
    ),
    Rule(
        name="private-key-tail",
        type="private-key",
        pattern=_END.pattern,
        literals=("-----END ",),
        check=_until_end,
    ),
)
