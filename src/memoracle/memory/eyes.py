"""Through whose eyes a memory is read: what the root's reader says, for the verbs of the classes below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from memoracle.model.hit import Passage
from memoracle.model.query import Filters
from memoracle.model.record import Draft, Record
from memoracle.model.scope import Scope

if TYPE_CHECKING:
    from memoracle.root import Root


class Eyes:
    """The reader of one memory, and what that reader may see and change."""

    root: Root

    def read_as(self, reader: Scope, *, public: bool = False) -> Self:
        """This memory through these eyes; see `Root.for_reader`."""
        self.root = self.root.for_reader(reader, public=public)
        return self

    def work_in(self, folder: str) -> Self:
        """This memory as it is told to somebody who works in a folder; see `Root.in_folder`."""
        self.root = self.root.in_folder(folder)
        return self

    def placed(self, draft: Draft) -> Draft:
        """A draft in the project that is worked on, when it is about that."""
        return self.root.placed(draft)

    def sees(self, record: Record) -> bool:
        """True when the reader of this memory may see a record."""
        return self.root.reader.sees(record)

    def shows(self, passage: Passage) -> bool:
        """True when the reader of this memory may see a piece of a note or a turn."""
        return self.root.reader.sees_passage(passage)

    @property
    def _reader(self) -> Scope:
        return self.root.reader.scope

    @property
    def _told_to(self) -> Scope:
        return self.root.reader.told_to

    @property
    def _withheld(self) -> tuple[str, ...]:
        return self.root.reader.withheld

    @property
    def _shows_public_alone(self) -> bool:
        return self.root.reader.sees_public_alone

    @property
    def is_whole(self) -> bool:
        """True when this memory is read by its owner, or by an agent that nothing is kept from."""
        return self.root.reader.sees_all

    def _within(self, filters: Filters | None) -> Filters:
        return self.root.reader.narrowed(filters)

    def _must_see_all(self) -> None:
        self.root.reader.must_see_all()

    def _own_project(self, project: str) -> str:
        return self.root.reader.project(project)

    def _must_not_overhear(self) -> None:
        self.root.reader.must_not_overhear()

    def _must_be_theirs(self, record: Record) -> None:
        self.root.reader.must_own(record)
