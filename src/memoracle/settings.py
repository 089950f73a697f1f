"""Settings: every one has a default, each value knows where it came from.

Layers: defaults, the root's `memoracle.toml`, environment variables, flags. A file that arrives
with a clone may tune numbers; it can never name an endpoint, a command or a path outside.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from typing import Any

from memoracle.errors import BadSetting, NoRoot, UnreadableFile
from memoracle.guard.modes import Policy, read_policy
from memoracle.model.value import field, value
from memoracle.resolve import FILE

_SHARE = (0.0, 1.0)
_DAYS = (0.001, 1_000_000.0)
_RANGES = {"lock_timeout": (0.0, 86_400.0)}
_MOST = 1_000_000
_CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


@value
class Settings:
    """What can be set. Each field is documented in `docs/reference/settings.md`."""

    layout: str = "native"
    profile: str = "default"
    lock_timeout: float = 20.0
    limit: int = 10
    recipe: str = "balanced"
    embedder: str = "bundled"
    reranker: str = "bundled"
    tagger: str = "bundled"
    llm: str = "none"
    llm_daily_tokens: int = 20_000
    actor: str = ""
    owner: str = ""
    reply_language: str = ""
    user: str = ""
    agent: str = ""
    project: str = ""
    timezone: str = ""
    digest_at: str = ""
    consolidate_at: str = ""
    max_active: int = 10_000
    summary_trigger: int = 3
    hot_tokens: int = 2_000
    hot_lines: int = 200
    hot_target_lines: int = 60
    context_tokens: int = 1_500
    hook_tokens: int = 1_000
    hook_prompt_tokens: int = 400
    resident_minutes: int = 15
    commit: str = "never"
    context_window: int = 200_000
    reserve_tokens: int = 16_384
    flush_soft_tokens: int = 4_000
    buffer_lines: int = 80
    buffer_items: int = 3
    backup_keep: int = 7
    session_retention_days: int = 30
    daily_retention_days: int = 0
    tool_retention_days: int = 90
    retention_secret_days: int = 0
    retention_private_days: int = 0
    retention_public_days: int = 0
    search_floor: float = 0.15
    archive_below: float = 0.05
    recall_boost: float = 0.3
    half_life_fact: float = 87.0
    half_life_preference: float = 87.0
    half_life_summary: float = 28.0
    half_life_belief: float = 10.0
    half_life_event: float = 30.0
    half_life_note: float = 30.0
    policy: Policy = field(default_factory=Policy)


_TYPES: Mapping[str, str] = {
    name: kind for name, kind in Settings.__annotations__.items() if kind != "Policy"
}
HALF_LIVES = tuple(name for name in _TYPES if name.startswith("half_life_"))
_HARMLESS_EMBEDDERS = {"bundled", "none"}
_MODELS = ("http://", "https://", "command:")
PROFILES = ("default", "vm-oracle")
_THIS_MACHINES_OWN = {"notify": "notify COMMAND", "backup_to": "backup FOLDER --daily"}
_MAY_BE_NONE = frozenset({"resident_minutes", "tool_retention_days"})
_OF_LAYOUT: Mapping[str, Mapping[str, int]] = {"v4": {"hot_lines": 60}}
"""What a design has in place of a default."""
_CHOICES = {
    "recipe": ("quick", "balanced", "deep", "openclaw"),
    "profile": PROFILES,
    "reranker": ("bundled", "none"),
    "tagger": ("bundled", "none"),
    "reply_language": ("", "zh", "en"),
    "commit": ("never", "upkeep"),
}


@value
class _Origins:
    """The settings in force, and for each its source: default, the file, or a variable."""

    settings: Settings
    sources: Mapping[str, str]


def reply_language(settings: Settings) -> str:
    """The language the owner chose for replies; ClawSeat's operators read Chinese; empty when nobody chose."""
    return settings.reply_language or ("zh" if settings.layout == "clawseat" else "")


def owner_names(settings: Settings) -> frozenset[str]:
    """The names the owner goes by in conversations, as they are compared."""
    return frozenset(filter(None, (name.strip().casefold() for name in settings.owner.split(","))))


def load_settings(root: str, environment: Mapping[str, str]) -> _Origins:
    """The settings of a root; an unknown name or a wrong value is an error that says where it stands."""
    path = os.path.join(root, FILE)
    if not os.path.isfile(path):
        raise NoRoot(root)
    values: dict[str, Any] = {}
    sources = dict.fromkeys(_TYPES, "default")
    written = _read_file(path)
    # A policy that makes no sense stops writing, not reading: it is no error here.
    values["policy"] = read_policy(written.pop("policy", {}), environment, where=path)
    for name, found in written.items():
        values[name] = checked(name, found, where=path)
        if name == "embedder" and found not in _HARMLESS_EMBEDDERS:
            # The file may have come with a clone: it must not choose what is loaded, nor where texts are sent.
            raise BadSetting(name, "a folder or an endpoint is named by MEMORACLE_EMBEDDER alone", where=path)
        if name == "llm" and found != "none":
            raise BadSetting(name, "an endpoint or a command is named by MEMORACLE_LLM alone", where=path)
        sources[name] = path
    for name, kind in _TYPES.items():
        variable = f"MEMORACLE_{name.upper()}"
        if variable in environment:
            given = environment[variable]
            values[name] = checked(name, given if kind == "str" else _parsed(given), where=variable)
            sources[name] = variable
    if values.get("profile") == "vm-oracle":
        values = dict.fromkeys(HALF_LIVES, 30.0) | values
    for name, usual in _OF_LAYOUT.get(values.get("layout", ""), {}).items():
        if sources[name] == "default":
            values[name], sources[name] = usual, "layout"
    return _Origins(settings=Settings(**values), sources=sources)


def _read_file(path: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(read_plain(path).decode())
    except RecursionError:
        raise BadSetting(FILE, "it nests too deeply to be read", where=path) from None
    except ValueError as problem:  # neither TOML nor text, or a number beyond any machine
        raise BadSetting(FILE, f"it is not TOML: {problem}", where=path) from None


def read_plain(path: str, most: int = -1) -> bytes:
    """At most so many bytes of a plain file; anything else is refused: a pipe would never end."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise UnreadableFile(path, "it is not a plain file")
            return file.read(most)
    except (OSError, ValueError) as problem:
        raise UnreadableFile(path, getattr(problem, "strerror", None) or "it has no such name") from None


def checked(name: str, given: Any, *, where: str) -> Any:
    """The value as it is set; raises `BadSetting` for a name nobody knows or a value that cannot be."""
    if name in _THIS_MACHINES_OWN:
        why = "a file may come with a clone: `memoracle {}` sets it for this machine"
        raise BadSetting(name, why.format(_THIS_MACHINES_OWN[name]), where=where)
    if name not in _TYPES:
        raise BadSetting(name, "no setting has this name", where=where)
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if _TYPES[name] == "float":
        least, most = _RANGES.get(name, _DAYS if name.startswith("half_life_") else _SHARE)
        if is_number and least <= given <= most:
            return float(given)
        raise BadSetting(name, f"`{given}` is not a number from {least:g} to {most:g}", where=where)
    if _TYPES[name] == "int":
        fewest = 0 if name in _MAY_BE_NONE else 1
        if is_number and isinstance(given, int) and fewest <= given <= _MOST:
            return given
        raise BadSetting(name, f"`{given}` is not a whole number from {fewest} to {_MOST:,}", where=where)
    if isinstance(given, str):
        if given not in _CHOICES.get(name, (given,)):
            raise BadSetting(name, f"`{given}` is none of {', '.join(_CHOICES[name])}", where=where)
        if name.endswith("_at") and given and not _CLOCK.fullmatch(given):
            raise BadSetting(name, f"`{given}` is not a time of day such as 03:00", where=where)
        if name == "llm" and given != "none" and not given.startswith(_MODELS):
            # Not repeated here: an address may hold a password.
            raise BadSetting(
                name, "it is neither `none`, `http://host/v1#model` nor `command:…`", where=where
            )
        return given
    raise BadSetting(name, f"`{given}` is not text", where=where)


def _parsed(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
