"""What a sentence claims: a draft, and how it stands to what was said before."""

from __future__ import annotations

from enum import StrEnum

from memoracle.model.record import Draft
from memoracle.model.value import value


class Stance(StrEnum):
    """How a claim meets earlier ones about the same subject and predicate."""

    ASSERT = "assert"
    CORRECT = "correct"
    """“Actually it is …”, “moved to …”: it means to replace what was said before."""
    DENY = "deny"
    """“No longer …”, “不再 …”: what the draft states has ended; the draft's object says what."""


@value
class Claim:
    """One thing a fragment says. `draft.statement` has subject, predicate and object; `because` names the rule.

    `record` is the id of the record whose words these are: it is given its slot, and no other is made. `apart` names
    the rules that set it apart: it meets nothing that is known, and waits for its owner.
    """

    draft: Draft
    stance: Stance = Stance.ASSERT
    because: str = ""
    record: str = ""
    apart: tuple[str, ...] = ()
