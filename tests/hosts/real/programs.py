"""The real programs of hosts, each in a home of its own: how they are set up for the scripted model, and asked something."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from memoracle.hosts import known_hosts
from memoracle.hosts.known_hosts import CLAUDE_CODE, Host
from memoracle.lock import wait_for_lock
from support.processes import PYTHON

from . import outsiders
from .model import Request, ScriptedModel

_NOWHERE = "http://127.0.0.1:9"
"""A proxy where nobody listens: nothing that a host wants from the world reaches it."""


@dataclass(frozen=True)
class Program:
    """One host: where npm puts it, what its home needs, and the words that ask it one prompt."""

    name: str
    alias: str
    package: str
    binary: str
    rules: str
    """The file of a project that it reads as instructions."""
    set_up: Callable[[Path, str], None]
    add_server: Callable[..., None]
    files: tuple[str, ...]
    """Its settings, as far as it does not write them itself."""
    ask: tuple[str, ...]
    again: tuple[str, ...] = ()
    """The words that ask in the last session of a folder."""
    environment: Callable[[str], Mapping[str, str]] = lambda _: {}
    host: Host | None = None
    """What we know of it; None for one that has no hooks."""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _edit(path: Path, change: Callable[[dict], None]) -> None:
    document = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    change(document)
    _write(path, json.dumps(document, indent=2) + "\n")


# Claude Code


def _claude(home: Path, _url: str) -> None:
    _write(home / ".claude/settings.json", '{\n  "cleanupPeriodDays": 30\n}\n')


def _claude_server(home: Path, command: list[str], name: str = "hostile") -> None:
    entry = {"type": "stdio", "command": command[0], "args": command[1:]}
    _edit(home / ".claude.json", lambda one: one.setdefault("mcpServers", {}).update({name: entry}))


CLAUDE = Program(
    name="claude-code",
    alias="claude",
    package="@anthropic-ai/claude-code",
    binary="claude",
    rules="CLAUDE.md",
    set_up=_claude,
    files=(".claude/settings.json",),
    ask=("-p", "--allowedTools", "mcp__memoracle", "--"),
    again=("-c", "-p", "--allowedTools", "mcp__memoracle", "--"),
    host=CLAUDE_CODE,
    environment=lambda url: {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    },
    add_server=_claude_server,
)


# Codex

_CODEX = """model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "{}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
"""


def _codex(home: Path, url: str) -> None:
    _write(home / ".codex/config.toml", _CODEX.format(url))


def _codex_server(home: Path, command: list[str], name: str = "hostile") -> None:
    with (home / ".codex/config.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[mcp_servers.{name}]\ncommand = {json.dumps(command[0])}\nargs = {command[1:]}\n")


_CODEX_WORDS = ("--skip-git-repo-check", "--dangerously-bypass-hook-trust")
CODEX = Program(
    name="codex",
    alias="codex",
    package="@openai/codex",
    binary="codex",
    rules="AGENTS.md",
    set_up=_codex,
    # In a home that is thrown away: a person is asked once whether these hooks are trusted.
    ask=("exec", *_CODEX_WORDS),
    again=("exec", "resume", "--last", *_CODEX_WORDS),
    files=(".codex/config.toml", ".codex/hooks.json", ".codex/AGENTS.md"),
    host=known_hosts.CODEX,
    environment=lambda _: {"SCRIPTED_KEY": "none"},
    add_server=_codex_server,
)


# Gemini CLI

_GEMINI = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "general": {"enableAutoUpdate": False},
    "privacy": {"usageStatisticsEnabled": False},
}


def _gemini(home: Path, _url: str) -> None:
    _write(home / ".gemini/settings.json", json.dumps(_GEMINI, indent=2) + "\n")


def _gemini_server(home: Path, command: list[str], name: str = "hostile") -> None:
    entry = {"command": command[0], "args": command[1:]}
    _edit(home / ".gemini/settings.json", lambda one: one.setdefault("mcpServers", {}).update({name: entry}))


GEMINI = Program(
    name="gemini",
    alias="gemini",
    package="@google/gemini-cli",
    binary="gemini",
    rules="GEMINI.md",
    set_up=_gemini,
    files=(".gemini/settings.json", ".gemini/GEMINI.md"),
    ask=("--approval-mode", "yolo", "-p"),
    again=("--approval-mode", "yolo", "--resume", "latest", "-p"),
    host=known_hosts.GEMINI,
    environment=lambda url: {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url},
    add_server=_gemini_server,
)


# opencode


def _opencode(home: Path, url: str) -> None:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
        "models": {"scripted": {"name": "scripted", "tool_call": True}},
    }
    document = {
        "$schema": "https://opencode.ai/config.json",
        "autoupdate": False,
        "share": "disabled",
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "provider": {"scripted": provider},
    }
    _write(home / ".config/opencode/opencode.json", json.dumps(document, indent=2) + "\n")


def _opencode_server(home: Path, command: list[str], name: str = "hostile") -> None:
    entry = {"type": "local", "command": command, "enabled": True}
    _edit(
        home / ".config/opencode/opencode.json",
        lambda one: one.setdefault("mcp", {}).update({name: entry}),
    )


OPENCODE = Program(
    name="opencode",
    alias="opencode",
    package="opencode-ai",
    binary="opencode",
    rules="AGENTS.md",
    set_up=_opencode,
    files=(".config/opencode/opencode.json",),
    ask=("run",),
    again=("run", "-c"),
    environment=lambda _: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
    add_server=_opencode_server,
)

PROGRAMS = (CLAUDE, CODEX, GEMINI, OPENCODE)


@dataclass(frozen=True)
class Session:
    """What a host printed, and what it asked the model."""

    printed: str
    requests: list[Request]

    @property
    def request(self) -> Request:
        """The first one of the agent: small ones, for a title or the choice of a model, have no tools."""
        return next(one for one in self.requests if one.tools)


@dataclass
class HostHome:
    """A person's home in which hosts and a memory live, and nothing of anybody else's."""

    folder: Path
    model: ScriptedModel
    modules: Path
    seconds: float = 180

    def __post_init__(self) -> None:
        self.root = self.folder / ".local/share/memoracle"
        self.project("work")

    def project(self, name: str) -> Path:
        """A folder in which somebody works, under version control."""
        place = self.folder / name
        if not place.exists():
            place.mkdir(parents=True)
            subprocess.run(["git", "init", "-q", str(place)], check=True, env=self.environment())
        return place

    def environment(self, program: Program | None = None) -> dict[str, str]:
        """What a program sees: nothing of the person who runs the tests."""
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        path = [os.path.dirname(PYTHON), str(self.modules / ".bin"), os.environ.get("PATH", "")]
        here = "127.0.0.1,localhost"
        return {
            **kept,
            "PATH": os.pathsep.join(path),
            "HOME": str(self.folder),
            "TZ": "UTC",
            "TERM": "dumb",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "HTTP_PROXY": _NOWHERE,
            "HTTPS_PROXY": _NOWHERE,
            "NO_PROXY": here,
            "no_proxy": here,
            **(program.environment(self.model.url) if program else {}),
        }

    def set_up(self, program: Program) -> None:
        """The host as somebody has it who never heard of us."""
        program.set_up(self.folder, self.model.url)

    def memoracle(self, *words: str, stdin: str = "") -> str:
        """One command, which has to succeed; what it printed."""
        done = subprocess.run(
            [PYTHON, "-m", "memoracle", *words],
            cwd=self.folder,
            env=self.environment(),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def install(self, program: Program) -> None:
        """What `memoracle install` puts into a host; into one that it does not know, the server by hand."""
        if program.host or program.name in self.memoracle("install", "--help"):
            self.memoracle("install", program.name, "--yes")
        else:
            served = [PYTHON, "-P", "-m", "memoracle", "--root", str(self.root), "mcp"]
            program.add_server(self.folder, served, "memoracle")

    def records(self) -> list[str]:
        """What is remembered."""
        return [one["text"] for one in json.loads(self.memoracle("list", "--json"))["items"]]

    def log(self) -> str:
        """What hooks complained of."""
        path = self.root / "state/hooks.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def settings(self, program: Program) -> dict[str, bytes | None]:
        """The person's own files of a host."""
        places = {name: self.folder / name for name in program.files}
        return {name: place.read_bytes() if place.exists() else None for name, place in places.items()}

    def let_others_speak(self, program: Program) -> None:
        """Instructions in the project, a server that has some, and hooks of the person's own that listen."""
        _write(self.project("work") / program.rules, outsiders.RULES)
        _write(self.project("other") / program.rules, outsiders.RULES)
        program.add_server(self.folder, [PYTHON, outsiders.__file__, "serve"])
        if program.host is None:
            return
        command = f"{PYTHON} {outsiders.__file__} record {self.folder / 'heard.jsonl'}"
        hooks = {
            name: [{"hooks": [{"type": "command", "command": command}]}]
            for name, _ in program.host.hooks.values()
        }
        name = "hooks.json" if program is CODEX else "settings.json"
        _edit((self.folder / program.files[0]).parent / name, lambda one: one.update(hooks=hooks))

    def heard(self) -> list[dict]:
        """What the host told its hooks."""
        path = self.folder / "heard.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def ask(
        self,
        program: Program,
        prompt: str,
        *,
        project: str = "work",
        again: bool = False,
        before: tuple[str, ...] = (),
    ) -> Session:
        """One prompt in a session of its own, or in the last one, and everything that this left to be done."""
        known = len(self.model.requests)
        words = [*(program.again if again else program.ask), *before, prompt]
        printed = self.run_program(program, *words, project=project)
        self.settle()
        return Session(printed, self.model.requests[known:])

    def run_program(self, program: Program, *words: str, project: str = "work") -> str:
        """One run of a host, which has to succeed; what it printed."""
        folder = self.project(project)
        done = subprocess.run(
            [str(self.modules / ".bin" / program.binary), *words],
            cwd=folder,
            env=self.environment(program) | {"PWD": str(folder)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=self.seconds,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def settle(self) -> None:
        """Wait until what the hooks left to a worker is done."""
        while True:
            self.memoracle("hook", "work")
            lock = self.root / "state/spool/worker.lock"
            if not lock.exists():
                return
            handle = os.open(lock, os.O_RDWR)
            try:
                assert wait_for_lock(handle, 180), "a worker lives on"
            finally:
                os.close(handle)
            if not any((self.root / "state/spool").glob("queue*.jsonl")):
                return
