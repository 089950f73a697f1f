"""Verbs for manners towards the operator: the language of a reply, compaction, drift, a tidy hot file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoracle.memory.finding import Find
from memoracle.model.query import Filters

_RECENT = 20

if TYPE_CHECKING:
    from memoracle.acts.minding import Advice, Minding, Tidied
    from memoracle.manners.drift import Drift
    from memoracle.manners.language import Choice
    from memoracle.model.hit import Passage


class Mind(Find):
    """Verbs for manners towards the operator."""

    def reply_language(
        self, messages: Sequence[str] = (), *, transcript: str = "", current: str = ""
    ) -> Choice:
        """The language of a reply: that of the operator's last three messages, when they are clearly in one."""
        return self._minding().language(messages, transcript=transcript, current=current)

    def compact_advice(self, facts: Sequence[str] = (), *, turn: str = "", transcript: str = "") -> Advice:
        """Whether compaction may be advised: only when this turn's key facts are stored."""
        return self._minding().compaction(facts, turn=turn, transcript=transcript)

    def drift(
        self,
        project: str,
        *,
        language: str = "",
        scope: float | None = None,
        new_requirements: int = 0,
        blocked: float | None = None,
        time: float | None = None,
        broken_assumptions: int = 0,
        unrelated_dispatches: int = 0,
        hours_without_progress: float | None = None,
        doing: str = "",
    ) -> Drift:
        """Whether work has left the goal of a project's north star, by measured numbers."""
        from memoracle.manners.drift import Measures

        measured = Measures(
            scope=scope,
            new_requirements=new_requirements,
            blocked=blocked,
            time=time,
            broken_assumptions=broken_assumptions,
            unrelated_dispatches=unrelated_dispatches,
            hours_without_progress=hours_without_progress,
            doing=doing,
        )
        return self._minding().drift(self._own_project(project), measured, language=language)

    def archive_hot(self, *, dry_run: bool = True) -> Tidied:
        """Move finished entries of the hot file to the month's archive, leaving a line for each."""
        done = self._minding().archive_hot(dry_run=dry_run)
        if done.backup:
            self._told("archive-hot", about=[done.archive, done.backup])
        return done

    def _minding(self) -> Minding:
        from memoracle.acts.minding import Minding

        return Minding(
            self.store,
            settings=self._settings,
            clock=self._clock,
            search=self.search,
            hear=self._turns_of,
            hide=self._shield.hide,
            recent=self._owners_words,
        )

    def _owners_words(self) -> Sequence[str]:
        """What the owner kept or said last, the newest first."""
        self._upkeep.catch_up()
        wanted = Filters(channel="owner")
        found = self._upkeep.ask(lambda: self.index.list_records(wanted, _RECENT, self._clock()))
        return [one.passage.text for one in found]

    def _turns_of(self, transcript: str) -> Sequence[Passage]:
        """The turns of a transcript, oldest first; one that is no conversation has none."""
        from memoracle.errors import BadInput
        from memoracle.ingest.hearing import hear

        sources, _ = self._find_sources(transcript)
        if not sources:
            raise BadInput(f"no conversation can be read at {transcript}")
        heard = [hear(str(one.path), one.shape.value, "", hide=self._shield.hide) for one in sources]
        return [passage for one in heard for passage in one.passages]
