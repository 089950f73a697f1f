"""Secrets that were recognised once, wherever they are mentioned again: in the same text, and in later ones.

A name gives a value away once; the next mention has no name beside it. Within a text the values themselves are looked
for. From one text to the next only keyed fingerprints are held (length, a twelve-bit mark of how it begins, sixty-four
bits of the whole), and nothing else of them is ever kept. Common words and short numbers never spread:
“password: admin” does not hide every admin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from zlib import crc32

_Found = tuple[int, int, str, str]

_BEGIN = 6
_LEAST = 8
_LONGEST = 8192
_MOST = 512
_MOST_IN_TEXT = 2000
_MOST_AT_ONCE = 8
# Where a mention can begin: behind a blank or a sign, in a run of letters that is no plain word.
_RUN = re.compile(r"[!-~]{6,}+")
_MIXED = re.compile(r"[0-9]|[a-z][A-Z]|[!#$%&*+=?@^~]")
_EDGE = re.compile(r"(?<![A-Za-z0-9])[!-~]")
_CLASSES = tuple(map(re.compile, ("[a-z]", "[A-Z]", "[0-9]", r"[^A-Za-z0-9\s]")))
_TURN = re.compile(r"(?=[a-zA-Z][0-9]|[0-9][a-zA-Z]|[a-z][A-Z]|[A-Za-z0-9][^A-Za-z0-9\s])")


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


def again(text: str, spans: list[_Found]) -> list[_Found]:
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
        place = text.find(one)
        while place >= 0:
            found.append((place, place + len(one), *values[one]))
            place = text.find(one, place + len(one))
    return found


def _edges(text: str) -> Iterator[int]:
    for run in _RUN.finditer(text):
        if _MIXED.search(text, *run.span()):
            for edge in _EDGE.finditer(text, *run.span()):
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

    def spans(self, text: str) -> list[_Found]:
        """Where values stand that were recognised before."""
        self._refresh()
        if not self._held:
            return []
        key = self._salt()
        found = []
        for place in _edges(text):
            lengths = self._by_begin.get(_begin(text[place : place + _BEGIN], key))
            for length in lengths or ():
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
            made = len(secret), _begin(secret[:_BEGIN], key), _whole(secret, key), kind
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


def _begin(letters: str, key: bytes) -> int:
    return crc32(letters.encode("utf-8", "replace"), crc32(key)) & 0xFFF


def _whole(secret: str, key: bytes) -> str:
    from hashlib import blake2b

    return blake2b(
        secret.encode("utf-8", "surrogatepass"), key=key[:64], digest_size=8, person=b"known"
    ).hexdigest()
