"""What can go wrong in the extension `seats`."""

from __future__ import annotations

from memoracle.errors import BadInput, MemoracleError, NotFound, Refused


class NoSuchSeat(NotFound):
    """No seat that is there has this role."""

    hint = "`memoracle seat list` names the seats; tell the operator when one should be there"

    def __init__(self, role: str, project: str) -> None:
        self.role = role
        self.project = project
        super().__init__(f"nobody sits as `{role}` in {project}")


class NoNorthStar(NotFound):
    """A project without a goal that work could be held against."""

    def __init__(self, project: str, path: str) -> None:
        self.project = project
        self.hint = f'write `goal = "…"` into {path}; success_criteria and anti_goals are lists'
        super().__init__(f"`{project}` has no north star")


class NotDispatched(BadInput):
    """A task that cannot be given to a seat now; nothing was written. `reason` is stable."""

    def __init__(self, reason: str, because: str, hint: str) -> None:
        self.reason = reason
        super().__init__(f"{reason}: {because}", hint)


class NotYourPlace(Refused):
    """A page that another seat owns."""

    hint = "write in your own place, hand it over in a brief, or have the operator do it: --operator --because WHY"

    def __init__(self, writer: str, owner: str, place: str) -> None:
        self.writer = writer
        self.owner = owner
        self.place = place
        super().__init__(f"`{writer}` does not write here: {place} is {owner}'s")


class UnknownSeat(Refused):
    """A seat that nobody registered, or that is retired or sits elsewhere."""

    hint = "`memoracle seat list` names the seats; `memoracle seat add NAME --because WHY` registers one"

    def __init__(self, name: str, because: str = "nobody registered it") -> None:
        self.name = name
        super().__init__(f"`{name}` is no seat here: {because}")


class RetiredProject(Refused):
    """A project that is no longer worked on."""

    hint = "`memoracle project add NAME` brings it back"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"the project `{name}` is retired; its pages are kept and can be read")


class ScanProblem(MemoracleError):
    """A look at a machine or a repository that could not be kept; nothing was changed."""


class UnreadableRepository(ScanProblem):
    """There is no repository at this place, or it cannot be read."""

    def __init__(self, path: str, because: str) -> None:
        self.path = path
        super().__init__(f"no repository can be read at {path}: {because}")


class AlreadyScanned(ScanProblem):
    """Facts of this project are kept already, and say something else."""

    hint = "`--force` puts the new facts in their place; the old ones are kept in the archive"

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths
        super().__init__(f"already exists, and says something else: {', '.join(paths)}")
