"""What may not be kept for ever: what was withdrawn, and records past the time that their sensitivity allows. Pure.

Something withdrawn is erased after thirty days. Retention is off unless the owner sets a number of days: age alone
erases nothing; it is the owner's own rule, and its tombstones name it. What is pinned was kept on purpose and stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from memoracle.lifecycle.evidence import last_heard
from memoracle.model.plan import Step
from memoracle.model.record import KEPT_WITHDRAWN, Kind, Record, Sensitivity, Status, newest


def past_retention(standing: Iterable[Record], days: Mapping[Sensitivity, int], now: datetime) -> list[Step]:
    """The records that are to be erased, each with the setting that says so; 0 days mean for ever."""
    found = []
    for record in standing:
        if record.status is Status.WITHDRAWN:
            if now - record.change.at > KEPT_WITHDRAWN:
                because = f"withdrawn on {record.change.at.date().isoformat()}, and nobody brought it back"
                found.append(Step(act="erase", target=record.id, because=because))
            continue
        most = days.get(record.sensitivity, 0)
        if not most or record.pinned or record.status is Status.FORGOTTEN or record.kind is Kind.SUMMARY:
            continue
        age = now - max(last_heard(record), record.created)
        if age > timedelta(days=most):
            because = f"retention_{record.sensitivity.value}_days = {most}: last said {age.days} days ago"
            found.append(Step(act="erase", target=record.id, because=because))
    return sorted(found, key=lambda step: step.target)


def made_of(versions: Iterable[Record], ids: Iterable[str]) -> list[Record]:
    """The summaries, as they stand, whose words come or came from these records."""
    wanted = set(ids)
    held: dict[str, list[Record]] = {}
    for version in versions:
        if version.kind is Kind.SUMMARY and version.id not in wanted:
            held.setdefault(version.id, []).append(version)
    return [
        newest(found)
        for found in held.values()
        if newest(found).status is not Status.FORGOTTEN
        and any(wanted.intersection(version.sources) for version in found)
    ]
