r"""What its owner never wants stored or sent: phrases of the policy, and the `BLOCK:` lines of a privacy list.

    BLOCK: Project Nightingale
    BLOCK: "a phrase (taken literally)"
    BLOCK: PRJ-\d{4}|internal-[a-z]+

A line with signs of a pattern is one: characters, classes, `?`, `{n,m}`, at most two `*` or `+`, alternatives; every
repetition is bounded. What is no such pattern makes the list malformed, and a malformed list lets nothing through.
Phrases are compared without regard to case, hidden characters, width and spacing. Nothing here names a phrase.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memoracle.guard.hidden import unhidden
from memoracle.guard.modes import PERSONAL, Blocked, Blocklist, Policy, PolicyMode
from memoracle.guard.rule import Sighting
from memoracle.guard.secrets import mask, outside_masks

TYPE = "blocked"
_MOST_LINES = 10_000
_LINE = re.compile(r"[ \t>*-]{0,8}BLOCK[ \t]*[:：](.*)")
_SIGNS = re.compile(r"[\\\[\](){}|^$+*?]")
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|`([^`]+)`")
# One character or class, and how often.
_ATOM = re.compile(
    r"(?P<atom>\\[dws.\\()\[\]{}|+*?^$/-]|\[\^?(?:[^\[\]\\]|\\[dws\\\]\[.-]){1,60}\]|\.|[^\\\[\](){}|^$+*?])"
    r"(?P<often>[*+?]|\{\d{1,2}(?:,\d{1,2})?\})?"
)
_MANY = {"*": "{0,64}", "+": "{1,64}"}
_LEAST = {"*": 0, "?": 0}
_MOST_REPEATED, _MOST_OPTIONAL = 2, 3
_SHORTEST = 2
_BLANKS = re.compile(r"\s+")


def read_list(text: str, name: str) -> Blocklist:
    """The list in a text. One that says BLOCK nowhere is malformed: somebody meant to block something."""
    entries: list[Blocked] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if number > _MOST_LINES:
            return Blocklist(problem=f"{name} has more than {_MOST_LINES:,} lines")
        match = _LINE.fullmatch(line)
        if not match:
            continue
        entry = _entry(match[1].strip(), f"privacy-list:L{number}")
        if entry is None:
            return Blocklist(problem=f"line {number} of {name} is neither a phrase nor a simple pattern")
        entries.append(entry)
    if not entries and text.strip():
        return Blocklist(problem=f"{name} has no line that begins with BLOCK:")
    return Blocklist(entries=tuple(entries))


def of_phrases(phrases: tuple[str, ...]) -> tuple[Blocked, ...]:
    """The entries of the policy's own phrases."""
    return tuple(
        Blocked(rule=f"never:{at}", phrase=_squeezed(one)) for at, one in enumerate(phrases, start=1)
    )


def find_blocked(text: str, entries: tuple[Blocked, ...]) -> tuple[Sighting, ...]:
    """Where blocked text stands; all of the text where only its squeezed form shows it."""
    if not entries or not text:
        return ()
    found: list[Sighting] = []
    lower = text.lower()
    squeezed = _squeezed(text)
    for entry in entries:
        if entry.pattern:
            spans = [match.span() for match in _compiled(entry.pattern).finditer(text)]
            spans = [span for span in spans if span[1] > span[0]]
        elif entry.phrase not in squeezed:
            continue
        else:
            places = re.finditer(re.escape(entry.phrase), lower) if len(lower) == len(text) else ()
            spans = [match.span() for match in places] or [(0, len(text))]
        found += [Sighting(rule=entry.rule, type=TYPE, start=a, end=b) for a, b in spans]
    return tuple(sorted(found, key=lambda one: (one.start, one.end)))


def _squeezed(text: str) -> str:
    plain = text if text.isascii() else unicodedata.normalize("NFKC", unhidden(text))
    return _BLANKS.sub(" ", plain).strip().lower()


def _entry(said: str, rule: str) -> Blocked | None:
    quoted = _QUOTED.fullmatch(said)
    phrase = next(filter(None, quoted.groups()), "") if quoted else said
    if quoted or not _SIGNS.search(said):
        squeezed = _squeezed(phrase)
        return Blocked(rule=rule, phrase=squeezed) if len(squeezed) >= _SHORTEST else None
    pattern = _pattern(said)
    return Blocked(rule=rule, pattern=pattern) if pattern else None


def _pattern(said: str) -> str:
    """The same as an expression that runs in linear time; empty when it is none of those, or a sign means more."""
    parts: list[list[tuple[str, str]]] = [[]]
    place = 0
    while place < len(said):
        if said[place] == "|":
            parts.append([])
            place += 1
            continue
        match = _ATOM.match(said, place)
        if match is None:
            return ""
        parts[-1].append((match["atom"], match["often"] or ""))
        place = match.end()
    if not all(map(_is_simple, parts)):
        return ""
    pattern = "|".join(
        "(?:" + "".join(atom + _MANY.get(often, often) for atom, often in one) + ")" for one in parts
    )
    try:
        _compiled(pattern)
    except re.error:
        return ""
    return pattern


def _is_simple(part: list[tuple[str, str]]) -> bool:
    """Long enough to mean something, and with so few choices that it cannot take long."""
    least = sum(
        _LEAST.get(often, 1) if not often.startswith("{") else int(often[1:-1].split(",")[0])
        for _, often in part
    )
    repeated = sum(often in _MANY or "," in often for _, often in part)
    optional = sum(often == "?" for _, often in part)
    return least >= _SHORTEST and repeated <= _MOST_REPEATED and optional <= _MOST_OPTIONAL


@lru_cache(maxsize=1000)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# The privacy gate: what must not leave, before a guarded action.

_PLACES = re.compile(
    r"(?<![\w.])(?:/home|/Users|/root|[A-Za-z]:\\Users)[/\\](?!\.\.\.|<|\$|user(?:name)?\b|you\b|me\b)"
    r"[\w.-]{1,64}(?:[/\\][\w.@ -]{1,80}){0,20}"
    r"|~/[\w.-]{1,64}(?:/[\w.@-]{1,80}){0,20}"
)
_CHATS = re.compile(
    r"(?<![\w-])(?:o[cunm]_[0-9a-f]{20,40}|chat_id[\"'\s:=]{1,4}-?\d{6,20}|-100\d{8,12})(?![\w-])"
)


def inspect(
    text: str, policy: Policy, blocked: tuple[Blocked, ...], *, outgoing: bool = False
) -> tuple[Sighting, ...]:
    """What stops this text, in its order; nothing when it may pass. Values are never told."""
    found = [*mask(text, lambda: b"only to look").found, *find_blocked(text, blocked)]
    kinds = frozenset(
        PERSONAL if outgoing else (kind for kind in PERSONAL if policy.mode(kind) is not PolicyMode.ALLOW)
    )
    if kinds:
        from memoracle.guard.personal import find_personal

        found += outside_masks(text, [one for one in find_personal(text) if one.type in kinds])
    if outgoing:
        found += [
            Sighting(rule=rule, type=rule, start=match.start(), end=match.end())
            for rule, pattern in (("private-path", _PLACES), ("chat-id", _CHATS))
            for match in pattern.finditer(text)
        ]
    return tuple(sorted(found, key=lambda one: (one.start, one.end)))
