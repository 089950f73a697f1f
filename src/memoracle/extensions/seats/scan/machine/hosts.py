"""Who has a login here: the hosts, profiles and registries in programs' own files, and nothing of the login itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memoracle.extensions.seats.scan.fact import Fact, listed
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

_SECTION = re.compile(r"\s*\[\s*(?:profile\s+)?([^\]\n]{1,100}?)\s*\]\s*$")
_PRESENT = {
    "gcloud": ".config/gcloud/application_default_credentials.json",
    "kubernetes": ".kube/config",
    "gnupg": ".gnupg/pubring.kbx",
    "vault": ".vault-token",
    "terraform": ".terraform.d/credentials.tfrc.json",
    "cargo": ".cargo/credentials.toml",
}
_MOST = 100


def login_facts(tree: ScanTree) -> Iterator[Fact]:
    """The logins that files of a home speak of."""
    found = {
        "netrc": (".netrc", _netrc(tree.text(".netrc"))),
        "git_credentials": (".git-credentials", _addresses(tree.text(".git-credentials"))),
        "docker": (".docker/config.json", list(table(tree.json(".docker/config.json"), "auths"))),
        "npm": (".npmrc", _npm(tree.text(".npmrc"))),
        "pypi": (".pypirc", [name for name in _sections(tree.text(".pypirc")) if name != "distutils"]),
        "aws_profiles": (".aws/credentials", _sections(tree.text(".aws/credentials"))),
    }
    for name, (path, hosts) in found.items():
        clean = dict.fromkeys(filter(None, (_host(host) for host in hosts)))
        yield from listed(("logins", name), list(clean)[:_MOST], tree.at(path))
    for name, path in _PRESENT.items():
        if tree.has(path):
            yield Fact(
                path=("logins", name), says={"present": True, "source": tree.at(path)}, source=tree.at(path)
            )


def _netrc(text: str) -> list[str]:
    said = text.split()
    hosts = [after for word, after in pairwise(said) if word == "machine"]
    return [*hosts, *(["default"] if "default" in said else [])]


def _addresses(text: str) -> list[str]:
    """The hosts of stored addresses: what stands behind the last `@`, since a password may hold one, too."""
    said = (line.partition("://")[2] for line in text.splitlines())
    return [one.rpartition("@")[2].partition("/")[0].partition(":")[0] for one in said if "@" in one]


def _npm(text: str) -> list[str]:
    return re.findall(
        r"^\s*//([^/\s:]{1,200})[^\s=]{0,200}:_(?:authToken|auth|password)\s*=", text, re.MULTILINE
    )


def _sections(text: str) -> list[str]:
    return [found[1] for line in text.splitlines() if (found := _SECTION.match(line))]


def _host(said: str) -> str:
    """A host or a name alone: what stands before an `@` is somebody's, what follows a `/` is a path."""
    bare = words(said).rpartition("://")[2].rpartition("@")[2].partition("/")[0]
    return bare if re.fullmatch(r"[\w.\-: ]{1,200}", bare) else ""
