"""The layouts of five published designs, their record lines, and the documents their other tools read."""

from __future__ import annotations

from memoracle.registry import Extension, Verb

EXTENSION = Extension(
    name="layouts",
    help="the layouts of five published designs, and their record lines",
    verbs=(
        Verb(
            name="leave",
            help="give an adopted directory back to the program that kept it",
            method="leave",
            module="memoracle.extensions.layouts.leaving",
            group="keep",
        ),
        Verb(
            name="compat",
            help="a command of another design under its own name and flags; alone: all that are known",
            method="memoracle.extensions.layouts.compat.translated",
            module="memoracle.extensions.layouts.compat",
            is_hidden=True,
        ),
    ),
    methods={"leave": "memoracle.extensions.layouts.leaving:leave"},
    layouts={
        name: f"memoracle.extensions.layouts.tables:{name.upper().replace('-', '_')}"
        for name in ("vm-oracle", "memory-system", "v4", "clawseat", "openclaw")
    },
    points={
        "known_as": "memoracle.extensions.layouts.compat:known_as",
        "upgrade_line": "memoracle.extensions.layouts.older:upgrade",
        "design_fields": "memoracle.extensions.layouts.newer:design_fields",
        "survey": "memoracle.extensions.layouts.adoption:survey",
        "openclaw_recipe": "memoracle.extensions.layouts.hybrid:propose",
        "publish_projections": "memoracle.extensions.layouts.projections:publish_projections",
    },
)
