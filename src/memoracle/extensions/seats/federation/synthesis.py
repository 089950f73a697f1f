"""Pages of several seats on one topic as one page of memory's own: it cites, counts and compares, and never copies.

Each source is named by path, title, status, day and owner, with a line made of its header alone. No run of more
than `RUN` words of a source's body stands in what is made here; `copied` finds such runs, and is asked before
anything is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from memoracle.extensions.seats.model import Page
from memoracle.model.value import value

RUN = 12
"""Words in a row; a Chinese, Japanese or Korean character counts as one."""
_WORD = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\W_]+")
_SETTLED = frozenset({"resolved", "completed", "superseded"})


@value
class Synthesis:
    """A page about pages: its words, what it rests on, and which seats had nothing to say."""

    title: str
    body: str
    sources: tuple[Page, ...]
    missing: tuple[str, ...] = ()


def synthesise(project: str, topic: str, pages: Sequence[Page], missing: Sequence[str]) -> Synthesis:
    """What these pages say together, by their headers."""
    about = f"{_cut(topic)} in {project}" if topic else project
    title = f"Across seats: {about}"
    ordered = sorted(pages, key=lambda page: (page.seat, page.ts.isoformat() if page.ts else "", page.path))
    lines = [f"# {title}", "", _counted(ordered), ""]
    if beside := list(_side_by_side(ordered)):
        lines += ["## Side by side", "", *beside, ""]
    lines += ["## Sources", ""]
    for page in ordered:
        lines.append(f"- [[{page.path.removesuffix('.md')}]] “{short_title(page)}”: {_own_words(page)}")
    if missing:
        lines += ["", "## Missing", ""]
        lines += [f"- {seat}: not_in_federated_kb" for seat in missing]
    return Synthesis(
        title=title, body="\n".join(lines) + "\n", sources=tuple(ordered), missing=tuple(missing)
    )


def copied(text: str, sources: Sequence[Page], *, run: int = RUN) -> list[str]:
    """Runs of more than `run` words that stand in a text and in the body of a source."""
    known = {
        tuple(words[at : at + run + 1])
        for page in sources
        if (words := _words(f"{page.body}"))
        for at in range(len(words) - run)
    }
    ours = _words(text)
    return [
        " ".join(ours[at : at + run + 1])
        for at in range(len(ours) - run)
        if tuple(ours[at : at + run + 1]) in known
    ]


def short_title(page: Page) -> str:
    """A title of at most half a run: enough to know it by, too little to be a copy."""
    return _cut(page.title)


def _cut(text: str) -> str:
    found = list(_WORD.finditer(text))
    most = RUN // 2
    kept = text if len(found) <= most else f"{text[: found[most - 1].end()]}…"
    return " ".join(re.sub(r"[\[\]`<>|]", " ", kept).split())


def _words(text: str) -> list[str]:
    return [found[0].casefold() for found in _WORD.finditer(text)]


def _own_words(page: Page) -> str:
    severity = str(page.fields.get("severity") or "")
    task = f" for {page.task_id}" if page.task_id else ""
    day = page.ts.date().isoformat() if page.ts else "undated"
    sure = f", confidence {page.confidence}" if page.confidence else ""
    named = f"{severity} {page.kind}" if severity else page.kind
    return f"{page.seat}, {day}, {named}{task}, {page.status}{sure}"


def _counted(pages: Sequence[Page]) -> str:
    seats = Counter(page.seat for page in pages)
    still = sum(page.status not in _SETTLED for page in pages)
    told = ", ".join(f"{seat} {count}" for seat, count in sorted(seats.items()))
    return f"{len(pages)} pages of {len(seats)} seats ({told}); {still} not settled."


def _side_by_side(pages: Sequence[Page]) -> Iterator[str]:
    """Tasks on which several seats have something: where a decision stands beside an open risk above all."""
    tasks: dict[str, list[Page]] = {}
    for page in pages:
        for task in dict.fromkeys(filter(None, (page.task_id, *page.related_task_ids))):
            tasks.setdefault(task, []).append(page)
    for task, own in sorted(tasks.items()):
        seats = sorted({page.seat for page in own})
        if len(seats) < 2:
            continue
        risks = [page for page in own if page.kind in {"finding", "issue"} and page.status not in _SETTLED]
        decided = [page for page in own if page.kind == "decision" and page.status != "superseded"]
        clash = "; a decision stands beside an open risk" if risks and decided else ""
        kinds = ", ".join(f"{page.seat} {page.kind} ({page.status})" for page in own)
        yield f"- {task}: {kinds}{clash}"
