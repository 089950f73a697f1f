"""The verbs, listed once: name, what it does, and the `Memory` method behind it."""

from __future__ import annotations

from memoracle.model.value import value


@value
class Verb:
    """One verb of the command line and its counterpart in Python."""

    name: str
    help: str
    method: str
    aliases: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The file under `interfaces/cli/` that holds the command."""
        is_word_of_python = self.name == "import"
        return f"memoracle.interfaces.cli.{self.name.replace('-', '_')}{'_' if is_word_of_python else ''}"


VERBS = (
    Verb(name="init", help="make a memory, or adopt an existing directory", method="memoracle.init"),
    Verb(name="remember", help="keep something", method="remember", aliases=("capture",)),
    Verb(name="ingest", help="read conversations: a file, a folder or a host by name", method="ingest"),
    Verb(
        name="import", help="move in what another program kept: a folder, a file or a host", method="import_"
    ),
    Verb(name="export", help="write memories out in another shape", method="export"),
    Verb(name="sync", help="exchange with other machines through git; pushes only when asked", method="sync"),
    Verb(name="embed", help="compute the vectors that are missing", method="embed"),
    Verb(name="recall", help="answer a question with evidence; what is used grows stronger", method="recall"),
    Verb(name="search", help="the same evidence, leaving every file untouched", method="search"),
    Verb(name="context", help="what an agent should see first, within a budget of tokens", method="context"),
    Verb(name="recover", help="what to go on from after a reset", method="recover"),
    Verb(name="note", help="write a line into the note of today, or into its home", method="note"),
    Verb(name="buffer", help="the working buffer: add, show, rotate, clear", method="buffer"),
    Verb(name="tags", help="the vocabulary of tags, and a new one with its reason", method="tags"),
    Verb(name="show", help="one record as it stands", method="show"),
    Verb(name="list", help="records that fit, newest first", method="list"),
    Verb(name="edit", help="put a record differently", method="edit"),
    Verb(name="pin", help="keep a record in the live set however old it grows", method="pin"),
    Verb(name="supersede", help="put a new record in place of an old one", method="supersede"),
    Verb(name="archive", help="take a record out of default answers", method="archive"),
    Verb(name="restore", help="bring back what was archived, superseded or retracted", method="restore"),
    Verb(name="forget", help="erase records everywhere; cannot be undone", method="forget"),
    Verb(name="why", help="where a memory came from and what it replaced", method="why"),
    Verb(name="history", help="every version of a record: who, what, when, why", method="history"),
    Verb(name="undo", help="reverse the last change, or a named one", method="undo"),
    Verb(
        name="consolidate",
        help="make what was said into what is known, and keep it in order",
        method="consolidate",
    ),
    Verb(name="flush", help="take what is worth keeping from conversations now", method="flush"),
    Verb(
        name="flush-check", help="whether to flush before a host compacts its context", method="flush_check"
    ),
    Verb(
        name="prune",
        help="a copy of a transcript without the bulk of its tool results",
        method="memoracle.ingest.prune.prune",
    ),
    Verb(
        name="hook",
        help="what an agent's host calls: session-start, prompt, stop, pre-compact, post-compact, session-end",
        method="memoracle.interfaces.hooks.entry.run_hook",
    ),
    Verb(
        name="snapshot",
        help="what an agent should have before it at the start of a session",
        method="snapshot",
    ),
    Verb(name="digest", help="write the digests of the days that need it", method="digest"),
    Verb(name="review", help="what waits for your answer, and what the last week suggests", method="review"),
    Verb(name="pending", help="what waits for a model, and why", method="pending"),
    Verb(name="inbox", help="the questions that wait for your answer", method="inbox"),
    Verb(name="accept", help="make what the inbox proposes true", method="accept"),
    Verb(name="reject", help="turn down what the inbox proposes", method="reject"),
    Verb(name="entity", help="what is known of a person, a place or a thing", method="entity"),
    Verb(name="tend", help="run the upkeep that is due, from any trigger", method="tend"),
    Verb(
        name="install",
        help="into an agent's host, or have it tended by your own cron or systemd; without root",
        method="memoracle.interfaces.cli.install.install",
    ),
    Verb(
        name="mcp",
        help="serve the memory to agents over MCP: standard streams, or HTTP with a token",
        method="memoracle.interfaces.mcp.serve.serve",
    ),
    Verb(name="health", help="how this memory is, and what helps", method="health"),
    Verb(name="probe", help="ask questions whose answers are known", method="probe"),
    Verb(name="status", help="what this memory holds and how it is doing", method="status"),
    Verb(name="stats", help="counts by kind and by importance", method="stats"),
    Verb(
        name="check", help="read everything back and say what is wrong", method="check", aliases=("validate",)
    ),
    Verb(name="repair", help="mend what check found; damage is set aside", method="repair"),
    Verb(name="fold", help="move versions that no longer stand to the archive", method="fold"),
    Verb(
        name="bench",
        help="measure recall on packs of conversations, beside its peers",
        method="memoracle.interfaces.bench.run.run",
    ),
    Verb(name="rebuild-index", help="build the index again from the files", method="rebuild_index"),
)

BY_NAME = {name: verb for verb in VERBS for name in (verb.name, *verb.aliases)}
