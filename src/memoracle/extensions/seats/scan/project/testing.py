"""Test frameworks, and the command that runs them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import LOW, MEDIUM, Fact, listed
from memoracle.extensions.seats.scan.project import go, jvm, node, python, ruby, rust
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

_PATH = ("frameworks",)
_NODE = {
    "jest": ("jest", "jest.config."),
    "vitest": ("vitest", "vitest.config."),
    "playwright": ("@playwright/test", "playwright.config."),
    "cypress": ("cypress", "cypress.config."),
    "mocha": ("mocha", ".mocharc"),
}
_PYTEST_FILES = ("pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py")
_TARGET = re.compile(r"^test[ \t]*:(?!=)", re.MULTILINE)
_GO_FOLDERS = 200


def look(tree: ScanTree) -> list[Fact]:
    """What tests it, and how they are run."""
    facts = [*_python(tree), *_node(tree), *_others(tree)]
    names = {name for fact in facts for name in fact.says}
    return [*facts, *_command(tree, names)]


def command_alone(tree: ScanTree) -> list[Fact]:
    """The command alone."""
    return [fact for fact in look(tree) if fact.path == ("test_command",)]


def _python(tree: ScanTree) -> Iterator[Fact]:
    held = python.requirements(tree)
    if table(tree.toml("pyproject.toml"), "tool", "pytest"):
        yield from listed(_PATH, ["pytest"], tree.at("pyproject.toml"))
    elif file := tree.first(*_PYTEST_FILES):
        yield from listed(_PATH, ["pytest"], tree.at(file))
    elif "pytest" in held:
        yield from listed(_PATH, ["pytest"], held["pytest"])
    for file in ("setup.cfg", "tox.ini"):
        if re.search(r"^\[(?:tool:)?pytest\]", tree.text(file), re.MULTILINE):
            yield from listed(_PATH, ["pytest"], tree.at(file))
    for name in ("tox", "nox"):
        if file := tree.first("tox.ini" if name == "tox" else "noxfile.py"):
            yield from listed(("runners",), [name], tree.at(file))


def _node(tree: ScanTree) -> Iterator[Fact]:
    held, names = node.dependencies(tree), tree.names()
    for name, (package, config) in _NODE.items():
        if package in held:
            yield from listed(_PATH, [name], held[package])
        elif file := next((one for one in names if one.startswith(config)), ""):
            yield from listed(_PATH, [name], tree.at(file))


def _others(tree: ScanTree) -> Iterator[Fact]:
    if file := tree.first(".rspec", "spec/spec_helper.rb"):
        yield from listed(_PATH, ["rspec"], tree.at(file))
    elif {"rspec", "rspec-rails"} & ruby.gems(tree):
        yield from listed(_PATH, ["rspec"], tree.at("Gemfile"))
    if go.sign(tree) and (file := _go_test(tree)):
        yield from listed(_PATH, ["go"], tree.at(file))
    if rust.sign(tree):
        yield from listed(_PATH, ["cargo"], tree.at("Cargo.toml"), MEDIUM)
    for file in ("pom.xml", *jvm.GRADLE[:2]):
        for name in ("junit", "kotest", "testng"):
            if name in tree.text(file).lower():
                yield from listed(_PATH, [name], tree.at(file))


def _go_test(tree: ScanTree) -> str:
    """A test file at the top or in a folder or two below it."""
    folders = [""]
    for folder in folders:
        for name in tree.names(folder):
            path = f"{folder}/{name}" if folder else name
            if name.endswith("_test.go"):
                return path
            if (
                path.count("/") < 3
                and name[0] not in "._"
                and len(folders) < _GO_FOLDERS
                and tree.has_folder(path)
            ):
                folders.append(path)
    return ""


def _command(tree: ScanTree, names: set[str]) -> Iterator[Fact]:
    """What the repository itself calls its test comes first; otherwise what is usual."""
    manifest = tree.json("package.json")
    script = words(table(manifest, "scripts").get("test"))
    if _TARGET.search(tree.text("Makefile")):
        yield Fact(path=("test_command",), says="make test", source=tree.at("Makefile"))
    elif script and "no test specified" not in script and "pytest" not in names:
        manager = node.manager(tree)
        yield Fact(path=("test_command",), says=f"{manager.says} test", source=tree.at("package.json"))
    else:
        for command, source in _usual(tree, names):
            yield Fact(path=("test_command",), says=command, source=source, trust=LOW)
            break
    if script and "no test specified" not in script:
        yield Fact(path=("node_test_script",), says=script, source=tree.at("package.json"))


def _usual(tree: ScanTree, names: set[str]) -> Iterator[tuple[str, str]]:
    if "pytest" in names:
        yield ("uv run pytest" if tree.has("uv.lock") else "pytest"), tree.at(python.sign(tree))
    for name in ("vitest", "jest", "mocha"):
        if name in names:
            yield f"npx {name}", tree.at("package.json")
    if go.sign(tree):
        yield "go test ./...", tree.at(go.sign(tree))
    if rust.sign(tree):
        yield "cargo test", tree.at("Cargo.toml")
    if "rspec" in names:
        yield "bundle exec rspec", tree.at(tree.first("Gemfile", ".rspec"))
    if tree.has("pom.xml"):
        yield ("./mvnw test" if tree.has("mvnw") else "mvn test"), tree.at("pom.xml")
    elif file := jvm.sign(tree):
        yield ("./gradlew test" if tree.has("gradlew") else "gradle test"), tree.at(file)
