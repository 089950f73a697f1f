"""Alerts: what is wrong with a memory reaches somebody, once, until it changes or is mended.

After every run of `tend` the last look at the memory is compared with what was told before. What is critical is told
again every day, and everything once more when it is mended. Told means printed, so that cron mails it, and handed to
the command that this person named for this machine: the words on stdin, no shell. No file of a memory can name it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, BadSetting, MemoracleError, PrivacyStop, WriteFailed
from memoracle.model.value import value
from memoracle.store.machine_state import FAILING, note, word_noted
from memoracle.store.run_log import ALERTS, CRITICAL, read_alerts
from memoracle.store.volume import read_document, write_document
from memoracle.text import visible
from memoracle.times import moment_in, write_time
from memoracle.upkeep.report import read_health

if TYPE_CHECKING:
    from memoracle.root import Root

VARIABLE = "MEMORACLE_NOTIFY"
_NOTED = "notify"
_AGAIN = timedelta(days=1)
_PATIENCE_S = 30.0
_TOLD = frozenset({"integrity", "probe", "sources", "disk", "consolidation-late", "consolidation-time"})
"""Checks whose warnings are told, too: something does not work. Untidiness waits until somebody asks."""


@value
class _Alarm:
    """Something wrong: what names it, how bad it is, what is said, what helps, and what it has to be to be the same."""

    id: str
    grade: str
    says: str
    hint: str
    key: str


def alarms(root: Root, jobs: Mapping[str, Any]) -> list[_Alarm]:
    """What is wrong now, by the last look and by the jobs that fail; what was not looked at stays as it was told."""
    held = read_alerts(root.store)
    found = []
    for row in _rows(read_health(root.store).get("checks")):
        name, grade = str(row.get("id")), str(row.get("status"))
        if grade == "skipped" and name in held:
            found.append(_Alarm(**{part: str(held[name].get(part, "")) for part in _Alarm.__annotations__}))
        elif grade == CRITICAL or (grade == "warning" and name in _TOLD):
            places = sorted(f"{one.get('path')} {one.get('code')}" for one in _rows(row.get("findings")))
            says, hint = str(row.get("message")), str(row.get("hint") or "")
            key = "\n".join([grade, *(places or [re.sub(r"[\d.,]+", "", says)])])
            found.append(_Alarm(id=name, grade=grade, says=says, hint=hint, key=key))
    for name, row in jobs.items():
        if row.get("retry_count", 0) > bool(row.get("running")):
            says = f"the job {name} fails: {row.get('last_error') or 'it did not come to an end'}"
            hint = "it is tried again by itself; `memoracle tend --job " + name + "` tries it now"
            found.append(_Alarm(id=f"job-{name}", grade="warning", says=says, hint=hint, key=name))
    return found


def tell(root: Root, jobs: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Tell what is new, changed, still critical after a day, or mended; the message, and what is critical now.

    What the command did not take is told again by the next run.
    """
    now, before = root.clock(), read_alerts(root.store)
    found = {one.id: one for one in alarms(root, jobs)}
    news = {name: what for name, one in found.items() if (what := _news(one, before.get(name), now))}
    mended = [row for name, row in before.items() if name not in found]
    critical = tuple(name for name, one in found.items() if one.grade == CRITICAL)
    failing = word_noted(root.store.root, FAILING)
    if not news and not mended and not failing:
        return "", critical
    lines = [_said(what, found[name].grade, found[name]) for name, what in news.items()]
    lines += [f"mended    {row.get('id')}: {row.get('says')}" for row in mended]
    if failing:
        lines.append(
            f"mended    it was {failing}" if failing.startswith("restored") else "mended    upkeep runs again"
        )
    status = CRITICAL if critical else "warning" if found else "healthy"
    text = root.guard.hide(message(root.store.root, status, lines))
    try:
        root.guard.must_go(text, action="notify")
    except PrivacyStop:
        text = message(root.store.root, status, ["what it says may not leave: `memoracle health` shows it"])
    problem = send(root.store.root, root.environment, text, status)
    if not problem:
        _write(
            root, {name: _row(one, before.get(name), name in news, now) for name, one in found.items()}, now
        )
        note(root.store.root, FAILING, "")
    return text + (f"\n{problem}" if problem else ""), critical


def tell_failure(place: str, environment: Mapping[str, str], failure: MemoracleError, now: datetime) -> str:
    """Tell of upkeep that could not even begin, once a day; the message, empty where it was told today."""
    named = f"{now.date().isoformat()} {failure.code}"
    if word_noted(place, FAILING) == named:
        return ""
    note(place, FAILING, named)
    lines = [
        f"new       upkeep did not run: {failure}",
        *([f"          what helps: {failure.hint}"] * bool(failure.hint)),
    ]
    text = message(place, CRITICAL, lines)
    problem = send(place, environment, text, CRITICAL)
    return text + (f"\n{problem}" if problem else "")


def message(place: str, status: str, lines: Sequence[str]) -> str:
    """The whole text: its first line serves as a subject."""
    head = f"memoracle: {status}: {place} on {os.uname().nodename}"
    closing = f"memoracle --root {shlex.quote(place)} health     shows everything"
    return visible("\n".join([head, "", *lines, "", closing]))


def command(place: str, environment: Mapping[str, str]) -> list[str]:
    """The words of the command that messages are handed to; none where nobody named one."""
    named = environment.get(VARIABLE) or word_noted(place, _NOTED)
    if named in {"", "none"}:
        return []
    try:
        return shlex.split(named)
    except ValueError as problem:
        raise BadSetting("notify", f"it cannot be split into words: {problem}", where=VARIABLE) from None


def set_command(place: str, named: str) -> None:
    """Have messages handed to this command on this machine; an empty one ends it."""
    from shutil import which

    words = command(place, {VARIABLE: named}) if named else []
    if words and which(words[0]) is None:
        raise BadInput(
            f"there is no program `{words[0]}`", "name it with its path: a scheduler's PATH is short"
        )
    note(place, _NOTED, shlex.join([which(words[0]) or words[0], *words[1:]]) if words else "")
    if bool(word_noted(place, _NOTED)) != bool(words):
        raise WriteFailed("this person's own state folder", f"name the command in {VARIABLE}")


def send(place: str, environment: Mapping[str, str], text: str, status: str) -> str:
    """Hand a message to the command; what went wrong, empty when it was taken or nobody named one."""
    from subprocess import DEVNULL, PIPE, TimeoutExpired, run

    try:
        if not (words := command(place, environment)):
            return ""
        done = run(  # noqa: S603 - this person named it on this machine
            words,
            input=f"{text}\n".encode("utf-8", "replace"),
            stdout=DEVNULL,
            stderr=PIPE,
            timeout=_PATIENCE_S,
            check=False,
            start_new_session=True,
            env={**os.environ, **environment, "MEMORACLE_STATUS": status},
        )
    except TimeoutExpired:
        return f"the notify command did not end within {_PATIENCE_S:g} s"
    except (OSError, ValueError, MemoracleError) as problem:
        return f"the notify command did not run: {problem}"
    complaint = visible(done.stderr.decode("utf-8", "replace").strip()[-200:])
    return f"the notify command ended with {done.returncode}: {complaint}" if done.returncode else ""


def _news(one: _Alarm, held: Mapping[str, Any] | None, now: datetime) -> str:
    """Why an alarm is told now; empty when it was told."""
    if held is None:
        return "new"
    if not _is_known(one, held):
        return "changed"
    told = moment_in(held.get("told"))
    is_old = told is None or not timedelta(0) <= now - told < _AGAIN
    return "still" if one.grade == CRITICAL and is_old else ""


def _is_known(one: _Alarm, held: Mapping[str, Any] | None) -> bool:
    """True when everything of it was told: a look that reads less back sees less of the same."""
    return {*one.key.split("\n")} <= {*str((held or {}).get("key", "")).split("\n")}


def _said(what: str, grade: str, one: _Alarm) -> str:
    hint = f"\n          what helps: {one.hint}" if one.hint else ""
    return f"{what:<9} {grade}: {one.id}: {one.says}{hint}"


def _row(one: _Alarm, held: Mapping[str, Any] | None, is_news: bool, now: datetime) -> dict[str, Any]:
    since = (held or {}).get("since") or write_time(now)
    told = write_time(now) if is_news or held is None else held.get("told")
    known = {"key": held["key"]} if held and _is_known(one, held) else {}
    return {
        **{part: getattr(one, part) for part in _Alarm.__annotations__},
        **known,
        "since": since,
        "told": told,
    }


def _write(root: Root, rows: Mapping[str, Mapping[str, Any]], now: datetime) -> None:
    name = root.store.state_name(ALERTS)
    days = read_document(root.store.volume, name).get("critical_on")
    days = dict(days) if isinstance(days, dict) else {}
    if critical := [one for one, row in rows.items() if row["grade"] == CRITICAL]:
        days[now.astimezone(root.zone).date().isoformat()] = ", ".join(critical)
    with suppress(MemoracleError):  # a memory that cannot be written is told about again
        write_document(root.store.volume, name, {"open": rows, "critical_on": days})


def _rows(held: Any) -> Iterator[Mapping[str, Any]]:
    return (row for row in held if isinstance(row, dict)) if isinstance(held, list) else iter(())
