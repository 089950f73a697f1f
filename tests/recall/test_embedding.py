"""Passages into vectors: one real space, and made-up ones where only their names matter."""

import sqlite3
import time

import numpy as np
import pytest

from memoracle.compose import init, open_memory
from memoracle.errors import EmbedderUnavailable
from memoracle.inference.api import EmbeddingKind
from memoracle.model.search import Verdict
from memoracle.recall import freshness as embedding
from memoracle.recall.freshness import texts_of
from support.clock import FrozenClock
from support.files import write
from support.views import a_transcript, a_turn, a_view

BALANCED = {"MEMORACLE_RECIPE": "balanced"}
OLD_SPACES = ("all-MiniLM-L6-v2@53aa5117:384", "use-multilingual-v3@0db566fd:512")
"""What version 0.2 embedded with: one model for English, another for the rest."""


class Toy:
    """An embedder under any name; equal texts have equal vectors, others have nothing in common."""

    dims = 64

    def __init__(self, name="toy@1:64", fails_after=None):
        self.name = name
        self.texts = []
        self.questions = []
        self.fails_after = fails_after

    def embed(self, texts, kind=EmbeddingKind.PASSAGE):
        if self.fails_after is not None and len(self.texts) + len(texts) > self.fails_after:
            raise KeyboardInterrupt
        (self.questions if kind is EmbeddingKind.QUERY else self.texts).extend(texts)
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = np.random.default_rng(abs(hash((self.name, text)))).normal(size=self.dims)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True) if len(rows) else rows


@pytest.fixture
def opened(root, clock):
    """Opens the memory with the embedder a test brings, or with none."""
    time.sleep(0.06)  # the notes of a new root are read again until they are a moment old
    held = []

    def again(toy=None):
        held.append(open_memory(str(root), environment=BALANCED, clock=clock, embedder=lambda: toy))
        return held[-1]

    yield again
    for one in held:
        one.close()


def held_in(memory):
    """How many chunks of records and turns each space holds."""
    query = (
        "SELECT s.space, count(*) FROM chunks s JOIN passages p ON p.rowid = s.passage "
        "WHERE p.source != 'note' GROUP BY s.space"
    )
    return dict(memory.index._connection.execute(query))


def kept(root):
    """How many vectors the vault keeps."""
    with sqlite3.connect(root / "index" / "vectors.db") as vault:
        (number,) = vault.execute("SELECT count(*) FROM vectors").fetchone()
    vault.close()
    return number


def met(memory, question, **how):
    found = memory.search(question, **how)
    return [hit.passage.text for hit in (*found.hits, *found.near)]


# Two languages, one space

ABOUT = {
    "puppy": "My puppy got its vaccination shots at the veterinary clinic",
    "花生": "我对花生过敏，吃了会起疹子",
    "flat": "We signed the lease for an apartment near the river",
    "妈妈": "妈妈下个月来上海看我",
    "car": "The engine of our automobile makes a strange noise",
    "钢琴": "女儿每个周六下午学钢琴",
}
SMALL_TALK = [f"the market opens at {n} and closes late" for n in range(40)] + [
    f"今天超市第{n}号柜台很忙" for n in range(40)
]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory, embedder):
    """English and Chinese side by side, with real vectors."""
    place = tmp_path_factory.mktemp("mixed")
    init(str(place / "memory"), environment={})
    talk = a_transcript(place / "talk.jsonl", *(("Mei", text) for text in [*ABOUT.values(), *SMALL_TALK]))
    with open_memory(
        str(place / "memory"), environment=BALANCED, clock=FrozenClock(), embedder=lambda: embedder
    ) as memory:
        memory.ingest(str(talk))
        yield memory


def test_both_languages_have_one_space(mixed, embedder):
    """Every passage stands in it once."""
    assert held_in(mixed) == {embedder.name: len(ABOUT) + 80}


@pytest.mark.seed("S4.024", "S0.011", "S0.071")
@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Was the dog immunised?", "puppy"),
        ("Where did they rent a home?", "flat"),
        ("Is something wrong with the vehicle's motor?", "car"),
        ("孩子在学什么乐器？", "钢琴"),
    ],
)
def test_other_words_for_the_same_thing_are_found(mixed, question, about):
    """A paraphrase shares no telling word with its answer; its vector does."""
    assert met(mixed, question)[0] == ABOUT[about]


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Which food am I allergic to, peanuts?", "花生"),
        ("Does my daughter play the piano on Saturdays?", "钢琴"),
        ("When does my mother come to Shanghai?", "妈妈"),
    ],
)
def test_a_question_in_one_language_finds_a_memory_in_the_other(mixed, question, about):
    """Across scripts no word is shared; the space they have in common connects them."""
    assert ABOUT[about] in met(mixed, question)[:3]


@pytest.mark.seed("S4.026", "S4.030")
def test_words_and_vectors_both_propose(mixed):
    """With the published formula: the forty nearest for ten answers, beside what shares a word; one order."""
    found = mixed.search("Was the puppy immunised?", recipe="openclaw", limit=10)
    says = " ".join(note.says for note in found.trace)
    assert "1 by words, 40 by vectors" in says
    assert met(mixed, "Was the puppy immunised?", recipe="openclaw")[0] == ABOUT["puppy"]
    assert ABOUT["puppy"] in met(mixed, "Was the dog immunised?", recipe="openclaw")[:3]


@pytest.mark.seed("S4.024")
def test_exact_words_are_found_beside_vectors(mixed):
    """An exact code is not lost among passages that are merely similar."""
    made = mixed.remember("error E4021 means the clinic is closed")
    mixed.embed()
    assert met(mixed, "E4021")[0] == "error E4021 means the clinic is closed"
    mixed.forget([made.id])


# One space never meets another


@pytest.mark.seed("S4.035")
def test_a_new_embedder_never_meets_old_vectors(opened):
    """Vectors of two models are not compared, though both have 64 numbers."""
    first = opened(Toy("old@1:64"))
    first.remember("the cat is called Miso")
    first.embed()
    first.close()
    new = Toy("new@1:64")
    second = opened(new)
    found = second.search("the cat is called Miso")
    assert (found.verdict, [leg for hit in found.hits for leg in hit.legs if "vector" in leg]) == (
        Verdict.FOUND,
        [],
    )
    assert new.questions == []


@pytest.mark.seed("S4.035")
def test_embedding_again_moves_everything_to_the_new_space(opened):
    """What stood in the space of a model that is no longer used is embedded anew."""
    first = opened(Toy("old@1:64"))
    first.remember("the cat is called Miso")
    first.remember("the dog is called Rex")
    first.embed()
    first.close()
    second = opened(Toy("new@1:64"))
    second.embed()
    assert held_in(second) == {"new@1:64": 2}
    assert any("vector" in hit.legs for hit in second.search("the cat is called Miso").hits)


def test_a_question_does_not_begin_a_new_space(opened):
    """Few new passages are not embedded beside vectors that the present model cannot be asked about."""
    first = opened(Toy("old@1:64"))
    first.remember("the cat is called Miso")
    first.embed()
    first.close()
    new = Toy("new@1:64")
    second = opened(new)
    second.remember("the dog is called Rex")
    second.search("dog")
    assert new.texts == []
    second.embed()
    assert held_in(second) == {"new@1:64": 2}


def test_an_embedder_that_is_away_takes_no_vectors_with_it(opened):
    """Without any embedder `embed` leaves everything in place."""
    first = opened(Toy())
    first.remember("the cat is called Miso")
    first.embed()
    first.close()
    second = opened()
    before = held_in(second)
    assert (second.embed(), held_in(second)) == (0, before)


@pytest.mark.seed("S4.035")
@pytest.mark.seed("C-17")
def test_recall_works_without_an_embedder(opened):
    """By words alone, whether or not there were vectors before."""
    first = opened(Toy())
    first.remember("the cat is called Miso")
    first.embed()
    first.close()
    bare = opened()
    assert (bare.embed(), met(bare, "what is the cat called")) == (0, ["the cat is called Miso"])


def test_recall_works_when_the_weights_are_missing(root, clock, monkeypatch):
    """The bundled model cannot be opened: no error, no vectors."""
    from memoracle.inference import bundled

    def missing(*_, **__):
        raise EmbedderUnavailable("memoracle", "its weights are gone")

    monkeypatch.setattr(bundled, "open_embedder", missing)
    with open_memory(str(root), environment=BALANCED, clock=clock) as memory:
        memory.remember("the cat is called Miso")
        assert (memory.embed(), met(memory, "cat")) == (0, ["the cat is called Miso"])


# A memory whose vectors two other models made: the upgrade from version 0.2


def spaces_kept(root):
    """The spaces of the vectors that the vault keeps."""
    with sqlite3.connect(root / "index" / "vectors.db") as vault:
        found = {name for (name,) in vault.execute("SELECT DISTINCT space FROM vectors")}
    vault.close()
    return found


@pytest.fixture
def from_two_models(opened, root):
    """Fifty records, English and Chinese, half of them embedded by the one and half by the other."""
    memory = opened(Toy(OLD_SPACES[0]))
    for n in range(25):
        memory.remember(f"the key of room {n} hangs on hook {n + 100}")
        memory.remember(f"第{n}号房间的钥匙挂在{n + 100}号钩子上")
    memory.embed()
    rows = "SELECT rowid FROM passages WHERE text LIKE '第%'"
    view = memory.index._connection
    view.execute(f"UPDATE chunks SET space = ? WHERE passage IN ({rows})", OLD_SPACES[1:])
    view.execute("INSERT INTO bits SELECT ?, block, data FROM bits", OLD_SPACES[1:])
    memory.index.vault.execute("INSERT INTO vectors SELECT ?, content, vector FROM vectors", OLD_SPACES[1:])
    memory.close()
    return root


def test_after_an_upgrade_words_answer_at_once(from_two_models, opened):
    """No vector of the old models is asked, nothing is computed on the way, and `status` says what is missing."""
    new = Toy("memoracle-1@0:64")
    memory = opened(new)
    found = memory.search("where is the key of room 7?")
    assert found.hits[0].passage.text == "the key of room 7 hangs on hook 107"
    assert met(memory, "12号房间的钥匙在哪里？")[0] == "第12号房间的钥匙挂在112号钩子上"
    assert [leg for hit in found.hits for leg in hit.legs if "vector" in leg] == []
    assert (new.texts, new.questions) == ([], [])
    assert memory.status().without_vector >= 50


def test_after_an_upgrade_upkeep_embeds_everything_anew(from_two_models, opened):
    """One consolidation: every passage is in the new space, and nothing of the old ones is left in either file."""
    memory = opened(Toy("memoracle-1@0:64"))
    memory.consolidate()
    assert held_in(memory) == {"memoracle-1@0:64": 50}
    assert (memory.index.spaces(), spaces_kept(from_two_models)) == ({"memoracle-1@0:64"},) * 2
    assert any("vector" in hit.legs for hit in memory.search("where is the key of room 7?").hits)
    time.sleep(0.06)
    memory.embed()  # what the consolidation itself has written since
    assert memory.status().without_vector == 0


def test_an_upgrade_that_was_interrupted_goes_on(from_two_models, opened, monkeypatch):
    """Killed before the first vector, and again half way: the next upkeep finds what is left to do."""
    monkeypatch.setattr(embedding, "_BATCH", 10)
    for reached in (0, 25):
        memory = opened(Toy("memoracle-1@0:64", fails_after=reached))
        with pytest.raises(KeyboardInterrupt):
            memory.embed()
        assert (set(OLD_SPACES) <= spaces_kept(from_two_models), memory.index.spaces() & {*OLD_SPACES}) == (
            True,
            set(),
        )
        assert met(memory, "where is the key of room 7?")[0] == "the key of room 7 hangs on hook 107"
        memory.close()
    memory = opened(Toy("memoracle-1@0:64"))
    memory.consolidate()
    assert (held_in(memory), spaces_kept(from_two_models)) == (
        {"memoracle-1@0:64": 50},
        {"memoracle-1@0:64"},
    )


# What was computed is kept


def test_interrupted_work_goes_on_where_it_stopped(opened, monkeypatch):
    """Every batch is kept; the second run computes only what is missing."""
    monkeypatch.setattr(embedding, "_BATCH", 10)
    first = opened(Toy(fails_after=25))
    for n in range(40):
        first.remember(f"thing number {n}")
    with pytest.raises(KeyboardInterrupt):
        first.embed()
    assert 0 < held_in(first)["toy@1:64"] <= 25
    first.close()
    toy = Toy()
    second = opened(toy)
    second.embed()
    assert (second.index.count_pending(), 0 < len(toy.texts) <= 30) == (0, True)
    assert len(set(toy.texts)) == len(toy.texts)


@pytest.mark.seed("C-01")
def test_vectors_survive_a_rebuilt_index(opened, root):
    """The view is thrown away; not one text is computed a second time."""
    toy = Toy()
    memory = opened(toy)
    for n in range(20):
        memory.remember(f"thing number {n}")
    memory.embed()
    before, computed = held_in(memory), len(toy.texts)
    memory.rebuild_index()
    memory.embed()
    assert (held_in(memory), len(toy.texts), kept(root) >= 20) == (before, computed, True)


@pytest.mark.seed("S4.025")
def test_the_same_words_are_computed_once(opened, root):
    """From Markdown to pieces, to words and vectors: a piece that stands in two notes has one vector."""
    for name in ("one", "two"):
        write(root, f"notes/semantic/{name}.md", "# Boiler\n#tags: home\n\nThe boiler code is 4711.\n")
    time.sleep(0.06)
    toy = Toy()
    memory = opened(toy)
    memory.embed()
    (hit,) = memory.search("boiler code").hits
    stands = [passage.path for passage in (hit.passage, *hit.also)]
    assert sorted(stands) == ["notes/semantic/one.md", "notes/semantic/two.md"]
    assert "4711" in hit.passage.text
    assert "vector" in hit.legs
    assert sum("4711" in text for text in toy.texts) == 1


@pytest.mark.seed("C-03")
def test_forgetting_takes_the_vector_along(opened, root):
    """From the view and from the file that keeps vectors; the others stay."""
    memory = opened(Toy())
    memory.remember("the dog is called Rex")
    made = memory.remember("the marmalade secret")
    memory.embed()
    before = kept(root)
    chunks = sum(held_in(memory).values())
    memory.forget([made.id])
    assert (kept(root), sum(held_in(memory).values())) == (before - 1, chunks - 1)


def test_an_edited_record_has_the_vector_of_its_new_words(opened):
    """And of its old words only while they can be asked for as of then."""
    toy = Toy()
    memory = opened(toy)
    made = memory.remember("the port is 5432")
    memory.embed()
    memory.edit(made.id, text="the port is 6000")
    memory.embed()
    hit = memory.search("the port is 6000").hits[0]
    assert (hit.passage.text, "the port is 6000" in toy.texts, hit.legs["vector"] > 0) == (
        "the port is 6000",
        True,
        True,
    )


def test_few_vectors_among_many_passages_without_are_not_used(opened):
    """Those that have one would win by having it; once most have theirs they count again."""

    def by_vector():
        found = memory.search("thing number 7")
        return any("vector" in hit.legs for hit in (*found.hits, *found.near))

    memory = opened(Toy())
    memory.remember("one thing, number 7")
    assert by_vector()
    for number in range(40):
        memory.remember(f"another thing, number {number}")
    assert not by_vector()
    memory.embed()
    assert by_vector()


def test_a_few_new_passages_are_embedded_on_the_way(opened):
    """A question gives the newest their vectors, also the first of a store: a new memory needs no `embed`."""
    toy = Toy()
    memory = opened(toy)
    memory.remember("one thing")
    memory.search("thing")
    assert "one thing" in toy.texts
    memory.remember("another thing")
    memory.search("thing")
    assert (toy.texts.count("one thing"), toy.texts.count("another thing")) == (1, 1)


def test_many_new_passages_are_left_to_embed(opened):
    """Nobody who asks waits for more than sixteen of them."""
    toy = Toy()
    memory = opened(toy)
    for number in range(embedding._A_FEW + 1):
        memory.remember(f"thing number {number}")
    memory.search("thing")
    assert toy.texts == []
    memory.embed()
    assert len(toy.texts) > embedding._A_FEW


def test_vectors_of_another_model_are_not_joined_on_the_way(opened):
    """A question after a change of the model embeds nothing: `embed` replaces all of them, or none."""
    memory = opened(Toy())
    memory.remember("one thing")
    memory.embed()
    memory.close()
    other = Toy("toy@2:64")
    memory = opened(other)
    memory.remember("another thing")
    memory.search("thing")
    assert other.texts == []


def test_a_text_goes_with_its_speaker():
    """Who said it is part of what is embedded, in every language."""
    english, chinese = (a_view(a_turn(text)).pending(1)[0] for text in ("I like it", "我喜欢"))
    assert (texts_of(english), texts_of(chinese)) == (["Mei: I like it"], ["Mei: 我喜欢"])


def test_a_long_text_has_several_vectors(opened):
    """One for each chunk; the best of them counts."""
    memory = opened(Toy())
    memory.remember(" ".join(f"This is sentence number {n} of a long text." for n in range(12)))
    memory.embed()
    assert held_in(memory)["toy@1:64"] > 2
