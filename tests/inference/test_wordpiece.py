"""The tokenizer cuts as BERT's uncased one does."""

import pytest

from memoracle.inference.tokenizers import Vocabulary, WordPiece

# Ids from `tokenizers` 0.23 with the model's own tokenizer.json.
IDS = {
    "How do I reset my password?": [101, 2129, 2079, 1045, 25141, 2026, 20786, 1029, 102],
    "résumé naïve café": [101, 13746, 15743, 7668, 102],
    "我用 Docker": [101, 1855, 100, 8946, 2121, 102],
    "don't  stop": [101, 2123, 1005, 1056, 2644, 102],
    "tab\tnew\r\nline\x00\x7f": [101, 21628, 2047, 2240, 102],
    "ありがとう": [101, 1646, 30212, 30177, 30192, 30174, 102],
    "": [101, 102],
}


@pytest.fixture(scope="module")
def tokenizer(minilm_folder):
    return WordPiece(Vocabulary.read(f"{minilm_folder}/vocab.txt"), max_tokens=256)


@pytest.mark.parametrize("text", IDS)
def test_ids_equal_the_reference(tokenizer, text):
    """Case, accents, Chinese characters, kana, control characters and contractions."""
    assert tokenizer.encode(text) == IDS[text]


def test_a_long_text_is_cut_with_its_end_mark(tokenizer):
    """At most 256 ids, the last of them `[SEP]`."""
    ids = tokenizer.encode("memory " * 1000)

    assert (len(ids), ids[0], ids[-1]) == (256, 101, 102)


def test_an_endless_word_is_unknown(tokenizer):
    """A word of more than a hundred characters becomes `[UNK]`."""
    assert tokenizer.encode("a" * 101) == [101, 100, 102]


def test_special_tokens_in_text_are_text(tokenizer):
    """Writing `[SEP]` does not put the model's own mark into the text."""
    assert 102 not in tokenizer.encode("before [SEP] after")[1:-1]


def test_a_second_look_gives_the_same_ids(tokenizer):
    """What is remembered of a word equals what was computed."""
    assert tokenizer.encode("unbelievably unbelievably")[1:-1] == tokenizer.encode("unbelievably")[1:-1] * 2
