"""What speaks for a record: when it was said, when last, in which sessions, and what speaks against it.

A record's `sources` grow with each confirmation: `session:…` for a session that said it again, `against:…`
for one that contradicted it. A session counts once, so hearing it again changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from memoracle.model.claim import Claim, Stance
from memoracle.model.ids import content_key
from memoracle.model.predicates import NO_LONGER, Predicate, predicate_named
from memoracle.model.record import (
    Channel,
    Draft,
    Kind,
    Origin,
    Record,
    Status,
    Weight,
    content_key_of,
    is_foreign,
)
from memoracle.model.value import replace, value
from memoracle.text import identifiers, normalise, telling_terms, terms
from memoracle.times import write_time

FOR = "session:"
AGAINST = "against:"
SAVED = "saved:"
"""Before the name of a server's run in which an agent saved it."""
OWNER_SAID_NO = f"{AGAINST}owner"
"""The owner was asked and turned it down."""

MOST_SESSIONS = 24
"""More than these are not counted: nothing depends on a larger number."""


def object_of(record: Record) -> str:
    """What a record says of its subject."""
    return record.statement.object or record.statement.value


def rekeyed(record: Record) -> Record:
    """The record under the key of what it says now; the other keys stay."""
    content = content_key_of(record.kind, record.statement, record.scope)
    return replace(record, keys=(content, *(key for key in record.keys if not key.startswith("c_"))))


def said_at(record: Record) -> datetime:
    """When it was said first."""
    return record.origin.observed or record.created


def last_heard(record: Record) -> datetime:
    """When it was said last."""
    first = said_at(record)
    return max(first, record.validity.confirmed) if record.validity.confirmed else first


def session_of(origin: Origin, at: datetime) -> str:
    """What makes one hearing independent of another: the session, or the day when there was none."""
    return origin.session or f"day {at.date().isoformat()}"


def sessions_for(record: Record) -> frozenset[str]:
    """The sessions in which it was said, the first one included."""
    return _listed(record, FOR) | {session_of(record.origin, said_at(record))}


def confirmations(record: Record) -> int:
    """How many sessions said it again after the first."""
    return len(sessions_for(record)) - 1


def with_source(record: Record, *sources: str) -> Record:
    """The record with more to cite."""
    return replace(record, sources=tuple(dict.fromkeys([*record.sources, *sources])))


def is_second_word(held: Record, draft: Draft, *, told: Collection[str] = ()) -> bool:
    """True when another agent's session saves what one noted before, without having been told it.

    What counts as a session is the run of a server, which no call can name: saving twice in one of them is one word.
    """
    if held.origin.channel is not Channel.AGENT or draft.origin.channel is not Channel.AGENT:
        return False
    if held.origin.confirmed_by or held.id in told:
        return False
    before, now = _listed(held, SAVED), {one for one in draft.sources if one.startswith(SAVED)}
    return bool(before and now) and before.isdisjoint(one.removeprefix(SAVED) for one in now)


def vouched_for(record: Record, draft: Draft) -> Record:
    """The record as said by somebody else too, who is trusted more; that it was said before stays known.

    From then on it stands in their words: nobody else's wording is lifted by a trust that is not its own.
    """
    first = said_at(record)
    counted = with_source(record, FOR + session_of(record.origin, first))
    vouched = replace(counted, origin=replace(draft.origin, observed=first))
    if record.origin.channel is draft.origin.channel:
        return vouched
    said = replace(
        draft.statement,
        predicate=record.statement.predicate,
        object=draft.statement.object or record.statement.object,
    )
    kind = record.kind if record.kind is Kind.BELIEF or draft.kind is Kind.BELIEF else draft.kind
    return rekeyed(replace(vouched, kind=kind, statement=said, entities=draft.entities, tags=draft.tags))


def _listed(record: Record, side: str) -> frozenset[str]:
    return frozenset(one.removeprefix(side) for one in record.sources if one.startswith(side))


# What memory holds without being sure: beliefs gain and lose confidence, become facts, or are put away.

GAIN = 0.15
LOSS = 0.25
PROMOTED_FROM = 0.85
CONFIRMATIONS = 2
RETIRED_BELOW = 0.2
ASIDE = 0.5
"""How sure memory is of a remark that it did not let replace something firmer."""


def confirm_belief(record: Record, session: str) -> Record:
    """The belief after a session said it again; the same one when that session was counted."""
    if session in sessions_for(record):
        return record
    surer = _with_confidence(with_source(record, FOR + session), record.weight.confidence + GAIN)
    is_back = surer.status is Status.ARCHIVED and surer.weight.confidence >= RETIRED_BELOW
    return replace(surer, status=Status.ACTIVE) if is_back else surer


def contradict_belief(record: Record, session: str) -> Record:
    """The belief after a session contradicted it; archived when hardly anything is left."""
    if session in _listed(record, AGAINST):
        return record
    weaker = _with_confidence(with_source(record, AGAINST + session), record.weight.confidence - LOSS)
    is_spent = weaker.status is Status.ACTIVE and weaker.weight.confidence < RETIRED_BELOW
    return replace(weaker, status=Status.ARCHIVED) if is_spent else weaker


def may_be_promoted(record: Record) -> bool:
    """True when enough independent sessions have made a belief sure."""
    return record.weight.confidence >= PROMOTED_FROM and confirmations(record) >= CONFIRMATIONS


def promote(record: Record, *, confidence: float | None = None) -> Record:
    """The belief as what its predicate says; somebody's own words become a fact."""
    sure = record.weight.confidence if confidence is None else confidence
    return _with_confidence(rekeyed(replace(record, kind=kind_of(record), status=Status.ACTIVE)), sure)


def kind_of(record: Record) -> Kind:
    """What a record is once memory is sure of it: no more than its channel may say."""
    from memoracle.guard.guard import may_become

    known = predicate_named(record.statement.predicate)
    return known.kind if known and may_become(record.origin.channel, known.kind) else Kind.FACT


def _with_confidence(record: Record, confidence: float) -> Record:
    inside = round(min(1.0, max(0.0, confidence)), 6)
    return replace(record, weight=replace(record.weight, confidence=inside))


# A claim as it is compared with what is known: its slot, its rule, when it was said and since when it holds.


@value
class SpokenEvidence:
    """One claim. `name` is what a repetition of this very claim is recognised by."""

    claim: Claim
    subject: str
    predicate: str
    object: str
    rule: Predicate | None
    is_single: bool
    at: datetime
    since: datetime
    session: str
    name: str

    @property
    def draft(self) -> Draft:
        """What it wants kept."""
        return self.claim.draft

    @property
    def trust(self) -> float:
        """How far whoever said it is trusted."""
        return self.draft.origin.trust

    @property
    def is_hedged(self) -> bool:
        """True for “probably”, “I think”: something that is not meant to be sure."""
        return self.draft.kind is Kind.BELIEF

    @property
    def is_explicit(self) -> bool:
        """True when the owner plainly says it."""
        return self.draft.origin.channel is Channel.OWNER and not self.is_hedged

    @property
    def corrects(self) -> bool:
        """True when it means to replace what was said before."""
        return self.claim.stance is Stance.CORRECT

    @property
    def is_stable(self) -> bool:
        """True when its predicate is one that a stray remark does not replace."""
        return self.rule is not None and self.rule.stable

    @property
    def reason(self) -> str:
        """Where it was said, for people: `path#Lx`, or a session."""
        origin = self.draft.origin
        return origin.where or (f"session {origin.session}" if origin.session else "a remark")


def said_of(claim: Claim, now: datetime) -> SpokenEvidence:
    """A claim made comparable."""
    draft, statement = claim.draft, claim.draft.statement
    at = draft.origin.observed or now
    if statement.subject and statement.predicate:
        subject, predicate, what = statement.subject, statement.predicate, statement.object
    else:
        subject, predicate, what = "", statement.key, statement.value
    predicate = predicate.removeprefix(NO_LONGER)
    rule = predicate_named(predicate) if subject else None
    since = draft.validity.since or at
    return SpokenEvidence(
        claim=claim,
        subject=subject,
        predicate=predicate,
        object=what,
        rule=rule,
        is_single=rule.single if rule else not subject,
        at=at,
        since=since if since <= now else at,  # what has not begun yet cannot end what holds
        session=session_of(draft.origin, at),
        name=draft.idempotency or _name(claim, at),
    )


def _name(claim: Claim, at: datetime) -> str:
    draft, said, scope = claim.draft, claim.draft.statement, claim.draft.scope
    parts = (said.subject, said.predicate, said.object, said.key, said.value, said.text)
    whose = (scope.user, scope.agent, scope.project, scope.seat)
    heard = (draft.origin.session, draft.origin.where, draft.origin.channel.value)
    return content_key("claim", claim.stance.value, draft.kind.value, write_time(at), *whose, *heard, *parts)


# Records that somebody typed, as claims: their words get a slot, so that they meet what else is known.

Reader = Callable[[str, datetime], Claim | None]
_OURS = "consolidate"
_UNSAID = Weight()


def typed_claims(records: Iterable[Record], read: Reader, *, since: datetime | None) -> list[Claim]:
    """The claims of active records that their owner wrote or changed since then."""
    return [
        claim
        for record in records
        if record.status is Status.ACTIVE
        and record.origin.channel is Channel.OWNER
        and not (record.kind is Kind.SUMMARY or (record.kind is Kind.BELIEF and record.statement.predicate))
        and record.change.verb != _OURS
        and not is_foreign(record)
        and (since is None or record.change.at >= since)
        and (claim := _claim(record, read))
    ]


def _claim(record: Record, read: Reader) -> Claim | None:
    said = record.statement
    name = f"typed:{record.id}:{content_key_of(record.kind, said, record.scope)}"
    own = Draft(
        statement=said,
        kind=record.kind,
        entities=record.entities,
        tags=record.tags,
        weight=replace(record.weight, anchor=None),
        origin=replace(record.origin, observed=said_at(record)),
        scope=record.scope,
        validity=record.validity,
        idempotency=name,
    )
    if (said.subject and said.predicate) or said.key:
        ended = said.predicate.startswith(NO_LONGER)
        return Claim(draft=own, stance=Stance.DENY if ended else Stance.CORRECT, record=record.id)
    found = read(record.text, said_at(record))
    if found is None:
        return None
    meant = found.draft
    was_told = own.kind is not Kind.FACT
    kind = own.kind if was_told or meant.kind is Kind.BELIEF else meant.kind
    unsaid = own.weight.importance == _UNSAID.importance
    importance = meant.weight.importance if unsaid else own.weight.importance
    draft = replace(
        own,
        kind=kind,
        statement=replace(meant.statement, text=said.text),
        entities=tuple(dict.fromkeys((*own.entities, *meant.entities))),
        weight=replace(own.weight, importance=importance),
        validity=own.validity
        if own.validity.expires
        else replace(own.validity, expires=meant.validity.expires),
    )
    # Who only believes it asks for nothing to be replaced.
    plain = Stance.ASSERT if kind is Kind.BELIEF else Stance.CORRECT
    stance = found.stance if found.stance is Stance.DENY else plain
    return Claim(draft=draft, stance=stance, because=found.because, record=record.id)


# When two texts say the same thing, one holds the other, or they only look alike. Pure.

_ARTICLES = frozenset({"a", "an", "the", "my", "our"})
_QUOTES = "\"'“”‘’「」『』《》"
_CLOSERS = _QUOTES + ".,;:!?。，、；：！？…"
_NUMBERS = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NEGATIONS = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|neither|nor|\w+n['’]t)\b|[不没無无未非别勿]",
    re.IGNORECASE,
)
_DATES = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february"
    r"|march|april|may|june|july|august|september|october|november|december)s?\b"
    r"|[昨今明前后]天|[上下本这][周月年]|周[一二三四五六日天末]|星期[一二三四五六日天]|[一二三四五六七八九十]{1,3}[月日号点]",
    re.IGNORECASE,
)
_SHORTEST_PLURAL = 4
_CONSUMING = re.compile(r"^(?:to (?:drink|eat)|drinking|eating)\s+(?=\S)|^(?:喝(?=[一-鿿])|吃(?=[一-鿿]{2}))")
"""What is left out of a thing that somebody eats or drinks."""


def folded(text: str) -> str:
    """A text as it is compared: case, width, outer punctuation and leading articles folded away."""
    words = [word.lstrip(_QUOTES).rstrip(_CLOSERS) for word in normalise(text).split()]
    words = [word for word in words if word]
    while len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return " ".join(words)


def is_same(one: str, other: str) -> bool:
    """True when two texts name the same thing: coffee, and drinking coffee."""
    one, other = _CONSUMING.sub("", one), _CONSUMING.sub("", other)
    return folded(one) == folded(other) or _singular(one) == _singular(other)


def holds(whole: str, part: str) -> bool:
    """True when everything in `part` is named in `whole`; an empty part is in everything."""
    return is_same(whole, part) or frozenset(terms(folded(part))) <= frozenset(terms(folded(whole)))


def overlap(one: str, other: str) -> float:
    """The share of telling terms that two texts have in common, from 0 to 1."""
    mine, theirs = frozenset(telling_terms(one)), frozenset(telling_terms(other))
    return len(mine & theirs) / len(mine | theirs) if mine or theirs else 0.0


def looks_alike(one: str, other: str, *, least: float = 0.3) -> bool:
    """True when two texts may be about the same thing: enough common terms, the very same identifiers."""
    return marks(one) == marks(other) and overlap(one, other) >= least


def marks(text: str) -> tuple[str, ...]:
    """The identifiers and numbers of a text: where they differ, different things are meant."""
    plain = normalise(text)
    return tuple(sorted([*identifiers(text), *_NUMBERS.findall(plain)]))


def negations(text: str) -> int:
    """How often a text says no."""
    return len(_NEGATIONS.findall(text))


def dates(text: str) -> tuple[str, ...]:
    """The words of a text that name a day, a week or a month."""
    return tuple(sorted(normalise(found) for found in _DATES.findall(text)))


def _singular(text: str) -> str:
    # A capital letter may begin a name, and no rule makes a singular of James.
    return folded(" ".join(_one_of_many(word) for word in text.split()))


def _one_of_many(word: str) -> str:
    core = word.rstrip(_CLOSERS)
    if len(core) < _SHORTEST_PLURAL or not (core.isascii() and core.isalpha() and core.islower()):
        return word
    if core.endswith("ies"):
        return core[:-3] + "y"
    if core.endswith(("sses", "xes", "ches", "shes", "zes")):
        return core[:-2]
    return core[:-1] if core.endswith("s") and not core.endswith(("ss", "us", "is")) else core
