"""What coding agents keep by themselves: Claude Code's auto-memory and Codex's memories."""

import pytest

from memoracle.extensions.exchange.imports.rivals import read_claude, read_codex
from memoracle.model.record import Channel, Kind
from memoracle.times import read_time
from support.files import write

PNPM = """---
name: Prefers pnpm
description: Use pnpm, never npm, in this repo
type: feedback
modified: 2026-08-01T10:00:00Z
---
Use pnpm. **Why:** lockfile drift in May. **How to apply:** all install commands.
"""
NESTED = """---
name: 用户角色
description: 后端工程师
metadata:
  type: user
---
写 Go 十年，第一次接触前端。
"""


@pytest.fixture
def claude(tmp_path):
    memory = "projects/-home-mei-app/memory"
    write(tmp_path, f"{memory}/feedback_pnpm.md", PNPM)
    write(tmp_path, f"{memory}/user_role.md", NESTED)
    write(tmp_path, f"{memory}/project_broken.md", "---\nname: [\n---\nFreeze begins Thursday.\n")
    index = "- [Prefers pnpm](feedback_pnpm.md) — package manager rule\n- [Gone](gone.md) — the staging host is blue-2\n"
    write(tmp_path, f"{memory}/MEMORY.md", index)
    write(tmp_path, "projects/-home-mei-app/3f2a.jsonl", "{}\n")
    return tmp_path


@pytest.mark.seed("F-15")
def test_one_file_is_one_piece(claude):
    """Name, description and body, with the type as tag; the index only adds what leads nowhere."""
    held = read_claude(str(claude))
    told = {piece.place.rpartition("/")[2]: piece for piece in held.pieces}
    pnpm, role = told["feedback_pnpm.md"], told["user_role.md"]

    assert pnpm.draft.statement.text.startswith(
        "Prefers pnpm\nUse pnpm, never npm, in this repo\nUse pnpm. **Why:**"
    )
    assert (pnpm.draft.kind, pnpm.draft.tags) == (Kind.LESSON, ("claude-code", "feedback"))
    assert pnpm.draft.origin.observed == read_time("2026-08-01T10:00:00Z")
    assert (pnpm.draft.origin.channel, pnpm.draft.scope.project) == (Channel.AGENT, "home-mei-app")
    assert role.draft.statement.text == "用户角色\n后端工程师\n写 Go 十年，第一次接触前端。"
    assert role.draft.tags == ("claude-code", "user")
    assert "staging host is blue-2" in told["MEMORY.md"].draft.statement.text
    assert len(held.pieces) == 4


def test_a_header_that_cannot_be_read_costs_nothing_else(claude):
    """The text is kept, and the header told."""
    held = read_claude(str(claude))

    assert [finding.code for finding in held.findings] == ["broken-header"]
    assert any("Freeze begins Thursday." in piece.draft.statement.text for piece in held.pieces)


def test_one_memory_folder_can_be_named(claude):
    """The project is still known from where it stands."""
    held = read_claude(str(claude / "projects/-home-mei-app/memory"))

    assert {piece.draft.scope.project for piece in held.pieces} == {"home-mei-app"}


@pytest.mark.seed("F-15")
def test_codex_memories(tmp_path):
    """MEMORY.md and its summary come in as an agent's; what Codex made them of stays."""
    write(
        tmp_path,
        "memories/MEMORY.md",
        "# Memory\n\n## Shop\n\n- tests run with `make check`\n- 发布前先跑冒烟测试\n",
    )
    write(tmp_path, "memories/memory_summary.md", "Works on a shop in Go.\n")
    write(tmp_path, "memories/raw_memories.md", "raw\n")
    held = read_codex(str(tmp_path))

    assert [(p.draft.statement.text, p.draft.origin.channel) for p in held.pieces] == [
        ("tests run with `make check`", Channel.AGENT),
        ("发布前先跑冒烟测试", Channel.AGENT),
        ("Works on a shop in Go.", Channel.AGENT),
    ]
    assert held.pieces[2].draft.tags == ("codex", "summary")
    assert [finding.path for finding in held.findings] == ["raw_memories.md"]
