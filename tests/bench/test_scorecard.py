"""The page, from numbers written by hand."""

from benchmarks.scorecard import page
from benchmarks.scores import NAMES


def figures(**known):
    return dict.fromkeys(NAMES) | {name.replace("_at_", "@"): value for name, value in known.items()}


def document():
    ours = {
        "talk": figures(
            recall_at_5=0.6, mrr=0.5, auroc=0.9, p50_ms=20.0, index_s=4.0, disk_mb=3.0, declined=0.1
        ),
        "notes": figures(recall_at_5=0.3, mrr=0.7, p50_ms=20.0, index_s=1.0, disk_mb=3.0),
    }
    bm25 = {
        "talk": figures(recall_at_5=0.5, mrr=0.6, auroc=0.9, p50_ms=0.5, index_s=2.0, disk_mb=0.0),
        "notes": figures(recall_at_5=0.5, mrr=0.7, p50_ms=0.5, index_s=2.0, disk_mb=0.0),
    }
    chroma = {"talk": figures(recall_at_5=0.4, mrr=0.55, auroc=0.5, p50_ms=10.0, index_s=8.0, disk_mb=2.0)}
    count = {"spaces": 2, "turns": 1200, "questions": 29, "unanswerable": 4}
    return {
        "packs": ours,
        "peers": {
            "bm25": {"packs": bm25},
            "chroma": {"packs": chroma, "version": "1.5", "failed": {"notes": "Broken | pipe\nTraceback"}},
        },
        "counts": {"talk": count, "notes": count},
        "date": "2026-01-02",
        "machine": "a machine",
        "embedding": "a model",
        "limits": {"sample": 25, "turns": None, "limit": None},
        "groups": {"bench": ["talk"], "written": ["notes"]},
    }


def rows(text, title):
    part = text.split(f"\n{title}\n", 1)[1].split("\n#", 1)[0]
    return [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("|")]


def test_losses_come_first_and_the_largest_is_the_first_of_them():
    """Only what is behind, with the best peer and by how much."""
    text = page(document(), "memoracle")

    assert text.index("## Where we lose") < text.index("## Means") < text.index("## By pack")
    assert rows(text, "## Where we lose")[2:4] == [
        ["notes", "R@5", "bm25", ".500", ".300", ".200"],
        ["talk", "MRR", "bm25", ".600", ".500", ".100"],
    ]
    assert "behind the best peer in 2 of 5 comparisons" in text


def test_time_and_space_are_told_as_multiples_of_all_and_of_those_that_embed():
    """What is kept in memory alone has no size to compare with."""
    told = rows(page(document(), "memoracle"), "## Where we lose")

    assert told[-2:] == [
        ["talk", "40 × bm25 · 2.0 × chroma", "2.0 × bm25", "1.5 × chroma"],
        ["notes", "40 × bm25", "–", "–"],
    ]


def test_every_subject_has_a_row_in_every_pack():
    """A dash where nothing was measured, the best in bold."""
    told = rows(page(document(), "memoracle"), "### talk")

    assert (
        told[0]
        == ["", "R@5", "R@10", "MRR", "AUROC", "context hit", "declined", "p50 ms", "index s", "MiB"][1:]
    )
    assert [row[:4] for row in told[2:]] == [
        ["memoracle", "**.600**", "–", ".500"],
        ["bm25", ".500", "–", "**.600**"],
        ["chroma", ".400", "–", ".550"],
    ]
    assert {
        cell
        for row in rows(page(document(), "memoracle"), "### notes")
        if row[0] == "chroma"
        for cell in row[1:]
    } == {"–"}


def test_means_say_over_how_many_packs():
    """By folder; who was not measured there has no row."""
    text = page(document(), "memoracle")

    assert [row[:3] for row in rows(text, "### written: notes")[2:]] == [
        ["memoracle", "1", ".300"],
        ["bm25", "1", "**.500**"],
    ]


def test_a_failure_is_named_with_its_first_line():
    """On one row, whatever it holds."""
    text = page(document(), "memoracle")

    assert "| chroma | notes | `Broken ¦ pipe` |" in text
    assert "Traceback" not in text


def test_the_opening_tells_what_was_run_and_the_page_is_the_same_again():
    """Numbers of the run and nothing else."""
    text = page(document(), "memoracle")

    assert "Packs: 2, with 58 questions over 2,400 turns (at most 25 questions a pack). a machine." in text
    assert "25 questions with an answer, 4 without. One standard error of a share is at most .100." in text
    assert text == page(document(), "memoracle")


def test_a_run_without_us_has_no_losses_to_tell():
    """Nothing to compare, nothing claimed."""
    alone = document() | {"packs": {}}

    assert "behind the best peer in 0 of 0 comparisons" in page(alone, "memoracle")
