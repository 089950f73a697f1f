"""`memoracle bench run` as it is called."""

import gzip
import json
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks import cli as bench
from benchmarks import subject
from benchmarks.__main__ import PROGRAMS

from memoracle.errors import BadInput
from memoracle.interfaces.cli import main
from memoracle.interfaces.cli import measure as door
from memoracle.interfaces.cli.session import Parser, Session
from support.processes import PYTHON

from .samples import PACK

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def data(tmp_path):
    with gzip.open(tmp_path / "tiny.json.gz", "wt", encoding="utf-8") as file:
        json.dump(PACK, file)
    return str(tmp_path)


def call(*words):
    parser = Parser(prog="memoracle bench")
    bench.add_to(parser)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(words)
    with Session(root=None, json=arguments.json) as session:
        return bench.run(arguments, session)


def test_the_document_goes_to_the_file_and_the_table_to_stdout(data, tmp_path, capsys):
    """A run can be kept and read at once."""
    kept = tmp_path / "out.json"

    status = call("run", "--data", data, "--only-peers", "--peers", "bm25,fts5", "--json", str(kept))

    document = json.loads(kept.read_text())
    assert (status, list(document["packs"]), list(document["peers"])) == (0, ["tiny"], ["fts5"])
    assert capsys.readouterr().out.startswith("tiny")


def test_the_scorecard_is_one_page(data, tmp_path, monkeypatch):
    """Every pack of every folder, every peer that is asked for, losses first."""
    monkeypatch.setattr(subject, "NAME", "fts5")
    page = tmp_path / "card.md"

    status = call("scorecard", "--data", data, "--peers", "bm25,qmd", "--out", str(page))

    text = page.read_text(encoding="utf-8")
    titles = [line for line in text.splitlines() if line.startswith("#")]
    assert (status, titles[:2], titles[-2:]) == (
        0,
        ["# Scorecard", "## Where we lose"],
        ["### tiny", "## Who was measured"],
    )
    assert "| qmd | tiny | `no npm package" in text
    assert str(tmp_path) not in text


def test_an_interpreter_that_is_not_there_is_refused(data):
    """Before anything is measured."""
    with pytest.raises(BadInput, match="NAME=PATH"):
        call("run", "--data", data, "--python", "mem0=/nowhere/python")


def test_json_without_a_file_prints_one_document(data, capsys):
    """As with every verb."""
    call("run", "--data", data, "--only-peers", "--peers", "bm25", "--json")

    assert json.loads(capsys.readouterr().out)["mean"]["recall@5"] == 1.0


def test_a_peer_nobody_knows_is_refused(data):
    """With the names of those that are known."""
    with pytest.raises(BadInput, match="oracle9"):
        call("run", "--data", data, "--peers", "oracle9")


def test_a_folder_without_packs_is_refused(tmp_path):
    """Nothing to measure is no success."""
    with pytest.raises(BadInput, match="packs"):
        call("run", "--data", str(tmp_path))


def test_without_a_checkout_the_command_says_where_to_get_one(monkeypatch, capsys):
    """The installed package has no benchmarks: one sentence, and the status of a call that cannot be."""
    monkeypatch.setattr(door, "_benchmarks", lambda: None)

    assert main(["bench", "run", "--peers", "bm25"]) == 2
    assert "not part of the installed package" in capsys.readouterr().err


def test_the_checkout_runs_the_benchmarks_as_a_module():
    """Both doors open the same room, and every program of the list is there."""
    done = subprocess.run(
        [PYTHON, "-m", "benchmarks"], capture_output=True, text=True, check=True, cwd=CHECKOUT
    )

    assert "--data" not in done.stdout
    assert "run|scorecard|latency|extract" in done.stdout
    assert [name for name in PROGRAMS if find_spec(f"benchmarks.{name}") is None] == []
