"""The verbs of the command line, listed once. A group is a module of `interfaces/cli/`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from memoracle.registry import Verb, extensions, find_verb

# The verb and its aliases, what it does, and the function behind it where that is no method of the same name.
_TABLE: dict[str, tuple[tuple[str, ...], ...]] = {
    "keep": (
        ("init", "make a memory, or adopt an existing directory", "memoracle.init"),
        ("remember|capture", "keep something"),
        ("ingest", "read conversations: a file, a folder or a host by name"),
    ),
    "ask": (
        ("recall", "answer a question with evidence; what is used grows stronger"),
        ("search", "the same evidence, leaving every file untouched"),
        ("context", "what an agent should see first, within a budget of tokens"),
        ("recover", "what to go on from after a reset"),
        ("show", "one record as it stands"),
        ("list", "records that fit, newest first"),
        ("inspect", "everything that is kept of a record, a session or an entity"),
        ("why", "where a memory came from and what it replaced"),
        ("history", "every version of a record: who, what, when, why"),
        ("snapshot", "what an agent should have before it at the start of a session"),
        ("entity", "what is known of a person, a place or a thing"),
        ("stats", "counts by kind and by importance"),
    ),
    "change": (
        ("edit", "put a record differently"),
        ("pin", "keep a record in the live set however old it grows"),
        ("supersede", "put a new record in place of an old one"),
        ("archive", "take a record out of default answers"),
        ("restore", "bring back what was archived, superseded or retracted"),
        (
            "forget",
            "take records out of memory, back within 30 days by undo; or erase a session or source",
            "withdraw",
        ),
        (
            "purge|delete",
            "erase records everywhere, now; or all that came of a session or source; cannot be undone",
            "forget",
        ),
        ("trash", "what was withdrawn: list, restore, empty"),
        ("undo", "reverse the last change, or a named one"),
    ),
    "review": (
        ("review", "what waits for your answer, and what the last week suggests"),
        ("pending", "what waits for a model, and why"),
        ("inbox", "the questions that wait for your answer"),
        ("accept", "make what the inbox proposes true"),
        ("reject", "turn down what the inbox proposes"),
    ),
    "tidy": (
        ("embed", "compute the vectors that are missing"),
        ("consolidate", "make what was said into what is known, and keep it in order"),
        ("flush", "take what is worth keeping from conversations now"),
        ("flush-check", "whether to flush before a host compacts its context"),
        (
            "prune",
            "a copy of a transcript without the bulk of its tool results",
            "memoracle.hosts.prune.prune",
        ),
        ("digest", "write the digests of the days that need it"),
        ("tend", "run the upkeep that is due, from any trigger"),
        ("fold", "move versions that no longer stand to the archive"),
        ("rebuild-index", "build the index again from the files"),
    ),
    "see": (
        (
            "roots",
            "the roots of this machine that questions across roots reach",
            "memoracle.store.roots.known_roots",
        ),
        ("policy", "what may be kept and sent: show, test TEXT, check FILE"),
        ("health", "how this memory is, and what helps"),
        ("probe", "ask questions whose answers are known"),
        ("status", "what this memory holds and how it is doing"),
        ("check|validate", "read everything back and say what is wrong"),
        ("audit", "prove the trail of every act, or read it: who, what, when, why"),
        ("repair", "mend what check found; damage is set aside"),
    ),
    "connect": (
        (
            "hook",
            "what an agent's host calls: session-start, prompt, stop, pre-compact, post-compact, session-end",
            "memoracle.interfaces.hooks.entry.run_hook",
        ),
        (
            "install",
            "into an agent's host, or have it tended by your own cron or systemd; without root",
            "memoracle.interfaces.cli.connect.install",
        ),
        (
            "mcp",
            "serve the memory to agents over MCP: standard streams, or HTTP with a token",
            "memoracle.interfaces.mcp.serve.serve",
        ),
    ),
    "links": (
        ("links", "what a page links to; links that lead nowhere; pages nobody links"),
        ("backlinks", "what links to a page, a record or an entity"),
        ("graph", "what lies around a page, a record or an entity"),
        ("path", "the shortest way along links between two things"),
    ),
    "measure": (
        (
            "bench",
            "measure recall on packs of conversations, beside its peers",
            "memoracle.interfaces.cli.measure.run_bench",
        ),
    ),
}


def _verb(group: str, names: str, help_: str, method: str = "") -> Verb:
    name, *aliases = names.split("|")
    return Verb(
        name=name,
        help=help_,
        method=method or name.replace("-", "_"),
        module=f"memoracle.interfaces.cli.{group}",
        aliases=tuple(aliases),
    )


_GROUPS = {group: tuple(_verb(group, *row) for row in rows) for group, rows in _TABLE.items()}
_BY_NAME = {name: verb for verbs in _GROUPS.values() for verb in verbs for name in (verb.name, *verb.aliases)}


def verb_named(name: str) -> Verb | None:
    """The verb of this name, the core's or an extension's."""
    return _BY_NAME.get(name) or find_verb(name)


def load(verb: Verb) -> tuple[Callable[[Any], None], Callable[[Any, Any], int]]:
    """The two functions of a verb's module: `add_to`, which one without arguments need not have, and `run`."""
    module, name = import_module(verb.module), verb.name.replace("-", "_")
    return getattr(module, f"add_to_{name}", lambda _parser: None), getattr(module, f"run_{name}")


def groups() -> dict[str, tuple[Verb, ...]]:
    """Every verb in its group, the core's groups first, then one for each extension."""
    found = dict(_GROUPS)
    for extension in extensions():
        for verb in extension.verbs:
            group = verb.group or extension.name
            found[group] = (*found.get(group, ()), verb)
    return found


def every_verb() -> tuple[Verb, ...]:
    """Every verb there is."""
    return tuple(verb for verbs in groups().values() for verb in verbs)
