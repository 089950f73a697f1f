"""The document of a run as a table for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_COLUMNS = {
    "recall@1": "R@1",
    "recall@5": "R@5",
    "recall@10": "R@10",
    "recall@20": "R@20",
    "all@10": "all@10",
    "hit@5": "hit@5",
    "ndcg@10": "N@10",
    "mrr": "MRR",
    "auroc": "AUROC",
    "abstain_accuracy": "abst",
    "answer_in_context@2000": "ctx@2k",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "index_s": "index s",
    "rss_mb": "RSS MB",
    "disk_mb": "disk MB",
}
_SHARES = frozenset(list(_COLUMNS)[:11])


def table(document: Mapping[str, Any], subject: str) -> str:
    """Packs and their mean, ours and each peer's, then how indexing compares."""
    systems = {subject: document, **document.get("peers", {})}
    width = max(len(name) for name in (*document["packs"], *systems, "mean")) + 2
    parts = []
    for pack in (*document["packs"], "mean"):
        rows = [
            _row(name, system["mean"] if pack == "mean" else system["packs"].get(pack), width)
            for name, system in systems.items()
        ]
        parts.append("\n".join([_head(pack, width), *rows]))
    ratios = [_ratio_row(name, ratios, width) for name, ratios in document["ingest_ratio"].items()]
    if any(ratios):
        parts.append("\n".join([f"indexing time of peers that embed, as a multiple of {subject}'s", *ratios]))
    failures = [
        f"{name}: {_first(system['failed'])}" for name, system in systems.items() if "failed" in system
    ]
    if failures:
        parts.append("\n".join(["not measured", *failures]))
    return "\n\n".join(parts)


def _head(name: str, width: int) -> str:
    return f"{name:<{width}}" + "".join(f"{title:>8}" for title in _COLUMNS.values())


def _row(name: str, metrics: Mapping[str, float | None] | None, width: int) -> str:
    if not metrics:
        return f"{name:<{width}}" + " (not measured)"
    return f"{name:<{width}}" + "".join(f"{_shown(key, metrics.get(key)):>8}" for key in _COLUMNS)


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    if name in _SHARES:
        return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.3f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _ratio_row(name: str, ratios: Mapping[str, float], width: int) -> str:
    return f"{name:<{width}}" + "  ".join(f"{pack} {ratio:.1f}×" for pack, ratio in ratios.items())


def _first(text: str) -> str:
    return text.strip().split("\n", 1)[0][:200]
