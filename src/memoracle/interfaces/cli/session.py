"""One run of the command line: the memory it works on, where its words go, and how its own words are read."""

from __future__ import annotations

import argparse
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, Self

from memoracle.errors import (
    BadInput,
    Declined,
    InvalidTime,
    MemoracleError,
    NeedsConsent,
)
from memoracle.interfaces.render import plain, to_json
from memoracle.model.record import Scope
from memoracle.model.search import Filters
from memoracle.settings import read_plain
from memoracle.text import visible
from memoracle.times import read_time, read_until

if TYPE_CHECKING:
    from memoracle.memory import Memory
    from memoracle.model.report import Plan, Receipt


# Exit statuses: those of verbs, and of errors (`status`). People's scripts rely on these numbers.

DONE = 0
FAILED = 1
USAGE = 2
NOT_IN_MEMORY = 3
NOT_IN_FEDERATION = 4
REFUSED = 5
CONFLICT = 6
NOT_DELIVERED = 7
NOT_READY = 8

MEANING = {
    DONE: "done",
    FAILED: "a check failed, or something went wrong while running",
    USAGE: "the call's words are off",
    NOT_IN_MEMORY: "not_in_memory_db",
    NOT_IN_FEDERATION: "not_in_federated_kb",
    REFUSED: "refused by policy or ownership",
    CONFLICT: "conflict of versions",
    NOT_DELIVERED: "written but not delivered",
    NOT_READY: "not_ready",
}

_LONG = 2000
"""Work on more pieces than this is worth a line that moves."""


class Session:
    """Opens the memory when it is first asked for; prints data to stdout and talk to stderr."""

    def __init__(self, *, root: str | None, json: bool) -> None:
        self.root = root
        self.json = json
        self._memory: Memory | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._memory is not None:
            self._memory.close()

    @property
    def memory(self) -> Memory:
        """The memory of this run."""
        if self._memory is None:
            from memoracle.compose import open_memory

            self._memory = open_memory(
                self.root,
                progress=partial(self.progress, "indexing"),
                embedding=partial(self.progress, "embedding"),
                via="cli",
            )
        return self._memory

    def show(self, document: Any, text: str) -> None:
        """Print the JSON document, or the text for a person."""
        sys.stdout.write((to_json(document) if self.json else visible(text)) + "\n")

    def note_act(self, act: str, **facts: int | str) -> None:
        """Have an act that no `Memory` did told to the audit trail, where that can be written."""
        from memoracle.model.event import Event

        with suppress(MemoracleError):  # a root that is locked, or none
            store = self.memory.store
            store.audit.try_log(Event(act=act, at=store.now(), facts=facts))

    def say(self, *texts: str) -> None:
        """Talk to the person, beside the data."""
        for text in texts:
            sys.stderr.write(visible(text) + "\n")

    def warn(self, warnings: Iterable[str]) -> None:
        """Say what has to be known of what is shown."""
        self.say(*(f"note: {warning}" for warning in warnings))

    def show_plan(self, plan: Plan, *, done: bool) -> None:
        """Print a plan that was carried out, or would be."""
        steps = [f"{step.act} {visible(step.target)}: {visible(step.because)}" for step in plan.steps]
        head = f"{plan.verb}: {'done' if done else 'would do'}" if steps else f"{plan.verb}: nothing to do"
        document = {"verb": plan.verb, "dry_run": not done, "items": plain(plan.steps)}
        self.show(document, "\n".join([head, *steps]))

    @property
    def is_attended(self) -> bool:
        """True when a person sits at a terminal and can be asked."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    def ask(self, act: str, *, agreed: bool, diff: str = "") -> None:
        """Have consent for what erases or writes outside the root, or raise.

        Consent is `--yes` in the call, or a person's answer at a terminal; a pipe answers for nobody. With a `diff`
        the answer `d` shows it, and asks again.
        """
        if agreed:
            return
        if not self.is_attended:
            raise NeedsConsent(act)
        while True:
            sys.stderr.write(visible(f"{act}. Go on? [y/N{'/d: the difference' if diff else ''}] "))
            sys.stderr.flush()
            said = sys.stdin.readline().strip().lower()
            if said in {"y", "yes"}:
                return
            if said != "d" or not diff:
                raise Declined(act)
            self.say(diff)

    def progress(self, what: str, done: int, total: int) -> None:
        """A line that is written over, on a terminal alone: pipes and files are told what came of it, and no more."""
        if total >= _LONG and sys.stderr.isatty() and not os.environ.get("MEMORACLE_QUIET"):
            sys.stderr.write(f"\r{what} {done:,} of {total:,}" + ("\n" if done >= total else ""))
            sys.stderr.flush()


def sentence(receipt: Receipt) -> str:
    """What became of a record, for a person."""
    state = f"{receipt.id} is now version {receipt.version}, {receipt.status.value}"
    return f"{state}\n  {receipt.path}#L{receipt.line}"


# What a call is given beside its options: words, texts and JSON, on the command line, on stdin, or in a file.

_LARGEST = 4_000_000


def read_words(words: Sequence[str], *, stdin: bool = False, when_piped: bool = True) -> str:
    """The words of a call; for `-`, or for none while something is piped in, what stands on stdin."""
    if stdin or list(words) == ["-"]:
        return read_stdin()
    if words or not when_piped or sys.stdin is None or sys.stdin.isatty():
        return " ".join(words)
    return read_stdin()


def read_stdin() -> str:
    """The whole of stdin, as text, without the end of its last line."""
    content = sys.stdin.buffer.read(_LARGEST + 1) if sys.stdin is not None else b""
    return _text(content, "stdin").rstrip("\r\n")


def read_text(path: str, largest: int = _LARGEST) -> str:
    """The text of a plain file, or of stdin for `-`."""
    return read_stdin() if path == "-" else _text(read_plain(path, largest + 1), path, largest)


def read_json(source: str) -> Any:
    """What a file holds, or stdin for `-`."""
    return parse_json(read_text(source), "stdin" if source == "-" else source)


def parse_json(text: str, where: str) -> Any:
    """The document in a text, with nothing that JSON itself does not know."""
    if len(text) > _LARGEST:
        raise BadInput(f"{where} is longer than {_LARGEST:,} characters")
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise BadInput(f"{where} nests too deeply to be read") from None
    except ValueError as problem:
        raise BadInput(f"{where} is not JSON: {problem}") from None


def _text(content: bytes, where: str, largest: int = _LARGEST) -> str:
    if len(content) > largest:
        raise BadInput(f"{where} is longer than {largest:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise BadInput(f"{where} is not UTF-8 text (line {line})", "save it as UTF-8") from None


def _refuse(word: str) -> None:
    message = f"{word} is no number of JSON"
    raise ValueError(message)


_MOST = 1_000_000
_SCOPE = ("project", "seat", "user", "agent")


class Parser(ArgumentParser):
    """An argument parser whose complaints are errors like any other."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def flag(self, name: str, help_: str) -> None:
        """An option that is set or not."""
        self.add_argument(name, action="store_true", help=help_)

    def word(self, name: str, metavar: str, help_: str) -> None:
        """An option with a word behind it; empty when it is not given."""
        self.add_argument(name, default="", metavar=metavar, help=help_)

    def maybe(self, name: str, metavar: str, help_: str, read: Callable[[str], Any] = str) -> None:
        """An option with something behind it that `read` reads; None when it is not given."""
        self.add_argument(name, type=read, metavar=metavar, help=help_)

    def choice(self, name: str, choices: Sequence[str], help_: str) -> None:
        """An option with one of some words behind it; the first of them when it is not given."""
        self.add_argument(name, choices=choices, default=choices[0], help=help_)

    def several(self, name: str, metavar: str | None, help_: str) -> None:
        """An option that may be repeated."""
        self.add_argument(name, action="append", default=[], metavar=metavar, help=help_)

    def error(self, message: str) -> NoReturn:
        """Refuse the call."""
        raise BadInput(message, f"`{self.prog} --help` explains the call")


def add_id(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="an id, or a unique beginning of one")


def add_limit(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=above_zero, metavar="N", help="at most N (default from the settings)")


def add_scope(parser: Parser) -> None:
    for name in _SCOPE:
        parser.word(f"--{name}", "NAME", f"of this {name}")


def add_filters(parser: Parser) -> None:
    """What an answer has to fit."""
    add_scope(parser)
    parser.add_argument(
        "--kind", "--type", action="append", default=[], help="only this kind (may be repeated)"
    )
    parser.several("--tag", None, "only with this tag (may be repeated)")
    parser.word("--speaker", "NAME", "only what this one said")
    parser.maybe("--since", "TIME", "only from this time on")
    parser.maybe("--until", "TIME", "only up to this time")
    parser.maybe("--as-of", "TIME", "what was known and valid then")
    parser.flag("--wide", "also what its owner archived, was superseded or ended")
    parser.word("--page-status", "STATUS", "only pages: open, resolved, and so on")


def given(arguments: Namespace, *names: str) -> dict[str, Any]:
    """The options of these names, for a function that calls them the same."""
    return {name: getattr(arguments, name) for name in names}


def scope_of(arguments: Namespace) -> Scope:
    """Whose memory a call means."""
    return Scope(**given(arguments, *_SCOPE))


def filters_of(arguments: Namespace) -> Filters:
    """The filters a call names."""
    return Filters(
        **given(arguments, "speaker", "wide", "page_status"),
        scope=scope_of(arguments),
        kinds=tuple(arguments.kind),
        tags=tuple(arguments.tag),
        since=read_time(arguments.since) if arguments.since else None,
        until=read_until(arguments.until) if arguments.until else None,
        as_of=read_until(arguments.as_of) if arguments.as_of else None,
    )


def add_act(acts: Any, name: str, help_: str) -> Parser:
    """A word behind a verb, with arguments of its own."""
    act: Parser = acts.add_parser(name, help=help_, description=help_)
    act.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document")
    return act


def add_because(parser: ArgumentParser) -> None:
    parser.add_argument("--because", default="", metavar="WHY", help="the reason, kept in the history")


def add_consent(parser: ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="print the plan and change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def listed(text: str) -> list[str]:
    """The parts of a comma list; Chinese commas count too."""
    return [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]


def day_of(text: str) -> date:
    """A day as it is written in a call."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidTime(text) from None


def above_zero(text: str) -> int:
    """A number that counts something."""
    number = int(text[:40])
    if number < 1:
        raise ValueError
    return min(number, _MOST)


above_zero.__name__ = "whole number above 0"
