"""Records that say the same become one; different things never do."""

import pytest

from memoracle.learn.summaries import compress
from memoracle.model.record import Kind, Scope, Statement, Status, Validity, Weight
from memoracle.model.value import replace
from support.build import a_record, days
from support.claims import a_run
from support.clock import START

NOW = START + days(30)


def squeeze(*records):
    return compress(records, a_run(30))


def standing(plan, records):
    after = {one.id: one for one in records} | {one.id: one for one in plan.versions}
    return sorted(one.text for one in after.values() if one.status is Status.ACTIVE)


@pytest.mark.seed("S4.085")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the user likes hiking in the mountains", "The user likes hiking in mountains."),
        ("deploys go out on green builds only", "Deploys go out on green builds only!"),
        ("用户喜欢周末去爬山", "用户喜欢周末去爬山。"),
    ],
)
def test_the_same_in_other_words_becomes_one(one, other):
    """The better one stands and names the other; the other says by what it was replaced."""
    best = a_record(one, weight=Weight(importance=0.8))
    weak = a_record(other, weight=Weight(importance=0.4))
    stands, gone = squeeze(weak, best).versions
    assert (stands.id, stands.validity.supersedes, stands.status) == (best.id, (weak.id,), Status.ACTIVE)
    assert (gone.id, gone.validity.superseded_by, gone.status, gone.validity.until) == (
        weak.id,
        best.id,
        Status.SUPERSEDED,
        NOW,
    )


def test_compressing_twice_is_compressing_once():
    """What stands afterwards is not redundant."""
    records = [
        a_record("the build needs node and python to run"),
        a_record("The build needs Node and Python to run"),
    ]
    after = [one for one in squeeze(*records).versions if one.status is Status.ACTIVE]
    assert squeeze(*after).versions == ()


APART = [
    ("robot_5 charges overnight in hall two", "robot_50 charges overnight in hall two"),
    ("release v1.2 went out to all customers", "release v1.20 went out to all customers"),
    ("张伟负责周报和客户沟通以及项目的排期", "张玮负责周报和客户沟通以及项目的排期"),
    ("每天早上要跑三公里然后再去公司上班", "每天早上要跑四公里然后再去公司上班"),
    ("he does eat meat at home with family", "he does not eat meat at home with family"),
    ("我在家里吃肉也喜欢吃鱼和各种海鲜", "我在家里不吃肉也喜欢吃鱼和各种海鲜"),
    ("the team meets on Monday in the big room", "the team meets on Friday in the big room"),
    ("Ana leads the platform team at Acme today", "Bea leads the platform team at Acme today"),
    ("Anna owes Ben 50 francs", "Ben owes Anna 50 francs"),
    ("server alpha replicates to server beta", "server beta replicates to server alpha"),
]


@pytest.mark.seed("S2.134")
@pytest.mark.parametrize(("one", "other"), APART)
def test_different_things_stay_apart(one, other):
    """Another identifier, number, name, day, or a no: two records."""
    assert squeeze(a_record(one), a_record(other)).versions == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": Scope(project="arena")},
        {"kind": Kind.RULE},
        {"entities": ("Ana",)},
        {"validity": Validity(expires=NOW + days(3))},
    ],
)
def test_another_scope_kind_entity_or_end_stays_apart(fields):
    """Equal words, different things."""
    assert squeeze(a_record("tea at five"), a_record("tea at five", **fields)).versions == ()


def test_the_pinned_one_stands_and_two_pinned_both_stay():
    """However weak it is otherwise."""
    weak = a_record("tea in the afternoon", pinned=True, weight=Weight(importance=0.1))
    strong = a_record("Tea in the afternoon", weight=Weight(importance=1.0))
    plan = squeeze(weak, strong)
    assert standing(plan, [weak, strong]) == ["tea in the afternoon"]
    assert squeeze(weak, replace(strong, pinned=True)).versions == ()


def test_what_says_more_stands():
    """A word more in a long sentence is not lost for a little importance."""
    short = a_record(
        "the weekly backup of the main database goes to cold storage", weight=Weight(importance=0.9)
    )
    long = a_record("the weekly encrypted backup of the main database goes to cold storage")
    assert standing(squeeze(short, long), [short, long]) == [long.text]


def test_a_trusted_record_is_not_replaced_by_a_less_trusted_one():
    """An agent's longer version does not take the owner's place."""
    from memoracle.model.record import Channel, Origin

    owner = a_record("the weekly backup of the main database goes to cold storage")
    agent = a_record(
        "the weekly encrypted backup of the main database goes to cold storage",
        origin=Origin(channel=Channel.AGENT, trust=0.7),
    )
    assert squeeze(owner, agent).versions == ()


def test_objects_are_compared_where_there_are_any():
    """Two likes are two things, however alike the sentences around them are."""
    records = [
        replace(
            a_record(),
            statement=Statement(text=f"user likes {what}", subject="user", predicate="likes", object=what),
        )
        for what in ("green tea", "black tea", "Green  tea")
    ]
    assert len(squeeze(*records).versions) == 2


def test_ten_thousand_records_are_compared_by_their_rare_words(monkeypatch):
    """Not each with each: the number of comparisons grows with the records."""
    from memoracle.learn import summaries as module

    calls = []
    honest = module._says_less
    monkeypatch.setattr(module, "_says_less", lambda *pair: calls.append(1) or honest(*pair))
    letters = "abcdefghij"
    words = ["".join(letters[int(digit)] for digit in f"{number:04}") for number in range(10_000)]
    records = [
        a_record(f"the customer asked again about the {word} contract and its terms") for word in words
    ]
    squeeze(*records, *[a_record(one.text.upper()) for one in records[:100]])
    assert len(calls) < 100_000
