"""Rules propose, the tagger vetoes: what it is asked, what it may refuse, and that nothing else decides."""

import json

import pytest

from learn.known import histories, known
from memoracle.compose import init, open_memory
from memoracle.errors import EmbedderUnavailable
from memoracle.inference import bundled
from memoracle.inference.api import Prediction, Tagged
from memoracle.learn.screen import VETO_BELOW, fragments_of, screen, sift
from memoracle.memory import Memory
from memoracle.model.claim import Ruling
from memoracle.model.record import Channel
from memoracle.model.value import replace
from support.files import PLAIN, copy_root
from support.turns import a_turn, fragments

ANY = Prediction(label="fact", probability=1.0)
VETO = "the tagger finds nothing to keep"
JUNK = "Please write a commit message for all of these changes."
"""A standing rule, by the rules; the bundled tagger knows better."""


class FakeTagger:
    """Finds nothing in texts that name one of its words, and remembers what it was asked."""

    name = "fake"

    def __init__(self, *nothing, keep=0.0):
        self.nothing, self.keep, self.asked = nothing, keep, []

    def tag(self, turns):
        self.asked.append([(one.text, one.who, one.before) for one in turns])
        return [
            Tagged(
                keep=self.keep if any(word in one.text for word in self.nothing) else 0.9,
                stance=ANY,
                claims=(),
            )
            for one in turns
        ]


def rulings(judged):
    return [(one.text, one.ruling, one.because) for one in judged]


def test_what_it_finds_nothing_in_is_dropped_with_the_reason():
    """The sentence beside it stays, in its place."""
    first, second = sift(fragments("I live in Rome. I like tea."), FakeTagger("Rome"))
    assert (first.text, first.ruling, first.because) == ("I live in Rome.", Ruling.DROP, VETO)
    assert (second.text, second.ruling) == ("I like tea.", Ruling.KEEP)


@pytest.mark.parametrize(
    ("keep", "ruling"), [(VETO_BELOW - 1e-6, Ruling.DROP), (VETO_BELOW, Ruling.KEEP), (0.4, Ruling.KEEP)]
)
def test_only_what_it_is_sure_of_is_refused(keep, ruling):
    """Less likely than not is no reason."""
    (one,) = sift(fragments("I live in Rome."), FakeTagger("Rome", keep=keep))
    assert one.ruling is ruling


def test_it_is_asked_about_proposals_alone_with_what_stood_before():
    """Sentences of the turn, whatever became of them; one question a turn, none where rules propose nothing."""
    tagger = FakeTagger()
    said = fragments("Hi there! I live in Rome. Is it raining? I like tea.", speaker="Ana")
    judged = [*said, *(replace(one, ref="t2") for one in fragments("Fix the failing test."))]
    assert rulings(sift(judged, tagger)) == rulings(judged)
    assert tagger.asked == [
        [
            ("I live in Rome.", "Ana", "Hi there!"),
            ("I like tea.", "Ana", "Hi there! I live in Rome. Is it raining?"),
        ]
    ]


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("Please remember that I live in Rome.", {}),
        ("记住，我住在罗马。", {}),
        ("Decision: we use Postgres.", {"channel": Channel.AGENT, "speaker": "assistant"}),
    ],
)
def test_what_was_asked_for_or_marked_is_not_its_business(text, turn):
    """It is kept, and the tagger is not asked."""
    tagger = FakeTagger("")
    assert [one.ruling for one in sift(fragments(text, **turn), tagger)] == [Ruling.KEEP]
    assert tagger.asked == []


def test_pasted_words_are_set_apart_as_before():
    """Their owner is shown what somebody tried to plant; the tagger is not asked."""
    tagger = FakeTagger("")
    judged = [screen(one) for one in fragments_of(a_turn("I live in Rome."), lambda _: True)]
    assert [one.ruling for one in sift(judged, tagger)] == [Ruling.KEEP]
    assert tagger.asked == []


def test_what_another_person_says_goes_past_it_too():
    """People's turns, not the owner's alone."""
    (one,) = sift(fragments("I live in Rome.", channel=Channel.PERSON, speaker="Ana"), FakeTagger("Rome"))
    assert one.because == VETO


# In a memory.

SAID = ("I'm allergic to peanuts.", JUNK, "Hi there! I live in Lisbon. I like tea.", "My dog is called Rex.")


def chat(folder, *texts, begin=0):
    folder.mkdir(exist_ok=True)
    path = folder / "chat.jsonl"
    with path.open("a", encoding="utf-8") as file:
        for number, text in enumerate(texts, begin):
            at = f"2026-01-02T10:{number:02}:00Z"
            file.write(json.dumps({"role": "user", "content": text, "timestamp": at}) + "\n")
    return path


@pytest.fixture
def place(tmp_path, clock):
    """A root that knows one conversation, not consolidated yet."""
    root = tmp_path / "memory"
    path = chat(tmp_path / "chats", *SAID)
    init(str(root), environment={})
    with opened(root, clock) as memory:
        memory.ingest(str(path), embed=False)
    return root


def opened(root, clock, **more):
    return open_memory(
        str(root), environment=PLAIN | {"TZ": "UTC", "MEMORACLE_TAGGER": "bundled"} | more, clock=clock
    )


def texts(memory):
    return {record.text for record in known(memory).values()}


def screened(run):
    return next(phase.counts for phase in run.phases if phase.name == "screen")


def test_a_night_learns_nothing_from_what_was_refused(place, clock):
    """And counts it among what was dropped."""
    with opened(place, clock) as memory:
        sifted = Memory(replace(memory.root, open_tagger=lambda: FakeTagger("Lisbon", "Rex")))
        counts = screened(sifted.consolidate())
        assert counts[f"dropped: {VETO}"] == 2
        assert not any("Lisbon" in text or "Rex" in text for text in texts(sifted))
        assert any("peanuts" in text for text in texts(sifted))


def test_what_somebody_keeps_by_hand_is_never_refused(place, clock):
    """`remember` does not ask."""
    tagger = FakeTagger("")
    with opened(place, clock) as memory:
        sifted = Memory(replace(memory.root, open_tagger=lambda: tagger))
        sifted.remember("I live in Rome.")
        sifted.consolidate()
        assert texts(sifted) == {"I live in Rome."}
        assert not any("Rome" in text for turn in tagger.asked for text, _, _ in turn)


def test_the_bundled_one_refuses_a_request_of_the_moment(place, clock):
    """It comes with the package and is asked where the settings say so."""
    with opened(place, clock) as memory:
        assert screened(memory.consolidate())[f"dropped: {VETO}"] == 1
        kept = " ".join(texts(memory))
        assert "commit message" not in kept
        assert "peanuts" in kept
        assert "Lisbon" in kept


def test_without_one_the_rules_decide_alone(place, clock, monkeypatch, tmp_path):
    """By `tagger = none`, and where the weights cannot be opened: the same, and as it was."""
    copy_root(place, twin := tmp_path / "twin")
    with opened(place, clock, MEMORACLE_TAGGER="none") as memory:
        assert memory.root.open_tagger() is None
        counts = screened(memory.consolidate())
        alone = texts(memory)
    assert f"dropped: {VETO}" not in counts
    assert any("commit message" in text for text in alone)

    def broken(*_, **__):
        raise EmbedderUnavailable("memoracle", "no weights")

    monkeypatch.setattr(bundled, "open_tagger", broken)
    with opened(twin, clock) as memory:
        assert (screened(memory.consolidate()), texts(memory)) == (counts, alone)


class Killed(BaseException):
    pass


@pytest.mark.parametrize("phase", ["collect", "screen", "extract", "reconcile"])
def test_a_killed_night_that_is_resumed_decides_the_same(place, clock, tmp_path, phase):
    """The bundled tagger, asked again or not."""

    def die(name, *_):
        if name == phase:
            raise Killed

    copy_root(place, twin := tmp_path / "twin")
    with opened(twin, clock) as memory:
        memory.consolidate()
        undisturbed = known(memory), histories(memory)
    with opened(place, clock) as memory, pytest.raises(Killed):
        memory.consolidate(watch=die)
    with opened(place, clock) as memory:
        assert memory.consolidate().resumed == phase
        assert (known(memory), histories(memory)) == undisturbed


def test_what_is_read_together_has_no_say():
    """A turn is asked about alike whether a reading begins with it or not: a flush and a night agree."""
    turns = [[replace(one, ref=f"t{n}") for one in fragments(text)] for n, text in enumerate(SAID)]
    together, apart = FakeTagger(), FakeTagger()
    sift([one for turn in turns for one in turn], together)
    for turn in reversed(turns):
        sift(turn, apart)
    assert together.asked == apart.asked[::-1]
