"""Teach MiniLM Chinese: one space for questions and passages of both languages.

    python -m training.embed --minilm FOLDER --tatoeba FILE --convlab FOLDER --qa FILE … --meetings FILE … --out FOLDER

Needs torch, transformers, tokenizers and a GPU. Signals: MiniLM's own vectors of the English side for both sides of
parallel sentences (cosine, and contrast within the batch), questions beside what answers them (contrast), and MiniLM
itself for other English, which has to stay where it was.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

from training import sources

CLS, SEP, UNK = 101, 102, 100
MARKS = "，。！？：；（）“”‘’、《》…—～·"
LONGEST = 96
SHARPNESS = 0.05


def words_of(folder: Path, texts: Sequence[str]) -> list[str]:
    """MiniLM's vocabulary, then every character of GB 2312 and what else the texts hold at least twice."""
    known = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    common = [
        bytes([high, low]).decode("gb2312", "ignore")
        for high in range(0xB0, 0xF8)
        for low in range(0xA1, 0xFF)
    ]
    counted = Counter(ch for text in texts for ch in text if "\u4e00" <= ch <= "\u9fff")
    more = [*common, *sorted(ch for ch, times in counted.items() if times > 1), *MARKS]
    return known + [ch for ch in dict.fromkeys(more) if ch and ch not in set(known)]


def tokenizer_of(words: Sequence[str]) -> Tokenizer:
    """The tokenizer of that vocabulary: as BERT's, Han characters one by one."""
    found = Tokenizer(models.WordPiece({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))  # noqa: S106
    found.normalizer = normalizers.BertNormalizer(lowercase=True)
    found.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    found.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", CLS), ("[SEP]", SEP)]
    )
    found.enable_truncation(LONGEST)
    return found


class Texts:
    """Texts with their ids, tokenised once: inside the loop it was the bottleneck."""

    def __init__(self, texts: Sequence[str], tokenizer: Tokenizer) -> None:
        self.ids = [one.ids for one in tokenizer.encode_batch(list(texts))]

    def batch(self, places: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Padded ids, and which of them count."""
        rows = [self.ids[place] for place in places]
        ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
        for row, own in zip(ids, rows, strict=True):
            row[: len(own)] = torch.tensor(own)
        return ids.cuda(), (ids > 0).float().cuda()


def embedded(model: nn.Module, ids: Tensor, mask: Tensor) -> Tensor:
    """Mean of the last layer, of length one."""
    hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    return functional.normalize((hidden * weights).sum(1) / weights.sum(1), dim=-1).float()


@torch.no_grad()
def vectors(model: nn.Module, texts: Texts, *, known: int = 0, size: int = 512) -> Tensor:
    """The vectors of all texts; ids from `known` on are unknown words to this model."""
    model.eval()
    order = sorted(range(len(texts.ids)), key=lambda place: len(texts.ids[place]))
    found = torch.zeros(len(order), 384)
    for start in range(0, len(order), size):
        part = order[start : start + size]
        ids, mask = texts.batch(part)
        ids = ids.masked_fill(ids >= known, UNK) if known else ids
        found[part] = embedded(model, ids, mask).cpu()
    return found


def contrast(one: Tensor, other: Tensor) -> Tensor:
    """How badly each finds its own among the others, both ways."""
    scores, own = one @ other.T / SHARPNESS, torch.arange(len(one), device=one.device)
    return (functional.cross_entropy(scores, own) + functional.cross_entropy(scores.T, own)) / 2


def away(one: Tensor, other: Tensor) -> Tensor:
    """How far from where it should be."""
    return (1 - (one * other).sum(1)).mean()


def student_of(folder: Path, words: int) -> BertModel:
    """MiniLM with rows for new words, which begin near the mean of the old ones."""
    student = BertModel.from_pretrained(folder, add_pooling_layer=False).float()
    old = student.embeddings.word_embeddings.weight.data
    rows = nn.Embedding(words, old.shape[1], padding_idx=0)
    rows.weight.data[: len(old)] = old
    rows.weight.data[len(old) :] = old.mean(0) + torch.randn(words - len(old), old.shape[1]) * old.std() * 0.3
    student.embeddings.word_embeddings = rows
    student.config.vocab_size = words
    return student.cuda()


def train(options: argparse.Namespace) -> None:
    """One student, for as many seconds as were given."""
    pairs = sources.pairs(options.tatoeba, options.convlab, "train")
    answered = [*sources.answered(options.qa, "train"), *sources.written("train")]
    other = [text for path in options.meetings for text in sources.meetings(path)]
    other += [one.words for one in answered if not sources.is_chinese(one.words)]
    words = words_of(options.minilm, [*(chinese for _, chinese in pairs), *(a.words for a in answered)])
    tokenizer = tokenizer_of(words)
    english, chinese = (Texts([pair[side] for pair in pairs], tokenizer) for side in (0, 1))
    asked, said = (Texts([one[side] for one in answered], tokenizer) for side in (0, 1))
    kept = Texts(other, tokenizer)
    teacher = BertModel.from_pretrained(options.minilm, add_pooling_layer=False).float().cuda()
    known = teacher.config.vocab_size
    of_english, of_kept = vectors(teacher, english, known=known), vectors(teacher, kept, known=known)
    student = student_of(options.minilm, len(words))
    rows = [p for name, p in student.named_parameters() if "word_embeddings" in name]
    rest = [p for name, p in student.named_parameters() if "word_embeddings" not in name]
    rates = (1e-3, 1.5e-4)
    optimiser = torch.optim.AdamW(
        [{"params": own, "lr": rate} for own, rate in zip((rows, rest), rates, strict=True)]
    )
    begun, step = time.monotonic(), 0
    while (spent := (time.monotonic() - begun) / options.seconds) < 1:
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, step / 300) * (0.02 + 0.49 * (1 + math.cos(math.pi * spent)))
        student.train()
        some, more, questions = (
            random.sample(range(size), number)
            for size, number in ((len(pairs), 256), (len(other), 128), (len(answered), 176))
        )
        with torch.autocast("cuda", torch.bfloat16):
            zh, en, same, ask, tell = (
                embedded(student, *texts.batch(places))
                for texts, places in (
                    (chinese, some),
                    (english, some[:128]),
                    (kept, more),
                    (asked, questions),
                    (said, questions),
                )
            )
        target, stays = of_english[some].cuda(), of_kept[more].cuda()
        loss = (
            2 * away(zh, target)
            + 0.5 * contrast(zh, target)
            + 2 * away(en, target[:128])
            + 3 * away(same, stays)
            + 0.4 * contrast(ask, tell)
        )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        step += 1
        if step % 500 == 0:
            print(f"step {step}: {loss.item():.3f}", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    student.half().save_pretrained(options.out)
    (options.out / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    print(f"{step} steps", measure(student.float(), teacher, tokenizer, options), sep="\n")


def measure(student: nn.Module, teacher: nn.Module, tokenizer: Tokenizer, options: argparse.Namespace) -> str:
    """What the student does with what nobody learnt from."""

    def of(texts: Sequence[str]) -> Tensor:
        return vectors(student, Texts(texts, tokenizer))

    pairs = sources.pairs(options.tatoeba, options.convlab, "measure")[:2000]
    scores = of([one for one, _ in pairs]) @ of([other for _, other in pairs]).T
    own = torch.arange(len(pairs))
    lines = [
        f"English to Chinese, first of {len(pairs)}: {(scores.argmax(1) == own).float().mean():.3f}",
        f"Chinese to English: {(scores.argmax(0) == own).float().mean():.3f}",
    ]
    asked = [*sources.answered(options.qa, "measure")]
    pool = sorted({one.words for one in asked})
    scores = of([one.question for one in asked]) @ of(pool).T
    ranks = [rank(row, [pool.index(one.words)]) for row, one in zip(scores, asked, strict=True)]
    lines.append(f"Chinese question to sentence, MRR of {len(asked)}: {sum(ranks) / len(ranks):.3f}")
    found: dict[str, list[float]] = {}
    for store in sources.stores("measure"):
        place = {turn["id"]: n for n, turn in enumerate(store["turns"])}
        passages = of([f"{turn['speaker']}: {turn['text']}" for turn in store["turns"]])
        for query in store["queries"]:
            if query["answerable"]:
                gold = [place[name] for name in query["gold"]]
                languages = [
                    sources.is_chinese(text) for text in (query["text"], store["turns"][gold[0]]["text"])
                ]
                way = " to ".join("Chinese" if chinese else "English" for chinese in languages)
                found.setdefault(way, []).append(rank((of([query["text"]]) @ passages.T)[0], gold))
    lines += [
        f"written, {way}, MRR of {len(all_)}: {sum(all_) / len(all_):.3f}"
        for way, all_ in sorted(found.items())
    ]
    kept = [text for path in options.meetings for text in sources.meetings(path)][:2000]
    before = vectors(teacher, Texts(kept, tokenizer), known=teacher.config.vocab_size)
    return "\n".join([*lines, f"English kept, cosine: {(of(kept) * before).sum(1).mean():.3f}"])


def rank(scores: Tensor, gold: Sequence[int]) -> float:
    """One over the place of the best of those that answer."""
    return 1 / (1 + int((scores > scores[list(gold)].max()).sum()))


def main() -> None:
    """Read the options, train, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("minilm", "tatoeba", "convlab", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("qa", "meetings"):
        parser.add_argument(f"--{name}", type=Path, nargs="+", required=True)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    train(options)


if __name__ == "__main__":
    main()
