"""`mask`: a text without its secrets, in one linear scan.

Most texts hold no trigger and cost a few microseconds. A secret is replaced by `[secret:TYPE:FINGERPRINT]`; the
fingerprint is keyed with a salt of the root, so equal secrets look equal and nobody can guess them from it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from memoracle.guard.hidden import is_disguised, placed, undisguised
from memoracle.guard.known import KnownSecrets, again
from memoracle.guard.modes import PERSONAL, Blocked, Policy, PolicyMode
from memoracle.guard.rule import (
    CHECKS,
    Found,
    GuardPattern,
    GuardRule,
    Masked,
    Sighting,
    Span,
    check,
    compiled,
    is_filler,
    is_key,
    is_of_words,
    is_password,
    is_placeholder,
    is_random,
    rules,
)

Salt = Callable[[], bytes]
"""Gives the root's salt; asked only when there is something to hide."""

# One pass over the words; a token is a run of at least fourteen letters and signs.
_HAS_RUN = GuardPattern(r"[^!-~]*+(?:[!-~]{1,13}+[^!-~]++)*+[!-~]{14}")
_RUNS = GuardPattern(r"[!-~]{14,}+")
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
_SOLID = 18  # longer than words that follow a prefix in a name
_DIGESTS = frozenset(f"sha{bits}{sign}" for bits in (256, 384, 512) for sign in "=:-")
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def mask(text: str, salt: Salt, *, keep_lines: bool = False, known: KnownSecrets | None = None) -> Masked:
    """The text without its secrets. With `keep_lines` every line keeps its number.

    A value that is recognised once is masked wherever it is mentioned: in this text, and, with `known`, in every
    text that is masked after it.
    """
    spans = _spans(text)
    if is_disguised(text):
        read, places = undisguised(text)
        spans = [*spans, *placed(_spans(read), places)]
    if spans and "[secret:" in text:
        is_inside = masked_places(text)
        spans = [span for span in spans if not is_inside(span[0])]
    if spans:
        if known:
            known.learn((text[start:end], kind) for start, end, _, kind in spans)
        spans = [*spans, *again(text, spans)]
    if known:
        spans = [*spans, *known.spans(text)]
    return _replaced(text, spans, salt, keep_lines=keep_lines) if spans else Masked(text=text)


def _spans(text: str) -> list[Found]:
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
    named = _credential_rules()[0 if has_trigger else 1]
    return [*(_tokens(text, runs) if runs else ()), *_named(text, folded, named)]


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


def _runs(text: str) -> list[Span]:
    """The long runs of a text that no word is: with a digit, a capital behind a small letter, or twenty of these."""
    return [run.span() for run in _RUNS.finditer(text) if _MIXTURE.search(text, *run.span())]


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


def _named(text: str, folded: str, rules: tuple[GuardRule, ...]) -> Iterator[Found]:
    """Where values stand that a word or a sign beside them gives away."""
    for rule in rules:
        seen = folded if rule.folded else text
        if _holds(seen, rule.literals):
            for start, end in _sight(rule, text, seen, 0, len(text)):
                yield start, end, rule.name, rule.type


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
            place = _after(match)


def _after(match: re.Match[str]) -> int:
    start = match.start()
    inner = [match.start(group) for group in range(1, match.re.groups + 1) if match.start(group) > start]
    return max(inner) if inner else match.end() if match.end() > start else start + 1


def _replaced(text: str, spans: list[Found], salt: Salt, *, keep_lines: bool) -> Masked:
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


def _folded(text: str) -> str:
    """The text in lower case, every character where it was."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(char.lower()[:1] for char in text)


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
    name, prefix, letters, least = row
    # A prefix that is long or holds a sign of its own is telling wherever it stands.
    edge = "" if len(prefix) >= 5 and not prefix.isalnum() else _EDGE
    pattern = rf"{edge}{re.escape(prefix)}([{letters}]{{{least},}}+)"
    return GuardRule(name=f"{name}:{prefix}", type=name, pattern=pattern, literals=(prefix,), check=_is_token)


@cache
def _credential_rules() -> tuple[tuple[GuardRule, ...], tuple[GuardRule, ...]]:
    """Rules that need a word for passwords or keys, and those that a long run of letters and signs may do for."""
    from memoracle.guard import formats, passwords  # noqa: F401 - the checks that rules name

    held = rules("credentials")
    in_runs = tuple(map(_rule, held["run"]))
    return (*map(_rule, held["rule"]), *in_runs), in_runs


def _rule(row: dict[str, Any]) -> GuardRule:
    looks = CHECKS[row["check"]] if "check" in row else None
    return GuardRule(
        name=row["name"],
        type=row["type"],
        pattern=row["pattern"],
        literals=tuple(row["literals"]),
        check=looks,
        folded=row.get("folded", False),
    )


def _is_token(text: str, match: re.Match[str]) -> Span | None:
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


# `Masking`: one text after the other without what the policy keeps out of files.


class Masking:
    """What is masked under one policy."""

    def __init__(
        self,
        salt: Salt,
        policy: Policy | None = None,
        blocked: tuple[Blocked, ...] = (),
        known: KnownSecrets | None = None,
    ) -> None:
        self.salt = salt
        self._known = known
        self._blocked = blocked
        chosen = policy or Policy()
        self._personal = frozenset(kind for kind in PERSONAL if chosen.mode(kind) is not PolicyMode.ALLOW)

    @property
    def is_plain(self) -> bool:
        """True when secrets are all that is looked for."""
        return not self._personal and not self._blocked

    def learned(self) -> int:
        """How many secrets were recognised so far: a text may be masked otherwise once this has grown."""
        return self._known.learned if self._known else 0

    def text(self, text: str, *, keep_lines: bool = False) -> Masked:
        """The text without it. With `keep_lines` every line keeps its number."""
        hidden = mask(text, self.salt, keep_lines=keep_lines, known=self._known)
        return hidden if self.is_plain else self._more(text, hidden, keep_lines=keep_lines)

    def named(self, name: str, text: str) -> Masked:
        """The value of something with a name, masked when the name says that it is a secret."""
        hidden = mask_named(name, text, self.salt, known=self._known)
        return hidden if self.is_plain else self._more(text, hidden, keep_lines=False)

    def whole(self, text: str) -> Masked:
        """A text of which only its place says that it is a secret: nothing of it is left but a placeholder's words."""
        hidden = self.text(text)
        if is_placeholder(text) or [(one.start, one.end) for one in hidden.found] == [(0, len(text))]:
            return hidden
        every = Sighting(rule="named", type="api-key", start=0, end=len(text), fingerprint="")
        return _replaced_masking(text, [every], self.salt(), keep_lines=False)

    def _more(self, text: str, hidden: Masked, *, keep_lines: bool) -> Masked:
        extra = outside_masks(text, [*self._persons(text), *self._phrases(text)])
        if not extra:
            return hidden
        return _replaced_masking(text, [*hidden.found, *extra], self.salt(), keep_lines=keep_lines)

    def _phrases(self, text: str) -> tuple[Sighting, ...]:
        if not self._blocked:
            return ()
        from memoracle.guard.blocklist import find_blocked

        return find_blocked(text, self._blocked)

    def _persons(self, text: str) -> tuple[Sighting, ...]:
        if not self._personal:
            return ()
        from memoracle.guard.personal import find_personal

        return tuple(one for one in find_personal(text) if one.type in self._personal)


def outside_masks(text: str, found: list[Sighting]) -> list[Sighting]:
    """Those sightings that do not begin inside a mask."""
    if not found or "[secret:" not in text:
        return found
    is_inside = masked_places(text)
    return [one for one in found if not is_inside(one.start)]


def _replaced_masking(text: str, found: list[Sighting], salt: bytes, *, keep_lines: bool) -> Masked:
    pieces: list[str] = []
    seen: list[Sighting] = []
    place = 0
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        start, end = max(one.start, place), max(one.end, place)
        if end <= place and seen:
            continue
        value = text[start:end]
        print_ = fingerprint(value, salt)
        pieces += [
            text[place:start],
            f"[secret:{one.type}:{print_}]",
            "\n" * value.count("\n") if keep_lines else "",
        ]
        seen.append(Sighting(rule=one.rule, type=one.type, start=start, end=end, fingerprint=print_))
        place = end
    return Masked(text="".join([*pieces, text[place:]]), found=tuple(seen))
