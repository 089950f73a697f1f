"""Two memories that live through the same days, of which one hears something that the other never hears."""

import json
import re
from datetime import timedelta

from memoracle.compose import init, open_memory
from memoracle.model.record import Status
from memoracle.model.value import replace
from memoracle.store.inbox import read_inbox
from support.clock import FrozenClock
from support.files import PLAIN
from support.stores import standing

SURROUNDINGS = PLAIN | {"TZ": "UTC"}
CITED = re.compile(r"`[0-9A-Z]{8,}`|\bmem_\w+|Updated: [^|]*|\[[01]\.\d\d\]")
"""Names of records, when a page was written last, and how alive things were at that moment."""


class World:
    """A root, its conversations beside it, and a clock."""

    def __init__(self, place, *, begin=None):
        self.root, self.chats = place / "memory", place / "chats"
        self.chats.mkdir(parents=True)
        init(str(self.root), environment={})
        self.clock = FrozenClock(*([begin] if begin else []))

    def open(self):
        return open_memory(str(self.root), environment=SURROUNDINGS, clock=self.clock)

    def say(self, session, *turns, role="user"):
        """Add turns to a conversation, a minute apart."""
        with (self.chats / f"{session}.jsonl").open("a", encoding="utf-8") as file:
            for text in turns:
                at = self.clock.move(minutes=1).isoformat().replace("+00:00", "Z")
                line = {"role": role, "content": text, "timestamp": at, "session": session}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def hush(self, number):
        """Let the time pass that somebody else spends talking."""
        self.clock.move(minutes=number)

    def night(self):
        """The next morning at three."""
        now = self.clock.now
        self.clock.now = (now + timedelta(days=1)).replace(hour=3, minute=0)
        with self.open() as memory:
            memory.ingest(str(self.chats), embed=False)
            memory.consolidate(force=True)


def known(memory):
    """Every standing record that is not erased, apart from its number and the line it stands on."""
    return {
        record_id: replace(
            record, version=0, change=replace(record.change, operation="", writer="", sequence=0), extra={}
        )
        for record_id, record in standing(memory.store).items()
        if record.status is not Status.FORGOTTEN
    }


def without_ids(memory):
    """The same where ids may differ: what each record says and how it stands, names of others left out."""
    every = known(memory)
    names = {one: f"{record.kind} {record.text}" for one, record in every.items()}
    return sorted(
        repr(
            replace(
                record,
                id="",
                # Some ids are drawn by lot, and with them what a repetition is recognised by.
                keys=tuple(one for one in record.keys if one.startswith("c_")),
                sources=tuple(sorted(names.get(one, one) for one in record.sources)),
                validity=replace(
                    record.validity,
                    supersedes=tuple(sorted(names.get(one, one) for one in record.validity.supersedes)),
                    superseded_by=names.get(record.validity.superseded_by, record.validity.superseded_by),
                ),
            )
        )
        for record in every.values()
    )


def past(memory):
    """How every record came to be what it is: its versions, apart from their numbers and ids."""
    every = known(memory)
    names = {one: f"{record.kind} {record.text}" for one, record in every.items()}

    def plain(text):
        for one, name in names.items():
            text = text.replace(one, name)
        return text

    return sorted(
        [
            (one.change.at, one.change.verb, plain(one.change.because), one.status, repr(one.weight))
            for one in memory.store.journal.versions(record_id)
        ]
        for record_id in every
    )


def pages(world, memory):
    """What people read, word by word; citations of records left out, for some ids are drawn by lot."""
    return {
        str(path.relative_to(world.root)): CITED.sub("", path.read_text(encoding="utf-8"))
        for path in sorted(world.root.rglob("*.md"))
        if "quarantine" not in path.parts
    }


def questions(memory):
    return sorted(
        (one.item.matter, one.item.proposal, one.answer) for one in read_inbox(memory.store).entries
    )


def waiting(memory):
    return [one.fragment.text for one in memory.pending().waiting]


def answers(memory, *asked):
    return [
        sorted(
            (hit.passage.text, hit.passage.cite.partition("#")[0], round(hit.score, 6))
            for hit in (*found.hits, *found.near)
        )
        for found in (
            memory.search(question, recipe=one) for question in asked for one in ("quick", "balanced")
        )
    ]


def everything(world, *, asked=()):
    """All of it, in a form in which two worlds can be compared."""
    with world.open() as memory:
        memory.consolidate(phase="hot")
        memory.consolidate(phase="digest")
        told = {
            "records": without_ids(memory),
            "past": past(memory),
            "questions": questions(memory),
            "waiting": waiting(memory),
            "answers": answers(memory, *asked),
            "snapshot": CITED.sub("", memory.snapshot().text),
            "pages": pages(world, memory),
        }
        found = memory.check()
        assert found.ok, found.findings
    return told
