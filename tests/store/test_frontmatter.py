"""Headers are read strictly, written safely and edited one field at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.errors import BadInput
from memoracle.store.frontmatter import compose, field_line, parse, set_field

NOTE = "---\ntitle: Use SQLite\nstatus: open # for now\ntags: [a, b]\n---\n\n# Use SQLite\ntext\n"
WORDS = st.text(st.characters(codec="utf-8"), max_size=60)
NASTY = st.lists(
    st.sampled_from(list("-: #\"'\\\n\r\t[]{}&*!|>%@`,?~\u2028\u0085\ufeff\u3000a中😀")), max_size=30
).map("".join)
VALUES = (
    st.none() | st.booleans() | st.integers(-999, 999) | WORDS | NASTY | st.lists(WORDS | NASTY, max_size=4)
)


def test_a_header_is_fields_and_the_body_knows_its_line():
    """Fields, body and the number of the body's first line come out together."""
    note = parse(NOTE)

    assert note.fields == {"title": "Use SQLite", "status": "open", "tags": ["a", "b"]}
    assert (note.body, note.body_line) == ("\n# Use SQLite\ntext\n", 6)


@given(WORDS | NASTY | st.just(NOTE) | NASTY.map(lambda s: f"---\n{s}\n---\n{s}"))
def test_head_and_body_are_the_whole_text(text):
    """Splitting loses no byte, whatever the text, and never raises."""
    note = parse(text)

    assert note.head + note.body == text
    assert note.body_line == note.head.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("", {}),
        ("no header\n---\na: 1\n---\n", {}),
        ("---\n---\n", {}),
        ("---\r\na: x\r\n---\r\nbody\r\n", {"a": "x"}),
        ("\ufeff---\na: x\n---\n", {"a": "x"}),
        ("---  \na: x\n---", {"a": "x"}),
        (
            "---\na: 2026-05-15\nb: 12:30\nc: no\nd: 0012\ne: 1_000\n---\n",
            {"a": "2026-05-15", "b": "12:30", "c": "no", "d": "0012", "e": "1_000"},
        ),
        (
            "---\na: true\nb: 7\nc: 0.5\nd:\ne: ~\nf: '7'\n---\n",
            {"a": True, "b": 7, "c": 0.5, "d": None, "e": None, "f": "7"},
        ),
        ("---\na: |\n  one\n  two\nb:\n- x\n- y\n---\n", {"a": "one\ntwo\n", "b": ["x", "y"]}),
    ],
)
def test_plain_values_stay_what_people_wrote(text, fields):
    """Dates, clock times, `no` and leading zeros are words; numbers and truth values are themselves."""
    note = parse(text)

    assert (note.fields, note.finding) == (fields, None)


@pytest.mark.parametrize(
    "header",
    [
        "a: [unclosed",
        "a: 1\na: 2",
        "just words",
        "- a list",
        "a: !!python/object/apply:os.system ['true']",
        "a: !!str x",
        "a: &x [1]\nb: *x",
        "a: \x00",
        "? [a, b]\n: c",
        "1: x\n1.0: y",
        "a: " + "[" * 40 + "]" * 40,
        "a: " + "[" * 30000,
        "a: " + "x" * 70000,
        "<<: *x",
        "--- a: 1",
        "a: b: c",
    ],
)
def test_a_broken_header_is_text_with_a_finding(header):
    """It never crashes, never builds anything, and every byte stays in the body."""
    text = f"---\n{header}\n---\nbody\n"
    note = parse(text, path="x.md")

    assert (note.fields, note.body, note.body_line) == ({}, text, 1)
    assert (note.finding.code, note.finding.place) == ("broken-header", "x.md#L1")


def test_a_billion_laughs_stay_unbuilt():
    """Aliases are refused before anything is built from them."""
    lines = ["a0: &a0 [lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    text = "---\n" + "\n".join(lines) + "\n---\n"

    assert parse(text).finding.message.endswith("it uses an alias")


def test_a_doubled_field_is_named_as_the_reason():
    """Neither of two values wins silently."""
    assert "stands twice" in parse("---\nstatus: open\nstatus: resolved\n---\n").finding.message


def test_a_header_without_an_end_is_text():
    """A note that begins with a rule is a note, not a header."""
    assert parse("---\nonce upon a time\n").body == "---\nonce upon a time\n"


@given(st.dictionaries(st.sampled_from(["title", "status", "detail", "标题", "x-y"]), VALUES), WORDS | NASTY)
def test_what_is_composed_is_read_back(fields, body):
    """Every value comes back equal, and the body untouched."""
    if not fields and parse(body).head:
        return
    note = parse(compose(fields, body))

    assert (note.fields, note.body) == (fields, body)


@pytest.mark.seed("S1.074")
@pytest.mark.parametrize(
    "title",
    [
        "ends\n---\nstatus: resolved",
        "x\nstatus: resolved",
        '"quoted": yes # not a comment',
        " edge spaces ",
        "true",
        "a\u2028b\u0085c",
        "{a: 1}",
        "报告：M2.0-C",
    ],
)
def test_a_title_cannot_inject_a_field_or_end_the_header(title):
    """Whatever a title holds, it stays one value of one field."""
    note = parse(compose({"title": title, "status": "open"}, "body\n"))

    assert (note.fields, note.body) == ({"title": title, "status": "open"}, "body\n")


@pytest.mark.seed("S1.064")
def test_closing_a_page_changes_one_word():
    """A status change keeps every other byte, even the comment behind the value."""
    assert set_field(NOTE, "status", "resolved") == NOTE.replace("status: open", "status: resolved")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\nb: 1\n---\nx", "---\nb: 1\na: new\n---\nx"),
        ("---\r\nb: 1\r\n---\r\nx\r\n", "---\r\nb: 1\r\na: new\r\n---\r\nx\r\n"),
        ("plain\r\n", "---\r\na: new\r\n---\r\nplain\r\n"),
        ("\ufeffplain\n", "\ufeff---\na: new\n---\nplain\n"),
        ("", "---\na: new\n---\n"),
        ("---\na:\nb: 1\n---\n", "---\na: new\nb: 1\n---\n"),
        ("---\na: |\n  one\n  two\n\n# note\nb: 1\n---\n", "---\na: new\n\n# note\nb: 1\n---\n"),
        ("---\na:\n- x\n- y\n# end\n---\nz", "---\na: new\n# end\n---\nz"),
        ("---\na: [x,\n  y] # why\nb: 1\n---\n", "---\na: new # why\nb: 1\n---\n"),
        ("---\na: one\n  two\nb: 1\n---\n", "---\na: new\nb: 1\n---\n"),
        ("---\n\"a\" : 'x'\n---\n", '---\n"a" : new\n---\n'),
        ("---\n{a: 1, b: 2}\n---\n", "---\n{a: new, b: 2}\n---\n"),
        ("---\n---", "---\na: new\n---"),
    ],
)
def test_one_field_is_set_and_all_other_bytes_stay(before, after):
    """Line ends, marks, comments and the order of fields are people's own."""
    assert set_field(before, "a", "new") == after


@given(
    st.dictionaries(st.sampled_from(["title", "status", "detail", "tags"]), VALUES),
    st.sampled_from(["title", "status", "owner"]),
    VALUES,
    WORDS,
)
def test_setting_a_field_touches_no_other(fields, name, value, body):
    """After any edit all other fields and the body are equal to what they were."""
    text = compose(fields, body)
    if not fields and parse(text).head:
        return
    note = parse(set_field(text, name, value))

    assert note.fields == {**fields, name: value}
    assert note.body == (body if fields else body.removeprefix("\ufeff"))


def test_an_unchanged_value_changes_no_byte():
    """Setting what is already there gives the same text."""
    assert set_field(NOTE, "status", "open") == NOTE


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("---\na: [\n---\n", "a", "x"),
        (NOTE, "two words", "x"),
        (NOTE, "a: b\nc", "x"),
        (NOTE, "status", {"a": 1}),
        (NOTE, "status", float("nan")),
        (NOTE, "status", "\ud800"),
    ],
)
def test_what_cannot_be_written_safely_is_refused(text, name, value):
    """A broken header, a strange name or a strange value changes nothing."""
    with pytest.raises(BadInput):
        set_field(text, name, value)


def test_simple_words_stay_readable():
    """Only what needs quotes gets them."""
    assert [field_line("a", v) for v in ("open", "a b", "yes", True, None, ["x", 1])] == [
        "a: open",
        'a: "a b"',
        'a: "yes"',
        "a: true",
        "a: null",
        "a: [x, 1]",
    ]


def test_the_python_loader_reads_the_same(monkeypatch):
    """Where YAML's C loader is missing, nothing changes."""
    import yaml

    from memoracle.store import frontmatter

    monkeypatch.delattr(yaml, "CSafeLoader")
    frontmatter._loader.cache_clear()
    try:
        assert parse(NOTE).fields == {"title": "Use SQLite", "status": "open", "tags": ["a", "b"]}
        assert set_field(NOTE, "status", "resolved") == NOTE.replace("status: open", "status: resolved")
        assert parse("---\na: " + "[" * 30000 + "\n---\n").finding
    finally:
        frontmatter._loader.cache_clear()
