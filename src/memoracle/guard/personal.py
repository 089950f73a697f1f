"""Personal data: telephone numbers, mail addresses, identity numbers, cards, bank accounts.

Says where they stand and of which type; what happens to them is a matter of policy. What has a checksum must
satisfy it, what has none must be written as people write it or stand behind a word that names it. Each text is
read once, in time that grows with its length; digits may be full-width.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

from memoracle.guard.hidden import is_disguised, undisguised
from memoracle.guard.rule import GuardPattern, Sighting, Span, rules
from memoracle.model.value import replace

_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20, 0x202F: 0x20}
_NARROW |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), 0x2D)
_MAY_HOLD = GuardPattern(r"@|[0-9](?:[^0-9]{0,3}+[0-9]){6}")
# Digits with at most three signs between two of them; letters before them make a name of it, or a hash.
_CLUSTER = GuardPattern(
    r"(?<![A-Za-z0-9_])(?<![0-9a-fA-F_][-.])(?<![0-9],)\+?\(?(?:\+?[0-9])(?:[ \-./()]{0,3}+[0-9])*+[Xx]?(?![A-Za-z0-9_])"  # noqa: E501 - one pattern
)
_GROUP = GuardPattern(r"[0-9]+[Xx]?")
_MAIL_BEFORE = GuardPattern(r"[A-Za-z0-9._%+\-'&]{1,64}\Z")
_MAIL_AFTER = GuardPattern(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}(?P<top>[A-Za-z]{2,24})(?![A-Za-z0-9@])"
)
_ACCOUNT = GuardPattern(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ \-]?[A-Z0-9]){11,30}")
_LONGEST_CLUSTER = 400
_LOOK_BACK = 40
_ABOUT_ID = GuardPattern(r"身份证|证件|身分證|\bid\b|identity|identification|citizen")
_ABOUT_SSN = GuardPattern(r"\bssn\b|social.?security|\bitin\b|taxpayer|社会安全|社保号")
_ABOUT_CARD = GuardPattern(r"card|visa|master|amex|卡号|卡片|银行卡|信用卡|储蓄卡|卡號|debit|credit")
_ABOUT_TELEPHONE = GuardPattern(
    r"phone|\btel\b|\bcell|mobile|\bcall|\bfax\b|whatsapp|\btext (?:me|him|her|us|them)|contact number|dial|\bsms\b"
    r"|reach (?:me|him|her|us|them)|电话|手机|座机|联系方式|致电|拨打|電話|手機|传真|号码|微信"
)
_AMERICAN = GuardPattern(
    r"(?:(?:1|001)[-. ]?)?(?:\([2-9][0-9]{2}\)[-. ]{0,2}|[2-9][0-9]{2}[-. ])[2-9][0-9]{2}[-. ][0-9]{4}"
)
_MOBILE = GuardPattern(r"(?:\+?\(?(?:0086|86)\)?[- ]?)?1[3-9][0-9]([- ]?)[0-9]{4}\1[0-9]{4}")
_LANDLINE = GuardPattern(
    r"(?:\((?:010|02[0-9]|0[3-9][0-9]{2})\)[- ]?|(?:010|02[0-9]|0[3-9][0-9]{2})[- ])[2-8][0-9]{2,3}[- ]?[0-9]{4}"
)
_SERVICE = GuardPattern(r"[48]00[- ][0-9]{3,4}[- ][0-9]{3,4}")
_DATE = GuardPattern(
    r"(?:19|20)[0-9]{2}[-./][0-9]{1,2}[-./][0-9]{1,2}(?![0-9])|[0-9]{1,2}[-./][0-9]{1,2}[-./](?:19|20)[0-9]{2}(?![0-9])"
)
_CN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CN_CHECKS = "10X98765432"
_ITIN_GROUPS = frozenset((*range(50, 66), *range(70, 89), *range(90, 93), *range(94, 100)))
_Found = tuple[int, int, str]


def find_personal(text: str) -> tuple[Sighting, ...]:
    """Everything of the classes in PERSONAL, in the order of the text, without overlaps and without fingerprints."""
    if is_disguised(text):
        read, places = undisguised(text)
        return tuple(
            replace(one, start=places[one.start], end=places[one.end - 1] + 1) for one in find_personal(read)
        )
    narrow = text if text.isascii() else text.translate(_NARROW)
    if not _MAY_HOLD.search(narrow):
        return ()
    found = sorted({*_mails(narrow), *_accounts(narrow)})
    taken = [(start, end) for start, end, _ in found]
    found += [one for one in _numbers(narrow) if not _overlaps(one, taken)]
    return tuple(
        Sighting(rule=f"personal:{kind}", type=kind, start=start, end=end)
        for start, end, kind in sorted(found)
    )


def _overlaps(one: _Found, taken: list[Span]) -> bool:
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
    if after["top"].lower() in _listed("no_domains"):
        return False
    if before[0] == "git" and text[after.end() : after.end() + 1] in {":", "/"}:
        return False
    return not re.search(r"://[^\s@]{0,80}\Z", text[max(0, before.start() - 84) : before.start()])


def _accounts(text: str) -> Iterator[_Found]:
    for match in _ACCOUNT.finditer(text):
        length, letters = _iban_lengths().get(match[0][:2], 0), 0
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
    if (
        12 <= length <= 19
        and "." not in written
        and "(" not in written
        and _is_written_card(written, digits, before)
    ):
        return "card"
    if length == 15 and digits == written and _ABOUT_ID.search(before) and is_old_chinese_id(digits):
        return "id-cn"
    if length == 9 and is_american_id(digits):
        is_written = re.fullmatch(r"[0-9]{3}([- ])[0-9]{2}\1[0-9]{4}", written) is not None
        if is_written or (digits == written and _ABOUT_SSN.search(before)):
            return "id-us"
    return "phone" if _is_telephone(written, digits, before) else ""


def _is_written_card(written: str, digits: str, before: str) -> bool:
    """In groups of four, as issuers print it, or in one; odd lengths only behind a word that says so."""
    if not is_card(digits):
        return False
    if _ABOUT_CARD.search(before):
        return True
    groups = re.split(r"[ -]+", written)
    if len(groups) == 1:
        return len(digits) in {14, 15, 16} or (len(digits) == 19 and digits[:2] == "62")
    return all(len(group) >= 3 for group in groups) and len(groups) <= 5


def _is_telephone(written: str, digits: str, before: str) -> bool:
    """True for a number that people would call, given what stands before it in lower case."""
    if len(set(digits)) <= 2 or _DATE.match(written):
        return False
    if written.lstrip("(").startswith("+"):
        if digits.startswith("1"):
            return len(digits) == 11 and digits[1] in "23456789"
        if digits.startswith("86"):
            return bool(re.fullmatch(r"86(?:1[3-9][0-9]{9}|0?[1-9][0-9]{8,10})", digits))
        codes = (digits[:1], digits[:2], digits[:3])
        return 8 <= len(digits) <= 15 and not _listed("countries").isdisjoint(codes)
    if _MOBILE.fullmatch(written) or _AMERICAN.fullmatch(written) or _LANDLINE.fullmatch(written):
        return True
    if not 7 <= len(digits) <= 15 or not _ABOUT_TELEPHONE.search(before):
        return False
    return bool(_SERVICE.fullmatch(written)) or len(digits) >= 8 or "-" in written


def is_iban(account: str) -> bool:
    """True for an account number without blanks: right length for its country, remainder 1."""
    if _iban_lengths().get(account[:2]) != len(account):
        return False
    turned = account[4:] + account[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def is_card(digits: str) -> bool:
    """True for a number that an issuer of payment cards could have given out: its last digit proves the others."""
    doubled = digits[-2::-2].translate(str.maketrans("0123456789", "0246813579"))
    is_proved = sum(map(int, digits[::-2] + doubled)) % 10 == 0
    return len(set(digits)) > 1 and len(digits) in _card_lengths(digits) and is_proved


def is_chinese_id(number: str) -> bool:
    """True for eighteen characters with a province, a day of birth and the right last one."""
    if len(number) != 18 or not number[:17].isdigit() or not _is_place_and_day(number[:2], number[6:14]):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(number, _CN_WEIGHTS, strict=False))
    return _CN_CHECKS[total % 11] == number[17].upper()


def is_old_chinese_id(number: str) -> bool:
    """True for fifteen digits with a province and a day of birth; nothing else proves them."""
    return len(number) == 15 and number.isdigit() and _is_place_and_day(number[:2], "19" + number[6:12])


def is_american_id(digits: str) -> bool:
    """True for a social security number that could be given out, or a taxpayer's number."""
    area, group, serial = int(digits[:3]), int(digits[3:5]), int(digits[5:])
    if area >= 900:
        return group in _ITIN_GROUPS
    return area not in {0, 666} and group > 0 and serial > 0


def _is_place_and_day(province: str, day: str) -> bool:
    year, month, of_month = int(day[:4]), int(day[4:6]), int(day[6:])
    days = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return (
        province in _listed("provinces")
        and 1900 <= year <= 2099
        and 1 <= month <= 12
        and 1 <= of_month <= days[month - 1]
    )


def _card_lengths(digits: str) -> tuple[int, ...]:
    two, three, four = int(digits[:2]), int(digits[:3]), int(digits[:4])
    if digits[0] == "4":
        return (13, 16, 19)
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return (16,)
    if two in {34, 37}:
        return (15,)
    if 300 <= three <= 305 or three == 309 or two in {36, 38, 39}:
        return (14, 16)
    if 3528 <= four <= 3589 or two == 62 or 2200 <= four <= 2204:
        return (16, 17, 18, 19)
    if four in {2131, 1800}:
        return (15,)
    if two in {50, 60, 65} or 56 <= two <= 58 or 61 <= two <= 69:
        return (12, 16, 19)
    return ()


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(rules("personal")[name].split())


@cache
def _iban_lengths() -> dict[str, int]:
    return {entry[:2]: int(entry[2:]) for entry in _listed("iban_lengths")}
