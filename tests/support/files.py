"""What stands on a disk, so that two moments can be compared byte by byte."""

import hashlib
import os

PLAIN = {"MEMORACLE_RECIPE": "quick"}
"""Surroundings in which recall goes by words alone."""


def contents(root, *, skip=("index",)):
    """Every file below a root with the digest of its bytes; `skip` names top-level entries to leave out."""
    found = {}
    for folder, folders, names in os.walk(root):
        if os.path.samefile(folder, root):
            folders[:] = [name for name in folders if name not in skip]
        for name in sorted(names):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, root)
            if relative.split(os.sep)[0] not in skip:
                with open(path, "rb") as file:
                    found[relative] = hashlib.sha256(file.read()).hexdigest()
    return found


def write(root, path, text):
    """Put a file below a root, as a person with an editor would."""
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return place


def copy_root(source, target):
    """A copy of a root that is used as if it had been there all along: its state is its own."""
    import shutil

    from memoracle.store.machine_state import take_over

    shutil.copytree(source, target)
    for state in ("state", ".memoracle/state"):
        if os.path.isdir(os.path.join(target, state)):
            take_over(os.path.realpath(target), state)
