"""One writing seat per place. Reading is everybody's, writing is the owner's; anything else is refused.

The writer is whoever the session says it is. The operator may write anywhere, with a reason that is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

from memoracle.errors import BadInput
from memoracle.extensions.seats.errors import NotYourPlace, RetiredProject, UnknownSeat
from memoracle.extensions.seats.model import MEMORY, OPERATOR, OWN_KINDS, SHARED, Registry, Seat
from memoracle.model.value import value

_RESERVED = frozenset(
    {*OWN_KINDS, "decisions", "findings", "deliveries", "issues", "tasks", "plans", "spec", OPERATOR}
)
"""Names that folders of a project have already, or that are somebody else."""


@value
class Writer:
    """Who writes: a seat, or the operator in a seat's place, with a reason."""

    seat: str
    operator: bool = False
    because: str = ""

    @property
    def name(self) -> str:
        """The name that history carries."""
        return OPERATOR if self.operator else self.seat


def writer_of(
    author: str, place: str, session: str, *, operator: bool = False, because: str = ""
) -> tuple[Writer, str]:
    """Who writes, and in whose place: the session's own seat goes before every name that a call gives."""
    if operator:
        if not because.strip():
            raise BadInput("an operator's act needs its reason", "add --because WHY")
        seat = place or author or session or MEMORY
        return Writer(seat=seat, operator=True, because=because.strip()), seat
    if because.strip():
        raise BadInput("--because belongs to --operator")
    if session and author and author != session:
        raise NotYourPlace(session, author, f"what is written in the name of `{author}`")
    seat = author or session or place
    if not seat:
        raise BadInput("who writes this?", "--seat NAME, or MEMORACLE_SEAT in the environment")
    return Writer(seat=seat), place or seat


def must_own(writer: Writer, owner: str, project: str, registry: Registry, *, place: str) -> Seat:
    """The seat whose place it is, when this writer may write there; otherwise an error."""
    seat = must_sit(owner, project, registry)
    if writer.operator:
        return seat
    must_sit(writer.seat, project, registry)
    if writer.seat != owner:
        raise NotYourPlace(writer.seat, owner, place)
    known = registry.project(project)
    if known is not None and not known.is_active:
        raise RetiredProject(project)
    return seat


def must_sit(name: str, project: str, registry: Registry) -> Seat:
    """The seat of that name, when it is active and sits in this project."""
    seat = registry.seat(name)
    if seat is None:
        raise UnknownSeat(name)
    if not seat.is_active:
        raise UnknownSeat(name, "it is retired")
    if project not in {"", SHARED} and not seat.sits_in(project):
        raise UnknownSeat(name, f"it sits in {', '.join(seat.projects)}, not in {project}")
    return seat


def must_differ(what: str, name: str, others: Iterable[str]) -> None:
    """Refuse a name that some disk would take for another's: it differs in case or in the width of letters alone."""
    folded = normalize("NFKC", name).casefold()
    for other in others:
        if other != name and normalize("NFKC", other).casefold() == folded:
            raise BadInput(f"`{name}` is too much like the {what} `{other}`: some disks take them for one")


def must_be_free(name: str) -> str:
    """A name that a new seat may have."""
    if name.casefold() in _RESERVED:
        raise BadInput(f"`{name}` cannot be a seat: a folder or a person has that name already")
    return name
