"""Teach the encoder to read a question and a passage together: how far does the one answer the other.

    python -m training.read --data FOLDER --embed FOLDER --out FOLDER
        [--stores FOLDER] [--candidates FILE] [--seconds 150]

A teacher of six layers learns from groups (a question, what answers it, what only looks like it, and whether anything
answers at all); students of fewer layers learn from the same groups and from the teacher. The table of words stays
as it is: all uses share it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

from memoracle.inference.bundled import best_stretch
from training import encoder, sources
from training.encoder import CLS, SEP, STOP
from training.sources import Talk, Turn

QUESTION, BEFORE, HEAD, WINDOW = 40, 12, 16, 72
NEAREST, GROUPS, EACH = 24, 32, 12


class Group(NamedTuple):
    """A question with candidates, as rows; `gold` of them answer it, the rest do not."""

    of: str
    rows: list[int]
    gold: int


def head(turn: Turn) -> str:
    """Who said it and when."""
    return f"{turn.who}{f' ({turn.when})' if turn.when else ''}:" if turn.who else ""


class Said:
    """The turns of a talk, tokenised once."""

    def __init__(self, turns: Sequence[Turn], tokenizer: Tokenizer) -> None:
        self.text, self.before, self.head = (
            [one.ids for one in tokenizer.encode_batch(texts)]
            for texts in (
                [turn.text[:6000] for turn in turns],
                [turn.before[-400:] for turn in turns],
                [head(turn) for turn in turns],
            )
        )

    def pair(self, question: Sequence[int], place: int) -> tuple[list[int], int]:
        """The ids of question and turn together, and where the second part begins."""
        first = [CLS, *question[:QUESTION], SEP]
        before = self.before[place][-BEFORE:]
        told = best_stretch(question[:QUESTION], self.text[place], WINDOW)
        return [*first, *before, *([STOP] if before else []), *self.head[place][:HEAD], *told, SEP], len(
            first
        )


class Pairs:
    """Rows of question and passage, collected one by one."""

    def __init__(self) -> None:
        self.ids: list[list[int]] = []
        self.second: list[int] = []

    def add(self, said: Said, question: Sequence[int], places: Iterable[int]) -> list[int]:
        """The numbers of the new rows."""
        begin = len(self.ids)
        for place in places:
            ids, second = said.pair(question, place)
            self.ids.append(ids)
            self.second.append(second)
        return list(range(begin, len(self.ids)))

    def rows(self) -> encoder.Rows:
        """All of them, on the GPU."""
        return encoder.Rows(self.ids, self.second)


def renamed(question: str, turns: Sequence[Turn], gold: Sequence[int]) -> str:
    """The same question about somebody else who takes part: nothing answers it then. Empty when it cannot be made."""
    people = {
        turn.who
        for turn in turns
        if turn.who.lower() not in {"user", "assistant", "tool", ""} and " and " not in turn.who
    }
    names = {who: who.split()[0] for who in people if len(who.split()[0]) > 1}
    named = [
        who
        for who, name in names.items()
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name), question)
    ]
    if len(named) != 1 or len(people) < 2 or {turns[place].who for place in gold} != {named[0]}:
        return ""
    other = random.choice(sorted(people - {named[0]}))
    return question.replace(names[named[0]], names.get(other, other))


def groups_of(
    talks: Sequence[tuple[str, Talk]], pairs: Pairs, embed: nn.Module, tokenizer: Tokenizer
) -> list[Group]:
    """Every question with the turns nearest to it, and what was made of it that nothing answers."""
    found: list[Group] = []
    by: dict[str, list[Talk]] = defaultdict(list)
    for source, talk in talks:
        by[source].append(talk)
    said = {id(talk): Said(talk.turns, tokenizer) for _, talk in talks}
    flat = [
        f"{turn.who}: {turn.text[:400]}" if turn.who else turn.text[:400]
        for _, talk in talks
        for turn in talk.turns
    ]
    all_turns = encoder.vectors(embed, encoder.texts(flat, tokenizer))
    flat = [question for _, talk in talks for question, _ in talk.questions]
    all_questions = encoder.vectors(embed, encoder.texts(flat, tokenizer))
    of_turns, of_questions, t, q = {}, {}, 0, 0
    for _, talk in talks:
        of_turns[id(talk)], of_questions[id(talk)] = (
            all_turns[t : t + len(talk.turns)],
            all_questions[q : q + len(talk.questions)],
        )
        t, q = t + len(talk.turns), q + len(talk.questions)
    for source, talk in talks:
        if not talk.questions:
            continue
        near = (
            (of_questions[id(talk)] @ of_turns[id(talk)].T)
            .topk(min(NEAREST, len(talk.turns)), 1)
            .indices.tolist()
        )
        ids = [one.ids for one in tokenizer.encode_batch([question for question, _ in talk.questions])]
        elsewhere = random.choice(by[source])
        far = (
            (of_questions[id(talk)] @ of_turns[id(elsewhere)].T)
            .topk(min(8, len(elsewhere.turns)), 1)
            .indices.tolist()
        )
        for n, (question, gold) in enumerate(talk.questions):
            rest = [place for place in near[n] if place not in set(gold)]
            found.append(
                Group(source, pairs.add(said[id(talk)], ids[n], [*gold[:4], *rest]), min(4, len(gold)))
            )
            if gold and (other := renamed(question, talk.turns, gold)):
                rows = pairs.add(said[id(talk)], tokenizer.encode(other).ids, [*gold[:2], *rest[:10]])
                found.append(Group(f"{source} renamed", rows, 0))
            if (
                gold
                and elsewhere is not talk
                and source in {"friendsqa", "articles", "squad", "molweni", "qmsum"}
                and random.random() < 0.3
            ):
                rows = pairs.add(said[id(elsewhere)], ids[n], far[n])
                found.append(Group(f"{source} elsewhere", rows, 0))
            elif len(gold) == 1 and len(rest) > 3 and random.random() < 0.12:
                found.append(Group(f"{source} removed", pairs.add(said[id(talk)], ids[n], rest[:12]), 0))
    return found


def groups_of_facts(pairs: Pairs, embed: nn.Module, tokenizer: Tokenizer) -> list[Group]:
    """Questions on written facts: the fact in either language, what only looks like it, and other facts near it."""
    facts = list(sources.facts("train"))
    turns, names = [], ["user", "", "me", "Lin", "Ana", "Tom", "小周", "assistant"]
    for fact in facts:
        for name in ("fact_en", "fact_zh", "near_en", "near_zh"):
            day = f"2026-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
            turns.append(Turn(random.choice(names), random.choice([day, ""]), fact[name]))
    said = Said(turns, tokenizer)
    of = encoder.vectors(embed, encoder.texts([turn.text for turn in turns], tokenizer))
    found = []
    for n, fact in enumerate(facts):
        asked = [*fact["ask_en"], *fact["ask_zh"]]
        near = (encoder.vectors(embed, encoder.texts(asked, tokenizer)) @ of.T).topk(16, 1).indices.tolist()
        for question, places in zip(asked, near, strict=True):
            ids = tokenizer.encode(question).ids
            own = {4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3}
            rest = [place for place in places if place not in own]
            gold = 4 * n + random.randrange(2)
            found.append(Group("facts", pairs.add(said, ids, [gold, 4 * n + 2, 4 * n + 3, *rest]), 1))
            if random.random() < 0.4:
                found.append(Group("facts removed", pairs.add(said, ids, [4 * n + 2, 4 * n + 3, *rest]), 0))
    return found


class Reader(nn.Module):
    """The encoder, and one number from its first state."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = bert
        self.head = nn.Sequential(
            nn.Linear(encoder.DIMS, encoder.DIMS), nn.GELU(), nn.Linear(encoder.DIMS, 1)
        )
        self.bert.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """One logit a row."""
        return self.head(encoder.states(self.bert, batch)[-1][:, 0]).squeeze(-1).float()  # type: ignore[no-any-return]


@torch.no_grad()
def logits(model: nn.Module, rows: encoder.Rows, begin: int = 0, size: int = 2048) -> Tensor:
    """The logits of all rows from `begin` on, on the CPU."""
    model.eval()
    order = begin + torch.argsort(rows.lengths[begin:])
    found = torch.zeros(len(rows))
    for part in order.split(size) if len(order) else ():
        with torch.autocast(encoder.DEVICE, torch.bfloat16):
            found[part] = model(rows.batch(part)).cpu()
    return found


def listwise(scores: Tensor, there: Tensor, gold: Tensor) -> Tensor:
    """How unlikely what answers is among the candidates and the answer that nothing does (a logit of nought)."""
    none = torch.zeros(len(scores), 1, device=scores.device)
    every = torch.cat([scores.masked_fill(~there, -1e4), none], 1).log_softmax(1)
    right = torch.cat([gold, ~gold.any(1, keepdim=True)], 1)
    return -every.masked_fill(~right, -1e4).logsumexp(1).mean()


def loss_of(scores: Tensor, there: Tensor, gold: Tensor, told: Tensor | None) -> Tensor:
    """By the labels, and by what the teacher says where there is one."""
    each = functional.binary_cross_entropy_with_logits(scores, gold.float(), reduction="none")
    loss = listwise(scores, there, gold) + 0.3 * (each * there).sum() / there.sum()
    if told is None:
        return loss
    none = torch.zeros(len(scores), 1, device=scores.device)
    soft = torch.cat([told.masked_fill(~there, -1e4), none], 1).softmax(1)
    own = torch.cat([scores.masked_fill(~there, -1e4), none], 1).log_softmax(1)
    apart = ((scores - told).square() * there).sum() / there.sum()
    return 0.5 * loss - (soft * own).sum(1).mean() + 0.05 * apart


def chosen(one: Group) -> tuple[list[int], int]:
    """Some rows of a group, what answers first, and how many of them do."""
    right = random.sample(one.rows[: one.gold], min(2, one.gold))
    wrong = one.rows[one.gold :]
    hard, easy = wrong[:8], wrong[8:]
    random.shuffle(hard)
    random.shuffle(easy)
    return [*right, *hard[:7], *easy, *hard[7:]][:EACH], len(right)


def train(
    model: Reader,
    rows: encoder.Rows,
    groups: Sequence[Group],
    options: argparse.Namespace,
    *,
    seconds: float,
    teacher: Tensor | None = None,
    rate: float = 1e-4,
) -> int:
    """For so many seconds; with the teacher's logits beside the labels where there are any."""
    weights = torch.tensor(
        [
            options.weigh.get(group.of.partition(" ")[0], 1.0) * (0.7 if " " in group.of else 1.0)
            for group in groups
        ]
    )
    shape, device = (GROUPS, EACH), encoder.DEVICE
    places = torch.zeros(shape, dtype=torch.long, device=device)
    there, gold = (torch.zeros(shape, dtype=torch.bool, device=device) for _ in range(2))
    told = None if teacher is None else teacher.to(device)

    def fill() -> None:
        new = torch.zeros(shape, dtype=torch.long)
        is_there, is_gold = torch.zeros(shape, dtype=torch.bool), torch.zeros(shape, dtype=torch.bool)
        for line, number in enumerate(torch.multinomial(weights, GROUPS, replacement=True).tolist()):
            taken, right = chosen(groups[number])
            new[line, : len(taken)] = torch.tensor(taken)
            is_there[line, : len(taken)] = True
            is_gold[line, :right] = True
        places.copy_(new)
        there.copy_(is_there)
        gold.copy_(is_gold)

    def loss() -> Tensor:
        flat = places.flatten()
        soft = None if told is None else told[flat].view(shape)
        return loss_of(model(rows.batch(flat)).view(shape), there, gold, soft)

    fill()
    learner = encoder.Learner(model, loss, 0.01)
    begun, step = time.monotonic(), 0
    while (spent := (time.monotonic() - begun) / seconds) < 1:
        fill()
        learner.step(rate * encoder.cooled(step, spent))
        step += 1
        if step % 500 == 0:
            print(
                f"{len(model.bert.encoder.layer)} layers, step {step}: {learner.last.item():.3f}", flush=True
            )
    return step


# What it is worth: the order that a product had proposed, read again.


class Asked(NamedTuple):
    """A question as it was ranked: rows and scores of the candidates, best first, and which of them answer."""

    of: str
    rows: list[int]
    scores: list[float]
    gold: list[bool]
    golds: int
    confidence: float


def ranked(path: Path, options: argparse.Namespace, pairs: Pairs, tokenizer: Tokenizer) -> list[Asked]:
    """Lines of [set, turns, [[question, gold ids, confidence, [[id, score], …]], …]]."""
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            of, turns, questions = json.loads(line)
            said = Said([Turn(*turn[1:]) for turn in turns], tokenizer)
            place = {turn[0]: n for n, turn in enumerate(turns)}
            for question, gold, confidence, candidates in questions:
                known = [(name, score) for name, score in candidates if name in place][: options.deep]
                rows = pairs.add(said, tokenizer.encode(question).ids, [place[name] for name, _ in known])
                is_gold = [name in gold for name, _ in known]
                found.append(Asked(of, rows, [score for _, score in known], is_gold, len(gold), confidence))
    return found


def auroc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """How often one of the first stands above one of the second."""
    if not right or not wrong:
        return float("nan")
    above = torch.tensor(right)[:, None] - torch.tensor(wrong)[None]
    return float(((above > 0).float() + 0.5 * (above == 0).float()).mean())


WAYS = ((8, 0.2), (8, 0.3), (8, 0.4), (12, 0.3), (20, 0.3), (20, 0.5), (40, 0.5))
"""How many are read, and what a logit is worth beside the score."""


def read_again(one: Asked, scores: Sequence[float], first: int, weight: float) -> list[bool]:
    """Which of the candidates answer, in their new order."""
    new = [
        score + weight * scores[row] if n < first else score - 50
        for n, (row, score) in enumerate(zip(one.rows, one.scores, strict=True))
    ]
    return [one.gold[n] for n in sorted(range(len(new)), key=lambda n: -new[n])]


def worth(asked: Sequence[Asked], found_scores: Tensor, name: str) -> None:
    """Print what reading the first so many again gives, for each set and in the mean."""
    scores, total = found_scores.tolist(), defaultdict(list)
    for of in sorted({one.of for one in asked}):
        own = [one for one in asked if one.of == of]
        line = []
        for way in (None, *WAYS):
            found = []
            for one in own:
                if one.golds:
                    hits = read_again(one, scores, *way) if way else one.gold
                    found.append(
                        (sum(hits[:5]) / one.golds, 1 / (1 + hits.index(True)) if any(hits) else 0.0)
                    )
            if found:
                r, m = (sum(pair[n] for pair in found) / len(found) for n in (0, 1))
                called = "{}x{}".format(*way) if way else "was"
                total[called].append((r, m))
                line.append(f"{called} {r:.3f}/{m:.3f}")
        for n in (8, 20):
            best = [(max((scores[row] for row in one.rows[:n]), default=-9), one.golds) for one in own]
            sure, unsure = [s for s, golds in best if golds], [s for s, golds in best if not golds]
            line.append(f"auroc@{n} {auroc(sure, unsure):.3f}")
        sure, unsure = ([one.confidence for one in own if bool(one.golds) is has] for has in (True, False))
        print(name, of, *line, f"(was {auroc(sure, unsure):.3f})", flush=True)
    means = {key: [sum(pair[n] for pair in own) / len(own) for n in (0, 1)] for key, own in total.items()}
    print(name, "all", *(f"{key} {r:.3f}/{m:.3f}" for key, (r, m) in means.items()), flush=True)


def main() -> None:
    """Read the options, train a teacher, then its students; write them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("data", "embed", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--stores", type=Path, help="more written stores, as packs")
    parser.add_argument("--parts", nargs="+", default=["train"])
    parser.add_argument("--candidates", type=Path, help="rankings to be read again, for measuring")
    parser.add_argument("--deep", type=int, default=40)
    parser.add_argument("--shapes", nargs="+", default=["4x1536"], help="layers x inner numbers")
    parser.add_argument("--seconds", type=float, default=45, help="for each teacher")
    parser.add_argument("--teachers", type=int, default=3)
    parser.add_argument("--student", type=float, default=60, help="seconds for each student")
    parser.add_argument(
        "--weigh",
        type=json.loads,
        default={"articles": 0.25, "squad": 0.5, "facts": 0.6, "qmsum": 0.7, "molweni": 0.4},
    )
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    embed, tokenizer = encoder.opened(options.embed)
    pairs = Pairs()
    talks = [one for part in options.parts for one in sources.talks(options.data, part, options.stores)]
    groups = groups_of(talks, pairs, embed, tokenizer) + groups_of_facts(pairs, embed, tokenizer)
    learnt = len(pairs.ids)
    asked = ranked(options.candidates, options, pairs, tokenizer) if options.candidates else []
    rows = pairs.rows()
    counted: dict[str, int] = defaultdict(int)
    for group in groups:
        counted[group.of] += 1
    print(dict(counted), learnt, len(rows), f"{float(rows.lengths.float().mean()):.0f} ids a row", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    kept: dict[str, Tensor] = {}

    def measured(model: Reader, name: str, begin: int = learnt) -> Tensor:
        found = logits(model, rows, begin)
        if asked:
            kept[name] = found[learnt:].half()
            worth(asked, found, name)
        return found

    begun = Reader(encoder.shaped(embed, "6x1536", rows)).to(encoder.DEVICE)

    def learn(own: Reader) -> int:
        steps = train(own, rows, groups, options, seconds=options.seconds)
        measured(own, "one")
        return steps

    teacher = encoder.taught(begun, learn, options.teachers)
    told = measured(teacher, "teacher", 0)
    for shape in options.shapes:
        student = Reader(encoder.shaped(teacher.bert, shape, rows)).to(encoder.DEVICE)
        student.head.load_state_dict(teacher.head.state_dict())
        steps = train(student, rows, groups, options, seconds=options.student, teacher=told, rate=1.5e-4)
        encoder.save(student, options.out / f"read{shape}.safetensors")  # before anything is measured
        print(f"{shape}: {steps} steps", flush=True)
        measured(student, shape)
    if asked:
        plain = [one._asdict() for one in asked]
        torch.save({"asked": plain, "begin": learnt, "logits": kept}, options.out / "asked.pt")


if __name__ == "__main__":
    main()
