"""The named recipes. Each proposes candidates in its own way; the rest of the pipeline is the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.errors import BadInput
from memoracle.index.api import Index
from memoracle.model.query import Query
from memoracle.recall.ask import Question
from memoracle.recall.candidate import Proposal

if TYPE_CHECKING:
    from memoracle.inference.api import Embedder
    from memoracle.inference.script import Space

Models = Callable[[], "Mapping[Space, Embedder]"]
Recipe = Callable[[Question, Query, Index, datetime, Models], Proposal]


def quick(question: Question, query: Query, index: Index, now: datetime, _: Models) -> Proposal:
    """Words and names alone; nothing heavy is imported."""
    from memoracle.recall.quick import propose

    return propose(question, query, index, now)


def balanced(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """Every signal; vectors where there are any."""
    from memoracle.recall.balanced import propose
    from memoracle.recall.rank import Effort

    return propose(question, query, index, now, models() if index.has_vectors() else {}, Effort())


def deep(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """The same signals over several times as many candidates: slower, for large stores and hard questions."""
    from memoracle.recall.balanced import propose
    from memoracle.recall.rank import Effort

    effort = Effort(
        ranked_whole=20_000,
        from_words=2000,
        from_vectors=1500,
        with_neighbours=600,
        closely_read=3000,
        rescored=600,
    )
    return propose(question, query, index, now, models() if index.has_vectors() else {}, effort)


def openclaw(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """The published hybrid formula: 0.7 vector, 0.3 words, decay by age, MMR."""
    from memoracle.recall.openclaw import propose

    return propose(question, query, index, now, models() if index.has_vectors() else {})


RECIPES: Mapping[str, Recipe] = {"quick": quick, "balanced": balanced, "deep": deep, "openclaw": openclaw}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name."""
    try:
        return RECIPES[name]
    except KeyError:
        raise BadInput(f"no recipe is called `{name}`", f"known recipes: {', '.join(RECIPES)}") from None
