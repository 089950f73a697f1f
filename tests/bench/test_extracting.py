"""`memoracle bench extract`: labelled turns through the rules, as numbers and as a table."""

import json
import os
from collections import Counter

import pytest
from benchmarks.labelled import (
    LANGUAGES,
    SPLITS,
    by_rules,
    extraction_text,
    labelled_of,
    measure_extraction,
    predicted_of,
    read_labelled,
)

from memoracle.errors import BadInput
from memoracle.model.claim import Claim, Stance
from memoracle.model.predicates import Family
from memoracle.model.record import Draft, Kind, Statement

from .test_cli import call

OURS = os.path.join(os.path.dirname(__file__), "..", "..", "benchmarks", "extraction")
LINES = (
    {"text": "I live in Oslo", "facts": [{"family": "place", "object": "Oslo"}]},
    {"text": "I live in fear of semicolons", "facts": []},
    {"text": "My name is Ada", "facts": [{"family": "name", "object": "Ada"}]},
)


@pytest.fixture
def data(tmp_path):
    common = {"role": "owner", "session": "interactive", "who": "", "said": "2026-03-04T10:00:00Z"}
    lines = [json.dumps({"id": f"en-d-{place}", **common, **line}) for place, line in enumerate(LINES, 1)]
    (tmp_path / "dev.en.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(tmp_path)


def claim(predicate, object_, **more):
    return Claim(
        draft=Draft(statement=Statement(text=object_, subject="user", predicate=predicate, object=object_)),
        **more,
    )


def after_in(turn):
    """A rule that takes whatever follows “live in”."""
    _, found, rest = turn.text.partition("live in ")
    return [claim("lives_in", rest, because="test.in")] if found else []


def test_labelled_turns_go_through_the_rules(data):
    """One right, one missed, one false; what is asked for is listed."""
    document = measure_extraction(data, "dev", ["en"], after_in, "false")

    numbers = document["languages"]["en"]
    assert (numbers["right"], numbers["missed"], numbers["false"], numbers["noisy_negatives"]) == (1, 1, 1, 1)
    assert [line["turn"] for line in document["false"]] == ["en-d-2"]


def test_the_table_has_a_row_per_family_and_the_turns_asked_for(data):
    """A person sees the sum and the causes."""
    text = extraction_text(measure_extraction(data, "dev", ["en"], after_in, "misses"))

    assert [line.split()[0] for line in text.splitlines()[1:4]] == ["name", "place", "all"]
    assert "1 of 1 negative turns gave something" in text
    assert "en-d-3  name: Ada  ← My name is Ada" in text


def test_the_command_runs_our_own_rules(data, tmp_path, capsys):
    """The document goes to the file, the table to stdout."""
    kept = tmp_path / "out.json"

    status = call("extract", "--data", data, "--language", "en", "--json", str(kept))

    numbers = json.loads(kept.read_text())["languages"]["en"]
    assert (status, numbers["right"], numbers["missed"]) == (0, 2, 0)
    assert capsys.readouterr().out.startswith("en ")


def test_a_session_without_people_teaches_nothing():
    """What a timer says to an agent is nobody's fact."""
    said = labelled_of(
        {
            "id": "en-d-9",
            "role": "owner",
            "session": "cron",
            "said": "2026-03-04T10:00:00Z",
            "text": "I live in Oslo",
            "facts": [],
        }
    )

    assert by_rules(said.turn) == []


def test_an_ended_predicate_keeps_its_family():
    """“No longer lives in” is still about a place."""
    found = predicted_of(claim("no_longer_lives_in", "Oslo", stance=Stance.DENY))

    assert (found.family, found.stance) == (Family.PLACE, Stance.DENY)


def test_a_word_of_somebody_s_own_is_of_no_family():
    """It counts as other."""
    assert predicted_of(claim("smells_of", "rain")).family is Family.OTHER


def test_a_belief_is_seen_by_its_kind():
    """A hedged claim is a belief."""
    hedged = Claim(draft=Draft(statement=Statement(text="maybe Oslo"), kind=Kind.BELIEF))

    assert predicted_of(hedged).belief


def test_a_folder_without_labels_is_refused(tmp_path):
    """Nothing to measure is no success."""
    with pytest.raises(BadInput, match="no labelled turns"):
        call("extract", "--data", str(tmp_path), "--language", "en")


def test_a_broken_line_is_named(tmp_path):
    """With its file and number."""
    (tmp_path / "dev.en.jsonl").write_text('{"id": "x"}\n', encoding="utf-8")

    with pytest.raises(BadInput, match=r"dev\.en\.jsonl:1 is not a labelled turn"):
        read_labelled(str(tmp_path), "dev", "en")


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_our_labels_are_broad_and_half_of_them_are_negatives(split, language):
    """At least 200 turns, every family at least six times, and as much to let pass as to keep."""
    labelled = read_labelled(OURS, split, language)
    families = Counter(fact.family for said in labelled for fact in said.facts if not fact.optional)

    assert len(labelled) >= 200
    assert [family for family in Family if families[family] < 6] == []
    assert 0.45 <= sum(not said.facts for said in labelled) / len(labelled) <= 0.6


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_turn_stands_in_both_halves(language):
    """What was looked at while writing patterns is never what they are measured on."""
    texts = {split: {said.turn.text for said in read_labelled(OURS, split, language)} for split in SPLITS}

    assert texts["dev"] & texts["test"] == set()


def test_ids_are_unique():
    """A turn is named by its id wherever it is listed."""
    ids = [
        said.turn.id
        for split in SPLITS
        for language in LANGUAGES
        for said in read_labelled(OURS, split, language)
    ]

    assert len(ids) == len(set(ids))


def test_a_labelled_object_stands_in_its_turn():
    """An object the turn does not hold could never be met."""
    from memoracle.text import telling_terms, terms

    absent = [
        (said.turn.id, fact.object)
        for split in SPLITS
        for language in LANGUAGES
        for said in read_labelled(OURS, split, language)
        for fact in said.facts
        if not set(telling_terms(fact.object)) <= set(terms(said.turn.text))
    ]

    assert absent == []
