"""How much a claim matters: its predicate's worth and the strongest signal."""

import pytest

from memoracle.learn.claims import importance, signal
from support.turns import claims


@pytest.mark.seed("S2.030")
@pytest.mark.seed("S2.033")
@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("I'm allergic to nuts", 1.0),
        ("My name is Anna", 1.0),
        ("I like tea", 0.8),
        ("Anna is my sister", 0.8),
        ("I moved to Berlin", 0.8),
        ("I live in Berlin", 0.5),
        ("We decided to use Postgres", 0.7),
        ("I have to renew my passport", 0.7),
    ],
)
def test_intrinsic(text, worth):
    """Identity, health and safety 1.0; preference, relationship and status changes 0.8; goals 0.7; facts 0.5."""
    assert claims(text)[0].draft.weight.importance == worth


@pytest.mark.seed("C-12")
def test_temporary_things_are_small_and_expire():
    """An appointment is worth 0.2, and has an end: that is what temporary means."""
    (claim,) = claims("Dentist appointment on Friday at 3pm.")
    assert claim.draft.weight.importance == 0.2
    assert claim.draft.validity.expires is not None


@pytest.mark.seed("S2.031")
@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("Please remember that I live in Rome", 0.5), ("from now on", 0.5), ("Important: the gate", 0.3), ("by the way, I live in Rome", -0.2),
        ("请记住我住在罗马", 0.5), ("顺便说一下，我住在罗马", -0.2), ("I live in Rome", 0.0),
    ],
)  # fmt: skip
def test_signals(text, moved):
    """What the speaker says about the weight of their words."""
    assert signal(text) == moved


@pytest.mark.seed("S2.032")
def test_the_strongest_signal_decides_and_the_result_stays_inside():
    """No sum: remember beats important, and nothing leaves 0 to 1."""
    assert importance("lives_in", "Important: please remember that I live in Rome") == 1.0
    assert importance("works_at", "Important: I work there") == 0.8
    assert importance("scheduled", "by the way, lunch tomorrow") == 0.0


def test_an_allergy_mentioned_by_the_way_is_no_smaller():
    """What is worth 1.0 stays there."""
    assert importance("allergic_to", "by the way, I'm allergic to nuts") == 1.0
