"""The packages of a workspace: what a manifest lists, looked up on disk, a bounded number of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

_MOST = 300
_MANIFESTS = (
    ("pyproject.toml", "python"),
    ("package.json", "node"),
    ("go.mod", "go"),
    ("Cargo.toml", "rust"),
    ("pom.xml", "java"),
    ("build.gradle.kts", "java"),
    ("build.gradle", "java"),
    ("Gemfile", "ruby"),
)


def packages(tree: ScanTree) -> list[Fact]:
    """The packages, each with path, name and language; nothing for a repository that is one package."""
    facts: list[Fact] = []
    known: set[str] = set()
    for source, patterns in _workspaces(tree):
        found = []
        for path in dict.fromkeys(path for pattern in patterns for path in _expanded(tree, pattern)):
            if path not in known and len(known) < _MOST and (told := _package(tree, path)):
                known.add(path)
                found.append(told)
        if found:
            facts.append(Fact(path=("packages",), says=found, source=tree.at(source)))
    return facts


def _workspaces(tree: ScanTree) -> Iterator[tuple[str, list[str]]]:
    listed = _texts(tree.json("package.json").get("workspaces"))
    yield "package.json", listed or _texts(table(tree.json("package.json"), "workspaces").get("packages"))
    yield "pnpm-workspace.yaml", _yaml_list(tree.text("pnpm-workspace.yaml"), "packages")
    yield "lerna.json", _texts(tree.json("lerna.json").get("packages"))
    yield "Cargo.toml", _texts(table(tree.toml("Cargo.toml"), "workspace").get("members"))
    yield (
        "pyproject.toml",
        _texts(table(tree.toml("pyproject.toml"), "tool", "uv", "workspace").get("members")),
    )
    yield (
        "go.work",
        re.findall(r"^\s*(?:use\s+)?(\.{1,2}/[^\s)]{1,200}|\.)\s*$", tree.text("go.work"), re.MULTILINE),
    )
    yield "pom.xml", re.findall(r"<module>\s*([^<\s]{1,200})\s*</module>", tree.text("pom.xml"))
    for file in ("settings.gradle.kts", "settings.gradle"):
        included = re.findall(r"^\s*include\s*\(?([^)\n]{1,2000})", tree.text(file), re.MULTILINE)
        names = re.findall(r"['\"]:?([^'\"]{1,200})['\"]", "\n".join(included))
        yield file, [name.replace(":", "/") for name in names]


def _expanded(tree: ScanTree, pattern: str) -> list[str]:
    """The folders a pattern names; `*` is one folder, `**` one or two."""
    if pattern.startswith(("!", "/")) or ".." in pattern.split("/"):
        return []
    found = [""]
    for step in pattern.removeprefix("./").rstrip("/").split("/"):
        if step in {"", "."}:
            continue
        if "*" not in step:
            found = [_joined(folder, step) for folder in found]
            continue
        shape = re.compile(re.escape(step).replace(r"\*\*", r".{0,200}").replace(r"\*", r".{0,200}"))
        below = [
            path
            for folder in found
            for path in _folders(tree, folder)
            if shape.fullmatch(path.rpartition("/")[2])
        ]
        found = below + (
            [path for one in below[:_MOST] for path in _folders(tree, one)] if step == "**" else []
        )
    return [path for path in found[: 4 * _MOST] if path]


def _folders(tree: ScanTree, folder: str) -> list[str]:
    names = [name for name in tree.names(folder)[: 4 * _MOST] if name[0] != "." and name != "node_modules"]
    return [path for name in names if tree.has_folder(path := _joined(folder, name))]


def _package(tree: ScanTree, path: str) -> dict[str, Any] | None:
    for manifest, language in _MANIFESTS:
        file = f"{path}/{manifest}"
        if tree.has(file):
            return {"name": _name(tree, file) or path.rpartition("/")[2], "path": path, "language": language}
    return None


def _name(tree: ScanTree, file: str) -> str:
    if file.endswith("package.json"):
        return words(tree.json(file).get("name"))
    if file.endswith(".toml"):
        held = tree.toml(file)
        return words(table(held, "project").get("name") or table(held, "package").get("name"))
    found = (
        re.search(r"^module\s+(\S{1,200})", tree.text(file), re.MULTILINE)
        if file.endswith("go.mod")
        else None
    )
    return words(found[1]) if found else ""


def _texts(held: Any) -> list[str]:
    return [one for one in held[:_MOST] if isinstance(one, str)] if isinstance(held, list) else []


def _yaml_list(text: str, name: str) -> list[str]:
    """The items under one key of a plain YAML file."""
    inside, found = False, []
    for line in text.splitlines():
        if re.match(r"\S", line):
            inside = line.startswith(f"{name}:")
        elif inside and (item := re.match(r"\s*-\s*['\"]?([^'\"#\n]{1,200}?)['\"]?\s*(?:#.*)?$", line)):
            found.append(item[1])
    return found


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
