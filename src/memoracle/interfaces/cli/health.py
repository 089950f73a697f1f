"""`memoracle health`: how this memory is, in numbers and checks, and what helps."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from memoracle.health.checks import Check, Grade
from memoracle.health.report import Health, document_of
from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.text import shorten

_MARKS = {Grade.PASS: "ok", Grade.SKIPPED: "–", Grade.WARNING: "warning", Grade.CRITICAL: "CRITICAL"}
_SHOWN = 5


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--fix", action="store_true", help="mend what can be mended safely, and say what was done"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="with --fix: print the plan and change nothing"
    )
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("--verbose", action="store_true", help="every check, also those that passed")


def run(arguments: Namespace, session: Session) -> int:
    """Print how it is; the exit status is 1 when something is critical."""
    if arguments.dry_run:
        session.show_plan(session.memory.plan_health(), done=False)
        return DONE
    health = session.memory.health(fix=arguments.fix)
    document = document_of(health)
    if health.mended is not None:
        document |= {"mended": plain(health.mended.steps), "not_mended": plain(health.mended.findings)}
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
    yield f"notes       {measured.daily_files_count} of days; {measured.session_files_count} conversations"
    size, vectors = measured.disk_usage_bytes / 1e6, measured.embedding_index_size_bytes / 1e6
    full = f"the disk is {measured.disk_usage_percent:.0f} % full"
    yield f"on disk     {size:.1f} MB, of them {vectors:.1f} MB vectors; {full}"
    yield f"upkeep      {_upkeep(health)}"
    told = [check for check in health.checks if verbose or not check.ok]
    if told:
        yield ""
    for check in told:
        yield from _check_lines(check)
    passed = sum(check.ok for check in health.checks)
    yield ""
    yield f"{passed} of {len(health.checks)} checks passed"


def _upkeep(health: Health) -> str:
    measured = health.measures
    if measured.last_consolidation is None:
        return "never consolidated"
    when = measured.last_consolidation.astimezone().strftime("%Y-%m-%d %H:%M")
    return f"consolidated {when} in {measured.consolidation_duration_seconds:.1f} s"


def _check_lines(check: Check) -> Iterator[str]:
    yield f"{_MARKS[check.grade]:<9} {check.id:<19} {shorten(check.says, 160)}"
    if check.hint and not check.ok:
        yield f"          hint: {check.hint}"
    for finding in check.findings[1:_SHOWN]:
        yield f"          {finding.place}: {finding.message}"
    if len(check.findings) > _SHOWN:
        yield f"          … and {len(check.findings) - _SHOWN} more"
