"""`memoracle inbox`: the questions that wait for their owner."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.inbox import Item, Matter
from memoracle.text import visible


def add_to(_parser: ArgumentParser) -> None:
    """Its arguments: none."""


def run(_arguments: Namespace, session: Session) -> int:
    """Print what is asked, why, and how to answer."""
    items = session.memory.inbox()
    text = "\n\n".join(map(question_text, items)) or "no question waits"
    session.show({"items": plain(items)}, text)
    return 0


_ASKS = {
    Matter.PROMOTION: "shall this be kept as {}?",
    Matter.CONFIRMATION: "is this yours, as your own {}?",
    Matter.WITHDRAWAL: "shall this be taken out of memory?",
}


def question_text(item: Item) -> str:
    """One question for a person: what is judged, whose word it is, where it came from, and what is proposed."""
    head = f"{item.id}  {item.matter.value}, since {item.since.date().isoformat()}"
    asks = visible(_ASKS.get(item.matter, "{}").format(item.proposal))
    rows = [f"    {asks}", f"    because {visible(item.because)}"]
    for one in item.sentences:
        whose = ", ".join(filter(None, (one.whose, one.at.date().isoformat(), one.where)))
        rows.append(f"    “{visible(one.text)}”\n        {visible(f'{whose}; {one.kind} {one.id}')}")
    rest = [one for one in item.about if one not in {said.id for said in item.sentences}]
    rows += [f"    about {', '.join(map(visible, rest))}"] if rest else []
    return "\n".join([head, *rows])
