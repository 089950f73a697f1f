"""The next version of a record."""

import pytest

from memoracle.errors import BadInput, CannotChange, InvalidDraft
from memoracle.learn import revise
from memoracle.model.record import Anchor, Kind, Statement, Status, Validity
from memoracle.model.value import replace
from support.build import a_change, a_record, days
from support.clock import START

LATER = START + days(3)


def test_an_edit_is_the_next_version():
    """The words change, the id stays, the version grows, the anchor stays where it was."""
    record = a_record("old", entities=("Miso",))
    change = a_change("edit", at=LATER)
    edited = revise.edit(record, change, text="new", importance=0.9)
    said = (edited.id, edited.version, edited.text, edited.weight.importance, edited.entities, edited.change)
    assert said == (record.id, 2, "new", 0.9, ("Miso",), change)
    assert edited.anchor == record.anchor


def test_an_edit_of_words_drops_the_old_structure():
    """New words no longer are what subject and key said."""
    record = replace(a_record(), statement=Statement(text="db.port 5432", key="db.port", value="5432"))
    assert revise.edit(record, a_change(), text="the port moved").statement == Statement(
        text="the port moved"
    )
    assert revise.edit(record, a_change(), tags=["x"]).statement == record.statement


def test_an_edit_of_words_has_a_new_content_key_and_keeps_the_callers_key():
    """The record is recognised by what it says now; a retry of the first call still finds it."""
    record = a_record("old", keys=("c_old", "i_mine"))
    keys = revise.edit(record, a_change(), text="new").keys
    assert ("c_old" in keys, keys[0].startswith("c_"), keys[1:]) == (False, True, ("i_mine",))


def test_an_edit_that_changes_nothing_is_said_so():
    """No version is written for nothing."""
    with pytest.raises(BadInput):
        revise.edit(a_record("same"), a_change(), text="same")


@pytest.mark.parametrize("fields", [{"text": " "}, {"kind": "rumour"}, {"importance": float("nan")}])
def test_an_edit_is_checked_like_a_draft(fields):
    """What could not be remembered cannot be edited in."""
    with pytest.raises(InvalidDraft):
        revise.edit(a_record(), a_change(), **fields)


@pytest.mark.seed("F-49", "S4.061")
def test_superseding_names_both_sides():
    """The new record says what it replaced, the old one by what and until when; both stay."""
    old, new = a_record("lives in Boston"), a_record("lives in Hangzhou", at=LATER)
    successor, ended = revise.supersede(old, new, a_change("supersede", at=LATER))
    assert successor.validity == Validity(since=LATER, supersedes=(old.id,))
    assert (ended.status, ended.version) == (Status.SUPERSEDED, 2)
    assert ended.validity == Validity(until=LATER, superseded_by=new.id)


@pytest.mark.seed("S0.068", "F-45")
def test_archive_then_restore_gives_the_record_back():
    """Everything but version, change and anchor is as it was; it is as alive as a new one."""
    record = a_record("x", tags=("a",), kind=Kind.LESSON)
    archived = revise.archive(record, a_change())
    restored = revise.restore(archived, a_change(at=LATER))
    same = replace(restored, version=1, change=record.change, weight=record.weight)
    assert (same, restored.anchor, archived.status) == (record, Anchor(value=1.0, at=LATER), Status.ARCHIVED)


def test_a_restored_record_holds_again():
    """Bringing back what was superseded ends its ending."""
    old = a_record(
        status=Status.SUPERSEDED, validity=Validity(since=START, until=LATER, superseded_by="mem_2")
    )
    assert revise.restore(old, a_change()).validity == Validity(since=START)


@pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.RETRACTED])
@pytest.mark.parametrize("verb", ["edit", "pin", "archive", "supersede"])
def test_what_is_gone_cannot_be_changed(verb, status):
    """Erased and retracted records are left alone."""
    record = a_record(status=status)
    acts = {
        "edit": lambda: revise.edit(record, a_change(), text="new"),
        "pin": lambda: revise.pin(record, a_change(), pinned=True),
        "archive": lambda: revise.archive(record, a_change()),
        "supersede": lambda: revise.supersede(record, a_record(), a_change()),
    }
    with pytest.raises(CannotChange):
        acts[verb]()


@pytest.mark.parametrize(
    ("act", "status"),
    [
        (lambda r: revise.archive(r, a_change()), Status.ARCHIVED),
        (lambda r: revise.restore(r, a_change()), Status.ACTIVE),
        (lambda r: revise.restore(r, a_change()), Status.FORGOTTEN),
        (lambda r: revise.edit(r, a_change(), text="new"), Status.SUPERSEDED),
    ],
)
def test_changes_that_make_no_sense_are_refused(act, status):
    """Archiving twice, restoring what is active or erased, editing what was replaced."""
    with pytest.raises(CannotChange):
        act(a_record(status=status))
