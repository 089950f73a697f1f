"""Collects which test proves which line of the seed specification.

`pytest --collect-only --seed-map FILE` writes `{line: [tests]}`; `scripts/conformance.py` reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Collected:
    """What was there before `-m` and `-k` chose from it; a part only, when single tests were named."""

    files: set
    proofs: dict
    is_part: bool


COLLECTED = pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption("--seed-map", metavar="FILE", help="write which test proves which seed line")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    config.stash[COLLECTED] = Collected(
        files={item.path for item in items},
        proofs=proofs_among(items),
        is_part=any("::" in word for word in config.args),
    )


def pytest_collection_finish(session):
    if target := session.config.getoption("--seed-map"):
        Path(target).write_text(json.dumps(proofs_among(session.items), indent=1), encoding="utf-8")


def proofs_among(items):
    """Which tests carry each line's mark; what is known to fail proves nothing.

    A test that looks at words or a table alone says so with `only`, and is named as `test (what)`.
    """
    proofs = {}
    for item in items:
        if item.get_closest_marker("xfail"):
            continue
        only = item.get_closest_marker("only")
        name = item.nodeid.split("[", 1)[0] + (f" ({only.args[0]})" if only else "")
        for mark in item.iter_markers("seed"):
            for line in mark.args:
                proofs.setdefault(line, set()).add(name)
    return {line: sorted(tests) for line, tests in sorted(proofs.items())}
