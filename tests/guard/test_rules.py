"""The tables of rules: every row has the fields that are read, sound patterns, literals and checks that exist."""

import re
from pathlib import Path

import pytest

from memoracle.guard import secrets
from memoracle.guard.rule import CHECKS, rules

TEXT, TEXTS, YES = "text", "texts", "yes"
SCHEMA = {
    "tokens": {
        "shape": ({"name": TEXT, "type": TEXT, "pattern": TEXT, "literals": TEXTS}, {"check": TEXT}),
        "prefixes": None,
    },
    "credentials": {
        table: (
            {"name": TEXT, "type": TEXT, "pattern": TEXT, "literals": TEXTS},
            {"check": TEXT, "folded": YES, "also": TEXTS},
        )
        for table in ("rule", "run")
    },
    "orders": {"order": ({"name": TEXT, "pattern": TEXT, "literals": TEXTS}, {"mild": YES})},
}
ROWS = [
    (name, table, place, row)
    for name, tables in SCHEMA.items()
    for table in tables
    if table != "prefixes"
    for place, row in enumerate(rules(name)[table])
]
secrets.mask("password: a", bytes)  # whatever rules name is loaded with them
IS = {
    TEXT: lambda one: isinstance(one, str) and one != "",
    TEXTS: lambda one: isinstance(one, list) and one != [] and all(map(IS[TEXT], one)),
    YES: lambda one: one is True,
}


@pytest.mark.parametrize("name", SCHEMA)
def test_a_file_holds_its_tables_and_nothing_else(name):
    """A table that nothing reads would be a rule that nothing keeps."""
    assert set(rules(name)) == set(SCHEMA[name])


@pytest.mark.parametrize(
    ("name", "table", "row"),
    [(name, table, row) for name, table, _, row in ROWS],
    ids=[f"{name}-{table}-{place}-{row['name']}" for name, table, place, row in ROWS],
)
def test_a_row_is_sound(name, table, row):
    """Its fields, its pattern, and the check it names."""
    needed, allowed = SCHEMA[name][table]
    fields = needed | allowed
    assert needed.keys() <= row.keys() <= fields.keys()
    assert [field for field, one in row.items() if not IS[fields[field]](one)] == []
    re.compile(row["pattern"])
    assert "«" not in row["pattern"].replace("「«", "")
    assert row.get("check", "pin") in CHECKS
    if row.get("folded"):
        literals = [*row["literals"], *row.get("also", ())]
        assert [literal for literal in literals if literal != literal.lower()] == []


def test_every_check_is_named_by_a_rule():
    """A check that no row names is dead."""
    named = {row.get("check") for _, _, _, row in ROWS}
    assert sorted(CHECKS.keys() - named) == []


def test_a_prefix_is_text_letters_and_a_length():
    """Type, beginning, a class of letters, how many at least."""
    for kind, prefix, letters, least in rules("tokens")["prefixes"]:
        assert re.fullmatch(r"[a-z][a-z0-9-]*", kind)
        assert prefix
        assert 10 <= least <= 100
        assert re.fullmatch(f"[{letters}]", "2")


def test_every_table_is_installed_with_the_code():
    """Files of the package, beside what reads them."""
    folder = Path(secrets.__file__).parent / "rules"
    assert {path.stem for path in folder.glob("*.toml")} >= {*SCHEMA, "words"}
