"""Bytes reach the disk whole or not at all, and only into plain files of the root."""

import errno
import os
import stat

import pytest

from memoracle.errors import ChangedUnderneath, OutsideRoot, ReadOnlyRoot, StoreProblem, WriteFailed
from memoracle.model.ids import file_digest
from memoracle.store import durable


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "lines.jsonl")


def append(path, lines):
    """Add whole lines to one file; where they begin."""
    return durable.append_all({path: lines})[path].begin


def failing(monkeypatch, name, number, *, after=0):
    """Make a call of `os` fail, the first `after` times not."""
    real, calls = getattr(os, name), []

    def call(*words, **more):
        calls.append(words)
        if len(calls) > after:
            raise OSError(number, os.strerror(number))
        return real(*words, **more)

    monkeypatch.setattr(os, name, call)
    return calls


def test_an_append_is_synced_before_it_returns(file, monkeypatch):
    """The acknowledgement comes after fsync of the file, and of its folder when the file is new."""
    synced = []
    real = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda handle: (synced.append(os.readlink(f"/proc/self/fd/{handle}")), real(handle))
    )

    append(file, b"one\n")
    append(file, b"two\n")

    folder = os.path.dirname(file)
    assert synced == [folder, os.path.dirname(folder), file, file]


def test_a_torn_tail_never_swallows_the_next_line(file):
    """What a crash left unfinished is fenced off with a newline."""
    append(file, b"one\n")
    with open(file, "ab") as torn:
        torn.write(b"half a li")

    begin = append(file, b"two\n")

    assert durable.read_raw(file) == b"one\nhalf a li\ntwo\n"
    assert durable.read_raw(file, begin) == b"two\n"


def test_short_writes_are_carried_on(file, monkeypatch):
    """Near a full disk one call may take only some of the bytes; the rest follows."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: real(handle, bytes(content)[:3]))

    append(file, b"a line of some length\n")

    assert durable.read_raw(file) == b"a line of some length\n"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG])
@pytest.mark.parametrize(("name", "after"), [("write", 0), ("write", 1), ("fsync", 0)])
def test_a_failed_append_leaves_the_file_as_it_was(file, monkeypatch, name, after, number):
    """Half a write, or one that cannot be synced, is taken back and never acknowledged; later it works again."""
    append(file, b"one\n")
    if name == "write":
        real = os.write
        monkeypatch.setattr(os, "write", lambda handle, content: real(handle, bytes(content)[:3]))
    failing(monkeypatch, name, number, after=after)

    with pytest.raises(WriteFailed, match=os.strerror(number)):
        append(file, b"two two two\n")
    monkeypatch.undo()

    assert durable.read_raw(file) == b"one\n"
    append(file, b"three\n")
    assert durable.read_raw(file) == b"one\nthree\n"


def test_a_handle_whose_fsync_failed_is_never_synced_again(file, monkeypatch):
    """After a failed fsync a second one may lie, so there is none."""
    append(file, b"one\n")
    calls = failing(monkeypatch, "fsync", errno.EIO)

    with pytest.raises(WriteFailed):
        append(file, b"two\n")

    assert len(calls) == 1


def test_a_key_press_in_the_middle_leaves_nothing_half(file, monkeypatch):
    """An interrupt between write and fsync takes the bytes back like any failure."""
    append(file, b"one\n")

    def interrupted(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        append(file, b"two\n")

    assert durable.read_raw(file) == b"one\n"


@pytest.mark.parametrize("name", ["open", "write", "fsync", "rename", "fchmod"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EMFILE])
def test_a_failed_replacement_leaves_the_old_file_and_no_litter(file, monkeypatch, name, number):
    """Whatever call fails, readers keep the old content and nothing temporary stays."""
    durable.put_raw(file, b"old\n")
    failing(monkeypatch, name, number)

    with pytest.raises(WriteFailed):
        durable.put_raw(file, b"new\n")
    monkeypatch.undo()

    assert durable.read_raw(file) == b"old\n"
    assert os.listdir(os.path.dirname(file)) == ["lines.jsonl"]


def test_a_replacement_notices_that_the_file_moved_on(file):
    """Somebody else's change is not overwritten; both digests are named."""
    durable.put_raw(file, b"old\n")
    seen = file_digest(b"old\n")
    durable.put_raw(file, b"an editor's\n")

    with pytest.raises(ChangedUnderneath) as told:
        durable.put_raw(file, b"ours\n", expected=seen)

    assert (told.value.expected, told.value.found) == (seen, file_digest(b"an editor's\n"))
    assert durable.read_raw(file) == b"an editor's\n"


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277, 0o777])
def test_files_and_folders_are_their_owners_alone(tmp_path, umask):
    """Files are 0600 and folders 0700 whatever the umask says."""
    before = os.umask(umask)
    try:
        durable.make_folder(str(tmp_path / "a" / "b"))
        append(str(tmp_path / "a" / "b" / "appended"), b"x\n")
        durable.put_raw(str(tmp_path / "a" / "b" / "replaced"), b"x\n")
        with durable.locked(str(tmp_path / "a" / "b" / "lock"), timeout=0):
            pass
    finally:
        os.umask(before)

    modes = {
        name: stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode)
        for folder, folders, names in os.walk(tmp_path)
        for name in folders + names
    }
    assert modes == {"a": 0o700, "b": 0o700, "appended": 0o600, "replaced": 0o600, "lock": 0o600}


@pytest.mark.parametrize("act", ["read", "append", "lock"])
@pytest.mark.parametrize("what", ["link", "broken link", "pipe", "folder"])
def test_only_plain_files_are_opened(tmp_path, act, what):
    """A link, a pipe or a folder in the place of a file is refused at once: nothing waits, nothing leaves."""
    outside = tmp_path / "outside"
    outside.write_bytes(b"not ours")
    place = str(tmp_path / "place")
    plant = {
        "link": lambda: os.symlink(outside, place),
        "broken link": lambda: os.symlink(tmp_path / "nowhere", place),
        "pipe": lambda: os.mkfifo(place),
        "folder": lambda: os.mkdir(place),
    }
    plant[what]()

    def lock():
        with durable.locked(place, timeout=0):
            pass

    acts = {
        "read": lambda: durable.read_raw(place),
        "append": lambda: append(place, b"x\n"),
        "lock": lock,
    }
    with pytest.raises((OutsideRoot, StoreProblem)):
        acts[act]()
    assert outside.read_bytes() == b"not ours"
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_without_permission_is_told_apart_from_a_full_disk(file, monkeypatch):
    """Read-only is its own error, because the remedy is another."""
    failing(monkeypatch, "open", errno.EROFS)

    with pytest.raises(ReadOnlyRoot):
        append(file, b"x\n")


def test_no_handle_is_left_open(file, monkeypatch):
    """Failures do not use up the process's handles."""
    append(file, b"one\n")
    before = len(os.listdir("/proc/self/fd"))
    failing(monkeypatch, "fsync", errno.EIO)
    for _ in range(20):
        with pytest.raises(WriteFailed):
            append(file, b"x\n")
        with pytest.raises(WriteFailed):
            durable.put_raw(file, b"x\n")

    assert len(os.listdir("/proc/self/fd")) == before
