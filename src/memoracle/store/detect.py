"""Which layout an existing directory already has.

Reads names only, through the table of signs below: no file is opened, no link is followed,
nothing is written. What the settings of a root say about its layout goes before any of this.
"""

from __future__ import annotations

import os
import stat
from fnmatch import fnmatchcase

from memoracle.model.value import value


@value
class Sign:
    """Paths that give a layout away: all of `needs`, one of `any_of`, none of `never`."""

    layout: str
    any_of: tuple[str, ...]
    needs: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


# The first sign that fits wins, so names that only one design uses stand above names that many use:
# a workspace with `MEMORY.md` and `memory/` may hold several designs, one with `layer2/active` only one.
SIGNS = (
    Sign(
        layout="native",
        any_of=(
            "records/facts.jsonl",
            "records/beliefs.jsonl",
            "records/summaries.jsonl",
            "notes/daily",
            "notes/semantic",
            "notes/procedural",
        ),
    ),
    Sign(layout="vm-oracle", any_of=("knowledge-graph/facts.jsonl", "activation-metadata.json")),
    Sign(layout="vm-oracle", needs=("knowledge-graph",), any_of=("embeddings", "daily", "health.json")),
    Sign(layout="memory-system", any_of=("layer1/snapshot.md", "layer2/active", "layer2/archive")),
    Sign(layout="v4", any_of=("memory/episodic", "memory/working-buffer.md")),
    Sign(layout="native", needs=("memoracle.toml",), any_of=("memoracle.toml",), never=(".memoracle",)),
    Sign(layout="clawseat", any_of=("_links", "_backlinks", "shared/library_knowledge", "projects/*/_index")),
    Sign(layout="clawseat", any_of=("machine/current_context.json", "machine/openclaw.json")),
    Sign(
        layout="clawseat",
        needs=("projects",),
        any_of=("index.json", "events.log", "projects/*/dev_env.json", "projects/*/decision"),
    ),
    Sign(layout="openclaw", any_of=("memory/????-??-??*.md",)),
    Sign(layout="openclaw", needs=("memory",), any_of=("MEMORY.md", "memory.md", "SOUL.md", "AGENTS.md")),
    Sign(layout="openclaw", needs=("SOUL.md",), any_of=("MEMORY.md", "memory.md", "AGENTS.md")),
)


def detect(root: str) -> str | None:
    """The layout a directory has; None when it is empty, absent or nothing we know."""
    return next((sign.layout for sign in SIGNS if _fits(sign, root)), None)


def _fits(sign: Sign, root: str) -> bool:
    return (
        all(_exists(root, path) for path in sign.needs)
        and any(_exists(root, path) for path in sign.any_of)
        and not any(_exists(root, path) for path in sign.never)
    )


def _exists(folder: str, path: str) -> bool:
    """True when the path, or one that fits its wildcard, is a plain file or folder."""
    step, _, rest = path.partition("/")
    names = _names_in(folder) if {"*", "?"} & set(step) else [step]
    return any(
        (_exists(os.path.join(folder, name), rest) if rest else True)
        for name in names
        if fnmatchcase(name, step) and _is_plain(os.path.join(folder, name), is_folder=bool(rest))
    )


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_plain(path: str, *, is_folder: bool) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and not is_folder)
