"""What can go wrong in the extension `sync`."""

from __future__ import annotations

from memoracle.errors import Refused, SyncProblem


class SecretInTheWay(Refused):
    """A secret in what would be committed; nothing was."""

    code = "secret-in-the-way"
    hint = "take it out of the file, or name the file in .gitignore; then repeat"

    def __init__(self, places: list[str]) -> None:
        self.places = places
        more = f" and {len(places) - 5} more" if len(places) > 5 else ""
        super().__init__(f"nothing was committed: {', '.join(places[:5])}{more}")


class GitUnavailable(SyncProblem):
    """There is no git, or it does not run."""

    code = "git-unavailable"

    def __init__(self, because: str) -> None:
        super().__init__(
            f"git is needed to synchronise: {because}", "install git; everything else works without it"
        )
