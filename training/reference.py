"""What torch computes from the packed weights: the numbers that the product's own arithmetic is held to.

    python -m training.reference WEIGHTS REFERENCE

WEIGHTS is the folder that `training.weights` filled, REFERENCE the file of the tests: its texts stay, its numbers are
made anew. Tokenizer, encoder and heads are those of the training, not those of the product.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from memoracle.inference.tensors import open_tensors
from training import changes, encoder, read, sources, tag
from training.weights import USES, WORDS, dequantised, named, write_reference

_LONGEST = 256


def bert_of(floats: dict[str, Any], use: str) -> BertModel:
    """The encoder of one use, with the floats that stand for its bytes."""
    own = {name.removeprefix(f"{use}."): torch.tensor(array) for name, array in floats.items()}
    depth = sum(name.endswith("intermediate.dense.bias") for name in floats if name.startswith(f"{use}."))
    config = BertConfig(
        vocab_size=len(floats[WORDS]),
        hidden_size=encoder.DIMS,
        num_hidden_layers=depth,
        num_attention_heads=12,
    )
    found = BertModel(config, add_pooling_layer=False)
    for number, layer in enumerate(found.encoder.layer):
        inner = len(own[f"encoder.layer.{number}.intermediate.dense.bias"])
        layer.intermediate.dense = nn.Linear(encoder.DIMS, inner)
        layer.output.dense = nn.Linear(inner, encoder.DIMS)
    found.double().eval()
    missing, _ = found.load_state_dict({**own, WORDS: torch.tensor(floats[WORDS])}, strict=False)
    if [name for name in missing if not name.endswith("position_ids")]:
        raise ValueError(f"{use} lacks {missing}")
    return found


def batch_of(ids: list[int], second: int) -> dict[str, Tensor]:
    """One input."""
    types = [0] * second + [1] * (len(ids) - second)
    return {
        "input_ids": torch.tensor([ids]),
        "attention_mask": torch.ones(1, len(ids), dtype=torch.long),
        "token_type_ids": torch.tensor([types]),
    }


def loaded(model: nn.Module, floats: dict[str, Any], use: str) -> nn.Module:
    """The heads of a reader or a tagger, with the floats that stand for their bytes."""
    for name, value in model.named_parameters():
        if not name.startswith("bert."):
            value.data = torch.tensor(floats[f"{use}.{named(name)}"])
    return model.double().eval()


@torch.no_grad()
def main(folder: Path, path: Path) -> None:
    """Compute and write."""
    files = {use: open_tensors(str(folder / f"{use}.safetensors")) for use in USES}
    floats = dequantised({name: array for file in files.values() for name, array in file.tensors.items()})
    words = files["embed"].tensors["vocabulary"].tobytes().decode().split("\n")
    tokenizer = encoder.tokenizer_of(words)
    before = json.loads(path.read_text(encoding="utf-8"))
    write_reference(
        str(path),
        digests={use: file.metadata["digest"] for use, file in files.items()},
        embed=embedded([one["text"] for one in before["embed"]], bert_of(floats, "embed"), tokenizer),
        read=judged(before["read"], floats, tokenizer),
        change=changed(before["change"], floats, tokenizer),
        tag=tagged([one["turn"] for one in before["tag"]], floats, tokenizer),
    )


def embedded(texts: list[str], model: BertModel, tokenizer: Tokenizer) -> list[tuple[str, list[float]]]:
    """Texts with their unit vectors."""
    found = []
    for text in texts:
        ids = [encoder.CLS, *tokenizer.encode(text).ids[: _LONGEST - 2], encoder.SEP]
        mean = model(**batch_of(ids, len(ids))).last_hidden_state[0].mean(0)
        found.append((text, (mean / mean.norm()).tolist()))
    return found


def judged(pairs: list[dict[str, Any]], floats: dict[str, Any], tokenizer: Tokenizer) -> list[Any]:
    """Questions and passages with their logits."""
    model = loaded(read.Reader(bert_of(floats, "read")), floats, "read")
    found = []
    for pair in pairs:
        passage = pair["passage"]
        turn = sources.Turn(
            passage.get("who", ""), passage.get("when", ""), passage["text"], passage.get("before", "")
        )
        ids, second = read.Said([turn], tokenizer).pair(tokenizer.encode(pair["question"]).ids, 0)
        states = model.bert(**batch_of(ids, second)).last_hidden_state
        found.append((pair["question"], passage, float(model.head(states[:, 0]))))
    return found


def changed(pairs: list[dict[str, Any]], floats: dict[str, Any], tokenizer: Tokenizer) -> list[Any]:
    """Statements and what was said before them, with their logits; what it has in common with `read` stands there."""
    shared = {
        f"change.{name.removeprefix('read.')}": one
        for name, one in floats.items()
        if name.startswith("read.")
    }
    own = {**shared, **floats}
    model = loaded(read.Reader(bert_of(own, "change")), own, "change")
    found = []
    for pair in pairs:
        question, (old, new) = pair.get("question", ""), (pair["old"], pair["new"])
        told = [f"{one['who']}: {one['text']}" if one.get("who") else one["text"] for one in (new, old)]
        rows = changes.rows_of([changes.Row(question, *told, 0.0)], tokenizer)
        batch = batch_of(rows.ids[0].tolist(), int(rows.second[0]))  # type: ignore[index]
        found.append((question, old, new, float(model.head(model.bert(**batch).last_hidden_state[:, 0]))))
    return found


def tagged(turns: list[dict[str, str]], floats: dict[str, Any], tokenizer: Tokenizer) -> list[Any]:
    """Turns with what is said of them."""
    model = loaded(tag.Tagger(bert_of(floats, "tag")), floats, "tag")
    found = []
    for turn in turns:
        one = tag.Example("", 0, turn["text"], turn.get("who", ""), turn.get("before", ""), [])
        rows = tag.Examples([one], tokenizer).rows
        ids, second = rows.ids[0].tolist(), int(rows.second[0])  # type: ignore[index]
        offsets = tokenizer.encode(turn["text"][:3000]).offsets[: tag.TEXT]
        lead, batch = len(ids) - 1 - len(offsets), batch_of(ids, second)
        nowhere = torch.full((1, 1, 2), -1)
        marks = model(batch, nowhere)["token"][0, lead:-1].argmax(-1).tolist()
        ends = claims_of(marks) or ([(0, len(marks) - 1)] if marks else [])
        given = torch.tensor([[[lead + begin, lead + end] for begin, end in ends]]) if ends else nowhere
        logits = model(batch, given)
        says: dict[str, Any] = {name: round(float(logits[name].sigmoid()), 5) for name in ("keep", "alone")}
        says["stance"] = likeliest(logits["stance"][0], tag.STANCES)
        says["claims"] = [
            {"span": [offsets[begin][0], offsets[end][1]]}
            | {
                name: likeliest(logits[name][0, n], names)
                for name, names in (("kind", tag.KINDS), ("about", tag.ABOUT), ("until", tag.UNTIL))
            }
            for n, (begin, end) in enumerate(ends)
        ]
        found.append((turn, says))
    return found


def likeliest(logits: Tensor, names: list[str]) -> list[Any]:
    """The best label and its probability."""
    shares = logits.softmax(-1)
    return [names[int(shares.argmax())], round(float(shares.max()), 5)]


def claims_of(marks: list[int]) -> list[tuple[int, int]]:
    """First and last token of each claim."""
    text = "".join("OBI"[mark] for mark in marks)
    return [(one.start(), one.end() - 1) for one in re.finditer("BI*|I+", text)][:6]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
