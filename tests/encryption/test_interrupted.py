"""Sealing that is cut short anywhere: killed, or refused by the disk. Every word is still there, and a second run ends it."""

import os
import shutil
import signal
from contextlib import suppress

import pytest

from memoracle.compose import open_memory
from memoracle.errors import MemoracleError
from memoracle.extensions.encryption import encrypting, vaults
from memoracle.store import sealed
from support.files import PLAIN, copy_root

from .conftest import raw_bytes

pytestmark = pytest.mark.long

CALLS = ("write", "fsync", "rename", "unlink")
MODES = {"encrypt": "all", "rekey": "all", "decrypt": "off", "narrow": "sensitive"}


def words_of(root):
    """What every file says, apart from locks, counts of the moment and the mark of whose state it is."""
    return {
        path: sealed.read(f"{root}/{path}")
        for path in raw_bytes(root)
        if not path.endswith((".lock", ".tmp~", "/sealed.json", "/own.json", "/own.twin.json"))
    }


def act_on(root, act, recipient):
    """One of the acts that rewrite a root."""
    if act == "decrypt":
        return encrypting.decrypt(str(root), environment={})
    first = {"recipients": [recipient], "recovery": False} if not vaults.vault_at(str(root)) else {}
    if act == "rekey":
        return encrypting.encrypt(str(root), environment={}, rekey=True)
    mode = "sensitive" if act == "narrow" else "all"
    return encrypting.encrypt(str(root), environment={}, mode=mode, **first)


def stop_at(number, stop):
    """Have the n-th call that changes a disk end this process, or fail; how many there were is kept."""
    seen = [0]

    def guarded(real):
        def call(*words, **options):
            seen[0] += 1
            if seen[0] == number:
                stop()
            return real(*words, **options)

        return call

    return seen, {name: guarded(getattr(os, name)) for name in CALLS}


@pytest.fixture
def before(root, identity, runtime, request):
    """A root as it is before the act, and its words."""
    with open_memory(str(root), environment=PLAIN) as memory:
        memory.remember("the Axolotl grows again")
        memory.remember("the safe is 3-1-4", sensitivity="secret")
        memory.recall("Axolotl")
    (root / "notes/semantic/ponds.md").write_text("# Ponds\n\nAn Axolotl.\n")
    shutil.rmtree(root / "index")
    if request.param != "encrypt":
        encrypting.encrypt(str(root), environment={}, recipients=[identity[1]], recovery=False)
    return root, words_of(root), request.param


def fresh_copy(root, tmp_path, number):
    place = tmp_path / f"copy-{number}"
    copy_root(root, place)
    return place


def judge(place, words, act, identity, at):
    """Nothing is lost now, nor after the machine was started again, nor after the act was repeated."""
    if vaults.vault_at(str(place), is_wary=False):
        encrypting.lock(str(place), environment={})
        vaults._vaults.clear()
        encrypting.unlock(str(place), environment={}, identity=identity[0])
    assert words_of(place) == words, f"after a stop at call {at}"
    done = act_on(place, act, identity[1])
    assert (done.waiting, words_of(place)) == ((), words), f"when it was repeated after a stop at call {at}"
    found = encrypting.keys(str(place), environment={})
    assert (found.mode, found.moving) == (MODES[act], False)
    left = {path for path in raw_bytes(place, beside=()) if path.endswith(".tmp~")}
    assert {path for path in left if not path.startswith("keys/")} == set()


@pytest.mark.parametrize("before", list(MODES), indirect=True)
def test_killed_before_any_call(before, identity, tmp_path):
    """SIGKILL before the n-th write, fsync, rename or unlink, for every n."""
    root, words, act = before
    number, ended = 0, False
    while not ended:
        number += 1
        place = fresh_copy(root, tmp_path, number)
        child = os.fork()
        if child == 0:
            try:
                _, calls = stop_at(number, lambda: os.kill(os.getpid(), signal.SIGKILL))
                for name, call in calls.items():
                    setattr(os, name, call)
                act_on(place, act, identity[1])
                os._exit(0)
            except BaseException:  # noqa: BLE001 - a child never comes back into the test
                os._exit(3)
        _, status = os.waitpid(child, 0)
        ended = os.WIFEXITED(status)
        if ended:
            assert os.WEXITSTATUS(status) == 0
        judge(place, words, act, identity, number)
        shutil.rmtree(place)
    assert number > 8


@pytest.mark.parametrize("before", list(MODES), indirect=True)
def test_refused_at_any_call(before, identity, tmp_path, monkeypatch):
    """The n-th call fails as on a full disk, for every n: it is said, and nothing is lost."""
    root, words, act = before
    number, failed = 0, True
    while failed:
        number += 1
        place = fresh_copy(root, tmp_path, number)

        def stop():
            raise OSError(28, os.strerror(28))

        seen, calls = stop_at(number, stop)
        with monkeypatch.context() as patched:
            for name, call in calls.items():
                patched.setattr(os, name, call)
            with suppress(MemoracleError, OSError):
                act_on(place, act, identity[1])
        failed = seen[0] >= number
        judge(place, words, act, identity, number)
        shutil.rmtree(place)
    assert number > 8
