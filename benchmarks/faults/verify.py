"""The other half for the fault tools: prints `HAVE id` for every standing record in `$STORE`.

    verify.py [--view] [--repair] [--gone]

Truth is read afresh from the files; the view is not asked unless `--view` says so, and then it
must answer with the same ids. What `check` finds goes to stderr. `--repair` mends first and fails
when anything is still wrong afterwards. `--gone` fails when an erased record left bytes behind.
"""

from __future__ import annotations

import os
import re
import sys

from memoracle.compose import init, open_memory
from memoracle.errors import MemoracleError, NoRoot
from memoracle.memory import Memory
from memoracle.model.record import Record, Status, newest
from memoracle.model.search import Filters
from memoracle.store.mend import keep_damage_safe

NAME = re.compile(r"r\d+-w\d+-\d+-end")


def main() -> int:
    wishes, store = set(sys.argv[1:]), os.environ["STORE"]
    try:
        memory = open_memory(store, environment={})
    except (NoRoot, MemoracleError) as problem:
        # A root whose first file never got its name, or whose settings were damaged: the records are there.
        sys.stderr.write(f"{problem}\n")
        set_right(store)
        memory = open_memory(store, environment={})
    with memory:
        if "--repair" in wishes:
            memory.repair()
        report = memory.check()
        for finding in report.findings:
            sys.stderr.write(f"{finding.place}: {finding.code}: {finding.message}\n")
        if "--repair" in wishes and not report.ok:
            return 1
        keep_damage_safe(memory.store)
        records = standing(memory)
        names = sorted(name for record in records for name in NAME.findall(record.text))
        for name in names:
            sys.stdout.write(f"HAVE {name}\n")
        if "--view" in wishes and (seen := viewed(memory)) != names:
            differ = sorted(set(seen) ^ set(names))[:3]
            sys.stderr.write(f"the view has {len(seen)}, the files {len(names)}; they differ in {differ}\n")
            return 1
        return 1 if "--gone" in wishes and haunted(memory) else 0


def standing(memory: Memory) -> list[Record]:
    versions: dict[str, list[Record]] = {}
    for _, record in memory.store.journal.all_versions():
        versions.setdefault(record.id, []).append(record)
    return [record for held in versions.values() if (record := newest(held)).status is not Status.FORGOTTEN]


def viewed(memory: Memory) -> list[str]:
    hits = memory.list(limit=10_000_000, filters=Filters(wide=True))
    return sorted(name for hit in hits for name in NAME.findall(hit.passage.text))


def haunted(memory: Memory) -> bool:
    """True when a file still names something that no record says any more (the erased)."""
    said = {n for _, record in memory.store.journal.all_versions() for n in NAME.findall(record.text)}
    found = False
    for folder, _, names in os.walk(memory.store.root):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                ghosts = set(NAME.findall(file.read().decode("latin-1"))) - said
            if ghosts:
                sys.stderr.write(f"{name} still holds {sorted(ghosts)[:3]}\n")
                found = True
    return found


def set_right(store: str) -> None:
    settings = os.path.join(store, "memoracle.toml")
    if os.path.exists(settings):
        os.rename(settings, settings + ".damaged")
    init(store, layout="native", environment={})


if __name__ == "__main__":
    sys.exit(main())
