"""Verbs that write things down: notes, the buffer, tags."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from memoracle.memory.finding import Find

if TYPE_CHECKING:
    from memoracle.lifecycle.homes import Duplicate
    from memoracle.model.link import LinksWritten
    from memoracle.model.receipt import Buffered, Tag, Written


class Write(Find):
    """Verbs that write things down: notes, the buffer, tags."""

    def note(
        self,
        text: str,
        *,
        type: str = "",  # noqa: A002 - the word people know
        confidence: float | None = None,
        entity: str = "",
        heading: str = "",
        day: date | None = None,
        to: str = "",
        tags: Sequence[str] = (),
        verified: bool = False,
    ) -> Written:
        """Add a line to the note of today, or `to` its home: infrastructure, decisions and so on."""
        if to:
            return self._jotting().keep(text, to, heading=heading, tags=tags, verified=verified)
        return self._jotting().note(
            text, type_=type, confidence=confidence, entity=entity, heading=heading, day=day
        )

    def close_day(
        self, day: date | None = None, *, decisions: str = "", signal: str = "", left_open: str = ""
    ) -> Written:
        """Write or renew the four closing lines of today's note, or of another day's."""
        return self._jotting().close(day, decisions=decisions, signal=signal, left_open=left_open)

    def duplicates(self) -> Sequence[Duplicate]:
        """The facts that stand in more than one note."""
        return self._jotting().duplicates()

    def buffer(self, act: str = "show", text: str = "", *, defer: bool = False) -> Buffered:
        """The working buffer: `show`, `add`, `rotate` or `clear`. What is added is on disk when this returns."""
        from memoracle.acts.buffering import Buffering

        buffering = Buffering(
            self.store, shield=self._shield, settings=self._settings, zone=self._zone(), clock=self._clock
        )
        return buffering.act(act, text, defer=defer)

    def write_links(self, page: str | None = None, *, dry_run: bool = False) -> LinksWritten:
        """Bring the files of links up to date where the layout has such files; counted for one page, or for all."""
        return self._graphing().write(page, dry_run=dry_run)

    def tags(self) -> tuple[Sequence[Tag], str]:
        """The vocabulary and every tag in use; and what is wrong with its file."""
        return self._jotting().tags()

    def add_tag(self, tag: str, *, because: str) -> Tag:
        """Put a tag into the vocabulary, with its reason."""
        return self._jotting().add_tag(tag, because)
