"""What `doctor` leaves to a person is what the host really asks for, and it is enough."""

import json
import re

import pytest

from .model import REPEATED
from .programs import CLAUDE, CODEX, GEMINI
from .test_sessions import ALLERGY, CALL

LOOK = f"Look it up.\n{CALL}"


@pytest.fixture
def ready(host_home, has):
    """A host with memory installed, and what is left to its person."""

    def make(program):
        has(program)
        host_home.set_up(program)
        host_home.memoracle("init")
        host_home.memoracle("remember", ALLERGY)
        host_home.install(program)
        return host_home

    return make


def left(home, program):
    (one,) = json.loads(home.memoracle("doctor", program.name, "--json"))["items"]
    return " ".join(one["left"])


def edit(home, program, change):
    path = home.folder / program.files[0]
    settings = json.loads(path.read_text())
    change(settings)
    path.write_text(json.dumps(settings))


def test_claude_code_asks_for_the_names_that_doctor_tells(ready):
    """Not one of them is called before; with exactly those in `permissions.allow` recall goes unasked."""
    home = ready(CLAUDE)
    assert ALLERGY not in home.run_program(CLAUDE, "-p", "--", LOOK)
    names = re.findall(r'"(mcp__\w+)"', left(home, CLAUDE))
    assert len(names) == 3
    edit(home, CLAUDE, lambda one: one.update(permissions={"allow": names}))
    assert ALLERGY in home.run_program(CLAUDE, "-p", "--", LOOK)
    assert "mcp__" not in left(home, CLAUDE)
    saving = 'Keep it.\nCALL memory_save {"text": "I live in Ghent."}'
    home.run_program(CLAUDE, "-p", "--", saving)
    assert home.records() == [ALLERGY]  # what writes is still asked for


def test_gemini_offers_tools_once_their_server_is_trusted(ready):
    """As doctor tells it: without a terminal none of them before."""
    home = ready(GEMINI)
    told = home.run_program(GEMINI, "-p", LOOK)
    assert (REPEATED in told, '"trust": true' in left(home, GEMINI)) == (False, True)
    edit(home, GEMINI, lambda one: one["mcpServers"]["memoracle"].update(trust=True))
    assert ALLERGY in home.run_program(GEMINI, "-p", LOOK)
    assert "trust" not in left(home, GEMINI)


def test_codex_runs_no_hook_before_it_is_trusted(ready):
    """And does not say so, but doctor does; the tools work."""
    home = ready(CODEX)
    told = home.run_program(CODEX, "exec", "--skip-git-repo-check", LOOK)
    assert (ALLERGY in told, "trusted them" in left(home, CODEX)) == (True, True)
    assert [block for one in home.model.requests for block in one.blocks()] == []
