"""Policy for one root: everything that masks or guards, with the root's salt.

Cheap to make: what is needed is imported when there is something to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memoracle.errors import RefusedByPolicy

if TYPE_CHECKING:
    from memoracle.model.origin import Channel
    from memoracle.model.record import Draft, Record
    from memoracle.policy.guard import Guarded, Words
    from memoracle.policy.rule import Masked


class Shield:
    """Stands before every write and before the view. `salt` is asked when the first secret is met."""

    def __init__(self, salt: Callable[[], bytes]) -> None:
        self._salt = salt

    def guard(self, draft: Draft) -> Guarded:
        """A draft as it may be written."""
        from memoracle.policy.guard import guard

        return guard(draft, self._salt)

    def must_pass(self, draft: Draft) -> Guarded:
        """The same, or an error that names the rule."""
        from memoracle.policy.guard import Outcome

        guarded = self.guard(draft)
        if guarded.outcome is Outcome.REFUSED:
            raise RefusedByPolicy(guarded.rules)
        return guarded

    def passed(self, draft: Draft) -> Draft | None:
        """The same for batches: the draft as it may be written, None when it may not."""
        from memoracle.policy.guard import Outcome

        guarded = self.guard(draft)
        return None if guarded.outcome in {Outcome.REFUSED, Outcome.QUARANTINED} else guarded.draft

    def words(self, fields: Mapping[str, Any]) -> Words:
        """The fields of an edit as they may be written."""
        from memoracle.policy.guard import guard_words

        return guard_words(fields, self._salt)

    def must_allow(self, channel: Channel, kind: str, *, was: str) -> None:
        """Refuse an edit that would give a record a kind its channel cannot give."""
        from memoracle.policy.origins import may_become

        if kind != was and not may_become(channel, kind):
            raise RefusedByPolicy(("owner-only",))

    def warnings(self, text: str) -> tuple[str, ...]:
        """What a receipt says when this text had to be masked."""
        from memoracle.policy.guard import warnings_of

        return warnings_of(self.mask(text).types) if text else ()

    def screen(self, record: Record) -> Record:
        """A record without its secrets, at the last door before the disk."""
        from memoracle.policy.guard import screen

        return screen(record, self._salt)

    def mask(self, text: str) -> Masked:
        """A text without its secrets, and what was found."""
        from memoracle.policy.secrets import mask

        return mask(text, self._salt)

    def hide(self, text: str) -> str:
        """A text without its secrets, every line where it was."""
        from memoracle.policy.secrets import mask

        return mask(text, self._salt, keep_lines=True).text

    def clean_copy(self, content: bytes) -> bytes | None:
        """The content of a transcript without its secrets; None when nobody can look into it."""
        from memoracle.policy.copies import clean_copy

        return clean_copy(content, self._salt)
