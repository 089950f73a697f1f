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
    Verb(
        name="page",
        help="pages of seats: write, list, show, close, check-edit, index",
        method="memoracle.extensions.seats.pages.seating.pages",
    ),
    Verb(
        name="decision",
        help="the decision log of a project, and payloads for whoever must decide: log, payload",
        method="memoracle.extensions.seats.pages.seating.decisions",
    ),
    Verb(
        name="seat",
        help="the seats: who may write where",
        method="memoracle.extensions.seats.pages.registering.registry",
    ),
    Verb(
        name="project",
        help="the projects, and where their repositories stand",
        method="memoracle.extensions.seats.pages.registering.registry",
    ),
    Verb(
        name="get",
        help="a fact by its dotted key, with the file and path it stands at",
        method="memoracle.extensions.seats.federation.federating.get",
    ),
    Verb(
        name="federate",
        help="ask several seats, projects and roots; each answer names its owner",
        method="memoracle.extensions.seats.federation.federating.federate",
    ),
    Verb(
        name="synthesize",
        help="pages of several seats as one page that cites and never copies",
        method="memoracle.extensions.seats.federation.federating.synthesize",
    ),
    Verb(
        name="roots",
        help="the roots of this machine that questions across roots reach",
        method="memoracle.store.rootbook.known_roots",
    ),
    Verb(name="show", help="one record as it stands", method="show"),
    Verb(name="list", help="records that fit, newest first", method="list"),
    Verb(name="edit", help="put a record differently", method="edit"),
    Verb(name="pin", help="keep a record in the live set however old it grows", method="pin"),
    Verb(name="supersede", help="put a new record in place of an old one", method="supersede"),
    Verb(name="archive", help="take a record out of default answers", method="archive"),
    Verb(name="restore", help="bring back what was archived, superseded or retracted", method="restore"),
    Verb(
        name="forget",
        help="take records out of memory, back within 30 days by undo; or erase a session or source",
        method="withdraw",
    ),
    Verb(
        name="purge",
        help="erase records everywhere, now; or all that came of a session or source; cannot be undone",
        method="forget",
        aliases=("delete",),
    ),
    Verb(name="trash", help="what was withdrawn: list, restore, empty", method="trash"),
    Verb(
        name="inspect", help="everything that is kept of a record, a session or an entity", method="inspect"
    ),
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
        method="memoracle.hosts.prune.prune",
    ),
    Verb(
        name="hook",
        help="what an agent's host calls: session-start, prompt, stop, pre-compact, post-compact, session-end",
        method="memoracle.hosts.hooks.entry.run_hook",
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
    Verb(name="policy", help="what may be kept and sent: show, test TEXT, check FILE", method="policy"),
    Verb(
        name="links", help="what a page links to; links that lead nowhere; pages nobody links", method="links"
    ),
    Verb(name="backlinks", help="what links to a page, a record or an entity", method="backlinks"),
    Verb(name="graph", help="what lies around a page, a record or an entity", method="graph"),
    Verb(name="path", help="the shortest way along links between two things", method="path"),
    Verb(name="entity", help="what is known of a person, a place or a thing", method="entity"),
    Verb(
        name="scan",
        help="look at this machine or a repository; nothing of it is ever told unasked",
        method="scan_machine",
    ),
    Verb(name="reply-language", help="which language to reply to the operator in", method="reply_language"),
    Verb(
        name="intake",
        help="whether a request must be clarified first, and the question to ask",
        method="memoracle.extensions.seats.manners.intake.assess",
    ),
    Verb(
        name="compact-advice",
        help="whether a turn's key facts are stored, so that it may be compacted",
        method="compact_advice",
    ),
    Verb(name="drift", help="whether work has left the goal of a project's north star", method="drift"),
    Verb(name="archive-hot", help="move finished entries of MEMORY.md to an archive", method="archive_hot"),
    Verb(name="tend", help="run the upkeep that is due, from any trigger", method="tend"),
    Verb(
        name="install",
        help="into an agent's host, or have it tended by your own cron or systemd; without root",
        method="memoracle.interfaces.cli.connect.install",
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
    Verb(name="audit", help="prove the trail of every act, or read it: who, what, when, why", method="audit"),
    Verb(name="repair", help="mend what check found; damage is set aside", method="repair"),
    Verb(name="fold", help="move versions that no longer stand to the archive", method="fold"),
    Verb(
        name="bench",
        help="measure recall on packs of conversations, beside its peers",
        method="memoracle.interfaces.cli.bench.run_bench",
    ),
    Verb(
        name="encrypt",
        help="seal the memory on disk: all of it, or its sensitive records",
        method="memoracle.store.encrypting.encrypt",
    ),
    Verb(name="decrypt", help="write every file in clear again", method="memoracle.store.encrypting.decrypt"),
    Verb(
        name="unlock",
        help="open a sealed memory for this session",
        method="memoracle.store.encrypting.unlock",
    ),
    Verb(name="lock", help="let go of the keys of a sealed memory", method="memoracle.store.encrypting.lock"),
    Verb(
        name="keys",
        help="what opens a sealed memory: list, add, remove",
        method="memoracle.store.encrypting.keys",
    ),
    Verb(name="rebuild-index", help="build the index again from the files", method="rebuild_index"),
    Verb(
        name="verify",
        help="hold the claims of a response against evidence in memory",
        method="memoracle.extensions.seats.handoffs.handing.verify",
    ),
    Verb(
        name="deliver",
        help="answer a task: a response, and the receipt for it",
        method="memoracle.extensions.seats.handoffs.handing.deliver",
    ),
    Verb(
        name="handoff",
        help="tasks between seats: given, seen, given back, looked after",
        method="memoracle.extensions.seats.handoffs.handing.handoffs",
    ),
)

BY_NAME = {name: verb for verb in VERBS for name in (verb.name, *verb.aliases)}
