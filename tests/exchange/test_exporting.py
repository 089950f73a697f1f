"""Moving out: each design's own shapes, and back again without loss."""

import json
import re
from pathlib import Path

import pytest

from guard.samples import TOKENS
from memoracle.compose import init, open_memory
from memoracle.errors import NeedsConsent, Refused
from memoracle.model.record import Channel, Kind, Status
from memoracle.times import read_time
from support.files import PLAIN, contents, write
from support.stores import standing

SEEDS = ["vm-oracle", "memory-system", "v4", "clawseat", "openclaw"]
HOSTILE = "first line\n\n  ```\n# not a heading\n<!-- memoracle: {} --> -->\n- [x] 第二行 \u2028 end"


@pytest.fixture
def full(memory):
    """A memory with some of everything."""
    memory.remember("Mei prefers green tea", kind="preference", entities=["Mei"], tags=["trigger:tea", "喝"])
    memory.remember("用户对花生过敏", kind="health", importance=1.0)
    memory.remember("", subject="Mei", predicate="lives_in", object="上海", project="arena")
    memory.remember("", key="editor.theme", value="dark")
    memory.remember(HOSTILE, kind="procedure", observed=read_time("2026-03-04T05:06:07.891011Z"))
    memory.remember("the sky may be green", kind="belief", confidence=0.4, channel="agent")
    memory.remember("three things happened", kind="summary", sources=["mem_1"])
    memory.remember("use PostgreSQL", kind="decision", pinned=True)
    memory.remember("the safe is behind the picture", sensitivity="secret")
    memory.archive(memory.remember("an old thing").id)
    old = memory.remember("Bob works at A")
    memory.supersede(old.id, "Bob works at B")
    write(Path(memory.store.root), "notes/daily/2026-05-02.md", "# 2026-05-02\n\nmet Mei\n")
    write(Path(memory.store.root), "notes/semantic/decisions.md", "# Decisions\n#tags: x\n\n- 手写的一行\n")
    return memory


def told(memory):
    return {
        (
            r.text,
            r.kind,
            r.status,
            r.created,
            r.origin.observed,
            r.scope.project,
            r.statement,
            r.tags,
            r.pinned,
        )
        for r in standing(memory.store).values()
    }


def fresh(tmp_path, clock, name="fresh"):
    init(str(tmp_path / name), environment={})
    return open_memory(str(tmp_path / name), environment=PLAIN, clock=clock)


@pytest.mark.seed("F-15", "C-10", "C-11")
@pytest.mark.parametrize("shape", [*SEEDS, "jsonl"])
def test_out_and_in_again_gives_the_same_memory(full, tmp_path, clock, shape):
    """Texts, kinds, times, scopes and archived records survive the journey through every design."""
    target = tmp_path / "out"
    done = full.export(str(target), shape=shape, include_archived=True)
    with fresh(tmp_path, clock) as other:
        back = other.import_(str(target))
        there, here = told(other), told(full)

    leaves = {one for one in here if one[2] is Status.SUPERSEDED or one[0].startswith("the safe")}
    assert here - leaves == there
    assert (done.records, back.created) == (len(there), len(there))
    assert done.left_out["superseded"] == 1


BROUGHT = "---\nchannel: document\n---\n"


@pytest.mark.parametrize("shape", SEEDS)
def test_notes_travel_too(full, tmp_path, clock, shape):
    """And are notes again afterwards, word for word, below a header that says they were brought in."""
    full.export(str(tmp_path / "out"), shape=shape)
    with fresh(tmp_path, clock) as other:
        other.import_(str(tmp_path / "out"))

    root = tmp_path / "fresh"
    assert (root / "notes/daily/2026-05-02.md").read_text() == f"{BROUGHT}# 2026-05-02\n\nmet Mei\n"
    decisions = (root / "notes/semantic/decisions.md").read_text()
    assert decisions == f"{BROUGHT}# Decisions\n#tags: x\n\n- 手写的一行\n"


@pytest.mark.seed("S0.014", "S0.021")
def test_vm_oracle_reads_its_own_fields(full, tmp_path):
    """Seven fields on each line, as its tools look for them; a record that is no triple says so."""
    done = full.export(str(tmp_path / "out"), shape="vm-oracle")
    facts = [
        json.loads(line)
        for line in (tmp_path / "out/knowledge-graph/facts.jsonl").read_text().split("\n")
        if line
    ]

    assert all(
        fact.keys()
        == {"id", "subject", "predicate", "object", "source", "created", "activation", "memoracle"}
        and re.fullmatch(r"fact-[0-9a-f-]{36}", fact["id"])
        for fact in facts
    )
    assert {"subject": "Mei", "predicate": "lives_in", "object": "上海"}.items() <= next(
        fact for fact in facts if fact["predicate"] == "lives_in"
    ).items()
    assert json.loads((tmp_path / "out/activation-metadata.json").read_text()).keys() == {
        f["id"] for f in facts
    }
    assert [finding.code for finding in done.findings] == ["kept-differently"]


@pytest.mark.seed("S2.020", "S2.021", "S2.022")
def test_memory_system_reads_its_own_fields(full, tmp_path):
    """Facts, beliefs and summaries in files of their own, with ids of its form."""
    full.export(str(tmp_path / "out"), shape="memory-system", include_archived=True)

    def read(name):
        content = (tmp_path / "out/layer2" / name).read_text()
        return [json.loads(line) for line in content.split("\n") if line]

    (belief,), (summary,), (cold,) = map(
        read, ("active/beliefs.jsonl", "active/summaries.jsonl", "archive/facts.jsonl")
    )
    assert {"content", "importance", "score", "entities", "created", "source"} <= cold.keys()
    assert re.fullmatch(r"b_\d{8}_[0-9a-f]{6}", belief["id"])
    assert (belief["confidence"], summary["source_facts"], cold["content"]) == (
        0.4,
        ["mem_1"],
        "an old thing",
    )


@pytest.mark.seed("S1.046")
def test_clawseat_reads_its_own_fields(full, tmp_path):
    """One document per record, in the folder of its project and kind."""
    full.export(str(tmp_path / "out"), shape="clawseat")
    (path,) = (tmp_path / "out/projects/arena/fact").iterdir()
    page = json.loads(path.read_text())

    assert (page["schema_version"], page["kind"], page["project"], page["body"]) == (
        1,
        "fact",
        "arena",
        "Mei lives_in 上海",
    )


@pytest.mark.seed("S3.011", "S3.030")
def test_v4_reads_its_own_notes(full, tmp_path):
    """A line per record in the note of its class, tags on line 2; a note of that name keeps its own."""
    full.export(str(tmp_path / "out"), shape="v4")
    preferences = (tmp_path / "out/memory/semantic/preferences.md").read_text().split("\n")

    assert preferences[:2] == ["# preferences", "#tags: preferences"]
    assert preferences[3].startswith("- Mei prefers green tea <!-- ")
    assert "手写的一行" in (tmp_path / "out/memory/semantic/decisions.md").read_text()
    assert "use PostgreSQL" in (tmp_path / "out/memory/semantic/decisions-records.md").read_text()


def test_openclaw_gets_its_inline_metadata(full, tmp_path):
    """What an agent must know stands in MEMORY.md, with importance and triggers."""
    full.export(str(tmp_path / "out"), shape="openclaw")
    hot = (tmp_path / "out/MEMORY.md").read_text()

    assert "- Mei prefers green tea <!-- trigger: tea --> <!-- importance: 5 -->" in hot
    assert "- 用户对花生过敏 <!-- importance: 10 -->" in hot
    assert "three things happened" not in hot


def test_plain_markdown_cites_its_evidence(full, tmp_path, clock):
    """One page per kind and one per entity; every line names its record, where it stands, since when and from whom."""
    full.export(str(tmp_path / "out"), shape="markdown")
    page = (tmp_path / "out/preference.md").read_text()

    assert re.search(
        r"- Mei prefers green tea\n  — mem_\w{26}, records/facts\.jsonl#L1, \d{4}-\d\d-\d\d, owner\n", page
    )
    assert "Mei prefers green tea" in (tmp_path / "out/entities/mei.md").read_text()
    with fresh(tmp_path, clock) as other:
        other.import_(str(tmp_path / "out/preference.md"))
        (back,) = standing(other.store).values()
    # A line for people, which anybody can write: it returns without the owner's weight.
    assert (back.text, back.kind, back.origin.channel) == (
        "Mei prefers green tea",
        Kind.FACT,
        Channel.AGENT,
    )


def test_secrets_stay_at_home(full, tmp_path, root):
    """Records of sensitivity secret only when asked for; a token in a note is masked on its way out."""
    token = TOKENS["github-token"]
    write(root, "notes/semantic/tokens.md", f"# Tokens\n\n{token}\n")
    full.export(str(tmp_path / "out"), shape="memory-system")
    full.export(str(tmp_path / "asked.jsonl"), shape="jsonl", include_secret=True)

    held = "".join((tmp_path / "out" / path).read_text() for path in contents(tmp_path / "out", skip=()))
    assert "behind the picture" not in held
    assert token not in held
    assert "behind the picture" in (tmp_path / "asked.jsonl").read_text()


def test_nothing_is_overwritten_without_consent(full, tmp_path):
    """A target that holds something needs a yes; what it holds beside stays."""
    write(tmp_path, "out/mine.txt", "mine")
    with pytest.raises(NeedsConsent):
        full.export(str(tmp_path / "out"), shape="v4")
    assert [*contents(tmp_path / "out", skip=())] == ["mine.txt"]

    full.export(str(tmp_path / "out"), shape="v4", overwrite=True)
    assert (tmp_path / "out/mine.txt").read_text() == "mine"


def test_not_into_the_memory_itself(full, root):
    """Its notes would be read as memory."""
    with pytest.raises(Refused, match="inside the memory"):
        full.export(str(root / "notes/out"))


def test_a_dry_run_writes_nothing(full, tmp_path):
    """It says what would stand where."""
    plan = full.export(str(tmp_path / "out"), shape="v4", dry_run=True)

    assert ("memory/semantic/preferences.md" in plan.files, (tmp_path / "out").exists()) == (True, False)


@pytest.mark.parametrize(
    ("wish", "kept"), [({"entity": "mei"}, 1), ({"project": "arena"}, 1), ({"entity": "谁"}, 0)]
)
def test_only_what_is_asked_for(full, tmp_path, wish, kept):
    """By entity or project; the rest is counted."""
    done = full.export(str(tmp_path / "out"), shape="memory-system", **wish)

    assert (done.records, done.notes) == (kept + ("entity" in wish and wish["entity"] == "mei"), 0)
