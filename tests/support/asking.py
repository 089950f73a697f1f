"""Fragments that wait, and a purse of one process."""

from memoracle.inference.http_client import Patience
from memoracle.inference.language import on_day, reserve, rest_of, settle
from memoracle.learn.ask_model import Case
from memoracle.model.claim import Fragment
from memoracle.model.inbox import Waiting
from memoracle.model.record import Channel
from memoracle.model.report import Ledger
from memoracle.model.search import EvidenceSource, Passage
from support.clock import START

QUICK = Patience(timeout_s=5.0, jitter=0.25, longest_pause_s=20.0, pays_once=True)


def a_fragment(text, place=0, *, channel=Channel.OWNER, **fields):
    return Fragment(
        ref=f"turn-{place}",
        ordinal=0,
        text=text,
        session="s1",
        who="user",
        channel=channel,
        at=START,
        where=f"chat.jsonl#L{place + 1}",
        **fields,
    )


def a_passage(text, ref="mem_1", **fields):
    return Passage(
        ref=ref, source=EvidenceSource.RECORD, text=text, path="", first_line=1, last_line=1, **fields
    )


def a_case(text, place=0, *, before="", known=(), kept=(), **fields):
    numbered = {f"r{at}": one for at, one in enumerate(known, start=1)}
    return Case(fragment=a_fragment(text, place, **fields), before=before, known=numbered, kept=kept)


def waiting(*texts, **fields):
    return [Waiting(fragment=a_fragment(text, n), since=START, **fields) for n, text in enumerate(texts)]


class InMemory:
    """A purse of one process, with the arithmetic of the real one."""

    def __init__(self, budget=100_000):
        self.budget = budget
        self.ledger = on_day(Ledger(), START.date())

    def rest(self):
        return rest_of(self.ledger, self.budget)

    def reserve(self, tokens):
        self.ledger, reservation = reserve(self.ledger, tokens, self.budget)
        return reservation

    def settle(self, reservation, *, spent, failed):
        self.ledger = settle(self.ledger, reservation, spent=spent, failed=failed)
