"""Links in a text, by rules: tasks, commits, components, files, addresses, keys, projects, pages, evidence.

Pure: text in, links out; no model, and time linear in the length of the text. What stands in a code block is no link.
Each sort of thing is looked for in what the ones before it left over, so that a part of an address is never a file.

Names of standards, models, encodings and the like (`rules/links.toml`) are never tasks unless a project registers them.
A single letter before the number is doubtful: it counts where the project uses it with another number, too. The rules
of a root come from its `component-patterns.toml`, those of a project from the file of that name in its folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType
from typing import Any

from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.link import PAGE, Link, LinkType, entity
from memoracle.model.record import Record, Sensitivity
from memoracle.model.value import replace, value
from memoracle.tables import expression, table
from memoracle.text import normalise

SUFFIXES = ("Phasic", "Physics", "View", "Engine", "Layer", "Component")
"""What the names of components end with, unless a project says otherwise."""
_TABLE = os.path.join(os.path.dirname(__file__), "rules", "links.toml")
_pattern = partial(expression, _TABLE)

_LIKE_A_COLOUR, _ALWAYS_A_COLOUR = frozenset({3, 4, 6, 8}), frozenset({6, 8})
_NEAR, _FEW = 28, 100
_TRAILING = ".,;:!?*_~…"
_PORTS = {"http": ":80", "https": ":443"}
_AROUND = 60
_REPLACES = ("upersed", "取代", "替代")
_LONGEST_SNIPPET = 240


@value
class LinkRules:
    """The endings of components, and the prefixes of tasks that somebody registered."""

    suffixes: tuple[str, ...] = SUFFIXES
    prefixes: frozenset[str] = frozenset()


PLAIN = LinkRules()


@value
class _Found:
    """A link and the characters it was found in."""

    start: int
    end: int
    type: LinkType
    target: str
    doubt: str = ""


def read_rules(table: Mapping[str, Any], base: LinkRules = PLAIN) -> LinkRules:
    """The rules of a parsed `component-patterns.toml`: missing ones come from `base`, invalid ones are ignored."""
    inner = table.get("components") or table.get("component")
    named = table.get("suffixes", inner.get("suffixes") if isinstance(inner, Mapping) else None)
    suffixes = _valid(named, _pattern("suffix"))
    return LinkRules(
        suffixes=tuple(dict.fromkeys(suffixes)) or base.suffixes,
        prefixes=base.prefixes | frozenset(_valid(table.get("task_prefixes"), _pattern("prefix"))),
    )


def find_links(text: str, rules: LinkRules = PLAIN, *, first_line: int = 1) -> list[Link]:
    """The links of a text, one for each target and type, in the order of their first mention."""
    plain = without_code(text)
    left = plain
    found: list[_Found] = []
    for finder, takes in _FINDERS:
        own = list(finder(left, rules))
        found += own
        if takes:
            left = _blanked(left, own)
    found.sort(key=lambda one: (one.start, _ORDER[one.type], one.target))
    links: dict[tuple[LinkType, str], Link] = {}
    line, counted = first_line, 0
    for one in found:
        line += plain.count("\n", counted, one.start)
        counted = one.start
        if (one.type, one.target) not in links:
            around = snippet(plain, one.start, one.end)
            links[one.type, one.target] = Link(
                type=one.type, target=one.target, snippet=around, line=line, doubt=one.doubt
            )
    return list(links.values())


def snippet(text: str, start: int, end: int) -> str:
    """What stands around a place, on one line."""
    said = text[start:end]
    if len(said) > _LONGEST_SNIPPET - 2 * _AROUND:
        said = said[: _LONGEST_SNIPPET - 2 * _AROUND] + "…"
    return " ".join((text[max(0, start - _AROUND) : start] + said + text[end : end + _AROUND]).split())


def without_code(text: str) -> str:
    """The text with its code blocks emptied; every line keeps its number."""
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.split("\n")
    opened = ""
    for at, line in enumerate(lines):
        mark = _pattern("fence").match(line)
        if opened:
            lines[at] = ""
            if mark and mark[1].startswith(opened) and not mark[2].strip():
                opened = ""
        elif mark and (mark[1][0] == "~" or "`" not in mark[2]):
            opened = mark[1]
            lines[at] = ""
    return "\n".join(lines)


def tasks(text: str, rules: LinkRules) -> Iterator[_Found]:
    """Every task of a text."""
    for found in _pattern("github").finditer(text):
        yield _at(found, LinkType.TASK, entity("taskid", f"GH#{int(found[1])}"))
    for found in _pattern("task").finditer(text):
        prefix, number = found[1], found[2]
        known = prefix in _words("never_tasks") or prefix.rstrip("0123456789") in _words("never_tasks")
        if prefix == "GH" or (known and prefix not in rules.prefixes):
            continue
        before = text[max(0, found.start() - 48) : found.start()]
        # A slash stands before it in the name of a branch, and behind another task.
        if before.endswith("/") and not (
            _pattern("branch").search(before) or re.search(r"[A-Z]-\d{1,7}/\Z", before)
        ):
            continue
        doubtful = sum(map(str.isalpha, prefix)) == 1 and prefix not in rules.prefixes
        target = entity("taskid", f"{prefix}-{number}")
        yield _at(found, LinkType.TASK, target, doubt=prefix if doubtful else "")
    for found in _pattern("bare").finditer(text):
        if _is_issue(text, found):
            yield _at(found, LinkType.TASK, entity("taskid", f"#{found[1]}"))


def task_target(named: str) -> str:
    """The target of a task that a header names: capitals, one spelling."""
    plain = named.strip().upper()
    return entity("taskid", re.sub(r"\AGH-(?=\d+\Z)", "GH#", plain))


def _at(found: re.Match[str], kind: LinkType, target: str, *, doubt: str = "", group: int = 0) -> _Found:
    return _Found(start=found.start(group), end=found.end(group), type=kind, target=target, doubt=doubt)


def _is_issue(text: str, found: re.Match[str]) -> bool:
    number = found[1]
    before = text[max(0, found.start() - _NEAR) : found.start()]
    if _pattern("issue").search(before):
        return True
    if len(number) in _ALWAYS_A_COLOUR:
        return False
    if len(number) in _LIKE_A_COLOUR and _pattern("colour").search(
        before + text[found.end() : found.end() + _NEAR]
    ):
        return False
    return not (int(number) < _FEW and _pattern("ranked").search(before))


def files(text: str) -> Iterator[_Found]:
    """Every file, and every line of one that is quoted as evidence."""
    taken: list[tuple[int, int]] = []
    for quoted in _pattern("quoted").finditer(text):
        name, marked, _ = quoted[1].partition("#")
        if not quoted[1].isascii() and (path := _path_in(name)):
            kind = LinkType.EVIDENCE if marked else LinkType.FILE
            taken.append(quoted.span())
            yield _at(quoted, kind, entity("file", path))
    blocked = iter(taken)
    block = next(blocked, None)
    for token in _pattern("token").finditer(text):
        while block and block[1] <= token.start():
            block = next(blocked, None)
        if block and block[0] <= token.start():
            continue
        word = token[0].rstrip(".-/~")
        end = token.start() + len(word)
        if text[token.start() - 1 : token.start()] not in {"@", "\\"} and (path := _path_in(word)):
            lines = _pattern("lines").match(text, end) if end == token.end() else None
            kind, last = (LinkType.EVIDENCE, lines.end()) if lines else (LinkType.FILE, end)
            yield _Found(start=token.start(), end=last, type=kind, target=entity("file", path))


def normal_path(path: str) -> str:
    """One spelling of a path: no `./`, no doubled slash, `..` resolved where it can be."""
    steps: list[str] = []
    for step in path.split("/"):
        if step == ".." and steps and steps[-1] not in {"..", "~"}:
            steps.pop()
        elif step not in {"", "."}:
            steps.append(step)
    return ("/" if path.startswith("/") else "") + "/".join(steps)


def projects(text: str) -> Iterator[_Found]:
    """Every project whose folder is named."""
    for found in _pattern("project").finditer(text):
        name = (found[1] or found[2]).rstrip(".")
        yield _at(found, LinkType.PROJECT, entity("project", name))


def commits(text: str) -> Iterator[_Found]:
    """Every commit that is called one, and hashes alone in brackets. Hexadecimal needs a digit and a letter."""
    for word in _pattern("commit_word").finditer(text):
        gap = _pattern("commit_gap").match(text, word.end())
        at = gap.end() if gap else word.end()
        while found := _pattern("commit").match(text, at):
            if text[at - 1 : at].isascii() and text[at - 1 : at].isalnum():
                break
            if is_hash(found[1]):
                yield _commit(found)
            more = _pattern("commit_and").match(text, found.end())
            if not more:
                break
            at = more.end()
    for found in _pattern("bracketed").finditer(text):
        if is_hash(found[1]):
            yield _commit(found)


def is_hash(word: str) -> bool:
    """True for what can be the hash of a commit and is neither a word nor a number."""
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))


def components(text: str, suffixes: Sequence[str]) -> Iterator[_Found]:
    """Every capitalised name that ends as components do."""
    endings = tuple(suffixes)
    if not any(ending in text for ending in endings):
        return
    for found in _pattern("capitalised").finditer(text):
        name = found[0]
        if name.endswith(endings) and name not in endings and len(name) <= 100:
            yield _at(found, LinkType.COMPONENT, entity("component", name))


def _commit(found: re.Match[str]) -> _Found:
    return _at(found, LinkType.COMMIT, entity("commit", found[1].lower()), group=1)


def _path_in(word: str) -> str:
    """The path that a word is; empty when it is none."""
    folder, slash, name = word.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    if not dot or not stem or extension not in _words("extensions") or word.startswith("//"):
        return ""
    # A bare name begins with a letter; below a folder, dates and numbers are names, too.
    if not (stem[0].isalpha() or (slash and stem[0].isalnum()) or (stem[0] in "_." and stem.strip("._"))):
        return ""
    if not slash and word.lower() in _words("never_files"):
        return ""
    if slash and _pattern("host").fullmatch(folder.partition("/")[0]):
        return ""
    return normal_path(word)


def urls(text: str) -> Iterator[_Found]:
    """Every web address."""
    for found in _pattern("url").finditer(text):
        address = found[0].rstrip(_TRAILING)
        if address[address.index("://") + 3 :]:
            end, target = found.start() + len(address), entity("url", normal_url(address))
            yield _Found(start=found.start(), end=end, type=LinkType.URL, target=target)


def normal_url(address: str) -> str:
    """One spelling: small letters in scheme and host, no password, no usual port, no fragment."""
    scheme, _, rest = address.partition("://")
    scheme = scheme.lower()
    rest = rest.partition("#")[0]
    end = min((at for at in map(rest.find, "/?") if at >= 0), default=len(rest))
    host = rest[:end].rpartition("@")[2].lower().removesuffix(_PORTS.get(scheme, ":"))
    path = rest[end:]
    return f"{scheme}://{host}{path if path.startswith('/') else '/' + path}"


def pages(text: str) -> Iterator[_Found]:
    """Every `[[name]]`, `[[name#heading]]` and `[[name|words]]`."""
    for found in _pattern("page").finditer(text):
        if target := _page_of(found):
            yield _at(found, LinkType.WIKILINK, target)


def superseded(text: str) -> Iterator[_Found]:
    """What a text says it takes the place of: pages, records, Markdown files, one or several."""
    for word in _pattern("supersedes").finditer(text):
        at = word.end()
        while one := _target_at(text, at):
            yield one
            more = _pattern("and").match(text, one.end)
            if not more:
                break
            at = more.end()


def keys(text: str) -> Iterator[_Found]:
    """Every `[KEY: …]`, in any script."""
    for found in _pattern("key").finditer(text):
        if named := " ".join(found[1].split()):
            yield _at(found, LinkType.KEY, entity("key", named))


def page_target(name: str) -> str:
    """The target that the name of a page becomes; empty when there is none in it."""
    plain = " ".join(name.split()).removeprefix("./").rstrip("/")
    if _pattern("record").fullmatch(plain):
        return plain
    return f"{PAGE}{normalise(plain.removesuffix('.md'))}" if plain.removesuffix(".md") else ""


def _page_of(found: re.Match[str]) -> str:
    name = found[1]
    is_code = name[0] in " \t" or _pattern("no_page").fullmatch(name)
    return "" if is_code else page_target(name)


def _target_at(text: str, at: int) -> _Found | None:
    if (found := _pattern("page").match(text, at)) and (target := _page_of(found)):
        return _at(found, LinkType.SUPERSEDES, target)
    if found := _pattern("record").match(text, at):
        return _at(found, LinkType.SUPERSEDES, found[0])
    found = _pattern("markdown").match(text, at)
    return _at(found, LinkType.SUPERSEDES, page_target(normal_path(found[1]))) if found else None


def _valid(words: Any, pattern: re.Pattern[str]) -> list[str]:
    listed = words if isinstance(words, list) else []
    return [word for word in listed if isinstance(word, str) and pattern.fullmatch(word)]


def _blanked(text: str, found: list[_Found]) -> str:
    """The text with these places empty, every other character where it was."""
    if not found:
        return text
    pieces, at = [], 0
    for one in sorted(found, key=lambda one: one.start):
        if one.start >= at:
            # A mark that no rule takes for a part of a word, a path or a sentence.
            pieces += [text[at : one.start], "\x00" * (one.end - one.start)]
            at = one.end
    return "".join((*pieces, text[at:]))


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(table(_TABLE)[name])


_Finder = Callable[[str, LinkRules], Iterator[_Found]]

# The order matters: what an earlier one has found is blanked out for the later ones, save where two may share a place.
_FINDERS: tuple[tuple[_Finder, bool], ...] = (
    (lambda text, _: urls(text) if "://" in text else iter(()), True),
    (lambda text, _: superseded(text) if any(map(text.__contains__, _REPLACES)) else iter(()), True),
    (lambda text, _: pages(text) if "[[" in text else iter(()), True),
    (lambda text, _: keys(text) if "KEY" in text else iter(()), True),
    (lambda text, _: projects(text) if "projects/" in text else iter(()), False),
    (lambda text, _: files(text) if _pattern("extension").search(text) else iter(()), True),
    (lambda text, _: commits(text) if _pattern("hexadecimal").search(text) else iter(()), True),
    (lambda text, rules: tasks(text, rules) if _pattern("numbered").search(text) else iter(()), True),
    (lambda text, rules: components(text, rules.suffixes), True),
)
_ORDER = MappingProxyType({kind: place for place, kind in enumerate(LinkType)})


# The links of a whole note and of a record: those in its words, and those its header or its fields spell out.

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
        links += [
            _given(LinkType.EVIDENCE, one, one) for one in record.sources if one.startswith(RECORD_PREFIX)
        ]
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
        target = named if named.startswith(RECORD_PREFIX) else page_target(named.strip("[]"))
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
    if named.startswith(RECORD_PREFIX):
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
