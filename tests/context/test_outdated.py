"""What was said later is told in the place of what it seems to have changed; both are kept."""

import json
from datetime import UTC, datetime

import pytest

from memoracle.compose import open_memory
from memoracle.inference import bundled

OLD, NEW = "My dentist is Dr. Vantongeren.", "I switched dentists, it is Dr. Achterberg now."
BESIDE = "My brother switched dentists, his is Dr. Moll now."


@pytest.fixture
def live(root, tmp_path):
    """Lives through days on which something is said, and opens the memory on the evening of the last."""
    held = []

    def lived(*said, **more):
        for day, text in said:
            at = datetime.fromisoformat(day).replace(hour=22, tzinfo=UTC)
            memory = open_memory(str(root), environment={"TZ": "UTC", **more}, clock=lambda at=at: at)
            held.append(memory)
            line = {"role": "user", "content": text, "timestamp": f"{day}T10:00:00Z"}
            with open(tmp_path / "talk.jsonl", "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            memory.ingest(str(tmp_path / "talk.jsonl"))
            memory.consolidate()
        return memory

    yield lived
    for memory in held:
        memory.close()


def told(root):
    """The lines of MEMORY.md, without the names of their records."""
    text = (root / "MEMORY.md").read_text("utf-8")
    return [line.partition(" `")[0] for line in text.split("\n") if line.startswith("- ")]


def test_the_later_word_is_told(root, live):
    """Nowhere does the earlier one stand as if it held; both are still records."""
    memory = live(("2026-01-10", OLD), ("2026-03-02", NEW))

    lines = told(root)
    assert any("Achterberg" in line for line in lines)
    assert not [line for line in lines if "Vantongeren" in line and "→" not in line and "before:" not in line]
    assert {one.passage.text for one in memory.search("dentist").hits} >= {OLD, NEW}


def test_what_happened_to_somebody_else_changes_nothing(root, live):
    """Another one's dentist."""
    live(("2026-01-10", OLD), ("2026-03-02", BESIDE))

    assert any(line.endswith(OLD) for line in told(root))


def test_who_forgets_the_later_word_has_the_earlier_one_back(root, live, tmp_path):
    """Nothing was ended by it."""
    memory = live(("2026-01-10", OLD), ("2026-03-02", NEW))
    hits = memory.search("dentist").hits
    memory.forget([one.passage.ref for one in hits if one.passage.text == NEW and one.passage.kind != "turn"])
    (tmp_path / "talk.jsonl").unlink()
    assert not any("Achterberg" in line for line in told(root))  # at once
    memory.consolidate()

    assert any(line.endswith(OLD) for line in told(root))


def test_nobody_is_asked_twice(live, monkeypatch):
    """What the model said of two statements is kept by their names."""
    asked = []
    own = bundled.open_reranker()

    class Counting:
        name = own.name

        def score(self, *given, **more):
            return own.score(*given, **more)

        def changes(self, pairs, question=""):
            asked.append(len(pairs))
            return own.changes(pairs, question)

    monkeypatch.setattr(bundled, "open_reranker", Counting)
    memory = live(("2026-01-10", OLD), ("2026-03-02", NEW))
    first = sum(asked)
    memory.consolidate()

    assert first > 0
    assert sum(asked) == first


def keep(root, day, text, sensitivity):
    """Something kept by hand, and a night."""
    at = datetime.fromisoformat(day).replace(hour=22, tzinfo=UTC)
    with open_memory(str(root), environment={"TZ": "UTC"}, clock=lambda: at) as memory:
        memory.remember(text, sensitivity=sensitivity)
        memory.embed()
        memory.consolidate()


def test_a_group_is_told_nothing_in_its_place(root, live):
    """What stands for a record may be more private than the record is."""
    keep(root, "2026-01-10", OLD, "public")
    memory = live(("2026-03-02", NEW))

    assert "Achterberg" in memory.snapshot().text
    shown = memory.snapshot(audience="group").text
    assert OLD in shown
    assert "Achterberg" not in shown


def test_a_secret_stands_for_nothing(root, live):
    """However sure it is that it is news."""
    live(("2026-01-10", OLD))
    keep(root, "2026-03-02", NEW, "secret")
    keep(root, "2026-03-03", "The kettle is blue.", "private")

    assert not any("Achterberg" in line for line in told(root))
    assert any(line.endswith(OLD) for line in told(root))


@pytest.mark.parametrize(
    "text", ['{"pairs": {"a": 1}, "sure": 0}', '{"pairs": {"a b": "x"}, "sure": 1}', "[]", "no"]
)
def test_what_was_noted_may_be_damaged(root, live, text):
    """It can be asked for again."""
    memory = live(("2026-01-10", OLD), ("2026-03-02", NEW))
    (path,) = (root / "state").rglob("changes.json")
    path.write_text(text)

    assert memory.snapshot().text


def test_without_a_reader_nothing_is_asked(root, live):
    """Memory as it was: both stand there."""
    live(("2026-01-10", OLD), ("2026-03-02", NEW), MEMORACLE_RERANKER="none")

    assert any(line.endswith(OLD) for line in told(root))


def test_what_matters_for_life_and_limb_is_never_left_out(root, live):
    """A guess may stand beside it, not in its place."""
    live(
        ("2026-01-10", "I am allergic to penicillin."),
        ("2026-03-02", "The allergist says it is gone, I can take penicillin now."),
    )

    lines = [line for line in told(root) if "allergic to penicillin" in line]
    assert any(line.startswith("- I am allergic to penicillin") for line in lines)


STAYING = [
    ("I am allergic to shellfish.", "I have moved to Shanghai."),
    ("I have a pacemaker.", "I sold the old Volvo, I have a bicycle now."),
    ("My emergency contact is Ines.", "I switched to another bank."),
    ("Remind me to ask Rosa for the keys of the cellar by 2026-06-20.", "I quit the choir."),
    ("My dog is called Pim.", "My car is electric now."),
    ("我对花生过敏。", "我搬到成都了。"),
    ("我的血型是O型。", "我的车换成了电动车。"),
    ("提醒我六月二十日之前交房租。", "我换了一份新工作。"),
]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_said_of_another_matter_changes_nothing(root, live, language):
    """Who moved is still allergic, and the task is still open; nothing strange stands beside it."""
    pairs = [pair for pair in STAYING if pair[0].isascii() == (language == "en")]
    old = [(f"2026-05-{day:02}", first) for day, (first, _) in enumerate(pairs, 1)]
    live(*old, *((f"2026-05-{day:02}", later) for day, (_, later) in enumerate(pairs, 10)))

    lines = told(root)
    for text, words in (
        ("shellfish", "I am"),
        ("pacemaker", "I have"),
        ("cellar", ""),
        ("花生", ""),
        ("房租", ""),
    ):
        if text.isascii() == (language == "en"):
            (line,) = [line for line in lines if text in line]
            assert line.startswith(f"- {words}")
    assert not [line for line in lines if "later," in line or "before:" in line or "→" in line]
