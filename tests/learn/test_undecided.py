"""What nobody decided, settled by an agent; and what a model makes of what was kept by itself."""

import json
from datetime import timedelta

import pytest

from memoracle.compose import open_memory
from memoracle.errors import BeyondScope
from memoracle.learn.undecided import AT_A_TIME, settle_undecided, undecided
from memoracle.model.inbox import Matter
from memoracle.model.record import Channel, Kind, Scope, Status
from memoracle.model.search import Selection
from support.chat import ChatServer, answer
from support.clock import START
from support.files import PLAIN
from support.stores import standing

TALK = [
    ("assistant", "How is your sister Ruth doing?"),
    ("user", "She got transferred to the Lyon office last Monday"),
    ("assistant", "And what do you drink there?"),
    ("user", "green tea has been my thing for years"),
    ("user", "the blue Volvo went to the scrapyard"),
    ("user", "the old garage smells of paint again"),
]
KNOWN = [
    "I live in Austin",
    "I drive a blue Volvo",
    "I work at Siemens as a nurse",
    "My sister is called Ruth",
    "I like green tea",
    "Deploys go out on Tuesdays",
    "My manager is Tom",
    "The cat is called Miso",
]
ALONE = PLAIN | {"TZ": "UTC", "MEMORACLE_TAGGER": "none"}


def write_talk(path, talk, at):
    rows = [{"role": who, "content": said, "timestamp": at.isoformat()} for who, said in talk]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return path


@pytest.fixture
def talked(root, clock, tmp_path):
    """A memory that heard a talk of which rules could make nothing."""
    chat = write_talk(tmp_path / "chat.jsonl", TALK, START + timedelta(minutes=30))
    with open_memory(str(root), environment=ALONE, clock=clock) as memory:
        memory.remember("I drive a blue Volvo")
        clock.move(hours=1)
        memory.ingest(str(chat), embed=False)
        memory.consolidate()
        yield memory


def asked(memory):
    """The names of what is asked about, and the cases, by the first words of their fragments."""
    return {case.fragment.text.split()[0]: (name, case) for name, case in undecided(memory.root)[0].items()}


def said(name, predicate, what, **more):
    """An answer that keeps something."""
    item = {"id": name, "keep": True, "subject": "user", "predicate": predicate}
    return item | {"object": what, "text": f"User {predicate} {what}"} | more


def settle(memory, *answers):
    return settle_undecided(memory.root, answers, by="a-host", run="run-1")


def test_a_batch_is_small_and_says_what_stands_beside(talked):
    """The newest first, each with the turn before it and the records that share its words."""
    named, waiting = undecided(talked.root)
    cases = list(named.values())
    assert (len(cases), waiting, len(cases) <= AT_A_TIME) == (4, 4, True)
    assert [case.fragment.text.split()[0] for case in cases] == ["the", "the", "green", "She"]
    assert (cases[3].before, [one.text for one in cases[1].known.values()]) == (
        "assistant: How is your sister Ruth doing?",
        ["I drive a blue Volvo"],
    )


def test_records_of_the_same_slot_are_found_without_a_common_word(root, clock, tmp_path):
    """By what they mean, as recall finds them."""
    talk = [("user", "the car went to a cousin of mine and the commute is by bike")]
    chat = write_talk(tmp_path / "chat.jsonl", talk, START)
    with open_memory(str(root), environment={"MEMORACLE_TAGGER": "none"}, clock=clock) as memory:
        for words in KNOWN:
            memory.remember(words)
        memory.ingest(str(chat))
        memory.consolidate()
        (case,) = undecided(memory.root)[0].values()
    assert next(iter(case.known.values())).text == "I drive a blue Volvo"


def test_an_answer_is_the_agents_note_with_the_owners_words_as_evidence(talked):
    """A pronoun and a day resolved; where it was said is cited, and the fragment waits no longer."""
    name, case = asked(talked)["She"]
    item = said(
        name,
        "works_at",
        "Lyon office",
        subject="Ruth",
        text="Ruth got transferred to the Lyon office on 2026-05-11",
    )
    (kept,) = settle(talked, item).kept
    record = talked.show(kept)
    assert (record.text, record.origin.channel, record.origin.who) == (item["text"], Channel.AGENT, "a-host")
    assert (record.origin.where, "She" in asked(talked)) == (case.fragment.where, False)
    assert case.fragment.where in record.sources


def test_what_only_the_owner_can_say_is_put_to_them(talked):
    """It stands as a fact of the agent's until then, and as their preference afterwards."""
    done = settle(talked, said(asked(talked)["green"][0], "likes", "green tea"))
    record = talked.show(done.kept[0])
    (item,) = [one for one in talked.inbox() if one.matter is Matter.CONFIRMATION]
    assert (record.kind, record.origin.channel, done.proposed, item.about) == (
        Kind.FACT,
        Channel.AGENT,
        1,
        done.kept,
    )
    talked.accept([item.id])
    owned = talked.show(record.id)
    assert (owned.kind, owned.origin.channel) == (Kind.PREFERENCE, Channel.OWNER)


def test_an_agent_replaces_nothing_of_the_owners_by_itself(talked):
    """The change it sees is a question to the owner; accepting it replaces the record."""
    name, case = next(one for one in undecided(talked.root)[0].items() if one[1].known)
    ((record, passage),) = case.known.items()
    done = settle(talked, said(name, "owns", "blue Volvo", changes=record, how="ends"))
    volvo = passage.ref
    assert (talked.show(volvo).status, talked.show(done.kept[0]).kind) == (Status.ACTIVE, Kind.BELIEF)
    (item,) = talked.inbox()
    assert (item.matter, item.about) == (Matter.CHANGE, (volvo, done.kept[0]))
    talked.accept([item.id])
    assert talked.show(volvo).status is Status.SUPERSEDED


def test_a_wrong_answer_is_refused_with_its_reason_and_the_fragment_waits_on(talked):
    """Ungrounded, of no list, about nothing: each is told; the others are settled."""
    cases = asked(talked)
    green, she = cases["green"][0], cases["She"][0]
    drops = [{"id": one, "keep": False} for one in (she, "ffffff")]
    done = settle(talked, said(green, "likes", "black coffee"), *drops)
    reasons = {one["id"]: one["because"] for one in done.refused}
    assert (done.dropped, done.waiting, reasons[green]) == (1, 3, "the object was not said")
    assert "no fragment" in reasons["ffffff"]
    assert (done.kept, sorted(asked(talked))) == ((), ["green", "the"])


def test_answering_twice_is_answering_once(talked):
    """A retry finds nothing that waits, and makes nothing."""
    item = said(asked(talked)["green"][0], "likes", "green tea")
    settle(talked, item)
    before = standing(talked.store)
    assert (settle(talked, item).kept, standing(talked.store)) == ((), before)


def test_what_an_agent_settled_goes_with_its_session(talked):
    """Its evidence is the owner's talk: forgetting that leaves nothing of it."""
    name, case = asked(talked)["green"]
    settle(talked, said(name, "likes", "green tea"))
    talked.forget(selection=Selection(session=case.fragment.session))
    assert not any("green tea" in record.text for record in standing(talked.store).values())


def test_one_reader_among_several_is_handed_nothing(talked):
    """Nobody knows whose the remarks are."""
    talked.read_as(Scope(user="ann"))
    with pytest.raises(BeyondScope):
        undecided(talked.root)


@pytest.mark.parametrize(("is_there", "questions"), [(True, []), (False, [Matter.WITHDRAWAL])])
def test_a_model_checks_what_was_kept_of_health(root, clock, tmp_path, is_there, questions):
    """What it does not find in the sentence becomes a question, and the record stays until that is answered."""
    server = ChatServer()
    talk = [("assistant", "Any allergies?"), ("user", "I'm allergic to grass")]
    chat = write_talk(tmp_path / "chat.jsonl", talk, START)
    server.answers = [answer({"id": 1, "keep": is_there})]
    clock.move(hours=1)
    environment = ALONE | {"MEMORACLE_LLM": f"{server.url}#small"}
    with open_memory(str(root), environment=environment, clock=clock) as memory:
        memory.ingest(str(chat), embed=False)
        memory.consolidate()
        assert [record.kind for record in standing(memory.store).values()] == [Kind.HEALTH]
        assert [item.matter for item in memory.inbox()] == questions
        assert '{"before":"assistant: Any allergies?","kept":"health"}' in server.prompts()[0]
        memory.accept([item.id for item in memory.inbox()])
        assert [record.status is Status.ACTIVE for record in standing(memory.store).values()] == [is_there]
    server.close()


def test_a_model_may_say_what_a_remark_ends(root, clock, tmp_path):
    """The record it names is found by its words, shown as r1, and ends with the day on which that was said."""
    server = ChatServer()
    first = write_talk(tmp_path / "first.jsonl", [("user", "I own a red bike")], START)
    gone = [("user", "the red bike went to a friend of ours")]
    second = write_talk(tmp_path / "second.jsonl", gone, START + timedelta(days=2))
    bike = {"subject": "user", "predicate": "noted", "object": "red bike", "text": gone[0][1]}
    server.answers = [answer({"id": 1, "keep": True, "changes": "r1", "how": "ends"} | bike)]
    clock.move(days=3)
    with open_memory(
        str(root), environment=ALONE | {"MEMORACLE_LLM": f"{server.url}#small"}, clock=clock
    ) as memory:
        memory.ingest(str(first), embed=False)
        memory.consolidate()
        memory.ingest(str(second), embed=False)
        memory.consolidate()
        owned, ended = sorted(
            standing(memory.store).values(), key=lambda one: one.statement.predicate, reverse=True
        )
    server.close()
    assert '{"r1":"I own a red bike"}' in server.prompts()[-1]
    assert (owned.statement.predicate, owned.status, owned.validity.superseded_by) == (
        "owns",
        Status.SUPERSEDED,
        ended.id,
    )
    assert (ended.statement.predicate, ended.text) == ("no_longer_owns", gone[0][1])
