"""The seam for extensions (a plugin registry): what one may add, and how the core finds it.

An extension is a package with a value `EXTENSION` that names what it brings: verbs, MCP tools, checks. Ours lie under
`memoracle/extensions/`, one folder each; anybody else's names itself in the entry point group `memoracle.extensions`.
Everything is named as `package.module:name` and imported when it is used, so an extension that nobody calls costs
nothing, and one that is taken away is not missed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from memoracle.model.value import value

GROUP = "memoracle.extensions"


@value
class Verb:
    """One verb of the command line and its counterpart in Python.

    Its module holds `add_to_NAME(parser)`, which adds its arguments, and `run_NAME(arguments, session)`, which does it.
    """

    name: str
    help: str
    method: str
    module: str
    aliases: tuple[str, ...] = ()

    def load(self, what: str) -> Any:
        """One of the two functions of its module: `add_to` or `run`."""
        return getattr(import_module(self.module), f"{what}_{self.name.replace('-', '_')}")


@value
class Extension:
    """What one extension brings."""

    name: str
    help: str
    verbs: tuple[Verb, ...] = ()
    tools: tuple[str, ...] = ()
    """MCP tools, for a server that speaks for a seat."""
    checks: tuple[str, ...] = ()
    """Functions of a root that give findings, run by `check`."""


@cache
def built_in() -> tuple[Extension, ...]:
    """The extensions whose folders lie beside the core."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "extensions")
    names = sorted(
        name for name in _listed(folder) if os.path.isfile(os.path.join(folder, name, "__init__.py"))
    )
    return tuple(import_module(f"memoracle.extensions.{name}").EXTENSION for name in names)


@cache
def installed() -> tuple[Extension, ...]:
    """The extensions of others that are installed here."""
    if not any(_mentions_us(folder) for folder in sys.path):
        return ()  # the help page waits for nobody's metadata
    from importlib.metadata import entry_points

    return tuple(point.load() for point in sorted(entry_points(group=GROUP), key=lambda point: point.name))


def extensions() -> tuple[Extension, ...]:
    """All of them, ours first."""
    return (*built_in(), *installed())


def named(reference: str) -> Any:
    """What `package.module:name` stands for."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def find_verb(name: str) -> Verb | None:
    """The verb of this name or alias that some extension brings; others' are asked last."""
    for among in (built_in, installed):
        for verb in _verbs(among()):
            if name in {verb.name, *verb.aliases}:
                return verb
    return None


def _verbs(among: tuple[Extension, ...]) -> Iterator[Verb]:
    for extension in among:
        yield from extension.verbs


def _mentions_us(folder: str) -> bool:
    """True when some package in a folder names the group among its entry points."""
    for name in _listed(folder):
        if name.endswith(".dist-info"):
            with suppress(OSError), open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                if GROUP.encode() in file.read():
                    return True
    return False


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
