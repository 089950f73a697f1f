"""Every kind of file a root holds, harmed in every way: it is told, or nothing is lost by it; no verb falls over."""

import json
import shutil

import pytest

from custody.conftest import codes, git
from support.files import copy_root

pytestmark = pytest.mark.long

DAMAGES = {
    "cut in half": lambda raw: raw[: len(raw) // 2],
    "garbage": lambda raw: b"\xff\xfe{garbage" + raw[20:30],
    "emptied": lambda _: b"",
    "zeros behind": lambda raw: raw + b"\0" * 64,
    "deleted": lambda _: None,
}
TOLD, COUNTED_AGAIN, NOT_MISSED = "told", "counted or made again", "its absence alone is not known"
CUT = ("cut in half", "garbage", "zeros behind")
# file: what is told of which damages; what is not named there costs nothing, for the reason given.
FILES = {
    "records/facts.jsonl": (("cut in half", "garbage", "emptied", "zeros behind", "deleted"), COUNTED_AGAIN),
    "events.jsonl": (("cut in half", "garbage", "emptied", "deleted"), COUNTED_AGAIN),
    "sessions/copies.jsonl": (
        ("garbage", "zeros behind", "deleted", "emptied", "cut in half"),
        COUNTED_AGAIN,
    ),
    "sessions/never.jsonl": (tuple(DAMAGES), ""),
    "sessions/*.gz": (("cut in half", "garbage", "emptied", "deleted"), COUNTED_AGAIN),
    "projects/registry.json": ((*CUT, "emptied"), NOT_MISSED),
    "tags.toml": (("cut in half", "garbage", "emptied", "zeros behind"), NOT_MISSED),
    "notes/daily/*.md": (("garbage",), NOT_MISSED),
    "state/sources.jsonl": (tuple(DAMAGES), ""),
    "state/sources.twin.jsonl": ((), COUNTED_AGAIN),
    "state/never.jsonl": (("cut in half", "garbage", "emptied", "zeros behind"), COUNTED_AGAIN),
    "state/runs.jsonl": (CUT, NOT_MISSED),
    "state/pending.jsonl": (CUT, NOT_MISSED),
    "state/inbox.json": ((*CUT, "emptied"), NOT_MISSED),
    "state/imported.json": ((*CUT, "emptied"), NOT_MISSED),
    "state/privacy-seen.json": ((*CUT, "emptied"), NOT_MISSED),
    "state/gaps.json": ((), COUNTED_AGAIN),
    "state/erasing.json": ((*CUT, "emptied"), NOT_MISSED),
    "state/spool/later.jsonl": (CUT, NOT_MISSED),
    "state/salt": (("cut in half", "garbage", "emptied", "deleted", "zeros behind"), ""),
    "state/jobs.json": ((*CUT, "emptied"), COUNTED_AGAIN),
    "state/writer.json": ((), COUNTED_AGAIN),
    "state/sequence.json": ((), COUNTED_AGAIN),
    "state/audit.json": ((), COUNTED_AGAIN),
    "state/own.json": ((), COUNTED_AGAIN),
    "usage/*.jsonl": (("garbage", "zeros behind"), COUNTED_AGAIN),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A root in which every kind of file stands, made by the commands themselves where a command makes it."""
    from memoracle.interfaces.cli import main

    place = tmp_path_factory.mktemp("whole") / "memory"
    talks = tmp_path_factory.mktemp("host")
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("own")))
    monkeypatch.setenv("MEMORACLE_EMBEDDER", "none")

    def run(*words):
        assert main(["--root", str(place), *map(str, words)]) in {0, 3}, words

    def talk(name, sentence):
        message = {"role": "user", "content": sentence}
        row = {"type": "user", "uuid": name, "parentUuid": None, "sessionId": name, "message": message}
        path = talks / f"{name}.jsonl"
        path.write_text(
            json.dumps({**row, "timestamp": "2026-01-01T10:00:00Z", "version": "1", "cwd": "/x"}) + "\n"
        )
        return path

    run("init", place)
    run("remember", "The kettle is blue")
    run("remember", "Alba rows on Sundays")
    run("ingest", talk("one", "I live in Newbridge."), "--keep")
    run("ingest", talk("two", "My sister is called Alba."))
    run("consolidate")
    run("note", "a line of today")
    run("recall", "Which colour is the kettle?")
    run("tend")
    run("project", "add", "arena")
    run("forget", "--session", "two", "--yes")
    written = {
        "tags.toml": '[tags]\npeople = "who is who"\ntools = "programs"\n',
        "state/pending.jsonl": json.dumps({"compacted": 1}) + "\n",
        "state/inbox.json": json.dumps({"schema": 1, "items": []}) + "\n",
        "state/imported.json": json.dumps({"op_1": {"notes/x.md": "00"}}) + "\n",
        "state/privacy-seen.json": json.dumps({"lines": ["a", "b"]}) + "\n",
        "state/gaps.json": json.dumps({"w_X": [[1, 2]]}) + "\n",
        "state/erasing.json": json.dumps(["mem_01AAAAAAAAAAAAAAAAAAAAAAAA"]) + "\n",
        "state/spool/later.jsonl": json.dumps({"event": "stop", "at": "2026-01-01T00:00:00Z"}) + "\n",
    }
    for name, text in written.items():
        (place / name).parent.mkdir(exist_ok=True)
        if not (place / name).exists():
            (place / name).write_text(text)
    monkeypatch.undo()
    return place


@pytest.mark.parametrize("pattern", FILES)
def test_every_kind_of_file_is_told_or_costs_nothing(run, whole, tmp_path, pattern):
    """`check` names it where something is lost; asking, keeping and tending go on, whatever was harmed."""
    told, _ = FILES[pattern]
    for number, (damage, change) in enumerate(DAMAGES.items()):
        place = tmp_path / f"root{number}"
        copy_root(whole, place)
        quiet = run(place, "check", "--json")[1]
        before = {(one["code"], one["path"]) for one in json.loads(quiet)["findings"]}
        target = min(place.glob(pattern))
        harmed = change(target.read_bytes())
        if harmed is None:
            target.unlink()
        else:
            target.write_bytes(harmed)
        _, said = run(place, "check", "--json")
        news = {(one["code"], one["path"]) for one in json.loads(said)["findings"]} - before
        assert bool(news) or damage not in told, f"{pattern} {damage}: not a word"
        for words in (("recall", "Which colour is the kettle?"), ("remember", f"news {number}"), ("status",)):
            status, said = run(place, *words)
            assert "Traceback" not in said
            assert status in {0, 1, 3, 8}, f"{pattern} {damage} {words}: {said}"
        if damage == "garbage":
            for words in (("consolidate",), ("tend",), ("health",), ("repair", "--yes")):
                assert run(place, *words)[0] in {0, 1}, f"{pattern} {damage} {words}"
        shutil.rmtree(place)


def test_what_a_damaged_document_held_is_kept_before_it_is_written_again(run, root):
    """The upkeep's own table, cut in half and written anew by the next run."""
    run(root, "tend")
    jobs = root / "state/jobs.json"
    half = jobs.read_bytes()[:40]
    jobs.write_bytes(half)
    run(root, "tend")
    assert (root / "state/jobs.json.damaged").read_bytes() == half
    assert json.loads(jobs.read_text())


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_plain_pull_that_left_its_markers_is_told_and_mended(run, root, tmp_path):
    """Two machines wrote today's note; git stops, somebody commits as it is: `check` says so, `repair` keeps both."""
    run(root, "note", "the first line")
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "x")
    git(tmp_path, "clone", "--quiet", str(root), "other")
    other = tmp_path / "other"
    for place, line in ((root, "met Mei"), (other, "见了老王")):
        run(place, "note", line)
        with (place / "MEMORY.md").open("a") as file:
            file.write(f"\nOwn line: {line}\n")
        git(place, "add", "--all")
        git(place, "commit", "--quiet", "-m", line)
    with pytest.raises(Exception, match="git"):
        git(root, "pull", "--quiet", "--no-rebase", str(other), "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "as it is")
    (note,) = (root / "notes/daily").glob("*.md")
    assert "<<<<<<<" in note.read_text()

    status, said = run(root, "check", "--json")
    found = {one["path"] for one in json.loads(said)["findings"] if one["code"] == "note-conflict"}
    assert (status, found) == (1, {f"notes/daily/{note.name}", "MEMORY.md"})
    assert run(root, "repair", "--yes")[0] == 0
    assert "note-conflict" not in codes(run(root, "check", "--json")[1])
    text = note.read_text()
    assert ("met Mei" in text, "见了老王" in text, "<<<" in text, ">>>" in text) == (True, True, False, False)
