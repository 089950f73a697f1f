"""Things that have a place in code: files and lines of them, commits, components, folders of projects. Pure, linear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memoracle.learn.link_rules import EXTENSIONS, NEVER_FILES
from memoracle.model.link import LinkType, entity
from memoracle.model.value import value


@value
class Found:
    """A link and the characters it was found in."""

    start: int
    end: int
    type: LinkType
    target: str
    doubt: str = ""


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
    if not dot or extension not in EXTENSIONS or len(stem) < _SHORTEST_STEM or word.startswith("//"):
        return ""
    # A bare name begins with a letter; below a folder, dates and numbers are names, too.
    if not (stem[0].isalpha() or (slash and stem[0].isalnum()) or (stem[0] in "_." and stem.strip("._"))):
        return ""
    if not slash and word.lower() in NEVER_FILES:
        return ""
    if slash and _HOST.fullmatch(folder.partition("/")[0]):
        return ""
    return normal_path(word)
