"""The verbs, listed once: name, what it does, and the `Memory` method behind it."""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    """One verb of the command line and its counterpart in Python."""

    name: str
    help: str
    method: str
    aliases: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The file under `interfaces/cli/` that holds the command."""
        return f"memoracle.interfaces.cli.{self.name.replace('-', '_')}"


VERBS = (
    Verb("init", "make a memory, or adopt an existing directory", "memoracle.init"),
    Verb("remember", "keep something", "remember", ("capture",)),
    Verb("ingest", "read conversations: a file, a folder or a host by name", "ingest"),
    Verb("embed", "compute the vectors that are missing", "embed"),
    Verb("recall", "answer a question with evidence; what is used grows stronger", "recall"),
    Verb("search", "the same evidence, leaving every file untouched", "search"),
    Verb("show", "one record as it stands", "show"),
    Verb("list", "records that fit, newest first", "list"),
    Verb("edit", "put a record differently", "edit"),
    Verb("pin", "keep a record in the live set however old it grows", "pin"),
    Verb("supersede", "put a new record in place of an old one", "supersede"),
    Verb("archive", "take a record out of default answers", "archive"),
    Verb("restore", "bring back what was archived, superseded or retracted", "restore"),
    Verb("forget", "erase records everywhere; cannot be undone", "forget"),
    Verb("why", "where a memory came from and what it replaced", "why"),
    Verb("history", "every version of a record: who, what, when, why", "history"),
    Verb("undo", "reverse the last change, or a named one", "undo"),
    Verb("status", "what this memory holds and how it is doing", "status"),
    Verb("stats", "counts by kind and by importance", "stats"),
    Verb("check", "read everything back and say what is wrong", "check", ("validate",)),
    Verb("repair", "mend what check found; damage is set aside", "repair"),
    Verb("fold", "move versions that no longer stand to the archive", "fold"),
    Verb(
        "bench",
        "measure recall on packs of conversations, beside its peers",
        "memoracle.interfaces.bench.run.run",
    ),
    Verb("rebuild-index", "build the index again from the files", "rebuild_index"),
)

BY_NAME = {name: verb for verb in VERBS for name in (verb.name, *verb.aliases)}
