"""What the cases of `test_contract.py` run on: every implementation of a view, and a truth that tests fill.

Another implementation is added to `VIEWS`; nothing else has to know of it.
"""

from itertools import count

from memoracle.index.sqlite.view import SqliteIndex
from memoracle.model.ids import file_digest
from memoracle.model.manifest import FileState, Loaded, Mark, Role, Version
from memoracle.store.line import line_sum

FACTS = "records/facts.jsonl"


class Truth:
    """Files as lists of values, with a manifest; every read is counted."""

    def __init__(self):
        self.files = {}
        self.links = {}
        self.states = {}
        self.reads = []
        self.looks = 0
        self._ticks = count(1)

    def put(self, path, role, values, findings=()):
        self.files[path] = (role, list(values), tuple(findings))
        tick = next(self._ticks)
        self.states[path] = FileState(
            path=path, role=role, size=len(values), modified=tick, changed=tick, inode=tick
        )

    def records(self, path, *records, findings=()):
        self.put(path, Role.RECORDS, records, findings)

    def notes(self, path, *passages):
        self.put(path, Role.NOTE, passages)

    def uses(self, path, *uses):
        self.put(path, Role.USAGE, uses)

    def remove(self, path):
        del self.files[path], self.states[path]

    def manifest(self):
        self.looks += 1
        return [self.states[path] for path in sorted(self.states)]

    def load(self, path, role, after=None, *, most=None):
        role, values, findings = self.files[path]
        tail = (
            role is Role.RECORDS
            and after is not None
            and after.size <= len(values)
            and _digest(values[: after.size]) == after.digest
        )
        start = after.size if tail else 0
        self.reads.append((path, start))
        fresh = values[start:]
        return Loaded(
            path=path,
            role=role,
            whole=not tail,
            mark=Mark(size=len(values), lines=len(values), digest=_digest(values)),
            versions=tuple(
                Version(
                    line=start + n,
                    digest=line_sum(repr(record).encode()),
                    record=record,
                    links=self.links.get(record.id, ()),
                )
                for n, record in enumerate(fresh, start=1)
                if role is Role.RECORDS
            ),
            passages=tuple(fresh) if role is Role.NOTE else (),
            uses=tuple(fresh) if role is Role.USAGE else (),
            findings=findings,
        )


def _digest(values):
    return file_digest(repr(values).encode())


VIEWS = {
    "sqlite in memory": lambda _: SqliteIndex(None),
    "sqlite in a file": lambda folder: SqliteIndex(str(folder)),
}
"""How to make a new, empty view of each implementation, given a folder that it may have for itself."""
