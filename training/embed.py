"""Teach MiniLM Chinese: one space for questions and passages of both languages.

    python -m training.embed --data FOLDER --out FOLDER [--stores FOLDER] [--seconds 240]

Needs torch, transformers, tokenizers and a GPU. Signals: MiniLM's own vectors of the English side for both sides of
parallel sentences (cosine, and contrast within the batch), questions beside what answers them (contrast, with what
only looks like it), and MiniLM itself for other English, which has to stay where it was.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

from training import encoder, sources
from training.sources import Answered, is_chinese

SHARPNESS = 0.05
SHARE = {"tatoeba": 110, "convlab": 60, "kubernetes": 50, "cedict": 60, "facts": 40, "questions": 40}
"""How many pairs of each source a step sees."""
KEPT, FROM_ARTICLES, STORES, EACH, FACTS = 128, 96, 12, 8, 96


def contrast(one: Tensor, other: Tensor, same: Tensor | None = None) -> Tensor:
    """How badly each finds its own among the others; `same` tells which others are its own as well."""
    scores, own = one @ other.T / SHARPNESS, torch.arange(len(one), device=one.device)
    if same is not None:
        scores = scores.masked_fill(same, -1e4)
    back = scores[:, : len(one)].T
    return (functional.cross_entropy(scores, own) + functional.cross_entropy(back, own)) / 2


def away(one: Tensor, other: Tensor) -> Tensor:
    """How far from where it should be."""
    return (1 - (one * other).sum(1)).mean()


def told(store: dict[str, Any]) -> list[Answered]:
    """The questions of a store, each with the turns that answer it."""
    turns = sources.turns_of(store)
    place = {turn["id"]: n for n, turn in enumerate(store["turns"])}
    found = []
    for query in store["queries"]:
        for name in query["gold"][:2]:
            turn = turns[place[name]]
            found.append(Answered(query["text"], f"{turn.who}: {turn.text[:400]}", str(store["id"])))
    return found


def asked_of_facts(part: str) -> list[Answered]:
    """Every question on a written fact, in every pair of languages."""
    return [
        Answered(asked, fact[f"fact_{language}"], fact["fact_en"], fact[f"near_{language}"])
        for fact in sources.facts(part)
        for asked in (*fact["ask_en"], *fact["ask_zh"])
        for language in ("en", "zh")
    ]


class Questions:
    """Questions, what answers them and what does not, tokenised; drawn so that neighbours are hard to tell apart."""

    def __init__(self, all_: Sequence[Answered], tokenizer: Tokenizer) -> None:
        self.asked = encoder.texts([one.question for one in all_], tokenizer)
        self.told = encoder.texts([one.words for one in all_], tokenizer)
        self.near = encoder.texts([one.near or "nothing" for one in all_], tokenizer)
        numbers: dict[str, int] = {}
        self.same = torch.tensor([numbers.setdefault(one.words, len(numbers)) for one in all_])
        self.by: dict[str, list[int]] = defaultdict(list)
        for n, one in enumerate(all_):
            self.by[one.of].append(n)

    def draw(self, number: int) -> Tensor:
        """So many, whatever they are about."""
        return torch.randint(len(self.asked), (number,))

    def draw_together(self, stores: int, each: int) -> Tensor:
        """Of some stores so many each."""
        chosen = random.sample(sorted(self.by), min(stores, len(self.by)))
        return torch.tensor([n for of in chosen for n in random.choices(self.by[of], k=each)])

    def loss(self, places: Tensor, one: Tensor, other: Tensor, near: Tensor | None = None) -> Tensor:
        """How badly these questions, by their vectors, find what answers them."""
        same = self.same[places]
        twins = (same[:, None] == same[None]) & ~torch.eye(len(same), dtype=torch.bool)
        if near is not None:
            other = torch.cat([other, near])
            twins = torch.cat([twins, torch.zeros_like(twins)], 1)
        return contrast(one, other, twins.to(encoder.DEVICE))


def english(data: Path, stores: Sequence[dict[str, Any]], asked: Sequence[Answered]) -> list[str]:
    """Other English, which has to stay where it was: meetings, what is said in the stores, questions."""
    said = [turn["text"][:300] for store in stores for turn in store["turns"] if not is_chinese(turn["text"])]
    questions = [one.question for one in asked if not is_chinese(one.question)]
    return [*sources.meetings(data), *said, *questions]


def optimiser_of(student: nn.Module) -> tuple[torch.optim.Optimizer, tuple[float, float]]:
    """The optimiser, and how fast the table of words and the rest may learn."""
    rows = [p for name, p in student.named_parameters() if "word_embeddings" in name]
    rest = [p for name, p in student.named_parameters() if "word_embeddings" not in name]
    rates = (1e-3, 2e-4)
    groups = [{"params": own, "lr": rate} for own, rate in zip((rows, rest), rates, strict=True)]
    return torch.optim.AdamW(groups, fused=True), rates


def train(options: argparse.Namespace) -> None:
    """One student, for as many seconds as were given."""
    pairs = {name: many for name, many in sources.pairs(options.data, "train").items() if many}
    stores = [store for part in options.parts for _, store in sources.stores(part, options.stores)]
    written = [one for store in stores for one in told(store)]
    articles, facts = list(sources.answered(options.data, "train")), asked_of_facts("train")
    kept = english(options.data, stores, (*written, *facts))
    chinese = [other for many in pairs.values() for _, other in many]
    chinese += [turn["text"] for store in stores for turn in store["turns"]] + [one.words for one in articles]
    words = encoder.words_of(options.data / "minilm", chinese)
    tokenizer = encoder.tokenizer_of(words)
    sides = {
        name: [encoder.texts([pair[n] for pair in many], tokenizer) for n in (0, 1)]
        for name, many in pairs.items()
    }
    of_articles, of_stores, of_facts = (Questions(many, tokenizer) for many in (articles, written, facts))
    others = encoder.texts(kept, tokenizer)
    counted = {
        "articles": articles,
        "written": written,
        "asked of facts": facts,
        "kept": kept,
        "words": words,
    }
    print({name: len(many) for name, many in {**pairs, **counted}.items()}, flush=True)
    teacher = (
        BertModel.from_pretrained(options.data / "minilm", add_pooling_layer=False).float().to(encoder.DEVICE)
    )
    known = teacher.config.vocab_size
    targets = {name: encoder.vectors(teacher, english, known=known) for name, (english, _) in sides.items()}
    stays = encoder.vectors(teacher, others, known=known)
    student = encoder.student_of(options.data / "minilm", len(words))
    optimiser, rates = optimiser_of(student)
    begun, step = time.monotonic(), 0
    while (spent := (time.monotonic() - begun) / options.seconds) < 1:
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * encoder.cooled(step, spent)
        student.train()
        drawn = {name: torch.randint(len(english), (SHARE[name],)) for name, (english, _) in sides.items()}
        places = torch.randint(len(others), (KEPT,))
        asks = (
            (of_articles, of_articles.draw(FROM_ARTICLES)),
            (of_stores, of_stores.draw_together(STORES, EACH)),
            (of_facts, of_facts.draw(FACTS)),
        )
        wanted = [(sides[name][1], some) for name, some in drawn.items()]
        wanted += [(sides[name][0], some[::2]) for name, some in drawn.items()]
        wanted += [(others, places), (of_facts.near, asks[2][1])]
        wanted += [(rows, some) for questions, some in asks for rows in (questions.asked, questions.told)]
        with torch.autocast(encoder.DEVICE, torch.bfloat16):
            found = encoder.embedded_all(student, wanted)
        zh, en, (same, near, *rest_) = (
            found[: len(drawn)],
            found[len(drawn) : 2 * len(drawn)],
            found[2 * len(drawn) :],
        )
        asked = sum(
            questions.loss(some, rest_[2 * n], rest_[2 * n + 1], near if questions is of_facts else None)
            for n, (questions, some) in enumerate(asks)
        )
        target = [targets[name][some.to(encoder.DEVICE)] for name, some in drawn.items()]
        all_zh, all_target = torch.cat(zh), torch.cat(target)
        halves = torch.cat([one[::2] for one in target])
        loss = (
            2 * away(all_zh, all_target)
            + 0.5 * contrast(all_zh, all_target)
            + 2 * away(torch.cat(en), halves)
            + 3 * away(same, stays[places.to(encoder.DEVICE)])
            + options.asked * asked
        )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        step += 1
        if step % 500 == 0:
            print(f"step {step}: {loss.item():.3f}", flush=True)
    write(student, words, options.out)
    print(f"{step} steps", measure(student.float(), teacher, tokenizer, options), sep="\n", flush=True)


def write(student: BertModel, words: Sequence[str], folder: Path) -> None:
    """The folder that the other two uses begin from."""
    folder.mkdir(parents=True, exist_ok=True)
    student.half().save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")


def measure(student: nn.Module, teacher: nn.Module, tokenizer: Tokenizer, options: argparse.Namespace) -> str:
    """What the student does with what nobody learnt from, and the teacher beside it where it is English."""
    known = teacher.config.vocab_size

    def of(texts: Sequence[str]) -> Tensor:
        return encoder.vectors(student, encoder.texts(texts, tokenizer))

    def before(texts: Sequence[str]) -> Tensor:
        return encoder.vectors(teacher, encoder.texts(texts, tokenizer), known=known)

    pairs = sources.pairs(options.data, "measure")["tatoeba"]
    one, other = of([one for one, _ in pairs[:2000]]), of([other for _, other in pairs[:2000]])
    own = torch.arange(len(one), device=encoder.DEVICE)
    lines = [
        f"English to Chinese, first of {len(own)}: {((one @ other.T).argmax(1) == own).float().mean():.3f}",
        f"Chinese to English: {((one @ other.T).argmax(0) == own).float().mean():.3f}",
    ]
    asked = list(sources.answered(options.data, "measure"))
    pool = sorted({one.words for one in asked})
    scores = of([one.question for one in asked]) @ of(pool).T
    ranks = [rank(row, [pool.index(one.words)]) for row, one in zip(scores, asked, strict=True)]
    lines.append(f"Chinese question to sentence, MRR of {len(asked)}: {sum(ranks) / len(ranks):.3f}")
    found: dict[str, list[float]] = defaultdict(list)
    for part in ("choose", "measure"):
        for _, store in sources.stores(part, options.stores):
            place = {turn["id"]: n for n, turn in enumerate(store["turns"])}
            said = [f"{turn['speaker']}: {turn['text']}" for turn in store["turns"]]
            models = {"": of(said), "MiniLM ": before(said)}
            queries = [query for query in store["queries"] if query["answerable"]]
            for name, ask in (("", of), ("MiniLM ", before)):
                for query, vector in zip(queries, ask([query["text"] for query in queries]), strict=True):
                    gold = [place[one] for one in query["gold"]]
                    way = " to ".join(
                        "Chinese" if is_chinese(text) else "English"
                        for text in (query["text"], store["turns"][gold[0]]["text"])
                    )
                    found[name + way].append(rank(vector @ models[name].T, gold))
    statements = [text for pair in pairs[-2000:] for text in pair]
    for name, ask in (("", of), ("MiniLM ", before)):
        facts = list(sources.facts("measure"))
        for language in ("en", "zh"):
            among = ask(
                [
                    *(fact[f"fact_{language}"] for fact in facts),
                    *(fact[f"near_{language}"] for fact in facts),
                    *statements,
                ]
            )
            for other_language in ("en", "zh"):
                vectors = ask([text for fact in facts for text in fact[f"ask_{other_language}"]])
                found[f"{name}facts, {other_language} to {language}"] = [
                    rank(row, [n // 2]) for n, row in enumerate(vectors @ among.T)
                ]
    lines += [
        f"{way}, MRR of {len(all_)}: {sum(all_) / len(all_):.3f}"
        for way, all_ in sorted(found.items())
        if all_
    ]
    kept = list(sources.meetings(options.data))[:2000]
    return "\n".join([*lines, f"English kept, cosine: {(of(kept) * before(kept)).sum(1).mean():.3f}"])


def rank(scores: Tensor, gold: Sequence[int]) -> float:
    """One over the place of the best of those that answer."""
    return 1 / (1 + int((scores > scores[list(gold)].max()).sum()))


def main() -> None:
    """Read the options, train, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stores", type=Path, help="more written stores, as packs")
    parser.add_argument("--parts", nargs="+", default=["train"])
    parser.add_argument("--asked", type=float, default=0.4)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    train(options)


if __name__ == "__main__":
    main()
