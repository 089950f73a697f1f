"""A model folder is read as its small files say."""

import json
import os

import numpy as np
import pytest
from training.weights import WORDS, dequantised, write_tensors

from memoracle.errors import EmbedderUnavailable
from memoracle.inference.api import E5, EmbeddingKind, Prefixes
from memoracle.inference.bert import Bert, BertShape, Encoded
from memoracle.inference.bundled import WEIGHTS
from memoracle.inference.folder import open_folder, read_folder
from memoracle.inference.tensors import open_tensors

_KNOWN_WORDS = 8000
_CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "num_attention_heads": 12,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 512,
}


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory):
    """The bundled encoder as a folder in Hugging Face's shape: floats instead of bytes, and fewer words."""
    folder = tmp_path_factory.mktemp("hugging-face")
    file = open_tensors(f"{WEIGHTS}/embed.safetensors")
    own = {
        name.removeprefix("embed."): array
        for name, array in file.tensors.items()
        if name.startswith(("embed.", WORDS))
    }
    for name in (WORDS, f"{WORDS}.scale"):
        own[name] = own[name][:_KNOWN_WORDS]
    write_tensors(str(folder / "model.safetensors"), dequantised(own))
    words = file.tensors["vocabulary"].tobytes().split(b"\n")[:_KNOWN_WORDS]
    (folder / "vocab.txt").write_bytes(b"\n".join(words) + b"\n")
    (folder / "config.json").write_text(json.dumps(_CONFIG))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 256}))
    return str(folder)


@pytest.fixture
def linked(model_folder, tmp_path):
    """Makes a folder with the real model's files, less or changed as asked."""

    def make(name="my-model", **changed):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("model.safetensors", "vocab.txt", "config.json", "sentence_bert_config.json"):
            if file not in changed:
                os.symlink(os.path.join(model_folder, file), folder / file)
        for file, content in changed.items():
            if content is not None:
                (folder / file).parent.mkdir(exist_ok=True)
                (folder / file).write_text(json.dumps(content))
        return str(folder)

    return make


def test_a_bert_folder_gives_the_bundled_vectors(linked, embedder):
    """The same weights as floats in a folder give the same vectors, few tokens or many, under the folder's name."""
    found = open_folder(linked())
    texts = ["some text", "what did they say about it? " * 8, "the city and the river " * 3]

    np.testing.assert_allclose(found.embed(texts), embedder.embed(texts), atol=1e-5)
    np.testing.assert_allclose(found.embed(texts[:1]), embedder.embed(texts[:1]), atol=1e-5)
    assert (found.name.split("@")[0], found.dims) == ("my-model", 384)


def test_pooling_by_first_token(linked):
    """A folder that asks for the `[CLS]` token gets another vector and another name."""
    mean, first = (
        open_folder(linked("a")),
        open_folder(linked("b", **{"1_Pooling/config.json": {"pooling_mode_cls_token": True}})),
    )

    assert float(first.embed(["some text"])[0] @ mean.embed(["some text"])[0]) < 0.99
    assert first.name.split("@")[1] != mean.name.split("@")[1]


def test_the_first_token_alone_is_what_it_is_among_all(model_folder):
    """The last layer computes no other state when no other is wanted, and that one is the same."""
    bert = Bert(open_tensors(f"{model_folder}/model.safetensors").tensors, BertShape(heads=12, eps=1e-12))
    inputs = [Encoded(ids=list(range(1000, 1000 + n)), first=2) for n in (3, 5, 5, 60)]

    def firsts(states, runs, _):
        return states[[start for run in runs for start in run.starts]]

    (_, alone), (_, among) = (
        next(iter(bert.each_batch(inputs, firsts, only_first=only))) for only in (True, False)
    )
    np.testing.assert_allclose(alone, among, atol=1e-5)


def test_prefixes_reach_the_model(linked):
    """A question and a passage differ by their prefixes."""
    found = open_folder(linked(), prefixes=E5)

    np.testing.assert_allclose(
        [found.embed(["tea"], EmbeddingKind.QUERY)[0], found.embed(["tea"], EmbeddingKind.PASSAGE)[0]],
        open_folder(linked("bare")).embed(["query: tea", "passage: tea"]),
        atol=1e-6,
    )


def test_where_prefixes_come_from(linked):
    """The folder's prompts, else the habit of the e5 family, else none; an argument overrules all."""
    prompts = {"config_sentence_transformers.json": {"prompts": {"query": "Q ", "document": "D "}}}

    assert read_folder(linked("with-prompts", **prompts)).prefixes == Prefixes(query="Q ", passage="D ")
    assert read_folder(linked("multilingual-e5-large")).prefixes == E5
    assert read_folder(linked("plain")).prefixes == Prefixes()
    assert read_folder(linked("e5-small"), Prefixes()).prefixes == Prefixes()


@pytest.mark.parametrize(
    "changed",
    [
        {"config.json": {"model_type": "xlm-roberta"}},
        {"vocab.txt": None},
        {"modules.json": [{"type": "sentence_transformers.models.Dense"}]},
    ],
)
def test_what_cannot_run_is_said(linked, changed):
    """Neither BERT nor ONNX, no vocabulary, or a layer we do not compute."""
    with pytest.raises(EmbedderUnavailable):
        open_folder(linked(**changed))


def test_no_folder_and_broken_files(linked, tmp_path):
    """A path that is no folder and a config that is no JSON are unavailable, not a traceback."""
    broken = linked(**{"config.json": None})
    with open(os.path.join(broken, "config.json"), "w") as file:
        file.write("{")

    for path in (str(tmp_path / "nowhere"), broken):
        with pytest.raises(EmbedderUnavailable):
            open_folder(path)
