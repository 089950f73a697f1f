"""Words and flags become a `Draft`, or an error that says why not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from typing import Any, TypedDict, TypeVar, Unpack

from memoracle.errors import CannotChange, InvalidDraft
from memoracle.model.ids import content_key, idempotency_key
from memoracle.model.inbox import InboxItem, Matter
from memoracle.model.record import (
    EVERYBODY,
    SCOPES,
    TRUST,
    Anchor,
    Change,
    Channel,
    Draft,
    Kind,
    Origin,
    Record,
    Scope,
    Sensitivity,
    Statement,
    Status,
    Validity,
    Weight,
    content_key_of,
)
from memoracle.model.value import replace, value
from memoracle.text import shorten, visible

# A draft beside what is already known: new, the same, or back from the archive.

Finder = Callable[[str], Record | None]


def keys_of(draft: Draft) -> tuple[str, ...]:
    """The keys under which the same wish would be recognised."""
    content = content_key_of(draft.kind, draft.statement, draft.scope)
    return (content, idempotency_key(draft.idempotency)) if draft.idempotency else (content,)


def already_kept(keys: Sequence[str], find: Finder, now: datetime) -> Record | None:
    """The record with the keys of a draft that still holds. A retry finds it whatever became of it."""
    content, *retry = keys
    for key in retry:
        if record := find(key):
            return record
    record = find(content)
    if record is None or record.status not in {Status.ACTIVE, Status.ARCHIVED}:
        return None
    is_over = any(end is not None and end <= now for end in (record.validity.until, record.validity.expires))
    return None if is_over else record


def is_news(held: Record, draft: Draft) -> bool:
    """True when the owner keeps by hand what memory had only heard, or had from somebody else.

    It is the same record, but it must not hang on the hearing alone: that may be forgotten one day.
    """
    origin = draft.origin
    by_hand = origin.channel is Channel.OWNER and not (origin.session or origin.where)
    heard = held.origin.channel is not Channel.OWNER or bool(held.origin.session or held.origin.where)
    is_retry = bool(draft.idempotency) and idempotency_key(draft.idempotency) in held.keys
    return by_hand and heard and not is_retry


def admit(draft: Draft, *, record_id: str, change: Change, keys: tuple[str, ...] = ()) -> Record:
    """The first version of a new record."""
    return Record(
        id=record_id,
        version=1,
        kind=draft.kind,
        statement=draft.statement,
        change=change,
        created=change.at,
        pinned=draft.pinned,
        entities=draft.entities,
        tags=draft.tags,
        weight=replace(draft.weight, anchor=draft.weight.anchor or Anchor(value=1.0, at=change.at)),
        origin=draft.origin,
        scope=draft.scope,
        validity=draft.validity,
        sensitivity=draft.sensitivity,
        sources=draft.sources,
        keys=keys or keys_of(draft),
    )


# What is set apart: a record that nothing finds and nothing shows until its owner has decided. Pure.

MOST_QUARANTINED = 50
"""How many things of one session may wait; what comes after them is counted and not kept."""
QUARANTINE_FULL = "quarantine-full"
_SAYS = "quarantined: "
_SHOWN = 300


def quarantine(draft: Draft, rules: Sequence[str], *, record_id: str, change: Change) -> Record:
    """The first version of a record that waits."""
    because = _SAYS + ", ".join(rules)
    record = admit(draft, record_id=record_id, change=replace(change, because=because))
    return replace(record, status=Status.QUARANTINED, pinned=False)


def already_quarantined(draft: Draft, find: Finder, now: datetime) -> Record | None:
    """The record that says this already: one that its owner accepted, or one that waits."""
    if held := already_kept(keys_of(draft), find, now):
        return held
    waits = find(keys_of(draft)[0])
    return waits if waits is not None and waits.status is Status.QUARANTINED else None


def question_id(matter: Matter, about: Sequence[str]) -> str:
    """What names a question: the same question has the same id, so it is asked once, whatever the answer was."""
    return f"ask_{content_key(matter.value, *about).removeprefix('c_')[:12]}"


def question(
    matter: Matter,
    about: tuple[str, ...],
    proposal: str,
    because: str,
    since: datetime,
    named_by: Sequence[str] = (),
) -> InboxItem:
    """A question to the owner; `named_by` gives its id where that is not what it is about."""
    name = question_id(matter, named_by or about)
    return InboxItem(id=name, matter=matter, about=about, proposal=proposal, because=because, since=since)


def question_about(record: Record) -> InboxItem:
    """What the owner is asked about it: the words with hidden characters spelled out, and the rules."""
    proposal = f"keep “{shorten(visible(record.text), _SHOWN)}”"
    because = f"{record.change.because.removeprefix(_SAYS)} ({record.origin.channel.value})"
    return question(Matter.QUARANTINE, (record.id,), proposal, because, record.created)


def next_version(record: Record, change: Change, **fields: Any) -> Record:
    """The record after a change."""
    return replace(record, version=record.version + 1, change=change, **fields)


def release(record: Record, change: Change) -> Record:
    """The record in use, as its owner decided."""
    if record.status is not Status.QUARANTINED:
        raise CannotChange(record.id, "accept", "it does not wait in quarantine")
    weight = replace(record.weight, anchor=Anchor(value=1.0, at=change.at))
    return next_version(record, change, status=Status.ACTIVE, weight=weight)


class Room:
    """The room that is left in quarantine for what one act brings: no flood fills a memory.

    `count` says how many wait of a session, or, where that is empty, of a channel.
    """

    def __init__(self, wishes: Iterable[Drafted], count: Callable[[str, str], int]) -> None:
        names = {_name(one.draft) for one in wishes if one.is_apart}
        self._left = {name: MOST_QUARANTINED - count(*name) for name in names}

    def set_apart(
        self, wish: Drafted, find: Finder, *, record_id: str, change: Change
    ) -> tuple[Record | None, bool]:
        """The record that waits, and whether it is new; None when there is no room for it."""
        if held := already_quarantined(wish.draft, find, change.at):
            return held, False
        name = _name(wish.draft)
        if self._left.get(name, 0) <= 0:
            return None, False
        self._left[name] -= 1
        return quarantine(wish.draft, wish.rules, record_id=record_id, change=change), True


def _name(draft: Draft) -> tuple[str, str]:
    session = draft.origin.session
    return (session, "") if session else ("", draft.origin.channel.value)


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

    @property
    def is_apart(self) -> bool:
        """True for what the guard sets apart."""
        return self.outcome == "quarantined"


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


def make_draft(text: str, **fields: Unpack[Fields]) -> Drafted:
    """A draft of these words; numbers outside 0 to 1 are brought inside and mentioned.

    Without a kind and an importance, the owner's words about health, safety and identity matter most by themselves.
    """
    given: Mapping[str, Any] = fields
    if unknown := fields.keys() - Fields.__annotations__.keys():
        raise TypeError(f"make_draft() got an unexpected keyword argument '{min(unknown)}'")
    warnings: list[str] = []
    kind, importance = given.get("kind"), given.get("importance")
    triple = [given.get(name, "") for name in ("subject", "predicate", "object")]
    if kind is None and importance is None and given.get("channel", Channel.OWNER) == Channel.OWNER:
        kind, importance = _by_wording(text, *triple)

    def words(*names: str) -> dict[str, Any]:
        return {name: _word(name, given.get(name, "")) for name in names}

    def share(name: str, given_number: float | None, default: float) -> float:
        number = default if given_number is None else given_number
        if not isinstance(number, int | float) or isinstance(number, bool) or math.isnan(number):
            raise InvalidDraft(f"{name} has to be a number from 0 to 1")
        inside = min(1.0, max(0.0, float(number)))
        if inside != number:
            warnings.append(f"{name} {number:g} lies outside 0 to 1; {inside:g} was kept")
        return inside

    chosen = _one_of(Kind, "type", "fact" if kind is None else kind)
    statement = Statement(
        text=check_text(text or _said(*triple) or _said(given.get("key", ""), given.get("value", ""))),
        **words("subject", "predicate", "object", "key", "value"),
    )
    channel = _one_of(Channel, "channel", given.get("channel", "owner"))
    draft = Draft(
        statement=statement,
        kind=chosen,
        entities=_words("entities", given.get("entities", ())),
        tags=_words("tags", given.get("tags", ())),
        weight=Weight(
            importance=share("importance", importance, 0.5),
            confidence=share("confidence", given.get("confidence"), 0.6 if chosen is Kind.BELIEF else 1.0),
        ),
        origin=Origin(
            channel=channel,
            **words("who", "where", "session"),
            observed=given.get("observed"),
            trust=TRUST[channel],
        ),
        scope=Scope(**scope) if any((scope := words(*SCOPES)).values()) else EVERYBODY,
        validity=Validity(since=given.get("since"), until=given.get("until"), expires=given.get("expires")),
        sensitivity=_one_of(Sensitivity, "sensitivity", given.get("sensitivity", "private")),
        pinned=_yes_or_no("pinned", given.get("pinned", False)),
        sources=_words("sources", given.get("sources", ())),
        idempotency=_word("idempotency key", given.get("idempotency", "")),
    )
    return Drafted(draft=draft, warnings=tuple(warnings))


_OWNERS_WORD = frozenset({Kind.PREFERENCE, Kind.RULE, Kind.IDENTITY, Kind.HEALTH, Kind.SAFETY})
_PUT_TO_OWNER = "kept as an agent's note; the owner is asked whether it is theirs"


def put_to_owner(drafted: Drafted, asked: Draft) -> Drafted:
    """What an agent wants to keep, with the question it gives rise to: `asked` is the draft as the agent put it."""
    if drafted.proposes or asked.origin.channel is not Channel.AGENT or drafted.is_apart:
        return drafted
    kind: Kind | None = asked.kind if asked.kind in _OWNERS_WORD else None
    if asked.kind is Kind.FACT:
        from memoracle.model.predicates import owners_kind

        kind = owners_kind(asked.statement.text)
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
    with suppress(UnicodeEncodeError):
        if b"\0" not in text.encode("utf-8"):
            return text
    raise InvalidDraft("the text holds characters that no file can keep (surrogates or NUL)")


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


def _one_of(family: type[_Member], what: str, name: str) -> _Member:
    try:
        return family(name)
    except ValueError:
        known = ", ".join(str(member) for member in family)
        raise InvalidDraft(f"`{name}` is not a {what}", f"one of: {known}") from None


def _said(*parts: str) -> str:
    return " ".join(part for part in parts if part) if all(parts) else ""
