"""Tables of rules, as they were compiled from `rules/*.toml`.

People read and change the TOML. What is loaded lies in `rules/compiled/` (`compile_rules.py` makes it): a wheel brings
it along, an install from the sources makes it, and where it is missing or older than the TOML it is made at first use,
once, as Python does with its own bytecode. A digest of the TOML decides, not the time of a file. Where nothing can be
written it is made anew each time.
"""

from __future__ import annotations

import contextlib
import json
import os
from hashlib import blake2b
from typing import Any

FOLDER = os.path.join(os.path.dirname(__file__), "rules")
COMPILED = os.path.join(FOLDER, "compiled")


def table(name: str) -> Any:
    """A compiled table: a folder of `rules/` or one file there."""
    digest = _digest(name)
    try:
        with open(os.path.join(COMPILED, f"{name}.json"), encoding="utf-8") as file:
            if file.readline().strip() == digest:
                return json.load(file)
    except (OSError, ValueError):
        pass  # missing or cut short: made anew
    return build(name)


def build(name: str) -> Any:
    """Compile a table and keep what came of it, where that is possible."""
    from memoracle.learn.compile_rules import compiled_table

    digest, made = _digest(name), compiled_table(name)
    path = os.path.join(COMPILED, f"{name}.json")
    draft = f"{path}.{os.getpid()}"
    with contextlib.suppress(OSError):
        os.makedirs(COMPILED, exist_ok=True)
        with open(draft, "w", encoding="utf-8") as file:
            file.write(f"{digest}\n{json.dumps(made, ensure_ascii=False)}")
        os.replace(draft, path)
    return made


def _digest(name: str) -> str:
    """What a table was compiled from: its files, and the compiler."""
    folder = os.path.join(FOLDER, name)
    files = (
        [f"{folder}/{file}" for file in sorted(os.listdir(folder))]
        if os.path.isdir(folder)
        else [f"{folder}.toml"]
    )
    digest = blake2b(digest_size=16)
    for path in (*files, os.path.join(os.path.dirname(__file__), "compile_rules.py")):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()
