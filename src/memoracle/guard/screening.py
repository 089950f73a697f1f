"""The guard: a draft as it may be written, and which rules had a say.

Secrets are masked in every field; the channel limits what a draft may be; hidden text and injected instructions are
set apart; what the policy never stores is refused. `screen` is the same for a record on its way to the disk: the last
door, which changes nothing that the guard has seen already.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from memoracle.guard.guard import may_become
from memoracle.guard.hidden import find_hidden, find_injected
from memoracle.guard.modes import PERSONAL, Blocked, Policy, PolicyMode
from memoracle.guard.rule import Masked, Sighting, is_placeholder
from memoracle.guard.secrets import (
    KnownSecrets,
    Salt,
    is_clean,
    mask,
    mask_named,
    names_a_secret,
    outside_masks,
    replaced,
)
from memoracle.model.record import QUOTED, SCOPES, TRUST, Channel, Draft, Kind, Origin, Record, Statement
from memoracle.model.value import as_fields, replace, value

# `Masking`: one text after the other without what the policy keeps out of files.


class Masking:
    """What is masked under one policy."""

    def __init__(
        self,
        salt: Salt,
        policy: Policy | None = None,
        blocked: tuple[Blocked, ...] = (),
        known: KnownSecrets | None = None,
    ) -> None:
        self.salt = salt
        self._known = known
        self._blocked = blocked
        chosen = policy or Policy()
        self._personal = frozenset(kind for kind in PERSONAL if chosen.mode(kind) is not PolicyMode.ALLOW)

    @property
    def is_plain(self) -> bool:
        """True when secrets are all that is looked for."""
        return not self._personal and not self._blocked

    def learned(self) -> int:
        """How many secrets were recognised so far: a text may be masked otherwise once this has grown."""
        return self._known.learned if self._known else 0

    def text(self, text: str, *, keep_lines: bool = False) -> Masked:
        """The text without it. With `keep_lines` every line keeps its number."""
        hidden = mask(text, self.salt, keep_lines=keep_lines, known=self._known)
        return hidden if self.is_plain else self._more(text, hidden, keep_lines=keep_lines)

    def named(self, name: str, text: str) -> Masked:
        """The value of something with a name, masked when the name says that it is a secret."""
        hidden = mask_named(name, text, self.salt, known=self._known)
        return hidden if self.is_plain else self._more(text, hidden, keep_lines=False)

    def whole(self, text: str) -> Masked:
        """A text of which only its place says that it is a secret: nothing of it is left but a placeholder's words."""
        hidden = self.text(text)
        if is_placeholder(text) or [(one.start, one.end) for one in hidden.found] == [(0, len(text))]:
            return hidden
        return replaced(text, [(0, len(text), "named", "api-key")], self.salt, keep_lines=False)

    def _more(self, text: str, hidden: Masked, *, keep_lines: bool) -> Masked:
        extra: list[Sighting] = []
        if self._personal:
            from memoracle.guard.personal import find_personal

            extra += [one for one in find_personal(text) if one.type in self._personal]
        if self._blocked:
            from memoracle.guard.blocklist import find_blocked

            extra += find_blocked(text, self._blocked)
        if not (extra := outside_masks(text, extra)):
            return hidden
        spans = ((one.start, one.end, one.rule, one.type) for one in (*hidden.found, *extra))
        return replaced(text, spans, self.salt, keep_lines=keep_lines)


# A draft: what is suspect in it, and how it leaves the guard.

_OWNERS_ORDERS = frozenset(
    f"injected:{name}" for name in ("memory-order", "standing-order", "steering", "override", "persona")
)
"""What owners say themselves: these alone make no paragraph a pasted one."""


def suspicions(text: str, channel: Channel) -> tuple[str, ...]:
    """The rules about hidden text and injected instructions that a text of this channel meets."""
    if channel is Channel.SYSTEM:
        return ()
    trusted, fellow = channel is Channel.OWNER, channel is Channel.AGENT
    found = (*find_hidden(text), *find_injected(text, trusted=trusted, fellow=fellow))
    return tuple(dict.fromkeys(one.rule for one in found)) if found else ()


def is_pasted(text: str) -> bool:
    """True for a paragraph that is not its speaker's own: hidden text, parts of another conversation, foreign orders.

    People tell their agent to remember things and what to do from now on; nobody tells it to conceal something from
    its owner, or to wait for the owner's next visit.
    """
    return any(rule not in _OWNERS_ORDERS for rule in suspicions(text, Channel.TOOL))


class ScreeningOutcome(StrEnum):
    """How a draft left the guard."""

    ACCEPTED = "accepted"
    MASKED = "masked"
    QUARANTINED = "quarantined"
    REFUSED = "refused"


@value
class Guarded:
    """A draft as it may be written. A refused one may not; `rules` says by which rule."""

    draft: Draft
    outcome: ScreeningOutcome
    rules: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def guard(draft: Draft, masking: Masking, policy: Policy | None = None) -> Guarded:
    """The draft without its secrets, with no more weight than its channel gives it, and how it leaves the guard."""
    chosen = policy or Policy()
    names = filter(None, (getattr(draft.scope, name) for name in SCOPES))
    if any(masking.text(name).found for name in names):
        return Guarded(draft=draft, outcome=ScreeningOutcome.REFUSED, rules=("secret-in-a-name",))
    eraser = _Eraser(masking)
    clean = {**eraser.fields(draft), "idempotency": eraser.text(draft.idempotency)}
    # Most drafts hold nothing to mask, and making them anew would cost as much as the look.
    limited, limits, warnings = _limited(replace(draft, **clean) if eraser.rules else draft)
    rules = (*eraser.rules, *limits)
    channel = draft.origin.channel.value
    levels = (f"channel.{channel}", f"sensitivity.{draft.sensitivity.value}")
    never = [
        *filter(None, map(chosen.forbids, eraser.types)),
        *(name for name in levels if chosen.mode(name) is PolicyMode.NEVER),
    ]
    if never:
        return Guarded(
            draft=limited, outcome=ScreeningOutcome.REFUSED, rules=(*rules, f"never-store:{never[0]}")
        )
    warnings = (*warnings_of(eraser.types), *warnings)
    outcome = ScreeningOutcome.MASKED if eraser.rules else ScreeningOutcome.ACCEPTED
    # Quarantine: hidden text, injected instructions, or a channel that waits for its owner as a whole.
    words = (*as_fields(draft.statement).values(), *draft.entities, *draft.tags)
    suspect = suspicions("\n".join(dict.fromkeys(filter(None, words))), draft.origin.channel)
    is_never = any(chosen.mode(rule.partition(":")[0]) is PolicyMode.NEVER for rule in suspect)
    if chosen.mode(levels[0]) is PolicyMode.QUARANTINE:
        suspect = (*suspect, f"channel:{channel}")
    if is_never:
        outcome = ScreeningOutcome.REFUSED
    elif suspect:
        outcome = ScreeningOutcome.QUARANTINED
        told = f"set apart, not in use: {', '.join(suspect)}; `inbox` shows it to its owner"
        warnings = (*warnings, told)
    return Guarded(draft=limited, outcome=outcome, rules=(*rules, *suspect), warnings=warnings)


def _limited(draft: Draft) -> tuple[Draft, tuple[str, ...], tuple[str, ...]]:
    """A draft with no more weight than its channel gives it, the rules that said so, and what a receipt says."""
    channel = draft.origin.channel
    if channel in {Channel.OWNER, Channel.SYSTEM}:
        return draft, (), ()
    rules: list[str] = []
    warnings: list[str] = []
    changes: dict[str, Any] = {}
    if draft.origin.trust > TRUST[channel]:
        rules.append("trust-of-channel")
    if draft.origin.trust > TRUST[channel] or draft.origin.confirmed_by:  # nobody brings a confirmation along
        trust = min(draft.origin.trust, TRUST[channel])
        changes["origin"] = replace(draft.origin, trust=trust, confirmed_by="")
    if not may_become(channel, draft.kind):
        warnings.append(f"kept as a fact: the {channel} channel cannot give a {draft.kind}")
        rules.append("outside-kind" if channel in QUOTED else "owner-only")
        changes["kind"] = Kind.FACT
    if channel in QUOTED and draft.pinned:
        warnings.append(f"not pinned: the {channel} channel cannot pin")
        rules.append("outside-pin")
        changes["pinned"] = False
    return replace(draft, **changes) if changes else draft, tuple(rules), tuple(warnings)


@value
class Words:
    """The fields of an edit as they may be written, and what a receipt says about them."""

    fields: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


def guard_words(fields: Mapping[str, Any], masking: Masking) -> Words:
    """Texts and lists of texts without their secrets; everything else as it is."""
    eraser = _Eraser(masking)

    def clean(given: Any) -> Any:
        if isinstance(given, list | tuple):
            return [eraser.text(one) if isinstance(one, str) else one for one in given]
        return eraser.text(given) if isinstance(given, str) else given

    cleaned = {name: clean(given) for name, given in fields.items()}
    return Words(fields=cleaned, warnings=warnings_of(eraser.types), types=eraser.types)


def warnings_of(types: tuple[str, ...]) -> tuple[str, ...]:
    """What a receipt says about masking: types, never values."""
    return (f"masked before it was written: {', '.join(types)}",) if types else ()


def screen(record: Record, masking: Masking) -> Record:
    """The record without its secrets; itself when it has none."""
    if not _may_hold_secrets(record, masking):
        return record
    eraser = _Eraser(masking)
    change = replace(record.change, because=eraser.text(record.change.because))
    masked = replace(record, **eraser.fields(record), change=change)
    return masked if eraser.rules else record


def _may_hold_secrets(record: Record, masking: Masking) -> bool:
    """One look at all free words together; names and places recur from record to record, and are looked at once."""
    said, origin = record.statement, record.origin
    if (said.object and names_a_secret(said.predicate)) or (said.value and names_a_secret(said.key)):
        return True
    free = (said.text, said.object, said.value, record.change.because, *record.entities)
    if masking.text("\n".join(filter(None, free))).found:
        return True
    places = (place.partition("#L")[0] for place in (origin.where, *record.sources))
    recurring = (said.subject, said.predicate, said.key, origin.who, origin.session, *record.tags, *places)
    if not masking.is_plain:
        return any(masking.text(one).found for one in recurring if one)
    return not all(map(_is_clean, recurring))


_is_clean = lru_cache(maxsize=4096)(is_clean)


class _Eraser:
    """Masks one field after the other, and remembers which rules and types it met."""

    def __init__(self, masking: Masking) -> None:
        self._masking = masking
        self.rules: tuple[str, ...] = ()
        self.types: tuple[str, ...] = ()

    def fields(self, kept: Draft | Record) -> dict[str, Any]:
        """Every field of a draft or a record that holds words."""
        return {
            "statement": self._statement(kept.statement),
            **{name: tuple(map(self.text, getattr(kept, name))) for name in ("entities", "tags", "sources")},
            "origin": self._origin(kept.origin),
        }

    def text(self, text: str) -> str:
        """The text without its secrets."""
        return self._note(self._masking.text(text)) if text else text

    def _statement(self, said: Statement) -> Statement:
        """The words, and their structured form: a value that had to be masked leaves the words, too."""
        met = self.rules
        named = {"object": said.predicate, "value": said.key}
        parts = {
            part: self._note(self._masking.named(named[part], text))
            if text and part in named
            else self.text(text)
            for part, text in as_fields(said).items()
        }
        if self.rules is met:  # whatever is masked makes them anew
            return said
        for part in named:
            before = getattr(said, part)
            if before != parts[part]:
                parts["text"] = parts["text"].replace(before, parts[part])
        return Statement(**parts)

    def _origin(self, origin: Origin) -> Origin:
        if not (origin.who or origin.where or origin.session):
            return origin
        return replace(
            origin, **{name: self.text(getattr(origin, name)) for name in ("who", "where", "session")}
        )

    def _note(self, masked: Masked) -> str:
        if masked.found:
            self.rules = tuple(dict.fromkeys([*self.rules, *(one.rule for one in masked.found)]))
            self.types = tuple(sorted({*self.types, *masked.types}))
        return masked.text
