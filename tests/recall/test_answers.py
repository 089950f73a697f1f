"""From a question to evidence, through the memory itself."""

import json
import os

import pytest

from memoracle.compose import open_memory
from memoracle.model.record import Scope, Status
from memoracle.model.search import Filters, Verdict
from support.files import PLAIN, contents, write

# Public lists of hostile input are not ours to ship; they are read where somebody has them.
BENCH_DATA = os.environ.get("MEMORACLE_BENCH_DATA", os.path.join("..", "shared", "bench"))
BLNS = os.path.join(BENCH_DATA, "security", "blns", "blns.json")
WIDE = Filters(wide=True)


def texts(found):
    return [hit.passage.text for hit in found.hits]


def best(memory, question, **options):
    return next(iter(texts(memory.search(question, **options))), None)


# What is asked is found


@pytest.mark.seed("F-42", "F-50", "F-16")
@pytest.mark.parametrize("asked", ["花生", "过敏", "我对什么过敏", "花生过敏吗"])
def test_two_chinese_characters_are_enough(shelf, asked):
    """A Chinese word inside a sentence without spaces is found."""
    shelf.remember("我对花生过敏")
    shelf.remember("周末去爬山")
    assert best(shelf, asked) == "我对花生过敏"


@pytest.mark.seed("S4.024")
@pytest.mark.parametrize(
    ("kept", "asked"),
    [
        ("the build breaks with ERR_TLS_CERT_ALTNAME_INVALID on Tuesdays", "ERR_TLS_CERT_ALTNAME_INVALID"),
        ("error E4021 means the disk is full", "what is E4021?"),
        ("the schema lives in src/memoracle/index/schema.sql", "schema.sql"),
        ("call getUserName before rendering", "getUserName"),
        ("call getUserName before rendering", "getusername"),
        ("pinned to version 2.14.3-rc1", "2.14.3-rc1"),
        ("task ARENA-228 is blocked", "ARENA-228"),
        ("the router is 192.168.7.1", "192.168.7.1"),
        ("ask O'Brien about the lease", "O’Brien"),
        ("meet at Café Zoé", "cafe zoe"),
        ("order ＡＢＣ１２３ arrived", "abc123"),
    ],
)
def test_exact_things_are_found(shelf, kept, asked):
    """Error codes, file names, functions, versions, task ids and names, however they are spelled."""
    shelf.remember(kept)
    assert best(shelf, asked) == kept


@pytest.mark.seed("S0.070")
@pytest.mark.parametrize("asked", ["Miso", "is fond of", "salmon"])
def test_subject_predicate_and_object_are_found(shelf, asked):
    """A fact answers to each of its three parts."""
    shelf.remember("", subject="Miso", predicate="is fond of", object="salmon")
    assert best(shelf, asked) == "Miso is fond of salmon"


@pytest.mark.seed("S4.036", "S1.112")
def test_an_answer_cites_its_line(memory, root):
    """Every hit says in which file and on which lines it stands."""
    memory.remember("the cat is called Miso")
    memory.remember("the dog is called Rex")
    found = memory.search("Rex")
    hit = found.hits[0]
    path, _, line = hit.passage.cite.partition("#L")
    said = json.loads((root / path).read_text().splitlines()[int(line) - 1])
    assert said["text"] == "the dog is called Rex"


@pytest.mark.seed("S4.036", "S4.001")
def test_notes_are_found_with_their_lines(memory, root):
    """What a person writes in Markdown is found at once, with path and lines."""
    write(
        root,
        "notes/semantic/house.md",
        "# House\n#tags: home\n\nintro\n\n## Boiler\n\nThe boiler code is 4711.\n",
    )
    found = memory.search("boiler code")
    passage = found.hits[0].passage
    assert (passage.path, passage.first_line <= 8 <= passage.last_line) == ("notes/semantic/house.md", True)


@pytest.mark.seed("S0.005")
def test_memory_survives_a_move_to_another_machine(memory, root, tmp_path):
    """Copying the folder without its index copies the memory."""
    import shutil

    memory.remember("the cat is called Miso")
    memory.search("cat")
    shutil.copytree(root, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("index", "state"))
    with open_memory(str(tmp_path / "elsewhere"), environment=PLAIN) as moved:
        assert best(moved, "cat") == "the cat is called Miso"


# What is not known is not invented


@pytest.mark.seed("S1.112", "C-27", "F-30")
@pytest.mark.parametrize("asked", ["submarine zeppelin", "潜水艇", "", "   ", "???", "the of and"])
def test_what_is_not_known_is_said_so(shelf, asked):
    """No evidence: `not_in_memory_db` and no hits."""
    found = shelf.search(asked)
    assert (found.verdict, found.hits) == (Verdict.NOT_IN_MEMORY, ())


def test_an_empty_memory_knows_nothing(memory):
    """A new root answers every question the same way."""
    assert memory.recall("anything").verdict is Verdict.NOT_IN_MEMORY


# Words are words


@pytest.mark.parametrize(
    "asked",
    [
        'miso" OR "1"="1',
        "miso AND NOT cat",
        "NEAR(miso cat, 3)",
        "terms: miso",
        "miso*",
        "^miso",
        "-miso",
        "+miso",
        "(miso",
        '"',
        "'; DROP TABLE passages; --",
        "{miso}",
        "miso\0cat",
        "miso \ud83d",
        "\\",
        "%",
        "_",
    ],
)
def test_operators_are_only_words(memory, asked):
    """Nothing in a question reaches the search engine as syntax."""
    memory.remember("the cat is called Miso")
    found = memory.search(asked)
    met = [hit.passage.text for hit in found.hits or found.near]
    assert ("Miso" in " ".join(met)) == ("miso" in asked)


def naughty():
    if not os.path.exists(BLNS):
        return []
    with open(BLNS, encoding="utf-8") as file:
        return [text for text in json.load(file) if text.strip()]


@pytest.mark.skipif(not os.path.exists(BLNS), reason="the list of naughty strings is not here")
def test_naughty_strings_break_nothing(memory):
    """Every string of the big list can be kept, asked for, and is given back unchanged; hidden text waits for its owner."""
    from memoracle.errors import InvalidDraft
    from memoracle.learn.draft import make_draft

    kept = {}
    for text in naughty():
        try:
            kept[text] = make_draft(text)
        except InvalidDraft:
            continue
    receipts = memory.remember_many(list(kept.values()))
    said = {receipt.id: text for receipt, text in zip(receipts, kept, strict=True) if receipt.created}
    everything = Filters(statuses=("active", "quarantined"))
    held = {hit.passage.ref: hit.passage.text for hit in memory.list(limit=10_000, filters=everything)}
    waiting = {receipt.id for receipt in receipts if receipt.status is Status.QUARANTINED}
    assert (held, len(waiting) < 10) == (said, True)
    for text in naughty():
        found = memory.search(text)
        assert all(hit.score > 0 for hit in found.hits)


# Relevance first


@pytest.mark.seed("F-04", "S0.074")
def test_an_exact_hit_that_has_faded_beats_a_lively_stranger(shelf, clock):
    """Relevance decides; activation only settles near ties."""
    shelf.remember("the vault code is QX-7734", importance=0.1)
    clock.move(days=150)
    shelf.remember("the vault is painted green", importance=1.0)
    assert best(shelf, "QX-7734") == "the vault code is QX-7734"


@pytest.mark.seed("F-04")
def test_an_exact_name_is_never_outweighed_by_words(shelf, clock):
    """A record that is named by its id comes first, however many words another one shares with the question."""
    weak = shelf.remember("nothing in common", importance=0.0, channel="external")
    clock.move(days=400)
    shelf.remember("quokka marmalade gondola trombone saffron lantern", importance=1.0)
    question = f"{weak.id} quokka marmalade gondola trombone saffron lantern"
    assert best(shelf, question) == "nothing in common"


@pytest.mark.seed("F-50")
def test_better_matches_score_higher(shelf):
    """Two hits of different quality have different scores, the better one first."""
    shelf.remember("saffron trombone gondola")
    shelf.remember("saffron lantern kettle pillow curtain carpet window basement")
    found = shelf.search("saffron trombone gondola")
    hits = found.hits
    assert (hits[0].passage.text, hits[0].score > hits[1].score) == ("saffron trombone gondola", True)


# Time


@pytest.mark.seed("S0.044", "S0.048", "F-45", "S0.072")
def test_a_faded_record_is_marked_and_never_hidden(memory, clock):
    """Below 0.15 it is told as long unused: to a question, to a wide one, and by its exact name."""
    said = clock.now
    memory.remember("perhaps she prefers oolong", kind="belief", importance=0.0, entities=["Mei"])
    clock.move(days=27)
    assert [hit.unused_since for hit in memory.search("oolong").hits] == [None]
    clock.move(days=1)
    for asked, filters in (("oolong", None), ("oolong", WIDE), ("Mei", None)):
        (hit,) = memory.search(asked, filters=filters).hits
        assert (hit.passage.text, hit.unused_since) == ("perhaps she prefers oolong", said)


@pytest.mark.seed("F-41", "S2.046")
@pytest.mark.parametrize(
    "fields", [{"kind": "health"}, {"kind": "identity"}, {"kind": "safety"}, {"pinned": True}]
)
def test_what_must_not_be_forgotten_is_there_after_ten_years(memory, clock, fields):
    """Health, identity, safety and pinned records never leave the live set."""
    memory.remember("我对花生过敏", **fields)
    clock.move(days=3650)
    assert best(memory, "花生") == "我对花生过敏"


@pytest.mark.seed("F-01", "S0.124", "S2.044")
@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_upkeep_does_not_age_anything(root, clock, rounds):
    """Thirty days with upkeep never, once or five times a day: the activation is one half."""
    (root / "memoracle.toml").write_text('profile = "vm-oracle"\n')
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.remember("the cat is called Miso")
        for _ in range(30):
            clock.move(days=1)
            for _ in range(rounds):
                memory.fold()
                memory.check()
                memory.search("cat")
        assert memory.list()[0].activation == pytest.approx(0.5, abs=1e-6)


@pytest.mark.seed("S0.043", "S0.073")
def test_recall_strengthens_what_it_hands_over(root, clock):
    """+0.3 at that moment, once a day, never above 1; the anchor is then."""
    (root / "memoracle.toml").write_text('profile = "vm-oracle"\n')
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.remember("the cat is called Miso")
        clock.move(days=60)
        for _ in range(5):
            memory.recall("cat")
        assert memory.list()[0].activation == pytest.approx(0.55, abs=1e-6)
        clock.move(days=30)
        assert memory.list()[0].activation == pytest.approx(0.275, abs=1e-6)


@pytest.mark.seed("F-03")
def test_search_leaves_every_file_alone(memory, root, clock):
    """Not a byte outside the index changes."""
    memory.remember("the cat is called Miso")
    before = contents(root)
    clock.move(days=10)
    memory.search("cat")
    memory.search("nothing like it")
    memory.list()
    memory.status()
    assert contents(root) == before


@pytest.mark.seed("F-02")
def test_a_superseded_fact_cannot_be_kept_alive(memory, clock):
    """A year of daily recalls of what no longer holds leaves it out of default answers."""
    old = memory.remember("she lives in Boston")
    memory.supersede(old.id, "she lives in Hangzhou", pinned=True)
    for _ in range(365):
        clock.move(days=1)
        memory.recall("Boston", filters=WIDE)
    assert texts(memory.search("lives in Boston Hangzhou")) == ["she lives in Hangzhou"]


def test_what_has_expired_is_not_strengthened(memory, root, clock):
    """A wide recall may hand an expired record over, but leaves no receipt for it."""
    memory.remember("the parking permit is valid", expires=clock.now)
    clock.move(days=1)
    found = memory.recall("parking permit", filters=WIDE)
    assert texts(found) == ["the parking permit is valid"]
    assert not list((root / "usage").glob("*.jsonl"))


def test_what_has_expired_can_be_remembered_again(memory, clock):
    """Saying it anew after it ended makes it findable again; nothing acknowledged is out of reach."""
    memory.remember("the parking permit is valid", expires=clock.now)
    clock.move(days=30)
    memory.remember("the parking permit is valid")
    assert best(memory, "parking permit") == "the parking permit is valid"


def test_what_has_expired_is_left_out(memory, clock):
    """After its expiry a record leaves default answers by itself."""
    memory.remember("the parking permit is valid", expires=clock.now)
    assert best(memory, "parking permit") is None


@pytest.mark.seed("F-49")
def test_as_of_answers_with_what_was_known_then(memory, clock):
    """Before the move, on the day, and after it."""
    old = memory.remember("she lives in Boston")
    first = clock.now
    clock.move(days=30)
    memory.supersede(old.id, "she lives in Hangzhou")
    clock.move(days=30)
    memory.fold()
    answers = [
        texts(memory.search("she lives in", filters=Filters(as_of=moment)))
        for moment in (clock.ago(days=61), first, clock.ago(days=31), clock.now)
    ]
    assert answers == [[], ["she lives in Boston"], ["she lives in Boston"], ["she lives in Hangzhou"]]


def test_as_of_gives_old_words(memory, clock):
    """An edited record says then what it said then."""
    made = memory.remember("the port is 5432")
    then = clock.now
    clock.move(days=1)
    memory.edit(made.id, text="the port is 6000")
    assert texts(memory.search("port", filters=Filters(as_of=then))) == ["the port is 5432"]


def test_as_of_leaves_out_what_had_expired_by_then(memory, clock):
    """What was no longer valid at that moment is no answer for it."""
    memory.remember("the parking permit is valid", expires=clock.now)
    clock.move(days=10)
    assert texts(memory.search("parking permit", filters=Filters(as_of=clock.now))) == []


# Narrowing


@pytest.mark.seed("S4.088")
@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(scope=Scope(project="arena")), {"alpha"}),
        (Filters(kinds=("decision",)), {"beta"}),
        (Filters(tags=("red",)), {"gamma"}),
        (Filters(speaker="mei"), {"delta"}),
        (Filters(channel="external"), {"epsilon"}),
        (Filters(session="s1"), {"zeta"}),
        (Filters(tags=("re",)), set()),
        (Filters(), {"alpha", "beta", "gamma", "delta", "epsilon", "zeta"}),
    ],
)
def test_filters_are_part_of_the_question(memory, filters, expected):
    """Project, kind, tag, speaker, channel and session narrow an answer exactly."""
    said = {
        "alpha": {"project": "arena"},
        "beta": {"kind": "decision"},
        "gamma": {"tags": ["red"]},
        "delta": {"who": "Mei"},
        "epsilon": {"channel": "external"},
        "zeta": {"session": "s1"},
    }
    for word, fields in said.items():
        memory.remember(f"{word} common", **fields)
    found = memory.search("common", filters=filters)
    assert {text.split()[0] for text in texts(found)} == expected


def test_since_and_until_compare_instants(memory, clock):
    """Both ends are inside."""
    for number in range(5):
        memory.remember(f"number {number} common")
        clock.move(days=1)
    window = Filters(since=clock.ago(days=4), until=clock.ago(days=2))
    assert sorted(texts(memory.search("common", filters=window))) == [f"number {n} common" for n in (1, 2, 3)]


def test_the_limit_is_kept(shelf):
    """No more answers than asked for."""
    assert len(texts(shelf.search("the kitchen needs item", limit=3))) == 3


def test_every_stage_leaves_a_line(memory):
    """The trace tells what each stage did."""
    memory.remember("the cat is called Miso")
    stages = {note.stage for note in memory.search("cat").trace}
    assert len(stages) >= 3


@pytest.mark.seed("S0.075")
@pytest.mark.parametrize("recipe", ["quick", "balanced"])
def test_a_fact_stands_before_a_note_that_says_the_same(memory, root, recipe):
    """A record that is alive and trusted beats raw daily text when both answer."""
    write(root, "notes/daily/2026-05-14.md", "# 2026-05-14\n\nthe boiler code is 4711\n")
    kept = memory.remember("the boiler code is 4711")
    assert memory.search("what is the boiler code?", recipe=recipe).hits[0].passage.ref == kept.id


def test_a_narrow_filter_reaches_the_vector_leg(memory):
    """However many others stand nearer, what fits the filter is proposed."""
    memory.remember("the cat is called Miso", project="home")
    for number in range(30):
        memory.remember(f"the cat of neighbour {number} is called Tom")
    found = memory.search(
        "the name of the cat", recipe="balanced", filters=Filters(scope=Scope(project="home"))
    )
    assert [hit.passage.text for hit in (*found.hits, *found.near)] == ["the cat is called Miso"]
