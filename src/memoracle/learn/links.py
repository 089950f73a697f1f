"""Links in a text, by rules: tasks, commits, components, files, addresses, keys, projects, pages, evidence.

Pure: text in, links out; no model, and time linear in the length of the text. What stands in a code block is no link.
Each sort of thing is looked for in what the ones before it left over, so that a part of an address is never a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import MappingProxyType

from memoracle.learn.link_places import Found, commits, components, files, projects
from memoracle.learn.link_rules import PLAIN, LinkRules
from memoracle.learn.link_tasks import tasks
from memoracle.learn.link_urls import urls
from memoracle.learn.link_words import keys, pages, superseded
from memoracle.model.link import Link, LinkType

_AROUND = 60
_LONGEST_SNIPPET = 240
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^\n]*)")

_DIGIT = re.compile(r"[0-9]")
_Finder = Callable[[str, LinkRules], Iterator[Found]]

# The order matters: what an earlier one has found is blanked out for the later ones, save where two may share a place.
_FINDERS: tuple[tuple[_Finder, bool], ...] = (
    (lambda text, _: urls(text) if "://" in text else iter(()), True),
    (lambda text, _: superseded(text) if _says_superseded(text) else iter(()), True),
    (lambda text, _: pages(text) if "[[" in text else iter(()), True),
    (lambda text, _: keys(text) if "KEY" in text else iter(()), True),
    (lambda text, _: projects(text) if "projects/" in text else iter(()), False),
    (lambda text, _: files(text) if "." in text else iter(()), True),
    (lambda text, _: commits(text) if _DIGIT.search(text) else iter(()), True),
    (lambda text, rules: tasks(text, rules) if _DIGIT.search(text) else iter(()), True),
    (lambda text, rules: components(text, rules.suffixes), True),
)
_ORDER = MappingProxyType({kind: place for place, kind in enumerate(LinkType)})


def find_links(text: str, rules: LinkRules = PLAIN, *, first_line: int = 1) -> list[Link]:
    """The links of a text, one for each target and type, in the order of their first mention."""
    plain = without_code(text)
    left = plain
    found: list[Found] = []
    for finder, takes in _FINDERS:
        own = list(finder(left, rules))
        found += own
        if takes:
            left = _blanked(left, own)
    found.sort(key=lambda one: (one.start, _ORDER[one.type], one.target))
    links: dict[tuple[LinkType, str], Link] = {}
    line, counted = first_line, 0
    for one in found:
        line += plain.count("\n", counted, one.start)
        counted = one.start
        if (one.type, one.target) not in links:
            links[one.type, one.target] = Link(
                type=one.type,
                target=one.target,
                snippet=snippet(plain, one.start, one.end),
                line=line,
                doubt=one.doubt,
            )
    return list(links.values())


def snippet(text: str, start: int, end: int) -> str:
    """What stands around a place, on one line."""
    said = text[start:end]
    if len(said) > _LONGEST_SNIPPET - 2 * _AROUND:
        said = said[: _LONGEST_SNIPPET - 2 * _AROUND] + "…"
    return " ".join((text[max(0, start - _AROUND) : start] + said + text[end : end + _AROUND]).split())


def without_code(text: str) -> str:
    """The text with its code blocks emptied; every line keeps its number."""
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.split("\n")
    opened = ""
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if opened:
            closes = mark and mark[1].startswith(opened) and not mark[2].strip()
            lines[at] = ""
            if closes:
                opened = ""
        elif mark and (mark[1][0] == "~" or "`" not in mark[2]):
            opened = mark[1]
            lines[at] = ""
    return "\n".join(lines)


def _says_superseded(text: str) -> bool:
    return "upersed" in text or "取代" in text or "替代" in text


def _blanked(text: str, found: list[Found]) -> str:
    """The text with these places empty, every other character where it was."""
    if not found:
        return text
    pieces, at = [], 0
    for one in sorted(found, key=lambda one: one.start):
        if one.start >= at:
            # A mark that no rule takes for a part of a word, a path or a sentence.
            pieces += [text[at : one.start], "\x00" * (one.end - one.start)]
            at = one.end
    return "".join((*pieces, text[at:]))
