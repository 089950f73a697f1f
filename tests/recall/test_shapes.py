"""A story, a list and a count want more than five similar turns."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from memoracle.compose import open_memory
from memoracle.interfaces.mcp.finding import search
from memoracle.interfaces.mcp.tool import Caller
from memoracle.interfaces.render import recollection_fields, recollection_text
from memoracle.model.search import AnswerShape, EvidenceSource, Hit, Passage, Recollection, Verdict
from memoracle.recall.evidence import pack_evidence, spread
from memoracle.recall.question import shape_of

PLACES = 12


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("In which order did I visit the islands?", "timeline"),
        ("Can you summarise what happened with the roof?", "timeline"),
        ("give me a recap of the Tidepool migration", "timeline"),
        ("how did the deal with the printer develop over the year", "timeline"),
        ("all his readings in order", "timeline"),
        ("装修的先后顺序是什么", "timeline"),
        ("帮我总结一下搬家的事", "timeline"),
        ("How many times have I been to Lisbon?", "count"),
        ("我今年去了几次医院", "count"),
        ("Which libraries did we try for thumbnails?", "list"),
        ("What are Kate's hobbies?", "list"),
        ("list all the firms that sent an offer", "list"),
        ("everything that was decided about the rent", "list"),
        ("How many plants did I buy?", "list"),
        ("我身上有哪些毛病", "list"),
        ("Where is the spare key?", "answer"),
        ("Which bus did she take?", "answer"),
        ("How many weeks do I have until the deadline?", "answer"),
        ("what did I order to get the parts?", "answer"),
        ("in order to deploy, which key do I need?", "answer"),
        ("备用钥匙在哪里", "answer"),
    ],
)
def test_the_shape_is_read_from_the_question(question, shape):
    """In both languages; a question for one thing stays one."""
    assert shape_of(question) == shape


def a_hit(number, *, session="", score=None, day=1, **legs):
    passage = Passage(
        ref=str(number), source=EvidenceSource.TURN, text=f"visit {number}", path="p", first_line=number,
        last_line=number, session=session, at=datetime(2026, 5, day, tzinfo=UTC),
    )  # fmt: skip
    return Hit(passage=passage, score=100.0 - number if score is None else score, activation=1.0, legs=legs)


def test_behind_the_best_come_other_sessions():
    """The first five stay; of equals the session that has said little comes before the one that has said much."""
    talk = [a_hit(number, session="one") for number in range(20)]
    others = [a_hit(20 + number, session=f"s{number}", score=84.0) for number in range(5)]
    ranked = sorted([*talk, *others], key=lambda hit: -hit.score)
    chosen = spread(ranked)
    assert chosen[:5] == ranked[:5]
    assert {hit.passage.session for hit in chosen[:14]} >= {f"s{number}" for number in range(5)}
    assert {hit.passage.session for hit in ranked[:14]} == {"one"}
    assert sorted(map(id, chosen)) == sorted(map(id, ranked))


def told(shape, *hits):
    return Recollection(question="q", verdict=Verdict.FOUND, confidence=0.9, shape=shape, hits=hits)


def test_a_timeline_is_told_oldest_first():
    """In text and packs; JSON keeps the best first and says the order beside."""
    found = told(AnswerShape.TIMELINE, a_hit(1, day=9), a_hit(2, day=3), a_hit(3, day=5))
    text = recollection_text(found, explain=False)
    assert text.index("visit 2") < text.index("visit 3") < text.index("visit 1")
    assert "oldest first" in text
    fields = recollection_fields(found, explain=False)
    assert [hit["id"] for hit in fields["hits"]] == ["1", "2", "3"]
    assert (fields["shape"], fields["order"]) == ("timeline", ["2", "3", "1"])
    packed = pack_evidence(found.hits, "q", 500, is_timeline=True).text
    assert packed.index("visit 2") < packed.index("visit 3") < packed.index("visit 1")


def test_a_count_says_how_many_at_least():
    """Of what was read, what reads like an answer; where nothing was, no number is made up."""
    found = told(AnswerShape.COUNT, a_hit(1, read=2.1), a_hit(2, read=0.4), a_hit(3, read=-3.0), a_hit(4))
    assert "at least 2 mentions, see" in recollection_text(found, explain=False)
    assert recollection_fields(found, explain=False)["at_least"] == 2
    assert "at_least" not in recollection_fields(told(AnswerShape.COUNT, a_hit(1)), explain=False)


@pytest.fixture
def swimmer(root, tmp_path):
    """Somebody who talks of lakes again and again, mostly on one day."""
    day, said = datetime(2026, 3, 1, tzinfo=UTC), []
    for number in range(30):
        session = "long" if number < 18 else f"s{number}"
        when = day if number < 18 else day + timedelta(days=number)
        said.append((session, when, f"I swam in lake number {number}, cold water as always."))
    said += [("s50", day + timedelta(days=60 + n), "I swam in the lake of Murten.") for n in range(3)]
    lines = [
        json.dumps(
            {"id": str(at), "session": session, "speaker": "user", "date": when.isoformat(), "text": text}
        )
        for at, (session, when, text) in enumerate(said)
    ]
    (tmp_path / "talk.jsonl").write_text("\n".join(lines))
    with open_memory(str(root), environment={"MEMORACLE_EMBEDDER": "none"}) as memory:
        memory.ingest(str(tmp_path / "talk.jsonl"))
        yield memory


def test_a_list_has_more_places_from_more_sessions(swimmer):
    """Unless somebody says how many; a plain question has what it had."""
    found = swimmer.search("Which lakes did I swim in?")
    assert (found.shape, len(found.hits)) == (AnswerShape.LIST, PLACES)
    assert len({hit.passage.session for hit in found.hits}) > PLACES // 2
    assert len(swimmer.search("Which lakes did I swim in?", limit=4).hits) == 4
    assert len(swimmer.search("Where did I swim, in a cold lake?").hits) == 10


def test_who_asks_how_often_gets_every_day(swimmer):
    """The same words on three days are one hit for a question, and three for a count."""
    once, often = ([hit for hit in swimmer.search(asked).hits if "Murten" in hit.passage.text]
                   for asked in ("Did I swim in the lake of Murten?", "How many times did I swim in Murten?"))  # fmt: skip
    assert [hit.count for hit in once] == [3]
    assert [hit.count for hit in often] == [1, 1, 1]
    when = swimmer.search("When did I swim in the lake of Murten?").hits
    assert sum("Murten" in hit.passage.text for hit in when) == 3


def test_an_agent_gets_the_timeline_in_its_order(swimmer):
    """Over MCP the results of a timeline stand oldest first, and the shape says so."""
    document = search(swimmer, {"query": "In which order did I swim in the lakes?"}, Caller()).document
    moments = [one["at"] for one in document["results"]]
    assert (document["shape"], moments) == ("timeline", sorted(moments))
