"""Which project somebody works on, by the folder they work in and by what its owner registered."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256

from memoracle.errors import MemoracleError
from memoracle.model.scope import Scope
from memoracle.project import OUTSIDE, project_of, root_of
from memoracle.store.registry import read_registry
from memoracle.store.store import Store


def reader_in(folder: str, store: Store) -> Scope:
    """The reader who works in a folder: its project under every name it has, or none at all."""
    root = root_of(folder)
    if not root:
        return Scope(project=OUTSIDE)
    # Some hosts know a folder by the digest of its path alone.
    also = [sha256(os.fsencode(one)).hexdigest() for one in dict.fromkeys((root, os.path.realpath(folder)))]
    with suppress(MemoracleError):  # a registry that cannot be read keeps nobody from reading
        also += [
            one.name
            for one in read_registry(store).projects
            if one.repo_path and os.path.realpath(os.path.expanduser(one.repo_path)) == root
        ]
    return Scope(project=project_of(folder), also=tuple(also))
