"""The live branch of a conversation."""

from __future__ import annotations

import pytest

from memoracle.hosts.branches import Branches, BranchNode, Rewind, UnknownPast
from memoracle.model.claim import Role, Turn


def said(name, parent=None, **more):
    """A node whose turn is called like itself."""
    turn = Turn(session="s", id=name, speaker="user", role=Role.OWNER, at=None, text=name, path="p", line=1)
    return BranchNode(name, parent, turn, **more)


def live(*steps, past=()):
    """The ids left after these steps."""
    branches = Branches(past=past)
    for step in steps:
        branches.grow(step)
    return [turn.id for turn in branches.live()]


def test_a_line_of_turns_is_live():
    """Nothing is left out of a conversation without forks."""
    assert live(said("a"), said("b", "a"), said("c", "b")) == ["a", "b", "c"]


def test_the_last_leaf_wins():
    """The branch that was left is out, also when it is longer."""
    assert live(said("a"), said("b", "a"), said("c", "b"), said("d", "c"), said("e", "a")) == ["a", "e"]


def test_going_back_to_an_old_branch_revives_it():
    """A branch is live again when somebody goes on from it."""
    assert live(said("a"), said("b", "a"), said("c", "a"), said("d", "b")) == ["a", "b", "d"]


def test_parts_of_one_message_stay_together():
    """Parts that share a message are live when one of them is."""
    parts = said("b", "a", group="m"), said("c", "b", group="m")

    assert live(said("a"), *parts, said("d", "b")) == ["a", "b", "c", "d"]


def test_side_entries_move_nothing():
    """Progress that hangs on an older entry does not change the branch."""
    assert live(said("a"), said("b", "a"), BranchNode("p", "a", leaf=False)) == ["a", "b"]


def test_going_back_before_the_start_empties():
    """A rewind to before the first entry leaves only what comes after."""
    assert live(
        said("a", follows=True), said("b", follows=True), Rewind("a", beyond=True), said("c", follows=True)
    ) == ["c"]


def test_rewind_counts_prompts():
    """Going back by two prompts takes their answers too."""
    steps = [said(name, follows=True, prompt=name in "ace") for name in "abcdef"]

    assert live(*steps, Rewind(prompts=2)) == ["a", "b"]


def test_rewind_of_something_unknown_changes_nothing():
    """A target that was never there is no reason to lose words."""
    assert live(said("a", follows=True), Rewind("zzz", beyond=True)) == ["a"]


def test_cycle_ends():
    """Entries that name each other as parents are still read, once."""
    assert live(said("a", "b"), said("b", "a")) == ["a", "b"]


def test_unknown_past_is_told():
    """When only the end was read, a step into the past asks for the whole."""
    with pytest.raises(UnknownPast):
        live(said("x", "older"), past=("tip",))


def test_continuation_of_the_past():
    """What hangs under the last entry read is simply new."""
    assert live(said("x", "tip"), said("y", "x"), past=("tip", "loose")) == ["x", "y"]
