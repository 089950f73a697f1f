"""What was said later and has changed what answers a question stands before it; everything else stays where it was."""

import json

import pytest

from memoracle.compose import open_memory
from memoracle.inference import bundled
from memoracle.model.search import Filters
from memoracle.times import read_time

WORDS = {"MEMORACLE_RECIPE": "balanced", "MEMORACLE_TAGGER": "none"}
OLD, NEW = "I ride my bike to the office", "the bike was stolen, so I take the number 9 bus now"
QUESTION = "how do I get to the office?"


def write(path, said):
    """A transcript of what was said on which day, by whom."""
    with open(path, "w", encoding="utf-8") as file:
        for day, text, *who in said:
            line = {"role": "user", "content": text, "timestamp": f"{day}T10:00:00Z"}
            file.write(json.dumps(line | ({"name": who[0]} if who else {}), ensure_ascii=False) + "\n")


@pytest.fixture
def ask(root, clock, tmp_path):
    """Opens a memory of what was said, and gives what a question finds, best first."""
    held = []

    def found(said, question, **more):
        write(tmp_path / "talk.jsonl", said)
        memory = open_memory(str(root), environment=WORDS, clock=clock)
        held.append(memory)
        memory.ingest(str(tmp_path / "talk.jsonl"))
        answer = memory.search(question, **more)
        return [*answer.hits, *answer.near]

    yield found
    for memory in held:
        memory.close()


class Sure:
    """The bundled reader, sure that everything changes what was said before it."""

    def __init__(self, logit):
        self._own = bundled.open_reranker()
        self.name, self.asked, self._logit = self._own.name, [], logit

    def score(self, question, passages, *, tokens=72):
        return self._own.score(question, passages, tokens=tokens)

    def changes(self, pairs, question=""):
        self.asked += pairs
        return [self._logit] * len(pairs)


@pytest.fixture
def sure(monkeypatch):
    """Puts a reader in place that is as sure as a test wants."""

    def install(logit):
        fake = Sure(logit)
        monkeypatch.setattr(bundled, "open_reranker", lambda: fake)
        return fake

    return install


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        (OLD, NEW, QUESTION),
        ("CI runs on Jenkins", "Jenkins is switched off, everything is on Buildkite", "what runs our CI?"),
        ("我们测试用的是三号机", "三号机报废了，换到五号机", "测试用哪台机器？"),
    ],
)
def test_the_later_word_stands_first(ask, old, new, question):
    """Which of the two shares more words with the question is chance."""
    hits = ask([("2026-01-10", old), ("2026-02-03", new)], question)

    assert [hit.passage.text for hit in hits[:2]] == [new, old]
    assert 0 < hits[0].legs["changes"] <= 1


def test_the_earlier_word_stood_first_at_its_time(ask):
    """As of a day between the two, the later one was not said yet."""
    then = Filters(as_of=read_time("2026-01-20"))
    hits = ask([("2026-01-10", OLD), ("2026-02-03", NEW)], QUESTION, filters=then)

    assert [hit.passage.text for hit in hits] == [OLD]


def test_what_somebody_else_says_changes_nothing(ask, sure):
    """Only the same person's later word is even looked at."""
    fake = sure(9.0)
    hits = ask([("2026-01-10", OLD, "Ana"), ("2026-02-03", NEW, "Ben")], QUESTION)

    assert hits[0].passage.text == OLD
    assert fake.asked == []


def test_a_question_about_a_time_is_answered_by_that_time(ask, sure):
    """Who asks for January does not want to hear of February first."""
    sure(9.0)
    hits = ask([("2026-01-10", OLD), ("2026-02-03", NEW)], "how did I get to the office in January 2026?")

    assert hits[0].passage.text == OLD


def test_a_question_of_theirs_changes_nothing(ask, sure):
    """“Did I sell it?” says nothing of how it is."""
    sure(9.0)
    hits = ask([("2026-01-10", OLD), ("2026-02-03", "should I ride my bike to the office?")], QUESTION)

    assert hits[0].passage.text == OLD


def test_where_much_was_said_a_hint_is_chance(ask, sure):
    """A third of a chance will do for the only thing said since; among sixty it means nothing."""
    sure(-0.7)
    more = [
        (f"2026-03-{day:02}", f"note {day}{part}: lunch was soup number {day}{part}")
        for day in range(1, 31)
        for part in "ab"
    ]

    assert ask([("2026-01-10", OLD), ("2026-02-03", NEW)], QUESTION)[0].passage.text == NEW
    assert ask([("2026-01-10", OLD), ("2026-02-03", NEW), *more], QUESTION)[0].passage.text == OLD


def test_who_asks_how_it_was_hears_that_first(ask, sure):
    """“did”, “was”, “以前”: the past is asked for, not what holds now."""
    sure(9.0)
    hits = ask([("2026-01-10", OLD), ("2026-02-03", NEW)], "how did I use to get to the office?")

    assert hits[0].passage.text == OLD


def test_the_same_sentence_with_another_value_is_news(ask, sure):
    """Whatever the model makes of it."""
    sure(-9.0)
    old, new = "The spare key hangs in the cellar", "The spare key hangs in the garage"
    hits = ask([("2026-01-10", old), ("2026-02-03", new)], "where is the spare key?")

    assert hits[0].passage.text == new


def test_a_note_that_answers_no_better_does_not_keep_an_old_word_first(root, ask, sure, monkeypatch):
    """Behind it, what was said is still put in order."""
    sure(9.0)
    monkeypatch.setattr(Sure, "score", lambda _, __, passages, **___: [0.0] * len(passages))
    place = root / "notes" / "semantic" / "Office.md"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("# Office\n- how do I get to the office, the office\n", encoding="utf-8")
    found = ask([("2026-01-05", OLD), ("2026-03-05", NEW)], "Tell me the way to get to the office")
    assert [hit.passage.text for hit in found if hit.passage.text in {OLD, NEW}] == [NEW, OLD]
