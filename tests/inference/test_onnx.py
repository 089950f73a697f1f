"""An ONNX folder runs on onnxruntime, and without it names the extra."""

import base64
import json
import sys

import numpy as np
import pytest

from memoracle.errors import EmbedderUnavailable, MissingExtra
from memoracle.inference.api import EmbeddingKind
from memoracle.inference.bert import unit_rows
from memoracle.inference.folder import open_folder

# last_hidden_state = Gather(arange(24).reshape(6, 4) - 11, input_ids)
TINY = (
    "CAg6lAIKLQoFdGFibGUKCWlucHV0X2lkcxIRbGFzdF9oaWRkZW5fc3RhdGUiBkdhdGhlchIEdGlueSpvCAYIBBABQgV0YWJsZUpgAAAwwQAAIMEA"
    "ABDBAAAAwQAA4MAAAMDAAACgwAAAgMAAAEDAAAAAwAAAgL8AAAAAAACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAADgQAAAAEEAABBBAAAgQQAAMEEA"
    "AEBBWh0KCWlucHV0X2lkcxIQCg4IBxIKCgMSAWIKAxIBbloiCg5hdHRlbnRpb25fbWFzaxIQCg4IBxIKCgMSAWIKAxIBbmIpChFsYXN0X2hpZGRl"
    "bl9zdGF0ZRIUChIIARIOCgMSAWIKAxIBbgoCCARCBAoAEA0="
)
WORDS = {"[UNK]": 0, "query:": 1, "passage:": 2, "tea": 3, "milk": 4, "[PAD]": 5}
TOKENIZER = {
    "version": "1.0",
    "added_tokens": [],
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "model": {"type": "WordLevel", "vocab": WORDS, "unk_token": "[UNK]"},
}


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "tiny-e5-model"
    (path / "onnx").mkdir(parents=True)
    (path / "onnx" / "model.onnx").write_bytes(base64.b64decode(TINY))
    (path / "tokenizer.json").write_text(json.dumps(TOKENIZER))
    (path / "config.json").write_text(json.dumps({"model_type": "xlm-roberta", "pad_token_id": 5}))
    return path


def _rows(*texts):
    table = np.arange(24, dtype=np.float32).reshape(6, 4) - 11
    return unit_rows(np.array([table[[WORDS[word] for word in text.split()]].mean(axis=0) for text in texts]))


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_without_the_extra_its_name_is_said(folder, monkeypatch, package):
    """The error names the package that is missing and the line that installs it."""
    if package == "tokenizers":
        pytest.importorskip("onnxruntime")
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(MissingExtra, match=package) as raised:
        open_folder(str(folder))
    assert "memoracle[onnx]" in raised.value.hint


def test_prefix_padding_and_pooling(folder):
    """Prefixes by kind, the mean over real tokens only, rows in the order of the texts."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    found = open_folder(str(folder))
    texts = ["tea milk tea", "milk", "tea"]

    np.testing.assert_allclose(found.embed(texts), _rows(*("passage: " + t for t in texts)), atol=1e-6)
    np.testing.assert_allclose(found.embed(["tea"], EmbeddingKind.QUERY), _rows("query: tea"), atol=1e-6)
    assert (found.dims, found.name.split("@")[0], found.embed([]).shape) == (4, "tiny-e5-model", (0, 4))


def test_a_broken_model_is_unavailable(folder):
    """onnxruntime's own errors do not leak out."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    (folder / "onnx" / "model.onnx").write_bytes(b"broken")

    with pytest.raises(EmbedderUnavailable, match="tiny-e5-model"):
        open_folder(str(folder))
