"""The rules of extraction over labelled turns, and what came of it as a table for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from memoracle.interfaces.bench.extraction import (
    Judged,
    Predicted,
    document_of,
    false_of,
    judge_turn,
    misses_of,
)
from memoracle.interfaces.bench.labelled import read_labelled
from memoracle.model.claim import Claim
from memoracle.model.predicates import Family, predicate_named
from memoracle.model.record import Kind
from memoracle.model.turn import Turn
from memoracle.model.value import replace
from memoracle.text import shorten, visible

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


def by_rules(turn: Turn) -> list[Claim]:
    """What the rules alone take from a turn, cleaned as readers clean it; what they leave undecided gives nothing."""
    from memoracle.extract.claims import claims_of
    from memoracle.extract.screen import screen
    from memoracle.extract.sentences import fragments_of
    from memoracle.ingest.hygiene import clean, noise_of
    from memoracle.model.fragment import Ruling

    said = replace(turn, text=clean(turn.text))
    if not said.session_kind.has_people or noise_of(said.text):  # such turns are not collected
        return []
    screened = map(screen, fragments_of(said))
    return [
        claim for fragment in screened if fragment.ruling is not Ruling.DROP for claim in claims_of(fragment)
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
