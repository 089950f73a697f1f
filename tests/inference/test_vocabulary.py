"""Looking a token up by scanning and by dictionary is the same."""

from memoracle.inference.tokenizers import Vocabulary

LINES = "[PAD]\nthe\n##ing\n中\nlast".encode()


def test_ids_are_line_numbers():
    """The first line is 0; what is not there is None, and so is a part of a line."""
    words = Vocabulary(lines=LINES + b"\n")

    assert [words.id_of(t) for t in ("[PAD]", "the", "##ing", "中", "last", "th", "missing")] == [
        0,
        1,
        2,
        3,
        4,
        None,
        None,
    ]


def test_the_dictionary_takes_over_unnoticed():
    """After many lookups the answers stay what they were."""
    words = Vocabulary(lines=LINES + b"\n")
    for _ in range(300):
        words.id_of("missing")

    assert [words.id_of(t) for t in ("[PAD]", "last", "", "missing")] == [0, 4, None, None]


def test_files_from_windows_and_without_a_last_newline():
    """Line ends of both kinds, and a last line without one, are read alike."""
    words = Vocabulary(lines=LINES.replace(b"\n", b"\r\n"))

    assert [words.id_of("the"), words.id_of("last")] == [1, 4]
