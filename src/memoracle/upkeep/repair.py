"""Findings become a plan, and the plan becomes writes. Damage is set aside, never dropped."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, tzinfo

from memoracle.errors import MemoracleError
from memoracle.model.record import Change
from memoracle.model.report import Done, Finding, Plan, Report, Severity, Step
from memoracle.store import frontmatter
from memoracle.store.audit_proof import accept
from memoracle.store.erase import erase_again
from memoracle.store.forgotten import mend_forgotten
from memoracle.store.machine_state import take_over
from memoracle.store.mend import accept_gaps, adopt_altered, clean_file, sweep
from memoracle.store.notes import date_of, keep_both, read_note, write_note
from memoracle.store.privacy import accept_list
from memoracle.store.rotate import rotate
from memoracle.store.sessions import write_transcripts
from memoracle.store.store import Store
from memoracle.store.vocabulary import read_vocabulary
from memoracle.times import day_in
from memoracle.upkeep.check import set_aside_own
from memoracle.upkeep.checks import Check
from memoracle.upkeep.hygiene import has_tags_line, is_closed, modified_at, verified_on

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
        elif finding.code in _DAMAGE and not os.path.isabs(
            finding.path
        ):  # a host's transcript is not ours to mend
            damaged[finding.path] += 1
        elif finding.code == "erased-content":
            erased[finding.message.split(" ", 1)[0]] += 1
        elif finding.code == "foreign-state" and take_state:
            steps.append(
                Step(act=_TAKE, target=finding.path, because="its owner says that it is this machine's")
            )
        elif act := _ACTS.get(finding.code):
            steps.append(Step(act=act, target=finding.path, because=finding.message))
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


# Safe repairs of notes: what a check found becomes a step, and a step becomes a write.

_FRONT = 6
_STEPS = {
    "tags-line": ("add tags", "it has no tags on its second line"),
    "last-verified": ("add date", "it does not say when it was last verified"),
    "closure-blocks": ("close", "it does not end with its four closing lines"),
    "buffer": ("empty", "its lines move into the note of today"),
    "orphaned-buffer": ("empty", "its lines move into the note of today"),
}

ACTS = frozenset(act for act, _ in _STEPS.values())


def plan_tidying(checks: Iterable[Check]) -> list[Step]:
    """What would be mended, and why; what needs a person is left out."""
    steps: dict[tuple[str, str], Step] = {}
    for check in checks:
        for finding in check.findings:
            if finding.code not in _STEPS or finding.code != check.id:
                continue
            if check.id == "last-verified" and finding.line is not None:
                continue  # the date is there: reading the note again is its owner's to do
            if check.id == "orphaned-buffer" and finding.path.endswith(".lock"):
                continue  # another program's, which may still be at work
            act, because = _STEPS[check.id]
            steps.setdefault((act, finding.path), Step(act=act, target=finding.path, because=because))
    return list(steps.values())


def tidy(store: Store, steps: Sequence[Step], *, now: datetime, zone: tzinfo) -> Done:
    """Carry out the steps that are about notes. The caller holds the lock."""
    # The days are asked for first: adding tags to a note is an edit too.
    days = {
        one.target: day_in(zone, modified_at(store.root, one.target))
        for one in steps
        if one.act == "add date"
    }
    done: list[Step] = []
    findings: list[Finding] = []
    for step in steps:
        if step.act not in ACTS:
            continue
        try:
            if step.act == "add tags":
                _add_tags(store, step.target)
            elif step.act == "add date":
                _add_date(store, step.target, days[step.target])
            elif step.act == "close":
                _close(store, step.target)
            elif step.act == "empty":
                rotate(store, now=now, zone=zone)
        except MemoracleError as problem:
            findings.append(
                Finding(
                    code="not-mended",
                    severity=Severity.WARNING,
                    path=step.target,
                    message=str(problem),
                    hint=problem.hint,
                )
            )
        else:
            done.append(step)
    return Done(steps=tuple(done), findings=tuple(findings))


def _add_tags(store: Store, path: str) -> None:
    note = read_note(store.volume, path)
    if has_tags_line(note):
        return
    known, _ = read_vocabulary(store)
    stem = path.rpartition("/")[2].removesuffix(".md").casefold().replace(" ", "-")
    tag = stem if known is None or stem in known else ""
    head, lines, end = _parts(note.text)
    wanted = f"#tags: {tag}".rstrip() + end
    for at, line in enumerate(lines[:_FRONT]):
        if line.strip().casefold().startswith("#tags"):
            wanted = lines.pop(at)  # it stands on another line: move it
            break
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].lstrip().startswith("#"):
        lines.insert(first + 1, wanted)
    else:
        lines[0:0] = [f"# {path.rpartition('/')[2].removesuffix('.md')}{end}", wanted, end]
    write_note(store.volume, path, head + "\n".join(lines), expected=note.digest)


def _add_date(store: Store, path: str, day: date) -> None:
    """The day somebody last wrote to the note: nobody has verified it since."""
    note = read_note(store.volume, path)
    if verified_on(note)[0] is not None:
        return
    head, lines, end = _parts(note.text)
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    at = next(
        (n for n, line in enumerate(lines[:_FRONT]) if line.strip().casefold().startswith("#tags")), first
    )
    lines.insert(at + 1, f"> last_verified: {day.isoformat()}{end}")
    write_note(store.volume, path, head + "\n".join(lines), expected=note.digest)


def _close(store: Store, path: str) -> None:
    note = read_note(store.volume, path)
    day = date_of(path)
    if is_closed(note) or day is None:
        return
    newline = _parts(note.text)[2] + "\n"
    closing = [f"Updated: {day.isoformat()}", "Decisions: none noted", "Signal: none noted", "Open: none"]
    gap = "" if not note.text or note.text.endswith("\n") else newline
    text = f"{note.text}{gap}{newline}{newline.join(closing)}{newline}"
    write_note(store.volume, path, text, expected=note.digest)


def _parts(text: str) -> tuple[str, list[str], str]:
    """The header as it stands, the lines below it with their carriage returns, and such a return or nothing."""
    head = frontmatter.parse(text).head
    body = text[len(head) :]
    mark = "\ufeff" if not head and body.startswith("\ufeff") else ""
    end = "\r" if text.partition("\n")[0].endswith("\r") else ""
    return head + mark, body.removeprefix(mark).split("\n"), end
