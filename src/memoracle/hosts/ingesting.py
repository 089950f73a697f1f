"""Reading conversations: a file, a folder, a host by name, or one transcript for a view. They are never changed.

Readers are imported when a conversation is read, not before.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import EmbedderProblem, MemoracleError, MissingExtra
from memoracle.hosts.known_hosts import BY_ALIAS
from memoracle.model.report import Finding, Severity
from memoracle.model.value import replace, value
from memoracle.store.sessions import COPIES, FIRST
from memoracle.store.volume import read_document, write_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memoracle.hosts.reading import HideAll
    from memoracle.hosts.sources import Source
    from memoracle.model.claim import Turn
    from memoracle.model.manifest import Loaded
    from memoracle.model.report import Ingested
    from memoracle.root import Root
    from memoracle.store.store import Store


def ingest(
    root: Root, target: str, *, keep: bool = False, embed: bool = True, once: bool = False
) -> Ingested:
    """Read conversations: a file, a folder, or a host by name. Transcripts are never changed.

    `keep` stores a compressed copy that outlives the host's own tidying. A host and a folder are looked into again by
    `tend`, unless this is `once`.
    """
    from memoracle.hosts.collect import check_guesses, is_unread
    from memoracle.model.report import Ingested
    from memoracle.store.sessions import register, without_copy

    root.reader.must_not_overhear()
    try:
        sources, findings = find_sources(root, target)
    except MemoracleError:
        if not once or _watched_name(target) not in watched(root.store):
            raise
        _note_source(root.store, target, [], once=True)  # it is gone, and so is the looking
        return Ingested(files=0, turns=0, embedded=0, kept=0)
    known = root.store.sessions.by_path().keys()
    ours = _ours(root.store)
    sources = [one for one in sources if str(one.path) not in ours]
    findings = [one for one in findings if one.path not in ours]
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
    _note_source(root.store, target, [one for one in findings if is_unread(one)], once=once)
    return Ingested(
        files=len(sources),
        turns=root.index.counts().get("turns", 0) - before,
        embedded=_embed_new(root) if embed else 0,
        kept=registered.kept,
        findings=tuple(findings),
        unread=len({one.path for one in findings if is_unread(one)}),
    )


# Hosts and folders that are looked into again: this machine's own business, like the conversations found there.

_WATCHED = "watched.json"
_MOST_NOTED = 20


def watched(store: Store) -> dict[str, tuple[Finding, ...]]:
    """What is looked into again, each with what could not be read there the last time.

    Where an adopted design keeps its conversations in the memory's own folder, that is among them from the start.
    """
    held = read_document(store.volume, store.state_name(_WATCHED)).get("sources")
    sources = held if isinstance(held, dict) else {}
    own = _own_sessions(store)
    return {
        target: tuple(
            Finding(code="unread-source", severity=Severity.WARNING, path=str(path), message=str(why))
            for path, why in (unread.items() if isinstance(unread, dict) else ())
        )
        for target, unread in ({own: {}, **sources} if own else sources).items()
    }


def _own_sessions(store: Store) -> str:
    """Where the programs of this layout write conversations inside the root; empty where there are none."""
    folder = store.layout["sessions"]
    if store.layout_name == "native" or folder.startswith(".memoracle/"):
        return ""
    ours = _ours(store)
    theirs = (name for name in store.volume.walk(folder, ("",)) if f"{store.root}/{name}" not in ours)
    return f"{store.root}/{folder}" if next(theirs, "") else ""


def _ours(store: Store) -> frozenset[str]:
    """What memory itself keeps in its folder of conversations: copies, and the lists of them."""
    copies = (one.copy for one in store.sessions.by_path().values() if one.copy)
    lists = (f"{store.layout['sessions']}/{name}" for name in (COPIES, FIRST))
    return frozenset(f"{store.root}/{name}" for name in (*copies, *lists))


def look_again(root: Root) -> Ingested:
    """Read what is new wherever conversations were found before; a place that is gone keeps no other unread."""
    from memoracle.model.report import Ingested

    done = Ingested(files=0, turns=0, embedded=0, kept=0)
    for target in watched(root.store):
        if os.path.isdir(target) and not os.listdir(target):
            continue  # nothing has been said there yet
        try:
            read = ingest(root, target)
        except MemoracleError as problem:
            told = Finding(code="unread-source", severity=Severity.WARNING, path=target, message=str(problem))
            _note_source(root.store, target, [told], once=False)
            read = Ingested(files=0, turns=0, embedded=0, kept=0, findings=(told,), unread=1)
        done = replace(
            read,
            files=done.files + read.files,
            turns=done.turns + read.turns,
            embedded=done.embedded + read.embedded,
            findings=(*done.findings, *read.findings),
            unread=done.unread + read.unread,
        )
    return done


def _note_source(store: Store, target: str, unread: Sequence[Finding], *, once: bool) -> None:
    """Have a host or a folder looked into again, or no more, and note what could not be read; a file is its own."""
    named, name = _watched_name(target), store.state_name(_WATCHED)
    with store.writing():  # reading, too: others may note theirs
        found = read_document(store.volume, name).get("sources")
        held: Mapping[str, object] = found if isinstance(found, dict) else {}
        kept = {one: noted for one, noted in held.items() if one != named}
        if not once and (target in BY_ALIAS or os.path.isdir(named) or named in held):
            kept[named] = {str(one.path): one.message for one in unread[:_MOST_NOTED]}
        if kept != held:
            write_document(store.volume, name, {"sources": kept})


def _watched_name(target: str) -> str:
    return target if target in BY_ALIAS else os.path.abspath(os.path.expanduser(target))


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
