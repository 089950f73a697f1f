"""Folding moves what no longer stands; a kill anywhere loses nothing."""

import os

import pytest

from memoracle.compose import open_memory
from memoracle.model.record import Status
from support.damage import BOM
from support.files import contents
from support.stores import FACTS, standing

ARCHIVE = "archive/records/facts.jsonl"


@pytest.fixture
def aged(memory):
    """A memory with old versions, a repeated line and an archived record."""
    first = memory.remember("the sky is blue")
    memory.edit(first.id, text="the sky is grey")
    memory.edit(first.id, text="the sky is red")
    memory.archive(memory.remember("long ago").id)
    memory.remember("stays")
    return memory


def lines(root, path):
    return (root / path).read_bytes().splitlines() if (root / path).exists() else []


@pytest.mark.seed("S0.068", "S0.123")
def test_every_line_moves_and_none_is_lost(root, aged):
    """Old versions and archived records stand in the archive, standing ones in the live file."""
    before, state = sorted(lines(root, FACTS)), standing(aged.store)

    aged.fold()

    assert sorted(lines(root, FACTS) + lines(root, ARCHIVE)) == before
    assert standing(aged.store) == state
    assert len(lines(root, FACTS)) == 2
    assert aged.check(deep=True).findings == ()


@pytest.mark.seed("S0.124")
def test_folding_twice_is_folding_once(root, aged):
    """A second fold finds nothing to do."""
    aged.fold()
    before = contents(root)

    assert not aged.fold().steps
    assert contents(root) == before


@pytest.mark.seed("S0.068")
def test_an_archived_record_keeps_its_history_and_comes_back(root, aged):
    """Nothing that was moved is out of reach."""
    aged.fold()
    archived = next(record for record in standing(aged.store).values() if record.status is Status.ARCHIVED)

    assert [version.version for version in aged.history(archived.id)] == [1, 2]
    aged.restore(archived.id)
    assert aged.show(archived.id).status is Status.ACTIVE
    assert aged.remember("long ago").created is False


def test_a_plan_changes_nothing(root, aged):
    """`--dry-run` says what would move."""
    before = contents(root)

    assert aged.plan_fold().steps
    assert contents(root) == before


@pytest.mark.parametrize("form", [lambda c: BOM + c, lambda c: c.replace(b"\n", b"\r\n"), lambda c: c[:-1]])
def test_the_form_of_a_file_does_not_travel(root, aged, form):
    """A byte order mark or carriage returns do not damage the lines that move."""
    state = standing(aged.store)
    (root / FACTS).write_bytes(form((root / FACTS).read_bytes()))

    aged.fold()

    assert standing(aged.store) == state
    assert aged.check().ok


def test_damage_is_not_folded_away(root, aged):
    """Lines that cannot be read stay where they are until repair sets them aside."""
    with open(root / FACTS, "ab") as file:
        file.write(b"garbage\n")

    aged.fold()

    assert b"garbage" in lines(root, FACTS)
    assert b"garbage" not in lines(root, ARCHIVE)


class Stopped(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("number", range(1, 14))
def test_a_kill_between_any_two_storage_calls_loses_nothing(root, aged, monkeypatch, number):
    """Stopped before the n-th call, every version is still there; the next repair and fold leave no litter."""
    state, count = standing(aged.store), 0
    versions = {record for _, record in ((p, repr(r)) for p, r in aged.store.journal.all_versions())}

    def stopping(real):
        def call(*words, **more):
            nonlocal count
            count += 1
            if count == number:
                raise Stopped
            return real(*words, **more)

        return call

    with monkeypatch.context() as patch:
        for name in ("write", "pwrite", "fsync", "rename"):
            patch.setattr(os, name, stopping(getattr(os, name)))
        patch.setattr(os, "unlink", lambda path: None if count >= number else os.remove(path))
        patch.setattr(os, "ftruncate", lambda handle, length: None)
        try:
            aged.fold()
        except Stopped:
            pass
        else:
            assert count < number

    with open_memory(str(root), environment={}) as memory:
        assert standing(memory.store) == state
        assert {repr(record) for _, record in memory.store.journal.all_versions()} == versions
        memory.repair()
        memory.fold()
        assert memory.check(deep=True).findings == ()
        assert {repr(record) for _, record in memory.store.journal.all_versions()} == versions
        assert not [path for path in contents(root) if path.endswith("tmp~")]
