"""Secrets in disguise are found: split by what nobody sees, or in letters of full width."""

import pytest

from memoracle.guard.personal import find_personal
from memoracle.guard.secrets import mask

TOKEN = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
WIDE = {number: number + 0xFEE0 for number in range(0x21, 0x7F)}


def masked(text):
    """The text without its secrets."""
    return mask(text, lambda: b"salt" * 8).text


@pytest.mark.parametrize(
    "sign", ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u202e", "\ufe0f", "\U000e0041", "\u200b" * 40]
)
@pytest.mark.parametrize("place", [2, 4, 12, 20, 33])
def test_no_half_of_a_split_token_is_left(sign, place):
    """Wherever it is split, and by whatever cannot be seen."""
    left = masked(f"the token {TOKEN[:place]}{sign}{TOKEN[place:]} is new")
    assert (TOKEN[-6:] in left, TOKEN[:place][-6:] in left and place > 4) == (False, False)
    assert left.startswith("the token [secret:")
    assert left.endswith(" is new")


def test_every_letter_apart():
    """A sign between each two."""
    assert masked("use " + "\u200b".join(TOKEN)).startswith("use [secret:")


def test_letters_of_full_width():
    """As an input method leaves them."""
    assert "[secret:" in masked("令牌是 " + TOKEN.translate(WIDE))
    wide = "password=hunter2!Zq9x".translate(WIDE)
    assert wide[9:] not in masked(wide)


@pytest.mark.parametrize(
    "text",
    [
        "我今天很开心！！！！！！！",
        "ＡＢＣＤＥＦＧ　公司的会议",
        "a family 👨\u200d👩\u200d👧 at home, ok\ufe0f then",
        "see the long\u00adword\u00adwith\u00adhyphens here",
        "价格：１２３４５６７元，电话：（０１０）",
    ],
)
def test_what_people_write_is_left_alone(text):
    """Joined emoji, soft hyphens, full-width words and signs."""
    assert masked(text) == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("call +1 415\u200b 555 2671 now", "phone"),
        ("card 4111\u200b111111111111 now", "card"),
        ("mail bob\u200b.smith@example.com now", "mail"),
    ],
)
def test_personal_data_in_disguise(text, kind):
    """It is found whole, where it stands."""
    found = find_personal(text)
    assert [
        (one.type, text[: one.start].strip() in {"call", "card", "mail"}, text[one.end :]) for one in found
    ] == [(kind, True, " now")]


def test_lines_keep_their_numbers():
    """As with any other secret."""
    said = mask(f"one\n{TOKEN[:10]}\u200b{TOKEN[10:]}\ntwo", lambda: b"salt" * 8, keep_lines=True).text
    assert [said.count("\n"), said.splitlines()[2]] == [2, "two"]
