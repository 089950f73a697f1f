"""The project that is worked on, as variables name it."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import MEDIUM, Fact
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import words

_VARIABLES = {
    "current_project": ("CLAWSEAT_PROJECT", "AGENTS_PROJECT", "MEMORACLE_PROJECT"),
    "current_project_dir": ("CLAWSEAT_PROJECT_DIR", "AGENTS_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    "last_refresh_ts": ("CLAWSEAT_LAST_REFRESH_TS", "AGENTS_LAST_REFRESH_TS"),
}
_SOURCE = "environment"


def look(around: Around) -> list[Fact]:
    """Project, folder and when it was last refreshed; empty where no variable says it."""
    facts = []
    for name, variables in _VARIABLES.items():
        said = next((words(around.environment[one]) for one in variables if around.environment.get(one)), "")
        facts.append(Fact(path=(name,), says=said, source=_SOURCE, trust=MEDIUM))
    homes = [{"path": words(home.path), "said_by": home.said_by} for home in around.homes]
    return [*facts, Fact(path=("homes",), says=homes, source="password database and environment")]
