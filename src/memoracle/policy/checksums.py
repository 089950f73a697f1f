"""Numbers that prove themselves: cards, bank accounts, identity numbers.

Pure arithmetic on digits and letters; where such a number stands in a text is somebody else's question.
"""

from __future__ import annotations

from functools import cache

_CN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CN_CHECKS = "10X98765432"
_CN_PROVINCES = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65"
    " 71 81 82 83".split()
)
_ITIN_GROUPS = frozenset((*range(50, 66), *range(70, 89), *range(90, 93), *range(94, 100)))
# country and length, as the registry of account numbers gives them
_IBAN_LENGTHS = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20"
    " EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27"
    " JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18"
    " NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28"
    " TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
)


def is_luhn(digits: str) -> bool:
    """True when the last digit is the one that the others ask for."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit)
        if place % 2:
            number = number * 2 - 9 if number > 4 else number * 2
        total += number
    return total % 10 == 0


def is_iban(account: str) -> bool:
    """True for an account number without blanks: right length for its country, remainder 1."""
    if iban_length(account[:2]) != len(account):
        return False
    turned = account[4:] + account[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def iban_length(country: str) -> int:
    """How long an account number of this country is; 0 for a country without any."""
    return _lengths().get(country, 0)


def is_card(digits: str) -> bool:
    """True for a number that an issuer of payment cards could have given out."""
    return len(set(digits)) > 1 and len(digits) in _card_lengths(digits) and is_luhn(digits)


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
        province in _CN_PROVINCES
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
def _lengths() -> dict[str, int]:
    return {entry[:2]: int(entry[2:]) for entry in _IBAN_LENGTHS.split()}
