"""Everybody at once on one root; `benchmarks/race.py --seconds 60` is the long version."""

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("mcp_types")

_PLACE = Path(__file__).parents[2] / "benchmarks/race.py"


def test_nothing_is_lost_and_nobody_is_bothered(tmp_path):
    """Hooks, clients, a command line and consolidations: all that was acknowledged is there, and no process is left."""
    spec = importlib.util.spec_from_file_location("race", _PLACE)
    race = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(race)
    found = race.race(tmp_path, seconds=6, hooks=20)
    assert found["wrong"] == []
    assert (
        min(
            found[what] for what in ("hooks", "saves", "notes", "consolidations", "hooks that told something")
        )
        > 0
    )
