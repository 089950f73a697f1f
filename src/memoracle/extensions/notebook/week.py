"""The notebook's week: what was accepted goes to its home, notes are mended, a stale buffer is emptied.

The design `v4` names one home for each class of fact, so there an accepted decision, lesson or preference is a line of
that note as well, with its day and a link to the note it came from; `undo` takes the line out again. What only a
person can do is told. In a directory that was adopted nothing is touched before its owner agreed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from memoracle.extensions.notebook import agreement
from memoracle.extensions.notebook.buffer import rotate_when_due
from memoracle.extensions.notebook.editing import bullet, fresh_warm, jot_at
from memoracle.extensions.notebook.homes import BY_NAME
from memoracle.extensions.notebook.hygiene import last_verified, note_checks, open_questions, read_shelf
from memoracle.extensions.notebook.mending import plan_tidying, tidy
from memoracle.extensions.notebook.vocabulary import own_tag
from memoracle.model.report import Done
from memoracle.model.value import replace
from memoracle.store.layouts import resolve
from memoracle.store.notes import date_of, remember_lines
from memoracle.times import day_in
from memoracle.upkeep.retention import daily_days

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def weekly_notes(root: Root, *, dry_run: bool = False) -> Done:
    """Mend what needs no opinion, empty a stale buffer, and tell what is its owner's to do."""
    store, now = root.store, root.clock()
    today = day_in(root.zone, now)
    shelf = read_shelf(store)
    told = [one for check in (last_verified(shelf, today), open_questions(shelf)) for one in check.findings]
    told += [one for check in agreement.agreement_checks(store, shelf) for one in check.findings]
    adopted = store.adopted()
    if adopted is not None and not adopted.may_tend(now):
        return Done(findings=tuple(told))
    with store.writing():
        moved = rotate_when_due(
            store, most=root.settings.buffer_lines, now=now, zone=root.zone, stale=True, dry_run=dry_run
        )
        if store.layout_name not in _DESIGNS:
            return replace(moved, findings=(*moved.findings, *told))
        checks = note_checks(
            store, now=now, today=today, buffer_lines=root.settings.buffer_lines, daily_days=today.toordinal()
        )
        oldest = today - timedelta(days=daily_days(store.layout_name, root.settings.daily_retention_days))
        # What is about to be put away stays as it is.
        steps = [
            step
            for step in plan_tidying(checks)
            if step.act != "empty" and (date_of(step.target) or today) >= oldest
        ]
        done = Done(steps=tuple(steps)) if dry_run else tidy(store, steps, now=now, zone=root.zone)
    return Done(steps=(*moved.steps, *done.steps), findings=(*moved.findings, *done.findings, *told))
