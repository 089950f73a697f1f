"""The tokenizer cuts as BERT's uncased one does, and knows where it cut."""

import pytest

from memoracle.inference.bundled import WEIGHTS
from memoracle.inference.tensors import open_tensors
from memoracle.inference.tokenizers import Vocabulary, WordPiece

from .texts import ALL

# From `tokenizers` 0.23 with BERT's normaliser and the model's own vocabulary.
TOKENS = {
    "How do I reset my password?": "[CLS] how do i reset my password ? [SEP]",
    "résumé naïve café": "[CLS] resume naive cafe [SEP]",
    "我用 Docker": "[CLS] 我 用 dock ##er [SEP]",
    "don't  stop": "[CLS] don ' t stop [SEP]",
    "tab\tnew\r\nline\x00\x7f": "[CLS] tab new line [SEP]",
    "ありがとう": "[CLS] あ ##り ##か ##と ##う [SEP]",
    "": "[CLS] [SEP]",
}


@pytest.fixture(scope="module")
def lines():
    return open_tensors(f"{WEIGHTS}/embed.safetensors").tensors["vocabulary"].tobytes()


@pytest.fixture(scope="module")
def tokenizer(lines):
    return WordPiece(Vocabulary(lines), max_tokens=256)


@pytest.mark.parametrize("text", TOKENS)
def test_tokens_equal_the_reference(tokenizer, lines, text):
    """Case, accents, Chinese characters, kana, control characters and contractions."""
    words = lines.decode().split("\n")
    assert " ".join(words[number] for number in tokenizer.encode(text)) == TOKENS[text]


def test_a_long_text_is_cut_with_its_end_mark(tokenizer):
    """At most 256 ids, the last of them `[SEP]`."""
    ids = tokenizer.encode("memory " * 1000)

    assert (len(ids), ids[0], ids[-1]) == (256, tokenizer.cls, tokenizer.sep)


def test_an_endless_word_is_unknown(tokenizer):
    """A word of more than a hundred characters becomes `[UNK]`."""
    assert tokenizer.encode("a" * 101)[1:-1] == [tokenizer.id_of("[UNK]")]


def test_special_tokens_in_text_are_text(tokenizer):
    """Writing `[SEP]` does not put the model's own mark into the text."""
    assert tokenizer.sep not in tokenizer.encode("before [SEP] after")[1:-1]


def test_a_second_look_gives_the_same_ids(tokenizer):
    """What is remembered of a word equals what was computed."""
    assert tokenizer.encode("unbelievably unbelievably")[1:-1] == tokenizer.encode("unbelievably")[1:-1] * 2


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I'm  allergic", ["I", "'", "m", "allergic"]),
        ("Ünbelievably 我们", ["Ün", "bel", "ie", "va", "bly", "我", "们"]),
        ("cafe\u0301 e\u0301", ["cafe", "e"]),
        ("a\u200bb " + "x" * 101, ["a\u200bb", "x" * 101]),
    ],
)
def test_a_token_knows_its_characters(tokenizer, text, parts):
    """In the text as it was given: before case, accents and invisible characters were taken away."""
    found = tokenizer.locate(text, 99)
    assert [text[start:end] for start, end in found.spans] == parts


@pytest.mark.parametrize("most", [1, 3, 99])
def test_located_ids_are_those_of_the_text(tokenizer, most):
    """Both ways give the same ids, in every script, cut where it is asked for."""
    for text in ALL:
        found = tokenizer.locate(text, most)
        assert (found.ids, len(found.spans)) == (tokenizer.cut(text, most), len(found.ids))
        assert found.ids == tokenizer.encode(text)[1:-1][:most]
