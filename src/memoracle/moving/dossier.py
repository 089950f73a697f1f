"""Everything about one entity in one JSON document: records with their evidence, and passages that mention it.

Goes by all names of the entity. Passages come through the store's own reading of notes and conversations, so
what is masked or forgotten there is not here either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from memoracle.model.hit import Passage
from memoracle.model.manifest import Role
from memoracle.model.plain import to_plain
from memoracle.model.record import Record
from memoracle.store.store import Store
from memoracle.text import normalise

_READ = {Role.NOTE: "notes", Role.TRANSCRIPT: "turns"}


def mentioning(store: Store, names: Sequence[str]) -> dict[str, list[Passage]]:
    """The passages of notes and conversations that name one of these, by sort."""
    found: dict[str, list[Passage]] = {"notes": [], "turns": []}
    is_named = _naming(names)
    for state in store.manifest():
        if state.role in _READ:
            loaded = store.load(state.path, state.role)
            found[_READ[state.role]] += [
                one for one in loaded.passages if is_named.search(normalise(one.text))
            ]
    return found


def dossier(
    names: Sequence[str],
    records: Sequence[Record],
    places: Mapping[str, str],
    passages: Mapping[str, Sequence[Passage]],
) -> bytes:
    """The document."""
    document = {
        "entity": names[0],
        "names": list(names),
        "records": [{**to_plain(one), "cite": places.get(one.id, "")} for one in records],
        **{sort: [_row(one) for one in held] for sort, held in passages.items()},
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _row(passage: Passage) -> dict[str, str]:
    row = {
        "cite": passage.cite,
        "who": passage.who,
        "at": passage.at.isoformat() if passage.at else "",
        "session": passage.session,
        "channel": passage.channel,
        "text": passage.text,
    }
    return {name: item for name, item in row.items() if item}


def _naming(names: Sequence[str]) -> re.Pattern[str]:
    """What finds a name as a whole word; between letters without spaces, wherever it stands."""
    return re.compile("|".join(sorted(_patterns(names), key=len, reverse=True)) or r"(?!)")


def _patterns(names: Sequence[str]) -> Iterator[str]:
    for name in map(normalise, names):
        if name.strip():
            yield rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)
