"""Secrets that a name gives away: assignments, options, sentences, in English, Chinese and a dozen other languages.

The name says how much proof the value needs: a password may be any word, a token or a key has to look like one. The
patterns stand in rules/credentials.toml; here are the checks they name.
"""

from __future__ import annotations

import re
from functools import wraps

from memoracle.guard.rule import (
    Check,
    GuardPattern,
    Span,
    check,
    is_key,
    is_of_code,
    is_of_words,
    is_password,
    is_placeholder,
    is_plain_word,
    is_strong,
    words,
)
from memoracle.guard.secrets import spreads

_NOT_THE_VALUE = GuardPattern(
    r"(?:name|id|path|file|dir|url|uri|type|field|length|policy|count|limit|budget|size|index|label|hint|manager"
    r"|reset|prompt|ttl|expiry|expires_?in|expires_?at|usage|maps?|env|var|version|permissions?|s)(?:$|[_\-])"
)
_REST = GuardPattern(r"[^\s\"'`,;<>(){}\\“”‘’「」『』，。；！？、]*+")
_QUOTED_REST = GuardPattern(r"[^\"'`”’」』\n\\]*+")
_LONGEST = 200
_NO_BLANK = GuardPattern(r"\S*+")
_IN_ENVIRONMENT = GuardPattern(r"(?:^|[\n ])(?:export )?[A-Z][A-Z0-9_]*=\Z")
_CLOSING = {"“": "”", "‘": "’", "「": "」", "『": "』"}
_NEXT_PARAMETER = GuardPattern(r"&[A-Za-z_][\w.-]*=")
_NOTHING_MORE = GuardPattern(r"[ \t]*[\"'`;,.!。！)}]*[ \t]*(?:[\r\n]|\Z)|[.!。！](?=\s)")
_AUTHOR = tuple(f"{word} " for word in "my our the his her their wifi wi-fi new admin root login".split())
_HEX = GuardPattern(r"[0-9a-f]{16,}")
_DIGESTS = ("hash", "hashed", "sha1", "sha256", "md5")
_IN_BRACKETS = GuardPattern(r"\[[A-Za-z]+ [A-Za-z][A-Za-z0-9 '’.,/-]*\]")
_OF_A_TEST = GuardPattern(r"(?:[\w/.-]*/)?(?:Test|test_)\w|\S+\.(?:py|js|tsx?|go|rs|rb|java|sh)\b")
_PARAMETER = GuardPattern(r"\[?[a-z_]{1,16}=")
_ONE_TIME = frozenset({"验证码", "驗證碼", "授权码", "动态码", "恢复码", "校验码"})


def _names_something_else(text: str, match: re.Match[str]) -> bool:
    """True for `tokenizer`, `passenger`, `password_file`: the word goes on, or means something about the secret."""
    start, end = match.span("suffix")
    suffix = text[start:end]
    if suffix[:1].isalpha() and not (text[start - 1].islower() and suffix[0].isupper()):
        return True
    return _NOT_THE_VALUE.match(suffix.lstrip("_-").lower()) is not None


def _value_of(text: str, match: re.Match[str]) -> tuple[Span, str, bool]:
    """Where the value stands, as far as a pattern looks, the value, and whether it is quoted."""
    is_quoted = match["quoted"] is not None
    start, end = match.span("quoted" if is_quoted else "bare")
    if is_quoted:
        end = _closed(text, match["quote"][-1:], end)
        while start < end and text[start] == " ":
            start += 1
        while end > start and text[end - 1] == " ":
            end -= 1
    elif text[start - 1] == "=" and _IN_ENVIRONMENT.search(text, max(0, start - 80), start):
        end = _NO_BLANK.match(text, end).end()  # type: ignore[union-attr]
    if not is_quoted:
        if cut := _NEXT_PARAMETER.search(text, start, end):
            end = cut.start()
        while end > start + 1 and text[end - 1] in ".:?]|*&":
            end -= 1
    return (start, end), text[start:end], is_quoted


def _whole(accepted: Check) -> Check:
    """The same check; what it accepts is taken to its end, however long it is, and only then."""

    @wraps(accepted)
    def checked(text: str, match: re.Match[str]) -> Span | None:
        span = accepted(text, match)
        if span is None or span[1] - span[0] < _LONGEST:
            return span
        is_quoted = match["quoted"] is not None
        rest = (_QUOTED_REST if is_quoted else _REST).match(text, span[1])
        return span[0], rest.end() if rest else span[1]

    return checked


def _closed(text: str, quote: str, end: int) -> int:
    """Where a quotation that holds another sign of quoting really ends."""
    closing = _CLOSING.get(quote, quote)
    if text[end : end + 1] == closing or text[end : end + 2] == "\\" + closing:
        return end
    place = text.find(closing, end, end + 128)
    return place if place > 0 and not re.search(r"\s", text[end:place]) else end


def _ends_line(text: str, end: int) -> bool:
    return _NOTHING_MORE.match(text, end) is not None


@check
@_whole
def assigned_password(text: str, match: re.Match[str]) -> Span | None:
    if _names_something_else(text, match):
        return None
    span, value, is_quoted = _value_of(text, match)
    if text[span[1] : span[1] + 1] in {"(", "["} and not is_quoted:
        return None  # a call or a subscript in a program
    if value[:1].isdigit() and text[span[1] : span[1] + 1] == " " and len(value) < 4:
        return None
    if value.isalpha() and (match["word"] in {"ass", "w"} or ("->" in match[0] and not is_quoted)):
        return None  # `pass` alone also means a result, a ticket, a way through
    if _IN_BRACKETS.match(text, span[0]) or (_OF_A_TEST.match(value) and match["word"] == "ass"):
        return None
    if text.startswith("?", span[0]) and "${" in text[max(0, match.start() - 40) : match.start()]:
        return None  # `${PASSWORD:?it has to be set}`
    if is_quoted and " " in value and "passphrase" in match[0].lower():
        return None if is_placeholder(value) else span
    if text.startswith("...", span[1]):
        return None  # a sample that was cut off
    return span if is_password(value, quoted=is_quoted, ends=_ends_line(text, span[1])) else None


@check
@_whole
def assigned_key(text: str, match: re.Match[str]) -> Span | None:
    if _names_something_else(text, match):
        return None
    span, value, is_quoted = _value_of(text, match)
    if text[span[1] : span[1] + 1] in {"(", "["} or text.startswith("...", span[1]):
        return None
    before = text[max(0, match.start() - 10) : match.start()].lower().rstrip("_- ")
    if before.endswith(_DIGESTS) and _HEX.fullmatch(value):
        return None  # `hashed_secret`
    return span if is_key(value, quoted=is_quoted) else None


@check
def dashed(text: str, match: re.Match[str]) -> Span | None:
    """`api key - …`: a dash also joins sentences, so the value has to speak for itself."""
    span, value, is_quoted = _value_of(text, match)
    if is_quoted and len(value) >= 8 and " " not in value:
        is_word = is_of_words(value) and not any(map(str.isdigit, value))
        is_other = is_placeholder(value) or is_of_code(value) or is_plain_word(value)
        return None if is_word or is_other else span
    if not is_quoted and not spreads(value):
        return None
    return span if is_key(value, quoted=is_quoted) and len(value) >= 8 else None


@check
@_whole
def said_password(text: str, match: re.Match[str]) -> Span | None:
    """“My password is …”: quoted, or no plain word; a lone word at the end of the sentence counts too."""
    span, value, is_quoted = _value_of(text, match)
    if is_placeholder(value) or is_plain_word(value) or len(value) < 4:
        return None
    if match["word"] in {"ass", "w"} and match["verb"] not in {"is", "was"}:
        return None  # “arguments to pass to …”
    if is_quoted:
        return span if len(value) <= 64 else None
    if any(char.isdigit() for char in value) and not re.fullmatch(r"\d{1,3}(?:[a-z%]+)?", value):
        is_year_or_count = value.isdigit() and not _ends_line(text, span[1])
        return None if is_year_or_count else span
    if re.search(r"[^\w'’./-]", value) or re.search(r"[a-z][A-Z]", value):
        return span
    before = text[max(0, match.start() - 12) : match.start()].lower()
    is_named = before.endswith(_AUTHOR) and match["verb"] in {"is", "was"}
    return span if is_named and value.isalpha() and value.isascii() and _ends_line(text, span[1]) else None


@check
@_whole
def said_key(text: str, match: re.Match[str]) -> Span | None:
    span, value, is_quoted = _value_of(text, match)
    return span if is_key(value, quoted=is_quoted) and len(value) >= 12 else None


@check
def element(text: str, match: re.Match[str]) -> Span | None:
    """`<secret>{vendor …}</secret>`: the last word of an element that is called so."""
    span = match.span("value")
    value = text[slice(*span)]
    return None if is_placeholder(value) or is_of_code(value) or is_of_words(value) else span


@check
def pin(_: str, match: re.Match[str]) -> Span | None:
    return match.span("digits")


@check
@_whole
def beside(text: str, match: re.Match[str]) -> Span | None:
    """“With password s3cret-pass”: no verb between, so the value has to speak for itself."""
    span, value, _ = _value_of(text, match)
    if is_of_code(value) or (match[0].startswith("pw") and not spreads(value)):
        return None
    return span if is_strong(value, 6) and not value[0].isdigit() else None


@check
@_whole
def option(text: str, match: re.Match[str]) -> Span | None:
    span, value, is_quoted = _value_of(text, match)
    if value.startswith(("-", "+")) or is_placeholder(value) or is_plain_word(value) or len(value) < 3:
        return None
    if is_of_code(value) or _PARAMETER.match(value) or match[0].startswith(("-ask-", "--ask-")):
        return None
    if match["name"].startswith("pass"):
        return span
    return span if is_key(value, quoted=False) or (is_quoted and is_strong(value)) else None


@check
def abroad(text: str, match: re.Match[str]) -> Span | None:
    """The same in other languages: quoted, or letters with digits or signs among them."""
    span, value, is_quoted = _value_of(text, match)
    if is_placeholder(value) or is_of_code(value) or len(value) < 4 or " " in value:
        return None
    has_sign = re.search(r"[!#$%&*+=?@^~]", value) is not None and len(value) >= 6
    is_number = value.isdigit() and len(value) >= 4 and _ends_line(text, span[1])
    return span if is_strong(value, 5) or has_sign or is_number or (is_quoted and value.isascii()) else None


@check
def login(text: str, match: re.Match[str]) -> Span | None:
    """`creds: admin:…`, `user / pass: admin / …`, `login admin …`."""
    span = match.span("value")
    value = text[slice(*span)].rstrip(".,;)")
    if value.startswith("/") or is_placeholder(value) or is_of_code(value) or is_of_words(value):
        return None
    return (span[0], span[0] + len(value)) if spreads(value) and is_strong(value, 6) else None


@check
def phrase(text: str, match: re.Match[str]) -> Span | None:
    """Four words or more that make no sentence."""
    said = match["value"].split()
    if not 4 <= len(said) <= 12 or not _ends_line(text, match.end("value")):
        return None
    return match.span("value") if words("small").isdisjoint(said) else None


@check
def code(_: str, match: re.Match[str]) -> Span | None:
    """Codes that let somebody in once: digits, or groups of letters and digits, one or several."""
    value = match["value"].rstrip(" ,;\n\t-")
    start = match.start("value")
    digits = sum(map(str.isdigit, value))
    least = 4 if match["sign"].strip() else 5
    is_of_groups = any(map(str.isalpha, value)) and ("-" in value or len(value) >= 8)
    if digits < (2 if is_of_groups else least) or is_placeholder(value):
        return None
    return start, start + len(value)


@check
def chinese(text: str, match: re.Match[str]) -> Span | None:
    """“密码是 …”: Latin letters and digits, or words in quotation marks."""
    if match["words"] is not None:
        words = text[slice(*match.span("words"))]
        return None if is_placeholder(words) or is_plain_word(words) else match.span("words")
    span = match.span("latin")
    value = text[slice(*span)].rstrip(".,;:!?)'\"`")
    if len(value) < 4 or is_placeholder(value) or is_plain_word(value):
        return None
    if match["name"] in _ONE_TIME and not (value.isdigit() or is_strong(value, 4)):
        return None
    if match["name"] not in {"密码", "口令", "暗号", "密碼", *_ONE_TIME} and not is_strong(value):
        return None
    if re.search("提交|哈希|摘要|校验", match[0][:24]):
        return None
    return span[0], span[0] + len(value)
