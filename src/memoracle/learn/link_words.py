"""Links that people mark as such: `[[pages]]`, what supersedes what, `[KEY: …]`. Pure, linear."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.learn.link_places import Found, normal_path
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.link import PAGE, LinkType, entity
from memoracle.text import normalise

_PAGE = re.compile(
    r"(?<![A-Za-z0-9_)\]\[`])\[\[([^\[\]|\n#\x00]{1,200})(?:#[^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]"
)
# Numbers, classes of characters, and the attributes of C.
_NO_PAGE = re.compile(
    r"[\d\s.,:;+\-*/]*|:[a-z]+:|(?:__)?(?:maybe_unused|unlikely|likely|noreturn|nodiscard|deprecated|fallthrough)_*"
)
_KEY = re.compile(r"[\[【]KEY[:：][ \t]*([^\[\]【】\n\x00]{1,200})[\]】]")
_SUPERSEDES = re.compile(
    r"(?<![A-Za-z])[Ss]upersed(?:es|ing|e)(?![A-Za-z])[ \t]*[:：]?[ \t]*|(?:取代|替代)了?[ \t]*[:：]?[ \t]*"
)
_AND = re.compile(r"[ \t]*(?:,|，|、|;|；|&|and(?![A-Za-z])|和|与|以及|及)[ \t]*(?:and(?![A-Za-z]))?[ \t]*")
_RECORD = re.compile(r"mem_[0-9A-Z]{26}(?![0-9A-Za-z])")
_MARKDOWN = re.compile(r"`?([A-Za-z0-9_~./\-]{1,200}\.md)(?![A-Za-z0-9_])`?")


def pages(text: str) -> Iterator[Found]:
    """Every `[[name]]`, `[[name#heading]]` and `[[name|words]]`."""
    for found in _PAGE.finditer(text):
        if target := _page_of(found):
            yield Found(start=found.start(), end=found.end(), type=LinkType.WIKILINK, target=target)


def superseded(text: str) -> Iterator[Found]:
    """What a text says it takes the place of: pages, records, Markdown files, one or several."""
    for word in _SUPERSEDES.finditer(text):
        at = word.end()
        while one := _target_at(text, at):
            yield one
            more = _AND.match(text, one.end)
            if not more:
                break
            at = more.end()


def keys(text: str) -> Iterator[Found]:
    """Every `[KEY: …]`, in any script."""
    for found in _KEY.finditer(text):
        if named := " ".join(found[1].split()):
            yield Found(start=found.start(), end=found.end(), type=LinkType.KEY, target=entity("key", named))


def page_target(name: str) -> str:
    """The target that the name of a page becomes; empty when there is none in it."""
    plain = " ".join(name.split()).removeprefix("./").rstrip("/")
    if _RECORD.fullmatch(plain):
        return plain
    return f"{PAGE}{normalise(plain.removesuffix('.md'))}" if plain.removesuffix(".md") else ""


def _page_of(found: re.Match[str]) -> str:
    name = found[1]
    is_code = name[0] in " \t" or _NO_PAGE.fullmatch(name)
    return "" if is_code else page_target(name)


def _target_at(text: str, at: int) -> Found | None:
    if (found := _PAGE.match(text, at)) and (target := _page_of(found)):
        return Found(start=at, end=found.end(), type=LinkType.SUPERSEDES, target=target)
    if found := _RECORD.match(text, at):
        return Found(start=at, end=found.end(), type=LinkType.SUPERSEDES, target=found[0])
    if found := _MARKDOWN.match(text, at):
        target = page_target(normal_path(found[1]))
        return Found(start=at, end=found.end(), type=LinkType.SUPERSEDES, target=target)
    return None


def is_record(target: str) -> bool:
    """True for the id of a record."""
    return target.startswith(RECORD_PREFIX)
