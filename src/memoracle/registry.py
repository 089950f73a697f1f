"""The seam for extensions (a plugin registry): what one may add, and how the core finds it.

An extension is a package with a value `EXTENSION` that names what it brings: verbs, methods, MCP tools, checks,
layouts. Ours lie under `memoracle/extensions/`, one folder each; anybody else's names itself in the entry point group
`memoracle.extensions`. Everything is named as `package.module:name` and imported when it is used, so an extension that
nobody calls costs nothing, and one that is taken away is not missed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from memoracle.errors import MissingExtension
from memoracle.model.value import field, value

GROUP = "memoracle.extensions"


@value
class Verb:
    """One verb of the command line and its counterpart in Python.

    Its module holds `run_NAME(arguments, session)`, which does it, and `add_to_NAME(parser)`, which adds its arguments
    where it has any.
    """

    name: str
    help: str
    method: str
    module: str
    aliases: tuple[str, ...] = ()
    group: str = ""
    """Under which heading of the help it stands; an extension's own when it names none."""
    is_hidden: bool = False
    """Left out of the page that `--help` prints."""


@value
class Extension:
    """What one extension brings. Every function is named as `package.module:name`."""

    name: str
    help: str
    verbs: tuple[Verb, ...] = ()
    tools: tuple[str, ...] = ()
    """MCP tools, for a server that speaks for a seat."""
    checks: tuple[str, ...] = ()
    """Functions of a `Store` that give findings; `check` runs them."""
    after_consolidation: tuple[str, ...] = ()
    """Functions of a `Store` and `dry_run` that bring derived files up to date, and say what they did (`Done`)."""
    methods: Mapping[str, str] = field(default_factory=dict)
    """What `Memory` offers by these names: functions of a `Root`, or a class that is made with the memory."""
    layouts: Mapping[str, str] = field(default_factory=dict)
    """Where other designs keep the same files: each a `Layout`."""
    points: Mapping[str, str] = field(default_factory=dict)
    """What the core asks for by name, when a root holds something that needs it; see `POINTS`."""


POINTS = {
    "page_facets": "(note, layout, hide) -> facets of a note that stands where pages of seats do",
    "load_facts": "(store, path) -> what a document of scanned facts, or the record of a design, says",
    "note_checks": "(store, *, now, today, buffer_lines, daily_days) -> checks of notes, for `health`",
    "plan_tidying": "(checks) -> the steps that would mend what these checks found",
    "tidy_notes": "(store, steps, *, now, zone) -> those steps, done",
    "finish_rotation": "(store, *, now, zone) -> an interrupted rotation of the working buffer, finished",
    "known_as": "(name) -> the hint for a verb that another design calls so, or an empty text",
    "bring_home": "(root, words, operation) -> what was accepted, written into the notes it belongs to",
    "tend_notes": "(root, *, weekly, dry_run) -> notes and working buffer tended, and what is left to their owner",
    "commit_changes": "(root, *, dry_run) -> what changed, committed where the owner set it, and what was not",
    "upgrade_line": "(fields) -> the record that a line in the shape of another design stands for, or ValueError",
    "design_fields": "(layout, record) -> what a line of that design says of a record",
    "survey": "(place, layout) -> what stands in a directory of another design, and what it becomes",
    "openclaw_recipe": "(question, query, index, now, embedder) -> candidates by a published hybrid formula",
    "publish_projections": "(store, standing, *, now, zone, uses_of, dry_run) -> documents other tools read, written",
    "codec": "(root) -> what seals and opens the files of a root that is encrypted at rest; None when it is not",
    "seat_brief": "(root, now) -> lines, each with its place, of what a seat has before it",
    "seat_checks": "(store, now) -> checks of hand-offs and of what other scanners left, for `health`",
    "handoff_notices": "(root) -> a sentence for each hand-off that lies, for `review`",
    "day_pages": "(store) -> passages of pages of seats, for the digest of their day",
    "ask_all_roots": "(arguments, session) -> exit status of a question to every listed root",
    "graph_tools": "the MCP tools that `mcp --graph` adds",
}
OURS = {
    "encryption": ("encrypt", "decrypt", "unlock", "lock", "keys", "codec"),
    "exchange": ("import", "export", "import_", "graph_tools"),
    "notebook": (
        *("note", "buffer", "tags", "archive-hot", "close_day", "duplicates", "add_tag", "archive_hot"),
        *("note_checks", "plan_tidying", "tidy_notes", "finish_rotation"),
        *("bring_home", "tend_notes"),
    ),
    "layouts": (
        "vm-oracle",
        "memory-system",
        "v4",
        "clawseat",
        "openclaw",
        "compat",
        "known_as",
        "upgrade_line",
        "publish_projections",
        "openclaw_recipe",
        "survey",
        "design_fields",
        "leave",
    ),
    "seats": (
        *("page", "decision", "seat", "project", "get", "federate", "synthesize", "scan", "reply-language"),
        *("intake", "drift", "verify", "deliver", "handoff", "compact-advice", "seats"),
        *("scan_machine", "scan_project", "scan_diff", "reply_language", "compact_advice"),
        *(
            "page_facets",
            "load_facts",
            "ask_all_roots",
            "seat_brief",
            "seat_checks",
            "handoff_notices",
            "day_pages",
        ),
    ),
    "sync": ("sync", "commit_changes"),
}
"""The names that our own extensions bring: one is imported by its name alone, and what is missing can be named."""
_OWNER = {name: extension for extension, names in OURS.items() for name in names}


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
    """The verb of this name or alias that some extension brings; raises when it is one of ours that is missing."""
    for extension in _bringing(name):
        for verb in extension.verbs:
            if name in {verb.name, *verb.aliases}:
                return verb
    _must_be_here(name)
    return None


def method(name: str) -> Any:
    """What `Memory` offers by this name; raises `AttributeError` when nobody brings it."""
    for extension in _bringing(name):
        if name in extension.methods:
            return named(extension.methods[name])
    _must_be_here(name)
    raise AttributeError(f"a memory has no `{name}`")


class Methods:
    """Functions that extensions bring, each found when it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        return method(name)


@cache
def point(name: str) -> Any:
    """What was registered for one of `POINTS`; None when nobody did."""
    return next((named(one.points[name]) for one in _bringing(name) if name in one.points), None)


def needed(name: str) -> Any:
    """The same; raises when nobody did."""
    found = point(name)
    if found is None:
        _must_be_here(name)
    return found


def layout(name: str) -> Any:
    """The layout of this name; None when nobody brings it."""
    for extension in _bringing(name):
        if name in extension.layouts:
            return named(extension.layouts[name])
    _must_be_here(name)
    return None


def layout_names() -> list[str]:
    """The layouts that extensions bring."""
    return [name for extension in extensions() for name in extension.layouts]


def contributed(what: str) -> Iterator[Any]:
    """The functions that all extensions list under a name: `checks`, `after_consolidation`."""
    return (named(reference) for extension in extensions() for reference in getattr(extension, what))


def _bringing(name: str) -> Iterator[Extension]:
    """The extensions that may bring something of this name; our own is known by it, so that no other is imported."""
    owner = _OWNER.get(name)
    if owner is None:
        yield from extensions()
        return
    if (own := _ours(owner)) is not None:
        yield own
    yield from installed()


@cache
def _ours(name: str) -> Extension | None:
    """One of our own; None when its folder is gone."""
    try:
        found: Extension = import_module(f"memoracle.extensions.{name}").EXTENSION
    except ModuleNotFoundError as problem:
        if problem.name not in {"memoracle.extensions", f"memoracle.extensions.{name}"}:
            raise
        return None
    return found


def _must_be_here(name: str) -> None:
    """Raise when what was asked for is part of an extension of ours that is gone."""
    owner = _OWNER.get(name)
    if owner is not None and _ours(owner) is None:
        raise MissingExtension(owner, f"`{name}` is part of it")


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
