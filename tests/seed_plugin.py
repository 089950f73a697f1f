"""Collects which test proves which line of the seed specification.

`pytest --collect-only --seed-map FILE` writes `{line: [tests]}`; `scripts/conformance.py` reads it.
"""

import json
from pathlib import Path


def pytest_addoption(parser):
    parser.addoption("--seed-map", metavar="FILE", help="write which test proves which seed line")


def pytest_collection_finish(session):
    target = session.config.getoption("--seed-map")
    if not target:
        return
    proofs = {}
    for item in session.items:
        name = item.nodeid.split("[", 1)[0]
        for mark in item.iter_markers("seed"):
            for line in mark.args:
                proofs.setdefault(line, set()).add(name)
    Path(target).write_text(
        json.dumps({line: sorted(tests) for line, tests in sorted(proofs.items())}, indent=1), encoding="utf-8"
    )
