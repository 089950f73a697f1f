"""Findings become a plan, and the plan becomes writes. Damage is set aside, never dropped."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from memoracle.model.report import Plan, Report, Step
from memoracle.store.audit_proof import accept
from memoracle.store.erase import erase_again
from memoracle.store.forgotten import mend_forgotten
from memoracle.store.machine_state import take_over
from memoracle.store.mend import accept_gaps, adopt_altered, clean_file, sweep
from memoracle.store.notes import keep_both
from memoracle.store.privacy import accept_list
from memoracle.store.sessions import write_transcripts
from memoracle.upkeep.check import set_aside_own

if TYPE_CHECKING:
    from memoracle.model.record import Change
    from memoracle.root import Root
    from memoracle.store.store import Store

_DAMAGE = {"torn-line", "broken-line", "altered-line", "nul-line", "conflict-marker", "long-line"}
_ACCEPT = "accept in the trail"
_LIST, _NEVER, _TAKE = "write the list", "write what was forgotten", "take over"
_ACTS = {
    "byte-order-mark": "clean",
    "crlf": "clean",
    "litter": "remove",
    "audit-problem": _ACCEPT,
    "damaged-list": _LIST,
    "bad-entry": _LIST,
    "lost-list": _LIST,
    "never-list-damaged": _NEVER,
    "damaged-state": "set aside here",
    "note-conflict": "keep both",
    "privacy-list-shrank": "accept the list",
    "missing-lines": "accept",
}
"""What mends a finding by itself; what is said of it is the reason."""
_ONCE = (_LIST, _NEVER, _TAKE, _ACCEPT)
"""Done once, after the rest, however many findings ask for it."""


def plan_repair(report: Report, *, adopt: bool, take_state: bool = False) -> Plan:
    """What mending would do, and why. `take_state` is the owner's word that a foreign `state/` is theirs."""
    damaged: Counter[str] = Counter()
    altered: Counter[str] = Counter()
    erased: Counter[str] = Counter()
    steps: list[Step] = []
    for finding in report.findings:
        if finding.code == "altered-line" and adopt:
            altered[finding.path] += 1
        elif finding.code in _DAMAGE and not os.path.isabs(finding.path):
            damaged[finding.path] += 1  # a host's transcript is not ours to mend
        elif finding.code == "erased-content":
            erased[finding.message.split(" ", 1)[0]] += 1
        elif finding.code == "foreign-state" and take_state:
            says = "its owner says that it is this machine's"
            steps.append(Step(act=_TAKE, target=finding.path, because=says))
        elif act := _ACTS.get(finding.code):
            steps.append(Step(act=act, target=finding.path, because=finding.message))
    for act, counted, says in (
        ("erase", erased, "it was erased, and something of it is left or has come back"),
        ("adopt", altered, "{} lines were changed by hand; they become new versions"),
        ("set aside", damaged, "{} lines cannot be read; their bytes go to quarantine"),
    ):
        steps += [
            Step(act=act, target=target, because=says.format(number))
            for target, number in sorted(counted.items())
        ]
    return Plan(verb="repair", steps=tuple(dict.fromkeys(steps)))


def carry_out(root: Root, plan: Plan, verb: str, *, then: Callable[[], None]) -> None:
    """Do what a plan says, and `then` the rest of it, under one lock; what is erased leaves the view, too."""
    if not plan:
        return
    with root.store.writing():
        repair(root.store, plan, change=root.change(verb))
        then()
    root.view.catch_up()
    if erased := [step.target for step in plan.steps if step.act == "erase"]:
        root.view.forget(erased)


def repair(store: Store, plan: Plan, *, change: Change) -> None:
    """Do what the plan says and is done here: a plan of health holds other steps beside. The caller holds the lock."""
    mend: dict[str, Callable[[str], object]] = {
        "adopt": lambda path: adopt_altered(store, path, change),
        "set aside": lambda path: clean_file(store, path),
        "clean": lambda path: clean_file(store, path),
        "remove": lambda path: sweep(store, path),
        "erase": lambda record_id: erase_again(store, [record_id], change),
        "accept": lambda _: accept_gaps(store),
        "accept the list": lambda _: accept_list(store),
        "set aside here": lambda path: set_aside_own(store, path),
        "keep both": lambda path: keep_both(store.volume, path),
        _LIST: lambda _: write_transcripts(store, store.sessions.by_path().values()),
        _NEVER: lambda _: mend_forgotten(store),
        _TAKE: lambda path: take_over(store.root, path),
        _ACCEPT: lambda _: accept(store),
    }
    for step in plan.steps:
        if step.act in mend and step.act not in _ONCE:
            mend[step.act](step.target)
    targets = {step.act: step.target for step in plan.steps}
    for act in _ONCE:
        if act in targets:
            mend[act](targets[act])
