"""Settings become a ready `Memory`; the only place that chooses implementations."""

from __future__ import annotations

import getpass
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from memoracle import registry
from memoracle.errors import BadSetting, EmbedderProblem
from memoracle.guard.guard import PolicyGuard, Reader, followed
from memoracle.index.api import silent
from memoracle.memory import Memory
from memoracle.model.ids import IdSource
from memoracle.model.record import EVERYBODY, Law, Scope
from memoracle.model.value import replace
from memoracle.recall.freshness import Freshness
from memoracle.resolve import FILE, ROOT_VARIABLE, find_root, folder_here
from memoracle.root import Root
from memoracle.settings import HALF_LIVES, Settings, load_settings, owner_names
from memoracle.store import sealed
from memoracle.store.disk import DiskVolume
from memoracle.store.privacy import RECOGNISED, PrivacyFile, Recognised, note_unseen
from memoracle.store.store import Store, Unguarded
from memoracle.times import Clock, system_clock, zone_of

if TYPE_CHECKING:
    from memoracle.hosts.ingesting import HostReader
    from memoracle.hosts.reading import HideAll
    from memoracle.index.api import Index
    from memoracle.inference.api import Embedder, Reranker, Tagger
    from memoracle.inference.language import Model
    from memoracle.model.adoption import AdoptionReport
    from memoracle.recall.freshness import OpenEmbedder
    from memoracle.recall.links import LinkReader
    from memoracle.store.roots import Born

_Use = TypeVar("_Use")

AGENTS = frozenset({"mcp", "hook"})
"""Doors through which agents come: what the policy withholds from agents is not there for them."""


def open_memory(
    root: str | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    clock: Clock = system_clock,
    progress: Callable[[int, int], None] = silent,
    embedding: Callable[[int, int], None] | None = None,
    embedder: OpenEmbedder | None = None,
    hurry: bool = False,
    via: str = "",
) -> Memory:
    """The memory at `root`, or at the place the resolver finds; `embedder` opens another one than the settings name.

    `progress` is told how far the index is, `embedding` how far the vectors are, if they shall be told apart.
    In a `hurry` a question does not wait long: neither for the view to be brought level, nor to be read late.
    `via` is what the audit trail calls the way in: `cli`, `mcp`, `hook`.
    """
    # BLAS reads this once, when numpy is imported. A thread per core spins while it waits, and a question's small
    # products take twice to a hundred times as long; more cores are used by whole batches, one each.
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    surroundings = os.environ if environment is None else environment
    place = locate(root, surroundings)
    settings = load_settings(place, surroundings).settings
    names, actor, decay = owner_names(settings), settings.actor or _person(), law_of(settings)
    named = {name: getattr(settings, name) for name in ("user", "agent", "project")}
    ids, scope = IdSource(), Scope(**named) if any(named.values()) else EVERYBODY
    listed = followed(
        lambda: PrivacyFile(store, required=settings.policy.choice("privacy_list") == "required")
    )
    # The guard asks the store when it is asked itself; neither is ever there without the other.
    guard = PolicyGuard(
        lambda: store.salt(),  # noqa: PLW0108 - the store is made below
        settings.policy,
        blocklist=listed,
        told=lambda outcome, rules, channel: store.audit.log_decision(outcome, rules, channel),  # noqa: PLW0108
        used=lambda used: note_unseen(store, used.lines),
        recognised=lambda: Recognised(store.volume, lambda: store.state_name(RECOGNISED)),
    )
    if DiskVolume(os.path.realpath(place)).is_sealed():
        sealed.must_be_open(os.path.realpath(place))
    store = Store(
        place, layout=settings.layout, clock=clock, ids=ids, guard=guard, lock_timeout=settings.lock_timeout
    )
    store.via, store.by = via, actor
    store.open_reader = lambda: _host_reader(guard.hide_all, names)
    store.open_links = _link_reader

    open_view, opened = _made_once(
        lambda: Freshness(
            store,
            lambda: _open_index(store, guard, names),
            embedder=embedder or (lambda: _gated(settings, embedder_of(settings, surroundings), guard)),
            progress=progress,
            embedding=embedding or progress,
            hurry=hurry,
        )
    )
    memory = Root(
        store=store,
        open_view=open_view,
        opened=opened,
        guard=guard,
        reader=Reader(guard=guard, scope=scope, is_agent=via in AGENTS),
        clock=clock,
        ids=ids,
        decay=decay,
        settings=settings,
        environment=surroundings,
        actor=actor,
        find_zone=lambda: zone_of(settings.timezone, surroundings),
        open_model=lambda: model_of(settings, surroundings),
        open_reranker=_reranker_in_time(settings, _HURRIED if hurry else None),
        open_tagger=cache(lambda: tagger_of(settings)),
        open_other=lambda other: (
            open_memory(other, environment=surroundings, clock=clock, embedder=embedder, hurry=hurry).root
        ),
    )
    return Memory(memory)


_HURRIED = 0.8
"""Seconds after which a hurry leaves no time to read: a machine that took so long to get there reads as slowly."""


def _reranker_in_time(settings: Settings, most: float | None) -> Callable[[], Reranker | None]:
    """What opens the reranker when it is asked for; nothing where that comes later than so many seconds from now."""
    begun = time.monotonic()
    return cache(lambda: reranker_of(settings) if most is None or time.monotonic() - begun <= most else None)


def _made_once(make: Callable[[], Freshness]) -> tuple[Callable[[], Freshness], Sequence[Freshness]]:
    """What gives the one view that is made when it is first asked for, and where it then stands."""
    opened: list[Freshness] = []

    def find() -> Freshness:
        if not opened:
            opened.append(make())
        return opened[0]

    return find, opened


def _open_index(store: Store, guard: PolicyGuard, names: frozenset[str]) -> Index:
    """A view is built anew when what its passages are read by changes: links, policy, adoption, the owner's names."""
    from memoracle.index.sqlite.view import SqliteIndex

    usual = os.path.join(store.root, store.layout["index"])
    owner = f" owner {','.join(sorted(names))}" if names else ""

    def rules() -> str:
        links, adopted = store.link_rules(), store.adopted()
        return f"{links}{guard.mark()}{f' adopted {adopted.at.isoformat()}' if adopted else ''}{owner}"

    return SqliteIndex(
        lambda: sealed.place_of_view(store.root, usual) if store.volume.is_sealed() else usual, rules=rules
    )


def keep_arrays(folder: str) -> bool:
    """Read the view in a folder for processes that are forked; False when there is nothing new."""
    from memoracle.index.sqlite import ranking

    return ranking.keep_arrays(folder)


def _host_reader(hide: HideAll, names: frozenset[str]) -> HostReader:
    from memoracle.hosts.ingesting import HostReader

    return HostReader(hide=hide, names=names)


def _link_reader(root: str, tables: Mapping[str, Mapping[str, Any]]) -> LinkReader:
    """What reads links by a root's own rules (those under an empty name), and by those of single projects."""
    from memoracle.recall.links import PLAIN, LinkReader, read_rules

    base = read_rules(tables.get("", {}))
    own = {name: read_rules(table, base) for name, table in tables.items() if name}
    usual = base if tables else PLAIN
    return LinkReader(root, lambda project: own.get(project, usual))


def init(
    root: str | None = None,
    *,
    layout: str | None = None,
    dry_run: bool = False,
    environment: Mapping[str, str] | None = None,
    clock: Clock = system_clock,
) -> Born:
    """Make a memory, or adopt a directory that one of the known designs already lives in, here or in `memory/`.

    A `dry_run` looks at what stands there and writes nothing.
    """
    from memoracle.store.roots import Born, create_root, detect

    surroundings = os.environ if environment is None else environment
    place = locate(root, surroundings) if root or layout else _here(surroundings)
    if layout is None and not os.path.isfile(os.path.join(place, FILE)):
        place = _with_design(place)
    is_new = not os.path.isfile(os.path.join(place, FILE))
    chosen = layout or (
        (detect(place) or "native") if is_new else load_settings(place, surroundings).settings.layout
    )
    if not (is_new and chosen != "native" and _holds_something(place)):
        return Born(root=place, layout=chosen, made=()) if dry_run else create_root(place, chosen)
    found = registry.needed("survey")(place, chosen)
    if dry_run:
        return Born(root=place, layout=chosen, made=(), adopted=found)
    born = create_root(place, chosen, settings=found.settings)
    _adopt(place, chosen, found, clock)
    return replace(born, adopted=found)


def _here(surroundings: Mapping[str, str]) -> str:
    """Where a call means that names nothing: the folder it stands in when another design lives there."""
    from memoracle.store.roots import detect

    place, here = locate(None, surroundings), folder_here()
    is_named = os.path.isfile(os.path.join(place, FILE)) or ROOT_VARIABLE in surroundings
    # Any workspace of an agent may look like OpenClaw's: that one is adopted by its name.
    return place if is_named or detect(_with_design(here)) in {None, "native", "openclaw"} else here


def _with_design(place: str) -> str:
    """The folder itself, or its folder `memory` where another design keeps it there."""
    from memoracle.store.roots import detect

    inner = os.path.join(place, "memory")
    return inner if detect(place) is None and detect(inner) not in {None, "native"} else place


def _holds_something(place: str) -> bool:
    try:
        return any(not name.startswith(".") for name in os.listdir(place))
    except OSError:
        return False


def _adopt(place: str, layout: str, found: AdoptionReport, clock: Clock) -> None:
    """Note what another program kept there, before anything of ours counts it."""
    from memoracle.store.adopted import adopt
    from memoracle.store.volume import write_document

    store = Store(
        place, layout=layout, clock=clock, ids=IdSource(), guard=Unguarded()
    )  # it counts, and keeps no words
    with store.writing():
        adopt(store, clock())
        write_document(store.volume, store.name("found"), dict(found.digests))


def locate(root: str | None, environment: Mapping[str, str]) -> str:
    """The root that flag, environment and surroundings point at."""
    return find_root(root, environment, start=folder_here(), home=os.path.expanduser("~"))


def law_of(settings: Settings) -> Law:
    """The activation law with the numbers of these settings."""
    lives = {name.removeprefix("half_life_"): getattr(settings, name) for name in HALF_LIVES}
    return Law(
        half_life_days=MappingProxyType(lives),
        importance_slows=settings.profile != "vm-oracle",
        boost=settings.recall_boost,
        search_floor=settings.search_floor,
        archive_below=settings.archive_below,
    )


def embedder_of(settings: Settings, environment: Mapping[str, str] | None = None) -> Embedder | None:
    """The embedder these settings name; None when they name none, or the bundled one cannot be used here.

    `bundled`, `none`, a model folder, or `http://host/v1#model`, an OpenAI-compatible endpoint.
    """
    chosen = settings.embedder
    if chosen == "none":
        return None
    if chosen.startswith(("http://", "https://")):
        from memoracle.inference.endpoint import EmbeddingEndpoint

        url, _, model = chosen.partition("#")
        key = (os.environ if environment is None else environment).get("MEMORACLE_EMBEDDER_KEY")
        return EmbeddingEndpoint(url, model, key=key)
    if chosen != "bundled":
        from memoracle.inference.folder import open_folder

        return open_folder(os.path.expanduser(chosen))
    from memoracle.inference.bundled import open_embedder

    return _usable(open_embedder)


def _gated(settings: Settings, opened: Embedder | None, guard: PolicyGuard) -> Embedder | None:
    """The same embedder; before one to which texts are sent stands the privacy gate."""
    if opened is None or not settings.embedder.startswith(("http://", "https://")):
        return opened
    from memoracle.inference.endpoint import Gated

    return Gated(opened, stops=guard.stops, cut=guard.cut)


def reranker_of(settings: Settings) -> Reranker | None:
    """The bundled reranker; None when the settings want none, or it cannot be used here."""
    if settings.reranker == "none":
        return None
    from memoracle.inference.bundled import open_reranker

    return _usable(open_reranker)


def tagger_of(settings: Settings) -> Tagger | None:
    """The bundled tagger; None when the settings want none, or it cannot be used here."""
    if settings.tagger == "none":
        return None
    from memoracle.inference.bundled import open_tagger

    return _usable(open_tagger)


def _usable(opened: Callable[[], _Use]) -> _Use | None:
    """None where the weights cannot be used: words and rules do without, and `check` says what is wrong with them."""
    try:
        return opened()
    except EmbedderProblem:
        return None


def model_of(settings: Settings, environment: Mapping[str, str] | None = None) -> Model | None:
    """The language model these settings name; None when they name none.

    `none`, `http://host/v1#model`, an OpenAI-compatible endpoint, or `command:` and a command line.
    """
    chosen = settings.llm
    if chosen == "none":
        return None
    if chosen.startswith("command:"):
        import shlex

        from memoracle.inference.chat import Command

        try:
            words = shlex.split(chosen.removeprefix("command:"))
        except ValueError as problem:
            raise BadSetting(
                "llm", f"the command cannot be split: {problem}", where="MEMORACLE_LLM"
            ) from None
        if not words:
            raise BadSetting("llm", "it names no command", where="MEMORACLE_LLM")
        return Command(words)
    from memoracle.inference.chat import ChatEndpoint as ModelEndpoint
    from memoracle.inference.http_client import is_http

    url, _, model = chosen.partition("#")
    if not model or not is_http(url):
        raise BadSetting("llm", "write `http://host/v1#model`, without a password", where="MEMORACLE_LLM")
    return ModelEndpoint(
        url, model, key=(os.environ if environment is None else environment).get("MEMORACLE_LLM_KEY")
    )


def _person() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "somebody"
