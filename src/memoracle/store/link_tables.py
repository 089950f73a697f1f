"""`component-patterns.toml` of a root and of its projects: what people say about links. Read, never written."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.model.ids import file_digest
from memoracle.store.volume import NO_LOOKS, Volume

FILE = "component-patterns.toml"


def link_files(volume: Volume, layout: Mapping[str, str]) -> dict[str, bytes]:
    """The files by project; that of the whole root under the empty name. What cannot be read counts as absent."""
    folder = layout["page"].partition("/{")[0]
    projects = volume.list(folder).folders
    places = {"": FILE} | {project: f"{folder}/{project}/{FILE}" for project in projects}
    held: dict[str, bytes] = {}
    for project, place in places.items():
        with suppress(MemoracleError):
            if volume.looks(place) != NO_LOOKS:
                held[project] = volume.read(place)
    return held


def digest_of(files: Mapping[str, bytes]) -> str:
    """What changes when one of the files does; empty without any."""
    return file_digest(repr(sorted(files.items())).encode()) if files else ""


def tables_of(files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """The files, parsed; one that is no TOML counts as empty."""
    import tomllib

    tables: dict[str, dict[str, Any]] = {}
    for project, content in files.items():
        try:
            tables[project] = tomllib.loads(content.decode("utf-8", "replace"))
        except (tomllib.TOMLDecodeError, RecursionError):
            tables[project] = {}
    return tables
