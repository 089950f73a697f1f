"""What torch computes from the packed weights: the numbers that the product's own arithmetic is held to.

    python -m training.reference WEIGHTS REFERENCE

WEIGHTS is the folder that `training.weights` filled, REFERENCE the file of the tests: its texts stay, its numbers are
made anew. Tokenizer, encoder and heads are those of the training, not those of the product.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from memoracle.inference.tensors import open_tensors
from training import encoder, read, sources, tag
from training.weights import USES, WORDS, dequantised, write_reference

_LONGEST = 256
_LONGEST_SPAN = 60


def bert_of(floats: dict[str, Any], use: str) -> BertModel:
    """The encoder of one use, with the floats that stand for its bytes."""
    own = {name.removeprefix(f"{use}."): torch.tensor(array) for name, array in floats.items()}
    inner = own["encoder.layer.0.intermediate.dense.weight"].shape[0]
    depth = sum(name.endswith("intermediate.dense.bias") for name in floats if name.startswith(f"{use}."))
    config = BertConfig(
        vocab_size=len(floats[WORDS]),
        hidden_size=encoder.DIMS,
        num_hidden_layers=depth,
        num_attention_heads=12,
        intermediate_size=inner,
    )
    found = BertModel(config, add_pooling_layer=False).double().eval()
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


def loaded(model: nn.Module, floats: dict[str, Any], use: str, renamed: dict[str, str]) -> nn.Module:
    """The heads of a reader or a tagger, with the floats that stand for their bytes."""
    for name, value in model.named_parameters():
        if not name.startswith("bert."):
            for old, new in renamed.items():
                name = new + name.removeprefix(old) if name.startswith(old) else name  # noqa: PLW2901
            value.data = torch.tensor(floats[f"{use}.{name}"])
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
    model = loaded(read.Reader(bert_of(floats, "read")), floats, "read", {"head.2.": "head.1."})
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


def tagged(turns: list[dict[str, str]], floats: dict[str, Any], tokenizer: Tokenizer) -> list[Any]:
    """Turns with what is said of them."""
    model = loaded(tag.Tagger(bert_of(floats, "tag")), floats, "tag", {"span.": "head.span."})
    labels = {"kind": tag.KINDS, "about": tag.ABOUT, "stance": tag.STANCES, "until": tag.UNTIL}
    found = []
    for turn in turns:
        one = tag.Example("", 0, turn["text"], turn.get("who", ""), turn.get("before", ""), [])
        rows = tag.Examples([one], tokenizer).rows
        ids, second = rows.ids[0].tolist(), int(rows.second[0])  # type: ignore[index]
        states = model.bert(**batch_of(ids, second)).last_hidden_state
        says: dict[str, Any] = {"keep": round(float(model.head["keep"](states[:, 0]).sigmoid()), 5)}
        for head, names in labels.items():
            shares = model.head[head](states[0, 0]).softmax(0)
            says[head] = [names[int(shares.argmax())], round(float(shares.max()), 5)]
        says["span"] = span_of(model.span(states)[0].numpy(), turn["text"], tokenizer, len(ids))
        found.append((turn, says))
    return found


def span_of(ends: np.ndarray, text: str, tokenizer: Tokenizer, size: int) -> list[int]:
    """The characters between the likeliest start and end."""
    offsets = tokenizer.encode(text[:3000]).offsets[: tag.TEXT]
    lead = size - 1 - len(offsets)
    best = max(
        (
            (float(ends[lead + start, 0] + ends[lead + end, 1]), start, end)
            for start in range(len(offsets))
            for end in range(start, min(len(offsets), start + _LONGEST_SPAN))
        ),
        default=(0.0, 0, -1),
    )
    return [offsets[best[1]][0], offsets[best[2]][1]] if offsets else [0, 0]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
