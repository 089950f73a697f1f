"""The tables of rules: every row has the fields that are read, sound patterns, literals and checks that exist."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


# What every match of a pattern holds; of these two the literals themselves.
GATED = [
    (row, row.get("also") or row["literals"])
    for name, _, _, row in ROWS
    if name == "credentials" and ("also" in row or row["name"] in {"element", "chinese-key"})
]
_POSSESSIVE = re.compile(r"(?<!\\)([*+}])\+")


@pytest.mark.parametrize(("row", "needed"), GATED, ids=[row["name"] for row, _ in GATED])
def test_no_match_is_without_what_a_pattern_needs(row, needed):
    """The prefilter skips no text that the pattern fits: texts are made from the pattern itself."""

    @settings(max_examples=60, deadline=None)
    @given(st.from_regex(_POSSESSIVE.sub(r"\1", row["pattern"])))
    def holds(text):
        seen = text.lower() if row.get("folded") else text
        if len(seen) == len(text) and re.search(row["pattern"], seen):
            assert any(one in seen for one in needed)

    holds()


WORDS = st.sampled_from(
    """password pass pwd pin secret token key api_key api-key credential login code recovery backup auth bearer mysql
    sshpass 密码 令牌 key是 пароль kind: Secret <key> </key> <string> <password> </password> value= - – : = -> , " ' ( ) @ ://
    -u --user -p is was to hunter2!x aB3dE6gH9jK2mN0p 492113 ghp_abcdefghijklmnopqrstuvwxyz0123456789""".split()
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(WORDS, st.sampled_from(["", " ", "\n", "\t", ", "])), max_size=14))
def test_what_the_prefilter_skips_holds_no_secret(pieces):
    """With every pattern tried whose literals stand there, the same is found: what is needed also costs nothing."""
    text = "".join(word + after for word, after in pieces)
    folded = text.lower()
    tried = secrets._credential_rules()[0][0]
    every = {
        (*span, rule.name, rule.type)
        for rule in tried
        if any(one in (folded if rule.folded else text) for one in rule.literals)
        for span in secrets._sight(rule, text, folded if rule.folded else text, 0, len(text))
    }
    found = set(secrets._spans(text))
    assert {one for one in found if one[2] in {rule.name for rule in tried}} <= every
    if secrets._TRIGGER.search(folded):
        assert every <= found


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
