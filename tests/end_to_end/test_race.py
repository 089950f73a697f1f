"""Everybody at once on one root; `python -m benchmarks race --seconds 60` is the long version."""

import pytest

pytestmark = pytest.mark.long

pytest.importorskip("mcp_types")


def test_nothing_is_lost_and_nobody_is_bothered(tmp_path):
    """Hooks, clients, a command line and consolidations: all that was acknowledged is there, and no process is left."""
    from benchmarks.race import race

    found = race(tmp_path, seconds=6, hooks=20)
    assert found["wrong"] == []
    assert (
        min(
            found[what] for what in ("hooks", "saves", "notes", "consolidations", "hooks that told something")
        )
        > 0
    )
