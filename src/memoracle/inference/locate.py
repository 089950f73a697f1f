"""Finding a data file inside an installed package without importing that package.

Model packages import frameworks when they are imported. Their files are all that is wanted, so the import
system is asked where a package lies and its code is never run.
"""

from __future__ import annotations

import os
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Iterable


@value
class Place:
    """Where a package keeps something: a path relative to the package's folder."""

    package: str
    within: str


def find(places: Iterable[Place]) -> str | None:
    """The path of the first of `places` that exists on this machine."""
    for place in places:
        spec = PathFinder.find_spec(place.package)
        for folder in (spec and spec.submodule_search_locations) or ():
            path = os.path.join(folder, *place.within.split("/"))
            if os.path.exists(path):
                return path
    return None
