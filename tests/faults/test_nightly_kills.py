"""Every job of upkeep killed in its middle: the next trigger takes it up, once, and ends as if nothing had happened."""

import json
import signal

import pytest

from memoracle.compose import open_memory
from memoracle.upkeep.backup import archives, set_daily, verify
from support.files import PLAIN
from support.processes import start, surroundings

pytestmark = pytest.mark.long

SAID = '{"role": "user", "content": "%s", "timestamp": "2026-05-15T20:00:00Z"}\n'
TEND = """
import os, signal, sys
from datetime import datetime
from importlib import import_module
from memoracle.compose import open_memory
root, now, where = sys.argv[1:]
module, _, name = where.partition(":")
if name:
    setattr(import_module(module), name, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
with open_memory(root, clock=lambda: datetime.fromisoformat(now)) as memory:
    print(" ".join(f"{one.job}:{one.outcome}" for one in memory.tend().ran))
"""
MIDDLE = {
    "ingest": "memoracle.hosts.ingesting:_note_source",
    "digest": "memoracle.context.digest:put_block",
    "flush": "memoracle.learn.flush:write_checkpoint",
    "backup": "memoracle.upkeep.backup:_header",
    "consolidate": "memoracle.learn.tidy_phases:_put_away",
    "review": "memoracle.learn.review:obey",
    "health": "memoracle.upkeep.health:write_health",
    "alerts": "memoracle.upkeep.alerts:write_document",
}


@pytest.mark.parametrize("job", MIDDLE)
def test_a_job_that_is_killed_is_done_by_the_next_trigger_once(root, tmp_path, clock, job):
    """A day's words are learnt once, one digest, one archive, every line whole."""
    chats, disk = tmp_path / "chats", tmp_path / "disk"
    chats.mkdir(), disk.mkdir()
    (chats / "friday.jsonl").write_text(SAID % "We decided to use PostgreSQL.")
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.ingest(str(chats), embed=False)
        memory.remember("the cat is called Miso")
    set_daily(str(root), str(disk))
    (chats / "later.jsonl").write_text(SAID % "I am allergic to shellfish.")

    def tend(**span):
        now = clock.move(**span).isoformat()
        process = start(
            TEND, root, now, MIDDLE[job] if span.get("hours") else "", env=surroundings(**PLAIN, TZ="UTC")
        )
        out, err = process.communicate(timeout=120)
        return process.returncode, out.split(), err

    if job == "alerts":
        (root / "records/facts.jsonl").open("a").write('{"broken\n')
    killed, _, _ = tend(hours=14)
    assert killed == -signal.SIGKILL
    ran = [one for minutes in (20, 20, 400) for one in tend(minutes=minutes)[1]]
    assert {one.split(":")[1] for one in ran} == {"done"}
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        for word in ("PostgreSQL", "shellfish", "Miso"):
            assert len([hit for hit in memory.list(limit=50) if word in hit.passage.text]) == 1, word
        assert memory.check().ok is (job != "alerts")
    assert (root / "notes/daily/2026-05-15.md").read_text().count("shellfish") == 1
    kept = archives(str(root), str(disk))
    assert (len(kept) >= 1, all(verify(path).ok for path in kept)) == (True, True)
    assert not any(
        entry["running"] for entry in json.loads((root / "state/jobs.json").read_text())["jobs"].values()
    )
    set_daily(str(root), "")
