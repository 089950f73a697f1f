"""Three facts of one topic become one line that cites them."""

import pytest

from memoracle.learn.revise import archive
from memoracle.learn.summaries import LONGEST, plan_summaries, summary_text
from memoracle.model.record import Kind, Status
from memoracle.model.value import replace
from support.build import a_change
from support.claims import Shelf, a_claim, a_run, day


def summarise(shelf, on=50, **how):
    """Plan, keep what was planned, and give the plan back."""
    active = [one for one in shelf.all() if one.status is Status.ACTIVE]
    known = {one.id: one for one in shelf.all()}
    plan = plan_summaries(active, known.get, a_run(on), **how)
    shelf.take(plan.versions)
    return plan


def fond_of(*things, **fields):
    shelf = Shelf()
    shelf.hear(*[a_claim("likes", what, on=on, **fields) for on, what in enumerate(things)])
    return shelf


def summary_of(shelf):
    return next(one for one in shelf.all() if one.kind is Kind.SUMMARY)


@pytest.mark.seed("S2.022", "S2.055", "S2.061", "S2.105")
@pytest.mark.parametrize(
    ("things", "text"),
    [
        (("jazz", "hiking", "tea"), "likes jazz, hiking and tea"),
        (("爵士", "徒步", "茶"), "喜欢爵士、徒步和茶"),
    ],
)
def test_three_facts_make_a_summary(things, text):
    """In their language, declarative, citing every one of them."""
    shelf = fond_of(*things)
    facts = [one.id for one in shelf.all()]
    summarise(shelf)
    made = summary_of(shelf)
    assert (made.text, sorted(made.sources), made.status) == (text, sorted(facts), Status.ACTIVE)


def test_two_facts_make_none():
    """The threshold is three, and a setting."""
    assert summarise(fond_of("jazz", "tea")).versions == ()
    assert len(summarise(fond_of("jazz", "tea"), least=2).versions) == 1


@pytest.mark.seed("S2.061")
@pytest.mark.parametrize("chinese", [False, True])
def test_many_facts_fit_into_fifty_characters(chinese):
    """As many as there is room for, and how many more there are."""
    things = [f"{'第' if chinese else 'thing '}{number}{'项爱好' if chinese else ''}" for number in range(12)]
    text = summary_text("user", "likes", things, chinese=chinese)
    assert (len(text) <= LONGEST, ("等12项" in text) if chinese else text.endswith(" more")) == (True, True)


def test_somebody_else_is_named():
    """The owner's own line needs no subject."""
    assert (
        summary_text("Ana", "likes", ["tea", "jazz", "cats"], chinese=False) == "Ana likes tea, jazz and cats"
    )
    assert summary_text("小明", "likes", ["茶", "猫", "爵士"], chinese=True) == "小明喜欢茶、猫和爵士"


def test_a_summary_is_refreshed_when_its_facts_change():
    """The same record, a new version; nothing when nothing changed."""
    shelf = fond_of("jazz", "hiking", "tea")
    summarise(shelf, on=50)
    assert summarise(shelf, on=51).versions == ()
    shelf.hear(a_claim("likes", "cats", on=60), on=60)
    summarise(shelf, on=61)
    made = summary_of(shelf)
    assert (made.version, made.text, len(made.sources)) == (2, "likes jazz, hiking, tea and cats", 4)


def test_a_summary_without_enough_facts_is_put_away_and_comes_back():
    """Archived when fewer than three are left; a third one brings it back."""
    shelf = fond_of("jazz", "hiking", "tea")
    summarise(shelf, on=50)
    shelf.hear(a_claim("likes", "tea", on=55, stance="deny"), on=55)
    summarise(shelf, on=56)
    assert summary_of(shelf).status is Status.ARCHIVED
    assert summarise(shelf, on=57).versions == ()
    shelf.hear(a_claim("likes", "cats", on=58), on=58)
    summarise(shelf, on=59)
    assert (summary_of(shelf).status, summary_of(shelf).text) == (
        Status.ACTIVE,
        "likes jazz, hiking and cats",
    )


def test_a_summary_is_as_sure_and_as_trusted_as_its_weakest_fact():
    """And as private as its most private one."""
    shelf = Shelf()
    shelf.hear(
        a_claim("uses", "vim", on=1),
        a_claim("uses", "git", on=2, channel="agent", confidence=0.7),
        a_claim("uses", "zsh", on=3, sensitivity="secret"),
    )
    summarise(shelf)
    made = summary_of(shelf)
    assert (made.weight.confidence, made.origin.trust, made.sensitivity.value) == (0.7, 0.7, "secret")


def test_two_machines_write_the_same_summary():
    """The id follows from the topic."""
    ids = set()
    for on in (50, 70):
        shelf = fond_of("jazz", "hiking", "tea")
        summarise(shelf, on=on)
        ids.add(summary_of(shelf).id)
    assert len(ids) == 1


@pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.RETRACTED])
def test_a_summary_that_was_taken_out_stays_out(status):
    """Erased, or undone: it is not written again."""
    shelf = fond_of("jazz", "hiking", "tea")
    summarise(shelf)
    made = summary_of(shelf)
    shelf.versions[made.id].append(replace(made, version=2, status=status))
    shelf.hear(a_claim("likes", "cats", on=60), on=60)
    assert summarise(shelf, on=61).versions == ()


def test_what_a_person_put_away_stays_away():
    """Archived by hand, whatever the facts do."""
    shelf = fond_of("jazz", "hiking", "tea")
    summarise(shelf)
    shelf.take([archive(summary_of(shelf), a_change("archive", at=day(55)))])
    shelf.hear(a_claim("likes", "cats", on=60), on=60)
    assert summarise(shelf, on=61).versions == ()


def test_beliefs_lessons_and_other_scopes_make_no_summary():
    """Only facts of one scope; whole sentences cannot be listed."""
    shelf = Shelf()
    shelf.hear(
        *[a_claim("likes", what, on=1, hedged=True) for what in "abc"],
        *[a_claim("learned", what, on=1) for what in "def"],
        *[a_claim("uses", what, on=1, project=f"p{what}") for what in "ghi"],
    )
    assert summarise(shelf).versions == ()


def test_an_own_word_is_summarised_too():
    """Its words stand before the colon."""
    assert (
        summary_text("user", "plays_at", ["Acme", "Beta", "Gamma"], chinese=False)
        == "plays at: Acme, Beta and Gamma"
    )
