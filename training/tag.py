"""Teach the encoder to say what of a turn is worth keeping: whether, of which kind, about whom, how said, for how long.

    python -m training.tag --data FOLDER --embed FOLDER --out FOLDER
        [--stores FOLDER] [--labelled FOLDER] [--leave SOURCE …]

Learns from whole turns and from their sentences, each with what stood before. The table of words stays as it is.
`--labelled` is a folder of files of labelled turns (`*.jsonl`, rows with `text prev speaker keep licence source`):
those whose licence allows it are learnt from unless their source is left out; the others are only measured on. The
same holds for the turns of coding histories that `training.gather` found.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

from training import encoder
from training.encoder import CLS, SEP
from training.labelled import (
    rows_of_labelled,
    rows_of_records,
    rows_of_services,
    rows_of_stores,
    rows_of_turns,
)
from training.labels import ABOUT, KINDS, STANCES, UNTIL

BEFORE, WHO, TEXT = 32, 8, 192
OF_TURN = {"keep": 1, "stance": len(STANCES), "alone": 1}
OF_CLAIM = {"kind": len(KINDS), "about": len(ABOUT), "until": len(UNTIL)}
BATCH, CLAIMS = 128, 5
OUTSIDE, BEGIN, INSIDE = range(3)
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")


class Example(NamedTuple):
    """A turn or a sentence of one: `turn` numbers the turn it is of, `keep` holds labels of what is kept of it."""

    of: str
    turn: int
    text: str
    who: str
    before: str
    keep: list[dict[str, str]] | None
    stance: str = ""
    whole: bool = True
    alone: bool | None = None
    """Whether it can be understood without anything else; of what was not read for that nobody knows."""


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text stand; very short ones go with the one before."""
    edges = [0, *(found.end() for found in _ENDS.finditer(text)), len(text)]
    begin = 0
    for end in edges[1:]:
        if len(text[begin:end].encode()) >= 24 or end == len(text):
            if text[begin:end].strip():
                yield begin, end
            begin = end


def examples(of: str, turn: int, row: dict[str, Any]) -> Iterator[Example]:
    """The turn as a whole, then sentence by sentence where it has several."""
    text, who, before = row["text"], row["speaker"], row["prev"]
    kept = row["keep"]
    if of.startswith("records"):
        yield Example(of, turn, text, who, before, kept)
        if row["alone"] is not None:
            yield Example(f"{of} alone", turn, text, "", "", None, "", whole=True, alone=row["alone"])
        return
    yield Example(of, turn, text, who, before, kept, row.get("stance") or "")
    for one in kept or ():
        if one.get("says") and one.get("kind"):
            yield Example(f"{of} says", turn, one["says"], "", "", [dict(one, span="")], "", whole=False)
    parts = list(sentences(text))
    if len(parts) < 2 or len(text) > 6000:
        return
    for begin, end in parts:
        own = []
        for one in kept or ():
            at = text.find(one["span"]) if one.get("span") else -1
            shared = min(end, at + len(one["span"])) - max(begin, at) if at >= 0 else 0
            if shared > 0 and shared * 2 >= min(len(one["span"]), end - begin):
                own.append(dict(one, span=text[max(begin, at) : min(end, at + len(one["span"]))]))
        yield Example(
            of,
            turn,
            text[begin:end].strip(),
            who,
            f"{before} {text[:begin]}".strip(),
            None if kept is None else own,
            "",
            whole=False,
        )


class Examples:
    """Examples as rows on the GPU, with their labels: of the turn, of every token, and of each claim in it."""

    def __init__(self, all_: Sequence[Example], tokenizer: Tokenizer) -> None:
        self.all = list(all_)
        text, before, who = (
            tokenizer.encode_batch(texts)
            for texts in (
                [one.text[:3000] for one in all_],
                [one.before[-400:] for one in all_],
                [f"{one.who}:" if one.who else "" for one in all_],
            )
        )
        ids, second, claims = [], [], []
        for one, t, b, w in zip(all_, text, before, who, strict=True):
            first = [CLS, *b.ids[-BEFORE:], SEP]
            lead = len(first) + len(w.ids[:WHO])
            ids.append([*first, *w.ids[:WHO], *t.ids[:TEXT], SEP])
            second.append(len(first))
            claims.append(
                [self._claim(one, kept, t.offsets[:TEXT], lead) for kept in one.keep or ()][:CLAIMS]
            )
        self.rows = encoder.Rows(ids, second)
        width = self.rows.ids.shape[1]
        self.keep = torch.tensor(
            [-1.0 if one.of.endswith((" says", " alone")) else float(bool(one.keep)) for one in all_]
        )
        self.alone = torch.tensor([-1.0 if one.alone is None else float(one.alone) for one in all_])
        self.stance = torch.tensor(
            [STANCES.index(one.stance) if one.stance in STANCES else -1 for one in all_]
        )
        self.ends = torch.full((len(ids), CLAIMS, 2), -1, dtype=torch.int16)
        self.named = {name: torch.full((len(ids), CLAIMS), -1, dtype=torch.int8) for name in OF_CLAIM}
        self.tokens = torch.full((len(ids), width), -1, dtype=torch.int8)
        for n, own in enumerate(claims):
            said = all(claim is not None for claim in own) and not all_[n].of.startswith("records")
            said = said and not all_[n].of.endswith(" says")
            if said:  # where every claim was found in the text, the rest of it is outside
                self.tokens[n, second[n] : len(ids[n]) - 1] = OUTSIDE
            for place, claim in enumerate(claim for claim in own if claim):
                (begin, end), labels = claim
                self.ends[n, place] = torch.tensor([begin, end], dtype=torch.int16)
                for name, label in labels.items():
                    self.named[name][n, place] = label
                if said:
                    self.tokens[n, begin] = BEGIN
                    self.tokens[n, begin + 1 : end + 1] = INSIDE

    def _claim(
        self, one: Example, kept: dict[str, str], offsets: Sequence[tuple[int, int]], lead: int
    ) -> tuple[tuple[int, int], dict[str, int]] | None:
        """The first and the last token in which it is said, and what it is; nothing where the words are not there."""
        labels = {
            "kind": KINDS.index(kept["kind"]) if kept.get("kind") in KINDS else -1,
            "until": UNTIL.index(kept["until"]) if kept.get("until") in UNTIL else -1,
            "about": -1 if one.of.endswith(" says") else self._about(kept, one.who),
        }
        if one.of.endswith(" says") and offsets:
            return (lead, lead + len(offsets) - 1), labels
        at = one.text.find(kept["span"]) if kept.get("span") else -1
        inside = [
            n
            for n, (begin, end) in enumerate(offsets)
            if at >= 0 and begin < at + len(kept["span"]) and end > at
        ]
        return ((lead + inside[0], lead + inside[-1]), labels) if inside else None

    @staticmethod
    def _about(kept: dict[str, str], who: str) -> int:
        """The subject; who speaks of himself is `user`, by whatever name he goes."""
        subject, _, name = kept.get("about", "").partition(":")
        if subject == "person" and name and who and (name in who or who in name):
            subject = "user"
        return ABOUT.index(subject) if subject in ABOUT else -1


class Tagger(nn.Module):
    """The encoder, heads on its first state, one on every state, and heads on what a claim says beside its turn."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = bert
        heads = {name: nn.Linear(encoder.DIMS, size) for name, size in {**OF_TURN, "token": 3}.items()}
        heads |= {name: nn.Linear(2 * encoder.DIMS, size) for name, size in OF_CLAIM.items()}
        self.head = nn.ModuleDict(heads)
        self.drop = nn.Dropout(0.1)
        self.bert.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, batch: dict[str, Tensor], ends: Tensor) -> dict[str, Tensor]:
        """Logits by head: of turns, of tokens, and of the claims whose first and last token are given."""
        states = encoder.states(self.bert, batch)[-1]
        first = self.drop(states[:, 0])
        found = {name: self.head[name](first).float() for name in OF_TURN}
        found["token"] = self.head["token"](states).float()
        at = torch.arange(states.shape[1], device=states.device)
        inside = ((at >= ends[..., :1]) & (at <= ends[..., 1:]) & (ends[..., :1] >= 0)).to(states.dtype)
        said = (inside @ states) / inside.sum(-1, keepdim=True).clamp(min=1)
        both = torch.cat([first[:, None].expand_as(said), self.drop(said)], -1)
        return found | {name: self.head[name](both).float() for name in OF_CLAIM}


def mean(losses: Tensor, known: Tensor) -> Tensor:
    """Of those that have a label."""
    return (losses * known).sum() / known.sum().clamp(min=1)


def by_label(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy where there is a label."""
    losses = functional.cross_entropy(
        logits.flatten(0, -2), labels.flatten().clamp(min=0).long(), reduction="none"
    )
    return mean(losses, labels.flatten() >= 0)


def train(
    model: Tagger,
    given: Examples,
    weights: Tensor,
    *,
    seconds: float,
    rate: float = 1.2e-4,
    soft: dict[str, Tensor] | None = None,
) -> int:
    """For so many seconds, examples drawn by weight."""
    device = encoder.DEVICE
    keep, alone, stance, ends, tokens = (
        t.to(device) for t in (given.keep, given.alone, given.stance, given.ends, given.tokens)
    )
    named = {name: labels.to(device) for name, labels in given.named.items()}
    told = {name: values.to(device) for name, values in (soft or {}).items()}
    places = torch.zeros(BATCH, dtype=torch.long, device=device)
    bce = functional.binary_cross_entropy_with_logits

    def loss() -> Tensor:
        found = model(given.rows.batch(places), ends[places].long())
        own, asked = keep[places], found["keep"].squeeze(-1)
        total = 2 * mean(bce(asked, own.clamp(min=0) * 0.98 + 0.01, reduction="none"), own >= 0)
        total = total + 0.4 * by_label(found["stance"], stance[places])
        clear, by_itself = found["alone"].squeeze(-1), alone[places]
        total = total + mean(
            bce(clear, by_itself.clamp(min=0) * 0.96 + 0.02, reduction="none"), by_itself >= 0
        )
        wide = found["token"].shape[1]
        total = total + by_label(found["token"], tokens[places][:, :wide])
        for name, labels in named.items():
            total = total + 0.6 * by_label(found[name], labels[places])
        if told:
            total = total + 2 * mean(bce(asked, told["keep"][places], reduction="none"), own >= 0)
            total = total + mean(bce(clear, told["alone"][places], reduction="none"), by_itself >= 0)
            for name, labels in named.items():
                apart = -(told[f"{name} shares"][places] * found[name].log_softmax(-1)).sum(-1)
                total = total + 0.6 * mean(apart, labels[places] >= 0)
        return total

    places.copy_(torch.multinomial(weights, BATCH, replacement=True))
    learner = encoder.Learner(model, loss, 0.02)
    begun, step = time.monotonic(), 0
    while (spent := (time.monotonic() - begun) / seconds) < 1:
        places.copy_(torch.multinomial(weights, BATCH, replacement=True))
        learner.step(rate * encoder.cooled(step, spent, 100))
        step += 1
        if step % 500 == 0:
            print(
                f"{len(model.bert.encoder.layer)} layers, step {step}: {learner.last.item():.3f}", flush=True
            )
    return step


@torch.no_grad()
def tagged(model: Tagger, given: Examples, size: int = 512) -> dict[str, Tensor]:
    """Probabilities of `keep`, of every token to begin or go on a claim, and of the labels of the claims."""
    model.eval()
    order = torch.argsort(given.rows.lengths)
    found = {f"{name} shares": torch.zeros(len(order), CLAIMS, n) for name, n in OF_CLAIM.items()}
    found |= {name: torch.zeros(len(order)) for name in ("keep", "alone")}
    found |= {"token": torch.zeros(*given.tokens.shape, dtype=torch.int8)}
    for part in order.split(size):
        with torch.autocast(encoder.DEVICE, torch.bfloat16):
            own = model(given.rows.batch(part), given.ends[part].long().to(encoder.DEVICE))
        for name in ("keep", "alone"):
            found[name][part] = own[name].squeeze(-1).sigmoid().cpu()
        chosen = own["token"].argmax(-1).cpu()
        found["token"][part, : chosen.shape[1]] = chosen.to(torch.int8)
        for name in OF_CLAIM:
            found[f"{name} shares"][part] = own[name].softmax(-1).cpu()
    return found


def labels_right(given: Examples, found: dict[str, Tensor], places: Tensor) -> list[str]:
    """How often each label of a claim is right where the claim is given, and what is taken for what."""
    line = []
    for name, labels in given.named.items():
        known = labels[places] >= 0
        if not known.any():
            continue
        own, said = labels[places][known].long(), found[f"{name} shares"][places].argmax(-1)[known]
        line.append(f"{name} {float((own == said).float().mean()):.2f}")
        if name == "kind":
            pairs = zip(own.tolist(), said.tolist(), strict=True)
            wrong = Counter((KINDS[a], KINDS[b]) for a, b in pairs if a != b)
            line.append(str(wrong.most_common(5)))
    truth, own = given.tokens[places], found["token"][places]
    if (known := truth >= 0).any():
        right = float(((truth > 0) & (own > 0) & known).sum())
        line.append(
            f"tokens {right / max(1.0, float(((own > 0) & known).sum())):.2f}"
            f"/{right / max(1.0, float((truth > 0).sum())):.2f}"
        )
    return line


def worth(given: Examples, found: dict[str, Tensor], name: str) -> None:
    """Print how much of what should be kept is found at which precision, source by source."""
    by: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for n, one in enumerate(given.all):
        if not one.of.endswith((" says", " alone")):
            by[one.of][one.turn].append(n)
    known = given.alone >= 0
    if known.any():
        print(
            name,
            f"alone: {int(known.sum())}, auc {auc(found['alone'][known], given.alone[known]):.3f}",
            flush=True,
        )
    for of, turns in sorted(by.items()):
        truth = torch.tensor([float(bool(given.all[own[0]].keep)) for own in turns.values()])
        ways = {
            "turn": torch.tensor([float(found["keep"][own[0]]) for own in turns.values()]),
            "both": torch.tensor(
                [
                    max(float(found["keep"][own[0]]), *(float(found["keep"][n]) for n in own)) / 2
                    + float(found["keep"][own[0]]) / 2
                    for own in turns.values()
                ]
            ),
        }
        line = [f"{len(truth)} turns, {int(truth.sum())} kept"]
        for way, scores in ways.items():
            if not truth.sum():
                line.append(
                    f"{way}: per 100 above .5 .7 .8 .9: "
                    + " ".join(
                        f"{100 * float((scores > at).float().mean()):.2f}" for at in (0.5, 0.7, 0.8, 0.9)
                    )
                )
                continue
            line.append(
                f"{way}: auc {auc(scores, truth):.3f}, "
                + " ".join(f"R@P{at} {recall(scores, truth, at):.2f}" for at in (0.93, 0.9, 0.8, 0.75))
            )
            line.append(
                "at .5/.7/.9 "
                + " ".join("{:.2f}/{:.2f}".format(*at_threshold(scores, truth, at)) for at in (0.5, 0.7, 0.9))
            )
        line += labels_right(given, found, torch.tensor([own[0] for own in turns.values()]))
        print(name, of, *line, flush=True)


def at_threshold(scores: Tensor, truth: Tensor, at: float) -> tuple[float, float]:
    """Precision and recall of what stands above."""
    taken = scores > at
    right = float((taken & (truth > 0)).sum())
    return right / max(1.0, float(taken.sum())), right / max(1.0, float(truth.sum()))


def recall(scores: Tensor, truth: Tensor, precision: float) -> float:
    """The most that is found while so much of what is taken is right."""
    order = torch.argsort(-scores)
    right = truth[order].cumsum(0)
    share = right / torch.arange(1, len(order) + 1)
    good = torch.nonzero(share >= precision)
    return float(right[good[-1]] / truth.sum()) if len(good) else 0.0


def auc(scores: Tensor, truth: Tensor) -> float:
    """How often something to keep stands above something that is not."""
    order = torch.argsort(torch.argsort(scores)).float() + 1
    right, wrong = float(truth.sum()), float((1 - truth).sum())
    return float((order[truth > 0].sum() - right * (right + 1) / 2) / max(1.0, right * wrong))


def collected(rows: Iterable[tuple[str, dict[str, Any]]], begin: int = 0) -> list[Example]:
    """The examples of all rows."""
    return [one for n, (of, row) in enumerate(rows, begin) for one in examples(of, n, row)]


WEIGHTS = {"written": 1.0, "turns": 2.0, "records": 1.0, "coding": 2.0, "messy": 2.0, "services": 0.12}


def options_of() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("data", "embed", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--stores", type=Path)
    parser.add_argument("--labelled", type=Path)
    parser.add_argument("--parts", nargs="+", default=["train"])
    parser.add_argument(
        "--leave", nargs="*", default=[], help="sources to leave out: their first word, or the whole"
    )
    parser.add_argument("--shapes", nargs="+", default=["4x384"], help="layers x inner numbers")
    parser.add_argument("--seconds", type=float, default=20, help="for each teacher and each student")
    parser.add_argument("--teachers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def main() -> None:
    """Read the options, train, measure, write."""
    options = options_of()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    embed, tokenizer = encoder.opened(options.embed)
    labelled = list(rows_of_labelled(options.data, options.labelled))
    learn = [one for part in options.parts for one in rows_of_stores(part, options.stores)] + list(
        rows_of_turns()
    )
    learn += list(rows_of_records(options.stores))
    learn += list(rows_of_services(options.data)) + [(of, row) for of, row, free in labelled if free]

    def is_left(of: str) -> bool:
        return (
            of in options.leave
            or of.partition(" ")[0] in options.leave
            or of.rpartition(" ")[2] in options.leave
        )

    given = Examples(collected((of, row) for of, row in learn if not is_left(of)), tokenizer)
    out = [(of, row) for of, row in learn if is_left(of)] + [
        (of, row) for of, row, free in labelled if not free
    ]
    out += [
        (of, row)
        for part in {"choose", "measure"} - set(options.parts)
        for of, row in rows_of_stores(part, options.stores)
    ]
    kept_small: dict[str, int] = defaultdict(int)
    small = []
    for of, row in out:
        kept_small[of] += 1
        if kept_small[of] <= 4000:
            small.append((of, row))
    measured = Examples(collected(small, 10**6), tokenizer) if small else None
    weights = torch.tensor(
        [WEIGHTS[one.of.partition(" ")[0]] * (1.0 if one.whole else 0.4) for one in given.all]
    )
    counted: dict[str, int] = defaultdict(int)
    for one in given.all:
        counted[one.of] += one.whole
    print("learnt from", dict(counted), len(given.all), "examples; measured on", dict(kept_small), flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    begun = Tagger(encoder.shaped(embed, "6x1536", given.rows)).to(encoder.DEVICE)
    teacher = encoder.taught(
        begun, lambda own: train(own, given, weights, seconds=options.seconds), options.teachers
    )
    if measured:
        worth(measured, tagged(teacher, measured), "6")
    soft = tagged(teacher, given)
    for shape in options.shapes:
        model = Tagger(encoder.shaped(teacher.bert, shape, given.rows)).to(encoder.DEVICE)
        model.head.load_state_dict(teacher.head.state_dict())
        steps = train(model, given, weights, seconds=options.seconds, soft=soft, rate=2e-4)
        encoder.save(model, options.out / f"tag{shape}.safetensors")  # before anything is measured
        print(f"{shape}: {steps} steps", flush=True)
        if measured:
            worth(measured, tagged(model, measured), shape)


if __name__ == "__main__":
    main()
