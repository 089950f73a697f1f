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

from memoracle.errors import InvalidDraft, InvalidTime
from memoracle.extensions.exchange import carried
from memoracle.extensions.exchange.imports.item import (
    Holding,
    ImportedItem,
    differs,
    drafted,
    lost,
    moment,
    name_for,
    piece_of,
    text_at,
)
from memoracle.guard.guard import may_become
from memoracle.model.predicates import vital_kind
from memoracle.model.record import QUOTED, Channel, Kind, Scope, Status
from memoracle.model.report import Finding
from memoracle.model.value import replace, value
from memoracle.store import frontmatter
from memoracle.store.chunks import headings, split_lines
from memoracle.store.generated import generated_lines
from memoracle.text import normalise
from memoracle.times import read_time

# Markdown cut into list items and paragraphs, each with its sections and the comments that belong to it.

_ITEM = re.compile(r" {0,1}(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?=\S)")
_DEEPER = re.compile(r"(?: {2,8}|\t)")
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")
_RULE = re.compile(r" {0,3}(?:(?:- ?){3,20}|(?:\* ?){3,20}|(?:_ ?){3,20})\s{0,8}")
_TAGS = re.compile(r"#tags:(.{0,2000})", re.IGNORECASE)


@value
class TextBlock:
    """Some lines that say one thing, numbered from 1. `comments` are the insides of HTML comments."""

    first: int
    last: int
    text: str
    sections: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    is_item: bool = False


@value
class ImportedPage:
    """A Markdown text: its blocks, and the tags of its tag line."""

    blocks: tuple[TextBlock, ...]
    tags: tuple[str, ...] = ()
    title: str = ""


def cut(text: str, *, first_line: int = 1) -> ImportedPage:
    """The blocks of a text. A comment on a line of its own belongs to what follows, up to the next heading."""
    hidden = generated_lines(text)
    bare, comments = _uncommented(text)
    lines = split_lines(bare)
    titles = {heading.line: heading for heading in headings(lines)}
    cutter = _Cutter(first_line, comments)
    for at, line in enumerate(lines):
        if at in hidden:
            cutter.end()
        elif cutter.in_fence or at not in titles:
            cutter.take(at, line)
        else:
            cutter.head(titles[at].level, titles[at].title)
    cutter.end()
    first = next(iter(titles.values()), None)
    return ImportedPage(
        blocks=tuple(cutter.blocks),
        tags=tuple(dict.fromkeys(cutter.tags)),
        title=first.title if first and first.level == 1 else "",
    )


class _Cutter:
    """Takes line by line; holds the block that is open, the sections around it and the comments that wait."""

    def __init__(self, first_line: int, comments: dict[int, list[str]]) -> None:
        self.blocks: list[TextBlock] = []
        self.tags: list[str] = []
        self.in_fence = False
        self._first_line = first_line
        self._comments = comments
        self._path: list[tuple[int, str]] = []
        self._open: list[tuple[int, str]] = []
        self._is_item = False
        self._blank = False
        self._standing: list[str] = []

    def head(self, level: int, title: str) -> None:
        """A heading: what stood before ends."""
        self.end()
        self._standing = []
        self._path = [*((depth, name) for depth, name in self._path if depth < level), (level, title)]

    def take(self, at: int, line: str) -> None:
        """A line that is no heading."""
        if _FENCE.match(line):
            self.in_fence = not self.in_fence
        elif not self.in_fence:
            if not line.strip():
                self._rest(at, line)
                return
            if _RULE.fullmatch(line) and at not in self._comments:
                self.end()
                return
            if not self._open and (found := _TAGS.match(line.strip())):
                self.tags += [tag.lstrip("#") for tag in re.split(r"[\s,，、]+", found[1]) if tag.lstrip("#")]
                return
            if _ITEM.match(line):
                self.end()
                self._is_item = True
            elif self._blank and not (self._is_item and _DEEPER.match(line)):
                self.end()
        if self._blank and self._open:
            self._open.append((at, ""))
        self._blank = False
        self._open.append((at, line))

    def _rest(self, at: int, line: str) -> None:
        """A blank line; a comment that stood on it alone waits for what follows, an indented one ends its item."""
        if alone := self._comments.get(at):
            if self._is_item and not self._blank and line:
                self._open.append((at, ""))
                return
            self.end()
            self._standing = alone
        self._blank = True

    def end(self) -> None:
        """The open block is whole."""
        if self._open:
            first, last = self._open[0][0], self._open[-1][0]
            said = [said for at in range(first, last + 1) for said in self._comments.get(at, ())]
            text = _item_text(self._open) if self._is_item else "\n".join(line for _, line in self._open)
            if text.strip() or said:
                self.blocks.append(
                    TextBlock(
                        first=self._first_line + first,
                        last=self._first_line + last,
                        text="\n".join(line.rstrip() for line in text.split("\n")).strip("\n"),
                        sections=tuple(title for _, title in self._path if title),
                        comments=(*self._standing, *said),
                        is_item=self._is_item,
                    )
                )
        self._open, self._is_item, self._blank = [], False, False


def _item_text(lines: Sequence[tuple[int, str]]) -> str:
    """An item without its bullet; what is below it without its indent."""
    head = _ITEM.sub("", lines[0][1], count=1)
    rest = [line[2:] if line.startswith("  ") else line.removeprefix("\t") for _, line in lines[1:]]
    return "\n".join([head, *rest])


def _uncommented(text: str) -> tuple[str, dict[int, list[str]]]:
    """The text without its comments, every line where it was; and the comments by the line they begin on, from 0."""
    kept: list[str] = []
    comments: dict[int, list[str]] = {}
    line = place = 0
    while (begin := text.find("<!--", place)) >= 0 and (close := text.find("-->", begin + 4)) >= 0:
        before, said = text[place:begin], text[begin + 4 : close]
        line += before.count("\n")
        kept += [before, "\n" * said.count("\n")]
        comments.setdefault(line, []).append(said.strip())
        line += said.count("\n")
        place = close + 3
    kept.append(text[place:])
    return "".join(kept), comments


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
    page: ImportedPage,
    place: str,
    *,
    channel: Channel,
    tags: Iterable[str] = (),
    entities: Sequence[str] = (),
    scope: Scope | None = None,
    only_carried: bool = False,
) -> Holding:
    """The pieces of a page that was cut; `only_carried` takes nothing but records that `export` wrote."""
    pieces: list[ImportedItem] = []
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


def without(text: str, blocks: Iterable[TextBlock]) -> str:
    """The text without the lines of some blocks."""
    gone = {at for block in blocks for at in range(block.first, block.last + 1)}
    return "\n".join(line for at, line in enumerate(text.split("\n"), start=1) if at not in gone)


def returning_blocks(page: ImportedPage, place: str) -> list[TextBlock]:
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

    def __init__(self, block: TextBlock, place: str) -> None:
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
    page: ImportedPage,
    block: TextBlock,
    meta: _Meta,
    place: str,
    channel: Channel,
    tags: tuple[str, ...],
    entities: tuple[str, ...],
    scope: Scope | None,
) -> ImportedItem:
    said, text = meta.said, block.text
    box = _BOX.match(text) if block.is_item else None
    text = text[box.end() :] if box else text
    sections = [title for title in block.sections if title != page.title]
    kind, importance = _weigh(text, sections, channel, is_open=bool(box and box[1] == " "))
    observed = said.observed or _dated(text) or next(filter(None, map(_dated, reversed(sections))), None)
    done = ("done",) if box and box[1] != " " else ()
    own = Scope(project=name_for("project", said.project.rpartition("/")[2])) if said.project else scope
    return ImportedItem(
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


def _returning(block: TextBlock, place: str) -> ImportedItem | None:
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
    return ImportedItem(
        draft=draft, place=place, line=block.first, foreign=cited[1], created=moment(cited[3]), status=status
    )
