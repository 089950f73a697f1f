"""Filling a budget by need: nobody is starved, nothing is exceeded, nothing is wasted."""

import random

import pytest

from memoracle.context.portion import ContextPiece, ContextSection, portion, shown_text
from memoracle.text import estimate_tokens

SHARES = {"a": 0.5, "b": 0.3, "c": 0.2}


def section(name, *texts, ranks=()):
    pieces = [
        ContextPiece(text=text, cite=f"{name}{at}", rank=ranks[at] if ranks else at)
        for at, text in enumerate(texts)
    ]
    return ContextSection(name=name, title=name.upper(), pieces=tuple(pieces))


def cost(sections, chosen):
    return estimate_tokens(
        "\n\n".join(shown_text(one, chosen[one.name]) for one in sections if one.name in chosen)
    )


def test_a_large_section_cannot_starve_a_small_one():
    """What has a share gets it, however much the first one wants."""
    sections = [section("a", *["much to say about it"] * 90), section("b", "short"), section("c", "也短")]
    chosen = portion(sections, 120, SHARES)
    assert [piece.text for name in ("b", "c") for piece in chosen[name]] == ["short", "也短"]


def test_what_one_does_not_need_goes_to_the_others():
    """A section alone takes everything that fits."""
    sections = [section("a", *["0123456789"] * 50), section("b")]
    alone = portion(sections, 200, SHARES)["a"]
    assert cost(sections[:1], {"a": alone}) > 180


def test_the_lowest_rank_is_chosen_first_and_order_stays():
    """Newest first into the budget, oldest first on the page."""
    held = section("a", *[f"line number {n}" for n in range(9)], ranks=range(9, 0, -1))
    shown = [piece.text for piece in portion([held], 40, SHARES)["a"]]
    assert shown == sorted(shown)
    assert shown[-1] == "line number 8"


@pytest.mark.seed("F-53", "F-44")
def test_no_budget_is_exceeded():
    """Two thousand random cases in two scripts, headings included."""
    chance = random.Random(7)
    for _ in range(2000):
        sections = [
            ContextSection(
                name=name,
                title=name,
                pieces=tuple(
                    ContextPiece(
                        text="".join(chance.choices("abc 花园猫, ", k=chance.randrange(1, 60))),
                        cite="notes/x.md#L1",
                        heading=chance.choice(["", "09:30 topic", "早上"]),
                        rank=chance.randrange(5),
                    )
                    for _ in range(chance.randrange(12))
                ),
            )
            for name in "abc"
        ]
        budget = chance.randrange(0, 300)
        chosen = portion(sections, budget, SHARES)
        assert cost(sections, chosen) <= budget
