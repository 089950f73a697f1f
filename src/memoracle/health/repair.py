"""Findings become a plan, and the plan becomes writes. Damage is set aside, never dropped."""

from __future__ import annotations

import os
from collections import Counter

from memoracle.model.change import Change
from memoracle.model.plan import Plan, Step
from memoracle.model.report import Report
from memoracle.store.audit import accept
from memoracle.store.erase import erase_again
from memoracle.store.mend import accept_gaps, adopt_altered, clean_file, sweep
from memoracle.store.never import mend_never
from memoracle.store.own_state import take_over
from memoracle.store.privacy_seen import accept_list
from memoracle.store.store import Store
from memoracle.store.transcripts import write_transcripts

_DAMAGE = {"torn-line", "broken-line", "altered-line", "nul-line", "conflict-marker", "long-line"}
_ACCEPT = "accept in the trail"
_ACCEPT_LIST = "accept the list"
_LIST, _NEVER, _TAKE = "write the list", "write what was forgotten", "take over"
_LISTS = {"damaged-list", "bad-entry", "lost-list"}
_FORM = {"byte-order-mark", "crlf"}


def plan_repair(report: Report, *, adopt: bool, take_state: bool = False) -> Plan:
    """What mending would do, and why. `take_state` is the owner's word that a foreign `state/` is theirs."""
    damaged: Counter[str] = Counter()
    altered: Counter[str] = Counter()
    erased: Counter[str] = Counter()
    steps: list[Step] = []
    for finding in report.findings:
        if finding.code == "altered-line" and adopt:
            altered[finding.path] += 1
        elif finding.code in _DAMAGE and not os.path.isabs(
            finding.path
        ):  # a host's transcript is not ours to mend
            damaged[finding.path] += 1
        elif finding.code in _FORM:
            steps.append(Step(act="clean", target=finding.path, because=finding.message))
        elif finding.code == "litter":
            steps.append(Step(act="remove", target=finding.path, because=finding.message))
        elif finding.code == "erased-content":
            erased[finding.message.split(" ", 1)[0]] += 1
        elif finding.code == "audit-problem":
            steps.append(Step(act=_ACCEPT, target=finding.path, because=finding.message))
        elif finding.code in _LISTS:
            steps.append(Step(act=_LIST, target="conversations", because=finding.message))
        elif finding.code == "never-list-damaged":
            because = f"{finding.message}; forget again what is not in it any more"
            steps.append(Step(act=_NEVER, target=finding.path, because=because))
        elif finding.code == "foreign-state" and take_state:
            steps.append(
                Step(act=_TAKE, target=finding.path, because="its owner says that it is this machine's")
            )
        elif finding.code == "privacy-list-shrank":
            steps.append(Step(act=_ACCEPT_LIST, target=finding.path, because=finding.message))
        elif finding.code == "missing-lines":
            steps.append(Step(act="accept", target=finding.path, because=finding.message))
    steps += [
        Step(
            act="erase",
            target=record_id,
            because="it was erased, and something of it is left or has come back",
        )
        for record_id in sorted(erased)
    ]
    steps += [
        Step(
            act="adopt", target=path, because=f"{number} lines were changed by hand; they become new versions"
        )
        for path, number in sorted(altered.items())
    ]
    steps += [
        Step(
            act="set aside",
            target=path,
            because=f"{number} lines cannot be read; their bytes go to quarantine",
        )
        for path, number in sorted(damaged.items())
    ]
    return Plan(verb="repair", steps=tuple(dict.fromkeys(steps)))


def repair(store: Store, plan: Plan, *, change: Change) -> None:
    """Do what the plan says. The caller holds the lock."""
    for step in plan.steps:
        if step.act == "adopt":
            adopt_altered(store, step.target, change)
        elif step.act in {"set aside", "clean"}:
            clean_file(store, step.target)
        elif step.act == "remove":
            sweep(store, step.target)
        elif step.act == "erase":
            erase_again(store, [step.target], change)
        elif step.act == "accept":
            accept_gaps(store)
        elif step.act == _ACCEPT_LIST:
            accept_list(store)
    acts = {step.act for step in plan.steps}
    if _LIST in acts:
        write_transcripts(store, store.transcripts().values())
    if _NEVER in acts:
        mend_never(store)
    if _TAKE in acts:
        take_over(store.root, store.layout["state"])
    if _ACCEPT in acts:
        accept(store)
