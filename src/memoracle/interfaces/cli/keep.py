"""What is kept: a memory made, something remembered, conversations read."""

from __future__ import annotations

import json
import os
import sys
import time
from argparse import Namespace
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import InvalidDraft, MemoracleError
from memoracle.interfaces.cli.session import DONE, FAILED, Parser, Session, add_scope, listed, read_words
from memoracle.interfaces.render import finding_text, plain, safe
from memoracle.learn.draft import Drafted, make_draft
from memoracle.model.report import Ingested
from memoracle.model.value import replace
from memoracle.times import read_time, read_until

if TYPE_CHECKING:
    from memoracle.store.roots import Born

_PAUSE = 2.0


def add_to_ingest(parser: Parser) -> None:
    parser.add_argument("target", help="a file, a folder, or openclaw, claude, codex, gemini, opencode")
    parser.flag("--keep", "store a compressed copy that outlives the host's own")
    parser.word("--owner", "NAME", "who of the speakers is the owner, from now on")
    parser.flag("--no-embed", "leave the vectors for later")
    parser.flag("--watch", "go on reading what is added, until stopped")
    parser.flag("--once", "a host or a folder: `tend` does not look there again, or no more")


def run_ingest(arguments: Namespace, session: Session) -> int:
    """Read what is new, once, or on and on until stopped; then say what was read."""
    if arguments.owner:
        from memoracle.compose import locate
        from memoracle.store.roots import name_owner

        if name_owner(locate(session.root, os.environ), arguments.owner):
            session.say(f"{arguments.owner.strip()} is the owner from now on (`owner` in memoracle.toml)")
    how = {"keep": arguments.keep, "embed": not arguments.no_embed, "once": arguments.once}
    read = session.memory.ingest(arguments.target, **how)
    with suppress(KeyboardInterrupt):
        while arguments.watch:
            time.sleep(_PAUSE)
            more = session.memory.ingest(arguments.target, **how)
            if more.turns:
                session.say(_sentence(more))
            read = replace(more, turns=read.turns + more.turns, embedded=read.embedded + more.embedded)
    session.say(*map(finding_text, read.findings))
    session.show(read, _sentence(read))
    return FAILED if read.unread else DONE


def _sentence(read: Ingested) -> str:
    copies = f", {read.kept} kept as copies" if read.kept else ""
    unread = f"\n{read.unread} could not be read; the rest was" if read.unread else ""
    counts = f"{read.turns} new turns from {read.files} conversations{copies}"
    return f"{counts}; {read.embedded} vectors computed{unread}"


def add_to_init(parser: Parser) -> None:
    parser.add_argument("path", nargs="?", help="where (default: --root, MEMORACLE_ROOT, or your own place)")
    parser.maybe("--layout", "NAME", "native, vm-oracle, memory-system, v4, clawseat or openclaw")
    parser.flag("--scan", "then look at this machine once, as `scan machine` does")


def make_memory(place: str | None, *, layout: str | None = None) -> Born:
    """Make it, and list it among the roots of this machine."""
    from memoracle.compose import init
    from memoracle.store.roots import add_root, book_path

    born = init(place, layout=layout)
    with suppress(OSError, MemoracleError):  # a memory is made whether or not it can be listed
        add_root(book_path(os.environ, home=os.path.expanduser("~")), born.root)
    return born


def run_init(arguments: Namespace, session: Session) -> None:
    """Make it, and say what was made."""
    born = make_memory(arguments.path or session.root, layout=arguments.layout)
    made = "\n".join(f"  made {path}" for path in born.made) or "  it was there already; nothing was changed"
    document = {"root": born.root, "layout": born.layout, "created": bool(born.made), "made": list(born.made)}
    if born.adopted is not None:
        document |= {"adopted": born.adopted}
        made += (
            f"\nadopted: {born.adopted:,} records and every note stay as they are; upkeep archives, moves or replaces "
            "nothing of it before you say so (`memoracle inbox` asks once)"
        )
    if arguments.scan:
        from memoracle.compose import open_memory

        with open_memory(born.root) as memory:
            files = [file.path for file in memory.scan_machine().files]
        document |= {"scanned": files}
        made += "".join(f"\n  saw  {path}" for path in files)
    session.show(document, f"memory at {born.root} (layout {born.layout})\n{made}")


_WORDS = tuple("subject predicate object key value who where session channel sensitivity".split())
_LISTS = ("entities", "tags", "sources")
_TIMES = {"observed": read_time, "since": read_time, "until": read_until, "expires": read_until}
_PLAIN = ("kind", "importance", "confidence", "pinned", "idempotency", "project", "seat", "user", "agent")
_OTHER_NAMES = {"type": "kind", "content": "text", "idempotency_key": "idempotency", "pin": "pinned"}


def add_to_remember(parser: Parser) -> None:
    parser.add_argument("text", nargs="*", help="what to keep; `-`, or nothing in a pipe: all of stdin")
    parser.flag("--stdin", "one JSON object or plain text per line, one batch")
    parser.add_argument(
        "--type", "--kind", dest="kind", help="fact, belief, summary, preference … (default fact)"
    )
    parser.maybe("--importance", "0-1", "how much it matters (default 0.5)", float)
    parser.maybe("--confidence", "0-1", "how sure it is (default 1, beliefs 0.6)", float)
    for name in _LISTS:
        parser.add_argument(f"--{name}", type=listed, default=[], metavar="A,B", help=f"its {name}")
    for name in _WORDS:
        parser.maybe(f"--{name}", "TEXT", f"its {name}")
    for name in _TIMES:
        parser.maybe(f"--{name}", "TIME", f"{name} this time")
    parser.add_argument("--pin", dest="pinned", action="store_true", help="never let it fade")
    parser.add_argument(
        "--idempotency-key", dest="idempotency", default="", help="a name that makes a retry safe"
    )
    add_scope(parser)


def run_remember(arguments: Namespace, session: Session) -> int:
    """Keep it, and say where it stands."""
    if arguments.stdin:
        return _run_batch(arguments, session)
    says_itself = bool(arguments.key or arguments.subject)
    text = read_words(arguments.text, when_piped=not says_itself)
    if not text.strip() and not says_itself:
        raise InvalidDraft(
            "there is nothing to remember",
            "give some text, `-` to read it from stdin, or --stdin for many lines",
        )
    receipt = session.memory.remember(_drafted({"text": text}, arguments))
    session.warn(receipt.warnings)
    waits = receipt.outcome == "quarantined"
    state = ("set apart" if waits else "kept") if receipt.created else "known already"
    session.show(receipt, f"{state}: {receipt.id}\n  {receipt.path}#L{receipt.line}")
    return DONE


def _run_batch(arguments: Namespace, session: Session) -> int:
    drafted: list[Drafted] = []
    errors: list[dict[str, Any]] = []
    for number, raw in enumerate(sys.stdin.buffer, start=1):
        if not raw.strip():
            continue
        try:
            drafted.append(session.memory.guard(_drafted(_read_line(raw), arguments)))
        except MemoracleError as problem:
            said = safe(str(problem))
            errors.append({"line": number, "code": problem.code, "message": said})
            session.say(f"line {number}: {said}; the other lines are kept")
    receipts = session.memory.remember_many(drafted) if drafted else []
    new = sum(receipt.created for receipt in receipts)
    apart = sum(receipt.created and receipt.outcome == "quarantined" for receipt in receipts)
    full = sum(not receipt.id for receipt in receipts)
    known = len(receipts) - new - full
    session.show(
        {"items": plain(receipts), "created": new, "errors": errors},
        f"{new - apart} kept, {f'{apart} set apart, ' if apart else ''}{known} known already, "
        f"{len(errors) + full} refused",
    )
    return FAILED if errors or full else DONE


def _read_line(raw: bytes) -> dict[str, Any]:
    try:
        line = raw.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise InvalidDraft("the line is not UTF-8 text") from None
    if not line.lstrip().startswith("{"):
        return {"text": line}
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise InvalidDraft(
            "the line begins like JSON but is none", "plain text must not begin with a brace"
        ) from None
    return {_OTHER_NAMES.get(name, name): value for name, value in fields.items()}


def _drafted(fields: dict[str, Any], arguments: Namespace) -> Drafted:
    """A draft from a line's own fields over the call's flags."""
    flags = vars(arguments)
    wish: dict[str, Any] = {}
    for name in (*_WORDS, *_LISTS, *_PLAIN, *_TIMES):
        value = fields.get(name, flags.get(name))
        if value is None:
            continue
        if name in _TIMES:
            value = _TIMES[name](_text(name, value))
        elif name in _LISTS:
            value = listed(value) if isinstance(value, str) else _texts(name, value)
        elif name in _WORDS:
            value = _text(name, value)
        wish[name] = value
    unknown = sorted(fields.keys() - {"text", *_WORDS, *_LISTS, *_PLAIN, *_TIMES})
    if unknown:
        raise InvalidDraft(f"a draft has no field `{unknown[0]}`", "docs/reference/verbs.md lists the fields")
    return make_draft(_text("text", fields.get("text", "")), **wish)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidDraft(f"{name} has to be text")
    return value


def _texts(name: str, value: object) -> list[str]:
    if not isinstance(value, list):
        raise InvalidDraft(f"{name} has to be a list of texts")
    return [_text(name, item) for item in value]
