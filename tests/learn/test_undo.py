"""Acts lie on a stack: an undo takes the top one away, the undo of an undo puts it back."""

import pytest

from memoracle.errors import NothingToUndo, VersionConflict
from memoracle.learn import revise
from memoracle.learn.revise import last_operation, undo
from memoracle.model.record import Statement, Status
from memoracle.model.value import replace
from support.build import a_change, a_record, days
from support.clock import START


class Story:
    """One record's versions, one act after the other."""

    def __init__(self, text="first"):
        self.time = START
        self.versions = [a_record(text, change=self.change("remember", "op_make"))]

    def change(self, verb, operation, undoes=""):
        self.time += days(1)
        return a_change(verb, at=self.time, operation=operation, undoes=undoes)

    def edit(self, text, operation):
        self.versions.append(revise.edit(self.versions[-1], self.change("edit", operation), text=text))

    def undo(self, operation, name):
        change = self.change("undo", name, undoes=operation)
        self.versions += undo(operation, {self.versions[0].id: self.versions}, change)

    @property
    def says(self):
        latest = self.versions[-1]
        return latest.text, latest.status.value, latest.version


def test_undo_gives_back_what_was_said_before():
    """A new version with the old words; nothing leaves the history."""
    story = Story()
    story.edit("second", "op_edit")
    story.undo("op_edit", "op_undo")
    assert (story.says, len(story.versions)) == (("first", "active", 3), 3)


def test_undoing_step_by_step_reaches_the_beginning():
    """Each undo takes the last act that still stands; the first one retracts the record."""
    story = Story()
    story.edit("second", "op_2")
    story.edit("third", "op_3")
    says = []
    for number in range(3):
        story.undo(last_operation(story.versions), f"op_undo{number}")
        says.append(story.says[:2])
    assert says == [("second", "active"), ("first", "active"), ("first", "retracted")]


def test_after_everything_there_is_nothing_left():
    """The stack is empty: undo says so instead of inventing something."""
    story = Story()
    story.undo("op_make", "op_undo")
    with pytest.raises(NothingToUndo):
        last_operation(story.versions)


def test_the_undo_of_an_undo_puts_the_act_back():
    """An undo can itself be undone by name, and again."""
    story = Story()
    story.edit("second", "op_edit")
    story.undo("op_edit", "op_undo")
    story.undo("op_undo", "op_redo")
    assert story.says[0] == "second"
    story.undo("op_redo", "op_undo_again")
    assert story.says[0] == "first"


def test_a_retracted_record_comes_back():
    """Undoing the undo of a creation brings the record back."""
    story = Story()
    story.undo("op_make", "op_undo")
    story.undo("op_undo", "op_redo")
    assert story.says[:2] == ("first", "active")


def test_after_a_redo_the_act_can_be_undone_again():
    """What was put back lies on top of the stack."""
    story = Story()
    story.edit("second", "op_edit")
    story.undo("op_edit", "op_undo")
    story.undo("op_undo", "op_redo")
    story.undo("op_edit", "op_undo_2")
    assert story.says[0] == "first"


def test_a_plain_undo_after_a_redo_takes_the_redone_act():
    """An act that was put back stands again, so it is the next one to undo."""
    story = Story()
    story.edit("second", "op_edit")
    story.undo("op_edit", "op_undo")
    story.undo("op_undo", "op_redo")
    assert last_operation(story.versions) == "op_edit"


def test_an_act_below_another_cannot_be_pulled_out():
    """Somebody has changed the record since: a conflict, nothing is overwritten."""
    story = Story()
    story.edit("second", "op_2")
    story.edit("third", "op_3")
    with pytest.raises(VersionConflict):
        story.undo("op_2", "op_undo")


def test_an_old_line_changed_by_hand_does_not_come_back():
    """Undo gives what stood before the act, not what somebody has since written over the line it came from."""
    story = Story()
    story.edit("second", "op_2")
    story.undo("op_2", "op_3")
    story.versions[0] = replace(story.versions[0], statement=Statement(text="scribbled over"))
    story.edit("third", "op_4")
    story.undo("op_4", "op_5")
    assert story.says == ("first", "active", 5)


def test_what_was_erased_stays_erased():
    """Undo never reaches behind a tombstone."""
    made = a_record("x", change=a_change(operation="op_make"))
    stone = a_record("", id=made.id, version=2, status=Status.FORGOTTEN)
    with pytest.raises(NothingToUndo):
        undo("op_make", {made.id: [made, stone]}, a_change("undo"))


def test_an_act_on_two_records_is_reversed_on_both():
    """Undoing a supersede retracts the new record and revives the old one."""
    change = a_change("supersede", at=START + days(1), operation="op_sup")
    old = a_record("Boston", change=a_change(operation="op_make"))
    new, ended = revise.supersede(old, a_record("Hangzhou", change=change), change)
    back = undo("op_sup", {old.id: [old, ended], new.id: [new]}, a_change("undo", undoes="op_sup"))
    assert {record.text: record.status for record in back} == {
        "Boston": Status.ACTIVE,
        "Hangzhou": Status.RETRACTED,
    }


def test_an_unknown_act_is_said_so():
    """No change is called that."""
    with pytest.raises(NothingToUndo):
        undo("op_nowhere", {}, a_change("undo"))


def test_an_act_that_wrote_a_record_twice_is_undone_whole():
    """What held, and that it was over, in one act: both are taken back; a record that the act made is retracted."""
    story = Story()
    story.edit("second", "op_both")
    story.edit("third", "op_both")
    story.undo("op_both", "op_undo")
    assert story.says == ("first", "active", 4)
    made = Story()
    made.edit("second", "op_make")
    made.undo("op_make", "op_undo")
    assert made.says[1] == "retracted"
