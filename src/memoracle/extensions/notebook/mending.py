"""Safe repairs of notes: what a check found becomes a step, and a step becomes a write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, tzinfo

from memoracle.errors import MemoracleError
from memoracle.extensions.notebook.buffer import rotate
from memoracle.extensions.notebook.editing import parts
from memoracle.extensions.notebook.hygiene import has_tags_line, is_closed, modified_at, verified_on
from memoracle.extensions.notebook.vocabulary import read_vocabulary
from memoracle.model.report import Done, Finding, Severity, Step
from memoracle.store.notes import date_of, read_note, write_note
from memoracle.store.store import Store
from memoracle.times import day_in
from memoracle.upkeep.checks import Check

_FRONT = 6
_STEPS = {
    "tags-line": ("add tags", "it has no tags on its second line"),
    "last-verified": ("add date", "it does not say when it was last verified"),
    "closure-blocks": ("close", "it does not end with its four closing lines"),
    "buffer": ("empty", "its lines move into the note of today"),
    "orphaned-buffer": ("empty", "its lines move into the note of today"),
}

_ACTS = frozenset(act for act, _ in _STEPS.values())


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
        if step.act not in _ACTS:
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
    head, lines, end = parts(note.text)
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
    head, lines, end = parts(note.text)
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
    newline = parts(note.text)[2] + "\n"
    closing = [f"Updated: {day.isoformat()}", "Decisions: none noted", "Signal: none noted", "Open: none"]
    gap = "" if not note.text or note.text.endswith("\n") else newline
    text = f"{note.text}{gap}{newline}{newline.join(closing)}{newline}"
    write_note(store.volume, path, text, expected=note.digest)
