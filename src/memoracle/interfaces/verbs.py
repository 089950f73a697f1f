"""The verbs of the command line, listed once in groups: name, what it does, and the function behind it."""

from __future__ import annotations

from memoracle.registry import Verb, extensions, find_verb

_CLI = "memoracle.interfaces.cli"
GROUPS: dict[str, tuple[Verb, ...]] = {
    "keep": (
        Verb(
            name="init",
            help="make a memory, or adopt an existing directory",
            method="memoracle.init",
            module=f"{_CLI}.keep",
        ),
        Verb(
            name="remember",
            help="keep something",
            method="remember",
            module=f"{_CLI}.keep",
            aliases=("capture",),
        ),
        Verb(
            name="ingest",
            help="read conversations: a file, a folder or a host by name",
            method="ingest",
            module=f"{_CLI}.keep",
        ),
    ),
    "ask": (
        Verb(
            name="recall",
            help="answer a question with evidence; what is used grows stronger",
            method="recall",
            module=f"{_CLI}.ask",
        ),
        Verb(
            name="search",
            help="the same evidence, leaving every file untouched",
            method="search",
            module=f"{_CLI}.ask",
        ),
        Verb(
            name="context",
            help="what an agent should see first, within a budget of tokens",
            method="context",
            module=f"{_CLI}.ask",
        ),
        Verb(name="recover", help="what to go on from after a reset", method="recover", module=f"{_CLI}.ask"),
        Verb(name="show", help="one record as it stands", method="show", module=f"{_CLI}.ask"),
        Verb(name="list", help="records that fit, newest first", method="list", module=f"{_CLI}.ask"),
        Verb(
            name="inspect",
            help="everything that is kept of a record, a session or an entity",
            method="inspect",
            module=f"{_CLI}.ask",
        ),
        Verb(
            name="why",
            help="where a memory came from and what it replaced",
            method="why",
            module=f"{_CLI}.ask",
        ),
        Verb(
            name="history",
            help="every version of a record: who, what, when, why",
            method="history",
            module=f"{_CLI}.ask",
        ),
        Verb(
            name="snapshot",
            help="what an agent should have before it at the start of a session",
            method="snapshot",
            module=f"{_CLI}.ask",
        ),
        Verb(
            name="entity",
            help="what is known of a person, a place or a thing",
            method="entity",
            module=f"{_CLI}.ask",
        ),
        Verb(name="stats", help="counts by kind and by importance", method="stats", module=f"{_CLI}.ask"),
    ),
    "change": (
        Verb(name="edit", help="put a record differently", method="edit", module=f"{_CLI}.change"),
        Verb(
            name="pin",
            help="keep a record in the live set however old it grows",
            method="pin",
            module=f"{_CLI}.change",
        ),
        Verb(
            name="supersede",
            help="put a new record in place of an old one",
            method="supersede",
            module=f"{_CLI}.change",
        ),
        Verb(
            name="archive",
            help="take a record out of default answers",
            method="archive",
            module=f"{_CLI}.change",
        ),
        Verb(
            name="restore",
            help="bring back what was archived, superseded or retracted",
            method="restore",
            module=f"{_CLI}.change",
        ),
        Verb(
            name="forget",
            help="take records out of memory, back within 30 days by undo; or erase a session or source",
            method="withdraw",
            module=f"{_CLI}.change",
        ),
        Verb(
            name="purge",
            help="erase records everywhere, now; or all that came of a session or source; cannot be undone",
            method="forget",
            module=f"{_CLI}.change",
            aliases=("delete",),
        ),
        Verb(
            name="trash",
            help="what was withdrawn: list, restore, empty",
            method="trash",
            module=f"{_CLI}.change",
        ),
        Verb(
            name="undo",
            help="reverse the last change, or a named one",
            method="undo",
            module=f"{_CLI}.change",
        ),
    ),
    "review": (
        Verb(
            name="review",
            help="what waits for your answer, and what the last week suggests",
            method="review",
            module=f"{_CLI}.review",
        ),
        Verb(
            name="pending", help="what waits for a model, and why", method="pending", module=f"{_CLI}.review"
        ),
        Verb(
            name="inbox",
            help="the questions that wait for your answer",
            method="inbox",
            module=f"{_CLI}.review",
        ),
        Verb(
            name="accept", help="make what the inbox proposes true", method="accept", module=f"{_CLI}.review"
        ),
        Verb(
            name="reject", help="turn down what the inbox proposes", method="reject", module=f"{_CLI}.review"
        ),
    ),
    "tidy": (
        Verb(
            name="embed", help="compute the vectors that are missing", method="embed", module=f"{_CLI}.tidy"
        ),
        Verb(
            name="consolidate",
            help="make what was said into what is known, and keep it in order",
            method="consolidate",
            module=f"{_CLI}.tidy",
        ),
        Verb(
            name="flush",
            help="take what is worth keeping from conversations now",
            method="flush",
            module=f"{_CLI}.tidy",
        ),
        Verb(
            name="flush-check",
            help="whether to flush before a host compacts its context",
            method="flush_check",
            module=f"{_CLI}.tidy",
        ),
        Verb(
            name="prune",
            help="a copy of a transcript without the bulk of its tool results",
            method="memoracle.hosts.prune.prune",
            module=f"{_CLI}.tidy",
        ),
        Verb(
            name="digest",
            help="write the digests of the days that need it",
            method="digest",
            module=f"{_CLI}.tidy",
        ),
        Verb(
            name="tend",
            help="run the upkeep that is due, from any trigger",
            method="tend",
            module=f"{_CLI}.tidy",
        ),
        Verb(
            name="fold",
            help="move versions that no longer stand to the archive",
            method="fold",
            module=f"{_CLI}.tidy",
        ),
        Verb(
            name="rebuild-index",
            help="build the index again from the files",
            method="rebuild_index",
            module=f"{_CLI}.tidy",
        ),
    ),
    "see": (
        Verb(
            name="roots",
            help="the roots of this machine that questions across roots reach",
            method="memoracle.store.roots.known_roots",
            module=f"{_CLI}.see",
        ),
        Verb(
            name="policy",
            help="what may be kept and sent: show, test TEXT, check FILE",
            method="policy",
            module=f"{_CLI}.see",
        ),
        Verb(name="health", help="how this memory is, and what helps", method="health", module=f"{_CLI}.see"),
        Verb(
            name="probe", help="ask questions whose answers are known", method="probe", module=f"{_CLI}.see"
        ),
        Verb(
            name="status",
            help="what this memory holds and how it is doing",
            method="status",
            module=f"{_CLI}.see",
        ),
        Verb(
            name="check",
            help="read everything back and say what is wrong",
            method="check",
            module=f"{_CLI}.see",
            aliases=("validate",),
        ),
        Verb(
            name="audit",
            help="prove the trail of every act, or read it: who, what, when, why",
            method="audit",
            module=f"{_CLI}.see",
        ),
        Verb(
            name="repair",
            help="mend what check found; damage is set aside",
            method="repair",
            module=f"{_CLI}.see",
        ),
    ),
    "connect": (
        Verb(
            name="hook",
            help="what an agent's host calls: session-start, prompt, stop, pre-compact, post-compact, session-end",
            method="memoracle.interfaces.hooks.entry.run_hook",
            module=f"{_CLI}.connect",
        ),
        Verb(
            name="install",
            help="into an agent's host, or have it tended by your own cron or systemd; without root",
            method="memoracle.interfaces.cli.connect.install",
            module=f"{_CLI}.connect",
        ),
        Verb(
            name="mcp",
            help="serve the memory to agents over MCP: standard streams, or HTTP with a token",
            method="memoracle.interfaces.mcp.serve.serve",
            module=f"{_CLI}.connect",
        ),
    ),
    "links": (
        Verb(
            name="links",
            help="what a page links to; links that lead nowhere; pages nobody links",
            method="links",
            module=f"{_CLI}.graph",
        ),
        Verb(
            name="backlinks",
            help="what links to a page, a record or an entity",
            method="backlinks",
            module=f"{_CLI}.graph",
        ),
        Verb(
            name="graph",
            help="what lies around a page, a record or an entity",
            method="graph",
            module=f"{_CLI}.graph",
        ),
        Verb(
            name="path",
            help="the shortest way along links between two things",
            method="path",
            module=f"{_CLI}.graph",
        ),
    ),
    "measure": (
        Verb(
            name="bench",
            help="measure recall on packs of conversations, beside its peers",
            method="memoracle.interfaces.cli.bench.run_bench",
            module=f"{_CLI}.bench",
        ),
    ),
}
VERBS = tuple(verb for verbs in GROUPS.values() for verb in verbs)
BY_NAME = {name: verb for verb in VERBS for name in (verb.name, *verb.aliases)}


def verb_named(name: str) -> Verb | None:
    """The verb of this name, the core's or an extension's."""
    return BY_NAME.get(name) or find_verb(name)


def groups() -> dict[str, tuple[Verb, ...]]:
    """Every verb in its group, the core's groups first, then one for each extension."""
    found = dict(GROUPS)
    for extension in extensions():
        for verb in extension.verbs:
            group = verb.group or extension.name
            found[group] = (*found.get(group, ()), verb)
    return found


def every_verb() -> tuple[Verb, ...]:
    """Every verb there is."""
    return tuple(verb for verbs in groups().values() for verb in verbs)
