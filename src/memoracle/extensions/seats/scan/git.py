"""What stands in a repository's own files: branch and remotes. git itself is never called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.tree import ScanTree, words

_SECTION = re.compile(r'\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.){0,200})")?\s*\]')
_MOST_REMOTES = 20


def git_facts(tree: ScanTree, folder: str = "") -> list[Fact]:
    """Branch and remotes of the repository at a folder; none when there is no repository."""
    inside = f"{folder}/.git" if folder else ".git"
    head, config = f"{inside}/HEAD", f"{inside}/config"
    facts = []
    if said := tree.text(head).strip():
        branch = said.removeprefix("ref: refs/heads/") if said.startswith("ref: ") else "(detached)"
        facts.append(Fact(path=("git", "branch"), says=words(branch), source=tree.at(head)))
    remotes = [
        {"name": name, "url": address}
        for section, name, key, said in settings_in(tree.text(config))
        if section == "remote" and key == "url" and (address := without_password(said))
    ]
    if remotes:
        facts.append(Fact(path=("git", "remotes"), says=remotes[:_MOST_REMOTES], source=tree.at(config)))
    return facts


def settings_in(text: str) -> Iterator[tuple[str, str, str, str]]:
    """The settings in a git configuration: section, its name, key, value."""
    section = name = ""
    for line in map(str.strip, text.splitlines()):
        if found := _SECTION.match(line):
            section, name = found[1].lower(), words(found[2] or "")
        elif line and line[0] not in "#;" and "=" in line:
            key, _, said = line.partition("=")
            yield section, name, key.strip().lower(), words(said.strip().strip('"'))


def without_password(address: str) -> str:
    """A remote's address with nobody's name or token in it."""
    if "://" not in address:
        head, slash, rest = address.partition("/")
        return words(head.rpartition("@")[2] + slash + rest)
    try:
        parts = urlsplit(address)
        place = parts.hostname or ""
        place += f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    if "@" in parts.path and "@" not in parts.netloc and parts.port:
        return ""  # a password with a slash in it: where it ends cannot be told
    return words(f"{parts.scheme}://{place}{parts.path}")
