"""Reading conversations: a file, a folder, or a host by name. Transcripts are never changed."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import EmbedderProblem, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.hosts.sources import Source
    from memoracle.model.report import Finding, Ingested
    from memoracle.root import Root


def ingest(root: Root, target: str, *, keep: bool = False, embed: bool = True) -> Ingested:
    """Read conversations: a file, a folder, or a host by name. Transcripts are never changed.

    `keep` stores a compressed copy that outlives the host's own tidying.
    """
    from memoracle.model.report import Ingested
    from memoracle.store.sessions import register, without_copy

    root.reader.must_not_overhear()
    from memoracle.hosts.collect import check_guesses, is_unread

    sources, findings = find_sources(root, target)
    known = root.store.sessions.by_path().keys()
    sources, mistaken = check_guesses(target, sources, known)
    findings += mistaken
    with root.store.writing():
        registered = register(
            root.store, [(str(source.path), source.shape.value) for source in sources], keep=keep
        )
    before = root.index.counts().get("turns", 0)
    root.view.catch_up()
    paths = {str(source.path) for source in sources}
    findings += [finding for finding in root.index.findings() if finding.path in paths]
    findings += [without_copy(path) for path in registered.without_copy]
    return Ingested(
        files=len(sources),
        turns=root.index.counts().get("turns", 0) - before,
        embedded=_embed_new(root) if embed else 0,
        kept=registered.kept,
        findings=tuple(findings),
        unread=len({one.path for one in findings if is_unread(one)}),
    )


def find_sources(root: Root, target: str) -> tuple[list[Source], list[Finding]]:
    from pathlib import Path

    from memoracle.hosts.sources import sources_at

    return sources_at(target, home=Path.home(), environment=root.environment)


def transcripts_of(root: Root, paths: Sequence[str], session: str) -> Sequence[str]:
    """The names under which transcripts are registered; those that are not known yet become so."""
    from memoracle.store.sessions import register

    sources = [source for path in paths for source in find_sources(root, path)[0]]
    found = [(str(source.path), source.shape.value) for source in sources]
    if not {path for path, _ in found} <= root.store.sessions.by_path().keys():
        with root.store.writing():
            register(root.store, found, keep=False)
    if found:
        return [path for path, _ in found]
    known = root.store.sessions.by_path()
    return [path for path in known if session in os.path.basename(path)] if not paths else []


def _embed_new(root: Root) -> int:
    """Vectors for what was read; a model that cannot be used keeps nobody from reading."""
    with suppress(EmbedderProblem, MissingExtra):
        return root.view.embed()
    return 0
