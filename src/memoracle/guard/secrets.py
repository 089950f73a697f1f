"""`mask`: a text without its secrets, in one linear scan.

Most texts hold no trigger and cost a few microseconds. A secret is replaced by `[secret:TYPE:FINGERPRINT]`; the
fingerprint is keyed with a salt of the root, so equal secrets look equal and nobody can guess them from it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any
from zlib import crc32

from memoracle.guard.hidden import is_disguised, undisguised
from memoracle.guard.rule import (
    CHECKS,
    Found,
    GuardPattern,
    GuardRule,
    Literals,
    Masked,
    Sighting,
    Span,
    by_shortest,
    compiled,
    held_in,
    is_key,
    is_password,
    is_placeholder,
    rules,
)

Salt = Callable[[], bytes]
"""Gives the root's salt; asked only when there is something to hide."""

# One pass over the words; a token is a run of at least fourteen letters and signs.
_RUN = GuardPattern(r"[^!-~]*+(?:[!-~]{1,13}+[^!-~]++)*+([!-~]{14,}+)")
_MANY_RUNS = 200
_LONG = 4000
_MIXTURE = GuardPattern("[0-9]|[a-z][A-Z]|[A-Z]{12}|[a-z]{20}")
_MASK = GuardPattern(r"\[secret:[a-z0-9-]{1,40}:[0-9a-f]{8}\]")
# What every named rule needs, spelled from rare letters: key, token, secret, credential, bearer, authorization …
_TRIGGER = GuardPattern(
    r"pass|pwd|pw[:= ]|psk|pin[ :=]|phras|ke[yn]|cre[dt]|cli |bear|bindpw|by [\"']|zat|code[: ]|codes[: ]"
    r"|://|-u |--user|-[pw](?<=\s-[pw])"
)
# Rare words are cheaper to look for one by one than as branches of the pattern; what they name holds a digit.
_DIGIT = GuardPattern("[0-9]")
_RARE = "otp,login,log in,contribsys,senha,contrase,parol,wachtw,mdp,clave,haslo,heslo,salasana,sifre,kennw".split(
    ","
)
_TRIGGER_ABROAD = GuardPattern(
    r"密|令|暗号|秘钥|[码碼]|парол|гасло|лозинк|contrase|hasło|lösenord|şifre|mật|パス|暗証|비밀|암호|패스|κωδικ|adgangsk|jelsz|รหัส|كلمة|סיסמ|पास"
)
_NAME = GuardPattern(
    r"(?:password|passwd|passphrase|passcode|pwd|密码|口令|密碼|(?<![a-z])pass|(?<![a-z])pin)(?:[_\-. ]?\d+)?$"
)
_KEY_NAME = GuardPattern(
    r"(?:secret|token|credentials?|密钥|秘钥|令牌"
    r"|(?:api|access|secret|private|auth|account|encryption|signing|master)[_\-. ]?key)"
    r"(?:[_\-. ]?\d+)?$"
)
# A token begins where no letter or digit stands before it, or behind an escaped line end in quoted code.
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"


def mask(text: str, salt: Salt, *, keep_lines: bool = False, known: KnownSecrets | None = None) -> Masked:
    """The text without its secrets. With `keep_lines` every line keeps its number.

    A value that is recognised once is masked wherever it is mentioned: in this text, and, with `known`, in every
    text that is masked after it.
    """
    spans = _spans(text)
    if is_disguised(text):
        read, places = undisguised(text)
        spans += [(places[start], places[end - 1] + 1, name, kind) for start, end, name, kind in _spans(read)]
    if spans and "[secret:" in text:
        is_inside = masked_places(text)
        spans = [span for span in spans if not is_inside(span[0])]
    if spans:
        if known:
            known.learn((text[start:end], kind) for start, end, _, kind in spans)
        spans = [*spans, *again(text, spans)]
    if known:
        spans = [*spans, *known.spans(text)]
    return replaced(text, _merged(spans), salt, keep_lines=keep_lines) if spans else Masked(text=text)


def _spans(text: str) -> list[Found]:
    """Where secrets stand, by which rule, of which type."""
    folded = text.lower()
    if len(folded) != len(text):  # every character has to stand where it was
        folded = "".join(char.lower()[:1] for char in text)
    has_trigger = (
        _TRIGGER.search(folded) is not None
        or (_DIGIT.search(folded) is not None and any(map(folded.__contains__, _RARE)))
        or "contribsys" in folded
        or (not folded.isascii() and _TRIGGER_ABROAD.search(folded) is not None)
    )
    runs = []
    end = 0
    while run := _RUN.match(text, end):
        start, end = run.span(1)
        # No word has a digit in it, a capital behind a small letter, or twenty letters.
        if _MIXTURE.search(text, start, end):
            runs.append((start, end))
    if not runs and not has_trigger:
        return []
    found = [*_tokens(text, runs)] if runs else []
    # Values that a word or a sign beside them gives away.
    chosen, literals = _credential_rules()[0 if has_trigger else 1]
    held = [held_in(said, own) for said, own in zip((text, folded), literals, strict=True)]
    for rule in chosen:
        seen = folded if rule.folded else text
        if not held[rule.folded].isdisjoint(rule.literals) and (not rule.also or _holds(seen, rule.also)):
            found += [
                (start, end, rule.name, rule.type) for start, end in _sight(rule, text, seen, 0, len(text))
            ]
    return found


def mask_named(name: str, text: str, salt: Salt, *, known: KnownSecrets | None = None) -> Masked:
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
    return replaced(text, [(0, len(text), "named", kind)], salt, keep_lines=False)


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


def _tokens(text: str, runs: list[Span]) -> Iterator[Found]:
    """Where tokens stand. Only the long runs of a text are looked at: no token has a blank in it."""
    said = " ".join(text[start:end] for start, end in runs)
    few = runs if len(runs) <= _MANY_RUNS else [(0, len(text))]
    for rule in _rules_for(said):
        for run in few:
            for start, end in _sight(rule, text, text, *run):
                yield start, end, rule.name, rule.type
    from memoracle.guard.opaque import lone_values, opaque_values

    yield from opaque_values(text, runs)
    yield from lone_values(text, runs)


def _rules_for(said: str) -> list[GuardRule]:
    """The rules whose literals may stand in these runs, in their order."""
    if len(said) > _LONG:
        places = [*range(len(_token_rows()))]
    else:
        index, short = _by_letters()
        three = {said[place : place + 3] for place in range(len(said) - 2)}
        places = sorted({place for letters in three & index.keys() for place in index[letters]} | short)
    return [_token_rule(place) for place in places if _holds(said, _literals(_token_rows()[place]))]


def masked_places(text: str) -> Callable[[int], bool]:
    """Whether a place lies inside a mask: the words of a mask look like a name and its value."""
    masks = [found.span() for found in _MASK.finditer(text)] if "[secret:" in text else []
    starts = [start for start, _ in masks]

    def is_inside(place: int) -> bool:
        before = bisect_right(starts, place) - 1
        return before >= 0 and place < masks[before][1]

    return is_inside


def _holds(text: str, literals: Sequence[str]) -> bool:
    return literals[0] in text if len(literals) == 1 else any(map(text.__contains__, literals))


def _sight(rule: GuardRule, text: str, seen: str, place: int, until: int) -> Iterator[Span]:
    search = compiled(rule.pattern).search
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
            start = match.start()
            inner = [one for one in map(match.start, range(1, match.re.groups + 1)) if one > start]
            place = max(inner, default=max(match.end(), start + 1))


def replaced(text: str, spans: Iterable[Found], salt: Salt, *, keep_lines: bool) -> Masked:
    """The text with masks at these places; what overlaps a mask before it is masked from its end on."""
    key = salt()
    pieces: list[str] = []
    found: list[Sighting] = []
    place = 0
    for first, end, name, kind in sorted(spans, key=lambda one: (one[0], -one[1])):
        if end <= place and found:
            continue
        start = max(first, place)
        value = text[start:end]
        print_ = fingerprint(value, key)
        lines = "\n" * value.count("\n") if keep_lines else ""
        pieces += [text[place:start], f"[secret:{kind}:{print_}]{lines}"]
        found.append(Sighting(rule=name, type=kind, start=start, end=end, fingerprint=print_))
        place = end
    return Masked(text="".join([*pieces, text[place:]]), found=tuple(found))


def _merged(spans: list[Found]) -> list[Found]:
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


@cache
def _token_rows() -> list[Any]:
    """Every row about tokens, the longest prefix first; rules are made of those alone that are met."""
    held = rules("tokens")
    return [*sorted(held["prefixes"], key=lambda row: -len(row[1])), *held["shape"]]


def _literals(row: Any) -> list[str]:
    literals: list[str] = [row[1]] if isinstance(row, list) else row["literals"]
    return literals


@cache
def _by_letters() -> tuple[dict[str, list[int]], frozenset[int]]:
    """The first three letters of every literal, and which rows have it; rows with a literal too short for that."""
    index: dict[str, list[int]] = {}
    short = set()
    for place, row in enumerate(_token_rows()):
        for literal in _literals(row):
            if len(literal) > 2:
                index.setdefault(literal[:3], []).append(place)
            else:
                short.add(place)
    return index, frozenset(short)


@cache
def _token_rule(place: int) -> GuardRule:
    row = _token_rows()[place]
    if not isinstance(row, list):
        return _rule(row)
    from memoracle.guard.formats import is_token

    name, prefix, letters, least = row
    # A prefix that is long or holds a sign of its own is telling wherever it stands.
    edge = "" if len(prefix) >= 5 and not prefix.isalnum() else _EDGE
    pattern = rf"{edge}{re.escape(prefix)}([{letters}]{{{least},}}+)"
    return GuardRule(
        name=f"{name}:{prefix}",
        type=name,
        pattern=pattern,
        literals=(prefix,),
        check=is_token,
    )


_CredentialRules = tuple[tuple[GuardRule, ...], tuple[Literals, Literals]]
"""Rules, and the literals of those that read a text as it is written and of those that read it in small letters."""


@cache
def _credential_rules() -> tuple[_CredentialRules, _CredentialRules]:
    """Rules that need a word for passwords or keys, and those that a long run of letters and signs may do for."""
    held = rules("credentials")
    in_runs = tuple(map(_rule, held["run"]))
    return _with_literals((*map(_rule, held["rule"]), *in_runs)), _with_literals(in_runs)


def _with_literals(rules: tuple[GuardRule, ...]) -> _CredentialRules:
    plain, folded = (
        by_shortest({one for rule in rules if rule.folded is kind for one in rule.literals})
        for kind in (False, True)
    )
    return rules, (plain, folded)


def _rule(row: dict[str, Any]) -> GuardRule:
    from memoracle.guard import formats, passwords  # noqa: F401 - the checks that rules name

    check = CHECKS[row["check"]] if "check" in row else None
    literals, also = tuple(row["literals"]), tuple(row.get("also", ()))
    return GuardRule(**{**row, "literals": literals, "also": also, "check": check})


# Secrets that were recognised once, wherever they are mentioned again: in the same text, and in later ones.
#
# A name gives a value away once; the next mention has no name beside it. Within a text the values themselves are
# looked for. From one text to the next only keyed fingerprints are held (length, a twelve-bit mark of how it begins,
# sixty-four bits of the whole), and nothing else of them is ever kept. Common words and short numbers never spread:
# “password: admin” does not hide every admin.

_BEGIN = 6
_LEAST = 8
_LONGEST = 8192
_MOST = 512
_MOST_IN_TEXT = 2000
_MOST_AT_ONCE = 8
# Where a mention can begin: behind a blank or a sign, in a run of letters that is no plain word.
_MIXED = GuardPattern("[0-9A-Z!#$%&*+=?@^~](?:(?<![A-Z])|(?<=[a-z][A-Z]))")
_REST = GuardPattern("[!-~]++")
_MENTION = GuardPattern(r"(?<![A-Za-z0-9])[!-~]")
_CLASSES = tuple(map(GuardPattern, ("[a-z]", "[A-Z]", "[0-9]", r"[^A-Za-z0-9\s]")))
_TURN = GuardPattern(r"(?=[a-zA-Z][0-9]|[0-9][a-zA-Z]|[a-z][A-Z]|[A-Za-z0-9][^A-Za-z0-9\s])")


Print = tuple[int, int, str, str]
"""One secret, as it may be kept: how long it is, how it begins (twelve bits), what it is (sixty-four), its type."""


def spreads(secret: str, least: int = 6) -> bool:
    """True for a value that nobody writes by chance: mixed letters and digits, or a phrase of several words."""
    if not least <= len(secret) <= _LONGEST:
        return False
    if " " in secret:
        return len(secret.split()) >= 4 and len(secret) >= 16
    if not secret.isascii():
        return len(secret) >= 4 and not any(map(str.isascii, secret))
    classes = sum(one.search(secret) is not None for one in _CLASSES)
    if classes < 2 or (secret.isalpha() and len(secret) < 16):
        return False
    return len(_TURN.findall(secret)) >= (1 if classes > 2 or any(map(str.isdigit, secret)) else 4)


def again(text: str, spans: list[Found]) -> list[Found]:
    """Every other mention of the values that stand at these places, in one pass over the text."""
    values: dict[str, tuple[str, str]] = {}
    for start, end, name, kind in spans:
        if spreads(text[start:end]):
            values.setdefault(text[start:end], (name, kind))
        if len(values) >= _MOST_IN_TEXT:
            break
    if not values or len(text) < 2 * min(map(len, values)):
        return []
    begins: dict[str, list[str]] = {}
    for one in sorted(values, key=len, reverse=True):
        begins.setdefault(one[:_BEGIN], []).append(one)
    found = [
        (place, place + len(one), *values[one])
        for place in _edges(text)
        for one in begins.get(text[place : place + _BEGIN], ())[:_MOST_AT_ONCE]
        if _stands(text, place, one)
    ]
    for one in [one for one in values if " " in one or not one.isascii()][:_MOST_AT_ONCE]:
        found += [(*match.span(), *values[one]) for match in re.finditer(re.escape(one), text)]
    return found


def _edges(text: str) -> Iterator[int]:
    end = 0
    while sign := _MIXED.search(text, end):  # every run that is no plain word holds one
        begin = sign.start()
        while begin > end and "!" <= text[begin - 1] <= "~":
            begin -= 1
        end = sign.end()
        if rest := _REST.match(text, end):
            end = rest.end()
        if end - begin >= _BEGIN:
            for edge in _MENTION.finditer(text, begin, end):
                yield edge.start()


def _stands(text: str, place: int, one: str) -> bool:
    return text.startswith(one, place) and _is_free(text, place + len(one), one[-1])


def _is_free(text: str, end: int, last: str) -> bool:
    """True where a mention ends: a longer word that only begins alike is none."""
    follows = text[end : end + 1]
    return not (last.isalnum() and last.isascii() and follows.isalnum() and follows.isascii())


class KnownSecrets:
    """What a memory has recognised so far, as fingerprints; `keep` hears of what is new, to be kept for later."""

    def __init__(
        self,
        salt: Callable[[], bytes],
        *,
        load: Callable[[], Iterable[Print]] = tuple,
        keep: Callable[[Print], None] = lambda _: None,
    ) -> None:
        self._salt = salt
        self._load = load
        self._keep = keep
        self.learned = 0
        self._held: dict[tuple[int, str], str] = {}
        self._by_begin: dict[int, set[int]] = {}

    def spans(self, text: str) -> list[Found]:
        """Where values stand that were recognised before."""
        self._refresh()
        if not self._held:
            return []
        key = self._salt()
        found, begins, salted = [], self._by_begin, crc32(key)
        for place in _edges(text):
            for length in begins.get(_begin(text[place : place + _BEGIN], salted), ()):
                one = text[place : place + length]
                if len(one) < length or not _is_free(text, place + length, one[-1]):
                    continue
                if kind := self._held.get((length, _whole(one, key))):
                    found.append((place, place + length, "known", kind))
                    break
        return found

    def learn(self, values: Iterable[tuple[str, str]]) -> None:
        """Remember values and their types, those of them that may spread."""
        for secret, kind in values:
            if " " in secret or not secret.isascii() or not spreads(secret, _LEAST):
                continue
            key = self._salt()
            made = len(secret), _begin(secret[:_BEGIN], crc32(key)), _whole(secret, key), kind
            if (made[0], made[2]) not in self._held and self._add(made):
                self._keep(made)

    def _refresh(self) -> None:
        for one in self._load():
            self._add(one)

    def _add(self, one: Print) -> bool:
        length, begin, whole, kind = one
        lengths = self._by_begin.setdefault(begin, set())
        if length not in lengths and len(lengths) >= _MOST_AT_ONCE:
            return False
        if len(self._held) >= _MOST:
            self._held.pop(next(iter(self._held)))
        self.learned += (length, whole) not in self._held
        self._held[length, whole] = kind
        lengths.add(length)
        return True


def _begin(letters: str, salted: int) -> int:
    return crc32(letters.encode("utf-8", "replace"), salted) & 0xFFF


def _whole(secret: str, key: bytes) -> str:
    from hashlib import blake2b

    return blake2b(
        secret.encode("utf-8", "surrogatepass"), key=key[:64], digest_size=8, person=b"known"
    ).hexdigest()


def outside_masks(text: str, found: list[Sighting]) -> list[Sighting]:
    """Those sightings that do not begin inside a mask."""
    if not found or "[secret:" not in text:
        return found
    is_inside = masked_places(text)
    return [one for one in found if not is_inside(one.start)]
