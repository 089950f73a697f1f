"""Node: version, package manager by lock file, TypeScript, frameworks."""

from __future__ import annotations

from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import MEDIUM, Fact, listed
from memoracle.extensions.seats.scan.project.versions import pinned
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

NAME = "node"
_LOCKS = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
}
_FRAMEWORKS = (
    "next",
    "react",
    "vue",
    "nuxt",
    "svelte",
    "@angular/core",
    "astro",
    "express",
    "fastify",
    "@nestjs/core",
    "hono",
    "electron",
    "vite",
)
_MANIFEST = "package.json"


def sign(tree: ScanTree) -> str:
    """The file that shows this language is used."""
    return tree.first(_MANIFEST)


def look(tree: ScanTree) -> Iterator[Fact]:
    """Version, manager, language, frameworks."""
    manifest, source = tree.json(_MANIFEST), tree.at(_MANIFEST)
    yield from pinned(tree, NAME, ".nvmrc", ".node-version")
    if version := words(table(manifest, "volta").get("node"))[:40]:
        yield Fact(path=(NAME, "version"), says=version, source=source)
    if requires := words(table(manifest, "engines").get("node"))[:60]:
        yield Fact(path=(NAME, "version_range"), says=requires, source=source)
    yield manager(tree)
    if stated := words(manifest.get("packageManager"))[:60].partition("+")[0]:
        yield Fact(path=(NAME, "package_manager_version"), says=stated, source=source)
    if name := words(manifest.get("name")):
        yield Fact(path=(NAME, "package"), says=name, source=source)
    held = dependencies(tree)
    if tree.has("tsconfig.json") or "typescript" in held:
        where = tree.at("tsconfig.json") if tree.has("tsconfig.json") else source
        yield Fact(path=(NAME, "typescript"), says=True, source=where)
    yield from listed((NAME, "frameworks"), [name for name in _FRAMEWORKS if name in held], source)


def manager(tree: ScanTree) -> Fact:
    """Who installs: the lock file decides, then what the manifest states; otherwise npm is assumed."""
    for file, name in _LOCKS.items():
        if tree.has(file):
            return Fact(path=(NAME, "manager"), says=name, source=tree.at(file))
    stated = words(tree.json(_MANIFEST).get("packageManager")).partition("@")[0]
    source = tree.at(_MANIFEST)
    if stated in set(_LOCKS.values()):
        return Fact(path=(NAME, "manager"), says=stated, source=source)
    return Fact(path=(NAME, "manager"), says="npm", source=source, trust=MEDIUM)


def dependencies(tree: ScanTree) -> dict[str, str]:
    """What it depends on, with the file that says so."""
    manifest = tree.json(_MANIFEST)
    names = (
        *table(manifest, "dependencies"),
        *table(manifest, "devDependencies"),
        *table(manifest, "peerDependencies"),
    )
    return dict.fromkeys(names, tree.at(_MANIFEST))
