"""The digest of a day: four sections, every line a record, and no day that misses its last hour."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from memoracle.compose import init
from memoracle.context.digest import (
    SECTIONS,
    by_day,
    compose_digest,
    days_to_digest,
    made_from,
    publish_digests,
)
from memoracle.model.record import Status
from memoracle.model.search import Standing, cited_in, short_id
from memoracle.model.value import replace
from memoracle.store.erase import erase, tombstone
from support.build import a_change, a_passage
from support.clock import START
from support.files import contents
from support.stores import a_store, keep, standing

BERLIN = ZoneInfo("Europe/Berlin")
DAY = date(2026, 5, 15)


def one(text="the cat is called Miso", activation=1.0, **fields):
    fields.setdefault("at", START)
    return Standing(passage=a_passage(text, **fields), activation=activation)


def at(hour, minute=0, day=15):
    """A moment in Berlin."""
    return datetime(2026, 5, day, hour, minute, tzinfo=BERLIN)


@pytest.fixture
def root(tmp_path):
    init(str(tmp_path / "root"), environment={})
    return tmp_path / "root"


def publish(root, *records, layout="native", **how):
    store = a_store(root, layout=layout)
    with store.writing():
        return publish_digests(store, list(records), zone=BERLIN, **how)


def note(root, day="2026-05-15"):
    return (root / f"notes/daily/{day}.md").read_text()


def section(text, name):
    return text.split(f"## {name}\n")[1].split("\n\n")[0].split("\n")


@pytest.mark.seed("S0.012", "S0.052", "S0.053")
def test_four_sections_each_with_its_sorts_of_records():
    """A section in which nothing happened says so."""
    kinds = ["fact", "health", "belief", "lesson", "decision", "preference", "rule"]
    text = compose_digest([one(kind, kind=kind, confidence=0.6).passage for kind in kinds])
    assert [line[3:] for line in text.split("\n") if line.startswith("## ")] == list(SECTIONS)
    said = {name: [line.split(" `")[0] for line in section(text, name)] for name in SECTIONS}
    assert said == {
        "Facts Learned": ["- fact", "- health", "- belief (60% sure)", "- lesson"],
        "Decisions Made": ["- decision"],
        "Preferences Noted": ["- preference", "- rule"],
        "Action Items": ["- none"],
    }


@pytest.mark.seed("S0.054")
def test_every_line_names_a_record_and_its_turn(root):
    """The id at its end is that of a record in the files."""
    records = keep(a_store(root), "我对花生过敏", "we decided on SQLite")
    shown = [one(record.text, ref=record.id, where="talk.jsonl#L7") for record in records]
    publish(root, *shown)
    lines = [line for line in note(root).split("\n") if line.startswith("- ") and line != "- none"]
    assert cited_in("\n".join(lines)) == {short_id(record_id) for record_id in standing(a_store(root))}
    assert all("(from talk.jsonl#L7)" in line for line in lines)


@pytest.mark.seed("F-07", "S0.060")
def test_the_last_minute_of_a_day_is_in_its_digest(root):
    """Said at 23:59, read after midnight: it belongs to the day it was said on."""
    early, late = one("early", at=at(9)), one("late", at=at(23, 59))
    publish(root, early)
    assert "late" not in note(root)
    done = publish(root, early, late, one("next day", at=at(0, 1, day=16)))
    assert [step.target for step in done.steps] == ["notes/daily/2026-05-15.md", "notes/daily/2026-05-16.md"]
    assert ("late" in note(root), "next day" in note(root), "next day" in note(root, "2026-05-16")) == (
        True,
        False,
        True,
    )


def test_days_begin_where_the_owner_lives():
    """22:30 UTC is the next day in Berlin in summer."""
    moment = datetime(2026, 5, 15, 22, 30, tzinfo=UTC)
    assert list(by_day([one(at=moment)], BERLIN)) == [date(2026, 5, 16)]


@pytest.mark.seed("F-07", "S0.051")
def test_a_conversation_read_weeks_later_changes_the_days_it_is_of(root):
    """Those days alone."""
    publish(root, one("known", at=at(9)), known := one("other day", at=at(9, day=20)))
    before = note(root, "2026-05-20")
    done = publish(root, one("known", at=at(9)), known, one("read late", at=at(10)))
    assert ("read late" in note(root), note(root, "2026-05-20"), len(done.steps)) == (True, before, 1)


def test_ageing_changes_no_digest():
    """What was learned on a day stays learned on it."""
    record = one("a fact")
    digested = {DAY.isoformat(): made_from([record.passage])}
    for status in (Status.ARCHIVED, Status.SUPERSEDED):
        later = Standing(passage=replace(record.passage, status=status), activation=0.01)
        assert days_to_digest(by_day([later], BERLIN), digested) == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"channel": "tool"},
        {"channel": "external"},
        {"status": Status.QUARANTINED},
        {"kind": "summary"},
        {"sensitivity": "secret"},
    ],
)
def test_what_does_not_belong_into_a_digest(fields):
    """Words of tools and strangers, what was set aside, secrets, and what is made of other records."""
    assert by_day([one(**fields)], BERLIN) == {}


def test_running_again_writes_nothing(root):
    """Also when nobody knows any more what was digested."""
    records = [one(f"fact {number}", at=at(9, day=1 + number)) for number in range(9)]
    publish(root, *records)
    before = contents(root)
    assert (publish(root, *records).steps, contents(root)) == ((), before)
    (root / "state/digests.json").unlink()
    assert (publish(root, *records).steps, contents(root)) == ((), before)


def test_the_owners_note_stays_and_the_closing_lines_stay_last(root):
    """The digest goes between what they wrote and the four lines."""
    own = "# 2026-05-15\n\n## 09:00 Planning\n- talked about the move\n"
    closing = "Updated: 2026-05-15\nDecisions: none\nSignal: none\nOpen: none\n"
    (root / "notes/daily").mkdir(parents=True, exist_ok=True)
    (root / "notes/daily/2026-05-15.md").write_text(f"{own}\n{closing}")
    publish(root, one("a fact"))
    publish(root, one("another fact"))
    text = note(root)
    assert (text.startswith(own), text.endswith(closing), text.count("## Facts Learned")) == (True, True, 1)


@pytest.mark.seed("S3.024")
def test_a_new_note_is_closed_where_its_design_closes_notes(tmp_path):
    """The four lines are its last."""
    root = tmp_path / "v4"
    init(str(root), layout="v4", environment={})
    publish(root, one("a fact"), layout="v4")
    text = (root / "memory/episodic/2026-05-15.md").read_text()
    assert text.endswith("\nUpdated: 2026-05-15\nDecisions: none\nSignal: none\nOpen: none\n")


@pytest.mark.seed("S0.050")
def test_one_day_on_demand(root):
    """Whether it needs it or not; a dry run only says."""
    records = one("a fact"), one("b", at=at(9, day=16))
    planned = publish(root, *records, only=DAY, dry_run=True)
    assert [step.target for step in planned.steps] == ["notes/daily/2026-05-15.md"]
    assert not (root / "notes/daily/2026-05-15.md").exists()
    publish(root, *records, only=DAY)
    assert ("a fact" in note(root), (root / "notes/daily/2026-05-16.md").exists()) == (True, False)
    assert [step.target for step in publish(root, *records).steps] == ["notes/daily/2026-05-16.md"]


def test_an_erased_record_leaves_its_day(root):
    """Its line goes with it, and the day that lost its last record is looked at again."""
    (record,) = keep(a_store(root), "the canary is called Tweety")
    publish(root, one(record.text, ref=record.id))
    store = a_store(root)
    with store.writing():
        assert erase(store, [tombstone(record, a_change("forget"))]).remaining == ()
    assert "Tweety" not in note(root)
    publish(root)
    assert ("## Facts" in note(root), publish(root).steps) == (False, ())


def test_a_broken_note_is_told_and_its_day_stays_due(root):
    """The others are written; when it is mended, so is it."""
    (root / "notes/daily").mkdir(parents=True, exist_ok=True)
    broken = root / "notes/daily/2026-05-15.md"
    broken.write_text("<!-- memoracle:begin digest -->\n")
    records = one("a fact"), one("b", at=at(9, day=16))
    done = publish(root, *records)
    assert ([finding.code for finding in done.findings], len(done.steps)) == (["broken-block"], 1)
    broken.write_text("mended\n")
    assert [step.target for step in publish(root, *records).steps] == ["notes/daily/2026-05-15.md"]


@pytest.mark.seed("F-16")
def test_a_day_in_chinese_has_chinese_sections():
    """All four of them."""
    text = compose_digest([one("我们决定用 SQLite", kind="decision").passage])
    assert [line for line in text.split("\n") if line.startswith("## ")] == [
        "## 新知",
        "## 决定",
        "## 偏好",
        "## 待办",
    ]
