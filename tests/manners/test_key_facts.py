"""What must be stored before a turn may go, and whether it is."""

import pytest

from memoracle.extensions.seats.manners.key_facts import key_facts
from memoracle.extensions.seats.manners.minding import is_stored


@pytest.mark.seed("S1.242")
@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("We decided to use PostgreSQL 16 for the hub.", "decision"),
        ("统一用 pnpm 管理依赖。", "decision"),
        ("ARENA-228 was dispatched to the builder.", "dispatch"),
        ("这个任务交给 reviewer。", "dispatch"),
        ("The review was approved with two nits.", "acceptance"),
        ("验收结果：三项全部合格。", "acceptance"),
        ("Mei confirmed the date: May 15.", "confirmation"),
        ("已确认端口是 8443。", "confirmation"),
        ("The root cause was a stale lock file.", "root-cause"),
        ("根因是缓存没有失效。", "root-cause"),
    ],
)
def test_key_facts_by_rule(sentence, kind):
    """Decisions, hand-outs, acceptance, confirmations, root causes; in both languages."""
    assert key_facts(f"Hello. {sentence} 好的") == [(kind, sentence)]


@pytest.mark.parametrize(
    "text", ["Shall we go with Redis?", "确认一下吗？", "Thanks, that helps.", "", "今天天气不错。"]
)
def test_questions_and_talk_are_no_key_facts(text):
    """Nothing would be lost with them."""
    assert key_facts(text) == []


@pytest.mark.seed("S1.242")
@pytest.mark.parametrize(
    ("fact", "passage", "stored"),
    [
        (
            "We decided to use PostgreSQL 16 for the hub",
            "Decision: the hub will use PostgreSQL 16 from May on, decided",
            True,
        ),
        (
            "We decided to use PostgreSQL 16 for the hub",
            "Decision: the hub will use PostgreSQL 15, decided",
            False,
        ),
        ("The root cause was a stale lock file", "a lock file is written by every run", False),
        ("根因是缓存没有失效", "根因是缓存没有失效，已修复", True),
        ("已确认端口是 8443", "已确认端口是 8080", False),
    ],
)
def test_stored_means_the_same_words_and_numbers(fact, passage, stored):
    """Another number is another fact."""
    assert is_stored(fact, ["something else", passage]) is stored
