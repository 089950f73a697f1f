"""Rust: edition, version, tool chain."""

from __future__ import annotations

from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

NAME = "rust"
_MANIFEST = "Cargo.toml"


def sign(tree: ScanTree) -> str:
    """The file that shows this language is used."""
    return tree.first(_MANIFEST)


def look(tree: ScanTree) -> Iterator[Fact]:
    """What Cargo.toml and the tool chain's file state."""
    manifest, source = tree.toml(_MANIFEST), tree.at(_MANIFEST)
    shared = table(manifest, "workspace", "package")
    package = table(manifest, "package")
    for key, name in (("rust-version", "version_range"), ("edition", "edition"), ("name", "package")):
        if said := words(package.get(key)) or words(shared.get(key)):
            yield Fact(path=(NAME, name), says=said, source=source)
    channel = words(table(tree.toml("rust-toolchain.toml"), "toolchain").get("channel"))
    if channel:
        yield Fact(path=(NAME, "version"), says=channel, source=tree.at("rust-toolchain.toml"))
    elif channel := words(next((line for line in tree.lines("rust-toolchain") if line), ""))[:40]:
        yield Fact(path=(NAME, "version"), says=channel, source=tree.at("rust-toolchain"))
    yield Fact(path=(NAME, "manager"), says="cargo", source=source)
