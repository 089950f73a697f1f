"""The view as arrays, read once per generation."""

import numpy as np
import pytest

from memoracle.index.features import Flag
from memoracle.index.sqlite import writer
from memoracle.index.sqlite.view import SqliteIndex
from memoracle.index.sync import sync
from memoracle.model.query import Filters
from support.build import a_passage, days
from support.clock import START
from support.views import TALK, a_turn, a_view, rows_of, told

from .contract import Truth


def test_place_r_belongs_to_row_r():
    """Lengths, days, flags and speakers stand where the row's number says; place 0 is nobody's."""
    view = a_view(a_turn("one two three", who=""), a_turn("one", who="Bob", session="b", at=START + days(1)))
    passages = view.arrays.passages()
    assert passages.length[:3].tolist() == [0, 3, 2]
    assert passages.day[:3].tolist() == [0, START.toordinal(), START.toordinal() + 1]
    assert view.arrays.speakers() == {"Bob": passages.speaker[2]}
    assert (passages.count, passages.average) == (2, 2.5)


def test_an_empty_view_has_empty_arrays():
    """Nothing stands, nothing divides by zero."""
    passages = a_view().arrays.passages()
    assert (passages.count, passages.average, bool(passages.standing.any()), passages.has_agents) == (
        0,
        1.0,
        False,
        False,
    )


def test_arrays_are_kept_until_the_view_changes():
    """The same object, then another."""
    view = a_view(a_turn("one"))
    first = view.arrays.passages()
    assert view.arrays.passages() is first
    told(view, a_turn("two"))
    assert (view.arrays.passages() is first, view.arrays.passages().count) == (False, 2)


def test_only_what_stands_is_standing():
    """A second copy and what was taken back do not."""
    turn = a_turn("one", ref="same")
    view = a_view(turn, a_turn("two"))
    told(view, a_turn("one", ref="same", path="copy.jsonl"), path="copy.jsonl")
    told(
        view,
        withdrawn=[view._connection.execute("SELECT ref FROM passages WHERE text = 'two'").fetchone()[0]],
    )
    assert np.flatnonzero(view.arrays.passages().standing).tolist() in ([1], [3])


def test_filters_become_a_mask():
    """True for the rows that fit, and no others."""
    view = a_view(a_turn("one", who="Mei"), a_turn("two", who="Bob"), a_passage("three"))
    allowed = view.arrays.allowed(Filters(speaker="Bob"), START)
    assert np.flatnonzero(allowed).tolist() == [rows_of(view)["two"]]


@pytest.mark.parametrize(("channel", "has"), [("owner", False), ("agent", True)])
def test_whether_an_assistant_speaks(channel, has):
    """One turn is enough."""
    view = a_view(a_turn("one", channel=channel), a_turn("two"))
    flags = view.arrays.passages().flags
    assert (view.arrays.passages().has_agents, bool(flags[1] & int(Flag.AGENT))) == (has, has)


def test_terms_postings_and_tokens_agree():
    """Where a term stands, how often, and in which order."""
    view = a_view(a_turn("cat dog cat", who=""), a_turn("dog", who=""))
    arrays = view.arrays
    known = arrays.terms(["cat", "dog", "owl"])
    cat, dog = known["cat"][0], known["dog"][0]
    rows, counts = arrays.postings(cat)
    assert (rows.tolist(), counts.tolist(), known["dog"][1], "owl" in known) == ([1], [2.0], 2, False)
    assert arrays.tokens([1, 2, 99])[1].tolist() == [cat, dog, cat]
    assert (arrays.tokens([99])[99].tolist(), arrays.words([cat, 10**6])) == ([], {cat: ("cat", 1)})


def test_a_session_is_as_long_as_its_turns():
    """Place s belongs to session s."""
    passages = a_view(
        a_turn("one two", who=""), a_turn("three", who=""), a_turn("x", who="", session="b")
    ).arrays.passages()
    assert passages.session_length[passages.session[[1, 3]]].tolist() == [3, 1]


def test_arrays_follow_a_view_that_is_still_being_filled(tmp_path, monkeypatch):
    """Another process reads many batches: a reader between two of them sees all rows it is told about."""
    monkeypatch.setattr(writer, "_CHUNK", 1500)
    folder = str(tmp_path / "index")
    truth = Truth()
    truth.notes(TALK, *(a_turn(f"cat number {n}") for n in range(4000)))
    reader, builder = SqliteIndex(folder), SqliteIndex(folder)
    seen = []

    def between(statement):
        if statement == "BEGIN IMMEDIATE":
            term = reader.arrays.terms(["cat"])
            rows = reader.arrays.postings(term["cat"][0])[0] if term else np.array([0])
            seen.append((len(rows), int(rows.max()) < len(reader.arrays.passages().flags)))

    reader.arrays.passages()
    builder._connection.set_trace_callback(between)
    sync(truth, builder)
    builder._connection.set_trace_callback(None)
    assert [fits for _, fits in seen] == [True] * len(seen)
    assert [number for number, _ in seen][-2:] == [1500, 3000]
