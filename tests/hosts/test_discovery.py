"""Finding the hosts' transcripts."""

from __future__ import annotations

import os

import pytest

from memoracle.hosts.known_hosts import CLAUDE_CODE, CODEX, GEMINI, HOSTS, OPENCLAW, Shape
from memoracle.hosts.sources import FORMATS, discover


def put(path, content=b"x"):
    """A file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def names(discovery):
    """The file names that were found."""
    return sorted(source.path.name for source in discovery[0])


@pytest.mark.seed("S4.040")
def test_openclaw_files_and_database(tmp_path):
    """Live and finished sessions, their leftovers and the database are found; copies and indexes are not."""
    agent = tmp_path / ".openclaw/agents/main"
    for name in (
        "sessions/a.jsonl",
        "sessions/b.jsonl.reset.2026-04-02T08-00-00.000Z",
        "sessions/c.jsonl.deleted.2026-04-02T08-00-00.000Z.zst",
        "sessions/a-topic-2.jsonl",
        "sessions/session-sqlite-import-archive/d.jsonl",
        "agent/openclaw-agent.sqlite",
        "sessions/a.checkpoint.0d0c7777-1111-4222-8333-444455556666.jsonl",
        "sessions/sessions.json",
        "sessions/sessions.json.bak.1",
    ):
        put(agent / name)
    put(tmp_path / ".openclaw/workspace/agents/x/sessions/not-mine.jsonl")

    assert names(discover(OPENCLAW, tmp_path, {})) == [
        "a-topic-2.jsonl",
        "a.jsonl",
        "b.jsonl.reset.2026-04-02T08-00-00.000Z",
        "c.jsonl.deleted.2026-04-02T08-00-00.000Z.zst",
        "d.jsonl",
        "openclaw-agent.sqlite",
    ]


def test_claude_projects(tmp_path):
    """Transcripts of all projects are found; sub-agents' are not."""
    projects = tmp_path / ".claude/projects/-home-mei-app"
    put(projects / "s1.jsonl")
    put(projects / "s1/subagents/agent-2.jsonl")
    put(projects / "memory/MEMORY.md")
    put(tmp_path / ".claude/history.jsonl")

    assert names(discover(CLAUDE_CODE, tmp_path, {})) == ["s1.jsonl"]


def test_codex_and_gemini(tmp_path):
    """Dated folders and project folders are entered."""
    put(tmp_path / ".codex/sessions/2026/07/01/rollout-x.jsonl")
    put(tmp_path / ".gemini/tmp/proj/chats/session-a.jsonl")
    put(tmp_path / ".gemini/tmp/proj/chats/session-b.json")
    put(tmp_path / ".gemini/tmp/proj/logs.json")

    assert names(discover(CODEX, tmp_path, {})) == ["rollout-x.jsonl"]
    assert [source.shape for source in discover(GEMINI, tmp_path, {})[0]] == [
        Shape.GEMINI,
        Shape.GEMINI_FILE,
    ]


@pytest.mark.parametrize(
    ("host", "name"),
    [
        (OPENCLAW, "OPENCLAW_STATE_DIR"),
        (CLAUDE_CODE, "CLAUDE_CONFIG_DIR"),
        (CODEX, "CODEX_HOME"),
    ],
)
def test_environment_moves_the_folder(tmp_path, host, name):
    """A setting in the environment replaces the default; `~` is the home that was given."""
    folders = next(form.folders for form in FORMATS if form.host is host)
    assert folders(tmp_path, {name: "~/elsewhere"}) == (tmp_path / "elsewhere",)
    assert folders(tmp_path, {name: "/elsewhere"})[0].as_posix() == "/elsewhere"


def test_listing_is_oldest_first(tmp_path):
    """Older transcripts come first."""
    young = put(tmp_path / ".claude/projects/p/a.jsonl", b"123")
    old = put(tmp_path / ".claude/projects/p/b.jsonl")
    os.utime(young, ns=(2_000, 2_000))
    os.utime(old, ns=(1_000, 1_000))

    assert [source.path for source in discover(CLAUDE_CODE, tmp_path, {})[0]] == [old, young]


def test_linked_folders_are_not_followed(tmp_path):
    """A link that leads in a circle does no harm."""
    projects = tmp_path / ".claude/projects"
    put(projects / "p/a.jsonl")
    (projects / "circle").symlink_to(tmp_path)

    assert names(discover(CLAUDE_CODE, tmp_path, {})) == ["a.jsonl"]


def test_nothing_installed_is_nothing_found(tmp_path):
    """A host that is not there is no problem."""
    assert [discover(host, tmp_path, {}) for host in HOSTS.values()] == [([], [])] * 4
