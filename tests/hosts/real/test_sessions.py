"""A person's days with each host: what is told is there tomorrow, what others say is not learnt, and leaving leaves no trace.

Real programs, a scripted model; what counts is what stands in the requests that reach the model.
"""

import json
from datetime import UTC, datetime

import pytest

from .model import REPEATED
from .outsiders import FOREIGN
from .programs import CLAUDE, CODEX, GEMINI

RULE = "In this repo we use pnpm, never npm."
ALLERGY = "I am allergic to shellfish."
QUESTION = "What am I allergic to, shellfish or nuts?"
DENTIST = "My dentist is called Amadou."
BOAT, TRAM = "The boat of Ilse is called Swift", "The tram to Ghent was late"
CALL = 'CALL memory_search {"query": "shellfish"}'


@pytest.fixture(params=[CLAUDE, CODEX, GEMINI], ids=lambda one: one.name)
def program(request, has):
    has(request.param)
    return request.param


def test_days_with_a_host(program, host_home):
    """Installed, told something, asked the next day here and in another project, and taken out again."""
    host_home.set_up(program)
    host_home.let_others_speak(program)
    before = host_home.settings(program)
    host_home.memoracle("init")
    host_home.install(program)

    told = host_home.ask(program, f"{RULE} {ALLERGY}")
    assert told.request.blocks() == []
    assert all(word in told.request.text for word in ("rhymes", "SafeBox"))  # the attack takes place
    moments = [
        name for name, _ in program.host.hooks.values() if "ompact" not in name and "ompress" not in name
    ]
    assert set(moments) <= {one["hook_event_name"] for one in host_home.heard()}

    asked = host_home.ask(program, QUESTION)
    (start,) = asked.request.blocks()  # the prompt brings along what stands there already
    assert ('after="start"' in start, start.count(RULE), start.count(ALLERGY)) == (True, 1, 1)

    (elsewhere,) = host_home.ask(
        program, "Good morning, what is to be done?", project="other"
    ).request.blocks()
    assert (RULE in elsewhere, ALLERGY in elsewhere) == (False, True)

    resumed = host_home.ask(program, "And now the second part of it.", project="other", again=True).request
    starts = [block for block in resumed.blocks() if 'after="start"' in block]
    assert [ALLERGY in block for block in starts] == [
        True
    ]  # once, whether the host goes on with the old one or not

    document = json.loads(host_home.memoracle("ingest", program.alias, "--json"))
    assert (document["files"], document["findings"]) == (3, [])
    host_home.memoracle("consolidate")
    assert set(host_home.records()) == {RULE, ALLERGY}
    told_of = " ".join(block for one in host_home.model.requests for block in one.blocks())
    assert [word for word in FOREIGN if word in told_of] == []
    assert host_home.log() == ""

    host_home.memoracle("install", program.name, "--uninstall", "--yes")
    assert host_home.settings(program) == before


@pytest.mark.hosts
def test_nothing_is_told_twice(program, host_home):
    """A record, the turn it was learnt from and a line of a note: at the start, after a resume and a compaction."""
    host_home.set_up(program)
    host_home.memoracle("init")
    host_home.install(program)
    host_home.ask(program, f"{ALLERGY} {RULE}")
    host_home.memoracle("remember", DENTIST)
    day = datetime.now(UTC).date()
    note = host_home.root / f"notes/daily/{day}.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(f"# {day}\n\n- {BOAT}\n- {TRAM}\n", encoding="utf-8")

    def told(question, **how):
        said = "\n".join(host_home.ask(program, question, **how).request.blocks())
        return {said.count(one) for one in (ALLERGY, RULE, DENTIST, BOAT, TRAM)}

    assert told(QUESTION) == {1}
    assert told("What is my dentist called, Amadou?", again=True) == {1}
    assert told("What is the boat of Ilse called, Swift?", again=True) == {1}
    assert told("What is the boat of Ilse called?") == {1}
    if program is CLAUDE:  # the others compact by themselves, or where somebody types
        host_home.run_program(program, "-c", "-p", "/compact")
        host_home.settle()
        assert told(QUESTION, again=True) == {1}
        assert told("What is my dentist called, Amadou?", again=True) == {1}


def test_tools_stand_in_the_first_request(program, host_home):
    """Hosts do not wait for a server: one that starts slowly has no tools. A call is answered."""
    host_home.set_up(program)
    host_home.memoracle("init")
    host_home.memoracle("remember", ALLERGY)
    host_home.install(program)
    session = host_home.ask(program, f"Look it up.\n{CALL}")
    # Claude Code may keep tools back until it searches for them; it names those that it knows of.
    offered = session.request.text if program is CLAUDE else session.request.tools
    assert "memory_search" in str(offered)
    assert REPEATED in session.printed
    assert ALLERGY in session.printed
