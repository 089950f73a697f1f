"""What every view has to do: the same cases for each implementation in `contract.VIEWS`."""

from itertools import permutations

import numpy as np
import pytest

from index.contract import FACTS, VIEWS, Truth
from memoracle.index.api import EmbeddedChunk, compare, sync
from memoracle.index.features import Flag
from memoracle.model.link import Link, LinkType
from memoracle.model.manifest import RecallUse
from memoracle.model.record import Channel, Kind, Law, Origin, Scope, Sensitivity, Status, Weight
from memoracle.model.report import Finding, Severity
from memoracle.model.search import EvidenceSource, Filters
from support.build import a_change, a_passage, a_record, days
from support.clock import START
from support.views import a_turn, told

ARCHIVE = "archive/records/facts.jsonl"
SPACE = "model@1:2"


def refs(found):
    return [item.passage.ref for item in found]


def words(view, *terms, limit=10, now=START, **filters):
    return view.search_words(list(terms), Filters(**filters), limit, now)


def give(index, row, numbers, content="c"):
    """Give a passage one vector."""
    vector = np.array(numbers, dtype="<f2").tobytes()
    return index.keep_vectors(SPACE, {row: [EmbeddedChunk(content=content, vector=vector)]})


@pytest.fixture(params=VIEWS)
def index(request, tmp_path):
    """A new, empty view."""
    view = VIEWS[request.param](tmp_path / "index")
    yield view
    view.close()


@pytest.fixture
def truth():
    """Files that are filled by a test."""
    return Truth()


def rebuilt(index, truth):
    """What a view says that was built at once."""
    fresh = index.blank()
    try:
        sync(truth, fresh)
        return fresh.dump()
    finally:
        fresh.close()


class TestCatalogue:
    """In sync with truth, however that came about."""

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
        assert index.dump() == rebuilt(index, truth)

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
        assert (words(index, "saffron"), index.dump()) == ([], rebuilt(index, truth))

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
        assert index.dump() == rebuilt(index, truth)

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
            assert index.dump() == rebuilt(index, truth)

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
            assert index.dump() == rebuilt(index, truth)

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

    def test_scrubbing_loses_nothing_that_stands(self, index, truth):
        """After a removal is scrubbed, everything else is as it was."""
        truth.records(FACTS, a_record("quokka"), a_record("saffron"))
        sync(truth, index)
        truth.records(FACTS, truth.files[FACTS][1][0])
        sync(truth, index)
        index.scrub()
        assert (len(words(index, "quokka")), words(index, "saffron")) == (1, [])
        assert index.dump() == rebuilt(index, truth)

    def test_a_view_says_by_its_generation_that_it_changed(self, index, truth):
        """Another number after every change, the same while there is none."""
        before = index.generation()
        truth.records(FACTS, a_record())
        sync(truth, index)
        after = index.generation()
        sync(truth, index)
        assert (after != before, index.generation()) == (True, after)

    def test_a_view_that_is_thrown_away_is_empty(self, index, truth):
        """And what was in it comes back by reading the files again."""
        truth.records(FACTS, a_record("saffron"))
        sync(truth, index)
        before = index.dump()
        index.reset()
        empty = (index.is_whole(), dict(index.known()), words(index, "saffron"))
        sync(truth, index)
        assert (empty, index.dump()) == ((False, {}, []), before)

    def test_vectors_wait_and_are_given(self, index, truth):
        """What has none is pending, newest first; vectors are known by the words they stand for."""
        truth.records(FACTS, a_record("saffron"), a_record("quokka"))
        sync(truth, index)
        waiting = index.pending(10)
        assert ([one.text for one in waiting], index.count_pending()) == (["quokka", "saffron"], 2)
        assert (index.has_vectors(), index.spaces()) == (False, set())
        assert give(index, waiting[0].row, [1.0, 0.0])
        assert (index.count_pending(), index.has_vectors(), index.spaces()) == (1, True, {SPACE})
        assert list(index.known_vectors(SPACE, ["c", "nobody's"])) == ["c"]
        assert (index.count_pending(SPACE), index.count_pending("another")) == (1, 2)
        index.leave_other_spaces(SPACE)
        index.drop_other_vectors(SPACE)
        kept = (index.spaces(), list(index.known_vectors(SPACE, ["c"])))
        index.leave_other_spaces("another")
        assert (kept, index.spaces(), index.count_pending()) == (({SPACE}, ["c"]), set(), 2)
        assert index.keeps_vectors()
        index.drop_other_vectors("another")
        assert (index.keeps_vectors(), index.known_vectors(SPACE, ["c"])) == (False, {})


class TestLookup:
    """Passages by words, names and rows; records; links; counts."""

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
        truth.uses(
            "usage/2026-05.jsonl", *(RecallUse(line=n, ref="mem_X", at=START + days(n)) for n in (2, 1))
        )
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
        truth.notes(
            "notes/a.md", a_passage(source=EvidenceSource.NOTE, path="notes/a.md", ref="notes/a.md#L1")
        )
        sync(truth, index)
        counts = index.counts()
        assert (counts["records"], counts["status:archived"], counts["kind:fact"]) == (2, 1, 1)

    def test_rows_are_fetched_in_their_order(self, index, truth):
        """Those that fit the filters, as they were asked for."""
        truth.records(FACTS, a_record("one"), a_record("two"), a_record("three", status=Status.RETRACTED))
        sync(truth, index)
        rows = index.rows_named([f.passage.ref for f in words(index, "one", "two")], Filters(), 9, START)
        backwards = sorted(rows, reverse=True)
        assert list(index.fetch([*backwards, 3, 99], Filters(), START)) == backwards

    def test_one_moment_is_seen_whole(self, index, truth):
        """A snapshot asks the same view as long as it lasts."""
        truth.records(FACTS, a_record("saffron"))
        sync(truth, index)
        with index.snapshot():
            seen = (index.generation(), refs(words(index, "saffron")), index.has_links(), index.has_errors())
        assert seen == (index.generation(), refs(words(index, "saffron")), False, False)

    def test_links_lead_both_ways(self, index, truth):
        """What a record links to, and what links to that."""
        task = Link(target="entity:taskid:ARENA-1", type=LinkType.TASK, snippet="")
        truth.records(FACTS, a_record("about ARENA-1", id="mem_A"))
        truth.links["mem_A"] = (task,)
        sync(truth, index)
        with index.links() as links:
            found = (
                [e.target for e in links.outgoing("mem_A")],
                [e.source for e in links.incoming(task.target)],
            )
            assert (found, links.sources(), index.has_links()) == (
                ([task.target], ["mem_A"]),
                ["mem_A"],
                True,
            )


class TestRanking:
    """The view as arrays."""

    def test_place_r_belongs_to_row_r(self, index):
        """Lengths, days, flags and speakers stand where the row's number says; place 0 is nobody's."""
        view = told(
            index, a_turn("one two three", who=""), a_turn("one", who="Bob", session="b", at=START + days(1))
        )
        passages = view.ranking().passages()
        assert passages.length[:3].tolist() == [0, 3, 2]
        assert passages.day[:3].tolist() == [0, START.toordinal(), START.toordinal() + 1]
        assert view.ranking().speakers() == {"Bob": passages.speaker[2]}
        assert (passages.count, passages.average) == (2, 2.5)

    def test_an_empty_view_has_empty_arrays(self, index):
        """Nothing stands, nothing divides by zero."""
        passages = index.ranking().passages()
        assert (passages.count, passages.average, bool(passages.standing.any()), passages.has_agents) == (
            0,
            1.0,
            False,
            False,
        )

    def test_arrays_are_kept_until_the_view_changes(self, index):
        """The same object, then another."""
        view = told(index, a_turn("one"))
        first = view.ranking().passages()
        assert view.ranking().passages() is first
        told(view, a_turn("two"))
        assert (view.ranking().passages() is first, view.ranking().passages().count) == (False, 2)

    def test_filters_become_a_mask(self, index):
        """True for the rows that fit, and no others."""
        view = told(index, a_turn("one", who="Mei"), a_turn("two", who="Bob"), a_passage("three"))
        allowed = view.ranking().allowed(Filters(speaker="Bob"), START)
        assert np.flatnonzero(allowed).tolist() == [2]

    @pytest.mark.parametrize(("channel", "has"), [("owner", False), ("agent", True)])
    def test_whether_an_assistant_speaks(self, index, channel, has):
        """One turn is enough."""
        view = told(index, a_turn("one", channel=channel), a_turn("two"))
        flags = view.ranking().passages().flags
        assert (view.ranking().passages().has_agents, bool(flags[1] & int(Flag.AGENT))) == (has, has)

    def test_terms_postings_and_tokens_agree(self, index):
        """Where a term stands, how often, and in which order."""
        view = told(index, a_turn("cat dog cat", who=""), a_turn("dog", who=""))
        arrays = view.ranking()
        known = arrays.terms(["cat", "dog", "owl"])
        cat, dog = known["cat"][0], known["dog"][0]
        rows, counts = arrays.postings(cat)
        assert (rows.tolist(), counts.tolist(), known["dog"][1], "owl" in known) == ([1], [2.0], 2, False)
        assert arrays.tokens([1, 2, 99])[1].tolist() == [cat, dog, cat]
        assert (arrays.tokens([99])[99].tolist(), arrays.words([cat, 10**6])) == ([], {cat: ("cat", 1)})

    def test_a_session_is_as_long_as_its_turns(self, index):
        """Place s belongs to session s."""
        passages = (
            told(index, a_turn("one two", who=""), a_turn("three", who=""), a_turn("x", who="", session="b"))
            .ranking()
            .passages()
        )
        assert passages.session_length[passages.session[[1, 3]]].tolist() == [3, 1]

    def test_nothing_is_read_twice_for_one_question(self, index):
        """Within a snapshot a posting list is the same object."""
        told(index, a_turn("cat dog", who=""))
        with index.snapshot():
            ranking = index.ranking()
            term = ranking.terms(["cat"])["cat"][0]
            assert ranking.postings(term)[0] is ranking.postings(term)[0]
            assert ranking.tokens([1])[1] is ranking.tokens([1])[1]

    def test_the_nearest_has_the_greatest_cosine(self, index):
        """Estimated for all, exact for those asked about; what has no vector is as far away as can be."""
        told(index, a_turn("one"), a_turn("two"), a_turn("three"))
        give(index, 1, [1.0, 0.0], "a")
        give(index, 2, [-1.0, 0.0], "b")
        asked = np.array([1.0, 0.0], dtype=np.float32)
        near, _ = index.ranking().nearness(SPACE, asked)
        assert (near[1] > near[2] > near[3] == -2, index.ranking().spaces()) == (True, [SPACE])
        assert index.ranking().cosines(SPACE, asked, [1, 2, 3]) == {1: 1.0, 2: -1.0}
