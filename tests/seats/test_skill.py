"""What an agent in a seat is taught, in the text that hosts install."""

from importlib.resources import files

import pytest


def taught():
    """The skill's words, on one line."""
    return " ".join((files("memoracle.hosts") / "skill" / "SKILL.md").read_text(encoding="utf-8").split())


@pytest.mark.only("words of the skill")
@pytest.mark.parametrize(
    "words",
    [
        pytest.param("You do not implement, dispatch, message or guess", marks=pytest.mark.seed("S1.002")),
        pytest.param("you act only when asked", marks=pytest.mark.seed("S1.003")),
        pytest.param("one instruction in, one delivery out", marks=pytest.mark.seed("S1.004")),
        pytest.param("Say what is known, not who called or how", marks=pytest.mark.seed("S1.011")),
        pytest.param("drift from the goal", marks=pytest.mark.seed("S1.016")),
        pytest.param("what users clarified", marks=pytest.mark.seed("S1.017")),
        pytest.param("chains of events", marks=pytest.mark.seed("S1.018")),
        pytest.param(
            "You read the pages of seats yourself, never ask them by message",
            marks=pytest.mark.seed("S1.020"),
        ),
        pytest.param("What another seat should do goes into a brief", marks=pytest.mark.seed("S1.034")),
        pytest.param(
            "**Look before you guess** a key, endpoint, id or path", marks=pytest.mark.seed("S1.114")
        ),
        pytest.param(
            "escalated to the memory seat and the task marked blocked", marks=pytest.mark.seed("S1.114")
        ),
        pytest.param("goes into the page as evidence", marks=pytest.mark.seed("S1.114")),
        pytest.param("一次指令一次交付", marks=pytest.mark.seed("S1.004")),
    ],
)
def test_the_rule_is_taught(words):
    """In so many words."""
    assert words in taught()
