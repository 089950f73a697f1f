"""The encoder that all uses begin with, in torch: its words, its tokenizer, batches that stay on the GPU."""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

CLS, SEP, UNK, STOP = 101, 102, 100, 1012
DIMS = 384
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
MARKS = "，。！？：；（）“”‘’、《》…—～·「」『』"
_COUNT = torch.int32


def words_of(folder: Path, texts: Iterable[str]) -> list[str]:
    """MiniLM's vocabulary, then every character of GB 2312 and what else the texts hold at least twice."""
    known = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    common = [
        bytes([high, low]).decode("gb2312", "ignore")
        for high in range(0xB0, 0xF8)
        for low in range(0xA1, 0xFF)
    ]
    counted = Counter(ch for text in texts for ch in text if "\u4e00" <= ch <= "\u9fff")
    more = [*common, *sorted(ch for ch, times in counted.items() if times > 1), *MARKS]
    have = set(known)
    return known + [ch for ch in dict.fromkeys(more) if ch and ch not in have]


def tokenizer_of(words: Sequence[str]) -> Tokenizer:
    """The tokenizer of that vocabulary: as BERT's, Han characters one by one, nothing put around."""
    found = Tokenizer(models.WordPiece({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))  # noqa: S106
    found.normalizer = normalizers.BertNormalizer(lowercase=True)
    found.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return found


class Rows:
    """Sequences of ids on the GPU, each with the place where its second part begins."""

    def __init__(self, ids: Sequence[Sequence[int]], second: Sequence[int] | None = None) -> None:
        self.lengths = torch.tensor([len(row) for row in ids])
        flat = torch.zeros(len(ids), int(self.lengths.max()), dtype=_COUNT)
        for row, own in zip(flat, ids, strict=True):
            row[: len(own)] = torch.tensor(own, dtype=_COUNT)
        self.ids = flat.to(DEVICE)
        self.second = None if second is None else torch.tensor(second).to(DEVICE)

    def __len__(self) -> int:
        return len(self.lengths)

    def batch(self, places: Tensor) -> dict[str, Tensor]:
        """What the encoder takes for the rows at these places: a tensor on the CPU, or on the GPU for full width."""
        width = self.ids.shape[1] if places.is_cuda else int(self.lengths[places].max())
        there = places.to(DEVICE)
        ids = self.ids[there, :width].long()
        found = {"input_ids": ids, "attention_mask": (ids > 0).long()}
        if self.second is not None:
            found["token_type_ids"] = (
                torch.arange(width, device=DEVICE)[None] >= self.second[there][:, None]
            ).long() * found["attention_mask"]
        return found


def texts(given: Sequence[str], tokenizer: Tokenizer, longest: int = 96) -> Rows:
    """The rows of plain texts, cut to `longest` ids with what stands around them."""
    return Rows([[CLS, *one.ids[: longest - 2], SEP] for one in tokenizer.encode_batch(list(given))])


def states(bert: BertModel, batch: dict[str, Tensor]) -> list[Tensor]:
    """What stands at every token after each layer. Nothing here waits for the GPU, so that it can be recorded."""
    given = dict(batch)
    mask = given.pop("attention_mask").bool()[:, None, None]
    now = bert.embeddings(**given)
    found = []
    for layer in bert.encoder.layer:
        own = layer.attention.self
        looked = (
            part(now).unflatten(-1, (own.num_attention_heads, -1)).transpose(1, 2)
            for part in (own.query, own.key, own.value)
        )
        dropped = own.dropout.p if bert.training else 0.0
        seen = functional.scaled_dot_product_attention(*looked, attn_mask=mask, dropout_p=dropped)
        now = layer.attention.output(seen.transpose(1, 2).flatten(2), now)
        now = layer.output(layer.intermediate(now), now)
        found.append(now)
    return found


class Learner:
    """A step of learning, repeated: on a GPU it is recorded once, because starting its parts takes longer than they do.

    `loss` is computed from tensors on the GPU that stay where they are; whoever calls `step` has filled them.
    """

    def __init__(self, model: nn.Module, loss: Callable[[], Tensor], decay: float) -> None:
        self._learnt = [p for p in model.parameters() if p.requires_grad]
        self._rate = torch.zeros((), device=DEVICE)
        self._loss, self._recorded = loss, None
        self._optimiser = torch.optim.AdamW(
            self._learnt, lr=self._rate, weight_decay=decay, fused=True, capturable=DEVICE == "cuda"
        )
        model.train()
        self.last = torch.zeros(())
        if DEVICE == "cuda":
            self._record()

    def _once(self) -> None:
        with torch.autocast(DEVICE, torch.bfloat16):
            loss = self._loss()
        loss.backward()
        nn.utils.clip_grad_norm_(self._learnt, 1.0)
        self._optimiser.step()
        self.last = loss.detach()

    def _record(self) -> None:
        beside = torch.cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(3):  # at a rate of nought
                self._optimiser.zero_grad(set_to_none=True)
                self._once()
        torch.cuda.current_stream().wait_stream(beside)
        self._optimiser.zero_grad(set_to_none=True)
        self._recorded = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._recorded):
            self._once()

    def step(self, rate: float) -> None:
        """Learn from what the tensors hold now."""
        self._rate.fill_(rate)
        if self._recorded:
            self._recorded.replay()
        else:
            self._optimiser.zero_grad(set_to_none=True)
            self._once()


def embedded(model: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    """Mean of the last layer, of length one."""
    hidden = model(**batch).last_hidden_state
    weights = batch["attention_mask"].unsqueeze(-1).to(hidden.dtype)
    return functional.normalize((hidden * weights).sum(1) / weights.sum(1), dim=-1).float()


def embedded_all(model: nn.Module, wanted: Sequence[tuple[Rows, Tensor]], parts: int = 4) -> list[Tensor]:
    """The vectors of many batches, computed together in a few parts of like length: small ones only wait."""
    lengths = torch.cat([rows.lengths[places] for rows, places in wanted])
    width = int(lengths.max())
    together = torch.zeros(len(lengths), width, dtype=torch.long, device=DEVICE)
    done = 0
    for rows, places in wanted:
        own = rows.ids[places.to(DEVICE), :width]
        together[done : done + len(places), : own.shape[1]] = own
        done += len(places)
    order = torch.argsort(lengths)
    found = []
    for part in order.chunk(parts):
        ids = together[part.to(DEVICE), : int(lengths[part].max())]
        found.append(embedded(model, {"input_ids": ids, "attention_mask": (ids > 0).long()}))
    back = torch.argsort(order).to(DEVICE)
    return list(torch.cat(found)[back].split([len(places) for _, places in wanted]))


@torch.no_grad()
def vectors(model: nn.Module, rows: Rows, *, known: int = 0, size: int = 1024) -> Tensor:
    """The vectors of all rows, on the GPU; ids from `known` on are unknown words to this model."""
    model.eval()
    order = torch.argsort(rows.lengths)
    found = torch.zeros(len(order), DIMS, device=DEVICE)
    for part in order.split(size):
        batch = rows.batch(part)
        if known:
            batch["input_ids"] = batch["input_ids"].masked_fill(batch["input_ids"] >= known, UNK)
        with torch.autocast(DEVICE, torch.bfloat16):
            found[part.to(DEVICE)] = embedded(model, batch)
    return found


def student_of(folder: Path, words: int) -> BertModel:
    """MiniLM with rows for new words, which begin near the mean of the old ones."""
    student = BertModel.from_pretrained(folder, add_pooling_layer=False).float()
    old = student.embeddings.word_embeddings.weight.data
    rows = nn.Embedding(words, old.shape[1], padding_idx=0)
    rows.weight.data[: len(old)] = old
    rows.weight.data[len(old) :] = old.mean(0) + torch.randn(words - len(old), old.shape[1]) * old.std() * 0.3
    student.embeddings.word_embeddings = rows
    student.config.vocab_size = words
    return student.to(DEVICE)


def opened(folder: Path) -> tuple[BertModel, Tokenizer]:
    """The trained embedder in a folder, and its tokenizer: where the other two uses begin."""
    words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return BertModel.from_pretrained(folder, add_pooling_layer=False).float().to(DEVICE), tokenizer_of(words)


Model = TypeVar("Model", bound=nn.Module)


def taught(begun: Model, learn: Callable[[Model], int], times: int) -> Model:
    """The mean of the weights of several that began alike: it reads strange texts better than each of them."""
    models = []
    for number in range(times):
        models.append(copy.deepcopy(begun))
        print(f"teacher {number + 1}: {learn(models[-1])} steps", flush=True)
    with torch.no_grad():
        for own, *each in zip(begun.parameters(), *(model.parameters() for model in models), strict=True):
            own.copy_(torch.stack(each).mean(0))
    return begun


def save(model: nn.Module, path: Path) -> None:
    """Write a reader or a tagger without the table of words, which is that of the embedder."""
    own = {name: value for name, value in model.state_dict().items() if "word_embeddings" not in name}
    save_file({name: value.half().cpu().contiguous() for name, value in own.items()}, path)


KEPT = {2: (0, 5), 3: (0, 2, 5), 4: (0, 2, 3, 5), 5: (0, 1, 2, 3, 5), 6: (0, 1, 2, 3, 4, 5)}
"""Which of six layers a student of so many begins with."""


def shaped(model: BertModel, shape: str, rows: Rows) -> BertModel:
    """A copy with fewer layers and narrower ones, as `6x384`: the inner numbers that do most on `rows` stay."""
    depth, width = map(int, shape.split("x"))
    found: BertModel = copy.deepcopy(model)
    if depth < len(found.encoder.layer):
        found.encoder.layer = nn.ModuleList([found.encoder.layer[n] for n in KEPT[depth]])
    found.config.num_hidden_layers = depth
    if width < found.config.intermediate_size:
        doing = _doing(found, rows)
        for layer, own in zip(found.encoder.layer, doing, strict=True):
            inner, outer = layer.intermediate.dense, layer.output.dense
            best = torch.argsort(own * outer.weight.norm(dim=0), descending=True)[:width]
            layer.intermediate.dense = _linear(inner.weight[best], inner.bias[best])
            layer.output.dense = _linear(outer.weight[:, best], outer.bias)
        found.config.intermediate_size = width
    return found


def _linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    made = nn.Linear(weight.shape[1], weight.shape[0], device=weight.device)
    made.weight.data, made.bias.data = weight.detach().clone(), bias.detach().clone()
    return made


@torch.no_grad()
def _doing(model: BertModel, rows: Rows, some: int = 2048) -> list[Tensor]:
    """How much each inner number of each layer does on the average."""
    found: dict[int, Tensor] = {}

    def note(number: int, out: Tensor) -> None:
        found[number] = found.get(number, torch.zeros((), device=out.device)) + out.float().abs().mean((0, 1))

    hooks = [
        layer.intermediate.register_forward_hook(lambda _, __, out, number=number: note(number, out))
        for number, layer in enumerate(model.encoder.layer)
    ]
    model.eval()
    for part in torch.randint(len(rows), (some,)).split(256):
        with torch.autocast(DEVICE, torch.bfloat16):
            model(**rows.batch(part))
    for hook in hooks:
        hook.remove()
    return [found[number] for number in range(len(model.encoder.layer))]


def cooled(step: int, spent: float, warm: int = 200) -> float:
    """What the rate is multiplied by: warmed up, then along a cosine to nearly nothing."""
    return min(1.0, (step + 1) / warm) * (0.01 + 0.495 * (1 + math.cos(math.pi * min(1.0, spent))))
