"""Python: which version, which manager, how it is built."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import LOW, MEDIUM, Fact, listed
from memoracle.extensions.seats.scan.project.versions import pinned
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

NAME = "python"
_SIGNS = (
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "Pipfile",
    "environment.yml",
    ".python-version",
    "tox.ini",
)
_LOCKS = {
    "uv.lock": "uv",
    "poetry.lock": "poetry",
    "pdm.lock": "pdm",
    "Pipfile.lock": "pipenv",
    "Pipfile": "pipenv",
    "environment.yml": "conda",
}
_TABLES = {"uv": ("uv",), "poetry": ("poetry",), "pdm": ("pdm",), "hatch": ("hatch", "envs")}
_IMAGE = re.compile(r"^\s*FROM\s+(?:[\w./\-]{1,100}/)?python:(\d[\w.]{0,20})", re.MULTILINE | re.IGNORECASE)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._\-]{0,100})")


def sign(tree: ScanTree) -> str:
    """The file that shows this language is used."""
    return tree.first(*_SIGNS)


def look(tree: ScanTree) -> Iterator[Fact]:
    """Version, range, managers, back end."""
    yield from pinned(tree, NAME, ".python-version", "runtime.txt")
    project = tree.toml("pyproject.toml")
    source = tree.at("pyproject.toml")
    if requires := words(table(project, "project").get("requires-python")):
        yield Fact(path=(NAME, "version_range"), says=requires, source=source)
    if requires := words(table(project, "tool", "poetry", "dependencies").get("python")):
        yield Fact(path=(NAME, "version_range"), says=requires, source=source)
    if requires := words(table(tree.toml("Pipfile"), "requires").get("python_version")):
        yield Fact(path=(NAME, "version"), says=requires, source=tree.at("Pipfile"))
    if found := re.search(
        r"python_requires\s*=\s*['\"]?([^'\"\n,)]{1,60}(?:,[^'\"\n)]{1,60})?)",
        tree.text("setup.cfg") or tree.text("setup.py"),
    ):
        named = tree.at("setup.cfg" if tree.has("setup.cfg") else "setup.py")
        yield Fact(path=(NAME, "version_range"), says=words(found[1]), source=named, trust=MEDIUM)
    if found := _IMAGE.search(tree.text("Dockerfile")):
        yield Fact(path=(NAME, "version"), says=found[1], source=tree.at("Dockerfile"), trust=LOW)
    yield from managers(tree)
    if backend := words(table(project, "build-system").get("build-backend")):
        yield Fact(path=(NAME, "build_backend"), says=backend, source=source)
    if name := words(table(project, "project").get("name") or table(project, "tool", "poetry").get("name")):
        yield Fact(path=(NAME, "package"), says=name, source=source)


def managers(tree: ScanTree) -> Iterator[Fact]:
    """Who installs: by lock file first, then by what the project says."""
    met = False
    for file, name in _LOCKS.items():
        if tree.has(file):
            met = True
            yield from listed((NAME, "managers"), [name], tree.at(file))
    for name, section in _TABLES.items():
        if table(tree.toml("pyproject.toml"), "tool", *section):
            met = True
            yield from listed((NAME, "managers"), [name], tree.at("pyproject.toml"))
    if not met and (file := tree.first("requirements.txt", "setup.py", "setup.cfg", "pyproject.toml")):
        yield from listed((NAME, "managers"), ["pip"], tree.at(file), MEDIUM)


def requirements(tree: ScanTree) -> dict[str, str]:
    """What it depends on, in lower case, with the file that says so."""
    found: dict[str, str] = {}
    project = tree.toml("pyproject.toml")
    named = [table(project, "project").get("dependencies")]
    named += [
        *table(project, "project", "optional-dependencies").values(),
        *table(project, "dependency-groups").values(),
    ]
    named += [table(project, "tool", "uv").get("dev-dependencies")]
    poetry = table(project, "tool", "poetry")
    groups = [table(group, "dependencies") for group in table(poetry, "group").values()]
    tables = [table(poetry, "dependencies"), table(poetry, "dev-dependencies"), *groups]
    said = [one for held in named if isinstance(held, list) for one in held if isinstance(one, str)]
    for one in [*said, *(name for held in tables for name in held)]:
        if match := _REQUIREMENT.match(one):
            found.setdefault(match[1].lower(), tree.at("pyproject.toml"))
    for file in [
        name for name in tree.names() if name.startswith("requirements") and name.endswith((".txt", ".in"))
    ]:
        for line in tree.lines(file):
            if line[:1] not in {"#", "-", ""} and (match := _REQUIREMENT.match(line)):
                found.setdefault(match[1].lower(), tree.at(file))
    pipfile = tree.toml("Pipfile")
    for name in (*table(pipfile, "packages"), *table(pipfile, "dev-packages")):
        found.setdefault(name.lower(), tree.at("Pipfile"))
    return found
