"""Agents' hosts (adapters): one folder each with its transcript reader and installer; hooks; sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoracle.hosts.branches import Reading, Watermark
    from memoracle.hosts.reading import read, read_all
    from memoracle.hosts.sources import Discovery, Host, Listing, Shape, Source, discover, folders, recognise

_HOMES = {
    "branches": ("Reading", "Watermark"),
    "reading": ("read", "read_all"),
    "sources": ("Discovery", "Host", "Listing", "Shape", "Source", "discover", "folders", "recognise"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Discovery",
    "Host",
    "Listing",
    "Reading",
    "Shape",
    "Source",
    "Watermark",
    "discover",
    "folders",
    "read",
    "read_all",
    "recognise",
]


def __getattr__(name: str) -> Any:
    """Names are loaded on first use: a hook needs one small file of this package, and no reader."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
