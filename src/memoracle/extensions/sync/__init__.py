"""Several machines, one memory, through git."""

from __future__ import annotations

from memoracle.registry import Extension, Verb

EXTENSION = Extension(
    name="sync",
    help="several machines, one memory, through git",
    verbs=(
        Verb(
            name="sync",
            help="exchange with other machines through git; pushes only when asked",
            method="sync",
            module="memoracle.extensions.sync.cli",
        ),
    ),
    methods={"sync": "memoracle.extensions.sync.git:sync"},
    points={"commit_changes": "memoracle.extensions.sync.git:commit_changes"},
)
