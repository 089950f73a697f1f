"""Any history of verbs, hand edits and merges, then: the view is what a rebuild would be.

The machine below lives through such histories in a real root. After every step it asks:
  the caught-up view equals a rebuilt one;
  folding all versions by hand gives exactly the rows the view holds;
  searching changed no byte outside the index.
`MEMORACLE_PROPERTIES=long pytest tests/properties` looks much longer.
"""

import json
import os
import random
import shutil
import tempfile
from contextlib import suppress

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memoracle.compose import init, open_memory
from memoracle.errors import MemoracleError
from memoracle.index.api import sync
from memoracle.index.sqlite.view import SqliteIndex
from memoracle.model.record import Status, newest
from memoracle.model.search import Filters
from support.clock import FrozenClock
from support.files import PLAIN, contents

pytestmark = pytest.mark.long

WORDS = [
    "quokka",
    "saffron",
    "花生过敏",
    "E4021",
    "docs/a.md",
    "O'Brien",
    "café",
    "the",
    "周末爬山",
    "getUserName",
]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
kinds = st.sampled_from(["fact", "belief", "summary", "health"])
picks = st.integers(0, 10_000)
LONG = os.environ.get("MEMORACLE_PROPERTIES") == "long"


class Histories(RuleBasedStateMachine):
    """One root, one life."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp(prefix="memoracle-history-")
        self.root = os.path.join(self.folder, "m")
        init(self.root, environment={})
        self.clock = FrozenClock()
        self.memory = open_memory(self.root, environment=PLAIN, clock=self.clock)
        self.copies = []

    def teardown(self):
        self.memory.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # What is there

    def path(self, relative):
        return os.path.join(self.root, relative)

    def record_files(self):
        return [path for path in self.memory.store.journal.files() if os.path.exists(self.path(path))]

    def lines(self, path):
        with open(self.path(path), "rb") as file:
            return [line for line in file.read().split(b"\n") if line.strip()]

    def write_lines(self, path, lines):
        with open(self.path(path), "wb") as file:
            file.write(b"".join(line + b"\n" for line in lines))

    def standing(self):
        """Every record as it stands, by the rule alone: no view takes part."""
        versions = {}
        for _, record in self.memory.store.journal.all_versions():
            versions.setdefault(record.id, []).append(record)
        return {record_id: newest(several) for record_id, several in versions.items()}

    def said(self):
        """What the standing records say, without how they came to say it."""
        return {
            record.id: (record.text, record.kind, record.status, record.pinned, record.tags, record.validity)
            for record in self.standing().values()
            if record.status is not Status.RETRACTED
        }

    def some(self, pick, *statuses):
        chosen = sorted(r.id for r in self.standing().values() if not statuses or r.status in statuses)
        return chosen[pick % len(chosen)] if chosen else None

    # The verbs

    @initialize(first=texts)
    def begin(self, first):
        self.memory.remember(first)

    @rule(text=texts, kind=kinds)
    def remember(self, text, kind):
        self.memory.remember(text, kind=kind)

    @rule(pick=picks, text=texts, kind=kinds)
    def edit(self, pick, text, kind):
        if record_id := self.some(pick, Status.ACTIVE, Status.ARCHIVED):
            with suppress(MemoracleError):
                self.memory.edit(record_id, text=text, kind=kind)

    @rule(pick=picks, text=texts)
    def supersede(self, pick, text):
        if record_id := self.some(pick, Status.ACTIVE):
            self.memory.supersede(record_id, text)

    @rule(pick=picks)
    def archive(self, pick):
        if record_id := self.some(pick, Status.ACTIVE):
            self.memory.archive(record_id)

    @rule(pick=picks)
    def restore(self, pick):
        if record_id := self.some(pick, Status.ARCHIVED, Status.SUPERSEDED, Status.RETRACTED):
            self.memory.restore(record_id)

    @rule(pick=picks, pinned=st.booleans())
    def pin(self, pick, pinned):
        if record_id := self.some(pick, Status.ACTIVE):
            self.memory.pin(record_id, pinned=pinned)

    @rule(pick=picks)
    def forget(self, pick):
        if record_id := self.some(pick, Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED):
            self.memory.forget([record_id])
            assert self.standing()[record_id].status is Status.FORGOTTEN

    @rule()
    def undo(self):
        with suppress(MemoracleError):
            self.memory.undo()

    @rule()
    def fold(self):
        before = self.said()
        self.memory.fold()
        assert self.said() == before

    @rule(adopt=st.booleans())
    def repair(self, adopt):
        self.memory.repair(adopt=adopt)

    @rule(question=texts)
    def recall(self, question):
        self.memory.recall(question)

    @rule(days=st.integers(1, 90))
    def time_passes(self, days):
        self.clock.move(days=days)

    # The laws of single acts

    @rule(pick=picks, text=texts, act=st.sampled_from(["edit", "archive", "pin", "supersede", "remember"]))
    def any_act_can_be_undone(self, pick, text, act):
        record_id = self.some(pick, Status.ACTIVE)
        if record_id is None:
            return
        before = self.said()
        self.clock.move(seconds=1)
        try:
            receipt = {
                "edit": lambda: self.memory.edit(record_id, text=text),
                "archive": lambda: self.memory.archive(record_id),
                "pin": lambda: self.memory.pin(record_id),
                "supersede": lambda: self.memory.supersede(record_id, text),
                "remember": lambda: self.memory.remember(text + " anew"),
            }[act]()
        except MemoracleError:
            return
        if act == "remember" and not receipt.created:
            return
        self.clock.move(seconds=1)
        self.memory.undo(receipt.operation)
        assert self.said() == before

    @rule(pick=picks)
    def archive_then_restore_is_the_same_record(self, pick):
        record_id = self.some(pick, Status.ACTIVE)
        if record_id is None:
            return
        before = self.standing()[record_id]
        self.memory.archive(record_id)
        self.memory.fold()
        self.memory.restore(record_id)
        after = self.standing()[record_id]
        assert (after.statement, after.kind, after.tags, after.status) == (
            before.statement,
            before.kind,
            before.tags,
            before.status,
        )

    # People, editors and other machines

    @rule(text=texts, name=st.sampled_from(["a", "b"]))
    def write_a_note(self, text, name):
        with open(self.path(f"notes/semantic/{name}.md"), "w", encoding="utf-8") as file:
            file.write(f"# {name}\n#tags: x\n\n{text}\n\n## more\n\n{text}\n")

    @rule(name=st.sampled_from(["a", "b"]))
    def delete_a_note(self, name):
        with suppress(FileNotFoundError):
            os.unlink(self.path(f"notes/semantic/{name}.md"))

    @rule()
    def rename_a_note(self):
        with suppress(FileNotFoundError):
            os.rename(self.path("notes/semantic/a.md"), self.path("notes/semantic/b.md"))

    @rule(pick=picks)
    def delete_a_record_file(self, pick):
        files = self.record_files()
        if len(files) > 1:
            os.unlink(self.path(files[pick % len(files)]))

    @rule(pick=picks, seed=picks)
    def shuffle_and_repeat_lines(self, pick, seed):
        files = self.record_files()
        if files:
            path = files[pick % len(files)]
            lines = self.lines(path)
            chance = random.Random(seed)
            lines += chance.sample(lines, min(2, len(lines)))
            chance.shuffle(lines)
            self.write_lines(path, lines)

    @rule()
    def copy_to_another_machine(self):
        self.copies.append({path: self.lines(path) for path in self.record_files()})

    @precondition(lambda self: self.copies)
    @rule(pick=picks, seed=picks)
    def merge_some_of_it_back(self, pick, seed):
        chance = random.Random(seed)
        for path, lines in self.copies[pick % len(self.copies)].items():
            here = self.lines(path) if os.path.exists(self.path(path)) else []
            some = chance.sample(lines, chance.randint(0, len(lines)))
            self.write_lines(path, list(dict.fromkeys([*here, *some])))

    @rule(pick=picks, text=texts, signed=st.booleans())
    def edit_a_line_by_hand(self, pick, text, signed):
        files = [path for path in self.record_files() if self.lines(path)]
        if not files:
            return
        path = files[pick % len(files)]
        lines = self.lines(path)
        place = pick % len(lines)
        with suppress(ValueError):
            fields = json.loads(lines[place])
            if not isinstance(fields, dict) or fields.get("status") == "forgotten":
                return
            fields["text"] = text
            if not signed:
                fields.pop("sum", None)
            lines[place] = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
            self.write_lines(path, lines)

    @rule(pick=picks, cut=st.integers(1, 60))
    def tear_the_last_line(self, pick, cut):
        files = [path for path in self.record_files() if self.lines(path)]
        if files:
            path = files[pick % len(files)]
            last = self.lines(path)[-1]
            with open(self.path(path), "ab") as file:
                file.write(last[: len(last) - min(cut, len(last) - 1)])

    # The laws of the whole

    @invariant()
    def the_view_is_what_a_rebuild_would_be(self):
        self.memory.status()
        fresh = SqliteIndex(None)
        try:
            sync(self.memory.store, fresh)
            assert self.memory.index.dump() == fresh.dump()
        finally:
            fresh.close()

    @invariant()
    def the_rows_are_the_fold_of_all_versions(self):
        shown = {Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED}
        wanted = {(r.id, r.version, r.text, r.status) for r in self.standing().values() if r.status in shown}
        found = self.memory.index.list_records(Filters(wide=True), 100_000, self.clock.now)
        rows = [(f.passage.ref, f.passage.version, f.passage.text, f.passage.status) for f in found]
        assert sorted(rows) == sorted(wanted)

    @invariant()
    def search_changes_no_byte(self):
        before = contents(self.root)
        self.memory.search("quokka 花生")
        assert contents(self.root) == before

    @invariant()
    def a_citation_leads_to_its_line(self):
        found = self.memory.search("quokka saffron")
        for hit in found.hits:
            if hit.passage.source == "record":
                with open(self.path(hit.passage.path), "rb") as file:
                    line = file.read().split(b"\n")[hit.passage.first_line - 1]
                assert hit.passage.ref.encode() in line


Histories.TestCase.settings = settings(
    max_examples=400 if LONG else 25, stateful_step_count=40 if LONG else 15, deadline=None
)
TestHistories = pytest.mark.seed("C-01", "C-02", "F-03", "S0.123")(Histories.TestCase)
