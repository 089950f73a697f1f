"""The verbs about manners on the command line: what goes in, what comes out, how they end."""

import json

import pytest

from scan.places import put


def test_reply_language_reads_messages(cli):
    """From words, a JSON list, lines or a transcript."""
    said = json.dumps([{"text": "please run the tests again"}, "and show me what fails"]).encode()
    assert cli("reply-language", "--stdin", stdin=said).out == "en\n"
    assert cli("reply-language", "--stdin", stdin="请再跑一次测试\n把失败的列出来\n".encode()).out == "zh\n"
    assert cli("reply-language", "please go on with it", "--json").json["language"] == "en"
    assert cli("reply-language", "--stdin", stdin=b'[{"text": 1}]').status == 2


@pytest.mark.seed("S1.240")
def test_the_default_language_is_a_setting(cli, monkeypatch):
    """Mixed or too little: what the settings say."""
    for language in ("zh", "en"):
        monkeypatch.setenv("MEMORACLE_REPLY_LANGUAGE", language)
        assert cli("reply-language", "ok").out == f"{language}\n"
    monkeypatch.setenv("MEMORACLE_REPLY_LANGUAGE", "klingon")
    assert cli("reply-language", "ok").status == 2


@pytest.mark.seed("S1.232")
def test_intake_needs_no_memory(cli, tmp_path):
    """A card for people and for programs; without words it is a wrong call."""
    done = cli("intake", "make", "it", "better", "--json", at=tmp_path / "nowhere")
    assert (done.status, done.json["needed"], len(done.json["card"]["options"])) == (0, True, 3)
    assert cli("intake", at=None).status == 2
    assert "A  " in cli("intake", "--stdin", stdin="优化一下".encode()).out


@pytest.mark.seed("S1.242")
def test_the_exits_of_compact_advice(cli):
    """1 and a list while something is missing; 0 once it is stored; 2 without anything to check."""
    fact = "We decided to use PostgreSQL 16 for the hub"
    refused = cli("compact-advice", fact, "--json")
    assert (refused.status, refused.json["missing"]) == (1, [fact])
    cli("remember", fact)
    assert cli("compact-advice", fact).status == 0
    assert cli("compact-advice", "--stdin", stdin=f"Hello. {fact}.".encode()).status == 0
    assert cli("compact-advice").status == 2


@pytest.mark.seed("S1.233")
def test_the_exits_of_drift(cli, root):
    """3 without a north star, 0 on course, 1 with a card, 2 for what is no number."""
    assert cli("drift", "--project", "arena").status == 3
    put(root, "projects/arena/north-star.toml", 'goal = "a quiet arena"\n')
    assert cli("drift", "--project", "arena", "--scope", "1.9").status == 0
    drifted = cli(
        "drift", "--project", "arena", "--stdin", "--json", stdin=b'{"time": 2, "new_requirements": 1}'
    )
    assert (
        drifted.status,
        [one["code"] for one in drifted.json["signals"]],
        len(drifted.json["card"]["options"]),
    ) == (
        1,
        ["new-requirement", "time"],
        3,
    )
    assert cli("drift", "--project", "arena", "--stdin", stdin=b'{"mood": 3}').status == 2
    assert cli("drift", "--project", "../x").status == 2


@pytest.mark.seed("S1.250")
def test_archive_hot_prints_a_plan_first(cli, root):
    """Nothing moves without --commit; a second run moves none."""
    put(root, "MEMORY.md", "# Memory\n\n- ✅ Done: the importer\n  details\n")
    planned = cli("archive-hot", "--json").json
    assert (planned["dry_run"], planned["archived"], planned["within_200_lines"]) == (True, 1, True)
    assert "details" in (root / "MEMORY.md").read_text()
    moved = [cli("archive-hot", "--commit", "--json").json["archived"] for _ in range(2)]
    assert (moved, "details" in (root / "MEMORY.md").read_text()) == ([1, 0], False)
