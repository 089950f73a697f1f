"""What several acts work with: the store, the view and what keeps it level, the law, the settings, the time."""

from __future__ import annotations

from datetime import tzinfo

from memoracle.clock import Clock
from memoracle.index.api import Index
from memoracle.model.activation import Law
from memoracle.recall.freshness import Freshness
from memoracle.settings import Settings
from memoracle.store.store import Store


class Act:
    """Something that is done with one root."""

    def __init__(
        self,
        store: Store,
        index: Index,
        upkeep: Freshness,
        *,
        law: Law,
        settings: Settings,
        zone: tzinfo,
        clock: Clock,
    ) -> None:
        self._store = store
        self._index = index
        self._upkeep = upkeep
        self._law = law
        self._settings = settings
        self._zone = zone
        self._clock = clock
