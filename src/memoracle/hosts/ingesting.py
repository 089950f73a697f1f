"""Reading conversations: a file, a folder, a host by name, or one transcript for a view. They are never changed.

Readers are imported when a conversation is read, not before.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import EmbedderProblem, MissingExtra
from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.hosts.reading import HideAll
    from memoracle.hosts.sources import Source
    from memoracle.model.claim import Turn
    from memoracle.model.manifest import Loaded
    from memoracle.model.report import Finding, Ingested
    from memoracle.root import Root


def ingest(root: Root, target: str, *, keep: bool = False, embed: bool = True) -> Ingested:
    """Read conversations: a file, a folder, or a host by name. Transcripts are never changed.

    `keep` stores a compressed copy that outlives the host's own tidying.
    """
    from memoracle.hosts.collect import check_guesses, is_unread
    from memoracle.model.report import Ingested
    from memoracle.store.sessions import register, without_copy

    root.reader.must_not_overhear()
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


@value
class HostReader:
    """The store's reader of conversations: every host's shape behind two questions.

    `hide` takes secrets out of everything a view is told; `names` are the owner's own in conversations.
    """

    hide: HideAll
    names: frozenset[str]

    def load(self, path: str, shape: str, memo: str) -> Loaded:
        """What is new in a transcript since the reading that left this memo."""
        from memoracle.hosts.known_hosts import Shape
        from memoracle.hosts.reading import hear

        if shape in set(Shape):
            return hear(path, shape, memo, hide=self.hide, names=self.names)
        from memoracle.model.manifest import Loaded, Role
        from memoracle.model.report import Finding, Severity

        says = f"nobody here knows how a conversation of the shape `{shape}` is read"
        told = Finding(code="unknown-shape", severity=Severity.ERROR, path=path, message=says)
        return Loaded(path=path, role=Role.TRANSCRIPT, whole=False, mark=None, absent=True, findings=(told,))

    def turns(self, path: str, shape: str) -> Sequence[Turn]:
        """Every turn of a transcript; none of a shape nobody knows."""
        from pathlib import Path

        from memoracle.hosts.known_hosts import Shape
        from memoracle.hosts.reading import read
        from memoracle.hosts.sources import Source
        from memoracle.model.claim import owned

        if shape not in set(Shape):
            return ()
        turns = read(Source(path=Path(path), shape=Shape(shape))).turns
        return [owned(turn, self.names) for turn in turns]
