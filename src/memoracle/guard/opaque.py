"""Opaque values beside a name: a value that no word is, and a word before it that says what it is for.

Looks at values first. Ordinary texts hold none, so they cost nothing; where one stands, sixty-odd characters before it
decide. Hashes, digests and ids that say so are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from memoracle.guard.rule import (
    Found,
    GuardPattern,
    is_filler,
    is_of_code,
    is_of_words,
    is_placeholder,
    is_random,
    is_scrambled,
    words,
)

_VALUE = GuardPattern(r"[A-Za-z0-9_+/.~\-]{12,4096}+={0,3}")
_BEFORE = 72
_AFTER = 48
_LIST = 400
_UUID = GuardPattern(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = GuardPattern(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
# name, what may close it, the sign between, what may open the value
_ASSIGNED = GuardPattern(
    r"(?P<name>[a-z\u4e00-\u9fff][\w.\- \t/]{0,56})(?:\\?[\"'`\])>]){0,3}[ \t]{0,8}"
    r"(?:=>|:{1,3}=|={1,3}|[?.+!]={1,2}|->|→|::?|[：＝|>]|(?<=[\"'`]),|(?<=key),|(?<=token),|(?<=secret),|(?<=password),|[ \t][-–—]{1,2}(?=[ \t])|\bis\b|是|为)[ \t]{0,8}(?:&?(?:'static )?(?:str|string)[ \t]?=[ \t]?)?"  # noqa: E501 - one pattern
    r"(?:[a-z]{0,2}\\?[\"'`“‘「(\[<]){0,2}(?:basic |bearer |token |apikey | )?\Z"
)
_NAMED_IN_PROSE = GuardPattern(
    r"(?:key|token|secret|credential|password|passphrase|passwd|密钥|秘钥|令牌|凭证|密码|口令)s?"
    r"(?:[ \t]{1,3}[a-z']{1,12}){0,3}[ \t]{0,3}[:：=]?[ \t]{0,3}(?:\\?[\"'`“‘「(]){0,2}\Z"
    r"|(?:pwd|psk|(?<![a-z])pass)[ \t]{1,3}[\"'`]?\Z"
)
_NAMED_AFTER = GuardPattern(
    r"[\"'`”’」)]{0,2}[ \t]{1,3}(?:as|is|was)[ \t](?:(?:my|our|your|his|her|the|a|an|their)[ \t])?(?:[a-z]{1,14}[ \t]){0,3}"  # noqa: E501 - one pattern
    r"(?:api[ _-]?key|key|token|secret|password|credential)s?\b|[ \t]{0,2}(?:是|作为|就是)[^，。\n]{0,12}(?:密钥|令牌|密码|口令|token|key)"  # noqa: E501 - one pattern
)
_SECRETIVE = GuardPattern(
    r"key|token|secret|passw|passphrase|(?<![a-z])(?:pwd|pass|psk|pat|sas|sid|otp|totp|salt|pepper|nonce_salt|dsn|jwt|cookie)(?![a-z])"
    r"|credential|creds|auth(?!or)|bearer|(?<![a-z])api(?![a-z])|api[_\-. ]?(?:key|token)|access[_\-. ]?(?:id|code)|private|sessionid|session[_\-. ]id|phpsessid"  # noqa: E501 - one pattern
    r"|webhook|licen[sc]e|client[_\-. ]?secret|secur|encrypt|密钥|秘钥|令牌|凭证|密码|口令|授权码"
)
_HARMLESS = GuardPattern(
    r"(?<![a-z])(?:sha-?\d*|md5|hash(?:es|ed)?|digest|checksum|integrity|etag|commit|revision|rev|blob|tree|parent|crc\d*|fingerprint|thumbprint"
    r"|public|pub|primary|foreign|sort|partition|cache|idempotency|kid|uuid|guid|urn|id|ids|version|path|file|filename|dir|folder"
    r"|url|uri|href|src|image|img|name|label|title|keyword|keywords|keyboard|monkey|tokenizer|tokens|author|date|time|package|module|size"
    r"|length|count|resolved|hotkey|turkey|alias|region|bucket|host|hostname|email|user|username|type|class|style|font|color|model|branch"
    r"|merge|base|head|ref|snapshot|layer|manifest|container|node|trace|span|request|correlation|build|artifact|address|txid|tx|block|contract)(?![a-z])"
)
_STRONGLY = GuardPattern(
    r"secret|passw|passphrase|private|credential|token(?!iz|s\b)|api[_\-. ]?key|auth[_\-. ]?key|access[_\-. ]?key|密钥|密码|令牌|signing"  # noqa: E501 - one pattern
)
_STRICTLY = GuardPattern(r"secret|passw|private|credential|token|api[_\-. ]?key|auth|access|密钥|令牌")
_HASHED = GuardPattern(r"hash(?:ed)?|digest|sha-?\d|md5|checksum|fingerprint")
_PUBLIC_KEY = GuardPattern(
    r"(?:repository|root|targets?|snapshot|timestamp)[ _]key\b"
    r"|recv-keys?|keyserver|fingerprint|gpg|apt-key|pgp|signed|signature|public|using (?:rsa|dsa)|key ?id"
)
_ENDS_SO = GuardPattern(r"(?:key|pwd|pass|pw)$")
_SWARM_ID = GuardPattern(r"[0-9a-z]{25}")
_ABOUT_KEYS = GuardPattern(
    r"(?:secret|key|token)s?[ \t](?:create|remove|rm|update|inspect|delete|ls)\b|websocket[_-]key"
)
_OF_CONTENT = GuardPattern(r"(?:commit|checksum|digest|revision|sha\d*)(?:[ _-]id)?$|提交|哈希|摘要|校验")
_OPENING = " \t\"'`“‘「(>*-"
_FENCE = GuardPattern(r"\n?[ \t]{0,8}(?:```|~~~)[\w+-]{0,16}[ \t]{0,4}$|(?:\\n|[ \t\n\"',])+$")
_LONE = 48
_LONE_NAME = GuardPattern(r"(?:key|token|secret|password|passphrase|credential)s?[ \t*_`\"']{0,4}$")
_VENDOR = GuardPattern(
    r"(?P<name>[a-z][\w.\- ]{1,40}?)(?P<sign>[ \t]{0,3}(?:=>|:=|[:=,|]|[-–—]{1,2}(?=[ \t]))?[ \t]{0,3}[\"'`({\[]{0,2})\Z"  # noqa: E501 - one pattern
)
_LONE_WORD = GuardPattern(r"(?:^|[\"'`][ \t,]{1,3})[ \t]{0,16}[a-z][a-z0-9_]{2,24}[ \t]{1,2}[\"'`]\Z")
_SWITCH = GuardPattern(r"(?=[0-9][A-Za-z]|[A-Za-z][0-9])")
_ABOUT = frozenset(
    "id ids uid uids uuid ref etag cursor page nonce version commit image tag build run job node service user org account project".split()  # noqa: E501 - one pattern
)
_TELLING = 20
_ENCODED = 60  # as long as the lines of an encoded file
_AROUND = frozenset(("", *" \t\n\r\"'`(){}[]<>,;|:=。，；！？、：“”‘’「」"))
_NEAR = 40
_DIGESTS = frozenset({32, 40, 56, 64, 96, 128})
_SIGNED = GuardPattern(
    r"(?:[=>→:：＝|,是为]|[ \t][-–—]{1,2}|\bis)[ \t]{0,8}(?:&?(?:'static )?(?:str|string)[ \t]?=[ \t]?)?"
    r"(?:[a-z]{0,2}\\?[\"'`“‘「(\[<]){0,2}(?:basic |bearer |token |apikey | )?\Z"
)
_SAYS_SECRET = GuardPattern(r"key|token|secret|credential|pass|pwd|psk|密钥|秘钥|令牌|凭证|密码|口令")
_WEAK = frozenset({"digits", "weak"})
_WORDS = GuardPattern(r"[a-z]+")
_STEP = GuardPattern(r"(?<=[a-z0-9])(?=[A-Z])")
_GROUPS = GuardPattern(r"[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){3,7}")
_PATH = GuardPattern(
    r"(?:[a-z][a-z_.-]{2,}/){2}|^/[a-z]|\.(?:py|js|ts|json|ya?ml|md|html?|png|jpe?g|txt|sh|go|rs|java|c|h|css|toml|lock|xml|whl|gz|zip)$"
)

# Values that stand apart beside a single name.
_HEAD = 240
_LINE = GuardPattern(
    r"[ \t>*+-]{0,24}+(?:(?:export|const|let|var|set|my)[ \t]{1,3}|\$)?"
    r"(?:(?P<first>[A-Za-z][A-Za-z0-9_.-]{1,40}+)[ \t]{1,3}(?P<quoted>['\"`]?)[!-~]{8,120}?(?P=quoted)[ \t]{1,3}(?P<again>(?P=first)))?"  # noqa: E501 - one pattern
    r"(?P<name>(?(again)|(?P<mark>['\"]?)[A-Za-z][A-Za-z0-9_.-]{1,40}(?:[ ][A-Za-z][A-Za-z0-9_-]{1,20}){0,2}(?P=mark)))"
    r"(?P<sign>[ \t]{0,3}(?:=>|:=|->|[:=|]|[-–—]{1,2}(?=[ \t]))[ \t]{0,3}|[ \t]{1,3})"
    r"(?P<more>(?:(?P<other>['\"`])[^\s'\"`]{6,200}(?P=other)[ \t]{0,2}[,|/;]?[ \t]{1,2}){0,3})"
)
_LEAST = 8
_LONG_VALUE = 14
_LONGER = 16
_LONGEST = 20
_LOOK_BACK = 64
_JOINED = GuardPattern(r"\$?[A-Za-z][A-Za-z0-9_.-]{1,40}(?:=|:=|:)(?=['\"`A-Za-z0-9])")
_KEYS = frozenset({"key", "keys", "token", "tokens", "secret"})  # what these name is judged elsewhere
_OF_KEYS = ("key", "token", "secret", "api")
_DASHES = frozenset({"-", "--", "–", "—"})
_SHORT = GuardPattern(
    r"(?m)^[ \t]{0,8}(?P<name>[A-Za-z][A-Za-z0-9_.-]{1,40})[ \t]{1,2}(?:[-–—][ \t])?(?P<quote>['\"])(?P<value>[!-~]{8,11})(?P=quote)(?=[\s,;]|$)"  # noqa: E501 - one pattern
)
_QUOTES = "'\"`"
_CLOSING = ",;.)]}/"
_MAIL = GuardPattern(
    r"[ \t]{0,2}[/|:,][ \t]{0,2}(?:[a-z_]{2,32}[ \t]?[=:][ \t]?)?[\w.+-]{2,64}@[\w-]{1,64}\.[a-z]{2,}"
)
_TURN = GuardPattern(r"(?=[a-z][A-Z0-9]|[A-Z][a-z0-9]|[0-9][A-Za-z])")
_ULID = GuardPattern(r"(?:[a-z]{1,8}_)?[0-7][0-9A-HJKMNP-TV-Z]{25}")  # how records of a memory are called
_OF_SOMETHING = GuardPattern(r"[A-Za-z]{3,}[-_:][0-9a-f]{8,64}$")
# How programs call their objects: a short word for the sort, then the id.
_OBJECT = GuardPattern(
    r"(?:acct|ami|asst|batch|blk|call|ch|chat|chatcmpl|conv|cus|cust|doc|dpl|eni|ev|event|evt|file|igw|img|in|inv|item"
    r"|job|lc|msg|node|ord|order|org|pg|pi|price|prj|prod|proj|req|resp|run|ses|sess|session|sg|snap|sub|subnet|task"
    r"|team|thread|toolu|tx|txn|user|usr|vol|vpc)[-_]"
)
_DIGITS = GuardPattern("[0-9]+")
_PARTS = GuardPattern(r"[A-Za-z0-9]+")
_NO_TOKEN = GuardPattern(
    r"[\\(){}<>\[\]|,]|^[./~]|:/|\.[A-Za-z]{2,6}$|^\d+(?:[.:_-]\d+)+|^v?\d+\.\d|@[\w-]+\.|@sha|\.\d+\.|%[sdv]|%[0-9A-F]{2}%|^0x|^sha\d"
    r"|^[A-Z0-9]+_[A-Z0-9_]+$|=[^=]|[A-Za-z]:[A-Za-z]|(?:^|[/_.-])[A-Za-z]{3,}/|/[A-Za-z]{3,}(?:$|[/_.-])"
)


def opaque_values(text: str, runs: list[tuple[int, int]]) -> Iterator[Found]:
    """Where values stand that their names give away, within these runs of letters and signs."""
    beside_amazon = "AKIA" in text or "ASIA" in text
    for run_start, run_end in runs:
        for match in _VALUE.finditer(text, run_start, run_end):
            value = match[0].rstrip(".-/~")
            start, end = match.start(), match.start() + len(value)
            shape = _shape_of(value)
            if not shape or text[end : end + 1] in {"(", "["} or text.startswith("...", end):
                continue
            before = _before(text, start)
            if kind := _kind(before, value, shape):
                yield start, end, f"named:{kind}", kind
            elif _is_beside_vendor(before, value, shape):
                yield start, end, "beside-vendor", "api-key"
            elif shape == "mixed" and _is_unmistakable(text, start, end):
                yield start, end, "unnamed", "api-key"
            elif (
                beside_amazon and shape in {"mixed", "weak"} and len(value) == 40 and not _PATH.search(value)
            ):
                yield start, end, "aws-secret", "aws-secret"
            elif (
                shape not in _WEAK
                and len(value) >= 16
                and _NAMED_AFTER.match(text[end : end + _AFTER].lower())
            ):
                yield start, end, "named:api-key", "api-key"


def _before(text: str, start: int) -> str:
    """What stands before a value: on its line, or, where it begins one, at the end of the line before."""
    before = text[max(0, start - _BEFORE) : start]
    above, newline, line = before.rpartition("\n")
    if not newline or line.strip(_OPENING):
        return line
    if line.lstrip().startswith("- "):
        items = text[max(0, start - _LIST) : start - len(line) - 1].split("\n")
        above = next((item for item in reversed(items) if not item.lstrip().startswith("- ")), "")
    above = _FENCE.sub("", above)
    name, opening = above.rpartition("\n")[2].rstrip(), line.strip(" \t-")
    if name.endswith((":", "：", "=", "=>")):
        return name + opening
    # Without a sign the line above has to be the name and nothing else.
    return f"{name}: {opening}" if len(name) <= _LONE and _LONE_NAME.search(name.lower()) else line


def _is_beside_vendor(before: str, value: str, shape: str) -> bool:
    """`mailgun '…'`, `vendor: …`, `(vendor …)`: only the name of a service, and a value that looks like its token."""
    if shape in _WEAK or len(value) < 16 or len(before) != len(folded := before.lower()):
        return False
    near = _words_in(before[-_NEAR:])[-3:]
    is_service = not words("services").isdisjoint((*near, "".join(near[-2:])))
    if not near or not (is_service or _LONE_WORD.search(folded)):
        return False
    match = _VENDOR.search(folded[-_NEAR:])
    if match is None or _HARMLESS.search(folded[-_NEAR:]):
        return False
    # As generators make them: letters and digits through each other, no words, no parts.
    is_dense = value.isalnum() and sum(map(str.isdigit, value)) >= 3 and len(_SWITCH.findall(value)) >= 5
    if _LONE_WORD.search(folded) and (is_dense or (shape == "hex" and len(value) >= 24)):
        return True
    if shape == "hex" and len(value) in _DIGESTS and not match["sign"].strip():
        return False
    # The name stands right before the value, or one word away: “mailgun prod …”.
    named = before[-_NEAR:][match.start("name") : match.end("name")]
    last = _words_in(named)[-3:]
    if _ABOUT.intersection(last):
        return False
    return not words("services").isdisjoint((*last[-2:], "".join(last[-2:])))


def _is_unmistakable(text: str, start: int, end: int) -> bool:
    """A token that nothing names, among words: small letters, capitals and digits through each other, by itself.

    A line that is nothing else is a piece of some encoded file, and what is called an id is one.
    """
    value = text[start:end]
    if not _TELLING <= end - start < _ENCODED or not value.isalnum() or len(_SWITCH.findall(value)) < 6:
        return False
    if not (any(map(str.isupper, value)) and any(map(str.islower, value))):
        return False
    if text[start - 1 : start] not in _AROUND or text[end : end + 1] not in _AROUND:
        return False
    line = text[max(0, start - _BEFORE) : start].rpartition("\n")[2]
    after = text[end : end + _AFTER].partition("\n")[0]
    if not any(map(str.isalpha, line + after)):
        return False
    return not _ABOUT.intersection(_words_in(line[-_NEAR:])[-3:]) and not _HARMLESS.search(
        line[-_NEAR:].lower()
    )


@lru_cache(maxsize=2000)
def _shape_of(value: str) -> str:
    """`uuid`, `hex`, `mixed`, or `digits` and `weak`, which prove little; empty for words, names, numbers and paths."""
    if len(value) < 12 or is_placeholder(value) or is_filler(value):
        return ""
    if _UUID.fullmatch(value):
        return "uuid"
    if value.isdigit():
        return "digits" if len(value) >= 15 and len(set(value)) > 4 else ""
    if _HEX.match(value):
        return "hex" if len(value) >= 14 and len(set(value)) > 5 else ""
    if "/" in value and _PATH.search(value):
        return ""
    if _GROUPS.fullmatch(value) and sum(map(str.isdigit, value)) >= 2:
        return "mixed"
    if is_scrambled(value):
        return "mixed"
    if len(set(value)) < 8 or is_of_words(value):
        return ""
    if _is_scattered(value):
        return "mixed"
    # Letters that prove something only behind the right name.
    turns = sum(one.isupper() != two.isupper() for one, two in pairwise(value))
    is_solid = value.isalnum() and (
        turns >= 4 or value.isupper() or not value.isalpha() or len(value) >= _TELLING
    )
    is_of_letters = len(value) >= 14 and value.replace("-", "").replace("_", "").isalnum()
    return "weak" if is_of_letters and (turns >= 6 or is_solid) else ""


def _is_scattered(value: str) -> bool:
    """True when letters and digits alternate as in no name, version or date."""
    if not is_random(value):
        return False
    parts = re.split(r"[_.\-/+~=]", value)
    mixed = [part for part in parts if len(part) >= 8 and not part.isalpha() and not part.isdigit()]
    if not mixed:
        return len(value) >= 24 and sum(map(str.isdigit, value)) >= 4 and len(parts) * 5 <= len(value)
    best = max(mixed, key=len)
    if re.fullmatch(r"[A-Za-z]{3,}[0-9]{1,4}|[0-9]{1,4}[A-Za-z]{3,}", best) and len(best) < 20:
        return False
    return len(set(best)) >= 6


def _kind(before: str, value: str, shape: str) -> str:
    """The type of a value behind these words; empty for none."""
    if not before:
        return ""
    folded = before.lower()
    if len(folded) != len(before):
        return ""
    # Two cheap looks before two patterns: a sign at the end, a word for secrets anywhere.
    if _SIGNED.search(folded) and (match := _ASSIGNED.search(folded)):
        name = _STEP.sub("_", before[match.start("name") : match.end("name")]).lower()
        return _kind_of(name[-48:].strip(), value, shape)  # not the sentence before the name
    if (
        shape not in _WEAK
        and len(value) >= 16
        and _SAYS_SECRET.search(folded)
        and (match := _NAMED_IN_PROSE.search(folded))
    ):
        if _HARMLESS.search(match[0]) or _ABOUT_KEYS.search(folded) or _SWARM_ID.fullmatch(value):
            return ""  # a table of keys names them beside their ids
        return "" if shape == "hex" and _is_fingerprint(folded, value) else "api-key"
    return ""


def _is_fingerprint(name: str, value: str) -> bool:
    """True for the fingerprint of a public key: forty capital hex digits, or words that say so."""
    if _STRICTLY.search(name):
        return False
    return (len(value) == 40 and value == value.upper()) or _PUBLIC_KEY.search(name) is not None


def _kind_of(name: str, value: str, shape: str) -> str:
    if shape == "hex" and (_OF_CONTENT.search(name) or _HASHED.search(name) or _is_fingerprint(name, value)):
        return ""
    if _STRONGLY.search(name):
        is_about = re.search(r"(?:_|\b|-)(?:id|name|path|file|url|uri|type|version|hash|digest|ids)$", name)
        is_id = shape in {"uuid", "hex", "digits"} or _SWARM_ID.fullmatch(value)
        return "" if is_about and is_id and "hash" not in name else "api-key"
    if "socket" in name:
        return ""
    said = _WORDS.findall(name)
    if not words("services").isdisjoint(
        (*said, *map("".join, pairwise(said)))
    ):  # `new_relic` is `newrelic`, too
        return (
            ""
            if re.search(r"hash|digest|sha\d|commit|checksum|url|image|version|revision", name)
            else "api-key"
        )
    if _HARMLESS.search(name):
        return ""
    if shape in _WEAK:
        return "api-key" if len(value) >= 24 and value.isalpha() and _ENDS_SO.search(name) else ""
    return "api-key" if len(value) >= 14 and _SECRETIVE.search(name) else ""


def lone_values(text: str, runs: list[tuple[int, int]]) -> Iterator[Found]:
    """Where a line is a name and values beside it: the values."""
    for run_start, run_end in runs:
        joint = _JOINED.match(text, run_start, run_end)
        place = joint.end() if joint else run_start
        start, end, is_quoted = _apart(text, place, run_end)
        if end - start < _LEAST or text.startswith("...", end) or not (shape := _lone_shape(text[start:end])):
            continue
        line_start = text.rfind("\n", max(0, run_start - _HEAD), run_start) + 1
        found = _LINE.fullmatch(text, line_start, place) if line_start or run_start < _HEAD else None
        value, is_joined = text[start:end], joint is not None and text[place - 1] == ":"
        if (found and _is_named_so(found, value, is_quoted=is_quoted, rest=text[end : end + 80])) or (
            shape == "token"
            and not is_joined
            and _is_among_words(text, line_start, place, value, is_quoted=is_quoted)
        ):
            yield start, end, "lone", "api-key"
    if runs:
        for found in _SHORT.finditer(text):
            if _lone_shape(found["value"]) and words("other_names").isdisjoint(_words_in(found["name"])):
                yield *found.span("value"), "lone", "api-key"


def _apart(text: str, start: int, end: int) -> tuple[int, int, bool]:
    """The value in a run: inside its quotes, or without what closes a sentence."""
    quote = text[start : start + 1]
    while end > start and text[end - 1] in _CLOSING:
        end -= 1
    if quote in _QUOTES and end - start > 2 and text.find(quote, start + 1, end) == end - 1:
        return start + 1, end - 1, True
    return (start, end, False) if quote.isalnum() else (start, start, False)


def _is_named_so(found: re.Match[str], value: str, *, is_quoted: bool, rest: str) -> bool:
    name = found["name"] or found["first"]
    said = _words_in(name)
    sign, shape = found["sign"].strip(), _lone_shape(value)
    if is_quoted and sign in _DASHES and len(said) > 1 and said[-1] == "id" and said[-2].endswith(_OF_KEYS):
        return shape == "token"  # the id of a key, given with it
    if not said or not words("other_names").isdisjoint(said):
        return False
    if shape == "hex" and said[-1] in _KEYS and not found["more"]:
        return False
    if _MAIL.match(rest):
        return shape != "short" or bool(sign)
    if found["first"] or rest.strip(_QUOTES).startswith(f" {name} "):
        return shape not in {"short", "loose"} or is_quoted
    if is_quoted and (not sign or sign in _DASHES) and shape != "uuid":
        if found["mark"] or rest.startswith("`"):  # what is written so in prose is mostly a name
            return shape == "token"
        return len(value) >= _LONG_VALUE if sign else " " not in name
    # An assignment is what programs are made of: what follows has to be all of the line, and no id, name or digest.
    if shape == "hex":
        return bool(sign or is_quoted) and not found["mark"] and _is_all(rest)
    if found["more"]:
        return is_quoted
    return shape == "token" and _is_all(rest)


def _is_among_words(text: str, line_start: int, place: int, value: str, *, is_quoted: bool) -> bool:
    """The same in the middle of a line: the value has to be longer there, and plainer where nothing encloses it."""
    is_long = len(value) >= (_LONGER if is_quoted else _LONGEST)
    if not is_long or len(_SWITCH.findall(value)) < 4:
        return False
    before = text[max(line_start, place - _LOOK_BACK) : place].rstrip(" \t({[")
    name = before.rstrip(":=|>- \t")
    if not is_quoted and (
        "." in value or (name == before and not value.isalnum()) or _SWARM_ID.fullmatch(value)
    ):
        return False
    name = name.rstrip("\"'`)]")
    return name[-1:].isalnum() and words("other_names").isdisjoint(_words_in(name)[-3:])


def _words_in(name: str) -> list[str]:
    return _WORDS.findall(_STEP.sub("_", name).lower())


def _is_all(rest: str) -> bool:
    return not rest.partition("\n")[0].strip(_QUOTES + _CLOSING + " \t")


@lru_cache(maxsize=2000)
def _lone_shape(value: str) -> str:
    """`token`, `hex`, `uuid`, `short`, or `loose`, which proves least; empty for words, numbers, paths, hosts."""
    if is_placeholder(value) or is_filler(value) or _NO_TOKEN.search(value) or is_of_code(value):
        return ""
    if _ULID.fullmatch(value):
        return ""
    if _UUID.fullmatch(value):
        return "uuid"
    if _HEX.match(value):
        return "hex" if len(value) >= 16 and len(set(value)) > 5 and _is_dense_all_along(value) else ""
    if _OBJECT.match(value):
        return ""
    if is_scrambled(value) or _OF_SOMETHING.match(value):
        return "loose"
    if not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)) or len(set(value)) < 7:
        return ""
    if len(_SWITCH.findall(value)) < 3 and is_of_words(_DIGITS.sub("", value)):
        return ""  # words with a number among them
    if is_of_words(value) or any(
        3 < len(part) < len(value) and is_of_words(part) for part in value.split(".")
    ):
        return ""
    return "loose" if not _is_dense_all_along(value) else "token" if len(value) >= _LONG_VALUE else "short"


def _is_dense_all_along(value: str) -> bool:
    """True when small letters, capitals and digits go through each other, all along."""
    longest = max(_PARTS.findall(value), key=len, default="")
    turns = len(_TURN.findall(value))
    return turns >= 3 and turns * 6 >= len(value) and (len(longest) >= 8 or not value.isalnum())
