"""The claim of a record that somebody typed: it gives their words a slot, so that later ones can meet it."""

from __future__ import annotations

from datetime import datetime, tzinfo

from memoracle.extract.claims import claims_of
from memoracle.extract.pattern import compiled
from memoracle.model.claim import Claim
from memoracle.model.fragment import Fragment
from memoracle.model.origin import Channel
from memoracle.model.predicates import OWNER
from memoracle.model.value import replace

_LONGEST = 600
# Agents write of their owner in the third person. “My wife's” words have first and third person side by
# side in every pattern, so a stand-in takes the owner's place there, and gives it back afterwards.
_OWNER_NAMED = r"(?:the )?user(?='s\b| )|(?:该)?用户"
_NOBODY_NAMED = (
    r"(?:lives|moved|works|likes|loves|prefers|hates|dislikes|studies|owns|speaks|drives|is|was|has) \S"
)
_STAND_IN = "My buddy"
_STAND_IN_SUBJECT = "buddy"


def read_statement(text: str, said: datetime, zone: tzinfo) -> Claim | None:
    """What a typed sentence claims, or None when no pattern fits. That it should be kept is already known."""
    if len(text) > _LONGEST:
        return None
    return _read(text, said, zone) or _of_the_owner(text, said, zone)


def _read(text: str, said: datetime, zone: tzinfo) -> Claim | None:
    fragment = Fragment(
        ref="typed", ordinal=0, text=text, session="", who="", channel=Channel.OWNER, at=said, where=""
    )
    return next((claim for claim in claims_of(fragment, zone=zone) if claim.because != "noted"), None)


def _of_the_owner(text: str, said: datetime, zone: tzinfo) -> Claim | None:
    for wording in _in_their_own_words(text.strip()):
        claim = _read(wording, said, zone)
        if claim is None:
            continue
        draft, statement = claim.draft, claim.draft.statement
        subject = OWNER if statement.subject in {_STAND_IN_SUBJECT, OWNER} else statement.subject
        entities = tuple(name for name in draft.entities if name != _STAND_IN_SUBJECT)
        return replace(
            claim,
            draft=replace(draft, statement=replace(statement, text=text, subject=subject), entities=entities),
        )
    return None


def _in_their_own_words(text: str) -> tuple[str, ...]:
    if compiled(_NOBODY_NAMED).match(text):
        return f"{_STAND_IN} {text}", f"I {text}"
    named = compiled(_OWNER_NAMED).match(text)
    if named is None:
        return ()
    rest = text[named.end() :]
    if named[0].endswith("用户"):
        return (f"我{rest}",)
    return (f"My{rest[2:]}",) if rest.startswith("'s") else (f"{_STAND_IN}{rest}", f"I{rest}")
