"""The store's reader of conversations: every host's shape behind two questions. Imports nothing until it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memoracle.model.claim import Turn
    from memoracle.model.manifest import Loaded


class HostReader:
    """`hide` takes secrets out of everything a view is told; `names` are the owner's own in conversations."""

    def __init__(self, hide: Callable[[str], str], names: frozenset[str]) -> None:
        self._hide = hide
        self._names = names

    def load(self, path: str, shape: str, memo: str) -> Loaded:
        """What is new in a transcript since the reading that left this memo."""
        from memoracle.hosts.reading import hear
        from memoracle.hosts.sources import Shape

        if shape not in set(Shape):
            from memoracle.model.manifest import Loaded, Role
            from memoracle.model.report import Finding, Severity

            says = f"nobody here knows how a conversation of the shape `{shape}` is read"
            told = Finding(code="unknown-shape", severity=Severity.ERROR, path=path, message=says)
            return Loaded(
                path=path, role=Role.TRANSCRIPT, whole=False, mark=None, absent=True, findings=(told,)
            )
        return hear(path, shape, memo, hide=self._hide, names=self._names)

    def turns(self, path: str, shape: str) -> Sequence[Turn]:
        """Every turn of a transcript; none of a shape nobody knows."""
        from pathlib import Path

        from memoracle.hosts.reading import read
        from memoracle.hosts.sources import Shape, Source
        from memoracle.model.claim import owned

        if shape not in set(Shape):
            return ()
        turns = read(Source(path=Path(path), shape=Shape(shape))).turns
        return [owned(turn, self._names) for turn in turns]
