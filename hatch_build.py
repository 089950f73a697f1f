"""Compiles the tables of rules when a wheel or an editable install is built, so that nobody waits for it later.

The package works without: what is missing is compiled at first use (`src/memoracle/tables.py`). A wheel without the
weights of the bundled model would work as well, by words alone: it is refused.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTables(BuildHookInterface):  # type: ignore[type-arg]
    """Writes `rules/compiled/*.json`, which `pyproject.toml` names as artifacts."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's own names
        """Run before anything is packed."""
        weights = Path(self.root, "src", "memoracle", "inference", "weights")
        for use in ("embed", "read", "tag"):
            if version == "standard" and not (weights / f"{use}.safetensors").is_file():
                raise FileNotFoundError(
                    f"{weights} has to be whole in a wheel; training/README.md says how it is made"
                )
        sys.path.insert(0, str(Path(self.root, "src")))
        from memoracle.learn.rules import rules_of
        from memoracle.tables import table

        for path in Path(self.root, "src", "memoracle").glob("*/rules/*.toml"):
            table(str(path))
        for language in ("en", "zh"):
            rules_of(language)
