"""A name that becomes the place of a file is no secret, and no message says one again."""

import json

import pytest

from memoracle.errors import BadInput, RefusedByPolicy
from memoracle.interfaces.cli import main
from memoracle.interfaces.mcp.tool import failure
from memoracle.upkeep.health import add_canary
from memoracle.upkeep.probe import Canary
from support.files import contents

TOKEN = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


@pytest.mark.parametrize(
    "name_it",
    [
        lambda memory: memory.seats.add_seat(TOKEN),
        lambda memory: memory.seats.add_seat("builder", projects=[TOKEN]),
        lambda memory: memory.seats.add_project(TOKEN),
        lambda memory: memory.note("a plain line", to=TOKEN),
        lambda memory: memory.note("a plain line", to=f"semantic/{TOKEN}"),
        lambda memory: memory.remember("a plain line", project=TOKEN),
        lambda memory: memory.scan_project(TOKEN, "/", commit=True),
        lambda memory: memory.seats.deliver(TOKEN, {"answer": "yes"}, project="alpha", to="builder"),
        lambda memory: memory.seats.dispatch(
            TOKEN,
            project="alpha",
            source="planner",
            target="builder",
            title="t",
            objective="o",
            test_policy="p",
        ),
    ],
)
def test_a_secret_is_no_name(memory, root, name_it):
    """Seats, projects and homes of notes; nothing of it is written."""
    with pytest.raises(RefusedByPolicy, match="secret-in-a-name"):
        name_it(memory)
    assert not [
        path
        for path in contents(root, skip=())
        if TOKEN in path or TOKEN.encode() in (root / path).read_bytes()
    ]


def test_a_canary_keeps_no_secret(memory, root):
    """Neither in its question nor in what is expected."""
    add_canary(memory.root, Canary(query=f"what is {TOKEN}?", expected=(TOKEN,)))
    assert TOKEN not in (root / "state" / "canaries.json").read_text()


def test_a_hint_says_no_secret_again(root, memory, capsys):
    """Neither on the command line nor over MCP."""
    assert main(["--root", str(root), "drift", "--project", TOKEN, "--json"]) != 0
    said = capsys.readouterr()
    assert TOKEN not in said.out + said.err
    assert "north-star.toml" in json.loads(said.out)["error"]["hint"]
    assert TOKEN not in json.dumps(failure(BadInput("no", f"write into projects/{TOKEN}/x.toml")))
