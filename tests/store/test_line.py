"""One line is one whole version; whatever happened to it is seen."""

import json
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.errors import InvalidDraft
from memoracle.model.record import Statement
from memoracle.store.journal import read_records
from memoracle.store.line import (
    DamagedLine,
    beside,
    decode,
    decode_all,
    decode_unsigned,
    encode,
    readable,
    salvage,
)
from support.build import a_change, a_record
from support.stores import FACTS, a_store, keep, texts

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@pytest.mark.seed("S0.036")
@given(TEXTS, st.lists(TEXTS, max_size=3).map(tuple), st.integers(1, 2**40))
def test_a_record_comes_back_as_it_was_written(text, tags, sequence):
    """Any text survives: quotes, control characters, line separators, other scripts. A line is one line."""
    record = a_record(text, tags=tags, change=a_change(writer="w_1", sequence=sequence))

    line = encode(record)

    assert line.count(b"\n") == 1
    assert decode(line[:-1]).record == record


@pytest.mark.seed("S0.036")
@pytest.mark.parametrize(
    "broken",
    [
        {"statement": Statement(text=7)},
        {"statement": Statement(text="half \ud800 a character")},
        {"version": "one"},
        {"tags": (3,)},
        {"extra": {"a": float("nan")}},
        {"extra": {"what": object()}},
    ],
)
def test_what_could_not_be_read_back_is_refused_before_writing(root, broken):
    """A malformed record is an error for its writer, never a line for its reader."""
    store = a_store(root)
    keep(store, "stands")
    fields = {"text": "", "version": 1} | broken
    statement = fields.pop("statement", None)
    record = a_record(**fields)
    if statement:
        from memoracle.model.value import replace

        record = replace(record, statement=statement)

    with store.writing(), pytest.raises(InvalidDraft):
        store.append([record])

    assert texts(store) == ["stands"]


def test_every_flipped_bit_is_reported(root):
    """Walk every bit of a small record file: 100 % of the flips give a finding, and the neighbours still load."""
    store = a_store(root)
    records = keep(store, "first: Jumping * over", "second: 茶 is hot")
    content = (root / FACTS).read_bytes()
    boundary = content.index(b"\n")
    silent, harmed = [], []
    for place in range(len(content)):
        for bit in range(8):
            hurt = bytearray(content)
            hurt[place] ^= 1 << bit
            reading = read_records(FACTS, bytes(hurt))
            if not reading.damage:
                silent.append((place, bit))
            read = {version.record.id for version in reading.versions}
            untouched = {records[1].id} if place < boundary else {records[0].id}
            if not untouched <= read:
                harmed.append((place, bit))

    assert (silent, harmed) == ([], [])
    assert len(content) * 8 > 2000


def test_a_line_that_nobody_signed_is_accepted_and_mentioned():
    """A line written by hand needs no checksum of ours."""
    fields = json.loads(encode(a_record("by hand")))
    fields.pop("sum")
    fields["change"] = {"at": "2026-05-15", "verb": "remember"}

    reading = read_records(FACTS, json.dumps(fields).encode() + b"\n")

    assert [version.record.text for version in reading.versions] == ["by hand"]
    assert [notice.code for notice in reading.notices] == ["unsigned-line"]


@pytest.mark.parametrize("name", ["sum", "sun", "Sum"])
def test_a_checksum_under_another_name_is_no_way_around_it(name):
    """A line that was signed cannot pass for one that never was."""
    line = encode(a_record("signed")).rstrip(b"\n").replace(b'"sum"', f'"{name}"'.encode())
    line = line.replace(b"signed", b"forged")

    with pytest.raises(DamagedLine) as told:
        decode(line)

    assert told.value.code == "altered-line"
    assert decode_unsigned(line).text == "forged"


def test_whole_lines_are_rescued_from_damage():
    """A lost newline, a torn neighbour, garbage around: every whole line inside still loads."""
    one, two = (encode(a_record(text))[:-1] for text in ("one", "two"))

    assert salvage(one + two) == [one, two]
    assert salvage(one[:40] + two) == [two]
    assert salvage(b"\0\xff" + one + b"garbage" + two + one[:50]) == [one, two]
    assert [record.text for _, record in readable(one + b"\r" + two + b"\r")] == ["one", "two"]


@pytest.mark.parametrize(
    "hostile",
    [
        b'{"schema":1,' * 300_000 + b',"sum":"0000000000000000"}',
        b'{"schema":1' + b',"sum":"0000000000000000"}' * 150_000,
        b'{"schema":1,"sum":"0000000000000000"}' * 100_000,
    ],
)
def test_hostile_damage_costs_no_time(hostile):
    """Four megabytes made to look like beginnings and ends are read in moments."""
    begun = time.monotonic()

    assert readable(hostile) == []

    assert time.monotonic() - begun < 2


def test_random_bytes_never_break_the_reader():
    """Two thousand mutations of a file: something is read, nothing crashes."""
    chance = random.Random(7)
    content = b"".join(encode(a_record(f"record {number} 中文")) for number in range(5))
    for _ in range(2000):
        hurt = bytearray(content)
        for _ in range(chance.randrange(1, 6)):
            place = chance.randrange(len(hurt))
            piece = bytes(chance.randrange(256) for _ in range(chance.randrange(0, 9)))
            hurt[place : place + chance.randrange(0, 12)] = piece

        reading = read_records(FACTS, bytes(hurt))

        assert len(reading.versions) <= 5
        assert reading.damage or len(reading.versions) >= 4


THEIRS = {"content": "the cat is called Miso", "score": 0.5, "source": "manual"}


def respaced(line, **changed):
    """The line as another program writes it again: parsed, some fields put differently, spaces between them."""
    return json.dumps(json.loads(line) | changed, ensure_ascii=False).encode()


def test_fields_of_another_program_stand_beside_ours():
    """They are no part of the record or of its checksum, and the line may be written again with other numbers."""
    record = a_record("the cat is called Miso")
    own = encode(record)
    line = beside(own, THEIRS)
    assert {name: json.loads(line)[name] for name in THEIRS} == THEIRS
    for raw in (line[:-1], respaced(line), respaced(line, score=0.25)):
        assert decode_all(raw) == [(own[:-1], record)]
        assert decode(raw).signed


def test_words_that_another_program_changed_are_a_version_of_their_own():
    """What the line said before is still there, and what was put in its place is one version more."""
    record = a_record("the cat is called Miso")
    raw = respaced(beside(encode(record), THEIRS), content="the cat is called Nori")
    [(_, before), (_, after)] = decode_all(raw)
    assert (before, after.text) == (record, "the cat is called Nori")
    assert (after.id, after.version) == (record.id, record.version + 1)


def test_a_changed_byte_of_ours_is_damage_whatever_stands_beside():
    """Only who took the whole line apart and wrote it again is another program."""
    line = beside(encode(a_record("the cat is called Miso")), THEIRS)
    with pytest.raises(DamagedLine):
        decode(line.replace(b"Miso", b"Moso", 1)[:-1])
