"""`memory_save`, `memory_update`, `memory_forget` and `memory_review`. Authority follows origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, RefusedByPolicy, UnknownRecord
from memoracle.interfaces.mcp import tool as a
from memoracle.interfaces.mcp.tool import Caller, Lane, Tool, ToolAnswer
from memoracle.model.record import OUTSIDE, TRUST, Channel, Kind, Record
from memoracle.model.value import replace, value
from memoracle.text import estimate_tokens
from memoracle.times import read_time, read_until, write_time

if TYPE_CHECKING:
    from memoracle.memory import Memory
    from memoracle.model.report import Receipt, Step


# Whose word a call carries, and what it may change.

_OWN_WORDS = frozenset({"text", "kind", "importance", "confidence"})


def must_be_allowed(record: Record, given: Mapping[str, Any], caller: Caller, *, replaces: bool) -> None:
    """Refuse a change that would put a lesser word in the place, or under the name, of a greater one.

    An edit leaves a record under the name of whoever said it first; labels are all that others may change there. Where
    agents read what strangers wrote, nothing but an agent's own is changed.
    """
    if TRUST[Channel.AGENT] >= TRUST[record.origin.channel]:
        return
    is_guarded = caller.agent_only or _is_guarded(record)
    if is_guarded if replaces else not _OWN_WORDS.isdisjoint(given):
        raise RefusedByPolicy(("owner-only",))


@value
class _Leaving:
    """What an agent would have out of memory: what goes, what is put to the owner, and the plan that says so."""

    ids: tuple[str, ...]
    proposed: tuple[str, ...]
    steps: tuple[Step, ...]


def leaving(memory: Memory, references: Sequence[str], caller: Caller) -> _Leaving:
    """Which of these records an agent may withdraw; raise for what it may not even propose.

    What steers the owner's agents or must not fade is proposed to the owner. Where agents read what strangers wrote,
    an agent withdraws nothing but what it noted itself.
    """
    from memoracle.model.report import Step

    steps = memory.plan_withdraw(references).steps
    records = [memory.show(reference) for reference in references]
    if caller.agent_only and not all(_is_own(one, caller) for one in records):
        raise RefusedByPolicy(("owner-only",))
    proposed = {one.id for one in records if _is_guarded(one)}
    ids = tuple(one.id for one in records if one.id not in proposed)
    kept = steps if not proposed else memory.plan_withdraw(ids).steps if ids else ()
    asked = tuple(Step(act="propose", target=one, because="only its owner can") for one in sorted(proposed))
    return _Leaving(ids=ids, proposed=tuple(sorted(proposed)), steps=(*kept, *asked))


def let_go(memory: Memory, leaves: _Leaving, caller: Caller, *, because: str) -> dict[str, Any]:
    """Withdraw and propose; what came of it, in words that say how it is taken back."""
    said: list[str] = []
    document: dict[str, Any] = {"withdrawn": [], "proposed": list(leaves.proposed)}
    if leaves.ids:
        done = memory.withdraw(leaves.ids, because=because)
        until = write_time(done.until)
        document |= {"withdrawn": list(done.ids), "until": until, "operation": done.operation}
        said.append(
            "withdrawn; `memoracle undo` within 30 days brings it back, should the owner wish it; "
            f"after {until[:10]} it is erased for good"
        )
    if leaves.proposed:
        from memoracle.learn.forget import propose_withdrawal

        propose_withdrawal(memory.root, leaves.proposed, by=caller.name, because=because)
        said.append("what only the owner can withdraw is unchanged and waits in their `memoracle inbox`")
    return document | {"message": "; ".join(said)}


def _is_guarded(record: Record) -> bool:
    from memoracle.guard.guard import OWNERS_ONLY

    is_owners = TRUST[record.origin.channel] > TRUST[Channel.AGENT]
    return (is_owners and (record.kind in OWNERS_ONLY or record.is_everlasting)) or record.pinned


def _is_own(record: Record, caller: Caller) -> bool:
    return record.origin.channel is Channel.AGENT and record.origin.who == caller.name and not record.pinned


_SCOPE = ("user", "agent", "project", "seat")
_SAVED = ("kind", "importance", "confidence", "tags", "entities", "subject", "predicate", "object")
_REVISED = ("kind", "importance", "confidence", "tags", "entities")
_MOST_TO_FORGET = 100
_MOST_TOKENS = 700

_RECEIPT = "id version created kind status citation operation outcome rules warnings".split()


def save(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Keep one statement."""
    from memoracle.learn.draft import make_draft
    from memoracle.learn.evidence import SAVED

    fields = {name: given[name] for name in _SAVED if name in given}
    fields |= {name: getattr(caller.scope, name) for name in _SCOPE}
    fields |= {"project": given.get("project") or caller.scope.project}
    fields |= {"idempotency": given.get("idempotencyKey", ""), "session": given.get("session", "")}
    fields |= {"since": read_time(given["since"])} if given.get("since") else {}
    fields |= {"expires": read_until(given["expires"])} if given.get("expires") else {}
    fields |= {"sources": [SAVED + caller.run]} if caller.run else {}
    made = make_draft(given["text"], **fields, **_origin(caller))
    wish = memory.guard(replace(made, draft=memory.root.placed(made.draft), told=frozenset(caller.told)))
    return _receipt(memory.remember(wish), wish.draft.kind)


def update(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Put a record differently, or a new one in its place."""
    mode, text = given.get("mode", "supersede"), given.get("text")
    if mode == "supersede" and not text:
        raise BadInput("there is nothing to put in its place", "give `text`, or `mode` edit")
    record = memory.show(given["id"])
    must_be_allowed(record, given, caller, replaces=mode == "supersede")
    fields = {name: given[name] for name in _REVISED if name in given}
    how = {"expected": given.get("expectedVersion"), "because": given.get("because", "")}
    if mode == "edit":
        if text is not None:
            fields["text"] = text
        receipt = memory.edit(record.id, **how, **fields)
    else:
        scope = {name: getattr(record.scope, name) for name in _SCOPE}
        origin = _origin(caller)
        if record.origin.channel in OUTSIDE:
            # What came from outside stays that: an agent that repeats it does not make it its own.
            origin |= {"channel": record.origin.channel.value}
        receipt = memory.supersede(record.id, str(text), **how, **scope, **fields, **origin)
    return _receipt(receipt, memory.show(receipt.id).kind)


def forget(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """The plan; with consent, the deed: out of memory at once, back within thirty days when the owner says so."""
    for one in given["ids"]:
        if "#" in one:  # lines of notes are their owner's to erase
            raise UnknownRecord(one)
    leaves = leaving(memory, given["ids"], caller)
    from memoracle.interfaces.render import plain

    document: dict[str, Any] = {"withdrawn": [], "proposed": [], "plan": plain(leaves.steps)}
    if not given.get("confirm"):
        told = "nothing was changed; after the owner agreed, call again with confirm true"
        return ToolAnswer(document=document | {"confirmed": False, "message": told})
    done = let_go(memory, leaves, caller, because=given.get("because", ""))
    return ToolAnswer(document=document | done | {"confirmed": True})


def review(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """What nobody has decided, a few at a time, and how to answer; with answers, what came of them."""
    import json

    from memoracle.interfaces.render import plain
    from memoracle.learn.ask_model import RULES, lines_of
    from memoracle.learn.undecided import settle_undecided, undecided

    if answers := given.get("answers"):
        done = settle_undecided(memory.root, answers, by=caller.name, run=caller.run)
        return ToolAnswer(document=plain(done))
    cases, waiting = undecided(memory.root)
    caller.told.update(one.ref for case in cases.values() for one in case.known.values())
    items = lines_of(cases)
    while estimate_tokens(json.dumps(items, ensure_ascii=False)) > _MOST_TOKENS:
        items.pop()
    rules = {"rules": f"items: {RULES}\nCall memory_review again with such answers."} if items else {}
    return ToolAnswer(document={"waiting": waiting, "items": items} | rules)


def _origin(caller: Caller) -> dict[str, Any]:
    return {"channel": Channel.AGENT.value, "who": caller.name}


def _receipt(receipt: Receipt, kind: Kind) -> ToolAnswer:
    from memoracle.interfaces.render import plain

    citation = f"{receipt.path}#L{receipt.line}" if receipt.line else receipt.path
    held = plain(receipt) | {"kind": kind.value, "citation": citation}
    return ToolAnswer(document={name: held[name] for name in _RECEIPT})


_DETAILS = {
    "importance": a.share(),
    "confidence": a.share(),
    "tags": a.texts(),
    "entities": a.texts("whom or what it is about"),
}

SAVE = Tool(
    name="memory_save",
    title="Save to memory",
    description=(
        "Keep one self-contained statement (names, absolute dates) that will matter later. It is kept as yours; what "
        "only the owner can say (preference, rule, identity …) is put to them. The same again is the same record."
    ),
    takes=a.record(
        {
            "text": a.text("in the owner's language"),
            "kind": a.text("default fact", enum=[*Kind]),
            **_DETAILS,
            **{name: a.text() for name in ("project", "subject", "predicate", "object")},
            "since": a.text("holds from"),
            "expires": a.text("holds until"),
            "session": a.text(),
            "idempotencyKey": a.text("makes a retry safe"),
        },
        needs=("text",),
    ),
    run=save,
    lane=Lane.WRITE,
)

UPDATE = Tool(
    name="memory_update",
    title="Correct memory",
    description=(
        "supersede: the world changed, a new record takes the old one's place. edit: it was put wrongly. "
        "History is kept. expectedVersion is the one you got."
    ),
    takes=a.record(
        {
            "id": a.text(),
            "mode": a.text("default supersede", enum=["supersede", "edit"]),
            "text": a.text(),
            "kind": a.text(),
            **_DETAILS,
            "expectedVersion": a.count(most=1_000_000_000),
            "because": a.text("kept in the history", maxLength=2000),
        },
        needs=("id",),
    ),
    run=update,
    lane=Lane.WRITE,
    idempotent=False,
)

FORGET = Tool(
    name="memory_forget",
    title="Withdraw from memory",
    description=(
        "Take records out of memory; the owner brings them back within 30 days. What they pinned or steer by is "
        "only proposed to them. Without confirm: the plan. Show it, and confirm after the owner agreed."
    ),
    takes=a.record(
        {
            "ids": a.many({"type": "string"}, maxItems=_MOST_TO_FORGET),
            "confirm": a.flag("the owner agreed"),
            "because": a.text(maxLength=2000),
        },
        needs=("ids",),
    ),
    run=forget,
    lane=Lane.WRITE,
    destructive=True,  # hosts ask before such a call, and they should: an answer is missing afterwards
)

REVIEW = Tool(
    name="memory_review",
    title="Settle what is undecided",
    description=(
        "The owner's remarks that nobody has decided on. Without answers: a few of them, and how to answer. "
        "With answers: each is checked, and kept as yours or refused with the reason."
    ),
    takes=a.record(
        {
            "answers": a.many(
                a.record({"id": a.text(), "keep": a.flag()}, needs=("id", "keep"), is_open=True), maxItems=16
            )
        }
    ),
    run=review,
    lane=Lane.WRITE,
)
