"""The guard: a draft as it may be written, and which rules had a say.

Secrets are masked in every field; the channel limits what a draft may be; hidden text and injected instructions are
set apart; what the policy never stores is refused. `screen` is the same for a record on its way to the disk: the last
door, which changes nothing that the guard has seen already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from memoracle.guard.hidden import find_hidden, find_injected
from memoracle.guard.modes import PERSONAL, Policy, PolicyMode, stand
from memoracle.guard.rule import Masked
from memoracle.guard.secrets import Masking, Salt, is_clean, names_a_secret
from memoracle.model.record import Channel, Draft, Origin, Record, Scope, Statement
from memoracle.model.value import replace, value

# Quarantine: a draft waits for its owner: hidden text, injected instructions, or a channel that is quarantined whole.


@value
class _Grounds:
    """The rules that put something into quarantine, and the classes of the policy they belong to."""

    rules: tuple[str, ...]
    classes: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.rules)


_NOTHING = _Grounds(rules=(), classes=())


def grounds_for_quarantine(draft: Draft, policy: Policy) -> _Grounds:
    """What is wrong with the words of a draft; nothing with most."""
    channel = draft.origin.channel
    rules = suspicions("\n".join(_words(draft)), channel)
    if not rules and not policy.modes:
        return _NOTHING
    classes = {one.partition(":")[0] for one in rules}
    if policy.mode(f"channel.{channel.value}") is PolicyMode.QUARANTINE:
        rules = (*rules, f"channel:{channel.value}")
        classes.add(f"channel.{channel.value}")
    return _Grounds(rules=rules, classes=tuple(sorted(classes)))


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


_OWNERS_ORDERS = frozenset(
    f"injected:{name}" for name in ("memory-order", "standing-order", "steering", "override", "persona")
)
"""What owners say themselves: these alone make no paragraph a pasted one."""


def _words(draft: Draft) -> tuple[str, ...]:
    said = draft.statement
    every = (
        said.text,
        said.subject,
        said.predicate,
        said.object,
        said.key,
        said.value,
        *draft.entities,
        *draft.tags,
    )
    return tuple(dict.fromkeys(filter(None, every)))


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


def guard(draft: Draft, salt: Salt | Masking, policy: Policy | None = None) -> Guarded:
    """The draft without its secrets, with no more weight than its channel gives it, and how it leaves the guard."""
    chosen = policy or Policy()
    eraser = _Eraser(salt)
    if eraser.sees(_names(draft.scope)):
        return Guarded(draft=draft, outcome=ScreeningOutcome.REFUSED, rules=("secret-in-a-name",))
    clean = {
        "statement": eraser.statement(draft.statement),
        "entities": eraser.texts(draft.entities),
        "tags": eraser.texts(draft.tags),
        "sources": eraser.texts(draft.sources),
        "origin": eraser.origin(draft.origin),
        "idempotency": eraser.text(draft.idempotency),
    }
    # Most drafts hold nothing to mask, and making them anew would cost as much as the look.
    standing = stand(replace(draft, **clean) if eraser.rules else draft)
    rules = (*eraser.rules, *standing.rules)
    if never := _never(draft, eraser.types, chosen):
        return Guarded(draft=standing.draft, outcome=ScreeningOutcome.REFUSED, rules=(*rules, never))
    warnings = (*eraser.warnings, *standing.warnings)
    if grounds := grounds_for_quarantine(draft, chosen):
        is_never = chosen.strictest(*grounds.classes) is PolicyMode.NEVER
        outcome = ScreeningOutcome.REFUSED if is_never else ScreeningOutcome.QUARANTINED
        told = (
            ()
            if is_never
            else (f"set apart, not in use: {', '.join(grounds.rules)}; `inbox` shows it to its owner",)
        )
        return Guarded(
            draft=standing.draft, outcome=outcome, rules=(*rules, *grounds.rules), warnings=(*warnings, *told)
        )
    outcome = ScreeningOutcome.MASKED if eraser.rules else ScreeningOutcome.ACCEPTED
    return Guarded(draft=standing.draft, outcome=outcome, rules=rules, warnings=warnings)


def _never(draft: Draft, types: tuple[str, ...], policy: Policy) -> str:
    """The rule that keeps a draft out of the files altogether; empty when none does."""
    for kind in types:
        if kind == "blocked":
            return "never-store:blocked"
        name = kind if kind in PERSONAL else "secret"
        if policy.mode(name) is PolicyMode.NEVER:
            return f"never-store:{name}"
    for name in (f"channel.{draft.origin.channel.value}", f"sensitivity.{draft.sensitivity.value}"):
        if policy.mode(name) is PolicyMode.NEVER:
            return f"never-store:{name}"
    return ""


@value
class Words:
    """The fields of an edit as they may be written, and what a receipt says about them."""

    fields: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


def guard_words(fields: Mapping[str, Any], salt: Salt | Masking) -> Words:
    """Texts and lists of texts without their secrets; everything else as it is."""
    eraser = _Eraser(salt)
    clean = {
        name: eraser.text(given)
        if isinstance(given, str)
        else [eraser.text(one) if isinstance(one, str) else one for one in given]
        if isinstance(given, list | tuple)
        else given
        for name, given in fields.items()
    }
    return Words(fields=clean, warnings=eraser.warnings, types=eraser.types)


def warnings_of(types: tuple[str, ...]) -> tuple[str, ...]:
    """What a receipt says about masking: types, never values."""
    return (f"masked before it was written: {', '.join(types)}",) if types else ()


def screen(record: Record, salt: Salt | Masking) -> Record:
    """The record without its secrets; itself when it has none."""
    masking = salt if isinstance(salt, Masking) else Masking(salt)
    if not _may_hold_secrets(record, masking):
        return record
    eraser = _Eraser(masking)
    masked = replace(
        record,
        statement=eraser.statement(record.statement),
        entities=eraser.texts(record.entities),
        tags=eraser.texts(record.tags),
        sources=eraser.texts(record.sources),
        origin=eraser.origin(record.origin),
        change=replace(record.change, because=eraser.text(record.change.because)),
    )
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

    def __init__(self, salt: Salt | Masking) -> None:
        self._masking = salt if isinstance(salt, Masking) else Masking(salt)
        self.rules: tuple[str, ...] = ()
        self.types: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a receipt says about it."""
        return warnings_of(self.types)

    def text(self, text: str) -> str:
        """The text without its secrets."""
        return self._note(self._masking.text(text)) if text else text

    def named(self, name: str, text: str) -> str:
        """The value of something with a name, masked when the name says that it is a secret."""
        return self._note(self._masking.named(name, text)) if text else text

    def texts(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Each of them."""
        return tuple(map(self.text, texts))

    def statement(self, said: Statement) -> Statement:
        """The words, and their structured form: a value that had to be masked leaves the words, too."""
        met = self.rules
        parts = {
            "text": self.text(said.text),
            "subject": self.text(said.subject),
            "predicate": self.text(said.predicate),
            "object": self.named(said.predicate, said.object),
            "key": self.text(said.key),
            "value": self.named(said.key, said.value),
        }
        if self.rules is met:  # whatever is masked makes them anew
            return said
        clean = Statement(**parts)
        text = clean.text
        for before, after in ((said.object, clean.object), (said.value, clean.value)):
            if before != after and before in text:
                text = text.replace(before, after)
        return replace(clean, text=text) if text != clean.text else clean

    def origin(self, origin: Origin) -> Origin:
        """Who and where."""
        if not (origin.who or origin.where or origin.session):
            return origin
        return replace(
            origin,
            who=self.text(origin.who),
            where=self.text(origin.where),
            session=self.text(origin.session),
        )

    def sees(self, texts: Iterable[str]) -> bool:
        """True when one of them holds a secret; nothing is remembered of it."""
        return any(self._masking.text(text).found for text in texts if text)

    def _note(self, masked: Masked) -> str:
        if masked.found:
            self.rules = tuple(dict.fromkeys([*self.rules, *(one.rule for one in masked.found)]))
            self.types = tuple(sorted({*self.types, *masked.types}))
        return masked.text


def _names(scope: Scope) -> tuple[str, ...]:
    return (scope.user, scope.agent, scope.project, scope.seat)
