"""The runner of the documentation's examples: what it forgives, what it finds, and what it leaves alone."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

RUNNER = Path(__file__).parent.parent / "scripts" / "verify.py"

pytestmark = pytest.mark.skipif(not RUNNER.exists(), reason="there is no documentation here")


@pytest.fixture(name="runner")
def a_runner():
    found = importlib.util.spec_from_file_location("documentation_runner", RUNNER)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(name="shell")
def a_shell(runner):
    session = runner.Session()
    yield session
    shutil.rmtree(session.home)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("next  health  Sun 2026-11-15 17:16  every 6 h", "next  health  Mon 2027-01-04 05:02  every 6 h"),
        ("- Miso `01M7FER8RS99D64KZT6RDY972S`", "- Miso `01M7FF91BSTMKH6NF7CP15BA89`"),
        ("2026-11-15 11:21:13  mei via cli  remember", "2026-12-01 08:00:00  mei via cli  remember"),
        ("written: p/2026-11-15T11-21-21Z-plan.md", "written: p/2026-12-01T08-00-00Z-plan.md"),
        ("the code is [secret:password:84c008ae]", "the code is [secret:password:00c008af]"),
        ("ask_6d82348edfa3  quarantine", "ask_d1c22706c0e3  quarantine"),
    ],
)
def test_what_differs_from_run_to_run_is_no_difference(runner, one, other):
    """Ids, times, fingerprints."""
    assert runner.loose(one) == runner.loose(other)


def test_another_word_is_a_difference(shell, capsys):
    """The page is corrected, and the difference is told."""
    corrected = shell.console("$ echo Mochi\nMiso\n")

    assert (corrected, shell.differences, "Miso" in capsys.readouterr().out) == (
        "$ echo Mochi\nMochi\n",
        1,
        True,
    )


def test_an_example_leaves_the_list_of_roots_alone(shell, monkeypatch, tmp_path):
    """Its memories are gone in a moment: only its own list names them."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    shell.console("$ memoracle init tour\n")

    own = json.loads(Path(shell.home, ".roots.json").read_text("utf-8"))
    assert ([row["name"] for row in own["roots"]], list(tmp_path.rglob("*"))) == (["tour"], [])
