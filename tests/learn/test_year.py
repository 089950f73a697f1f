"""A year of daily conversations, consolidated night by night, ends where theory says.

Twenty turns a day in two languages. The clock is an argument: 365 nights take as long as the work takes.
"""

import json
from datetime import timedelta

import pytest

from memoracle.compose import init, open_memory
from memoracle.context.hot import HotLimits
from memoracle.model.record import Anchor, Kind, Law, Status, activation, reinforce
from memoracle.text import estimate_tokens
from support.clock import FrozenClock
from support.files import PLAIN
from support.life import ALLERGY, BEGIN, home, late, write_day
from support.stores import standing

pytestmark = pytest.mark.long

DAYS = 365
SURROUNDINGS = PLAIN | {"TZ": "UTC", "MEMORACLE_EMBEDDER": "none"}


@pytest.fixture(scope="module")
def year(tmp_path_factory):
    """The memory on the morning after the last day."""
    place = tmp_path_factory.mktemp("year")
    root, chats = place / "memory", place / "chats"
    chats.mkdir()
    init(str(root), environment={})
    clock = FrozenClock(BEGIN)
    with open_memory(str(root), environment=SURROUNDINGS, clock=clock) as memory:
        for number in range(DAYS):
            path = write_day(chats, number)
            clock.now = BEGIN + timedelta(days=number + 1, hours=3)
            memory.ingest(str(path), embed=False)
            memory.consolidate()
        yield root, memory, clock


def active(memory):
    return [record for record in standing(memory.store).values() if record.status is Status.ACTIVE]


@pytest.mark.seed("S2.006", "F-01", "S2.057")
def test_every_activation_follows_the_closed_formula(year):
    """No night has written an activation down: each is what its anchor and the clock give."""
    _, memory, clock = year
    law = Law()
    alive = {one.passage.ref: one.activation for one in memory.index.standing(law, clock.now)}
    for record in active(memory):
        half_life = law.half_life(record.kind.value, record.weight.importance)
        uses = memory.index.uses_of([record.id]).get(record.id, [])
        anchor = reinforce(record.anchor, half_life, uses, law)
        assert alive[record.id] == pytest.approx(activation(anchor, half_life, clock.now), abs=1e-9)


def test_a_fact_said_once_has_the_activation_of_its_age(year):
    """0.5 ** (days / half-life), from the night it was learned."""
    _, memory, clock = year
    once = next(r for r in active(memory) if r.version == 1 and r.kind is Kind.DECISION)
    days = (clock.now - once.created) / timedelta(days=1)
    half_life = 87 / (1 - 0.5 * once.weight.importance)
    found = next(s for s in memory.index.standing(Law(), clock.now) if s.passage.ref == once.id)
    assert once.anchor == Anchor(value=1.0, at=once.created)
    assert found.activation == pytest.approx(0.5 ** (days / half_life), abs=1e-9)


@pytest.mark.seed("F-41", "S2.046")
def test_the_allergy_is_still_there(year):
    """Said on the first day, never again."""
    _, memory, _ = year
    assert [record.kind for record in active(memory) if record.text == ALLERGY] == [Kind.HEALTH]


@pytest.mark.seed("F-49", "S2.053", "S2.137")
def test_the_last_home_stands_and_every_earlier_one_answers_for_its_day(year):
    """Three moves: one home now, all of them in the history, each as of its time."""
    _, memory, _ = year
    homes = [r for r in standing(memory.store).values() if r.statement.predicate == "lives_in"]
    now = [r.statement.object for r in homes if r.status is Status.ACTIVE]
    assert now == [home(DAYS - 1)]
    assert sorted(r.statement.object for r in homes) == sorted({home(n) for n in range(0, DAYS, 100)})
    for number in (50, 150, 250):
        moment = BEGIN + timedelta(days=number)
        assert [r.statement.object for r in homes if r.validity.holds_at(moment)] == [home(number)]


@pytest.mark.seed("S2.120", "S4.085")
def test_the_active_pool_is_in_balance(year):
    """What is learned each day and what fades or expires hold each other: the pool stays small."""
    _, memory, _ = year
    states = [record.status for record in standing(memory.store).values()]
    assert states.count(Status.ACTIVE) < 450
    assert states.count(Status.ARCHIVED) > 25


@pytest.mark.seed("S2.131")
def test_appointments_have_expired(year):
    """Tomorrow's dentist of last March is in no answer."""
    _, memory, clock = year
    old = [r for r in active(memory) if "dentist" in r.text and r.validity.expires is not None]
    assert all(record.validity.expires > clock.now for record in old)


@pytest.mark.seed("C-05", "S0.064", "S2.010")
def test_the_hot_file_is_within_its_budget(year):
    """Tokens and lines, in two languages, after a year."""
    root, _, _ = year
    text = (root / "MEMORY.md").read_text(encoding="utf-8")
    limits = HotLimits()
    assert estimate_tokens(text) <= limits.tokens
    assert len(text.splitlines()) <= limits.lines
    assert "peanuts" in text


@pytest.mark.seed("S0.012", "S0.054", "S0.060", "F-07")
def test_every_digest_is_complete(year):
    """365 days have one, each with what was said at 23:59."""
    root, _, _ = year
    places = {
        path.name.split(".")[0]: path
        for path in (*root.glob("notes/daily/*"), *root.glob("archive/notes/**/*.md*"))
    }
    for number in range(DAYS):
        day = (BEGIN + timedelta(days=number)).date().isoformat()
        assert late(number).rstrip(".") in _text(places[day])


def _text(path):
    import gzip

    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")


@pytest.mark.seed("S0.067", "S0.081")
def test_the_health_file_tells_of_last_night(year):
    """Written by the last phase."""
    root, _, _ = year
    held = json.loads((root / "state" / "health.json").read_text(encoding="utf-8"))
    assert held["total_facts"] == held["active_facts"] + held["archived_facts"]
    assert held["last_consolidation"] == "2026-01-01T03:00:00.000000Z"
