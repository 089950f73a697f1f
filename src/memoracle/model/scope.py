"""Whose memory a record is, and through whose eyes memory is read."""

from __future__ import annotations

from memoracle.model.names import check_name
from memoracle.model.value import replace, value

SCOPES = ("user", "agent", "project", "seat")


@value
class Scope:
    """User, agent, project and seat; an empty one means "everybody's".

    `also` are other names of a reader's project: what is kept under one of them is theirs as well.
    """

    user: str = ""
    agent: str = ""
    project: str = ""
    seat: str = ""
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what in SCOPES:
            name = getattr(self, what)
            if name:
                check_name(what, name)

    def is_open_to(self, reader: Scope) -> bool:
        """True when this reader may see what is kept in this scope; a name the reader lacks limits nothing."""
        pairs = ((getattr(self, name), getattr(reader, name)) for name in SCOPES)
        return all(not own or not eyes or own == eyes for own, eyes in pairs) or (
            self.project in reader.also and replace(self, project="").is_open_to(reader)
        )


EVERYBODY = Scope()
"""The scope of what is everybody's, and of a reader who sees everything."""
