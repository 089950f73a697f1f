"""What went wrong while one file was read."""

from __future__ import annotations

from collections import Counter

from memoracle.ingest.lines import Broken
from memoracle.model.report import Finding, Severity

_MOST_FINDINGS = 20


class Notes:
    """Findings about one file; of each sort the first few, then how many more there were."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: list[Finding] = []
        self._counts: Counter[str] = Counter()

    def add(self, broken: Broken, line: int | None = None) -> None:
        """Note something broken."""
        self._counts[broken.code] += 1
        if self._counts[broken.code] <= _MOST_FINDINGS:
            self._found.append(self._finding(broken.code, broken.message, line))

    def all(self) -> tuple[Finding, ...]:
        """Everything noted."""
        more = [
            self._finding(code, f"{count - _MOST_FINDINGS} more like this")
            for code, count in self._counts.items()
            if count > _MOST_FINDINGS
        ]
        return (*self._found, *more)

    def _finding(self, code: str, message: str, line: int | None = None) -> Finding:
        return Finding(code=code, severity=Severity.WARNING, path=self._path, line=line, message=message)
