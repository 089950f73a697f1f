"""Facts as the document that is kept, and what of it counts when two are compared. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from memoracle.extensions.seats.scan.fact import Fact, evidence_of, tree_of

SCHEMA = 1
FRAME = frozenset({"schema_version", "kind", "project", "repo", "scanned_at", "evidence", "source"})
"""What a document says about itself; never a fact."""
SEEN = frozenset({"last_seen"})
"""What moves at every look, although nothing has changed."""


def machine_document(name: str, facts: Iterable[Fact], *, at: str) -> dict[str, Any]:
    """What a scanner of the machine saw; the facts stand at the top, as `get NAME.a.b` asks for them."""
    held = list(facts)
    return {
        "schema_version": SCHEMA,
        "kind": name,
        "scanned_at": at,
        "source": "scanner",
        **tree_of(held),
        "evidence": evidence_of(held),
    }


def project_document(kind: str, facts: Iterable[Fact], *, project: str, repo: str, at: str) -> dict[str, Any]:
    """What a repository tells of one kind of thing; the facts stand under `data`."""
    held = list(facts)
    return {
        "schema_version": SCHEMA,
        "kind": kind,
        "project": project,
        "repo": repo,
        "scanned_at": at,
        "source": "scanner",
        "data": tree_of(held),
        "evidence": evidence_of(held),
    }


def facts_in(document: Mapping[str, Any]) -> dict[str, Any]:
    """What a document says of the world, without what it says of itself or of the moment."""
    return {name: _settled(said) for name, said in document.items() if name not in FRAME}


def cleaned(said: Any, hide: Callable[[str], str]) -> Any:
    """A document without secrets: every text in it has passed the guard, names too."""
    if isinstance(said, str):
        return hide(said)
    if isinstance(said, Mapping):
        return {hide(str(name)): cleaned(one, hide) for name, one in said.items()}
    if isinstance(said, list | tuple):
        return [cleaned(one, hide) for one in said]
    return said


def _settled(said: Any) -> Any:
    if isinstance(said, Mapping):
        return {name: _settled(one) for name, one in said.items() if name not in SEEN}
    if isinstance(said, list):
        return [_settled(one) for one in said]
    return said
