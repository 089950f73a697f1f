"""A header read quickly is the header read with care."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.store import frontmatter
from memoracle.store.frontmatter import read_quickly

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**14), 10**14) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,10}", fullmatch=True)
LINES = st.sampled_from(
    [
        "a: 1", "a: 01", "a: 1.5", "a: 1e5", "a: yes", "a: true", "a: True", "a: null", "a: ~", "a: open", "a: -0",
        "a: 123456789012345678", 'a: "x"', "a: 'x'", 'a: "x" # note', "a:", "a: []", "a: {}", "a: [x]", "a: [1, 2]",
        "a: 2026-05-15", "a: !!x y", "a: &b c", "a: *b", "b: |", "  - x", '  - "x"', "history:", "- x", "# note", "",
        "a: NaN", "a: [NaN]", 'a: {"b": 1, "b": 2}', 'a: "\\U0001F600"', 'a: "\\ud800"', "n: 1", "on: 2", "a: open ",
        'a: "x"\r', "a:  1", "a: [1e400]", "a: [-0]", 'a: "\\/"', 'a: "\t"', "A: 1", "é: 1", "a : 1", 'a: "',
    ]
)  # fmt: skip


@given(st.dictionaries(NAMES, VALUES, max_size=6), st.text(max_size=60))
def test_what_memory_writes(fields, body):
    """Both readers give what was written."""
    lines = "".join(f"{name}: {frontmatter.quoted(held)}\n" for name, held in fields.items())
    text = f"---\n{lines}---\n{body}"
    careful, quick = frontmatter.parse_with_care(text), read_quickly(text)
    if quick is not None and careful.head:
        assert (quick[0], text[quick[1] :]) == (careful.fields, careful.body)


@given(st.lists(LINES, min_size=1, max_size=5), st.text(max_size=20))
def test_what_anybody_writes(lines, body):
    """Whatever stands there: the quick reader gives the same, or leaves it to the other."""
    joined = "\n".join(lines)
    text = f"---\n{joined}\n---\n{body}"
    careful, quick = frontmatter.parse_with_care(text), read_quickly(text)
    if quick is not None:
        assert (careful.finding, quick[0], text[quick[1] :]) == (None, careful.fields, careful.body)


@pytest.mark.parametrize(
    "code", [*range(0xA1), 0x2028, 0x2029, 0x3000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1F600]
)
@pytest.mark.parametrize("shape", ['a: "x{}y"', 'a: ["x {} y"]', 'a: {{"{}": 1}}', 'a:\n  - "{}"'])
def test_every_odd_character(code, shape):
    """A character that YAML refuses or folds is not taken for itself because JSON would."""
    text = f"---\n{shape.format(chr(code))}\n---\nBody\n"
    careful, quick = frontmatter.parse_with_care(text), read_quickly(text)
    if quick is not None:
        assert (careful.finding, quick[0], text[quick[1] :]) == (None, careful.fields, careful.body)


@pytest.mark.parametrize(
    "line",
    [f"a: {'[' * 15}{']' * 15}", f"a: {'[' * 16}{']' * 16}", f'a: {{"{"k" * 1100}": 1}}', f"{'a' * 1100}: 1"],
)
def test_depth_and_length(line):
    """What is too deep or too long for one reader is so for the other."""
    text = f"---\n{line}\n---\nBody\n"
    careful, quick = frontmatter.parse_with_care(text), read_quickly(text)
    assert (quick is None) == (careful.finding is not None)
    assert frontmatter.parse(text) == careful


@pytest.mark.parametrize("text", ["", "---", "---\n", "---\n---\n", "no header", "\ufeff---\na: 1\n---\n"])
def test_what_is_no_header(text):
    """Is left to the other reader."""
    assert read_quickly(text) is None


def test_a_page_is_read_quickly():
    """The usual header is not left to the other reader."""
    text = '---\ntitle: "x: y"\nstatus: resolved\nevidence: [{"trust": "high"}]\nhistory:\n  - "a"\n  - "b"\n---\nBody\n'
    fields = {"title": "x: y", "status": "resolved", "evidence": [{"trust": "high"}], "history": ["a", "b"]}
    assert read_quickly(text) == (fields, len(text) - len("Body\n"))
