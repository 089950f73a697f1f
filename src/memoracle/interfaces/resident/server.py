"""The resident process (a pre-forking server): modules, weights and the view's arrays are loaded once, then it forks.

A child stands by. It takes one command with its words, folder, environment and terminal, runs the very same command
line on them, hands the whole answer over and ends; the next one stands by already. So no command sees what another
left behind, SQLite's connections belong to one process each, and what hangs or dies is one child.

It ends when nobody asked for a while, and as soon as the installation, the settings, the root or its seal change.
Sealed roots have none: it would keep words in its memory that locking should take away.
"""

from __future__ import annotations

import _socket
import gc
import json
import marshal
import os
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import memoracle
from memoracle.errors import MemoracleError
from memoracle.hosts.known_hosts import HookEvent
from memoracle.interfaces.resident.client import (
    GO,
    INTERRUPT,
    READY,
    SWITCH,
    begun,
    connect,
    send,
    socket_of,
    user_of,
)
from memoracle.lock import wait_for_lock
from memoracle.resolve import FILE
from memoracle.store.sealed import PINS, PUBLIC

_MOST_AT_ONCE = 8
_LONGEST = 600.0
"""Seconds after which a child is ended, whatever it does."""
_TICK = 2.0
_SHAKING = 1.0
_LARGEST = 32 << 20
_TOOK, _STOP, _LEFT = b"t", b"s", b"l"
_MOST_DEATHS = 3


def start(root: str) -> None:
    """Begin one for this root in the background, unless the settings say otherwise or one is there."""
    from memoracle.interfaces.hooks.capture import start_process
    from memoracle.interfaces.hooks.entry import TRIAL_VARIABLE
    from memoracle.settings import load_settings

    environment = dict(os.environ)
    if environment.get(SWITCH) == "0" or environment.get(TRIAL_VARIABLE):
        return
    with suppress(MemoracleError, OSError):
        is_wanted = load_settings(root, environment).settings.resident_minutes
        if is_wanted and socket_of(root) and not _is_sealed(root) and about(root) is None:
            os.close(os.pidfd_open(os.getpid()))  # raises on a kernel where it could not live
            start_process(root, "resident", "serve", environment=environment)


def about(root: str) -> Mapping[str, Any] | None:
    """What the process of this root says of itself; None when there is none."""
    return _told(root, "about")


def described(found: Mapping[str, Any]) -> str:
    """The same in a line."""
    since = time.strftime("%H:%M", time.localtime(found["since"]))
    return f"process {found['pid']} since {since}, {found['answered']} answered"


def stop(root: str) -> Mapping[str, Any] | None:
    """End the process of this root, and say which it was; what it is doing at the moment is done."""
    return _told(root, "stop")


def _told(root: str, what: str) -> Mapping[str, Any] | None:
    one = connect(root)
    if one is None:
        return None
    try:
        send(one, {"ask": what}, [])
        return _message(one)[0]
    except (OSError, ValueError, EOFError):
        return None
    finally:
        one.close()


def serve(root: str, minutes: int) -> bool:
    """Answer for this root until nobody asks any more; False when there is one already, or there may be none."""
    path = socket_of(root)
    if path is None or not minutes or _is_sealed(root):
        return False
    handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    if not wait_for_lock(handle, 0):
        return False
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    real = os.path.realpath(root)
    os.chdir("/")
    stamps = _stamps(real)
    shutil.rmtree(f"{path}.warm", ignore_errors=True)
    try:
        _rehearse(f"{path}.warm")
        _Server(real, path, _listen(path), handle, stamps, minutes * 60.0).run()
    finally:  # nobody else has taken the place: the lock is ours
        with suppress(OSError):
            os.unlink(path)
        shutil.rmtree(f"{path}.warm", ignore_errors=True)
    return True


def _is_sealed(root: str) -> bool:
    return any(os.path.lexists(f"{root}/{name}") for name in (PUBLIC, *PINS))


def _stamps(root: str) -> tuple[Any, ...]:
    """What may not change while it lives: the installation, the settings, the folder itself, that it lies open."""
    found: list[Any] = [_is_sealed(root)]
    for path in (memoracle.__file__, __file__, f"{root}/{FILE}"):
        with suppress(OSError):
            held = os.stat(path)
            found += [held.st_ino, held.st_mtime_ns, held.st_size]
    with suppress(OSError):
        held = os.stat(root)
        found += [held.st_dev, held.st_ino, held.st_uid]
    return tuple(found)


_SAID = (
    "The rehearsal is in the town hall. Do you know when it begins? I don't know, nothing is recorded about it.",
    "Can you tell me who sings? If you want, ask Ana, who told me that she does not remember what the choir sings",
    "彩排在市政厅举行。你知道几点开始吗？我不知道，没有找到相关记录。你可以问安娜",
    "# Choir\n- [ ] {{x}} <b>The rehearsal is next Tuesday at 7</b>, and was in the hall on 3 May 2024, two years ago",
    "下周二晚上七点彩排，去年五月三日在市政厅；请把名单发给小雨",
    *(f"At rehearsal {number} the choir sang in the town hall, as it always does" for number in range(24)),
)
_QUESTIONS = ("Where is the rehearsal?", "彩排在哪里举行？")
_VERBS = (("recall", "--json"), ("search",), ("context",))


def _rehearse(folder: str) -> None:
    """Do what will be asked for, in a memory that nobody else has: everything is imported and compiled then."""
    os.mkdir(folder, 0o700)
    talk = f"{folder}/talk.jsonl"
    with open(talk, "w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps({'role': 'user', 'content': said})}\n" for said in _SAID)
    asked = [(*verb, question) for question in _QUESTIONS for verb in _VERBS]
    with _quiet(folder):
        for words in (("init",), *(("remember", said) for said in _SAID[:5]), ("ingest", talk), *asked):
            _command(folder, *words)
        for question in _QUESTIONS:
            for event in (HookEvent.SESSION_START, HookEvent.PROMPT):
                _hook(folder, event, question)


def _warm(folder: str) -> None:
    """The same in short, in a process that was just forked: it has every page to find again, and nobody waits yet."""
    from memoracle.inference.bundled import populate

    populate()
    with _quiet(folder, MEMORACLE_RERANKER="none"):
        _hook(folder, HookEvent.PROMPT, _QUESTIONS[0])


def _command(folder: str, *words: str) -> None:
    from memoracle.interfaces.cli import main

    main(["--root", f"{folder}/memory", *words])


def _hook(folder: str, event: HookEvent, question: str) -> None:
    """What a hook does; as in a trial nothing is left, and no worker is begun."""
    from memoracle.interfaces.hooks import capture, context, entry  # noqa: F401 - hooks that write need it

    if place := entry.find_place(f"{folder}/memory", os.environ):
        given = entry.read_payload(
            json.dumps({"prompt": question, "session_id": "s", "cwd": folder}).encode()
        )
        environment = os.environ | {entry.TRIAL_VARIABLE: "1"}
        if given:
            context.tell(
                entry.HookCall(event=event, payload=given, place=place, environment=environment, now="")
            )


@contextmanager
def _quiet(folder: str, **more: str) -> Iterator[None]:
    """Nothing is heard, and this folder is the home."""
    kept, streams = dict(os.environ), (sys.stdin, sys.stdout, sys.stderr)
    try:
        _become({"HOME": folder, "PATH": os.defpath, SWITCH: "0"} | more)
        with open(os.devnull, "r+", encoding="utf-8") as nowhere:
            sys.stdin = sys.stdout = sys.stderr = nowhere
            yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        _become(kept)


def _become(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()


def _listen(path: str) -> socket.socket:
    """The socket, in its place when it is ready; what a process that was killed left there gives way."""
    one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made = f"{path}.new"
    with suppress(FileNotFoundError):
        os.unlink(made)
    held = os.umask(0o177)
    try:
        one.bind(made)
    finally:
        os.umask(held)
    one.listen(_MOST_AT_ONCE)
    one.setblocking(False)
    os.rename(made, path)
    return one


class _Server:
    """The parent: has a child stand by, keeps what children share, and counts."""

    def __init__(
        self,
        root: str,
        path: str,
        listening: socket.socket,
        lock: int,
        stamps: tuple[Any, ...],
        idle: float,
    ) -> None:
        self._root, self.path, self._listening = root, path, listening
        self._stamps, self._idle = stamps, idle
        self._begun = time.time()
        self._last = time.monotonic()
        self._answered = 0
        self._lock = lock
        self._children: dict[int, tuple[int, float]] = {}
        self._standby: int | None = None
        self._life: int | None = None
        self._deaths = 0
        self._is_ending = False
        self._seen = self._kept = _looks_of_view(root)
        self._heard, self._say = os.pipe()
        os.set_blocking(self._heard, False)

    def run(self) -> None:
        """Until it is time to end."""
        _keep_arrays(self._root)
        gc.collect()
        gc.freeze()
        while not self._is_ending:
            if self._standby is None and len(self._children) < _MOST_AT_ONCE:
                self._fork()
            handles = [self._heard, *(pidfd for pidfd, _ in self._children.values())]
            ready, _, _ = select.select(handles, [], [], _TICK)
            self._hear()
            self._reap()
            if not ready:
                self._look()
        self._dismiss()

    def _fork(self) -> None:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(write)
            os.close(self._lock)  # it is the parent's alone
            _stand_by(self, read)
        os.close(read)
        self._standby, self._life = pid, write
        self._children[pid] = (os.pidfd_open(pid), time.monotonic())

    def _hear(self) -> None:
        """What children said: one took a command, one was told to stop."""
        with suppress(BlockingIOError):
            for said in os.read(self._heard, 4096):
                if said == ord(_TOOK):
                    self._answered += 1
                    self._deaths = 0
                    self._last = time.monotonic()
                    self._dismiss()
                elif said in {ord(_STOP), ord(_LEFT)}:
                    self._is_ending = True

    def _dismiss(self) -> None:
        """Nobody stands by any more: who does ends, who has a command goes on."""
        if self._life is not None:
            os.close(self._life)
        self._standby = self._life = None

    def _reap(self) -> None:
        now = time.monotonic()
        for pid, (pidfd, since) in list(self._children.items()):
            if pid != self._standby and now - since > _LONGEST:
                os.kill(pid, signal.SIGKILL)
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended == pid:
                os.close(pidfd)
                del self._children[pid]
                if pid == self._standby:  # it died before anybody asked
                    self._dismiss()
                    self._deaths += status != 0
                    self._is_ending |= self._deaths >= _MOST_DEATHS

    def _look(self) -> None:
        """In a quiet moment: end when it is time, and read the view again when it has changed."""
        if time.monotonic() - self._last >= self._idle or _stamps(self._root) != self._stamps:
            self._is_ending = True
            return
        try:
            if os.stat(self.path).st_uid != os.geteuid():
                self._is_ending = True
        except OSError:  # somebody cleaned up
            self._is_ending = True
        seen = _looks_of_view(self._root)
        if seen == self._seen and seen != self._kept:  # nobody writes at the moment
            if _keep_arrays(self._root):
                gc.freeze()
                self._dismiss()
            self._kept = seen = _looks_of_view(self._root)
        self._seen = seen

    # In the child

    def answers(self, one: socket.socket) -> bool:
        """Take one command from this connection, or say what was asked; True when it was a command."""
        one.settimeout(_SHAKING)
        if user_of(one) != os.geteuid():
            return False
        asked, terminal = _message(one)
        if "ask" in asked:
            if asked["ask"] == "stop":
                os.write(self._say, _STOP)
            send(one, {"pid": os.getppid(), "since": self._begun, "answered": self._answered}, [])
            return False
        if _stamps(self._root) != self._stamps:
            os.write(self._say, _LEFT)
            return False
        one.sendall(READY)
        if one.recv(1) != GO:
            return False
        os.write(self._say, _TOOK)
        self._listening.close()
        _watch(one)
        status, out, err = _run(asked, terminal)
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        one.setblocking(True)
        head = b"".join(number.to_bytes(4, "big") for number in (status & 0xFF, len(out), len(err)))
        one.sendall(head + out + err)
        return True

    def accepted(self, life: int) -> socket.socket | None:
        """The next connection; None when the parent has gone, or wants nobody to stand by any more."""
        while True:
            ready, _, _ = select.select([self._listening.fileno(), life], [], [])
            if life in ready:
                return None
            with suppress(OSError):
                return self._listening.accept()[0]


def _stand_by(server: _Server, life: int) -> NoReturn:
    """The child: warm what a fork leaves cold, wait for one command, do it, end."""
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _warm(f"{server.path}.warm")
        is_done = False
        while not is_done and (one := server.accepted(life)) is not None:
            with suppress(OSError, ValueError, EOFError), one:  # whoever asked has gone
                is_done = server.answers(one)
    except BaseException:  # noqa: BLE001 - whoever asked does it alone
        os._exit(1)
    os._exit(0)


def _message(one: _socket.socket) -> tuple[dict[str, Any], int | None]:
    """One message, and the handle that came with it."""
    head, extra, _, _ = one.recvmsg(4, socket.CMSG_SPACE(4))
    handles = [
        int.from_bytes(data[:4], sys.byteorder)
        for level, kind, data in extra
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS)
    ]
    size = int.from_bytes(head, "big")
    if len(head) < 4 or size > _LARGEST:
        raise ValueError("no message")
    held = bytearray()
    while len(held) < size:
        piece = one.recv(min(size - len(held), 1 << 20))
        if not piece:
            raise EOFError
        held += piece
    # From the same user and installation, as both ends have looked at: nothing that could not be done without it.
    said: dict[str, Any] = marshal.loads(bytes(held))  # noqa: S302
    return said, handles[0] if handles else None


def _watch(one: socket.socket) -> None:
    """End with whoever asked, and be interrupted as they are."""
    import fcntl

    def heard(*_: object) -> None:
        try:
            said = one.recv(1)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if said == INTERRUPT:
            raise KeyboardInterrupt
        if not said:
            os._exit(1)

    signal.signal(signal.SIGIO, heard)
    one.setblocking(False)
    fcntl.fcntl(one.fileno(), fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(one.fileno(), fcntl.F_SETFL, fcntl.fcntl(one.fileno(), fcntl.F_GETFL) | os.O_ASYNC)
    heard()  # what came before we listened


def _run(asked: Mapping[str, Any], terminal: int | None) -> tuple[int, bytes, bytes]:
    """The command line on these words, in these surroundings: status and what it wrote."""
    from memoracle.interfaces.cli import main

    begun[0] = time.monotonic()
    os.chdir(asked["folder"])
    os.umask(asked["umask"])
    _become(asked["environment"])
    given, out, err = (os.memfd_create(name) for name in ("stdin", "stdout", "stderr"))
    os.write(given, asked["stdin"])
    os.lseek(given, 0, os.SEEK_SET)
    for number, handle in enumerate((given, out, err if terminal is None else terminal)):
        os.dup2(handle, number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - they live as long as this process
    sys.stdout, sys.stderr = (
        open(number, "w", encoding=encoding, errors=errors, closefd=False, buffering=1)  # noqa: SIM115
        for number, (encoding, errors) in enumerate(asked["streams"], 1)
    )
    words: Sequence[str] = asked["words"]
    sys.argv = [sys.argv[0], *words]
    try:
        status = main(words)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    sys.stdout.flush()
    sys.stderr.flush()
    return status, _content(out), _content(err)


def _content(handle: int) -> bytes:
    return os.pread(handle, os.fstat(handle).st_size, 0)


# What children share

_VIEWS = ("index", ".memoracle/index")


def _looks_of_view(root: str) -> tuple[Any, ...]:
    """How the files of the view look: others when anything was written to it."""
    found: list[Any] = []
    for name in _VIEWS:
        with suppress(OSError), os.scandir(f"{root}/{name}") as entries:
            for entry in entries:
                held = entry.stat()
                found.append((entry.name, held.st_ino, held.st_size, held.st_mtime_ns))
    return tuple(sorted(found))


def _keep_arrays(root: str) -> bool:
    """Read the view as arrays, for those that are forked; True when there are any."""
    from memoracle.compose import keep_arrays

    with suppress(Exception):  # it is only quicker with them
        return sum(keep_arrays(f"{root}/{name}") for name in _VIEWS) > 0
    return False
