"""Secrets where files keep them: XML, `.netrc`, `.pgpass`, Docker, Kubernetes, SQL, calls, vaults, key files.

Each rule knows one way of writing that has no `name = value` in it.
"""

from __future__ import annotations

import re

from memoracle.policy.known import spreads
from memoracle.policy.rule import Check, Rule, Span
from memoracle.policy.values import (
    is_filler,
    is_of_code,
    is_of_words,
    is_password,
    is_placeholder,
    is_plain_word,
    is_strong,
)

_PASSWORD = r"p(?:ass(?:word|wd|phrase|code|wort)|wd|ass(?![a-z]))"  # noqa: S105 - its names
_KEY = r"(?:secret|token|credential|api[_\-. ]?key|access[_\-. ]?key|private[_\-. ]?key|auth[_\-. ]?key|license[_\-. ]?key|salt)"  # noqa: E501 - one pattern
_NOT_THE_VALUE = re.compile(
    r"(?:name|id|path|file|url|uri|type|field|length|policy|hint|label|placeholder|text)s?$"
)
_OF_KIND = re.compile(r"(?i)kind[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?secret")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")


def _trimmed(match: re.Match[str]) -> Span:
    start, end = match.span("value")
    value = match["value"]
    return start + len(value) - len(value.lstrip()), end - (len(value) - len(value.rstrip()))


def _is_password(text: str, match: re.Match[str]) -> Span | None:
    span = _trimmed(match)
    value = text[slice(*span)]
    suffix = match.groupdict().get("suffix") or ""
    if _NOT_THE_VALUE.search(suffix) or len(value) < 3:
        return None
    return span if is_password(value, quoted=True, ends=True) else None


def _is_key(text: str, match: re.Match[str]) -> Span | None:
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


def _is_written(text: str, match: re.Match[str]) -> Span | None:
    """Anything but a placeholder or a plain word."""
    span = _trimmed(match)
    value = text[slice(*span)]
    if len(value) < 3 or is_placeholder(value) or is_plain_word(value) or is_of_code(value):
        return None
    return span


def _is_directive(text: str, match: re.Match[str]) -> Span | None:
    """`requirepass …` alone on its line; behind the plain word the value has to speak for itself."""
    line = text[max(0, match.start() - 80) : match.start()].rpartition("\n")[2]
    if line.strip() or (match.start() >= 80 and len(line) >= 80):
        return None
    span = match.span("value")
    value = text[slice(*span)]
    if match["name"].startswith("passw") and not is_strong(value, 6):
        return None
    return None if is_placeholder(value) or is_plain_word(value) else span


def _is_in_pair(text: str, match: re.Match[str]) -> Span | None:
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


def _is_in_call(text: str, match: re.Match[str]) -> Span | None:
    """The argument behind the user's name, unless it is a word."""
    value = text[slice(*match.span("value"))]
    return match.span("value") if is_strong(value, 6) and " " not in value and "/" not in value else None


def _is_login(text: str, match: re.Match[str]) -> Span | None:
    """Base64 of `user:password`."""
    from base64 import b64decode

    span = match.span("value")
    value = text[slice(*span)]
    try:
        said = b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return None
    return span if ":" in said and said.isprintable() and len(said) > 4 else None


def _is_in_secret(text: str, match: re.Match[str]) -> Span | None:
    """A value of a Kubernetes secret: `kind: Secret` stands in the same document."""
    span = match.span("value")
    value = text[slice(*span)]
    if not _BASE64.fullmatch(value) or len(value) % 4 or value.isalpha():
        return None
    before, after = max(0, span[0] - 4000), min(len(text), span[1] + 2000)
    above = text[before : span[0]].rpartition("\n---")[2]
    below = text[span[1] : after].partition("\n---")[0]
    return span if _OF_KIND.search(above) or _OF_KIND.search(below) else None


def _is_phrase(_: str, match: re.Match[str]) -> Span | None:
    """Twelve to twenty-four short words in a row."""
    words = match["value"].split()
    return match.span("value") if len(words) >= 12 and all(3 <= len(word) <= 8 for word in words) else None


def _block(_: str, match: re.Match[str]) -> Span | None:
    return match.span("value") if len(match["value"]) >= 16 else None


def _rule(name: str, kind: str, pattern: str, check: Check, *literals: str, folded: bool = False) -> Rule:
    return Rule(name=name, type=kind, pattern=pattern, literals=literals, check=check, folded=folded)


_PASS = ("pass", "pwd")
_KEYS = ("secret", "token", "credential", "key", "salt")
_SUFFIX = r"(?P<suffix>[a-z0-9_.\-]{0,24}+)"
_ELEMENT = r"(?:[\"']?[ \t][^<>\n]{0,120}|[\"'])?>[ \t\r\n]{0,80}(?P<value>[^<>\n]{3,4096})[ \t\r\n]{0,80}</"
_ATTRIBUTE = (
    r"\\?[\"']?[ \t,\r\n]{1,60}\\?[\"']?(?:value|val|content|text)\\?[\"']?[ \t]{0,3}[:=][ \t]{0,3}"
    r"\\?[\"']?(?P<value>[^\"'<>\s,\\]{3,512})"
)
_PROPERTY = r"</key>\s{0,40}<string>(?P<value>[^<>\n]{3,512})</"
_DIRECTIVE = r"[ \t]{1,8}[\"']?(?P<value>[^\s\"']{3,256})[\"']?[ \t]{0,8}(?=[\r\n]|\Z)"
_PAIR = r"\\?[\"'][ \t]{0,3},[ \t]{0,3}\\?[\"'](?P<value>[^\"'\n\\]{3,256})\\?[\"']"

RULES = (
    _rule(
        "property-password", "password", _PASSWORD + _SUFFIX + _PROPERTY, _is_password, *_PASS, folded=True
    ),
    _rule("property-key", "api-key", _KEY + _SUFFIX + _PROPERTY, _is_key, *_KEYS, folded=True),
    _rule(
        "directive",
        "password",
        r"(?P<name>bindpw|rootpw|requirepass|masterauth|masterpass|password|passwd|passphrase)" + _DIRECTIVE,
        _is_directive,
        "bindpw",
        "rootpw",
        "requirepass",
        "masterauth",
        "masterpass",
        "password",
        "passwd",
        "passphrase",
        folded=True,
    ),
    _rule("element-password", "password", _PASSWORD + _SUFFIX + _ELEMENT, _is_password, *_PASS, folded=True),
    _rule("element-key", "api-key", _KEY + _SUFFIX + _ELEMENT, _is_key, *_KEYS, folded=True),
    _rule(
        "attribute-password", "password", _PASSWORD + _SUFFIX + _ATTRIBUTE, _is_password, *_PASS, folded=True
    ),
    _rule("attribute-key", "api-key", _KEY + _SUFFIX + _ATTRIBUTE, _is_key, *_KEYS, folded=True),
    _rule(
        "pair-password",
        "password",
        _PASSWORD + r"(?P<suffix>[a-z0-9_]{0,16}+)" + _PAIR,
        _is_in_pair,
        *_PASS,
        folded=True,
    ),
    _rule(
        "pair-key", "api-key", r"(?:key|token|secret|salt)" + _SUFFIX + _PAIR, _is_key, *_KEYS, folded=True
    ),
    _rule(
        "login-password",
        "password",
        r"login[ \t\r\n]{1,8}[^\s]{1,128}[ \t\r\n]{1,8}password[ \t\r\n]{1,8}(?P<value>[^\s]{3,256})",
        _is_written,
        "login",
        folded=True,
    ),
    _rule(
        "sql-password",
        "password",
        r"(?:identified[ \t]{1,3}(?:with[ \t]{1,3}[a-z0-9_'`]{1,40}[ \t]{1,3})?(?:by|as)(?:[ \t]{1,3}password)?|encrypted[ \t]{1,3}password"  # noqa: E501 - one pattern
        r"|with[ \t]{1,3}password|[ \t]password)(?:[ \t]{1,3}=?|=|[ \t]?\()[ \t(]{0,3}n?'(?P<value>[^'\s]{3,128})'",
        _is_written,
        "identified",
        "password",
        folded=True,
    ),
    _rule(
        "shell-password",
        "password",
        r"(?:sshpass[ \t]{1,3}-p|mysql(?:dump|admin)?[ \t](?:[^\n|;]{0,160}?[ \t])?-p|smbclient[^\n|;]{0,120}?%|ldap[a-z]{2,10}[ \t][^\n|;]{0,160}?-w[ \t]"  # noqa: E501 - one pattern
        r"|redis-cli[ \t][^\n|;]{0,120}?-a[ \t]|docker[ \t]login[ \t][^\n|;]{0,120}?-p[ \t]|net[ \t]use[^\n|;]{0,120}?/user:[^\s]{1,60}[ \t])"  # noqa: E501 - one pattern
        r"[ \t]{0,2}[\"']?(?P<value>[^\s\"'-][^\s\"']{3,127})",
        _is_written,
        "sshpass",
        "mysql",
        "smbclient",
        "ldap",
        "redis-cli",
        "docker login",
        "net use",
        folded=True,
    ),
    _rule(
        "seed-phrase",
        "seed-phrase",
        r"(?:(?:seed|recovery|backup|secret|wallet|mnemonic)[ _-](?:phrase|words|mnemonic|seed)|mnemonic)(?:[ \t](?:is|are|was)|[\"']?[ \t]?[:=])[: \t]{0,3}[\"'“`]?"  # noqa: E501 - one pattern
        r"(?P<value>[a-z]{3,8}(?:[ \t]{1,2}[a-z]{3,8}){11,23}+)(?![a-z])",
        _is_phrase,
        "phrase",
        "mnemonic",
        "seed",
        "words",
        folded=True,
    ),
    _rule(
        "sidekiq-credential",
        "sidekiq-credential",
        r"contribsys__com(?:_?token)?[^\n]{0,24}?[:=,>][ \t\n]{0,6}\\?[\"'`]?(?P<value>[0-9a-f]{8}:[0-9a-f]{8})",
        _block,
        "contribsys__com",
        folded=True,
    ),
)
"""Found behind a word for passwords or keys."""

IN_RUNS = (
    _rule(
        "pgpass",
        "password",
        r":(?:[0-9]{4,5}|\*):[^\s:/]{1,64}+:[^\s:/]{1,64}+:(?P<value>[^\s:/*][^\s:*]{2,127}+)(?=[\s]|\Z)",
        _is_written,
        ":5432:",
        ":5433:",
        ":6432:",
        ":3306:",
        ":*:",
    ),
    _rule(
        "docker-login",
        "authorization",
        r"auth(?:orization)?\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?(?:basic[ \t]{1,3})?(?P<value>[a-z0-9+/]{8,1024}+={0,2})",  # noqa: E501 - one pattern
        _is_login,
        "auth",
        folded=True,
    ),
    _rule(
        "kubernetes-secret",
        "kubernetes-secret",
        r":[ \t]{1,4}(?:[|>][+-]?[ \t]*\r?\n[ \t]{1,24})?[\"']?(?P<value>[A-Za-z0-9+/]{8,65536}+={0,2})[\"']?[ \t]{0,4}(?=[\r\n,]|\Z)",  # noqa: E501 - one pattern
        _is_in_secret,
        *(
            f"kind{close}:{blank}{sign}{word}ecret"
            for word in "sS"
            for close, blank, sign in (
                ("", " ", ""),
                ("", " ", "'"),
                ("", " ", '"'),
                ('"', " ", '"'),
                ('"', "", '"'),
            )
        ),
    ),
    _rule(
        "login-call",
        "password",
        r"(?:login|connect|authenticate|auth|signin|sign_in|credentials?|basicauth|pdo|mysqli)[a-z_]{0,12}\([ \t]{0,3}"
        r"(?:[^()\n]{1,120}?,[ \t]{0,3})?[\"'][^\"'\n]{1,128}[\"'][ \t]{0,3},[ \t]{0,3}[\"'](?P<value>[^\"'\n]{4,128})[\"']",  # noqa: E501 - one pattern
        _is_in_call,
        "login",
        "connect",
        "auth",
        "sign",
        "credential",
        "pdo(",
        "mysqli",
        folded=True,
    ),
    _rule(
        "oracle-login",
        "password",
        r"(?:thin|oci|sqlplus)[: \t]{1,3}[a-z][\w$#]{0,40}/(?P<value>[^\s@/\"']{3,64})@",
        _is_written,
        "thin:",
        "oci:",
        "sqlplus ",
        folded=True,
    ),
    _rule(
        "ansible-vault",
        "vault",
        r"\$ANSIBLE_VAULT;[0-9.]{1,5};AES256(?:;[\w.-]{1,40})?[\s\\nr]{1,24}(?P<value>[0-9a-f]{16}[0-9a-f\s\\nr]{16,65536}+)",
        _block,
        "$ANSIBLE_VAULT",
    ),
    _rule(
        "putty-key",
        "private-key",
        r"Private-Lines:[ \t]{0,3}[0-9]{1,4}[\s\\nr]{1,6}(?P<value>[A-Za-z0-9+/=\s]{32,65536}?)(?=Private-|\Z)",
        _block,
        "Private-Lines:",
    ),
    _rule(
        "ssh-corporate-key",
        "private-key",
        r"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----(?P<value>[^-]{16,20000}+)",
        _block,
        "SSH2 ENCRYPTED PRIVATE KEY",
    ),
    _rule(
        "xml-private-key",
        "private-key",
        r"<(?:D|P|Q|DP|DQ|InverseQ)>(?P<value>[A-Za-z0-9+/=\s]{24,4096}+)</",
        _block,
        "<InverseQ>",
        "<D>",
    ),
    _rule(
        "json-private-key",
        "private-key",
        r"\"(?:d|p|q|dp|dq|qi|k)\"[ \t]{0,3}:[ \t]{0,3}\"(?P<value>[A-Za-z0-9_-]{22,4096}+)\"",
        _block,
        '"kty"',
    ),
)
"""Found where a long run of letters and signs stands, whatever the words around it."""
