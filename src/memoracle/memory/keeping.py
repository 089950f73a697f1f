"""Verbs that keep things, and that carry them in and out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from memoracle.errors import RefusedByPolicy
from memoracle.index.sync import silent
from memoracle.memory.root import (
    Base,
    receipt_of,
)
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.record import Draft, Record, Status
from memoracle.model.scope import EVERYBODY, SCOPES
from memoracle.model.value import replace
from memoracle.recall.freshness import Progress

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.lifecycle.draft import Drafted, Fields
    from memoracle.model.inbox import Item
    from memoracle.model.migration import Exported, Imported
    from memoracle.model.receipt import Ingested, Receipt


class Keep(Base):
    """Verbs that keep things, and that carry them in and out."""

    def remember(self, what: str | Draft | Drafted, **fields: Unpack[Fields]) -> Receipt:
        """Keep something. The same thing kept again is the same record, with `created` False."""
        from memoracle.lifecycle.draft import make_draft

        if fields and not isinstance(what, str):
            raise TypeError(f"a draft says everything itself: {', '.join(fields)} cannot be given beside it")
        kept = self.remember_many([make_draft(what, **fields) if isinstance(what, str) else what])[0]
        if not kept.id:
            raise RefusedByPolicy(kept.rules)
        return kept

    def remember_many(self, drafts: Sequence[Draft | Drafted]) -> Sequence[Receipt]:
        """Keep several things with one acknowledgement. One without an id was not kept: too many wait in quarantine."""
        from memoracle.lifecycle import revise
        from memoracle.lifecycle.admit import admit, already_kept, is_news, keys_of
        from memoracle.lifecycle.evidence import is_second_word
        from memoracle.lifecycle.inbox import ask_to_confirm
        from memoracle.lifecycle.room import Room, not_kept

        drafted = [self.guard(draft) for draft in drafts]
        asked: list[Item] = []
        room = Room(drafted, self._count_apart)
        with self.store.writing():
            change = self._change("remember")
            fresh: list[Record] = []
            known: dict[str, Record] = {}
            outcome: list[tuple[Record | None, bool]] = []

            def find(key: str) -> Record | None:
                return known.get(key) or self.store.journal.with_key(key)

            for wish in drafted:
                if room.is_apart(wish):
                    waits, is_new = room.set_apart(
                        wish, find, record_id=self._ids.next(RECORD_PREFIX, change.at), change=change
                    )
                    outcome.append((waits, is_new))
                    if waits is not None and is_new:
                        fresh.append(waits)
                        known |= dict.fromkeys(waits.keys, waits)
                    continue
                held = already_kept(wish.draft, find, change.at)
                if held is None:
                    record = admit(
                        wish.draft, record_id=self._ids.next(RECORD_PREFIX, change.at), change=change
                    )
                    if wish.proposes:
                        asked.append(ask_to_confirm(record, wish.proposes, since=change.at))
                elif held.status is Status.ARCHIVED:
                    record = revise.restore(held, change)
                elif is_news(held, wish.draft):
                    record = revise.vouch(held, wish.draft, change)
                elif not wish.proposes and is_second_word(held, wish.draft, told=wish.told):
                    record = revise.said_twice(held, wish.draft, change)
                else:
                    outcome.append((held, False))
                    continue
                fresh.append(record)
                outcome.append((record, held is None))
                known |= dict.fromkeys(record.keys or keys_of(wish.draft), record)
            places = dict(zip((r.id for r in fresh), self.store.append(fresh), strict=True)) if fresh else {}
            if asked:
                self._ask_to_confirm(asked, change.at)
        return [
            receipt_of(
                record,
                places.get(record.id) or self.store.journal.place_of(record),
                created=new,
                warnings=wish.warnings,
                outcome=wish.outcome,
                rules=wish.rules,
            )
            if record is not None
            else not_kept(wish)
            for (record, new), wish in zip(outcome, drafted, strict=True)
        ]

    def guard(self, wish: Draft | Drafted) -> Drafted:
        """A draft as it may be written: without secrets, with no more weight than its channel gives it."""
        from memoracle.lifecycle.draft import Drafted, put_to_owner

        given = wish if isinstance(wish, Drafted) else Drafted(draft=wish)
        given = replace(given, draft=self._of_its_reader(given.draft))
        guarded = self._shield.must_pass(given.draft)
        # What was guarded before is guarded again: a mask that was put then has nothing left to say now.
        was_masked = given.outcome == "masked" and guarded.outcome.value == "accepted"
        guarded_wish = Drafted(
            draft=guarded.draft,
            warnings=tuple(dict.fromkeys((*given.warnings, *guarded.warnings))),
            outcome=given.outcome if was_masked else guarded.outcome.value,
            rules=tuple(dict.fromkeys((*given.rules, *guarded.rules))),
            told=given.told,
            proposes=given.proposes,
        )
        return put_to_owner(guarded_wish, given.draft)

    def _ask_to_confirm(self, items: Sequence[Item], now: datetime) -> None:
        """Put what an agent noted to its owner; when too much waits already, the notes stand without a question."""
        from memoracle.lifecycle.inbox import MOST_TO_CONFIRM
        from memoracle.model.inbox import Matter
        from memoracle.store.inbox import ask, read_inbox

        waiting = sum(one.matter is Matter.CONFIRMATION for one in read_inbox(self.store).open)
        ask(self.store, items[: max(0, MOST_TO_CONFIRM - waiting)], now=now)

    def _count_apart(self, session: str, channel: str) -> int:
        """How many things of a session wait in quarantine; of a channel, where no session is named."""
        from memoracle.lifecycle.quarantine import MOST
        from memoracle.model.query import Filters

        self._upkeep.catch_up()
        wanted = Filters(statuses=(Status.QUARANTINED.value,), session=session, channel=channel)
        return len(self._upkeep.ask(lambda: self.index.list_records(wanted, MOST, self._clock())))

    def _of_its_reader(self, draft: Draft) -> Draft:
        """A draft in the scope of whoever this memory is open for; another's scope is refused."""
        if self._reader == EVERYBODY:
            return draft
        if not draft.scope.is_open_to(self._reader):
            raise RefusedByPolicy(("other-scope",))
        bound = {name: eyes for name in SCOPES if (eyes := getattr(self._reader, name))}
        return replace(draft, scope=replace(draft.scope, **bound))

    def ingest(self, target: str, *, keep: bool = False, embed: bool = True) -> Ingested:
        """Read conversations: a file, a folder, or a host by name. Transcripts are never changed.

        `keep` stores a compressed copy that outlives the host's own tidying.
        """
        from memoracle.model.receipt import Ingested
        from memoracle.store.transcripts import register, without_copy

        self._must_not_overhear()
        from memoracle.ingest.unread import check_guesses, is_unread

        sources, findings = self._find_sources(target)
        known = self.store.sessions.by_path().keys()
        sources, mistaken = check_guesses(target, sources, known)
        findings += mistaken
        with self.store.writing():
            registered = register(
                self.store, [(str(source.path), source.shape.value) for source in sources], keep=keep
            )
        before = self.index.counts().get("turns", 0)
        self._upkeep.catch_up()
        paths = {str(source.path) for source in sources}
        findings += [finding for finding in self.index.findings() if finding.path in paths]
        findings += [without_copy(path) for path in registered.without_copy]
        return Ingested(
            files=len(sources),
            turns=self.index.counts().get("turns", 0) - before,
            embedded=self._embed_what_is_new() if embed else 0,
            kept=registered.kept,
            findings=tuple(findings),
            unread=len({one.path for one in findings if is_unread(one)}),
        )

    def import_(
        self,
        source: str,
        *,
        shape: str = "",
        project: str = "",
        dry_run: bool = False,
        progress: Progress = silent,
    ) -> Imported:
        """Move in what another program kept, once; one act that `undo` reverses. Notes stay notes."""
        from memoracle.ingest.imports.recognise import Shape, locate, read_source, recognise
        from memoracle.moving.importing import Importing

        place = locate(source, home=os.path.expanduser("~"), environment=os.environ)
        chosen = Shape(shape) if shape else recognise(place)
        self._shield.must_be_ready()
        importing = Importing(
            self.store,
            guard=self.guard,
            hide=self._shield.hide,
            spell_out=self._shield.spelled_out,
            suspects=self._shield.is_suspect,
        )
        return importing.run(
            read_source(place, chosen),
            self._change("import", f"from {chosen}"),
            source=place,
            shape=chosen.value,
            project=project,
            dry_run=dry_run,
            progress=progress,
        )

    def export(
        self,
        target: str,
        *,
        shape: str = "markdown",
        entity: str = "",
        project: str = "",
        include_archived: bool = False,
        include_secret: bool = False,
        dry_run: bool = False,
        overwrite: bool = False,
    ) -> Exported:
        """Write the standing records and the notes out, in another design's shape or as plain Markdown."""
        self._must_see_all()
        from memoracle.model.migration import Wanted
        from memoracle.moving.exporting import Exporting

        wanted = Wanted(
            entity=entity,
            names=self._names_of(entity),
            project=project,
            include_archived=include_archived,
            include_secret=include_secret,
        )
        self._shield.must_be_ready()
        exporting = Exporting(self.store, hide=self._shield.hide, now=self._clock())
        done = exporting.run(target, shape, wanted, dry_run=dry_run, overwrite=overwrite)
        if not dry_run:
            self._told("export", about=[shape], rules=["secret-too"] if include_secret else [])
        return done

    def _names_of(self, entity: str) -> tuple[str, ...]:
        """All names of an entity, the one asked for first; that one alone when no record knows it."""
        from memoracle.errors import UnknownEntity
        from memoracle.lifecycle.entities import entity_pages, pages_named

        if not entity:
            return ()
        self._upkeep.catch_up()
        standing = self._upkeep.ask(lambda: self.index.standing(self._law, self._clock()))
        try:
            pages = pages_named(entity_pages(standing), entity)
        except UnknownEntity:
            return (entity,)
        return tuple(dict.fromkeys([entity, *(name for one in pages for name in (one.name, *one.aliases))]))

    def embed(self) -> int:
        """Compute the vectors that are missing; how many passages got theirs is returned."""
        self._upkeep.catch_up()
        return self._upkeep.embed()
