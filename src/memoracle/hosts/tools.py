"""Tool calls and their results as turns: the command, how it ended, and what of its output is worth finding again.

A call waits for its result, also from one reading of a transcript to the next. Of long output the head, the tail and
the lines that look like errors stay; bytes, pictures, encoded data and large JSON go. What a memory was asked, and
what it answered, is left out: it would feed on itself. Every scan is linear in the length of the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from memoracle.hosts.hygiene import clean
from memoracle.hosts.lines import mended

LONGEST = 2_000
"""Characters of a call and its result together."""
_LEAST_OUTPUT = 1_200
_LONGEST_LINE = 300
_SCANNED = 200_000
_LARGE_JSON = 6_000
_MOST_WAITING = 32
_HEAD, _TAIL = 0.4, 0.3
_UNSEEN = 0.1
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]{0,20}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[@-Z\\-_])")
_ENCODED_RUN = 180
_ENCODED = re.compile(rf"(?:data:[\w/+.-]{{1,60}};base64,)?[A-Za-z0-9+/_-]{{{_ENCODED_RUN},}}[^\s\"'<>]*")
_LINES = str.maketrans("", "", "\n\r\t")
_WORD = re.compile(r"[^\s\u2e80-\u9fff\uac00-\ud7af]*")
_DIGITS = re.compile(r"\d+")
_ERRORS = (
    "error|exception|traceback|fatal|panic|fail|denied|refused|time[d-]? ?out|not found|no such|cannot|can't"
    "|unable|invalid|undefined|unexpected|missing|abort|killed|segmentation|assert|warn|unresolved|conflict"
    r"|exit(?:ed)? (?:with )?(?:code|status)|\d (?:passed|skipped)"
)
_MARKS = (
    r"[A-Z](?<!\w.)(?:[A-Z]{0,7}-?\d{3,6}\b|(?<=E)[A-Z]{4,}\b|(?<=H)TTP\W{1,3}[45]\d\d\b)"
    r"|s(?<!\w.)tatus\W{1,3}[45]\d\d\b"
)
_TELLS = re.compile(f"(?i:{_ERRORS})|{_MARKS}|错误|失败|异常|无法|找不到|拒绝|超时|警告|不存在")
# The same of a line in ASCII, a fifth of the time: in small letters every branch begins with a letter of its own.
_SMALL, _PLAIN_MARKS = re.compile(_ERRORS), re.compile(_MARKS)
_SHOWN_FIRST = "command cmd script file_path path absolute_path notebook_path url query pattern".split()
_NOT_SHOWN = frozenset(
    """timeout timeout_ms yield_time_ms max_output_tokens login limit offset is_background run_in_background
    with_escalated_permissions sandbox_permissions prefix_rule""".split()
)
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "powershell", "pwsh", "cmd"})
_DEEPEST = 6
_HELD_IN = (
    "functionResponse",
    "response",
    "output",
    "stdout",
    "stderr",
    "error",
    "text",
    "content",
    "llmContent",
    "message",
    "result",
)
_OWN = re.compile(r"(?:^|__|\.)memory_[a-z]+$|memoracle")
_OWN_WORDS = re.compile(
    r"(?<![\w-])memoracle(?:_search|_get|_save)?(?![\w/-])|(?:\.|share/)memoracle/|\bMEMORY\.md\b"
)


class ToolCall(NamedTuple):
    """What was called, in short, and on which line; `group` is the message it was part of.

    One without words is memory's own, and is not to be heard.
    """

    text: str
    line: int
    group: str = ""


class OpenCalls:
    """Calls whose results have not been read yet.

    `memo` carries where they stand, and no word of them, to a later reading, which has them `read_again`.
    """

    def __init__(self, memo: str = "", read_again: Callable[[set[int]], OpenCalls] | None = None) -> None:
        try:
            held = json.loads(memo or "{}")
            self.waiting = {key: ToolCall("", int(line), str(group)) for key, (line, group) in held.items()}
        except (ValueError, TypeError, AttributeError):
            self.waiting = {}
        self._unread, self._read_again = set(self.waiting), read_again

    def memo(self) -> str:
        """The last of them in one line; empty when none waits."""
        last = {key: (call.line, call.group) for key, call in list(self.waiting.items())[-_MOST_WAITING:]}
        return json.dumps(last) if last else ""

    def add(self, key: object, name: object, given: object, line: int, group: str | None = None) -> None:
        """A tool is called; nothing is waited for where the call has no name of its own."""
        if isinstance(key, str) and key:
            self.waiting[key] = ToolCall(call_text(str(name or "tool"), given), line, group or "")
            self._unread.discard(key)

    def pop(self, key: object, name: object, line: int) -> ToolCall:
        """The call that a result on this line belongs to; one that nobody knows began there."""
        unknown = ToolCall(call_text(str(name or "tool"), None), line)
        if self._read_again and isinstance(key, str) and key in self._unread:
            again = self._read_again({self.waiting[one].line for one in self._unread})
            self.waiting |= {one: call for one, call in again.waiting.items() if one in self._unread}
            self._unread.clear()
        return self.waiting.pop(key, unknown) if isinstance(key, str) else unknown


def call_text(name: str, given: object) -> str:
    """A call in short: the tool, its command or file, its other arguments; empty when memory itself is asked."""
    if isinstance(given, str):
        given = _parsed(given) or given
    named = dict(given) if isinstance(given, Mapping) else {"command": given}
    first = next(
        (shown for key in _SHOWN_FIRST if (shown := _argument(named.get(key))) and named.pop(key)), ""
    )
    rest = [
        f"{key}: {shown}"
        for key, item in named.items()
        if key not in _NOT_SHOWN and (shown := _argument(item))
    ]
    if _OWN.search(name) or any(_OWN_WORDS.search(one) for one in (first, *rest)):
        return ""
    return digest_output("\n".join([f"{name}: {first}" if first else name, *rest]), LONGEST)


def result_text(call: ToolCall, content: object, *, failed: bool = False, code: object = None) -> str:
    """A call with its result, at most about `LONGEST` characters; empty when there is nothing to keep."""
    if not call.text:
        return ""
    output, told = _output(content)
    code = told if code is None else code
    ended = (
        f"exit {code}" if isinstance(code, int) and not isinstance(code, bool) else "failed" if failed else ""
    )
    kept = digest_output(output, max(_LEAST_OUTPUT, LONGEST - len(call.text)))
    called = digest_output(call.text, max(LONGEST - len(kept), LONGEST - _LEAST_OUTPUT))
    return "\n".join(filter(None, (called, ended, kept)))


def digest_output(text: str, most: int = LONGEST) -> str:
    """Output as it is kept: whole when it is short, else its head, its tail, and between them what tells of errors."""
    if len(text) > 2 * _SCANNED:
        text = f"{_cut(text, _SCANNED)}\n…\n{_cut(text[::-1], _SCANNED)[::-1]}"
    text = _plain(text)
    if len(text) <= most:
        return text
    if text[0] in "{[" and text[-1] in "}]" and len(text) > _LARGE_JSON:
        return f"[JSON, {len(text):,} characters]"
    lines = [_cut(one, _LONGEST_LINE, "…") for one in text.split("\n")]
    first, room = 0, int(most * _HEAD)
    while first < len(lines) and (room := room - len(lines[first]) - 1) >= 0:
        first += 1
    last, room = len(lines), int(most * _TAIL)
    while last > first and (room := room - len(lines[last - 1]) - 1) >= 0:
        last -= 1
    room = most - sum(len(one) + 1 for one in (*lines[:first], *lines[last:])) - 4
    telling: dict[str, str] = {}
    for one in lines[first:last]:
        if len(one) < room and _tells(one) and (key := _DIGITS.sub("", one.strip())) not in telling:
            telling[key] = one
            room -= len(one) + 1
    gap = ["…"] if first < last else []
    middle = [*gap, *telling.values(), *gap] if telling else gap
    return "\n".join([*lines[:first], *middle, *lines[last:]])


def _tells(line: str) -> bool:
    """True for a line that looks like an error."""
    if line.isascii():
        return bool(_SMALL.search(line.lower()) or _PLAIN_MARKS.search(line))
    return _TELLS.search(line) is not None


def _cut(text: str, most: int, end: str = "") -> str:
    """The start of a text up to the last whole word: half of a secret would not be known for one and masked."""
    broken = _WORD.match(text[most::-1]) if len(text) > most else None
    return text[: min(most, most + 1 - broken.end())] + end if broken else text


def _plain(text: str) -> str:
    """Output without colours, what was overwritten, encoded data, and what hosts and memory put into it."""
    text = _ESCAPES.sub("", text) if "\x1b" in text else text
    if "\r" in text:
        text = "\n".join(one.rstrip("\r").rpartition("\r")[2] for one in text.split("\n"))
    begin = text[: _SCANNED // 50]
    if "\ufffd" in begin or not begin.translate(_LINES).isprintable():
        odd = sum(not (one.isprintable() or one in "\n\r\t") or one == "\ufffd" for one in begin)
        if odd > _UNSEEN * len(begin):
            return f"[binary, {len(text):,} characters]"
    text = mended(text)
    if max(map(len, text.split()), default=0) >= _ENCODED_RUN:  # encoded data has no blank in it
        text = _ENCODED.sub("[encoded data]", text)
    return clean(text.replace("\0", ""))


def _argument(given: object) -> str:
    if isinstance(given, str):
        return given.strip()
    if isinstance(given, list) and given and all(isinstance(one, str) for one in given):
        return given[-1] if given[0] in _SHELLS and len(given) > 1 else " ".join(given)
    if isinstance(given, Mapping | list) and given:
        return _cut(json.dumps(given, ensure_ascii=False), LONGEST // 2)
    return "" if given is None or isinstance(given, bool | Mapping | list) else str(given)


def _output(content: object, depth: int = 0) -> tuple[str, object]:
    """The words of a result in whatever its host wraps them, and its exit code where that stands beside them."""
    if isinstance(content, str):
        is_wrapped = content[:1] == "{" and '"output"' in content[:200] + content[-200:]
        wrapped = _parsed(content) if is_wrapped else None
        return _output(wrapped, depth + 1) if wrapped and depth < _DEEPEST else (content, None)
    if depth >= _DEEPEST or not isinstance(content, list | Mapping):
        return "", None
    if isinstance(content, list):
        found = [_output(one, depth + 1) for one in content]
    else:
        inner = [content[key] for key in _HELD_IN if content.get(key)]
        about = content.get("metadata")
        beside = [one for one in (content, about) if isinstance(one, Mapping)]
        codes = [one[key] for one in beside for key in ("exit_code", "exitCode") if key in one]
        found = [("", codes[0])] if codes else []
        found += [_output(one, depth + 1) for one in inner]
    code = next((code for _, code in found if code is not None), None)
    return "\n".join(text for text, _ in found if text), code


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
