"""Ids sort by time, never repeat; keys recognise what was kept before."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.model.ids import IdSource, content_key, file_digest, idempotency_key
from memoracle.store.line import line_sum
from support.build import days
from support.clock import START


@pytest.mark.seed("C-11")
def test_ids_of_one_moment_ascend():
    """Within one millisecond the next id is still the greater one."""
    source = IdSource()
    made = [source.next("mem_", START) for _ in range(1000)]
    assert made == sorted(set(made))


def test_ids_ascend_when_the_clock_goes_back():
    """A clock that is set back does not make ids go back."""
    source = IdSource()
    assert source.next("mem_", START) < source.next("mem_", START - days(1))


def test_ids_sort_by_time_across_sources():
    """Two machines' ids sort by the time they were made."""
    assert IdSource().next("mem_", START) < IdSource().next("mem_", START + days(1))


def test_ids_of_many_threads_are_distinct():
    """Threads that share a source never get the same id."""
    source = IdSource()
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: source.next("mem_", START), range(4000)))
    assert len(set(made)) == 4000


def test_an_id_has_a_prefix_and_26_plain_characters():
    """No I, L, O or U that a person could misread."""
    made = IdSource().next("mem_", START)
    assert (len(made), set(made[4:]) & set("ILOU")) == (30, set())


def test_parts_of_a_key_stay_apart():
    """("ab", "c") and ("a", "bc") are different content."""
    assert content_key("ab", "c") != content_key("a", "bc")


@given(st.lists(st.text(), max_size=4))
def test_a_key_is_always_the_same(parts):
    """Equal content has one key, `c_` and 32 hex digits, for any text."""
    assert (content_key(*parts), len(content_key(*parts))) == (content_key(*parts), 34)


def test_keys_of_different_families_never_meet():
    """A caller's name cannot pose as content."""
    assert (idempotency_key("x")[:2], content_key("x")[:2]) == ("i_", "c_")


def test_checksums_notice_one_bit():
    """A single changed bit gives another checksum and another digest."""
    assert line_sum(b"a") != line_sum(b"c")
    assert file_digest(b"a") != file_digest(b"c")


def test_an_id_tells_when_it_was_made():
    """Ours do, to the millisecond; another program's do not."""
    from datetime import UTC, datetime

    from memoracle.model.ids import RECORD_PREFIX, IdSource, derived_id, made_at

    moment = datetime(2026, 5, 15, 9, 30, tzinfo=UTC)
    assert made_at(IdSource().next(RECORD_PREFIX, moment)) == moment
    assert made_at(derived_id(RECORD_PREFIX, moment, "the same words")) == moment
    assert (made_at("fact-0001"), made_at("mem_short")) == (None, None)


def test_the_same_words_at_the_same_moment_have_the_same_id():
    """So that a run which is repeated makes the same records."""
    from datetime import UTC, datetime

    from memoracle.model.ids import RECORD_PREFIX, derived_id

    moment = datetime(2026, 5, 15, 9, 30, tzinfo=UTC)
    one = derived_id(RECORD_PREFIX, moment, "a", "b")
    assert one == derived_id(RECORD_PREFIX, moment, "a", "b")
    assert one != derived_id(RECORD_PREFIX, moment, "ab", "")
