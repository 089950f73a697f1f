"""The argument parser, and the options that several verbs share."""

from __future__ import annotations

import argparse
import json
import os
import stat
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from datetime import date
from typing import Any, NoReturn

from memoracle.errors import BadInput, InvalidTime, UnreadableFile
from memoracle.model.record import Scope
from memoracle.model.search import Filters
from memoracle.times import read_time, read_until

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
    return read_stdin() if path == "-" else _text(read_bytes(path, largest), path, largest)


def read_bytes(path: str, largest: int = _LARGEST) -> bytes:
    """At most one byte more than `largest` of a plain file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise UnreadableFile(path, "it is not a plain file")
            return file.read(largest + 1)
    except (OSError, ValueError) as problem:
        raise UnreadableFile(path, getattr(problem, "strerror", None) or "it has no such name") from None


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

    def error(self, message: str) -> NoReturn:
        """Refuse the call."""
        raise BadInput(message, f"`{self.prog} --help` explains the call")


def add_id(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="an id, or a unique beginning of one")


def add_limit(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=above_zero, metavar="N", help="at most N (default from the settings)")


def add_scope(parser: ArgumentParser) -> None:
    for name in _SCOPE:
        parser.add_argument(f"--{name}", default="", metavar="NAME", help=f"of this {name}")


def add_filters(parser: ArgumentParser) -> None:
    """What an answer has to fit."""
    add_scope(parser)
    parser.add_argument(
        "--kind", "--type", action="append", default=[], help="only this kind (may be repeated)"
    )
    parser.add_argument("--tag", action="append", default=[], help="only with this tag (may be repeated)")
    parser.add_argument("--speaker", default="", metavar="NAME", help="only what this one said")
    parser.add_argument("--since", metavar="TIME", help="only from this time on")
    parser.add_argument("--until", metavar="TIME", help="only up to this time")
    parser.add_argument("--as-of", metavar="TIME", help="what was known and valid then")
    parser.add_argument(
        "--wide", action="store_true", help="also what its owner archived, was superseded or ended"
    )
    parser.add_argument(
        "--page-status", default="", metavar="STATUS", help="only pages: open, resolved, and so on"
    )


def scope_of(arguments: Namespace) -> Scope:
    """Whose memory a call means."""
    return Scope(**{name: getattr(arguments, name) for name in _SCOPE})


def filters_of(arguments: Namespace) -> Filters:
    """The filters a call names."""
    return Filters(
        scope=scope_of(arguments),
        kinds=tuple(arguments.kind),
        tags=tuple(arguments.tag),
        speaker=arguments.speaker,
        since=read_time(arguments.since) if arguments.since else None,
        until=read_until(arguments.until) if arguments.until else None,
        as_of=read_until(arguments.as_of) if arguments.as_of else None,
        wide=arguments.wide,
        page_status=arguments.page_status,
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
