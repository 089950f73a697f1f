"""Values for tests: say what matters, get the rest for free."""

from datetime import timedelta
from itertools import count

from memoracle.learn.draft import make_draft
from memoracle.model.record import Change, Kind, Record, Statement
from memoracle.model.search import EvidenceSource, Passage
from support.clock import START

_NUMBERS = count(1)


def a_change(verb="remember", *, at=START, **fields):
    """Something that happened to a record."""
    return Change(at=at, verb=verb, operation=fields.pop("operation", f"op_{next(_NUMBERS)}"), **fields)


def a_record(text="the cat is called Miso", *, at=START, **fields):
    """A first version of a record."""
    fields.setdefault("id", f"mem_{next(_NUMBERS):026}")
    fields.setdefault("version", 1)
    fields.setdefault("kind", Kind.FACT)
    fields.setdefault("change", a_change(at=at))
    fields.setdefault("created", at)
    return Record(statement=Statement(text=text), **fields)


def a_draft(text="the cat is called Miso", **fields):
    """A wish to keep something."""
    return make_draft(text, **fields).draft


def a_passage(text="the cat is called Miso", **fields):
    """A piece of truth that a view can hand back."""
    fields.setdefault("ref", f"mem_{next(_NUMBERS):026}")
    fields.setdefault("source", EvidenceSource.RECORD)
    fields.setdefault("kind", "fact")
    fields.setdefault("path", "records/facts.jsonl")
    fields.setdefault("first_line", 1)
    fields.setdefault("last_line", 1)
    return Passage(text=text, **fields)


def days(number):
    """So many days."""
    return timedelta(days=number)
