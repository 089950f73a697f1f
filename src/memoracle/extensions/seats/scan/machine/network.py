"""Proxies, as the variables name them: scheme, host and port, never a login. No network is touched."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import words

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy")
_SOURCE = "environment"


def look(around: Around) -> list[Fact]:
    """The proxies, and what goes past them."""
    given = around.environment
    facts = [
        Fact(path=("proxies", name), says=_proxy(said), source=_SOURCE)
        for name in _PROXIES
        if (said := given.get(name) or given.get(name.upper()))
    ]
    if past := given.get("no_proxy") or given.get("NO_PROXY"):
        names = [name for one in past.split(",") if (name := words(one).rpartition("@")[2])]
        facts.append(Fact(path=("no_proxy",), says=names[:200], source=_SOURCE))
    used = any(fact.path[0] == "proxies" for fact in facts)
    return [*facts, Fact(path=("uses_proxy",), says=used, source=_SOURCE)]


def _proxy(said: str) -> dict[str, Any]:
    try:
        parts = urlsplit(said if "://" in said else f"//{said}")
        port = parts.port
        host = parts.hostname
    except ValueError:
        return {"present": True, "readable": False}
    if "@" in parts.path + parts.query + parts.fragment:  # a password with a slash in it
        return {"present": True, "readable": False}
    found: dict[str, Any] = {"host": words(host or ""), "has_login": "@" in parts.netloc}
    if parts.scheme:
        found["scheme"] = words(parts.scheme)
    return found | ({"port": port} if port else {})
