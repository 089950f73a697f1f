"""What a sentence claims: subject, predicate, object, and everything the record needs to stand alone."""

from datetime import UTC, datetime, timedelta

import pytest

from memoracle.learn.claims import read_statement, said_plainly
from memoracle.model.claim import Stance
from memoracle.model.record import Channel, Kind
from support.turns import SAID, claims, told


@pytest.mark.seed("S2.079")
@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("I am a nurse", "work"), ("I am vegan", "identity"), ("I am called Max", "name"), ("I like green tea", "preference"),
        ("I hate cilantro", "dislike"), ("I work at Siemens", "work"), ("I studied physics in Bergen", "education"),
        ("I have a dentist appointment tomorrow", "schedule"), ("next week is the conference in Berlin", "schedule"),
        ("我叫李明", "name"), ("我喜欢喝绿茶", "preference"), ("我在西门子工作", "work"), ("明天下午三点开会", "schedule"),
    ],
)  # fmt: skip
def test_the_seeds_own_patterns(text, family):
    """Identity, name, preference, dislike, work, education and schedule, in both languages."""
    assert [claim.draft.tags for claim in claims(text)] == [(family,)]


@pytest.mark.seed("F-47")
@pytest.mark.parametrize("text", ["我对花生过敏", "I'm allergic to peanuts.", "你好，请记住我对花生过敏"])
def test_the_headline_example(text):
    """A health fact of importance 1, without any model."""
    (claim,) = claims(text)
    assert (claim.draft.kind, claim.draft.weight.importance, claim.draft.weight.confidence) == (
        Kind.HEALTH,
        1.0,
        1.0,
    )


@pytest.mark.seed("F-49")
@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("I live in Boston", Stance.ASSERT),
        ("I moved to Hangzhou", Stance.CORRECT),
        ("Actually I live in Hangzhou", Stance.CORRECT),
        ("I no longer live in Boston", Stance.DENY),
        ("I don't live in Boston anymore", Stance.DENY),
        ("我搬到杭州了", Stance.CORRECT),
        ("我不再住在波士顿了", Stance.DENY),
    ],
)
def test_one_slot_three_stances(text, stance):
    """Where somebody lives: said, corrected, ended, always of the same slot."""
    (claim,) = claims(text)
    said = (claim.draft.statement.subject, claim.draft.statement.predicate, claim.stance)
    assert said == ("user", "lives_in", stance)


@pytest.mark.seed("S2.020")
def test_a_draft_stands_alone():
    """The words without their wrapping, who said them where and when, and a key that a second run repeats."""
    (claim,) = claims("Hi! Please remember that I live in Rotterdam.")
    draft = claim.draft
    assert draft.statement.text == "I live in Rotterdam."
    assert (draft.origin.where, draft.origin.session, draft.origin.observed) == ("chat.jsonl#L7", "s1", SAID)
    assert (draft.sources, draft.validity.since) == (("chat.jsonl#L7",), SAID)
    assert draft.idempotency == "t1/1:lives_in:Rotterdam"
    assert claims("Hi! Please remember that I live in Rotterdam.") == [claim]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "My brother Anselm works at Siemens",
            [("user", "sibling", "Anselm"), ("Anselm", "works_at", "Siemens")],
        ),
        ("Anna works at Siemens", [("Anna", "works_at", "Siemens")]),
        ("my son is allergic to cashews", [("son", "allergic_to", "cashews")]),
        ("Our deadline is next Friday", [("heron", "deadline", "next Friday")]),
        ("My favourite colour is blue", [("user", "favourite", "colour: blue")]),
    ],
)
def test_who_it_is_said_of(text, said):
    """The speaker, the people they name, and “our project”."""
    assert told(text, project="heron") == said


def test_other_people_speak_for_themselves():
    """In a transcript with named speakers, “I” is the one who says it."""
    assert told("I live in Rome.", speaker="Melanie", channel=Channel.PERSON) == [
        ("Melanie", "lives_in", "Rome")
    ]


@pytest.mark.parametrize("who", ["", "user", "me", "我"])
@pytest.mark.parametrize("text", ["I live in Rome.", "I am allergic to peanuts.", "以后都用中文回答。"])
def test_a_person_without_a_name_teaches_nothing(text, who):
    """Nobody can stand in for the owner by having no name, or theirs."""
    assert told(text, speaker=who, channel=Channel.PERSON) == []


@pytest.mark.parametrize(
    "text",
    [
        "Always deploy on Fridays.",
        "Remember: never run the tests.",
        "We decided to use Rust.",
        "记住：以后都用中文回答。",
        "Remember that the spare key is under the blue pot.",
    ],
)
def test_orders_of_a_person_are_not_kept(text):
    """What somebody else asks for is no rule, decision or note of the owner's memory."""
    assert told(text, speaker="Melanie", channel=Channel.PERSON) == []


def test_at_most_six_claims_a_fragment():
    """However much is packed into a sentence, it stays small memories; four sisters and brothers are four."""
    text = "Anna is my sister, Ben is my brother, Cleo is my cousin, Dora is my aunt"
    assert len(claims(text)) == 4
    assert len(claims(f"{text}, Eva is my niece, Finn is my nephew, Gus is my uncle")) == 6


@pytest.mark.seed("S2.021", "S2.025")
@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("I think I might be lactose intolerant", 0.3, 0.5),
        ("I probably prefer tea", 0.6, 0.8),
        ("我可能对花生过敏", 0.3, 0.8),
    ],
)
def test_a_hedged_claim_is_a_belief(text, least, most):
    """It keeps its predicate and says how sure it is."""
    (claim,) = claims(text)
    assert claim.draft.kind is Kind.BELIEF
    assert least <= claim.draft.weight.confidence <= most


def test_a_hedge_counts_in_its_own_sentence():
    """Typed as one text: the weather is doubtful, the allergy is not."""
    for text, kind in (
        ("I think it will drizzle. I'm allergic to cashews.", Kind.HEALTH),
        ("It drizzles. I think I'm allergic to cashews.", Kind.BELIEF),
    ):
        assert read_statement(text, SAID, UTC).draft.kind is kind


@pytest.mark.parametrize(
    "text",
    ["0.05元一次，按次收费", "6.5升的锅是我家的", "Note: .5 mg is my dose", "3、4个人住这里"],
)
def test_no_digit_is_taken_for_an_item(text):
    """A number with decimals opens a sentence; nothing of it is left out."""
    assert said_plainly(text) == text.removeprefix("Note: ")


@pytest.mark.parametrize(
    "text",
    [
        "Note that arrays start at zero.",
        "FYI the CI is slow today.",
        "Important: read the error message first.",
    ],
)
def test_a_mark_alone_makes_no_note(text):
    """What holds for everybody, only for today, or asks for something now is not kept."""
    assert told(text) == []


def test_what_is_marked_is_kept_even_without_a_family():
    """The speaker knows what matters; the words are kept as they are."""
    assert told("Remember that the spare key is under the blue pot.") == [
        ("user", "noted", "the spare key is under the blue pot.")
    ]


@pytest.mark.parametrize("text", ["Remember this!", "Don't forget!", "记住了"])
def test_a_mark_alone_keeps_nothing(text):
    """There is nothing behind it."""
    assert claims(text) == []


@pytest.mark.seed("S2.131")
@pytest.mark.parametrize(
    ("text", "expires"),
    [
        ("Dentist appointment on Friday at 3pm.", datetime(2026, 3, 6, 15, tzinfo=UTC) + timedelta(hours=12)),
        ("I have yoga on Thursdays at 6pm", None),
        ("I'm allergic to nuts, I noticed today", None),
        ("Please remember that the lift is broken today.", SAID + timedelta(hours=12)),
        ("Please remember that the lift is broken this week.", SAID + timedelta(days=10)),
        ("Please remember that the lift is broken this month.", SAID + timedelta(days=35)),
    ],
)
def test_temporary_things_expire(text, expires):
    """Appointments after their time, “today” after 12 hours; habits and health never."""
    (claim,) = claims(text)
    assert claim.draft.validity.expires == expires


def test_a_move_holds_from_when_it_happened():
    """“We moved last month” is true since last month, not since it was mentioned."""
    (claim,) = claims("we moved to Hangzhou last month")
    assert claim.draft.validity.since == datetime(2026, 2, 1, tzinfo=UTC)
