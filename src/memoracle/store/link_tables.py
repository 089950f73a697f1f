"""`component-patterns.toml` of a root and of its projects: what people say about links. Read, never written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.model.ids import file_digest
from memoracle.store import durable
from memoracle.store.contain import inside

FILE = "component-patterns.toml"


def link_files(root: str, layout: Mapping[str, str]) -> dict[str, bytes]:
    """The files by project; that of the whole root under the empty name. What cannot be read counts as absent."""
    folder = layout["page"].partition("/{")[0]
    try:
        with os.scandir(inside(root, folder)) as found:
            projects = sorted(one.name for one in found if one.is_dir(follow_symlinks=False))
    except (OSError, MemoracleError):
        projects = []
    places = {"": FILE} | {project: f"{folder}/{project}/{FILE}" for project in projects}
    held: dict[str, bytes] = {}
    for project, place in places.items():
        path = os.path.join(root, place)
        if os.path.isfile(path) and not os.path.islink(path):
            try:
                held[project] = durable.read(inside(root, place))
            except (OSError, MemoracleError):
                continue
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
