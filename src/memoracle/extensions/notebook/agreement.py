"""Whether notes agree: a fact in two homes, two lines of which only one can be right, a secret in clear.

Further checks of notes, beside the nine of `hygiene`. They warn, and change nothing: which line is right is its owner's
to say. A secret is told by its place and type, never by its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from memoracle.extensions.notebook.homes import DAILY, PROCEDURAL, SEMANTIC, Stated, duplicates, fact_of
from memoracle.learn.evidence import folded
from memoracle.model.report import Finding, Severity
from memoracle.store.chunks import split_lines
from memoracle.store.generated import generated_lines
from memoracle.store.layouts import NoteRole
from memoracle.text import is_stop, shorten, terms
from memoracle.upkeep.checks import Check, graded

if TYPE_CHECKING:
    from memoracle.extensions.notebook.hygiene import Shelf
    from memoracle.store.notes import NoteFile
    from memoracle.store.store import Store

_SHOWN = 60
_ADDRESS = re.compile(r"(?<![\w.:-])(?:\d{1,3}(?:\.\d{1,3}){3}|:?\d{2,5})(?![\w-]|[.:]\d)")
_PLACED = re.compile(
    r"\b(?:ports?|listen(?:s|ing)?|runs? on|address|ip|gateway|host)\b|端口|监听|地址|网关|主机",
    re.IGNORECASE,
)
_CHANGING = frozenset(
    "port ports listen listens listening run runs move moved moves now new change changed uses use address ip"
    " since today 端口 监听 地址 现在 改 改为 改成 搬 移 到 了".split()
)
_ROLES: dict[NoteRole | None, str] = {
    NoteRole.SEMANTIC: SEMANTIC,
    NoteRole.PROCEDURAL: PROCEDURAL,
    NoteRole.DAILY: DAILY,
}


def agreement_checks(store: Store, shelf: Shelf) -> list[Check]:
    """Facts that stand twice, lines that contradict each other, and secrets in clear."""
    roles = store.notes.files()
    notes = [
        (note, store.guard.hide(note.text)) for note in (*shelf.warm, *shelf.daily, shelf.hot) if note.text
    ]
    stated = [
        one for note, shown in notes for one in _stated(note, shown, _ROLES.get(roles.get(note.path), "hot"))
    ]
    return [
        graded("one-home", list(_twice(stated)), fine="no fact stands in two homes"),
        graded("contradictions", list(_contradictions(stated)), fine="no two notes contradict each other"),
        graded("note-secrets", list(_secrets(notes)), fine="no note holds a secret in clear"),
    ]


def _stated(note: NoteFile, shown: str, role: str) -> Iterator[Stated]:
    hidden = generated_lines(note.text)
    for at, line in enumerate(split_lines(shown)):
        if at not in hidden and at + 1 >= note.body_line and (said := fact_of(line)):
            yield Stated(path=note.path, line=at + 1, role=role, text=said)


def _twice(stated: Sequence[Stated]) -> Iterator[Finding]:
    for one in duplicates(stated):
        first, *others = one.lines
        how = "says the same as" if one.how == "same" else "says nearly the same as"
        hint = f"keep it in one place; it looks like something for `{one.home}`"
        yield from (_finding("one-home", other, f"{how} {first.place}", hint) for other in others)
    seen: dict[tuple[str, str], Stated] = {}
    for line in stated:  # within one note, of what it knows: how something is done may say a step twice
        before = seen.setdefault((line.path, folded(line.text)), line)
        if before is not line and line.role == SEMANTIC:
            yield _finding("one-home", line, f"says the same as {before.place}", "keep it in one place")


def _contradictions(stated: Sequence[Stated]) -> Iterator[Finding]:
    """Lines that put the same thing at two addresses or ports; of days the newer one, against what a home says."""
    by_name: dict[frozenset[str], list[tuple[Stated, str]]] = {}
    for one in stated:
        found = _ADDRESS.findall(one.text)
        if len(found) == 1 and _PLACED.search(one.text):
            first = re.split(r"[.;。；]\s|[.;。；]$", one.text)[0]
            if found[0] not in first:
                continue
            words = {term for term in terms(first) if not is_stop(term) and not any(map(str.isdigit, term))}
            if name := frozenset(words - _CHANGING):
                by_name.setdefault(name, []).append((one, found[0].lstrip(":")))
    for lines in by_name.values():
        homes = [(one, said) for one, said in lines if one.role != DAILY]
        days = sorted((row for row in lines if row[0].role == DAILY), key=lambda row: row[0].path)[-1:]
        for (one, own), (other, theirs) in combinations([*homes, *days], 2):
            if own != theirs and ("." in own) == ("." in theirs):
                says = (
                    f"“{shorten(other.text, _SHOWN)}” contradicts {one.place}: “{shorten(one.text, _SHOWN)}”"
                )
                yield _finding("contradictions", other, says, "put right the one that no longer holds")


def _secrets(notes: Sequence[tuple[NoteFile, str]]) -> Iterator[Finding]:
    says = "a secret stands here in clear; whatever is shown of it is masked"
    hint = "take it out of the note, and make the secret anew where others could read it"
    for note, shown in notes:
        for at, (own, masked) in enumerate(
            zip(note.text.split("\n"), shown.split("\n"), strict=False), start=1
        ):
            if own != masked:
                yield _finding("note-secrets", Stated(path=note.path, line=at, role="", text=""), says, hint)


def _finding(code: str, where: Stated, says: str, hint: str) -> Finding:
    return Finding(
        code=code, severity=Severity.WARNING, path=where.path, line=where.line, message=says, hint=hint
    )
