"""Roots that are sealed: keys of age in a file, and a folder that lives in memory for open ones."""

import os
import shutil
import tempfile

import pytest

pyrage = pytest.importorskip("pyrage")
pytest.importorskip("cryptography")

from memoracle.extensions.encryption import encrypting, unlocked, vaults  # noqa: E402 - only where the extra is installed


@pytest.fixture
def runtime(monkeypatch):
    """The runtime folder of a person, in memory; each test has its own."""
    try:
        folder = tempfile.mkdtemp(prefix="memoracle-test-", dir="/dev/shm")
    except OSError:
        pytest.skip("no folder here lives in memory")
    monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
    if unlocked.memory_folder() != f"{folder}/memoracle":
        shutil.rmtree(folder)
        pytest.skip("/dev/shm does not live in memory here")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def identity(tmp_path):
    """An identity file as age-keygen writes it, and its public key."""
    made = pyrage.x25519.Identity.generate()
    path = tmp_path / "identity.txt"
    path.write_text(f"# public key: {made.to_public()}\n{made}\n")
    return str(path), str(made.to_public())


@pytest.fixture
def seal(runtime, identity):
    """Seals a root for the identity."""

    def act(root, **options):
        options = {"recipients": [identity[1]], "recovery": False, **options}
        return encrypting.encrypt(str(root), environment={}, **options)

    return act


@pytest.fixture
def reopen(identity):
    """Opens a root again as after a restart: nothing of it is remembered."""

    def act(root):
        encrypting.lock(str(root), environment={})
        vaults._vaults.clear()
        encrypting.unlock(str(root), environment={}, identity=identity[0])

    return act


def raw_bytes(root, *, beside=("keys", ".git")):
    """Every file under a root as it lies there."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in beside]
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, root)] = file.read()
    return found
