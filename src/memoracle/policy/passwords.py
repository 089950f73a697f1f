"""Secrets that a name gives away: assignments, options, sentences, in English and Chinese.

The name says how much proof the value needs: a password may be any word, a token or a key has to look like one.
"""

from __future__ import annotations

import re

from memoracle.policy.known import spreads
from memoracle.policy.rule import Check, Rule, Span
from memoracle.policy.values import (
    is_key,
    is_of_code,
    is_of_words,
    is_password,
    is_placeholder,
    is_plain_word,
    is_strong,
)

# Patterns begin with a plain letter, so that a search runs from one such letter to the next.
_PASSWORD = r"p(?P<word>ass(?:word|wd|phrase|code|wort)|wd|(?<![a-z]p)sk|(?<![a-z]p)ass|(?<![a-z]p)w)"  # noqa: S105 - its names
_KEYS = (
    "api",
    "access",
    "private",
    "auth",
    "account",
    "encryption",
    "signing",
    "master",
    "license",
    "app",
    "service",
)
_KEY = (
    r"(?:secret[_\-. ]?(?:access[_\-. ]?)?key|secret|token|credential|"
    + "|".join(rf"{name}[_\-. ]?key" for name in _KEYS)
    + ")"
)
# What follows the name inside an identifier: `PASSWORD_PROD`, `secretAccessKey`, `token2`.
_SUFFIX = r"(?P<suffix>[a-z0-9_\-]{0,24}+)"
_EQUALS = (
    r"(?:\\?[\"'`\]]){0,2}+[ \t]{0,8}+"
    r"(?:(?::[ \t]{0,3}|(?<=[ \t]))&?(?:'static[ \t])?(?:str|string|bytes)[ \t]{0,3}=|:{1,3}=|[?.+|]=|=>|->|[!=]={1,2}|=|::?|[：＝])[ \t]{0,8}+"  # noqa: E501 - one pattern
)
_VALUE = (
    r"(?:(?P<quote>\\?[\"'`“‘「『])(?P<quoted>[^\"'`”’」』\n\\]{1,512})"
    r"|(?P<bare>[^\s\"'`,;<>(){}\\“”‘’「」『』，。；！？、]{1,200}))"
)
_NOT_THE_VALUE = re.compile(
    r"(?:name|id|path|file|dir|url|uri|type|field|length|policy|count|limit|budget|size|index|label|hint|manager"
    r"|reset|prompt|ttl|expiry|expires_?in|expires_?at|usage|maps?|env|var|version|permissions?|s)(?:$|[_\-])"
)
_REST = re.compile(r"[^\s\"'`,;<>(){}\\“”‘’「」『』，。；！？、]*+")
_QUOTED_REST = re.compile(r"[^\"'`”’」』\n\\]*+")
_LONGEST = 200
_NO_BLANK = re.compile(r"\S*+")
_IN_ENVIRONMENT = re.compile(r"(?:^|[\n ])(?:export )?[A-Z][A-Z0-9_]*=\Z")
_CLOSING = {"“": "”", "‘": "’", "「": "」", "『": "』"}
_NEXT_PARAMETER = re.compile(r"&[A-Za-z_][\w.-]*=")
_NOTHING_MORE = re.compile(r"[ \t]*[\"'`;,.!。！)}]*[ \t]*(?:[\r\n]|\Z)|[.!。！](?=\s)")
_AUTHOR = (
    "my ",
    "our ",
    "the ",
    "his ",
    "her ",
    "their ",
    "wifi ",
    "wi-fi ",
    "new ",
    "admin ",
    "root ",
    "login ",
)


def _names_something_else(text: str, match: re.Match[str]) -> bool:
    """True for `tokenizer`, `passenger`, `password_file`: the word goes on, or means something about the secret."""
    start, end = match.span("suffix")
    suffix = text[start:end]
    if suffix[:1].isalpha() and not (text[start - 1].islower() and suffix[0].isupper()):
        return True
    return _NOT_THE_VALUE.match(suffix.lstrip("_-").lower()) is not None


def _span_of(text: str, match: re.Match[str]) -> tuple[Span, bool]:
    """Where the value stands, as far as a pattern looks, and whether it is quoted."""
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
    return (start, end), is_quoted


def _whole(check: Check) -> Check:
    """The same check; what it accepts is taken to its end, however long it is, and only then."""

    def checked(text: str, match: re.Match[str]) -> Span | None:
        span = check(text, match)
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


def _assigned_password(text: str, match: re.Match[str]) -> Span | None:
    if _names_something_else(text, match):
        return None
    span, is_quoted = _span_of(text, match)
    value = text[slice(*span)]
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


def _assigned_key(text: str, match: re.Match[str]) -> Span | None:
    if _names_something_else(text, match):
        return None
    span, is_quoted = _span_of(text, match)
    if text[span[1] : span[1] + 1] in {"(", "["} or text.startswith("...", span[1]):
        return None
    if _is_hashed(text, match.start()) and _HEX.fullmatch(text[slice(*span)]):
        return None
    return span if is_key(text[slice(*span)], quoted=is_quoted) else None


def _is_hashed(text: str, start: int) -> bool:
    """True for `hashed_secret`: what stands there is a digest already."""
    return (
        text[max(0, start - 10) : start]
        .lower()
        .rstrip("_- ")
        .endswith(("hash", "hashed", "sha1", "sha256", "md5"))
    )


def _dashed(text: str, match: re.Match[str]) -> Span | None:
    """`api key - …`: a dash also joins sentences, so the value has to speak for itself."""
    span, is_quoted = _span_of(text, match)
    value = text[slice(*span)]
    if is_quoted and len(value) >= 8 and " " not in value:
        is_word = is_of_words(value) and not any(map(str.isdigit, value))
        is_other = is_placeholder(value) or is_of_code(value) or is_plain_word(value)
        return None if is_word or is_other else span
    if not is_quoted and not spreads(value):
        return None
    return span if is_key(value, quoted=is_quoted) and len(value) >= 8 else None


def _said_password(text: str, match: re.Match[str]) -> Span | None:
    """“My password is …”: quoted, or no plain word; a lone word at the end of the sentence counts too."""
    span, is_quoted = _span_of(text, match)
    value = text[slice(*span)]
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


def _said_key(text: str, match: re.Match[str]) -> Span | None:
    span, is_quoted = _span_of(text, match)
    value = text[slice(*span)]
    return span if is_key(value, quoted=is_quoted) and len(value) >= 12 else None


def _element(text: str, match: re.Match[str]) -> Span | None:
    """`<secret>{vendor …}</secret>`: the last word of an element that is called so."""
    span = match.span("value")
    value = text[slice(*span)]
    return None if is_placeholder(value) or is_of_code(value) or is_of_words(value) else span


def _pin(_: str, match: re.Match[str]) -> Span | None:
    return match.span("digits")


def _beside(text: str, match: re.Match[str]) -> Span | None:
    """“With password s3cret-pass”: no verb between, so the value has to speak for itself."""
    span, _ = _span_of(text, match)
    value = text[slice(*span)]
    if is_of_code(value) or (match[0].startswith("pw") and not spreads(value)):
        return None
    return span if is_strong(value, 6) and not value[0].isdigit() else None


def _option(text: str, match: re.Match[str]) -> Span | None:
    span, is_quoted = _span_of(text, match)
    value = text[slice(*span)]
    if value.startswith(("-", "+")) or is_placeholder(value) or is_plain_word(value) or len(value) < 3:
        return None
    if is_of_code(value) or _PARAMETER.match(value) or match[0].startswith(("-ask-", "--ask-")):
        return None
    if match["name"].startswith("pass"):
        return span
    return span if is_key(value, quoted=False) or (is_quoted and is_strong(value)) else None


def _abroad(text: str, match: re.Match[str]) -> Span | None:
    """The same in other languages: quoted, or letters with digits or signs among them."""
    span, is_quoted = _span_of(text, match)
    value = text[slice(*span)]
    if is_placeholder(value) or is_of_code(value) or len(value) < 4 or " " in value:
        return None
    has_sign = re.search(r"[!#$%&*+=?@^~]", value) is not None and len(value) >= 6
    is_number = value.isdigit() and len(value) >= 4 and _ends_line(text, span[1])
    return span if is_strong(value, 5) or has_sign or is_number or (is_quoted and value.isascii()) else None


def _login(text: str, match: re.Match[str]) -> Span | None:
    """`creds: admin:…`, `user / pass: admin / …`, `login admin …`."""
    span = match.span("value")
    value = text[slice(*span)].rstrip(".,;)")
    if value.startswith("/") or is_placeholder(value) or is_of_code(value) or is_of_words(value):
        return None
    return (span[0], span[0] + len(value)) if spreads(value) and is_strong(value, 6) else None


def _phrase(text: str, match: re.Match[str]) -> Span | None:
    """Four words or more that make no sentence."""
    words = match["value"].split()
    if not 4 <= len(words) <= 12 or not _ends_line(text, match.end("value")):
        return None
    return None if any(word in _SMALL for word in words) else match.span("value")


def _code(_: str, match: re.Match[str]) -> Span | None:
    """Codes that let somebody in once: digits, or groups of letters and digits, one or several."""
    value = match["value"].rstrip(" ,;\n\t-")
    start = match.start("value")
    digits = sum(map(str.isdigit, value))
    least = 4 if match["sign"].strip() else 5
    is_of_groups = any(map(str.isalpha, value)) and ("-" in value or len(value) >= 8)
    if digits < (2 if is_of_groups else least) or is_placeholder(value):
        return None
    return start, start + len(value)


def _chinese(text: str, match: re.Match[str]) -> Span | None:
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


_HEX = re.compile(r"[0-9a-f]{16,}")
_IN_BRACKETS = re.compile(r"\[[A-Za-z]+ [A-Za-z][A-Za-z0-9 '’.,/-]*\]")
_OF_A_TEST = re.compile(r"(?:[\w/.-]*/)?(?:Test|test_)\w|\S+\.(?:py|js|tsx?|go|rs|rb|java|sh)\b")
_PARAMETER = re.compile(r"\[?[a-z_]{1,16}=")
_ONE_TIME = frozenset({"验证码", "驗證碼", "授权码", "动态码", "恢复码", "校验码"})
_SMALL = frozenset(
    """a an and any are as at be been but by can do for from has have here how if in into is it its may must need no not
    of on only or our please should so that the their then this to use used was we what when where which will with you
    your enter stored given required""".split()
)
# How other languages call it; what follows a name of several words is allowed for (“mot de passe du wifi”).
_NAMES_ABROAD = (
    "пароль|passord|lösenord|losenord|adgangskode|mot de passe|mdp|contraseña|contrasena|clave|senha|palavra-passe|kennwort|kennung|parola d'accesso|parola|parool|hasło|haslo"  # noqa: E501 - one pattern
    "|wachtwoord|heslo|jelszó|salasana|şifre|sifre|mật khẩu|κωδικός|лозинка|гасло|パスワード|暗証番号|비밀번호|암호(?![화학])|패스워드|รหัสผ่าน|كلمة المرور|كلمة السر|סיסמה|סיסמא|पासवर्ड"  # noqa: E501 - one pattern
)
_LITERALS = ("pass", "pwd", "pw", "psk")
_KEY_LITERALS = ("secret", "token", "credential", "key")
_BETWEEN = r"(?:[ \t](?:for|to|of|on|in|at)[ \t][^\n.:=\"']{1,40}?)?"
_VERB = r"[ \t]{1,3}(?P<verb>is|was|to|be|as)(?:[ \t](?:now|set to|changed to|currently|still|just))?+[: \t]{1,4}+"


def _in_chinese(name: str, kind: str, names: str, literals: tuple[str, ...]) -> Rule:
    pattern = (
        rf"(?P<name>{names})[^，。；！？\n:：=是为a-z0-9]{{0,16}}"
        r"(?:就是|是|为|=|：|:|[ \t]?[-–—](?=[ \t])|设成|设为|改成|改为|换成|設為|改為|設成|(?<=[码令钥碼牌鑰]) )了?[ \t]{0,3}"  # noqa: E501 - one pattern
        r"(?:[“‘「『\"'](?P<words>[^”’」』\"'\n]{2,64})[”’」』\"']|(?P<latin>[!-~]{4,512}))"
    )
    return Rule(name=name, type=kind, pattern=pattern, literals=literals, check=_chinese, folded=True)


_VALUE_ABROAD = r"(?:(?P<quote>[\"'`“‘「«])(?P<quoted>[^\"'`”’」»\n]{1,96})|(?P<bare>[!-~]{4,96}))"
_KEY_OR_PASSWORD = r"(?:" + _KEY + r"|pass(?:word|wd|phrase|code)|[a-z]key|\bkey)"
RULES = (
    Rule(
        name="dashed",
        type="api-key",
        pattern=_KEY_OR_PASSWORD
        + r"s?(?:[ \t](?:for|to|of|on)[ \t][^\n:=\"']{1,30}?)?[ \t]{1,3}[-–—]{1,2}[ \t]{1,3}"
        + _VALUE,
        literals=("- ", "– ", "— "),
        check=_dashed,
        folded=True,
    ),
    Rule(
        name="abroad",
        type="password",
        pattern=rf"(?:{_NAMES_ABROAD})"
        r"(?:(?:[ \t][^\n:：=.,;\"'0-9]{1,24})?[ \t]?[:：=]|[ \t][-–—]|[ \t](?:est|es|è|é|ist|jest|is|är|er|это)\b|は|는|은)[ \t]{0,3}"  # noqa: E501 - one pattern
        + _VALUE_ABROAD,
        literals=tuple(name.partition("(")[0] for name in _NAMES_ABROAD.split("|")),
        check=_abroad,
        folded=True,
    ),
    Rule(
        name="login",
        type="password",
        pattern=r"(?:cred(?:ential)?s?|log[ -]?in|user(?:name)?[ \t]?/[ \t]?pass(?:word)?|账号密码|帐号密码|用户名密码)[ \t]{0,2}"  # noqa: E501 - one pattern
        r"(?:(?:[:：=]|are|is)[ \t]{0,3}[a-z0-9._@+-]{2,64}[ \t]{0,2}[:/][ \t]{0,2}|[ \t](?:as[ \t])?[a-z0-9._@+-]{2,64}[ \t]{1,2})(?P<value>[!-~]{6,128})",  # noqa: E501 - one pattern
        literals=("cred", "login", "log in", "log-in", "pass", "密码"),
        check=_login,
        folded=True,
    ),
    Rule(
        name="phrase",
        type="password",
        pattern=r"pass[ -]?phrase[ \t]{0,2}(?::|=|is:?)[ \t]{0,3}[\"'`]?(?P<value>[a-z]{3,12}(?:[ -][a-z]{3,12}){3,11})(?![a-z])",  # noqa: E501 - one pattern
        literals=("phrase",),
        check=_phrase,
        folded=True,
    ),
    Rule(
        name="one-time-code",
        type="pin",
        pattern=r"(?:(?:recovery|backup|scratch|2fa|mfa|one[- ]time|verification|security|auth(?:entication|orization)?|sms|confirmation|activation|login)"  # noqa: E501 - one pattern
        r"[ -]?(?:code|passcode|password|pin)s?|\b(?:otp|totp))(?P<sign>(?:[ \t](?:is|are|was)\b|[ \t]?[:：=]|[ \t][-–—])[ \t\n]{1,4}|[ \t]{1,3})[\"'`]?"  # noqa: E501 - one pattern
        r"(?P<value>(?:[0-9]{3}[ -][0-9]{3,4}|[0-9]{4,10}|[a-z0-9]{4,10}(?:-[a-z0-9]{4,10}){1,5})(?![a-z0-9])(?:[ ,;\n\t]{1,3}[a-z0-9]{4,10}(?:-[a-z0-9]{4,10}){1,5}(?![a-z0-9])){0,16})",  # noqa: E501 - one pattern
        literals=("code", "passcode", "one-time", "one time", "otp"),
        check=_code,
        folded=True,
    ),
    Rule(
        name="assigned-password",
        type="password",
        pattern=_PASSWORD + _SUFFIX + _EQUALS + _VALUE,
        literals=_LITERALS,
        check=_whole(_assigned_password),
        folded=True,
    ),
    Rule(
        name="assigned-key",
        type="api-key",
        pattern=_KEY + _SUFFIX + _EQUALS + _VALUE,
        literals=_KEY_LITERALS,
        check=_whole(_assigned_key),
        folded=True,
    ),
    Rule(
        name="said-password",
        type="password",
        pattern=_PASSWORD + _BETWEEN + _VERB + _VALUE,
        literals=_LITERALS,
        check=_whole(_said_password),
        folded=True,
    ),
    Rule(
        name="said-key",
        type="api-key",
        pattern=_KEY + _BETWEEN + _VERB + _VALUE,
        literals=_KEY_LITERALS,
        check=_whole(_said_key),
        folded=True,
    ),
    Rule(
        name="registry",
        type="npm-token",
        pattern=r"/:_authtoken=[ \t]{0,4}(?P<value>[^\s$\"'{}]{6,512})",
        literals=("/:_authtoken=",),
        check=_element,
        folded=True,
    ),
    Rule(
        name="element",
        type="api-key",
        pattern=r"<(?:secret|password|passwd|passphrase|token|api-?key|credential)>(?:[{\[(]|<!\[cdata\[)?(?:[\w.-]{1,40}[ \t]){0,3}(?P<value>[^\s<>{}\[\]]{8,512})[^<>\n]{0,8}</",  # noqa: E501 - one pattern
        literals=("</",),
        check=_element,
        folded=True,
    ),
    Rule(
        name="pin",
        type="pin",
        pattern=r"(?:p(?<![a-z]p)in(?: code| number)?|passcode|door code|alarm code|safe code)"
        r"(?:[ \t](?:for|to|of|on)[ \t][^\n.:=]{1,30}?)?"
        r"(?:[ \t]is|[ \t]was|[ \t]?[:=])[ \t]{1,3}(?P<digits>[0-9]{4,8})(?![0-9a-z])",
        literals=("pin", "passcode", "door code", "alarm code", "safe code"),
        check=_pin,
        folded=True,
    ),
    Rule(
        name="password-beside",
        type="password",
        pattern=r"(?:pass(?:word|wd|phrase|code)|pw(?<![a-z]pw))[ \t]{1,3}" + _VALUE,
        literals=("password", "passwd", "passphrase", "passcode", "pw "),
        check=_whole(_beside),
        folded=True,
    ),
    Rule(
        name="option",
        type="password",
        pattern=r"-(?<![\w-]-)-?[a-z-]{0,20}?"
        r"(?P<name>password|passwd|passphrase|pass|secret|token|api-?key)(?:[ \t]{1,3}|=)" + _VALUE,
        literals=("-pass", "-secret", "-token", "-api", "-db-pass"),
        check=_whole(_option),
        folded=True,
    ),
    _in_chinese("chinese-password", "password", "密码|口令|暗号|密碼", ("密码", "口令", "暗号", "密碼")),
    _in_chinese("chinese-code", "pin", "|".join(sorted(_ONE_TIME)), tuple(sorted(_ONE_TIME))),
    _in_chinese(
        "chinese-key",
        "api-key",
        "密钥|秘钥|令牌|密鑰|(?:token|key)(?=[是为：])",
        ("密钥", "秘钥", "令牌", "密鑰", "token", "key"),
    ),
)
