"""Claims meet what is known."""

from datetime import timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.learn.evidence import confirmations, said_of
from memoracle.learn.reconcile import why_not
from memoracle.model.inbox import Matter
from memoracle.model.predicates import OWNER
from memoracle.model.record import Anchor, Kind, Scope, Status, Validity
from memoracle.model.value import replace
from support.build import a_record
from support.claims import Shelf, a_claim, day

BOSTON_HANGZHOU = [
    pytest.param("Boston", "Hangzhou", "I moved to Hangzhou", id="en"),
    pytest.param("波士顿", "杭州", "我搬到杭州了", id="zh"),
]


# One value at a time


@pytest.mark.seed("F-49", "S2.053", "C-02", "S2.137")
@pytest.mark.parametrize(("old", "new", "text"), BOSTON_HANGZHOU)
def test_moving_house(old, new, text):
    """Now the new place, in the history both, each naming the other, with the dates."""
    shelf = Shelf()
    shelf.hear(a_claim("lives_in", old, on=1), on=2)
    shelf.hear(a_claim("lives_in", new, on=30, stance="correct", text=text), on=31)
    was, now = shelf.one(old), shelf.one(new)
    assert shelf.says("lives_in") == [new]
    assert (was.status, was.validity) == (
        Status.SUPERSEDED,
        Validity(since=day(1), until=day(30), superseded_by=now.id),
    )
    assert now.validity == Validity(since=day(30), supersedes=(was.id,))


@pytest.mark.seed("F-49")
@pytest.mark.parametrize(("old", "new", "text"), BOSTON_HANGZHOU)
def test_moving_house_read_the_other_way_round(old, new, text):
    """A transcript that is read late finds its place in the past; the result is the same."""
    shelf = Shelf()
    shelf.hear(a_claim("lives_in", new, on=30, stance="correct", text=text), on=31)
    shelf.hear(a_claim("lives_in", old, on=1), on=32)
    was, now = shelf.one(old), shelf.one(new)
    assert shelf.says("lives_in") == [new]
    assert (was.status, was.validity) == (
        Status.SUPERSEDED,
        Validity(since=day(1), until=day(30), superseded_by=now.id),
    )
    assert now.validity == Validity(since=day(30), supersedes=(was.id,))


def test_the_past_can_be_asked_for_even_when_it_was_read_late():
    """A first version says what held, a second one that it was over: each known from the day it was said."""
    shelf = Shelf()
    shelf.hear(a_claim("lives_in", "Hangzhou", on=30), on=31)
    shelf.hear(a_claim("lives_in", "Boston", on=1), on=32)
    told = [(one.status, one.change.known) for one in shelf.versions[shelf.one("Boston").id]]
    assert told == [(Status.ACTIVE, day(1)), (Status.SUPERSEDED, day(30))]


def test_every_version_says_who_when_and_why():
    """The verb, the operation, a reason with the place, and when the words were heard."""
    shelf = Shelf()
    (version,) = shelf.hear(a_claim("lives_in", "Boston", on=1), on=2).versions
    change = version.change
    assert (change.verb, change.operation, change.by, change.heard) == ("consolidate", "op_2", "test", day(1))
    assert "chats/s1.jsonl#L1" in change.because


@pytest.mark.parametrize("order", list(permutations([1, 2, 3])))
def test_a_timeline_in_any_order_of_reading(order):
    """Three places, read one by one in any order: the same past."""
    towns = {1: "Boston", 2: "Hangzhou", 3: "Lisbon"}
    shelf = Shelf()
    for number, which in enumerate(order):
        shelf.hear(a_claim("works_as", towns[which], on=which), on=50 + number)
    spans = {
        one.statement.object: (one.validity.since, one.validity.until, one.validity.superseded_by)
        for one in shelf.all()
    }
    second, third = shelf.one("Hangzhou").id, shelf.one("Lisbon").id
    assert spans == {
        "Boston": (day(1), day(2), second),
        "Hangzhou": (day(2), day(3), third),
        "Lisbon": (day(3), None, None),
    }


def test_of_two_things_said_at_once_the_later_stands():
    """Equal times: the order decides."""
    shelf = Shelf()
    shelf.hear(a_claim("age", "30", on=1), a_claim("age", "31", on=1))
    assert shelf.says("age") == ["31"]


def test_going_back_is_a_new_record():
    """Boston, Hangzhou, Boston again: three spans."""
    shelf = Shelf()
    shelf.hear(*[a_claim("works_as", one, on=on) for on, one in enumerate(["cook", "nurse", "cook"])])
    spans = sorted((one.validity.since, one.statement.object) for one in shelf.all())
    assert (shelf.says("works_as"), [what for _, what in spans]) == (["cook"], ["cook", "nurse", "cook"])


def test_what_an_older_remark_confirms_begins_earlier():
    """Heard late that it was so before: it holds since then."""
    shelf = Shelf()
    shelf.hear(a_claim("works_as", "cook", on=9), on=10)
    shelf.hear(a_claim("works_as", "cook", on=3), on=11)
    assert [one.validity.since for one in shelf.all()] == [day(3)]


def test_a_key_has_one_value():
    """key and value: the newer value replaces the older."""
    from memoracle.model.claim import Claim
    from support.build import a_draft

    shelf = Shelf()
    for on, port in ((1, "5432"), (2, "5433")):
        draft = a_draft("", key="db.port", value=port, observed=day(on), session=f"s{on}")
        shelf.hear(Claim(draft=draft), on=on)
    assert [(one.statement.value, one.status.value) for one in shelf.all()] == [
        ("5432", "superseded"),
        ("5433", "active"),
    ]


# The same again


@pytest.mark.seed("S0.034", "F-48", "S2.031")
def test_said_again_is_confirmed():
    """No second record: confirmed that day, more important once, as alive as after a use, one more source."""
    shelf = Shelf()
    shelf.hear(a_claim("works_at", "Acme", on=0), on=0)
    shelf.hear(a_claim("works_at", "the  ACME", on=40), on=41)
    (one,) = shelf.all()
    faded = 2 ** (-40 / (87 / 0.75))
    assert (one.version, one.validity.confirmed, one.weight.importance) == (2, day(40), 0.7)
    assert (one.weight.anchor.at, one.sources) == (day(40), ("session:s40",))
    assert one.weight.anchor.value == pytest.approx(min(1.0, faded + 0.3))


def test_a_use_before_a_confirmation_is_not_lost():
    """Receipts count up to the day it was said again."""
    alive = []
    for uses in ([], [day(60)]):
        shelf = Shelf()
        shelf.hear(a_claim("works_at", "Acme", on=0), on=0)
        shelf.hear(a_claim("works_at", "Acme", on=100), on=101, uses=lambda _, uses=uses: uses)
        alive.append(shelf.all()[0].weight.anchor.value)
    assert alive[0] < alive[1] <= 1.0


@pytest.mark.seed("S2.031", "C-06", "F-02")
def test_only_the_first_repetition_makes_it_more_important():
    """Twice, three times, ten times: +0.2 once."""
    shelf = Shelf()
    for on in range(0, 30, 3):
        shelf.hear(a_claim("works_at", "Acme", on=on), on=on)
    assert shelf.all()[0].weight.importance == 0.7


def test_a_day_gives_one_version_at_most():
    """Said ten times in a session on one day: nothing to write."""
    shelf = Shelf()
    shelf.hear(a_claim("works_at", "Acme", on=1), on=2)
    again = [a_claim("works_at", "Acme", on=1, where=f"chats/s1.jsonl#L{line}") for line in range(2, 12)]
    assert shelf.hear(*again, on=3).versions == ()


def test_what_was_archived_comes_back_when_it_is_said_again():
    """Active, and as alive as a new one."""
    from memoracle.learn.revise import archive
    from support.build import a_change

    shelf = Shelf()
    shelf.hear(a_claim("likes", "jazz", on=1), on=2)
    shelf.take([archive(shelf.one("jazz"), a_change("consolidate", at=day(300)))])
    shelf.hear(a_claim("likes", "jazz", on=400), on=401)
    assert (shelf.says("likes"), shelf.one("jazz").weight.anchor) == (
        ["jazz"],
        Anchor(value=1.0, at=day(401)),
    )


def test_an_echo_confirms_nothing():
    """The agent repeating what its owner said is no evidence; the owner repeating the agent is."""
    shelf = Shelf()
    shelf.hear(a_claim("works_at", "Acme", on=1), on=2)
    assert shelf.hear(a_claim("works_at", "Acme", on=9, channel="agent"), on=10).versions == ()
    shelf = Shelf()
    shelf.hear(a_claim("works_at", "Acme", on=1, channel="agent"), on=2)
    shelf.hear(a_claim("works_at", "Acme", on=9), on=10)
    assert (shelf.one("Acme").origin.trust, confirmations(shelf.one("Acme"))) == (1.0, 1)


# Many values


def test_many_things_hold_together():
    """Liking one thing says nothing about another."""
    shelf = Shelf()
    shelf.hear(
        a_claim("likes", "jazz", on=1), a_claim("likes", "hiking", on=2), a_claim("likes", "爵士", on=3)
    )
    assert sorted(shelf.says("likes")) == ["hiking", "jazz", "爵士"]


@pytest.mark.seed("S2.134", "S2.133")
@pytest.mark.parametrize(
    ("one", "other"),
    [("robot_5", "robot_50"), ("v1.2", "v1.20"), ("张伟", "张玮"), ("Ann", "Anna"), ("port 80", "port 8080")],
)
def test_what_only_looks_alike_stays_apart(one, other):
    """As objects and as subjects: two records, no question."""
    shelf = Shelf()
    done = shelf.hear(
        a_claim("uses", one, on=1),
        a_claim("uses", other, on=2),
        a_claim("located_in", "hall 1", on=3, subject=one),
        a_claim("located_in", "hall 2", on=4, subject=other),
    )
    active = [record for record in shelf.all() if record.status is Status.ACTIVE]
    assert (len(active), done.items) == (4, ())


def test_a_correction_replaces_what_was_said_just_before():
    """“My friend is Li Lei.” “Actually, Lin Lei.”: in the same session; elsewhere both stay."""
    shelf = Shelf()
    shelf.hear(a_claim("friend", "Ana", on=1), on=1)
    shelf.hear(
        a_claim("friend", "Li Lei", on=2, session="s"),
        a_claim("friend", "Lin Lei", on=2, session="s", stance="correct", where="chats/s.jsonl#L2"),
    )
    assert sorted(shelf.says("friend")) == ["Ana", "Lin Lei"]


# Stable memories


def firm(predicate="likes", what="tea"):
    """A memory that three sessions spoke for."""
    shelf = Shelf()
    for on in (1, 5, 9):
        shelf.hear(a_claim(predicate, what, on=on), on=on)
    return shelf


@pytest.mark.seed("S4.086")
def test_one_stray_remark_does_not_flip_a_stable_memory():
    """It is kept as a belief, and the owner is asked."""
    shelf = firm("lives_in", "Boston")
    done = shelf.hear(a_claim("lives_in", "Hangzhou", on=20), on=21)
    (item,) = done.items
    aside = shelf.one("Hangzhou")
    assert shelf.says("lives_in") == ["Boston", "Hangzhou"]
    assert (aside.kind, aside.weight.confidence) == (Kind.BELIEF, 0.5)
    assert (item.matter, item.about) == (Matter.CHANGE, (shelf.one("Boston").id, aside.id))


@pytest.mark.seed("S4.086")
def test_the_second_independent_mention_flips_it():
    """Another session says so too: the belief is a fact, the question is answered."""
    shelf = firm("lives_in", "Boston")
    shelf.hear(a_claim("lives_in", "Hangzhou", on=20), on=21)
    shelf.hear(a_claim("lives_in", "Hangzhou", on=20, where="chats/s20.jsonl#L9"), on=22)
    assert shelf.says("lives_in") == ["Boston", "Hangzhou"]  # the same session is no second witness
    shelf.hear(a_claim("lives_in", "Hangzhou", on=25), on=26)
    stands = shelf.one("Hangzhou")
    assert shelf.says("lives_in") == ["Hangzhou"]
    assert (stands.kind, stands.weight.confidence, stands.validity.since) == (Kind.FACT, 1.0, day(20))
    assert (shelf.one("Boston").validity.until, set(shelf.items) <= shelf.closed) == (day(20), True)


@pytest.mark.seed("S4.086")
@pytest.mark.parametrize("predicate", ["lives_in", "is_called", "spouse"])
def test_a_correction_by_the_owner_flips_it_at_once(predicate):
    """“Actually …”: no question."""
    shelf = firm(predicate, "Boston")
    done = shelf.hear(a_claim(predicate, "Hangzhou", on=20, stance="correct"), on=21)
    assert (shelf.says(predicate), done.items) == (["Hangzhou"], ())


def test_what_is_not_stable_follows_the_newest_remark():
    """An age changes every year."""
    shelf = firm("age", "30")
    assert (shelf.hear(a_claim("age", "31", on=20)).items, shelf.says("age")) == ((), ["31"])


@pytest.mark.parametrize(
    "fields",
    [{"pinned": True}, {"importance": 0.9}, {"session": "", "where": ""}],
    ids=["pinned", "important", "by hand"],
)
def test_kept_on_purpose_is_firm(fields):
    """Pinned, very important, or remembered by hand: one remark is not enough."""
    shelf = Shelf()
    shelf.hear(a_claim("lives_in", "Boston", on=1, **fields), on=1)
    shelf.hear(a_claim("lives_in", "Hangzhou", on=20), on=21)
    assert (shelf.says("lives_in"), len(shelf.items)) == (["Boston", "Hangzhou"], 1)


def test_said_once_is_replaced_by_what_is_said_later():
    """Nothing speaks for the old one but one remark."""
    shelf = Shelf()
    shelf.hear(a_claim("lives_in", "Boston", on=1), a_claim("lives_in", "Hangzhou", on=2))
    assert (shelf.says("lives_in"), shelf.items) == (["Hangzhou"], {})


@pytest.mark.parametrize("first", ["likes", "prefers", "favourite"])
def test_likes_and_dislikes_exclude_each_other(first):
    """Of the same thing; a correction settles, a plain remark against a firm memory asks."""
    for stance, says, asked in (("correct", [], 0), ("assert", ["tea"], 1)):
        shelf = firm(first, "tea")
        shelf.hear(a_claim("dislikes", "Tea", on=20, stance=stance), a_claim("dislikes", "beer", on=20))
        assert (shelf.says(first), len(shelf.items)) == (says, asked)


# No longer


@pytest.mark.seed("F-49")
@pytest.mark.parametrize(("what", "other"), [("jazz", "hiking"), ("爵士", "徒步")])
def test_no_longer_ends_it(what, other):
    """Until that day, replaced by a record that says so; the others stay."""
    shelf = firm("likes", what)
    shelf.hear(a_claim("likes", other, on=10), a_claim("likes", what, on=20, stance="deny"))
    ended = shelf.one(what, status=Status.SUPERSEDED)
    says_so = shelf.standing(ended.validity.superseded_by)
    assert (shelf.says("likes"), shelf.says("no_longer_likes")) == ([other], [what])
    assert (ended.validity.until, says_so.statement.predicate) == (day(20), "no_longer_likes")
    assert says_so.validity == Validity(since=day(20), supersedes=(ended.id,))


@pytest.mark.parametrize(
    ("denied", "left"), [("coffee", ["tea"]), ("", []), ("black coffee", ["coffee", "tea"])]
)
def test_a_denial_ends_what_it_names(denied, left):
    """The object itself and what holds it; naming nothing, the whole slot."""
    shelf = Shelf()
    shelf.hear(*[a_claim("uses", what, on=1) for what in ("coffee", "black coffee", "tea")])
    shelf.hear(a_claim("uses", denied, on=5, stance="deny"))
    assert sorted(shelf.says("uses")) == left


def test_a_denial_of_something_unknown_is_kept():
    """There is nothing to end; it is worth knowing all the same."""
    shelf = Shelf()
    shelf.hear(a_claim("lives_in", "Boston", on=5, stance="deny"))
    assert shelf.says("no_longer_lives_in") == ["Boston"]


def test_a_denial_that_was_read_late_ends_nothing():
    """It was said again after it had been denied."""
    shelf = Shelf()
    shelf.hear(a_claim("likes", "jazz", on=9), on=10)
    shelf.hear(a_claim("likes", "jazz", on=5, stance="deny"), on=11)
    assert (shelf.says("likes"), shelf.says("no_longer_likes")) == (["jazz"], [])


def test_what_was_denied_later_is_history():
    """Read in the other order: it held until the denial."""
    shelf = Shelf()
    shelf.hear(a_claim("likes", "jazz", on=5, stance="deny"), on=6)
    shelf.hear(a_claim("likes", "jazz", on=1), on=7)
    assert (shelf.says("likes"), shelf.one("jazz", status=Status.SUPERSEDED).validity.until) == ([], day(5))


def test_saying_it_again_takes_a_denial_back():
    """The newer one stands."""
    shelf = Shelf()
    shelf.hear(
        *[
            a_claim("likes", "jazz", on=on, stance=how)
            for on, how in ((1, "assert"), (2, "deny"), (3, "assert"))
        ]
    )
    assert (shelf.says("likes"), shelf.says("no_longer_likes")) == (["jazz"], [])


@pytest.mark.seed("S2.133")
def test_likeness_only_proposes():
    """A denial that names nothing exactly asks about the one record it may mean, and ends nothing."""
    shelf = Shelf()
    shelf.hear(a_claim("plans_to", "hiking trip to the Alps", on=1))
    shelf.hear(a_claim("plans_to", "climbing trip to the Alps", on=3, stance="deny"))
    assert (shelf.says("plans_to"), [item.matter for item in shelf.items.values()]) == (
        ["hiking trip to the Alps"],
        [Matter.CHANGE],
    )


# Whose word counts


@pytest.mark.parametrize("stance", ["assert", "correct", "deny"])
def test_an_agent_never_overrules_its_owner(stance):
    """What it says is kept as a belief, and the owner is asked."""
    shelf = Shelf()
    shelf.hear(a_claim("works_as", "cook", on=1), on=2)
    what = "cook" if stance == "deny" else "nurse"
    for on in (5, 6, 7, 8):
        shelf.hear(a_claim("works_as", what, on=on, stance=stance, channel="agent"), on=on)
    assert ("cook" in shelf.says("works_as"), len(shelf.items)) == (True, 1)
    assert [one.kind for one in shelf.all() if one.origin.channel == "agent"] == [Kind.BELIEF]


def test_the_owner_overrules_an_agent():
    """However often the agent said it."""
    shelf = Shelf()
    for on in (1, 2, 3, 4):
        shelf.hear(a_claim("lives_in", "Boston", on=on, channel="agent"), on=on)
    shelf.hear(a_claim("lives_in", "Hangzhou", on=9), on=10)
    assert shelf.says("lives_in") == ["Hangzhou"]


@pytest.mark.parametrize(
    "scope", [{"project": "arena"}, {"user": "ana"}, {"agent": "bot"}, {"project": "arena", "seat": "critic"}]
)
def test_scopes_do_not_meet(scope):
    """What holds in one says nothing about another."""
    shelf = Shelf()
    shelf.hear(a_claim("project_state", "red", on=1), a_claim("project_state", "green", on=2, **scope))
    assert sorted(shelf.says("project_state")) == ["green", "red"]
    assert {one.scope for one in shelf.all()} == {Scope(), Scope(**scope)}


# Somebody's own words


def test_two_values_of_an_own_word_are_put_to_the_owner():
    """No rule says whether both hold: both stay, one question, and none for a third value."""
    shelf = Shelf()
    shelf.hear(a_claim("mentor", "Ana", on=1), a_claim("mentor", "Bo", on=9))
    (item,) = shelf.items.values()
    assert (item.matter, item.about) == (Matter.CONTRADICTION, (shelf.one("Ana").id, shelf.one("Bo").id))
    shelf.hear(a_claim("mentor", "Cy", on=12))
    assert (sorted(shelf.says("mentor")), len(shelf.items)) == (["Ana", "Bo", "Cy"], 1)


def test_a_correction_on_the_same_day_replaces_an_own_word():
    """Said, and put right a moment later."""
    shelf = Shelf()
    shelf.hear(
        a_claim("mentor", "Ana", on=1),
        a_claim("mentor", "Bo", on=1, stance="correct", where="chats/s1.jsonl#L2"),
    )
    assert (shelf.says("mentor"), shelf.items) == (["Bo"], {})


# Again and again

objects = st.sampled_from(["Boston", "Hangzhou", "Lisbon", "the Boston"])
predicates = st.sampled_from(["works_as", "lives_in", "likes", "dislikes", "mentor", "age"])
claims = st.builds(
    a_claim,
    predicates,
    objects,
    on=st.integers(0, 12),
    stance=st.sampled_from(["assert", "assert", "correct", "deny"]),
    hedged=st.booleans(),
    channel=st.sampled_from(["owner", "owner", "agent"]),
    session=st.sampled_from(["s1", "s2", "s3"]),
)


@pytest.mark.seed("F-12", "F-31", "S4.089")
@given(st.lists(claims, max_size=12))
def test_twice_is_once(said):
    """The same claims on what they made change nothing, on the same day or later."""
    shelf = Shelf()
    shelf.hear(*said, on=20)
    assert [shelf.hear(*said, on=on).versions for on in (20, 21)] == [(), ()]


@given(st.lists(claims, max_size=10))
def test_the_same_claims_make_the_same_bytes(said):
    """Ids come from what was said and the moment of the run: a run that is repeated makes the same records."""
    assert Shelf().hear(*said).versions == Shelf().hear(*said).versions


@given(
    st.lists(st.tuples(st.integers(0, 30), objects), max_size=6, unique_by=lambda pair: pair[0]), st.randoms()
)
def test_the_order_of_reading_does_not_matter(said, chance):
    """One value at a time, said on different days: whatever is read first, the same value stands."""
    heard = [a_claim("works_as", what, on=on) for on, what in said]
    in_order, shuffled = Shelf(), Shelf()
    in_order.hear(*heard, on=40)
    chance.shuffle(heard)
    for number, claim in enumerate(heard):
        shuffled.hear(claim, on=41 + number)
    fold = str.casefold
    assert [fold(one).removeprefix("the ") for one in shuffled.says("works_as")] == [
        fold(one).removeprefix("the ") for one in in_order.says("works_as")
    ]


@given(st.lists(claims, max_size=10))
def test_every_link_has_two_ends(said):
    """What was superseded names a record that names it, and ended no earlier than it began."""
    shelf = Shelf()
    shelf.hear(*said)
    for one in shelf.all():
        if one.status is Status.SUPERSEDED:
            successor = shelf.standing(one.validity.superseded_by)
            assert one.id in successor.validity.supersedes
            assert (one.validity.since or one.origin.observed) <= one.validity.until


@given(st.lists(claims, max_size=10))
def test_one_value_stands_beside_beliefs(said):
    """Of a predicate that has one object at a time, at most one fact is active."""
    shelf = Shelf()
    shelf.hear(*said)
    facts = [
        one
        for one in shelf.in_slot(OWNER, "works_as")
        if one.status is Status.ACTIVE
        and one.kind is not Kind.BELIEF
        and one.statement.predicate == "works_as"
    ]
    assert len(facts) <= 1


def test_a_record_that_was_kept_by_hand_is_met():
    """Records that no claim made are compared like all others."""
    from memoracle.model.record import Statement
    from memoracle.model.value import replace

    kept = a_record("works as a cook", at=day(0))
    kept = replace(
        kept, statement=Statement(text="works as a cook", subject=OWNER, predicate="works_as", object="cook")
    )
    shelf = Shelf(kept)
    shelf.hear(a_claim("works_as", "nurse", on=4))
    assert (shelf.says("works_as"), shelf.standing(kept.id).validity.until) == (["nurse"], day(4))


def test_the_reasons_for_not_replacing():
    """Hedged, trusted less, firm; otherwise none."""
    shelf = firm("lives_in", "Boston")
    rival = shelf.one("Boston")
    said = [
        a_claim("lives_in", "Hangzhou", on=20, hedged=True),
        a_claim("lives_in", "Hangzhou", on=20, channel="agent"),
        a_claim("lives_in", "Hangzhou", on=20),
        a_claim("lives_in", "Hangzhou", on=20, stance="correct"),
    ]
    reasons = [why_not(said_of(one, day(21)), rival) for one in said]
    assert [bool(reason) for reason in reasons] == [True, True, True, False]
    assert len(set(reasons)) == 4


def test_of_two_values_that_stand_the_one_said_again_prevails():
    """Two machines wrote one each; the owner says one of them again."""
    first, second = Shelf(), Shelf()
    first.hear(a_claim("works_as", "cook", on=1), on=1)
    second.hear(a_claim("works_as", "nurse", on=2), on=2)
    both = Shelf(*first.all(), *second.all())
    both.hear(a_claim("works_as", "cook", on=5), on=6)
    assert (both.says("works_as"), both.one("nurse").validity.until) == (["cook"], day(5))
    assert both.one("nurse").id in both.one("cook").validity.supersedes


# Without a slot


def a_remark(text="the roses by the fence are white", *, on, **fields):
    """Something that names no subject and no predicate: its words are all there is of it."""
    return a_claim("", "", subject="", on=on, text=text, **fields)


def test_words_without_a_slot_are_kept_once_and_confirmed_when_they_are_said_again():
    """The same words are the same record; other words are another one."""
    shelf = Shelf()
    shelf.hear(a_remark(on=1), on=2)
    (first,) = shelf.all()
    shelf.hear(a_remark(on=10), on=11)
    (again,) = shelf.all()
    assert (again.id, first.version, again.version, again.validity.confirmed) == (first.id, 1, 2, day(10))
    shelf.hear(a_remark("the roses by the fence are red", on=12), on=13)
    assert len(shelf.all()) == 2


def test_whoever_is_trusted_less_confirms_no_words():
    """An agent's echo of the owner's words changes nothing; the owner's word about an agent's does."""
    shelf = Shelf()
    shelf.hear(a_remark(on=1), on=2)
    shelf.hear(a_remark(on=10, channel="agent"), on=11)
    assert [one.version for one in shelf.all()] == [1]
    other = Shelf()
    other.hear(a_remark(on=1, channel="agent"), on=2)
    other.hear(a_remark(on=10), on=11)
    assert [one.version for one in other.all()] == [2]


@pytest.mark.parametrize(
    ("channel", "hedged", "is_explicit"),
    [("owner", False, True), ("owner", True, False), ("agent", False, False), ("agent", True, False)],
)
def test_only_the_owner_speaking_plainly_is_explicit(channel, hedged, is_explicit):
    """Not the owner's guess, and nobody else however sure."""
    said = said_of(a_claim("lives_in", "Porto", hedged=hedged, channel=channel), day(1))
    assert said.is_explicit is is_explicit


@pytest.mark.parametrize(
    ("on", "channel", "is_weakened"), [(40, "owner", True), (1, "owner", False), (40, "agent", False)]
)
def test_only_a_later_word_of_somebody_trusted_as_much_weakens_a_belief(on, channel, is_weakened):
    """What was said earlier, and whoever is trusted less, contradicts nothing."""
    shelf = Shelf()
    shelf.hear(a_claim("lives_in", "Porto", hedged=True, on=30), on=31)
    before = shelf.one("Porto").weight.confidence
    shelf.hear(a_claim("lives_in", "Boston", on=on, channel=channel), on=50)
    assert (shelf.one("Porto").weight.confidence < before) is is_weakened


# An agent's own word, said twice


@pytest.mark.parametrize(("session", "confirmed"), [("s1", ""), ("s9", "session")])
def test_only_another_session_of_an_agent_confirms_its_note(session, confirmed):
    """Saying it again on another day of the same conversation is one word; another conversation is a second."""
    shelf = Shelf()
    shelf.hear(a_claim("uses", "uv", on=1, session="s1", channel="agent"))
    shelf.hear(a_claim("uses", "uv", on=9, session=session, channel="agent"))
    assert shelf.one("uv").validity.confirmed == day(9)
    assert shelf.one("uv").origin.confirmed_by == confirmed


@pytest.mark.parametrize(
    ("hours", "confirmed"),
    [
        pytest.param(-1, "session", id="handed out only afterwards"),
        pytest.param(0, "", id="at that very moment"),
        pytest.param(23.999, "", id="within the day"),
        pytest.param(24, "session", id="a whole day before"),
    ],
)
def test_what_was_handed_out_within_a_day_is_an_echo(hours, confirmed):
    """An agent that was told something within twenty-four hours confirms nothing by saying it."""
    shelf = Shelf()
    shelf.hear(a_claim("uses", "uv", on=1, channel="agent"))
    handed_out = day(9) - timedelta(hours=hours)
    shelf.hear(a_claim("uses", "uv", on=9, channel="agent"), uses=lambda _: [handed_out])
    assert shelf.one("uv").origin.confirmed_by == confirmed


# A claim that names what it changes


def naming(claim, *records):
    return replace(claim, changes=tuple(one.id for one in records))


def test_one_of_many_is_replaced_where_the_claim_names_it():
    """“Likes” has many values; only the one that is meant goes."""
    shelf = Shelf()
    shelf.hear(a_claim("likes", "coffee", on=1), a_claim("likes", "jazz", on=1), on=2)
    coffee = shelf.one("coffee")
    shelf.hear(naming(a_claim("likes", "tea", on=3, stance="correct"), coffee), on=4)
    assert (shelf.says("likes"), shelf.one("coffee").validity.superseded_by) == (
        ["jazz", "tea"],
        shelf.one("tea").id,
    )


def test_a_sentence_replaces_the_sentence_that_it_names():
    """Neither has a slot; the new one stands in the place of the old."""
    shelf = Shelf()
    shelf.hear(a_claim("", "", on=1, text="deploys go out on Tuesdays"), on=2)
    (old,) = shelf.all()
    shelf.hear(naming(a_claim("", "", on=3, text="deploys go out on Thursdays"), old), on=4)
    was, now = shelf.all()
    assert (was.status, was.validity.superseded_by, now.validity.supersedes) == (
        Status.SUPERSEDED,
        now.id,
        (was.id,),
    )


@pytest.mark.parametrize("said", [{"hedged": True}, {"channel": "agent"}])
def test_a_change_that_is_not_trusted_is_asked_about(said):
    """Somebody who is trusted less, or is not sure, replaces nothing by naming it."""
    shelf = Shelf()
    shelf.hear(a_claim("", "", on=1, text="deploys go out on Tuesdays"), on=2)
    (old,) = shelf.all()
    done = shelf.hear(naming(a_claim("", "", on=3, text="deploys go out on Thursdays", **said), old), on=4)
    assert (shelf.standing(old.id).status, [item.matter for item in done.items]) == (
        Status.ACTIVE,
        [Matter.CHANGE],
    )


def test_what_was_said_later_or_elsewhere_is_not_changed():
    """A claim that is heard late, or is another project's, leaves the record it names alone."""
    shelf = Shelf()
    shelf.hear(a_claim("", "", on=5, text="deploys go out on Tuesdays"), on=6)
    (old,) = shelf.all()
    late = a_claim("", "", on=3, text="deploys go out on Thursdays")
    other = a_claim("", "", on=7, text="deploys go out on Fridays", project="atlas")
    shelf.hear(naming(late, old), naming(other, old), on=8)
    assert shelf.standing(old.id).status is Status.ACTIVE
