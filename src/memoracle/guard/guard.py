"""Policy for one root: everything that masks or guards, with the root's salt, its policy and its blocklist.

Cheap to make: what is needed is imported when there is something to look at. While the policy or the list cannot be
read, whatever writes or sends raises `PolicyBroken`; reading goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from memoracle.errors import BeyondScope, PolicyBroken, PrivacyStop, RefusedByPolicy
from memoracle.guard.modes import PERSONAL, Blocklist, Policy, PolicyMode
from memoracle.model.record import (
    BY_OWNER,
    BY_SESSION,
    EVERYBODY,
    QUOTED,
    SCOPES,
    Channel,
    Kind,
    Record,
    Scope,
    Sensitivity,
)
from memoracle.model.search import EvidenceSource, Filters
from memoracle.model.value import replace, value
from memoracle.project import OUTSIDE

if TYPE_CHECKING:
    from memoracle.guard.explain import PolicyVerdict
    from memoracle.guard.rule import Masked, Sighting
    from memoracle.guard.screening import Guarded, Masking, Words
    from memoracle.guard.secrets import Print
    from memoracle.model.record import Channel, Draft
    from memoracle.model.search import Passage


Tell = Callable[[str, tuple[str, ...], str], None]


class _PrivacyList(Protocol):
    """The owner's list, where it is kept."""

    name: str

    def look(self, last: object) -> tuple[object, str | None, str]:
        """A mark that changes with the list; when it is not `last`, also its text and why it cannot be followed.

        Without a list there is no text; one that is required or was there before is then a reason.
        """


def followed(find: Callable[[], _PrivacyList]) -> Callable[[], Blocklist]:
    """Gives what the owner blocks, read again when the list has changed."""
    kept: _PrivacyList | None = None
    held: tuple[object, Blocklist] = (None, _NOTHING)

    def listed() -> Blocklist:
        nonlocal held, kept
        kept = kept or find()
        mark, text, problem = kept.look(held[0])
        if mark != held[0]:
            held = (mark, Blocklist(problem=problem) if problem else _NOTHING)
            if text is not None:
                from memoracle.guard.blocklist import read_list

                held = (mark, read_list(text, kept.name))
        return held[1]

    return listed


class _Fingerprints(Protocol):
    """Where what was recognised as a secret is kept, never as words."""

    def load(self) -> Iterable[Print]:
        """Those that may be new since the last time."""

    def keep(self, row: Print) -> None:
        """One more."""


class PolicyGuard:
    """Stands before every write and before the view. `salt` is asked when the first secret is met."""

    def __init__(
        self,
        salt: Callable[[], bytes],
        policy: Policy | None = None,
        *,
        blocklist: Callable[[], Blocklist] | None = None,
        told: Tell = lambda _outcome, _rules, _channel: None,
        used: Callable[[Blocklist], None] = lambda _listed: None,
        recognised: Callable[[], _Fingerprints] | None = None,
    ) -> None:
        """`told` hears of every decision but a plain yes: the outcome, the rules, the channel; never a word.

        `used` hears which list a guarded action was held against. `recognised` keeps what was a secret.
        """
        self._recognised = recognised
        self._used = used
        self._salt = salt
        self._told = told
        self.policy = policy or Policy()
        self._blocklist = blocklist
        self._listed: tuple[Blocklist, Blocklist] | None = None
        self._masking: tuple[Blocklist, Masking] | None = None
        # By the statement's identity: whoever holds it here keeps that identity from being given again.
        self._verdicts: dict[int, tuple[Draft | None, Masking | None, int]] = {}

    @property
    def problem(self) -> str:
        """Why nothing may be written or sent at present; empty when all is well."""
        return self.policy.broken or self.blocklist().problem

    def blocklist(self) -> Blocklist:
        """What the owner blocked, as it stands now."""
        listed = self._blocklist() if self._blocklist else _NOTHING
        if not self.policy.never:
            return listed
        if self._listed is None or self._listed[0] is not listed:
            from memoracle.guard.blocklist import of_phrases

            entries = (*of_phrases(self.policy.never), *listed.entries)
            self._listed = listed, Blocklist(entries=entries, problem=listed.problem)
        return self._listed[1]

    def mark(self) -> str:
        """Changes whenever the same words would be masked otherwise; empty where only secrets are."""
        masked = [
            kind for kind in PERSONAL if self.policy.broken or self.policy.mode(kind) is not PolicyMode.ALLOW
        ]
        entries = self.blocklist().entries
        if not masked and not entries:
            return ""
        from hashlib import blake2b

        return blake2b(repr((masked, entries)).encode("utf-8", "replace"), digest_size=8).hexdigest()

    def withheld(self) -> tuple[str, ...]:
        """The sensitivities that no agent is handed; all but what is public while nobody knows which."""
        kept_back = ("private", "secret")
        return tuple(one for one in kept_back if self.problem or self.policy.choice(f"show.{one}") == "owner")

    def stops(self, text: str) -> tuple[str, ...]:
        """Why a text may not go to a model or an endpoint: types, never a word. Nothing: it may. Never raises."""
        if self.problem:
            return ("policy",)
        return tuple(dict.fromkeys(one.type for one in self.gate(text, outgoing=True)))

    def cut(self, text: str) -> str:
        """A question without what may not go to an endpoint; nothing of it while nobody knows what may."""
        if self.problem:
            return ""
        pieces, place = [], 0
        for one in self.gate(text, outgoing=True):
            pieces.append(text[place : max(place, one.start)])
            place = max(place, one.end)
        return " ".join([*pieces, text[place:]]) if pieces else text

    def must_be_ready(self) -> None:
        """Raise while the policy or the blocklist cannot be read: it fails closed."""
        if problem := self.problem:
            raise PolicyBroken(problem)

    def gate(self, text: str, *, outgoing: bool = False) -> tuple[Sighting, ...]:
        """What stops a text before a guarded action; see guard/blocklist.py. Nothing: it may pass."""
        from memoracle.guard.blocklist import inspect

        self.must_be_ready()
        listed = self.blocklist()
        self._used(listed)
        return inspect(text, self.policy, listed.entries, outgoing=outgoing)

    def explain(self, text: str, channels: Sequence[str], kind: str) -> list[PolicyVerdict]:
        """What would happen to a text; nobody is told of it."""
        from memoracle.guard.explain import explain
        from memoracle.model.record import Channel, Kind

        wanted = [Channel(one) for one in channels] or list(Channel)
        return explain(text, self._maskings(must_be_ready=True), self.policy, wanted, kind=Kind(kind))

    def must_go(self, text: str, *, action: str, outgoing: bool = True) -> None:
        """Raise when the gate stops this text, naming places and types, never a word of it."""
        if found := self.gate(text, outgoing=outgoing):
            self._told("refused", tuple(dict.fromkeys(one.rule for one in found)), action)
            raise PrivacyStop(action, [(text.count("\n", 0, one.start) + 1, one.type) for one in found])

    def guard(self, draft: Draft) -> Guarded:
        """A draft as it may be written."""
        from memoracle.guard.screening import ScreeningOutcome, guard

        masking = self._maskings(must_be_ready=True)
        guarded = guard(draft, masking, self.policy)
        if len(self._verdicts) >= _MOST_VERDICTS:
            self._verdicts.clear()
        self._verdicts[id(guarded.draft.statement)] = guarded.draft, masking, masking.learned()
        if guarded.outcome is not ScreeningOutcome.ACCEPTED:
            self._told(guarded.outcome.value, guarded.rules, draft.origin.channel.value)
        return guarded

    def must_pass(self, draft: Draft) -> Guarded:
        """The same, or an error that names the rule."""
        from memoracle.guard.screening import ScreeningOutcome

        guarded = self.guard(draft)
        if guarded.outcome is ScreeningOutcome.REFUSED:
            raise RefusedByPolicy(guarded.rules)
        return guarded

    def words(self, fields: Mapping[str, Any]) -> Words:
        """The fields of an edit as they may be written."""
        from memoracle.guard.screening import guard_words

        words = guard_words(fields, self._maskings(must_be_ready=True))
        if refused := [kind for kind in words.types if self.policy.forbids(kind)]:
            raise RefusedByPolicy(tuple(f"never-store:{kind}" for kind in refused))
        return words

    def must_be_plain(self, channel: Channel, text: str) -> None:
        """Refuse to put hidden text or injected instructions into a record that stands."""
        from memoracle.guard.screening import suspicions

        if rules := suspicions(text, channel):
            self._told("refused", rules, channel.value)
            raise RefusedByPolicy(rules)

    def is_suspect(self, text: str) -> bool:
        """True for words from outside that hold hidden text or an injected order."""
        from memoracle.guard.screening import suspicions
        from memoracle.model.record import Channel

        return bool(suspicions(text, Channel.EXTERNAL))

    def must_allow(self, channel: Channel, kind: str, *, was: str) -> None:
        """Refuse an edit that would give a record a kind its channel cannot give."""
        if kind != was and not may_become(channel, kind):
            raise RefusedByPolicy(("owner-only",))

    def warnings(self, text: str) -> tuple[str, ...]:
        """What a receipt says when this text had to be masked."""
        from memoracle.guard.screening import warnings_of

        return warnings_of(self.mask(text).types) if text else ()

    def admit(self, record: Record) -> Record:
        """A record without its secrets, at the last door before the disk. Erasing is always possible."""
        return self._screened(record, self._maskings(must_be_ready=record.status.value != "forgotten"))

    def screen(self, record: Record) -> Record:
        """A record without its secrets, on its way into the view."""
        return self._screened(record, self._maskings())

    def _screened(self, record: Record, masking: Masking) -> Record:
        if self._is_guarded(record, masking):
            return record
        from memoracle.guard.screening import screen

        return screen(record, masking)

    def _is_guarded(self, record: Record, masking: Masking) -> bool:
        """True when these very words came out of `guard` and it would say the same of them now."""
        draft, by, learned = self._verdicts.get(id(record.statement), _NO_VERDICT)
        # A secret that was recognised since may stand in words that were looked at before.
        return (
            draft is not None
            and by is masking
            and learned == masking.learned()
            and record.origin is draft.origin
            and (record.entities, record.tags, record.sources) == (draft.entities, draft.tags, draft.sources)
            and not record.change.because
        )

    def mask(self, text: str) -> Masked:
        """A text without its secrets, and what was found."""
        return self._maskings().text(text)

    def hide(self, text: str) -> str:
        """A text without its secrets, every line where it was."""
        return self._maskings().text(text, keep_lines=True).text

    def hide_all(self, texts: Sequence[str]) -> list[str]:
        """The same for texts that belong together; a value may be named only after it was mentioned first."""
        masking = self._maskings()
        known = masking.learned()
        hidden = [masking.text(text, keep_lines=True).text for text in texts]
        # What changed nothing and taught nothing would read the same a second time.
        if masking.learned() != known:
            return [masking.text(text, keep_lines=True).text for text in hidden]
        return [
            text if text == said else masking.text(text, keep_lines=True).text
            for text, said in zip(hidden, texts, strict=True)
        ]

    def document(self, held: Any, *names: str) -> Any:
        """A document as it may be shown, without its secrets; `names` lead to it, the file's own first."""
        from memoracle.guard.copies import clean_document

        return clean_document(held, self._maskings(), *names)

    def clean_copy(self, content: bytes) -> bytes | None:
        """The content of a transcript without its secrets; None when nobody can look into it."""
        from memoracle.guard.copies import clean_copy

        return clean_copy(content, self._maskings(must_be_ready=True))

    def _maskings(self, *, must_be_ready: bool = False) -> Masking:
        listed = self.blocklist()
        if must_be_ready and (problem := self.policy.broken or listed.problem):
            raise PolicyBroken(problem)
        if self._masking is None or self._masking[0] is not listed:
            from memoracle.guard.screening import Masking
            from memoracle.guard.secrets import KnownSecrets

            policy = _CAUTIOUS if self.policy.broken else self.policy
            kept = self._recognised() if self._recognised else None
            known = KnownSecrets(self._salt, load=kept.load, keep=kept.keep) if kept else None
            self._masking = listed, Masking(self._salt, policy, listed.entries, known)
        return self._masking[1]


_NOTHING = Blocklist()
_NO_VERDICT = (None, None, 0)
_MOST_VERDICTS = 1024
# Nobody knows what a broken policy would have masked; until it is mended the view learns no personal data.
_CAUTIOUS = Policy(modes=dict.fromkeys(PERSONAL, PolicyMode.MASK))


# Whoever a root is open for: what is somebody else's is not there, and what reaches everything is refused.


@value
class Reader:
    """One reader: a scope, whether public records alone are shown, and the project that is worked on (`here`).

    `here` narrows what is told unasked, not what may be seen. An agent is not handed what the policy withholds.
    """

    guard: PolicyGuard
    scope: Scope = EVERYBODY
    public: bool = False
    here: Scope | None = None
    is_agent: bool = False

    @property
    def withheld(self) -> tuple[str, ...]:
        """What the policy keeps from agents: it is not there for whoever comes through their doors."""
        return self.guard.withheld() if self.is_agent else ()

    @property
    def sees_public_alone(self) -> bool:
        """True when nothing but public records is shown."""
        return self.public or "private" in self.withheld

    @property
    def is_one_of_several(self) -> bool:
        """True when the root is open for one reader among others."""
        return self.public or self.scope != EVERYBODY

    @property
    def sees_all(self) -> bool:
        """True for the owner, who sees everything, and for an agent that nothing is kept from."""
        return not self.is_one_of_several and not self.withheld

    @property
    def warnings(self) -> tuple[str, ...]:
        """What an answer says while the policy cannot be read."""
        problem = self.guard.problem
        if not problem:
            return ()
        kept_back = ", and agents are handed public records alone" if self.withheld else ""
        return (f"nothing is written{kept_back} while the policy cannot be read: {problem}",)

    @property
    def told_to(self) -> Scope:
        """The scope through which things are told unasked."""
        if self.here is None or self.scope.project:
            return self.scope
        return replace(self.scope, project=self.here.project, also=self.here.also)

    @property
    def works_in(self) -> str:
        """The project that is worked on and that new things belong to; empty outside of any."""
        here = self.here
        if here is None or here.project == OUTSIDE or self.told_to.project != here.project:
            return ""
        return here.project

    def sees(self, record: Record) -> bool:
        """True when this reader may see a record."""
        is_shown = not self.sees_public_alone or record.sensitivity is Sensitivity.PUBLIC
        is_withheld = record.sensitivity.value in self.withheld
        return is_shown and not is_withheld and record.scope.is_open_to(self.scope)

    def sees_passage(self, passage: Passage) -> bool:
        """True when this reader may see a piece of a note or a turn; seats read each other's pages."""
        return not self.sees_public_alone and Scope(project=passage.project).is_open_to(self.scope)

    def narrowed(self, filters: Filters | None) -> Filters:
        """Filters as this reader may use them: the scope is part of the query itself.

        A reader that the filters name sees what both may see; another than the root is open for is refused.
        """
        asked = filters or Filters()
        # Through whose eyes a question is asked: inside a project, of that one, unless another was named.
        is_elsewhere = self.here is None or self.here.project == OUTSIDE or asked.scope.project
        asking = asked.reader if is_elsewhere or asked.reader != EVERYBODY else self.told_to
        return replace(
            asked,
            reader=self._merged(asking),
            public=asked.public or self.sees_public_alone,
            withheld=tuple(dict.fromkeys((*self.withheld, *asked.withheld))),
        )

    def _merged(self, other: Scope) -> Scope:
        if other in {EVERYBODY, self.scope}:
            return self.scope
        pairs = {name: (getattr(self.scope, name), getattr(other, name)) for name in SCOPES}
        if any(own and asked and own != asked for own, asked in pairs.values()):
            raise BeyondScope
        merged = {name: own or asked for name, (own, asked) in pairs.items()}
        return Scope(**merged, also=() if self.scope.project else other.also)

    def project(self, asked: str = "") -> str:
        """The project that was asked for; a root that is open for one project has no other."""
        if self.sees_public_alone:
            raise BeyondScope
        own = self.scope.project
        if own and asked not in {"", own}:
            raise BeyondScope
        return asked or own

    def must_see_all(self) -> None:
        """Refuse what reads or changes the whole memory when it is open for one reader among several."""
        if self.is_one_of_several:
            raise BeyondScope

    def must_not_overhear(self) -> None:
        """Refuse to learn from a conversation for one user: what is heard has no scope, so others would read it."""
        if self.scope.user:
            raise BeyondScope

    def must_own(self, record: Record) -> None:
        """Refuse that one reader among several takes away what is everybody's."""
        if self.is_one_of_several and not any(
            getattr(self.scope, name) and getattr(record.scope, name) == getattr(self.scope, name)
            for name in SCOPES
        ):
            raise BeyondScope


# What a channel may say. Only the owner's own words become a preference, a rule or an identity.

OWNERS_ONLY = frozenset({Kind.PREFERENCE, Kind.RULE, Kind.IDENTITY})
"""Kinds that only the owner, or Memoracle itself, can give to something."""

STEERING = OWNERS_ONLY | {
    Kind.SAFETY,
    Kind.HEALTH,
    Kind.PROCEDURE,
    Kind.DECISION,
    Kind.LESSON,
    Kind.TASK,
    Kind.PLAN,
}
"""Kinds that say what to do, or never fade: nothing from outside, and nothing another person says, has them."""


def may_become(channel: Channel, kind: str) -> bool:
    """True when something that came through this channel may be of this kind."""
    if channel in {Channel.OWNER, Channel.SYSTEM}:
        return True
    return kind not in (STEERING if channel in QUOTED else OWNERS_ONLY)


def is_vouched_for(passage: Passage) -> bool:
    """True for what an agent may be told unasked: not its own kind's word alone.

    An agent's record needs the owner, who may have pinned it, or a second session that said the same by itself. The
    latter never vouches for what only the owner can say, nor for what reads like an order, however often it is said.
    """
    if passage.source is not EvidenceSource.RECORD or passage.channel != Channel.AGENT:
        return True
    if passage.pinned or passage.confirmed_by == BY_OWNER:
        return True
    if passage.confirmed_by != BY_SESSION:
        return False
    from memoracle.guard.screening import suspicions
    from memoracle.model.predicates import owners_kind

    return owners_kind(passage.text) is None and not suspicions(passage.text, Channel.EXTERNAL)
