"""What can go wrong in the extension `encryption`."""

from __future__ import annotations

from memoracle.errors import StoreProblem


class WrongKey(StoreProblem):
    """A key or a passphrase that does not open this memory."""

    def __init__(self, root: str, ways: list[str], because: str = "") -> None:
        self.root = root
        self.hint = f"it can be opened by: {', '.join(ways) or 'nothing that is listed'}; nothing was changed"
        super().__init__(f"this does not open the memory at {root}{f': {because}' if because else ''}")


class NoMemoryFolder(StoreProblem):
    """No folder that lives in memory, where open keys could be held."""

    hint = "MEMORACLE_IDENTITY can name an age identity file instead, which each process reads for itself"

    def __init__(self, looked: list[str]) -> None:
        super().__init__(
            f"open keys may not lie on a disk, and none of these lives in memory: {', '.join(looked)}"
        )
