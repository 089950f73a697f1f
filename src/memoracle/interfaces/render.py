"""Results as JSON and as text. Every interface prints through here.

Text that came from outside is shown with hidden characters spelled out; JSON carries it as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from memoracle.model.record import Record
from memoracle.model.report import Finding
from memoracle.model.search import AnswerShape, Hit, Passage, Recollection, Verdict
from memoracle.model.value import fields, is_value
from memoracle.text import shorten, visible
from memoracle.times import write_time

SNIPPET = 700
_NEAR = 3


def to_json(value: Any) -> str:
    """One JSON document."""
    return json.dumps(plain(value), ensure_ascii=False)


def plain(value: Any) -> Any:
    """A value as dictionaries, lists, numbers and text."""
    if isinstance(value, Hit):
        return hit_fields(value)
    if isinstance(value, Record):
        return record_fields(value)
    if isinstance(value, datetime):
        return write_time(value)
    if is_value(value) and not isinstance(value, type):
        return some(value, *fields(value))
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return value


def safe(sentence: str) -> str:
    """A sentence about a problem, without the secrets that the words it quotes may hold."""
    from memoracle.guard.secrets import mask

    return mask(sentence, lambda: b"only for this sentence").text


def some(one: object, *names: str) -> dict[str, Any]:
    """Some fields of a value, plain."""
    return {name: plain(getattr(one, name)) for name in names}


def hit_fields(hit: Hit) -> dict[str, Any]:
    """A hit with its evidence, flat."""
    from memoracle.recall.evidence import is_quoted

    passage, fate = hit.passage, hit.fate
    return {
        "id": passage.ref,
        **some(passage, "text", "kind", "source", "cite", "path", "first_line", "last_line", "title"),
        **some(hit, "score", "legs", "activation", "unused_since"),
        "fate": fate
        and some(fate, "status", "until") | {"replaced_by": fate.ref, "text": fate.by, "says": fate.says},
        **some(passage, "importance", "confidence", "who", "at", "channel"),
        "quoted": is_quoted(passage),
        **some(
            passage, "trust", "status", "pinned", "project", "seat", "session", "tags", "validity", "version"
        ),
        **({"answers": some(hit.answers, "text", "cite")} if hit.answers else {}),
        **({"count": hit.count, "also": [*map(_beside, hit.also)]} if hit.also else {}),
        "around": [*map(_beside, hit.around)],
        **({"then": [*map(_beside, hit.then)]} if hit.then else {}),
    }


def _beside(passage: Passage) -> dict[str, Any]:
    return {"id": passage.ref, **some(passage, "who", "at", "text", "cite")}


def record_fields(record: Record) -> dict[str, Any]:
    """A record, with its words at the top."""
    nested = some(record, *fields(record))
    statement, weight = nested.pop("statement"), nested.pop("weight")
    return {"id": nested.pop("id"), **statement, **weight, **nested}


def recollection_fields(found: Recollection, *, explain: bool) -> dict[str, Any]:
    """An answer in the shape that scripts rely on: status and hits."""
    answer: dict[str, Any] = {
        "status": found.verdict.value,
        "confidence": found.confidence,
        "question": safe(found.question),
        "hits": plain(found.hits),
        "warnings": list(found.warnings),
    }
    if found.shape is not AnswerShape.ANSWER:
        answer["shape"] = found.shape.value
    if found.shape is AnswerShape.TIMELINE:
        answer["order"] = [hit.passage.ref for hit in found.in_order]
    if found.at_least:
        answer["at_least"] = found.at_least
    if found.pack is not None:
        answer["pack"] = plain(found.pack)
    if explain:
        answer["trace"] = [{"stage": note.stage, "says": safe(note.says)} for note in found.trace]
        answer["near"] = plain(found.near)
    return answer


def recollection_text(found: Recollection, *, explain: bool) -> str:
    """An answer for a person."""
    from memoracle.recall.evidence import is_quoted, part_that_answers

    lines = [f"{found.verdict.value} (confidence {found.confidence:.2f})"]
    if found.verdict in {Verdict.NOT_IN_MEMORY, Verdict.NOT_READY}:
        # Whoever reads stdout alone must not take a gap in what could be read for a gap in memory.
        lines += [f"   but {visible(warning)}" for warning in found.warnings]
    is_timeline = found.shape is AnswerShape.TIMELINE
    if found.hits and found.shape is not AnswerShape.ANSWER:
        many = (
            f"at least {found.at_least} mentions, see"
            if found.at_least
            else f"{len(found.hits)} pieces of evidence"
        )
        lines.append("oldest first" if is_timeline else many)
    for place, hit in enumerate(found.in_order if is_timeline else found.hits, start=1):
        passage = part_that_answers(hit, lambda text: len(text) <= SNIPPET)
        facts = [passage.cite, passage.kind, passage.at.date().isoformat() if passage.at else "", passage.who]
        facts += [f"project {passage.project}"] if passage.project else []
        facts += [passage.title] if passage.text != hit.passage.text else []
        facts += ["quoted, not said here"] if is_quoted(passage) else []
        if passage.source.value == "record":
            facts.append(f"activation {hit.activation:.2f}")
        if hit.fate:
            facts.append(hit.fate.says)
        if hit.unused_since:
            facts.append(f"long unused since {hit.unused_since.date()}")
        lines += [
            "",
            f"{place}. {visible(shorten(passage.text, SNIPPET))}",
            f"   {' · '.join(visible(fact) for fact in facts if fact)} · score {hit.score:.3f}",
        ]
        if passage.source.value == "record":
            lines.append(f"   {passage.ref}")
        if hit.also:
            cites = ", ".join(one.cite for one in hit.also[:_NEAR])
            rest = f" and {len(hit.also) - _NEAR} more" if len(hit.also) > _NEAR else ""
            lines.append(f"   also {visible(cites)}{rest}")
            lines += [f"   said: {visible(shorten(hit.said.text, SNIPPET))}"] if hit.said else []
        lines += [f"   then {visible(one.who)}: {visible(shorten(one.text, SNIPPET))}" for one in hit.then]
    if found.pack is not None:
        lines += ["", f"context pack, {found.pack.tokens} tokens:", visible(found.pack.text)]
    if explain:
        lines += [
            "",
            *(f"near miss: {visible(shorten(hit.passage.text, 100))}" for hit in found.near[:_NEAR]),
        ]
        lines += ["", *(f"{note.stage}: {visible(safe(note.says))}" for note in found.trace)]
    return "\n".join(lines)


def hit_line(hit: Hit) -> str:
    """One record on one line."""
    passage = hit.passage
    return f"{passage.ref}  {passage.kind:<10} {hit.activation:.2f}  {visible(shorten(passage.text, 100))}"


def record_text(record: Record) -> str:
    """One record for a person."""
    rows = [visible(record.text), ""]
    for name, value in record_fields(record).items():
        if name != "text" and value not in ("", None, [], {}, False):
            shown = ", ".join(f"{n} {v}" for n, v in value.items() if v) if isinstance(value, dict) else value
            shown = ", ".join(map(str, shown)) if isinstance(shown, list) else shown
            rows.append(f"{name:<12} {visible(str(shown))}")
    return "\n".join(rows)


def version_text(record: Record) -> str:
    """One step of a history."""
    change = record.change
    head = f"v{record.version}  {write_time(change.at)}  {change.verb}  by {change.by or 'nobody named'}"
    reason = f" ({visible(change.because)})" if change.because else ""
    said = visible(shorten(record.text, 120)) or "(nothing left)"
    return f"{head}{reason}\n    {record.status.value}: {said}\n    {change.operation}"


def finding_text(finding: Finding) -> str:
    """One finding for a person."""
    hint = f"\n    hint: {finding.hint}" if finding.hint else ""
    said = f"{visible(finding.place)}: {visible(finding.message)}"
    return f"{finding.severity.value:<8} {finding.code:<16} {said}{hint}"
