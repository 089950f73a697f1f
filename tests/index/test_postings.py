"""Our own inverted index: exact in both directions."""

import random
from array import array

import pytest

from memoracle.index.sqlite import postings
from memoracle.index.sqlite.view import SqliteIndex
from support.views import a_turn, a_view, told

TABLES = ("terms", "postings", "tokens")


@pytest.fixture
def connection():
    return SqliteIndex(None)._connection


def rows_with(connection, term):
    """The rows that hold a term, and how often."""
    known = postings.known_terms(connection, [term])
    if term not in known:
        return {}
    rows, counts = postings.read_postings(connection, known[term][0])
    return dict(zip(array("I", rows), counts, strict=True))


def everything(connection):
    """What the index says, without the numbers it gave to its terms."""
    terms = dict(connection.execute("SELECT id, term FROM terms"))
    words = {
        row: [terms.get(number, "") for number in array("I", ids)]
        for row, ids in connection.execute("SELECT passage, ids FROM tokens")
    }
    held = {term: rows_with(connection, term) for term in terms.values()}
    return words, held, chunks(connection)


def chunks(connection):
    (number,) = connection.execute("SELECT value FROM meta WHERE name = 'chunks'").fetchone()
    return int(number)


def test_a_term_knows_where_it_stands(connection):
    """In which rows, and how often in each; the length is the number of terms."""
    lengths = postings.add(connection, {1: [["cat", "dog", "cat"]], 2: [["cat"], ["owl"]]})
    assert (lengths, rows_with(connection, "cat"), rows_with(connection, "owl")) == (
        {1: 3, 2: 2},
        {1: 2, 2: 1},
        {2: 1},
    )


def test_rows_ascend(connection):
    """However many calls it took."""
    for row in range(1, 50):
        postings.add(connection, {row: [["cat"]]})
    assert list(rows_with(connection, "cat")) == list(range(1, 50))


def test_tokens_keep_their_order_and_their_pieces(connection):
    """Zero divides the pieces of a passage."""
    postings.add(connection, {1: [["cat", "dog"], ["cat"]]})
    ids = postings.known_terms(connection, ["cat", "dog"])
    cat, dog = ids["cat"][0], ids["dog"][0]
    assert array("I", postings.read_tokens(connection, [1])[1]).tolist() == [cat, dog, 0, cat]


def test_a_word_said_very_often_is_counted_to_the_brim(connection):
    """A count has one byte, a length two."""
    assert postings.add(connection, {1: [["cat"] * 70_000]}) == {1: 65_535}
    assert rows_with(connection, "cat") == {1: 255}


PIECES = [
    [["cat", "dog"], ["cat"]],
    [["owl"]],
    [[]],
    [[], ["cat"]],
    [["cat"], [], ["dog"], []],
    [[], [], ["owl"]],
    [],
]


@pytest.mark.parametrize("order", [1, -1])
def test_after_removing_everything_nothing_is_left(connection, order):
    """No term, no list, no count, in whichever order they go."""
    postings.add(connection, dict(enumerate(PIECES, start=1)))
    for row in list(range(1, len(PIECES) + 1))[::order]:
        postings.remove(connection, [row])
    counts = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES]
    assert (counts, chunks(connection)) == ([0, 0, 0], 0)


def test_removing_takes_out_one_passage_exactly(connection):
    """The others stay as if it had never been there."""
    passages = dict(enumerate(PIECES, start=1))
    postings.add(connection, passages)
    postings.remove(connection, [1])
    other = SqliteIndex(None)._connection
    postings.add(other, {row: pieces for row, pieces in passages.items() if row != 1})
    assert everything(connection) == everything(other)


def test_removing_what_is_not_there_is_nothing(connection):
    """Twice is once."""
    postings.add(connection, {1: [["cat"]], 2: [["cat"]]})
    postings.remove(connection, [1])
    postings.remove(connection, [1])
    postings.remove(connection, [99])
    assert rows_with(connection, "cat") == {2: 1}


def test_blocks_are_joined(connection):
    """A term that stands on both sides of a border of 16,384 rows has one list; removal finds its block."""
    border = postings.ROWS_PER_BLOCK
    rows = [1, border - 1, border, border + 1, 2 * border, 5 * border + 7]
    for row in rows:
        postings.add(connection, {row: [["cat"]]})
    assert list(rows_with(connection, "cat")) == rows
    (blobs,) = connection.execute("SELECT count(*) FROM postings").fetchone()
    assert blobs == 4
    postings.remove(connection, [border])
    postings.remove(connection, [2 * border])
    assert list(rows_with(connection, "cat")) == [1, border - 1, border + 1, 5 * border + 7]


def test_one_call_may_cross_a_border(connection):
    """Nothing that stood in the older block is lost."""
    border = postings.ROWS_PER_BLOCK
    postings.add(connection, {border - 3: [["cat"]]})
    postings.add(connection, {row: [["cat"]] for row in range(border - 2, border + 3)})
    assert list(rows_with(connection, "cat")) == list(range(border - 3, border + 3))


def test_added_and_removed_step_by_step_is_built_at_once():
    """Whatever happened on the way, the index is the one of what is left."""
    dice = random.Random(7)
    words = "cat dog owl fox hen".split()
    texts = [" ".join(dice.choices(words, k=dice.randint(1, 8))) for _ in range(60)]
    turns = [a_turn(f"{text} number {n}") for n, text in enumerate(texts)]
    grown = a_view()
    for start in range(0, 60, 7):
        told(grown, *turns[start : start + 7])
    gone = dice.sample(turns, 25)
    told(grown, withdrawn=[turn.ref for turn in gone])
    left = [turn for turn in turns if turn not in gone]
    at_once = a_view(*left)

    def said(view):
        found = {}
        for (term,) in view._connection.execute("SELECT term FROM terms").fetchall():
            refs = dict(view._connection.execute("SELECT rowid, ref FROM passages"))
            found[term] = {refs[row]: count for row, count in rows_with(view._connection, term).items()}
        return found, chunks(view._connection)

    assert said(grown) == said(at_once)


def test_unknown_terms_are_not_known(connection):
    """And nobody is asked to invent them."""
    postings.add(connection, {1: [["cat"]]})
    assert postings.known_terms(connection, ["cat", "dog", ""]) == {"cat": (1, 1)}


def test_more_terms_than_one_question_can_hold(connection):
    """A passage of thousands of different words."""
    many = [f"word{n}" for n in range(3000)]
    postings.add(connection, {1: [many]})
    postings.add(connection, {2: [many]})
    assert postings.known_terms(connection, many)["word2999"][1] == 2


def test_many_passages_at_once_say_what_they_say_one_by_one(connection):
    """Many are sorted by numpy, few are counted; a block that older rows share goes on where it ended."""
    chosen = random.Random(7)
    words = [f"w{number}" for number in range(60)]
    first = postings.ROWS_PER_BLOCK - 700
    passages = {
        row: [chosen.choices(words, k=chosen.randint(0, 9)) for _ in range(chosen.randint(0, 3))]
        for row in range(first, first + 2 * postings._MANY)
    }
    passages[first] = [["w1"] * 300]
    alone = SqliteIndex(None)._connection
    lengths = {}
    for start in range(0, len(passages), postings._MANY):
        some = dict(list(passages.items())[start : start + postings._MANY])
        lengths |= postings.add(connection, some)
    assert lengths == {row: postings.add(alone, {row: said})[row] for row, said in passages.items()}
    assert everything(connection) == everything(alone)
