"""Values that stand apart beside a single name, whatever the name is: `vendor '…'`, `vendor: … / mail@host`.

No list of services is ever complete. Where a line is nothing but a name and a value that no word, path, version or
digest is, the form says what it is; names that say otherwise (ids, hashes, commands, words of programs) are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memoracle.policy.values import is_filler, is_of_code, is_of_words, is_placeholder, is_scrambled

_Found = tuple[int, int, str, str]

_HEAD = 240
_LINE = re.compile(
    r"[ \t>*+-]{0,24}+(?:(?:export|const|let|var|set|my)[ \t]{1,3}|\$)?"
    r"(?:(?P<first>[A-Za-z][A-Za-z0-9_.-]{1,40}+)[ \t]{1,3}(?P<quoted>['\"`]?)[!-~]{8,120}?(?P=quoted)[ \t]{1,3}(?P<again>(?P=first)))?"  # noqa: E501 - one pattern
    r"(?P<name>(?(again)|(?P<mark>['\"]?)[A-Za-z][A-Za-z0-9_.-]{1,40}(?:[ ][A-Za-z][A-Za-z0-9_-]{1,20}){0,2}(?P=mark)))"
    r"(?P<sign>[ \t]{0,3}(?:=>|:=|->|[:=|]|[-–—]{1,2}(?=[ \t]))[ \t]{0,3}|[ \t]{1,3})"
    r"(?P<more>(?:(?P<other>['\"`])[^\s'\"`]{6,200}(?P=other)[ \t]{0,2}[,|/;]?[ \t]{1,2}){0,3})"
)
_LEAST = 8
_LONG = 14
_LONGER = 16
_LONGEST = 20
_BEFORE = 64
_SWARM_ID = re.compile(r"[0-9a-z]{25}")
_JOINED = re.compile(r"\$?[A-Za-z][A-Za-z0-9_.-]{1,40}(?:=|:=|:)(?=['\"`A-Za-z0-9])")
_KEYS = frozenset({"key", "keys", "token", "tokens", "secret"})  # what these name is judged elsewhere
_OF_KEYS = ("key", "token", "secret", "api")
_DASHES = frozenset({"-", "--", "–", "—"})
_SHORT = re.compile(
    r"(?m)^[ \t]{0,8}(?P<name>[A-Za-z][A-Za-z0-9_.-]{1,40})[ \t]{1,2}(?:[-–—][ \t])?(?P<quote>['\"])(?P<value>[!-~]{8,11})(?P=quote)(?=[\s,;]|$)"  # noqa: E501 - one pattern
)
_QUOTES = "'\"`"
_CLOSING = ",;.)]}/"
_MAIL = re.compile(
    r"[ \t]{0,2}[/|:,][ \t]{0,2}(?:[a-z_]{2,32}[ \t]?[=:][ \t]?)?[\w.+-]{2,64}@[\w-]{1,64}\.[a-z]{2,}"
)
_TURN = re.compile(r"(?=[a-z][A-Z0-9]|[A-Z][a-z0-9]|[0-9][A-Za-z])")
_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_ULID = re.compile(r"(?:[a-z]{1,8}_)?[0-7][0-9A-HJKMNP-TV-Z]{25}")  # how records of a memory are called
_OF_SOMETHING = re.compile(r"[A-Za-z]{3,}[-_:][0-9a-f]{8,64}$")
# How programs call their objects: a short word for the sort, then the id.
_OBJECT = re.compile(
    r"(?:acct|ami|asst|batch|blk|call|ch|chat|chatcmpl|conv|cus|cust|doc|dpl|eni|ev|event|evt|file|igw|img|in|inv|item"
    r"|job|lc|msg|node|ord|order|org|pg|pi|price|prj|prod|proj|req|resp|run|ses|sess|session|sg|snap|sub|subnet|task"
    r"|team|thread|toolu|tx|txn|user|usr|vol|vpc)[-_]"
)
_DIGITS = re.compile("[0-9]+")
_SWITCH = re.compile(r"(?=[0-9][A-Za-z]|[A-Za-z][0-9])")
_PARTS = re.compile(r"[A-Za-z0-9]+")
_NO_TOKEN = re.compile(
    r"[\\(){}<>\[\]|,]|^[./~]|:/|\.[A-Za-z]{2,6}$|^\d+(?:[.:_-]\d+)+|^v?\d+\.\d|@[\w-]+\.|@sha|\.\d+\.|%[sdv]|%[0-9A-F]{2}%|^0x|^sha\d"
    r"|^[A-Z0-9]+_[A-Z0-9_]+$|=[^=]|[A-Za-z]:[A-Za-z]|(?:^|[/_.-])[A-Za-z]{3,}/|/[A-Za-z]{3,}(?:$|[/_.-])"
)
_WORDS = re.compile(r"[a-z]+")
_STEP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OTHERWISE = frozenset(
    """a abi account actual address agent algorithm alias ami an and apt arch arn artifact as assert assistant at
    auto await base begin blob block body bool branch brew bucket build by byte bytes cache cargo case cat cd
    cert certificate change char charge charset chat checkout checksum checksums cherry chmod chown cipher
    ciphertext class close cluster cmake codec color colour commit compiler conflicts const container content
    contract conversation correlation count cp crc created curl cursor curve customer data date def delete
    deleted dependencies dependency depends deployment device diff digest digests dir disk dnf do doc docker
    document done double drop echo edit elif else email encoding end entry etag event example exec execution
    expected exponent export field file filename files final fingerprint finished fixed fixup flag float fn
    folder font for foreign format found from func function generator get gid git go got guid gx gy hash hashed
    hashes have head helm hg host hostname href id idempotency ids if image imei img import in include index
    input insert inspect instance int integrity invoice is isbn issue issuer item iv job keyword kid kill
    kubectl label labels layer length let lib library locale logs long ls mac machine mail make manifest match
    matches md memory merge message method mime mkdir model module modulus mv name names namespace new node
    nonce not note npm object of oid on open option options or order org os output package page parameter parent
    partition partuuid patch path paths pattern payload payment pick pid pip pipeline plaintext platform pod
    podman pods post prefix primary prime print printf project property provides pub public pull push put puts
    raise random read record ref refs regex region release replicaset request require requires resolved restart
    result results return rev revert revision reword rm row run sample scp see seed select serial service
    session set setting sha sid sig signature signed size sku snapshot sort span squash src ssh start started
    statefulset static stop str string style subject subnet sudo suffix svn tag target task tenant test tests
    text that the then these this thread throw thumbprint ticket tid time timestamp title to touch trace
    transaction tree tx txid type uid uids unicode untagged update updating uri url urn use user users uuid val
    value values var version volume vpc want wget when where while with workflow workspace write yarn yield yum
    zone""".split()
)


def lone_values(text: str, runs: list[tuple[int, int]]) -> Iterator[_Found]:
    """Where a line is a name and values beside it: the values."""
    for run_start, run_end in runs:
        joint = _JOINED.match(text, run_start, run_end)
        place = joint.end() if joint else run_start
        start, end, is_quoted = _apart(text, place, run_end)
        if end - start < _LEAST or text.startswith("...", end) or not (shape := _shape(text[start:end])):
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
            if _shape(found["value"]) and _OTHERWISE.isdisjoint(_words(found["name"])):
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
    words = _words(name)
    sign, shape = found["sign"].strip(), _shape(value)
    if (
        is_quoted
        and sign in _DASHES
        and len(words) > 1
        and words[-1] == "id"
        and words[-2].endswith(_OF_KEYS)
    ):
        return shape == "token"  # the id of a key, given with it
    if not words or not _OTHERWISE.isdisjoint(words):
        return False
    if shape == "hex" and words[-1] in _KEYS and not found["more"]:
        return False
    if _MAIL.match(rest):
        return shape != "short" or bool(sign)
    if found["first"] or rest.strip(_QUOTES).startswith(f" {name} "):
        return shape not in {"short", "loose"} or is_quoted
    if is_quoted and (not sign or sign in _DASHES) and shape != "uuid":
        if found["mark"] or rest.startswith("`"):  # what is written so in prose is mostly a name
            return shape == "token"
        return len(value) >= _LONG if sign else " " not in name
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
    before = text[max(line_start, place - _BEFORE) : place].rstrip(" \t({[")
    name = before.rstrip(":=|>- \t")
    if not is_quoted and (
        "." in value or (name == before and not value.isalnum()) or _SWARM_ID.fullmatch(value)
    ):
        return False
    name = name.rstrip("\"'`)]")
    return name[-1:].isalnum() and _OTHERWISE.isdisjoint(_words(name)[-3:])


def _words(name: str) -> list[str]:
    return _WORDS.findall(_STEP.sub("_", name).lower())


def _is_all(rest: str) -> bool:
    return not rest.partition("\n")[0].strip(_QUOTES + _CLOSING + " \t")


@lru_cache(maxsize=2000)
def _shape(value: str) -> str:
    """`token`, `hex`, `uuid`, `short`, or `loose`, which proves least; empty for words, numbers, paths, hosts."""
    if is_placeholder(value) or is_filler(value) or _NO_TOKEN.search(value) or is_of_code(value):
        return ""
    if _ULID.fullmatch(value):
        return ""
    if _UUID.fullmatch(value):
        return "uuid"
    if _HEX.match(value):
        return "hex" if len(value) >= 16 and len(set(value)) > 5 and _is_dense(value) else ""
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
    return "loose" if not _is_dense(value) else "token" if len(value) >= _LONG else "short"


def _is_dense(value: str) -> bool:
    """True when small letters, capitals and digits go through each other, all along."""
    longest = max(_PARTS.findall(value), key=len, default="")
    turns = len(_TURN.findall(value))
    return turns >= 3 and turns * 6 >= len(value) and (len(longest) >= 8 or not value.isalnum())
