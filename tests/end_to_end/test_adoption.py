"""Directories of the five designs, adopted in place: what their programs kept is theirs until the owner says otherwise."""

import fnmatch
import json

import pytest

from support.designs import DESIGNS, Adopter, ago

ALLERGY = "What is the user allergic to?"
pytestmark = pytest.mark.long

OURS = (".memoracle/*", "memoracle.toml", ".gitattributes", ".gitignore", "MEMORY.md")
DERIVED = {
    "vm-oracle": ("knowledge-graph/entities.jsonl", "knowledge-graph/relations.jsonl"),
    "memory-system": ("layer2/entities/*", "layer2/index/*"),
    "v4": (),
    "clawseat": ("_links/*", "_backlinks/*", "projects/*/_index/*"),
    "openclaw": (),
}
"""Documents of a design that upkeep derives where there are none; docs/concepts/hot-file.md lists them."""
STATUS = {"vm-oracle": ("health.json",), "memory-system": ("state/consolidation.json",)}
"""What every run of the design itself replaces: how the last run went."""
GROWS = {"clawseat": ("events.log",)}


@pytest.fixture
def adopter(tmp_path):
    return lambda layout: Adopter(tmp_path, DESIGNS[layout]())


@pytest.mark.parametrize("layout", DESIGNS)
def test_three_nights_change_nothing_of_theirs(adopter, layout):
    """Only our own places, one generated block and derived documents that were missing; every byte of theirs stays."""
    one = adopter(layout)
    said = one.json("init")
    assert (said["layout"], "adopted" in said) == (layout, True)
    assert {name: text for name, text in one.tree().items() if name in one.found} == one.found
    assert "penicillin" in one.memoracle("recall", ALLERGY)

    one.nights(1, 3)

    after = one.tree()
    assert sorted(one.found.keys() - after.keys()) == []
    added = sorted(after.keys() - one.found.keys())
    allowed = (*OURS, *DERIVED[layout])
    assert [name for name in added if not any(fnmatch.fnmatch(name, mine) for mine in allowed)] == []
    changed = {name for name in one.found if after[name] != one.found[name]}
    assert changed - {"MEMORY.md", *STATUS.get(layout, ()), *GROWS.get(layout, ())} == set()
    for name in changed & set(GROWS.get(layout, ())):
        assert after[name].startswith(one.found[name])
    if "MEMORY.md" in one.found:
        mine = after["MEMORY.md"].partition(b"<!-- memoracle:begin")[0]
        assert mine.strip() == one.found["MEMORY.md"].strip()
    assert "penicillin" in one.memoracle("recall", ALLERGY, days=3)


@pytest.mark.seed("F-41")
@pytest.mark.parametrize("layout", ["vm-oracle", "memory-system"])
def test_what_is_in_daily_use_stays_alive_however_old_it_is(adopter, layout):
    """Activation counts from the design's own numbers, what it archived is archived, and vital facts know that they are."""
    one = adopter(layout)
    one.memoracle("init")
    status = one.json("status")
    active = 9 if layout == "vm-oracle" else 4
    assert (status["active"], status["archived"]) == (active, 1)
    alive = {item["text"]: item for item in one.json("list", "--limit", "50")["items"]}
    kinds = {text: item["kind"] for text, item in alive.items() if "penicillin" in text or "花生" in text}
    assert set(kinds.values()) == {"health"}
    assert len(kinds) == 2
    assert "8443" in one.memoracle("recall", "Which port does the gateway listen on?")


@pytest.mark.seed("S0.019", "S0.022", "S0.023")
def test_the_files_of_the_first_design_are_used(adopter):
    """A new fact is in the day's note, MEMORY.md and `health.json` at the root; canaries are asked from their file."""
    one = adopter("vm-oracle")
    (one.root / "knowledge-graph/canary-facts.json").write_text(
        json.dumps([{"query": ALLERGY, "expected_contains": "penicillin"}]), encoding="utf-8"
    )
    one.memoracle("init")
    one.memoracle("remember", "The backup runs at four in the morning.")
    one.memoracle("tend")
    after = one.tree()
    today = [
        text.decode()
        for name, text in after.items()
        if name in {f"daily/{ago(0)[:10]}.md", f"daily/{ago(-1)[:10]}.md"}
    ]
    heads = ("Facts Learned", "Decisions Made", "Preferences Noted", "Action Items")
    assert [head for head in heads if f"## {head}" not in today[0]] == []
    assert "four in the morning" in today[0]
    assert "four in the morning" in after["MEMORY.md"].decode()
    said = json.loads(after["health.json"])
    assert (said["quality_probe"]["passed"], said["quality_probe"]["total"]) == (1, 1)


@pytest.mark.seed("S0.023")
def test_one_question_stands_for_all_that_looks_faded(adopter):
    """Nothing is archived until it is accepted; then the next run does it, and one fact can be fetched back."""
    one = adopter("vm-oracle")
    one.memoracle("init")
    one.nights(1, 2)
    [question] = one.json("inbox")["items"]
    assert question["matter"] == "adoption"
    assert "1 of 10 memories look faded" in question["proposal"]
    assert "fact-a4" in one.memoracle("consolidate", "--dry-run", days=2)
    assert one.json("status")["archived"] == 1

    one.memoracle("accept", question["id"])
    one.nights(3, 3)
    assert one.json("inbox")["items"] == []
    assert one.json("status")["archived"] == 2
    after = one.tree()
    assert b"room 4" not in after["knowledge-graph/facts.jsonl"]
    assert b"room 4" in after["knowledge-graph/archived-facts.jsonl"]
    assert set(json.loads(after["activation-metadata.json"])) >= {"fact-a1", "fact-a3"}
    assert "penicillin" in one.memoracle("recall", ALLERGY, days=3)
    assert {name for name in after if name.startswith("daily/")} <= {"daily/2024-02-01.md"}


def test_a_no_is_final(adopter):
    """Turned down, what was adopted stays as it is and is not asked about again."""
    one = adopter("memory-system")
    one.memoracle("init")
    one.nights(1, 1)
    [question] = one.json("inbox")["items"]
    one.memoracle("reject", question["id"])
    one.nights(2, 3)
    assert one.json("inbox")["items"] == []
    assert one.tree()["layer2/active/facts.jsonl"] == one.found["layer2/active/facts.jsonl"]
    assert one.tree()["layer1/snapshot.md"] == one.found["layer1/snapshot.md"]


def test_settings_written_by_hand_are_an_adoption_too(adopter):
    """Whoever writes the settings instead of `init` loses nothing to the first night either."""
    one = adopter("vm-oracle")
    (one.root / "memoracle.toml").write_text('layout = "vm-oracle"\n', encoding="utf-8")
    one.nights(1, 2)
    assert one.tree()["knowledge-graph/facts.jsonl"] == one.found["knowledge-graph/facts.jsonl"]
    assert one.json("status")["archived"] == 1


def test_a_directory_that_is_made_is_not_adopted(tmp_path):
    """A new memory in another design's layout is tended from the first night on."""
    one = Adopter(tmp_path, {})
    assert "adopted" not in one.json("init", "--layout", "v4")
    one.memoracle("remember", "The gateway listens on port 8443.", "--importance", "0")
    one.nights(1, 1)
    assert one.json("inbox")["items"] == []


@pytest.mark.seed("F-41")
def test_vital_triples_never_age_natively(tmp_path):
    """An allergy that was kept as subject, predicate and object is answered years later."""
    one = Adopter(tmp_path, {})
    one.memoracle("init")
    one.memoracle("remember", "--subject", "user", "--predicate", "allergic_to", "--object", "shellfish")
    one.memoracle("tend", days=1400)
    assert "shellfish" in one.memoracle("recall", ALLERGY, days=1400)


@pytest.mark.seed("S2.011")
def test_the_second_design_searches_what_is_active_and_keeps_the_rest_cold(tmp_path):
    """Facts, beliefs and summaries have a live file and a cold one each; what is put away is found only on demand."""
    one = Adopter(tmp_path, {})
    one.memoracle("init", "--layout", "memory-system")
    said = {
        "fact": "The gateway listens on port 8443",
        "belief": "The pump may be leaking",
        "summary": "Three trips to Rome",
    }
    for kind, text in said.items():
        kept = one.json("remember", text, "--type", kind)
        one.memoracle("archive", kept["id"])
        one.memoracle("remember", f"{text} today", "--type", kind)
    one.memoracle("fold")
    after = one.tree()
    for name, kind in (("facts", "fact"), ("beliefs", "belief"), ("summaries", "summary")):
        live = [json.loads(line) for line in after[f"layer2/active/{name}.jsonl"].splitlines()]
        cold = [json.loads(line) for line in after[f"layer2/archive/{name}.jsonl"].splitlines()]
        assert [row["text"] for row in live] == [f"{said[kind]} today"]
        assert {row["text"] for row in cold} == {said[kind]}
    found = [hit["text"] for hit in one.json("search", "gateway port")["hits"]]
    assert (f"{said['fact']} today" in found, said["fact"] in found) == (True, False)
    assert said["fact"] in [hit["text"] for hit in one.json("search", "gateway port", "--wide")["hits"]]


@pytest.mark.seed("S3.006")
def test_the_hot_file_keeps_to_sixty_lines_as_it_comes(tmp_path):
    """Nobody has set anything: of two hundred memories sixty lines are at hand, and they are loaded at every start."""
    one = Adopter(tmp_path, {})
    one.memoracle("init", "--layout", "v4")
    many = "".join(f"f{number}\n" for number in range(200))
    one.memoracle("remember", "--stdin", given=many)
    one.memoracle("consolidate")
    block = one.tree()["MEMORY.md"].decode().partition("<!-- memoracle:begin")[2].split("\n")
    inside = block[1 : next(at for at, line in enumerate(block) if "memoracle:end" in line)]
    assert 50 <= len(inside) <= 60


@pytest.mark.seed("S3.007")
def test_warm_notes_are_loaded_by_what_they_are_about(tmp_path):
    """Semantic and procedural notes wait where the design has them, and come by a tag or by the words of a prompt."""
    one = Adopter(
        tmp_path,
        {
            "memory/semantic/infrastructure.md": "# Infrastructure\n#tags: docker\n\n- The spare key lies under the blue pot.\n",
            "memory/procedural/upgrades.md": "# Upgrades\n#tags: coturn\n\n- Stop coturn before the upgrade.\n",
        },
    )
    one.memoracle("init", "--layout", "v4")
    for tag, words, path in (
        ("docker", "blue pot", "memory/semantic/infrastructure.md"),
        ("coturn", "Stop coturn", "memory/procedural/upgrades.md"),
    ):
        [hit] = one.json("search", "key upgrade pot", "--tag", tag)["hits"]
        assert (hit["path"], words in hit["text"]) == (path, True)
    assert "blue pot" in one.memoracle("context", "where is the spare key?")
    assert "blue pot" not in one.memoracle("context", ok=(0, 3))


@pytest.mark.parametrize("layout", ["vm-oracle", "memory-system", "clawseat"])
def test_a_directory_one_level_below_is_found(tmp_path, layout):
    """In the folder that holds `memory/` that is adopted, nothing is made beside it, and it is meant from there on."""
    one = Adopter(tmp_path, {f"memory/{name}": text for name, text in DESIGNS[layout]().items()})
    said = one.json("init")
    assert (said["root"], said["layout"]) == (f"{one.root}/memory", layout)
    after = one.tree()
    assert {name: after[name] for name in one.found} == one.found
    assert {name.partition("/")[0] for name in after} == {"memory"}
    assert "penicillin" in one.memoracle("recall", ALLERGY)


@pytest.mark.parametrize("layout", ["vm-oracle", "memory-system"])
def test_what_moves_in_is_as_alive_as_it_was(tmp_path, layout):
    """`import` reads the same numbers: the first night takes what had faded there, and nothing that was in use."""
    theirs = Adopter(tmp_path / "a", DESIGNS[layout]())
    one = Adopter(tmp_path / "b", {})
    one.memoracle("init")
    one.memoracle("import", str(theirs.root))
    one.nights(1, 1)
    gone = one.json("list", "--status", "archived", "--limit", "50")["items"]
    assert {words for item in gone for words in ("room 4", "floor 9") if words in item["text"]} == {
        "room 4",
        "floor 9",
    }
    assert len(gone) == 2
    assert "8443" in one.memoracle("recall", "Which port does the gateway listen on?", days=1)
    assert theirs.tree() == theirs.found
