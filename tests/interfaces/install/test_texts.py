"""Changing one place of a text: everything else keeps its bytes."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.hosts.install import config_text
from memoracle.hosts.install.config_text import Unclear

KEYS = st.text(alphabet="abé名\"\\ '", min_size=1, max_size=3)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=4)


@given(DOCUMENTS, st.sampled_from([None, 2, 4, "\t"]), st.booleans())
def test_in_and_out_gives_the_same_text(document, indent, is_windows):
    """Whatever the document and however it is laid out."""
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    text = text.replace("\n", "\r\n") if is_windows else text
    path = ("memoracle key", "inner")
    there = config_text.put(text, path, {"command": "x", "args": ["a", "b"]})
    assert json.loads(there) == document | {path[0]: {path[1]: {"command": "x", "args": ["a", "b"]}}}
    assert config_text.take(there, path[:1]) == text


@given(DOCUMENTS, st.lists(VALUES, max_size=3), VALUES)
def test_an_item_goes_in_and_out(document, items, item):
    """At the end of a list, made or found."""
    text = json.dumps(document | {"list!": items}, indent=2)
    there = config_text.append(text, ("list!",), item)
    assert json.loads(there)["list!"] == [*items, item]
    assert json.loads(config_text.take(there, ("list!",), len(items))) == document | {"list!": items}


@given(st.dictionaries(KEYS, VALUES, min_size=2, max_size=5), st.data())
def test_any_member_can_be_taken(document, data):
    """First, last or in the middle."""
    key = data.draw(st.sampled_from(sorted(document)))
    for indent in (None, 2):
        left = config_text.take(json.dumps(document, indent=indent), (key,))
        assert json.loads(left) == {name: item for name, item in document.items() if name != key}


@pytest.mark.parametrize(
    "text",
    [
        "{\n  // a comment\n  a: 1, // one\n  'b': [1, 2,], /* two */\n}\n",
        "{ a: 1 /* no comma */ }",
        '{\n  "a": 1 // last, without a comma\n  // and one more\n}',
        "{a:1,}",
        "{\n\t// only a comment\n}",
        "\ufeff// before\n{ n: +0x1F, m: .5, k: Infinity, s: 'it\\'s \\\n on', }\n// after\n",
    ],
)
def test_comments_and_commas_stay(text):
    """Every one of them, and no second comma."""
    there = config_text.put(text, ("mcp", "servers", "m"), {"command": "x"})
    assert config_text.read(there).value == config_text.read(text).value | {
        "mcp": {"servers": {"m": {"command": "x"}}}
    }
    assert config_text.take(there, ("mcp",)) == text


@pytest.mark.parametrize(
    "text",
    ["", "{", "{a}", "{a:}", "{a:1 b:2}", "[1 2]", "{a:1}{", "{a:1,a:2}", "{'a: 1}", "{a: b}", "{,}", "/* {}", "nul", "[" * 5000],
)  # fmt: skip
def test_what_is_not_clear_is_refused(text):
    """Nothing is guessed."""
    with pytest.raises(Unclear):
        config_text.read(text)


@pytest.mark.parametrize(
    "text",
    ['{"a": "' + "x" * 1_000_000, "{" + " " * 1_000_000, "/*" * 500_000, '"' + "\\" * 999_999, "//" * 500_000, "'" + '"' * 999_999],
)  # fmt: skip
def test_hostile_files_are_refused_at_once(text):
    """A megabyte of anything; a reader that went back and forth would not come to an end."""
    with pytest.raises(Unclear):
        config_text.read(text)


def test_numbers_and_strings_of_json5():
    """As the language has them."""
    text = r"""{a: 0x10, b: -.5, c: 5., d: +1, e: 'a\'b\x41\u4e2d', f: "tab\t", g: 1e2}"""
    assert config_text.read(text).value == {
        "a": 16, "b": -0.5, "c": 5.0, "d": 1, "e": "a'bA中", "f": "tab\t", "g": 100.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "a = 1", "a = 1\n", "# c\r\n[x]\r\ny = 2\r\n", '[mcp_servers.a]\ncommand = "x"\n\n# about b\n[b]\nc = [\n  1,\n]\n'],
)  # fmt: skip
def test_a_table_goes_in_and_out(text):
    """With its comments, its line ends, its order."""
    path, values = ("mcp_servers", "memoracle"), {"command": 'a "b"', "args": ["-m", "名"]}
    there = config_text.put_toml_text(text, path, values)
    assert tomllib.loads(there)["mcp_servers"]["memoracle"] == values
    left = config_text.take_toml_text(there, path)
    assert left == (text if not text or text.endswith("\n") else text + "\n")


def test_a_table_in_the_middle_is_changed_there():
    """Comments of the next table stay with it."""
    text = '[mcp_servers."memoracle"] # ours\ncommand = "old"\n\n# about b\n[b]\nc = 1\n'
    there = config_text.put_toml_text(text, ("mcp_servers", "memoracle"), {"command": "new"})
    assert there == '[mcp_servers.memoracle]\ncommand = "new"\n\n# about b\n[b]\nc = 1\n'


def test_a_header_in_a_string_is_no_table():
    """The judge sees what a pattern does not."""
    text = 'a = """\n[mcp_servers.memoracle]\ncommand = 1\n"""\n'
    with pytest.raises(Unclear):
        config_text.put_toml_text(text, ("mcp_servers", "memoracle"), {"command": "x"})


@given(st.text(alphabet="ab \n#", max_size=20))
def test_a_section_goes_in_and_out(text):
    """A file that ended without a line's end has one afterwards; nothing else."""
    there = config_text.put_section(text, "## Ours\n")
    assert (config_text.is_edited(there), config_text.put_section(there, "## Ours\n")) == (False, there)
    left = config_text.take_section(there)
    assert left == text or (not text.endswith("\n") and left == text + "\n")
