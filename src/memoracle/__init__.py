"""Memoracle: long-term memory for AI agents that its owner can read, own and trust.

    import memoracle

    memory = memoracle.open_memory("~/memory")
    memory.remember("The cat is called Miso")
    memory.recall("What is the cat called?").hits[0].passage.cite

Names are loaded on first use, so importing costs nothing.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Memory": "memoracle.memory",
    "open_memory": "memoracle.compose",
    "init": "memoracle.compose",
    "Draft": "memoracle.model.record",
    "Record": "memoracle.model.record",
    "Kind": "memoracle.model.record",
    "Status": "memoracle.model.record",
    "Statement": "memoracle.model.record",
    "Filters": "memoracle.model.query",
    "Hit": "memoracle.model.hit",
    "Recollection": "memoracle.model.hit",
    "Verdict": "memoracle.model.hit",
    "Receipt": "memoracle.model.receipt",
    "Plan": "memoracle.model.plan",
    "Report": "memoracle.model.report",
    "make_draft": "memoracle.lifecycle.draft",
    "MemoracleError": "memoracle.errors",
}
__all__ = ["__version__", *_HOMES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'memoracle' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
