"""Whether a host can reach the memory: its own entries are read, begun as it would begin them, and answered.

The server shakes hands and recalls once; every hook is given what its host would say. A trial leaves nothing in the
memory: searching reinforces nothing, and hooks are told by their environment that nobody works there.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

from memoracle.errors import MemoracleError
from memoracle.hosts.install import apply, config_text, files
from memoracle.hosts.install.config_text import Unclear
from memoracle.hosts.install.mcp_clients import CLIENTS
from memoracle.hosts.install.plan import (
    ConfigEntry,
    HostAbsent,
    Machine,
    Target,
    WantKind,
    calls,
    is_ours,
    is_same,
    plugin_words,
    wishes_of,
    words_of,
)
from memoracle.hosts.install.schedulers import find
from memoracle.hosts.known_hosts import CODEX, GEMINI, HOSTS, HookEvent, Host
from memoracle.model.value import value

QUESTION = "What should be known about the owner?"
_PATIENCE_S, _GOODBYE_S = 30, 3
_TRIAL = "MEMORACLE_TRIAL"


@value
class _Trial:
    """One thing that was tried: whether it works, and what is to be said of it."""

    what: str
    ok: bool
    says: str
    ms: int = 0


@value
class Diagnosis:
    """How a host does: what was tried, and what only a person can do. `by` is `entries`, `plugin`, or empty."""

    host: str
    by: str
    trials: tuple[_Trial, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Nothing is broken."""
        return all(one.ok for one in self.trials)


def hosts_here(entry: ConfigEntry, machine: Machine) -> list[str]:
    """Every host that keeps something on this machine, or whose program is there; one that cannot be read, too."""
    found = []
    for name in dict.fromkeys((*HOSTS, *CLIENTS)):
        try:
            wishes_of(name, entry, machine)
        except HostAbsent:
            called = HOSTS[name].alias if name in HOSTS else CLIENTS[name].program or name
            if find(called, machine.environment) is None:
                continue
        except MemoracleError:
            pass  # whoever wants something of it is told what is wrong
        found.append(name)
    return found


def diagnose(host: str, entry: ConfigEntry, machine: Machine) -> Diagnosis:
    """Try everything that a host has of ours."""
    was_installed = bool(apply.read_manifest(machine.backups, host))
    by = "entries" if was_installed else ""
    try:
        wishes = wishes_of(host, entry, machine)
        found = _by_plugin(host, wishes.plugin) or _entries(wishes.targets, HOSTS.get(host))
    except MemoracleError as problem:
        return Diagnosis(host=host, by=by, trials=(_Trial(what="entries", ok=False, says=str(problem)),))
    if found is None:
        says = f"nothing of ours is there; `memoracle install {host}` puts it in"
        return Diagnosis(host=host, by=by, trials=(_Trial(what="entries", ok=False, says=says),))
    first, servers, lines = found
    if wishes.plugin:
        by = "plugin"
        if was_installed:
            says = f"{first.says}, and its settings hold ours too: `memoracle install {host} --uninstall`"
            first = _Trial(what="entries", ok=False, says=says)
    trials = [first, *(trial for one in servers for trial in try_server(one, machine))]
    if lines:
        trials.append(_try_hooks(HOSTS[host], lines, machine))
    return Diagnosis(host=host, by=by or "entries", trials=tuple(trials), left=wishes.notes)


_Found = tuple[_Trial, list[Mapping[str, Any]], dict[HookEvent, list[str]]]
"""What stands in a host: how that compares with what should, the servers, and the hooks as words."""


def _by_plugin(host: str, plugin: str) -> _Found | None:
    """What our plugin calls; nothing where there is none."""
    if not plugin:
        return None
    named = ["--host", host] if host == GEMINI.name else []
    lines = {
        event: ["memoracle", "hook", event.value, *named, "--plugin"]
        for event in (HOSTS[host].hooks if host in HOSTS else ())
    }
    server = {"command": "memoracle", "args": ["mcp"]}
    return _Trial(what="entries", ok=True, says=f"by the plugin {plugin}"), [server], lines


def _entries(targets: Sequence[Target], host: Host | None) -> _Found | None:
    """What stands in the host's own files, None when nothing of ours does; raises for one that cannot be read."""
    missing, old, strange = [], [], []
    servers: list[Mapping[str, Any]] = []
    lines: dict[HookEvent, list[str]] = {}
    events = {name: event for event, (name, _) in host.hooks.items()} if host else {}
    for target in targets:
        text = files.read_text(target.path)
        try:
            found = list(_found(target, text)) if text is not None else [None] * len(target.wants)
        except Unclear as problem:
            raise files.CannotEdit(target.path, str(problem)) from None
        for want, held in zip(target.wants, found, strict=True):
            if held is None:
                missing.append(target.path)
            elif want.kind in {WantKind.MEMBER, WantKind.TABLE} and not is_ours(held, want):
                strange.append(f"`{'.'.join(want.path)}` in {target.path}")
            elif not is_same(held, want):
                old.append(target.path)
            if held is not None and want.path[:1] == ("hooks",):
                hook = next(one for one in held["hooks"] if calls(one, "hook"))
                words = words_of(hook) if "args" in hook else ["/bin/sh", "-c", str(hook.get("command"))]
                lines[events[want.path[1]]] = words
            elif isinstance(held, Mapping) and "mcp" in words_of(held):
                servers.append(held)
            elif begun := plugin_words(held):
                servers.append({"command": [*begun, "mcp"]})  # its tools ask the server
    if len(missing) == sum(len(target.wants) for target in targets):
        return None
    is_fine = not missing and (not strange or bool(servers))
    return _Trial(what="entries", ok=is_fine, says=_compared(missing, old, strange)), servers, lines


def _compared(missing: Sequence[str], old: Sequence[str], strange: Sequence[str]) -> str:
    """What is to be said of entries that are not there, not current, or not ours."""
    if missing:
        says = f"not there: {', '.join(dict.fromkeys(missing))}; `memoracle install` brings them level"
    elif old:
        says = f"there, from another version, memory or interpreter: {', '.join(dict.fromkeys(old))}"
        says += "; `memoracle install` brings them level"
    else:
        says = "" if strange else "there and current"
    if strange:
        says += (
            f"{says and '; '}not put in by `memoracle install`, which leaves it alone: {', '.join(strange)}"
        )
    return says


def _found(target: Target, text: str) -> Iterator[Any]:
    """What stands in a file for each want; None where nothing of ours does."""
    for want in target.wants:
        if want.kind is WantKind.WHOLE:
            yield text
        elif want.kind is WantKind.SECTION:
            is_there = config_text.put_section(text, want.value) == text
            yield want.value if is_there else "" if config_text.take_section(text) != text else None
        elif want.kind is WantKind.TABLE:
            yield config_text.at(config_text.parsed(text), want.path)
        else:
            node = config_text.find(text, want.path)
            held = node.value if node is not None else None
            if want.kind is WantKind.ITEM:
                held = next((item for item in held or () if is_ours(item, want)), None)
            yield held


# The server, as a client of its own would call it.


def try_server(listed: Mapping[str, Any], machine: Machine) -> tuple[_Trial, ...]:
    """Begin it by the host's own entry: how long it takes to shake hands, which tools it has, one recall."""
    given = listed.get("env")
    more = given.items() if isinstance(given, Mapping) else ()
    environment = {**machine.environment, **{str(name): str(said) for name, said in more}}
    words = words_of(listed)
    began = time.perf_counter()
    try:
        with subprocess.Popen(  # noqa: S603 - the words of the host's own entry for us
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        ) as process:
            try:
                return tuple(_shake_hands(process, began))
            finally:
                _end(process)
    except OSError as problem:
        return (_Trial(what="server", ok=False, says=f"{words[0]}: {problem.strerror}"),)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave as a client does, and insist if it stays, or something that it began: that holds the pipe we read."""
    with suppress(OSError, subprocess.TimeoutExpired):
        if process.stdin is not None:
            process.stdin.close()
        process.wait(_GOODBYE_S)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _shake_hands(process: subprocess.Popen[bytes], began: float) -> Iterator[_Trial]:
    if process.stdin is None or process.stdout is None:
        return
    lines: Queue[bytes] = Queue()
    Thread(target=_pump, args=(process.stdout, lines), daemon=True).start()
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "memoracle doctor", "version": "1"},
    }
    said = _asked(process.stdin, lines, 1, "initialize", hello)
    if "result" not in said:
        yield _Trial(what="server", ok=False, says=_wrong(said))
        return
    waited = _milliseconds(began)
    _send(process.stdin, {"method": "notifications/initialized"})
    tools = _asked(process.stdin, lines, 2, "tools/list", {}).get("result", {}).get("tools", ())
    says = f"answered in {waited} ms, {len(tools)} tools"
    yield _Trial(what="server", ok=bool(tools), says=says, ms=waited)
    began = time.perf_counter()
    call = {"name": "memory_search", "arguments": {"query": QUESTION}}
    said = _asked(process.stdin, lines, 3, "tools/call", call)
    is_fine, waited = "result" in said and not said["result"].get("isError"), _milliseconds(began)
    says = f"first recall in {waited} ms" if is_fine else _wrong(said)
    yield _Trial(what="recall", ok=is_fine, says=says, ms=waited)


def _pump(stream: IO[bytes], lines: Queue[bytes]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(b"")


def _send(stream: IO[bytes], message: Mapping[str, Any]) -> None:
    stream.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    stream.flush()


def _asked(
    stream: IO[bytes], lines: Queue[bytes], number: int, method: str, params: Mapping[str, Any]
) -> dict[str, Any]:
    """The answer to one request; nothing when there is none in time."""
    deadline = time.monotonic() + _PATIENCE_S
    try:
        _send(stream, {"id": number, "method": method, "params": params})
        while line := lines.get(timeout=max(0.0, deadline - time.monotonic())):
            said = json.loads(line)
            if isinstance(said, dict) and said.get("id") == number:
                return said
    except (OSError, Empty, ValueError):
        return {}
    return {}


def _wrong(said: Mapping[str, Any]) -> str:
    told = (
        said.get("error")
        or said.get("result", {}).get("content")
        or f"no answer within {_PATIENCE_S} s, or it ended"
    )
    return f"it does not work: {json.dumps(told, ensure_ascii=False)[:300]}"


def _milliseconds(began: float) -> int:
    return round((time.perf_counter() - began) * 1000)


# Hooks, with what their host says.

_ALWAYS = {"session_id": "memoracle-doctor", "permission_mode": "default"}
_MOMENTS: dict[HookEvent, dict[str, Any]] = {
    HookEvent.SESSION_START: {"source": "startup"},
    HookEvent.PROMPT: {"prompt": QUESTION},
    HookEvent.STOP: {"stop_hook_active": False, "last_assistant_message": "Done."},
    HookEvent.PRE_COMPACT: {"trigger": "manual", "custom_instructions": ""},
    HookEvent.POST_COMPACT: {"trigger": "manual", "compact_summary": ""},
    HookEvent.SESSION_END: {"reason": "other"},
}


def payload_of(host: Host, event: HookEvent, folder: str) -> dict[str, Any]:
    """What a host says to a hook at a moment, in its own names."""
    said = {
        **_ALWAYS,
        "transcript_path": "",
        "cwd": folder,
        "hook_event_name": host.hooks[event][0],
    } | _MOMENTS[event]
    if host is CODEX:
        return said | {"turn_id": "memoracle-doctor", "model": "none"}
    if host is GEMINI:
        del said["permission_mode"]
        said["timestamp"] = "2026-01-01T00:00:00.000Z"
        if "last_assistant_message" in said:
            said |= {"prompt": QUESTION, "prompt_response": said.pop("last_assistant_message")}
    return said


def _try_hooks(host: Host, lines: Mapping[HookEvent, Sequence[str]], machine: Machine) -> _Trial:
    """Call every hook once; each has to have reached the memory within the time its host gives it."""
    slowest, broken = 0, []
    for event, words in lines.items():
        name, seconds = host.hooks[event]
        began = time.perf_counter()
        try:
            done = subprocess.run(  # noqa: S603 - the words of the host's own entry for us
                words,
                input=json.dumps(payload_of(host, event, machine.home)).encode(),
                capture_output=True,
                timeout=seconds,
                check=False,
                cwd=machine.home,
                env={**machine.environment, _TRIAL: "1"},
            )
            told = done.stderr.decode("utf-8", "replace")
            if done.returncode or f"{_TRIAL} {event.value}" not in told or not _is_json(done.stdout):
                broken.append(f"{name} ({told.strip()[-200:] or 'it did not reach the memory'})")
        except subprocess.TimeoutExpired:
            broken.append(f"{name} (not done within {seconds} s)")
        except OSError as problem:
            broken.append(f"{name} ({problem.strerror})")
        slowest = max(slowest, _milliseconds(began))
    says = (
        f"{len(lines)} answered, the slowest in {slowest} ms"
        if not broken
        else f"broken: {', '.join(broken)}"
    )
    return _Trial(what="hooks", ok=not broken, says=says, ms=slowest)


def _is_json(said: bytes) -> bool:
    try:
        return not said.strip() or isinstance(json.loads(said), dict)
    except ValueError:
        return False
