"""The scanners by name, and one look by several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from memoracle.errors import BadInput
from memoracle.extensions.seats.scan.document import machine_document
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.model.value import value

DEFAULT = ("credentials", "network", "openclaw", "github", "current_context")
SCANNERS = (*DEFAULT, "system", "environment", "gstack", "clawseat", "repos")


@value
class MachineLook:
    """What the scanners saw: a document each, the errors of those that failed, and files nobody could read."""

    documents: Mapping[str, Mapping[str, Any]]
    errors: Mapping[str, str]
    unread: Mapping[str, str]


def chosen(only: Sequence[str]) -> tuple[str, ...]:
    """The scanners a call asks for, each once; the default ones when it names none."""
    if unknown := [name for name in only if name not in SCANNERS]:
        raise BadInput(f"no scanner is called `{unknown[0]}`", f"one of: {', '.join(SCANNERS)}")
    return tuple(dict.fromkeys(only)) or DEFAULT


def look_at_machine(around: Around, scanners: Sequence[str]) -> MachineLook:
    """One look by each of these scanners. One that fails keeps none of the others from looking."""
    documents: dict[str, Mapping[str, Any]] = {}
    errors: dict[str, str] = {}
    for name in scanners:
        look = import_module(f"memoracle.extensions.seats.scan.machine.{name}").look
        try:
            documents[name] = machine_document(name, look(around), at=around.at)
        except Exception as problem:  # noqa: BLE001 - whatever stands in people's files, the others go on
            errors[name] = f"{type(problem).__name__} while looking"
    unread = {path: why for tree in (*around.trees, around.system) for path, why in tree.unread.items()}
    return MachineLook(documents=documents, errors=errors, unread=unread)
