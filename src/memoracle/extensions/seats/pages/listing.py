"""Pages that fit a question about their header. Times are compared as instants, whatever zone they were written in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from memoracle.extensions.seats.model import SHARED, Page
from memoracle.model.value import value

_NEVER = datetime.min.replace(tzinfo=UTC)


@value
class WantedPages:
    """What a page has to fit; an empty part asks for nothing."""

    project: str = ""
    kind: str = ""
    seat: str = ""
    status: str = ""
    severity: str = ""
    task: str = ""
    since: datetime | None = None
    until: datetime | None = None


def fitting(pages: Iterable[Page], wanted: WantedPages) -> list[Page]:
    """The pages that fit, by time, path and id."""
    found = [page for page in pages if _fits(page, wanted)]
    return sorted(found, key=lambda page: (page.ts or _NEVER, page.path, page.id))


def _fits(page: Page, wanted: WantedPages) -> bool:
    project = "" if wanted.project == SHARED else wanted.project
    checks = (
        not wanted.project or page.project == project,
        not wanted.kind or page.kind == wanted.kind,
        not wanted.seat or page.seat == wanted.seat,
        page.status == wanted.status if wanted.status else page.status != "quarantined",
        not wanted.severity or page.fields.get("severity") == wanted.severity,
        not wanted.task or wanted.task in {page.task_id, *page.related_task_ids},
        # A page that does not say when is not dropped unless somebody asks for a time.
        wanted.since is None or (page.ts is not None and page.ts >= wanted.since),
        wanted.until is None or (page.ts is not None and page.ts <= wanted.until),
    )
    return all(checks)
