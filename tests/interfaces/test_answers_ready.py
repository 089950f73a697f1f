"""While the view is behind the files nobody can say "not in memory": the answer waits, or says that it is not ready."""

import json
import shutil
import subprocess
import threading
import time

import pytest

from memoracle.recall import freshness
from support.processes import PYTHON, run, start, surroundings

KEY = "The spare key hangs behind the boiler"
ASKED = "Where does the spare key hang?"
HOLD = """
import sys, time
from memoracle.index.sqlite.connection import turn
with turn(sys.argv[1], 5) as ours:
    print("held" if ours else "not held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def builder(root):
    """Another process that is changing the view, until it is told to stop."""
    held = []

    def begin():
        process = start(HOLD, root / "index")
        assert process.stdout.readline() == "held\n"
        held.append(process)
        return process

    yield begin
    for process in held:
        if process.poll() is None:
            process.communicate("\n", timeout=30)


@pytest.mark.parametrize("verb", ["recall", "search"])
def test_behind_is_not_ready(cli, builder, monkeypatch, verb):
    """Kept, but not in the view yet, and another process has the view: exit status 8 and a sentence, in text and JSON."""
    monkeypatch.setattr(freshness, "PATIENCE", 0.2)
    assert cli(verb, ASKED).status == 3
    builder()
    cli("remember", KEY)
    ran = cli(verb, "--json", ASKED)
    assert (ran.status, ran.json["status"]) == (8, "not_ready")
    assert any("index" in warning for warning in ran.json["warnings"])
    said = cli(verb, ASKED).out
    assert said.startswith("not_ready")
    assert "the index is being brought up to date" in said


def test_firm_evidence_is_told_meanwhile(cli, builder, monkeypatch):
    """What the part that is there holds is shown, with a note."""
    monkeypatch.setattr(freshness, "PATIENCE", 0.2)
    cli("remember", KEY)
    assert cli("recall", ASKED).status == 0
    builder()
    cli("remember", "The boiler was serviced by Hanna Lind")
    ran = cli("recall", "--json", ASKED)
    assert (ran.status, ran.json["status"], ran.json["hits"][0]["text"]) == (0, "found", KEY)
    assert ran.json["warnings"]


def test_an_answer_waits_for_the_builder(cli, builder):
    """A builder that ends within the patience of a question costs it nothing but time."""
    cli("recall", ASKED)
    process = builder()
    cli("remember", KEY)
    ending = threading.Timer(1.0, lambda: process.communicate("\n"))
    ending.start()
    began = time.monotonic()
    ran = cli("recall", "--json", ASKED)
    ending.join()
    assert (ran.status, ran.json["hits"][0]["text"]) == (0, KEY)
    assert 0.5 < time.monotonic() - began < 8


def test_over_mcp(root, cli, builder, monkeypatch):
    """The same verdict, one of those that the tool promises."""
    from memoracle.compose import open_memory
    from memoracle.interfaces.mcp.finding import SEARCH
    from memoracle.interfaces.mcp.tool import Caller

    monkeypatch.setattr(freshness, "PATIENCE", 0.2)
    cli("recall", ASKED)
    builder()
    cli("remember", KEY)
    with open_memory(str(root)) as memory:
        found = SEARCH.run(memory, {"query": ASKED}, Caller(name="a-host")).document
    assert (found["verdict"], bool(found["warnings"])) == ("not_ready", True)


def test_a_hook_neither_waits_nor_denies(root, cli, builder):
    """A prompt goes on at once, and is told nothing instead of "not in memory"."""
    cli("recall", ASKED)
    builder()
    cli("remember", KEY)
    began = time.monotonic()
    payload = json.dumps({"prompt": ASKED}).encode()
    status, out, _ = run("--root", root, "hook", "prompt", "--host", "claude-code", stdin=payload)
    assert (status, out, time.monotonic() - began < freshness.PATIENCE) == (0, "", True)


def test_the_index_deleted_under_load_denies_nothing(root, cli):
    """Every word that was acknowledged is found, or the answer is not ready: never "not in memory"."""
    for number in range(300):
        (root / "notes").mkdir(exist_ok=True)
        (root / "notes" / f"{number}.md").write_text(f"Note {number} about harbours\n" * 40, encoding="utf-8")
    ended = []
    for round_ in range(4):
        word = f"quokka{round_}"
        assert cli("remember", f"The {word} lives in the garden").status == 0
        shutil.rmtree(root / "index", ignore_errors=True)
        asking = [
            subprocess.Popen(
                [PYTHON, "-m", "memoracle", "--root", str(root), "search", "--recipe", "quick", word],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=surroundings(MEMORACLE_EMBEDDER="none"),
            )
            for _ in range(3)
        ]
        ended += [process.wait(timeout=120) for process in asking]
    assert set(ended) <= {0, 8}


def test_damage_stands_beside_a_plain_no(cli, root):
    """A file that cannot be read whole: "not in memory" says what it does not know."""
    cli("remember", KEY)
    with (root / "records/facts.jsonl").open("ab") as file:
        file.write(b'{"schema": 1, "id": "mem_broken"\n')
    ran = cli("recall", "Who painted the fence?")
    assert ran.status == 3
    assert "but some lines of the memory cannot be read" in ran.out
