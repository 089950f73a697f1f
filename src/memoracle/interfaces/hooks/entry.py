"""`memoracle hook EVENT`: the one door for every host.

It always ends with 0 and says nothing but its JSON: a hook that fails, hangs or talks stops the agent it should
help. What goes wrong is written to `state/hooks.log`. A watch ends the process when the host has waited long enough.
"""

from __future__ import annotations

import gc
import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.hosts.known_hosts import CALLERS, CLAUDE_CODE, CODEX, GEMINI, OPENCLAW, HookEvent, Host
from memoracle.interfaces.resident.client import begun, read_stdin
from memoracle.model.value import value
from memoracle.resolve import FILE, ROOT_VARIABLE, default_root
from memoracle.store.disk import DiskVolume
from memoracle.store.machine_state import own_state

if TYPE_CHECKING:
    from memoracle.store.spool import Spool

# What a host said, in one shape: Claude Code, Codex, Gemini CLI and OpenClaw name things differently.

READING = frozenset({HookEvent.SESSION_START, HookEvent.PROMPT})
_GEMINI_EVENTS = frozenset({"BeforeAgent", "AfterAgent", "PreCompress"})
_GROUPS = frozenset({"group", "channel", "room"})
_BY_ITSELF = frozenset({"cron", "heartbeat", "hook"})


@value
class Payload:
    """One call of a hook."""

    host: Host = CLAUDE_CODE
    session: str = ""
    transcript: str = ""
    prompt: str = ""
    source: str = ""
    said: str = ""
    """The last thing the agent said, when the host hands it over."""
    told: str = ""
    """What stands before the agent already, where that is in no transcript."""
    turn: str = ""
    folder: str = ""
    """Where the agent works."""
    is_subagent: bool = False
    is_group: bool = False
    is_attended: bool = True
    """A person takes part: no timer has started it."""


def read_payload(raw: bytes, host: str = "") -> Payload | None:
    """The call that a host's JSON describes; None when it is no JSON object. Nothing at all is an empty call."""
    if not raw.strip():
        return Payload(host=CALLERS[host] if host else CLAUDE_CODE)
    try:
        given: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict):
        return None
    inner = given.get("context")
    fields = {**inner, **given} if isinstance(inner, dict) else given
    transcript = _text(fields, "transcript_path", "transcriptPath", "sessionFile")
    key = _text(fields, "sessionKey", "session_key")
    parts = set(key.split(":"))
    return Payload(
        host=CALLERS[host] if host else _guess_host(fields, transcript),
        session=_text(fields, "session_id", "sessionId") or key,
        transcript=os.path.expanduser(transcript),
        prompt=_text(fields, "prompt", "user_prompt", "message"),
        source=_text(fields, "source", "trigger", "reason"),
        said=_text(fields, "last_assistant_message", "prompt_response", "lastAssistantMessage"),
        turn=_text(fields, "turn_id", "prompt_id", "turnId", "runId"),
        told=_text(fields, "told"),
        folder=_text(fields, "cwd", "workspaceDir", "workspace_dir"),
        is_subagent=bool(_text(fields, "agent_id", "agent_transcript_path")) or "subagent" in parts,
        is_group=_text(fields, "chat_type", "chatType") in _GROUPS or bool(_GROUPS & parts),
        is_attended=_BY_ITSELF.isdisjoint(parts | {_text(fields, "trigger")}),
    )


def _guess_host(fields: Mapping[str, Any], transcript: str) -> Host:
    """Who calls, by what only one of them says."""
    if _text(fields, "hook_event_name") in _GEMINI_EVENTS:
        return GEMINI
    path = transcript.replace("\\", "/")
    for host in (CLAUDE_CODE, CODEX, GEMINI, OPENCLAW):
        if any(sign in path for sign in host.signs):
            return host
    if "sessionKey" in fields or "sessionFile" in fields:
        return OPENCLAW
    if "turn_id" in fields:
        return CODEX
    if "timestamp" in fields and "permission_mode" not in fields:
        return GEMINI
    return CLAUDE_CODE


def _text(fields: Mapping[str, Any], *names: str) -> str:
    return next((found for name in names if isinstance(found := fields.get(name), str) and found), "")


# Where the root and its state are, found without opening a memory: a hook has a few milliseconds.

_LAYOUT = re.compile(rb"^[ \t]*layout[ \t]*=[ \t]*[\"']([^\"'\n]*)", re.MULTILINE)
_PLACE_LARGEST = 1 << 20


@value
class HookPlace:
    """A root that is there, its files, and the folder of its state: its name there, and its place on this machine."""

    root: str
    volume: DiskVolume
    state: str
    state_place: str

    @property
    def spool(self) -> Spool:
        """Where hooks leave what a worker does."""
        from memoracle.store.spool import FOLDER, Spool

        return Spool(os.path.join(self.state_place, FOLDER))


@value
class HookCall:
    """One call of a host: what happens, what it says of it, for which root, and when."""

    event: HookEvent
    payload: Payload
    place: HookPlace
    environment: Mapping[str, str]
    now: str

    @property
    def is_trial(self) -> bool:
        """True when nobody works there: `doctor` wants to see that the hook would work, and nothing is to be left."""
        return bool(self.environment.get(TRIAL_VARIABLE))


TRIAL_VARIABLE = "MEMORACLE_TRIAL"
TOLD = "told.json"
_MOST_HELD = 16


def hold(call: HookCall, told: str) -> None:
    """Note how what a session begins with is cited: its first prompt comes before the host has written that down."""
    from memoracle.model.search import cited_in
    from memoracle.store.volume import read_document, write_document

    name, session = f"{call.place.state}/{TOLD}", call.payload.session
    held = read_document(call.place.volume, name)
    if session and (told or session in held):
        held = {key: held[key] for key in list(held)[-_MOST_HELD:] if key != session}
        write_document(call.place.volume, name, held | ({session: sorted(cited_in(told))} if told else {}))


def find_place(root: str | None, environment: Mapping[str, str]) -> HookPlace | None:
    """The root this hook works for; None when there is no memory.

    The folder an agent works in has no say: a repository that was cloned must not bring a memory along that is told
    to the agent unasked, and that its talks are written to.
    """
    named = root or environment.get(ROOT_VARIABLE) or default_root(environment, home=os.path.expanduser("~"))
    found = os.path.abspath(os.path.expanduser(named))
    try:
        with open(os.path.join(found, FILE), "rb") as file:
            written = _LAYOUT.search(file.read(_PLACE_LARGEST))
    except OSError:
        return None
    stated = written[1].decode("utf-8", "replace") if written else "native"
    layout = environment.get("MEMORACLE_LAYOUT") or stated
    real = os.path.realpath(found)
    # As the tables of `store/layouts.py` have it: an adopted directory shelters what its design has no place for.
    usual = "state" if layout == "native" else ".memoracle/state"
    volume = DiskVolume(real)
    volume.path(usual)  # no link
    listed = "sessions" if layout in {"native", "vm-oracle"} else ".memoracle/sessions"
    own = own_state(real, usual, first_list=f"{listed}/transcripts.json")
    return HookPlace(root=found, volume=volume, state=own.folder, state_place=volume.path(own.folder))


def end_of(path: str, most: int) -> bytes:
    """The last bytes of a transcript, as many as these; nothing of one that cannot be read."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - most))
            return file.read(most)
    except (OSError, ValueError):
        return b""


WORK = "work"
_LARGEST_SETTINGS = 1 << 20
PLUGIN = "--plugin"
"""Said by the hooks of a plugin, which keep silent where the host's own settings hold ours."""
# A host that waits is let go after this; one that does not wait ends us by itself.
_PATIENCE = {True: 2.5, False: 5.0}


def run_hook(words: Sequence[str], root: str | None) -> int:
    """Answer one call of a host; always 0."""
    environment = dict(os.environ)
    place: HookPlace | None = None
    label = " ".join(words)[:60]
    try:
        is_plugin = PLUGIN in words
        event, host = _asked([word for word in words if word != PLUGIN])
        if event == WORK:
            from memoracle.interfaces.hooks.worker import work

            return work(root, environment)
        gc.disable()  # the process ends before there is garbage worth looking for
        known: list[HookPlace] = []
        _watch(event in READING, known, label)
        payload = read_payload(read_stdin(), host)
        place = find_place(root, environment)
        if place is None:
            return 0
        known.append(place)
        if payload is None:
            complain(place, label, "what the host said is not JSON")
            return 0
        if is_plugin and _has_entry(payload.host.name, event, environment):
            return 0  # the host's own settings call us, too, and once is enough
        call = HookCall(
            event=HookEvent(event), payload=payload, place=place, environment=environment, now=_now()
        )
        if call.event in READING:
            from memoracle.interfaces.hooks.context import tell

            if told := tell(call):
                _print(told)
        elif not call.is_trial:
            from memoracle.interfaces.hooks.capture import note

            if problem := note(call):
                complain(place, label, problem)
        if call.is_trial:
            os.write(2, f"{TRIAL_VARIABLE} {event} {payload.host.name} {place.root}\n".encode())
    except BaseException as problem:  # noqa: BLE001 - whatever it is, the host goes on
        with suppress(BaseException):  # there is nowhere left to say it
            said = f"{type(problem).__name__}: {problem}"
            complain(place or find_place(root, environment), label, said)
    return 0


def _has_entry(host: str, event: str, environment: Mapping[str, str]) -> bool:
    """Whether the files that `install` put hooks into still call this one; people empty them by hand, too."""
    state = environment.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    manifest = os.path.join(state, "memoracle", "installed", f"{host}.json")
    with suppress(OSError, ValueError, KeyError, TypeError):
        for one in json.loads(end_of(manifest, _LARGEST_SETTINGS))["files"]:
            if re.search(rf"\bhook\W+{event}\b".encode(), end_of(one["path"], _LARGEST_SETTINGS)):
                return True
    return False


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
    if host and host not in CALLERS:
        raise ValueError(f"`{host}` is no host")
    return (event if event == WORK else HookEvent(event).value), host


def _print(text: str) -> None:
    rest = memoryview(text.encode("utf-8", "replace") + b"\n")
    with suppress(OSError):  # the host may have gone; that is its right
        while rest:
            rest = rest[os.write(1, rest) :]


def _watch(is_reading: bool, known: Sequence[HookPlace], label: str) -> None:
    """End this process when it takes too long, whatever it is doing then, and say so if that is possible."""
    from _thread import start_new_thread

    from memoracle.store.spool import note_problem

    left = _PATIENCE[is_reading] - (time.monotonic() - begun[0])

    def end() -> None:
        time.sleep(max(0.1, left))
        os._exit(0)

    def say() -> None:
        time.sleep(max(0.0, left - 0.1))
        for place in known:
            note_problem(place.volume, place.state, f"{_now()} {label}: it took too long")

    start_new_thread(end, ())
    start_new_thread(say, ())  # on its own: the disk may be what hangs


def complain(place: HookPlace | None, label: str, problem: str) -> None:
    """Write down what went wrong, without secrets."""
    if place is None:
        return
    from memoracle.guard.secrets import mask
    from memoracle.store.spool import note_problem

    said = mask(f"{label}: {problem}", lambda: b"hooks").text
    note_problem(place.volume, place.state, f"{_now()} {said}")


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
