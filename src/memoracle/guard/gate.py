"""The privacy gate: what must not leave, before a guarded action.

Guarded are a commit, a push, an export, a delivery, any message or request with words of memory in it. Secrets and
the owner's blocklist always count, personal data where the policy says so; for what goes `outgoing` to somebody else,
personal data, chat ids and private paths count whatever the policy says. There is no override, and a list or a policy
that cannot be read stops everything.
"""

from __future__ import annotations

import re

from memoracle.guard.blocklist import find_blocked
from memoracle.guard.masking import outside_masks
from memoracle.guard.modes import PERSONAL, Blocked, Policy, PolicyMode
from memoracle.guard.rule import Sighting
from memoracle.guard.secrets import mask

_PLACES = re.compile(
    r"(?<![\w.])(?:/home|/Users|/root|[A-Za-z]:\\Users)[/\\](?!\.\.\.|<|\$|user(?:name)?\b|you\b|me\b)"
    r"[\w.-]{1,64}(?:[/\\][\w.@ -]{1,80}){0,20}"
    r"|~/[\w.-]{1,64}(?:/[\w.@-]{1,80}){0,20}"
)
_CHATS = re.compile(
    r"(?<![\w-])(?:o[cunm]_[0-9a-f]{20,40}|chat_id[\"'\s:=]{1,4}-?\d{6,20}|-100\d{8,12})(?![\w-])"
)


def inspect(
    text: str, policy: Policy, blocked: tuple[Blocked, ...], *, outgoing: bool = False
) -> tuple[Sighting, ...]:
    """What stops this text, in its order; nothing when it may pass. Values are never told."""
    found = [*mask(text, lambda: b"only to look").found, *find_blocked(text, blocked)]
    kinds = frozenset(
        PERSONAL if outgoing else (kind for kind in PERSONAL if policy.mode(kind) is not PolicyMode.ALLOW)
    )
    if kinds:
        from memoracle.guard.personal import find_personal

        found += outside_masks(text, [one for one in find_personal(text) if one.type in kinds])
    if outgoing:
        found += [_seen("private-path", *match.span()) for match in _PLACES.finditer(text)]
        found += [_seen("chat-id", *match.span()) for match in _CHATS.finditer(text)]
    return tuple(sorted(found, key=lambda one: (one.start, one.end)))


def _seen(rule: str, start: int, end: int) -> Sighting:
    return Sighting(rule=rule, type=rule, start=start, end=end, fingerprint="")
