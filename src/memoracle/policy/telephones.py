"""Telephone numbers: international, Chinese, American, and any other behind a word that says so.

Works on a number as it is written, its digits and the words before it; never on a whole text.
"""

from __future__ import annotations

import re

_ABOUT = re.compile(
    r"phone|\btel\b|\bcell|mobile|\bcall|\bfax\b|whatsapp|\btext (?:me|him|her|us|them)|contact number|dial|\bsms\b"
    r"|reach (?:me|him|her|us|them)|电话|手机|座机|联系方式|致电|拨打|電話|手機|传真|号码|微信"
)
_COUNTRIES = frozenset(
    "1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82"
    " 84 86 90 91 92 93 94 95 98 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234"
    " 235 236 237 238 239 240 241 242 243 244 245 246 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263"
    " 264 265 266 267 268 269 290 291 297 298 299 350 351 352 353 354 355 356 357 358 359 370 371 372 373 374 375"
    " 376 377 378 380 381 382 383 385 386 387 389 420 421 423 500 501 502 503 504 505 506 507 508 509 590 591 592"
    " 593 594 595 596 597 598 599 670 672 673 674 675 676 677 678 679 680 681 682 683 685 686 687 688 689 690 691"
    " 692 800 850 852 853 855 856 870 880 886 960 961 962 963 964 965 966 967 968 970 971 972 973 974 975 976 977"
    " 992 993 994 995 996 998".split()
)
_AMERICAN = re.compile(
    r"(?:(?:1|001)[-. ]?)?(?:\([2-9][0-9]{2}\)[-. ]{0,2}|[2-9][0-9]{2}[-. ])[2-9][0-9]{2}[-. ][0-9]{4}"
)
_MOBILE = re.compile(r"(?:\+?\(?(?:0086|86)\)?[- ]?)?1[3-9][0-9]([- ]?)[0-9]{4}\1[0-9]{4}")
_LANDLINE = re.compile(
    r"(?:\((?:010|02[0-9]|0[3-9][0-9]{2})\)[- ]?|(?:010|02[0-9]|0[3-9][0-9]{2})[- ])[2-8][0-9]{2,3}[- ]?[0-9]{4}"
)
_SERVICE = re.compile(r"[48]00[- ][0-9]{3,4}[- ][0-9]{3,4}")
_DATE = re.compile(
    r"(?:19|20)[0-9]{2}[-./][0-9]{1,2}[-./][0-9]{1,2}(?![0-9])|[0-9]{1,2}[-./][0-9]{1,2}[-./](?:19|20)[0-9]{2}(?![0-9])"
)


def is_telephone(written: str, digits: str, before: str) -> bool:
    """True for a number that people would call, given what stands before it in lower case."""
    if len(set(digits)) <= 2 or _DATE.match(written):
        return False
    if written.lstrip("(").startswith("+"):
        return _is_international(digits)
    if _MOBILE.fullmatch(written) or _AMERICAN.fullmatch(written) or _LANDLINE.fullmatch(written):
        return True
    if not 7 <= len(digits) <= 15 or not _ABOUT.search(before):
        return False
    return bool(_SERVICE.fullmatch(written)) or len(digits) >= 8 or "-" in written


def _is_international(digits: str) -> bool:
    if digits.startswith("1"):
        return len(digits) == 11 and digits[1] in "23456789"
    if digits.startswith("86"):
        return bool(re.fullmatch(r"86(?:1[3-9][0-9]{9}|0?[1-9][0-9]{8,10})", digits))
    return 8 <= len(digits) <= 15 and not _COUNTRIES.isdisjoint((digits[:1], digits[:2], digits[:3]))
