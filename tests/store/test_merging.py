"""The order of lines decides nothing, so folders that were changed apart can be merged by lines."""

import os
import random
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.compose import open_memory
from memoracle.model.record import Status, newest
from memoracle.model.value import replace
from memoracle.store.erase import tombstone
from memoracle.store.journal import read_records
from memoracle.store.line import encode
from memoracle.times import system_clock
from support.build import a_change, a_record, days
from support.clock import START
from support.files import contents
from support.stores import FACTS, met, standing, texts

WRITERS = ("w_a", "w_b")


def histories():
    """Versions of up to three records as two machines may have written them, ties included."""
    version = st.builds(
        lambda record, number, day, writer, text, status: a_record(
            text,
            id=f"mem_{record}",
            version=number,
            status=status,
            change=a_change("edit", at=START + days(day), writer=writer, operation="op"),
            created=START,
        ),
        st.integers(1, 3),
        st.integers(1, 3),
        st.integers(0, 2),
        st.sampled_from(WRITERS),
        st.sampled_from(["red", "green", "blue"]),
        st.sampled_from([Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED]),
    )
    return st.lists(version, min_size=1, max_size=8)


def state(lines):
    versions = {}
    for version in read_records(FACTS, b"".join(lines)).versions:
        versions.setdefault(version.record.id, []).append(version.record)
    return {record_id: encode(newest(held)) for record_id, held in versions.items()}


@pytest.mark.seed("S4.089")
@given(histories(), st.randoms(use_true_random=False))
def test_any_order_and_repetition_gives_the_same_records(versions, chance):
    """Permuted, doubled, split: the newest version stands, wherever it stands."""
    lines = [encode(version) for version in versions]
    mixed = lines + [chance.choice(lines) for _ in range(3)]
    chance.shuffle(mixed)

    assert state(mixed) == state(lines)


@given(histories(), st.randoms(use_true_random=False))
def test_a_tombstone_stands_over_everything(versions, chance):
    """What was erased on one machine stays erased, whatever another wrote later."""
    lines = [encode(version) for version in versions]
    stone = tombstone(replace(versions[0], version=1), a_change("forget"))
    mixed = [*lines, encode(stone)]
    chance.shuffle(mixed)

    assert state(mixed)[versions[0].id] == encode(stone)


def git(folder, *words):
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
        cwd=folder,
        check=True,
        capture_output=True,
        env=os.environ | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"},
    )


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
@pytest.mark.seed("S4.089")
def test_two_copies_merged_by_git_converge(root, tmp_path):
    """Two machines write, edit, archive and fold apart; after `git merge` either way both say the same."""
    with open_memory(str(root), environment={}) as here:
        shared = [here.remember(f"shared {number}").id for number in range(6)]
    git(root, "init", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-m", "begin")
    there_root = tmp_path / "there"
    git(tmp_path, "clone", str(root), str(there_root))

    with (
        open_memory(str(root), environment={}) as here,
        open_memory(str(there_root), environment={}) as there,
    ):
        here.edit(shared[0], text="edited here")
        here.edit(shared[1], text="edited here first")
        here.archive(shared[2])
        here.remember("only here")
        here.fold()
        there.edit(shared[1], text="edited there")
        there.edit(shared[1], text="edited there twice")
        there.edit(shared[3], tags=["there"])
        there.remember("only there")
        there.fold()
    for folder in (root, there_root):
        git(folder, "add", "-A")
        git(folder, "commit", "-m", "apart")
    git(there_root, "pull", "--no-rebase", "--no-edit", "origin", "main")
    git(root, "pull", "--no-rebase", "--no-edit", str(there_root), "main")

    with (
        open_memory(str(root), environment={}) as here,
        open_memory(str(there_root), environment={}) as there,
    ):
        assert standing(here.store) == standing(there.store)
        assert texts(here.store) == sorted(
            [
                "edited here",
                "edited there twice",
                "only here",
                "only there",
                *(f"shared {n}" for n in (2, 3, 4, 5)),
            ]
        )
        assert here.check().ok
        assert there.check().ok
        assert here.remember("only there").created is False


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_erased_text_that_a_merge_brings_back_is_reported_and_erased_again(root, tmp_path):
    """A forgotten record stays gone for every reader at once, and repair takes its bytes out again."""
    with open_memory(str(root), environment={}) as here:
        secret = here.remember("the canary is called Tweety-4711")
        here.remember("something else")
    git(root, "init", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-m", "begin")
    there_root = tmp_path / "there"
    git(tmp_path, "clone", str(root), str(there_root))
    with open_memory(str(there_root), environment={}) as there:
        there.edit(secret.id, text="the canary is still called Tweety-4711")
    git(there_root, "commit", "-am", "apart")
    with open_memory(str(root), environment={}) as here:
        here.forget([secret.id])
        git(root, "add", "-A")
        git(root, "commit", "-m", "forgotten")
        git(root, "pull", "--no-rebase", "--no-edit", str(there_root), "main")

        assert b"Tweety" in (root / FACTS).read_bytes(), "the merge brought it back"
        assert not [text for text in met(here, "Tweety-4711") if "Tweety" in text]
        assert texts(here.store) == ["something else"]
        assert "erased-content" in {finding.code for finding in here.check().findings}
        here.repair()
        assert here.check().ok
    assert not [path for path in contents(root, skip=(".git",)) if b"Tweety" in (root / path).read_bytes()]


def test_copies_that_syncing_tools_leave_do_no_harm(root, memory):
    """A line that arrives twice, cut short or from an older copy changes nothing that is newer."""
    first = memory.remember("the sky is blue")
    older = (root / FACTS).read_bytes()
    memory.edit(first.id, text="the sky is grey")
    chance = random.Random(3)
    for _ in range(5):
        with open(root / FACTS, "ab") as file:
            file.write(older[: chance.randrange(len(older))] + b"\n" + older)

    assert texts(memory.store) == ["the sky is grey"]
    memory.repair()
    memory.fold()
    assert texts(memory.store) == ["the sky is grey"]
    assert memory.check(deep=True).ok
    assert system_clock() > memory.show(first.id).created
