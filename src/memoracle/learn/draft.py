"""Words and flags become a `Draft`, or an error that says why not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import TypedDict, TypeVar

from memoracle.errors import InvalidDraft
from memoracle.model.record import (
    TRUST,
    Channel,
    Draft,
    Kind,
    Origin,
    Scope,
    Sensitivity,
    Statement,
    Validity,
    Weight,
)
from memoracle.model.value import replace, value

_Member = TypeVar("_Member", bound=StrEnum)

LONGEST_TEXT = 100_000
LONGEST_WORD = 500
MOST_WORDS = 200


@value
class Drafted:
    """A draft, and what had to be adjusted to make it one."""

    draft: Draft
    warnings: tuple[str, ...] = ()
    outcome: str = "accepted"
    """How it left the guard, if it has been there."""
    rules: tuple[str, ...] = ()
    told: frozenset[str] = frozenset()
    """The records that whoever wants to keep it was shown: repeating one of them confirms nothing."""
    proposes: str = ""
    """The kind it would have as the owner's own word, where the owner is to be asked about it."""


class Fields(TypedDict, total=False):
    """What may be said of a memory beside its words: the keywords of `make_draft`."""

    kind: str | None
    importance: float | None
    confidence: float | None
    entities: Sequence[str]
    tags: Sequence[str]
    subject: str
    predicate: str
    object: str
    key: str
    value: str
    channel: str
    who: str
    where: str
    session: str
    observed: datetime | None
    user: str
    agent: str
    project: str
    seat: str
    since: datetime | None
    until: datetime | None
    expires: datetime | None
    sensitivity: str
    pinned: bool
    sources: Sequence[str]
    idempotency: str


def make_draft(
    text: str,
    *,
    kind: str | None = None,
    importance: float | None = None,
    confidence: float | None = None,
    entities: Sequence[str] = (),
    tags: Sequence[str] = (),
    subject: str = "",
    predicate: str = "",
    object: str = "",  # noqa: A002 - the grammar's own word
    key: str = "",
    value: str = "",
    channel: str = "owner",
    who: str = "",
    where: str = "",
    session: str = "",
    observed: datetime | None = None,
    user: str = "",
    agent: str = "",
    project: str = "",
    seat: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    expires: datetime | None = None,
    sensitivity: str = "private",
    pinned: bool = False,
    sources: Sequence[str] = (),
    idempotency: str = "",
) -> Drafted:
    """A draft of these words; numbers outside 0 to 1 are brought inside and mentioned.

    Without a kind and an importance, the owner's words about health, safety and identity matter most by themselves.
    """
    warnings: list[str] = []
    if kind is None and importance is None and channel == Channel.OWNER:
        kind, importance = _by_wording(text, subject, predicate, object)
    chosen = _one_of(Kind, "type", "fact" if kind is None else kind)
    statement = Statement(
        text=check_text(text or _said(subject, predicate, object) or _said(key, value)),
        subject=_word("subject", subject),
        predicate=_word("predicate", predicate),
        object=_word("object", object),
        key=_word("key", key),
        value=_word("value", value),
    )
    default_confidence = 0.6 if chosen is Kind.BELIEF else 1.0
    source_channel = _one_of(Channel, "channel", channel)
    draft = Draft(
        statement=statement,
        kind=chosen,
        entities=_words("entities", entities),
        tags=_words("tags", tags),
        weight=Weight(
            importance=_share("importance", 0.5 if importance is None else importance, warnings),
            confidence=_share(
                "confidence", default_confidence if confidence is None else confidence, warnings
            ),
        ),
        origin=Origin(
            channel=source_channel,
            who=_word("who", who),
            where=_word("where", where),
            session=_word("session", session),
            observed=observed,
            trust=TRUST[source_channel],
        ),
        scope=Scope(
            user=_word("user", user),
            agent=_word("agent", agent),
            project=_word("project", project),
            seat=_word("seat", seat),
        ),
        validity=Validity(since=since, until=until, expires=expires),
        sensitivity=_one_of(Sensitivity, "sensitivity", sensitivity),
        pinned=_yes_or_no("pinned", pinned),
        sources=_words("sources", sources),
        idempotency=_word("idempotency key", idempotency),
    )
    return Drafted(draft=draft, warnings=tuple(warnings))


_OWNERS_WORD = frozenset({Kind.PREFERENCE, Kind.RULE, Kind.IDENTITY, Kind.HEALTH, Kind.SAFETY})
_PUT_TO_OWNER = "kept as an agent's note; the owner is asked whether it is theirs"


def put_to_owner(drafted: Drafted, asked: Draft) -> Drafted:
    """What an agent wants to keep, with the question it gives rise to: `asked` is the draft as the agent put it."""
    if drafted.proposes or asked.origin.channel is not Channel.AGENT or drafted.outcome == "quarantined":
        return drafted
    if asked.kind in _OWNERS_WORD:
        kind: Kind | None = asked.kind
    elif asked.kind is Kind.FACT:
        from memoracle.model.predicates import owners_kind

        kind = owners_kind(asked.statement.text)
    else:
        kind = None
    if kind is None:
        return drafted
    return replace(drafted, proposes=kind.value, warnings=(*drafted.warnings, _PUT_TO_OWNER))


def _by_wording(*said: str) -> tuple[str | None, float | None]:
    """What the words make of it: the sentence, or the triple that stands for one."""
    from memoracle.model.predicates import vital_kind, vital_triple

    if not all(isinstance(part, str) for part in said):
        return None, None
    text, *triple = said
    vital = vital_kind(text) or (vital_triple(*triple) if all(triple) else None)
    return (None, None) if vital is None else (vital.value, 1.0)


def check_text(text: str) -> str:
    """The text itself when it can be kept."""
    if not text.strip():
        raise InvalidDraft("there is nothing to remember", "give some text")
    if len(text) > LONGEST_TEXT:
        raise InvalidDraft(
            f"the text has {len(text):,} characters; a record holds up to {LONGEST_TEXT:,}",
            "keep long texts as notes and remember what matters in them",
        )
    if "\0" in text or not _is_encodable(text):
        raise InvalidDraft("the text holds characters that no file can keep (surrogates or NUL)")
    return text


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _word(what: str, text: str, *, may_be_blank: bool = False) -> str:
    if not isinstance(text, str):
        raise InvalidDraft(f"{what} has to be text")
    if len(text) > LONGEST_WORD:
        raise InvalidDraft(f"{what} has {len(text):,} characters; the limit is {LONGEST_WORD}")
    if may_be_blank and not text.strip():
        return ""
    return check_text(text).strip() if text else ""


def _words(what: str, values: Sequence[str]) -> tuple[str, ...]:
    if len(values) > MOST_WORDS:
        raise InvalidDraft(f"{len(values):,} {what} are too many; the limit is {MOST_WORDS}")
    return tuple(dict.fromkeys(word for value in values if (word := _word(what, value, may_be_blank=True))))


def _yes_or_no(what: str, answer: bool) -> bool:
    if not isinstance(answer, bool):
        raise InvalidDraft(f"{what} has to be true or false")
    return answer


def _share(what: str, number: float, warnings: list[str]) -> float:
    if not isinstance(number, int | float) or isinstance(number, bool) or math.isnan(number):
        raise InvalidDraft(f"{what} has to be a number from 0 to 1")
    inside = min(1.0, max(0.0, float(number)))
    if inside != number:
        warnings.append(f"{what} {number:g} lies outside 0 to 1; {inside:g} was kept")
    return inside


def _one_of(family: type[_Member], what: str, name: str) -> _Member:
    try:
        return family(name)
    except ValueError:
        known = ", ".join(str(member) for member in family)
        raise InvalidDraft(f"`{name}` is not a {what}", f"one of: {known}") from None


def _said(*parts: str) -> str:
    return " ".join(part for part in parts if part) if all(parts) else ""
