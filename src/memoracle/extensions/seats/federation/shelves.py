"""The documents that keys are looked up in, read from a store: facts of projects and of the machine, and pages.

Old flat files at the top of a root are no shelf, and neither is anything that is derived. A document that cannot be
read is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from memoracle.errors import MemoracleError
from memoracle.extensions.seats.federation.lookup import FactHolder, Layer
from memoracle.extensions.seats.model import Page
from memoracle.store.layouts import resolve
from memoracle.store.store import Store

FIRST = "dev_env"
_LARGEST = 4_000_000
_DERIVED = frozenset({"registry.json"})


def fact_shelves(store: Store, projects: Sequence[str]) -> Iterator[FactHolder]:
    """Facts of these projects, the environment of each first; then those of the machine."""
    for project in projects:
        folder = os.path.dirname(resolve(store.layout, "project_fact", project=project, name="x"))
        own = sorted(_files(store, folder), key=lambda path: not path.endswith(f"/{FIRST}.json"))
        for path in own:
            is_first = path.endswith(f"/{FIRST}.json")
            yield from _shelf(store, Layer.PROJECT, path, whole=is_first, owner=f"project {project}")
    for path in machine_files(store):
        yield from _shelf(store, Layer.MACHINE, path, whole=False, owner="machine")


def page_shelves(key: str, pages: Iterable[Page]) -> Iterator[FactHolder]:
    """Pages that a key may begin with: by id, file name, title or task."""
    for page in pages:
        stem = page.path.rpartition("/")[2].removesuffix(".md")
        names = tuple(name for name in dict.fromkeys((page.id, stem, page.title, page.task_id)) if name)
        if any(key.startswith(name) for name in names):
            held = {**page.fields, "body": page.body}
            yield FactHolder(layer=Layer.PAGE, file=page.path, document=held, names=names, owner=page.owner)


def machine_files(store: Store) -> list[str]:
    """The documents that scanners keep of this machine."""
    return _files(store, os.path.dirname(resolve(store.layout, "machine", name="x")))


def _shelf(store: Store, layer: Layer, path: str, *, whole: bool, owner: str) -> Iterator[FactHolder]:
    with suppress(MemoracleError, ValueError, RecursionError, OSError):
        raw = store.volume.read(path)
        if len(raw) <= _LARGEST:
            stem = path.rpartition("/")[2].removesuffix(".json")
            names = (stem, f"{layer.value}.{stem}")
            yield FactHolder(
                layer=layer, file=path, document=json.loads(raw), names=names, whole=whole, owner=owner
            )


def _files(store: Store, folder: str) -> list[str]:
    """The documents that stand in a folder itself; what begins with `_` is derived."""
    return [
        path
        for path in store.volume.walk(folder, (".json",))
        if "/" not in (name := path.removeprefix(f"{folder}/")) and name[:1] != "_" and name not in _DERIVED
    ]
