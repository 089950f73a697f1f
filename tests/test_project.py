"""What surrounds the package says one thing: version, changelog, lock file, names of commands."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from memoracle import __version__

PROJECT = Path(__file__).parents[1]
ABOUT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def read(name):
    return (PROJECT / name).read_text(encoding="utf-8")


def test_the_changelog_begins_with_what_is_coming_and_has_the_version():
    """The release workflow takes its note from there."""
    headings = re.findall(r"^## (\S+)", read("CHANGELOG.md"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", __version__]


def test_the_lock_names_the_public_index_alone():
    """Whoever clones can install from it."""
    hosts = set(re.findall(r"(?:https?|file|ssh)://[^/\"]*", read("uv.lock")))
    assert hosts == {"https://pypi.org", "https://files.pythonhosted.org"}


def test_the_lock_knows_every_dependency():
    """`uv lock` was run after the last change; the exact comparison is `uv lock --check`."""
    groups = ABOUT["dependency-groups"]
    extras = ABOUT["project"]["optional-dependencies"]
    wanted = [
        one
        for lines in (ABOUT["project"]["dependencies"], *extras.values(), *groups.values())
        for one in lines
        if isinstance(one, str)
    ]
    names = {re.match(r"[\w.-]+", one)[0].lower().replace("_", "-").replace(".", "-") for one in wanted}
    locked = {package["name"] for package in tomllib.loads(read("uv.lock"))["package"]}
    assert names - locked == set()


def test_tools_are_no_extras():
    """Nobody who installs a memory is offered its test tools or its rivals."""
    assert set(ABOUT["project"]["optional-dependencies"]) & {"dev", "test", "lint", "bench", "docs"} == set()


def test_every_dependency_has_a_bound():
    """What is imported is pinned or bounded, so that a major version is a choice."""
    loose = [one for one in ABOUT["project"]["dependencies"] if not re.search(r"==|<", one)]
    assert loose == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "justfile"])
def test_every_command_is_named(page, monkeypatch):
    """What `dev.py` can do stands where people look."""
    monkeypatch.syspath_prepend(str(PROJECT))
    import dev

    told = set(re.findall(r"python3 dev\.py (\w+)", read(page)))
    assert told == set(dev.COMMANDS)
    assert set(re.findall(r"python3 dev\.py (\w+)", dev.__doc__)) == told


def test_dev_can_be_read_by_an_older_python():
    """So that it can say what is missing instead of failing on its own words."""
    import ast

    ast.parse(read("dev.py"), feature_version=(3, 7))
    assert sys.version_info >= (3, 11)
