"""Teach the encoder to say what of a turn is worth keeping: whether, of which kind, about whom, how said, for how long.

    python -m training.tag --data FOLDER --embed FOLDER --out FOLDER
        [--stores FOLDER] [--labelled FOLDER] [--leave SOURCE …]

Learns from whole turns and from their sentences, each with what stood before. The table of words stays as it is.
`--labelled` is a folder of files of labelled turns (`*.jsonl`, rows with `text prev speaker keep licence source`):
those whose licence allows it are learnt from unless their source is left out; the others are only measured on.
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
from training.labelled import rows_of_labelled, rows_of_services, rows_of_stores, rows_of_turns
from training.labels import ABOUT, KINDS, STANCES, UNTIL

BEFORE, WHO, TEXT = 32, 8, 192
HEADS = {"keep": 1, "kind": len(KINDS), "about": len(ABOUT), "stance": len(STANCES), "until": len(UNTIL)}
BATCH = 128
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
    """Examples as rows on the GPU, with their labels."""

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
        ids, second, self.labels, spans = [], [], defaultdict(list), []
        for one, t, b, w in zip(all_, text, before, who, strict=True):
            first = [CLS, *b.ids[-BEFORE:], SEP]
            lead = len(first) + len(w.ids[:WHO])
            ids.append([*first, *w.ids[:WHO], *t.ids[:TEXT], SEP])
            second.append(len(first))
            kept = one.keep[0] if one.keep else None
            self.labels["keep"].append(float(bool(one.keep)) if not one.of.endswith(" says") else -1.0)
            self.labels["kind"].append(
                KINDS.index(kept["kind"]) if kept and kept.get("kind") in KINDS else -1
            )
            self.labels["about"].append(self._about(kept, one.who) if not one.of.endswith(" says") else -1)
            self.labels["until"].append(
                UNTIL.index(kept["until"]) if kept and kept.get("until") in UNTIL else -1
            )
            self.labels["stance"].append(STANCES.index(one.stance) if one.stance in STANCES else -1)
            spans.append(self._span(one.text, kept, t.offsets[:TEXT], lead))
        self.rows = encoder.Rows(ids, second)
        self.keep = torch.tensor(self.labels.pop("keep"))
        self.named = {name: torch.tensor(values) for name, values in self.labels.items()}
        self.span = torch.tensor(spans)

    @staticmethod
    def _about(kept: dict[str, str] | None, who: str) -> int:
        """The subject; who speaks of himself is `user`, by whatever name he goes."""
        subject, _, name = (kept or {}).get("about", "").partition(":")
        if subject == "person" and name and who and (name in who or who in name):
            subject = "user"
        return ABOUT.index(subject) if subject in ABOUT else -1

    @staticmethod
    def _span(
        text: str, kept: dict[str, str] | None, offsets: Sequence[tuple[int, int]], lead: int
    ) -> tuple[int, int]:
        at = text.find(kept["span"]) if kept and kept.get("span") else -1
        if at < 0 or kept is None:
            return -1, -1
        inside = [n for n, (begin, end) in enumerate(offsets) if begin < at + len(kept["span"]) and end > at]
        return (lead + inside[0], lead + inside[-1]) if inside else (-1, -1)


class Tagger(nn.Module):
    """The encoder, heads on its first state, and where a span begins and ends on every state."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = bert
        self.head = nn.ModuleDict({name: nn.Linear(encoder.DIMS, size) for name, size in HEADS.items()})
        self.span = nn.Linear(encoder.DIMS, 2)
        self.drop = nn.Dropout(0.1)
        self.bert.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        """Logits by head; those of the span for every token of the second part."""
        states = self.bert(**batch).last_hidden_state
        first = self.drop(states[:, 0])
        found = {name: head(first).float() for name, head in self.head.items()}
        inside = batch["token_type_ids"].unsqueeze(-1) > 0
        found["span"] = self.span(states).float().masked_fill(~inside, -1e4)
        return found


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
    learnt = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=rate, weight_decay=0.02, fused=True)
    begun, step, device = time.monotonic(), 0, encoder.DEVICE
    while (spent := (time.monotonic() - begun) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * encoder.cooled(step, spent, 100)
        places = torch.multinomial(weights, BATCH, replacement=True)
        model.train()
        with torch.autocast(device, torch.bfloat16):
            found = model(given.rows.batch(places))
        known = given.keep[places] >= 0
        keep, told = given.keep[places][known].to(device), found["keep"].squeeze(-1)[known.to(device)]
        loss = 2 * functional.binary_cross_entropy_with_logits(told, keep * 0.98 + 0.01)
        if soft is not None:
            loss = loss + 2 * functional.binary_cross_entropy_with_logits(
                told, soft["keep"][places][known].to(device)
            )
        for name, values in given.named.items():
            own = values[places].to(device)
            if (own >= 0).any():
                loss = loss + 0.6 * functional.cross_entropy(found[name], own, ignore_index=-1)
                if soft is not None:
                    said = soft[f"{name} shares"][places].to(device)[own >= 0]
                    loss = loss - 0.6 * (said * found[name][own >= 0].log_softmax(1)).sum(1).mean()
        span = given.span[places].to(device)
        if (span >= 0).any():
            for n in (0, 1):
                loss = loss + 0.3 * functional.cross_entropy(
                    found["span"][:, :, n], span[:, n], ignore_index=-1
                )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        step += 1
        if step % 500 == 0:
            print(f"{len(model.bert.encoder.layer)} layers, step {step}: {loss.item():.3f}", flush=True)
    return step


@torch.no_grad()
def tagged(model: Tagger, given: Examples, size: int = 1024) -> dict[str, Tensor]:
    """Probabilities of `keep`, and the likeliest label of every other head."""
    model.eval()
    order = torch.argsort(given.rows.lengths)
    found = {name: torch.zeros(len(order), dtype=torch.long) for name in given.named}
    found |= {f"{name} shares": torch.zeros(len(order), HEADS[name]) for name in given.named}
    found["keep"] = torch.zeros(len(order))
    for part in order.split(size):
        with torch.autocast(encoder.DEVICE, torch.bfloat16):
            own = model(given.rows.batch(part))
        found["keep"][part] = own["keep"].squeeze(-1).sigmoid().cpu()
        for name in given.named:
            found[name][part] = own[name].argmax(1).cpu()
            found[f"{name} shares"][part] = own[name].softmax(1).cpu()
    return found


def worth(given: Examples, found: dict[str, Tensor], name: str) -> None:
    """Print how much of what should be kept is found at which precision, source by source."""
    by: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    alone: dict[str, list[int]] = defaultdict(list)
    for n, one in enumerate(given.all):
        if one.of.endswith(" says"):
            continue
        by[one.of][one.turn].append(n)
        if one.keep and len(one.keep) == 1:
            alone[one.of].append(n)
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
        whole = torch.tensor(alone[of] or [0])
        for head, values in given.named.items():
            known = values[whole] >= 0
            if alone[of] and known.any():
                line.append(
                    f"{head} {float((found[head][whole][known] == values[whole][known]).float().mean()):.2f}"
                )
        if (kinds := given.named["kind"][whole]).max() >= 0 and alone[of]:
            wrong = [
                (KINDS[a], KINDS[b])
                for a, b in zip(kinds.tolist(), found["kind"][whole].tolist(), strict=True)
                if a not in (-1, b)
            ]
            line.append(str(Counter(wrong).most_common(6)))
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


WEIGHTS = {"written": 1.0, "turns": 2.0, "coding": 2.0, "messy": 2.0, "services": 0.06}


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
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def main() -> None:
    """Read the options, train, measure, write."""
    options = options_of()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    embed, tokenizer = encoder.opened(options.embed)
    labelled = list(rows_of_labelled(options.labelled)) if options.labelled else []
    learn = [one for part in options.parts for one in rows_of_stores(part, options.stores)] + list(
        rows_of_turns()
    )
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
    teacher, soft = Tagger(encoder.shaped(embed, "6x1536", given.rows)).to(encoder.DEVICE), None
    steps = train(teacher, given, weights, seconds=options.seconds)
    print(f"6 layers: {steps} steps", flush=True)
    if measured:
        worth(measured, tagged(teacher, measured), "6")
    soft = tagged(teacher, given)
    if measured:
        torch.save({"keep": tagged(teacher, measured)["keep"]}, options.out / "measured.pt")
    for shape in options.shapes:
        model = Tagger(encoder.shaped(teacher.bert, shape, given.rows)).to(encoder.DEVICE)
        model.head.load_state_dict(teacher.head.state_dict())
        model.span.load_state_dict(teacher.span.state_dict())
        steps = train(model, given, weights, seconds=options.seconds, soft=soft, rate=2e-4)
        encoder.save(model, options.out / f"tag{shape}.safetensors")  # before anything is measured
        print(f"{shape}: {steps} steps", flush=True)
        if measured:
            worth(measured, tagged(model, measured), shape)


if __name__ == "__main__":
    main()
