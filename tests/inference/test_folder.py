"""A model folder is read as its small files say."""

import json
import os

import numpy as np
import pytest

from memoracle.errors import EmbedderUnavailable
from memoracle.inference.api import E5, EmbeddingKind, Prefixes
from memoracle.inference.folder import open_folder, read_folder


@pytest.fixture
def linked(minilm_folder, tmp_path):
    """Makes a folder with the real model's files, less or changed as asked."""

    def make(name="my-model", **changed):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("model.safetensors", "vocab.txt", "config.json", "sentence_bert_config.json"):
            if file not in changed:
                os.symlink(os.path.join(minilm_folder, file), folder / file)
        for file, content in changed.items():
            if content is not None:
                (folder / file).parent.mkdir(exist_ok=True)
                (folder / file).write_text(json.dumps(content))
        return str(folder)

    return make


def test_a_bert_folder_gives_the_bundled_vectors(linked, minilm):
    """The same weights read as a folder give the same vectors, under the folder's own name."""
    found = open_folder(linked())

    np.testing.assert_allclose(found.embed(["some text"]), minilm.embed(["some text"]), atol=1e-6)
    assert (found.name.split("@")[0], found.dims) == ("my-model", 384)


def test_pooling_by_first_token(linked, minilm):
    """A folder that asks for the `[CLS]` token gets another vector and another name."""
    mean, first = (
        open_folder(linked("a")),
        open_folder(linked("b", **{"1_Pooling/config.json": {"pooling_mode_cls_token": True}})),
    )

    assert float(first.embed(["some text"])[0] @ mean.embed(["some text"])[0]) < 0.99
    assert first.name.split("@")[1] != mean.name.split("@")[1]


def test_prefixes_reach_the_model(linked, minilm):
    """A question and a passage differ by their prefixes."""
    found = open_folder(linked(), prefixes=E5)

    np.testing.assert_allclose(
        [found.embed(["tea"], EmbeddingKind.QUERY)[0], found.embed(["tea"], EmbeddingKind.PASSAGE)[0]],
        minilm.embed(["query: tea", "passage: tea"]),
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
