"""Settings become a ready `Memory`; the only place that chooses implementations."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Mapping
from types import MappingProxyType

from memoracle.clock import Clock, system_clock
from memoracle.errors import BadSetting, NoRoot
from memoracle.index.sqlite.view import SqliteIndex
from memoracle.index.sync import silent
from memoracle.memory import Memory
from memoracle.model.activation import UNIFORM_30, Law
from memoracle.model.ids import IdSource
from memoracle.settings import FILE, Settings, find_root, load_settings
from memoracle.store.birth import Born, create_root
from memoracle.store.detect import detect
from memoracle.store.store import Store

_VIEWS_ELSEWHERE = "MEMORACLE_INDEX"


def open_memory(
    root: str | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    clock: Clock = system_clock,
    progress: Callable[[int, int], None] = silent,
) -> Memory:
    """The memory at `root`, or at the place the resolver finds."""
    surroundings = os.environ if environment is None else environment
    place = locate(root, surroundings)
    settings = load_settings(place, surroundings).settings
    ids = IdSource()
    store = Store(place, layout=settings.layout, clock=clock, ids=ids, lock_timeout=settings.lock_timeout)
    index = SqliteIndex(os.path.join(store.root, store.layout["index"]))
    return Memory(
        store,
        index,
        clock=clock,
        ids=ids,
        law=law_of(settings),
        actor=settings.actor or _person(),
        limit=settings.limit,
        progress=progress,
    )


def init(
    root: str | None = None, *, layout: str | None = None, environment: Mapping[str, str] | None = None
) -> Born:
    """Make a memory, or adopt a directory that one of the known designs already lives in."""
    surroundings = os.environ if environment is None else environment
    place = locate(root, surroundings)
    try:
        chosen = layout or load_settings(place, surroundings).settings.layout
    except NoRoot:
        chosen = detect(place) or "native"
    return create_root(place, chosen)


def locate(root: str | None, environment: Mapping[str, str]) -> str:
    """The root that flag, environment and surroundings point at."""
    return find_root(root, environment, start=os.getcwd(), home=os.path.expanduser("~"))


def law_of(settings: Settings) -> Law:
    """The activation law with the numbers of these settings."""
    if settings.profile not in {"default", "vm-oracle"}:
        raise BadSetting("profile", f"no profile is called `{settings.profile}`", where=FILE)
    names = ("fact", "preference", "summary", "belief", "event", "note")
    lives = {name: getattr(settings, f"half_life_{name}") for name in names}
    flat = settings.profile == "vm-oracle"
    return Law(
        half_life_days=UNIFORM_30 if flat else MappingProxyType(lives),
        importance_slows=not flat,
        boost=settings.recall_boost,
        search_floor=settings.search_floor,
        archive_below=settings.archive_below,
    )


def _person() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "somebody"
