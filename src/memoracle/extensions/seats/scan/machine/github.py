"""Who commits here, which forges have a login, which public keys there are: from files, never from the network."""

from __future__ import annotations

import re
from typing import Any

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.git import settings_in
from memoracle.extensions.seats.scan.machine.keys import key_facts
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import ScanTree, words

_IDENTITY = (".gitconfig", ".config/git/config")
_HOSTS = ".config/gh/hosts.yml"
_PAIR = re.compile(r"^(\s*)([\w.\-]{1,200})\s*:\s*(.*)$")


def look(around: Around) -> list[Fact]:
    """Identity, hosts and keys; the first home that says something stands."""
    facts: list[Fact] = []
    for tree in around.trees:
        facts += [*_identity(tree), *_hosts(tree)]
        facts += [fact for fact in key_facts(tree) if fact.path[1] == "public_keys"]
    has_hosts = any(fact.path[0] == "hosts" for fact in facts)
    source = around.trees[0].at(_HOSTS) if around.trees else "environment"
    return [*facts, Fact(path=("signed_in",), says=has_hosts, source=source)]


def _identity(tree: ScanTree) -> list[Fact]:
    facts = []
    for path in _IDENTITY:
        for section, _, key, said in settings_in(tree.text(path)):
            if section == "user" and key in {"name", "email"} and said:
                facts.append(Fact(path=("git", key), says=said, source=tree.at(path)))
            elif section == "commit" and key == "gpgsign":
                facts.append(Fact(path=("git", "signs_commits"), says=said == "true", source=tree.at(path)))
    return facts


def _hosts(tree: ScanTree) -> list[Fact]:
    """The hosts of `gh`, with their users and scopes; a token there is only said to be there."""
    hosts: dict[str, dict[str, Any]] = {}
    host = ""
    for line in tree.text(_HOSTS).splitlines():
        if not (found := _PAIR.match(line)):
            continue
        depth, key, said = len(found[1]), found[2], words(found[3].strip("\"' "))
        if depth == 0:
            host = key
            hosts[host] = {"host": host, "has_token": False}
        elif host and key in {"user", "git_protocol"} and said:
            hosts[host].setdefault(key, said)
        elif host and key == "scopes" and said:
            hosts[host]["scopes"] = [words(one) for one in re.split(r"[,\s\[\]\"']+", said) if one][:50]
        elif host and key == "oauth_token":
            hosts[host]["has_token"] = True
    return [Fact(path=("hosts",), says=list(hosts.values()), source=tree.at(_HOSTS))] if hosts else []
