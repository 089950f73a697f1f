"""Secrets that another program's scanner keeps: they may be asked for by name, their values are never shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.store.layouts import resolve

if TYPE_CHECKING:
    from memoracle.store.store import Store

STEM = "credentials"
_VALUES = frozenset({"value", "token", "secret", "password", "key"})
_HIDDEN = "[secret: not shown]"


def left_in_clear(store: Store) -> list[str]:
    """The names under which a scanner of another program left a value in this root."""
    with suppress(MemoracleError, ValueError, RecursionError):
        held = json.loads(store.volume.read(resolve(store.layout, "machine", name=STEM)) or b"null")
        return names_in_clear(held)
    return []


def names_in_clear(document: Any) -> list[str]:
    """The names under which such a document holds a value."""
    return [name for name, one in _keys(document).items() if isinstance(one, str) or _values_in(one)]


def without_values(document: Any) -> Any:
    """Such a document with a word in place of each value, whatever it looks like."""
    if not isinstance(document, dict):
        return document
    keys = {
        name: {part: _HIDDEN if part in _values_in(one) else held for part, held in one.items()}
        if isinstance(one, dict)
        else one
        if isinstance(one, str) and one.startswith("[secret:")
        else _HIDDEN
        for name, one in _keys(document).items()
    }
    return {**document, "keys": keys} if keys else document


def _keys(document: Any) -> Mapping[str, Any]:
    held = document.get("keys") if isinstance(document, dict) else None
    return held if isinstance(held, dict) else {}


def _values_in(entry: Any) -> set[str]:
    if not isinstance(entry, dict):
        return set()
    return {
        name
        for name, held in entry.items()
        if name in _VALUES and held and not (isinstance(held, str) and held.startswith("[secret:"))
    }
