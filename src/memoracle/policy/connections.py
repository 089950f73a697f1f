"""Passwords inside addresses, headers and commands: `scheme://user:password@host`, `Bearer …`, `-u user:…`."""

from __future__ import annotations

import re

from memoracle.policy.rule import Rule, Span
from memoracle.policy.values import is_placeholder, is_strong

_TYPICAL = frozenset({"password", "passwd", "pass", "pwd", "secret", "pw", "user", "token"})


def _is_password(_: str, match: re.Match[str]) -> Span | None:
    value = match[1]
    if (is_placeholder(value) and not value.isdigit()) or value.lower() in _TYPICAL:
        return None
    return match.span(1)


def _is_credential(_: str, match: re.Match[str]) -> Span | None:
    value = match[1].rstrip(".,;")
    start = match.start(1)
    return (start, start + len(value)) if is_strong(value, 12) else None


RULES = (
    Rule(
        name="connection-string",
        type="password",
        pattern=r"://[^\s:/@'\"<>`?#]{0,128}+:([^\s/'\"<>`]{1,256})@(?=[\w\[.$%{-])",
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
        pattern=r"(?:[ \t]-u|--user)[ \t=]{1,3}+[\"']?[^\s:'\"]{1,64}+:([^\s'\"@]{3,256}+)",
        literals=(" -u", "--user"),
        check=_is_password,
    ),
)
