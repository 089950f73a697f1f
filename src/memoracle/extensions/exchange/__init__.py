"""Moving in from other programs, and out again."""

from __future__ import annotations

from memoracle.registry import Extension, Verb

EXTENSION = Extension(
    name="exchange",
    help="moving in from other programs, and out again",
    verbs=(
        Verb(
            name="import",
            help="move in what another program kept: a folder, a file or a host",
            method="import_",
            module="memoracle.extensions.exchange.cli",
        ),
        Verb(
            name="export",
            help="write memories out in another shape",
            method="export",
            module="memoracle.extensions.exchange.cli",
        ),
    ),
    methods={
        "import_": "memoracle.extensions.exchange.importing:import_",
        "export": "memoracle.extensions.exchange.exporting:export",
    },
    points={"graph_tools": "memoracle.extensions.exchange.graph_tools:GRAPH_TOOLS"},
)
