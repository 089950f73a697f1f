"""Values as plain JSON and back."""

import json

import pytest

from memoracle.learn.unit_of_work import Work
from memoracle.model.claim import Claim, Fragment, Ruling, Stance
from memoracle.model.record import Channel
from memoracle.model.value import from_plain, to_plain
from support.build import a_draft
from support.clock import START

FRAGMENT = Fragment(
    ref="turn-1", ordinal=0, text="我对花生过敏", session="", who="", channel=Channel.OWNER, at=START,
    where="/chats/one.jsonl#L4", ruling=Ruling.KEEP,
)  # fmt: skip
WORKS = (
    Work(operation="op_1", started=START),
    Work(
        operation="op_2",
        started=START,
        fragments=(FRAGMENT,),
        claims=(Claim(draft=a_draft("I like tea", kind="preference", importance=0.0), stance=Stance.DENY),),
        planned=('{"schema":1}',),
        watermarks={"/chats/one.jsonl": {"offset": 7, "ends": ["a"]}},
        is_all=False,
    ),
)


@pytest.mark.parametrize("work", WORKS, ids=["empty", "full"])
def test_a_value_comes_back_as_it_was(work):
    """Through JSON: nested values, enums, moments, tuples, empty texts and zeros."""
    assert from_plain(Work, json.loads(json.dumps(to_plain(work)))) == work


@pytest.mark.parametrize(
    "held", [{}, {"operation": "x"}, {"operation": 1, "started": "soon"}, {"unknown": 1}]
)
def test_what_is_no_such_value_is_an_error(held):
    """So that a checkpoint of another version is noticed."""
    from memoracle.errors import InvalidTime

    with pytest.raises((TypeError, ValueError, LookupError, InvalidTime)):
        from_plain(Work, held)
