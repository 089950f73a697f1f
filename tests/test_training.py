"""The written conversations: well formed, divided by store, and none of them empty talk."""

import pytest

stores = pytest.importorskip("training.stores", reason="the training folder is not part of this copy")


def a_store(**changes):
    turn = {
        "id": "s1:1",
        "session": "s1",
        "speaker": "user",
        "date": "2026-01-01 10:00",
        "text": "I row.",
        "keep": [],
    }
    query = {
        "id": "q1",
        "category": "fact",
        "answerable": True,
        "gold": ["s1:1"],
        "answer": "rowing",
        "text": "sport?",
    }
    store = {
        "id": "x",
        "turns": [turn | changes.pop("turn", {})],
        "queries": [query | changes.pop("query", {})],
    }
    return store | changes


def test_every_written_store_can_be_learnt_from():
    """Spans stand in their turns, gold in its store, and whatever is unanswerable has none."""
    wrong = [(store["id"], one) for _, store in stores.read_stores() for one in stores.problems(store)]
    assert wrong == []
    assert len(list(stores.read_stores())) > 50


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {
                "turn": {
                    "keep": [
                        {"span": "swim", "kind": "skill", "until": "lasting", "about": "user", "says": "x"}
                    ]
                }
            },
            "span",
        ),
        (
            {
                "turn": {
                    "keep": [
                        {"span": "row", "kind": "sport", "until": "lasting", "about": "user", "says": "x"}
                    ]
                }
            },
            "kind",
        ),
        ({"turn": {"session": "s2"}}, "another session"),
        ({"query": {"gold": ["s1:2"]}}, "no turn"),
        ({"query": {"answerable": False}}, "category"),
        ({"query": {"category": "un-plan", "answerable": False}}, "go together"),
    ],
)
def test_what_is_wrong_is_said(change, says):
    """One sentence for each, with its place."""
    assert stores.problems(a_store()) == []
    assert says in " ".join(stores.problems(a_store(**change)))


def test_a_store_is_for_one_thing():
    """By its name alone, so that nobody moves it by looking."""
    names = [store["id"] for _, store in stores.read_stores()]
    assert len(names) == len(set(names))
    assert {stores.part_of(name) for name in names} == {"train", "choose", "measure"}
