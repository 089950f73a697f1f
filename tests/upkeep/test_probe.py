"""Canaries: asked without a trace, judged by what they expect, told in numbers."""

import json

import pytest

from memoracle.compose import init, open_memory
from memoracle.errors import BadInput, UnreadableFile
from memoracle.model.record import Status
from memoracle.model.search import Fate, Hit
from memoracle.upkeep.health import add_canary
from memoracle.upkeep.probe import Canary, Probe, canaries_place, probe, read_canaries
from support.build import a_passage
from support.clock import START
from support.files import PLAIN, contents, write
from support.processes import run_here, surroundings

ENV = surroundings(MEMORACLE_RECIPE="quick")


def hits(*texts):
    return [Hit(passage=a_passage(text, ref=f"mem_{text}"), score=1.0, activation=1.0) for text in texts]


def asked(canary, *texts):
    (one,) = probe([canary], lambda _, limit: hits(*texts)[:limit], now=START).asked
    return one


@pytest.mark.seed("S0.096", "F-06")
@pytest.mark.parametrize(
    ("canary", "place"),
    [
        (Canary(query="q", expected=("miso",)), 2),
        (Canary(query="q", expected=("rex", "猫叫")), 3),
        (Canary(query="q", expected_id="mem_a dog"), 1),
        (Canary(query="q", expected=("submarine",)), None),
        (Canary(query="q", expected_id="mem_nothing"), None),
    ],
)
def test_what_a_canary_expects(canary, place):
    """A text, any of several, or a record."""
    assert asked(canary, "a dog", "the cat is Miso", "猫叫Miso").place == place


def test_too_far_down_is_not_found():
    """Found among the first k, or not."""
    far = asked(Canary(query="q", expected=("c",), k=2), "a", "b", "c")
    near = asked(Canary(query="q", expected=("c",), k=3), "a", "b", "c")
    assert (far.passed, far.place, near.passed) == (False, 3, True)


def test_an_outdated_answer_before_the_right_one_is_no_pass():
    """What the canary names as outdated, and what memory knows to have ended; behind the answer they do no harm."""
    canary = Canary(query="q", expected=("9443",), outdated=("8443",))
    first, behind = asked(canary, "port 8443", "port 9443"), asked(canary, "port 9443", "port 8443")
    assert (first.place, first.outdated, first.passed) == (2, 1, False)
    assert (behind.outdated, behind.passed) == (None, True)
    ended = Hit(
        passage=a_passage("port 8443"), score=1.0, activation=1.0, fate=Fate(status=Status.SUPERSEDED)
    )
    (one,) = probe(
        [Canary(query="q", expected=("9443",))], lambda *_: [ended, *hits("port 9443")], now=START
    ).asked
    (own,) = probe([Canary(query="q", expected=("8443",))], lambda *_: [ended], now=START).asked
    assert (one.passed, own.passed, own.outdated) == (False, False, 1)


@pytest.mark.seed("S0.096", "S0.097")
def test_a_canary_whose_answer_has_changed_is_told(root, clock):
    """The port of Tuesday is still found on Sunday, behind the one of Friday: the alert says it, with the seed's threshold."""
    with open_memory(str(root), environment={}, clock=clock) as memory:
        for text in (
            "The gateway listens on port 8443",
            "The backup disk is in room 204",
            "Anna likes coffee",
        ):
            memory.remember(text)
        memory.tend()
        clock.move(days=3)
        memory.remember("The gateway now listens on port 9443")
        memory.remember("The new printer is in room 117")
        for query, text in (
            ("Which port does the gateway listen on?", "8443"),
            ("Where is the backup disk?", "204"),
            ("Where is the printer?", "117"),
        ):
            add_canary(memory.root, Canary(query=query, expected=(text,)))
        told = memory.tend(job="probe")
        (asked_first, *others) = memory.probe().asked
    assert (asked_first.place, asked_first.outdated, [one.passed for one in others]) == (2, 1, [True, True])
    assert ("critical: probe: recall misses known answers: 2 of 3" in told.alert, told.ok) == (True, False)


@pytest.mark.seed("S0.097", "C-04", "S0.091")
def test_the_numbers_of_a_round():
    """Accuracy, recall at k, times; and the four fields of `health.json`."""
    canaries = [Canary(query="q", expected=(word,)) for word in ("a", "b", "f", "nothing")]
    found = probe(canaries, lambda _, limit: hits("a", "b", "c", "d", "e", "f")[:limit], now=START)
    assert (found.passed, found.accuracy) == (3, 0.75)
    assert [found.recall_at(k) for k in (1, 5, 10)] == [0.25, 0.5, 0.75]
    assert (found.probed.passed, found.probed.total, found.probed.accuracy_percent) == (3, 4, 75.0)


def test_no_canaries_are_no_failure():
    """Nothing was asked, nothing was missed."""
    assert Probe(at=START, asked=()).accuracy == 1.0


@pytest.mark.seed("F-06", "S0.095")
def test_the_seeds_own_canary_passes_and_leaves_no_trace(root, memory):
    """Expected as `May 15, 2026`, stored as 2026-05-15; not a byte of the memory is different afterwards."""
    memory.remember("Project Phoenix has the deadline 2026-05-15")
    memory.remember("凤凰项目的截止日期是2026年5月15日")
    write(
        root,
        "state/canaries.json",
        json.dumps(
            [
                {"query": "When is the deadline of Project Phoenix?", "expected_contains": "May 15, 2026"},
                {"query": "凤凰项目的截止日期", "expected_any": ["2026/5/15", "never"], "k": 3},
            ],
            ensure_ascii=False,
        ),
    )
    memory.search("phoenix")
    before = contents(root, skip=("index", "state"))
    found = memory.probe()
    assert (found.passed, len(found.asked)) == (2, 2)
    assert contents(root, skip=("index", "state")) == before
    assert not list((root / "usage").glob("*.jsonl")), "what was asked is not lifted"


@pytest.mark.seed("S0.091", "S0.097")
def test_health_tells_of_the_last_round(root, memory):
    """Below 70 % the status is critical; `health.json` has the four fields."""
    memory.remember("the cat is called Miso")
    add_canary(memory.root, Canary(query="cat", expected=("Miso",)))
    add_canary(memory.root, Canary(query="cat", expected=("Rex",)))
    memory.probe()
    document = json.loads((root / "state/health.json").read_text())
    assert (document["status"], document["quality_probe"]) == (
        "critical",
        {"last_run": "2026-05-15T09:30:00.000000Z", "passed": 1, "total": 2, "accuracy_percent": 50.0},
    )


@pytest.mark.seed("S0.095")
def test_the_first_seeds_canaries_are_read_where_they_are(tmp_path):
    """In the layout of that design."""
    place = tmp_path / "data"
    init(str(place), layout="vm-oracle", environment={})
    write(place, "knowledge-graph/canary-facts.json", '[{"query": "cat", "expected_contains": "Miso"}]')
    with open_memory(str(place), environment=PLAIN) as memory:
        assert read_canaries(memory.store) == [Canary(query="cat", expected=("Miso",))]
        assert canaries_place(memory.store) == "knowledge-graph/canary-facts.json"


@pytest.mark.parametrize(
    "content",
    [
        "{",
        '{"query": "x"}',
        '["x"]',
        '[{"query": "x"}]',
        '[{"expected_contains": "x"}]',
        '[{"query": "", "expected_id": "mem_x"}]',
    ],
)
def test_what_is_no_canary_is_an_error_that_says_so(root, memory, content):
    """Nothing is asked, nothing is guessed."""
    write(root, "state/canaries.json", content)
    with pytest.raises((BadInput, UnreadableFile)):
        memory.probe()


def test_a_canary_is_kept_once(root, memory):
    """The same one again changes nothing."""
    canary = Canary(query="猫叫什么", expected=("Miso",), k=3)
    assert [add_canary(memory.root, canary), add_canary(memory.root, canary)] == [1, 1]
    assert json.loads((root / "state/canaries.json").read_text()) == [
        {"query": "猫叫什么", "expected_contains": "Miso", "k": 3}
    ]


@pytest.mark.long
def test_the_command_line(root):
    """Add, ask, read; exit 1 when fewer than 70 % are found."""

    def call(*words):
        return run_here("--root", root, *words, env=ENV)

    kept = json.loads(call("remember", "the cat is called Miso", "--json")[1])["id"]
    assert call("probe")[1].startswith("there are no canaries yet")
    call("probe", "add", "what is the cat called", "--expect", "Miso", "--expect", "Rex")
    call("probe", "add", "cat", "--id", kept)
    status, out, _ = call("probe")
    assert (status, out.count("found   #1"), "2 of 2 found (100%)" in out) == (0, 2, True)
    call("probe", "add", "dog", "--expect", "Rex")
    status, out, _ = call("probe", "--json")
    document = json.loads(out)
    assert (status, document["quality_probe"]["passed"], document["recall@1"]) == (1, 2, 0.6667)
    assert [call("probe", "add")[0], call("probe", "add", "x")[0], call("probe", "--expect", "x")[0]] == [
        2,
        2,
        2,
    ]
