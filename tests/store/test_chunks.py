"""Pieces of notes: by heading, by size, with exact lines."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoracle.errors import BadInput
from memoracle.store.chunks import Chunk, chunk, split_lines
from memoracle.text import estimate_tokens

LINE = st.sampled_from(
    ["", "  ", "# A", "## B", "### C ##", "```", "```py", "~~~", "#tags: x", "- item", "word " * 30, "字" * 90,
     "x" * 900, "a\u2028b", "a\u0085b", "\u3000", "- [ ] 花生 peanut"]
) | st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=40)  # fmt: skip
TEXT = st.tuples(
    st.lists(LINE, max_size=30),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
    st.booleans(),
).map(lambda t: t[2] + t[1].join(t[0]) + (t[1] if t[3] else ""))
SIZES = st.tuples(st.integers(8, 120), st.integers(0, 100))


def test_pieces_follow_headings():
    """Each section is a piece that knows its path of headings and its lines."""
    text = "intro\n\n# A\none\n\n## B\ntwo\nthree\n# C\nfour\n"

    assert chunk(text) == [
        Chunk(first_line=1, last_line=1, heading="", text="intro"),
        Chunk(first_line=3, last_line=4, heading="A", text="# A\none"),
        Chunk(first_line=6, last_line=8, heading="A > B", text="## B\ntwo\nthree"),
        Chunk(first_line=9, last_line=10, heading="C", text="# C\nfour"),
    ]


def test_a_heading_with_nothing_under_it_goes_with_the_next_deeper_one():
    """A title alone answers no question, so it makes no piece of its own."""
    pieces = chunk("# A\n\n## B\ntext\n## C\n\n## D\nmore")

    assert [(piece.heading, piece.text) for piece in pieces] == [
        ("A > B", "# A\n\n## B\ntext"),
        ("A > C", "## C"),
        ("A > D", "## D\nmore"),
    ]


def test_lines_are_numbered_as_in_the_file():
    """Below a header of four lines the body begins at line five."""
    assert [(c.first_line, c.last_line) for c in chunk("\n# A\nx\n", first_line=5)] == [(6, 7)]


@pytest.mark.seed("S4.027")
def test_long_sections_are_cut_at_four_hundred_tokens_with_eighty_of_overlap():
    """No piece is larger than the window, and neighbours share whole lines of at most eighty tokens."""
    lines = [f"line {n:03} " + "word " * 10 for n in range(100)]
    pieces = chunk("\n".join(lines))

    assert max(estimate_tokens(piece.text) for piece in pieces) <= 400
    shared = [
        estimate_tokens("\n".join(lines[after.first_line - 1 : before.last_line]))
        for before, after in pairwise(pieces)
    ]
    assert all(40 < tokens <= 80 for tokens in shared)


@pytest.mark.seed("S4.027")
def test_a_line_longer_than_the_window_is_cut_and_keeps_its_number():
    """The pieces overlap and together say the whole line."""
    line = " ".join(f"w{n}" for n in range(2000))
    pieces = chunk(f"before\n{line}\nafter")

    assert {(piece.first_line, piece.last_line) for piece in pieces[1:-1]} == {(2, 2)}
    assert max(estimate_tokens(piece.text) for piece in pieces) <= 400
    assert set(line.split()) <= set(" ".join(piece.text for piece in pieces).split())


def test_chinese_is_measured_by_character():
    """Four hundred tokens are about four hundred Chinese characters, not sixteen hundred."""
    pieces = chunk("花生过敏" * 1000)

    assert max(len(piece.text) for piece in pieces) <= 400


def test_overlap_is_at_most_half_the_window():
    """An overlap as large as the window would never end."""
    text = "\n".join(f"line {n:03} and some more words" for n in range(60))

    assert chunk(text, tokens=40, overlap=1000) == chunk(text, tokens=40, overlap=20)


def test_code_stays_together_when_it_fits():
    """A code block moves to the next piece rather than being cut, and what looks like a heading in it is none."""
    code = "```sh\n# not a heading\n" + "echo hello\n" * 20 + "```"
    pieces = chunk("# A\n" + "word\n" * 45 + code + "\nend", tokens=120, overlap=20)

    assert any(code in piece.text for piece in pieces)
    assert {piece.heading for piece in pieces} == {"A"}


def test_code_that_does_not_fit_is_cut_by_lines():
    """A long listing is cut like any text."""
    pieces = chunk("```\n" + "\n".join(f"row {n}" for n in range(300)) + "\n```", tokens=50)

    assert max(estimate_tokens(piece.text) for piece in pieces) <= 50


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# A #", "A"),
        ("## A##", "A##"),
        ("#", ""),
        ("### ###", ""),
        ("   # A", "A"),
        ("# C# ##  ", "C#"),
        ("#A", ""),
        ("    # A", ""),
    ],
)
def test_headings_are_read_as_markdown_reads_them(line, title):
    """Closing hashes go, hashes inside a word stay, code and tags are none."""
    assert chunk(f"{line}\ntext")[0].heading == title


@pytest.mark.parametrize(
    "line", ["# x" + " " * 300_000 + "y", "# " + " #" * 150_000, "`" * 300_000, "花" * 300_000]
)
def test_a_hostile_line_costs_no_more_than_its_length(line):
    """No pattern here can be made to try for ever."""
    started = time.process_time()
    chunk(line)

    assert time.process_time() - started < 5


def test_a_tag_line_is_no_heading():
    """`#tags:` on line 2 belongs to the title above it."""
    assert [piece.heading for piece in chunk("# Infra\n#tags: docker\ntext")] == ["Infra"]


def test_carriage_returns_and_marks_are_no_part_of_a_piece():
    """The same note with other line ends gives the same pieces."""
    text = "# A\none\n\ntwo\n"

    assert chunk("\ufeff" + text.replace("\n", "\r\n")) == chunk(text)


def test_unusual_separators_are_not_line_ends():
    """U+2028 and its kin stay inside their line, so numbers agree with every editor."""
    assert [(p.first_line, p.last_line, p.text) for p in chunk("a\u2028b\u0085c\x0bd\ne")] == [
        (1, 2, "a\u2028b\u0085c\x0bd\ne")
    ]


@pytest.mark.parametrize("text", ["", "\n\n", " \t\n", "\ufeff", "\r\n"])
def test_nothing_gives_nothing(text):
    """A blank note has no pieces."""
    assert chunk(text) == []


@pytest.mark.parametrize(("tokens", "overlap"), [(0, 0), (10, -1)])
def test_a_window_that_cannot_be_is_refused(tokens, overlap):
    """A window holds at least one token."""
    with pytest.raises(BadInput):
        chunk("x", tokens=tokens, overlap=overlap)


@settings(deadline=None)
@given(TEXT, SIZES)
def test_every_line_with_words_is_in_some_piece(text, sizes):
    """Nothing a person wrote is lost to search."""
    pieces = chunk(text, tokens=sizes[0], overlap=sizes[1])
    covered = {number for piece in pieces for number in range(piece.first_line, piece.last_line + 1)}

    assert {n for n, line in enumerate(split_lines(text), start=1) if line.strip()} <= covered


@settings(deadline=None)
@given(TEXT, SIZES)
def test_lines_slice_back_to_the_text(text, sizes):
    """What a piece says stands at the lines it names; it is all of them unless a long line was cut."""
    lines = split_lines(text)
    for piece in chunk(text, tokens=sizes[0], overlap=sizes[1]):
        slice_ = lines[piece.first_line - 1 : piece.last_line]
        assert piece.text in "\n".join(slice_)
        if max(estimate_tokens(line + "\n") for line in slice_) <= sizes[0]:
            assert piece.text == "\n".join(slice_)


@settings(deadline=None)
@given(TEXT, SIZES)
def test_pieces_fit_their_window_and_follow_each_other(text, sizes):
    """No piece is too large for the embedder, and the pieces come in the order of the note."""
    pieces = chunk(text, tokens=sizes[0], overlap=sizes[1])

    assert all(estimate_tokens(piece.text) <= max(sizes[0], 2) for piece in pieces)
    assert [p.last_line for p in pieces] == sorted(p.last_line for p in pieces)


@settings(deadline=None)
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r\ufeff"), min_size=1, max_size=400), SIZES
)
def test_a_cut_line_is_said_completely(line, sizes):
    """The pieces of one long line, overlaps taken away, are the line."""
    pieces = chunk(line, tokens=sizes[0], overlap=0)

    assert "".join(piece.text for piece in pieces).split() == line.split() or "".join(
        "".join(piece.text.split()) for piece in pieces
    ) == "".join(line.split())
