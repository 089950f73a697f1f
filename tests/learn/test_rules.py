"""The tables of rules: their shape, what is compiled from them, and a sieve that loses nothing."""

import re
import tomllib
from pathlib import Path

import jsonschema
import pytest

from memoracle.learn.compile_rules import compiled_rules, filled_table, needs_of, rows_of
from memoracle.learn.matching import fitting, likely, plainly, sieve_of, worth_trying
from memoracle.learn.phases import at_home
from memoracle.learn.rules import FOLDER, ClaimPattern, rules_of
from memoracle.model.claim import Stance
from memoracle.model.record import Draft, Kind, Scope, Statement
from memoracle.model.value import fields, replace

TEXT = {"type": "string", "minLength": 1}
PARTS = {"type": "object", "additionalProperties": TEXT}
ROW = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "predicate", "regex", "examples", "counterexamples"],
    "properties": {
        "name": {"type": "string", "pattern": r"^[a-z]+\.[a-z_0-9]+$"},
        "predicate": {"type": "string"},
        "regex": TEXT,
        "stance": {"enum": [stance.value for stance in Stance]},
        "subject": TEXT,
        "object": TEXT,
        "objects": {"type": "object", "additionalProperties": TEXT},
        "importance": {"type": "number", "minimum": 0, "maximum": 1},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        **{name: {"const": True} for name in ("whole", "weak", "any_where", "first", "label_free")},
        "examples": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2},
        },
        "counterexamples": {"type": "array", "minItems": 1, "items": TEXT},
    },
}
PATTERNS = {
    "type": "object",
    "additionalProperties": False,
    "required": ["pattern"],
    "properties": {"parts": PARTS, "pattern": {"type": "array", "minItems": 1, "items": ROW}},
}
LANGUAGES = ["en", "zh"]


def read(*path):
    return tomllib.loads(Path(FOLDER, *path).read_text(encoding="utf-8"))


def pattern_files(language):
    return read(language, "parts.toml")["patterns"]


@pytest.mark.parametrize(
    ("language", "name"), [(language, name) for language in LANGUAGES for name in pattern_files(language)]
)
def test_a_row_has_what_a_row_may_have(language, name):
    """A misspelt field is found here, not by a claim that is never made."""
    jsonschema.validate(read(language, f"{name}.toml"), PATTERNS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_is_tried(language):
    """A file of patterns that no order names would be read by nobody."""
    here = {path.stem for path in Path(FOLDER, language).glob("*.toml")}
    assert here - {"parts", "lexicon", "names"} == set(pattern_files(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_is_used(language):
    """What no pattern is built from is only in the way."""
    files = {path.stem: path.read_text(encoding="utf-8") for path in Path(FOLDER, language).glob("*.toml")}
    shared = read(language, "parts.toml")["parts"]
    every = "\n".join(files.values())
    unused = [name for name in shared if not re.search(rf"«{name}[»⟨]", every)]
    unused += [
        f"{file}: {name}"
        for file in pattern_files(language)
        for name in read(language, f"{file}.toml").get("parts", {})
        if not re.search(rf"«{name}[»⟨]", files[file])
    ]
    assert unused == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_lexicons_are_made_of_expressions(language):
    """Every entry compiles by itself, and catches nothing."""
    for name, entries in filled_table(language, "lexicon").items():
        if name in {
            "bounded",
            "language",
            "not_names",
            "empty_objects",
            "once",
            "spellings",
            "joints",
            "breaks",
            "others",
        }:
            continue
        for entry in entries.values() if isinstance(entries, dict) else entries:
            assert re.compile(entry if isinstance(entry, str) else entry[0]).groups == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_loaded_is_what_is_written(language):
    """The compiled rules are those of the tables as they are now."""
    fresh = compiled_rules(language)
    assert [one.regex for one in rules_of(language).patterns] == [row["regex"] for row in fresh["patterns"]]
    assert [[sorted(need) for need in one.needs] for one in rules_of(language).patterns] == [
        row["needs"] for row in fresh["patterns"]
    ]


def test_the_fields_of_a_row_are_those_of_a_pattern():
    """The schema above and the value below know the same names."""
    assert set(ROW["properties"]) - {"examples", "counterexamples"} == set(fields(ClaimPattern)) - {"needs"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_fits_is_tried(language):
    """Over the examples of all rows, the tried patterns include every one that fits."""
    rules = rules_of(language)
    sentences = [text for row in rows_of(language)[::4] for text, _ in row["examples"]]
    for text in sentences:
        tried = {row.name for row in likely(plainly(text, rules.lexicon), rules.lexicon)}
        assert {row.name for row in rules.patterns if fitting(row, text, rules.lexicon)} <= tried


@pytest.mark.parametrize(("language", "text"), [("en", "hm, 12 %"), ("zh", "嗯嗯嗯，咚咚")])
def test_a_sentence_about_nothing_tries_few(language, text):
    """A sentence without a pattern's letters costs next to nothing."""
    rules = rules_of(language)
    assert len(likely(text, rules.lexicon)) * 10 < len(rules.patterns)


@pytest.mark.parametrize(
    ("expression", "meets", "lacks"),
    [
        ("我(?:喜欢|热爱)(?P<object>.{1,9})", "我热爱山", "我讨厌山"),
        ("i (?:like|love) ", "I LOVE tea", "I hate tea"),
        ("(?:a|b)?xyz", "xyz", "ab"),
        ("k(?=ilo)", "\u212ailo", "kelp"),
    ],
)
def test_needs(expression, meets, lacks):
    """A text that fits meets every need, whatever its case; one that lacks the letters does not."""
    needs = needs_of(expression)
    sieve = sieve_of([needs])
    assert needs
    assert worth_trying(meets, sieve) & 1
    assert not worth_trying(lacks, sieve) & 1


def test_a_pattern_without_needs_is_always_tried():
    """Nothing is lost where nothing is known."""
    assert worth_trying("嗯", sieve_of([()])) & 1


def test_what_is_said_of_a_project_stays_there_in_whatever_words():
    """“Everywhere” means everywhere in it, and a file name in Chinese is no wish for an answer in Chinese."""
    said = "a ward column everywhere, one database"
    own = Draft(statement=Statement(text=said, subject="wards"), kind=Kind.RULE, scope=Scope(project="wards"))
    assert at_home(own).scope.project == "wards"
    theirs = replace(own, statement=Statement(text=said, subject="user"))
    assert at_home(theirs).scope.project == ""
