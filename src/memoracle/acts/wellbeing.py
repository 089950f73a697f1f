"""How a memory is, and what keeps it well: health, safe repairs, canaries. Values become writes here.

Looking writes `health.json` and nothing else. Mending happens under the store's lock, from a plan that could be
printed first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from memoracle.acts.act import Act
from memoracle.errors import OutsideRoot, StoreProblem
from memoracle.health.check import check
from memoracle.health.hygiene import Tidiness
from memoracle.health.look import Consolidated, Look, look_at, wants_reading_back
from memoracle.health.measure import Limits
from memoracle.health.probe import Ask, Canary, Probe, add_canary, probe, probe_fields, read_canaries
from memoracle.health.repair import plan_repair, repair
from memoracle.health.report import PROBED, Health, write_health
from memoracle.health.tidy import plan_tidying, tidy
from memoracle.lifecycle.retain import daily_days
from memoracle.model.change import Change
from memoracle.model.plan import Done, Plan
from memoracle.model.standing import Standing
from memoracle.model.value import replace
from memoracle.store.documents import write_document

_NEAR_THE_CAP = 20
_NEEDS_A_PERSON = "accept"
"""Lines that vanished may still be in a copy somewhere: `repair` accepts the loss when its owner says so."""


class Wellbeing(Act):
    """The health of one store."""

    def look(
        self,
        *,
        read_back: bool | None = True,
        consolidated: Consolidated | None = None,
        standing: Sequence[Standing] | None = None,
    ) -> Health:
        """How it is, written down. `read_back` None means: read the files back when there is reason to.

        `consolidated` tells of a consolidation that is about to end, else the last one that ended counts;
        `standing` is what it has just worked out.
        """
        self._upkeep.catch_up()
        found = self._upkeep.ask(lambda: self._look(read_back, consolidated, standing))
        write_health(self._store, found)
        return found

    def plan(self) -> Plan:
        """What can be mended safely."""
        self._upkeep.catch_up()
        broken = plan_repair(check(self._store, self._index, deep=False), adopt=False)
        found = self._upkeep.ask(lambda: self._look(False))
        steps = [step for step in broken.steps if not step.act.startswith(_NEEDS_A_PERSON)]
        return Plan(verb="health", steps=(*steps, *plan_tidying(found.checks)))

    def mend(self, change: Callable[[], Change]) -> Health:
        """Mend what can be mended safely, then look."""
        plan = self.plan()
        tidied = Done()
        if plan:
            with self._store.writing():
                repair(self._store, plan, change=change())
                tidied = tidy(self._store, plan.steps, now=self._clock(), zone=self._zone)
            self._upkeep.catch_up()
            if erased := [step.target for step in plan.steps if step.act == "erase"]:
                self._upkeep.forget(erased)
        undone = {finding.path for finding in tidied.findings}
        done = tuple(step for step in plan.steps if step.target not in undone)
        return replace(self.look(), mended=Done(steps=done, findings=tidied.findings))

    def probe(self, ask: Ask) -> Probe:
        """Ask every canary, and note what came of it."""
        found = probe(read_canaries(self._store), ask, now=self._clock())
        with suppress(StoreProblem, OutsideRoot):  # a memory that cannot be written can still be asked
            write_document(self._store.volume, self._store.state_name(PROBED), probe_fields(found))
        self.look(read_back=None)
        return found

    def add_canary(self, canary: Canary) -> int:
        """Keep one more canary; how many there are."""
        with self._store.writing():
            return add_canary(self._store, canary)

    def _look(
        self,
        read_back: bool | None,
        consolidated: Consolidated | None = None,
        standing: Sequence[Standing] | None = None,
    ) -> Health:
        now, settings = self._clock(), self._settings
        how = Look(
            now=now,
            zone=self._zone,
            law=self._law,
            limits=Limits(
                max_active=settings.max_active,
                hot_most=settings.hot_lines,
                hot_warning=settings.hot_lines - _NEAR_THE_CAP,
                young_for=self._law.half_life("fact", 0.0),
            ),
            tidiness=Tidiness(
                buffer_lines=settings.buffer_lines,
                daily_days=daily_days(self._store.layout_name, settings.daily_retention_days),
            ),
        )
        reads = wants_reading_back(self._store, self._index, now) if read_back is None else read_back
        reader = (lambda: check(self._store, self._index, deep=False)) if reads else None
        return look_at(
            self._store, self._index, how, read_back=reader, consolidated=consolidated, standing=standing
        )
