"""A draft beside what is already known."""

import pytest

from memoracle.learn.draft import admit, already_kept, keys_of
from memoracle.model.record import Anchor, Status
from support.build import a_change, a_draft, a_record
from support.clock import START


@pytest.mark.seed("S0.031")
def test_a_new_record_is_fully_alive():
    """The first version: version 1, active, anchor 1.0 at that moment, made by that change."""
    change = a_change()
    record = admit(a_draft("x"), record_id="mem_1", change=change)
    said = (record.version, record.status, record.anchor, record.change, record.created)
    assert said == (1, Status.ACTIVE, Anchor(value=1.0, at=START), change, START)


@pytest.mark.seed("F-48")
@pytest.mark.parametrize("status", [Status.ACTIVE, Status.ARCHIVED])
def test_the_same_content_is_the_same_record(status):
    """What is known, live or archived, is not kept a second time."""
    draft = a_draft("x")
    held = a_record("x", status=status)
    assert already_kept(keys_of(draft), {keys_of(draft)[0]: held}.get, START) is held


@pytest.mark.parametrize(
    "status", [Status.SUPERSEDED, Status.RETRACTED, Status.FORGOTTEN, Status.QUARANTINED]
)
def test_what_ended_can_be_said_anew(status):
    """Content whose record ended begins a new one."""
    draft = a_draft("x")
    assert already_kept(keys_of(draft), {keys_of(draft)[0]: a_record("x", status=status)}.get, START) is None


@pytest.mark.seed("F-12", "F-31", "S4.089")
def test_a_retry_finds_its_record_whatever_became_of_it():
    """The caller's own key recognises the call even when the record was edited or superseded since."""
    draft = a_draft("x", idempotency="call-1")
    held = a_record("something else by now", status=Status.SUPERSEDED)
    assert already_kept(keys_of(draft), {keys_of(draft)[1]: held}.get, START) is held
