"""MEMORY.md and its kin as pieces: a list item or a paragraph is one piece, the sections around it are its tags.

OpenClaw's inline metadata is understood: `trigger`, `importance` (1 to 10), `project` on the line, `observed` and
`status` before it. A record that `export` wrote into Markdown returns as itself. Who wrote the rest nobody can
tell from a file: it is a document, unless the caller knows better.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memoracle.clock import read_time
from memoracle.errors import InvalidDraft, InvalidTime
from memoracle.ingest.imports.blocks import Block, Page, cut
from memoracle.ingest.imports.piece import (
    Holding,
    Piece,
    differs,
    drafted,
    lost,
    moment,
    name_for,
    piece_of,
    text_at,
)
from memoracle.model.origin import QUOTED, Channel
from memoracle.model.record import Kind, Status
from memoracle.model.report import Finding
from memoracle.model.scope import Scope
from memoracle.model.value import replace, value
from memoracle.model.vital import vital_kind
from memoracle.policy.origins import may_become
from memoracle.store import carried, frontmatter
from memoracle.text import normalise

_KINDS: Sequence[tuple[Kind, tuple[str, ...]]] = (
    (Kind.PREFERENCE, ("preference", "preferences", "likes", "style", "偏好", "喜好", "习惯")),
    (Kind.RULE, ("rule", "rules", "boundaries", "规则", "约定", "红线")),
    (Kind.DECISION, ("decision", "decisions", "决定", "决策")),
    (Kind.LESSON, ("lesson", "lessons", "learnings", "教训", "经验", "踩坑")),
    (Kind.PROCEDURE, ("procedure", "procedures", "how-to", "howto", "runbook", "流程", "步骤")),
    (Kind.RELATIONSHIP, ("contact", "contacts", "people", "family", "联系人", "人物", "家人")),
    (Kind.TASK, ("task", "tasks", "todo", "todos", "open", "待办", "任务")),
    (Kind.EVENT, ("event", "events", "timeline", "log", "事件", "大事记")),
)
_DATE = re.compile(r"\W{0,4}([12][0-9]{3}-[01][0-9]-[0-3][0-9])\b")
_BOX = re.compile(r"\[([ xX])\] ")
_CITED = re.compile(
    r"— (mem_[0-9A-HJKMNP-TV-Z]{26}), (\S{1,300}), ([0-9]{4}-[0-9]{2}-[0-9]{2}), ([a-z]{1,20})(, archived)?\Z"
)
_PROMOTED = "openclaw-memory-promotion:"
_STANDINGS = {"superseded": Status.SUPERSEDED, "archived": Status.ARCHIVED, "active": Status.ACTIVE}


def read_memory_file(
    path: str,
    place: str,
    *,
    channel: Channel = Channel.DOCUMENT,
    tags: Sequence[str] = (),
    scope: Scope | None = None,
) -> Holding:
    """The pieces of one Markdown file."""
    text, findings = text_at(path, place)
    note = frontmatter.parse(text, path=place)
    page = cut(note.body, first_line=note.body_line)
    header = note.fields.get("tags")
    common = [*tags, *page.tags, *(header if isinstance(header, list) else ())]
    held = pieces_in(page, place, channel=channel, tags=common, scope=scope)
    return replace(held, findings=(*findings, *held.findings))


def pieces_in(
    page: Page,
    place: str,
    *,
    channel: Channel,
    tags: Iterable[str] = (),
    entities: Sequence[str] = (),
    scope: Scope | None = None,
    only_carried: bool = False,
) -> Holding:
    """The pieces of a page that was cut; `only_carried` takes nothing but records that `export` wrote."""
    pieces: list[Piece] = []
    findings: list[Finding] = []
    for block in page.blocks:
        if back := _returning(block, place):
            pieces.append(back)
            continue
        if only_carried or not block.text.strip():
            continue
        meta = _Meta(block, place)
        findings += meta.findings
        try:
            pieces.append(_piece(page, block, meta, place, channel, tuple(tags), tuple(entities), scope))
        except InvalidDraft as problem:
            findings.append(lost(place, block.first, str(problem)))
    return Holding(pieces=tuple(pieces), findings=tuple(findings))


def carries(text: str) -> bool:
    """True when records of ours may stand in a Markdown text."""
    return f"<!-- {carried.NAME}: {{" in text


def without(text: str, blocks: Iterable[Block]) -> str:
    """The text without the lines of some blocks."""
    gone = {at for block in blocks for at in range(block.first, block.last + 1)}
    return "\n".join(line for at, line in enumerate(text.split("\n"), start=1) if at not in gone)


def returning_blocks(page: Page, place: str) -> list[Block]:
    """The blocks of a page that are records which `export` wrote."""
    return [block for block in page.blocks if _returning(block, place)]


def kind_for(sections: Iterable[str], channel: Channel) -> Kind | None:
    """What the nearest section that says so makes of its lines; None when none does, or the channel cannot."""
    for title in reversed([*sections]):
        words = normalise(title)
        split = set(re.split(r"[^\w\-]+", words))
        for kind, names in _KINDS:
            if any(name in (split if name.isascii() else words) for name in names):
                return kind if may_become(channel, kind) else None
    return None


@value
class _Said:
    """What the comments of a block say about it."""

    triggers: tuple[str, ...] = ()
    importance: float | None = None
    project: str = ""
    observed: datetime | None = None
    status: Status = Status.ACTIVE


class _Meta:
    """Reads the comments of one block; what nobody understands is told."""

    def __init__(self, block: Block, place: str) -> None:
        self.said = _Said()
        self.findings: list[Finding] = []
        for comment in block.comments:
            if comment.startswith(_PROMOTED):
                continue
            for part in comment.split("|"):
                name, colon, rest = part.partition(":")
                try:
                    self._read(name.strip().casefold(), rest.strip() if colon else "")
                except (ValueError, InvalidTime):
                    shown = " ".join(comment.split())[:60]
                    self.findings.append(differs(place, block.first, f"a comment is left out: {shown}"))

    def _read(self, name: str, rest: str) -> None:
        if name in {"trigger", "triggers"}:
            words = [word.strip() for word in re.split(r"[,;，；]", rest)]
            self.said = replace(self.said, triggers=tuple(filter(None, words)))
        elif name == "importance":
            self.said = replace(self.said, importance=min(10.0, max(1.0, float(rest[:20]))) / 10)
        elif name == "project" and rest:
            self.said = replace(self.said, project=rest)
        elif name == "observed":
            self.said = replace(self.said, observed=read_time(rest))
        elif name == "status" and rest.casefold() in _STANDINGS:
            self.said = replace(self.said, status=_STANDINGS[rest.casefold()])
        else:
            raise ValueError(name)


def _piece(
    page: Page,
    block: Block,
    meta: _Meta,
    place: str,
    channel: Channel,
    tags: tuple[str, ...],
    entities: tuple[str, ...],
    scope: Scope | None,
) -> Piece:
    said, text = meta.said, block.text
    box = _BOX.match(text) if block.is_item else None
    text = text[box.end() :] if box else text
    sections = [title for title in block.sections if title != page.title]
    kind, importance = _weigh(text, sections, channel, is_open=bool(box and box[1] == " "))
    observed = said.observed or _dated(text) or next(filter(None, map(_dated, reversed(sections))), None)
    done = ("done",) if box and box[1] != " " else ()
    own = Scope(project=name_for("project", said.project.rpartition("/")[2])) if said.project else scope
    return Piece(
        draft=drafted(
            text,
            channel=channel,
            where=f"{place}#L{block.first}",
            kind=kind,
            importance=said.importance if said.importance is not None else importance,
            observed=observed,
            tags=(*tags, *sections, *done, *(f"trigger:{word}" for word in said.triggers)),
            entities=entities,
            scope=own,
        ),
        place=place,
        line=block.first,
        status=said.status,
        extra={"project_key": said.project} if "/" in said.project else {},
    )


def _weigh(text: str, sections: Sequence[str], channel: Channel, *, is_open: bool) -> tuple[Kind, float]:
    vital = vital_kind(text)
    if vital is not None and channel is Channel.OWNER:
        return vital, 1.0
    if is_open and may_become(channel, Kind.TASK):
        return Kind.TASK, 0.5
    return kind_for(sections, channel) or Kind.FACT, 0.5


def _dated(text: str) -> datetime | None:
    found = _DATE.match(text)
    return moment(found[1]) if found else None


def _returning(block: Block, place: str) -> Piece | None:
    """A record that left through `export`, as itself."""
    for comment in block.comments:
        fields: Any = carried.in_comment(comment)
        if isinstance(fields, Mapping) and (record := carried.restore(fields, text=block.text)):
            return piece_of(record, place=place, line=block.first)
    last = block.text.rfind("— mem_") if block.is_item else -1
    cited = _CITED.match(block.text, last) if last >= 0 else None
    if cited is None or not (text := block.text[: cited.start()].strip()):
        return None
    nearest = block.sections[-1] if block.sections else ""
    kind = Kind(nearest) if nearest in Kind.__members__.values() else Kind.FACT
    named = Channel(cited[4]) if cited[4] in Channel.__members__.values() else Channel.AGENT
    # Anybody can write such a line, and it names its own channel: what it says of its weight counts downwards only.
    channel = named if named in QUOTED else Channel.AGENT
    draft = drafted(text, channel=channel, where=cited[2], kind=kind)
    status = Status.ARCHIVED if cited[5] else Status.ACTIVE
    return Piece(
        draft=draft, place=place, line=block.first, foreign=cited[1], created=moment(cited[3]), status=status
    )
