"""How a memory is, and what keeps it well: health, safe repairs, canaries. Values become writes here.

Looking writes `health.json` and nothing else. Mending happens under the store's lock, from a plan that could be
printed first.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import OutsideRoot, StoreProblem
from memoracle.model.report import Done, Plan
from memoracle.model.value import replace
from memoracle.recall.answers import search
from memoracle.store.documents import write_document
from memoracle.upkeep import probe as canaries
from memoracle.upkeep.check import check
from memoracle.upkeep.health import Consolidated, Look, look_at, wants_reading_back
from memoracle.upkeep.hygiene import Tidiness
from memoracle.upkeep.probe import Canary, Probe, probe_fields, read_canaries
from memoracle.upkeep.repair import plan_repair, plan_tidying, repair, tidy
from memoracle.upkeep.report import PROBED, Health, Limits, write_health
from memoracle.upkeep.retention import daily_days

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.model.hit import Hit, Standing
    from memoracle.root import Root

_NEAR_THE_CAP = 20
_NEEDS_A_PERSON = "accept"
"""Lines that vanished may still be in a copy somewhere: `repair` accepts the loss when its owner says so."""


def health(root: Root, *, fix: bool = False, read_back: bool | None = True) -> Health:
    """How this memory is, in numbers and checks; `fix` mends what can be mended safely."""
    return _mend(root) if fix else look(root, read_back=read_back)


def look(
    root: Root,
    *,
    read_back: bool | None = True,
    consolidated: Consolidated | None = None,
    standing: Sequence[Standing] | None = None,
) -> Health:
    """How it is, written down. `read_back` None means: read the files back when there is reason to.

    `consolidated` tells of a consolidation that is about to end, else the last one that ended counts;
    `standing` is what it has just worked out.
    """
    root.view.catch_up()
    found = root.view.ask(lambda: _look(root, read_back, consolidated, standing))
    write_health(root.store, found)
    return found


def plan_health(root: Root) -> Plan:
    """What `health` with `fix` would mend: what can be mended safely."""
    root.view.catch_up()
    broken = plan_repair(check(root.store, root.index, deep=False), adopt=False)
    found = root.view.ask(lambda: _look(root, False))
    steps = [step for step in broken.steps if not step.act.startswith(_NEEDS_A_PERSON)]
    return Plan(verb="health", steps=(*steps, *plan_tidying(found.checks)))


def _mend(root: Root) -> Health:
    """Mend what can be mended safely, then look."""
    plan = plan_health(root)
    tidied = Done()
    if plan:
        with root.store.writing():
            repair(root.store, plan, change=root.change("health"))
            tidied = tidy(root.store, plan.steps, now=root.clock(), zone=root.zone)
        root.view.catch_up()
        if erased := [step.target for step in plan.steps if step.act == "erase"]:
            root.view.forget(erased)
    undone = {finding.path for finding in tidied.findings}
    done = tuple(step for step in plan.steps if step.target not in undone)
    return replace(look(root), mended=Done(steps=done, findings=tidied.findings))


def probe(root: Root) -> Probe:
    """Ask every canary and see whether its answer is still found; leaves every file of truth as it was."""

    def ask(query: str, limit: int) -> Sequence[Hit]:
        return search(root, query, limit=limit).hits

    found = canaries.probe(read_canaries(root.store), ask, now=root.clock())
    with suppress(StoreProblem, OutsideRoot):  # a memory that cannot be written can still be asked
        write_document(root.store.volume, root.store.state_name(PROBED), probe_fields(found))
    look(root, read_back=None)
    return found


def add_canary(root: Root, canary: Canary) -> int:
    """Keep a question whose answer is known; how many there are is returned."""
    root.guard.must_be_ready()
    hide = root.guard.hide
    clean = replace(canary, query=hide(canary.query), expected=tuple(map(hide, canary.expected)))
    with root.store.writing():
        return canaries.add_canary(root.store, clean)


def _look(
    root: Root,
    read_back: bool | None,
    consolidated: Consolidated | None = None,
    standing: Sequence[Standing] | None = None,
) -> Health:
    now, settings = root.clock(), root.settings
    how = Look(
        now=now,
        zone=root.zone,
        law=root.decay,
        limits=Limits(
            max_active=settings.max_active,
            hot_most=settings.hot_lines,
            hot_warning=settings.hot_lines - _NEAR_THE_CAP,
            young_for=root.decay.half_life("fact", 0.0),
        ),
        tidiness=Tidiness(
            buffer_lines=settings.buffer_lines,
            daily_days=daily_days(root.store.layout_name, settings.daily_retention_days),
        ),
    )
    reads = wants_reading_back(root.store, root.index, now) if read_back is None else read_back
    reader = (lambda: check(root.store, root.index, deep=False)) if reads else None
    return look_at(
        root.store, root.index, how, read_back=reader, consolidated=consolidated, standing=standing
    )
