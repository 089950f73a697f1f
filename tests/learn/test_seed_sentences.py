"""What the published designs give as examples of what to keep is learnt from talk, with no model, at their weight."""

import json
from datetime import UTC, datetime

import pytest

from memoracle.compose import init, open_memory
from memoracle.learn.screen import fragments_of, is_bare_wish, without_wish
from memoracle.model.record import Kind, Status
from support.clock import FrozenClock
from support.files import PLAIN
from support.stores import standing
from support.turns import a_turn

NIGHT = datetime(2026, 11, 17, 3, tzinfo=UTC)


@pytest.fixture
def root(tmp_path):
    place = tmp_path / "memory"
    init(str(place), environment=PLAIN)
    return place


def opened(root, now=NIGHT):
    return open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=FrozenClock(now))


def learnt(root, tmp_path, *said, day=16):
    """What is known after these words of the owner, each in a conversation of its own, and one night."""
    talk = tmp_path / "talk"
    talk.mkdir(exist_ok=True)
    for place, text in enumerate(said):
        turn = {"role": "user", "content": text, "timestamp": f"2026-11-{day}T09:{place:02}:00Z"}
        (talk / f"s{len(list(talk.iterdir()))}.jsonl").write_text(json.dumps(turn), encoding="utf-8")
    with opened(root, NIGHT.replace(day=day + 1)) as memory:
        memory.ingest(str(talk))
        memory.consolidate(force=True)
        records = standing(memory.store).values()
        return [one for one in records if one.status is Status.ACTIVE and one.validity.until is None]


SENTENCES = [
    ("我换工作了", 0.8, "换工作"),
    ("I switched companies.", 0.8, "switched"),
    ("我讨厌香菜", 0.8, "香菜"),
    ("我昨天去了北京", 0.5, "2026-11-15"),
    ("The project started on May 15, 2026.", 0.5, "May 15, 2026"),
    ("服务器的 IP 是 10.0.4.18", 0.5, "10.0.4.18"),
    ("The gateway now listens on port 9443.", 0.5, "9443"),
    ("The API rate limit is 100 requests per minute.", 0.5, "100 requests"),
    ("部署 v2.3.0 到生产环境", 0.7, "v2.3.0"),
    ("My deploy window is Thursday 14:00 to 16:00.", 0.5, "14:00"),
    ("Alice is the design lead.", 0.5, "Alice"),
    ("王芳是我们的设计负责人", 0.5, "王芳"),
    ("The lamp is in the second drawer. Remember this.", 1.0, "drawer"),
    ("灯在第二个抽屉里。请记住这一点。", 1.0, "抽屉"),
    ("这很重要：月底之前要交报告", 1.0, "报告"),
    ("顺便说一下，我养了一只猫", 0.6, "猫"),
    ("Remind me to renew the domain by 2026-11-20.", 0.7, "domain"),
]


@pytest.mark.long
@pytest.mark.seed("S2.030", "S2.031", "S2.077")
def test_examples_are_kept_at_their_weight(root, tmp_path):
    """A change of life, an event with its day, values of machines, roles, and wishes in the next sentence."""
    records = learnt(root, tmp_path, *(said for said, _, _ in SENTENCES))
    kept = {said: [one for one in records if word in one.text] for said, _, word in SENTENCES}
    assert [said for said, found in kept.items() if not found] == []
    weights = {said: round(kept[said][0].weight.importance, 2) for said, _, _ in SENTENCES}
    assert weights == {said: weight for said, weight, _ in SENTENCES}


def test_what_was_asked_to_be_done_is_not_kept(root, tmp_path):
    """An order to an agent is no fact, and neither is a wish that has nothing before it."""
    said = ("Deploy v2.3.0 to production.", "Remember this.", "Fix the login page. This is important.")
    assert learnt(root, tmp_path, *said) == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The key is blue. Remember this.", ["The key is blue. Remember this."]),
        ("钥匙是蓝色的。记住这个。", ["钥匙是蓝色的。记住这个。"]),
        ("What is the key? Remember this.", ["What is the key?", "Remember this."]),
        ("I always remember this. It is warm.", ["I always remember this.", "It is warm."]),
    ],
)
def test_a_bare_wish_goes_with_the_statement_before_it(text, parts):
    assert [one.text for one in fragments_of(a_turn(text=text))] == parts


def test_a_wish_is_no_part_of_what_is_kept():
    assert without_wish("The key is blue. Remember this. This is important.") == "The key is blue."
    assert without_wish("Remember this.") == "Remember this."
    assert not is_bare_wish("I always remember this.")


@pytest.mark.seed("S2.012", "S2.054")
@pytest.mark.parametrize(
    ("believed", "sure", "over"),
    [
        ("用户可能喜欢咖啡", "我确实喜欢喝咖啡", "我不喜欢咖啡了"),
        ("The user might like tea", "I do like drinking tea.", "I don't like tea any more."),
    ],
)
def test_talk_meets_a_belief_that_was_typed(root, tmp_path, believed, sure, over):
    """The owner's plain word makes it a fact in their words; a word that it is over ends it."""
    with opened(root, NIGHT.replace(day=15)) as memory:
        name = memory.remember(believed, kind="belief", confidence=0.6).id
    assert [(one.id, one.kind) for one in learnt(root, tmp_path, sure)] == [(name, Kind.PREFERENCE)]
    standing = learnt(root, tmp_path, over, day=17)
    assert name not in {one.id for one in standing}
