"""A decision that somebody else must take, as JSON: checked against its published schema before it goes anywhere.

The schema itself is `decision.schema.json` beside this file; `decision payload schema` prints it. This check and the
schema say the same, and one thing more that a schema cannot: ids of options are unique, and what refers to an option
names one.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from memoracle.errors import InvalidTime
from memoracle.times import read_time

SEVERITIES = ("BLOCKER", "HIGH", "MEDIUM", "LOW")
CATEGORIES = ("breaking", "secret", "merge", "skill", "preference", "scope")
OPTION_IDS = tuple("ABCDEF")
TIMEOUTS = ("wait", "abort")
_NEEDED = (
    "decision_id", "from_seat", "to_seat", "severity", "category", "context", "options", "default_if_timeout",
    "timeout_minutes", "created_at",
)  # fmt: skip
_MAY = ("issue_id", "supporting_docs", "decided_at", "decided_by", "chosen_option_id", "free_text_reply")
_OPTION = {"id": 1, "label": 80, "impact": 200}
_CONTEXT, _DAY, _SHORT, _LONG = 500, 1440, 200, 4000
_ISSUE = re.compile(r"#[0-9]{1,12}|NEW")


def problems_of(payload: Any) -> list[str]:
    """Everything that is wrong with a payload, in the order of its fields; nothing when it may be sent."""
    if not isinstance(payload, Mapping):
        return ["the payload is not an object"]
    return list(_problems(payload))


def schema() -> dict[str, Any]:
    """The published JSON schema."""
    import json
    import os

    with open(os.path.join(os.path.dirname(__file__), "decision.schema.json"), encoding="utf-8") as file:
        read: dict[str, Any] = json.load(file)
    return read


def _problems(payload: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"`{name}` is missing" for name in _NEEDED if name not in payload)
    yield from (f"`{name}` is no field of a decision" for name in payload if name not in (*_NEEDED, *_MAY))
    for name in ("decision_id", "from_seat", "to_seat", "decided_by"):
        yield from _words(payload, name, _SHORT)
    yield from _words(payload, "context", _CONTEXT)
    yield from _words(payload, "free_text_reply", _LONG, least=0)
    yield from _choice(payload, "severity", SEVERITIES)
    yield from _choice(payload, "category", CATEGORIES)
    ids = yield from _options(payload)
    yield from _choice(payload, "default_if_timeout", (*ids, *TIMEOUTS))
    yield from _choice(payload, "chosen_option_id", ids)
    minutes = payload.get("timeout_minutes", 1)
    # To JSON and to the schema, 5.0 is a whole number.
    if (
        isinstance(minutes, bool)
        or not isinstance(minutes, int | float)
        or minutes % 1
        or not 1 <= minutes <= _DAY
    ):
        yield f"`timeout_minutes` is not a whole number from 1 to {_DAY}"
    for name in ("created_at", "decided_at"):
        if name in payload and not _is_moment(payload[name]):
            yield f"`{name}` is not a moment such as 2026-05-15T09:30:00Z"
    issue = payload.get("issue_id", "NEW")
    if not isinstance(issue, str) or not _ISSUE.fullmatch(issue):
        yield "`issue_id` is neither `#n` nor NEW"
    docs = payload.get("supporting_docs", [])
    if not isinstance(docs, list) or not all(isinstance(one, str) and one.strip() for one in docs):
        yield "`supporting_docs` is not a list of texts"


def _options(payload: Mapping[str, Any]) -> Generator[str, None, tuple[str, ...]]:
    options = payload.get("options")
    if "options" not in payload:
        return ()
    if not isinstance(options, list) or not 1 <= len(options) <= len(OPTION_IDS):
        yield f"`options` is not a list of 1 to {len(OPTION_IDS)}"
        return ()
    ids: list[str] = []
    for place, option in enumerate(options):
        if not isinstance(option, Mapping):
            yield f"`options[{place}]` is not an object"
            continue
        if set(option) != set(_OPTION):
            yield f"`options[{place}]` has not exactly the fields id, label, impact"
            continue
        if option["id"] not in OPTION_IDS:
            yield f"`options[{place}].id` is none of A to F"
        elif option["id"] in ids:
            yield f"`options[{place}].id` is there twice"
        else:
            ids.append(option["id"])
        for name in ("label", "impact"):
            said = option[name]
            if not isinstance(said, str) or not 1 <= len(said) <= _OPTION[name]:
                yield f"`options[{place}].{name}` is not a text of 1 to {_OPTION[name]} characters"
    return tuple(ids)


def _words(payload: Mapping[str, Any], name: str, most: int, *, least: int = 1) -> Iterator[str]:
    said = payload.get(name, "-")
    if not isinstance(said, str) or not least <= len(said) <= most or (least and not said.strip()):
        yield f"`{name}` is not a text of {least} to {most} characters"


def _choice(payload: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> Iterator[str]:
    if name in payload and payload[name] not in choices:
        yield f"`{name}` is none of {', '.join(choices) or 'the options'}"


def _is_moment(said: Any) -> bool:
    try:
        return isinstance(said, str) and "T" in said and read_time(said) is not None
    except InvalidTime:
        return False
