"""A model's answer about fragments, checked item by item.

An item is believed when it names a fragment, has the right types, adds no word to what was said, and
says of the owner only what the owner said. Everything else is refused with its reason; a fragment
about which nothing usable was said is not answered, and waits. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from memoracle.model.claim import Claim, Fragment, Stance
from memoracle.model.predicates import NO_LONGER, OWNER, PREDICATES
from memoracle.model.record import (
    EVERLASTING,
    TRUST,
    Channel,
    Draft,
    Kind,
    Origin,
    Statement,
    Validity,
    Weight,
)
from memoracle.model.value import value
from memoracle.text import normalise, telling_terms, terms

# Whether words stand in a fragment. A model may choose among what was said; it may add nothing.

_NEGATIONS = re.compile(
    r"\b(?:not|no|never|nor|neither|without|cannot|none|nobody|hardly|stopped|quit|"
    r"isn|aren|wasn|weren|don|doesn|didn|won|wouldn|can|couldn|shouldn|hasn|haven|hadn)(?:['’]t)?\b"
    r"|不(?!仅|但|错|管|断|久|同|少|過(?!敏)|过(?!敏))|没(?!错|关系|问题)|[沒勿]|未(?!来|來|必)"
    r"|无(?!锡|论|线|人机)|無(?!論|線)|(?<![特区區分告性级級识識个個类類])[别別](?!人|墅|的|名)"
)
_PLAIN = {"can", "won", "don"}
"""Words that deny only with `'t` behind them."""


def stands_in(words: str, said: str, *, beside: str = "") -> bool:
    """Whether every telling word of `words` occurs in what was said, or in `beside`."""
    return set(telling_terms(words)) <= {*terms(said), *terms(beside)}


def is_negated(text: str) -> bool:
    """Whether a sentence denies something, anywhere in it."""
    return any(found[0] not in _PLAIN for found in _NEGATIONS.finditer(normalise(text)))


# The JSON in what a model wrote, with or without prose, fences and thoughts around it.

_LONGEST = 200_000
_MOST_STARTS = 64
_THOUGHT = ("<think>", "</think>")


def items_in(text: str, name: str = "items") -> list[Any] | None:
    """The list called `name` in the one JSON object that has it; None when there is none, or more than one."""
    answer = _without_thoughts(text[:_LONGEST])
    decoder = json.JSONDecoder(parse_constant=_refuse)
    found: list[list[Any]] = []
    place, starts = answer.find("{"), 0
    while place >= 0 and starts < _MOST_STARTS:
        starts += 1
        try:
            thing, place = decoder.raw_decode(answer, place)
        except (ValueError, RecursionError):
            place += 1
        else:
            if isinstance(thing, dict) and isinstance(thing.get(name), list):
                found.append(thing[name])
        place = answer.find("{", place)
    return found[0] if len(found) == 1 else None


def _without_thoughts(text: str) -> str:
    begin, end = _THOUGHT
    _, thought, rest = text.partition(begin)
    return rest.partition(end)[2] if thought and text.lstrip().startswith(begin) else text


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and the infinities are no JSON


# One item of a model's answer, as far as types and ranges go. Knows nothing of what was asked. Pure.

LEAST_SURE, MOST_SURE = 0.3, 0.9

_KINDS = frozenset(Kind) - {Kind.SUMMARY}
_PREDICATE = re.compile(r"[a-z][a-z_]{0,39}")
_LONGEST_NAME, _LONGEST_OBJECT = 80, 200
_MOST_ENTITIES = 8


@value
class Saying:
    """What an item says of a fragment that is worth keeping."""

    kind: Kind
    subject: str
    predicate: str
    object: str
    text: str
    importance: float
    confidence: float
    entities: tuple[str, ...]


def read_saying(item: dict[str, Any]) -> Saying | str:
    """The item with its parts in order, or what is wrong with it."""
    if item.get("keep") is not True:
        return "`keep` is neither true nor false"
    parts = [item.get(name) for name in ("kind", "subject", "predicate", "object", "text")]
    if not all(isinstance(part, str) for part in parts):
        return "a part is missing or not text"
    kind, subject, predicate, said, text = (" ".join(str(part).split()) for part in parts)
    if kind not in _KINDS:
        return "no kind has this name"
    if not _PREDICATE.fullmatch(predicate):
        return "the predicate is no name"
    if not 0 < len(subject) <= _LONGEST_NAME or not 0 < len(said) <= _LONGEST_OBJECT:
        return "subject or object is empty or too long"
    importance = _number(item.get("importance"), 0.0, 1.0)
    confidence = _number(item.get("confidence"), LEAST_SURE, MOST_SURE)
    if importance is None or confidence is None:
        return "importance or confidence is no number in its range"
    entities = item.get("entities") or []
    if not isinstance(entities, list) or not all(isinstance(name, str) for name in entities):
        return "the entities are no list of names"
    names = [" ".join(name.split()) for name in entities[:_MOST_ENTITIES]]
    return Saying(
        kind=Kind(kind),
        subject=subject,
        predicate=predicate,
        object=said,
        text=text,
        importance=importance,
        confidence=confidence,
        entities=tuple(dict.fromkeys(name for name in names if 0 < len(name) <= _LONGEST_NAME)),
    )


def _number(given: Any, least: float, most: float) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    return float(given) if least <= given <= most else None


MOST_PER_FRAGMENT = 2
CERTAIN = 0.7
"""Below it, what a model says is a belief, whatever the model calls it."""

_OWNERS_ALONE = frozenset({Kind.PREFERENCE, Kind.RULE, Kind.IDENTITY})
_NEGATIVE = frozenset({"dislikes", "wants_never", "must_never", "cannot_eat"})
_LONGEST_TEXT = 400


Speaker = Callable[[Fragment], str]
"""Who speaks in a fragment, as records name them."""


def owner(_: Fragment) -> str:
    """The owner."""
    return OWNER


@value
class Answers:
    """What an answer gives: claims by fragment id, the ids it settles, and why items were refused."""

    claims: tuple[tuple[str, Claim], ...] = ()
    answered: frozenset[str] = frozenset()
    refused: tuple[str, ...] = ()


def read_answers(text: str, fragments: Sequence[Fragment], *, speaker: Speaker = owner) -> Answers:
    """What a model said about `fragments`, which it knows by their places, from 1.

    `speaker` names whom a fragment's “user” is: the owner, or somebody else in a conversation of several.
    """
    items = items_in(text)
    if items is None:
        return Answers(refused=("the answer holds no list of items",))
    claims: dict[str, list[Claim]] = {}
    dropped: set[str] = set()
    refused: list[str] = []
    for item in items:
        fragment = _fragment_of(item, fragments)
        if fragment is None:
            refused.append("an item is about no fragment that was asked about")
        elif item.get("keep") is False:
            dropped.add(fragment.id)
        else:
            made = _claim_of(item, fragment, speaker)
            held = claims.setdefault(fragment.id, [])
            if isinstance(made, str):
                refused.append(f"{fragment.id}: {made}")
            elif made in held:
                continue
            elif len(held) == MOST_PER_FRAGMENT:
                refused.append(f"{fragment.id}: more than {MOST_PER_FRAGMENT} memories")
            else:
                held.append(made)
    kept = {fragment_id: made for fragment_id, made in claims.items() if made}
    torn = dropped & claims.keys()
    refused += [f"{fragment_id}: kept and dropped at once" for fragment_id in sorted(torn)]
    return Answers(
        claims=tuple((name, claim) for name, made in kept.items() if name not in torn for claim in made),
        answered=frozenset((dropped | kept.keys()) - torn),
        refused=tuple(refused),
    )


def _fragment_of(item: Any, fragments: Sequence[Fragment]) -> Fragment | None:
    place = item.get("id") if isinstance(item, dict) else None
    if not isinstance(place, int) or isinstance(place, bool) or not 1 <= place <= len(fragments):
        return None
    return fragments[place - 1]


def _claim_of(item: dict[str, Any], fragment: Fragment, speaker: Speaker) -> Claim | str:
    """The claim an item makes, or why it is not believed."""
    said = read_saying(item)
    if isinstance(said, str):
        return said
    predicate = said.predicate.removeprefix(NO_LONGER)
    has_ended = predicate != said.predicate
    known = PREDICATES.get(predicate)
    kind = known.kind if known else said.kind  # the vocabulary knows better what it means
    if problem := _says_more(said, fragment, {said.kind, kind}):
        return problem
    is_belief = said.kind is Kind.BELIEF or said.confidence < CERTAIN
    importance = known.importance if known and kind in EVERLASTING else said.importance
    draft = Draft(
        statement=Statement(
            text=_wording(said, fragment.text),
            subject=speaker(fragment) if said.subject == OWNER else said.subject,
            predicate=predicate,
            object=said.object,
        ),
        kind=Kind.BELIEF if is_belief else kind,
        entities=tuple(name for name in said.entities if stands_in(name, fragment.text)),
        tags=(known.family.value,) if known else (),
        weight=Weight(importance=importance, confidence=said.confidence),
        origin=_origin(fragment),
        scope=fragment.scope,
        validity=Validity(since=fragment.at),
        sources=(fragment.where,) if fragment.where else (),
        idempotency=f"{fragment.id}:{predicate}:{said.object}"[:480],
    )
    return Claim(draft=draft, stance=Stance.DENY if has_ended else Stance.ASSERT, because="model")


def _says_more(said: Saying, fragment: Fragment, kinds: set[Kind]) -> str:
    """Why an item says more than its fragment does; empty when it does not."""
    is_owners = fragment.channel is Channel.OWNER
    if not is_owners and (kinds & _OWNERS_ALONE or said.subject == OWNER):
        return "only the owner speaks for the owner"
    if said.subject != OWNER and not stands_in(said.subject, fragment.text):
        return "the subject was not said"
    if not stands_in(said.object, fragment.text):
        return "the object was not said"
    denies = said.predicate in _NEGATIVE or said.predicate.startswith(NO_LONGER) or is_negated(said.object)
    if is_negated(fragment.text) and not denies:
        return "the sentence denies something and the item does not"
    return ""


def _wording(said: Saying, text: str) -> str:
    """The model's sentence when it uses the fragment's words alone; otherwise the fragment's own."""
    beside = f"user {said.subject} {said.predicate.replace('_', ' ')}"
    rest = said.text.removeprefix("用户").removeprefix(said.subject)  # Chinese has no space behind them
    fits = 0 < len(said.text) <= _LONGEST_TEXT and stands_in(rest, text, beside=beside)
    return said.text if fits and is_negated(said.text) == is_negated(text) else text


def _origin(fragment: Fragment) -> Origin:
    return Origin(
        channel=fragment.channel,
        who=fragment.who,
        where=fragment.where,
        session=fragment.session,
        observed=fragment.at,
        trust=TRUST[fragment.channel],
    )
