"""What waits for a person: a proposal, its reason, and the records it is about."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memoracle.model.claim import Fragment
from memoracle.model.value import value


class Matter(StrEnum):
    """Why something waits."""

    CONTRADICTION = "contradiction"
    """Two records disagree and no rule settles it. Accepting supersedes `about[0]` by `about[1]`."""
    CHANGE = "change"
    """One remark against a stable memory. Accepting supersedes `about[0]` by `about[1]`."""
    PROMOTION = "promotion"
    """Something seen again and again. Accepting makes the record `about[0]` what `proposal` says."""
    ADOPTION = "adoption"
    """What stood in an adopted directory before looks faded or old. Accepting lets upkeep tend it."""
    QUARANTINE = "quarantine"
    """Something the guard set apart. Accepting puts `about[0]` into use, rejecting erases it."""
    CONFIRMATION = "confirmation"
    """An agent noted what only the owner can say. Accepting makes `about[0]` the owner's, of the kind `proposal`."""
    WITHDRAWAL = "withdrawal"
    """An agent would take something of the owner's out of memory. Accepting withdraws `about[0]`."""


ONE_BY_ONE = frozenset({Matter.ADOPTION, Matter.CONFIRMATION, Matter.WITHDRAWAL})
"""What is answered by its id alone: `all` does not mean a whole directory, nor what an agent put to its owner."""


@value
class Sentence:
    """A sentence that is judged: the words, whose they are, and where they came from."""

    id: str
    text: str
    kind: str
    whose: str
    where: str
    at: datetime
    before: str = ""
    """What was said just before it, by whom."""


@value
class InboxItem:
    """One question for the owner. The same question has the same id, so it is asked once."""

    id: str
    matter: Matter
    about: tuple[str, ...]
    proposal: str
    because: str
    since: datetime
    sentences: tuple[Sentence, ...] = ()
    """What stands at `about` now; looked up for whoever is asked, never stored."""
    diff: tuple[str, ...] = ()
    """What a yes changes: `- ` what stands, `+ ` what would stand; looked up like the sentences."""
    rule: str = ""
    """What a standing answer to questions like this is named by; empty where each needs its own."""


# What waits for a model: fragments that no rule could decide, and why each of them waits.


class Why(StrEnum):
    """Why a fragment waits."""

    NEW = "new"
    """It was not asked about yet."""
    OFF = "off"
    """No model is configured."""
    OVER_BUDGET = "over-budget"
    """The rest of the day's tokens does not cover the question."""
    DOWN = "down"
    """The model gave no answer."""
    NONSENSE = "nonsense"
    """The model's answer could not be used."""
    PRIVATE = "private"
    """The privacy gate keeps it from leaving."""


@value
class Waiting:
    """A fragment that waits. `tries` counts the answers about it that could not be used."""

    fragment: Fragment
    since: datetime
    why: Why = Why.NEW
    tries: int = 0


@value
class Queue:
    """Everything that waits, oldest first. `compacted` fragments were too many and wait no longer."""

    waiting: tuple[Waiting, ...] = ()
    compacted: int = 0
