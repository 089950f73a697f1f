"""What each screen shows, as a plain document: the page renders it, and its JSON twin is it.

A screen reads through the same verbs as everybody else. What takes long on a large memory (every entity, every count)
is derived once for each state of the view and kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memoracle.errors import NotFound
from memoracle.interfaces.http.api import Call, filters_of, page_of
from memoracle.interfaces.render import plain, recollection_fields, record_fields
from memoracle.model.record import Kind, Status
from memoracle.model.search import Filters
from memoracle.model.value import replace

if TYPE_CHECKING:
    from memoracle.context.pack import Context
    from memoracle.memory import Memory
    from memoracle.model.search import Hit, Passage

_SHOWN = 50
_FILES = 200
_MOST_APART = 1_000


Screen = Callable[["Memory", Call], dict[str, Any]]


_ONE, _SEVERAL = ("project", "user", "as_of", "since", "until", "speaker", "wide"), ("kind", "tag", "status")


def narrowed(asked: Call) -> Filters:
    """The frame's filters: time travel, project, user, kind."""
    given: dict[str, Any] = {name: asked.given[name] for name in _ONE if asked.given.get(name)}
    return filters_of(given | {name: [asked.given[name]] for name in _SEVERAL if asked.given.get(name)})


# What is derived once for each state of the view.

_KEPT: dict[tuple[str, str], tuple[int, Any]] = {}


def kept(memory: Memory, name: str, derive: Callable[[], Any]) -> Any:
    """What `derive` gave for this state of the view."""
    memory.root.view.catch_up()
    key, generation = (memory.store.root, name), memory.index.generation()
    held = _KEPT.get(key)
    if held is None or held[0] != generation:
        held = _KEPT[key] = (generation, derive())
    return held[1]


def warm(memory: Memory) -> None:
    """Derive what pages will need, before somebody waits for it."""
    counts(memory)
    _glance(memory)
    kept(memory, "entities", lambda: list(memory.entity()))
    kept(memory, "months", lambda: _months(memory))


def waiting(memory: Memory) -> int:
    """How many questions wait for the owner."""
    from memoracle.learn.records import standing_as
    from memoracle.store.inbox import read_inbox

    apart = kept(memory, "apart", lambda: len(standing_as(memory.root, Status.QUARANTINED, _MOST_APART)))
    return len(read_inbox(memory.store).open) + int(apart)


def counts(memory: Memory) -> dict[str, Any]:
    """How many records there are, by kind."""
    found: dict[str, Any] = kept(memory, "stats", lambda: plain(memory.stats()))
    return found


# The screens.


def today(memory: Memory, asked: Call) -> dict[str, Any]:
    """What was learnt lately, what waits for an answer, how memory is."""
    now = memory.root.clock()
    since = now - timedelta(days=asked.number("days", 7, 366))
    fresh = memory.list(limit=60, filters=replace(narrowed(asked), since=since))
    days: dict[str, list[Any]] = {}
    for hit in fresh:
        moment = hit.passage.at or now
        days.setdefault(moment.astimezone(memory.root.zone).date().isoformat(), []).append(plain(hit))
    total = counts(memory)
    return {
        "days": [{"day": day, "items": items} for day, items in days.items()],
        "questions": plain(memory.inbox()[:3]),
        "counts": total,
        "is_empty": not total["total"] and not fresh,
        "status": _glance(memory),
    }


def ask(memory: Memory, asked: Call) -> dict[str, Any]:
    """An answer with its evidence."""
    question = asked.given.get("q", "").strip()[:10_000]
    if not question:
        return {"q": "", "answer": None}
    found = memory.search(question, limit=asked.number("limit", 10, 50), filters=narrowed(asked))
    return {"q": question, "answer": recollection_fields(found, explain=True)}


def memories(memory: Memory, asked: Call) -> dict[str, Any]:
    """Records in a table, newest first; narrowed by what stands at the left."""
    filters, words = narrowed(asked), asked.given.get("q", "").strip()
    hits: Sequence[Hit]
    behind = None
    if words:
        found = memory.search(
            words, limit=_SHOWN, filters=replace(filters, kinds=filters.kinds or tuple(Kind))
        )
        hits = [hit for hit in found.hits if hit.passage.source == "record"]
    else:
        hits, behind = page_of(memory, asked.number("limit", _SHOWN, 200), filters)
    return {
        "items": plain(hits),
        "next": plain(behind),
        "q": words,
        "counts": counts(memory),
        "kinds": [*Kind],
    }


def one_memory(memory: Memory, asked: Call) -> dict[str, Any]:
    """A record, why it is here, every version, what it replaced, who was told it."""
    record = memory.show(asked.names["id"])
    found = memory.inspect(record.id)
    line = memory.store.journal.place_of(record)
    source = _words_around(memory, record.origin.where)
    return {
        "record": record_fields(record),
        "place": {"path": line.path, "line": line.line} if line else None,
        "history": plain(memory.history(record.id)),
        "related": plain(found.lineage.related) if found.lineage else [],
        "derived": plain(found.derived),
        "at_hand": list(found.at_hand),
        "named_in": list(found.named_in),
        "uses": plain(found.uses[-30:]),
        "acts": plain(found.acts[-20:]),
        "source": source,
        "kinds": [*Kind],
    }


def _words_around(memory: Memory, where: str) -> list[dict[str, Any]]:
    """The turn that a record was made of, with what was said before and after."""
    if "#L" not in where:
        return []
    now, view = memory.root.clock(), memory.root.view
    place = where.partition("-L")[0]
    around = view.ask(lambda: memory.index.around([place], Filters(), now)).get(place, ())
    own = view.ask(lambda: memory.index.rows_named([place], Filters(), 1, now))
    turns = [*around, *(one.passage for one in own.values())]
    turns.sort(key=lambda one: (one.path, one.first_line))
    return [
        {
            "who": one.who,
            "at": plain(one.at),
            "text": one.text,
            "cite": one.cite,
            "is_it": one.cite == place,
            "channel": one.channel,
        }
        for one in turns
    ]


def things(memory: Memory, asked: Call) -> dict[str, Any]:
    """People and things, the best known first."""
    pages = kept(memory, "entities", lambda: list(memory.entity()))
    words = asked.given.get("q", "").strip().casefold()
    wanted = asked.given.get("type", "")
    fitting = [
        page
        for page in pages
        if (not words or any(words in name.casefold() for name in (page.name, *page.aliases)))
        and (not wanted or page.type == wanted)
    ]
    start = asked.number("page", 1, 10_000) - 1
    shown = fitting[start * _SHOWN : (start + 1) * _SHOWN]
    kinds: dict[str, int] = {}
    for page in pages:
        kinds[page.type] = kinds.get(page.type, 0) + 1
    return {
        "items": [
            {
                "name": page.name,
                "aliases": list(page.aliases),
                "type": page.type,
                "facts": len(page.facts),
                "beliefs": len(page.beliefs),
                "first_seen": plain(page.first_seen),
                "last_seen": plain(page.last_seen),
            }
            for page in shown
        ],
        "types": kinds,
        "total": len(fitting),
        "page": start + 1,
        "pages": max(1, -(-len(fitting) // _SHOWN)),
        "q": words,
    }


def one_thing(memory: Memory, asked: Call) -> dict[str, Any]:
    """What is known of somebody or something: now, once, and beside whom."""
    found = memory.entity(asked.names["name"])
    if not found:
        raise NotFound(f"nobody and nothing is called `{asked.names['name']}` here")
    page = found[0]
    return {"thing": plain(page), "others": [one.name for one in found[1:]]}


def graph(memory: Memory, asked: Call) -> dict[str, Any]:
    """Who and what is named together: around one of them, or the best known."""
    pages = kept(memory, "entities", lambda: list(memory.entity()))
    by_name = {page.name: page for page in pages}
    around = asked.given.get("around", "")
    most = asked.number("most", 80, 5_000)
    if around and around in by_name:
        reached, edge = {around: 0}, [around]
        for depth in range(1, asked.number("depth", 2, 3) + 1):
            beyond: list[str] = []
            for name in edge:
                for other, _ in by_name[name].related:
                    if other in by_name and other not in reached and len(reached) < most:
                        reached[other] = depth
                        beyond.append(other)
            edge = beyond
        names = list(reached)
    else:
        around, names = "", [page.name for page in pages[:most]]
        reached = dict.fromkeys(names, 0)
    inside = set(names)
    together = {
        name: [(other, times) for other, times in by_name[name].related if other in inside] for name in names
    }
    nodes = [
        {
            "name": name,
            "type": by_name[name].type,
            "size": len(by_name[name].facts) + len(by_name[name].beliefs),
            "depth": reached[name],
            "together": together[name][:7],
        }
        for name in names
    ]
    edges = [
        {"from": name, "to": other, "times": times}
        for name in names
        for other, times in together[name]
        if name < other
    ]
    return {"nodes": nodes, "edges": edges, "around": around, "total": len(pages)}


def timeline(memory: Memory, asked: Call) -> dict[str, Any]:
    """What held from when to when, in lanes; what was replaced ends where the next one begins."""
    from memoracle.interfaces.web.drawing import drawn

    now, most = memory.root.clock(), asked.number("limit", 150, 400)
    hits, behind = page_of(memory, most, replace(narrowed(asked), wide=True))
    lanes: dict[str, list[Passage]] = {}
    for one in sorted((hit.passage for hit in hits), key=lambda one: (one.at or now, one.ref)):
        lanes.setdefault(one.project or one.kind, []).append(one)
    return {
        "lanes": [{"name": name, "items": [*map(_held, found)]} for name, found in sorted(lanes.items())],
        "drawing": plain(drawn(lanes, now)) if hits else None,
        "months": kept(memory, "months", lambda: _months(memory)),
        "next": plain(behind),
        "now": plain(now),
        "spans": {
            name: (now - timedelta(days=days)).date().isoformat()
            for name, days in (("a year", 365), ("a month", 30), ("a week", 7))
        },
    }


def _held(one: Passage) -> dict[str, Any]:
    return {
        "id": one.ref,
        "text": one.text,
        "kind": one.kind,
        "status": one.status.value,
        "since": plain(one.validity.since or one.at),
        "until": plain(one.validity.until),
        "replaced_by": one.validity.superseded_by or "",
    }


def _months(memory: Memory) -> list[dict[str, Any]]:
    """How much was said and kept, month by month."""
    import numpy as np

    days = memory.root.view.ask(lambda: memory.index.ranking().passages().day)
    known = days[days > 0]
    found: dict[str, int] = {}
    for day, many in zip(*np.unique(known, return_counts=True), strict=True):
        month = datetime.fromordinal(int(day) + _EPOCH).strftime("%Y-%m") if int(day) < _LAST else ""
        found[month] = found.get(month, 0) + int(many)
    return [{"month": month, "many": many} for month, many in sorted(found.items()) if month]


_EPOCH = datetime(1970, 1, 1).toordinal()  # noqa: DTZ001 - a day, not a moment
_LAST = 200_000


def sources(memory: Memory, asked: Call) -> dict[str, Any]:
    """Notes and conversations: what is read, how much of it, and what was not understood."""
    from memoracle.hosts.ingesting import watched

    def derive() -> list[dict[str, Any]]:
        return [
            {"path": one.path, "role": one.role.value, "bytes": one.size}
            for one in memory.store.manifest()
            if one.role.value in {"note", "transcript"}
        ]

    words = asked.given.get("q", "").casefold()
    every = [one for one in kept(memory, "files", derive) if words in one["path"].casefold()]
    findings = memory.root.view.ask(memory.index.findings)
    start = asked.number("page", 1, 100_000) - 1
    return {
        "items": every[start * _FILES : (start + 1) * _FILES],
        "page": start + 1,
        "pages": max(1, -(-len(every) // _FILES)),
        "total": len(every),
        "q": words,
        "watched": [
            {"name": name, "unread": plain(unread)} for name, unread in watched(memory.store).items()
        ],
        "findings": plain(findings[:100]),
    }


def one_source(memory: Memory, asked: Call) -> dict[str, Any]:
    """A conversation or a note as memory reads it; what became a memory leads to it."""
    path = asked.given.get("path", "")
    state = next((one for one in memory.store.manifest() if one.path == path), None)
    if state is None:
        raise NotFound("no file of this memory has that name")
    loaded = memory.store.load(state.path, state.role)
    start = asked.number("page", 1, 100_000) - 1
    every = loaded.passages
    shown = every[start * 100 : (start + 1) * 100]
    made = memory.root.view.ask(lambda: memory.index.citing([one.cite for one in shown], Filters(wide=True)))
    by_place: dict[str, list[dict[str, Any]]] = {}
    for one in made:
        by_place.setdefault(one.place, []).append({"id": one.passage.ref, "text": one.passage.text})
    return {
        "path": path,
        "role": state.role.value,
        "items": [
            {
                "line": one.first_line,
                "cite": one.cite,
                "who": one.who,
                "at": plain(one.at),
                "title": one.title,
                "text": one.text,
                "channel": one.channel,
                "made": by_place.get(one.cite, []),
            }
            for one in shown
        ],
        "page": start + 1,
        "pages": max(1, -(-len(every) // 100)),
        "total": len(every),
    }


def review(memory: Memory, asked: Call) -> dict[str, Any]:
    """Questions that wait for the owner, one at a time."""
    items = memory.inbox()
    groups: dict[str, int] = {}
    for item in items:
        groups[item.matter.value] = groups.get(item.matter.value, 0) + 1
    chosen = asked.given.get("matter", "")
    fitting = [item for item in items if not chosen or item.matter.value == chosen]
    return {"items": plain(fitting[:100]), "total": len(fitting), "groups": groups, "matter": chosen}


def told(memory: Memory, asked: Call) -> dict[str, Any]:
    """What agents are told: at the start of a session and with a prompt, for a folder and an audience."""
    folder = asked.given.get("folder", "")
    prompt = asked.given.get("prompt", "").strip()[:10_000]
    audience = "group" if asked.given.get("audience") == "group" else "private"
    root = memory.root.in_folder(folder) if folder else memory.root
    from memoracle.context.briefing import context

    start = context(root, audience=audience, budget=root.settings.hook_tokens)
    found: dict[str, Any] = {
        "folder": folder,
        "audience": audience,
        "prompt": prompt,
        "start": _block(start),
    }
    if prompt:
        made = context(
            root, prompt, audience=audience, after="prompt", budget=root.settings.hook_prompt_tokens
        )
        found["with_prompt"] = _block(made)
    return found


def _block(made: Context) -> dict[str, Any]:
    """A block line by line, each with the record it names."""
    from memoracle.model.search import cited_in, short_id

    by_name = {short_id(ref): ref for ref in made.ids}
    lines = [
        {"text": line, "id": next((by_name[one] for one in sorted(cited_in(line)) if one in by_name), "")}
        for line in made.text.split("\n")
    ]
    return {**plain(made), "lines": lines}


def health(memory: Memory, asked: Call) -> dict[str, Any]:  # noqa: ARG001 - screens are called alike
    """How memory was when it was last looked at, in sentences with what helps."""
    from memoracle.upkeep.report import read_health

    return {
        "health": read_health(memory.store),
        "status": _glance(memory),
        "acts": plain(memory.audit(limit=15)),
    }


def _glance(memory: Memory) -> dict[str, Any]:
    found: dict[str, Any] = kept(memory, "status", lambda: plain(memory.status()))
    return found


def settings(memory: Memory, asked: Call) -> dict[str, Any]:  # noqa: ARG001
    """What is set, and where it was set."""
    from memoracle.resolve import FILE
    from memoracle.settings import load_settings, read_plain

    root = memory.store.root
    found = load_settings(root, memory.root.environment)
    path = os.path.join(root, FILE)
    rows = [
        {"name": name, "value": plain(getattr(found.settings, name)), "source": source}
        for name, source in sorted(found.sources.items())
    ]
    return {"root": root, "rows": rows, "file": read_plain(path, 1 << 20).decode("utf-8", "replace")}


SCREENS: Mapping[str, Screen] = {
    "/today": today,
    "/ask": ask,
    "/timeline": timeline,
    "/memories": memories,
    "/memories/{id}": one_memory,
    "/things": things,
    "/things/{name:path}": one_thing,
    "/graph": graph,
    "/sources": sources,
    "/source": one_source,
    "/review": review,
    "/told": told,
    "/health": health,
    "/settings": settings,
}
"""Each screen at its address; `.json` behind it gives the document alone."""
