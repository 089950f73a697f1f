"""The weekly review proposes what lately came up again; it changes nothing by itself."""

from datetime import UTC, date

import pytest

from memoracle.learn.inbox import PINNED, accept
from memoracle.learn.review import ReviewPage, candidates, noted_in
from memoracle.model.inbox import Matter
from memoracle.model.record import Kind, Origin, Status, Weight
from support.build import a_change, a_record, days
from support.clock import START


def page(text, day=date(2026, 5, 14)):
    lines = tuple(enumerate(text.split("\n"), start=1))
    return ReviewPage(path=f"notes/daily/{day}.md", day=day, lines=lines)


def asked(records=(), pages=()):
    return candidates(list(records), list(pages), now=START, zone=UTC)


def told(items):
    return [(item.about[0], item.proposal) for item in items]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("## Decisions\n- use SQLite\n* and WAL\n1. no ORM", ["use SQLite", "and WAL", "no ORM"]),
        ("## 今天的决定\n- 用 SQLite", ["用 SQLite"]),
        ("## Decisions Made\nwords\n## Other\n- not this", []),
        ("Decisions: moved to Hangzhou", ["moved to Hangzhou"]),
        ("Decisions: none\nDecisions: 无\nDecisions: -\nDecisions:", []),
        (
            "## Decisions\n- kept already `01K9Z3ABCDEFGHJKMNPQRSTVWX`\n- see [[decisions]]\n- mem_01K9Z3ABCDEF",
            [],
        ),
    ],
)
def test_decisions_of_a_page(text, said):
    """Bullets under a heading that says so, and the closing line; what names its home is at home."""
    assert [noted.text for noted in noted_in(page(text)) if noted.kind is Kind.DECISION] == said


@pytest.mark.seed("F-66", "S3.027")
def test_a_decision_that_stands_in_a_note_alone_is_asked_about():
    """One that is a record, however it is spelled, is not; nor is one of last month."""
    records = [a_record("Use  SQLite.", kind=Kind.DECISION)]
    pages = [page("## Decisions\n- use SQLite\n- no ORM"), page("## Decisions\n- old", day=date(2026, 4, 1))]
    (item,) = asked(records, pages)
    assert (item.matter, item.about, item.proposal) == (
        Matter.PROMOTION,
        ("notes/daily/2026-05-14.md#L3",),
        "decision: no ORM",
    )
    (made,) = accept(item, {}.__getitem__, a_change())
    assert (made.kind, made.text, made.origin.where) == (
        Kind.DECISION,
        "no ORM",
        "notes/daily/2026-05-14.md#L3",
    )


@pytest.mark.seed("S3.067", "S3.027", "C-16")
@pytest.mark.parametrize(("seen", "asks"), [(2, 0), (3, 1), (9, 1)])
def test_a_lesson_seen_three_times_is_asked_about(seen, asks):
    """Twice is not enough."""
    pages = [
        page("Signal: Test the backups!", day=date(2026, 5, 14) - days(number)) for number in range(seen)
    ]
    assert [item.proposal for item in asked((), pages)] == ["lesson: Test the backups!"] * asks


def test_a_lesson_that_is_kept_is_pinned_instead():
    """The record counts as one time; a pinned one needs nothing."""
    lesson = a_record("test the backups", kind=Kind.LESSON)
    pages = [page("Signal: Test the backups", day=date(2026, 5, 13 + number)) for number in range(2)]
    assert told(asked([lesson], pages)) == [(lesson.id, PINNED)]
    assert asked([a_record("test the backups", kind=Kind.LESSON, pinned=True)], pages) == []


@pytest.mark.parametrize(("confidence", "asks"), [(0.69, False), (0.7, True), (0.84, True), (0.85, False)])
def test_a_belief_near_its_promotion_is_asked_about(confidence, asks):
    """From 0.7 on; at 0.85 it promotes itself."""
    belief = a_record("she may like oolong", kind=Kind.BELIEF, weight=Weight(confidence=confidence))
    assert told(asked([belief])) == ([(belief.id, "fact")] if asks else [])


@pytest.mark.seed("S4.005", "C-16")
def test_a_preference_that_came_up_again_is_asked_about():
    """Once is once; a second session is a confirmation."""
    once = a_record("tea", kind=Kind.PREFERENCE, origin=Origin(session="a"))
    twice = a_record("coffee", kind=Kind.PREFERENCE, origin=Origin(session="a"), sources=("session:b",))
    gone = a_record("wine", kind=Kind.PREFERENCE, status=Status.ARCHIVED, sources=("session:b", "session:c"))
    assert told(asked([once, twice, gone])) == [(twice.id, PINNED)]


@pytest.mark.seed("S4.005")
def test_a_preference_noted_on_two_days_is_asked_about():
    """Twice on one day is once."""
    lines = "## 偏好\n- 喜欢龙井"
    assert asked((), [page(f"{lines}\n- 喜欢龙井。")]) == []
    found = asked((), [page(lines), page(lines, day=date(2026, 5, 13))])
    assert told(found) == [("notes/daily/2026-05-13.md#L2", "preference: 喜欢龙井")]


def test_the_same_question_has_the_same_id():
    """Wherever the line stands by then."""
    first = asked((), [page("## Decisions\n- no ORM")])
    later = asked(
        (), [page("# Day\n\n## Decisions\n- something else `01K9Z3ABCDEFGHJKMNPQRSTVWX`\n- No ORM.")]
    )
    assert [item.id for item in first] == [item.id for item in later]


def test_a_quiet_week_asks_nothing():
    """Facts, and a note without decisions."""
    assert (
        asked([a_record()], [page("# Day\n- went for a walk\n\nDecisions: none\nSignal: none\nOpen: none")])
        == []
    )


def test_a_hostile_line_is_read_quickly():
    """A megabyte of blanks and bullets."""
    assert list(noted_in(page("## Decisions\n" + " " * 500_000 + "- " * 250_000))) == []


@pytest.mark.seed("S3.027", "S3.043")
def test_friction_is_the_same_in_other_words():
    """Wherever in the line its tag stands, and however long it took; what shares nothing is another."""
    pages = [
        page("- waited 8 minutes for the docker pull #friction: slow registry", day=date(2026, 5, 13)),
        page("#friction: slow registry, waited 12 minutes again\n#friction: the VPN asks for a token"),
    ]
    (item,) = asked(pages=pages)
    assert item.proposal == "lesson: waited 8 minutes for the docker pull: slow registry"


@pytest.mark.seed("S3.027")
def test_what_is_called_a_lesson_is_asked_about_at_once():
    """In both languages; a closing line that names a decision of none is none."""
    pages = [page("Lesson: label cables\n- **教训**：先备份\n- Decision: none\nDecisions: none noted")]
    assert [item.proposal for item in asked(pages=pages)] == ["lesson: label cables", "lesson: 先备份"]
