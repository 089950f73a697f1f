"""What can go wrong in the extension `sync`."""

from __future__ import annotations

from memoracle.errors import MemoracleError, Refused


class SyncProblem(MemoracleError):
    """An exchange with other machines that stopped; the sentence says what is kept."""


class NotPushed(SyncProblem):
    """Everything is committed and merged here, and the other side did not take it."""

    status = 7
    hint = "nothing is lost; repeat `memoracle sync --push`"

    def __init__(self, remote: str, because: str) -> None:
        super().__init__(f"committed here, but {remote} did not take it: {because}")


class SecretInTheWay(Refused):
    """A secret in what would be committed; nothing was."""

    hint = "take it out of the file, or name the file in .gitignore; then repeat"

    def __init__(self, places: list[str]) -> None:
        self.places = places
        more = f" and {len(places) - 5} more" if len(places) > 5 else ""
        super().__init__(f"nothing was committed: {', '.join(places[:5])}{more}")


class GitUnavailable(SyncProblem):
    """There is no git, or it does not run."""

    def __init__(self, because: str) -> None:
        super().__init__(
            f"git is needed to synchronise: {because}", "install git; everything else works without it"
        )
