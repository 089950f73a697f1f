"""The scorecard: one page of a run with every peer, losses first. Everything on it comes from that run.

`page` is a pure function of the document that `run` gives, with what `surroundings` adds; its order is that of packs,
metrics and peers in the document, so the same numbers make the same page.
"""

from __future__ import annotations

import os
import platform
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from math import sqrt
from typing import Any, NamedTuple

from benchmarks.peers import PEERS
from benchmarks.run import first_line, shown
from benchmarks.scores import mean
from benchmarks.vectors import shared_name

_QUALITY = {
    "recall@5": "R@5",
    "recall@10": "R@10",
    "mrr": "MRR",
    "auroc": "AUROC",
    "answer_in_context@2000": "context hit",
}
_COST = {"p50_ms": "p50 ms", "index_s": "index s", "disk_mb": "MiB"}
_TITLES = _QUALITY | {"declined": "declined"} | _COST
_LESS_IS_BETTER = frozenset(_COST) | {"declined"}
_LEVEL = 0.0005


class _Loss(NamedTuple):
    """A pack and a metric where the best peer is better."""

    pack: str
    metric: str
    ours: float
    peer: str
    theirs: float

    @property
    def gap(self) -> float:
        return self.theirs - self.ours

    @property
    def times(self) -> float:
        return self.ours / self.theirs


def surroundings(chosen: Mapping[str, str], arguments: Namespace) -> dict[str, Any]:
    """What the page tells of the run beside its numbers: when, where, within which limits, which packs go together."""
    groups: dict[str, list[str]] = {}
    for name, folder in chosen.items():
        groups.setdefault(os.path.basename(os.path.abspath(folder)), []).append(name)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{machine}, load {os.getloadavg()[0]:.1f} at the start, Python {platform.python_version()}",
        "embedding": shared_name(),
        "limits": {name: getattr(arguments, name) for name in ("sample", "turns", "limit")},
        "groups": groups,
    }


def page(document: Mapping[str, Any], subject: str) -> str:
    """The Markdown."""
    systems: dict[str, Mapping[str, Any]] = {subject: document, **document["peers"]}
    packs = list(document["counts"])
    parts = [
        f"# Scorecard\n\n{_opening(document)}",
        "## Where we lose",
        *_losses(systems, subject, packs),
        "## Means",
        *(_means(name, group, systems) for name, group in document["groups"].items()),
        "## By pack",
        *(_pack(name, document["counts"][name], systems) for name in packs),
        "## Who was measured",
        _peers(systems, subject),
        *_failures(systems),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _opening(document: Mapping[str, Any]) -> str:
    counts = document["counts"].values()
    questions, turns = (sum(count[name] for count in counts) for name in ("questions", "turns"))
    texts = {
        "sample": "at most {:,} questions a pack",
        "turns": "whole stores of at most {:,} turns a pack",
        "limit": "{:,g} seconds for a subject on a pack",
    }
    limits = [texts[name].format(most) for name, most in document["limits"].items() if most is not None]
    return (
        f"Written by `python -m benchmarks scorecard` on {document['date']}; every figure is of that run. "
        f"Packs: {len(counts)}, with {questions:,} questions over {turns:,} turns"
        + (f" ({'; '.join(limits)})" if limits else "")
        + f". {document['machine']}. Nobody gets a language model; peers that embed are given "
        f"{document['embedding']}, everybody one thread. Indexing is charged the CPU seconds of vectors that stood in "
        "the shared cache."
    )


def _losses(systems: Mapping[str, Mapping[str, Any]], subject: str, packs: Sequence[str]) -> Iterable[str]:
    behind = [
        loss
        for pack in packs
        for metric in _QUALITY
        if (loss := _loss(systems, subject, pack, metric)) and loss.gap >= _LEVEL
    ]
    compared = sum(_best(systems, subject, pack, metric) is not None for pack in packs for metric in _QUALITY)
    rows = [
        [loss.pack, _QUALITY[loss.metric], loss.peer, *_figures(loss), _share(loss.gap)]
        for loss in sorted(behind, key=lambda loss: -loss.gap)
    ]
    yield f"**Finding and knowing:** behind the best peer in {len(behind)} of {compared} comparisons (pack and metric)."
    if rows:
        yield _table(["pack", "metric", "best peer", "theirs", "ours", "behind by"], rows, left=3)
    yield (
        "**Time and space**, in multiples of the best peer's, and of the best among those that embed. "
        "Who keeps nothing on disk has no MiB:"
    )
    embedding = {name: one for name, one in systems.items() if name == subject or PEERS[name].embeds}
    yield _table(
        ["pack", *_COST.values()],
        [
            [
                pack,
                *(
                    _times([_loss(who, subject, pack, metric) for who in (systems, embedding)])
                    for metric in _COST
                ),
            ]
            for pack in packs
        ],
    )


def _times(losses: Iterable[_Loss | None]) -> str:
    told = {
        f"{loss.times:,.0f} × {loss.peer}" if loss.times >= 10 else f"{loss.times:.1f} × {loss.peer}": None
        for loss in losses
        if loss
    }
    return " · ".join(told) or "–"


def _figures(loss: _Loss) -> list[str]:
    return [shown(loss.metric, loss.theirs), shown(loss.metric, loss.ours)]


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _loss(systems: Mapping[str, Mapping[str, Any]], subject: str, pack: str, metric: str) -> _Loss | None:
    best = _best(systems, subject, pack, metric)
    if best is None:
        return None
    ours = systems[subject]["packs"][pack][metric]
    theirs = systems[best]["packs"][pack][metric]
    is_behind = ours > theirs if metric in _LESS_IS_BETTER else ours < theirs
    return _Loss(pack, metric, ours, best, theirs) if is_behind else None


def _best(systems: Mapping[str, Mapping[str, Any]], subject: str, pack: str, metric: str) -> str | None:
    """The best peer; None where nobody can be compared."""
    found = {name: _figure(system, pack, metric) for name, system in systems.items()}
    if found.pop(subject, None) is None:
        return None
    # What costs nothing at all is not kept, and has no multiples.
    told = {
        name: value
        for name, value in found.items()
        if value is not None and not (metric in _COST and not value)
    }
    choose: Callable[..., str] = min if metric in _LESS_IS_BETTER else max
    return choose(told, key=told.__getitem__) if told else None


def _figure(system: Mapping[str, Any], pack: str, metric: str) -> float | None:
    measured: float | None = system["packs"].get(pack, {}).get(metric)
    return measured


def _means(name: str, packs: Sequence[str], systems: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for subject, system in systems.items():
        there = [pack for pack in packs if pack in system["packs"]]
        if there:
            figures = {metric: mean(_figure(system, pack, metric) for pack in there) for metric in _TITLES}
            rows.append((subject, f"{len(there)}", figures))
    if not rows:
        return ""
    bold = _bold([figures for _, whole, figures in rows if whole == f"{len(packs)}"])
    cells = [
        [subject, whole, *(_cell(metric, figures, bold) for metric in _TITLES)]
        for subject, whole, figures in rows
    ]
    return f"### {name}: {', '.join(packs)}\n\n" + _table(["", "packs", *_TITLES.values()], cells)


def _pack(name: str, count: Mapping[str, int], systems: Mapping[str, Mapping[str, Any]]) -> str:
    asked = count["questions"] - count["unanswerable"]
    text = (
        f"{count['spaces']:,} stores, {count['turns']:,} turns, {asked:,} questions with an answer, "
        f"{count['unanswerable']:,} without."
    )
    if asked:
        text += f" One standard error of a share is at most {_share(0.5 / sqrt(asked))}."
    measured = {subject: system["packs"].get(name) for subject, system in systems.items()}
    bold = _bold([figures for figures in measured.values() if figures])
    rows = [
        [subject, *(_cell(metric, figures or {}, bold) for metric in _TITLES)]
        for subject, figures in measured.items()
    ]
    return f"### {name}\n\n{text}\n\n" + _table(["", *_TITLES.values()], rows)


def _bold(rows: Sequence[Mapping[str, float | None]]) -> dict[str, str]:
    """The best figure of every metric, as it is printed."""
    found: dict[str, str] = {}
    for metric in _QUALITY:
        told = [value for row in rows if (value := row.get(metric)) is not None]
        if told:
            found[metric] = shown(metric, max(told))
    return found


def _cell(metric: str, figures: Mapping[str, float | None], bold: Mapping[str, str]) -> str:
    text = shown(metric, figures.get(metric))
    return f"**{text}**" if bold.get(metric) == text else text


def _peers(systems: Mapping[str, Mapping[str, Any]], subject: str) -> str:
    rows = [
        [name, system.get("version", ""), PEERS[name].what if name in PEERS else ""]
        for name, system in systems.items()
        if name != subject
    ]
    return _table(["peer", "version", "what it is here"], rows, left=3)


def _failures(systems: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    rows: dict[tuple[str, str], list[str]] = {}
    for name, system in systems.items():
        for pack, because in system.get("failed", {}).items():
            rows.setdefault((name, first_line(because)), []).append(pack)
    if rows:
        yield "Not measured:"
        yield _table(
            ["who", "where", "because"],
            [[name, ", ".join(packs), _escaped(because)] for (name, because), packs in rows.items()],
            left=3,
        )


def _escaped(text: str) -> str:
    return f"`{text.replace('|', '¦').replace('`', '´')}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    lines = [head, ["---"] * left + ["---:"] * (len(head) - left), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
