"""The words some models want before a text: one for a question, another for a passage."""

from __future__ import annotations

from memoracle.inference.api import Kind
from memoracle.model.value import value


@value
class Prefixes:
    """What stands before a question and before a passage; most models want nothing."""

    query: str = ""
    passage: str = ""

    def before(self, kind: Kind) -> str:
        """The prefix for texts of this kind."""
        return self.query if kind is Kind.QUERY else self.passage


E5 = Prefixes(query="query: ", passage="passage: ")
