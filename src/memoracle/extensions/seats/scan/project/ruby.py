"""Ruby: version and bundler."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import Fact, listed
from memoracle.extensions.seats.scan.project.versions import pinned
from memoracle.extensions.seats.scan.tree import ScanTree, words

NAME = "ruby"
_VERSION = re.compile(r"^\s*ruby\s+['\"]([^'\"\n]{1,40})['\"]", re.MULTILINE)
_GEM = re.compile(r"^\s*gem\s+['\"]([\w\-]{1,100})['\"]", re.MULTILINE)
_FRAMEWORKS = ("rails", "sinatra", "hanami", "jekyll")


def sign(tree: ScanTree) -> str:
    """The file that shows this language is used."""
    gemspec = next((name for name in tree.names() if name.endswith(".gemspec")), "")
    return tree.first("Gemfile", ".ruby-version") or gemspec


def look(tree: ScanTree) -> Iterator[Fact]:
    """Version, manager, frameworks."""
    source = tree.at("Gemfile")
    yield from pinned(tree, NAME, ".ruby-version")
    if found := _VERSION.search(tree.text("Gemfile")):
        yield Fact(path=(NAME, "version_range"), says=words(found[1]), source=source)
    if file := tree.first("Gemfile.lock", "Gemfile"):
        yield Fact(path=(NAME, "manager"), says="bundler", source=tree.at(file))
    yield from listed((NAME, "frameworks"), [name for name in _FRAMEWORKS if name in gems(tree)], source)


def gems(tree: ScanTree) -> set[str]:
    """The gems that the Gemfile names."""
    return set(_GEM.findall(tree.text("Gemfile")))
