"""Links in the hot file: what they name, and whether it is there. Addresses elsewhere are not followed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from urllib.parse import unquote

from memoracle.errors import MemoracleError
from memoracle.model.ids import RECORD_PREFIX
from memoracle.store.store import Store

_ELSEWHERE = re.compile(r"\b(?:[a-z]{2,10}://|mailto:)[^\s()\[\]]+", re.IGNORECASE)
_LINKS = (
    re.compile(r"\[[^\[\]\n]{0,300}\]\(<?([^()<>\s]{1,500})"),
    re.compile(r"\[\[([^\[\]|\n]{1,300})"),
    re.compile(r"(?<![\w./()<%\[\]-])([\w./-]{1,300}\.md)(?!\w)"),
    re.compile(r"(?<!\w)(mem_[0-9A-Z]{26})(?!\w)"),
)


def links_in(text: str) -> Iterator[str]:
    """What a line links to: Markdown links, `[[names]]`, bare paths of notes, ids of records."""
    here = _ELSEWHERE.sub(" ", text)
    for pattern in _LINKS:
        for found in pattern.finditer(here):
            if link := unquote(found[1]).partition("#")[0].strip():
                yield link


def leads_somewhere(store: Store, link: str) -> bool:
    """True when a link leads to a record or to a file of the memory."""
    if link.startswith(RECORD_PREFIX):
        return bool(store.journal.versions(link))
    folder = os.path.dirname(store.layout["semantic"].partition("/{")[0])
    plain = link.lstrip("/").removeprefix("./")
    for place in (plain, f"{plain}.md", f"{folder}/{plain}", f"{folder}/{plain}.md"):
        try:
            if os.path.exists(store.place(place)):
                return True
        except MemoracleError:
            continue
    return False
