"""Whatever the umask: every file is its owner's alone, after every verb, in a root in clear and in a sealed one."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

from memoracle.interfaces.hooks.entry import run_hook

from .test_contract import EXAMPLES, example  # noqa: F401 - a fixture

WORDS = (b"peanuts", b"Miso", b"Sesame", b"half of it is done", b"met Mei", b"called Rex", b"something cold")


@pytest.fixture
def open_to_all():
    """The most careless umask there is."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def sealed_root(root, monkeypatch):
    """The root, sealed and unlocked."""
    pyrage = pytest.importorskip("pyrage")
    pytest.importorskip("cryptography")
    from memoracle.extensions.encryption import encrypting, unlocked

    folder = tempfile.mkdtemp(prefix="memoracle-test-", dir="/dev/shm")
    monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
    if not (unlocked.memory_folder() or "").startswith(folder):
        pytest.skip("no folder here lives in memory")
    key = str(pyrage.x25519.Identity.generate().to_public())
    encrypting.encrypt(str(root), environment={}, recipients=[key], recovery=False)
    yield root
    shutil.rmtree(folder)


def too_open(*places):
    """The files and folders that somebody else may read, write or enter."""
    found = []
    for place in places:
        for folder, folders, names in os.walk(place):
            for name in (*folders, *names, "."):
                path = Path(folder, name)
                mode = path.lstat().st_mode
                if not stat.S_ISLNK(mode) and mode & 0o077:
                    found.append(f"{path} {oct(mode)}")
    return found


@pytest.mark.seed("S4.074")
@pytest.mark.parametrize("verb", EXAMPLES)
def test_files_are_their_owners_alone(open_to_all, cli, root, tmp_path, verb, request):
    """Under umask 000, with everything a verb leaves: temporary files, the view, locks, exports."""
    words = request.getfixturevalue("example")(verb)
    arranged = too_open(root)
    cli(*words)
    assert set(too_open(root, tmp_path / "out")) - set(arranged) == set()


@pytest.mark.parametrize("event", ["session-start", "prompt", "stop", "session-end"])
def test_what_hooks_leave_is_their_owners_alone(open_to_all, cli, made, root, event, monkeypatch):
    """The spool, the log and its locks."""
    from memoracle.interfaces.hooks import capture as noting
    from memoracle.interfaces.hooks import entry

    monkeypatch.setattr(noting, "start_worker", lambda *_: None)
    monkeypatch.setattr(entry, "_watch", lambda *_: None)
    monkeypatch.setattr(
        entry, "read_stdin", lambda: b'{"session_id": "s", "prompt": "what is the cat called?"}'
    )
    assert (run_hook([event, "--host", "claude-code"], str(root)), too_open(root)) == (0, [])


@pytest.mark.seed("S4.074")
@pytest.mark.parametrize("verb", sorted(EXAMPLES.keys() - {"decrypt", "init", "unlock"}))
def test_every_verb_works_sealed_and_leaves_no_word(open_to_all, sealed_root, cli, tmp_path, verb, request):
    """The same calls end as well as in clear, and no byte under the root says what was told."""
    words = request.getfixturevalue("example")(verb)
    arranged = too_open(sealed_root)
    done = cli(*words, "--json")
    held = {path: path.read_bytes() for path in sealed_root.rglob("*") if path.is_file()}
    told = {
        f"{path.relative_to(sealed_root)}: {word}"
        for path, raw in held.items()
        for word in WORDS
        if word in raw
    }
    opened = set(too_open(sealed_root, tmp_path / "out")) - set(arranged)
    assert (done.status, told, opened) == (0, set(), set()), done.err
