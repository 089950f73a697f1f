"""What each run of consolidation was told: `state/heard.jsonl`, one line per meeting, in the order they happened.

With it a night can be gone through again without some of what it heard (`forget --session`), as exactly as it
went the first time. This machine's own, like the watermarks. A line that cannot be read is passed over. The words of
what is forgotten leave it too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from memoracle.errors import InvalidTime
from memoracle.model.claim import Claim
from memoracle.model.ids import file_digest
from memoracle.model.value import from_plain, to_plain, value
from memoracle.store.store import Store

FILE = "heard.jsonl"


class Act(StrEnum):
    """What a run did with what is known."""

    MEET = "meet"
    """Claims and typed records met it; then it was compressed and summarised."""
    FLUSH = "flush"
    """Claims met it, and nothing else was done."""
    AGE = "age"
    """Age took some of it out of the active set."""


@value
class Meeting:
    """One act of one run. `understood` is up to when typed records had been read before it.

    `after` is the running count of this machine's writer at that moment: it orders what happened at the same time.
    """

    operation: str
    at: datetime
    act: Act = Act.MEET
    after: int = 0
    understood: datetime | None = None
    claims: tuple[Claim, ...] = ()


def note(
    store: Store,
    act: Act,
    *,
    operation: str,
    at: datetime,
    understood: datetime | None = None,
    claims: Sequence[Claim] = (),
) -> None:
    """Write one down, durably, before what comes of it. The caller holds the lock."""
    meeting = Meeting(
        operation=operation,
        at=at,
        act=act,
        after=store.noted_count()[1],
        understood=understood,
        claims=tuple(claims),
    )
    path = store.state_name(FILE)
    line = json.dumps(to_plain(meeting), ensure_ascii=False, separators=(",", ":"))
    store.volume.append({path: line.encode("utf-8", "replace") + b"\n"})


def read_meetings(store: Store) -> list[Meeting]:
    """Every meeting that was noted, in order."""
    return [one for raw in store.volume.read(store.state_name(FILE)).split(b"\n") if (one := _meeting(raw))]


def strike_claims(store: Store, is_gone: Callable[[Claim], bool]) -> int:
    """Take claims out of every meeting; how many went is returned. The caller holds the lock."""
    gone = 0
    kept: list[bytes] = []
    content = store.volume.read(store.state_name(FILE))
    for raw in content.split(b"\n"):
        meeting = _meeting(raw)
        if meeting is None or not any(map(is_gone, meeting.claims)):
            kept.append(raw)
            continue
        staying = tuple(claim for claim in meeting.claims if not is_gone(claim))
        gone += len(meeting.claims) - len(staying)
        plain = to_plain(meeting) | {"claims": to_plain(staying)}
        kept.append(json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    if gone:
        store.volume.replace(store.state_name(FILE), b"\n".join(kept), expected=file_digest(content))
    return gone


def says_one_of(claim: Claim, texts: Iterable[str]) -> bool:
    """True when a claim says these very words, or holds them where they are long enough to tell."""
    said = claim.draft.statement
    words = (said.text, said.value)
    return any(text in words or (len(text.encode()) >= 12 and text in said.text) for text in texts if text)


def strike_words(store: Store, texts: Sequence[str]) -> int:
    """Take claims out that say one of these texts: what is forgotten is not heard again."""
    return strike_claims(store, lambda claim: says_one_of(claim, texts)) if texts else 0


def _meeting(raw: bytes) -> Meeting | None:
    if not raw.strip():
        return None
    try:
        return from_plain(Meeting, json.loads(raw))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, InvalidTime):
        return None
