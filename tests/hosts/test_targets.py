"""What `ingest` is pointed at."""

import os

import pytest

from memoracle.errors import BadInput, UnreadableSource
from memoracle.hosts.known_hosts import Shape
from memoracle.hosts.sources import sources_at

from .samples import CHAT, CLAUDE, CODEX, copy_of


def found(target, home, **environment):
    sources, findings = sources_at(str(target), home=home, environment=environment)
    return [(source.path.name, source.shape) for source in sources], [finding.code for finding in findings]


def test_one_file(tmp_path):
    """Whatever its shape."""
    path = copy_of(CHAT, tmp_path)
    assert found(path, tmp_path) == ([("chat.md", Shape.MARKDOWN)], [])


def test_a_folder(tmp_path):
    """All conversations below it, in the order of their names; what is hidden or of another kind is left alone."""
    for place in ("b", "a/deep", ".hidden"):
        (tmp_path / place).mkdir(parents=True)
    copy_of(CLAUDE, tmp_path / "a/deep")
    copy_of(CODEX, tmp_path / "b")
    copy_of(CODEX, tmp_path / ".hidden")
    (tmp_path / "b/picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "b/.secret.jsonl").write_text("{}")
    assert found(tmp_path, tmp_path) == ([(CLAUDE.name, Shape.CLAUDE), (CODEX.name, Shape.CODEX)], [])


def test_what_is_no_conversation_is_named(tmp_path):
    """A shopping list is a finding; the conversation beside it is read."""
    copy_of(CHAT, tmp_path)
    (tmp_path / "list.txt").write_text("milk\neggs\n")
    (tmp_path / "data.json").write_text('{"a": 1}')
    assert found(tmp_path, tmp_path) == ([("chat.md", Shape.MARKDOWN)], ["unknown-shape", "unknown-shape"])


def test_an_archive_that_cannot_be_opened_is_named(tmp_path):
    """It does not vanish."""
    (tmp_path / "old.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    with pytest.raises(UnreadableSource, match=r"old\.jsonl\.zst: could not be read"):
        found(tmp_path, tmp_path)
    copy_of(CLAUDE, tmp_path)
    assert found(tmp_path, tmp_path)[1] == ["unreadable-file"]


def test_an_empty_folder(tmp_path):
    """Nothing is not silently nothing."""
    with pytest.raises(UnreadableSource, match="nothing to read"):
        found(tmp_path, tmp_path)


@pytest.mark.seed("S4.040")
@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("claude", ".claude/projects/-app/s.jsonl"),
        ("openclaw", ".openclaw/agents/main/sessions/s.jsonl"),
        ("codex", ".codex/sessions/2026/05/s.jsonl"),
    ],
)
def test_a_host_by_name(tmp_path, host, place):
    """Where that host keeps its transcripts below the home folder."""
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text("{}")
    assert found(host, tmp_path) == ([("s.jsonl", Shape(host))], [])


def test_the_environment_moves_a_host(tmp_path):
    """Its own variable says where."""
    place = tmp_path / "elsewhere/projects/-app/s.jsonl"
    place.parent.mkdir(parents=True)
    place.write_text("{}")
    assert found("claude", tmp_path, CLAUDE_CONFIG_DIR=str(tmp_path / "elsewhere"))[0] == [
        ("s.jsonl", Shape.CLAUDE)
    ]


def test_nowhere_is_an_error_that_helps(tmp_path):
    """It names the hosts."""
    with pytest.raises(BadInput, match="there is nothing at") as caught:
        found(tmp_path / "nowhere", tmp_path)
    assert "claude" in caught.value.hint


def test_a_link_leads_to_its_file(tmp_path):
    """A transcript has one place, however it was reached."""
    real = copy_of(CHAT, tmp_path)
    os.symlink(real, tmp_path / "link.md")
    sources, _ = sources_at(str(tmp_path / "link.md"), home=tmp_path, environment={})
    assert [str(source.path) for source in sources] == [os.path.realpath(real)]
