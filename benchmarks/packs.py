"""Benchmark packs: the memories to build and the questions to ask of them; and a memory as the plain transcript
that `memoracle ingest` reads.

Reads `*.json.gz` from a folder the caller names; keeps nothing. A pack's sessions may be shared by its
spaces and stand once in the file.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from memoracle.errors import BadInput
from memoracle.hosts.lines import read_moment
from memoracle.model.value import replace, value

SUFFIX = ".json.gz"


@value
class Said:
    """One turn, with the caption of a picture that was shown joined to its words."""

    id: str
    session: str
    speaker: str
    date: str
    text: str


@value
class Asked:
    """One question and what answers it; `date` is when it is asked, empty when nobody says."""

    id: str
    text: str
    category: str
    date: str
    answerable: bool
    gold: tuple[str, ...]
    gold_sessions: tuple[str, ...]


@value
class Space:
    """One memory store; its questions are asked against exactly its turns."""

    id: str
    turns: tuple[Said, ...]
    questions: tuple[Asked, ...]


@value
class Pack:
    """Stores of one data set."""

    name: str
    language: str
    spaces: tuple[Space, ...]

    @property
    def questions(self) -> int:
        """How many questions are asked in all."""
        return sum(len(space.questions) for space in self.spaces)


def pack_names(folder: str) -> list[str]:
    """The packs that lie in a folder."""
    try:
        files = sorted(os.listdir(folder))
    except OSError as problem:
        raise BadInput(f"no benchmark data at {folder}: {problem.strerror}", "name it with --data") from None
    return [file.removesuffix(SUFFIX) for file in files if file.endswith(SUFFIX)]


def choose_packs(folders: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
    """The packs to run, each with its folder: those wanted, or all that are there."""
    there: dict[str, str] = {}
    for folder in folders:
        names = pack_names(folder)
        if twice := sorted(there.keys() & set(names)):
            raise BadInput(f"`{twice[0]}` lies in {there[twice[0]]} and in {folder}", "name one of them")
        there |= dict.fromkeys(names, folder)
    absent = [name for name in wanted if name not in there]
    if absent or not there:
        what = f"no pack called `{absent[0]}`" if absent else "no *.json.gz packs"
        raise BadInput(f"{what} in {', '.join(folders)}", f"there are: {', '.join(there)}" if there else None)
    return {name: there[name] for name in wanted or there}


def read_pack(folder: str, name: str) -> Pack:
    """The pack `name` of a folder; whatever it calls itself, its file is called that."""
    path = os.path.join(folder, name + SUFFIX)
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return replace(pack_of(json.load(file), name), name=name)
    except (OSError, EOFError, ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{path} is not a benchmark pack: {problem!r}") from problem


def pack_of(document: dict[str, Any], name: str) -> Pack:
    """A pack from its JSON document."""
    shared = {key: [_said(turn) for turn in turns] for key, turns in document.get("sessions", {}).items()}
    return Pack(
        name=document.get("name", name),
        language=document.get("language", ""),
        spaces=tuple(_space(space, shared) for space in document["spaces"]),
    )


def sample(pack: Pack, most: int | None) -> Pack:
    """The pack with at most that many questions, always the same ones; stores nobody asks are left out."""
    if most is None or pack.questions <= most:
        return pack
    keys = sorted(_lot(space, asked) for space in pack.spaces for asked in space.questions)
    kept = set(keys[:most])
    spaces = (
        replace(space, questions=tuple(asked for asked in space.questions if _lot(space, asked) in kept))
        for space in pack.spaces
    )
    return replace(pack, spaces=tuple(space for space in spaces if space.questions))


def few_stores(pack: Pack, most: int | None) -> Pack:
    """The pack with whole stores of at most that many turns in all, always the same ones; one at least."""
    if most is None:
        return pack
    kept: set[str] = set()
    for space in sorted(pack.spaces, key=lambda space: sha256(space.id.encode()).hexdigest()):
        if kept and len(space.turns) > most:
            continue
        kept.add(space.id)
        most -= len(space.turns)
    return replace(pack, spaces=tuple(space for space in pack.spaces if space.id in kept))


def _lot(space: Space, asked: Asked) -> str:
    return sha256(f"{space.id}\0{asked.id}".encode()).hexdigest()


def _space(space: dict[str, Any], shared: dict[str, list[Said]]) -> Space:
    if "turns" in space:
        turns = [_said(turn) for turn in space["turns"]]
    else:
        turns = [turn for session in space["sessions"] for turn in shared[session]]
    return Space(
        id=str(space["id"]),
        turns=tuple(turns),
        questions=tuple(_asked(query) for query in space["queries"]),
    )


def _said(turn: dict[str, Any]) -> Said:
    caption = (turn.get("caption") or "").strip()
    text = turn["text"].strip()
    return Said(
        id=str(turn["id"]),
        session=str(turn["session"]),
        speaker=turn.get("speaker") or "user",
        date=turn.get("date") or "",
        text=f"{text} [image: {caption}]".strip() if caption else text,
    )


def _asked(query: dict[str, Any]) -> Asked:
    return Asked(
        id=str(query["id"]),
        text=query["text"],
        category=query.get("category") or "",
        date=query.get("date") or "",
        answerable=bool(query["answerable"]),
        gold=tuple(dict.fromkeys(map(str, query.get("gold", ())))),
        gold_sessions=tuple(dict.fromkeys(map(str, query.get("gold_sessions", ())))),
    )


def write_transcript(path: str, turns: Iterable[Said]) -> None:
    """One JSON object per line: id, session, speaker, date, text."""
    with open(path, "w", encoding="utf-8") as file:
        for turn in turns:
            line = {"id": turn.id, "session": turn.session, "speaker": turn.speaker, "text": turn.text}
            if turn.date:
                line["date"] = turn.date
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def ids_by_ref(turns: Iterable[Said]) -> dict[str, str]:
    """Turn ids by the references under which a memory may know them: it puts the session in front."""
    listed = list(turns)
    bare = {turn.id: turn.id for turn in listed}
    return bare | {f"{turn.session}:{turn.id}": turn.id for turn in listed}


def asked_at(asked: Asked, turns: Sequence[Said]) -> datetime | None:
    """When a question is asked: its own date, or that of the last thing said before it."""
    own = read_moment(asked.date)
    if own is not None:
        return own
    dated = [moment for turn in turns if turn.date and (moment := read_moment(turn.date))]
    return max(dated, default=None)
