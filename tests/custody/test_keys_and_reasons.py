"""A key that was exchanged is noticed, a reason does not outlive what it spoke of."""

import json
import os
import shutil

import pytest

from custody.conftest import codes, git
from memoracle.store.line import line_sum


def forge(root):
    """Change the words of a record line and make its checksum anew."""
    path = root / "records/facts.jsonl"
    line = path.read_bytes().replace(b"blue", b"grey")
    body = line[:-27]
    path.write_bytes(body + b',"sum":"' + line_sum(body).encode() + b'"}\n')


@pytest.mark.parametrize(
    "how", ["another key", "no key", "half a key", "no writer either", "no state at all"]
)
def test_exchanging_the_key_hides_nothing(run, root, how):
    """`audit verify` and `check` say so with their status; the owner may accept it, which stays in the trail."""
    run(root, "remember", "The kettle is blue")
    assert run(root, "audit", "verify")[0] == 0
    forge(root)
    assert run(root, "audit", "verify")[0] == 1
    salt = root / "state/salt"
    if how == "another key":
        salt.write_text(os.urandom(32).hex() + "\n")
    elif how == "half a key":
        salt.write_text(salt.read_text()[:20])
    elif how == "no state at all":
        shutil.rmtree(root / "state")
    else:
        salt.unlink()
        if how == "no writer either":
            (root / "state/writer.json").unlink()
    for words in (("audit", "verify"), ("check",)):
        status, said = run(root, *words)
        assert (status, "key-replaced" in said) == (1, True), said
    if how == "half a key":
        assert list((root / "state").glob("salt.damaged*"))
    run(root, "remember", "The lamp is green")
    assert run(root, "audit", "verify")[0] == 1
    run(root, "repair", "--yes")
    assert run(root, "audit", "verify")[0] == 0


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_another_machines_clone_is_told_differently(run, root, tmp_path, monkeypatch):
    """There the key never was: the chain is checked, and a note says that the seals cannot be."""
    run(root, "remember", "The kettle is blue")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "x")
    git(tmp_path, "clone", "--quiet", str(root), "clone")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other-home"))
    run(tmp_path / "clone", "remember", "The lamp is green")
    status, said = run(tmp_path / "clone", "audit", "verify")
    assert (status, "another machine" in said, "key-replaced" in said) == (0, True, False)


def test_a_reason_goes_with_what_it_spoke_of(run, root):
    """The record that came in its place stays, without the word; no line is missed, the trail is whole."""
    first = json.loads(run(root, "remember", "My code word is Zebrafinch", "--json")[1])["id"]
    assert (
        run(root, "supersede", first, "My code word is Otter", "--because", "Zebrafinch was too long")[0] == 0
    )
    other = json.loads(run(root, "remember", "The lamp is green", "--json")[1])["id"]
    run(root, "edit", other, "--text", "The lamp is yellow", "--because", "it was painted")
    status, said = run(root, "purge", first, "--yes")
    assert status == 0, said
    left = [
        os.path.join(folder, name)
        for folder, _, names in os.walk(root)
        for name in names
        if b"Zebrafinch" in open(os.path.join(folder, name), "rb").read()  # noqa: SIM115
    ]
    assert left == []
    assert "Otter" in run(root, "search", "code word")[1]
    assert "painted" in (root / "records/facts.jsonl").read_text()
    assert run(root, "check")[0] == 0
    assert run(root, "audit", "verify")[0] == 0


def test_a_mark_that_is_damaged_or_gone_costs_nothing(run, root, chat):
    """The person's own state folder knows this very folder."""
    run(root, "ingest", chat("talk", "The piano tuner comes on Friday"))
    for content in ("{", "", None):
        mark = root / "state/own.json"
        if content is None:
            mark.unlink()
        else:
            mark.write_text(content)
        assert "foreign-state" not in codes(run(root, "check", "--json")[1])
        assert "piano tuner" in run(root, "search", "piano tuner")[1]
        assert json.loads(mark.read_text())["id"]
