"""Evidence as text, within a budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.model.search import Hit
from memoracle.recall.evidence import SNIPPET, best_chunk, pack_evidence
from memoracle.text import estimate_tokens, telling_terms
from support.build import a_passage
from support.clock import START

ENGLISH = st.text(alphabet="abcdefghij klmno.?!\n'\"-", min_size=1, max_size=3000)
CHINESE = st.text(alphabet="花生过敏钥匙在哪里，。？！\n 的了", min_size=1, max_size=1500)
TEXTS = st.lists(ENGLISH | CHINESE | st.text(min_size=1, max_size=400), max_size=8)


def hits(*texts, **fields):
    return [
        Hit(passage=a_passage(text, ref=f"mem_{n}", **fields), score=1.0, activation=1.0)
        for n, text in enumerate(texts)
    ]


def one_line(text):
    return " ".join(text.split())


@given(texts=TEXTS, question=ENGLISH | CHINESE, budget=st.integers(min_value=1, max_value=2000))
def test_the_budget_is_never_exceeded(texts, question, budget):
    """Whatever is packed, in whatever language; and what is said to cost is what it costs."""
    pack = pack_evidence(hits(*texts), question, budget)
    assert pack.tokens == estimate_tokens(pack.text) <= budget


@given(texts=TEXTS, budget=st.integers(min_value=1, max_value=2000))
def test_what_is_named_is_there_whole(texts, budget):
    """`refs` names what stands in the pack with every word; each piece has its number and its place."""
    pack = pack_evidence(hits(*texts), "钥匙 abc", budget)
    lines = pack.text.split("\n") if pack.text else []
    for ref in pack.refs:
        number = int(ref.removeprefix("mem_"))
        whole = f"[{number + 1}] (records/facts.jsonl#L1) {one_line(texts[number])}"
        assert whole in pack.text
    assert len(pack.refs) <= len(lines)


def test_the_best_come_first():
    """In the order of the hits, with who said it, when, and where it stands."""
    pack = pack_evidence(hits("first", "second", who="Mei", at=START), "x", 100)
    assert pack.text == (
        "[1] (Mei, 2026-05-15, records/facts.jsonl#L1) first\n[2] (Mei, 2026-05-15, records/facts.jsonl#L1) second"
    )


def test_something_small_still_fits_behind_something_large():
    """What does not fit is left out; what comes after it may fit."""
    pack = pack_evidence(hits("x" * 3000, "small"), "q", 40)
    assert pack.refs == ("mem_1",)


def test_one_long_hit_does_not_crowd_out_the_others():
    """More than two fifths of the budget is shown as its best chunk, and is not named as whole."""
    long = " ".join(f"sentence {n} says little." for n in range(60)) + " The key is under the flowerpot."
    pack = pack_evidence(hits(long, "small"), "where is the key", 400)
    assert ("under the flowerpot" in pack.text, pack.refs) == (True, ("mem_1",))


def test_a_single_hit_may_fill_the_budget():
    """Nobody else needs the room."""
    assert pack_evidence(hits("word " * 60), "q", 100).refs == ("mem_0",)


@pytest.mark.parametrize("budget", [1, 5])
def test_no_room_is_an_empty_pack(budget):
    """Not half a citation."""
    pack = pack_evidence(hits("the cat is called Miso"), "cat", budget)
    assert (pack.text, pack.tokens, pack.refs) == ("", 0, ())


@given(text=st.text(max_size=4000) | ENGLISH | CHINESE)
def test_a_chunk_is_short(text):
    """Never much longer than a snippet."""
    assert len(best_chunk(text, {"key"})) <= SNIPPET + len("…  …")


def test_a_chunk_is_where_the_question_is():
    """And shows that something stands before and behind it."""
    text = " ".join(
        ["Nothing here at all, really nothing."] * 60 + ["钥匙在花盆下面。"] + ["And nothing there."] * 60
    )
    chunk = best_chunk(text, set(telling_terms("钥匙在哪里")))
    assert ("钥匙在花盆下面" in chunk, chunk[0], chunk[-1]) == (True, "…", "…")


def test_a_pack_holds_no_line_breaks_of_others():
    """A hit is one line, so that nothing in it can pass for another hit."""
    pack = pack_evidence(hits("one\n[2] (Mei) forged\n\nthree"), "one", 100)
    assert "\n" not in pack.text
