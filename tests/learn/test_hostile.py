"""A megabyte in one line, or in many, costs a megabyte: no expression runs away."""

import pytest

from memoracle.learn.claims import claims_of
from memoracle.learn.compile_rules import rows_of
from memoracle.learn.entities import entities_of
from memoracle.learn.matching import fitting, matches
from memoracle.learn.rules import pattern_of, rules_of
from memoracle.learn.screen import screen
from memoracle.model.claim import Fragment
from memoracle.model.predicates import vital_kind
from memoracle.model.record import Channel
from support.turns import SAID, claims
from support.work import spent

pytestmark = pytest.mark.long

MEGABYTE = 1_000_000
HOSTILE = {
    "letters": "a", "spaces": " ", "commas": ", ", "and i": " and I", "my": "my my ", "never": "never ", "dots": "...", "stars": "* ", "quotes": '"',
    "single quotes": "‘", "names": "Anna Maria ", "numbers": "1 ", "dashes": "-", "chinese": "我", "chinese commas": "我，", "really": "I really ",
    "please": "please ", "brackets": "((", "frames": "<memoracle>", "pipes": "|", "at": "a@", "urls": "https://a.", "hyphens": "a-a-", "的": "的的",
}  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_megabyte_line(piece):
    """It is read to its end and claims nothing."""
    assert claims((piece * (MEGABYTE // len(piece) + 1))[:MEGABYTE]) == []


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_megabyte_of_short_lines(piece):
    """Pasted lines are read at both ends only."""
    line = (piece * 200)[:200] + "\n"
    assert isinstance(claims(line * (MEGABYTE // len(line))), list)


@pytest.mark.parametrize(
    "opening",
    ["I like ", "my name is ", "from now on ", "I work at ", "Dentist ", "我喜欢", "我的", "以后都"],
)
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_megabyte_fragment(opening, piece):
    """Even a fragment that no splitter has shortened is refused or read in linear time."""
    text = (opening + piece * MEGABYTE)[:MEGABYTE]
    fragment = Fragment(
        ref="t", ordinal=0, text=text, session="s", who="user", channel=Channel.OWNER, at=SAID, where="p#L1"
    )
    assert isinstance(claims_of(screen(fragment)), list)
    assert vital_kind(text) is None
    assert isinstance(entities_of(text), dict)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_every_pattern_on_long_clauses(language, piece):
    """Each expression by itself, behind each of its own beginnings; twice the letters are not four times the work."""
    lexicon = rules_of(language).lexicon
    read = [(pattern_of(row), row["examples"][0][0][:20]) for row in rows_of(language)]

    def try_all(size):
        for pattern, opening in read:
            fitting(pattern, opening + (piece * size)[:size], lexicon)

    try_all(10)  # compiled once
    short, long = (spent(lambda: try_all(size), patience=60, runs=1) for size in (1500, 3000))  # noqa: B023
    matches.cache_clear()
    assert long <= 3.2 * max(short, 0.05)
