"""The numbers of every passage, in blocks that numpy reads as they are."""

import numpy as np
import pytest

from memoracle.index.sqlite.postings import BLOCK, LAYOUT, SIZE, Column, read_columns, write_columns
from memoracle.index.sqlite.view import SqliteIndex

FULL = Column(before=1, after=2, session=3, day=739_000, length=65_535, flags=8191, speaker=65_535)


@pytest.fixture
def connection():
    return SqliteIndex(None)._connection


def test_what_is_written_is_read(connection):
    """Every number, up to its greatest."""
    write_columns(connection, {5: FULL})
    assert read_columns(connection, [5]) == {5: FULL}


def test_what_was_never_written_is_nothing(connection):
    """A row of zeroes, beside others and far from them."""
    write_columns(connection, {5: FULL})
    assert read_columns(connection, [4, 6, 9_999_999]) == dict.fromkeys([4, 6, 9_999_999], Column())


def test_writing_one_leaves_the_others(connection):
    """Rows of one block and of others."""
    rows = {row: Column(session=row) for row in (1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK)}
    write_columns(connection, rows)
    write_columns(connection, {BLOCK: FULL})
    assert read_columns(connection, rows) == rows | {BLOCK: FULL}


def test_numpy_reads_the_same_numbers(connection):
    """The layout of the arrays is the layout of the rows."""
    write_columns(connection, {7: FULL, 8: Column(speaker=9)})
    (data,) = connection.execute("SELECT data FROM columns").fetchone()
    table = np.frombuffer(data, dtype=np.dtype(LAYOUT))
    assert (np.dtype(LAYOUT).itemsize, len(table)) == (SIZE, BLOCK)
    assert tuple(table[7].tolist()[: len(FULL)]) == FULL
    assert table["speaker"][8] == 9


@pytest.mark.parametrize("rows", [[], [1], [1, BLOCK, 5 * BLOCK]])
def test_one_block_for_each_thousand_rows(connection, rows):
    """No more than are needed."""
    write_columns(connection, dict.fromkeys(rows, FULL))
    (number,) = connection.execute("SELECT count(*) FROM columns").fetchone()
    assert number == len(rows)
