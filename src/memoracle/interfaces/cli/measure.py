"""`memoracle bench`: the door to `benchmarks/`, which stands beside the package in a checkout and is not installed."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from types import ModuleType

from memoracle.errors import BadInput
from memoracle.interfaces.cli.session import Session

_SOURCE = "https://github.com/memoracle/memoracle"


def add_to_bench(parser: ArgumentParser) -> None:
    """Its arguments, as the benchmarks have them; any words where there are none, so that `run` can say so."""
    benchmarks = _benchmarks()
    if benchmarks is None:
        parser.add_argument("words", nargs=argparse.REMAINDER, help=f"needs a checkout of {_SOURCE}")
    else:
        benchmarks.add_to(parser)


def run_bench(arguments: Namespace, session: Session) -> int:
    """Measure, print, and keep the document where it was asked for."""
    benchmarks = _benchmarks()
    if benchmarks is None:
        raise BadInput(
            "the benchmarks are not part of the installed package",
            f"git clone {_SOURCE}, then `python3 dev.py bench` there",
        )
    return int(benchmarks.run(arguments, session))


def _benchmarks() -> ModuleType | None:
    """`benchmarks.cli` of the checkout that this package runs from, or one that is importable; None without either."""
    checkout = os.path.abspath(__file__)
    for _ in range(5):  # cli, interfaces, memoracle, src, the checkout
        checkout = os.path.dirname(checkout)
    if os.path.exists(os.path.join(checkout, "benchmarks", "cli.py")) and checkout not in sys.path:
        sys.path.insert(0, checkout)
    try:
        return import_module("benchmarks.cli")
    except ModuleNotFoundError as problem:
        if problem.name in {"benchmarks", "benchmarks.cli"}:
            return None
        raise
