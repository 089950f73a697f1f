"""Personal data: telephone numbers, mail addresses, identity numbers, cards, bank accounts.

Says where they stand and of which type; what happens to them is a matter of policy. What has a checksum must
satisfy it, what has none must be written as people write it or stand behind a word that names it. Each text is
read once, in time that grows with its length; digits may be full-width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.model.value import replace
from memoracle.policy.checksums import (
    iban_length,
    is_american_id,
    is_card,
    is_chinese_id,
    is_iban,
    is_old_chinese_id,
)
from memoracle.policy.disguised import is_disguised, undisguised
from memoracle.policy.rule import Sighting, Span
from memoracle.policy.telephones import is_telephone

TYPES = ("phone", "mail", "id-cn", "id-us", "card", "iban")

_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20, 0x202F: 0x20}
_NARROW |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), 0x2D)
_MAY_HOLD = re.compile(r"@|[0-9](?:[^0-9]{0,3}+[0-9]){6}")
# Digits with at most three signs between two of them; letters before them make a name of it, or a hash.
_CLUSTER = re.compile(
    r"(?<![A-Za-z0-9_])(?<![0-9a-fA-F_][-.])(?<![0-9],)\+?\(?(?:\+?[0-9])(?:[ \-./()]{0,3}+[0-9])*+[Xx]?(?![A-Za-z0-9_])"  # noqa: E501 - one pattern
)
_GROUP = re.compile(r"[0-9]+[Xx]?")
_MAIL_BEFORE = re.compile(r"[A-Za-z0-9._%+\-'&]{1,64}\Z")
_MAIL_AFTER = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}(?P<top>[A-Za-z]{2,24})(?![A-Za-z0-9@])"
)
_NO_DOMAIN = frozenset("png jpg jpeg gif svg webp css js ts py json html md txt lock map".split())
_ACCOUNT = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ \-]?[A-Z0-9]){11,30}")
_LONGEST_CLUSTER = 400
_LOOK_BACK = 40
_ABOUT_ID = re.compile(r"身份证|证件|身分證|\bid\b|identity|identification|citizen")
_ABOUT_SSN = re.compile(r"\bssn\b|social.?security|\bitin\b|taxpayer|社会安全|社保号")
_ABOUT_CARD = re.compile(r"card|visa|master|amex|卡号|卡片|银行卡|信用卡|储蓄卡|卡號|debit|credit")


def find_personal(text: str) -> tuple[Sighting, ...]:
    """Everything of the kinds in TYPES, in the order of the text, without overlaps and without fingerprints."""
    if is_disguised(text):
        read, places = undisguised(text)
        return tuple(
            replace(one, start=places[one.start], end=places[one.end - 1] + 1) for one in find_personal(read)
        )
    narrow = text if text.isascii() else text.translate(_NARROW)
    if not _MAY_HOLD.search(narrow):
        return ()
    found = sorted({*_mails(narrow), *_accounts(narrow)}, key=_place)
    taken = [(start, end) for start, end, _ in found]
    found += [one for one in _numbers(narrow) if not _overlaps(one, taken)]
    return tuple(
        Sighting(rule=f"personal:{kind}", type=kind, start=start, end=end, fingerprint="")
        for start, end, kind in sorted(found, key=_place)
    )


_Found = tuple[int, int, str]


def _place(found: _Found) -> tuple[int, int]:
    return found[0], found[1]


def _overlaps(one: _Found, taken: list[Span]) -> bool:
    from bisect import bisect_right

    after = bisect_right(taken, (one[0], one[1]))
    return any(start < one[1] and one[0] < end for start, end in taken[max(0, after - 1) : after + 1])


def _mails(text: str) -> Iterator[_Found]:
    place = text.find("@")
    while place >= 0:
        before = _MAIL_BEFORE.search(text, max(0, place - 64), place)
        after = _MAIL_AFTER.match(text, place + 1, place + 256)
        if before and after and _is_mail(text, before, after):
            start = before.start() + len(before[0]) - len(before[0].lstrip(".-'&%+"))
            if start < place:
                yield start, after.end(), "mail"
        place = text.find("@", place + 1)


def _is_mail(text: str, before: re.Match[str], after: re.Match[str]) -> bool:
    """Not `git@host:path`, not the password of `scheme://user:password@host`, not `image@2x.png`."""
    if after["top"].lower() in _NO_DOMAIN:
        return False
    if before[0] == "git" and text[after.end() : after.end() + 1] in {":", "/"}:
        return False
    return not re.search(r"://[^\s@]{0,80}\Z", text[max(0, before.start() - 84) : before.start()])


def _accounts(text: str) -> Iterator[_Found]:
    for match in _ACCOUNT.finditer(text):
        length, letters = iban_length(match[0][:2]), 0
        if not length:
            continue
        for offset, char in enumerate(match[0]):
            letters += char.isalnum()
            if letters == length:
                end = match.start() + offset + 1
                account = match[0][: offset + 1].replace(" ", "").replace("-", "")
                if is_iban(account) and not text[end : end + 1].isalnum():
                    yield match.start(), end, "iban"
                break


def _numbers(text: str) -> Iterator[_Found]:
    """What the clusters of digits are: one number each, or several with a blank between them."""
    for match in _CLUSTER.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()].lower()
        start, end = match.span()
        if kind := _kind(match[0], before):
            yield start, end, kind
        elif end - start <= _LONGEST_CLUSTER:
            yield from _parts(text, start, end, before)


def _parts(text: str, start: int, end: int, before: str) -> Iterator[_Found]:
    """The longest piece first that is something, from one group of digits to another."""
    groups = [group.span() for group in _GROUP.finditer(text, start, end)]
    place = 0
    while place < len(groups):
        for last in range(min(len(groups), place + 6) - 1, place - 1, -1):
            if last == len(groups) - 1 and place == 0:
                continue
            begin, stop = groups[place][0], groups[last][1]
            if (stop < end and text[stop] in ".-/") or (begin > start and text[begin - 1] in "./"):
                continue
            begin -= begin > start and text[begin - 1] in "+("
            if begin > start and text[begin - 1] == "+":
                begin -= 1
            if kind := _kind(text[begin:stop], before):
                yield begin, stop, kind
                place = last
                break
        place += 1


def _kind(written: str, before: str) -> str:
    """The type of one number as it is written, behind these words; empty for none."""
    digits = "".join(char for char in written if char.isdigit())
    length = len(digits)
    has_x = written[-1:] in {"x", "X"}
    if not 7 <= length <= 19 or ("/" in written and length != 18):
        return ""
    if length + has_x == 18 and is_chinese_id(digits + "X" * has_x) and "." not in written:
        return "id-cn"
    if has_x:
        return ""
    if 12 <= length <= 19 and "." not in written and "(" not in written and _is_card(written, digits, before):
        return "card"
    if length == 15 and digits == written and _ABOUT_ID.search(before) and is_old_chinese_id(digits):
        return "id-cn"
    if length == 9 and is_american_id(digits):
        is_written = re.fullmatch(r"[0-9]{3}([- ])[0-9]{2}\1[0-9]{4}", written) is not None
        if is_written or (digits == written and _ABOUT_SSN.search(before)):
            return "id-us"
    return "phone" if is_telephone(written, digits, before) else ""


def _is_card(written: str, digits: str, before: str) -> bool:
    """In groups of four, as issuers print it, or in one; odd lengths only behind a word that says so."""
    if not is_card(digits):
        return False
    if _ABOUT_CARD.search(before):
        return True
    groups = re.split(r"[ -]+", written)
    if len(groups) == 1:
        return len(digits) in {14, 15, 16} or (len(digits) == 19 and digits[:2] == "62")
    return all(len(group) >= 3 for group in groups) and len(groups) <= 5
