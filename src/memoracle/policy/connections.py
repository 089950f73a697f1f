"""Passwords inside addresses, headers and commands: `scheme://user:password@host`, `Bearer …`, `-u user:…`."""

from __future__ import annotations

import re

from memoracle.policy.rule import Rule, Span
from memoracle.policy.values import is_placeholder, is_strong

_PATTERN = re.compile(r"\[[^\]]*[a-z0-9]-[a-z0-9]|\\[dwsS]|\.\*", re.IGNORECASE)
_TYPICAL = frozenset({"password", "passwd", "pass", "pwd", "secret", "pw", "user", "token"})


def _is_password(_: str, match: re.Match[str]) -> Span | None:
    value = match["value"]
    if (is_placeholder(value) and not value.isdigit()) or value.lower() in _TYPICAL or _PATTERN.search(value):
        return None
    if value.lower() == match["user"].lower() or value.startswith("//"):
        return None  # `postgres:postgres@localhost` is nobody's secret
    return match.span("value")


def _is_lone(_: str, match: re.Match[str]) -> Span | None:
    """`-u token:`: the token stands where the name would."""
    return match.span("value") if is_strong(match["value"]) else None


def _is_credential(text: str, match: re.Match[str]) -> Span | None:
    value = match[1].rstrip(".,;")
    start = match.start(1)
    if text.startswith("...", start + len(value)):
        return None  # a sample that was cut off
    return (start, start + len(value)) if is_strong(value, 12) else None


RULES = (
    Rule(
        name="connection-string",
        type="password",
        pattern=r"://(?P<user>[^\s:/@'\"<>`?#]{0,128}+):(?P<value>[^\s/'\"<>`]{1,256})@(?=[\w\[.$%{-])",
        literals=("://",),
        check=_is_password,
    ),
    Rule(
        name="bearer",
        type="bearer-token",
        pattern=r"bearer[ \t:]{1,4}+[\"']?([a-z0-9._~+/=-]{12,}+)",
        literals=("bearer",),
        check=_is_credential,
        folded=True,
    ),
    Rule(
        name="authorization",
        type="authorization",
        pattern=r"authorization[\"']?[ \t]{0,4}+[:=][ \t]{0,4}+[\"']?"
        r"(?:basic|token|apikey|digest)?[ \t]{0,4}+([a-z0-9._~+/=-]{12,}+)",
        literals=("authorization",),
        check=_is_credential,
        folded=True,
    ),
    Rule(
        name="user-option",
        type="password",
        pattern=r"(?:[ \t]-u|--user)[ \t=]{0,3}+[\"']?(?P<user>[^\s:'\"()]{0,64}+)[\"']?:[\"']?(?P<value>[^\s'\"]{3,256}+)",  # noqa: E501 - one pattern
        literals=(" -u", "--user"),
        check=_is_password,
    ),
    Rule(
        name="user-option-token",
        type="api-key",
        pattern=r"(?:[ \t]-u|--user)[ \t=]{0,3}+[\"']?(?P<value>[^\s:'\"]{8,256}+):[\"']?(?=[ \t\r\n]|\Z)",
        literals=(" -u", "--user"),
        check=_is_lone,
    ),
)
