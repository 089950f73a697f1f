"""One person, one memory, every host: what is told to one of them is known in all the others."""

from .programs import CLAUDE, CODEX, GEMINI, OPENCODE, PROGRAMS

FACTS = {
    CLAUDE.name: "I am allergic to shellfish.",
    CODEX.name: "My sister Ilse moved to Porto in October.",
    GEMINI.name: "My cat is called Miso.",
    OPENCODE.name: "I live in Ghent.",
}


def test_what_one_host_is_told_every_other_knows(host_home, has):
    """Said in one project, told in another, and every sentence once."""
    has(*PROGRAMS)
    for program in PROGRAMS:
        host_home.set_up(program)
    host_home.memoracle("init")
    for program in PROGRAMS:
        host_home.install(program)
    for program in PROGRAMS:
        host_home.ask(program, FACTS[program.name])
    host_home.memoracle("consolidate")
    for program in PROGRAMS:
        request = host_home.ask(program, "Good morning, what is to be done?", project="other").request
        told = "\n".join(request.blocks())
        assert {fact: told.count(fact) for fact in FACTS.values()} == dict.fromkeys(FACTS.values(), 1)
    call = 'CALL memory_context {"prompt": "Good morning"}'
    asked = host_home.ask(OPENCODE, f"Look it up.\n{call}", project="other")
    assert [fact for fact in FACTS.values() if fact not in asked.printed] == []
