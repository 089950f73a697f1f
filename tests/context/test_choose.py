"""Which records the hot file shows, in which part, and why: the owner first, others under their names."""

from datetime import UTC

import pytest

from context.standing import one
from memoracle.context.choose import HotPart, Placing
from memoracle.context.hot import HotLimits, compose_hot
from memoracle.model.record import Status, Validity
from support.build import days
from support.clock import START

TURN = "chat.jsonl#L3"
OLD = START - days(40)


def heard(text, **fields):
    """A sentence of a conversation, as the tagger keeps it: no predicate, and the turn it came from."""
    return one(text, **{"where": TURN, "subject": "user", "kind": "fact", "at": OLD} | fields)


def said(text, who, **fields):
    """What somebody said to somebody else."""
    return heard(text, **{"channel": "person", "trust": 0.5, "who": who, "subject": who} | fields)


def hot(*standing, **how):
    return compose_hot(list(standing), **{"now": START, "zone": UTC} | how)


def parts(*standing, **how):
    """The lines of each part, without their ids."""
    found, lines = {}, []
    for line in hot(*standing, **how).text.split("\n"):
        if line.startswith("## "):
            lines = found.setdefault(line[3:], [])
        elif line.startswith("- "):
            lines.append(line[2:].partition(" `")[0])
    return found


def place(record, *others, **how):
    how = {"present": frozenset(), "now": START, "zone": UTC} | how
    return Placing([record, *others], **how).place(record)


def test_the_owner_comes_first_then_the_project_then_people_then_what_is_open_then_what_changed():
    """Identity, constraints and preferences before everything else."""
    shown = parts(
        one("We moved to Denver", subject="user", predicate="lives_in", object="Denver", ref="mem_new"),
        one(
            "I live in Austin",
            subject="user",
            predicate="lives_in",
            object="Austin",
            status=Status.SUPERSEDED,
            validity=Validity(until=START - days(3), superseded_by="mem_new"),
        ),
        heard("I want to visit my aunt in spring", kind="plan"),
        one("Tane is a mechanic", kind="relationship", subject="Tane"),
        one("we deploy from the release branch", subject="project", at=OLD),
        heard("I prefer short answers in plain words", kind="preference"),
        heard("no meetings before ten in the morning", kind="rule"),
        heard("I am Mei, a nurse from Turku", kind="identity"),
        heard("the garden has three apple trees"),
    )
    assert list(shown) == [
        "User",
        "Constraints",
        "Preferences",
        "Core memories",
        "Project",
        "People and things",
        "Open items",
        "Recent changes",
        "Index",
    ]
    assert shown["Recent changes"] == ["2026-05-15: lives in: Austin → Denver"]


def change(was, status=Status.SUPERSEDED, **validity):
    return one(was, status=status, at=OLD, validity=Validity(**validity))


def test_what_ended_without_a_successor_is_no_longer():
    shown = parts(one(), change("The office has a dog", until=START - days(2)))
    assert shown["Recent changes"][0].endswith("The office has a dog → no longer")


def test_changes_of_the_last_month_six_at_most_by_their_end_and_never_twins():
    """A chain shows its two ends; what says the same as its successor did not change."""
    ended = [change(f"room number {n} is mine", until=START - days(n)) for n in range(1, 40)]
    shown = parts(
        one("The cat sleeps upstairs", ref="mem_c"),
        change("The cat sleeps in the hall", until=START - days(9), superseded_by="mem_c"),
        change("the cat sleeps upstairs!", until=START - days(9), superseded_by="mem_c"),
        *ended,
    )["Recent changes"]
    assert len(shown) == 6
    assert "The cat sleeps in the hall → The cat sleeps upstairs" in shown[0]
    assert not any("upstairs!" in line for line in shown)
    assert all("room number 3" not in line or "room number 3 " in line for line in shown)
    assert "Recent changes" not in parts(one(), change("long ago", until=START - days(31)))


def test_what_replaced_it_but_is_not_here_is_no_end():
    """Its successor belongs to a project, or was withdrawn: nobody can say here what became of it."""
    old = change("The office has a dog", until=START - days(2), superseded_by="mem_elsewhere")
    new = one("The office has two dogs", ref="mem_elsewhere", project="atlas")
    assert "Recent changes" not in parts(one(), old)
    assert "Recent changes" not in parts(one(), old, new)


def test_what_matters_for_life_and_limb_is_never_told_as_replaced():
    """Nuts, then “no lactose” in somebody's cake: the first one stands, with the later word beside it."""
    old = heard("nuts make my throat swell", kind="health", ref="mem_old")
    new = heard("a cake for seven, no lactose", kind="health", at=START - days(1), ref="mem_new")
    shown = parts(old, new, changed={"mem_old": new.passage})
    assert "Recent changes" not in shown
    assert any(line.startswith("nuts make my throat swell (later") for line in shown["Constraints"])


def test_an_agents_part_of_a_change_is_marked():
    old = change("The office has a dog", until=START - days(2), superseded_by="mem_n")
    new = one("The dog moved out", ref="mem_n", channel="agent", trust=0.7, confirmed_by="owner")
    assert "→ an agent noted: The dog moved out" in hot(old, new).text


def test_a_line_of_change_names_both_records_and_nothing_secret():
    old = one(
        "I live in Austin",
        status=Status.SUPERSEDED,
        ref="mem_o",
        validity=Validity(until=START - days(1), superseded_by="mem_n"),
    )
    new = one("I live in Denver now", ref="mem_n")
    assert "`mem_o` `mem_n`" in hot(old, new).text
    hidden = one("I live in Denver now", ref="mem_n", sensitivity="secret")
    assert "Austin" not in hot(old, hidden, one("the cat is called Miso")).text


def test_people_take_a_quarter_at_most_while_the_owner_has_lines():
    """Nobody crowds the owner out, and nobody the others."""
    people = [
        one(f"{name} said a great many things about number {n}", kind="relationship", subject=name)
        for name in ("Ada", "Bo", "Cy", "Di")
        for n in range(30)
    ]
    own = [one(f"fact number {n} about my own life and work", at=OLD) for n in range(60)]
    limits = HotLimits(tokens=1000)
    shown = parts(*people, *own, limits=limits)
    assert len(shown["Core memories"]) > len(shown["People and things"])
    assert {line.split()[0] for line in shown["People and things"]} >= {"Ada", "Bo"}
    assert max(sum(line.startswith(name) for line in shown["People and things"]) for name in "ABCD") <= 5


def test_talk_that_nobody_owns_shows_people_by_name():
    """What each of them said, under their name; orders of theirs, and what no conversation holds, not at all."""
    ana = said("I opened a dance studio in Porto", "Ana")
    unnamed = said("my twins would have joined the class", "Bob", subject="")
    order = said("Always send the invoices to my address first", "Bob")
    typed = said("Ilse lives in Ghent these days", "Ilse", where="")
    shown = parts(ana, unnamed, order, typed)
    assert shown["People and things"] == [
        "Ana: I opened a dance studio in Porto",
        "Bob: my twins would have joined the class",
    ]
    assert "People and things" not in parts(ana, unnamed, one())  # somebody owns this memory
    assert place(ana).part is None  # without being asked for talk, as for a prompt


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("Twenty one.", "health", False),
        ("And ten percent.", "health", False),
        ("Ooh.", "fact", False),
        ("首印三", "fact", False),
        ("He got one helper he pays in cash", "fact", False),
        ("they moved it to wednesday in the end", "fact", False),
        ("佢對貓過敏，真架，唔係藉口", "health", False),
        ("I'm diabetic", "health", True),
        ("Ola is pregnant.", "health", True),
        ("i deliver medical supplies in the mornings", "fact", True),
        ("It never goes to git, never in output", "rule", True),
        ("没有孩子，住在北京", "fact", True),
    ],
)
def test_what_was_heard_in_passing_is_told_when_it_stands_by_itself(text, kind, shown):
    """A bit of a sentence, or of somebody named before, says nothing alone; a rule by a slot or a person does."""
    subject = "" if text.startswith("佢") else "user"
    assert (place(heard(text, kind=kind, subject=subject)).part is not None) is shown
    assert place(one(text, kind=kind)).part is not None


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"tags": ("work",)}, "User"),
        ({"tags": ("place",)}, "User"),
        ({"tags": ("relationship",), "kind": "relationship", "subject": "Tane"}, "People and things"),
        ({"tags": ("other",)}, None),
        ({"tags": ("work",), "kind": "event"}, None),
        ({"tags": ("work", "unclear")}, None),
        ({"tags": ("work",), "channel": "agent"}, None),
    ],
)
def test_how_somebody_lives_and_works_holds_until_it_changes(fields, part):
    """However long ago it was said; likings, events and what an agent noted fade."""
    record = heard("test lead at a small firm, fully remote", activation=0.1, **fields)
    assert place(record).part == part


def test_what_is_vital_comes_first_whatever_it_was_taken_for():
    """A rule that is about an allergy stands before symptoms."""
    rule = heard("not the cashews please, cashew is epipen territory for me", kind="rule")
    symptom = heard("my knee is swollen since climbing on sunday", kind="health", at=OLD - days(1))
    assert parts(symptom, rule)["Constraints"][0].startswith("not the cashews")


def test_what_was_heard_of_a_thing_is_of_no_project_by_itself():
    """Only what was said in a project, or read by a rule, stands there."""
    assert place(heard("the salary goes to another bank", subject="project")).part == "Core memories"


def test_the_health_of_somebody_unnamed_is_not_the_owners():
    assert place(heard("sis is coeliac, the hospital kind", kind="health", subject="")).part is HotPart.PEOPLE


def test_a_fact_of_a_known_person_stands_under_their_name():
    known = heard("Rhys is vegetarian though", kind="preference", subject="Rhys")
    fact = heard("his van is parked behind the church", subject="Rhys")
    assert place(fact, known).part is HotPart.PEOPLE
    assert place(heard("the views from there are great", subject="Views"), known).part is HotPart.CORE


@pytest.mark.parametrize(
    ("fields", "because"),
    [
        ({"kind": "health"}, "health always is"),
        ({"pinned": True}, "pinned"),
        ({"activation": 0.7}, "activation 0.70, above 0.5"),
        ({"activation": 0.2}, "activation 0.20: a record enters above 0.5"),
        ({"kind": "plan", "at": START - days(91)}, "it names no day, and was said more than 90 days ago"),
        ({"project": "atlas"}, "it belongs to a project, and this is read everywhere"),
    ],
)
def test_why_a_record_is_there_or_not_can_be_said(fields, because):
    found = place(one("the shed needs a new roof", **{"at": OLD} | fields), projects=("",))
    assert found.because == because
