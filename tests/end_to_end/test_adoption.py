"""Directories of the five designs, adopted in place: what their programs kept is theirs until the owner says otherwise."""

import fnmatch
import json
import os
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from support.processes import PYTHON, surroundings

NOW = datetime.now(UTC)
ALLERGY = "What is the user allergic to?"
pytestmark = pytest.mark.long

LATER = """
import sys
from datetime import timedelta
import memoracle.times
today = memoracle.times.system_clock
memoracle.times.system_clock = lambda: today() + timedelta(days=int(sys.argv[1]))
from memoracle.interfaces.cli import main

sys.exit(main(sys.argv[2:]))
"""


def ago(days):
    return (NOW - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def lines(*objects):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)


def triple(name, subject, predicate, value, created, activation=1.0):
    return {
        "id": f"fact-{name}", "subject": subject, "predicate": predicate, "object": value, "source": "user-stated",
        "created": ago(created), "activation": activation,
    }  # fmt: skip


def content(name, text, score, created, importance=0.5):
    return {
        "id": f"f_{name}", "content": text, "importance": importance, "score": score, "entities": [],
        "created": ago(created), "source": "manual",
    }  # fmt: skip


def vm_oracle():
    old = [
        triple("a1", "user", "is_allergic_to", "penicillin", 1100),
        triple("a2", "用户", "对…过敏", "花生", 1000),
        triple("a3", "gateway", "listens_on_port", "8443", 900),
        triple("a4", "printer", "stands_in", "room 4", 800),
        *(triple(f"b{i}", "cluster", "has_node", f"node {i}", 400 + i) for i in range(5)),
    ]
    side = {one["id"]: {"activation": 0.95, "last_accessed": ago(1)} for one in old}
    side["fact-a4"] = {"activation": 0.03, "last_accessed": ago(150)}
    return {
        "knowledge-graph/facts.jsonl": lines(*old),
        "knowledge-graph/archived-facts.jsonl": lines(
            triple("z1", "lift", "stops_at", "floor 9", 1200, 0.01)
        ),
        "activation-metadata.json": json.dumps(side),
        "daily/2024-02-01.md": "# 2024-02-01\n\n- The lift was mended.\n",
        "embeddings/metadata.jsonl": "{}\n",
        "health.json": '{"status": "healthy"}',
        "MEMORY.md": "# Memory\n\nThe gateway moved to port 8443. It is behind nginx.\n",
    }


def memory_system():
    facts = [
        content("20240101_aaaaaa", "用户对花生过敏", 0.9, 700, 1.0),
        content("20240102_bbbbbb", "The user is allergic to penicillin.", 0.9, 690, 1.0),
        content("20240103_cccccc", "The gateway listens on port 8443.", 0.8, 680),
        content("20240104_dddddd", "The printer stands in room 4.", 0.03, 650),
    ]
    return {
        "layer1/snapshot.md": "# 工作记忆\n\n## 身份\n手写的一节。\n",
        "layer2/active/facts.jsonl": lines(*facts),
        "layer2/active/beliefs.jsonl": "",
        "layer2/active/summaries.jsonl": "",
        "layer2/archive/facts.jsonl": lines(
            content("20230101_eeeeee", "The lift stops at floor 9.", 0.01, 900)
        ),
        "layer2/entities/_index.json": "{}",
        "layer2/index/keywords.json": '{"printer": ["f_20240104_dddddd"]}',
        "state/consolidation.json": json.dumps({"last_run": ago(1), "last_success": ago(1), "mine": 1}),
        "state/rankings.json": "{}",
        "config.json": "{}",
    }


def v4():
    return {
        "MEMORY.md": "# Memory\n\n- The owner's own line.\n",
        "memory/episodic/2024-05-01.md": "# 2024-05-01\n\n- Decision: we deploy on Thursdays.\n",
        f"memory/episodic/{ago(1)[:10]}.md": "- The gateway moved to port 8443.\n",
        "memory/semantic/preferences.md": f"# Preferences\nlast_verified: {ago(3)[:10]}\n\n"
        "- The user is allergic to penicillin.\n",
        "memory/procedural/lessons-learned.md": "# Lessons\n\n- Stop coturn before the upgrade.\n",
        "memory/working-buffer.md": "# Working buffer\n\n- half a thought\n",
        "memory/archive/2023/05/2023-05-02.md": "# 2023-05-02\n\n- Long ago.\n",
    }


def clawseat():
    header = "---\nkind: finding\nauthor: memory\nts: 2025-01-02T03:04:05Z\ntitle: Allergy\n---\n"
    return {
        "index.json": '{"pages": 1}',
        "events.log": '{"ts": "2025-01-02T03:04:05Z", "event": "write"}\n',
        "projects/arena/memory/finding-1.md": header
        + "\nThe user is allergic to penicillin. See [[decision-1]].\n",
        "projects/arena/memory/decision-1.md": header.replace("finding", "decision")
        + "\nWe keep REST for the public API.\n",
        "projects/arena/_index/by_kind.json": "{}",
        "_links/projects__arena__memory__finding-1.jsonl": "{}\n",
        "machine/openclaw.json": '{"version": "1"}',
    }


def openclaw():
    return {
        "SOUL.md": "# Soul\n\nKind.\n",
        "AGENTS.md": "# Agents\n",
        "MEMORY.md": "# Memory\n\n- The user is allergic to penicillin.\n",
        "memory/2024-01-05.md": "W the user moved the gateway to port 8443.\n",
        f"memory/{ago(1)[:10]}.md": "O(c=0.7) the user likes dark mode.\n",
    }


DESIGNS = {
    "vm-oracle": vm_oracle, "memory-system": memory_system, "v4": v4, "clawseat": clawseat, "openclaw": openclaw,
}  # fmt: skip
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


class Adopter:
    """Somebody with a directory of one of the designs."""

    def __init__(self, folder, files):
        self.root, self.home = folder / "theirs", folder / "home"
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for path in (self.root / name for name in files):
            os.utime(path, times=(NOW.timestamp() - 3600,) * 2)
        self.found = self.tree()

    def memoracle(self, *words, days=0, ok=(0,), given=""):
        ran = subprocess.run(
            [PYTHON, "-c", LATER, str(days), "--root", str(self.root), *words],
            capture_output=True, text=True, check=False, timeout=120, input=given,
            env=surroundings(HOME=str(self.home), TZ="UTC"),
        )  # fmt: skip
        assert ran.returncode in ok, ran.stdout + ran.stderr
        return ran.stdout

    def json(self, *words, **how):
        return json.loads(self.memoracle(*words, "--json", **how))

    def tree(self):
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}

    def nights(self, first, last):
        for night in range(first, last + 1):
            self.memoracle("tend", days=night)


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
def test_a_directory_one_level_below_is_not_passed_by(tmp_path, layout):
    """In the folder that holds `memory/` nothing is made beside it: the person is told which folder to name."""
    one = Adopter(tmp_path, {f"memory/{name}": text for name, text in DESIGNS[layout]().items()})
    said = one.json("init", ok=(2,))
    assert (layout in said["error"]["message"], f"{one.root}/memory" in said["error"]["hint"]) == (True, True)
    assert one.tree() == one.found
    assert one.json("init", "--layout", "native")["layout"] == "native"


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
