"""Which project somebody works on, by the folder they work in and by what this machine was told of it."""

from __future__ import annotations

import os
from hashlib import sha256

from memoracle.model.scope import Scope
from memoracle.project import OUTSIDE, project_of, root_of
from memoracle.store.registry import names_here
from memoracle.store.store import Store


def reader_in(folder: str, store: Store) -> Scope:
    """The reader who works in a folder: its project under every name it has, or none at all."""
    root = root_of(folder)
    if not root:
        return Scope(project=OUTSIDE)
    # Some hosts know a folder by the digest of its path alone.
    also = [sha256(os.fsencode(one)).hexdigest() for one in dict.fromkeys((root, os.path.realpath(folder)))]
    return Scope(project=project_of(folder), also=(*also, *names_here(store, root)))
