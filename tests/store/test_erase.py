"""`forget` takes the bytes out of every file, and out of no other record."""

import json
import os

import pytest

from memoracle.compose import open_memory
from memoracle.errors import CannotChange, NothingToUndo, UnknownRecord
from memoracle.model.record import Status
from memoracle.store import erase as erasing
from memoracle.store import journal
from support.files import contents
from support.stores import FACTS, met, texts

SECRET = 'the "canary" is called Tweety-4711 \u2028 \\ and 茶 sings'


def places_of(root, needle=b"Tweety"):
    return [path for path in contents(root, skip=()) if needle in (root / path).read_bytes()]


@pytest.fixture
def told(root, memory):
    """A record that has been everywhere: edited, recalled, archived, folded, damaged and set aside."""
    kept = memory.remember(SECRET, tags=["bird"], entities=["Tweety"])
    memory.remember("something else")
    line = (root / FACTS).read_bytes().splitlines()[0]
    memory.recall("Tweety-4711")
    memory.edit(kept.id, text=SECRET + " again")
    memory.archive(kept.id)
    memory.fold()
    memory.restore(kept.id)
    memory.recall("Tweety-4711")
    hurt = [
        line[: len(line) // 2],  # torn
        line.replace(b"Tweety", b"Tw\xffety"),  # not UTF-8: kept as base64
        line.replace(kept.id.encode(), b"mem_X"),  # the id is gone, the words are not
        line[: line.index(b"importance")],
        line + line,  # two whole lines in one
    ]
    with open(root / FACTS, "ab") as file:
        file.write(b"\n".join(hurt) + b"\n")
    memory.recall("Tweety")
    assert (root / "quarantine" / journal.QUARANTINE).exists()
    return kept


def test_no_file_under_the_root_holds_the_words(root, memory, told):
    """Records, archive, receipts, quarantine, state, the index and its side files: gone from all of them."""
    assert len(places_of(root)) > 3

    erased = memory.forget([told.id])

    assert places_of(root) == []
    assert places_of(root, b"sings") == []
    assert erased.ids == (told.id,)
    assert erased.remaining == ()
    assert texts(memory.store) == ["something else"]
    report = memory.check()
    assert not {finding.code for finding in report.findings} & {"missing-lines", "erased-content"}


def test_the_tombstone_holds_no_content(memory, told):
    """What is left says that something was erased, when and by whom, and nothing of what it was."""
    memory.forget([told.id], because="asked to")

    (stone,) = memory.store.journal.versions(told.id)
    assert (stone.status, stone.text, stone.tags, stone.entities, stone.keys) == (
        Status.FORGOTTEN,
        "",
        (),
        (),
        (),
    )
    assert stone.change.because == "asked to"


def test_erased_stays_erased(memory, told):
    """It can be neither undone nor restored nor edited nor forgotten again; the same words may be kept anew."""
    operation = memory.forget([told.id]).operation

    with pytest.raises(NothingToUndo):
        memory.undo(operation)
    with pytest.raises(CannotChange):
        memory.restore(told.id)
    with pytest.raises(CannotChange):
        memory.edit(told.id, text="back")
    with pytest.raises(UnknownRecord):
        memory.forget([told.id])
    assert memory.remember(SECRET).created


def test_undo_does_not_step_over_an_erasure(memory, told):
    """Whoever undoes right after a `forget` means the `forget`: nothing else is reversed in its place."""
    other = memory.remember("the boat is green")
    memory.forget([told.id])
    with pytest.raises(NothingToUndo, match="erased is erased"):
        memory.undo()
    assert memory.show(other.id).version == 1
    assert memory.undo(memory.show(other.id).change.operation)[0].id == other.id


def test_words_inside_another_record_are_left_and_reported(root, memory):
    """A record that only quotes the same words is not touched; the answer names the file that still has them."""
    quoted = memory.remember("blue whale")
    other = memory.remember("he said: blue whale, twice")
    (root / "notes" / "semantic" / "sea.md").write_text("# Sea\n\nThe blue whale is big.\n")
    before = memory.show(other.id)

    erased = memory.forget([quoted.id])

    assert memory.show(other.id) == before
    assert memory.check().ok
    assert erased.remaining == ("notes/semantic/sea.md", "records/facts.jsonl")


def test_damage_of_another_record_is_not_thrown_away(root, memory):
    """A torn line of another record that quotes the words stays for its owner to mend."""
    quoted = memory.remember("blue whale")
    other = memory.remember("he said: blue whale, twice")
    line = (root / FACTS).read_bytes().splitlines()[1]
    with open(root / FACTS, "ab") as file:
        file.write(line[:-30] + b"\n")

    memory.forget([quoted.id])

    assert line[:-30] in (root / FACTS).read_bytes()
    assert memory.show(other.id).text == "he said: blue whale, twice"


def test_a_whole_neighbour_in_the_same_damaged_line_survives(root, memory):
    """Two records run together into one line: the erased one goes, the other stays."""
    doomed = memory.remember("Tweety-4711 is doomed")
    neighbour = memory.remember("its neighbour is not")
    path = root / FACTS
    path.write_bytes(path.read_bytes().replace(b"\n", b"", 1))

    memory.forget([doomed.id])

    assert places_of(root) == []
    assert memory.show(neighbour.id).text == "its neighbour is not"
    assert memory.check().ok


CALLS = ("write", "fsync", "rename", "unlink", "open")


class Stopped(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("number", range(1, 40))
def test_a_kill_in_the_middle_leaves_work_that_repair_completes(root, monkeypatch, number):
    """Stopped before any storage call, forget has either not begun or can be finished; nothing else suffers."""
    with open_memory(str(root), environment={}) as memory:
        kept = memory.remember(SECRET)
        memory.remember("something else")
        memory.recall("Tweety-4711")
        memory.edit(kept.id, text=SECRET + " again")
        memory.fold()
        count = 0

        def stopping(real):
            def call(*words, **more):
                nonlocal count
                count += 1
                if count == number:
                    raise Stopped
                return real(*words, **more)

            return call

        with monkeypatch.context() as patch:
            for name in ("write", "pwrite", "fsync", "rename", "ftruncate"):
                patch.setattr(os, name, stopping(getattr(os, name)))
            try:
                memory.forget([kept.id])
            except Stopped:
                pass
            else:
                assert count < number
    with open_memory(str(root), environment={}) as memory:
        erased = memory.show(kept.id).status is Status.FORGOTTEN
        report = memory.check()
        if erased and places_of(root):
            assert not report.ok, "what is left is told"
        memory.repair()
        assert memory.check(deep=True).ok
        assert bool(places_of(root)) != erased
        assert texts(memory.store) == (
            ["something else"] if erased else ["something else", SECRET + " again"]
        )
        assert erasing.unfinished(memory.store) == []


def test_an_index_that_cannot_be_cleaned_is_built_anew(root, memory, told):
    """Somebody reads the old index during the erasing: the old file goes as a whole."""
    import sqlite3

    name = (root / "index" / "current").read_text().strip()
    reader = sqlite3.connect(root / "index" / name, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM passages").fetchone()

    memory.forget([told.id])

    assert places_of(root) == []
    reader.close()
    assert "something else" in met(memory, "something else")
    assert json.dumps(memory.check(deep=True).counts)
