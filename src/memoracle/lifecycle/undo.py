"""The versions that reverse an act.

Undoing writes new versions; nothing is taken out of the history. The undoing of a creation
retracts the record, and undoing that brings it back. What was erased stays erased.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memoracle.errors import NothingToUndo, VersionConflict
from memoracle.model.change import Change
from memoracle.model.record import Record, Status
from memoracle.model.value import replace


def last_operation(versions: Sequence[Record]) -> str:
    """The latest act: not itself an undo, and not undone before. Erasing cannot be undone, nor is it stepped over."""
    undone = _undone(versions)
    acts = [
        version
        for version in versions
        if version.change.operation and not version.change.undoes and version.change.operation not in undone
    ]
    if not acts:
        raise NothingToUndo("no change is left that could be reversed")
    last = max(acts, key=lambda version: (version.change.at, version.change.operation))
    if last.status is Status.FORGOTTEN:
        raise NothingToUndo("the last change erased, and erased is erased; an earlier one can be named")
    return last.change.operation


def undo(operation: str, histories: Mapping[str, Sequence[Record]], change: Change) -> list[Record]:
    """New versions of every record the act touched, each saying what it said before.

    `histories` holds all versions, oldest first, of the records the act touched.
    """
    reversed_: list[Record] = []
    for record_id, versions in sorted(histories.items()):
        made = next((version for version in versions if version.change.operation == operation), None)
        if made is None:
            continue
        if versions[-1].status is Status.FORGOTTEN:
            raise NothingToUndo(f"{record_id} was erased, and erased is erased")
        before = _before(operation, versions)
        if before is None:
            raise VersionConflict(record_id, expected=made.version, found=versions[-1].version)
        reversed_.append(replace(before, version=versions[-1].version + 1, change=change))
    if not reversed_:
        raise NothingToUndo(f"no change is called {operation}")
    return reversed_


def _undone(versions: Sequence[Record]) -> set[str]:
    """The acts that do not stand: an undo counts unless a later undo reversed it."""
    undone: set[str] = set()
    undos = {version.change for version in versions if version.change.undoes}
    for change in sorted(undos, key=lambda change: (change.at, change.operation), reverse=True):
        if change.operation not in undone:
            undone.add(change.undoes)
    return undone


def _before(operation: str, versions: Sequence[Record]) -> Record | None:
    """What a record said before an act; None when something else has happened to it since.

    Acts lie on a stack. An undo takes the top one away, the undo of an undo puts it back; an act
    that was put back answers to its own name and to the name of what put it back.
    """
    stack: list[tuple[frozenset[str], Record]] = []
    taken: dict[str, tuple[frozenset[str], Record]] = {}
    for version in versions:
        name, undoes = version.change.operation, version.change.undoes
        if undoes and stack and undoes in stack[-1][0]:
            taken[name] = stack.pop()
            if stack:  # a line may have been changed by hand since: the undo tells what stood after it
                stack[-1] = (stack[-1][0], version)
        elif undoes in taken:
            stack.append((taken[undoes][0] | {name}, version))
        elif stack and name and name in stack[-1][0]:  # one act may write a record more than once
            stack[-1] = (stack[-1][0], version)
        else:
            stack.append((frozenset({name}), version))
    if operation in taken:
        return taken[operation][1] if versions[-1].change.operation == operation else None
    if not stack or operation not in stack[-1][0]:
        return None
    return stack[-2][1] if len(stack) > 1 else replace(stack[-1][1], status=Status.RETRACTED)
