"""`memoracle note`, `buffer`, `tags` and `archive-hot`: what people and agents write down by hand."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, InvalidTime
from memoracle.interfaces.cli.session import Parser, add_because, listed, read_words
from memoracle.interfaces.render import plain

if TYPE_CHECKING:
    from argparse import Namespace

    from memoracle.extensions.notebook.writing import Tag
    from memoracle.interfaces.cli.session import Session

# `memoracle note`: a line in the note of today, in its home, or the closing lines of a day.

_CLOSING = ("decisions", "signal", "open")


def add_to_note(parser: Parser) -> None:
    parser.add_argument("text", nargs="*", help="what to write down; `-`, or nothing in a pipe: all of stdin")
    parser.flag("--stdin", "read the text from stdin")
    parser.word("--type", "W|B|O|S", "world fact, experience, opinion, observation")
    parser.maybe("--confidence", "0-1", "how sure an opinion is", float)
    parser.word("--entity", "NAME", "whom or what it is about")
    parser.word("--heading", "TOPIC", "the topic of its heading")
    parser.maybe("--date", "DATE", "in the note of this day (default today)")
    parser.word(
        "--to",
        "HOME",
        "into its home: infrastructure, preferences, projects, decisions, lessons-learned, procedures, NAME; "
        "`auto` finds it",
    )
    parser.add_argument("--tags", type=listed, default=[], metavar="A,B", help="with --to: tags of that note")
    parser.flag("--verified", "with --to: it was read through today")
    parser.flag("--close", "write or renew the closing lines of the day")
    for name in _CLOSING:
        parser.word(f"--{name}", "TEXT", f"with --close: its line `{name}`")
    parser.flag("--duplicates", "list facts that stand in two notes")


def run_note(arguments: Namespace, session: Session) -> None:
    """Write it, and say where it stands."""
    if arguments.duplicates:
        _list_duplicates(session)
        return
    if not arguments.close and any(getattr(arguments, name) for name in _CLOSING):
        raise BadInput("--decisions, --signal and --open belong to --close")
    if not arguments.to and (arguments.tags or arguments.verified):
        raise BadInput("--tags and --verified belong to --to")
    day = _day(arguments.date) if arguments.date else None
    text = read_words(arguments.text, stdin=arguments.stdin, when_piped=not arguments.close)
    if arguments.close:
        if text.strip():
            session.memory.note(text, heading=arguments.heading, day=day)
        written = session.memory.close_day(
            day, decisions=arguments.decisions, signal=arguments.signal, left_open=arguments.open
        )
    else:
        written = session.memory.note(
            text,
            type=arguments.type,
            confidence=arguments.confidence,
            entity=arguments.entity,
            heading=arguments.heading,
            day=day,
            to=arguments.to,
            tags=arguments.tags,
            verified=arguments.verified,
        )
    session.warn(written.warnings)
    state = "noted" if written.created else "known already"
    session.show(written, f"{state}: {written.path}#L{written.line}")


def _list_duplicates(session: Session) -> None:
    found = session.memory.duplicates()
    rows = [
        f"{one.how}, at home in `{one.home}`: {one.lines[0].text}\n"
        + "\n".join(f"    {line.place}" for line in one.lines)
        for one in found
    ]
    session.show({"items": plain(found)}, "\n".join(rows) or "no fact stands in two notes")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidTime(text) from None


# `memoracle buffer`: what is written down before a reply, and moves into the note of the day when it is full.


def add_to_buffer(parser: Parser) -> None:
    parser.add_argument(
        "act", nargs="?", choices=("show", "add", "rotate", "clear"), default="show", help="what to do"
    )
    parser.add_argument("text", nargs="*", help="with add: what to write down")
    parser.flag("--stdin", "with add: read the text from stdin")
    parser.flag("--defer", "with add: do not move a full buffer now, in the middle of a task")


def run_buffer(arguments: Namespace, session: Session) -> None:
    """Do it, and show what the buffer holds."""
    is_add = arguments.act == "add"
    if not is_add and (arguments.text or arguments.stdin or arguments.defer):
        raise BadInput(f"`{arguments.act}` takes no text", "`memoracle buffer add TEXT`")
    text = read_words(arguments.text, stdin=arguments.stdin, when_piped=is_add)
    held = session.memory.buffer(arguments.act, text, defer=arguments.defer)
    for step in held.steps:
        session.say(f"{step.act} {step.target}: {step.because}")
    session.warn(held.warnings)
    if held.stale and arguments.act == "show":
        session.say("note: nobody has worked with it for two hours; look for unfinished work")
    shown = f"noted: {held.path}#L{held.line}" if is_add else "\n".join(held.entries) or "the buffer is empty"
    session.show(held, shown)


# `memoracle tags`: the vocabulary of tags; `add` puts one more into it, with a reason.


def add_to_tags(parser: Parser) -> None:
    parser.add_argument("act", nargs="?", choices=("list", "add"), default="list", help="what to do")
    parser.add_argument("tag", nargs="?", default="", help="with add: the tag")
    add_because(parser)


def run_tags(arguments: Namespace, session: Session) -> None:
    """Print the vocabulary, or add to it."""
    if arguments.act == "add":
        added = session.memory.add_tag(arguments.tag, because=arguments.because)
        session.show(added, f"{added.name}: {added.because}")
        return
    if arguments.tag or arguments.because:
        raise BadInput("`list` takes nothing", "`memoracle tags add TAG --because WHY`")
    found, problem = session.memory.tags()
    if problem:
        session.say(f"note: tags.toml cannot be read: {problem}")
    session.show({"items": plain(found)}, "\n".join(map(_line, found)) or "no note carries a tag yet")


def _line(tag: Tag) -> str:
    told = tag.because if tag.known else f"not in the vocabulary; {tag.hint}"
    return f"{tag.name:<20} {tag.notes:>3} notes  {told}".rstrip()


# `memoracle archive-hot`: finished entries of MEMORY.md move to the month's archive.


def add_to_archive_hot(parser: Parser) -> None:
    parser.flag("--commit", "do it; without it the plan is printed")
    parser.flag("--dry-run", "print the plan, which is the default")


def run_archive_hot(arguments: Namespace, session: Session) -> None:
    """Print what was moved, or would be."""
    done = session.memory.archive_hot(dry_run=arguments.dry_run or not arguments.commit)
    act = "would move" if done.dry_run else "moved"
    lines = [f"{act} {len(done.archived)} finished entries" + (f" to {done.archive}" if done.archive else "")]
    lines += [f"  {title}" for title in done.archived]
    lines.append(f"MEMORY.md: {done.lines_before} lines, then {done.lines_after}")
    if done.backup:
        lines.append(f"backup: {done.backup}")
    session.show(
        {**plain(done), "archived": len(done.archived), "items": list(done.archived)}, "\n".join(lines)
    )
