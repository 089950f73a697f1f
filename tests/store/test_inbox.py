"""Questions wait in a file; what was answered is not asked again."""

import json
import os

import pytest

from memoracle.errors import AmbiguousReference, CannotChange, UnknownQuestion
from memoracle.learn.review import plan_answer
from memoracle.model.inbox import InboxItem, Matter
from memoracle.model.record import Kind, Status
from memoracle.store.inbox import InboxAnswer, answer, ask, read_inbox
from support.clock import START
from support.questions import a_question


def an_item(name="ask_1", about=("mem_a", "mem_b")):
    return InboxItem(
        id=name, matter=Matter.CHANGE, about=about, proposal="“b” 代替 “a”", because="测试", since=START
    )


def test_a_question_is_asked_once(memory):
    """Open, accepted, rejected or closed: the same question never comes again."""
    store = memory.store
    assert ask(store, [an_item()], now=START) == [an_item()]
    for how in (InboxAnswer.OPEN, InboxAnswer.REJECTED, InboxAnswer.ACCEPTED, InboxAnswer.CLOSED):
        answer(store, ["ask_1"], how, now=START)
        assert ask(store, [an_item()], now=START) == []
    assert [entry.item for entry in read_inbox(store).entries] == [an_item()]


def test_what_was_settled_otherwise_is_closed(memory):
    """It waits no longer, and stays known."""
    ask(memory.store, [an_item("ask_1"), an_item("ask_2")], now=START)
    ask(memory.store, [], closed=["ask_1", "ask_9"], now=START)
    entries = read_inbox(memory.store).entries
    assert ([item.id for item in read_inbox(memory.store).open], len(entries)) == (["ask_2"], 2)


def test_nothing_is_written_for_nothing(memory):
    """No question, no file."""
    ask(memory.store, [], closed=["ask_1"], now=START)
    assert not os.path.exists(memory.store.state_path("inbox.json"))


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"items": [{}]}', b"\xff", b'{"items": 5}'])
def test_a_damaged_file_is_set_aside(memory, content):
    """Reading finds no question; writing keeps the damaged bytes."""
    path = memory.store.state_path("inbox.json")
    with open(path, "wb") as file:
        file.write(content)
    assert read_inbox(memory.store).entries == ()
    ask(memory.store, [an_item()], now=START)
    with open(f"{path}.damaged", "rb") as file:
        assert (file.read(), len(read_inbox(memory.store).open)) == (content, 1)


# Answers


@pytest.fixture
def old(memory):
    return memory.remember("the cat is called Miso").id


def test_accepting_puts_the_new_in_place_of_the_old(memory, root, old):
    """One act: the belief is a fact, the old one superseded, the question gone; `undo` reverses it."""
    question = a_question(root, old)
    (item,) = memory.inbox()
    receipts = memory.accept([question])
    new, was = memory.show(item.about[1]), memory.show(old)
    assert (new.kind, new.weight.confidence, new.validity.supersedes) == (Kind.FACT, 1.0, (old,))
    assert (was.status, was.validity.superseded_by, memory.inbox()) == (Status.SUPERSEDED, new.id, [])
    assert len({receipt.operation for receipt in receipts}) == 1
    memory.undo(receipts[0].operation)
    assert (memory.show(old).status, memory.show(new.id).kind) == (Status.ACTIVE, Kind.BELIEF)


def test_rejecting_puts_the_remark_away(memory, root, old):
    """The old one stays as it is; the remark is archived and is not asked about again."""
    question = a_question(root, old)
    (item,) = memory.inbox()
    memory.reject([question[:8]])
    remark = memory.show(item.about[1])
    assert (memory.show(old).version, remark.status, remark.weight.confidence) == (1, Status.ARCHIVED, 0.0)
    assert (memory.inbox(), ask(memory.store, [item], now=START)) == ([], [])


def test_rejecting_a_contradiction_keeps_both(memory, root, old):
    """Two things that may both hold do."""
    question = a_question(root, old, matter=Matter.CONTRADICTION)
    (item,) = memory.inbox()
    assert memory.reject([question]) == []
    assert [memory.show(one).status for one in item.about] == [Status.ACTIVE, Status.ACTIVE]


def test_a_question_about_something_settled_is_not_shown(memory, root, old):
    """Its record was archived meanwhile."""
    question = a_question(root, old)
    memory.archive(old)
    assert memory.inbox() == []
    with pytest.raises(UnknownQuestion):
        memory.accept([question])


def test_a_dry_run_answers_nothing(memory, root, old):
    """It says what would be done."""
    question = a_question(root, old)
    plan = plan_answer(memory.root, [question], yes=True)
    assert ([step.target for step in plan.steps], len(memory.inbox())) == ([question], 1)
    assert memory.show(old).version == 1


def test_references_have_to_be_clear(memory, root, old):
    """An unknown one, an empty one and one that fits two are errors; nothing is written."""
    a_question(root, old)
    a_question(root, old, "the cat is called Sesame Street")
    for reference, error in (
        ("ask_zzz", UnknownQuestion),
        ("", UnknownQuestion),
        ("ask_", AmbiguousReference),
    ):
        with pytest.raises(error):
            memory.accept([reference])
    assert len(memory.inbox()) == 2


def test_two_answers_that_exclude_each_other(memory, root, old):
    """The second question of one call is moot once the first is accepted: nothing is written at all."""
    questions = [a_question(root, old), a_question(root, old, "the cat is called Sesame Street")]
    with pytest.raises(CannotChange):
        memory.accept(questions)
    assert (memory.show(old).status, len(memory.inbox())) == (Status.ACTIVE, 2)


@pytest.mark.parametrize(
    ("proposal", "pinned", "kind"), [("pinned", True, "belief"), ("preference", False, "preference")]
)
def test_a_promotion_makes_the_record_what_it_says(memory, proposal, pinned, kind):
    """Pinned, or of another kind."""
    belief = memory.remember("probably likes tea", kind="belief").id
    item = InboxItem(
        id="ask_p", matter=Matter.PROMOTION, about=(belief,), proposal=proposal, because="x", since=START
    )
    ask(memory.store, [item], now=START)
    memory.accept(["ask_p"])
    assert (memory.show(belief).pinned, memory.show(belief).kind) == (pinned, kind)


def test_words_of_a_note_become_a_record(memory):
    """A promotion of a line keeps its words and its place."""
    item = InboxItem(
        id="ask_n",
        matter=Matter.PROMOTION,
        about=("notes/daily/2026-05-15.md#L3",),
        proposal="lesson: 先写测试",
        because="seen 3 times",
        since=START,
    )
    ask(memory.store, [item], now=START)
    (receipt,) = memory.accept(["ask_n"])
    kept = memory.show(receipt.id)
    assert (kept.text, kept.kind, kept.origin.where) == ("先写测试", Kind.LESSON, item.about[0])


def test_forgetting_takes_the_words_out_of_the_inbox(memory, root, old):
    """A question quotes its records; erased is erased."""
    a_question(root, old)
    memory.forget([old])
    with open(memory.store.state_path("inbox.json"), encoding="utf-8") as file:
        kept = file.read()
    assert ("Miso" in kept, json.loads(kept)["items"]) == (False, [])
