"""Where personal data stands in a text, and what only looks like it."""

from itertools import pairwise

import pytest

from memoracle.guard.modes import PERSONAL
from memoracle.guard.personal import find_personal, is_card, is_chinese_id, is_iban


def seen(text):
    return [(one.type, text[one.start : one.end]) for one in find_personal(text)]


def a_chinese_id(body="11010519491231002"):
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return body + "10X98765432"[sum(int(one) * two for one, two in zip(body, weights, strict=True)) % 11]


def wide(text):
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


@pytest.mark.seed("S1.226")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "call me at (212) 555-0123 or 212.555.0199",
            [("phone", "(212) 555-0123"), ("phone", "212.555.0199")],
        ),
        ("my number is +1 415 555 2671", [("phone", "+1 415 555 2671")]),
        ("London: +44 20 7946 0958.", [("phone", "+44 20 7946 0958")]),
        ("手机13812345678，座机010-65529988", [("phone", "13812345678"), ("phone", "010-65529988")]),
        ("打 +86 138 1234 5678 找我", [("phone", "+86 138 1234 5678")]),
        ("mobile: 06 12 34 56 78", [("phone", "06 12 34 56 78")]),
        ("write to mei.lin+news@example.co.uk today", [("mail", "mei.lin+news@example.co.uk")]),
        ("邮箱是mei@qq.com谢谢", [("mail", "mei@qq.com")]),
        (f"身份证{a_chinese_id()}", [("id-cn", a_chinese_id())]),
        ("身份证号 110105491231002", [("id-cn", "110105491231002")]),
        ("my SSN is 219-09-9998", [("id-us", "219-09-9998")]),
        ("social security number 219099998", [("id-us", "219099998")]),
        ("card 4111 1111 1111 1111 exp 12/27", [("card", "4111 1111 1111 1111")]),
        ("amex 378282246310005", [("card", "378282246310005")]),
        ("IBAN GB82 WEST 1234 5698 7654 32, thanks", [("iban", "GB82 WEST 1234 5698 7654 32")]),
        ("DE89370400440532013000", [("iban", "DE89370400440532013000")]),
    ],
)
def test_personal_data_is_seen(text, found):
    """Each kind as people write it, in both languages."""
    assert seen(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 at 1700000000",
        "id 550e8400-e29b-41d4-a716-446655440000, ip 192.168.100.200",
        "on 2024-01-15 10:30:22 and 15.01.2024",
        "pi is 3.14159265358979, and 1,234,567,890 people",
        "order 1234567890123, build 20240115103022",
        "git@github.com:mei/app.git and image@2x.png",
        "postgres://mei:pw@db.example.com/app",
        "card 4111 1111 1111 1112",
        f"身份证{a_chinese_id()[:-1]}{'0' if a_chinese_id()[-1] != '0' else '1'}",
        "GB82 WEST 1234 5698 7654 33",
        "SSN 000-12-3456, 666-12-3456 and 219-00-9999",
        "1 2 3 4 5 6 7 8 9 10 11 12",
        "the 15 digits 110105491231002 alone",
    ],
)
def test_other_numbers_are_left_alone(text):
    """Hashes, times, versions, addresses of machines, and numbers whose sum is wrong."""
    assert seen(text) == []


def test_digits_may_be_wide():
    """Full-width digits and signs are digits and signs."""
    text = f"手机{wide('13812345678')}，身份证{wide(a_chinese_id())}，邮箱{wide('mei@qq.com')}"
    assert [kind for kind, _ in seen(text)] == ["phone", "id-cn", "mail"]


def test_a_sighting_has_a_place_and_no_value():
    """In the order of the text, without overlaps; every type is one of PERSONAL."""
    text = "mei@qq.com, 13812345678, 4111111111111111"
    found = find_personal(text)
    assert {one.type for one in found} <= set(PERSONAL)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert [one.fingerprint for one in found] == ["", "", ""]


def test_sums_are_reckoned():
    """A wrong digit is a wrong number."""
    assert (is_card("4111111111111111"), is_card("4111111111111112")) == (True, False)
    assert (is_iban("DE89370400440532013000"), is_iban("DE88370400440532013000")) == (True, False)
    assert (is_chinese_id(a_chinese_id()), is_chinese_id("110105194912310021")) == (True, False)


@pytest.mark.long
@pytest.mark.parametrize(
    "piece", ["1 ", "1-", "a@", "@", "GB82 ", "12345678901 ", "(", "+1", "4111 ", "１", "phone 1-"]
)
def test_a_hostile_text_is_no_trouble(piece):
    """A megabyte of the beginning of something is read to its end."""
    assert isinstance(find_personal((piece * (1_000_000 // len(piece) + 1))[:1_000_000]), tuple)
