"""What scanners saw, as passages: the facts of a document in words, each at the lines it stands on.

A small part of a document becomes one passage, a large one is cut into its members. What a document says of itself is
no fact. They are outside text: their channel is a tool's, whatever they say.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime
from json import decoder
from typing import Any

from memoracle.errors import InvalidTime
from memoracle.extensions.seats.files_records import load_record, load_reflections, record_note
from memoracle.model.ids import file_digest
from memoracle.model.manifest import Loaded, Mark, Role
from memoracle.model.record import TRUST, Channel
from memoracle.model.report import Finding, Severity
from memoracle.model.search import EvidenceSource, Passage
from memoracle.model.value import replace, value
from memoracle.store.layouts import REFLECTIONS
from memoracle.store.store import Store
from memoracle.times import read_time

_FRAME = frozenset({"schema_version", "kind", "project", "repo", "scanned_at", "evidence", "source"})
_QUIET = frozenset({"last_seen", "fingerprint"})
_LARGEST = 12
_MOST_NAMES = 60
_PLAIN = {True: "yes", False: "no", None: "unknown"}


@value
class _Part:
    """A part of a document that becomes one passage."""

    path: tuple[str, ...]
    nodes: tuple[tuple[str, JsonNode], ...]


def load_facts(store: Store, path: str) -> Loaded:
    """The passages of a fact file; one that is no document gives a finding."""
    if path.endswith(f"/{REFLECTIONS}"):
        return load_reflections(store, path)
    content, hide = store.volume.read(path), store.guard.hide
    mark = Mark(size=0, lines=0, digest=file_digest(content))
    try:
        held = read_lines(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as problem:
        broken = Finding(
            code="unreadable-facts",
            severity=Severity.WARNING,
            path=path,
            message=f"what a scanner saw cannot be read: {problem}",
            hint="`memoracle scan` looks again",
        )
        return Loaded(path=path, role=Role.FACTS, whole=True, mark=mark, findings=(broken,))
    if (note := record_note(path, content, held)) is not None:
        return load_record(store, note)
    if os.path.dirname(path) not in _scanned_folders(store, path):
        return Loaded(path=path, role=Role.FACTS, whole=True, mark=mark)  # a document of nobody we know
    if not is_ours(held.says):
        # Another program's scanner may have put values of secrets there: nothing of it enters the view.
        foreign = Finding(
            code="foreign-facts",
            severity=Severity.INFO,
            path=path,
            message="another program's scanner wrote this; questions do not read it, `get` shows it masked, "
            "the file may hold secrets in clear",
            hint="`memoracle scan machine` puts names and fingerprints in its place",
        )
        return Loaded(path=path, role=Role.FACTS, whole=True, mark=mark, findings=(foreign,))
    passages = (replace(one, text=hide(one.text), title=hide(one.title)) for one in _passages(path, held))
    return Loaded(path=path, role=Role.FACTS, whole=True, mark=mark, passages=tuple(passages))


def _scanned_folders(store: Store, path: str) -> tuple[str, str]:
    """Where scanners keep what they saw: the machine's folder, and that of the project this file stands in."""
    projects = store.layout["project_fact"].partition("{")[0]
    project = path.removeprefix(projects).partition("/")[0]
    return os.path.dirname(store.layout["machine"]), f"{projects}{project}"


def is_ours(document: object) -> bool:
    """True for a document in the shape that our scanners write."""
    return isinstance(document, dict) and document.get("schema_version") == 1 and "evidence" in document


def _passages(path: str, held: JsonNode) -> Iterator[Passage]:
    said = held.says
    kind = os.path.basename(path).removesuffix(".json")
    project = said.get("project") if isinstance(said.get("project"), str) else ""
    whose = (
        f"{project or ''} {kind.replace('_', ' ')}".strip()
        if project
        else f"machine {kind.replace('_', ' ')}"
    )
    at = _moment(said.get("scanned_at"))
    body = next((node for name, node in held.members if name == "data"), held) if project else held
    members = tuple((name, node) for name, node in body.members if body is not held or name not in _FRAME)
    for part in _parts((), members):
        about = " ".join(_spoken(step) for step in part.path)
        text = "; ".join(filter(None, (_words(name, node) for name, node in part.nodes)))
        if not text:
            continue
        first, last = part.nodes[0][1].first_line, max(node.last_line for _, node in part.nodes)
        yield Passage(
            ref=f"{path}#L{first}",
            source=EvidenceSource.SCAN,
            kind=kind,
            text=f"{f'{whose} {about}'.strip()}: {text}",
            title=f"{whose} {about}".strip(),
            path=path,
            first_line=first,
            last_line=last,
            at=at,
            channel=Channel.TOOL.value,
            trust=TRUST[Channel.TOOL],
            project=str(project or ""),
            tags=("scan",),
        )


def _parts(path: tuple[str, ...], members: tuple[tuple[str, JsonNode], ...]) -> Iterator[_Part]:
    """Plain members together, every other member by itself; a large one is cut again."""
    plain = [(name, node) for name, node in members if _is_plain(node) and name not in _QUIET]
    for start in range(0, len(plain), _LARGEST):
        yield _Part(path=path, nodes=tuple(plain[start : start + _LARGEST]))
    for name, node in members:
        if _is_plain(node):
            continue
        if _size(node) <= _LARGEST and not node.is_list:
            yield _Part(path=path, nodes=((name, node),))
        else:
            yield from _parts((*path, *(() if name.isdecimal() else (name,))), node.members)


def _is_plain(node: JsonNode) -> bool:
    """A plain value, or a list of plain values."""
    return node.is_leaf or (node.is_list and all(one.is_leaf for _, one in node.members))


def _size(node: JsonNode) -> int:
    return 1 if _is_plain(node) else sum(_size(one) for _, one in node.members)


def _words(name: str, node: JsonNode) -> str:
    """A member in words: its name, then what it says."""
    if name in _QUIET:
        return ""
    label = "" if name.isdecimal() else _spoken(name)
    if node.is_leaf:
        said = _said(node.says)
    elif node.is_list and _is_plain(node):
        names = [_said(one.says) for _, one in node.members[:_MOST_NAMES]]
        said = ", ".join(filter(None, names))
    else:
        said = ", ".join(filter(None, (_words(own, one) for own, one in node.members)))
    return f"{label} {said}".strip() if said else ""


def _said(says: object) -> str:
    if isinstance(says, bool) or says is None:
        return _PLAIN[says]
    return str(says) if not isinstance(says, dict | list) else ""


def _spoken(name: str) -> str:
    """A name of a member as people would say it; names of variables stay as they are."""
    return name.replace("_", " ") if name.islower() else name


def _moment(said: object) -> datetime | None:
    try:
        return read_time(said) if isinstance(said, str) else None
    except InvalidTime:
        return None


# A JSON document in which every value knows the lines it stands on. Pure.


_BLANK = re.compile(r"[ \t\r\n]*")
_LITERAL = re.compile(r"true|false|null|-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][+-]?\d{1,4})?")
_LITERALS = {"true": True, "false": False, "null": None}
_DEEPEST = 60
_scan: Any = vars(decoder)["scanstring"]


@value
class JsonNode:
    """A value, the lines from which to which it stands, and what it is made of."""

    says: Any
    first_line: int
    last_line: int
    members: tuple[tuple[str, JsonNode], ...] = ()
    is_list: bool = False

    @property
    def is_leaf(self) -> bool:
        """A plain value, or an empty object or list."""
        return not self.members


def read_lines(text: str) -> JsonNode:
    """The document; raises ValueError when it is none."""
    reader = _Reader(text)
    node = reader.value(0)
    if reader.at != len(text.rstrip()):
        raise ValueError("something follows the document")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._line, self._counted = 1, 0

    def value(self, depth: int) -> JsonNode:
        if depth > _DEEPEST:
            raise ValueError("it is nested too deeply")
        self._skip()
        first = self._here()
        opening = self.text[self.at : self.at + 1]
        if opening in {"{", "["}:
            members = self._members(depth, is_list=opening == "[")
            says: Any = (
                [one.says for _, one in members]
                if opening == "["
                else {name: one.says for name, one in members}
            )
            return JsonNode(
                says=says,
                first_line=first,
                last_line=self._here(),
                members=tuple(members),
                is_list=opening == "[",
            )
        if opening == '"':
            says = self._string()
        elif found := _LITERAL.match(self.text, self.at):
            self.at = found.end()
            word = found[0]
            says = (
                _LITERALS[word] if word in _LITERALS else float(word) if set(word) & set(".eE") else int(word)
            )
        else:
            raise ValueError(f"nothing JSON knows stands at line {first}")
        return JsonNode(says=says, first_line=first, last_line=self._here())

    def _members(self, depth: int, *, is_list: bool) -> list[tuple[str, JsonNode]]:
        closing = "]" if is_list else "}"
        self.at += 1
        members: list[tuple[str, JsonNode]] = []
        self._skip()
        if self._takes(closing):
            return members
        while True:
            name = str(len(members))
            if not is_list:
                self._skip()
                if self.text[self.at : self.at + 1] != '"':
                    raise ValueError(f"a name is missing at line {self._here()}")
                name = self._string()
                self._skip()
                if not self._takes(":"):
                    raise ValueError(f"a colon is missing at line {self._here()}")
            members.append((name, self.value(depth + 1)))
            self._skip()
            if self._takes(closing):
                return members
            if not self._takes(","):
                raise ValueError(f"a comma is missing at line {self._here()}")

    def _string(self) -> str:
        said, self.at = _scan(self.text, self.at + 1, True)
        return str(said)

    def _takes(self, char: str) -> bool:
        if self.text[self.at : self.at + 1] != char:
            return False
        self.at += 1
        return True

    def _skip(self) -> None:
        if found := _BLANK.match(self.text, self.at):
            self.at = found.end()

    def _here(self) -> int:
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line
