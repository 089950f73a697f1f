"""Text as the engine sees it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.text import (
    estimate_tokens,
    identifiers,
    inert,
    is_stop,
    normalise,
    shorten,
    telling_terms,
    terms,
    visible,
)


@pytest.mark.seed("F-42")
def test_a_chinese_run_becomes_characters_and_pairs():
    """Chinese without spaces is found by any two neighbouring characters, never as one giant word."""
    assert terms("花生过敏") == ["花", "生", "过", "敏", "花生", "生过", "过敏"]


def test_small_words_do_not_tell():
    """A question is about what is left without its small words; with nothing else, they count."""
    assert (telling_terms("where is the cat"), telling_terms("who is it")) == (["cat"], ["who", "is", "it"])


@pytest.mark.parametrize("text", ["ねこ", "고양이", "แมว", "𠀋𠀌"])
def test_other_scripts_without_spaces_are_cut_the_same_way(text):
    """Kana, hangul, Thai and rare Han characters meet in pairs too."""
    assert text[:2] in terms(text)


def test_mixed_text_is_cut_where_the_script_changes():
    """A Latin word inside Chinese is its own word."""
    assert {"docker", "部署", "port", "8080"} <= set(terms("用Docker部署port8080")) | set(terms("port 8080"))
    assert "docker" in terms("用Docker部署")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("running", ["run"]),
        ("Cats", ["cat"]),
        ("can't", ["can"]),
        ("Alice's", ["alic"]),
    ],
)
def test_plain_words_are_stemmed(word, expected):
    """The forms of a word share one term."""
    assert terms(word) == expected


@pytest.mark.parametrize(
    ("written", "whole", "parts"),
    [
        ("ERR_CONNECTION_REFUSED", "err_connection_refused", {"err", "connect", "refus"}),
        ("docs/design.md", "docs/design.md", {"doc", "design", "md"}),
        ("E1234", "e1234", {"e", "1234"}),
        ("v2.0-rc.1", "v2.0-rc.1", {"rc", "1"}),
        ("ARENA-228", "arena-228", {"arena", "228"}),
        ("user@example.org", "user@example.org", {"user", "exampl", "org"}),
        ("api.v2:getUserName", "api.v2:getusername", {"api", "get", "user", "name"}),
        ("192.168.0.1", "192.168.0.1", {"192", "168", "0", "1"}),
    ],
)
@pytest.mark.seed("S4.024")
def test_identifiers_stay_whole_beside_their_parts(written, whole, parts):
    """Error codes, file names, versions and addresses are found whole, and by what they are made of."""
    found = terms(written)
    assert (found[0], parts - set(found)) == (whole, set())


@pytest.mark.parametrize("asked", ["getUserName", "getusername", "GetUserName", "user", "name"])
@pytest.mark.parametrize("written", ["getUserName", "src/getUserName.py"])
def test_camel_case_is_found_however_it_is_asked(written, asked):
    """A camel-case name is found whole, in any case, by its parts, and inside a path."""
    assert set(terms(asked)) & set(terms(written)) - {"get"}


def test_capitals_in_a_row_are_one_part():
    """`HTTPServer` is HTTP and Server."""
    assert terms("HTTPServer") == ["httpserver", "http", "server"]


@pytest.mark.parametrize(("one", "other"), [("ＡＢＣ１２３", "abc123"), ("ﬁle", "file"), ("①", "1")])
def test_compatibility_forms_are_one(one, other):
    """Full-width letters, ligatures and circled digits equal their plain forms."""
    assert terms(one) == terms(other)


@pytest.mark.parametrize(("one", "other"), [("Café", "cafe"), ("café", "café"), ("Müller", "muller")])
def test_accents_do_not_hide_a_word(one, other):
    """A word is found with or without its accents, composed or not."""
    assert terms(one) == terms(other)


@pytest.mark.parametrize("asked", ["O'Brien", "O’Brien", "o'brien", "Brien"])
def test_an_irish_name_is_found_by_every_apostrophe(asked):
    """O'Brien is found with a straight or a curly apostrophe, and by its second half."""
    assert "brien" in set(terms(asked)) & set(terms("Call O'Brien tomorrow"))


def test_identifiers_of_a_question():
    """Codes, paths and handles name something exactly; plain words do not."""
    assert identifiers("why does E1234 break docs/a.md at night?") == ["e1234", "docs/a.md"]


def test_stop_words_in_both_languages():
    """Words that say nothing about the subject are known in English and Chinese."""
    assert [is_stop(term) for term in ("the", "的", "peanut", "花生")] == [True, True, False, False]


@pytest.mark.seed("F-53")
@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("花生过敏", 4), ("我用Docker部署", 6)]
)
def test_tokens_are_estimated_by_script(text, tokens):
    """A Chinese character costs about a token, four Latin letters cost one."""
    assert estimate_tokens(text) == tokens


def test_shorten_gives_one_line():
    """Line breaks and runs of spaces become single spaces; the cut is marked."""
    assert (shorten("a\n  b", 10), shorten("abcdef", 4)) == ("a b", "abc…")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("花生 ok", "花生 ok"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u200bb", "a\\u200bb"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("\U000e0041", "\\U000e0041"),
        ("bell\x07 nul\0", "bell\\x07 nul\\x00"),
        ("line\nbreak\ttab", "line\nbreak\ttab"),
        ("全\u3000角", "全\u3000角"),
    ],
)
def test_hidden_characters_are_spelled_out(text, shown):
    """Escape sequences, direction marks and zero-width characters cannot hide on a terminal."""
    assert visible(text) == shown


@given(st.text())
def test_what_is_written_is_found_by_the_same_words(text):
    """Every telling term of a question is among the terms of the same text, so equal words always meet."""
    assert set(telling_terms(text)) <= set(terms(text))


@given(st.text())
def test_normalising_twice_changes_nothing_that_counts(text):
    """Terms do not depend on the Unicode form or width a text arrives in."""
    assert normalise(normalise(normalise(text))) == normalise(normalise(text))


@given(st.text())
def test_visible_text_has_nothing_hidden(text):
    """After `visible`, only printable characters, line breaks and tabs are left."""
    assert all(ch.isprintable() or ch in "\n\t\u3000" for ch in visible(text))


@pytest.mark.parametrize(
    "text",
    [
        "<|im_start|>system",
        "< | im_end|>",
        "[INST] x [/INST]",
        "<<SYS>>",
        "<start_of_turn>model",
        "<｜User｜>",
    ],
)
def test_template_tokens_become_inert(text):
    """No token of a chat template is left; the words are."""
    said = inert(text)
    assert ("<|" in said, "[INST]" in said, "<<SYS" in said, "<start" in said, "<｜" in said) == (False,) * 5
    assert inert(said) == said


@pytest.mark.parametrize("text", ["a < b", "List<int>", "[x] done", "<p>hi</p>", "a <- b", "x || y"])
def test_ordinary_signs_stay(text):
    """Code and lists are no tokens."""
    assert inert(text) == text


@pytest.mark.parametrize(
    ("written", "asked"),
    [("我的貓叫什麼", "我的猫叫什么"), ("臺北裡頭", "台北里头"), ("後來記錄在這裏", "后来记录在这里")],
)
def test_traditional_and_simplified_chinese_meet(written, asked):
    """Whoever writes one finds the other."""
    assert terms(written) == terms(asked)
