"""Commands of five published designs under their own names: run where that is one line here, named where it is not."""

from __future__ import annotations

import os
import re
import tomllib
from argparse import REMAINDER
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput

if TYPE_CHECKING:
    from argparse import Namespace

    from memoracle.interfaces.cli.session import Parser, Session

_TABLE = os.path.join(os.path.dirname(__file__), "compat.toml")
_STARTERS = re.compile(r"python[\d.]*|bash|sh|openclaw|skill|run")
"""What such a call may begin with."""


@cache
def rows() -> Mapping[str, Mapping[str, Any]]:
    """What each command is here: `run` and `flags`, or `does`."""
    with open(_TABLE, "rb") as file:
        found: Mapping[str, Mapping[str, Any]] = tomllib.load(file)["rows"]
    return found


def known_as(name: str) -> str:
    """The hint for somebody who calls a verb by what another design calls it; empty where none does."""
    plain = os.path.basename(name)
    for row, does in rows().items():
        if plain in {row.split()[0], row.split()[0].partition(".")[0], row.split()[-1]}:
            named = f"`memoracle {does['run']}`" if "run" in does else does["does"]
            return f"{named} does it; `memoracle compat {row} …` takes the flags of its own design"
    return ""


def translated(words: Sequence[str]) -> list[str]:
    """The words of another design's call as words for `memoracle`; raises where that is not one line."""
    rest = [word for part in words for word in (part.split("=", 1) if part.startswith("--") else [part])]
    while rest and _STARTERS.fullmatch(rest[0]):
        rest = rest[1:]
    rest[:1] = [os.path.basename(word) for word in rest[:1]]
    fitting = [row for row in rows() if row.split()[0] in rest[:1] and {*row.split()} <= {*rest}]
    if not fitting:
        calls = sorted({row.split()[0] for row in rows()})
        raise BadInput(
            f"no design has the command `{' '.join(words)}`", f"it may be one of {', '.join(calls)}"
        )
    row = max(fitting, key=lambda one: len(one.split()))
    does = rows()[row]
    if "run" not in does:
        raise BadInput(f"`{row}` is not one verb here", does["does"])
    for word in row.split():
        rest.remove(word)
    return _renamed(row, does, rest)


def _renamed(row: str, does: Mapping[str, Any], rest: Sequence[str]) -> list[str]:
    flags, first, found = does.get("flags", {}), [], does["run"].split()
    left = iter(rest)
    for word in left:
        if not word.startswith("--"):
            found.append(word)
            continue
        if word not in flags:
            raise BadInput(
                f"`{row}` is not known to take {word}",
                f"`memoracle {does['run']} --help` lists what it takes",
            )
        named = flags[word]
        if isinstance(named, list):
            caught = re.fullmatch(named[0], next(left, ""))
            found += [named[1], caught[1] if caught else ""]
        elif named == "--root":
            first = [named, next(left, "")]
        elif named:
            found.append(named)
        else:
            next(left, None)
    return [*first, *found]


def add_to_compat(parser: Parser) -> None:
    """The other design's words, untouched."""
    parser.add_argument("words", nargs=REMAINDER, metavar="NAME …", help="the command and its own flags")


def run_compat(arguments: Namespace, session: Session) -> int:
    """Run it as the verb it is here."""
    from memoracle.interfaces.cli import main

    if not arguments.words:
        known = {row: does.get("run") or does["does"] for row, does in rows().items()}
        session.show(known, "\n".join(f"{row:<40} {here}" for row, here in known.items()))
        return 0
    root = ["--root", session.root] if session.root else []
    return main([*root, *translated(arguments.words)])
