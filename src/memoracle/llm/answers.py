"""A model's answer about fragments, checked item by item.

An item is believed when it names a fragment, has the right types, adds no word to what was said, and
says of the owner only what the owner said. Everything else is refused with its reason; a fragment
about which nothing usable was said is not answered, and waits. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memoracle.llm.grounding import is_negated, stands_in
from memoracle.llm.reading import items_in
from memoracle.llm.schema import Saying, read_saying
from memoracle.model.claim import Claim, Stance
from memoracle.model.fragment import Fragment
from memoracle.model.origin import TRUST, Channel, Origin
from memoracle.model.predicates import NO_LONGER, OWNER, PREDICATES
from memoracle.model.record import EVERLASTING, Draft, Kind, Statement, Weight
from memoracle.model.validity import Validity
from memoracle.model.value import value

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
