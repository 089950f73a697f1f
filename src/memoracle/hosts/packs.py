"""Benchmark packs: `{"name", "spaces": [{"id", "turns" or "sessions", "queries"}], "sessions"?}`.

Every space is a memory of its own and counts its turns from the start, so ids and sessions carry the
space's name in front. Sessions that spaces share stand once beside them and keep their own names.
"""

from __future__ import annotations

from typing import Any

from memoracle.hosts.lines import LineFinder, read_moment, string, table
from memoracle.hosts.locomo import words
from memoracle.hosts.plain import role_of
from memoracle.model.claim import Turn

HOST = "pack"


def fits(document: object) -> bool:
    """True for a document of this shape."""
    return isinstance(document, dict) and isinstance(document.get("spaces"), list)


def read_pack(path: str, document: object, lines: LineFinder) -> list[Turn]:
    """The turns of all spaces and of the sessions they share."""
    pack = document if isinstance(document, dict) else {}
    turns = [
        turn
        for session, said in table(pack, "sessions").items()
        if isinstance(said, list)
        for turn in _turns(path, said, "", session, lines)
    ]
    spaces = pack.get("spaces")
    for space in spaces if isinstance(spaces, list) else ():
        if isinstance(space, dict) and isinstance(space.get("turns"), list):
            name = string(space, "id") or "space"
            turns += _turns(path, space["turns"], name, "", lines)
    return turns


def _turns(path: str, said: list[Any], space: str, session: str, lines: LineFinder) -> list[Turn]:
    prefix = f"{space}/" if space else ""
    turns: list[Turn] = []
    for place, part in enumerate(said):
        if not isinstance(part, dict) or not (text := words(part, "caption")):
            continue
        given = string(part, "id") or str(place)
        speaker = string(part, "speaker") or "user"
        turns.append(
            Turn(
                session=f"{prefix}{string(part, 'session') or session or 'session'}",
                id=f"{prefix}{given}",
                speaker=speaker,
                role=role_of(speaker),
                at=read_moment(part.get("date")),
                text=text,
                path=path,
                line=lines.line_of(f'"{given}"'),
                host=HOST,
                project=space or None,
            )
        )
    return turns
