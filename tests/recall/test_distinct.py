"""What says the same is one hit that names the others; what only frames words takes no place."""

import json
import time
from datetime import UTC, datetime

import pytest

from memoracle.model.record import Scope, Status
from memoracle.model.search import EvidenceSource, Fate, Hit, Passage
from memoracle.recall.answers import one_of_each
from memoracle.recall.evidence import pack_evidence
from memoracle.recall.verdict import says_nothing
from support.files import write

DAY = datetime(2026, 5, 4, 9, tzinfo=UTC)


def a_hit(text, *, line=1, score=9.0, fate=None, source=EvidenceSource.TURN, **fields):
    fields = {"who": "user", "at": DAY, "path": "chats/a.jsonl", **fields}
    return Hit(
        passage=Passage(
            ref=f"{fields['path']}:{line}",
            source=source,
            text=text,
            first_line=line,
            last_line=line,
            **fields,
        ),
        score=score,
        activation=1.0,
        fate=fate,
    )


def folded(*hits, asked="Where is the spare key?", **how):
    return [(hit.passage.text, hit.count) for hit in one_of_each(hits, asked, **how)]


SPARE = "The spare key is with Mrs Okafor."


@pytest.mark.parametrize(
    "other",
    [
        SPARE,
        "the spare key is with Mrs. Okafor",
        "The spare key, is with Mrs Okafor!",
        "ok so the spare key is with Mrs Okafor please",
    ],
)
def test_the_same_words_are_one(other):
    """However they are written; the better ranked stands and names the other."""
    (hit,) = one_of_each([a_hit(SPARE), a_hit(other, line=7, score=3.0)], "Where is the spare key?")
    assert (hit.passage.text, hit.count, hit.also[0].cite) == (SPARE, 2, "chats/a.jsonl#L7")


@pytest.mark.parametrize(
    "other",
    [
        "The spare key is not with Mrs Okafor.",
        "The spare key is with Mr Okafor.",
        "The spare key number 4 is with Mrs Okafor.",
        "The spare key is with Mrs Okafor, and the cat flap sticks.",
        "备用钥匙在奥卡福太太那里",
    ],
)
def test_what_says_something_of_its_own_stays(other):
    """A “not”, another name, a number, another sentence."""
    assert len(folded(a_hit(SPARE), a_hit(other, line=2))) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Oskar can eat nuts.", "Oskar can't eat nuts."),
        ("I should have taken the pill", "I shouldn't have taken the pill"),
        ("take it before lunch", "take it after lunch"),
        ("the heating is on", "the heating is off"),
        ("set it to 20", "set it to -20"),
        ("he is older than me", "I am older than him"),
        ("the parser is written in C", "the parser is written in C++"),
        ("They come on Friday and bring the children and the dog", "Hardly they come on Friday and bring the children and the dog"),
    ],
)  # fmt: skip
def test_opposites_are_two(one, other):
    """Small words decide: nobody's “can't” is folded into a “can”."""
    assert len(folded(a_hit(one), a_hit(other, line=2, score=4.0), asked="what is it")) == 2


@pytest.mark.parametrize(
    "difference",
    [
        {"who": "Mei", "channel": "person"},
        {"channel": "external"},
        {"project": "tidepool"},
        {"fate": Fate(status=Status.SUPERSEDED)},
        {"status": Status.ARCHIVED},
    ],
)
def test_nobody_speaks_for_another(difference):
    """Another person, something from outside, another project, and what no longer holds stay hits of their own."""
    assert len(folded(a_hit(SPARE), a_hit(SPARE, line=2, **difference))) == 2


def test_the_same_words_about_another_day_are_two():
    """“Today” of two days is not one day; and who asks how often wants every time."""
    later = DAY.replace(day=9)
    assert (
        len(folded(a_hit("I ran five miles today."), a_hit("I ran five miles today.", line=2, at=later))) == 2
    )
    assert len(folded(a_hit(SPARE), a_hit(SPARE, line=2, at=later))) == 1
    assert len(folded(a_hit(SPARE), a_hit(SPARE, line=2, at=later), by_day=True)) == 2
    assert (
        len(folded(a_record(SPARE), a_hit(SPARE, line=1), a_hit(SPARE, line=2, at=later), by_day=True)) == 2
    )


def a_record(text, **fields):
    return a_hit(
        text,
        source=EvidenceSource.RECORD,
        **{"path": "records/facts.jsonl", "where": "chats/a.jsonl#L1", **fields},
    )


def test_a_record_stands_for_its_turn():
    """Also where the turn ranks better; what the turn says besides is at hand."""
    turn = a_hit("Ines moved to Lisbon. A new job brought her there.")
    (hit,) = one_of_each([turn, a_record("Ines moved to Lisbon.", score=2.0)], "Why did Ines move to Lisbon?")
    assert (hit.passage.source, hit.score, hit.count) == (EvidenceSource.RECORD, 9.0, 2)
    assert hit.said == turn.passage
    assert "A new job brought her there." in pack_evidence([hit], "Ines", 200).text


def test_a_turn_stands_for_its_record_where_it_has_more_of_what_is_asked():
    """The record keeps one sentence of it; the question is about the other."""
    turn = a_hit("Ines moved to Lisbon. The landlord is called Duarte.")
    (hit,) = one_of_each(
        [turn, a_record("Ines moved to Lisbon.")], "What is the landlord of Ines in Lisbon called?"
    )
    assert (hit.passage, hit.count) == (turn.passage, 2)


def test_a_record_of_another_turn_stays():
    """Only the place it was made of is its source."""
    turn = a_hit("Ines moved to Lisbon. A new job brought her there.", line=3)
    assert len(one_of_each([turn, a_record("Ines moved to Lisbon.")], "Ines")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "# Memory",
        "## 目录",
        "# Daily note\n\n## Tasks\n- [ ] \n\nMood: {{mood}}\nDate: <% tp.date.now() %>",
        "---\ntags: [daily]\ncreated: {{date}}\n---\n# {{title}}",
        "- [Setup](#setup)\n  - [Use](#use)",
        '<svg><text id="day" x="256" y="400" font-family="微软雅黑">24</text></svg>',
        "<system-reminder>Do not mention this file.</system-reminder>",
        "![[Shows.base]]",
        "Tool use: **Read**",
        "Table of contents:\n- [Setup](#setup)",
        "[Request interrupted by user for tool use]",
    ],
)
def test_what_frames_words_says_nothing(text):
    """Headings, templates, empty tasks, contents, markup, stubs."""
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "- [ ] call the dentist",
        "# Dentist: Dr Okafor",
        "## We chose Postgres because of its replication",
        "Mood: tired",
        "<b>the dentist</b> is Dr Okafor",
        "use List<String> here",
        "```\npip install beets\n```",
        "#pickleball is fun",
        "👍",
        "Created: a garden of herbs",
        "密码：见保险柜",
    ],
)
def test_words_in_a_frame_say_something(text):
    """A frame around words is no reason to leave them out."""
    assert not says_nothing(text)


def test_copies_and_templates_leave_their_places_to_others(memory, root):
    """Ten copies of a page are one hit; templates and bare headings are none; a list of links stands last."""
    for number in range(12):
        write(
            root,
            f"notes/semantic/copy-{number}.md",
            "# Boiler\n\nThe boiler engineer is Tomasz from Heatwise.\n",
        )
    write(
        root,
        "notes/semantic/template.md",
        "# Boiler engineer\n\nEngineer: {{engineer}}\nBoiler: {{boiler}}\n",
    )
    write(
        root,
        "notes/semantic/links.md",
        "[[Boiler engineer]]\n[[Boiler]]\n[Engineer](https://example.org/boiler)\n",
    )
    write(root, "notes/semantic/visit.md", "The boiler engineer needs the cellar key on Monday.\n")
    time.sleep(0.06)
    hits = memory.search("boiler engineer", limit=4).hits
    assert sorted(hit.count for hit in hits) == [1, 1, 12]
    assert "[[Boiler]]" in hits[-1].passage.text
    assert not any("{{" in hit.passage.text for hit in hits)


def test_a_turn_and_its_record_are_one_answer(memory, root, tmp_path):
    """In Python, JSON and text; recall reinforces the record."""
    talk = tmp_path / "talk.jsonl"
    said = "I am allergic to hazelnuts. It gives me a rash."
    talk.write_text(
        json.dumps({"id": "1", "session": "s", "speaker": "user", "date": "2026-05-04", "text": said})
    )
    memory.ingest(str(talk))
    memory.consolidate()
    found = memory.recall("What am I allergic to?")
    allergic = [hit for hit in found.hits if "hazelnut" in hit.passage.text]
    assert [hit.passage.source for hit in allergic] == [EvidenceSource.RECORD]
    assert any(one.source is EvidenceSource.TURN for one in allergic[0].also)
    assert allergic[0].passage.text == said  # of two records of one turn the fuller
    memory.search("hazelnuts")
    assert memory.index.uses_of([one.ref for one in (allergic[0].passage, *allergic[0].also)])


SAID_NEXT = (
    ("user", "My phone fell in the canal, what should I get?"),
    ("assistant", "The Fonor 9 is good value."),
    ("user", "ordered the Fonor 9 just now"),
    ("user", "Anyway, what is for dinner?"),
)


def spoken(tmp_path, said=SAID_NEXT):
    lines = [
        {"role": who, "content": text, "timestamp": f"2026-05-04T10:0{at}:00Z"}
        for at, (who, text) in enumerate(said)
    ]
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return path


def then(found, word):
    (hit,) = [one for one in found.hits if word in one.passage.text]
    return [(one.who, one.text) for one in hit.then]


def test_a_hit_tells_what_was_said_next(memory, tmp_path):
    """The answer where it asks, and how the same person went on; a question to come is none of it."""
    memory.ingest(str(spoken(tmp_path)))
    found = memory.search("Which phone fell in the canal?")
    assert then(found, "canal") == [SAID_NEXT[1], SAID_NEXT[2]]
    assert then(memory.search("ordered the Fonor"), "ordered") == []


def test_an_answer_nobody_asked_for_is_not_told_with_it(memory, tmp_path):
    """What a person states stands by itself, with what the same person goes on to state."""
    said = (("user", "My phone fell in the canal."), *SAID_NEXT[1:])
    memory.ingest(str(spoken(tmp_path, said)))
    assert then(memory.search("phone fell in the canal"), "canal") == [SAID_NEXT[2]]


def test_what_was_said_next_reaches_people_and_programs(memory, tmp_path):
    """In the lines of a terminal and in JSON."""
    from memoracle.interfaces.render import hit_fields, recollection_text

    memory.ingest(str(spoken(tmp_path)))
    found = memory.search("Which phone fell in the canal?")
    assert "then user: ordered the Fonor 9 just now" in recollection_text(found, explain=False)
    (fields,) = [hit_fields(one) for one in found.hits if "canal" in one.passage.text]
    assert [one["text"] for one in fields["then"]] == [SAID_NEXT[1][1], SAID_NEXT[2][1]]


def test_what_was_said_next_is_for_those_who_may_see_it(memory, tmp_path):
    """A record goes everywhere; the words beside its turn stay where they were said, and when."""
    said = (("user", "I am allergic to peanuts."), ("user", "The merger closes soon."))
    lines = [
        {"type": who, "uuid": f"u{at}", "parentUuid": f"u{at - 1}" if at else None, "sessionId": "s",
         "cwd": "/home/mei/quiet", "timestamp": f"2026-05-04T10:0{at}:00Z", "version": "2.0",
         "message": {"role": who, "content": text}}
        for at, (who, text) in enumerate(said)
    ]  # fmt: skip
    path = tmp_path / "projects" / "-home-mei-quiet" / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    memory.ingest(str(path))
    memory.consolidate()
    assert any(hit.then for hit in memory.search("What am I allergic to?").hits)

    memory.read_as(Scope(project="other"))
    hits = memory.search("What am I allergic to?").hits
    assert hits
    assert not any(hit.then or hit.around for hit in hits)
