"""`mask`: a text without its secrets, in one linear scan.

Most texts hold no trigger and cost a few microseconds. A secret is replaced by `[secret:TYPE:FINGERPRINT]`; the
fingerprint is keyed with a salt of the root, so equal secrets look equal and nobody can guess them from it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from memoracle.policy.disguised import is_disguised, placed, undisguised
from memoracle.policy.known import Known, again
from memoracle.policy.rule import Masked, Rule, Sighting, Span
from memoracle.policy.values import is_key, is_password, is_placeholder

Salt = Callable[[], bytes]
"""Gives the root's salt; asked only when there is something to hide."""

# One pass over the words; a token is a run of at least fourteen letters and signs.
_HAS_RUN = re.compile(r"[^!-~]*+(?:[!-~]{1,13}+[^!-~]++)*+[!-~]{14}")
_RUNS = re.compile(r"[!-~]{14,}+")
_MANY_RUNS = 200
_LONG = 4000
_MIXTURE = re.compile("[0-9]|[a-z][A-Z]|[A-Z]{12}|[a-z]{20}")
_MASK = re.compile(r"\[secret:[a-z0-9-]{1,40}:[0-9a-f]{8}\]")
# What every named rule needs, spelled from rare letters: key, token, secret, credential, bearer, authorization …
_TRIGGER = re.compile(
    r"pass|pwd|pw[:= ]|psk|pin[ :=]|phras|ke[yn]|cre[dt]|cli |bear|bindpw|by [\"']|zat|code[: ]|codes[: ]"
    r"|://|-u |--user|-[pw](?<=\s-[pw])"
)
# Rare words are cheaper to look for one by one than as branches of the pattern; what they name holds a digit.
_DIGIT = re.compile("[0-9]")
_RARE = (
    *(
        "otp",
        "login",
        "log in",
        "contribsys",
        "senha",
        "contrase",
        "parol",
        "wachtw",
        "mdp",
        "clave",
        "haslo",
    ),
    *("heslo", "salasana", "sifre", "kennw"),
)
_TRIGGER_ABROAD = re.compile(
    r"密|令|暗号|秘钥|[码碼]|парол|гасло|лозинк|contrase|hasło|lösenord|şifre|mật|パス|暗証|비밀|암호|패스|κωδικ|adgangsk|jelsz|รหัส|كلمة|סיסמ|पास"
)
_NAME = re.compile(
    r"(?:password|passwd|passphrase|passcode|pwd|密码|口令|密碼|(?<![a-z])pass|(?<![a-z])pin)(?:[_\-. ]?\d+)?$"
)
_KEY_NAME = re.compile(
    r"(?:secret|token|credentials?|密钥|秘钥|令牌"
    r"|(?:api|access|secret|private|auth|account|encryption|signing|master)[_\-. ]?key)"
    r"(?:[_\-. ]?\d+)?$"
)


def mask(text: str, salt: Salt, *, keep_lines: bool = False, known: Known | None = None) -> Masked:
    """The text without its secrets. With `keep_lines` every line keeps its number.

    A value that is recognised once is masked wherever it is mentioned: in this text, and, with `known`, in every
    text that is masked after it.
    """
    spans = _spans(text)
    if is_disguised(text):
        read, places = undisguised(text)
        spans = [*spans, *placed(_spans(read), places)]
    if spans and "[secret:" in text:
        spans = _outside_masks(text, spans)
    if spans:
        if known:
            known.learn((text[start:end], kind) for start, end, _, kind in spans)
        spans = [*spans, *again(text, spans)]
    if known:
        spans = [*spans, *known.spans(text)]
    return _replaced(text, spans, salt, keep_lines=keep_lines) if spans else Masked(text=text)


def _spans(text: str) -> list[_Found]:
    """Where secrets stand, by which rule, of which type."""
    folded = _folded(text)
    has_trigger = (
        _TRIGGER.search(folded) is not None
        or (_DIGIT.search(folded) is not None and any(map(folded.__contains__, _RARE)))
        or "contribsys" in folded
        or (not folded.isascii() and _TRIGGER_ABROAD.search(folded) is not None)
    )
    runs = _runs(text) if has_trigger or _HAS_RUN.match(text) else []
    if not runs and not has_trigger:
        return []
    named = _rules()[1] if has_trigger else _rules()[2]
    return [*(_tokens(text, runs) if runs else ()), *_named(text, folded, named)]


def mask_named(name: str, text: str, salt: Salt, *, known: Known | None = None) -> Masked:
    """The value of something with a name: `db_password`, whose value alone gives nothing away."""
    hidden = mask(text, salt, known=known)
    if hidden.found or not text or not (kind := _kind_of_name(name)):
        return hidden
    is_secret = (
        is_password(text, quoted=" " not in text, ends=True)
        if kind == "password"
        else is_key(text, quoted=True)
    )
    if not is_secret or is_placeholder(text):
        return hidden
    if known:
        known.learn([(text, kind)])
    return _replaced(text, [(0, len(text), "named", kind)], salt, keep_lines=False)


def is_clean(text: str) -> bool:
    """True for a text without secrets."""
    return not mask(text, bytes).found


def names_a_secret(name: str) -> bool:
    """True when a value of that name is one: `db_password`, `api_key`."""
    return bool(_kind_of_name(name))


def fingerprint(value: str, salt: bytes) -> str:
    """Eight letters that stand for a secret in this root, and mean nothing without its salt."""
    from hashlib import blake2b

    return blake2b(value.encode("utf-8", "surrogatepass"), key=salt[:64], digest_size=4).hexdigest()


@lru_cache(maxsize=2000)
def _kind_of_name(name: str) -> str:
    folded = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().strip()
    return "password" if _NAME.search(folded) else "api-key" if _KEY_NAME.search(folded) else ""


_Found = tuple[int, int, str, str]


def _runs(text: str) -> list[Span]:
    """The long runs of a text that no word is: with a digit, a capital behind a small letter, or twenty of these."""
    return [run.span() for run in _RUNS.finditer(text) if _MIXTURE.search(text, *run.span())]


def _tokens(text: str, runs: list[Span]) -> Iterator[_Found]:
    """Where tokens stand. Only the long runs of a text are looked at: no token has a blank in it."""
    said = " ".join(text[start:end] for start, end in runs)
    few = runs if len(runs) <= _MANY_RUNS else [(0, len(text))]
    for rule in _rules_for(said):
        for run in few:
            for start, end in _sight(rule, text, text, *run):
                yield start, end, rule.name, rule.type
    from memoracle.policy.lone import lone_values
    from memoracle.policy.opaque import opaque_values

    yield from opaque_values(text, runs)
    yield from lone_values(text, runs)


def _rules_for(said: str) -> list[Rule]:
    """The rules whose literals may stand in these runs, in their order."""
    rules = _rules()[0]
    if len(said) > _LONG:
        return [rule for rule in rules if _holds(said, rule.literals)]
    index = _by_letters()
    three = {said[place : place + 3] for place in range(len(said) - 2)}
    places = {place for letters in three & index.keys() for place in index[letters]}
    return [rules[place] for place in sorted(places | _short_ones()) if _holds(said, rules[place].literals)]


def _named(text: str, folded: str, rules: tuple[Rule, ...]) -> Iterator[_Found]:
    """Where values stand that a word or a sign beside them gives away."""
    for rule in rules:
        seen = folded if rule.folded else text
        if _holds(seen, rule.literals):
            for start, end in _sight(rule, text, seen, 0, len(text)):
                yield start, end, rule.name, rule.type


def _outside_masks(text: str, spans: list[_Found]) -> list[_Found]:
    """Those that do not begin inside a mask: its own words look like a name and its value."""
    masks = [found.span() for found in _MASK.finditer(text)]
    starts = [start for start, _ in masks]

    def is_inside(place: int) -> bool:
        before = bisect_right(starts, place) - 1
        return before >= 0 and place < masks[before][1]

    return [span for span in spans if not is_inside(span[0])]


def _holds(text: str, literals: tuple[str, ...]) -> bool:
    return literals[0] in text if len(literals) == 1 else any(map(text.__contains__, literals))


def _sight(rule: Rule, text: str, seen: str, place: int, until: int) -> Iterator[Span]:
    search = _compiled(rule.pattern).search
    while match := search(seen, place, until):
        if rule.check is None:
            span: Span | None = match.span(1 if match.re.groups else 0)
        else:
            span = rule.check(text, match)
        if span is not None and span[1] > span[0]:
            yield span
            place = max(span[1], match.start() + 1)
        else:
            # What was no secret may still hold the beginning of one, within the length a pattern looks at.
            place = _after(match)


def _after(match: re.Match[str]) -> int:
    start = match.start()
    inner = [match.start(group) for group in range(1, match.re.groups + 1) if match.start(group) > start]
    return max(inner) if inner else match.end() if match.end() > start else start + 1


def _replaced(text: str, spans: list[_Found], salt: Salt, *, keep_lines: bool) -> Masked:
    key = salt()
    pieces: list[str] = []
    found: list[Sighting] = []
    place = 0
    for start, end, name, kind in _merged(spans):
        value = text[start:end]
        print_ = fingerprint(value, key)
        pieces += [text[place:start], f"[secret:{kind}:{print_}]"]
        if keep_lines:
            pieces.append("\n" * value.count("\n"))
        found.append(Sighting(rule=name, type=kind, start=start, end=end, fingerprint=print_))
        place = end
    return Masked(text="".join([*pieces, text[place:]]), found=tuple(found))


def _merged(spans: list[_Found]) -> list[_Found]:
    """Overlapping spans as one, under the name of the rule that stands first in the pack."""
    merged: list[tuple[int, int, int, str, str]] = []
    for start, end, order, name, kind in sorted(
        (start, end, order, name, kind) for order, (start, end, name, kind) in enumerate(spans)
    ):
        if merged and start < merged[-1][1]:
            last = merged[-1]
            first = min((last[2], last[3], last[4]), (order, name, kind))
            merged[-1] = (last[0], max(last[1], end), *first)
        else:
            merged.append((start, end, order, name, kind))
    return [(start, end, name, kind) for start, end, _, name, kind in merged]


def _folded(text: str) -> str:
    """The text in lower case, every character where it was."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(char.lower()[:1] for char in text)


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[Rule, ...], tuple[Rule, ...], tuple[Rule, ...]]:
    """Those that need a long run of letters, those that need a word, and of these the ones that a run may do for."""
    from memoracle.policy import connections, files, passwords, private_keys
    from memoracle.policy.tokens import token_rules

    named = (*private_keys.RULES, *connections.RULES, *passwords.RULES, *files.RULES, *files.IN_RUNS)
    return token_rules(), named, files.IN_RUNS


@lru_cache(maxsize=1)
def _by_letters() -> dict[str, tuple[int, ...]]:
    """The first three letters of every literal, and which rules have it."""
    index: dict[str, list[int]] = {}
    for place, rule in enumerate(_rules()[0]):
        for literal in rule.literals:
            if len(literal) > 2:
                index.setdefault(literal[:3], []).append(place)
    return {letters: tuple(places) for letters, places in index.items()}


@lru_cache(maxsize=1)
def _short_ones() -> frozenset[int]:
    """Rules whose literals are too short for that."""
    return frozenset(place for place, rule in enumerate(_rules()[0]) if min(map(len, rule.literals)) < 3)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
