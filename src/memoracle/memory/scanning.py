"""Verbs that look at a machine and at repositories, when somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.memory.root import Base

if TYPE_CHECKING:
    from memoracle.acts.scanning import Difference, Scanned, Scanning


class Scan(Base):
    """Verbs that look at a machine and at repositories, when somebody asks for it."""

    def scan_machine(
        self,
        *,
        only: Sequence[str] = (),
        homes: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        dry_run: bool = False,
    ) -> Scanned:
        """What this machine has: names, places and fingerprints, never a secret. No network, no other program."""
        import os

        around = os.environ if environment is None else environment
        done = self._scanning().machine(only=only, homes=homes, environment=around, dry_run=dry_run)
        self._told("scan", about=[file.path for file in done.files if file.written])
        return done

    def scan_project(
        self, project: str, repo: str, *, depth: str = "shallow", commit: bool = False, force: bool = False
    ) -> Scanned:
        """What a repository tells of itself; nothing is kept without `commit`, nothing replaced without `force`."""
        own = self._own_project(project)
        self._must_be_no_secret(own)
        done = self._scanning().project(own, repo, depth=depth, commit=commit, force=force)
        self._told("scan", about=[file.path for file in done.files if file.written])
        return done

    def scan_diff(self, *, project: str = "", since: datetime) -> Difference:
        """What changed between a moment and the last scan: of this machine, or of a project."""
        own = self._own_project(project) if project or self._shows_public_alone else ""
        return self._scanning().difference(project=own, since=since)

    def _scanning(self) -> Scanning:
        from memoracle.acts.scanning import Scanning

        return Scanning(self.store, shield=self._shield, clock=self._clock)
