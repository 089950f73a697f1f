"""What the packed model is worth, measured with the product's own arithmetic on what nobody learnt from.

    python -m training.measure --data FOLDER [--labelled FOLDER] [--against FOLDER …]

`--against` names folders of other embedders, measured on the same texts; `--labelled` is as for `training.tag`.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from memoracle.inference.api import Embedder, Utterance
from memoracle.inference.bundled import open_embedder, open_tagger
from memoracle.inference.folder import open_folder
from training import sources
from training.labelled import rows_of_labelled, rows_of_services

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def reciprocal_ranks(scores: np.ndarray, gold: Sequence[int]) -> float:
    """The mean over rows of one over the place of what answers."""
    own = scores[np.arange(len(scores)), gold]
    return float((1 / (1 + (scores > own[:, None]).sum(1))).mean())


def embedding(model: Embedder, data: Path) -> Iterator[str]:
    """Facts among four thousand statements, asked in either language; sentences among their translations."""
    pairs = sources.pairs(data, "measure")["tatoeba"]
    statements = model.embed([text for pair in pairs[-2000:] for text in pair])
    facts = list(sources.facts("measure"))
    for said in ("en", "zh"):
        among = [fact[f"{name}_{said}"] for name in ("fact", "near") for fact in facts]
        known = np.concatenate([model.embed(among), statements])
        for asked in ("en", "zh"):
            vectors = model.embed([text for fact in facts for text in fact[f"ask_{asked}"]])
            found = reciprocal_ranks(vectors @ known.T, [n // 2 for n in range(len(vectors))])
            yield f"facts, {asked} question to {said} fact, MRR of {len(vectors)} among {len(known)}: {found:.3f}"
    english, chinese = (model.embed([pair[side] for pair in pairs[:2000]]) for side in (0, 1))
    first = ((english @ chinese.T).argmax(1) == np.arange(len(english))).mean()
    back = ((chinese @ english.T).argmax(1) == np.arange(len(english))).mean()
    yield f"translations, first of {len(english)}: English to Chinese {first:.3f}, back {back:.3f}"
    asked_of = list(sources.answered(data, "measure"))
    pool = sorted({one.words for one in asked_of})
    scores = model.embed([one.question for one in asked_of]) @ model.embed(pool).T
    found = reciprocal_ranks(scores, [pool.index(one.words) for one in asked_of])
    yield f"Chinese question to sentence, MRR of {len(asked_of)}: {found:.3f}"
    model.embed(["which port does staging use now?"])
    begun = time.process_time()
    for _ in range(50):
        model.embed(["which port does staging use now?"])
    yield f"one question: {(time.process_time() - begun) * 20:.1f} ms of one core"


def tagging(data: Path, labelled: Path | None) -> Iterator[str]:
    """How much of what should be kept is found at which threshold, and at which precision."""
    tagger = open_tagger()
    by: dict[str, list[tuple[Utterance, bool, list[dict[str, str]]]]] = defaultdict(list)
    for of, row in rows_of_services(data):
        if len(by[of]) < 1000:
            by[of].append((_utterance(row), False, []))
    for of, row, _ in rows_of_labelled(data, labelled):
        if len(by[of]) < 1000:
            by[of].append((_utterance(row), bool(row["keep"]), row["keep"]))
    for of, rows in sorted(by.items()):
        begun = time.process_time()
        found = tagger.tag([one for one, _, _ in rows])
        cost = (time.process_time() - begun) / len(rows) * 1000
        keep, truth = np.array([one.keep for one in found]), np.array([kept for _, kept, _ in rows])
        line = [f"{of}: {len(rows)} turns, {truth.sum()} kept, {cost:.1f} ms each"]
        for at in THRESHOLDS:
            taken = keep > at
            right = (taken & truth).sum()
            precision, recall = right / max(1, taken.sum()), right / max(1, truth.sum())
            line.append(
                f">{at} precision {precision:.2f} recall {recall:.2f}, {100 * taken.mean():.1f} of 100"
            )
        alone = [(one, kept[0]) for one, (_, _, kept) in zip(found, rows, strict=True) if len(kept) == 1]
        for head in ("kind", "about", "until"):
            right = [
                getattr(one.claims[0], head).label == kept[head].partition(":")[0]
                for one, kept in alone
                if kept.get(head) and one.claims
            ]
            if right:
                line.append(f"{head} {np.mean(right):.2f} of {len(right)}")
        yield "; ".join(line)


def _utterance(row: dict[str, str]) -> Utterance:
    return Utterance(text=row["text"], who=row["speaker"], before=row["prev"])


def main() -> None:
    """Read the options, print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--labelled", type=Path)
    parser.add_argument("--against", nargs="*", default=[])
    options = parser.parse_args()
    for model in (open_embedder(), *map(open_folder, options.against)):
        for line in embedding(model, options.data):
            print(f"{model.name}: {line}", flush=True)
    for line in tagging(options.data, options.labelled):
        print(line, flush=True)


if __name__ == "__main__":
    main()
