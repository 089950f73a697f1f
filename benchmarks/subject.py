"""What is measured: Memoracle, or a peer, behind one small port; and what a process and a folder weigh.

Memoracle itself is driven through its public door: init, ingest a plain transcript, search. Nothing else is used.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from benchmarks.packs import Asked, Said, asked_at, ids_by_ref, write_transcript
from memoracle.inference.api import Embedder
from memoracle.model.value import value
from memoracle.settings import Settings


@value
class Answer:
    """What a subject said to one question.

    `chunks` are ranked, best first; each is the turns it contains. `confidence` and `abstained` are None for
    a subject that has no such notion. `context` is the text packed for a model, with `packed` the turns whose
    whole text it claims to hold; None when the subject packs nothing. `seconds` is set by whoever times it.
    """

    chunks: tuple[tuple[str, ...], ...] = ()
    confidence: float | None = None
    abstained: bool | None = None
    context: str | None = None
    packed: tuple[str, ...] = ()
    seconds: float = 0.0


class Subject(Protocol):
    """One memory at a time.

    *Order.* `build` comes before `search`; a second `build` begins a new, empty memory in another folder and
    forgets the first. *Files* go under `folder`, which exists and is empty; the caller deletes it.
    *Failure.* Anything raised ends the measurement of this subject on this pack.
    """

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Keep the turns; seconds to add to the measured time for work that a cache made unnecessary."""
        ...

    def search(self, asked: Asked, k: int) -> Answer:
        """At least k places of evidence, best first, where there are so many."""
        ...

    def pack(self, asked: Asked, k: int, budget: int) -> Answer | None:
        """The same with a context of at most `budget` tokens; None when the subject packs nothing."""
        ...


_MIB = 1 << 20


def peak_rss_mb() -> float:
    """The most memory this process has held, in MiB."""
    # VmHWM belongs to this program alone; ru_maxrss also remembers whoever started it.
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / _MIB if sys.platform == "darwin" else peak / 1024


def disk_mb(folder: str) -> float:
    """What the files under a folder take on disk, in MiB; a sparse file counts what it occupies."""
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(path, name)).st_blocks * 512
            except OSError:
                continue
    return total / _MIB


NAME = "memoracle"


class Product:
    """A fresh root for every space, driven through the public door."""

    def __init__(
        self,
        open_root: Callable[[str], Any],
        *,
        recipe: str | None = None,
        take_charge: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._open_root = open_root
        self._take_charge = take_charge
        self._recipe = {"recipe": recipe} if recipe else {}
        self._memory: Any = None
        self._turns: Sequence[Said] = ()
        self._ids: dict[str, str] = {}

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Make a root and ingest the transcript."""
        if self._memory is not None:
            self._memory.close()
        transcript = os.path.join(folder, "transcript.jsonl")
        write_transcript(transcript, turns)
        self._turns, self._ids = turns, ids_by_ref(turns)
        self._memory = self._open_root(os.path.join(folder, "root"))
        self._memory.ingest(transcript)
        return self._take_charge()

    def search(self, asked: Asked, k: int) -> Answer:
        """What `search` finds, near misses after the hits."""
        return self._answer(self._search(asked, k))

    def pack(self, asked: Asked, k: int, budget: int) -> Answer | None:
        """The same with a context pack."""
        found = self._search(asked, k, budget=budget)
        packed = getattr(found, "pack", None)
        if packed is None:
            return None
        refs = tuple(self._ids[ref] for ref in packed.refs if ref in self._ids)
        return Answer(context=packed.text, packed=refs)

    def _search(self, asked: Asked, k: int, **options: Any) -> Any:
        now = asked_at(asked, self._turns)
        return self._memory.search(asked.text, limit=k, now=now, **self._recipe, **options)

    def _answer(self, found: Any) -> Answer:
        ranked = (*found.hits, *getattr(found, "near", ()))
        return Answer(
            # What is no turn of the transcript answers nothing and still takes its place.
            chunks=tuple((self._ids.get(hit.passage.ref, f"?{hit.passage.ref}"),) for hit in ranked),
            confidence=found.confidence,
            abstained=found.verdict == "not_in_memory_db",
        )


def open_product(recipe: str | None) -> Product:
    """The product as it is composed, with the vectors of passages that were embedded in an earlier store."""
    from benchmarks.vectors import CACHE_VARIABLE, Charged
    from memoracle import compose

    opened: list[Charged] = []

    def embedder() -> Embedder | None:
        if not opened and (bundled := compose.embedder_of(Settings())):
            opened.append(Charged(bundled, os.environ[CACHE_VARIABLE]))
        return opened[0] if opened else None

    def open_root(root: str) -> Any:
        compose.init(root)
        return compose.open_memory(root, embedder=embedder)

    return Product(open_root, recipe=recipe, take_charge=lambda: sum(model.take_charge() for model in opened))
