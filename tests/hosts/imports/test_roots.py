"""Whole directories of the five designs, and which reader a source gets."""

import json

import pytest

from memoracle.errors import BadInput
from memoracle.extensions.exchange.imports.recognise import ImportShape, locate, read_source, recognise
from memoracle.model.record import Channel, Kind, Status
from support.files import write

FACT = {
    "id": "fact-3f2b9c1e",
    "subject": "deployment project",
    "predicate": "started_on",
    "object": "2026-05-15",
    "source": "user-stated",
    "created": "2026-05-15T14:30:00Z",
    "activation": 1.0,
}
PAGE = {
    "schema_version": 1,
    "kind": "decision",
    "id": "decision-arena-1a2b3c4d",
    "project": "arena",
    "author": "memory",
    "ts": "2026-05-09T10:00:00+08:00",
    "title": "Use SQLite",
    "body": "索引由文件重建。",
    "confidence": "high",
    "source": "write_api",
}
JOURNAL = {
    "issue_id": "0b1c",
    "ts": "2026-05-10T00:00:00Z",
    "task_id": "ARENA-1",
    "project": "arena",
    "seat": "planner",
    "kind": "decision",
    "title": "Ship on Friday",
    "status": "open",
    "detail": "周五发布",
    "reason": "the customer waits",
}


def lines(*documents):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in documents)


def vm_oracle(root):
    write(root, "knowledge-graph/facts.jsonl", lines(FACT) + "{torn")
    cold = FACT | {
        "id": "fact-old",
        "object": "2020-01-01",
        "created": "2020-01-01T00:00:00Z",
        "activation": 0.04,
    }
    write(root, "knowledge-graph/archived-facts.jsonl", lines(cold))
    known = {"fact-3f2b9c1e": {"activation": 0.6, "last_accessed": "2026-06-01T00:00:00Z"}}
    write(root, "activation-metadata.json", json.dumps(known))
    write(root, "daily/2026-05-15.md", "# 2026-05-15\n\n项目启动\n")


def v4(root):
    write(root, "MEMORY.md", "# Memory\n\n## Active Decisions\n\n- 用 PostgreSQL\n")
    write(root, "memory/episodic/2026-05-01.md", "# 2026-05-01\n\nmoved house\n")
    write(root, "memory/archive/2025/12/2025-12-24.md", "# 2025-12-24\n\nold day\n")
    write(root, "memory/semantic/infrastructure.md", "# Infrastructure\n#tags: network\n\ndb at 10.0.0.5\n")
    write(root, ".learnings/ERRORS.md", "# Errors\n\nnever use dd\n")
    write(root, "SOUL.md", "be kind\n")


def clawseat(root):
    write(root, "projects/arena/decisions/decision-arena-1a2b3c4d.json", json.dumps(PAGE, ensure_ascii=False))
    write(root, "projects/arena/decision/0b1c.json", json.dumps(JOURNAL, ensure_ascii=False))
    write(root, "projects/arena/reviewer/findings/slow.md", "---\nkind: finding\n---\n页面太慢\n")
    write(
        root,
        "shared/patterns/p.json",
        json.dumps(PAGE | {"kind": "pattern", "id": "pattern-1", "project": "_shared"}),
    )
    write(root, "old-flat.json", json.dumps(PAGE | {"id": "decision-flat", "title": "Flat"}))
    write(root, "machine/credentials.json", '{"keys": {"TOKEN": {"value": "x"}}}')
    write(root, "index.json", "{}")
    write(root, "projects/arena/finding/bad.json", '{"hello": 1}')


def openclaw(root):
    write(root, "MEMORY.md", "# Memory\n\n## Preferences\n\n- 回答要短\n")
    write(root, "USER.md", "<!-- observed: 2026-08-02 | status: active -->\n\n- Prefer metric units.\n")
    write(root, "memory/2026-05-02.md", "# 2026-05-02\n\nmet Mei\n")
    write(root, "memory/2026-05-02-standup.md", "# standup\n\nplans\n")
    write(root, "memory/.dreams/short-term-recall.json", "{}")


def held_in(root):
    shape = recognise(str(root))
    held = read_source(str(root), shape)
    return shape, held


@pytest.mark.seed("F-15", "C-10", "C-11")
def test_vm_oracle(tmp_path):
    """Facts with their activation, archived ones archived, days as notes; a torn line costs itself."""
    vm_oracle(tmp_path)
    shape, held = held_in(tmp_path)
    live, cold = held.pieces

    assert shape is ImportShape.SEED_LAYOUT
    assert (live.foreign, live.draft.statement.object, live.status) == (
        "fact-3f2b9c1e",
        "2026-05-15",
        Status.ACTIVE,
    )
    assert live.draft.weight.anchor.value == 0.6
    assert (cold.foreign, cold.status) == ("fact-old", Status.ARCHIVED)
    assert [(s.day, s.text) for s in held.sheets] == [("2026-05-15", "# 2026-05-15\n\n项目启动\n")]
    assert [(f.code, f.path, f.line) for f in held.findings] == [
        ("not-imported", "knowledge-graph/facts.jsonl", 2)
    ]


@pytest.mark.seed("F-15", "C-10")
def test_v4(tmp_path):
    """Notes stay notes, each in its role; MEMORY.md is read piece by piece; SOUL.md is its owner's."""
    v4(tmp_path)
    _, held = held_in(tmp_path)

    assert [(p.draft.statement.text, p.draft.kind) for p in held.pieces] == [("用 PostgreSQL", Kind.DECISION)]
    assert {(s.role.value, s.day or s.name, s.archived) for s in held.sheets} == {
        ("daily", "2026-05-01", False),
        ("daily", "2025-12-24", True),
        ("semantic", "infrastructure", False),
        ("procedural", "ERRORS", False),
    }
    assert [f.path for f in held.findings] == ["SOUL.md"]


@pytest.mark.seed("F-15", "C-10", "C-21", "C-22", "S1.047")
def test_clawseat(tmp_path):
    """Records of both spellings, journals of seats and old flat files; what scanners saw of a machine stays there."""
    clawseat(tmp_path)
    _, held = held_in(tmp_path)
    told = {piece.foreign: piece for piece in held.pieces}

    assert told.keys() == {"decision-arena-1a2b3c4d", "0b1c", "pattern-1", "decision-flat"}
    assert told["decision-arena-1a2b3c4d"].draft.scope.project == "arena"
    assert told["0b1c"].draft.statement.text == "Ship on Friday\n\n周五发布\n\nthe customer waits"
    (sheet,) = held.sheets
    assert (sheet.project, sheet.seat, sheet.name) == ("arena", "reviewer", "findings-slow")
    assert {f.path for f in held.findings} == {"machine", "projects/arena/finding/bad.json"}


@pytest.mark.seed("F-15", "C-10")
def test_openclaw(tmp_path):
    """MEMORY.md and USER.md are pieces, days and dumps are notes, dreams are passed over."""
    openclaw(tmp_path)
    shape, held = held_in(tmp_path)

    assert shape is ImportShape.OPENCLAW
    assert [(p.draft.statement.text, p.draft.origin.channel) for p in held.pieces] == [
        ("回答要短", Channel.AGENT),
        ("Prefer metric units.", Channel.AGENT),
    ]
    assert [(s.day, s.name) for s in held.sheets] == [("2026-05-02", "standup"), ("2026-05-02", "")]


@pytest.mark.parametrize(
    ("path", "text", "shape"),
    [
        ("MEMORY.md", "- tea\n", ImportShape.MARKDOWN),
        ("m.jsonl", '{"type":"entity","name":"x"}\n', ImportShape.MCP),
        ("m.json", '[{"memory": "tea"}]', ImportShape.MEM0),
        ("m.json", '{\n "results": []\n}', ImportShape.MEM0),
        ("facts.jsonl", lines(FACT), ImportShape.SEED_LAYOUT),
        ("records.jsonl", '{"schema":1,"id":"mem_1"}\n', ImportShape.MEMORACLE),
    ],
)
def test_files_are_recognised(tmp_path, path, text, shape):
    """By their names and first lines."""
    assert recognise(str(write(tmp_path, path, text))) is shape


@pytest.mark.parametrize(
    ("path", "text", "shape"),
    [
        ("projects/-home-x/memory/user_a.md", "x\n", ImportShape.CLAUDE_CODE),
        ("memories/memory_summary.md", "x\n", ImportShape.CODEX),
        ("notes.md", "- [fact] tea is green\n", ImportShape.BASIC_MEMORY),
        ("layer2/active/facts.jsonl", "", ImportShape.SEED_LAYOUT),
        ("memoracle.toml", 'layout = "native"\n', ImportShape.MEMORACLE),
        ("anything.md", "hello\n", ImportShape.MARKDOWN),
    ],
)
def test_folders_are_recognised(tmp_path, path, text, shape):
    """By what stands in them."""
    write(tmp_path, path, text)
    assert recognise(str(tmp_path)) is shape


def test_what_nobody_knows_is_said(tmp_path):
    """With the shapes one can name."""
    write(tmp_path, "a.bin", b"\0\1")
    with pytest.raises(BadInput, match="nobody here reads"):
        recognise(str(tmp_path / "a.bin"))


def test_hosts_are_found_by_name(tmp_path):
    """Where each keeps its memory, or where its environment says."""
    write(tmp_path, ".codex/memories/memory_summary.md", "x\n")
    write(tmp_path, "elsewhere/projects/p/memory/user_a.md", "x\n")
    surroundings = {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}

    assert locate("codex", home=str(tmp_path), environment={}) == str(tmp_path / ".codex")
    assert locate("claude-code", home=str(tmp_path), environment=surroundings) == str(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="nothing at openclaw"):
        locate("openclaw", home=str(tmp_path), environment={})


def test_links_are_not_followed(tmp_path):
    """A link inside a source is left alone, and told."""
    outside = write(tmp_path, "outside.md", "- private\n")
    root = tmp_path / "root"
    write(root, "memory/2026-05-02.md", "# day\n\nx\n")
    (root / "MEMORY.md").symlink_to(outside)
    held = read_source(str(root), ImportShape.OPENCLAW)

    assert held.pieces == ()
