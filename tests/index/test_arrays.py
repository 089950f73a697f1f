"""The view as arrays, read once per generation."""

import os

import numpy as np

from memoracle.index.api import sync
from memoracle.index.sqlite import ranking, writer
from memoracle.index.sqlite.connection import read_pointer
from memoracle.index.sqlite.view import SqliteIndex
from support.views import TALK, a_turn, a_view, told

from .contract import Truth


def test_only_what_stands_is_standing():
    """A second copy and what was taken back do not."""
    turn = a_turn("one", ref="same")
    view = a_view(turn, a_turn("two"))
    told(view, a_turn("one", ref="same", path="copy.jsonl"), path="copy.jsonl")
    told(
        view,
        withdrawn=[view._connection.execute("SELECT ref FROM passages WHERE text = 'two'").fetchone()[0]],
    )
    assert np.flatnonzero(view.ranking().passages().standing).tolist() in ([1], [3])


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
            term = reader.ranking().terms(["cat"])
            rows = reader.ranking().postings(term["cat"][0])[0] if term else np.array([0])
            seen.append((len(rows), int(rows.max()) < len(reader.ranking().passages().flags)))

    reader.ranking().passages()
    builder._connection.set_trace_callback(between)
    sync(truth, builder)
    builder._connection.set_trace_callback(None)
    assert [fits for _, fits in seen] == [True] * len(seen)
    assert [number for number, _ in seen][-2:] == [1500, 3000]


def test_a_view_that_is_replaced_while_it_is_read_is_read_to_its_end(tmp_path, monkeypatch):
    """Kept arrays are known by their file; one that is gone is nobody's, and no error."""
    monkeypatch.setattr(ranking, "_kept", [])
    folder = str(tmp_path / "index")
    truth = Truth()
    truth.notes(TALK, a_turn("the cat sleeps"))
    sync(truth, SqliteIndex(folder))
    assert ranking.keep_arrays(folder)
    reader = SqliteIndex(folder)
    arrays = reader.ranking()
    os.unlink(os.path.join(folder, read_pointer(folder)))
    assert arrays.passages().count == 1
