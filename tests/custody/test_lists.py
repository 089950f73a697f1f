"""Damage to the lists of conversations and of what was forgotten: told, salvaged, never in silence."""

import gzip
import json
import os
import shutil

import pytest

from custody.conftest import codes

WORDS = {
    "one": "The marmalade is in the cellar",
    "two": "The saffron is in the kitchen",
    "three": "Alba rows on Sundays",
}

DAMAGES = {
    "cut in half": lambda raw: raw[: len(raw) // 2],
    "garbage": lambda _: b"\xff\xfe\x00garbage{",
    "emptied": lambda _: b"",
    "zeros behind": lambda raw: raw + b"\0" * 64,
    "one bit": lambda raw: raw.replace(b'"path"', b'"pbth"', 1).replace(b'"session"', b'"sdssion"', 1),
    "a line gone": lambda raw: b"".join(raw.splitlines(keepends=True)[:-1]),
    "deleted": lambda _: None,
}
EVERY = pytest.mark.parametrize("damage", DAMAGES)


def harm(path, damage):
    changed = DAMAGES[damage](path.read_bytes())
    if changed is None:
        path.unlink()
    else:
        path.write_bytes(changed)


@pytest.fixture
def talks(run, root, chat):
    """Three conversations that a memory has read."""
    paths = {name: chat(name, words) for name, words in WORDS.items()}
    assert run(root, "ingest", paths["one"].parent)[0] == 0
    return paths


@EVERY
def test_a_damaged_list_of_conversations_is_told_and_costs_nothing(run, root, talks, damage):
    """Its second copy has all of them; the index is built anew from it; repair writes it again."""
    harm(root / "state/sources.jsonl", damage)
    shutil.rmtree(root / "index")
    status, said = run(root, "check", "--json")
    assert (status, "damaged-list" in codes(said)) == (1, True)
    for words in WORDS.values():
        assert words in run(root, "search", words)[1]
    assert run(root, "repair", "--yes")[0] == 0
    assert run(root, "check")[0] == 0
    assert (root / "state/sources.jsonl").read_bytes().count(b"\n") == 4


@EVERY
def test_both_copies_damaged_cost_what_was_hit_and_the_bytes_are_kept(run, root, chat, talks, damage):
    """Recall does not say that something is not there without a word of warning; another ingest destroys no evidence."""
    before = (root / "state/sources.jsonl").read_bytes()
    for name in ("sources.jsonl", "sources.twin.jsonl"):
        harm(root / "state" / name, damage)
    bad = (root / "state/sources.jsonl").read_bytes() if damage != "deleted" else b""
    shutil.rmtree(root / "index")
    for verb in ("recall", "search"):
        status, said = run(root, verb, "Where is the marmalade of my grandfather's boat?")
        assert "list of conversations is damaged" in said
    status, said = run(root, "check", "--json")
    assert (status, bool({"damaged-list", "lost-list"} & codes(said))) == (1, True)
    found = [words for words in WORDS.values() if words in run(root, "search", words)[1]]
    whole = sum(line in bad.splitlines() for line in before.splitlines()[1:])
    assert len(found) == whole

    assert run(root, "ingest", chat("four", "The lamp is green", folder="other"))[0] == 0
    kept = (
        (root / "state/quarantine.jsonl").read_bytes() if (root / "state/quarantine.jsonl").exists() else b""
    )
    for line in set(bad.split(b"\n")) - set(before.split(b"\n")):
        if line.strip(b"\0"):
            assert json.dumps(line.decode("utf-8", "replace"))[1:-1].encode()[:8] in kept or b"base64" in kept
    for words in found:
        assert words in run(root, "search", words)[1]


def test_one_bad_entry_stops_no_question(run, root, talks):
    """A copy outside, a path that is none, a shape nobody knows: each costs itself, and is named."""
    from memoracle.store.forgotten import counted_list

    rows = [json.loads(line) for line in (root / "state/sources.jsonl").read_text().splitlines()[1:]]
    good = [{name: row[name] for name in ("path", "shape")} for row in rows]
    bad = [
        {**good[0], "path": "/x", "copy": "../y.gz"},
        {"path": 1, "shape": "claude"},
        {"shape": "claude"},
        {"path": "relative", "shape": "claude"},
        {"path": str(talks["one"]) + "2", "shape": "../x"},
        {"path": str(talks["two"]), "shape": "nobody-knows"},
    ]
    for name in ("sources.jsonl", "sources.twin.jsonl"):
        (root / "state" / name).write_bytes(counted_list("conversations", [*good[:2], *bad]))
    for verb in (("recall", "Where is the marmalade?"), ("search", "marmalade"), ("consolidate",)):
        assert run(root, *verb)[0] in {0, 3}
    assert WORDS["one"] in run(root, "search", "marmalade")[1]
    status, said = run(root, "check", "--json")
    assert (status, sum(one["code"] == "bad-entry" for one in json.loads(said)["findings"])) == (1, 5)
    assert run(root, "tend")[0] == 0  # reads what is watched again, and writes the list anew
    assert WORDS["one"] in run(root, "search", "marmalade")[1]


def forgotten(run, root, chat, *, keep=False):
    path = chat("secret", "The vault opens with seventeen turns")
    other = chat("open", "The lamp is green")
    for one in (path, other):
        assert run(root, "ingest", one, *(("--keep",) if keep else ()))[0] == 0
    status, said = run(root, "forget", "--session", "secret", "--yes")
    assert status == 0, said
    return path, other


def holds(root, words):
    """Whether any file below a root holds these words, packed ones too."""
    for folder, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            if name.endswith(".gz"):
                content = gzip.decompress(content)
            if words.encode() in content:
                return True
    return False


@pytest.mark.long
@EVERY
@pytest.mark.parametrize("name", ["sessions/never.jsonl", "state/never.jsonl"])
def test_what_was_forgotten_stays_so_when_one_copy_of_the_list_is_damaged(run, root, chat, name, damage):
    """The other one knows; `check` tells it; `repair` makes both whole."""
    path, _ = forgotten(run, root, chat)
    harm(root / name, damage)
    if not (
        name.startswith("state") and damage == "deleted"
    ):  # the list itself is whole: nothing is lost by that
        status, said = run(root, "check", "--json")
        assert (status, "never-list-damaged" in codes(said)) == (1, True)
    for _ in range(2):
        run(root, "ingest", path)
        run(root, "ingest", path, "--keep")
        run(root, "consolidate")
        assert "seventeen" not in run(root, "search", "vault opens")[1].replace("vault opens", "")
        assert not holds(root, "seventeen turns")
        run(root, "repair", "--yes")
    assert run(root, "check")[0] == 0
    assert (root / "sessions/never.jsonl").exists()


@pytest.mark.parametrize("damage", [name for name in DAMAGES if name != "zeros behind"])
def test_when_nobody_knows_what_was_forgotten_nothing_is_read(run, root, chat, damage):
    """Not by ingest, not by a rebuilt index, not at night; the message says what to do."""
    path, other = forgotten(run, root, chat)
    for name in ("sessions/never.jsonl", "state/never.jsonl"):
        harm(root / name, damage)
    shutil.rmtree(root / "index")
    for words in (("ingest", path), ("ingest", path, "--keep"), ("ingest", other)):
        status, said = run(root, *words)
        assert (status, "memoracle repair" in said) == (1, True)
    run(root, "consolidate")
    assert "seventeen" not in run(root, "search", "vault opens")[1]
    assert not holds(root, "seventeen turns")
    status, said = run(root, "check", "--json")
    assert (status, "never-list-damaged" in codes(said)) == (1, True)

    assert run(root, "repair", "--yes")[0] == 0
    assert "lamp is green" in run(root, "search", "lamp")[1]


def test_the_list_of_an_earlier_edition_counts_and_closes_when_it_is_damaged(run, root, chat):
    """One JSON document; it is taken over with the next change."""
    path = chat("secret", "The vault opens with seventeen turns")
    (root / "sessions").mkdir(exist_ok=True)
    (root / "sessions/never.json").write_text('[{"session": "sec')
    status, said = run(root, "ingest", path)
    assert (status, "never" in said) == (1, True)
    (root / "sessions/never.json").write_text('[{"session": "secret"}]')
    assert run(root, "ingest", path, "--keep")[0] == 0
    assert not holds(root, "seventeen turns")
    assert (root / "sessions/never.jsonl").exists()
    assert not (root / "sessions/never.json").exists()


def test_copies_obey_what_was_forgotten(run, root, chat, tmp_path):
    """Kept again, or kept under another name: not a byte of it comes back."""
    path, _ = forgotten(run, root, chat, keep=True)
    assert not holds(root, "seventeen turns")
    other = tmp_path / "elsewhere.jsonl"
    shutil.copy(path, other)
    for one in (path, other):
        run(root, "ingest", one, "--keep")
        run(root, "ingest", one)
        run(root, "consolidate")
    assert not holds(root, "seventeen turns")


def test_a_copy_of_several_sessions_is_kept_without_the_forgotten_one(run, root, chat, tmp_path):
    """The others of the file are copied, line by line; what a tool wrote in that session goes as well."""
    path, other = forgotten(run, root, chat)
    tool = json.dumps({"type": "tool", "sessionId": "secret", "output": "seventeen turns and a half"})
    both = tmp_path / "both.jsonl"
    both.write_text(path.read_text() + tool + "\n" + other.read_text())
    assert run(root, "ingest", both, "--keep")[0] == 0
    assert not holds(root, "seventeen turns")
    assert holds(root / "sessions", "lamp is green")


def test_a_damaged_copy_is_told(run, root, chat):
    """While the original is there, too."""
    run(root, "ingest", chat("one", WORDS["one"]), "--keep")
    (copy,) = (root / "sessions").glob("*.gz")
    copy.write_bytes(copy.read_bytes()[:-9])
    status, said = run(root, "check", "--json")
    assert (status, "damaged-copy" in codes(said)) == (1, True)
