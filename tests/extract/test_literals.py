"""The sieve loses nothing: what every pattern alone would catch is among those worth trying."""

from pathlib import Path

import pytest

from memoracle.extract import patterns_en, patterns_zh
from memoracle.extract.lexicon_en import ENGLISH
from memoracle.extract.lexicon_zh import CHINESE
from memoracle.extract.literals import WRITTEN, name_of, sieve_of, worth_trying
from memoracle.extract.matching import fitting, likely, plainly

SCRIPTS = Path(__file__).parent.parent.parent / "scripts"
LANGUAGES = [(ENGLISH, patterns_en.PATTERNS), (CHINESE, patterns_zh.PATTERNS)]


@pytest.fixture
def sift(monkeypatch):
    """The script that reads expressions."""
    if not SCRIPTS.exists():
        pytest.skip("there are no scripts here")
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import sift

    return sift


@pytest.mark.parametrize(("lexicon", "patterns"), LANGUAGES, ids=["en", "zh"])
def test_whatever_fits_is_tried(lexicon, patterns):
    """Over the examples of all rows, the tried patterns include every one that fits."""
    sentences = [text for row in patterns[::4] for text, _ in row.examples]
    for text in sentences:
        tried = {row.name for row in likely(plainly(text, lexicon), lexicon)}
        assert {row.name for row in patterns if fitting(row, text, lexicon)} <= tried


@pytest.mark.parametrize(("lexicon", "patterns"), LANGUAGES, ids=["en", "zh"])
def test_a_sentence_about_nothing_tries_few(lexicon, patterns):
    """A sentence without a pattern's letters costs next to nothing."""
    text = "hm, 12 %" if lexicon is ENGLISH else "嗯嗯嗯，咚咚"
    assert len(likely(text, lexicon)) * 10 < len(patterns)


@pytest.mark.parametrize(
    ("expression", "meets", "lacks"),
    [
        ("我(?:喜欢|热爱)(?P<object>.{1,9})", "我热爱山", "我讨厌山"),
        ("i (?:like|love) ", "I LOVE tea", "I hate tea"),
        ("(?:a|b)?xyz", "xyz", "ab"),
        ("k(?=ilo)", "\u212ailo", "kelp"),
    ],
)
def test_needs(sift, expression, meets, lacks):
    """A text that fits meets every need, whatever its case; one that lacks the letters does not."""

    class Row:
        regex = expression

    needs = sift.needs_of(expression)
    sieve = sieve_of([Row()], {name_of(expression): needs})
    assert needs
    assert worth_trying(meets, sieve) & 1
    assert not worth_trying(lacks, sieve) & 1


def test_a_pattern_that_is_not_written_down_is_always_tried():
    """Nothing is lost by a file that is missing or old."""

    class Row:
        regex = "never seen before"

    assert worth_trying("嗯", sieve_of([Row()], {})) & 1


def test_what_every_pattern_needs_is_written_down(sift):
    """`scripts/sift.py` was run after the last change of a pattern."""
    fresh = sift.written((*patterns_en.PATTERNS, *patterns_zh.PATTERNS))
    assert Path(WRITTEN).read_text(encoding="utf-8") == fresh, "run `python scripts/sift.py`"
