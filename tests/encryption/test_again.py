"""The same `encrypt` again ends what was cut off; `check` fails until it has."""

import pytest

from support.files import write
from support.processes import run, surroundings

from .conftest import pyrage


@pytest.fixture
def half(root, seal):
    """A root that is being sealed: its keys are there, and some of its words still lie in clear."""
    seal(root)
    write(root, "notes/semantic/garden.md", "# Garden\n\nThe roses are yellow.\n")
    return root


def test_the_same_command_again_ends_the_work(half, identity):
    """Given with the same recipient it goes on; nothing lies in clear afterwards, and `check` is content."""
    call = ("--root", half, "encrypt", "--recipient", identity[1], "--no-recovery")
    status, out, _ = run("--root", half, "check", env=surroundings())
    assert (status, "not-sealed" in out) == (1, True)
    status, _, err = run(*call, env=surroundings())
    assert status == 0, err
    assert b"roses" not in (half / "notes/semantic/garden.md").read_bytes()
    assert "not-sealed" not in run("--root", half, "check", env=surroundings())[1]
    assert run(*call, env=surroundings())[0] == 0


def test_other_keys_are_refused_by_name(half):
    """Nothing is sealed for them, and the words say so."""
    other = str(pyrage.x25519.Identity.generate().to_public())
    status, _, err = run("--root", half, "encrypt", "--recipient", other, env=surroundings())
    assert (status, other[:8] in err, "keys add" in err) == (2, True, True)
    assert b"roses" in (half / "notes/semantic/garden.md").read_bytes()
