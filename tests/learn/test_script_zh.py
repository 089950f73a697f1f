"""Both scripts are read alike."""

from memoracle.learn.rules import simplified

FOLDS = simplified()


def test_one_for_one():
    """A folded text is as long as it was, so places in it stay the same."""
    text = "我對海鮮過敏，以後請記住。"
    assert text.translate(FOLDS) == "我对海鲜过敏，以后请记住。"


def test_simplified_stays():
    """No simplified character is read as another one."""
    assert set(FOLDS) & set(FOLDS.values()) == set()


def test_characters_of_both_scripts_stay():
    """著 and 乾 are written in simplified texts too."""
    assert "名著 乾隆".translate(FOLDS) == "名著 乾隆"
