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
from functools import cache
from types import MappingProxyType
from typing import Any

from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.link import PAGE, Link, LinkType, entity
from memoracle.model.value import value
from memoracle.tables import table
from memoracle.text import normalise

SUFFIXES = ("Phasic", "Physics", "View", "Engine", "Layer", "Component")
"""What the names of components end with, unless a project says otherwise."""
_SUFFIX = re.compile(r"[A-Z][A-Za-z0-9]{1,39}")
_PREFIX = re.compile(r"[A-Z][A-Z0-9]{0,14}")
_TABLE = os.path.join(os.path.dirname(__file__), "rules", "links.toml")

# Tasks: `ARENA-228`, `GH#12`, `#12`; and what only looks like one.
_TASK = re.compile(
    r"(?<![A-Za-z0-9_\-.#@$&+=~\\])([A-Z][A-Z0-9]{0,14})-(\d{1,7})(?![A-Za-z0-9_%]|-\d|\.\d|[–~]\d)"
)
_BRANCH = re.compile(
    r"(?<![A-Za-z0-9_])(?:features?|feat|fix|bugfix|hotfix|chore|release|tasks?|refactor|docs|test|users?/[a-z]{1,30})/\Z"
)
_GITHUB = re.compile(r"(?<![A-Za-z0-9_/\-.])GH(?:#|-)(\d{1,7})(?![A-Za-z0-9_]|-\d|\.\d)")
_BARE = re.compile(r"(?<![A-Za-z0-9_/&#?=\x00])#([1-9]\d{0,6})(?![A-Za-z0-9_]|[.\-]\d)")
_ISSUE = re.compile(
    r"(?:issues?|bugs?|tickets?|tasks?|stor(?:y|ies)|prs?|mrs?|pull requests?|merge requests?|fix(?:e[sd])?|close[sd]?"
    r"|resolve[sd]?|refs?|see|duplicates?|of|问题|任务|工单|需求|缺陷|合并请求|修复了?|关闭了?|见)[ \t]*[(（]?\Z",
    re.IGNORECASE,
)
_COLOUR = re.compile(
    r"colou?r|background|border|fill|stroke|shade|css|hex|theme|tint|palette|rgb|颜色|背景|边框|字色|主题|色|描边|填充",
    re.IGNORECASE,
)
_RANKED = re.compile(
    r"(?:rank(?:s|ed|ing)?|number|no\.|our|my|your|their|his|her|the|top|we're|still|now|排名|排行榜?上?是?|第|位列|榜上?是?)"
    r"[ \t]*(?:at|as|the)?[ \t]*\Z",
    re.IGNORECASE,
)
_LIKE_A_COLOUR = frozenset({3, 4, 6, 8})
_ALWAYS_A_COLOUR = frozenset({6, 8})
_NEAR = 28
_FEW = 100

# Things that have a place in code.
_TOKEN = re.compile(r"[A-Za-z0-9_./~\-]++")
_QUOTED = re.compile(r"`([^`\n\x00]{1,200})`")
_LINES = re.compile(r"#L\d{1,7}(?:-L?\d{1,7})?(?![A-Za-z0-9_])")
_HOST = re.compile(r"[A-Za-z0-9.\-]+\.(?:com|org|net|io|dev|cn|ai|app|co|edu|gov|me|info|jp|de|uk)")
_PROJECT = re.compile(
    r"(?:~/\.agents/memory/|(?<![A-Za-z0-9_./~\-]))projects/([A-Za-z0-9][A-Za-z0-9_.\-]{0,98})(?=/)"
    r"|~/\.agents/memory/projects/([A-Za-z0-9][A-Za-z0-9_\-]{0,98})"
)
_COMMIT_WORD = re.compile(
    r"(?<![A-Za-z])(?:commits?|committed|merge[ds]?|merging|cherry-?pick(?:ed|s|ing)?|revert(?:ed|s|ing)?)(?![A-Za-z])"
    r"|提交|合并|回退到?|回滚到?|还原",
    re.IGNORECASE,
)
_COMMIT_GAP = re.compile(r"(?:[ \t:：`'\"]|了|的|为|as(?= )|in(?= )|of(?= )|commits?(?= )|hash(?= )){0,8}")
_COMMIT = re.compile(r"`?([0-9A-Fa-f]{7,40})(?![0-9A-Za-z_\-])`?")
_COMMIT_AND = re.compile(r"[ \t]*(?:,|，|、|&|\+|and(?= )|和|与|及)[ \t]*(?:and(?= ))?[ \t`]*")
_BRACKETED = re.compile(r"[(（][ \t`]*([0-9A-Fa-f]{7,40})[ \t`]*[)）]")
_CAPITALISED = re.compile(r"(?<![A-Za-z0-9_.])[A-Z][A-Za-z0-9]++(?![_A-Za-z0-9])")
_SHORTEST_STEM = 1

# Addresses on the web.
_STOPS = r"\s<>\"'`|\\^\x00" + "“”‘’"
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u3000-\u303f"
_LETTERS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
# Round brackets belong to an address when they close in it; wide letters when they begin a step of its path.
_URL = re.compile(
    rf"(?<![A-Za-z0-9])[Hh][Tt][Tt][Pp][Ss]?://(?=[A-Za-z0-9\[])"
    rf"(?:[^{_STOPS}{_WIDE}()\[\]{{}}]|\([^{_STOPS}{_WIDE}()\[\]]{{0,200}}\)|(?<=[/=])[{_LETTERS}]++|\[[0-9a-fA-F:.]{{2,60}}\])++"
)
_TRAILING = ".,;:!?*_~…"
_PORTS = {"http": ":80", "https": ":443"}

# What people mark as a link.
_PAGE = re.compile(
    r"(?<![A-Za-z0-9_)\]\[`])\[\[([^\[\]|\n#\x00]{1,200})(?:#[^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]"
)
# Numbers, classes of characters, and the attributes of C.
_NO_PAGE = re.compile(
    r"[\d\s.,:;+\-*/]*|:[a-z]+:|(?:__)?(?:maybe_unused|unlikely|likely|noreturn|nodiscard|deprecated|fallthrough)_*"
)
_KEY = re.compile(r"[\[【]KEY[:：][ \t]*([^\[\]【】\n\x00]{1,200})[\]】]")
_SUPERSEDES = re.compile(
    r"(?<![A-Za-z])[Ss]upersed(?:es|ing|e)(?![A-Za-z])[ \t]*[:：]?[ \t]*|(?:取代|替代)了?[ \t]*[:：]?[ \t]*"
)
_AND = re.compile(r"[ \t]*(?:,|，|、|;|；|&|and(?![A-Za-z])|和|与|以及|及)[ \t]*(?:and(?![A-Za-z]))?[ \t]*")
_RECORD = re.compile(r"mem_[0-9A-Z]{26}(?![0-9A-Za-z])")
_MARKDOWN = re.compile(r"`?([A-Za-z0-9_~./\-]{1,200}\.md)(?![A-Za-z0-9_])`?")

_AROUND = 60
_LONGEST_SNIPPET = 240
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^\n]*)")

_DIGIT = re.compile(r"[0-9]")


@value
class LinkRules:
    """The endings of components, and the prefixes of tasks that somebody registered."""

    suffixes: tuple[str, ...] = SUFFIXES
    prefixes: frozenset[str] = frozenset()


PLAIN = LinkRules()


@value
class Found:
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
    suffixes = _valid(named, _SUFFIX)
    return LinkRules(
        suffixes=tuple(dict.fromkeys(suffixes)) or base.suffixes,
        prefixes=base.prefixes | frozenset(_valid(table.get("task_prefixes"), _PREFIX)),
    )


def find_links(text: str, rules: LinkRules = PLAIN, *, first_line: int = 1) -> list[Link]:
    """The links of a text, one for each target and type, in the order of their first mention."""
    plain = without_code(text)
    left = plain
    found: list[Found] = []
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
            links[one.type, one.target] = Link(
                type=one.type,
                target=one.target,
                snippet=snippet(plain, one.start, one.end),
                line=line,
                doubt=one.doubt,
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
        mark = _FENCE.match(line)
        if opened:
            closes = mark and mark[1].startswith(opened) and not mark[2].strip()
            lines[at] = ""
            if closes:
                opened = ""
        elif mark and (mark[1][0] == "~" or "`" not in mark[2]):
            opened = mark[1]
            lines[at] = ""
    return "\n".join(lines)


def tasks(text: str, rules: LinkRules) -> Iterator[Found]:
    """Every task of a text."""
    for found in _GITHUB.finditer(text):
        yield _task(found, f"GH#{int(found[1])}")
    for found in _TASK.finditer(text):
        prefix, number = found[1], found[2]
        known = prefix in _words("never_tasks") or prefix.rstrip("0123456789") in _words("never_tasks")
        if prefix == "GH" or (known and prefix not in rules.prefixes):
            continue
        if text[found.start() - 1 : found.start()] == "/" and not _may_follow_a_slash(text, found.start()):
            continue
        doubtful = sum(map(str.isalpha, prefix)) == 1 and prefix not in rules.prefixes
        yield _task(found, f"{prefix}-{number}", doubt=prefix if doubtful else "")
    for found in _BARE.finditer(text):
        if _is_issue(text, found):
            yield _task(found, f"#{found[1]}")


def task_target(named: str) -> str:
    """The target of a task that a header names: capitals, one spelling."""
    plain = named.strip().upper()
    return entity("taskid", re.sub(r"\AGH-(?=\d+\Z)", "GH#", plain))


def _task(found: re.Match[str], named: str, *, doubt: str = "") -> Found:
    target = entity("taskid", named)
    return Found(start=found.start(), end=found.end(), type=LinkType.TASK, target=target, doubt=doubt)


def _may_follow_a_slash(text: str, start: int) -> bool:
    """True in the name of a branch, and behind another task."""
    before = text[max(0, start - 48) : start]
    return bool(_BRANCH.search(before) or re.search(r"[A-Z]-\d{1,7}/\Z", before))


def _is_issue(text: str, found: re.Match[str]) -> bool:
    number = found[1]
    before = text[max(0, found.start() - _NEAR) : found.start()]
    if _ISSUE.search(before):
        return True
    if len(number) in _ALWAYS_A_COLOUR:
        return False
    if len(number) in _LIKE_A_COLOUR and _COLOUR.search(before + text[found.end() : found.end() + _NEAR]):
        return False
    return not (int(number) < _FEW and _RANKED.search(before))


def files(text: str) -> Iterator[Found]:
    """Every file, and every line of one that is quoted as evidence."""
    taken: list[tuple[int, int]] = []
    for quoted in _QUOTED.finditer(text):
        name, marked, _ = quoted[1].partition("#")
        if not quoted[1].isascii() and (path := _path_in(name)):
            kind = LinkType.EVIDENCE if marked else LinkType.FILE
            taken.append(quoted.span())
            yield Found(start=quoted.start(), end=quoted.end(), type=kind, target=entity("file", path))
    blocked = iter(taken)
    block = next(blocked, None)
    for token in _TOKEN.finditer(text):
        while block and block[1] <= token.start():
            block = next(blocked, None)
        if block and block[0] <= token.start():
            continue
        if text[token.start() - 1 : token.start()] in {"@", "\\"}:
            continue
        word = token[0].rstrip(".-/~")
        end = token.start() + len(word)
        if path := _path_in(word):
            lines = _LINES.match(text, end) if end == token.end() else None
            kind = LinkType.EVIDENCE if lines else LinkType.FILE
            last = lines.end() if lines else end
            yield Found(start=token.start(), end=last, type=kind, target=entity("file", path))


def normal_path(path: str) -> str:
    """One spelling of a path: no `./`, no doubled slash, `..` resolved where it can be."""
    steps: list[str] = []
    for step in path.split("/"):
        if step == ".." and steps and steps[-1] not in {"..", "~"}:
            steps.pop()
        elif step not in {"", "."}:
            steps.append(step)
    return ("/" if path.startswith("/") else "") + "/".join(steps)


def projects(text: str) -> Iterator[Found]:
    """Every project whose folder is named."""
    for found in _PROJECT.finditer(text):
        name = (found[1] or found[2]).rstrip(".")
        yield Found(
            start=found.start(), end=found.end(), type=LinkType.PROJECT, target=entity("project", name)
        )


def commits(text: str) -> Iterator[Found]:
    """Every commit that is called one, and hashes alone in brackets. Hexadecimal needs a digit and a letter."""
    for word in _COMMIT_WORD.finditer(text):
        at = _end(_COMMIT_GAP.match(text, word.end()), word.end())
        while found := _COMMIT.match(text, at):
            if text[at - 1 : at].isascii() and text[at - 1 : at].isalnum():
                break
            if is_hash(found[1]):
                yield _commit(found, 1)
            more = _COMMIT_AND.match(text, found.end())
            if not more:
                break
            at = more.end()
    for found in _BRACKETED.finditer(text):
        if is_hash(found[1]):
            yield _commit(found, 1)


def is_hash(word: str) -> bool:
    """True for what can be the hash of a commit and is neither a word nor a number."""
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))


def components(text: str, suffixes: Sequence[str]) -> Iterator[Found]:
    """Every capitalised name that ends as components do."""
    endings = tuple(suffixes)
    if not any(ending in text for ending in endings):
        return
    for found in _CAPITALISED.finditer(text):
        name = found[0]
        if name.endswith(endings) and name not in endings and len(name) <= 100:
            yield Found(
                start=found.start(),
                end=found.end(),
                type=LinkType.COMPONENT,
                target=entity("component", name),
            )


def _commit(found: re.Match[str], group: int) -> Found:
    return Found(
        start=found.start(group),
        end=found.end(group),
        type=LinkType.COMMIT,
        target=entity("commit", found[group].lower()),
    )


def _end(found: re.Match[str] | None, otherwise: int) -> int:
    return found.end() if found else otherwise


def _path_in(word: str) -> str:
    """The path that a word is; empty when it is none."""
    folder, slash, name = word.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    if (
        not dot
        or extension not in _words("extensions")
        or len(stem) < _SHORTEST_STEM
        or word.startswith("//")
    ):
        return ""
    # A bare name begins with a letter; below a folder, dates and numbers are names, too.
    if not (stem[0].isalpha() or (slash and stem[0].isalnum()) or (stem[0] in "_." and stem.strip("._"))):
        return ""
    if not slash and word.lower() in _words("never_files"):
        return ""
    if slash and _HOST.fullmatch(folder.partition("/")[0]):
        return ""
    return normal_path(word)


def urls(text: str) -> Iterator[Found]:
    """Every web address."""
    for found in _URL.finditer(text):
        address = found[0].rstrip(_TRAILING)
        if address[address.index("://") + 3 :]:
            yield Found(
                start=found.start(),
                end=found.start() + len(address),
                type=LinkType.URL,
                target=entity("url", normal_url(address)),
            )


def normal_url(address: str) -> str:
    """One spelling: small letters in scheme and host, no password, no usual port, no fragment."""
    scheme, _, rest = address.partition("://")
    scheme = scheme.lower()
    rest = rest.partition("#")[0]
    end = min((at for at in map(rest.find, "/?") if at >= 0), default=len(rest))
    host = rest[:end].rpartition("@")[2].lower().removesuffix(_PORTS.get(scheme, ":"))
    path = rest[end:]
    return f"{scheme}://{host}{path if path.startswith('/') else '/' + path}"


def pages(text: str) -> Iterator[Found]:
    """Every `[[name]]`, `[[name#heading]]` and `[[name|words]]`."""
    for found in _PAGE.finditer(text):
        if target := _page_of(found):
            yield Found(start=found.start(), end=found.end(), type=LinkType.WIKILINK, target=target)


def superseded(text: str) -> Iterator[Found]:
    """What a text says it takes the place of: pages, records, Markdown files, one or several."""
    for word in _SUPERSEDES.finditer(text):
        at = word.end()
        while one := _target_at(text, at):
            yield one
            more = _AND.match(text, one.end)
            if not more:
                break
            at = more.end()


def keys(text: str) -> Iterator[Found]:
    """Every `[KEY: …]`, in any script."""
    for found in _KEY.finditer(text):
        if named := " ".join(found[1].split()):
            yield Found(start=found.start(), end=found.end(), type=LinkType.KEY, target=entity("key", named))


def page_target(name: str) -> str:
    """The target that the name of a page becomes; empty when there is none in it."""
    plain = " ".join(name.split()).removeprefix("./").rstrip("/")
    if _RECORD.fullmatch(plain):
        return plain
    return f"{PAGE}{normalise(plain.removesuffix('.md'))}" if plain.removesuffix(".md") else ""


def _page_of(found: re.Match[str]) -> str:
    name = found[1]
    is_code = name[0] in " \t" or _NO_PAGE.fullmatch(name)
    return "" if is_code else page_target(name)


def _target_at(text: str, at: int) -> Found | None:
    if (found := _PAGE.match(text, at)) and (target := _page_of(found)):
        return Found(start=at, end=found.end(), type=LinkType.SUPERSEDES, target=target)
    if found := _RECORD.match(text, at):
        return Found(start=at, end=found.end(), type=LinkType.SUPERSEDES, target=found[0])
    if found := _MARKDOWN.match(text, at):
        target = page_target(normal_path(found[1]))
        return Found(start=at, end=found.end(), type=LinkType.SUPERSEDES, target=target)
    return None


def is_record(target: str) -> bool:
    """True for the id of a record."""
    return target.startswith(RECORD_PREFIX)


def _valid(words: Any, pattern: re.Pattern[str]) -> list[str]:
    listed = words if isinstance(words, list) else []
    return [word for word in listed if isinstance(word, str) and pattern.fullmatch(word)]


def _says_superseded(text: str) -> bool:
    return "upersed" in text or "取代" in text or "替代" in text


def _blanked(text: str, found: list[Found]) -> str:
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


_Finder = Callable[[str, LinkRules], Iterator[Found]]

# The order matters: what an earlier one has found is blanked out for the later ones, save where two may share a place.
_FINDERS: tuple[tuple[_Finder, bool], ...] = (
    (lambda text, _: urls(text) if "://" in text else iter(()), True),
    (lambda text, _: superseded(text) if _says_superseded(text) else iter(()), True),
    (lambda text, _: pages(text) if "[[" in text else iter(()), True),
    (lambda text, _: keys(text) if "KEY" in text else iter(()), True),
    (lambda text, _: projects(text) if "projects/" in text else iter(()), False),
    (lambda text, _: files(text) if "." in text else iter(()), True),
    (lambda text, _: commits(text) if _DIGIT.search(text) else iter(()), True),
    (lambda text, rules: tasks(text, rules) if _DIGIT.search(text) else iter(()), True),
    (lambda text, rules: components(text, rules.suffixes), True),
)
_ORDER = MappingProxyType({kind: place for place, kind in enumerate(LinkType)})
