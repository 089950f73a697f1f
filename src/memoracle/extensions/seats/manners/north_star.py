"""A project's north star: its goal, how success is seen, and what it must not become. Read from TOML; pure."""

from __future__ import annotations

from typing import Any

from memoracle.errors import BadInput
from memoracle.model.value import value


@value
class NorthStar:
    """What a project is for."""

    goal: str
    name: str = ""
    success_criteria: tuple[str, ...] = ()
    anti_goals: tuple[str, ...] = ()
    stakeholders: tuple[str, ...] = ()
    created_at: str = ""
    last_updated: str = ""


def read_north_star(text: str) -> NorthStar:
    """The north star that a file holds; a goal is all it needs."""
    import tomllib

    try:
        held: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"the north star is not TOML: {problem}") from None
    held = held["north_star"] if isinstance(held.get("north_star"), dict) else held
    goal = str(held.get("goal") or "").strip()
    if not goal:
        raise BadInput("the north star names no goal", 'write `goal = "…"` in its file')
    return NorthStar(
        goal=goal,
        name=str(held.get("name") or ""),
        success_criteria=_texts(held.get("success_criteria")),
        anti_goals=_texts(held.get("anti_goals")),
        stakeholders=_texts(held.get("stakeholders")),
        created_at=str(held.get("created_at") or ""),
        last_updated=str(held.get("last_updated") or ""),
    )


def _texts(held: Any) -> tuple[str, ...]:
    if isinstance(held, str):
        return (held,) if held.strip() else ()
    return tuple(str(one) for one in held) if isinstance(held, list) else ()
