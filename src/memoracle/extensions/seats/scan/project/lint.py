"""Who checks style and types, by configuration files, by tables in manifests, and by what is depended on."""

from __future__ import annotations

from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import Fact, listed
from memoracle.extensions.seats.scan.project import node, python, ruby
from memoracle.extensions.seats.scan.tree import ScanTree, table

_BY_FILE = {
    "eslint": ("eslint.config.", ".eslintrc"),
    "prettier": (".prettierrc", "prettier.config."),
    "biome": ("biome.json",),
    "stylelint": (".stylelintrc", "stylelint.config."),
    "ruff": ("ruff.toml", ".ruff.toml"),
    "mypy": ("mypy.ini", ".mypy.ini"),
    "pyright": ("pyrightconfig.json",),
    "flake8": (".flake8",),
    "pylint": (".pylintrc", "pylintrc"),
    "isort": (".isort.cfg",),
    "golangci-lint": (".golangci.",),
    "rustfmt": ("rustfmt.toml", ".rustfmt.toml"),
    "clippy": ("clippy.toml", ".clippy.toml"),
    "rubocop": (".rubocop.yml",),
    "checkstyle": ("checkstyle.xml",),
    "detekt": ("detekt.yml",),
    "pre-commit": (".pre-commit-config.yaml",),
    "editorconfig": (".editorconfig",),
}
_TABLES = ("ruff", "black", "mypy", "pyright", "isort", "pylint", "flake8")
_PACKAGES = ("eslint", "prettier", "@biomejs/biome", "stylelint")
_PYTHON = ("ruff", "black", "mypy", "flake8", "pylint", "isort", "pyright")
_IN_BUILD = ("spotless", "ktlint", "checkstyle", "detekt")


def look(tree: ScanTree) -> list[Fact]:
    """The tools, each once, with the file that shows it."""
    found: dict[str, str] = {}
    for tool, file in (*_configured(tree), *_depended_on(tree)):
        found.setdefault(tool, file)
    facts = [fact for tool in sorted(found) for fact in listed(("tools",), [tool], found[tool])]
    return facts or [Fact(path=("tools",), says=[], source=tree.root)]


def _configured(tree: ScanTree) -> Iterator[tuple[str, str]]:
    names = tree.names()
    for tool, beginnings in _BY_FILE.items():
        yield from ((tool, tree.at(name)) for name in names if name.startswith(beginnings))
    held = table(tree.toml("pyproject.toml"), "tool")
    yield from ((tool, tree.at("pyproject.toml")) for tool in _TABLES if tool in held)
    yield from ((tool, tree.at("setup.cfg")) for tool in _TABLES if f"[{tool}]" in tree.text("setup.cfg"))


def _depended_on(tree: ScanTree) -> Iterator[tuple[str, str]]:
    packages, required = node.dependencies(tree), python.requirements(tree)
    yield from ((one.rpartition("/")[2], packages[one]) for one in _PACKAGES if one in packages)
    yield from ((tool, required[tool]) for tool in _PYTHON if tool in required)
    if "rubocop" in ruby.gems(tree):
        yield "rubocop", tree.at("Gemfile")
    for file in ("build.gradle", "build.gradle.kts", "pom.xml"):
        yield from ((tool, tree.at(file)) for tool in _IN_BUILD if tool in tree.text(file))
