"""A store of LangGraph (`BaseStore`) that is a memory: put, get, search, delete, list namespaces, batch and abatch.

    import memoracle
    from memoracle.adapters.langgraph import MemoracleStore

    memory = memoracle.open_memory("~/memory")
    store = MemoracleStore(memory)  # builder.compile(store=store)
    store.put(("ann", "food"), "likes", {"text": "Ann likes oat milk in her coffee"})
    found = store.search(("ann",), query="What does Ann take in her coffee?")
    assert found[0].value == {"text": "Ann likes oat milk in her coffee"}

An item is a record: its value stands there as YAML that people can read, said by an agent. A put over another is a new
version of it; a delete withdraws it, and `undo` brings it back for thirty days. The first part of a namespace is the
user whose record it is, so no other reader sees it; `scope` names other parts: `("", "user")` where namespaces are
`("memories", user_id)`. A search with a query gives evidence or nothing. A time to live counts from the put
(`ttl_config`).
"""

from __future__ import annotations

import asyncio
import json
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from memoracle import Filters, Memory, Passage, RefusedByPolicy, Scope
from memoracle.adapters.shared import for_agent, scope_name
from memoracle.errors import MissingLibrary
from memoracle.model.record import SCOPES, Status

try:
    import langgraph.store.base as base  # noqa: PLR0402 - a namespace package has no attributes for type checkers
except ImportError as problem:
    raise MissingLibrary("langgraph-checkpoint", "langgraph-checkpoint>=4.3,<5") from problem

__all__ = ["MemoracleStore"]

_TAG = "langgraph"
_ALL = 1_000_000
_LOOKED_AT = 200
"""How many hits of a query a filter is held against."""
_STANDING = (Status.ACTIVE.value, Status.ARCHIVED.value)
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": lambda held, asked: float(held) > float(asked),
    "$gte": lambda held, asked: float(held) >= float(asked),
    "$lt": lambda held, asked: float(held) < float(asked),
    "$lte": lambda held, asked: float(held) <= float(asked),
}


class MemoracleStore(base.BaseStore):
    """Items of LangGraph as records of a memory."""

    supports_ttl = True

    def __init__(self, memory: Memory, *, scope: Sequence[str] = ("user",)) -> None:
        if unknown := set(scope) - {"", *SCOPES}:
            raise ValueError(f"{min(unknown)!r} is no scope; one of {', '.join(SCOPES)}, or empty")
        self._memory, self._scope = for_agent(memory), tuple(scope)
        self.ttl_config = base.TTLConfig(refresh_on_read=False)

    def batch(self, ops: Iterable[base.Op]) -> list[base.Result]:
        """The results of operations; reading ones see what stood before the batch, of two puts the last counts."""
        results: list[base.Result] = []
        puts: dict[tuple[tuple[str, ...], str], base.PutOp] = {}
        with self._memory.turns:
            for op in ops:
                base.validate_op_namespace(op)
                found: base.Result = None
                if isinstance(op, base.GetOp):
                    found = self._get(op)
                elif isinstance(op, base.SearchOp):
                    found = self._search(op)
                elif isinstance(op, base.ListNamespacesOp):
                    found = self._namespaces(op)
                else:
                    puts[op.namespace, op.key] = op
                results.append(found)
            for put in puts.values():
                self._put(put)
        return results

    async def abatch(self, ops: Iterable[base.Op]) -> list[base.Result]:
        """The same in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _get(self, op: base.GetOp) -> base.Item | None:
        passage = self._find(op.namespace, op.key)
        return base.Item(**self._fields(passage)) if passage else None

    def _put(self, op: base.PutOp) -> None:
        own, held = self._view(op.namespace), self._find(op.namespace, op.key)
        if op.value is None:
            if held:
                own.withdraw([held.ref], because="deleted by a LangGraph store")
            return
        own.root.must_hold_no_secret(*op.namespace, op.key)
        expires = own.root.clock() + timedelta(minutes=op.ttl) if op.ttl else None
        text = _written(own.root.guard.document(json.loads(json.dumps(op.value))))
        if held and held.validity.expires is expires is None:
            if held.text != text:
                own.edit(held.ref, text=text)
            return
        steps = [_TAG, *op.namespace]
        name = _name(op.namespace, op.key)
        tags = [_path(steps[:n]) for n in range(1, len(steps) + 1)] + [name]
        draft: Any = {"kind": "fact", "channel": "agent", "key": name, "tags": tags, "expires": expires}
        kept = own.supersede(held.ref, text, **draft) if held else own.remember(text, **draft)
        if kept.status is Status.QUARANTINED:
            raise RefusedByPolicy(kept.rules)
        if not held and not kept.created:  # another process was quicker
            own.supersede(kept.id, text, **draft)

    def _search(self, op: base.SearchOp) -> list[base.SearchItem]:
        prefix, end = op.namespace_prefix, op.offset + op.limit
        if op.query:
            wanted = Filters(tags=(_path([_TAG, *prefix]),))
            found = self._view(prefix).recall(
                op.query, limit=max(end, _LOOKED_AT if op.filter else 1), filters=wanted
            )
            ranked = [(one, hit.score) for hit in found.hits for one in (hit.passage, *hit.also)]
        else:
            ranked = [(one, 0.0) for one in self._standing(prefix, _path([_TAG, *prefix]))]
        items = [
            base.SearchItem(**self._fields(passage), score=score if op.query else None)
            for passage, score in ranked
            if _steps(passage) and _namespace(passage)[: len(prefix)] == prefix
        ]
        fitting = [item for item in items if _fits(item.value, op.filter or {})]
        return fitting[op.offset : end]

    def _namespaces(self, op: base.ListNamespacesOp) -> list[tuple[str, ...]]:
        every = {_namespace(one) for one in self._standing((), _TAG)}
        named = {one for one in every if all(_matches(one, asked) for asked in op.match_conditions or ())}
        return sorted({one[: op.max_depth] for one in named})[op.offset : op.offset + op.limit]

    def _view(self, namespace: Sequence[str]) -> Memory:
        """The memory as the user of a namespace has it."""
        named: Any = {
            name: scope_name(part) for name, part in zip(self._scope, namespace, strict=False) if name
        }
        return for_agent(self._memory, Scope(**named)) if named else self._memory

    def _find(self, namespace: tuple[str, ...], key: str) -> Passage | None:
        name = _name(namespace, key)
        return next((one for one in self._standing(namespace, name) if name in one.tags), None)

    def _standing(self, namespace: tuple[str, ...], tag: str) -> list[Passage]:
        """The items that carry a tag, the newest first; however old, they are there."""
        view = self._view(namespace)
        listed = view.list(limit=_ALL, filters=Filters(tags=(tag,), statuses=_STANDING))
        now = view.root.clock()
        return [one.passage for one in listed if _steps(one.passage) and one.passage.validity.holds_at(now)]

    def _fields(self, passage: Passage) -> Mapping[str, Any]:
        *namespace, key = _steps(passage)
        record = self._memory.show(passage.ref)
        return {
            "namespace": tuple(namespace),
            "key": key,
            "value": _read(record.text),
            "created_at": record.created,
            "updated_at": record.change.at,
        }


def _written(given: Any) -> str:
    """A value as text that reads well and is read back as it was."""
    import yaml

    return yaml.safe_dump(given, allow_unicode=True, sort_keys=False, width=1_000_000).rstrip("\n")


def _read(text: str) -> dict[str, Any]:
    import yaml

    try:
        held = yaml.safe_load(text)
    except yaml.YAMLError:
        held = None
    return held if isinstance(held, dict) else {"text": text}  # as people may have put it


def _name(namespace: Sequence[str], key: str) -> str:
    """What names an item: readable, and not the same for two spellings that are the same when normalised."""
    name = json.dumps([*namespace, key], ensure_ascii=False)
    return f"{name} {uuid5(NAMESPACE_OID, name)}"


def _path(steps: Sequence[str]) -> str:
    return "/".join(step.replace("%", "%25").replace("/", "%2F").replace(" ", "%20") for step in steps)


def _steps(passage: Passage) -> list[str]:
    """The namespace and the key of an item, from the tag that names it: that stays when people edit the words.

    Empty for what is no item: anybody may tag a record with the name of the library.
    """
    for tag in passage.tags:
        name, _, mark = tag.rpartition(" ")
        if name.startswith("[") and mark == str(uuid5(NAMESPACE_OID, name)):
            steps: list[str] = json.loads(name)
            return steps
    return []


def _namespace(passage: Passage) -> tuple[str, ...]:
    return tuple(_steps(passage)[:-1])


def _matches(namespace: tuple[str, ...], asked: base.MatchCondition) -> bool:
    path, count = tuple(asked.path), len(asked.path)
    if count > len(namespace):
        return False
    part = namespace[:count] if asked.match_type == "prefix" else namespace[len(namespace) - count :]
    return all(wanted in {"*", own} for own, wanted in zip(part, path, strict=True))


def _fits(held: Any, asked: Any) -> bool:
    """True when a value has what is asked for: the same, or within bounds; a mapping is asked field by field."""
    if isinstance(asked, dict):
        if any(str(name).startswith("$") for name in asked):
            if unknown := asked.keys() - _COMPARED.keys():
                raise ValueError(f"Unsupported operator: {min(unknown)}")
            return all(_COMPARED[name](held, bound) for name, bound in asked.items())
        return isinstance(held, dict) and all(_fits(held.get(name), one) for name, one in asked.items())
    if isinstance(asked, list | tuple):
        is_list = isinstance(held, list | tuple) and len(held) == len(asked)
        return is_list and all(_fits(one, other) for one, other in zip(held, asked, strict=True))
    return bool(held == asked)
