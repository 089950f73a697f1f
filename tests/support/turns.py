"""Turns for tests of extraction: somebody says something at a known moment."""

from datetime import UTC, datetime

from memoracle.learn.claims import claims_of
from memoracle.learn.screen import fragments_of, screen
from memoracle.model.claim import SessionKind, Turn
from memoracle.model.record import Channel

SAID = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)
"""A Wednesday afternoon."""


def a_turn(
    text, *, channel=Channel.OWNER, kind=SessionKind.INTERACTIVE, speaker="user", said=SAID, project=None
):
    return Turn(
        session="s1", id="t1", speaker=speaker, role=channel, at=said, text=text, path="chat.jsonl", line=7,
        session_kind=kind, project=project,
    )  # fmt: skip


def fragments(text, **turn):
    return [screen(fragment) for fragment in fragments_of(a_turn(text, **turn))]


def claims(text, **turn):
    return [claim for fragment in fragments(text, **turn) for claim in claims_of(fragment)]


def told(text, **turn):
    """(subject, predicate, object) of everything a turn claims."""
    said = [claim.draft.statement for claim in claims(text, **turn)]
    return [(one.subject, one.predicate, one.object) for one in said]
