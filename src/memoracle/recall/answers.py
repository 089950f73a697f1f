"""Questions: evidence, best first, or a plain "not in memory"; and lists of what fits."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import OutsideRoot, StoreProblem
from memoracle.model import hit as answers
from memoracle.model.hit import Hit, Recollection
from memoracle.model.query import Filters, Query
from memoracle.model.record import Kind, Status
from memoracle.model.value import replace
from memoracle.recall.candidate import activation_of
from memoracle.recall.freshness import BEHIND
from memoracle.recall.pipeline import recollect
from memoracle.store.layouts import NoteRole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memoracle.root import Root


def recall(
    root: Root,
    question: str,
    *,
    limit: int | None = None,
    filters: Filters | None = None,
    now: datetime | None = None,
    recipe: str | None = None,
    budget: int | None = None,
) -> Recollection:
    """Evidence for a question, or a plain "not in memory". What is handed over is reinforced."""
    found = search(root, question, limit=limit, filters=filters, now=now, recipe=recipe, budget=budget)
    read_at = root.clock()
    used = [hit.passage.ref for hit in found.hits if _can_be_reinforced(hit, read_at)]
    if used:
        # A memory that cannot be written still answers; it only learns nothing from it.
        with suppress(StoreProblem, OutsideRoot, OSError):
            root.store.note_use(used, by=root.actor, now=read_at)
    if root.view.ask(root.index.has_errors):
        from memoracle.store.mend import keep_damage_safe

        keep_damage_safe(root.store)
    return found


def search(
    root: Root,
    question: str,
    *,
    limit: int | None = None,
    filters: Filters | None = None,
    now: datetime | None = None,
    recipe: str | None = None,
    budget: int | None = None,
) -> Recollection:
    """The same evidence, leaving every file of memory as it was; reading secret ones leaves a line in the trail."""
    chosen = recipe or root.settings.recipe

    def answer() -> Recollection:
        query = Query(text=question, filters=_narrowed(root, filters), limit=limit or root.settings.limit)
        if chosen != "quick":
            root.view.embed_a_few()
        with root.index.snapshot():
            return recollect(
                query,
                root.index,
                law=root.decay,
                now=now or root.clock(),
                recipe=chosen,
                models=root.view.models,
                budget=budget,
            )

    warnings = root.view.catch_up()
    was_behind = root.view.is_behind
    found = root.view.ask(answer)
    if root.view.is_behind:
        warnings += [] if was_behind else [BEHIND]
        if found.verdict is not answers.Verdict.FOUND:
            found = replace(found, verdict=answers.Verdict.NOT_READY)
    seen = [(hit.passage.ref, hit.passage.sensitivity) for hit in (*found.hits, *found.near)]
    told = (*root.log_reading("search", seen), *root.reader.warnings)
    return replace(found, warnings=(*found.warnings, *warnings, *root.view.complaints(), *told))


def count(root: Root, *, filters: Filters | None = None) -> int:
    """How many records fit; `list` gives them."""
    root.view.catch_up()
    return root.view.ask(lambda: root.index.count_records(_narrowed(root, filters), root.clock()))


def list_records(root: Root, *, limit: int | None = None, filters: Filters | None = None) -> Sequence[Hit]:
    """Records that fit, newest first."""
    root.view.catch_up()
    now = root.clock()
    found = root.view.ask(
        lambda: root.index.list_records(_narrowed(root, filters), limit or root.settings.limit, now)
    )
    root.log_reading("list", [(item.passage.ref, item.passage.sensitivity) for item in found])
    uses = root.index.uses_of([item.passage.ref for item in found])
    return [
        Hit(
            passage=item.passage,
            score=0.0,
            activation=round(activation_of(item, uses.get(item.passage.ref, []), root.decay, now), 6),
        )
        for item in found
    ]


def _narrowed(root: Root, filters: Filters | None) -> Filters:
    """Filters as this reader may use them; a kind that nobody knows is refused: it would find nothing, for ever."""
    unknown = [kind for kind in filters.kinds if kind not in {*Kind, *NoteRole, "turn"}] if filters else []
    if unknown and (lost := [kind for kind in unknown if kind not in root.index.kinds()]):
        from memoracle.errors import UnknownKind

        raise UnknownKind(lost[0], sorted(root.index.kinds() | set(Kind)))
    return root.reader.narrowed(filters)


def _can_be_reinforced(hit: Hit, now: datetime) -> bool:
    passage = hit.passage
    is_record = passage.source is answers.Source.RECORD
    is_kept = passage.status in {Status.ACTIVE, Status.ARCHIVED}
    return is_record and is_kept and passage.validity.holds_at(now)
