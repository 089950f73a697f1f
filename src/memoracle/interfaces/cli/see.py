"""The verbs that look: state, health, checks, probes, the audit trail, the policy in force; and `repair`."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, NoRoot
from memoracle.interfaces.cli.session import (
    DONE,
    FAILED,
    REFUSED,
    Parser,
    Session,
    above_zero,
    add_act,
    add_consent,
    add_limit,
    given,
)
from memoracle.interfaces.render import finding_text, plain
from memoracle.model.event import LoggedEvent
from memoracle.model.record import Channel, Kind
from memoracle.model.report import Finding, Severity
from memoracle.settings import read_plain
from memoracle.text import shorten, visible
from memoracle.times import read_time
from memoracle.upkeep.checks import Grade
from memoracle.upkeep.probe import Canary, Probe, probe_fields
from memoracle.upkeep.report import Health, document_of

if TYPE_CHECKING:
    from memoracle.guard.explain import InForce, PolicyVerdict

_SHOWN = 20
_FILTERS = ("record", "did", "who", "since", "session", "limit")


def add_to_audit(parser: Parser) -> None:
    parser.add_argument(
        "act", nargs="?", choices=("verify", "show", "head"), default="verify", help="what to do"
    )
    says = "with verify: a hash that `audit head` gave earlier and that must still stand in the trail"
    parser.several("--head", "HASH", says)
    parser.word("--record", "ID", "with show: only about this id or path")
    parser.add_argument("--act", dest="did", default="", metavar="ACT", help="with show: only this act")
    parser.word("--who", "NAME", "with show: only by this one")
    parser.maybe("--since", "TIME", "with show: only from this time on")
    parser.word("--session", "ID", "with show: only of this session")
    add_limit(parser)


def run_audit(arguments: Namespace, session: Session) -> int:
    """Print what was asked for; `verify` ends with 1 when something is wrong."""
    if arguments.act != "show" and any(getattr(arguments, name) for name in _FILTERS):
        raise BadInput(f"`{arguments.act}` takes no filters", "`memoracle audit show --record ID`")
    if arguments.act != "verify" and arguments.head:
        raise BadInput("`--head` goes with verify", "`memoracle audit verify --head HASH`")
    if arguments.act == "show":
        since = read_time(arguments.since) if arguments.since else None
        which = given(arguments, "record", "who", "session") | {"limit": arguments.limit or _SHOWN}
        told = session.memory.audit(act=arguments.did, since=since, **which)
        items = [plain(one.event) | {"because": one.because, "sessions": one.sessions} for one in told]
        session.show({"items": items}, "\n".join(map(_line, told)) or "no act fits")
        return DONE
    found = session.memory.verify_audit(heads=arguments.head)
    if arguments.act == "head":
        heads = [{"writer": writer, "hash": made} for writer, made in found.heads.items()]
        lines = [f"{made}  {writer}" for writer, made in found.heads.items()]
        session.show({"items": heads}, "\n".join(lines) or "nothing has been told yet")
        return DONE
    began = f"since {found.since:%Y-%m-%d}" if found.since else ""
    verdict = f"{'whole' if found.ok else 'NOT whole'}: {found.entries} entries {began}"
    lines = [
        f"{what} {one.code}: {one.message}{f' ({one.path})' if one.path else ''}"
        for what, told_of in (("problem", found.problems), ("note", found.notes))
        for one in told_of
    ]
    lines.append(
        f"{verdict}, beside {found.records} record lines" if found.entries else "nothing has been told yet"
    )
    parts = ("entries", "records", "since", "problems", "notes", "heads")
    session.show({"ok": found.ok, **{name: getattr(found, name) for name in parts}}, "\n".join(lines))
    return DONE if found.ok else FAILED


def _line(told: LoggedEvent) -> str:
    event = told.event
    head = f"{event.at:%Y-%m-%d %H:%M:%S}  {event.by or '-'}{f' via {event.via}' if event.via else ''}  {event.act}"
    about = [f"{one.id}@{one.version}" for one in event.records] + list(event.about)
    shown = " ".join(about[:5]) + (f" … {len(about) - 5} more" if len(about) > 5 else "")
    facts = " ".join(f"{name}={said}" for name, said in event.facts.items())
    why = f"({'; '.join(told.because)})" if told.because else ""
    return "  ".join(part for part in (head, shown, " ".join(event.rules), facts, why) if part)


def add_to_check(parser: Parser) -> None:
    parser.flag("--deep", "also prove the index equal to a rebuild")


def run_check(arguments: Namespace, session: Session) -> int:
    """Print the findings; 1 when one of them is an error."""
    report = session.memory.check(deep=arguments.deep)
    counts = ", ".join(f"{number} {name}" for name, number in report.counts.items())
    verdict = "whole" if report.ok else "damaged"
    session.show(
        {"ok": report.ok, "findings": report.findings, "counts": report.counts},
        "\n".join([*_once_a_file(report.findings), f"{verdict}: {counts} read"]),
    )
    return DONE if report.ok else FAILED


def _once_a_file(findings: Sequence[Finding]) -> Iterator[str]:
    """Findings as lines; what only informs and fits every line of a file is told once, with how often."""
    alike = Counter((one.code, one.path) for one in findings if one.severity is Severity.INFO)
    for one in findings:
        more = alike.pop((one.code, one.path), 0) if one.severity is Severity.INFO else 1
        if more:
            yield finding_text(one) + (f" ({more - 1:,} more lines; --json has them all)" if more > 1 else "")


_MARKS = {Grade.PASS: "ok", Grade.SKIPPED: "–", Grade.WARNING: "warning", Grade.CRITICAL: "CRITICAL"}
_HEALTH_SHOWN = 5


def add_to_health(parser: Parser) -> None:
    parser.flag("--fix", "mend what can be mended safely, and say what was done")
    parser.flag("--dry-run", "with --fix: print the plan and change nothing")
    parser.flag("--strict", "warnings fail too")
    parser.flag("--verbose", "every check, also those that passed")


def run_health(arguments: Namespace, session: Session) -> int:
    """Print how it is; the exit status is 1 when something is critical."""
    if arguments.dry_run:
        from memoracle.upkeep.health import plan_health

        session.show_plan(plan_health(session.memory.root), done=False)
        return DONE
    health = session.memory.health(fix=arguments.fix)
    document = document_of(health)
    if health.mended is not None:
        document |= {"mended": health.mended.steps, "not_mended": health.mended.findings}
    session.show(document, "\n".join(_lines(health, verbose=arguments.verbose)))
    return FAILED if not health.ok or (arguments.strict and health.warnings) else DONE


def _lines(health: Health, *, verbose: bool) -> Iterator[str]:
    measured = health.measures
    if health.mended is not None:
        yield from (f"mended    {step.target}: {step.act}, {step.because}" for step in health.mended.steps)
        yield from (f"not done  {one.path}: {one.message}" for one in health.mended.findings)
        if health.mended.steps or health.mended.findings:
            yield ""
    yield f"{health.status}"
    yield ""
    yield f"records     {measured.active_facts:,} active, {measured.archived_facts:,} archived"
    yield f"activation  {measured.avg_activation:.2f} on average"
    yield f"MEMORY.md   {measured.memory_md_lines} lines"
    days, talks = measured.daily_files_count, measured.session_files_count
    yield f"notes       {measured.note_files_count:,}, of them {days} of days; {talks} conversations"
    size, vectors = measured.disk_usage_bytes / 1e6, measured.embedding_index_size_bytes / 1e6
    full = f"the disk is {measured.disk_usage_percent:.0f} % full"
    yield f"on disk     {size:.1f} MB, of them {vectors:.1f} MB vectors; {full}"
    upkeep = "never consolidated"
    if measured.last_consolidation is not None:
        when = measured.last_consolidation.astimezone().strftime("%Y-%m-%d %H:%M")
        upkeep = f"consolidated {when} in {measured.consolidation_duration_seconds:.1f} s"
    yield f"upkeep      {upkeep}"
    told = [check for check in health.checks if verbose or not check.ok]
    if told:
        yield ""
    for check in told:
        yield f"{_MARKS[check.grade]:<9} {check.id:<19} {shorten(check.says, 160)}"
        if check.hint and not check.ok:
            yield f"          hint: {check.hint}"
        for finding in check.findings[1:_HEALTH_SHOWN]:
            yield f"          {finding.place}: {finding.message}"
        if len(check.findings) > _HEALTH_SHOWN:
            yield f"          … and {len(check.findings) - _HEALTH_SHOWN} more"
    passed = sum(check.ok for check in health.checks)
    yield ""
    yield f"{passed} of {len(health.checks)} checks passed"


_LARGEST = 10_000_000


def add_to_policy(parser: Parser) -> None:
    acts = parser.add_subparsers(dest="act", metavar="show|test|check")
    add_act(acts, "show", "what is in force, and where each part comes from (default)")
    test = add_act(acts, "test", "what would happen to a text, channel by channel, and by which rule")
    test.add_argument("given", nargs="*", metavar="TEXT", help="the text to test")
    test.add_argument(
        "--channel", choices=[one.value for one in Channel], help="test this channel alone (default: all)"
    )
    test.add_argument(
        "--kind", default=Kind.FACT.value, choices=[one.value for one in Kind], help="test it as this kind"
    )
    check = add_act(acts, "check", "the privacy gate over a file; exit status 5 on a hit")
    check.add_argument("given", nargs="*", metavar="FILE", help="the file to check, or - for standard input")
    check.flag("--outgoing", "check what goes to somebody else: also personal data and paths")


def run_policy(arguments: Namespace, session: Session) -> int:
    """Explain, or stop."""
    from memoracle.learn.policies import policy_test

    if arguments.act == "check":
        return _check(arguments, session)
    if arguments.act == "test":
        text = " ".join(arguments.given)
        if not text:
            raise BadInput("there is no text to test", "memoracle policy test 'some text'")
        channels = [arguments.channel] if arguments.channel else []
        verdicts = policy_test(session.memory.root, text, channels=channels, kind=arguments.kind)
        session.show({"items": verdicts}, "\n\n".join(map(_sentence, verdicts)))
    else:
        found = session.memory.policy()
        session.show(found, _table(found))
    return DONE


def _check(arguments: Namespace, session: Session) -> int:
    from memoracle.learn.policies import policy_check

    if len(arguments.given) != 1:
        raise BadInput("name one file to check, or - for standard input")
    name = arguments.given[0]
    # What is checked may be any file: bytes that are no text are looked at as they come.
    content = sys.stdin.buffer.read(_LARGEST + 1) if name == "-" else read_plain(name, _LARGEST + 1)
    if len(content) > _LARGEST:
        raise BadInput(f"more than {_LARGEST:,} bytes cannot be checked at once")
    text = content.decode("utf-8", "replace")
    found = policy_check(session.memory.root, text, outgoing=arguments.outgoing)
    if warning := _shrunk(session.memory.policy()):
        session.say(warning)
    said = [f"line {one.line}: {one.type} ({one.rule})" for one in found]
    session.show(
        {"passes": not found, "items": found},
        "\n".join(["stopped by the privacy gate", *said]) if found else "nothing stops it",
    )
    return REFUSED if found else DONE


def _sentence(verdict: PolicyVerdict) -> str:
    lines = [f"{verdict.channel}: {verdict.outcome}" + (f", as a {verdict.kind}" if verdict.text else "")]
    if verdict.rules:
        lines.append(f"    by {', '.join(verdict.rules)}")
    lines += [f"    line {one.line}: {one.type} ({one.rule})" for one in verdict.seen]
    if verdict.text:
        lines.append(f"    {visible(shorten(verdict.text, 300))}")
    return "\n".join(lines)


def _shrunk(found: InForce) -> str:
    if not found.lost:
        return ""
    return f"{found.privacy_list} has lost {found.lost} lines; a list of what must not be known only grows"


def _table(found: InForce) -> str:
    rows = [f"nothing is written: {visible(found.problem)}", ""] if found.problem else []
    rows += [f"{part.name:<20} {part.stance:<12} {part.source}" for part in found.parts]
    lists = f"{found.phrases} phrases in the settings, {found.listed} lines in {found.privacy_list}"
    return "\n".join([*rows, "", f"blocked: {lists}", *filter(None, [_shrunk(found)])])


_CRITICAL = 0.7


def add_to_probe(parser: Parser) -> None:
    parser.add_argument("act", nargs="?", choices=["add"], help="keep one more canary instead of asking")
    parser.add_argument("query", nargs="?", help="with add: the question")
    parser.several("--expect", "TEXT", "with add: what the answer says (any of several)")
    parser.several("--outdated", "TEXT", "with add: what must not stand before the answer (may be repeated)")
    parser.word("--id", "ID", "with add: the record that answers")
    parser.add_argument(
        "--k", type=above_zero, default=10, metavar="N", help="with add: found among the first N hits"
    )


def run_probe(arguments: Namespace, session: Session) -> int:
    """Ask every canary, or keep a new one; the exit status is 1 when fewer than 70 % are found."""
    if arguments.act == "add":
        from memoracle.upkeep.health import add_canary

        canary = Canary(
            query=arguments.query or "",
            expected=tuple(arguments.expect),
            expected_id=arguments.id,
            k=arguments.k,
            outdated=tuple(arguments.outdated),
        )
        number = add_canary(session.memory.root, canary)
        said = f"kept; {number} canaries are asked from now on"
        session.show({"query": canary.query, "total": number}, said)
        return DONE
    if arguments.expect or arguments.id or arguments.outdated:
        raise BadInput(
            "--expect, --outdated and --id belong to a new canary",
            "`memoracle probe add QUERY --expect TEXT`",
        )
    found = session.memory.probe()
    session.show(probe_fields(found), _told(found))
    return FAILED if found.accuracy < _CRITICAL else DONE


def _told(found: Probe) -> str:
    if not found.asked:
        return "there are no canaries yet; `memoracle probe add QUERY --expect TEXT` keeps one"
    lines = [
        f"{'found' if one.passed else 'MISSED':<7} {f'#{one.place}' if one.place else '–':<4} "
        f"{one.milliseconds:>7.1f} ms  {shorten(one.query, 60)}  →  {shorten(one.expected, 60)}"
        + (f"  (#{one.outdated} is outdated, or shows that the answer is)" if one.outdated else "")
        for one in found.asked
    ]
    middle, longest = found.milliseconds
    recalls = ", ".join(f"recall@{k} {found.recall_at(k):.2f}" for k in (1, 5, 10))
    share = f"{found.passed} of {len(found.asked)} found ({found.accuracy:.0%})"
    times = f"half within {middle:.0f} ms, all within {longest:.0f} ms"
    return "\n".join([*lines, "", f"{share}; {recalls}; {times}"])


def add_to_repair(parser: Parser) -> None:
    parser.flag("--adopt", "turn lines changed by hand into new versions")
    parser.flag("--take-state", "use a `state/` that another machine or place wrote: it is mine")
    add_consent(parser)


def run_repair(arguments: Namespace, session: Session) -> None:
    act = session.memory.plan_repair if arguments.dry_run else session.memory.repair
    session.show_plan(act(**given(arguments, "adopt", "take_state")), done=not arguments.dry_run)


def add_to_roots(parser: Parser) -> None:
    parser.add_argument("act", nargs="?", choices=("list", "add", "remove"), default="list")
    parser.add_argument("path", nargs="?", help="a root; with remove also its name")
    parser.add_argument("--name", default="", help="with add: what to call it (default: its folder's name)")


def run_roots(arguments: Namespace, session: Session) -> None:
    """List, add or take off the list; a root itself is never touched."""
    from memoracle.store.roots import add_root, book_path, known_roots, remove_root

    book = book_path(os.environ, home=os.path.expanduser("~"))
    changed = False
    if arguments.act != "list":
        if not arguments.path:
            raise BadInput("which root?", f"memoracle roots {arguments.act} PATH")
        place = os.path.abspath(os.path.expanduser(arguments.path))
        if arguments.act == "add":
            if not os.path.isfile(os.path.join(place, "memoracle.toml")):
                raise NoRoot(place)
            changed = add_root(book, place, name=arguments.name)
        else:
            changed = remove_root(book, arguments.path) or remove_root(book, place)
    found = known_roots(book)
    rows = [f"{one.name:<20} {'there' if one.present else 'missing':<8} {visible(one.path)}" for one in found]
    document = {"items": plain(found), "list": book, "changed": changed}
    session.show(document, "\n".join(rows) or f"no roots are listed in {visible(book)}")


def run_status(_: Namespace, session: Session) -> None:
    from memoracle.interfaces.resident.server import about, described

    summary = session.memory.status()
    missing = summary.without_vector
    use = summary.asking
    waits = f"{use.waiting} fragments wait" + (" (`memoracle pending`)" if use.waiting else "")
    failed = f", {use.failures} failed" if use.failures else ""
    spent = f"{use.model}: {use.tokens:,} of {use.budget:,} tokens today, {use.calls} calls{failed}"
    model = spent if use.model else "off"
    vectors = f"{missing} passages have none yet (`memoracle embed`)" if missing else "complete"
    lines = [
        f"memory      {summary.root} (layout {summary.layout})",
        f"records     {summary.active} active, {summary.archived} archived, {summary.superseded} superseded",
        f"notes       {summary.notes} passages",
        f"talk        {summary.turns} turns",
        f"vectors     {vectors}",
        f"index       {summary.view}",
        f"model       {model}; {waits}",
        f"on disk     {summary.disk_bytes / 1e6:.1f} MB",
        f"findings    {summary.findings}" + ("  (`memoracle check` names them)" if summary.findings else ""),
        f"health      {summary.health or 'never looked at (`memoracle health`)'}",
    ]
    if found := about(session.memory.store.root):
        lines.append(f"resident    {described(found)}")
    for name, job in summary.jobs.items():
        if name != "health":
            last = job.last_success.strftime("%Y-%m-%d %H:%M") if job.last_success else "never"
            lines.append(f"{name:<11} last {last}, next {job.next_due:%Y-%m-%d %H:%M}")
    session.show(summary, "\n".join([*lines, *(f"note: {warning}" for warning in summary.warnings)]))
