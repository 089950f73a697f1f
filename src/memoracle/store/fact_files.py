"""Which files hold what scanners saw: the documents of the machine, and those of each project.

Looks at names alone; links are passed over. What else a person or a seat keeps beside them is not among them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from memoracle.store.volume import FileEntry, NoteTree, Volume

PROJECT_KINDS = ("dev_env", "runtime", "tests", "deploy", "ci", "lint", "structure", "env_templates")
INDEX = "index"
"""The machine's own list of its scans: nobody else writes it, and it holds no facts."""
_ENDING = ".json"
_WANTED = frozenset(kind + _ENDING for kind in PROJECT_KINDS)


def fact_files(volume: Volume, layout: Mapping[str, str]) -> list[str]:
    """The relative paths of all fact files, sorted."""
    return sorted(find_facts(NoteTree(volume), layout))


def find_facts(tree: NoteTree, layout: Mapping[str, str]) -> dict[str, FileEntry]:
    """The same, with the entries of their folders."""
    machine = os.path.dirname(layout["machine"])
    found = {f"{machine}/{one.name}": one for one in _documents(tree, machine) if one.name != INDEX + _ENDING}
    if template := layout.get("project_fact"):
        projects = template.partition("/{project}")[0]
        for project in tree.folder(projects).folders:
            folder = f"{projects}/{project}"
            found |= {f"{folder}/{one.name}": one for one in _documents(tree, folder) if one.name in _WANTED}
    return found


def _documents(tree: NoteTree, folder: str) -> list[FileEntry]:
    return [one for one in tree.folder(folder).files if one.name.endswith(_ENDING) and one.name[0] != "."]
