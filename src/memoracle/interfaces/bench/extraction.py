"""How well what was taken from turns agrees with what should have been: pure numbers.

A prediction is right when its turn has a fact of its family whose telling terms all stand in the
prediction. A fact is met once, by at most one prediction; what is left over is false, unless an
optional fact allows it. Reads nothing and runs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memoracle.interfaces.bench.labelled import Fact, Labelled
from memoracle.model.claim import Stance
from memoracle.model.predicates import Family
from memoracle.model.value import value
from memoracle.text import telling_terms, terms


@value
class Predicted:
    """One thing that was taken from a turn."""

    family: Family
    object: str
    text: str
    stance: Stance = Stance.ASSERT
    belief: bool = False
    because: str = ""


@value
class Judged:
    """One turn with its verdicts."""

    said: Labelled
    right: tuple[tuple[Fact, Predicted], ...]
    missed: tuple[Fact, ...]
    false: tuple[Predicted, ...]
    allowed: tuple[Predicted, ...]
    """Those that only an optional fact asks for."""


def judge_turn(said: Labelled, predicted: Sequence[Predicted]) -> Judged:
    """The largest number of facts that the predictions can meet, and what is left on both sides."""
    wanted = [fact for fact in said.facts if not fact.optional]
    optional = [fact for fact in said.facts if fact.optional]
    met = _pair(wanted, predicted)
    left = [one for place, one in enumerate(predicted) if place not in met.values()]
    allowed = [one for one in left if any(_closeness(fact, one) for fact in optional)]
    return Judged(
        said=said,
        right=tuple((wanted[fact], predicted[place]) for fact, place in sorted(met.items())),
        missed=tuple(fact for place, fact in enumerate(wanted) if place not in met),
        false=tuple(one for one in left if one not in allowed),
        allowed=tuple(allowed),
    )


def numbers_of(judged: Sequence[Judged]) -> dict[str, Any]:
    """Everything measured over some turns: in all, and per family."""
    right = Counter(fact.family for one in judged for fact, _ in one.right)
    missed = Counter(fact.family for one in judged for fact in one.missed)
    false = Counter(predicted.family for one in judged for predicted in one.false)
    pairs = [pair for one in judged for pair in one.right]
    negatives = [one for one in judged if not one.said.facts]
    return {
        "turns": len(judged),
        "negatives": len(negatives),
        "noisy_negatives": sum(bool(one.false) for one in negatives),
        **_shares(right.total(), missed.total(), false.total()),
        "stance_accuracy": _share(sum(fact.stance is it.stance for fact, it in pairs), len(pairs)),
        "belief_accuracy": _share(sum(fact.belief is it.belief for fact, it in pairs), len(pairs)),
        "families": {
            family.value: _shares(right[family], missed[family], false[family])
            for family in Family
            if right[family] or missed[family] or false[family]
        },
    }


def document_of(split: str, judged: Mapping[str, Sequence[Judged]]) -> dict[str, Any]:
    """The numbers of a split, per language and over all of them."""
    everything = [one for turns in judged.values() for one in turns]
    return {
        "split": split,
        "languages": {language: numbers_of(turns) for language, turns in judged.items()},
        "overall": numbers_of(everything),
    }


def misses_of(judged: Iterable[Judged]) -> list[dict[str, str]]:
    """The facts nothing was taken for, with their turns."""
    return [
        {"turn": one.said.turn.id, "family": fact.family, "object": fact.object, "text": one.said.turn.text}
        for one in judged
        for fact in one.missed
    ]


def false_of(judged: Iterable[Judged]) -> list[dict[str, str]]:
    """What should not have been taken, with the rule that took it."""
    return [
        {
            "turn": one.said.turn.id,
            "family": it.family,
            "object": it.object,
            "because": it.because,
            "text": one.said.turn.text,
        }
        for one in judged
        for it in one.false
    ]


def _pair(wanted: Sequence[Fact], predicted: Sequence[Predicted]) -> dict[int, int]:
    """Fact place → prediction place, as many as possible; a fact named in the object goes first."""
    near = {
        (fact, place): closeness
        for fact, one in enumerate(wanted)
        for place, it in enumerate(predicted)
        if (closeness := _closeness(one, it))
    }
    taken: dict[int, int] = {}
    for least in (2, 1):
        for fact in range(len(wanted)):
            if fact not in taken.values():
                _seat(fact, {edge for edge, closeness in near.items() if closeness >= least}, taken, set())
    return {fact: place for place, fact in taken.items()}


def _seat(fact: int, near: set[tuple[int, int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Give a fact a prediction, moving the facts before it to others where that makes room."""
    for place in sorted(place for owner, place in near if owner == fact):
        if place in tried:
            continue
        tried.add(place)
        if place not in taken or _seat(taken[place], near, taken, tried):
            taken[place] = fact
            return True
    return False


def _closeness(fact: Fact, it: Predicted) -> int:
    """2 when the prediction's object names the fact, 1 when only its words do, 0 when it is another matter."""
    if it.family not in fact.families:
        return 0
    wanted = set(telling_terms(fact.object))
    named = set(terms(it.object))
    if wanted <= named:
        return 2
    return int(wanted <= named | set(terms(it.text)))


def _shares(right: int, missed: int, false: int) -> dict[str, Any]:
    precision, recall = _share(right, right + false), _share(right, right + missed)
    return {
        "right": right,
        "missed": missed,
        "false": false,
        "precision": precision,
        "recall": recall,
        "f1": _share(2 * right, 2 * right + missed + false),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
