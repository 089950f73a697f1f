"""Compiles the tables of rules when a wheel or an editable install is built, so that nobody waits for it later.

The package works without: what is missing is compiled at first use.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTables(BuildHookInterface):
    """Writes `rules/compiled/*.json` and adds them to the wheel, though git does not know them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's own signature
        """Run before anything is packed."""
        source = Path(self.root, "src")
        sys.path.insert(0, str(source))
        from memoracle.guard import rule
        from memoracle.learn import tables

        folder = Path(tables.FOLDER)
        for path in folder.iterdir():
            if path.suffix == ".toml" or (path.is_dir() and path.name != "compiled"):
                tables.table(path.stem)
        for path in Path(rule.FOLDER).glob("*.toml"):
            rule.rules(path.stem)
        for compiled in (Path(tables.COMPILED), Path(rule.FOLDER, "compiled")):
            build_data["artifacts"].append(str(compiled.relative_to(self.root)) + "/*.json")
