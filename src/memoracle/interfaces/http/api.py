"""The JSON API as a table: every everyday verb with its method, path, arguments and answer.

A row says what it takes as a schema and calls one verb of `Memory`; what the verbs refuse becomes a status and the same
document that `--json` prints. `openapi.py` describes the table, `server.py` serves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.errors import (
    AlreadyRunning,
    BadInput,
    Conflict,
    MemoracleError,
    NeedsConsent,
    NotFound,
    RootLocked,
    VersionConflict,
    ViewUnavailable,
)
from memoracle.interfaces.mcp import tool as a
from memoracle.interfaces.mcp.tool import Lane, Schema
from memoracle.interfaces.render import plain, recollection_fields, record_fields, safe
from memoracle.model.record import Kind, Scope, Status
from memoracle.model.search import Filters
from memoracle.model.value import field, value
from memoracle.text import visible
from memoracle.times import read_time, read_until

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.memory import Memory
    from memoracle.model.search import Hit

PREFIX = "/api/v1"
MOST = 500
_LONGEST = 100_000


@value
class Call:
    """What a request asks for: names in the path, arguments, and the version it was made for."""

    names: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    expected: int | None = None

    def number(self, name: str, usual: int, most: int) -> int:
        """An argument that may be a whole number as text, within bounds; what is none is the usual one."""
        held = str(self.given.get(name, ""))
        return max(1, min(most, int(held))) if held.isdecimal() else usual


@value
class Endpoint:
    """One row of the API; `at` is its method and its path."""

    at: str
    verb: str
    summary: str
    run: Callable[[Memory, Call], Any]
    takes: Mapping[str, Schema] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    gives: str = "Document"
    status: int = 200

    @property
    def method(self) -> str:
        """As HTTP has it."""
        return self.at.partition(" ")[0]

    @property
    def path(self) -> str:
        """Below the prefix."""
        return self.at.partition(" ")[2]

    @property
    def lane(self) -> Lane:
        """Reading never waits behind a write."""
        return Lane.READ if self.method == "GET" else Lane.WRITE

    @property
    def schema(self) -> dict[str, Any]:
        """What its arguments have to fit."""
        return a.record(self.takes, needs=self.needs)

    def read_query(self, pairs: list[tuple[str, str]]) -> dict[str, Any]:
        """The arguments of a query string, which knows text alone."""
        found: dict[str, Any] = {}
        for name, held in pairs:
            kind = self.takes.get(name, {}).get("type", "string")
            if kind == "array":
                found.setdefault(name, []).append(held)
            else:
                found[name] = _typed(name, held, kind)
        return found


def _typed(name: str, held: str, kind: str) -> Any:
    if kind == "boolean":
        if held not in {"true", "false", "1", "0", ""}:
            raise BadInput(f"`{name}` has to be true or false")
        return held in {"true", "1", ""}
    if kind in {"integer", "number"}:
        try:
            return int(held) if kind == "integer" else float(held)
        except ValueError:
            raise BadInput(f"`{name}` has to be a number") from None
    return held


# What every list and question can be narrowed to.

FILTERS: Mapping[str, Schema] = {
    "kind": a.texts("only these kinds"),
    "tag": a.texts("only with all of these tags"),
    "speaker": a.text("only what this one said"),
    "user": a.text("of this user"),
    "agent": a.text("of this agent"),
    "project": a.text("of this project"),
    "seat": a.text("of this seat"),
    "status": a.texts("records in one of these states", items={"type": "string", "enum": [*Status]}),
    "since": a.text("only from this time on"),
    "until": a.text("only up to this time"),
    "as_of": a.text("what was known and valid then"),
    "wide": a.flag("also what was archived, superseded or ended"),
}
_ID = a.text("an id, or a unique beginning of one")
_LIMIT = a.count("at most so many", most=MOST)
_WEIGHT = {"importance": a.share(), "confidence": a.share()}
_BECAUSE = {"because": a.text("the reason, kept in the history", maxLength=2_000)}
_WORDS = a.text(maxLength=_LONGEST)


def filters_of(given: Mapping[str, Any]) -> Filters:
    """The filters that arguments name."""
    return Filters(
        scope=Scope(**{name: given.get(name, "") for name in ("user", "agent", "project", "seat")}),
        speaker=given.get("speaker", ""),
        kinds=tuple(given.get("kind", ())),
        tags=tuple(given.get("tag", ())),
        statuses=tuple(given.get("status", ())),
        since=read_time(given["since"]) if given.get("since") else None,
        until=read_until(given["until"]) if given.get("until") else None,
        as_of=read_until(given["as_of"]) if given.get("as_of") else None,
        wide=bool(given.get("wide")),
    )


def _ask(verb: str) -> Callable[[Memory, Call], Any]:
    def run(memory: Memory, call: Call) -> Any:
        given = call.given
        found = getattr(memory, verb)(
            given["q"],
            limit=given.get("limit"),
            filters=filters_of(given),
            recipe=given.get("recipe"),
            budget=given.get("budget"),
        )
        return recollection_fields(found, explain=bool(given.get("explain")))

    return run


def page_of(memory: Memory, limit: int, filters: Filters) -> tuple[Sequence[Hit], datetime | None]:
    """Records, newest first, and the `until` of those behind them; what is of one moment is not parted."""
    most = limit + 1
    while True:
        hits = memory.list(limit=most, filters=filters)
        if len(hits) < most:
            return hits, None
        behind = hits[-1].passage.at
        if behind and (here := [hit for hit in hits if hit.passage.at != behind]):
            return here, behind
        most *= 2


def listed(memory: Memory, call: Call) -> Any:
    """Records, newest first, a page at a time: `next` is the `until` of the page behind it."""
    hits, following = page_of(memory, call.given.get("limit", 50), filters_of(call.given))
    return {"items": plain(hits), "next": plain(following)}


def remembered(memory: Memory, call: Call) -> Any:
    """Keep something."""
    fields = dict(call.given)
    text = fields.pop("text")
    for name in {"since", "until"} & fields.keys():
        fields[name] = read_time(fields[name])
    return plain(memory.remember(text, **fields))


def _edited(memory: Memory, call: Call) -> Any:
    return plain(memory.edit(call.names["id"], expected=call.expected, **call.given))


def _superseded(memory: Memory, call: Call) -> Any:
    given = dict(call.given)
    return plain(memory.supersede(call.names["id"], given.pop("text"), expected=call.expected, **given))


def _withdrawn(memory: Memory, call: Call) -> Any:
    """Out of every answer, back within thirty days; with `erase` for good, everywhere."""
    reference, because = call.names["id"], call.given.get("because", "")
    if not call.given.get("erase"):
        return plain(memory.withdraw([reference], because=because))
    if not call.given.get("confirm"):
        plan = memory.plan_forget([reference])
        raise NeedsConsent(f"erase {len(plan.steps)} places for good")
    return plain(memory.forget([reference], because=because))


def _on(verb: str, **fixed: Any) -> Callable[[Memory, Call], Any]:
    """A verb on one record, with its reason."""

    def run(memory: Memory, call: Call) -> Any:
        return plain(getattr(memory, verb)(call.names["id"], **fixed, **call.given))

    return run


def _plainly(verb: str, *names: str) -> Callable[[Memory, Call], Any]:
    """A verb whose arguments have the names of the request's."""

    def run(memory: Memory, call: Call) -> Any:
        found = getattr(memory, verb)(*(call.names[name] for name in names), **call.given)
        return {"items": plain(found)} if isinstance(found, list | tuple) else plain(found)

    return run


def _decided(verb: str) -> Callable[[Memory, Call], Any]:
    def run(memory: Memory, call: Call) -> Any:
        return {"items": plain(getattr(memory, verb)([call.names["id"]]))}

    return run


_Q = {"q": a.text("the question", maxLength=10_000), "limit": _LIMIT, "explain": a.flag("with its trace")}
_ASKED = {
    **_Q,
    "recipe": a.text("quick, balanced, deep or openclaw"),
    "budget": a.count("tokens of a pack", most=32_000),
}
_DRAFT = {
    "text": _WORDS,
    "kind": a.text("what sort of thing it says", enum=[*Kind]),
    **_WEIGHT,
    "entities": a.texts(),
    "tags": a.texts(),
    "subject": a.text(),
    "predicate": a.text(),
    "object": a.text(),
    "user": a.text(),
    "agent": a.text(),
    "project": a.text(),
    "seat": a.text(),
    "since": a.text("from when on it holds"),
    "until": a.text("until when it holds"),
    "sensitivity": a.text(enum=["public", "private", "secret"]),
}
_EDIT = {
    "text": _WORDS,
    "kind": a.text(enum=[*Kind]),
    **_WEIGHT,
    "entities": a.texts(),
    "tags": a.texts(),
    **_BECAUSE,
}

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        at="GET /recall",
        verb="recall",
        summary="Evidence for a question, or a plain “not in memory”; what is handed over grows stronger",
        run=_ask("recall"),
        takes={**_ASKED, **FILTERS},
        needs=("q",),
        gives="Recollection",
    ),
    Endpoint(
        at="GET /search",
        verb="search",
        summary="The same evidence, leaving every file untouched",
        run=_ask("search"),
        takes={**_ASKED, **FILTERS},
        needs=("q",),
        gives="Recollection",
    ),
    Endpoint(
        at="GET /records",
        verb="list",
        summary="Records that fit, newest first",
        run=listed,
        takes={"limit": _LIMIT, **FILTERS},
        gives="HitPage",
    ),
    Endpoint(
        at="POST /records",
        verb="remember",
        summary="Keep something; the same thing kept again is the same record",
        run=remembered,
        takes=_DRAFT,
        needs=("text",),
        gives="Receipt",
        status=201,
    ),
    Endpoint(
        at="GET /records/{id}",
        verb="show",
        summary="One record as it stands; its version is the ETag",
        run=lambda memory, call: record_fields(memory.show(call.names["id"])),
        gives="Record",
    ),
    Endpoint(
        at="PATCH /records/{id}",
        verb="edit",
        summary="Put a record differently; with If-Match only if it is still at that version",
        run=_edited,
        takes=_EDIT,
        gives="Receipt",
    ),
    Endpoint(
        at="DELETE /records/{id}",
        verb="forget",
        summary="Out of memory, back within 30 days by undo; with `erase` and `confirm` for good",
        run=_withdrawn,
        takes={"erase": a.flag("everywhere, at once"), "confirm": a.flag("yes, for good"), **_BECAUSE},
    ),
    Endpoint(
        at="POST /records/{id}/supersede",
        verb="supersede",
        summary="Put a new record in place of an old one; both stay in the history",
        run=_superseded,
        takes=_EDIT,
        needs=("text",),
        gives="Receipt",
    ),
    *(
        Endpoint(
            at=f"POST /records/{{id}}/{name}",
            verb=verb,
            summary=summary,
            run=_on(verb, **fixed),
            takes=_BECAUSE,
            gives="Receipt",
        )
        for name, verb, fixed, summary in (
            ("pin", "pin", {}, "Keep a record in the live set however old it grows"),
            ("unpin", "pin", {"pinned": False}, "Let a record age again"),
            ("archive", "archive", {}, "Take a record out of default answers"),
            ("restore", "restore", {}, "Bring back what was archived, superseded or retracted"),
        )
    ),
    Endpoint(
        at="GET /records/{id}/history",
        verb="history",
        summary="Every version of a record: who, what, when, why",
        run=lambda memory, call: {"items": plain(memory.history(call.names["id"]))},
        gives="RecordList",
    ),
    Endpoint(
        at="GET /records/{id}/why",
        verb="why",
        summary="Where a memory came from, what it replaced, what became of it",
        run=_plainly("why", "id"),
    ),
    Endpoint(
        at="GET /entities",
        verb="entity",
        summary="Everybody and everything that is named, the best known first",
        run=lambda memory, call: {"items": plain(memory.entity(call.given.get("name")))},
        takes={"name": a.text("only who answers to this name")},
    ),
    Endpoint(
        at="GET /graph",
        verb="graph",
        summary="What lies around a page, a record or an entity",
        run=lambda memory, call: plain(
            memory.graph(call.given["node"], depth=call.given.get("depth", 1), cap=call.given.get("cap", 50))
        ),
        takes={"node": a.text(), "depth": a.count(most=4), "cap": a.count(most=MOST)},
        needs=("node",),
    ),
    Endpoint(
        at="GET /context",
        verb="context",
        summary="What an agent is told: at the start of a session, or with a prompt",
        run=_plainly("context"),
        takes={
            "prompt": a.text(maxLength=10_000),
            "budget": a.count("tokens", most=32_000),
            "after": a.text(enum=["start", "compact", "reset", "prompt"]),
            "audience": a.text(enum=["private", "group"]),
        },
    ),
    Endpoint(
        at="GET /inbox",
        verb="inbox",
        summary="The questions that wait for the owner's answer",
        run=_plainly("inbox"),
    ),
    Endpoint(
        at="POST /inbox/{id}/accept",
        verb="accept",
        summary="Make what a question proposes true",
        run=_decided("accept"),
    ),
    Endpoint(
        at="POST /inbox/{id}/reject",
        verb="reject",
        summary="Turn down what a question proposes",
        run=_decided("reject"),
    ),
    Endpoint(
        at="POST /undo",
        verb="undo",
        summary="Reverse the last change, or a named one",
        run=lambda memory, call: {"items": plain(memory.undo(call.given.get("operation")))},
        takes={"operation": a.text("the operation of a receipt")},
    ),
    Endpoint(
        at="GET /audit",
        verb="audit",
        summary="The trail of every act: who, what, when, why",
        run=_plainly("audit"),
        takes={
            "record": a.text(),
            "act": a.text(),
            "who": a.text(),
            "session": a.text(),
            "limit": _LIMIT,
        },
    ),
    Endpoint(
        at="GET /status",
        verb="status",
        summary="What this memory holds and how it is doing",
        run=_plainly("status"),
    ),
    Endpoint(
        at="GET /stats",
        verb="stats",
        summary="Counts by kind and by importance",
        run=_plainly("stats"),
    ),
    Endpoint(
        at="GET /health",
        verb="health",
        summary="How this memory is, and what helps",
        run=lambda memory, _: plain(memory.health(read_back=None)),
    ),
)


# What was refused, as a status and a document.


def failure(problem: Exception, memory: Memory | None = None) -> tuple[int, dict[str, Any]]:
    """The status, and code, sentence and hint; a version conflict brings both versions along."""
    if not isinstance(problem, MemoracleError):
        told = a.failure(problem)
        return (503 if told["error"]["retriable"] else 500), told
    hint = visible(safe(problem.hint or ""))
    error: dict[str, Any] = {"code": problem.code, "message": visible(safe(str(problem))), "hint": hint}
    if isinstance(problem, VersionConflict):
        error |= {"expected": problem.expected, "found": problem.found}
        if memory is not None:
            versions = {one.version: one for one in memory.history(problem.record)}
            error["versions"] = [
                record_fields(versions[number])
                for number in (problem.expected, problem.found)
                if number in versions
            ]
    return _status(problem), {"error": error}


def _status(problem: MemoracleError) -> int:
    if isinstance(problem, NotFound):
        return 404
    if isinstance(problem, NeedsConsent):
        return 428
    if isinstance(problem, Conflict):
        return 409
    if isinstance(problem, RootLocked | AlreadyRunning | ViewUnavailable):
        return 503
    return {2: 422, 5: 403}.get(problem.status, 500)
