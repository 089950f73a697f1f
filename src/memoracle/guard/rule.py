"""The words of masking: a rule, what it saw, a text without its secrets; and where the rules come from.

Rules are data, in `rules/*.toml`. A pattern in code is compiled when it is first used: most texts need few of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from memoracle.model.value import value
from memoracle.tables import table

Span = tuple[int, int]
Found = tuple[int, int, str, str]
"""Where something stands, by which rule, of which type."""
Check = Callable[[str, re.Match[str]], Span | None]
"""Where exactly the secret stands, given the text and a match; None when it is none after all."""

FOLDER = os.path.join(os.path.dirname(__file__), "rules")
CHECKS: dict[str, Check] = {}
"""Every check that a rule can name."""


@value
class GuardRule:
    """How one sort of secret looks.

    `literals` are the prefilter: without one of them in the text, and one of `also` if there are any, the
    pattern is not tried. A `folded` rule sees the text in lower case, which has the same length. A pattern
    without a check means its first group, or all of it.
    """

    name: str
    type: str
    pattern: str
    literals: tuple[str, ...]
    check: Check | None = None
    folded: bool = False
    also: tuple[str, ...] = ()


@value
class Sighting:
    """One secret was seen: by which rule, of which type, where in the text. Never its value."""

    rule: str
    type: str
    start: int
    end: int
    fingerprint: str = ""


@value
class Masked:
    """A text without its secrets, and what stood there."""

    text: str
    found: tuple[Sighting, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        """The types that were found, each once, in alphabetical order."""
        return tuple(sorted({sighting.type for sighting in self.found}))


class GuardPattern:
    """A regular expression that is compiled when it is first asked for something."""

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[str]]
    sub: Callable[..., str]
    split: Callable[..., list[str]]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in GuardPattern.__annotations__:
            raise AttributeError(name)
        made = re.compile(self.pattern, self._flags)
        for one in GuardPattern.__annotations__:
            setattr(self, one, getattr(made, one))
        return getattr(self, name)


def joined(spans: Iterable[Span], within: int) -> list[Span]:
    """Spans in ascending order; those that lie less than `within` apart as one."""
    made: list[Span] = []
    for start, end in spans:
        if made and start - made[-1][1] < within:
            made[-1] = made[-1][0], max(made[-1][1], end)
        else:
            made.append((start, end))
    return made


compiled = cache(re.compile)
"""A pattern that a table holds, compiled once."""


Literals = tuple[tuple[str, ...], dict[str, list[str]]]
"""Literals that hold no other one; and by those the others, which are looked for only where the shorter one stands."""
_STEMS = ("kind", "kenn")
"""What several literals have in common."""


def by_shortest(literals: set[str]) -> Literals:
    """These literals, to be looked for together."""
    longer: dict[str, list[str]] = {}
    shortest: list[str] = []
    for one in sorted({*literals, *_STEMS}, key=lambda one: (len(one), one)):
        within = next((short for short in shortest if short in one), None)
        if within is None:
            shortest.append(one)
        else:
            longer.setdefault(within, []).append(one)
    return tuple(shortest), longer


def held_in(text: str, literals: Literals) -> set[str]:
    """Those of the literals that stand in a text."""
    shortest, longer = literals
    found = {*filter(text.__contains__, shortest)}
    for one in [*found & longer.keys()]:
        found.update(filter(text.__contains__, longer[one]))
    return found


def rules(name: str) -> dict[str, Any]:
    """One table of rules."""
    return table(os.path.join(FOLDER, f"{name}.toml"))


@cache
def words(name: str) -> frozenset[str]:
    """One list of `rules/words.toml`."""
    return frozenset(rules("words")[name].split())


def check(function: Check) -> Check:
    """Mark a function as a check that rules can name."""
    CHECKS[function.__name__] = function
    return function


# Is this value a secret? Placeholders, plain words and names in code are not.

_HOLES = GuardPattern(
    r"""\[secret:|^<|<[^>]*>$|^\$[A-Za-z_(]|\$\{|\{\{|\{[A-Za-z_]*\}|^%[A-Za-z_]+%$|^![a-z]+\b|%\(?[sd]|\.\.\.|…|\*{3,}|•{3,}|x{4}|X{4}"""
)
# How generated pages name records, with or without what stands before an id; the first letters are the year's.
_OWN_ID = GuardPattern(r"(?:mem_|op_|w_)?0[012][0-9A-HJKMNP-TV-Z]{24}|[fbs]_20[0-9]{6}_[0-9a-f]{6}")
_FILLERS = GuardPattern(
    r"(?i)x{5}|EXAMPLE|(?:akia|asia)fake|not[-_]a[-_]real|\*{3}|\.\.\.|…|your[-_]|[-_]here|placeholder|redacted|insert[-_]"
)
_STANDARDS = GuardPattern(
    r"(?:hmac-?)?(?:sha-?\d{1,3}|md5|argon2(?:id?)?|bcrypt|scrypt|pbkdf2|oauth2?|base64|utf-?8|aes-?\d*|rsa-?\d*|ed25519|x509"
    r"|2fa|v\d+|http/?\d|level\d|step\d)\W*",
    re.IGNORECASE,
)
_NAME_IN_CODE = GuardPattern(r"[A-Za-z_][A-Za-z_]*\d{0,2}(?:[._][A-Za-z_]+\d{0,2})*\W*")
_CODE = GuardPattern(r"[A-Za-z_][\w.]*[\[(]")
_VOWELS = GuardPattern(r"[aeiouyAEIOUY]")
_WORD_EDGE = GuardPattern(r"[^A-Za-z0-9]+")
_CONSONANTS = GuardPattern(r"[bcdfghjklmnpqrstvwxz]{5}|[BCDFGHJKLMNPQRSTVWXZ]{5}")
_TURNS = GuardPattern(r"(?=[a-z][A-Z]|[A-Z][a-z]|[0-9][A-Za-z]|[A-Za-z][0-9])")
_HARD = GuardPattern(
    r"(?!nstr|ngth|ghts)[bcdfghjklmnpqrstvwxz]{4}|q[^u]|[jv][bcdfghjklmnpqrstvwxz]|x[bdfghjklmnqrsvwz]",
    re.IGNORECASE,
)
_DIGITS_TWICE = GuardPattern(r"[0-9][A-Za-z]{1,7}[0-9]")
_ALPHABET = GuardPattern(
    "abcd|" + "|".join("abcdefghijklmnopqrstuvwxyz"[place : place + 5] for place in range(1, 22)),
    re.IGNORECASE,
)
_PIECES = GuardPattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SECRET_WORD = GuardPattern(
    r"password|passwd|secret|token|credential|(?:^|[_\-. ])(?:key|hash|pass|pwd|auth)(?:$|[_\-. ])"
)
_PATTERN = GuardPattern(
    r"\[[^\]\n]{0,40}[a-z0-9]-[a-z0-9][^\]\n]{0,40}\]|\\[dwsbS]|\(\?[:P<i!=]|\.\*|\[\^[^\]]{1,20}\]|\{\d+,?\d*\}$"
)
_REFERENCE = GuardPattern(r"[a-z][a-z0-9+.-]{1,12}:/")
_EXPRESSION = GuardPattern(
    r"[$@]?[A-Za-z_][\w$]*(?:(?:\?\.|!?\.|->|::)[A-Za-z_$][\w$]*|\[[^\]]{0,40}\])+[!?;,)\]]*"
)
_CONSTANT = GuardPattern(r"0x[0-9a-fA-F]{1,10}[;,)]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_BENDS = ("ed", "ing", "able", "ible", "ly", "ful", "less")


def is_placeholder(value: str) -> bool:
    """True for what stands where a secret would: `<your-key>`, `****`, `$TOKEN`, `xxxx`, a mask or an id of ours."""
    if len(set(value.removeprefix("-"))) <= 2 or _OWN_ID.fullmatch(value):
        return True
    begin = value[:200]
    folded = begin.lower()
    holes, ends = _holes()
    if any(map(folded.__contains__, holes)) or folded.removesuffix("\n").endswith(ends):
        return True
    return _HOLES.search(begin) is not None


@cache
def _holes() -> tuple[list[str], tuple[str, ...]]:
    return rules("words")["holes"], tuple(rules("words")["hole_ends"])


def is_filler(token: str) -> bool:
    """True for a token that only shows what one looks like: `ghp_xxxx…`, `sk-your-key-here`."""
    return len(set(token[-12:])) <= 2 or _FILLERS.search(token) is not None


def is_random(body: str) -> bool:
    """True for letters that no word, name or path is made of."""
    parts = _WORD_EDGE.split(body)
    longest = max(parts, key=len)
    if len(longest) < 8 and not (len(parts) > 3 and sum(map(str.isalpha, parts)) <= len(parts) // 3):
        return False
    if sum(map(str.isdigit, body)) >= 2 and any(
        len(part) >= 6 and not part.isalpha() and not part.isdigit() for part in parts
    ):
        return True
    if body.replace("-", "").replace(":", "").isdigit():
        return True
    letters = sum(map(str.isalpha, body))
    if len(_TURNS.findall(longest)) * 14 >= len(longest) * 5 and len(longest) >= 10:
        return True
    return bool(_CONSONANTS.search(body)) or len(_VOWELS.findall(body)) * 5 < letters


def is_of_words(value: str) -> bool:
    """True for a name in a program: its letters stand in pieces that can be said aloud; the alphabet is no word."""
    if _DIGITS_TWICE.search(value) or _ALPHABET.search(value):
        return False
    pieces = _PIECES.findall(value)
    letters = sum(map(len, pieces))
    spoken = sum(
        len(piece)
        for piece in pieces
        if len(piece) >= 2
        and (
            piece.lower() in words("spelled")
            or (len(_VOWELS.findall(piece)) * 6 >= len(piece) and not _HARD.search(piece))
        )
    )
    return spoken * 10 >= letters * 8 and letters * 2 >= len(pieces) * 7


def is_plain_word(value: str) -> bool:
    """True for what people write behind “the password is”: `required`, `wrong`, `SHA-256`."""
    word = value.strip(".,;:!?()'\"").lower()
    if word in words("prose") or _STANDARDS.fullmatch(word):
        return True
    return word.isalpha() and word.isascii() and word.endswith(_BENDS)


def is_of_code(value: str) -> bool:
    """True for what stands where a value would in a program: a pattern, a constant's name, a path, an expression."""
    if _PATTERN.search(value) or _CONSTANT.fullmatch(value):
        return True
    if value.startswith("/") and value.count("/") > 1 and not value.endswith("="):
        return True
    if _REFERENCE.match(value) and "@" not in value:
        return True
    if not _EXPRESSION.fullmatch(value):
        return False
    return any(sign in value for sign in ("?.", "::", "->")) or _names_itself(value)


def _names_itself(value: str) -> bool:
    """True for words that only say what would stand there: `delete_branch_password`, `fakehashedsecret`."""
    folded = value.lower()
    return _SECRET_WORD.search(folded) is not None and re.sub(r"[\s_.\-?!\[\]\"'()+]", "", folded).isalpha()


def is_strong(value: str, least: int = 8) -> bool:
    """Letters and digits together, or signs among them, and enough of them: no word of a sentence."""
    if len(value) < least or is_placeholder(value) or is_plain_word(value):
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def is_key(value: str, *, quoted: bool) -> bool:
    """Strong, and not the name of something in a program."""
    if " " in value or is_of_code(value):
        return False
    if not is_strong(value):
        return quoted and is_scrambled(value)
    if quoted:
        return not is_of_words(value) or _digits(value) > 2
    is_name = _NAME_IN_CODE.fullmatch(value) is not None and len(value) < 32 and _digits(value) < 3
    return not is_name and _CODE.match(value) is None and not is_of_words(value)


def is_password(value: str, *, quoted: bool, ends: bool) -> bool:
    """Anything of four characters that is neither a placeholder, nor a word of prose, nor a name in code.

    `ends` says that nothing follows on the line: then even a plain word may be meant as the password.
    """
    if len(value) < 4 or is_placeholder(value) or is_plain_word(value) or is_of_code(value):
        return False
    if _names_itself(value):
        return False
    if quoted:
        return " " not in value
    if value.startswith(("/", "./", "~/", "../")) or _CODE.match(value):
        return False
    if (
        _digits(value)
        or not value.replace("_", "").replace(".", "").replace("-", "").replace("'", "").isalpha()
    ):
        return True
    return ends and value.isalpha() and value.isascii()


def is_scrambled(value: str) -> bool:
    """True for letters alone that turn from small to capital as in no name: `hfCnuVcYOgiRjlDEmAoRbN`."""
    if len(value) < 16 or not value.isalpha() or not value.isascii() or is_placeholder(value):
        return False
    turns = sum(one.isupper() != two.isupper() for one, two in pairwise(value))
    return turns * 4 >= len(value) and not is_of_words(value)


def _digits(value: str) -> int:
    return sum(char.isdigit() for char in value)
