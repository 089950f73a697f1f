"""A notebook kept by hand: notes of days and homes, a working buffer, a vocabulary of tags, an archive."""

from __future__ import annotations

from memoracle.registry import Extension, Verb

_CLI = "memoracle.extensions.notebook.cli"
EXTENSION = Extension(
    name="notebook",
    help="a notebook kept by hand: notes of days and homes, a working buffer, a vocabulary of tags, an archive",
    verbs=(
        Verb(
            name="note",
            help="write a line into the note of today, or into its home",
            method="note",
            module=_CLI,
        ),
        Verb(
            name="buffer",
            help="the working buffer: add, show, rotate, clear",
            method="buffer",
            module=_CLI,
        ),
        Verb(
            name="tags",
            help="the vocabulary of tags, and a new one with its reason",
            method="tags",
            module=_CLI,
        ),
        Verb(
            name="archive-hot",
            help="move finished entries of MEMORY.md to an archive",
            method="archive_hot",
            module=_CLI,
        ),
    ),
    methods={
        "archive_hot": "memoracle.extensions.notebook.finished:archive_hot",
        "buffer": "memoracle.extensions.notebook.buffer:buffer",
        **{
            name: f"memoracle.extensions.notebook.writing:{name}"
            for name in ("note", "close_day", "duplicates", "tags", "add_tag")
        },
    },
    points={
        "note_checks": "memoracle.extensions.notebook.hygiene:note_checks",
        "plan_tidying": "memoracle.extensions.notebook.mending:plan_tidying",
        "tidy_notes": "memoracle.extensions.notebook.mending:tidy",
        "finish_rotation": "memoracle.extensions.notebook.buffer:recover",
        "bring_home": "memoracle.extensions.notebook.tending:bring_home",
        "tend_notes": "memoracle.extensions.notebook.tending:tend_notes",
    },
)
