"""The links of a whole note and of a record: those in its words, and those its header or its fields spell out.

Pure. A path below the root is written relative to it, so that one file has one name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from memoracle.learn.links import (
    LinkRules,
    find_links,
    is_record,
    normal_path,
    normal_url,
    page_target,
    task_target,
)
from memoracle.model.link import PAGE, Link, LinkType, entity
from memoracle.model.record import Record, Sensitivity
from memoracle.model.value import replace

_FILE = "entity:file:"
_TASK_FIELDS = ("task_id", "related_task_ids")
_LONGEST_TASK = 80
_PLACES = ("path", "file", "ref", "where", "url", "source")
_WHERE = re.compile(r"(.{1,500}?)#L\d+(?:-L?\d+)?")


class LinkReader:
    """Reads the links of one root's notes and records; `rules` gives those of a project."""

    def __init__(self, root: str, rules: Callable[[str], LinkRules]) -> None:
        self._root = root.rstrip("/") + "/"
        self._rules = rules

    def of_note(
        self, path: str, project: str, header: Mapping[str, Any], body: str, *, first_line: int
    ) -> tuple[Link, ...]:
        """The links of a note: its header's first, then its words'."""
        folder = path.rpartition("/")[0]
        said = find_links(body, self._rules(project), first_line=first_line)
        return _distinct([self._at_home(link, folder) for link in (*_of_header(header), *said)])

    def of_record(self, record: Record) -> tuple[Link, ...]:
        """The links of one version of a record. What is secret shows no words around a link."""
        said = record.statement
        links = find_links(said.text, self._rules(record.scope.project))
        if said.key:
            links.append(_given(LinkType.KEY, entity("key", " ".join(said.key.split())), said.key))
        links += [_given(LinkType.SUPERSEDES, one, one) for one in record.validity.supersedes]
        links += [_given(LinkType.EVIDENCE, one, one) for one in record.sources if is_record(one)]
        if where := _WHERE.fullmatch(record.origin.where):
            target = entity("file", normal_path(where[1]))
            links.append(_given(LinkType.EVIDENCE, target, record.origin.where))
        links = [replace(self._at_home(link, ""), line=0) for link in links]
        if record.sensitivity is Sensitivity.SECRET:
            links = [replace(link, snippet="") for link in links]
        return _distinct(links)

    def _at_home(self, link: Link, folder: str) -> Link:
        """A link whose path is relative to the root: absolute below it, or relative to the note's folder."""
        kind, name = (PAGE, link.target[len(PAGE) :]) if link.target.startswith(PAGE) else ("", "")
        if link.target.startswith(_FILE):
            kind, name = _FILE, link.target[len(_FILE) :]
        if kind and name.startswith(self._root):
            return replace(link, target=kind + name[len(self._root) :])
        if kind and name.startswith("../") and folder:
            return replace(link, target=kind + normal_path(f"{folder}/{name}"))
        return link


def _of_header(header: Mapping[str, Any]) -> list[Link]:
    links = [
        _given(LinkType.TASK, task_target(named), f"{name}: {named}")
        for name in _TASK_FIELDS
        for named in _texts(header.get(name))
        if len(named) <= _LONGEST_TASK
    ]
    for named in _texts(header.get("supersedes")):
        target = named if is_record(named) else page_target(named.strip("[]"))
        if target:
            links.append(_given(LinkType.SUPERSEDES, target, f"supersedes: {named}"))
    links += [
        _given(LinkType.EVIDENCE, target, f"evidence: {named}")
        for named in _texts(header.get("evidence"))
        if (target := _evidence(named))
    ]
    return links


def _texts(field: Any) -> list[str]:
    """The words of a header's field: one, several, or the places that a list of objects names."""
    if isinstance(field, str):
        return [field.strip()] if field.strip() else []
    if isinstance(field, Mapping):
        return [one for name in _PLACES for one in _texts(field.get(name))][:1]
    if isinstance(field, list | tuple):
        return [one for part in field for one in _texts(part)]
    return []


def _evidence(named: str) -> str:
    if is_record(named):
        return named.partition("#")[0]
    if named.startswith(("http://", "https://")):
        return entity("url", normal_url(named))
    path = named.partition("#")[0].strip("`[]")
    is_path = ("/" in path or "." in path) and " " not in path
    return entity("file", normal_path(path)) if is_path else ""


def _given(kind: LinkType, target: str, words: str) -> Link:
    return Link(type=kind, target=target, snippet=" ".join(words.split())[:240], line=1)


def _distinct(links: list[Link]) -> tuple[Link, ...]:
    kept: dict[tuple[LinkType, str], Link] = {}
    for link in links:
        kept.setdefault((link.type, link.target), link)
    return tuple(kept.values())
