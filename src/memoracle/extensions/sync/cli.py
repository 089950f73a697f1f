"""`memoracle sync`: exchange with other machines through git. Pushes only when asked."""

from __future__ import annotations

from argparse import Namespace

from memoracle.interfaces.cli.session import Parser, Session, add_consent
from memoracle.interfaces.render import finding_text
from memoracle.model.report import Exchanged


def add_to_sync(parser: Parser) -> None:
    parser.word("--remote", "NAME", "the other side (default: the branch's own, or origin)")
    parser.flag("--push", "also hand over what is here")
    parser.flag("--init", "make the memory a git repository first")
    add_consent(parser)


def run_sync(arguments: Namespace, session: Session) -> int:
    """Exchange, then say what went which way; 1 when the two sides did not converge."""
    if arguments.push and not arguments.dry_run:
        session.ask("sync hands this memory over to its remote", agreed=arguments.yes)
    done = session.memory.sync(
        remote=arguments.remote, push=arguments.push, init=arguments.init, dry_run=arguments.dry_run
    )
    session.say(*map(finding_text, done.findings))
    session.show(done, _sentence(done))
    return 0 if done.converged or done.dry_run else 1


def _sentence(done: Exchanged) -> str:
    steps = [f"  {step.act} {step.target}: {step.because}" for step in done.steps]
    if done.dry_run:
        return "\n".join(["sync: would do" if steps else "sync: nothing to do", *steps])
    where = f"{done.remote}/{done.branch}" if done.remote else ""
    rows = [f"committed {done.committed} files on {done.branch}"]
    rows += (
        [f"merged {done.merged} commits from {where}" if done.merged else f"nothing new from {where}"]
        if where
        else []
    )
    if done.pushed:
        rows.append(f"pushed to {where}")
    elif where and done.ahead:
        rows.append(f"{done.ahead} commits are only here; --push hands them over")
    elif not where:
        rows.append("there is no remote; `git remote add origin …` names one")
    return "\n".join([*rows, *steps])
