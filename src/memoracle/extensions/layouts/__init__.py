"""The layouts of five published designs, their record lines, and the documents their other tools read."""

from __future__ import annotations

from memoracle.registry import Extension

EXTENSION = Extension(
    name="layouts",
    help="the layouts of five published designs, and their record lines",
    layouts={
        name: f"memoracle.extensions.layouts.tables:{name.upper().replace('-', '_')}"
        for name in ("vm-oracle", "memory-system", "v4", "clawseat", "openclaw")
    },
    points={
        "upgrade_line": "memoracle.extensions.layouts.older:upgrade",
        "openclaw_recipe": "memoracle.extensions.layouts.hybrid:propose",
        "publish_projections": "memoracle.extensions.layouts.projections:publish_projections",
    },
)
