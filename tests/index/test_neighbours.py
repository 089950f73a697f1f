"""Neighbours: who stands beside whom in one run of talk."""

from datetime import timedelta

import pytest

from memoracle.index.sqlite.postings import read_columns
from memoracle.model.search import EvidenceSource
from support.build import a_passage, days
from support.clock import START
from support.views import a_turn, a_view, rows_of, told


def hours(number):
    return START + timedelta(hours=number)


def chains(view):
    """Every run of talk, as the words in their order; both directions have to agree."""
    rows = rows_of(view)
    words = {row: text for text, row in rows.items()}
    columns = read_columns(view._connection, words)
    for row, column in columns.items():
        assert not column.after or columns[column.after].before == row
        assert not column.before or columns[column.before].after == row
    found = []
    for row, column in columns.items():
        if not column.before:
            chain = [row]
            while columns[chain[-1]].after:
                chain.append(columns[chain[-1]].after)
            found.append(" ".join(words[one] for one in chain))
    return sorted(found)


def days_of(view):
    columns = read_columns(view._connection, rows_of(view).values())
    return [columns[row].day for row in sorted(columns)]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([a_turn("a"), a_turn("b"), a_turn("c")], ["a b c"]),
        ([a_turn("a"), a_turn("b", session="other"), a_turn("c")], ["a c", "b"]),
        ([a_turn("a", at=hours(0)), a_turn("b", at=hours(2)), a_turn("c", at=hours(4.9))], ["a b c"]),
        ([a_turn("a", at=hours(0)), a_turn("b", at=hours(3.1))], ["a", "b"]),
        ([a_turn("a", at=hours(14)), a_turn("b", at=hours(15))], ["a", "b"]),
        ([a_turn("a", at=START), a_turn("b", at=START + days(1))], ["a", "b"]),
        ([a_turn("a", at=START), a_turn("b", at=None), a_turn("c", at=None)], ["a b c"]),
    ],
    ids=[
        "same session",
        "two sessions",
        "short pauses",
        "a long pause",
        "midnight",
        "another day",
        "undated",
    ],
)
def test_a_chunk_of_talk(turns, expected):
    """Turns of one session, said on one day, with no pause of more than three hours."""
    assert chains(a_view(*turns)) == expected


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize(
    "turns",
    [
        [a_turn("a"), a_turn("b"), a_turn("c"), a_turn("d")],
        [
            a_turn("a", at=hours(0)),
            a_turn("b", at=hours(4)),
            a_turn("c", at=hours(8)),
            a_turn("d", at=hours(8)),
        ],
        [a_turn("a"), a_turn("b", at=None), a_turn("c", at=None), a_turn("d", at=START + days(1))],
        [a_turn("a"), a_turn("b", session="x"), a_turn("c"), a_turn("d", session="x")],
    ],
    ids=["talk", "pauses", "undated", "sessions"],
)
def test_a_growing_talk_is_tied_like_one_read_at_once(turns, parts):
    """It does not matter how many turns were there when it was first read."""
    grown = a_view()
    for start in range(0, len(turns), parts):
        told(grown, *turns[start : start + parts])
    at_once = a_view(*turns)
    assert (chains(grown), days_of(grown)) == (chains(at_once), days_of(at_once))


def test_pieces_of_a_note_stand_together():
    """They have one time, or none."""
    pieces = [a_passage(text, source=EvidenceSource.NOTE, path="n.md", ref=f"n.md#{text}") for text in "abc"]
    assert chains(told(a_view(), *pieces, path="n.md")) == ["a b c"]


def test_files_are_not_tied_to_each_other():
    """Though they name the same session."""
    view = a_view(a_turn("a"))
    assert chains(told(view, a_turn("b", path="other.jsonl"), path="other.jsonl")) == ["a", "b"]


def test_the_day_is_carried_forward():
    """Some hosts date only the first turn of a talk."""
    view = a_view(a_turn("a"), a_turn("b", at=None), a_turn("c", at=None))
    assert days_of(view) == [START.toordinal()] * 3


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ("b", ["a c d"]),
        ("bc", ["a d"]),
        ("a", ["b c d"]),
        ("d", ["a b c"]),
        ("ad", ["b c"]),
        ("abcd", []),
        ("ac", ["b d"]),
    ],
)
def test_removal_closes_the_gap(gone, left):
    """Those beside it become neighbours."""
    turns = {text: a_turn(text) for text in "abcd"}
    view = a_view(*turns.values())
    told(view, withdrawn=[turns[text].ref for text in gone])
    assert chains(view) == left


def test_what_comes_after_a_removal_is_tied_to_what_is_left():
    """A rewind takes back the end, and the talk goes on."""
    turns = {text: a_turn(text) for text in "abcd"}
    view = a_view(*turns.values())
    told(view, a_turn("e"), withdrawn=[turns["c"].ref, turns["d"].ref])
    assert chains(view) == ["a b e"]


def test_a_speaker_and_a_session_have_one_number():
    """Wherever they are met again."""
    view = a_view(a_turn("a", who="Mei"), a_turn("b", who="Bob"), a_turn("c", who="Mei"))
    columns = read_columns(view._connection, [1, 2, 3])
    assert columns[1].speaker == columns[3].speaker != columns[2].speaker
    assert len({column.session for column in columns.values()}) == 1


def test_nobody_has_the_number_zero():
    """A passage without a speaker."""
    assert read_columns(a_view(a_turn("a", who=""))._connection, [1])[1].speaker == 0


def test_what_a_tool_gave_stands_between_and_talk_goes_on_across_it():
    """Read at once or one by one, and also when some of it leaves."""
    turns = [a_turn("a"), a_turn("t", kind="tool"), a_turn("u", kind="tool"), a_turn("b"), a_turn("c")]
    for parts in ([turns], [[one] for one in turns]):
        view = a_view()
        for place, part in enumerate(parts):
            told(view, *part, whole=not place)
        rows = rows_of(view)
        columns = read_columns(view._connection, rows.values())
        words = {row: text for text, row in rows.items()} | {0: ""}
        beside = {words[row]: words[one.before] + words[one.after] for row, one in columns.items()}
        assert beside == {"a": "b", "t": "au", "u": "tb", "b": "ac", "c": "b"}
        with view.changing(wait=1):
            assert view.prune("tool", START + days(9)) == 2
        assert chains(view) == ["a b c"]
