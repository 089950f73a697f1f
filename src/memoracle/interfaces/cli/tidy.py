"""The verbs of upkeep: what is said becomes what is known, files and index are kept in order, what is due is run."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import SUPPRESS, Namespace
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, Locked, MemoracleError, UnreadableSource
from memoracle.interfaces.cli.session import (
    DONE,
    FAILED,
    Parser,
    Session,
    above_zero,
    add_consent,
    day_of,
    given,
    sentence,
)
from memoracle.interfaces.render import finding_text
from memoracle.model.report import Phase, Run
from memoracle.text import shorten

if TYPE_CHECKING:
    from memoracle.upkeep.maintenance import Tended
    from memoracle.upkeep.schedule import Due


_STEPS_SHOWN = 12


def add_to_consolidate(parser: Parser) -> None:
    parser.flag("--force", "also when nothing is new since the last run")
    parser.maybe(
        "--ingest", "HOST", "first read what is new in conversations: a host by name, a file, a folder"
    )
    parser.maybe("--phase", "NAME", "one phase alone, by name or number")
    parser.flag("--dry-run", "print what would be done")


def run_consolidate(arguments: Namespace, session: Session) -> None:
    """Run the phases, or print what they would do."""
    if arguments.ingest and not arguments.dry_run:
        try:
            session.say(*map(finding_text, session.memory.ingest(arguments.ingest, embed=False).findings))
        except UnreadableSource as problem:  # a host that has said nothing keeps nobody from tidying up
            session.say(str(problem))
    done = session.memory.consolidate(**given(arguments, "force", "phase", "dry_run"), watch=_watch)
    session.say(*(finding_text(finding) for phase in done.phases for finding in phase.findings))
    session.show(done, _told(done))


def _watch(phase: str, number: int, total: int) -> None:
    """One line on a terminal that is written over, phase by phase."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{number}/{total} {phase}" + ("\r\x1b[K" if number == total else ""))
        sys.stderr.flush()


def _told(done: Run) -> str:
    if done.skipped:
        return f"skipped: {done.skipped}; --force runs it all the same"
    verb = "would do" if done.dry_run else "done"
    head = f"consolidate: {verb}" + (f", taken up at {done.resumed}" if done.resumed else "")
    return "\n".join([head, *(line for phase in done.phases for line in _lines(phase))])


def _lines(phase: Phase) -> list[str]:
    counts = ", ".join(f"{number:,} {what}" for what, number in phase.counts.items())
    lines = [f"  {phase.name:<10} {counts or 'nothing to do'}"]
    lines += [
        f"             {step.act} {step.target}: {shorten(step.because, 100)}"
        for step in phase.steps[:_STEPS_SHOWN]
    ]
    if (more := len(phase.steps) - _STEPS_SHOWN) > 0:
        lines.append(f"             … and {more:,} more; --json lists them all")
    return lines


def add_to_digest(parser: Parser) -> None:
    parser.add_argument(
        "date", nargs="?", metavar="DATE", help="this day alone (default: every day that needs it)"
    )
    parser.flag("--dry-run", "print the plan and change nothing")


def run_digest(arguments: Namespace, session: Session) -> None:
    day = day_of(arguments.date) if arguments.date else None
    session.show_plan(session.memory.digest(day, dry_run=arguments.dry_run), done=not arguments.dry_run)


def run_embed(_: Namespace, session: Session) -> None:
    done = session.memory.embed()
    session.show({"embedded": done}, f"{done} vectors computed")


def add_to_flush(parser: Parser) -> None:
    parser.add_argument(
        "transcript", nargs="*", help="a transcript; without one, all that are known (may be several)"
    )
    parser.word("--session", "ID", "the transcripts with this session in their name")


def run_flush(arguments: Namespace, session: Session) -> None:
    """Read them to their ends."""
    done = session.memory.flush(arguments.transcript, session=arguments.session)
    counts = {name: number for phase in done.phases for name, number in phase.counts.items()}
    said = f"{counts.get('turns', 0)} new turns, {counts.get('lines written', 0)} lines written"
    steps = [f"  {step.act} {step.target}: {step.because}" for phase in done.phases for step in phase.steps]
    session.show(done, "\n".join([said, *steps]))


def add_to_flush_check(parser: Parser) -> None:
    parser.add_argument(
        "--tokens", type=int, required=True, metavar="N", help="the tokens of the context now"
    )
    parser.maybe("--window", "W", "the context window (default from the settings)", int)
    says = "what the host keeps free; 20,000 at least (default from the settings)"
    parser.maybe("--reserve", "R", says, int)
    parser.maybe("--soft", "S", "how much earlier than the compaction (default from the settings)", int)
    parser.maybe("--cycle", "C", "how many compactions there were before", int)
    parser.word("--session", "ID", "the session; each has cycles of its own")
    parser.word("--transcript", "FILE", "its transcript; at 2 MB a flush is due in any case")


def run_flush_check(arguments: Namespace, session: Session) -> None:
    """Answer; the status is 0 either way."""
    how = given(arguments, "window", "reserve", "soft", "cycle", "session", "transcript")
    answer = session.memory.flush_check(arguments.tokens, **how)
    session.show(answer, f"{'flush' if answer.flush else 'no flush'}: {answer.because}")


add_to_fold = add_consent


def run_fold(arguments: Namespace, session: Session) -> None:
    plan = session.memory.plan_fold() if arguments.dry_run else session.memory.fold()
    session.show_plan(plan, done=not arguments.dry_run)


def add_to_prune(parser: Parser) -> None:
    parser.add_argument("file", help="a transcript of OpenClaw, Claude Code or Codex")
    says = "soft keeps the head and the tail of long results; hard also clears old ones"
    parser.choice("--mode", ("soft", "hard"), says)
    says = "the context window in tokens (200,000)"
    parser.add_argument("--window", type=above_zero, default=200_000, metavar="N", help=says)
    parser.flag("--dry-run", "say what would be saved, and print no transcript")


def run_prune(arguments: Namespace, session: Session) -> None:
    """Print the pruned transcript, or what pruning saves."""
    from memoracle.hosts.lines import UNPACK_ERRORS
    from memoracle.hosts.prune import Pruning, prune

    try:
        done = prune(arguments.file, mode=arguments.mode, numbers=Pruning(window=arguments.window))
    except UNPACK_ERRORS as problem:
        raise BadInput(f"{arguments.file} cannot be read: {problem}") from None
    if not arguments.dry_run and not session.json:
        sys.stdout.buffer.write(b"".join(line + b"\n" for line in done.lines))
        return
    said = f"{done.trimmed} results trimmed, {done.cleared} cleared: {done.before:,} characters become {done.after:,}"
    session.show({name: getattr(done, name) for name in ("trimmed", "cleared", "before", "after")}, said)


def run_rebuild_index(_: Namespace, session: Session) -> int:
    """Throw the view away and read every file again."""
    synced = session.memory.rebuild_index()
    session.show(
        {"rebuilt": synced.level, "files": synced.changed},
        f"read {synced.changed} files; the index is whole"
        if synced.level
        else "another process is changing the index; try again",
    )
    return 0 if synced.level else 1


def add_to_tend(parser: Parser) -> None:
    parser.flag("--heartbeat", "answer from one small file when nothing is due; speak only of what is wrong")
    parser.flag("--dry-run", "say what is due, and when the rest will be")
    parser.word(
        "--job", "NAME", "run this one now: ingest, digest, backup, consolidate, review, probe, health"
    )


def run_tend(arguments: Namespace, session: Session) -> int:
    """Run what is due; the exit status is 1 when a job failed or something is critical."""
    if arguments.heartbeat and not arguments.job and not arguments.dry_run:
        from memoracle.upkeep.schedule import quiet_here

        if until := quiet_here(session.root, os.environ):
            session.show(
                {"status": "nothing_due", "quiet_until": until}, f"nothing is due until {until[:16]}Z"
            )
            return DONE
    try:
        tended = session.memory.tend(job=arguments.job, dry_run=arguments.dry_run)
    except MemoracleError as problem:
        if not arguments.heartbeat:
            raise
        return _unable(session.root, problem)
    if session.json or not arguments.heartbeat or arguments.dry_run:
        session.show(tended, "\n\n".join([_told_tend(tended), *filter(None, [tended.alert])]))
    elif tended.alert:  # what a heartbeat prints is mailed by cron
        session.show(tended, tended.alert)
    return DONE if tended.ok else FAILED


def _unable(named: str | None, problem: MemoracleError) -> int:
    """A heartbeat that could not begin says why, once a day; a memory that its owner locked is in order."""
    from memoracle.resolve import find_root, folder_here
    from memoracle.times import system_clock
    from memoracle.upkeep.alerts import tell_failure

    if not isinstance(problem, Locked):
        place = find_root(named, os.environ, start=folder_here(), home=os.path.expanduser("~"))
        if told := tell_failure(os.path.realpath(place), os.environ, problem, system_clock()):
            sys.stdout.write(f"{told}\n")
    return problem.status


def _told_tend(tended: Tended) -> str:
    if tended.status == "already_running":
        return "another process is at it already"
    if tended.status == "planned":
        lines = [f"due now   {one.job:<12} {one.because}" for one in tended.due] or ["nothing is due"]
        due = {one.job for one in tended.due}
        return "\n".join([*lines, *(_coming(one) for one in tended.next if one.job not in due)])
    lines = [
        f"{one.outcome:<9} {one.job:<12} {one.says} ({one.seconds:.1f} s; {one.because})"
        for one in tended.ran
    ] or ["nothing is due"]
    return "\n".join([*lines, *map(_coming, tended.next)])


def add_to_backup(parser: Parser) -> None:
    parser.add_argument("place", nargs="?", default="", metavar="PLACE", help="a folder, or the new file")
    parser.flag("--verify", "read the archive at PLACE to its end and compare every file; write nothing")
    parser.flag("--daily", "also have `tend` write one into this folder every day")
    parser.flag("--off", "no daily archive any more; those there are stay")


def run_backup(arguments: Namespace, session: Session) -> int:
    """Write an archive, try one, or say where the daily ones are put."""
    from memoracle.upkeep import backup

    if arguments.verify:
        report = backup.verify(arguments.place)
        told = [finding_text(finding) for finding in report.findings]
        whole = f"{arguments.place} is whole: {report.counts['files']:,} files"
        session.show(report, "\n".join(told) or whole)
        return DONE if report.ok else FAILED
    root = session.memory.root
    root.store.own_state()  # what is noted of this machine's own stands beside it
    place = root.store.root
    if arguments.daily and (not arguments.place or os.path.isfile(arguments.place)):
        raise BadInput("--daily needs a folder", "`memoracle backup FOLDER --daily`")
    done = (
        session.memory.backup(f"{arguments.place}/" * arguments.daily or arguments.place)
        if arguments.place
        else None
    )
    if arguments.off or arguments.daily:
        backup.set_daily(place, "" if arguments.off else arguments.place)
    folder = backup.daily_folder(place, root.environment)
    kept = backup.archives(place, folder)
    lines = [f"{done.path}: {done.files:,} files, {done.bytes:,} bytes, read back and whole"] if done else []
    if done and done.elsewhere:
        lines.append(
            f"{done.elsewhere:,} conversations stand with their hosts and are not in it; `ingest --keep` keeps copies"
        )
    lines.append(f"every day into {folder}: {len(kept)} there" if folder else "there is no daily archive")
    session.show({"written": done, "daily": folder, "archives": kept}, "\n".join(lines))
    return DONE


def add_to_restore(parser: Parser) -> None:
    parser.add_argument("archive", help="what `backup` wrote")
    parser.word("--to", "DIR", "the folder that becomes the memory")
    parser.add_argument("--because", default="", help=SUPPRESS)
    add_consent(parser)


def run_restore(arguments: Namespace, session: Session) -> None:
    """Make it, and say what it was made of; the id of a record is taken for what `reactivate` takes."""
    from memoracle.upkeep.backup import restore

    if not arguments.to and not arguments.archive.endswith(".tar") and not os.path.exists(arguments.archive):
        receipt = session.memory.reactivate(arguments.archive, because=arguments.because)
        session.warn(receipt.warnings)
        session.show(receipt, sentence(receipt))
        return
    if not arguments.to:
        raise BadInput("--to names no folder", f"`memoracle restore {arguments.archive} --to DIR`")
    place = os.path.realpath(os.path.expanduser(arguments.to))
    taken = os.path.isdir(place) and bool(os.listdir(place))
    if taken and not arguments.dry_run:
        session.ask(f"something stands in {place}; it would be put aside", agreed=arguments.yes)
    done = restore(arguments.archive, arguments.to, agreed=taken, dry_run=arguments.dry_run)
    verb = "would restore" if arguments.dry_run else "restored"
    lines = [f"{verb} {done.files:,} files of {done.made[:16]}Z to {done.root}"]
    lines += [f"what stood there: {done.aside}"] * bool(done.aside)
    lines += ["another machine's lists of conversations were left out; `ingest` reads what is here"] * bool(
        done.not_taken
    )
    session.show(done, "\n".join(lines))


def add_to_notify(parser: Parser) -> None:
    says = "the command that is handed each message on its stdin; no shell (default: show it)"
    parser.add_argument("command", nargs="?", metavar="COMMAND", help=says)
    parser.flag("--test", "hand it a message now")
    parser.flag("--off", "name none any more")


def run_notify(arguments: Namespace, session: Session) -> int:
    """Name the command, or say which one is named, and try it."""
    from memoracle.upkeep import alerts

    root = session.memory.root
    root.store.own_state()  # what is noted of this machine's own stands beside it
    place = root.store.root
    if arguments.command or arguments.off:
        alerts.set_command(place, arguments.command or "")
    words = alerts.command(place, root.environment)
    said = shlex.join(words) or "nobody is notified; `memoracle notify COMMAND` names who is"
    problem = ""
    if arguments.test and words:
        lines = ["This is a test: what goes wrong with this memory will be told like this."]
        problem = alerts.send(place, root.environment, alerts.message(place, "test", lines), "test")
        said += f"\n{problem or 'it took a message'}"
    session.show({"command": words, "problem": problem}, said)
    return FAILED if problem or (arguments.test and not words) else DONE


def _coming(one: Due) -> str:
    return f"next      {one.job:<12} {one.since:%a %Y-%m-%d %H:%M}  {one.because}"
