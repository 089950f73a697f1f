"""Five seats on one project, each a process of its own, all at the same time: from a scan to the close-out."""

import json
import subprocess
from pathlib import Path

import pytest

from memoracle.compose import open_memory
from support.files import PLAIN, write
from support.processes import PYTHON, surroundings

pytestmark = pytest.mark.long

SEATS = ("memory", "planner", "builder", "reviewer", "patrol")


@pytest.fixture
def repo(tmp_path):
    """A small Python repository with one commit."""
    place = tmp_path / "repo"
    write(place, "pyproject.toml", '[project]\nname = "arena"\nrequires-python = ">=3.11"\n')
    write(place, "src/engine.py", "def run():\n    return 1\n")
    write(place, "tests/test_engine.py", "def test_run():\n    assert True\n")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run(
            ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words], cwd=place, check=True
        )
    return place


@pytest.mark.seed("S1.001", "S1.015", "S1.019", "S1.024", "S1.025", "S1.034", "S1.035", "S1.180", "F-29")
def test_five_seats_at_the_same_time(root, repo, memory):
    """Everything each did stands, nothing was done twice, who may not write did not, and one of four edits won."""
    memory.seats.add_project("arena", repo_path=str(repo))
    kept = memory.remember("the engine has an owner")
    commit = (
        subprocess.run(["git", "rev-parse", "HEAD"], cwd=repo, capture_output=True, check=True)
        .stdout.decode()
        .strip()
    )
    shared = {
        "MEMORACLE_ROOT": str(root), "MEMORACLE_EMBEDDER": "none", "REPO": str(repo), "COMMIT": commit, "RECORD": kept.id,
    }  # fmt: skip
    started = {
        seat: subprocess.Popen(
            [PYTHON, str(Path(__file__).with_name("seats.py")), seat],
            env=surroundings(**shared, MEMORACLE_SEAT=seat),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for seat in SEATS
    }
    ended = {seat: process.communicate(timeout=180) for seat, process in started.items()}
    assert {seat: said[1].decode() for seat, said in ended.items() if started[seat].returncode} == {}
    told = {seat: json.loads(said[0]) for seat, said in ended.items()}

    steps = {"handoff": "ok", "seen": "ok", "delivery": "ok", "commit": "ok"}
    assert told["planner"]["four_steps"] == [0, steps]
    assert (told["planner"]["language"], told["planner"]["decided_once"]) == ("python", True)
    assert (told["builder"]["refused"], told["reviewer"]["without_a_verdict"]) == ([5, 5, 5], 2)
    assert told["patrol"]["once"] is True
    assert {name: told["memory"][name] for name in ("scanned", "verified", "lie", "audit")} == {
        "scanned": 7, "verified": True, "lie": 1, "audit": True,
    }  # fmt: skip
    assert sorted(told[seat]["edited"] for seat in ("planner", "builder", "reviewer", "patrol")) == [
        0,
        6,
        6,
        6,
    ]

    with open_memory(str(root), environment=PLAIN) as after:
        pages = after.seats.pages(project="arena")
        assert {page.seat for page in pages} == set(SEATS)
        assert len({page.id for page in pages}) == len(pages)
        assert after.seats.page(told["reviewer"]["page"]).status == "resolved"
        assert {one.state.value for one in after.seats.handoffs("arena")} == {"done"}
        synthesis = after.seats.page(told["memory"]["synthesis"])
        assert synthesis.seat == "memory"
        assert told["reviewer"]["page"].removesuffix(".md") in synthesis.body
        assert "The engine has no limit" not in synthesis.body
        assert after.verify_audit().problems == ()
        assert [finding for finding in after.check().findings if finding.severity == "error"] == []
        linked = after.graph("entity:taskid:ARENA-229", depth=1)
        assert {
            told["reviewer"]["page"].removesuffix(".md"),
            told["patrol"]["page"].removesuffix(".md"),
        } <= set(linked.nodes)
