"""A week of an operator who looks at nothing but the messages: conversations come in, a disk rots, a backup helps.

Upkeep is a process of its own at every trigger, at a time that is given to it; nothing else is called.
"""

import json
import os
import shlex
import signal
import sys
from datetime import UTC, datetime, timedelta

import pytest

from memoracle.compose import init, open_memory
from memoracle.upkeep import alerts
from memoracle.upkeep.backup import archives, restore, set_daily, verify
from support.clock import FrozenClock
from support.files import PLAIN
from support.processes import start, surroundings

pytestmark = pytest.mark.long

SUNDAY = datetime(2026, 11, 8, 19, 50, tzinfo=UTC)
TRIGGERS = ((0, 31), (3, 5), (9, 5), (12, 0), (18, 0), (23, 5))
SAID = {
    "Mon": ("I am allergic to shellfish.", "shellfish"),
    "Tue": ("We decided to use PostgreSQL for the orders service.", "PostgreSQL"),
    "Wed": ("I prefer tea to coffee in the morning.", "tea"),
    "Thu": ("My sister Anna lives in Lisbon.", "Lisbon"),
    "Fri": ("We decided to move the backups to Hetzner.", "Hetzner"),
    "Sat": ("I am allergic to penicillin.", "penicillin"),
}
TEND = """
import os, signal, sys
from datetime import datetime
from memoracle.compose import open_memory
root, now, killed = sys.argv[1:]
if killed:
    from memoracle.learn import phases, flush, run
    dies = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    flush._ACTS = {**flush._ACTS, killed: dies}
    run._ACTS = {**run._ACTS, killed: dies}
with open_memory(root, clock=lambda: datetime.fromisoformat(now)) as memory:
    done = memory.tend()
print(" ".join(f"{one.job}:{one.outcome}" for one in done.ran))
print(done.alert)
"""
TAKES = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read() + '\\f')"


class Week:
    """A memory, the folder its conversations come into, a disk for backups, a mailbox, and what ran when."""

    def __init__(self, place, layout):
        self.root, self.disk, self.mail = place / "memory", place / "disk", place / "mail"
        self.disk.mkdir()
        self.now, self.ran, self.chats = SUNDAY, [], self.root / "sessions"
        if layout == "vm-oracle":
            (self.root / "knowledge-graph").mkdir(parents=True)
            (self.root / "sessions").mkdir()
            fact = {"id": "fact_1", "subject": "user", "predicate": "lives_in", "object": "Boston"}
            more = {"created": "2026-11-01T10:00:00Z", "activation": 1.0}
            (self.root / "knowledge-graph/facts.jsonl").write_text(json.dumps(fact | more) + "\n")
        else:
            self.chats = place / "chats"
            self.chats.mkdir()
        init(str(self.root), environment={}, clock=FrozenClock(SUNDAY - timedelta(hours=9)))
        with self.opened() as memory:
            if layout == "native":
                self.say("Sun", "The name of my cat is Miso.")
                memory.ingest(str(self.chats), embed=False)
            memory.store.own_state()
            self.facts = memory.store.layout["facts"]
            self.daily = memory.store.layout["daily"]
        alerts.set_command(str(self.root), shlex.join([sys.executable, "-c", TAKES, str(self.mail)]))
        set_daily(str(self.root), str(self.disk))

    def opened(self):
        return open_memory(str(self.root), environment=PLAIN | {"TZ": "UTC"}, clock=lambda: self.now)

    def say(self, day, text):
        at = self.now.isoformat()
        line = json.dumps({"timestamp": at, "role": "user", "content": text})
        (self.chats / f"{self.now:%Y-%m-%d}-{day}.jsonl").write_text(line + "\n")

    def trigger(self, killed=""):
        env = surroundings(**PLAIN, TZ="UTC", XDG_STATE_HOME=os.environ["XDG_STATE_HOME"])
        process = start(TEND, self.root, self.now.isoformat(), killed, env=env)
        out, err = process.communicate(timeout=180)
        assert process.returncode == (-signal.SIGKILL if killed else 0), err
        self.ran += [(self.now, *one.split(":")) for one in out.split("\n")[0].split()]

    def messages(self):
        return self.mail.read_text().split("\f")[:-1] if self.mail.exists() else []

    def digest(self, day):
        return (self.root / self.daily.format(date=day.isoformat())).read_text()


def flip(place):
    """One bit in the middle of a file is another."""
    content = bytearray(place.read_bytes())
    content[len(content) // 3] ^= 1
    place.write_bytes(bytes(content))


@pytest.mark.seed("S0.100", "S0.101", "S0.103", "F-14")
@pytest.mark.parametrize("layout", ["native", "vm-oracle"])
def test_a_week_with_a_day_off_a_kill_and_a_damaged_byte(tmp_path, layout):
    """What was said is in the digest of its day, nights stay at their hour, the damage reaches a mailbox, nothing is lost."""
    week = Week(tmp_path, layout)
    night = 0 if layout == "vm-oracle" else 3
    week.trigger()  # the first run is in the evening
    for number, (day, (text, _)) in enumerate(SAID.items(), start=1):
        midnight = datetime(2026, 11, 8, tzinfo=UTC) + timedelta(days=number)
        for hour, minute in TRIGGERS:
            week.now = midnight + timedelta(hours=hour, minutes=minute)
            if day == "Wed" and hour != 23:
                continue  # the machine is off
            if hour == 12 or (day == "Wed" and hour == 23):
                week.say(day, text)
            if day == "Fri" and hour == 9:
                flip(week.root / week.facts)
            if day == "Sat" and hour == 9:
                mend(week, layout)
            killed = {("Tue", night): "reconcile", ("Thu", 23): "extract"}.get((day, hour), "")
            week.trigger(killed)
            if killed:
                week.now += timedelta(minutes=20)
                week.trigger()

    assert nights(week) == {night, 23, *([9] if layout == "native" else [])}
    assert [one for one in week.ran if one[2] != "done"] == []
    for number, (_, word) in enumerate(SAID.values(), start=1):
        assert word in week.digest((SUNDAY + timedelta(days=number)).date()), word
    told = [one.split("\n")[2].split(" ")[0] for one in week.messages()]
    assert told == ["new", "mended"]
    # What was restored is as it was before the damage, and knows nothing of it.
    digest = week.digest(datetime(2026, 11, 13, tzinfo=UTC).date())
    assert ("in danger on this day: integrity" in digest) is (layout == "vm-oracle")
    with week.opened() as memory:
        for text, word in SAID.values():
            found = [hit.passage.text for hit in memory.search(text).hits]
            assert any(word in one for one in found), word
            kept = [one.passage for one in memory.list(limit=200) if word in one.passage.text]
            assert len(kept) == len({(one.text, one.predicate) for one in kept}), "learnt once"
        assert memory.check().ok
        assert memory.health().ok
    assert all(verify(path).ok for path in archives(str(week.root), str(week.disk)))


def nights(week):
    """The hours at which consolidation ran after the first evening; a day off, and a night before a restore, are made up for."""
    return {at.hour for at, job, _ in week.ran if job == "consolidate" and at > SUNDAY}


def mend(week, layout):
    """The newest archive from before the damage: in the place of the memory, or beside it for what is missing."""
    before = [path for path in archives(str(week.root), str(week.disk)) if "20261113" in path]
    if layout == "native":
        done = restore(before[-1], str(week.root), agreed=True)
        assert (done.not_taken, os.path.isdir(done.aside)) == ((), True)
        return
    with week.opened() as memory:
        assert memory.repair().steps
        beside = restore(before[-1], str(week.root.with_name("beside"))).root
        assert memory.import_(beside).created == 1, "what was damaged; the others are there"
