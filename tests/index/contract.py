"""What every view has to do, as cases. `test_sqlite.py` runs them; another view runs the same ones.

A subclass brings `view()`: a new, empty view. Truth is a store in memory that the cases fill.
"""

from itertools import count, permutations

import pytest

from memoracle.index.sync import compare, sync
from memoracle.model.activation import Law
from memoracle.model.hit import Source
from memoracle.model.ids import file_digest, line_sum
from memoracle.model.manifest import FileState, Loaded, Mark, Role, Use, Version
from memoracle.model.origin import Channel, Origin
from memoracle.model.query import Filters
from memoracle.model.record import Kind, Sensitivity, Status, Weight
from memoracle.model.report import Finding, Severity
from memoracle.model.scope import Scope
from support.build import a_change, a_passage, a_record, days
from support.clock import START

FACTS = "records/facts.jsonl"
ARCHIVE = "archive/records/facts.jsonl"


class Truth:
    """Files as lists of values, with a manifest; every read is counted."""

    def __init__(self):
        self.files = {}
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
                Version(line=start + n, digest=line_sum(repr(record).encode()), record=record)
                for n, record in enumerate(fresh, start=1)
                if role is Role.RECORDS
            ),
            passages=tuple(fresh) if role is Role.NOTE else (),
            uses=tuple(fresh) if role is Role.USAGE else (),
            findings=findings,
        )


def _digest(values):
    return file_digest(repr(values).encode())


def refs(found):
    return [item.passage.ref for item in found]


def words(view, *terms, limit=10, now=START, **filters):
    return view.search_words(list(terms), Filters(**filters), limit, now)


class IndexContract:
    """The cases."""

    def view(self):
        raise NotImplementedError

    @pytest.fixture
    def index(self):
        view = self.view()
        yield view
        view.close()

    @pytest.fixture
    def truth(self):
        return Truth()

    def rebuilt(self, truth):
        fresh = self.view()
        try:
            sync(truth, fresh)
            return fresh.dump()
        finally:
            fresh.close()

    # Level with the truth

    def test_a_new_view_is_not_whole(self, index):
        """A view that has read nothing says so."""
        assert not index.is_whole()

    def test_a_synced_view_is_whole(self, index, truth):
        """After a sync nothing is missing."""
        truth.records(FACTS, a_record())
        assert (sync(truth, index).changed, index.is_whole()) == (1, True)

    def test_syncing_again_reads_nothing(self, index, truth):
        """Files that look the same are not opened."""
        truth.records(FACTS, a_record())
        sync(truth, index)
        truth.reads.clear()
        assert (sync(truth, index).changed, truth.reads) == (0, [])

    def test_files_are_looked_at_once(self, index, truth):
        """One look finds what changed, and the same look is what is read."""
        truth.records(FACTS, a_record())
        sync(truth, index)
        truth.notes("notes/a.md", a_passage(path="notes/a.md"))
        truth.looks = 0
        assert (sync(truth, index).changed, truth.looks) == (1, 1)

    def test_work_of_another_is_not_done_again(self, index, truth):
        """A view that was changed between the look and the turn is compared once more."""
        truth.records(FACTS, a_record("saffron"))

        class Overtaken:
            load = truth.load
            looks = 0

            def manifest(self):
                self.looks += 1
                if self.looks == 1:
                    sync(truth, index)
                return truth.manifest()

        assert (sync(Overtaken(), index).changed, truth.reads) == (0, [(FACTS, 0)])

    def test_an_appended_file_is_read_from_where_it_was_left(self, index, truth):
        """Only what is new is read; the view equals one built at once."""
        first = a_record("first")
        truth.records(FACTS, first)
        sync(truth, index)
        truth.records(FACTS, first, a_record("second"))
        sync(truth, index)
        assert truth.reads == [(FACTS, 0), (FACTS, 1)]
        assert index.dump() == self.rebuilt(truth)

    def test_only_the_changed_file_is_read(self, index, truth):
        """Other files are left alone."""
        truth.records(FACTS, a_record())
        truth.notes("notes/a.md", a_passage(path="notes/a.md"))
        sync(truth, index)
        truth.reads.clear()
        truth.notes("notes/a.md", a_passage("other words", path="notes/a.md"))
        sync(truth, index)
        assert truth.reads == [("notes/a.md", 0)]

    def test_a_touched_file_is_the_same_file(self, index, truth):
        """New times on the same content change nothing in the view."""
        record = a_record()
        truth.records(FACTS, record)
        sync(truth, index)
        before = index.dump()
        truth.records(FACTS, record)
        sync(truth, index)
        assert index.dump() == before

    def test_a_deleted_file_is_forgotten(self, index, truth):
        """What stood only there cannot be found any more."""
        truth.records(FACTS, a_record("saffron"))
        truth.notes("notes/a.md", a_passage("saffron", path="notes/a.md"))
        sync(truth, index)
        truth.remove("notes/a.md")
        truth.remove(FACTS)
        sync(truth, index)
        assert (words(index, "saffron"), index.dump()) == ([], self.rebuilt(truth))

    def test_a_renamed_file_moves(self, index, truth):
        """The same words stand at the new path, once."""
        truth.notes("notes/a.md", a_passage("saffron", path="notes/a.md", ref="notes/a.md#L1"))
        sync(truth, index)
        truth.remove("notes/a.md")
        truth.notes("notes/b.md", a_passage("saffron", path="notes/b.md", ref="notes/b.md#L1"))
        sync(truth, index)
        assert [found.passage.path for found in words(index, "saffron")] == ["notes/b.md"]

    def test_lines_that_move_keep_their_place(self, index, truth):
        """A reordered file cites the new lines, and equals a rebuild."""
        one, two = a_record("saffron"), a_record("quokka")
        truth.records(FACTS, one, two)
        sync(truth, index)
        truth.records(FACTS, two, one)
        sync(truth, index)
        assert words(index, "saffron")[0].passage.first_line == 2
        assert index.dump() == self.rebuilt(truth)

    def test_a_repeated_line_counts_once(self, index, truth):
        """A union merge may double lines without doubling answers."""
        record = a_record("saffron")
        truth.records(FACTS, record, record)
        truth.records(ARCHIVE, record)
        sync(truth, index)
        assert refs(words(index, "saffron")) == [record.id]

    def test_repeated_lines_may_move(self, index, truth):
        """Which of two equal lines stands does not depend on how the view came to know them."""
        one, two = a_record("saffron"), a_record("quokka")
        for order in ((one, one, two), (two, one, one), (one, two, one)):
            truth.records(FACTS, *order)
            sync(truth, index)
            assert index.dump() == self.rebuilt(truth)

    def test_any_order_of_versions_gives_the_same_view(self, index, truth):
        """The newest version stands wherever its line is."""
        versions = [
            a_record(f"text {n}", id="mem_X", version=n, change=a_change(at=START + days(n)))
            for n in (1, 2, 3)
        ]
        for order in permutations(versions):
            truth.records(FACTS, *order)
            sync(truth, index)
            assert [found.passage.text for found in words(index, "text")] == ["text 3"]
            assert index.dump() == self.rebuilt(truth)

    def test_versions_in_two_files_are_one_record(self, index, truth):
        """An old version in the archive stays behind the new one; without the new one it stands."""
        old = a_record("old saffron", id="mem_X")
        new = a_record("new saffron", id="mem_X", version=2, change=a_change(at=START + days(1)))
        truth.records(ARCHIVE, old)
        truth.records(FACTS, new)
        sync(truth, index)
        assert [found.passage.text for found in words(index, "saffron")] == ["new saffron"]
        truth.records(FACTS)
        sync(truth, index)
        assert [found.passage.text for found in words(index, "saffron")] == ["old saffron"]

    def test_a_tombstone_hides_everything(self, index, truth):
        """Older and even newer lines of an erased record are not found, not even as of then."""
        record = a_record("saffron", id="mem_X")
        stone = a_record(
            "", id="mem_X", version=2, status=Status.FORGOTTEN, change=a_change(at=START + days(1))
        )
        truth.records(FACTS, record, stone)
        sync(truth, index)
        found = [
            words(index, "saffron"),
            words(index, "saffron", wide=True),
            words(index, "saffron", as_of=START),
        ]
        assert found == [[], [], []]

    def test_a_failed_sync_leaves_the_old_view(self, index, truth):
        """When reading breaks half-way, the view is what it was."""
        truth.records(FACTS, a_record("saffron"))
        sync(truth, index)
        before = index.dump()
        truth.records(FACTS, a_record("quokka"))
        truth.notes("notes/z.md")
        truth.files["notes/z.md"] = None
        with pytest.raises(TypeError):
            sync(truth, index)
        assert index.dump() == before

    def test_compare_names_what_changed(self, index, truth):
        """Stale, gone, and nothing else."""
        truth.records(FACTS)
        truth.notes("notes/a.md")
        truth.notes("notes/b.md")
        sync(truth, index)
        truth.remove("notes/b.md")
        truth.notes("notes/a.md", a_passage(path="notes/a.md"))
        difference = compare(truth.manifest(), index.known())
        assert ([state.path for state in difference.stale], difference.gone) == (
            ["notes/a.md"],
            ("notes/b.md",),
        )

    # Answers

    def test_greater_scores_are_better(self, index, truth):
        """More of the words, and rarer ones, come first."""
        truth.records(
            FACTS, a_record("quokka"), a_record("quokka saffron"), *(a_record("quokka") for _ in range(5))
        )
        sync(truth, index)
        found = words(index, "quokka", "saffron")
        assert (found[0].passage.text, found[0].score > found[1].score > 0) == ("quokka saffron", True)

    def test_search_keeps_to_its_limit(self, index, truth):
        """No more than asked for."""
        truth.records(FACTS, *(a_record("quokka") for _ in range(20)))
        sync(truth, index)
        assert len(words(index, "quokka", limit=7)) == 7

    @pytest.mark.parametrize(
        "term", ['"', "*", "AND", "NEAR(", "x:y", "'", "\\", "(", "-", "^a", "", " ", "🙈"]
    )
    def test_terms_are_literal(self, index, truth, term):
        """No term is syntax."""
        truth.records(FACTS, a_record("quokka"))
        sync(truth, index)
        assert words(index, term) == []

    def test_names_are_exact(self, index, truth):
        """Ids, aliases, entities; case and width do not matter, parts of names do."""
        record = a_record("quokka", aliases=("fact-17",), entities=("Ｍiso Cat",))
        truth.records(FACTS, record)
        sync(truth, index)

        def named(name):
            return refs(index.search_names([name], Filters(), 10, START))

        assert [named(name) for name in (record.id, "FACT-17", "miso  cat", "miso")] == [[record.id]] * 3 + [
            []
        ]

    def test_frequencies_count_passages(self, index, truth):
        """In how many passages a term stands, and how many there are."""
        truth.records(FACTS, a_record("quokka quokka"), a_record("quokka"), a_record("saffron"))
        sync(truth, index)
        counts, total = index.frequencies(["quokka", "saffron", "unknown"])
        assert (dict(counts), total) == ({"quokka": 2, "saffron": 1, "unknown": 0}, 3)

    def test_default_answers_hold_only_what_stands(self, index, truth):
        """Archived and superseded need `wide`; retracted and quarantined are never shown."""
        truth.records(FACTS, *(a_record(f"quokka {status}", status=status) for status in Status))
        sync(truth, index)
        plain = [found.passage.status for found in words(index, "quokka")]
        wide = {found.passage.status for found in words(index, "quokka", wide=True)}
        assert (plain, wide) == ([Status.ACTIVE], {Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED})

    def test_scope_narrows(self, index, truth):
        """Only this project's records."""
        truth.records(FACTS, a_record("quokka", scope=Scope(project="arena")), a_record("quokka"))
        sync(truth, index)
        assert [f.passage.project for f in words(index, "quokka", scope=Scope(project="arena"))] == ["arena"]

    @pytest.mark.parametrize("tag", ["%", "_", '"', "re", "red"])
    def test_tags_are_literal(self, index, truth, tag):
        """A tag is matched whole, whatever characters it has."""
        truth.records(FACTS, a_record("quokka", tags=("red", "blue")), a_record("quokka", tags=(tag,)))
        sync(truth, index)
        assert {tag in found.passage.tags for found in words(index, "quokka", tags=(tag,))} == {True}

    def test_records_are_listed_newest_first(self, index, truth):
        """By the time of their last change."""
        records = [a_record(f"n{n}", change=a_change(at=START + days(n))) for n in range(4)]
        truth.records(FACTS, *records)
        sync(truth, index)
        assert refs(index.list_records(Filters(), 3, START)) == [record.id for record in records[:0:-1]]

    def test_references_resolve(self, index, truth):
        """A whole id, a beginning of one in any case, an alias; nothing for what nobody is called."""
        records = [a_record(id="mem_AB1", aliases=("fact-17",)), a_record(id="mem_AB2"), a_record(id="mem_C")]
        truth.records(FACTS, *records)
        sync(truth, index)
        found = [index.resolve(name, 20) for name in ("mem_AB1", "mem_AB", "c", "fact-17", "zzz", "%", "*")]
        assert found == [["mem_AB1"], ["mem_AB1", "mem_AB2"], ["mem_C"], ["mem_AB1"], [], [], []]

    def test_uses_are_known(self, index, truth):
        """When each record was handed over, oldest first."""
        truth.uses("usage/2026-05.jsonl", *(Use(line=n, ref="mem_X", at=START + days(n)) for n in (2, 1)))
        sync(truth, index)
        assert index.uses_of(["mem_X", "mem_Y"]) == {"mem_X": [START + days(1), START + days(2)]}

    def test_a_few_are_at_hand(self, index, truth):
        """Pinned ones, lasting kinds, tasks, what came lately and what is named, whatever else there is."""
        old = START - days(90)
        truth.records(
            FACTS,
            a_record("rule", kind=Kind.RULE, at=old),
            a_record("task", kind=Kind.TASK, at=old),
            a_record("pinned", pinned=True, at=old),
            a_record("named", id="mem_NAMED", at=old),
            a_record("lately"),
            a_record("weighty", at=old, weight=Weight(importance=0.9)),
            a_record("from outside", origin=Origin(channel=Channel.EXTERNAL)),
            a_record("secret", sensitivity=Sensitivity.SECRET),
            a_record("archived", status=Status.ARCHIVED, pinned=True),
            a_record("public", at=old, sensitivity=Sensitivity.PUBLIC),
        )
        sync(truth, index)

        def at_hand(**how):
            found = index.at_hand(Law(), START, since=START - days(3), **how)
            return sorted(one.passage.text for one in found)

        assert at_hand(shown=["mem_NAMED"]) == ["lately", "named", "pinned", "rule", "task"]
        assert at_hand() == ["lately", "pinned", "rule", "task", "weighty"]
        assert at_hand(public=True) == ["public"]

    def test_findings_leave_with_their_cause(self, index, truth):
        """A finding is known until its file is read without it."""
        record = a_record()
        finding = Finding(code="torn-line", severity=Severity.ERROR, path=FACTS, message="torn", line=2)
        truth.records(FACTS, record, findings=[finding])
        sync(truth, index)
        assert index.findings() == [finding]
        truth.records(FACTS, a_record("another"))
        sync(truth, index)
        assert index.findings() == []

    def test_counts(self, index, truth):
        """Standing records by status and kind, pieces of notes."""
        truth.records(FACTS, a_record(), a_record(status=Status.ARCHIVED))
        truth.notes("notes/a.md", a_passage(source=Source.NOTE, path="notes/a.md", ref="notes/a.md#L1"))
        sync(truth, index)
        counts = index.counts()
        assert (counts["records"], counts["status:archived"], counts["kind:fact"]) == (2, 1, 1)

    def test_scrubbing_loses_nothing_that_stands(self, index, truth):
        """After a removal is scrubbed, everything else is as it was."""
        truth.records(FACTS, a_record("quokka"), a_record("saffron"))
        sync(truth, index)
        truth.records(FACTS, truth.files[FACTS][1][0])
        sync(truth, index)
        index.scrub()
        assert (len(words(index, "quokka")), words(index, "saffron")) == (1, [])
        assert index.dump() == self.rebuilt(truth)
