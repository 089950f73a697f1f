"""Asking the resident process: the first thing a command does, before anything else is imported.

Whoever answers is the same user's, of the same installation and for the same root; where nobody does, or not in time,
the command works by itself and says the same. Nothing of an answer is printed before all of it is there.

Imports nothing that is written in Python and that a bare start has not: `socket`, `json` and `typing` cost more than
all that is done here.
"""

from __future__ import annotations

import _socket
import marshal
import os
import stat
import sys
import time
from binascii import crc32

from memoracle import __version__
from memoracle.resolve import FILE, ROOT_VARIABLE, default_root, find_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

begun = [time.monotonic()]
"""When this process was asked for something: what a hook waited for another counts towards its own time."""
SWITCH = "MEMORACLE_RESIDENT_MINUTES"
"""The variable of the setting; `0` in it means: neither ask nor start."""
_VERBS = frozenset({"recall", "search", "context"})
_EVENTS = frozenset({"prompt", "session-start"})
_ALONE = frozenset({"-h", "--help", "--all-roots"})
READY, GO, INTERRUPT = b"r", b"g", b"i"
_SHAKING = 0.3
"""Seconds within which it has to say that it is there."""
_PATIENCE = {True: 1.0, False: 10.0}
"""Seconds within which it has to answer a hook, and a command; who is killed or hangs is not waited for longer."""
_HEAD = 12
_TEMPORARY = "/tmp"  # noqa: S108 - a folder there is used when it is ours and closed to others
_LONGEST_FOLDER = 56
_LARGEST = 64 << 20


def called(words: list[str]) -> tuple[str, bool] | None:
    """The root of a command that the resident process may do, and whether it is a hook; None for any other."""
    rest, flag = list(words), None
    while rest and rest[0].startswith("--root"):
        option = rest.pop(0)
        flag = option[7:] if option.startswith("--root=") else rest.pop(0) if rest else ""
        if not flag:
            return None
    if not rest or not _ALONE.isdisjoint(rest):
        return None
    is_hook = rest[0] == "hook"
    if rest[0] not in _VERBS and not (is_hook and len(rest) > 1 and rest[1] in _EVENTS):
        return None
    home = os.path.expanduser("~")
    if is_hook:  # the folder an agent works in has no say
        named = flag or os.environ.get(ROOT_VARIABLE) or default_root(os.environ, home=home)
        return os.path.abspath(os.path.expanduser(named)), True
    try:
        return find_root(flag, os.environ, start=os.getcwd(), home=home), False
    except OSError:  # the folder we stand in is gone
        return None


def socket_of(root: str) -> str | None:
    """Where the process of this root listens; None where there can be none: no root of ours, or another system.

    The name is short, for a socket's path has 108 bytes: the folder's own number, and the installation.
    """
    try:
        held = os.stat(root)
        # A Python that was built for older systems, as uv's long was, lacks these calls.
        is_able = sys.platform == "linux" and hasattr(os, "memfd_create") and hasattr(os, "pidfd_open")
        if not is_able or held.st_uid != os.geteuid() or not os.path.isfile(f"{root}/{FILE}"):
            return None
        folder = _folder(os.geteuid())
    except OSError:
        return None
    ours = crc32(
        f"{__version__} {os.path.dirname(__file__)} {sys.prefix} {sys.version}".encode(errors="replace")
    )
    return f"{folder}/{held.st_dev:x}-{held.st_ino:x}-{ours:08x}" if folder else None


def _folder(user: int) -> str | None:
    """A folder that is ours alone, made if need be; None when somebody else has put one there."""
    base, made = _TEMPORARY, f"{_TEMPORARY}/memoracle-{user}"
    own = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{user}"
    if len(os.fsencode(own)) <= _LONGEST_FOLDER and os.path.isdir(own) and os.stat(own).st_uid == user:
        base, made = own, f"{own}/memoracle"
    if not os.path.isdir(made) and os.path.isdir(base):
        os.mkdir(made, 0o700)
    found = os.lstat(made)
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == user and not found.st_mode & 0o077
    return made if is_ours else None


def connect(root: str) -> _socket.socket | None:
    """A connection to the process of this root, whose user is this one; None when there is none."""
    path = socket_of(root)
    if path is None:
        return None
    one = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        one.settimeout(_SHAKING)
        one.connect(path)
        if user_of(one) == os.geteuid():
            return one
    except OSError:
        pass
    one.close()
    return None


def user_of(one: _socket.socket) -> int:
    """Who is at the other end, by the kernel's word."""
    held = one.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(held[4:8], sys.byteorder)


def ask(words: list[str]) -> int | None:
    """The status of a command that was done by the resident process, its output printed; None: do it here."""
    mine = called(words) if sys.stdout and sys.stderr and os.environ.get(SWITCH) != "0" else None
    one = connect(mine[0]) if mine else None
    if one is None or mine is None:
        return None
    begun, is_hook = time.monotonic(), mine[1]
    given = read_stdin() if is_hook else b""
    answer = None
    try:
        if _agreed(one, words, given):
            answer = _answer(one, begun + _PATIENCE[is_hook])
    except OSError:
        pass
    except KeyboardInterrupt:
        answer = (0 if is_hook else 130, b"", b"\nstopped; what was acknowledged is kept\n")
    finally:
        one.close()
    if answer is None:
        if is_hook:
            _put_back(given)
        return None
    status, out, err = answer
    try:
        _write(2, err)
        _write(1, out)
    except BrokenPipeError:
        return 0  # the reader of our output has gone; that is its right
    except OSError:
        return 0 if is_hook else 1
    return status


def _agreed(one: _socket.socket, words: list[str], given: bytes) -> bool:
    """Hand the command over; True when it was taken in time. Until we say `GO` nobody begins with it."""
    terminal = [2] if os.isatty(2) else []
    asked = {
        "words": words,
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "stdin": given,
        "umask": _umask(),
        "streams": [(stream.encoding, stream.errors) for stream in (sys.stdout, sys.stderr)],
    }
    send(one, asked, terminal)
    if one.recv(1) != READY:
        return False
    one.sendall(GO)
    return True


def _umask() -> int:
    held = os.umask(0o077)
    os.umask(held)
    return held


def _answer(one: _socket.socket, until: float) -> tuple[int, bytes, bytes] | None:
    """Status and both outputs, whole; None when they do not come in time."""
    head = _received(one, _HEAD, until)
    if len(head) < _HEAD:
        return None
    status, out, err = (int.from_bytes(head[at : at + 4], "big") for at in (0, 4, 8))
    rest = _received(one, out + err, until) if out + err <= _LARGEST else b""
    return (status, rest[:out], rest[out:]) if len(rest) == out + err else None


def _received(one: _socket.socket, size: int, until: float) -> bytes:
    """So many bytes; fewer when they end before. Ctrl-C is passed on, once: what it means is said over there."""
    held = bytearray()
    told = False
    while len(held) < size:
        try:
            one.settimeout(max(0.001, until - time.monotonic()))
            piece = one.recv(min(size - len(held), 1 << 20))
        except KeyboardInterrupt:
            if told:
                raise
            told = True
            one.sendall(INTERRUPT)
            continue
        if not piece:
            break
        held += piece
    return bytes(held)


def send(one: _socket.socket, said: Mapping[str, Any], handles: list[int]) -> None:
    """One message: its length, then what it says; handles travel with its first byte."""
    body = marshal.dumps(dict(said))
    head = len(body).to_bytes(4, "big")
    if handles:
        packed = b"".join(handle.to_bytes(4, sys.byteorder) for handle in handles)
        one.sendmsg([head], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
    else:
        one.sendall(head)
    one.sendall(body)


def _write(handle: int, said: bytes) -> None:
    rest = memoryview(said)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _put_back(given: bytes) -> None:
    """Let this process read from its stdin again what was read for another."""
    handle = os.memfd_create("stdin")
    _write(handle, given)
    os.lseek(handle, 0, os.SEEK_SET)
    os.dup2(handle, 0)
    os.close(handle)


# What a host says to a hook.

_MOST_SAID = 8 << 20
_PIECE = 1 << 16
_READING_TIME = 1.5
_PAUSE = 0.05


def read_stdin() -> bytes:
    """What the host says: bounded in size and in time, and nothing when there is nobody."""
    from select import select

    kept: list[bytes] = []
    size = 0
    deadline = time.monotonic() + _READING_TIME
    try:
        if os.isatty(0):
            return b""
        while (left := deadline - time.monotonic()) > 0:
            ready, _, _ = select([0], [], [], min(left, _PAUSE))
            if not ready:
                # Some hosts leave the pipe open: what has come may be a JSON object already.
                if kept and kept[-1].rstrip().endswith(b"}") and _is_whole(b"".join(kept)):
                    break
                continue
            piece = os.read(0, _PIECE)
            if not piece:
                break
            size += len(piece)
            if size <= _MOST_SAID:  # what is beyond is taken from the host, and not kept
                kept.append(piece)
    except (OSError, ValueError):
        return b""
    return b"".join(kept) if size <= _MOST_SAID else b"{"


def _is_whole(said: bytes) -> bool:
    import json

    try:
        return isinstance(json.loads(said), dict)
    except (ValueError, RecursionError):
        return False
