"""What the adapters share: a memory as an agent has it, identifiers as scopes, turns as records, answers as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from hashlib import sha256

from memoracle import Filters, Memory, RefusedByPolicy, Scope, Verdict, make_draft
from memoracle.context.portion import framed, harmless
from memoracle.errors import InvalidName
from memoracle.guard.guard import is_vouched_for
from memoracle.hosts.hygiene import clean, is_wrapped, noise_of
from memoracle.learn.draft import LONGEST_TEXT
from memoracle.model.record import EVERYBODY, Channel, check_name
from memoracle.model.value import replace, value
from memoracle.recall.evidence import pack_evidence
from memoracle.settings import owner_names

_STAND_IN = re.compile(r"-[0-9a-f]{16}\Z")
_BUDGET, _UNASKED, _LONGEST_PROMPT = 1500, 5, 4000
NOTHING = "Not in memory."


def for_agent(memory: Memory, scope: Scope = EVERYBODY) -> Memory:
    """The same memory as an agent of this scope has it; both take turns. What is kept through it gets the scope.

    A memory that is open for one reader stays so: another's scope is refused.
    """
    reader = memory.root.reader
    merged = reader.narrowed(Filters(reader=scope)).reader
    view = Memory(replace(memory.root, reader=replace(reader, scope=merged, is_agent=True)))
    view.turns = memory.turns
    return view


def scope_name(identifier: str) -> str:
    """An identifier of a library as the name of a scope: itself where it can be one, else one that no other has.

    >>> scope_name("ann"), scope_name("ann@example.org")
    ('ann', 'ann-example-org-21b9713a95ad8f0b')
    """
    with suppress(InvalidName):
        if not _STAND_IN.search(identifier):  # nobody takes the stand-in of another for a name
            return check_name("scope", identifier)
    digest = sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    words = re.sub(r"[^0-9A-Za-z]+", "-", identifier)[:60].strip("-")
    return f"{words or 'id'}-{digest}"


@value
class SaidTurn:
    """What somebody said in a library's conversation: the user, or else an agent of that name."""

    text: str
    who: str = ""
    is_users: bool = True
    at: datetime | None = None
    session: str = ""
    id: str = ""
    """Said again under the same name, it is the same."""


def keep(memory: Memory, said: Iterable[SaidTurn], *, user: str | None = None) -> None:
    """Keep what was said as records of the memory's scope, without what carries nothing.

    Where a library has users, one is the owner only where the settings know the name; an agent's words are an agent's.
    """
    is_owner = user is None or user.casefold() in owner_names(memory.root.settings)
    users = Channel.OWNER if is_owner else Channel.PERSON
    reader, drafts = memory.root.reader.scope, []
    for one in said:
        text = clean(one.text)[:LONGEST_TEXT]
        if noise_of(text):
            continue
        channel = Channel.AGENT if not one.is_users else Channel.EXTERNAL if is_wrapped(text) else users
        name = repr((reader.user, reader.agent, one.session, one.id)) if one.id else ""
        draft = make_draft(
            text,
            kind="event" if channel is Channel.AGENT else None,  # no question to the owner for every answer
            channel=channel.value,
            who=one.who,
            session=one.session,
            observed=one.at,
            idempotency=name,
        )
        with suppress(RefusedByPolicy):  # the audit trail says by which rule
            drafts.append(memory.guard(draft))
    if drafts:
        memory.remember_many(drafts)


def recalled(memory: Memory, question: str) -> str:
    """Cited evidence for a question as text for a model, or a plain "not in memory"."""
    found = memory.recall(question, budget=_BUDGET)
    return found.pack.text if found.hits and found.pack and found.pack.text else NOTHING


def beside(memory: Memory, prompt: str) -> str:
    """What memory has to say to a prompt unasked, framed as data; empty where it knows nothing for sure.

    An agent's word that nobody vouches for is not told unasked; `recalled` has it.
    """
    asked = clean(prompt)[-_LONGEST_PROMPT:]
    found = memory.search(asked, limit=_UNASKED) if asked and not noise_of(asked) else None
    if found is None or found.verdict is not Verdict.FOUND:
        return ""
    said = _bare(asked)  # what a library wrote down before it asked is no news
    hits = [hit for hit in found.hits if is_vouched_for(hit.passage) and _bare(hit.passage.text) not in said]
    told = pack_evidence(hits, asked, _BUDGET).text
    return framed("\n".join(map(harmless, told.split("\n"))), {"kind": "recall"}) if told else ""


def _bare(text: str) -> str:
    return " ".join(text.split())
