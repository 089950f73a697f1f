"""`memory_page`: pages of the seat this server was started for. No call can speak for another seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, UnknownPage
from memoracle.extensions.seats.model import KINDS, PageStatus, PageWritten
from memoracle.interfaces.mcp import tool as a
from memoracle.interfaces.mcp.tool import Caller, Lane, Tool, ToolAnswer, as_data
from memoracle.interfaces.render import plain
from memoracle.times import read_time

if TYPE_CHECKING:
    from memoracle.memory import Memory

_MOST = 50
_ACTS = ("write", "list", "show", "close")


def page(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Write, list, show or close."""
    seat = caller.scope.seat
    act = given["action"]
    if act == "list":
        return _listed(memory, given)
    if act == "show":
        return _shown(memory, given)
    if not seat:
        raise BadInput("this server speaks for no seat", "start it with `memoracle mcp --seat NAME`")
    if act == "close":
        reason = given.get("because", "")
        written = memory.seats.close_page(
            _named(given), author=seat, status=given.get("status", "resolved"), reason=reason
        )
        return _receipt(written)
    return _receipt(
        memory.seats.write_page(
            kind=given.get("kind", ""),
            project=given.get("project") or caller.scope.project,
            author=seat,
            seat=given.get("seat", ""),
            title=given.get("title", ""),
            body=given.get("body", ""),
            task_id=given.get("task", ""),
            status=given.get("status", ""),
            evidence=given.get("evidence", []),
            supersedes=given.get("supersedes", ""),
            extra=given.get("fields", {}),
        )
    )


def _listed(memory: Memory, given: Mapping[str, Any]) -> ToolAnswer:
    from memoracle.extensions.seats.pages.record import row_of

    wanted = {name: given[name] for name in ("project", "kind", "seat", "status", "task") if name in given}
    since = read_time(given["since"]) if given.get("since") else None
    found = memory.seats.pages(**wanted, since=since, limit=_MOST)
    missing = not found and not memory.seats.has_pages(
        project=wanted.get("project", ""), seat=wanted.get("seat", "")
    )
    status = "found" if found else "not_in_federated_kb" if missing else "not_in_memory_db"
    return ToolAnswer(document={"status": status, "pages": [row_of(one) for one in found]})


def _shown(memory: Memory, given: Mapping[str, Any]) -> ToolAnswer:
    from memoracle.extensions.seats.pages.record import record_of

    page = memory.seats.page(_named(given))
    if page.status == PageStatus.QUARANTINED:
        raise UnknownPage(_named(given))  # what was set apart is not handed to agents
    document = {
        **record_of(page),
        "body": as_data(page.body, "agent"),
        "citation": f"{page.path}#L{page.body_line}",
    }
    return ToolAnswer(document={"status": "found", "pages": [document]})


def _named(given: Mapping[str, Any]) -> str:
    if not given.get("page"):
        raise BadInput("which page?", "`page` is an id or a path")
    return str(given["page"])


def _receipt(written: PageWritten) -> ToolAnswer:
    return ToolAnswer(document=plain(written))


PAGE = Tool(
    name="memory_page",
    title="Pages of seats",
    description=(
        "Pages of a project: write one in your own seat's place, list or show anybody's, close your own. "
        "The same page again is the same page. Nothing is deleted."
    ),
    takes=a.record(
        {
            "action": a.text(enum=[*_ACTS]),
            "page": a.text("show, close: id or path", maxLength=500),
            "kind": a.text(enum=[*KINDS]),
            "project": a.text(),
            "seat": a.text("list: whose"),
            "title": a.text(maxLength=500),
            "body": a.text(),
            "task": a.text("the task it is about"),
            "status": a.text("open, investigating, resolved, completed, superseded"),
            "since": a.text("list: from this instant on"),
            "evidence": a.many(
                a.record(
                    {"trust": a.text(enum=["high", "medium", "low"]), "source_url": a.text()}, is_open=True
                ),
                "a finding needs it",
            ),
            "supersedes": a.text("the page it takes the place of"),
            "fields": a.record({}, is_open=True),
            "because": a.text("close: why", maxLength=2000),
        },
        needs=("action",),
    ),
    run=page,
    lane=Lane.WRITE,
)
