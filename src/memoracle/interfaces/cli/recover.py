"""`memoracle recover`: what to go on from after a reset, once what was interrupted is finished."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.context import NOTHING, add_pack
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_pack(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Finish, read, print."""
    found = session.memory.recover(
        " ".join(arguments.prompt), audience=arguments.audience, budget=arguments.budget
    )
    for step in found.steps:
        session.say(f"{step.act} {step.target}: {step.because}")
    for warning in found.context.warnings:
        session.say(f"note: {warning}")
    document = {**plain(found.context), "steps": plain(found.steps)}
    session.show(document, found.context.text or NOTHING)
    return 0
