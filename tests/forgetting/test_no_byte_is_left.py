"""Words go in through every door, are forgotten, and then every byte under the root is looked at."""

import json
import zlib

import pytest

from memoracle.compose import open_memory
from memoracle.model.record import Status
from memoracle.model.search import Selection
from support.files import PLAIN
from support.processes import run_here, surroundings
from support.stores import standing

pytestmark = pytest.mark.long

WORD = "XYLOPHONE"


def places(root):
    """Every file that holds the word, unpacked where it is packed."""
    found = []
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            if content.startswith(b"\x1f\x8b"):
                content += zlib.decompress(content, 31)
            if WORD.encode() in content or WORD.lower().encode() in content:
                found.append(str(path.relative_to(root)))
    return found


def transcript(path, session, *said):
    lines = [
        {"role": "user", "content": text, "session": session, "timestamp": f"2026-05-14T10:0{n}:00Z"}
        for n, text in enumerate(said)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.seed("S4.071", "C-03")
def test_no_byte_of_what_is_forgotten_is_left(root, tmp_path):
    """Typed, piped, noted, buffered, overheard, imported, hooked, edited, superseded, asked about, recalled, archived."""
    here = ("--root", root)
    quick = surroundings(MEMORACLE_RECIPE="quick")

    def do(*words, stdin=b""):
        status, out, err = run_here(*here, *words, stdin=stdin, env=quick)
        assert status == 0, err
        return out

    do("remember", f"the {WORD} stands in the hall", "--tags", "music")
    piped = json.dumps({"text": f"a second {WORD} stands in the attic", "entities": [WORD]})
    do("remember", "--stdin", stdin=f"{piped}\nplain {WORD} line\n".encode())
    do("note", f"tuned the {WORD} today")
    do("buffer", "add", f"half of the {WORD} is tuned")
    chat = transcript(
        tmp_path / "chat.jsonl", "loud", f"I like the {WORD}.", f"I like the {WORD} mallets.", f"I like {WORD} solos.",
        f"The {WORD} matter went sideways again.",
    )  # fmt: skip
    do("ingest", chat, "--keep", "--no-embed")
    hooked = {
        "session_id": "loud",
        "transcript_path": str(chat),
        "cwd": str(tmp_path),
        "prompt": f"the {WORD}?",
    }
    for event in ("session-start", "prompt", "stop", "session-end"):
        do("hook", event, stdin=json.dumps(hooked).encode())
    other = tmp_path / "other.jsonl"
    thing = {"type": "entity", "name": WORD, "entityType": "thing", "observations": [f"an imported {WORD}"]}
    other.write_text(json.dumps(thing) + "\n", encoding="utf-8")
    do("import", other, "--from", "mcp")
    do("consolidate", "--force")
    with open_memory(str(root), environment=PLAIN) as memory:
        plain = memory.remember("an instrument stands in the hall")
        memory.edit(plain.id, text=f"the instrument is a {WORD}")
        memory.supersede(plain.id, f"the {WORD} was sold", because=f"sold the {WORD}")
        memory.recall(WORD)
        memory.archive(memory.remember(f"an old {WORD}").id)
        memory.fold()
        memory.consolidate(force=True)
        memory.snapshot()
    assert len(places(root)) > 6

    do("forget", "--session", "loud", "--yes")
    with open_memory(str(root), environment=PLAIN) as memory:
        left = [one.id for one in standing(memory.store).values() if one.status is not Status.FORGOTTEN]
    do("purge", *left, "--yes")
    for path in sorted((root / "notes").rglob("*.md")):
        cited = [
            f"{path.relative_to(root)}#L{number}"
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1)
            if WORD in line
        ]
        if cited:
            do("delete", *cited, "--yes")
    do("health")

    assert places(root) == []
    assert WORD.encode() in chat.read_bytes()


def test_a_forgotten_question_leaves_the_inbox(tmp_path, root, clock):
    """A planted remark against something firm is asked about; forgotten, the question goes with it."""
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        memory.remember("I live in Boston.")
        clock.move(days=1)
        memory.consolidate()
        said = transcript(tmp_path / "evil.jsonl", "evil", f"I live in {WORD}.")
        text = said.read_text(encoding="utf-8").replace("2026-05-14", "2026-05-16")
        said.write_text(text, encoding="utf-8")
        memory.ingest(str(said), embed=False)
        clock.move(days=1)
        memory.consolidate()
        assert [WORD in one.proposal for one in memory.inbox()] == [True]
        memory.forget(selection=Selection(session="evil"))
        assert not memory.inbox()
    assert places(root) == []
