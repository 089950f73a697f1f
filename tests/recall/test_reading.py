"""Reranking: what is read together with the question, what reading changes, and what it leaves alone."""

import math
import re

import numpy as np
import pytest

from memoracle.compose import open_memory
from memoracle.index.api import Candidate
from memoracle.inference import bundled
from memoracle.inference.bundled import best_stretch
from memoracle.interfaces.render import hit_fields, recollection_text
from memoracle.model.search import EvidenceSource, Filters, Verdict
from memoracle.recall import signals
from memoracle.recall.evidence import EXACT, RankedCandidate
from memoracle.recall.rank import Effort, RankedRows
from memoracle.recall.reading import rerank
from memoracle.recall.verdict import confidence_of
from support.build import a_passage
from support.clock import START
from support.views import a_transcript, a_turn, a_view

WORDS = {"MEMORACLE_RECIPE": "balanced", "MEMORACLE_EMBEDDER": "none"}
READ = Effort().read


class Fake:
    """A reader that likes what holds `answers`, and remembers what it was handed."""

    name = "fake"

    def __init__(self, answers=()):
        self.answers = answers
        self.calls = []

    def score(self, question, passages, *, tokens=72):
        self.calls.append((question, list(passages)))
        return [5.0 if any(word in one.text for word in self.answers) else -5.0 for one in passages]

    def changes(self, pairs):
        return [-9.0] * len(pairs)

    @property
    def handed(self):
        return [one for _, passages in self.calls for one in passages]


@pytest.fixture
def reader(monkeypatch):
    fake = Fake()
    monkeypatch.setattr(bundled, "open_reranker", lambda: fake)
    return fake


@pytest.fixture
def opened(root, clock):
    """Opens the memory in surroundings that a test chooses."""
    held = []

    def again(**more):
        held.append(open_memory(str(root), environment=WORDS | more, clock=clock))
        return held[-1]

    yield again
    for one in held:
        one.close()


@pytest.fixture
def hear(tmp_path):
    def heard(memory, *lines, name="talk"):
        memory.ingest(str(a_transcript(tmp_path / f"{name}.jsonl", *lines)), embed=False)

    return heard


def met(found):
    return [hit.passage.text for hit in (*found.hits, *found.near)]


LANTERN = "Where is the lantern of the gondola?"
SHARES = "the lantern of the gondola, a gondola without a lantern is none"
ANSWERS = "I put the lantern into the cellar"


# The order


def test_what_answers_overtakes_what_shares_words(opened, reader, hear):
    """By words alone the other is first; read, it is second."""
    reader.answers = ("cellar",)
    hear(memory := opened(), ("Mei", SHARES), ("Mei", "fine weather"), ("Mei", ANSWERS))
    unread = opened(MEMORACLE_RERANKER="none")
    assert met(unread.search(LANTERN))[:2] == [SHARES, ANSWERS]
    assert met(memory.search(LANTERN))[:2] == [ANSWERS, SHARES]


def test_what_was_not_read_stays_behind_what_was(opened, reader, hear):
    """A reader that refuses all it reads does not lift what it has not seen."""
    hear(memory := opened(), *(("Mei", f"the lantern of the gondola number {n}") for n in range(40)))
    found = memory.search(LANTERN, limit=30)
    hits = (*found.hits, *found.near)
    assert len(hits) >= 30
    assert [("read" in hit.legs) for hit in hits] == [True] * READ + [False] * (len(hits) - READ)


def write_note(root, name, text):
    """A note of the memory."""
    place = root / "notes" / "semantic" / f"{name}.md"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def test_of_a_note_each_item_is_read_by_itself(root, opened, reader):
    """A list says many things, and a heading is its title; the best item speaks for all."""
    reader.answers = ("cellar",)
    write_note(
        root,
        "House",
        "# House\n\n## Things\n- the gondola has a bell\n- the lantern is in the cellar\n- [ ] \n",
    )
    found = opened().search(LANTERN)
    assert found.hits[0].legs["read"] == 5.0
    assert [one.text for one in reader.handed] == [
        "- the gondola has a bell",
        "- the lantern is in the cellar",
    ]
    assert {one.who for one in reader.handed} == {"House > Things"}


def test_of_a_long_list_the_item_that_answers_is_read_wherever_it_stands(root, opened, reader):
    """Twelve are read, and the answer may be the last."""
    reader.answers = ("cellar",)
    items = [f"- the window of room {number} is shut" for number in range(15)]
    write_note(root, "House", "\n".join(["# House", "", *items, "- the lantern is in the cellar"]))
    assert opened().search(LANTERN).hits[0].legs["read"] == 5.0
    assert len(reader.handed) == 12


def test_a_hit_of_a_long_note_tells_the_part_that_answers(root, opened, reader):
    """With its own lines: in the terminal, in JSON, in a pack and in what a prompt brings along."""
    reader.answers = ("cellar",)
    windows = [
        f"- window {n} was painted blue in {1900 + n}, {'and green ' * 7}by the lantern" for n in range(11)
    ]
    lines = ["# House", "", "## Things", *windows[:8], "- the lantern is in the cellar", *windows[8:]]
    write_note(root, "House", "\n".join(lines))
    memory = opened()
    hit = (found := memory.search(LANTERN, budget=250)).hits[0]
    assert (hit.answers.text, hit.answers.cite) == (lines[11], "notes/semantic/House.md#L12")
    assert hit_fields(hit)["answers"] == {"text": lines[11], "cite": hit.answers.cite}
    for told in (recollection_text(found, explain=False), found.pack.text, memory.context(LANTERN).text):
        first, last = map(int, re.search(r"House\.md#L(\d+)-L(\d+)", told).groups())
        assert 3 < first <= 12 <= last <= len(lines)
        assert "House > Things" in told or told == found.pack.text
        assert " ".join(lines[first - 1 : last]) in told


def test_reading_counts_more_where_not_all_is_talk(root, opened, reader, hear):
    """The score was fitted on turns."""
    hear(memory := opened(), ("Mei", SHARES))
    unread = opened(MEMORACLE_RERANKER="none")

    def added():
        before, after = (one.search(LANTERN) for one in (unread, memory))
        scores = [{hit.passage.ref: hit.score for hit in (*one.hits, *one.near)} for one in (before, after)]
        turn = next(hit.passage.ref for hit in (*after.hits, *after.near) if hit.passage.text == SHARES)
        return scores[1][turn] - scores[0][turn]

    assert added() == pytest.approx(-2.0, abs=0.2)
    write_note(root, "House", "# House\n- the lantern of the gondola is red\n")
    assert added() == pytest.approx(-3.0, abs=0.2)


def test_a_note_that_shares_words_is_doubted_when_read(root, opened, reader, hear):
    """A part of a note holds many words: what it shares with a question is half an answer, where a record's is one."""
    filler = [("Mei", f"the weather of day {n} was fine") for n in range(80)]
    hear(memory := opened(), *filler)
    write_note(root, "House", "# House\n- the lantern of the gondola was expensive\n")
    asked = "Which merchant sold us the lantern of the gondola?"
    by_note = memory.search(asked)
    assert by_note.verdict is not Verdict.FOUND
    memory.remember("the lantern of the gondola was expensive, the lantern was")
    assert memory.search(asked).confidence > by_note.confidence


def a_candidate(row, score, *, exact=False):
    found = Candidate(passage=a_passage(f"passage {row}"), score=score, anchor_value=1.0, anchor_at=None)
    return RankedCandidate(found=found, row=row, score=score + EXACT * exact, exact=exact)


@pytest.mark.parametrize("logit", [-8.0, -1.0, 0.0, 3.0])
def test_nobody_unread_draws_level(logit):
    """Strictly behind, by however little the last read was ahead; among themselves they keep their distances."""
    found = rerank([a_candidate(1, 3.0), a_candidate(2, 3.0), a_candidate(3, 2.5)], {1: logit})
    scores = {one.row: one.score for one in found}
    assert scores[1] > scores[2]
    assert scores[2] - scores[3] == pytest.approx(0.5)


def test_an_exact_name_keeps_its_score():
    """It is neither read nor moved."""
    exact = a_candidate(1, 1.0, exact=True)
    found = rerank([exact, a_candidate(2, 9.0), a_candidate(3, 8.0)], {2: -9.0})
    assert found[0] is exact
    assert max(one.score for one in found[1:]) < exact.score


def test_an_exact_name_stays_first(opened, reader, hear):
    """Whatever the reader thinks of the rest, and it is not asked about the name."""
    reader.answers = ("sleeps",)
    hear(memory := opened(), *(("Mei", f"the cat Miso sleeps, Miso Miso {n}") for n in range(20)))
    memory.remember("", subject="Miso", predicate="is fond of", object="salmon")
    found = memory.search("Miso")
    assert (met(found)[0], found.confidence) == ("Miso is fond of salmon", 1.0)
    assert reader.handed
    assert all("salmon" not in one.text for one in reader.handed)


def test_who_asks_for_less_gets_the_beginning(opened, reader, hear):
    """As many are read for one hit as for thirty, also where most of the best only ask."""
    reader.answers = ("number 9",)
    asking = [("Mei", f"where is the lantern of the gondola {n}?") for n in range(35)]
    telling = [("Mei", f"the lantern is with the piano, number {n}") for n in range(24)]
    hear(memory := opened(), *asking, *telling)
    one, many = (memory.search(LANTERN, limit=limit) for limit in (1, 30))
    assert met(one)[0] == met(many)[0]
    assert {len(passages) for _, passages in reader.calls} == {READ}


def test_deep_reads_more(opened, reader, hear):
    """Forty, whatever the limit is."""
    hear(memory := opened(), *(("Mei", f"the lantern of the gondola number {n}") for n in range(60)))
    memory.search(LANTERN, limit=3, recipe="deep")
    assert len(reader.handed) == 40


# What is shown, and what it costs


def test_the_leg_is_shown(opened, reader, hear):
    """A score can be checked by hand: two fifths of the logit stand in it."""
    reader.answers = ("cellar",)
    hear(memory := opened(), ("Mei", ANSWERS))
    read = memory.search(LANTERN)
    plain = opened(MEMORACLE_RERANKER="none").search(LANTERN)
    (one, *_), (other, *_) = (*read.hits, *read.near), (*plain.hits, *plain.near)
    assert (one.legs["read"], "read" in other.legs) == (5.0, False)
    assert one.score - other.score == pytest.approx(2.0)


def test_without_a_reader_nothing_is_opened_or_read(opened, reader, hear, monkeypatch):
    """`reranker = "none"`: order, scores and confidence are those of the ranking, and no weights are touched."""
    hear(memory := opened(MEMORACLE_RERANKER="none"), ("Mei", SHARES), ("Mei", ANSWERS))

    def never(*_, **__):
        raise AssertionError("the reader was opened")

    monkeypatch.setattr(bundled, "open_reranker", never)
    found = memory.search(LANTERN)
    assert (met(found)[:2], reader.calls) == ([SHARES, ANSWERS], [])


@pytest.mark.parametrize("recipe", ["quick", "openclaw"])
def test_other_recipes_do_not_read(opened, reader, hear, recipe):
    """`quick` is the default without its reader, and the published formula is as it was published."""
    hear(memory := opened(), ("Mei", SHARES), ("Mei", ANSWERS))
    memory.search(LANTERN, recipe=recipe)
    assert reader.calls == []


def test_weights_that_cannot_be_opened_leave_the_ranking(opened, hear, monkeypatch):
    """Recall goes on without reading; `check` says what is wrong with the file."""
    from memoracle.errors import EmbedderUnavailable

    def gone():
        raise EmbedderUnavailable("memoracle", "no such file")

    monkeypatch.setattr(bundled, "open_reranker", gone)
    hear(memory := opened(), ("Mei", SHARES), ("Mei", ANSWERS))
    assert met(memory.search(LANTERN))[:2] == [SHARES, ANSWERS]


# What the reader is handed


def test_a_turn_is_read_with_the_one_before_it(opened, reader, hear):
    """Who said it, on which day, and what was said just before."""
    hear(memory := opened(), ("Ana", "and the lantern?"), ("Mei", ANSWERS))
    memory.search(LANTERN)
    (one,) = [one for one in reader.handed if one.text == ANSWERS]
    day = START.date().isoformat()
    assert (one.who, one.when, one.before) == ("Mei", day, "Ana: and the lantern?")


def test_the_turn_before_is_read_only_where_it_may_be_seen(opened, reader, hear):
    """A filter that leaves it out of the answer leaves it out of what is read."""
    hear(memory := opened(), ("Ana", "my secret lantern"), ("Mei", ANSWERS))
    memory.search(LANTERN, filters=Filters(speaker="Mei"))
    assert [(one.text, one.before) for one in reader.handed] == [(ANSWERS, "")]


# Confidence


LOGITS = [-12.0, -3.0, -0.5, 0.0, 0.5, 3.0, 12.0]


def a_ranking(**signals):
    """Three turns, of which the named speaker said the first."""
    own = np.array([0.4, 0.3, 0.2], dtype=np.float32)
    return RankedRows(
        rows=np.array([1, 2, 3]),
        scores=np.array([3.0, 2.0, 1.0]),
        signals={name: np.array(values, dtype=np.float32) for name, values in signals.items()},
        weights={},
        own_coverage=own,
        is_unspaced=False,
    )


def test_confidence_grows_with_what_was_read():
    """It is a probability, however far out the logit is, and says more than the scores do."""
    found = [
        confidence_of(a_ranking(), is_small=False, of_record=False, read=logit)
        for logit in (-math.inf, *LOGITS, math.inf)
    ]
    assert found == sorted(found)
    assert len({*found[1:-1]}) == len(LOGITS)
    assert all(0 < one < 1 for one in found)


def test_whoever_is_named_has_to_have_said_it():
    """Read as well as ever: where the others cover the question better than the one who is named, it is less sure."""
    mine = a_ranking(speaker_named=[1, 0, 0], speaker_other=[0, 1, 1])
    theirs = a_ranking(speaker_named=[0, 0, 1], speaker_other=[1, 1, 0])
    sure, unsure = (confidence_of(one, is_small=False, of_record=False, read=1.0) for one in (mine, theirs))
    assert sure > unsure


def test_a_record_that_carries_the_question_needs_no_reading():
    """What it shares with the question speaks for itself, as before; reading can only add to it."""
    found = [confidence_of(a_ranking(), is_small=False, of_record=True, read=logit) for logit in (-9.0, 9.0)]
    assert found[0] == pytest.approx(0.4)
    assert found[1] > found[0]


def test_reading_decides_between_weak_and_found(opened, reader, hear):
    """The same ranking, another reader: the better the best is read, the surer the answer."""
    hear(memory := opened(), ("Mei", SHARES), ("Mei", ANSWERS))
    refused = memory.search(LANTERN).confidence
    reader.answers = ("cellar",)
    assert memory.search(LANTERN).confidence > refused


# The owner's words, where agents speak


def manner_of(*who):
    """The signals `owner` and `opens` of the first turn, which a person says."""
    view = a_view(
        *(
            a_turn(f"turn {n}", who=one, channel="owner" if one == "user" else "agent")
            for n, one in enumerate(who)
        )
    )
    passages = view.ranking().passages()
    found = signals.manner("what?", (), np.array([1]), passages, speakers=2)
    return {name: float(found[name][0]) for name in ("owner", "opens")}


def test_the_owner_is_preferred_less_where_agents_do_the_talking():
    """From half of the turns on the prior is whole; where people say little, they mostly give orders."""
    half = manner_of("user", "assistant")
    quarter = manner_of("user", "assistant", "assistant", "assistant")
    tenth = manner_of("user", *["assistant"] * 9)
    assert half == pytest.approx({"owner": 1, "opens": 1})
    assert quarter == pytest.approx({"owner": 0.25, "opens": 0.25})
    assert tenth == pytest.approx({"owner": 0.04, "opens": 0.04})


def test_records_and_notes_do_not_count_as_talk():
    """A memory without a turn has nobody's share to weigh."""
    passages = a_view(a_passage("the cat is called Miso", source=EvidenceSource.NOTE)).ranking().passages()
    assert passages.by_people == 1.0


# Which stretch of a long text is read

RARE, OTHER, COMMON = 9000, 9001, 2000


def test_a_short_text_is_read_whole():
    """Nothing is cut from it."""
    assert list(best_stretch([RARE], [1, 2, 3], 3)) == [1, 2, 3]


@pytest.mark.parametrize("at", [0, 5, 60, 199, 395, 399])
def test_the_stretch_holds_what_was_asked(at):
    """Wherever it stands in the text."""
    text = [7000 + n for n in range(400)]
    text[at] = RARE
    found = best_stretch([RARE, COMMON], text, 40)
    assert RARE in found
    assert len(found) <= 40


def test_of_equals_the_first_is_read():
    """Also where nothing is shared at all."""
    assert list(best_stretch([RARE], list(range(3000, 3100)), 10)) == list(range(3000, 3010))


def test_a_rare_word_counts_more_than_common_ones():
    """Four of the commonest words are worth less than one other."""
    common = [2000, 2001, 2002, 2003]
    text = [*common, *[8000] * 36, *[8000] * 20, RARE, *[8000] * 39]
    assert RARE in best_stretch([*common, RARE], text, 20)


def test_a_word_said_often_counts_once():
    """Two different words of the question stand before one that is repeated."""
    text = [*[RARE] * 20, *[8000] * 20, RARE, OTHER, *[8000] * 18]
    assert OTHER in best_stretch([RARE, OTHER], text, 20)


# The model in the package


KITCHEN = "What did Ana buy for the kitchen?"
SWEPT = "Ana swept the kitchen, it was a mess"
KETTLE = "Ana came home from the market with a copper kettle, she had bought it for the stove"


def test_the_bundled_reader_knows_an_answer(opened, hear):
    """End to end: what answers stands before what shares more words, which is first where nothing is read."""
    hear(memory := opened(), ("Mei", SWEPT), ("Mei", "fine weather"), ("Mei", KETTLE))
    found = memory.search(KITCHEN)
    unread = opened(MEMORACLE_RERANKER="none").search(KITCHEN)
    assert (met(found)[:2], met(unread)[:2]) == ([KETTLE, SWEPT], [SWEPT, KETTLE])
    assert found.hits[0].legs["read"] > 0 > found.hits[1].legs["read"]


@pytest.mark.parametrize(
    ("asked", "facts"),
    [
        (
            "我对什么过敏？",
            ["I am allergic to peanuts", "The car is blue", "Tea is at four", "My sister lives in Porto"],
        ),
        ("What am I allergic to?", ["我对花生过敏", "车是蓝色的", "星期天四点喝茶", "我妹妹住在波尔图"]),
    ],
)
def test_a_question_finds_a_record_in_the_other_language(root, clock, asked, facts):
    """In a memory of a minute's age, to which nobody has said `embed`."""
    surroundings = {"MEMORACLE_RECIPE": "balanced"}
    with open_memory(str(root), environment=surroundings, clock=clock) as memory:
        for fact in facts:
            memory.remember(fact)
        found = memory.search(asked)
    assert (found.verdict is not Verdict.NOT_IN_MEMORY, met(found)[0]) == (True, facts[0])
