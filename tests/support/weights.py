"""The bundled model, opened once; and a folder with a model of somebody's own, made up and tiny."""

import json

import numpy as np
import pytest
from training.weights import write_tensors

from memoracle.inference.bundled import open_embedder


@pytest.fixture(scope="session")
def embedder():
    return open_embedder()


def small_model_folder(folder):
    """A BERT of one layer, eight dimensions and a few letters, in Hugging Face's layout; its path."""
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        *"abcdefghijklmnopqrstuvwxyz",
        *(f"##{a}" for a in "abcdeimost"),
    ]
    draw = np.random.default_rng(5)
    shapes = {
        "embeddings.word_embeddings.weight": (len(words), 8),
        "embeddings.position_embeddings.weight": (64, 8),
        "embeddings.token_type_embeddings.weight": (2, 8),
        "embeddings.LayerNorm.weight": (8,),
        "embeddings.LayerNorm.bias": (8,),
    }
    layer = "encoder.layer.0"
    for name, size in {
        "attention.self.query": (8, 8),
        "attention.self.key": (8, 8),
        "attention.self.value": (8, 8),
        "attention.output.dense": (8, 8),
        "attention.output.LayerNorm": (8,),
        "intermediate.dense": (16, 8),
        "output.dense": (8, 16),
        "output.LayerNorm": (8,),
    }.items():
        shapes |= {f"{layer}.{name}.weight": size, f"{layer}.{name}.bias": size[:1]}
    folder.mkdir()
    tensors = {name: draw.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    write_tensors(str(folder / "model.safetensors"), tensors)
    (folder / "vocab.txt").write_text("\n".join(words) + "\n")
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_attention_heads": 2,
        "max_position_embeddings": 64,
    }
    (folder / "config.json").write_text(json.dumps(config))
    return str(folder)
