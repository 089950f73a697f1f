"""Names and values in files of settings such as `.env`. Values never leave whoever asks for a fingerprint of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r"\s*(?:export\s+|set\s+-x\s+)?([A-Za-z_][A-Za-z0-9_]{0,127})\s*[=:]\s*(.*)")
_CAMEL = re.compile(r"[a-z]{2,12}(?:[A-Z][a-z]{2,12}){0,3}(?:Key|Token|Secret|Password|Id|Url)")
_LONGEST = 24
TEMPLATES = ("example", "sample", "template", "dist", "defaults")


def settings_of(text: str) -> Iterator[tuple[str, str]]:
    """Each name with its value, as it stands; quotes and a trailing comment are no part of it.

    A value over several lines, or a key in PEM form, is one value: no line of it may pass for a name.
    """
    until = ""
    for line in text.splitlines():
        if until:
            until = "" if until in line else until
        elif "-----BEGIN " in line and "-----END " not in line:
            until = "-----END "
            if found := _setting(line):
                yield found[0], found[1]
        elif not line.lstrip().startswith("#") and (found := _setting(line)):
            name, said, is_open = found
            yield name, said
            until = line.partition("=")[2].strip()[:1] if is_open else ""


def _setting(line: str) -> tuple[str, str, bool] | None:
    """Name, value, and whether its quotes are still open at the end of the line."""
    found = _LINE.match(line)
    if not found or not _is_name(found[1]):
        return None
    said = found[2].strip()
    return found[1], _bare(said), said[:1] in {'"', "'"} and said.count(said[0]) < 2


def _is_name(word: str) -> bool:
    """False for what looks like a piece of a secret: letters of both cases, or many without a break."""
    return bool(_CAMEL.fullmatch(word)) or (
        (word.isupper() or word.islower()) and max(map(len, word.split("_"))) <= _LONGEST
    )


def is_template(name: str) -> bool:
    """True for `.env.example` and its kin, which hold no secrets by intention."""
    return any(part in TEMPLATES for part in name.lower().split("."))


def _bare(said: str) -> str:
    if said[:1] in {'"', "'"}:
        end = said.find(said[0], 1)
        return said[1:end] if end > 0 else said[1:]
    return said.partition(" #")[0].strip()
