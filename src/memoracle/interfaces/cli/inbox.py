"""`memoracle inbox`: the questions that wait for their owner."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.inbox import Item
from memoracle.text import visible


def add_to(_parser: ArgumentParser) -> None:
    """Its arguments: none."""


def run(_arguments: Namespace, session: Session) -> int:
    """Print what is asked, why, and how to answer."""
    items = session.memory.inbox()
    text = "\n\n".join(map(question_text, items)) or "no question waits"
    session.show({"items": plain(items)}, text)
    return 0


def question_text(item: Item) -> str:
    """One question for a person."""
    head = f"{item.id}  {item.matter.value}, since {item.since.date().isoformat()}"
    why = f"    because {visible(item.because)}"
    return f"{head}\n    {visible(item.proposal)}\n{why}\n    about {', '.join(map(visible, item.about))}"
