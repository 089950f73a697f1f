"""The command line: finds the verb, imports that verb alone, and translates errors into exits.

Data goes to stdout, talk goes to stderr. The table says which module holds a verb.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from memoracle.errors import BadInput, MemoracleError
from memoracle.registry import Verb, extensions, find_verb

_USAGE = """usage: memoracle [--root PATH] VERB …

Long-term memory for AI agents that its owner can read, own and trust.

"""

# Each verb with its aliases, and what it does. A group is a module beside this one.
_TABLE = {
    "setup": {
        "setup": "find the agents, chats and notes of this machine, and connect them; asks first",
        "doctor": "try every connected agent: its server, its hooks, a recall; and what is left to you",
    },
    "keep": {
        "init": "make a memory, or adopt an existing directory",
        "remember|capture": "keep something",
        "ingest": "read conversations: a file, a folder or a host by name",
    },
    "ask": {
        "recall": "answer a question with evidence; what is used grows stronger",
        "search": "the same evidence, leaving every file untouched",
        "context": "what an agent should see first, within a budget of tokens",
        "recover": "what to go on from after a reset",
        "show": "one record as it stands",
        "list": "records that fit, newest first",
        "inspect": "everything that is kept of a record, a session or an entity",
        "why": "where a memory came from and what it replaced",
        "history": "every version of a record: who, what, when, why",
        "snapshot": "what an agent should have before it at the start of a session",
        "entity": "what is known of a person, a place or a thing",
        "stats": "counts by kind and by importance",
    },
    "change": {
        "edit": "put a record differently",
        "pin": "keep a record in the live set however old it grows",
        "supersede": "put a new record in place of an old one",
        "archive": "take a record out of default answers",
        "restore": "bring back what was archived, superseded or retracted",
        "forget": "take records out of memory, back within 30 days by undo; or erase a session or source",
        "purge|delete": "erase records everywhere, now; or all that came of a session or source; cannot be undone",
        "trash": "what was withdrawn: list, restore, empty",
        "undo": "reverse the last change, or a named one",
    },
    "review": {
        "review": "what waits for your answer, and what the last week suggests",
        "pending": "what waits for a model, and why",
        "inbox": "the questions that wait for your answer",
        "accept": "make what the inbox proposes true",
        "reject": "turn down what the inbox proposes",
    },
    "tidy": {
        "embed": "compute the vectors that are missing",
        "consolidate": "make what was said into what is known, and keep it in order",
        "flush": "take what is worth keeping from conversations now",
        "flush-check": "whether to flush before a host compacts its context",
        "prune": "a copy of a transcript without the bulk of its tool results",
        "digest": "write the digests of the days that need it",
        "tend": "run the upkeep that is due, from any trigger",
        "fold": "move versions that no longer stand to the archive",
        "rebuild-index": "build the index again from the files",
    },
    "see": {
        "roots": "the roots of this machine that questions across roots reach",
        "policy": "what may be kept and sent: show, test TEXT, check FILE",
        "health": "how this memory is, and what helps",
        "probe": "ask questions whose answers are known",
        "status": "what this memory holds and how it is doing",
        "check|validate": "read everything back and say what is wrong",
        "audit": "prove the trail of every act, or read it: who, what, when, why",
        "repair": "mend what check found; damage is set aside",
    },
    "connect": {
        "hook": "what an agent's host calls: session-start, prompt, stop, pre-compact, post-compact, session-end",
        "install": "into an agent's host, or have it tended by your own cron or systemd; without root",
        "resident": "the process that answers for this memory sooner: whether there is one, or stop it",
        "mcp": "serve the memory to agents over MCP: standard streams, or HTTP with a token",
    },
    "links": {
        "links": "what a page links to; links that lead nowhere; pages nobody links",
        "backlinks": "what links to a page, a record or an entity",
        "graph": "what lies around a page, a record or an entity",
        "path": "the shortest way along links between two things",
    },
    "measure": {
        "bench": "measure recall on packs of conversations, beside its peers",
    },
}
_BEHIND = {
    "init": "memoracle.init",
    "forget": "withdraw",
    "purge": "forget",
    "prune": "memoracle.hosts.prune.prune",
    "roots": "memoracle.store.roots.known_roots",
    "hook": "memoracle.interfaces.hooks.entry.run_hook",
    "setup": "memoracle.interfaces.cli.setup.plan_setup",
    "doctor": "memoracle.hosts.install.selftest.diagnose",
    "install": "memoracle.interfaces.cli.connect.install",
    "mcp": "memoracle.interfaces.mcp.serve.serve",
    "resident": "memoracle.interfaces.resident.server.about",
    "bench": "memoracle.interfaces.cli.measure.run_bench",
}
"""The function behind a verb, where that is no method of the same name."""


def _verb(group: str, names: str, help_: str) -> Verb:
    name, *aliases = names.split("|")
    return Verb(
        name=name,
        help=help_,
        method=_BEHIND.get(name) or name.replace("-", "_"),
        module=f"{__name__}.{group}",
        aliases=tuple(aliases),
    )


def verb_named(name: str) -> Verb | None:
    """The verb of this name or alias, the core's or an extension's."""
    for group, rows in _TABLE.items():
        for names, help_ in rows.items():
            if name in names.split("|"):
                return _verb(group, names, help_)
    return find_verb(name)


def load(verb: Verb) -> tuple[Callable[[Any], None], Callable[[Any, Any], int | None]]:
    """The two functions of a verb's module: `add_to`, which one without arguments need not have, and `run`."""
    module, name = import_module(verb.module), verb.name.replace("-", "_")
    return getattr(module, f"add_to_{name}", lambda _parser: None), getattr(module, f"run_{name}")


def groups() -> dict[str, tuple[Verb, ...]]:
    """Every verb in its group, the core's groups first, then one for each extension."""
    found = {
        group: tuple(_verb(group, names, help_) for names, help_ in rows.items())
        for group, rows in _TABLE.items()
    }
    for extension in extensions():
        for verb in extension.verbs:
            group = verb.group or extension.name
            found[group] = (*found.get(group, ()), verb)
    return found


def every_verb() -> tuple[Verb, ...]:
    """Every verb there is."""
    return tuple(verb for verbs in groups().values() for verb in verbs)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is returned."""
    words = [*(sys.argv[1:] if argv is None else argv)]
    wants_json, hooked = "--json" in words, is_hook(words)
    try:
        status = _run(words)
        sys.stdout.flush()
    except MemoracleError as error:
        if hooked:
            return 0  # to a host, 2 means: stop the agent
        _tell(error, wants_json=wants_json)
        return error.status
    except BrokenPipeError:
        # The reader of our output has gone; that is its right. Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except RecursionError:
        if hooked:
            return 0
        _tell(
            BadInput("what was given, or a file of this memory, nests too deeply to be read"),
            wants_json=wants_json,
        )
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped; what was acknowledged is kept\n")
        return 130
    return status


def _run(words: list[str]) -> int:
    root: str | None = None
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in {"-h", "--help"}:
            sys.stdout.write(help_text())
            return 0
        if option == "--version":
            from memoracle import __version__

            sys.stdout.write(f"memoracle {__version__}\n")
            return 0
        if option == "--root" or option.startswith("--root="):
            root = option.removeprefix("--root=") if "=" in option else words.pop(0) if words else ""
            if not root:  # an unset variable in a script must not mean another memory
                raise BadInput("--root names no folder", "memoracle --root PATH VERB …")
        else:
            raise BadInput(f"`{option}` is not an option here", "`memoracle --help` lists the verbs")
    if not words:
        sys.stderr.write(help_text())
        return 2
    if any("\ud800" <= ch <= "\udfff" for word in words for ch in word):
        raise BadInput("an argument is not UTF-8 text")
    name = words.pop(0)
    if (status := _run_at_once(name, words, root)) is not None:
        return status
    verb = verb_named(name)
    if verb is None:
        from difflib import get_close_matches

        names = [word for one in every_verb() for word in (one.name, *one.aliases)]
        near = get_close_matches(name, names, n=1)
        hint = f"did you mean `{near[0]}`?" if near else "`memoracle --help` lists the verbs"
        raise BadInput(f"there is no verb `{name}`", hint)
    from memoracle.interfaces.cli.session import Parser, Session

    parser = Parser(prog=f"memoracle {name}", description=verb.help)
    add_arguments, run = load(verb)
    add_arguments(parser)
    parser.flag("--json", "print one JSON document")
    arguments = parser.parse_args(words)
    with Session(root=root, json=arguments.json) as session:
        return run(arguments, session) or 0


def _run_at_once(name: str, words: list[str], root: str | None) -> int | None:
    """What hosts and schedulers call and wait for: nothing is parsed. None for what is to be parsed."""
    if name == "tend" and words == ["--heartbeat"]:
        from memoracle.upkeep.schedule import quiet_here

        if quiet_here(root, os.environ):
            return 0  # what is asked a hundred times a day: nothing is opened or said, either
    if name == "hook" and words and not {"-h", "--help"} & {*words}:
        from memoracle.interfaces.hooks.entry import run_hook

        return run_hook(words, root)
    if name == "mcp" and not words:
        from memoracle.interfaces.mcp.serve import serve

        serve(root)
        return 0
    return None


def is_hook(words: Sequence[str]) -> bool:
    """True when the verb is `hook`, whatever stands before it."""
    rest = iter(words)
    for word in rest:
        if word == "--root":
            next(rest, None)
        elif not word.startswith("-"):
            return word == "hook"
    return False


def help_text() -> str:
    """The page that `--help` prints."""
    pages = [
        "\n".join([f"{group}:", *(f"  {verb.name:<14} {verb.help}" for verb in verbs)])
        for group, verbs in groups().items()
    ]
    closing = "\n`memoracle VERB --help` explains one. Every verb takes --json.\n"
    return _USAGE + "\n\n".join(pages) + "\n" + closing


def _tell(error: MemoracleError, *, wants_json: bool) -> None:
    from memoracle.interfaces.render import safe, to_json
    from memoracle.text import visible

    said = safe(str(error))
    sys.stderr.write(f"memoracle: {visible(said)}\n")
    hint = safe(error.hint) if error.hint else error.hint
    if hint:
        sys.stderr.write(f"\nhint: {visible(hint)}\n")
    if wants_json:
        document = {"error": {"code": error.code, "message": said, "hint": hint}}
        sys.stdout.write(to_json(document) + "\n")
