"""The rules of extraction on labelled turns: what was said, what a careful archivist would keep, what the rules kept.

Reads `<split>.<language>.jsonl` from a folder the caller names; keeps nothing. A prediction is right when its
turn has a fact of its family whose telling terms all stand in the prediction. A fact is met once, by at most one
prediction; what is left over is false, unless an optional fact allows it.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput
from memoracle.model.claim import Claim, SessionKind, Stance, Turn
from memoracle.model.predicates import OWNER, Family, predicate_named
from memoracle.model.record import Channel, Kind
from memoracle.model.value import replace, value
from memoracle.text import shorten, telling_terms, terms, visible

if TYPE_CHECKING:
    from memoracle.inference.api import Tagger

SPLITS = ("train", "dev", "test")
LANGUAGES = ("en", "zh")


@value
class Fact:
    """One thing a turn says. `families` are all that are defensible, the likeliest first."""

    families: tuple[Family, ...]
    object: str
    subject: str = OWNER
    stance: Stance = Stance.ASSERT
    belief: bool = False
    optional: bool = False
    """It may be kept or left: neither is rewarded or punished."""

    @property
    def family(self) -> Family:
        """The family it is counted under."""
        return self.families[0]


@value
class Labelled:
    """One turn and its facts; none for a turn that memory should let pass."""

    turn: Turn
    facts: tuple[Fact, ...]


def read_labelled(folder: str, split: str, language: str) -> tuple[Labelled, ...]:
    """The turns of one file of a folder."""
    path = os.path.join(folder, f"{split}.{language}.jsonl")
    try:
        with open(path, encoding="utf-8") as file:
            lines = list(file)
    except OSError as problem:
        raise BadInput(f"no labelled turns at {path}: {problem.strerror}", "name it with --data") from None
    return tuple(_read(line, path, number) for number, line in enumerate(lines, 1) if line.strip())


def labelled_of(line: dict[str, Any], path: str = "", number: int = 1) -> Labelled:
    """A labelled turn from its JSON line. Every turn is a session of its own: the lines do not follow."""
    turn = Turn(
        session=line["id"],
        id=line["id"],
        speaker=line.get("who") or line["role"],
        role=Channel(line["role"]),
        at=datetime.fromisoformat(line["said"]),
        text=line["text"],
        path=path,
        line=number,
        session_kind=SessionKind(line["session"]),
    )
    return Labelled(turn=turn, facts=tuple(map(_fact, line["facts"])))


def _read(line: str, path: str, number: int) -> Labelled:
    try:
        return labelled_of(json.loads(line), path, number)
    except (ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{path}:{number} is not a labelled turn: {problem!r}") from problem


def _fact(fact: dict[str, Any]) -> Fact:
    named: Sequence[str] = fact.get("families") or (fact["family"],)
    return Fact(
        families=tuple(dict.fromkeys((Family(fact["family"]), *map(Family, named)))),
        object=fact["object"],
        subject=fact.get("subject", OWNER),
        stance=Stance(fact.get("stance", Stance.ASSERT)),
        belief=fact.get("belief", False),
        optional=fact.get("optional", False),
    )


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


Extract = Callable[[Turn], Iterable[Claim]]

SHOWN = {"misses": misses_of, "false": false_of}
_COLUMNS = ("right", "missed", "false", "precision", "recall", "f1")
_WIDTH = 14
_LONGEST = 160


def measure_extraction(
    folder: str, split: str, languages: Sequence[str], extract: Extract, shown: str | None = None
) -> dict[str, Any]:
    """The numbers of a split, and with `shown` the turns behind them."""
    judged = {
        language: [
            judge_turn(said, [predicted_of(claim) for claim in extract(said.turn)])
            for said in read_labelled(folder, split, language)
        ]
        for language in languages
    }
    document = document_of(split, judged)
    return document | ({shown: _listed(shown, judged)} if shown else {})


def by_rules(turn: Turn, tagger: Tagger | None = None) -> list[Claim]:
    """What is taken from a turn by itself, cleaned as readers clean it: by rules, with a tagger as at night."""
    from memoracle.hosts.hygiene import clean, noise_of
    from memoracle.learn.claims import claims_of
    from memoracle.learn.screen import fragments_of, screen
    from memoracle.learn.tagging import Heard, weigh
    from memoracle.model.claim import Ruling

    said = replace(turn, text=clean(turn.text))
    if not said.session_kind.has_people or noise_of(said.text):  # such turns are not collected
        return []
    screened = list(map(screen, fragments_of(said)))
    heard: dict[str, Heard] = {}
    if tagger is not None:
        screened, heard = weigh(screened, tagger, {})
    return [
        claim
        for fragment in screened
        if fragment.ruling is not Ruling.DROP
        for claim in claims_of(fragment, heard=heard.get(fragment.id))
    ]


def predicted_of(claim: Claim) -> Predicted:
    """A claim as the metric sees it."""
    statement = claim.draft.statement
    known = predicate_named(statement.predicate)
    return Predicted(
        family=known.family if known else Family.OTHER,
        object=statement.object,
        text=statement.text,
        stance=claim.stance,
        belief=claim.draft.kind is Kind.BELIEF,
        because=claim.because,
    )


def extraction_text(document: Mapping[str, Any]) -> str:
    """The document as tables: each language, and all of it."""
    parts = [_table(language, numbers) for language, numbers in document["languages"].items()]
    if len(parts) > 1:
        parts.append(_table("overall", document["overall"]))
    parts += ["\n".join([shown, *map(_line, document[shown])]) for shown in SHOWN if shown in document]
    return "\n\n".join(parts)


def _listed(shown: str, judged: Mapping[str, Sequence[Judged]]) -> list[dict[str, str]]:
    return SHOWN[shown](one for turns in judged.values() for one in turns)


def _table(title: str, numbers: Mapping[str, Any]) -> str:
    head = f"{title:<{_WIDTH}}" + "".join(f"{name:>10}" for name in _COLUMNS)
    rows = [_row(family, row) for family, row in numbers["families"].items()]
    noisy = f"{numbers['noisy_negatives']} of {numbers['negatives']} negative turns gave something"
    signs = f"stance {_shown(numbers['stance_accuracy'])}, belief {_shown(numbers['belief_accuracy'])}"
    return "\n".join([head, *rows, _row("all", numbers), f"{noisy}; {signs}"])


def _row(name: str, row: Mapping[str, Any]) -> str:
    return f"{name:<{_WIDTH}}" + "".join(f"{_shown(row[column]):>10}" for column in _COLUMNS)


def _shown(number: float | None) -> str:
    if number is None:
        return "–"
    return str(number) if isinstance(number, int) else f"{number:.3f}"


def _line(shown: Mapping[str, str]) -> str:
    because = f" ({shown['because']})" if shown.get("because") else ""
    text = shorten(visible(shown["text"]), _LONGEST)
    return f"  {shown['turn']}  {shown['family']}: {shown['object']}{because}  ← {text}"
