"""Where the core asks its extensions: the one core file that names theirs, each loaded when there is something for it.

A root that no extension has anything to do with never loads one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoracle.model.record import Record
    from memoracle.store.adopted import Adopted
    from memoracle.store.volume import Volume


def upgrade_line(fields: Mapping[str, Any]) -> Record:
    """Layouts: a record line in a shape that another design, or an earlier format, wrote."""
    from memoracle.store.older import upgrade

    return upgrade(fields)


def adopted_at(volume: Volume, name: str) -> Adopted | None:
    """Layouts: what stood in a directory before it became a memory."""
    from memoracle.store.adopted import read_adopted

    return read_adopted(volume, name)
