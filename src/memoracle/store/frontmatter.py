"""The header of a note: the YAML between its first two `---` lines.

Reads and changes text, never files. Only plain YAML counts: a header with a tag, an alias, a
doubled field or anything else unreadable is no header, and its text stays part of the body. Dates
and clock times stay the words people wrote. One field can be changed with every other byte left
as it is, and no value can reach beyond its own field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NoReturn

from memoracle.errors import BadInput
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value

BOM = "\ufeff"

_FENCE = re.compile(r"---[ \t]*\r?\n")
_CLOSE = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_NAME = re.compile(r"[^\W\d][\w\-]*")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")
# Words that some YAML readers take for a truth value or for nothing.
_NOT_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


@value
class _Frontmatter:
    """A note's header as fields, and the body below it.

    `head + body` is the whole text again, byte for byte. `body_line` is the number of the body's
    first line in the file, from 1. With a `finding`, the header could not be read.
    """

    fields: Mapping[str, Any]
    head: str
    body: str
    body_line: int
    finding: Finding | None = None


class _Unreadable(Exception):
    """Why a header is not one."""


def parse(text: str, *, path: str = "") -> _Frontmatter:
    """The header and body of a note's text; never raises."""
    if quick := read_quickly(text):
        fields, end = quick
        return _Frontmatter(
            fields=fields, head=text[:end], body=text[end:], body_line=text.count("\n", 0, end) + 1
        )
    return parse_with_care(text, path=path)


def parse_with_care(text: str, *, path: str = "") -> _Frontmatter:
    """The same by YAML's own rules, whoever wrote it."""
    start = len(BOM) if text.startswith(BOM) else 0
    opening = _FENCE.match(text, start)
    if not opening:
        return _Frontmatter(fields={}, head="", body=text, body_line=1)
    try:
        closing = _CLOSE.search(text, opening.end())
        if not closing:
            raise _Unreadable("its closing `---` is missing")  # noqa: TRY301
        fields = _load(text[opening.end() : closing.start()])
    except _Unreadable as problem:
        finding = Finding(
            code="broken-header",
            severity=Severity.WARNING,
            path=path,
            line=1,
            message=f"the header cannot be read: {problem}",
            hint="the whole file is treated as text; mend the lines between `---` and `---`",
        )
        return _Frontmatter(fields={}, head="", body=text, body_line=1, finding=finding)
    head = text[: closing.end()]
    return _Frontmatter(fields=fields, head=head, body=text[closing.end() :], body_line=head.count("\n") + 1)


def set_field(text: str, name: str, value: Any) -> str:
    """The text with one header field set, a header made where there was none; all other bytes stay."""
    line = field_line(name, value)
    note = parse(text)
    if note.finding:
        raise BadInput(note.finding.message, note.finding.hint)
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    if not note.head:
        mark = BOM if text.startswith(BOM) else ""
        changed = f"{mark}---{end}{line}{end}---{end}{text.removeprefix(mark)}"
    elif name in note.fields:
        changed = _with_changed_field(note.head, name, line, end) + note.body
    else:
        closing = note.head.rstrip("\r\n").rindex("\n") + 1
        changed = f"{note.head[:closing]}{line}{end}{note.head[closing:]}{note.body}"
    after = parse(changed)
    body = note.body if note.head else note.body.removeprefix(BOM)
    # Whatever shape people gave their header: a change that would touch anything else is not made.
    if after.finding or (after.body, after.fields) != (body, {**note.fields, name: _as_read(value)}):
        raise BadInput(f"`{name}` cannot be changed safely in this header")
    return changed


def compose(fields: Mapping[str, Any], body: str) -> str:
    """A whole note: a header with these fields, then the body."""
    if not fields:
        return body
    lines = "".join(f"{field_line(name, value)}\n" for name, value in fields.items())
    return f"---\n{lines}---\n{body}"


def field_line(name: str, value: Any) -> str:
    """One header line, its value quoted so that it cannot become a second field or end the header."""
    if not _NAME.fullmatch(name) or name.lower() in _NOT_WORDS:
        raise BadInput(f"`{name}` cannot be the name of a header field")
    return f"{name}: {_quoted(value)}"


def _quoted(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) < 10**15:
        return str(int(value))
    if isinstance(value, float) and _FLOAT.fullmatch(repr(value)):
        return repr(value)
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) and value.lower() not in _NOT_WORDS else _quoted_text(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_quoted, value))}]"
    raise BadInput(f"a header cannot hold {value!r}")


def quoted(value: Any) -> str:
    """A value as it stands in a header: text always in quotes, so that it reaches nothing beside it."""
    if isinstance(value, str):
        return _quoted_text(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_quoted_text(name)}: {quoted(one)}' for name, one in value.items())}}}"
    return f"[{', '.join(map(quoted, value))}]" if isinstance(value, list | tuple) else _quoted(value)


def _quoted_text(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(ch: str) -> str:
    if ch in '"\\':
        return f"\\{ch}"
    if ch.isprintable() or ch == "\u3000":  # the ideographic space is as plain as a space
        return ch
    code = ord(ch)
    if 0xD800 <= code <= 0xDFFF:
        raise BadInput("a header cannot hold half a character")
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(ch)
    return short or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _as_read(value: Any) -> Any:
    return [_as_read(one) for one in value] if isinstance(value, list | tuple) else value


def _with_changed_field(head: str, name: str, line: str, newline: str) -> str:
    opening = _FENCE.match(head, len(BOM) if head.startswith(BOM) else 0)
    assert opening, "a header that was parsed has its fence"
    offset = opening.end()
    closing = head.rstrip("\r\n").rindex("\n") + 1
    pairs = _loader()(head[offset:closing]).get_single_node().value
    place = next(at for at, (key, _) in enumerate(pairs) if key.value == name)
    key, value = pairs[place]
    is_inline = value.style in {None, "", "'", '"'} if value.id == "scalar" else bool(value.flow_style)
    if value.start_mark.index < value.end_mark.index and is_inline:
        # Only the value's own characters go, so a comment behind it stays.
        new = line.partition(": ")[2]
        return f"{head[: offset + value.start_mark.index]}{new}{head[offset + value.end_mark.index :]}"
    start = offset + key.start_mark.index
    end = offset + pairs[place + 1][0].start_mark.index if place + 1 < len(pairs) else closing
    lines = head[start:end].split("\n")[:-1]
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    end = start + sum(len(one) + 1 for one in lines)
    return f"{head[:start]}{line}{newline}{head[end:]}"


def _load(source: str) -> dict[str, Any]:
    from yaml import YAMLError

    if len(source) > LONGEST:
        raise _Unreadable(f"it is longer than {LONGEST // 1024} KiB")
    try:
        _check_events(source)
        loader = _loader()(source)
        node = loader.get_single_node()
        if node is None:
            return {}
        if node.id != "mapping":
            raise _Unreadable("it is not a list of fields")
        names = [key.value for key, _ in node.value if isinstance(key.value, str)]
        if len(set(names)) != len(node.value):
            raise _Unreadable("a field stands twice or has no plain name")
        return dict(zip(names, loader.construct_document(node).values(), strict=True))
    except (YAMLError, ValueError, TypeError, RecursionError) as problem:
        raise _Unreadable(" ".join(str(problem).split())[:160]) from None


def _check_events(source: str) -> None:
    """Look at the stream before anything is built from it: no tag, no alias, no deep nest."""
    import yaml

    depth = 0
    for event in yaml.parse(source, Loader=_loader()):
        if isinstance(event, yaml.AliasEvent):
            raise _Unreadable("it uses an alias")
        if getattr(event, "tag", None) is not None:
            raise _Unreadable("it uses a tag")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise _Unreadable(f"it is nested more than {DEEPEST} deep")


_FLOAT = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,25}")
_PLAIN_VALUES = (
    ("tag:yaml.org,2002:null", re.compile(r"~|null|Null|NULL|"), ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:bool", re.compile(r"true|True|TRUE|false|False|FALSE"), list("tTfF")),
    # A leading zero is part of a name (task 0012), not of a number.
    ("tag:yaml.org,2002:int", re.compile(r"-?(?:0|[1-9][0-9]{0,14})"), list("-0123456789")),
    ("tag:yaml.org,2002:float", _FLOAT, list("-0123456789")),
)


@lru_cache(maxsize=1)
def _loader() -> Any:
    """YAML's safe loader with few plain values: 12:30, 2026-05-15 and `no` stay what people wrote."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - YAML's own protocol

    for tag, pattern, first in _PLAIN_VALUES:
        Loader.add_implicit_resolver(tag, re.compile(f"^(?:{pattern.pattern})$"), first)
    return Loader


# Headers that memory wrote itself, read without a YAML parser: one field per line, each value as JSON.
#
# Says nothing rather than something else: whatever is not exactly such a header is left to `frontmatter`, and where
# both read, they read the same. A list of thousands of pages is mostly headers.

LONGEST = 64 * 1024
DEEPEST = 16
_LONGEST_NAME = 500
"""A name beyond this is refused by YAML, the sooner the more it holds that is not ASCII."""

_OPEN = "---\n"
_QUICK_CLOSE = "\n---\n"
_LINE = re.compile(r"([a-z][a-z0-9_]{0,99}):(?: (.*))?")
_ITEM = "  - "
# What YAML refuses, or takes for the end of a line, inside quotes where JSON does not.
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def read_quickly(text: str) -> tuple[dict[str, Any], int] | None:
    """The fields of a header and where the body begins; None when it has to be read with care."""
    if not text.startswith(_OPEN):
        return None
    end = text.find(_QUICK_CLOSE, len(_OPEN) - 1)
    if end < 0 or end > LONGEST or _NOT_YAML.search(text, 0, end) or "\\ud" in text[:end].lower():
        return None  # half a character is no character, however JSON puts two of them together
    fields: dict[str, Any] = {}
    items: list[Any] | None = None
    blocks: list[list[Any]] = []
    try:
        for line in text[len(_OPEN) : end].split("\n"):
            if items is not None and line.startswith(_ITEM):
                items.append(_value(line[len(_ITEM) :]))
                continue
            found = _LINE.fullmatch(line)
            if found is None or found[1] in fields or found[1] in _NOT_WORDS:
                return None
            items = [] if found[2] is None else None
            blocks += [items] if items is not None else []
            fields[found[1]] = items if items is not None else _value(found[2])
    except (ValueError, RecursionError):
        return None
    if any(not held for held in blocks):
        return None  # a field without a value is nothing, not an empty list
    return fields, end + len(_QUICK_CLOSE)


def _value(text: str) -> Any:
    if _WORD.fullmatch(text):
        lower = text.lower()
        if lower not in _NOT_WORDS:
            return text
        if text not in {"true", "false", "null"}:
            raise ValueError
    held = _DECODER.decode(text)
    if isinstance(held, dict | list):
        _measure(held, 2)
    return held


def _measure(held: dict[str, Any] | list[Any], depth: int) -> None:
    """Refuse what is nested too deep; the header itself is the first level."""
    if depth > DEEPEST:
        raise ValueError
    for one in held.values() if isinstance(held, dict) else held:
        if isinstance(one, dict | list):
            _measure(one, depth + 1)


def _int(text: str) -> int:
    if len(text.lstrip("-")) > 15 or text == "-0":
        raise ValueError
    return int(text)


def _refuse(_: str) -> NoReturn:
    raise ValueError


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs) or any(len(name) > _LONGEST_NAME for name in made):
        raise ValueError
    return made


_DECODER = json.JSONDecoder(
    parse_int=_int, parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_once
)
