"""`import`, `export` and `sync` on the command line: what scripts rely on."""

import json
import shutil

import pytest

from guard.samples import TOKENS
from support.files import write


def test_import_tells_counts_and_losses(cli, tmp_path):
    """A person gets sentences and findings, a script one document."""
    source = write(tmp_path, "mem0.json", json.dumps([{"id": "1", "memory": "住在上海"}, {"id": "2"}]))
    told = cli("import", source, "--dry-run")
    document = cli("import", source, "--json").json

    assert "would import" in told.out
    assert "mem0.json#L2" in told.err
    assert (document["created"], document["shape"], document["dry_run"]) == (1, "mem0", False)
    assert [(one["code"], one["line"]) for one in document["findings"]] == [("not-imported", 2)]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["import", "NOWHERE"], 2),
        (["import", "CHAT", "--from", "mem0"], 0),
        (["import", "FOLDER", "--from", "mcp"], 2),
        (["import", "CHAT", "--from", "nothing"], 2),
        (["export", "FOLDER"], 2),
        (["export", "FOLDER", "--yes"], 0),
        (["export", "FOLDER", "--dry-run"], 0),
        (["export", "OUT", "--to", "nothing"], 2),
        (["sync"], 1),
        (["sync", "--init", "--remote", "nobody"], 1),
    ],
)
def test_exit_codes(cli, made, tmp_path, words, status):
    """2 for words that are off and for what needs consent, 1 for an exchange that stopped."""
    write(tmp_path, "folder/mine.md", "mine")
    places = {"NOWHERE": tmp_path / "nowhere", "FOLDER": tmp_path / "folder", "OUT": tmp_path / "out"}
    places["CHAT"] = write(tmp_path, "chat.json", "[]")

    assert cli(*[places.get(word, word) for word in words]).status == status


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_secret_is_refused(cli, root):
    """Exit 5; the place is named, the secret is not."""
    token = TOKENS["github-token"]
    write(root, "notes/semantic/hosts.md", f"# Hosts\n\n{token}\n")
    done = cli("sync", "--init", "--json")

    assert (done.status, done.json["error"]["code"]) == (5, "secret-in-the-way")
    assert "notes/semantic/hosts.md#L3" in done.err
    assert token not in done.out + done.err


def test_export_says_what_stayed(cli, made, tmp_path):
    """By reason, with the option that takes it along."""
    cli("archive", made)
    told = cli("export", tmp_path / "out", "--to", "memory-system")

    assert "1 left out: archived (--include-archived takes it along)" in told.out
