"""Notes tended: what was accepted goes to its home, notes are mended, a full or stale buffer is emptied.

The design `v4` names one home for each class of fact, so there an accepted decision, lesson or preference is a line of
that note as well, with its day and a link to the note it came from; `undo` takes the line out again. What only a
person can do is told. In a directory that was adopted nothing is touched before its owner agreed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from memoracle.extensions.notebook.agreement import agreement_checks
from memoracle.extensions.notebook.buffer import rotate_when_due
from memoracle.extensions.notebook.editing import bullet, fresh_warm, jot_at
from memoracle.extensions.notebook.homes import BY_NAME
from memoracle.extensions.notebook.hygiene import (
    closure_blocks,
    last_verified,
    open_questions,
    read_shelf,
    tags_line,
)
from memoracle.extensions.notebook.mending import plan_tidying, tidy
from memoracle.extensions.notebook.vocabulary import own_tag
from memoracle.model.report import Done
from memoracle.store.layouts import resolve
from memoracle.store.notes import date_of, remember_lines
from memoracle.times import day_in
from memoracle.upkeep.retention import daily_days

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from memoracle.model.report import Finding
    from memoracle.root import Root

_HOME_OF = {"decision": "decisions", "lesson": "lessons-learned", "preference": "preferences"}
_DESIGNS = frozenset({"v4"})


def bring_home(root: Root, words: Sequence[tuple[str, str, str]], operation: str) -> None:
    """Write what was accepted into the notes it belongs to: kind, words and the line it came from. Lock held."""
    store = root.store
    put: dict[str, list[str]] = {}
    if store.layout_name not in _DESIGNS:
        return
    for kind, said, place in words:
        if (name := _HOME_OF.get(kind)) is None:
            continue
        path = resolve(store.layout, BY_NAME[name].role, name=name)
        source = place.partition("#")[0]
        day = date_of(source) or day_in(root.zone, root.clock())
        dated = f"{day}: {said}" if kind == "decision" else said
        item = bullet(f"{root.guard.hide(dated)} ([[{source.rpartition('/')[2].removesuffix('.md')}]])")
        fresh = fresh_warm(BY_NAME[name].title, own_tag(store, name), day_in(root.zone, root.clock()))
        jot_at(store, path, item, fresh=fresh)
        put.setdefault(path, []).extend(item.split("\n"))
    if put:
        remember_lines(store, operation, put)


def tend_notes(root: Root, *, weekly: bool = False, dry_run: bool = False) -> Done:
    """Empty a buffer that grew too long, mend what needs no opinion; `weekly` a stale buffer too, and tell the rest."""
    store, now, most = root.store, root.clock(), root.settings.buffer_lines
    today = day_in(root.zone, now)
    told: list[Finding] = []
    if weekly:
        shelf = read_shelf(store)
        checks = (last_verified(shelf, today), open_questions(shelf), *agreement_checks(store, shelf))
        told = [one for check in checks for one in check.findings]
    adopted = store.adopted()
    if adopted is not None and not adopted.may_tend(now):
        return Done(findings=tuple(told))
    with store.writing():
        moved = rotate_when_due(store, most=most, now=now, zone=root.zone, stale=weekly, dry_run=dry_run)
        mended = _mended(root, today, dry_run=dry_run) if store.layout_name in _DESIGNS else Done()
    return Done(steps=(*moved.steps, *mended.steps), findings=(*moved.findings, *mended.findings, *told))


def _mended(root: Root, today: date, *, dry_run: bool) -> Done:
    """The notes of a design that names their form, brought into it; what is about to be put away stays as it is."""
    store, kept = root.store, daily_days(root.store.layout_name, root.settings.daily_retention_days)
    shelf = read_shelf(store)
    checks = (tags_line(shelf), last_verified(shelf, today), closure_blocks(shelf, today))
    steps = [
        step
        for step in plan_tidying(checks)
        if (date_of(step.target) or today) >= today - timedelta(days=kept)
    ]
    return Done(steps=tuple(steps)) if dry_run else tidy(store, steps, now=root.clock(), zone=root.zone)
