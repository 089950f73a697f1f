"""Run packs through subjects: for every space a fresh memory in a temporary folder, then its questions.

Says how it is going through `say`; gives back one document with everything measured, and `table` shows it to people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from math import inf
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Protocol

from benchmarks.packs import Asked, Pack, Said
from benchmarks.peers import PEERS
from benchmarks.remote import SubjectAbsent, SubjectFailed, SubjectSlow
from benchmarks.scores import (
    BUDGET,
    NAMES,
    Metrics,
    Outcome,
    categories_of,
    judge,
    mean_of,
    metrics_of,
)
from benchmarks.subject import Answer

DEEPEST = 20
Say = Callable[[str], None]


class Bench(Protocol):
    """A subject that can be measured; `Remote` is one. `version` is that of its package, where it has one."""

    version: str

    def build(self, turns: Sequence[Said], folder: str) -> tuple[float, float]:
        """Keep the turns: seconds and MiB on disk."""
        ...

    def search(self, asked: Asked, k: int, budget: int) -> Answer:
        """A timed answer with its context."""
        ...

    def rss_mb(self) -> float:
        """The most memory held so far, in MiB."""
        ...


Open = Callable[[str], AbstractContextManager[Bench]]
"""Starts the subject of that name; used once for every pack."""


@dataclass(slots=True)
class Results:
    """What one subject did."""

    packs: dict[str, Metrics] = field(default_factory=dict)
    categories: dict[str, dict[str, Metrics]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    is_absent: bool = False
    too_many: float = inf
    """As many turns as it was stopped over."""
    version: str = ""

    def document(self) -> dict[str, Any]:
        """Packs, their mean, and the question types."""
        found: dict[str, Any] = {"packs": self.packs, "mean": mean_of(self.packs.values())}
        found["categories"] = self.categories
        found |= {"version": self.version} if self.version else {}
        return found | ({"failed": self.failed} if self.failed else {})


def run(
    subject: str,
    peers: Sequence[str],
    packs: Iterable[Pack],
    open_: Open,
    say: Say,
    keep: Callable[[dict[str, Any]], None] = lambda _: None,
) -> dict[str, Any]:
    """The document: our packs and mean, each peer's, the types of question, and how indexing compares.

    `keep` is handed the document as it stands after every pack: a long run that is cut short leaves what it has.
    """
    results = {name: Results() for name in (subject, *peers)}
    counts: dict[str, Any] = {}
    for pack in packs:
        counts[pack.name] = _counted(pack)
        for name, result in results.items():
            if not result.is_absent:
                _run_pack(name, pack, open_, result, say)
        keep(_document(subject, results, counts))
    ours = results[subject]
    if ours.failed and not ours.packs and not peers:
        raise SubjectFailed(subject, next(iter(ours.failed.values())))
    return _document(subject, results, counts)


def _document(subject: str, results: Mapping[str, Results], counts: Mapping[str, Any]) -> dict[str, Any]:
    ours = results[subject]
    others = {name: result for name, result in results.items() if name != subject}
    return ours.document() | {
        "peers": {name: result.document() for name, result in others.items()},
        "ingest_ratio": _ratios(ours, others),
        "counts": dict(counts),
    }


def measure(bench: Bench, pack: Pack, *, say: Say) -> tuple[Metrics, list[Outcome]]:
    """The metrics of one subject on one pack, and the outcome of every question."""
    outcomes: list[Outcome] = []
    seconds = disk = 0.0
    for done, space in enumerate(pack.spaces, start=1):
        turns = {turn.id: turn for turn in space.turns}
        with TemporaryDirectory(prefix="memoracle-bench-", ignore_cleanup_errors=True) as folder:
            spent, taken = bench.build(space.turns, folder)
            seconds, disk = seconds + spent, disk + taken
            outcomes += [
                judge(asked, bench.search(asked, DEEPEST, BUDGET), turns) for asked in space.questions
            ]
        say(f"{done} of {len(pack.spaces)} stores, {len(outcomes)} questions, {seconds:.0f} s indexing")
    found = metrics_of(outcomes) | {"index_s": seconds, "rss_mb": bench.rss_mb(), "disk_mb": disk}
    return {name: found[name] for name in NAMES}, outcomes


def _run_pack(name: str, pack: Pack, open_: Open, result: Results, say: Say) -> None:
    started = perf_counter()
    turns = _counted(pack)["turns"]
    if turns >= result.too_many:
        result.failed[pack.name] = "not tried: it was stopped over no more turns"
        return
    try:
        with open_(name) as bench:
            result.version = bench.version
            _warm_up(bench)
            measured, outcomes = measure(
                bench, pack, say=lambda text: say(f"\r{name} on {pack.name}: {text}")
            )
    except SubjectFailed as problem:
        result.failed[pack.name] = problem.because
        result.is_absent = isinstance(problem, SubjectAbsent)
        result.too_many = turns if isinstance(problem, SubjectSlow) else result.too_many
        say(f"\n{problem}" + (f"\nhint: {problem.hint}" if problem.hint else "") + "\n")
        return
    result.packs[pack.name] = measured
    result.categories[pack.name] = categories_of(outcomes)
    recall = measured["recall@5"]
    shown = "" if recall is None else f"recall@5 {recall:.3f}, "
    took = perf_counter() - started
    say(f"\r{name} on {pack.name}: {len(outcomes)} questions, {shown}{took:.0f} s in all\n")


def _warm_up(bench: Bench) -> None:
    """Models are loaded before anything is timed: in both languages, for everybody."""
    said = ("We met at the harbour.", "我们在港口见面。")
    turns = [
        Said(id=str(n), session="s", speaker="user", date="2024-01-01", text=t) for n, t in enumerate(said)
    ]
    with TemporaryDirectory(prefix="memoracle-bench-", ignore_cleanup_errors=True) as folder:
        bench.build(turns, folder)
        for text in said:
            asked = Asked(id="", text=text, category="", date="", answerable=True, gold=(), gold_sessions=())
            bench.search(asked, DEEPEST, BUDGET)


def _ratios(ours: Results, peers: Mapping[str, Results]) -> dict[str, dict[str, float]]:
    """How many times longer than ours the indexing of each embedding peer took, by pack."""
    ratios: dict[str, dict[str, float]] = {}
    for name, result in peers.items():
        if name in PEERS and not PEERS[name].embeds:
            continue
        both = result.packs.keys() & ours.packs.keys()
        found = {pack: _ratio(result.packs[pack], ours.packs[pack]) for pack in sorted(both)}
        ratios[name] = {pack: ratio for pack, ratio in found.items() if ratio is not None}
    return ratios


def _ratio(theirs: Metrics, ours: Metrics) -> float | None:
    top, bottom = theirs["index_s"], ours["index_s"]
    return top / bottom if top is not None and bottom else None


def _counted(pack: Pack) -> dict[str, int]:
    return {
        "spaces": len(pack.spaces),
        "turns": sum(len(space.turns) for space in pack.spaces),
        "questions": pack.questions,
        "unanswerable": sum(not asked.answerable for space in pack.spaces for asked in space.questions),
    }


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
    "declined": "decl",
    "answer_in_context@2000": "ctx@2k",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "index_s": "index s",
    "rss_mb": "RSS MB",
    "disk_mb": "disk MB",
}
SHARES = frozenset(list(_COLUMNS)[:12])


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
        f"{name} on {pack}: {first_line(because)}"
        for name, system in systems.items()
        for pack, because in system.get("failed", {}).items()
    ]
    if failures:
        parts.append("\n".join(["not measured", *failures]))
    return "\n\n".join(parts)


def _head(name: str, width: int) -> str:
    return f"{name:<{width}}" + "".join(f"{title:>8}" for title in _COLUMNS.values())


def _row(name: str, metrics: Mapping[str, float | None] | None, width: int) -> str:
    if not metrics:
        return f"{name:<{width}}" + " (not measured)"
    return f"{name:<{width}}" + "".join(f"{shown(key, metrics.get(key)):>8}" for key in _COLUMNS)


def shown(name: str, value: float | None) -> str:
    """A figure as tables print it: shares to three places, the rest to what matters."""
    if value is None:
        return "–"
    if name in SHARES:
        return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.3f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _ratio_row(name: str, ratios: Mapping[str, float], width: int) -> str:
    return f"{name:<{width}}" + "  ".join(f"{pack} {ratio:.1f}×" for pack, ratio in ratios.items())


def first_line(text: str) -> str:
    """Enough of a failure for a table."""
    return text.strip().split("\n", 1)[0][:200]
