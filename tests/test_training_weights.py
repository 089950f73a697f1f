"""The weight file: what goes in comes out, as bytes with a scale, and nothing wrong goes in."""

import numpy as np
import pytest
from training.weights import WORDS, dequantised, pack, quantise

from memoracle.inference.tensors import open_tensors

SAID = {"version": "1", "labels": {"kind": ["a"]}, "heads": "2", "eps": "1e-12"}
TOKENS = ["[CLS]", "[SEP]", "[UNK]", "中", "tea"]


@pytest.fixture
def uses():
    draw = np.random.default_rng(1)
    own = {
        WORDS: draw.normal(size=(5, 8)),
        "embeddings.token_type_embeddings.weight": draw.normal(size=(2, 8)),
        "embeddings.LayerNorm.weight": draw.normal(size=8),
        "encoder.layer.0.output.dense.weight": draw.normal(size=(8, 16)),
        "pooler.dense.weight": draw.normal(size=(8, 8)),
    }
    rest = {name: one for name, one in own.items() if name != WORDS}
    change = {**rest, "encoder.layer.0.output.dense.weight": draw.normal(size=(8, 4))}
    return {"embed": own, "read": dict(own), "change": change, "tag": rest}


def test_rows_are_rounded_to_the_nearest_byte():
    """No number is further away than half a step of its own row; a row of zeros stays one."""
    matrix = np.random.default_rng(0).normal(size=(6, 40)) * [[1], [100], [1e-6], [1], [1], [0]]
    rows, scale = quantise(matrix)
    assert (rows.dtype, scale.dtype, int(np.abs(rows).max())) == (np.int8, np.float32, 127)
    assert (np.abs(rows * scale[:, None] - matrix) <= scale[:, None] * 0.5001).all()


def test_what_was_packed_comes_back(uses, tmp_path):
    """One table of words, matrices as bytes, vectors and types as floats, no pooler."""
    digests = pack(str(tmp_path), words=TOKENS, uses=uses, metadata=SAID)
    files = {use: open_tensors(str(tmp_path / f"{use}.safetensors")) for use in uses}
    assert {use: file.metadata["digest"] for use, file in files.items()} == digests
    assert files["tag"].metadata["words"] == files["read"].metadata["words"] == digests["embed"]
    assert files["change"].metadata["read"] == digests["read"]
    assert sorted(files["change"].tensors) == [
        "change.encoder.layer.0.output.dense.weight",
        "change.encoder.layer.0.output.dense.weight.scale",
    ]  # the rest is the reader's
    tensors = {name: array for file in files.values() for name, array in file.tensors.items()}
    assert tensors["vocabulary"].tobytes().decode().split("\n") == TOKENS
    types = {name: str(array.dtype) for name, array in tensors.items() if name.startswith(("tag", WORDS))}
    assert types == {
        WORDS: "int8",
        f"{WORDS}.scale": "float32",
        "tag.embeddings.token_type_embeddings.weight": "float32",
        "tag.embeddings.LayerNorm.weight": "float32",
        "tag.encoder.layer.0.output.dense.weight": "int8",
        "tag.encoder.layer.0.output.dense.weight.scale": "float32",
    }
    for name, array in dequantised(tensors).items():
        use, _, own = name.partition(".") if name != WORDS else ("embed", "", WORDS)
        np.testing.assert_allclose(array, uses[use][own], atol=0.02)


def test_the_same_weights_have_the_same_digest(uses, tmp_path):
    """Who changes one use alone changes one digest: no vector has to be made again."""
    for name in "abc":
        (tmp_path / name).mkdir()
    one, same = (pack(str(tmp_path / name), words=TOKENS, uses=uses, metadata=SAID) for name in "ab")
    uses["tag"]["embeddings.LayerNorm.weight"] = np.ones(8)
    other = pack(str(tmp_path / "c"), words=TOKENS, uses=uses, metadata=SAID)
    assert one == same
    assert {use: other[use] == one[use] for use in one} == {
        "embed": True,
        "read": True,
        "change": True,
        "tag": False,
    }


@pytest.mark.parametrize("words", [TOKENS[:4], [*TOKENS[:4], "中"], [*TOKENS[:4], "a\nb"], [*TOKENS[:4], ""]])
def test_a_vocabulary_that_does_not_fit_is_refused(uses, tmp_path, words):
    """Too few, twice the same, and what would be two lines or none."""
    with pytest.raises(ValueError, match="words"):
        pack(str(tmp_path), words=words, uses=uses, metadata=SAID)


def test_a_second_table_of_words_is_refused(uses, tmp_path):
    """All uses share one."""
    uses["read"][WORDS] = uses["read"][WORDS] + 1
    with pytest.raises(ValueError, match="read"):
        pack(str(tmp_path), words=TOKENS, uses=uses, metadata=SAID)


def test_a_head_that_does_not_fit_its_labels_is_refused(uses, tmp_path):
    """Else a label would be read from the numbers of another."""
    uses["tag"]["head.kind.weight"] = np.ones((2, 8))
    with pytest.raises(ValueError, match=r"head\.kind"):
        pack(str(tmp_path), words=TOKENS, uses=uses, metadata=SAID)


def test_what_the_product_has_to_know_must_be_said(uses, tmp_path):
    """Without labels or heads nobody could use it."""
    with pytest.raises(ValueError, match="labels"):
        pack(str(tmp_path), words=TOKENS, uses=uses, metadata={"version": "1"})
