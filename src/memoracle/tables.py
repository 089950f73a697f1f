"""Tables are data: TOML files beside the code that reads them, and the one loader of them.

«name» in a string stands for that entry of the table `parts`. What was parsed is kept as JSON in `compiled/` beside the
file, since parsing TOML costs more than many a command: a wheel brings it along (`hatch_build.py`), else it is made
at first use. It counts as long as the file is the same; where nothing can be written the file is parsed at each start.
Nothing here knows what a table means.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import Any
from zlib import crc32

_PART = re.compile("«([a-z0-9-]+)»")


@cache
def table(path: str) -> dict[str, Any]:
    """The table in a file, its parts put in place. Shared by all who ask: nobody changes it."""
    with open(path, "rb") as opened:
        written = opened.read()
    stamp = f"1 {len(written)} {crc32(written)}"
    folder, name = os.path.split(path)
    kept = os.path.join(folder, "compiled", name.removesuffix(".toml") + ".json")
    try:
        with open(kept, encoding="utf-8") as opened_copy:
            first, _, rest = opened_copy.read().partition("\n")
        if first == stamp:
            held: dict[str, Any] = json.loads(rest)
            return held
    except (OSError, ValueError):
        pass  # there is none yet, or it is torn
    made = parsed(written.decode("utf-8"))
    _keep(kept, f"{stamp}\n{json.dumps(made, ensure_ascii=False)}")
    return made


def parsed(written: str) -> dict[str, Any]:
    """A table from its text, its parts put in place."""
    import tomllib

    held = tomllib.loads(written)
    parts: dict[str, str] = {}
    for name, part in held.pop("parts", {}).items():
        parts[name] = _filled(part, parts)
    filled: dict[str, Any] = _filled(held, parts)
    return filled


def _filled(held: Any, parts: dict[str, str]) -> Any:
    if isinstance(held, str):
        return _PART.sub(lambda part: parts[part[1]], held) if "«" in held else held
    if isinstance(held, dict):
        return {name: _filled(one, parts) for name, one in held.items()}
    return [_filled(one, parts) for one in held] if isinstance(held, list) else held


def _keep(path: str, said: str) -> None:
    beside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(beside, "w", encoding="utf-8") as opened:
            opened.write(said)
        os.replace(beside, path)
    except OSError:
        pass  # an installation that belongs to somebody else
