"""A worker for the fault tools: writes to the memory in `$STORE`, prints `ACK id` after each acknowledgement.

    worker.py [remember|cli|batch|edit|undo|forget|fold|mixed]

The id stands inside the record's text, so `verify.py` can find it again in the truth itself. `$N`
is how many, `$WORKER` and `$ROUND` keep ids apart, and `$START_AT` lets all workers begin at once.
`$VIEW=memory` keeps the index out of the folder.

remember  one call of the API per record                  cli     one run of the command line per record
batch     ten records with one acknowledgement            edit    remembers, then puts each differently
undo      remembers, edits and takes the edit back        forget  every second record is erased again
fold      edits, archives, then folds                     mixed   all of it in turn

Only what must survive is acknowledged: a record that `forget` erases is announced as `GONE id`
once the call has returned, and `verify.py --gone` looks for its text.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from memoracle import compose
from memoracle.compose import init, open_memory
from memoracle.errors import MemoracleError
from memoracle.index.sqlite.view import SqliteIndex
from memoracle.learn.draft import make_draft
from memoracle.memory import Memory

PAD = "x" * int(os.environ.get("PAD", "120"))


def main() -> int:
    way = sys.argv[1] if len(sys.argv) > 1 else "remember"
    store, number = os.environ["STORE"], int(os.environ.get("N", "100"))
    if not os.path.exists(os.path.join(store, "memoracle.toml")):
        init(store, environment={})
    prefix = f"r{os.environ.get('ROUND', '0')}-w{os.environ.get('WORKER', '0')}"
    names = [f"{prefix}-{i}-end" for i in range(number)]
    if os.environ.get("VIEW") == "memory":  # only the truth touches the disk: fewer states to walk through
        compose._open_index = lambda *_: SqliteIndex(None)  # noqa: SLF001
    memory = open_memory(store, environment={})
    time.sleep(max(0.0, float(os.environ.get("START_AT", "0")) - time.time()))
    WAYS[way](memory, names)
    memory.close()
    return 0


def remember(memory: Memory, names: list[str]) -> None:
    for name in names:
        attempt(name, lambda name=name: memory.remember(f"{name} {PAD}"))


def command(memory: Memory, names: list[str]) -> None:
    for name in names:
        words = [sys.executable, "-m", "memoracle", "--root", memory.store.root, "remember", f"{name} {PAD}"]
        if subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode == 0:
            say("ACK", name)


def batch(memory: Memory, names: list[str]) -> None:
    for start in range(0, len(names), 10):
        some = names[start : start + 10]
        kinds = ("fact", "belief", "summary")
        drafts = [make_draft(f"{name} {PAD}", kind=kinds[i % 3]) for i, name in enumerate(some)]
        try:
            memory.remember_many(drafts)
        except MemoracleError as problem:
            say("REFUSED", some[0], str(problem))
            continue
        for name in some:
            say("ACK", name)


def edit(memory: Memory, names: list[str]) -> None:
    for name in names:
        kept = memory.remember(f"first words {PAD}, not yet {name[:-4]}")
        attempt(name, lambda name=name, kept=kept: memory.edit(kept.id, text=f"{name} {PAD}"))


def undo(memory: Memory, names: list[str]) -> None:
    for name in names:
        kept = memory.remember(f"{name} {PAD}")
        edited = memory.edit(kept.id, text=f"other words than {name[:-4]} {PAD}")
        attempt(name, lambda edited=edited: memory.undo(edited.operation))


def forget(memory: Memory, names: list[str]) -> None:
    for place, name in enumerate(names):
        if place % 2 == 0:
            attempt(name, lambda name=name: memory.remember(f"{name} {PAD}"))
            continue
        kept = memory.remember(f"{name} {PAD}")
        memory.edit(kept.id, tags=["doomed"])
        memory.forget([kept.id])
        say("GONE", name)


def fold(memory: Memory, names: list[str]) -> None:
    for place, name in enumerate(names):
        kept = memory.remember(f"{name} {PAD}")
        memory.edit(kept.id, tags=["again"])
        if place % 2:
            memory.archive(kept.id)
        say("ACK", name)
        memory.fold()


def mixed(memory: Memory, names: list[str]) -> None:
    turns = (remember, batch, edit, undo, forget, fold)
    for place, name in enumerate(names):
        turns[place % len(turns)](memory, [name])


def attempt(name: str, act: object) -> None:
    try:
        act()  # type: ignore[operator]
    except MemoracleError as problem:
        say("REFUSED", name, str(problem))
    else:
        say("ACK", name)


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


WAYS = {
    "remember": remember,
    "cli": command,
    "batch": batch,
    "edit": edit,
    "undo": undo,
    "forget": forget,
    "fold": fold,
    "mixed": mixed,
}

if __name__ == "__main__":
    sys.exit(main())
