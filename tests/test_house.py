"""The house in numbers: what was reached does not grow back. The script's own limits are where it is going."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest
from vulture import Vulture

PLACE = Path(__file__).parent.parent / "scripts" / "house.py"
SPEC = importlib.util.spec_from_file_location("house", PLACE)
house = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(house)

# What is held now; `house.LIMITS` says where each number is going.
REACHED = {
    "files, with extensions": 400,
    "lines, with extensions": 82_575,
    "files": 300,
    "lines": 61_540,
    "lines of tables": 9_918,
    "rooms": 13,
    "largest file": 500,
    "largest function": 80,
    "public classes": 408,
    "homonyms": 0,
    "import chain": 12,
}
WALKS = {"remember": (31, 50), "recall": (48, 200)}
"""How many files a verb enters, and how often it changes rooms; six of recall's are the model and what reads with it, ten the
spelling of a question and what was said next."""


def test_the_house_does_not_grow_back():
    """Each number is at most what was reached before; whoever makes one smaller lowers it here."""
    found = house.numbers(walks=False)
    assert {name: now for name, now in found.items() if now > REACHED[name]} == {}


def test_nothing_is_held_below_its_target():
    """A number that has reached its target is held there, and no lower."""
    assert {name: held for name, held in REACHED.items() if held < house.LIMITS[name]} == {}


@pytest.mark.long
@pytest.mark.parametrize("verb", WALKS)
def test_a_verb_is_followed_through_few_files(verb):
    """What somebody has to open to read one verb from its door to the disk."""
    files, changes = house.walk(verb)
    assert files <= WALKS[verb][0]
    assert changes <= WALKS[verb][1]


ELSEWHERE = {
    *(
        "text_factory",
        "intra_op_num_threads",
        "redirect_request",
        "yaml_implicit_resolvers",
    ),  # read by libraries
    *("VM_ORACLE", "MEMORY_SYSTEM", "V4", "CLAWSEAT"),  # found by the name of their layout
    "MEANING",  # what the reference of exit statuses is checked against
}


def test_nothing_is_dead():
    """`vulture` finds nothing that is not named by a table, a registry or a field of what somebody is handed."""
    named = set()
    for path in house.SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named |= {*re.findall(r"\w+", node.value)}
            elif isinstance(node, ast.ClassDef):
                named |= {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
                named |= {
                    target.id for one in node.body if isinstance(one, ast.Assign) for target in one.targets
                }
    for table in house.SOURCE.rglob("*.toml"):
        named |= {*re.findall(r"\w+", table.read_text(encoding="utf-8"))}
    project = house.SOURCE.parent.parent
    finder = Vulture()
    finder.scavenge([str(project / name) for name in ("src", "benchmarks", "scripts", "hatch_build.py")])
    dead = [
        f"{one.filename}:{one.first_lineno} {one.name}"
        for one in finder.get_unused_code()
        if one.name not in named | ELSEWHERE
        and not one.name.startswith(("add_to_", "run_", "__"))
        and Path(one.filename).is_relative_to(house.SOURCE)
    ]
    assert dead == []
