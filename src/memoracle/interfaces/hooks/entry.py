"""`memoracle hook EVENT`: the one door for every host.

It always ends with 0 and says nothing but its JSON: a hook that fails, hangs or talks stops the agent it should
help. What goes wrong is written to `state/hooks.log`. A watch ends the process when the host has waited long enough.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from memoracle.interfaces.hooks.payload import READING, Event, Host, Payload, read_payload
from memoracle.interfaces.hooks.place import Place, find_place

WORK = "work"
_LARGEST = 8 << 20
_PIECE = 1 << 16
# A host that waits is let go after this; one that does not wait ends us by itself.
_PATIENCE = {True: 2.5, False: 5.0}
_READING_TIME = 1.5
_PAUSE = 0.05


def run_hook(words: Sequence[str], root: str | None) -> int:
    """Answer one call of a host; always 0."""
    environment = dict(os.environ)
    place: Place | None = None
    label = " ".join(words)[:60]
    try:
        event, host = _asked(words)
        if event == WORK:
            from memoracle.interfaces.hooks.worker import work

            return work(root, environment)
        gc.disable()  # the process ends before there is garbage worth looking for
        known: list[Place] = []
        _watch(event in READING, known, label)
        raw = _read_stdin()
        payload = read_payload(raw, host)
        place = find_place(root, environment)
        if place is None:
            return 0
        known.append(place)
        if payload is None:
            _complain(place, label, "what the host said is not JSON")
            return 0
        problem = _answer(Event(event), payload, place, environment, _now())
        if problem:
            _complain(place, label, problem)
    except BaseException as problem:  # noqa: BLE001 - whatever it is, the host goes on
        with suppress(BaseException):  # there is nowhere left to say it
            said = f"{type(problem).__name__}: {problem}"
            _complain(place or find_place(root, environment), label, said)
    return 0


def _answer(event: Event, payload: Payload, place: Place, environment: Mapping[str, str], now: str) -> str:
    """Tell or note; what went wrong is returned."""
    if event in READING:
        from memoracle.interfaces.hooks.telling import tell

        if told := tell(event, payload, place, environment, now):
            _print(told)
        return ""
    from memoracle.interfaces.hooks.noting import note

    return note(event, payload, place, environment, now)


def _asked(words: Sequence[str]) -> tuple[str, str]:
    """The event and the host that were named; raises for what is neither."""
    event, host = "", ""
    rest = [word for word in words if word != "--json"]  # it prints nothing else anyway
    while rest:
        word = rest.pop(0)
        if word == "--host" or word.startswith("--host="):
            host = word.removeprefix("--host=") if "=" in word else rest.pop(0) if rest else ""
        elif not event:
            event = word
        else:
            raise ValueError(f"`{word}` means nothing here")
    return (event if event == WORK else Event(event).value), (Host(host).value if host else "")


def _read_stdin() -> bytes:
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
                if _is_whole(kept):  # some hosts leave the pipe open
                    break
                continue
            piece = os.read(0, _PIECE)
            if not piece:
                break
            size += len(piece)
            if size <= _LARGEST:  # what is beyond is taken from the host, and not kept
                kept.append(piece)
    except (OSError, ValueError):
        return b""
    return b"".join(kept) if size <= _LARGEST else b"{"


def _is_whole(pieces: Sequence[bytes]) -> bool:
    """True when what has come is a JSON object already."""
    return bool(pieces) and pieces[-1].rstrip().endswith(b"}") and read_payload(b"".join(pieces)) is not None


def _print(text: str) -> None:
    rest = memoryview(text.encode("utf-8", "replace") + b"\n")
    try:
        while rest:
            rest = rest[os.write(1, rest) :]
    except OSError:
        return  # the host has gone; that is its right


def _watch(is_reading: bool, known: Sequence[Place], label: str) -> None:
    """End this process when it takes too long, whatever it is doing then, and say so if that is possible."""
    from _thread import start_new_thread

    from memoracle.store.hooklog import note_problem

    def end() -> None:
        time.sleep(_PATIENCE[is_reading])
        os._exit(0)

    def say() -> None:
        time.sleep(_PATIENCE[is_reading] - 0.1)
        for place in known:
            note_problem(place.volume, place.state, f"{_now()} {label}: it took too long")

    start_new_thread(end, ())
    start_new_thread(say, ())  # on its own: the disk may be what hangs


def _complain(place: Place | None, label: str, problem: str) -> None:
    """Write down what went wrong, without secrets."""
    if place is None:
        return
    from memoracle.policy.secrets import mask
    from memoracle.store.hooklog import note_problem

    said = mask(f"{label}: {problem}", lambda: b"hooks").text
    note_problem(place.volume, place.state, f"{_now()} {said}")


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
