"""A model's answer, checked item by item."""

import json

import pytest

from memoracle.learn.ask_model import items_in, read_answers
from memoracle.model.claim import Stance
from memoracle.model.record import Channel, Kind
from memoracle.model.value import replace
from support.asking import a_case, a_passage
from support.chat import answer, dropped, kept
from support.clock import START

TEA = "I have been drinking green tea for years"


def read(text, cases):
    """What an answer about cases gives."""
    return read_answers(items_in(text), dict(enumerate(cases, start=1)))


def only(item, text=TEA, **fields):
    """What one item about one fragment gives: claims, and why not."""
    found = read(answer(item), [a_case(text, **fields)])
    return [claim for _, claim in found.claims], list(found.refused)


def test_a_good_item_becomes_a_claim():
    """Words, structure, weight, and where it came from."""
    (claim,), refused = only(kept(1, "green tea"))
    draft = claim.draft
    assert refused == []
    assert (draft.statement.subject, draft.statement.predicate, draft.statement.object) == (
        "user",
        "likes",
        "green tea",
    )
    assert (draft.kind, draft.weight.importance, draft.weight.confidence) == (Kind.PREFERENCE, 0.8, 0.8)
    assert (draft.entities, draft.tags, draft.sources) == ((), ("preference",), ("chat.jsonl#L1",))
    assert (draft.origin.channel, draft.origin.observed, draft.origin.where) == (
        Channel.OWNER,
        START,
        "chat.jsonl#L1",
    )
    assert (claim.stance, claim.because) == (Stance.ASSERT, "model")


def test_chinese_is_read_alike():
    """Object and text in the fragment's own words."""
    item = kept(1, "杭州", predicate="lives_in", kind="fact", text="用户搬到杭州")
    (claim,), _ = only(item, "上个月总算搬到杭州安顿下来")
    assert (claim.draft.statement.object, claim.draft.statement.text, claim.draft.kind) == (
        "杭州",
        "用户搬到杭州",
        Kind.FACT,
    )


WRONG = {
    "an object nobody said": kept(1, "black coffee"),
    "more than was said": kept(1, "green tea from Japan"),
    "a subject nobody said": kept(1, "green tea", subject="Maria"),
    "keep is a word": kept(1, "green tea") | {"keep": "yes"},
    "no predicate": {k: v for k, v in kept(1, "green tea").items() if k != "predicate"},
    "a predicate that is a sentence": kept(1, "green tea", predicate="likes to drink"),
    "an object that is a list": kept(1, "green tea") | {"object": ["green tea"]},
    "an empty object": kept(1, "green tea") | {"object": " "},
    "an object without end": kept(1, "tea " * 300),
    "a predicate of its own": kept(1, "green tea", predicate="sips", kind="fact"),
    "no such kind": kept(1, "green tea", predicate="noted", kind="opinion"),
    "a kind that is a list": kept(1, "green tea", kind=["fact"]),
    "a change that is a list": kept(1, "green tea", changes=["r1"]),
    "a how that is an object": kept(1, "green tea", changes="r1", how={}),
    "a summary": kept(1, "green tea", predicate="noted", kind="summary"),
    "a change of nothing": kept(1, "green tea", changes="r1", how="replaces"),
    "confidence that is a word": kept(1, "green tea", confidence="high"),
    "confidence that is true": kept(1, "green tea", confidence=True),
    "confidence without end": kept(1, "green tea", confidence=10**400),
    "surer than a model may be": kept(1, "green tea", confidence=0.95),
    "less sure than worth keeping": kept(1, "green tea", confidence=0.2),
}


@pytest.mark.parametrize("item", WRONG.values(), ids=WRONG)
def test_an_item_that_does_not_fit_is_refused(item):
    """With its reason; the fragment is not answered, so it waits."""
    found = read(answer(item), [a_case(TEA)])
    assert (found.claims, found.answered, len(found.refused)) == ((), frozenset(), 1)


@pytest.mark.parametrize("place", [0, 2, -1, "1", 1.0, True, None, [1]])
def test_an_item_about_no_fragment_is_refused(place):
    """The model knows fragments by their places and by nothing else."""
    found = read(answer(kept(place, "green tea")), [a_case(TEA)])
    assert (found.claims, found.answered, len(found.refused)) == ((), frozenset(), 1)


@pytest.mark.parametrize("items", [[1], ["x"], [None], [[]], [{}]])
def test_items_that_are_no_items(items):
    """Refused one by one."""
    assert read(json.dumps({"items": items}), [a_case(TEA)]).answered == frozenset()


def test_one_bad_item_does_not_cost_the_others():
    """Each is judged by itself."""
    fragments = [a_case(TEA, 0), a_case("the landlord wants the keys back", 1), a_case("ha", 2)]
    found = read(answer(kept(1, "green tea"), kept(2, "the deposit"), *dropped(3)), fragments)
    assert ([c.draft.statement.object for _, c in found.claims], sorted(found.answered)) == (
        ["green tea"],
        ["turn-0/0", "turn-2/0"],
    )


@pytest.mark.seed("S2.024")
def test_two_memories_of_a_fragment_and_no_more():
    """The third is refused; saying the same twice is saying it once."""
    items = [kept(1, "green tea"), kept(1, "green tea"), kept(1, "tea"), kept(1, "years")]
    found = read(answer(*items), [a_case(TEA)])
    assert (len(found.claims), len(found.refused), found.answered) == (2, 1, {"turn-0/0"})


def test_kept_and_dropped_at_once_is_neither():
    """A model that says both has not answered."""
    found = read(answer(kept(1, "green tea"), *dropped(1)), [a_case(TEA)])
    assert (found.claims, found.answered) == ((), frozenset())


@pytest.mark.seed("S2.024")
@pytest.mark.parametrize(
    ("sure", "kind"),
    [(0.3, Kind.BELIEF), (0.69, Kind.BELIEF), (0.7, Kind.PREFERENCE), (0.9, Kind.PREFERENCE)],
)
def test_what_is_not_sure_is_a_belief(sure, kind):
    """From 0.3 to 0.9, and a belief below 0.7, whatever the model calls it."""
    (claim,), _ = only(kept(1, "green tea", confidence=sure))
    assert claim.draft.kind is kind


OTHERS = [Channel.AGENT, Channel.TOOL, Channel.EXTERNAL, Channel.SYSTEM]


@pytest.mark.parametrize("channel", OTHERS)
@pytest.mark.parametrize(
    "item",
    [
        kept(1, "green tea"),
        kept(1, "green tea", kind="fact"),
        kept(1, "green tea", kind="belief", confidence=0.4),
        kept(1, "green tea", predicate="noted", kind="fact"),
        kept(1, "green tea", predicate="noted", kind="rule", subject="Ann"),
        kept(1, "green tea", predicate="is", kind="fact", subject="Ann"),
    ],
)
def test_only_the_owner_speaks_for_the_owner(channel, item):
    """Whatever a model calls it: nobody else's words become a preference, a rule or an identity."""
    claims, refused = only(item, "Ann drinks green tea", channel=channel)
    assert (claims, refused) == ([], [("1", "only the owner speaks for the owner")])


def test_what_an_agent_says_of_the_work_may_be_kept():
    """With the agent's trust."""
    item = kept(1, "SQLite", subject="the cache", predicate="built_with", kind="fact")
    (claim,), _ = only(item, "the cache is built on SQLite now", channel=Channel.AGENT)
    assert (claim.draft.origin.channel, claim.draft.origin.trust) == (Channel.AGENT, 0.7)


@pytest.mark.parametrize(
    ("text", "item", "is_kept"),
    [
        ("I don't like green tea any more", kept(1, "green tea"), False),
        ("I don't like green tea any more", kept(1, "green tea", predicate="dislikes"), True),
        ("I don't like green tea any more", kept(1, "green tea", predicate="no_longer_likes"), True),
        (
            "we decided not to use Redis",
            kept(1, "not to use Redis", predicate="decided", kind="decision"),
            True,
        ),
        ("我不喜欢绿茶", kept(1, "绿茶"), False),
        ("我不喜欢绿茶", kept(1, "绿茶", predicate="dislikes"), True),
    ],
)
def test_a_denial_is_not_lost(text, item, is_kept):
    """A sentence that denies something gives no claim that affirms it."""
    claims, _ = only(item, text)
    assert bool(claims) is is_kept


def test_what_has_ended_is_denied():
    """`no_longer_` is a stance, not a predicate."""
    (claim,), _ = only(kept(1, "green tea", predicate="no_longer_likes"), "I no longer like green tea")
    assert (claim.stance, claim.draft.statement.predicate) == (Stance.DENY, "likes")


@pytest.mark.parametrize(
    "text",
    [
        "User adores green tea since childhood",
        "",
        "x" * 5_000,
        "User does not like green tea",
        "User likes green tea \ud800",
        "User likes \u202egreen tea",
    ],
)
def test_a_wording_with_words_of_its_own_gives_way_to_what_was_said(text):
    """The record then says what the owner said."""
    (claim,), _ = only(kept(1, "green tea", text=text))
    assert claim.draft.statement.text == TEA


def test_the_vocabulary_decides_what_a_predicate_means():
    """An allergy is health, of importance 1, whatever the model thinks of it."""
    (claim,), _ = only(
        kept(1, "peanuts", predicate="allergic_to", kind="fact"),
        "turns out peanuts give me hives",
    )
    assert (claim.draft.kind, claim.draft.weight.importance) == (Kind.HEALTH, 1.0)


@pytest.mark.seed("S2.137")
@pytest.mark.parametrize("text", ["", "Sorry, no.", '{"items":[{"id":1,"keep":true,"ki', "[]", "null"])
def test_nonsense_accepts_nothing_and_settles_nothing(text):
    """The fragment is still to be asked about."""
    found = read(text, [a_case(TEA)])
    assert (found.claims, found.answered, bool(found.refused)) == ((), frozenset(), True)


# With what stands beside the fragment


MOVED = "She moved to the Lyon office last Monday"
RUTH = "assistant: How is your sister Ruth doing?"


def claimed(item, text, **beside):
    """The one claim of an item about one fragment, or why there is none."""
    found = read(answer(item), [a_case(text, **beside)])
    return found.claims[0][1] if found.claims else found.refused[0][1]


def test_the_turn_before_and_the_day_say_what_is_meant():
    """Whom a pronoun means, and which Monday; the text may say both."""
    item = kept(1, "Lyon office", predicate="works_at", kind="fact", subject="Ruth")
    resolved = item | {"text": "Ruth moved to the Lyon office on 2026-05-11"}
    assert claimed(resolved, MOVED, before=RUTH).draft.statement.text == resolved["text"]
    assert claimed(resolved, MOVED) == "the subject was not said"


@pytest.mark.parametrize("text", ["Ruth moved to Lyon on 2026-05-12", "Ruth moved to Lyon with Tom"])
def test_a_wording_that_resolves_wrongly_gives_way(text):
    """Another day, another person: the fragment's own words are kept, with the day that they mean."""
    item = kept(1, "Lyon", predicate="lives_in", kind="fact", subject="Ruth", text=text)
    said = claimed(item, MOVED, before=RUTH).draft.statement.text
    assert said == "She moved to the Lyon office last Monday [2026-05-11]"


def test_agreeing_makes_no_rule_of_anothers_words():
    """What only the turn before says is kept as a note; an allergy that was asked about is an allergy."""
    rule = kept(1, "deploy on Fridays", predicate="wants_always", kind="rule", text="Fine by me, always")
    noted = claimed(rule, "Fine by me, always", before="assistant: Shall I deploy on Fridays?").draft
    assert (noted.kind, noted.statement.predicate) == (Kind.FACT, "noted")
    allergy = kept(1, "penicillin", predicate="allergic_to", kind="health", text="Yes, since childhood")
    asked = claimed(allergy, "Yes, since childhood", before="assistant: Allergic to penicillin?").draft
    assert (asked.kind, asked.statement.object) == (Kind.HEALTH, "penicillin")


def test_nothing_is_kept_of_the_turn_before_alone():
    """Some word of it has to be the fragment's own."""
    item = kept(1, "Postgres", predicate="uses", kind="fact", text="User uses Postgres")
    why = claimed(item, "right you are", before="assistant: You use Postgres, I take it?")
    assert why == "nothing of it stands in the fragment itself"


VOLVO = a_passage(
    "I drive a blue Volvo", ref="mem_v", subject="user", predicate="owns", object="blue Volvo", session="s0"
)
WORDS = a_passage("Deploys go out on Tuesdays", ref="mem_w", session="s0")
PEANUTS = a_passage(
    "I am allergic to peanuts", ref="mem_p", subject="user", predicate="allergic_to", object="peanuts",
    kind="health",
)  # fmt: skip


@pytest.mark.parametrize(
    ("how", "stance", "said"),
    [
        ("replaces", Stance.CORRECT, "a bike"),
        ("corrects", Stance.CORRECT, "a bike"),
        ("ends", Stance.DENY, "blue Volvo"),
    ],
)
def test_a_change_takes_the_slot_of_its_record(how, stance, said):
    """Replacing and correcting say what holds now, ending says what no longer does."""
    item = kept(1, "a bike", predicate="noted", kind="fact", changes="r1", how=how)
    claim = claimed(item, "swapped the Volvo for a bike", known=(VOLVO, WORDS))
    statement = claim.draft.statement
    assert (claim.stance, claim.changes, claim.draft.kind) == (stance, ("mem_v",), Kind.FACT)
    assert (statement.subject, statement.predicate, statement.object) == ("user", "owns", said)


def test_a_change_of_a_record_without_a_slot_has_none_either():
    """It stands in its place by its words."""
    item = kept(1, "Thursdays", predicate="scheduled", kind="event", changes="r2", how="replaces")
    claim = claimed(item, "releases are on Thursdays from here on", known=(VOLVO, WORDS))
    assert (claim.draft.statement.predicate, claim.changes) == ("", ("mem_w",))


@pytest.mark.parametrize(
    "change", [{"changes": "r3"}, {"changes": "mem_v"}, {"changes": "r1", "how": "erases"}]
)
def test_a_change_of_nothing_that_was_shown_is_refused(change):
    """Records are known by their places, and change in three ways."""
    item = kept(1, "a bike", predicate="owns", kind="fact") | change
    assert "changes no record" in claimed(item, "swapped it for a bike", known=(VOLVO, WORDS))


@pytest.mark.parametrize(
    "item",
    [
        kept(1, "peanut butter", predicate="owns", kind="fact", changes="r2", how="replaces"),
        kept(1, "peanuts", predicate="allergic_to", kind="health", changes="r1", how="ends"),
        kept(1, "peanut butter", predicate="likes", changes="r1", how="replaces"),
        kept(1, "peanut butter", predicate="no_longer_allergic_to", kind="health"),
    ],
)
def test_what_is_vital_or_typed_is_never_ended_by_an_answer(item):
    """It becomes a belief, which is put to the owner."""
    typed = replace(VOLVO, session="")
    claim = claimed(item, "had peanut butter and peanuts today, all fine", known=(PEANUTS, typed))
    assert claim.draft.kind is Kind.BELIEF


def test_a_check_is_answered_by_yes_or_no():
    """What was kept stays kept, or is doubted; nothing else is made of it."""
    vital = claimed(kept(1, "green tea"), TEA)
    found = read(
        answer({"id": 1, "keep": True}, *dropped(2)), [a_case(TEA, n, kept=(vital,)) for n in (0, 1)]
    )
    assert (found.claims, found.dropped) == ((("turn-0/0", vital),), {"turn-1/0"})
