"""Tables are data: TOML files beside the code that reads them, and the one loader of them.

«name» in a string stands for that entry of the table `parts`. A part may be given something, «name⟨this⟩⟨that⟩», which
stands in it as «$1» and «$2». An expression may take several lines: one that begins with | goes on from the last.

What was made of a table is kept as JSON in a folder `compiled` beside it, since parsing TOML costs more than many a
command; it counts as long as the files it was made from are the same, whatever their times say. A wheel brings it along
(`hatch_build.py`), a checkout makes it at first use, as Python does with its bytecode. Where nothing can be
written it is made at each start. Nothing here knows what a table means.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any
from zlib import crc32

_PART = re.compile(r"«([A-Za-z][\w.-]*)((?:⟨[^⟨⟩]*⟩)*)»")
_GOES_ON = re.compile(r"\n\s*(?=\|)")
_DEEPEST = 20
_EDITION = 2
"""Raised when parts are put in place another way."""


@cache
def table(path: str) -> dict[str, Any]:
    """The table in a file, its parts put in place. Shared by all who ask: nobody changes it."""
    made: dict[str, Any] = kept(path.removesuffix(".toml"), (path,), lambda: parsed(_text(path)))
    return made


@cache
def expression(path: str, name: str) -> re.Pattern[str]:
    """The expression of that name in the table of a file, compiled at its first use."""
    return re.compile(table(path)["expressions"][name])


def kept(name: str, sources: Sequence[str], make: Callable[[], Any]) -> Any:
    """What `make` gives for these files: the copy in `compiled` where it is of these very files, or made anew."""
    length = check = 0
    for source in sources:
        with open(source, "rb") as opened:
            written = opened.read()
        length, check = length + len(written), crc32(written, check)
    stamp = f"{_EDITION} {length} {check}"
    folder, stem = os.path.split(name)
    path = os.path.join(folder, "compiled", f"{stem}.json")
    try:
        with open(path, encoding="utf-8") as copy:
            if copy.readline().strip() == stamp:
                return json.load(copy)
    except (OSError, ValueError):
        pass  # there is none yet, or it is torn
    made = make()
    _keep(path, f"{stamp}\n{json.dumps(made, ensure_ascii=False)}")
    return made


def parsed(written: str) -> dict[str, Any]:
    """A table from its text, its parts put in place."""
    import tomllib

    held = tomllib.loads(written)
    made: dict[str, Any] = filled(held, parts_of(held.pop("parts", {})))
    return made


def parts_of(given: Mapping[str, str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Parts, each with the earlier ones put in place; `known` are those of another table."""
    parts = dict(known or {})
    for name, part in given.items():
        parts[name] = filled(part, parts)
    return parts


def filled(held: Any, parts: Mapping[str, str]) -> Any:
    """Text, lists and tables with their parts put in place."""
    if isinstance(held, dict):
        return {name: filled(one, parts) for name, one in held.items()}
    if isinstance(held, list):
        return [filled(one, parts) for one in held]
    if not isinstance(held, str):
        return held

    def put(found: re.Match[str]) -> str:
        text = parts[found[1]]
        for number, given in enumerate(found[2][1:-1].split("⟩⟨") if found[2] else (), start=1):
            text = text.replace(f"«${number}»", given)
        return text

    text = _GOES_ON.sub("", held)
    for _ in range(_DEEPEST if "«" in text else 0):  # what a part is given may hold parts
        text, count = _PART.subn(put, text)
        if not count:
            break
    return text


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as opened:
        return opened.read()


def _keep(path: str, said: str) -> None:
    beside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(beside, "w", encoding="utf-8") as opened:
            opened.write(said)
        os.replace(beside, path)
    except OSError:
        pass  # an installation that belongs to somebody else
