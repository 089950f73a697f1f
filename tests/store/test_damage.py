"""Damage costs what it hit and nothing else; it is told, set aside and mended."""

import os

import pytest

from memoracle.store import journal
from memoracle.store.line import encode
from support.build import a_record
from support.damage import HARMLESS, HURTFUL
from support.files import contents
from support.stores import FACTS, a_store, met, standing, texts

LONG = "an 8 MB line"
HURTS = [pytest.param(what, marks=pytest.mark.long if what == LONG else ()) for what in HURTFUL]
KEPT = ["the cat is called Miso", "the dog is called Bolt", "the fox has no name"]


@pytest.fixture
def filled(memory):
    for text in KEPT:
        memory.remember(text)
    return memory


def damage(root, change):
    path = root / FACTS
    path.write_bytes(change(path.read_bytes()))


def codes(report):
    return {finding.code for finding in report.findings}


@pytest.mark.parametrize("what", HARMLESS)
def test_changes_of_form_cost_nothing(filled, root, what):
    """Repeated, reordered, CRLF, BOM, blank: everything loads, check stays clean, repair tidies up."""
    damage(root, HARMLESS[what])

    assert texts(filled.store) == KEPT
    assert filled.check().ok
    filled.repair()
    assert texts(filled.store) == KEPT
    assert not codes(filled.check()) & {"crlf", "byte-order-mark"}


@pytest.mark.parametrize("what", HURTS)
def test_damage_is_told_set_aside_and_mended(filled, root, what):
    """Everything else loads; check names it and fails; repair is a plan first; afterwards all is clean."""
    change, code = HURTFUL[what]
    damage(root, change)

    assert texts(filled.store) == KEPT
    report = filled.check()
    assert code in codes(report)
    assert report.ok == (code in {"conflict-marker", "nul-line"})
    assert met(filled, "cat Miso")[:1] == KEPT[:1]

    before = contents(root)
    plan = filled.plan_repair()
    assert plan.steps
    assert contents(root) == before, "a plan changes nothing"

    filled.repair()
    after = filled.check(deep=True)
    assert (after.ok, codes(after) - {"unsigned-line"}) == (True, set())
    assert texts(filled.store) == KEPT
    assert not filled.plan_repair().steps


@pytest.mark.parametrize("what", HURTS)
def test_no_damaged_byte_is_thrown_away(filled, root, what):
    """What repair takes out of a record file stands in quarantine, byte for byte, once."""
    change, _ = HURTFUL[what]
    damage(root, change)
    damaged = [piece.raw for piece in filled.store.journal.damage_in(FACTS)]

    filled.repair()
    filled.repair()

    entries = journal.read_quarantine(filled.store.volume, f"quarantine/{journal.QUARANTINE}")
    held = [journal.raw_bytes(entry) for entry in entries]
    assert sorted(held) == sorted(set(damaged))


def test_a_line_that_is_being_written_is_no_damage(filled, root):
    """While somebody holds the lock, an unfinished last line is passed over; when nobody does, it is torn."""
    damage(root, lambda content: content + b'{"id": "mem_')
    reader = a_store(root)
    with filled.store.writing():
        assert [one.raw for one in reader.journal.damage_in(FACTS)] == []
    assert [one.raw for one in reader.journal.damage_in(FACTS)] == [b'{"id": "mem_']


def test_reading_sets_damage_aside_without_touching_its_source(filled, root):
    """The first recall that meets damage keeps a copy of it; the file stays as it was found."""
    damage(root, lambda content: b"garbage\n" + content)
    before = (root / FACTS).read_bytes()

    filled.recall("cat")

    assert (root / FACTS).read_bytes() == before
    assert b"garbage" in (root / "quarantine" / journal.QUARANTINE).read_bytes()


def test_a_record_inside_a_damaged_line_can_be_shown_edited_and_recognised(filled, root):
    """A lost newline costs nothing: both records answer to every verb."""
    damage(root, lambda content: content.replace(b"\n", b"", 1))
    found = filled.list()[-1]

    again = filled.remember(found.passage.text)
    assert (again.id, again.created) == (found.passage.ref, False)
    filled.edit(found.passage.ref, text="the cat is called Mochi")
    assert filled.show(found.passage.ref).text == "the cat is called Mochi"


def test_a_line_changed_by_hand_is_damage_until_its_owner_adopts_it(filled, root):
    """Editing a line in place breaks its checksum; `--adopt` turns it into a new, signed version."""
    damage(root, lambda content: content.replace(b"Miso", b"Mochi"))
    assert codes(filled.check()) == {"altered-line", "missing-lines"}

    filled.repair(adopt=True)

    assert filled.check().findings == ()
    assert texts(filled.store) == ["the cat is called Mochi", *KEPT[1:]]
    assert {r.text for r in standing(filled.store).values() if r.change.verb == "repair"} == {
        "the cat is called Mochi"
    }


def test_a_line_of_a_newer_program_is_left_alone(filled, root):
    """It is named, and neither repair nor fold touches it: the newer program will read it."""
    newer = encode(a_record("from the future")).replace(b'"schema":1', b'"schema":2')
    from memoracle.store.line import line_sum

    body = newer[: newer.rindex(b',"sum"')]
    newer = body + b',"sum":"' + line_sum(body).encode() + b'"}\n'
    damage(root, lambda content: content + newer)

    assert "newer-line" in codes(filled.check())
    filled.repair()
    filled.fold()

    assert newer in (root / FACTS).read_bytes()
    assert not (root / "quarantine").exists()


def test_one_unreadable_file_costs_only_itself(filled, root):
    """A pipe where the beliefs belong does not keep the facts from being read or written."""
    os.mkfifo(root / "records" / "beliefs.jsonl")

    assert KEPT[0] in met(filled, "cat Miso")
    filled.remember("the owl is called Ada")
    report = filled.check()

    assert [finding.code for finding in report.findings] == ["link"]
