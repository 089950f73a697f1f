"""Work against a project's north star."""

import pytest

from memoracle.errors import BadInput
from memoracle.extensions.seats.manners.drift import DriftMeasures, check_drift
from memoracle.extensions.seats.manners.north_star import NorthStar, read_north_star

STAR = NorthStar(goal="a match can be watched with one click", anti_goals=("build a level editor",))


def codes(**measured):
    return [signal.code for signal in check_drift(STAR, DriftMeasures(**measured)).signals]


@pytest.mark.seed("S1.233", "S1.016")
@pytest.mark.parametrize(
    ("measured", "signals"),
    [
        ({}, []),
        ({"scope": 2.0}, []),
        ({"scope": 2.01}, ["scope"]),
        ({"new_requirements": 1}, ["new-requirement"]),
        ({"blocked": 0.2}, []),
        ({"blocked": 0.21}, ["blocked"]),
        ({"time": 1.5}, []),
        ({"time": 1.51}, ["time"]),
        ({"broken_assumptions": 1}, ["assumption"]),
        ({"unrelated_dispatches": 2}, []),
        ({"unrelated_dispatches": 3}, ["unrelated-dispatches"]),
        ({"hours_without_progress": 23.9}, []),
        ({"hours_without_progress": 24}, ["no-progress"]),
        ({"scope": 3, "time": 2}, ["scope", "time"]),
        ({"doing": "we build a small level editor now"}, ["anti-goal"]),
        ({"doing": "we make the match load faster"}, []),
    ],
)
def test_the_thresholds_of_drift(measured, signals):
    """Each at its limit and beyond it."""
    assert codes(**measured) == signals


@pytest.mark.seed("S1.233")
def test_the_card_has_three_options_at_most():
    """And names the goal, in its language."""
    english, chinese = (
        check_drift(NorthStar(goal=goal), DriftMeasures(scope=3)).card
        for goal in (STAR.goal, "一键观看比赛回放")
    )
    assert (len(english.options), len(chinese.options)) == (3, 3)
    assert (
        STAR.goal in english.question,
        "一键观看比赛回放" in chinese.question,
        "怎么办" in chinese.question,
    ) == (True, True, True)
    assert check_drift(STAR, DriftMeasures()).card is None


@pytest.mark.seed("S1.053")
def test_the_fields_of_a_north_star():
    """All of them are read; a goal is all it needs."""
    star = read_north_star(
        'name = "arena"\ngoal = "g"\nsuccess_criteria = ["a", "b"]\nanti_goals = ["c"]\nstakeholders = ["Mei"]\n'
        'created_at = "2026-05-01"\nlast_updated = 2026-05-10\n'
    )
    assert star == NorthStar(
        goal="g",
        name="arena",
        success_criteria=("a", "b"),
        anti_goals=("c",),
        stakeholders=("Mei",),
        created_at="2026-05-01",
        last_updated="2026-05-10",
    )
    assert read_north_star('[north_star]\ngoal = "g"\n').goal == "g"


@pytest.mark.parametrize("text", ["", "name = 'x'", "goal = ''", "[[["])
def test_a_north_star_that_says_nothing(text):
    """It is refused with what to write."""
    with pytest.raises(BadInput):
        read_north_star(text)
