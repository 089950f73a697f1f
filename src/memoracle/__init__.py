"""Memoracle: long-term memory for AI agents that its owner can read, own and trust.

    import memoracle

    memory = memoracle.open_memory("~/memory")
    memory.remember("The cat is called Miso")
    memory.recall("What is the cat called?").hits[0].passage.cite

Names are loaded on first use, so importing costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` takes a third of a bare start of Python
if TYPE_CHECKING:
    from typing import Any

    from memoracle.compose import init, open_memory
    from memoracle.errors import MemoracleError, NoRoot, RefusedByPolicy
    from memoracle.learn.draft import Drafted, make_draft
    from memoracle.memory import Memory
    from memoracle.model.record import Draft, Kind, Record, Scope, Statement, Status
    from memoracle.model.report import Erased, Ingested, Plan, Receipt, Report
    from memoracle.model.search import Filters, Hit, Passage, Recollection, Verdict

__version__ = "0.2.0"

_HOMES = {
    "Memory": "memoracle.memory",
    "open_memory": "memoracle.compose",
    "init": "memoracle.compose",
    "Draft": "memoracle.model.record",
    "Record": "memoracle.model.record",
    "Kind": "memoracle.model.record",
    "Status": "memoracle.model.record",
    "Statement": "memoracle.model.record",
    "Filters": "memoracle.model.search",
    "Scope": "memoracle.model.record",
    "Hit": "memoracle.model.search",
    "Passage": "memoracle.model.search",
    "Recollection": "memoracle.model.search",
    "Verdict": "memoracle.model.search",
    "Receipt": "memoracle.model.report",
    "Erased": "memoracle.model.report",
    "Ingested": "memoracle.model.report",
    "Plan": "memoracle.model.report",
    "Report": "memoracle.model.report",
    "make_draft": "memoracle.learn.draft",
    "Drafted": "memoracle.learn.draft",
    "MemoracleError": "memoracle.errors",
    "NoRoot": "memoracle.errors",
    "RefusedByPolicy": "memoracle.errors",
}
__all__ = [
    "Draft",
    "Drafted",
    "Erased",
    "Filters",
    "Hit",
    "Ingested",
    "Kind",
    "MemoracleError",
    "Memory",
    "NoRoot",
    "Passage",
    "Plan",
    "Receipt",
    "Recollection",
    "Record",
    "RefusedByPolicy",
    "Report",
    "Scope",
    "Statement",
    "Status",
    "Verdict",
    "__version__",
    "init",
    "make_draft",
    "open_memory",
]

# Out of a type checker's sight: whoever sees it takes every misspelt name for `Any`.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'memoracle' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
