"""A transcript without the bulk of its tool results, so that more of a context is talk. Pure, and no model.

Soft: of a long result the head and the tail stay. Hard: old results give way to a placeholder. Tool results alone are
touched, and only those before the last answers; what people and agents said, and images, stay as they are. The
host's own file is never changed: lines come in, other lines go out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from memoracle.hosts.lines import Entry, blocks_of, open_bytes, parse, string, table
from memoracle.model.value import value

CLEARED = "[Old tool result content cleared]"
_CHARACTERS_PER_TOKEN = 4
_IMAGE = 8_000
_IMAGES = frozenset({"image", "input_image", "image_url"})
_COMPACTED = frozenset({"compaction", "compacted", "compact_boundary"})


class Mode(StrEnum):
    """How far to go."""

    SOFT = "soft"
    HARD = "hard"


@value
class Pruning:
    """The numbers of pruning. Shares are of the context window, counted in characters."""

    window: int = 200_000
    keep_last_assistants: int = 3
    soft_share: float = 0.3
    hard_share: float = 0.5
    least: int = 50_000
    """With fewer characters of tool results than this, nothing is cleared."""
    longest: int = 4_000
    head: int = 1_500
    tail: int = 1_500


@value
class _Pruned:
    """The lines that are left, how many results were trimmed and cleared, and the characters before and after."""

    lines: tuple[bytes, ...]
    trimmed: int
    cleared: int
    before: int
    after: int


def prune(path: str, *, mode: str = "soft", numbers: Pruning | None = None) -> _Pruned:
    """The transcript at a path, pruned; the file is only read."""
    with open_bytes(Path(path).expanduser()) as stream:
        lines = stream.read().split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    return prune_lines(lines, mode=Mode(mode), numbers=numbers)


def prune_lines(lines: Sequence[bytes], *, mode: Mode = Mode.SOFT, numbers: Pruning | None = None) -> _Pruned:
    """The lines of a transcript, pruned; lines that change nothing stay byte for byte as they were."""
    rules = numbers or Pruning()
    entries = [parse(line)[0] or {} for line in lines]
    whole = rules.window * _CHARACTERS_PER_TOKEN
    first, end = _may_be_pruned(entries, rules.keep_last_assistants)
    before = size = sum(_size(entry) for entry in entries[_start_of(entries) :])
    results = [(at, held) for at in range(first, end) for held in _results(entries[at]) if not held.has_image]
    changed: set[int] = set()
    trimmed = cleared = 0
    if size > rules.soft_share * whole:
        for at, held in results:
            if len(held.text) > rules.longest:
                size -= held.put(soft_trim(held.text, rules))
                changed.add(at)
                trimmed += 1
    is_worth_it = sum(len(held.text) for _, held in results) >= rules.least
    if mode is Mode.HARD and is_worth_it:
        for at, held in results:
            if size <= rules.hard_share * whole:
                break
            if len(held.text) > len(CLEARED):
                size -= held.put(CLEARED)
                changed.add(at)
                cleared += 1
    return _Pruned(
        lines=tuple(_line(entries[at]) if at in changed else line for at, line in enumerate(lines)),
        trimmed=trimmed,
        cleared=cleared,
        before=before,
        after=size,
    )


def soft_trim(text: str, numbers: Pruning | None = None) -> str:
    """The head and the tail of a long text, and a word about what is missing."""
    rules = numbers or Pruning()
    if len(text) <= rules.longest:
        return text
    note = f"[Tool result trimmed: kept the first {rules.head} and the last {rules.tail} of {len(text)} characters.]"
    return f"{text[: rules.head]}\n…\n{text[len(text) - rules.tail :]}\n\n{note}"


class _Result:
    """What a tool gave back, where it stands in its line."""

    def __init__(self, holder: Entry, key: str) -> None:
        self._holder, self._key = holder, key
        content = holder.get(key)
        self._is_list = isinstance(content, list)
        blocks = blocks_of(content)
        self.has_image = any(block.get("type") in _IMAGES for block in blocks)
        self.text = content if isinstance(content, str) else "\n".join(_texts(blocks))

    def put(self, text: str) -> int:
        """Put another text there; how many characters that saves."""
        saved = len(self.text) - len(text)
        self._holder[self._key] = [{"type": "text", "text": text}] if self._is_list else text
        self.text = text
        return saved


def _message(entry: Entry) -> Entry:
    """What a line carries: Codex's item, or the message of the others."""
    return table(entry, "payload") or table(entry, "message")


def _results(entry: Entry) -> list[_Result]:
    """The tool results of a line: OpenClaw's message, Codex's item, Claude Code's blocks."""
    payload, message = table(entry, "payload"), table(entry, "message")
    found = [_Result(payload, "output")] if payload.get("type") == "function_call_output" else []
    found += [_Result(message, "content")] if message.get("role") == "toolResult" else []
    blocks = blocks_of(message.get("content"))
    return found + [_Result(block, "content") for block in blocks if block.get("type") == "tool_result"]


def _may_be_pruned(entries: Sequence[Entry], keep: int) -> tuple[int, int]:
    """From the first thing a person said in this context up to the last answers; nothing when these are all."""
    start = _start_of(entries)
    roles = ["" if _results(entry) else _message(entry).get("role") for entry in entries]
    answers: dict[str, int] = {}
    for at in range(start, len(entries)):
        if roles[at] == "assistant":
            answers.setdefault(string(table(entries[at], "message"), "id") or f"line {at}", at)
    if len(answers) < keep:
        return 0, 0
    end = sorted(answers.values())[-keep] if keep else len(entries)
    return next((at for at in range(start, end) if roles[at] == "user"), end), end


def _start_of(entries: Sequence[Entry]) -> int:
    """Where the present context begins: behind the last compaction."""
    for at in range(len(entries) - 1, -1, -1):
        if {entries[at].get("type"), entries[at].get("subtype")} & _COMPACTED:
            return at + 1
    return 0


def _size(entry: Entry) -> int:
    """How many characters of context a line costs."""
    if found := _results(entry):
        return sum(len(held.text) + _IMAGE * held.has_image for held in found)
    content = _message(entry).get("content")
    if isinstance(content, str):
        return len(content)
    blocks = blocks_of(content)
    images = sum(block.get("type") in _IMAGES for block in blocks)
    called = sum(len(json.dumps(block.get("input") or block.get("arguments") or "")) - 2 for block in blocks)
    return sum(map(len, _texts(blocks))) + _IMAGE * images + called


def _texts(blocks: Sequence[Entry]) -> list[str]:
    return [text for block in blocks if isinstance(text := block.get("text") or block.get("thinking"), str)]


def _line(entry: Entry) -> bytes:
    # The host's own second copy of a result would undo what was saved.
    kept = {name: item for name, item in entry.items() if name != "toolUseResult"}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
