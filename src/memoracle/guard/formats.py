"""Secrets where files, addresses and commands keep them, with no `name = value` to give them away.

XML, `.netrc`, `.pgpass`, Docker, Kubernetes, SQL, calls, vaults; `scheme://user:password@host`, headers, `-u user:…`;
private keys in PEM form, whole or cut off at either end. The patterns stand in rules/credentials.toml; here are the
checks they name.
"""

from __future__ import annotations

import re

from memoracle.guard.rule import (
    GuardPattern,
    Span,
    check,
    is_filler,
    is_of_code,
    is_of_words,
    is_password,
    is_placeholder,
    is_plain_word,
    is_random,
    is_strong,
)
from memoracle.guard.secrets import spreads

_NOT_THE_VALUE = GuardPattern(
    r"(?:name|id|path|file|url|uri|type|field|length|policy|hint|label|placeholder|text)s?$"
)
_OF_KIND = GuardPattern(r"(?i)kind[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?secret")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")


def _trimmed(match: re.Match[str]) -> Span:
    start, end = match.span("value")
    value = match["value"]
    return start + len(value) - len(value.lstrip()), end - (len(value) - len(value.rstrip()))


@check
def password_in_file(text: str, match: re.Match[str]) -> Span | None:
    span = _trimmed(match)
    value = text[slice(*span)]
    suffix = match.groupdict().get("suffix") or ""
    if _NOT_THE_VALUE.search(suffix) or len(value) < 3:
        return None
    return span if is_password(value, quoted=True, ends=True) else None


@check
def key_in_file(text: str, match: re.Match[str]) -> Span | None:
    span = _trimmed(match)
    value = text[slice(*span)]
    suffix = match.groupdict().get("suffix") or ""
    start = match.span("suffix")[0] if "suffix" in match.groupdict() else -1
    if "socket" in text[max(0, match.start() - 8) : match.start()].lower():
        return None
    goes_on = suffix[:1].isalpha() and text[start - 1 : start + 1].islower()  # `keyword`, `tokenizer`
    if _NOT_THE_VALUE.search(suffix) or is_filler(value) or is_of_code(value) or goes_on:
        return None
    if value.isdigit():
        return span if len(value) >= 15 and len(set(value)) > 4 else None
    if is_of_words(value) and " " not in value:
        return None
    last = value.rpartition(" ")[2].rstrip("}])")
    is_whole = (
        " " not in value or len(value) >= 40 or (len(last) >= 14 and spreads(last) and not is_of_words(last))
    )
    return span if is_strong(value.replace(" ", "")) and is_whole else None


@check
def is_written(text: str, match: re.Match[str]) -> Span | None:
    """Anything but a placeholder or a plain word."""
    span = _trimmed(match)
    value = text[slice(*span)]
    if len(value) < 3 or is_placeholder(value) or is_plain_word(value) or is_of_code(value):
        return None
    return span


@check
def is_directive(text: str, match: re.Match[str]) -> Span | None:
    """`requirepass …` alone on its line; behind the plain word the value has to speak for itself."""
    line = text[max(0, match.start() - 80) : match.start()].rpartition("\n")[2]
    if line.strip() or (match.start() >= 80 and len(line) >= 80):
        return None
    span = match.span("value")
    value = text[slice(*span)]
    if match["name"].startswith("passw") and not is_strong(value, 6):
        return None
    return None if is_placeholder(value) or is_plain_word(value) else span


@check
def is_in_pair(text: str, match: re.Match[str]) -> Span | None:
    """`("password", "…")`: a list of names looks the same, so the value must not be one."""
    value = text[slice(*match.span("value"))]
    if (
        _NOT_THE_VALUE.search(match["suffix"])
        or is_placeholder(value)
        or is_plain_word(value)
        or len(value) < 4
    ):
        return None
    if "password" in value.lower() or is_of_code(value):
        return None
    is_constant = text[match.start() : match.end("suffix")].isupper()
    is_name = re.fullmatch(r"[A-Za-z][a-z]*(?:[_\-. ]?[A-Za-z][a-z]+)*:?", value) is not None
    return match.span("value") if not is_name or (is_constant and " " not in value) else None


@check
def is_in_call(text: str, match: re.Match[str]) -> Span | None:
    """The argument behind the user's name, unless it is a word."""
    value = text[slice(*match.span("value"))]
    return match.span("value") if is_strong(value, 6) and " " not in value and "/" not in value else None


@check
def is_login(text: str, match: re.Match[str]) -> Span | None:
    """Base64 of `user:password`."""
    from base64 import b64decode

    span = match.span("value")
    value = text[slice(*span)]
    try:
        said = b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return None
    return span if ":" in said and said.isprintable() and len(said) > 4 else None


@check
def is_in_secret(text: str, match: re.Match[str]) -> Span | None:
    """A value of a Kubernetes secret: `kind: Secret` stands in the same document."""
    span = match.span("value")
    value = text[slice(*span)]
    if not _BASE64.fullmatch(value) or len(value) % 4 or value.isalpha():
        return None
    before, after = max(0, span[0] - 4000), min(len(text), span[1] + 2000)
    above = text[before : span[0]].rpartition("\n---")[2]
    below = text[span[1] : after].partition("\n---")[0]
    return span if _OF_KIND.search(above) or _OF_KIND.search(below) else None


@check
def is_phrase(_: str, match: re.Match[str]) -> Span | None:
    """Twelve to twenty-four short words in a row."""
    words = match["value"].split()
    return match.span("value") if len(words) >= 12 and all(3 <= len(word) <= 8 for word in words) else None


@check
def block(_: str, match: re.Match[str]) -> Span | None:
    return match.span("value") if len(match["value"]) >= 16 else None


_PATTERN = GuardPattern(r"\[[^\]]*[a-z0-9]-[a-z0-9]|\\[dwsS]|\.\*", re.IGNORECASE)
_TYPICAL = frozenset({"password", "passwd", "pass", "pwd", "secret", "pw", "user", "token"})


@check
def password_in_address(_: str, match: re.Match[str]) -> Span | None:
    value = match["value"]
    if (is_placeholder(value) and not value.isdigit()) or value.lower() in _TYPICAL or _PATTERN.search(value):
        return None
    if value.lower() == match["user"].lower() or value.startswith("//"):
        return None  # `postgres:postgres@localhost` is nobody's secret
    return match.span("value")


@check
def token_for_a_name(_: str, match: re.Match[str]) -> Span | None:
    """`-u token:`: the token stands where the name would."""
    return match.span("value") if is_strong(match["value"]) else None


@check
def header(text: str, match: re.Match[str]) -> Span | None:
    value = match[1].rstrip(".,;")
    start = match.start(1)
    if text.startswith("...", start + len(value)):
        return None  # a sample that was cut off
    return (start, start + len(value)) if is_strong(value, 12) else None


_LONGEST = 20_000
_BODY = GuardPattern(
    r"""(?:\s*+(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]{0,120}+)*+"""
    r"""(?:(?:\\+[nrt]|[\s"'+,>|]){0,24}+[A-Za-z0-9+/=]{16,}+)*+"""
    r"""(?:(?:\\+[nrt]|[\s"'+,>|]){0,24}+[A-Za-z0-9+/=]{1,64}+(?=\s*\Z))?+"""
)
_END = GuardPattern(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}(?:-----)?")
_LINE = GuardPattern(r"[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/]{1,15}={0,2}")
_SEPARATOR = GuardPattern(r"""\\+[nrt]|[\s"'+,>|]+""")


@check
def from_begin(text: str, match: re.Match[str]) -> Span:
    """From BEGIN to END, or as far as the letters of a key go."""
    end = _END.search(text, match.end(), match.end() + _LONGEST)
    another = text.find("-----BEGIN", match.end(), match.end() + _LONGEST)
    if end and not match.end() <= another < end.start():
        return match.start(), end.end()
    body = _BODY.match(text, match.end())
    return match.start(), body.end() if body else match.end()


@check
def until_end(text: str, match: re.Match[str]) -> Span | None:
    """Back from an END whose beginning was cut off, line by line."""
    earlier = text.rfind("-----", max(0, match.start() - _LONGEST), match.start())
    if text.rfind("-----BEGIN", max(0, earlier - 80), max(0, earlier)) >= 0:
        return None
    window = text[earlier + 5 if earlier >= 0 else max(0, match.start() - _LONGEST) : match.start()]
    start = match.start()
    cuts = [(0, 0), *(found.span() for found in _SEPARATOR.finditer(window))]
    end = len(window)
    for begin, after in reversed(cuts):
        line = window[after:end]
        if line and not _LINE.fullmatch(line):
            break
        if line:
            start = match.start() - len(window) + after
        end = begin
    return (start, match.end()) if start < match.start() else None


# Tokens by prefix or shape: rules/tokens.toml.

_SOLID = 18  # longer than words that follow a prefix in a name
_DIGESTS = frozenset(f"sha{bits}{sign}" for bits in (256, 384, 512) for sign in "=:-")
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def is_token(text: str, match: re.Match[str]) -> Span | None:
    """All of the match, unless what follows the prefix is a filler or words, or it is the digest of a file."""
    body = match[1]
    if is_filler(match[0]) or text[max(0, match.start() - 7) : match.start()] in _DIGESTS:
        return None
    if not any(map(str.islower, body)) or is_random(body):
        return match.span()
    is_telling = match.start(1) - match.start() >= 5 or len(body) >= 16
    is_solid = len(max(re.split(r"[^A-Za-z0-9]", body), key=len)) >= _SOLID
    is_own = len(match[0]) - len(body) >= len("gldt-") and not body.islower()
    return match.span() if is_telling and (is_solid or is_own or not is_of_words(body)) else None


@check
def is_mixed(text: str, match: re.Match[str]) -> Span | None:
    """The match, when it is no placeholder, no digest of a file, and not words joined by hyphens."""
    token = match[0]
    if text[max(0, match.start() - 4) : match.start()] in {"256=", "384-", "512-", "512="}:
        return None
    parts = re.split(r"[-_.=/]", token)
    has_digits = sum(char.isdigit() for char in token) >= 2 or is_random(token[3:])
    is_long = max(map(len, parts)) >= 12 or len(token) >= 60
    return match.span() if has_digits and is_long and not is_filler(token) else None


@check
def is_random_token(_: str, match: re.Match[str]) -> Span | None:
    """The first group, when it is neither a placeholder nor words."""
    return match.span(1) if not is_filler(match[1]) and is_random(match[1]) else None


@check
def is_no_filler(_: str, match: re.Match[str]) -> Span | None:
    """The first group, when it is no placeholder."""
    return None if is_filler(match[1]) else match.span(1)


@check
def is_wallet_key(_: str, match: re.Match[str]) -> Span | None:
    """The first group, when its last four bytes are the sum of the rest, as in a private key of a wallet."""
    from hashlib import sha256

    number = 0
    for char in match[1]:
        number = number * 58 + _BASE58.index(char)
    raw = number.to_bytes(max(5, (number.bit_length() + 7) // 8), "big")
    is_summed = sha256(sha256(raw[:-4]).digest()).digest()[:4] == raw[-4:]
    return match.span(1) if is_summed else None
