"""The memory sealed on disk."""

from __future__ import annotations

from memoracle.registry import Extension, Verb

EXTENSION = Extension(
    name="encryption",
    help="the memory sealed on disk",
    verbs=(
        Verb(
            name="encrypt",
            help="seal the memory on disk: all of it, or its sensitive records",
            method="memoracle.extensions.encryption.encrypting.encrypt",
            module="memoracle.extensions.encryption.cli",
        ),
        Verb(
            name="decrypt",
            help="write every file in clear again",
            method="memoracle.extensions.encryption.encrypting.decrypt",
            module="memoracle.extensions.encryption.cli",
        ),
        Verb(
            name="unlock",
            help="open a sealed memory for this session",
            method="memoracle.extensions.encryption.encrypting.unlock",
            module="memoracle.extensions.encryption.cli",
        ),
        Verb(
            name="lock",
            help="let go of the keys of a sealed memory",
            method="memoracle.extensions.encryption.encrypting.lock",
            module="memoracle.extensions.encryption.cli",
        ),
        Verb(
            name="keys",
            help="what opens a sealed memory: list, add, remove",
            method="memoracle.extensions.encryption.encrypting.keys",
            module="memoracle.extensions.encryption.cli",
        ),
    ),
    checks=("memoracle.extensions.encryption.sealing:not_sealed",),
    points={"codec": "memoracle.extensions.encryption.vaults:vault_at"},
)
