"""Teach the encoder what changes what: is what was said earlier still so, after what was said later.

    python -m training.changes --data FOLDER --embed FOLDER --read FILE --out FOLDER [--stores FOLDER] [--seconds 45]

Learns from timelines (statements of one person or project, and which earlier one each of them changes), with the
question that somebody asks and without one, and from conversations, where hardly anything changes what answers. A
teacher of six layers learns first. What is kept has the first layers of a reader, as they are, and two of its own.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from training import encoder
from training.encoder import CLS, SEP
from training.read import Reader, auroc, logits
from training.sources import MEASURED, conversations, timelines
from training.tag import recall

HOLDS = frozenset({"revives", "narrows"})
"""Ways to meet an earlier statement that leave it standing."""
QUESTION, STATEMENT = 32, 48
SHARED, OWN = 2, 384
"""How many layers are the reader's, and how many inner numbers each of the others has."""
BATCH = {"stated": 96, "asked": 128, "talk": 64, "among": 96}
"""Rows of a step, by where they come from."""
_NEAREST = 6
_RARELY = 0.02
"""How often a turn of a conversation changes one that lies near it, though nobody says so."""


class Row(NamedTuple):
    """An earlier and a later statement, a question where there is one, and whether the later stands in its place."""

    question: str
    new: str
    old: str
    changed: float


def said(timeline: dict[str, Any], statement: dict[str, Any]) -> str:
    """Who says it, and what."""
    return f"{statement.get('speaker') or timeline['who']}: {statement['text']}"


def stated(timeline: dict[str, Any]) -> Iterator[Row]:
    """Every statement after every earlier one."""
    own = timeline["statements"]
    for place, new in enumerate(own):
        changed = {one["id"] for one in new["changes"] if one["how"] not in HOLDS}
        for old in own[:place]:
            yield Row("", said(timeline, new), said(timeline, old), float(old["id"] in changed))


def asked(timeline: dict[str, Any]) -> Iterator[Row]:
    """What answers a question, or did, and what was said later: does that answer it now in its place."""
    own = {one["id"]: one for one in timeline["statements"]}
    for question in timeline["questions"]:
        now, past = set(question["now"]), set(question["past"])
        for old in sorted(now | past):
            for new in (own[n] for n in own if n > old):
                changes = {one["id"] for one in new["changes"] if one["how"] not in HOLDS}
                if old in past and new["id"] not in now and old in changes:
                    if new["id"] not in past:
                        continue  # it ends what answered, and answers nothing
                    label = 1.0
                else:
                    label = float(old in past and new["id"] in now)
                yield Row(question["text"], said(timeline, new), said(timeline, own[old]), label)


def elsewhere(rows: Sequence[Row], share: float) -> list[Row]:
    """Some of the rows with a later statement of somebody else: it changes nothing."""
    strange = [row.new for row in rows]
    return [row._replace(new=random.choice(strange), changed=0.0) for row in rows if random.random() < share]


def talk_rows(
    talks: Sequence[Any], embed: nn.Module, tokenizer: Tokenizer, *, most: int = 60_000
) -> list[Row]:
    """What answers a question in a conversation with what the same person says later near it; and without questions."""
    found = []
    for talk in talks:
        told = [f"{turn.who}: {turn.text[:400]}" if turn.who else turn.text[:400] for turn in talk.turns]
        if len(told) < 3:
            continue
        vectors = encoder.vectors(embed, encoder.texts(told, tokenizer))
        near = vectors @ vectors.T
        who = [turn.who for turn in talk.turns]

        def later(place: int, many: int, near: Tensor = near, who: list[str] = who) -> list[int]:
            after = [n for n in range(place + 1, len(who)) if who[n] == who[place]]
            return sorted(after, key=lambda n: -float(near[place, n]))[:many]

        near = near.cpu()
        for question, gold in talk.questions:
            for place in gold[:2]:
                more = [n for n in later(place, _NEAREST + 2, near) if n not in gold][:_NEAREST]
                found += [Row(question, told[n], told[place], 0.0) for n in more]
        for place in random.sample(range(len(told)), min(40, len(told))):
            found += [Row("", told[n], told[place], _RARELY) for n in later(place, 4, near)]
    return random.sample(found, min(most, len(found)))


def among(
    told: Sequence[dict[str, Any]], talks: Sequence[Any], embed: nn.Module, tokenizer: Tokenizer
) -> list[Row]:
    """What a timeline says, with or without its question, beside what others say in conversations: no change."""
    turns = [f"user: {turn.text[:400]}" for talk in talks for turn in talk.turns if len(turn.text) > 3]
    turns = random.sample(turns, min(20_000, len(turns)))
    asked_of = list({(row.question, row.old): row for one in told for row in asked(one)}.values())
    there = encoder.vectors(embed, encoder.texts(turns, tokenizer))
    found = []
    for part in range(0, len(asked_of), 512):
        own = asked_of[part : part + 512]
        near = [
            (encoder.vectors(embed, encoder.texts(texts, tokenizer)) @ there.T).topk(4, 1).indices.tolist()
            for texts in ([row.old for row in own], [row.question for row in own])
        ]
        for row, by_old, by_question in zip(own, *near, strict=True):
            places = {*by_old, *by_question[:3], *random.sample(range(len(turns)), 3)}
            found += [Row(row.question, turns[n], row.old, 0.0) for n in sorted(places)]
            found += [Row("", turns[n], row.old, 0.0) for n in by_old[:2]]
    return found


def rows_of(given: Sequence[Row], tokenizer: Tokenizer) -> encoder.Rows:
    """The question, where one is asked, then the later statement and the earlier one."""
    question, new, old = (
        [one.ids for one in tokenizer.encode_batch(list(texts))]
        for texts in zip(*(row[:3] for row in given), strict=True)
    )
    ids, second = [], []
    for q, n, o in zip(question, new, old, strict=True):
        first = [CLS, *q[:QUESTION], SEP]
        ids.append([*first, *n[:STATEMENT], SEP, *o[:STATEMENT], SEP])
        second.append(len(first))
    return encoder.Rows(ids, second)


class Given:
    """Rows of all kinds on the GPU, and how they are drawn."""

    def __init__(self, by: dict[str, list[Row]], tokenizer: Tokenizer) -> None:
        every = [row for name in BATCH for row in by[name]]
        self.rows = rows_of(every, tokenizer)
        self.labels = torch.tensor([row.changed for row in every])
        self._places, start = {}, 0
        for name in BATCH:
            own = torch.arange(start, start + len(by[name]))
            is_changed = self.labels[own] > 0.5
            share = float(is_changed.float().mean())
            weight = torch.where(is_changed, 0.3 / max(share, 1e-9), 0.7 / (1 - share)) if share else None
            self._places[name] = (own, weight)
            start += len(by[name])

    def drawn(self) -> Tensor:
        """The places of a step: of each kind so many, three in ten of the timelines' changed."""
        found = []
        for name, (own, weight) in self._places.items():
            drawn = (
                torch.randint(len(own), (BATCH[name],))
                if weight is None
                else torch.multinomial(weight, BATCH[name], replacement=True)
            )
            found.append(own[drawn])
        return torch.cat(found)


def train(
    model: Reader, given: Given, *, seconds: float, rate: float = 1e-4, teacher: Tensor | None = None
) -> int:
    """For so many seconds; with the teacher's logits beside the labels where there are any."""
    device = encoder.DEVICE
    labels = given.labels.to(device)
    told = None if teacher is None else teacher.sigmoid().to(device)
    places = torch.zeros(sum(BATCH.values()), dtype=torch.long, device=device)
    bce = functional.binary_cross_entropy_with_logits

    def loss() -> Tensor:
        scores = model(given.rows.batch(places))
        own = bce(scores, labels[places] * 0.96 + 0.02)
        return own if told is None else 0.4 * own + bce(scores, told[places])

    places.copy_(given.drawn())
    learner = encoder.Learner(model, loss, 0.01)
    begun, step = time.monotonic(), 0
    while (spent := (time.monotonic() - begun) / seconds) < 1:
        places.copy_(given.drawn())
        learner.step(rate * encoder.cooled(step, spent))
        step += 1
        if step % 500 == 0:
            print(f"step {step}: {learner.last.item():.3f}", flush=True)
    return step


def narrow(embed: nn.Module, read: Path, rows: encoder.Rows) -> Reader:
    """The first layers of a reader, which stay as they are, and narrower ones of its own."""
    whole = Reader(encoder.shaped(embed, "4x1536", rows)).to(encoder.DEVICE)
    whole.load_state_dict(load_file(read), strict=False)
    own = Reader(encoder.shaped(whole.bert, f"4x{OWN}", rows)).to(encoder.DEVICE)
    for number in range(SHARED):
        own.bert.encoder.layer[number] = whole.bert.encoder.layer[number]
    for part in (own.bert.embeddings, *own.bert.encoder.layer[:SHARED]):
        part.requires_grad_(False)
    return own


def worth(model: Reader, tokenizer: Tokenizer, talk: Sequence[Row], name: str) -> None:
    """Print what it knows of timelines that nobody learnt from, and how often it is wrong in conversations."""
    for file in MEASURED:
        told = list(timelines(file))
        for kind, make in (("stated", stated), ("asked", asked)):
            rows = [row for one in told for row in make(one)]
            found, labels = (
                logits(model, rows_of(rows, tokenizer)),
                torch.tensor([row.changed for row in rows]),
            )
            is_changed = labels > 0.5
            line = [f"auc {auroc(found[is_changed].tolist(), found[~is_changed].tolist()):.3f}"]
            line += [f"R@P{at} {recall(found, labels, at):.2f}" for at in (0.9, 0.8, 0.7)]
            for at in (0.3, 0.5, 0.7, 0.85):
                taken = found.sigmoid() > at
                right = float((taken & is_changed).sum())
                line.append(
                    f"at {at} {right / max(1, int(taken.sum())):.2f}/{right / int(is_changed.sum()):.2f}"
                )
            print(name, file, kind, len(rows), *line, flush=True)
        if name != "one":
            print(name, file, _led(model, tokenizer, told), flush=True)
    for is_asked in (True, False):
        rows = [row for row in talk if bool(row.question) is is_asked]
        found = logits(model, rows_of(rows, tokenizer)).sigmoid()
        shares = " ".join(f"{at} {float((found > at).float().mean()):.4f}" for at in (0.3, 0.5, 0.7, 0.85))
        print(name, "talk", is_asked, len(rows), "given more than", shares, flush=True)


def _led(model: Reader, tokenizer: Tokenizer, told: Sequence[dict[str, Any]]) -> str:
    """How often one comes from what answered first to what answers now, and stays with what does."""
    right, held = [], []
    for one in told:
        for question in one["questions"]:
            now = question["now"]
            if now and question["past"]:
                right.append(_followed(model, tokenizer, one, question, min(question["past"])) in now)
            if now:
                held.append(_followed(model, tokenizer, one, question, max(now)) in now)
    return f"led on {sum(right)} of {len(right)}, held {sum(held)} of {len(held)}"


def _followed(
    model: Reader, tokenizer: Tokenizer, timeline: dict[str, Any], question: dict[str, Any], start: int
) -> int:
    """Where one comes to from a statement, taking again and again the newest that seems to stand in its place."""
    own = {one["id"]: one for one in timeline["statements"]}
    at = start
    while later := [n for n in own if n > at]:
        rows = [Row(question["text"], said(timeline, own[n]), said(timeline, own[at]), 0.0) for n in later]
        found = logits(model, rows_of(rows, tokenizer))
        taken = [n for n, score in zip(later, found.tolist(), strict=True) if score > 0]
        if not taken:
            break
        at = taken[-1]
    return at


def main() -> None:
    """Read the options, train teachers, then what is kept; write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("data", "embed", "read", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--stores", type=Path, help="more written stores, as packs")
    parser.add_argument("--seconds", type=float, default=45, help="for each teacher")
    parser.add_argument("--teachers", type=int, default=3)
    parser.add_argument("--student", type=float, default=60)
    parser.add_argument("--begin", type=Path, help="go on from an earlier one, without teachers")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    embed, tokenizer = encoder.opened(options.embed)
    told = list(timelines())
    by = {
        "stated": [row for one in told for row in stated(one)],
        "asked": [r for one in told for r in asked(one)],
    }
    for name, rows in list(by.items()):
        by[name] = rows + elsewhere(rows, 0.3)
    talks = [talk for _, talk in conversations(options.data, "train", options.stores)]
    by["talk"] = talk_rows(talks, embed, tokenizer)
    by["among"] = among(told, talks, embed, tokenizer)
    strange = [talk for _, talk in conversations(options.data, "choose", options.stores)]
    talk = talk_rows(strange, embed, tokenizer, most=6000)
    given = Given(by, tokenizer)
    print({name: len(rows) for name, rows in by.items()}, len(talk), flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    student, told_by = narrow(embed, options.read, given.rows), None
    if options.begin:
        student.load_state_dict(load_file(options.begin), strict=False)
    else:
        begun = Reader(encoder.shaped(embed, "6x1536", given.rows)).to(encoder.DEVICE)

        def learn(own: Reader) -> int:
            steps = train(own, given, seconds=options.seconds)
            worth(own, tokenizer, talk, "one")
            return steps

        teacher = encoder.taught(begun, learn, options.teachers)
        worth(teacher, tokenizer, talk, "teacher")
        told_by = logits(teacher, given.rows)
    steps = train(student, given, seconds=options.student, rate=3e-4, teacher=told_by)
    encoder.save(student, options.out / "change.safetensors")
    print(f"{steps} steps", flush=True)
    worth(student, tokenizer, talk, "kept")


if __name__ == "__main__":
    main()
