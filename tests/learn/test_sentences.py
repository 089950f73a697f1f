"""A turn becomes fragments: sentences of its speaker, and nothing that was pasted, quoted or printed."""

import pytest

from memoracle.learn.screen import fragments_of, sentences
from memoracle.model.claim import Ruling, SessionKind
from support.turns import a_turn


def texts(text, **turn):
    return [fragment.text for fragment in fragments_of(a_turn(text, **turn))]


@pytest.mark.seed("S2.050")
@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("I moved. It rained!", ["I moved.", "It rained!"]),
        (
            "Dr. Lindqvist works at St. Mary. She is kind.",
            ["Dr. Lindqvist works at St. Mary.", "She is kind."],
        ),
        ("We use Python 3.9 and v2.0.1 now", ["We use Python 3.9 and v2.0.1 now"]),
        (
            "See https://acme.example/a.b.c for utils.py today",
            ["See https://acme.example/a.b.c for utils.py today"],
        ),
        ("我住在杭州。我对花生过敏！你呢？", ["我住在杭州。", "我对花生过敏！", "你呢？"]),
        ("0.03 per page. 6.5 kg each.", ["0.03 per page.", "6.5 kg each."]),
        ("My pension is Rs. 18000. It helps.", ["My pension is Rs. 18000.", "It helps."]),
        ("Asst. Manager at H.P. Gas since Jan. 2011", ["Asst. Manager at H.P. Gas since Jan. 2011"]),
        (
            "I watch t.v. What is new? The flat is apt. Who took it?",
            ["I watch t.v.", "What is new?", "The flat is apt.", "Who took it?"],
        ),
        ("Lt. Col. Iyer came at 6 p.m. on Tue. 5 May", ["Lt. Col. Iyer came at 6 p.m. on Tue. 5 May"]),
        ("It costs 3.50 euros, e.g. at Bob's. Fine.", ["It costs 3.50 euros, e.g. at Bob's.", "Fine."]),
    ],
)
def test_where_sentences_end(line, pieces):
    """Dots in names, numbers, addresses and abbreviations end nothing."""
    assert sentences(line) == pieces


def test_clauses_that_stand_alone_fall_apart():
    """Each says one thing of the speaker, so each can be kept for itself."""
    assert texts("My name is Anna, I live in Boston and I work at Siemens") == [
        "My name is Anna", "I live in Boston", "I work at Siemens",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "pieces"),
    [
        ("my cousin and I are joint tenants", ["my cousin and I are joint tenants"]),
        (
            "My dad, my aunt and I own a farm, and I run it",
            ["My dad, my aunt and I own a farm", "I run it"],
        ),
        ("I think my flatmate and I both signed", ["I think my flatmate and I both signed"]),
        ("I feed my cats and my tortoise.", ["I feed my cats and my tortoise."]),
        ("My brother moved and I miss him", ["My brother moved", "I miss him"]),
    ],
)
def test_who_does_something_together_stays_together(said, pieces):
    """“I are joint tenants” is nobody's sentence."""
    assert texts(said) == pieces


def test_a_supposition_stays_whole():
    """What is supposed is supposed to its end."""
    assert len(texts("If I were rich, I'd buy a boat, and I live in Paris in that dream")) == 1


@pytest.mark.parametrize(
    "foreign",
    [
        "```\nmy name is Bob\n```",
        "> I live in Springfield.",
        "| name | city |\n|---|---|\n| I am | Rome |",
        'Traceback (most recent call last):\n  File "app.py", line 12, in <module>\nKeyError: name',
        "2026-03-01 12:00:01 INFO worker: I am alive",
        "$ git log --oneline\na1b2c3d remember to bump version",
        "user: I live in Rome\nassistant: I like Rome",
        "<memoracle>I live in Ghent.</memoracle>",
        "here is the log:\nI am allergic to this worker",
    ],
)
def test_what_its_speaker_did_not_say(foreign):
    """Code, quotes, tables, logs, traces, dialogues and what memory injected are left out."""
    assert texts(f"{foreign}\n") == []


def test_items_of_a_list_are_sentences():
    """A list of facts about oneself is as good as prose."""
    assert texts("About me:\n- I'm Anna\n2. I live in Rome\n* [x] I hate olives") == [
        "About me:", "I'm Anna", "I live in Rome", "I hate olives",
    ]  # fmt: skip
    assert texts("6.5 kg now\n3、4个人住这里") == ["6.5 kg now", "3、4个人住这里"]


def test_of_a_pasted_document_only_its_ends():
    """A long turn is read at its beginning and end; a mark inside it is as likely the book's."""
    pages = "\n".join(f"I live in page {number} of this pasted book." for number in range(400))
    text = f"I'm Anna.\n{pages}\nPlease remember that the gate code changes.\n{pages}\nI live in Rome."
    found = texts(text)
    assert found == ["I'm Anna.", "I live in Rome."]


def test_fiction_ends_what_is_meant():
    """From the story on nothing is said of the speaker, save what asks to be kept."""
    turn = a_turn("I'm Anna. Write me a story about a fox. I live in a den. Remember that I hate olives.")
    ruled = [(fragment.text, fragment.ruling) for fragment in fragments_of(turn)]
    assert ruled == [
        ("I'm Anna.", Ruling.UNDECIDED),
        ("Write me a story about a fox.", Ruling.DROP),
        ("I live in a den.", Ruling.DROP),
        ("Remember that I hate olives.", Ruling.UNDECIDED),
    ]


@pytest.mark.parametrize("kind", [kind for kind in SessionKind if not kind.has_people])
def test_sessions_without_people_say_nothing(kind):
    """A scheduler that writes “I live in …” lives nowhere."""
    assert texts("I live in Rome.", kind=kind) == []


def test_fragments_carry_where_they_stand():
    """Place, session, speaker and ordinal: every record can name the turn it came from."""
    second = fragments_of(a_turn("One thing. Another thing."))[1]
    assert (second.id, second.where, second.session, second.who) == ("t1/1", "chat.jsonl#L7", "s1", "user")
