"""A tiny pack through the whole runner."""

import gzip
import json

import pytest
from benchmarks.packs import (
    asked_at,
    choose_packs,
    few_stores,
    ids_by_ref,
    pack_of,
    read_pack,
    sample,
    write_transcript,
)
from benchmarks.remote import Remote, SubjectFailed, SubjectSlow
from benchmarks.run import run, table
from benchmarks.scores import NAMES, judge, metrics_of
from benchmarks.subject import Answer

from memoracle.errors import BadInput
from memoracle.hosts.reading import read
from memoracle.hosts.sources import recognise
from memoracle.model.value import replace

from .samples import PACK, Here


@pytest.fixture
def pack():
    return pack_of(PACK, "tiny")


@pytest.fixture
def document(pack):
    return run("memoracle", [], [pack], lambda _: Here(), lambda _: None)


def test_every_metric_of_the_contract_is_there(document):
    """Scripts read these names."""
    assert list(document["packs"]["tiny"]) == list(NAMES)


def test_the_numbers_are_those_of_the_answers(document):
    """Everything asked for is found first; bees in two places, the boat in one."""
    found = document["packs"]["tiny"]

    assert {name: found[name] for name in ("recall@1", "recall@5", "all@10", "hit@5", "mrr", "ndcg@10")} == {
        "recall@1": 0.75,
        "recall@5": 1.0,
        "all@10": 1.0,
        "hit@5": 1.0,
        "mrr": 1.0,
        "ndcg@10": 1.0,
    }


@pytest.mark.seed("F-17")
def test_abstention_is_judged_by_verdict_and_by_confidence(document):
    """The one question without an answer is the one left unanswered."""
    found = document["packs"]["tiny"]

    assert (found["abstain_accuracy"], found["auroc"]) == (1.0, 1.0)


def test_gold_turns_stand_whole_in_the_context(document):
    """Captions count as part of their turn."""
    assert document["packs"]["tiny"]["answer_in_context@2000"] == 1.0


def test_categories_have_numbers_of_their_own(document):
    """Only things can be told from what is not there."""
    kinds = document["categories"]["tiny"]

    assert {kind: (found["recall@1"], found["auroc"]) for kind, found in kinds.items()} == {
        "pets": (0.5, None),
        "things": (1.0, 1.0),
    }


def test_the_mean_of_one_pack_is_that_pack(document):
    """Nothing is weighted."""
    assert document["mean"] == document["packs"]["tiny"]


def test_near_misses_are_ranked_behind_the_hits(pack):
    """An abstaining memory still shows what came closest."""
    with Here() as bench:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            bench.build(pack.spaces[0].turns, folder)
            answer = bench.search(pack.spaces[0].questions[2], 20, 2000)

    assert (answer.abstained, [chunk[0] for chunk in answer.chunks]) == (True, ["t1", "t2", "t3", "t4"])


def test_a_context_over_budget_holds_nothing(pack):
    """Claims are checked."""
    space = pack.spaces[0]
    turns = {turn.id: turn for turn in space.turns}
    long = Answer(context="I keep bees The bees left " + "word " * 2000, packed=("t1", "t3"))

    assert judge(space.questions[0], long, turns).in_context == 0.0


def test_a_context_that_claims_what_it_lacks_is_not_believed(pack):
    """The words have to be there."""
    space = pack.spaces[0]
    turns = {turn.id: turn for turn in space.turns}
    cut = Answer(context="I keep bees. The be…", packed=("t1", "t3"))

    assert judge(space.questions[0], cut, turns).in_context == 0.0


def test_a_subject_without_a_context_gets_its_best_turns_laid_out(pack):
    """Peers are judged by the same budget."""
    space = pack.spaces[0]
    turns = {turn.id: turn for turn in space.turns}

    assert judge(space.questions[0], Answer(chunks=(("t1",), ("t3",))), turns).in_context == 1.0


def test_the_transcript_keeps_ids_dates_and_words(tmp_path, pack):
    """What `ingest` reads can be told apart and led back to the pack."""
    path = tmp_path / "transcript.jsonl"
    turns = pack.spaces[0].turns
    write_transcript(str(path), turns)

    said = read(recognise(path)).turns
    refs = ids_by_ref(turns)
    assert [(refs[turn.id], str(turn.at)[:16], turn.text) for turn in said] == [
        ("t1", "2023-12-29 22:42", "I keep bees"),
        ("t2", "2023-05-08 13:56", "Look [image: a red boat]"),
        ("t3", "2023-05-25 04:50", "The bees left"),
        ("t4", "None", "我养了一只猫"),
    ]


def test_a_question_without_a_date_is_asked_after_the_last_turn(pack):
    """Nobody asks from the future of the conversation's own time."""
    space = pack.spaces[0]

    assert [str(asked_at(asked, space.turns))[:10] for asked in space.questions] == [
        "2023-12-29",
        "2023-06-01",
        "2023-12-29",
    ]


def test_a_sample_is_always_the_same(pack):
    """The lot falls by the id."""
    first, again = sample(pack, 2), sample(pack, 2)

    assert (first.questions, first) == (2, again)


def test_packs_are_found_in_their_folder(tmp_path):
    """A name that is not there is refused with those that are."""
    with gzip.open(tmp_path / "small.json.gz", "wt", encoding="utf-8") as file:
        json.dump(PACK, file)

    found = read_pack(str(tmp_path), "small")
    assert (found.name, found.questions) == ("small", 3)
    with pytest.raises(BadInput, match="huge"):
        choose_packs([str(tmp_path)], ["huge"])


def test_packs_of_several_folders_run_together(tmp_path):
    """Each is read where it lies; one name in two places would be one result for two packs."""
    for folder, name in (("a", "tiny"), ("b", "small")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.json.gz").touch()
    folders = [str(tmp_path / "a"), str(tmp_path / "b")]

    assert choose_packs(folders, []) == {"tiny": folders[0], "small": folders[1]}
    (tmp_path / "b" / "tiny.json.gz").touch()
    with pytest.raises(BadInput, match="tiny"):
        choose_packs(folders, [])


def test_few_stores_are_whole_and_always_the_same(pack):
    """Turns are counted, stores are kept; one is there however large."""
    many = replace(pack, spaces=tuple(replace(pack.spaces[0], id=str(n)) for n in range(5)))

    assert few_stores(many, None) is many
    assert [len(few_stores(many, most).spaces) for most in (1, 4, 9, 100)] == [1, 1, 2, 5]
    assert few_stores(many, 9) == few_stores(many, 9)


def test_peers_run_in_processes_of_their_own(pack):
    """Two peers that need no package, measured by the same code."""
    document = run("bm25", ["fts5"], [pack], Remote, lambda _: None)

    assert (document["mean"]["recall@5"], document["peers"]["fts5"]["mean"]["recall@5"]) == (1.0, 1.0)


def test_an_absent_peer_is_skipped_with_what_to_install(pack):
    """The rest of the run goes on."""
    said = []

    def open_(name):
        if name == "chroma":
            from benchmarks.remote import SubjectAbsent

            raise SubjectAbsent(name, "No module named 'chromadb'")
        return Remote(name)

    document = run("bm25", ["chroma"], [pack], open_, said.append)

    assert document["peers"]["chroma"]["failed"] == {"tiny": "No module named 'chromadb'"}
    assert any("pip install 'chromadb" in text for text in said)


def test_a_peer_that_breaks_on_one_pack_is_measured_on_the_next(pack):
    """And the document is handed over after each."""
    kept = []

    def open_(name):
        if name == "fts5" and not kept:
            raise SubjectFailed(name, "it broke")
        return Here()

    packs = [pack, replace(pack, name="again")]
    document = run("bm25", ["fts5"], packs, open_, lambda _: None, kept.append)

    assert (document["peers"]["fts5"]["failed"], list(document["peers"]["fts5"]["packs"])) == (
        {"tiny": "it broke"},
        ["again"],
    )
    assert [list(one["counts"]) for one in kept] == [["tiny"], ["tiny", "again"]]


def test_a_subject_that_takes_too_long_is_stopped_and_says_so(pack, tmp_path):
    """A peer that hangs does not hold up the others."""
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o755)

    with pytest.raises(SubjectFailed, match=r"stopped after 0\.2 s"):
        Remote("bm25", python=str(slow), limit=0.2)


def test_who_was_stopped_once_is_not_tried_over_more_turns(pack):
    """It would take as long again to learn nothing; a smaller pack is tried."""
    tried = []

    def open_(name):
        if name == "fts5":
            tried.append(name)
            raise SubjectSlow(name, "stopped after 9 s")
        return Here()

    few = replace(pack, name="few", spaces=(replace(pack.spaces[0], turns=pack.spaces[0].turns[:3]),))
    document = run("bm25", ["fts5"], [pack, replace(pack, name="again"), few], open_, lambda _: None)

    assert document["peers"]["fts5"]["failed"] == {
        "tiny": "stopped after 9 s",
        "again": "not tried: it was stopped over no more turns",
        "few": "stopped after 9 s",
    }
    assert len(tried) == 2


def test_declined_counts_answerable_questions_only(pack):
    """What has no answer is rightly declined."""
    outcomes = [
        replace(judge(asked, Answer(), {}), abstained=declines)
        for asked, declines in zip(pack.spaces[0].questions, (True, False, True), strict=True)
    ]

    assert metrics_of(outcomes)["declined"] == 0.5


def test_a_run_that_measures_nothing_fails(pack):
    """No table of dashes."""

    def open_(name):
        raise SubjectFailed(name, "it broke")

    with pytest.raises(SubjectFailed):
        run("memoracle", [], [pack], open_, lambda _: None)


def test_the_table_names_packs_and_systems(pack):
    """For people."""
    document = run("bm25", ["fts5"], [pack], Remote, lambda _: None)
    shown = table(document, "bm25")

    assert [line.split()[0] for line in shown.splitlines() if line] == [
        "tiny",
        "bm25",
        "fts5",
        "mean",
        "bm25",
        "fts5",
    ]
