"""`Memory`: one method per verb, the only place where values become writes."""

import json

import pytest

from memoracle.compose import law_of, open_memory
from memoracle.errors import (
    AmbiguousReference,
    BadSetting,
    CannotChange,
    NothingToUndo,
    UnknownLayout,
    UnknownRecord,
    VersionConflict,
)
from memoracle.learn.draft import make_draft
from memoracle.model.record import Law, Status
from memoracle.model.search import Filters
from memoracle.settings import Settings, load_settings
from support.files import PLAIN, contents, write


def listed(memory, **filters):
    return [hit.passage.text for hit in memory.list(limit=100, filters=Filters(**filters))]


# Keeping


@pytest.mark.seed("S0.032")
def test_remembering_appends_one_line(memory, root):
    """The receipt says where; the line says what."""
    receipt = memory.remember("the cat is called Miso")
    lines = (root / receipt.path).read_text().splitlines()
    assert (len(lines), json.loads(lines[receipt.line - 1])["text"]) == (1, "the cat is called Miso")


@pytest.mark.seed("S0.123")
def test_remembering_never_rewrites(memory, root):
    """What stood in the file before is still its beginning."""
    receipt = memory.remember("one")
    before = (root / receipt.path).read_bytes()
    memory.remember("two")
    memory.edit(receipt.id, text="one, put differently")
    assert (root / receipt.path).read_bytes().startswith(before)


@pytest.mark.seed("F-12", "F-48", "S0.124")
def test_remembering_twice_is_remembering_once(memory, root):
    """The same id, `created` False, not a byte more."""
    first = memory.remember("the cat is called Miso")
    before = contents(root)
    again = memory.remember("The  cat is called MISO")
    assert (again.id, again.created, contents(root)) == (first.id, False, before)


@pytest.mark.seed("F-31", "S4.089")
def test_a_retry_with_a_key_returns_the_first_record(memory):
    """A caller that names its call may repeat it, with other words or after an edit."""
    first = memory.remember("version one", idempotency="call-7")
    memory.edit(first.id, text="edited since")
    again = memory.remember("version one", idempotency="call-7")
    assert (again.id, again.created, memory.show(first.id).text) == (first.id, False, "edited since")


def test_a_batch_recognises_its_own_repetitions(memory):
    """Two equal wishes in one batch are one record."""
    receipts = memory.remember_many([make_draft("same"), make_draft("same"), make_draft("other")])
    assert (receipts[0].id == receipts[1].id, [r.created for r in receipts]) == (True, [True, False, True])


def test_remembering_something_archived_brings_it_back(memory):
    """It is the same record, active again."""
    made = memory.remember("the cat is called Miso")
    memory.archive(made.id)
    again = memory.remember("the cat is called Miso")
    assert (again.id, again.created, memory.show(made.id).status) == (made.id, False, Status.ACTIVE)


@pytest.mark.seed("S2.011")
@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("fact", "records/facts.jsonl"),
        ("preference", "records/facts.jsonl"),
        ("belief", "records/beliefs.jsonl"),
        ("summary", "records/summaries.jsonl"),
    ],
)
def test_each_kind_has_its_file(memory, kind, path):
    """Facts, beliefs and summaries stand apart."""
    assert memory.remember("x", kind=kind).path == path


@pytest.mark.seed("S0.125")
def test_every_file_of_truth_is_plain_text(memory, root):
    """People can read everything but the index, which is rebuilt from it."""
    made = memory.remember("我对花生过敏", tags=["health"])
    memory.edit(made.id, text="我对花生和芒果过敏")
    memory.recall("花生")
    memory.fold()
    for path in root.rglob("*"):
        if path.is_file() and "index" not in path.parts:
            path.read_text(encoding="utf-8")
    assert "花生和芒果" in (root / "records/facts.jsonl").read_text(encoding="utf-8")


# Referring


def test_a_beginning_of_an_id_is_enough(memory):
    """As long as it is unique; lower case is fine."""
    made = memory.remember("x")
    assert {memory.show(ref).id for ref in (made.id, made.id[:12], made.id[4:20].lower())} == {made.id}


def test_an_unknown_reference_is_said_so(memory):
    """No record answers to it."""
    with pytest.raises(UnknownRecord):
        memory.show("mem_NOPE")


def test_a_reference_that_fits_two_is_refused(memory):
    """Nothing is guessed."""
    one = memory.remember("one")
    memory.remember("two")
    with pytest.raises(AmbiguousReference):
        memory.archive(one.id[:12])


@pytest.mark.parametrize("reference", ["", "m", "mem_"])
def test_an_empty_reference_never_means_the_only_record(memory, reference):
    """`forget "$ID"` with an unset variable must not erase a memory of one record."""
    memory.remember("the only thing I know")
    with pytest.raises((UnknownRecord, AmbiguousReference)):
        memory.forget([reference])


# Changing


@pytest.mark.seed("S4.061", "S4.089")
def test_an_edit_of_an_old_version_is_a_conflict(memory, root):
    """Nothing is overwritten when the record has moved on."""
    made = memory.remember("one")
    memory.edit(made.id, text="two", expected=1)
    before = contents(root)
    with pytest.raises(VersionConflict):
        memory.edit(made.id, text="three", expected=1)
    assert contents(root) == before


@pytest.mark.seed("S4.071")
def test_inspect_edit_delete(memory):
    """The owner can look at, change and erase what is kept."""
    made = memory.remember("one")
    memory.edit(made.id, text="two")
    assert [record.text for record in memory.history(made.id)] == ["one", "two"]
    memory.forget([made.id])
    assert memory.show(made.id).status is Status.FORGOTTEN


@pytest.mark.seed("C-03", "S4.071")
def test_forgetting_erases_everywhere(memory, root):
    """Every version, the archive, receipts and quarantine: no byte of the words is left under the root."""
    made = memory.remember("the marmalade secret")
    memory.edit(made.id, text="the marmalade secret, second telling")
    memory.fold()
    memory.recall("marmalade")
    memory.forget([made.id])
    memory.search("marmalade")
    held = [path for path in root.rglob("*") if path.is_file() and b"marmalade" in path.read_bytes()]
    assert held == []


@pytest.mark.seed("S4.071")
def test_forgetting_the_last_days(memory, clock):
    """A filter chooses what goes; the rest stays."""
    memory.remember("old")
    clock.move(days=10)
    memory.remember("recent")
    memory.forget(filters=Filters(since=clock.ago(days=7), wide=True))
    assert listed(memory) == ["old"]


def test_forgetting_says_where_the_words_still_stand(memory, root):
    """Files that people own are named, not changed."""
    note = write(root, "notes/daily/2026-05-15.md", "# Day\n\nthe marmalade secret\n")
    made = memory.remember("the marmalade secret")
    erased = memory.forget([made.id])
    assert (erased.remaining, "marmalade" in note.read_text()) == (("notes/daily/2026-05-15.md",), True)


def test_what_was_erased_cannot_be_changed_or_undone(memory):
    """Erased is erased."""
    made = memory.remember("x")
    memory.forget([made.id])
    with pytest.raises(CannotChange):
        memory.restore(made.id)
    with pytest.raises(NothingToUndo):
        memory.undo()


@pytest.mark.parametrize("verb", ["edit", "pin", "archive", "supersede", "remember"])
def test_undo_reverses_any_change(memory, verb, clock):
    """What the memory lists after an undo is what it listed before the change."""
    made = memory.remember("the cat is called Miso", tags=["pets"])
    other = memory.remember("the dog is called Rex")
    before = (sorted(listed(memory)), sorted(listed(memory, wide=True)), memory.show(made.id).pinned)
    clock.move(minutes=1)
    acts = {
        "edit": lambda: memory.edit(made.id, text="the cat is called Sesame"),
        "pin": lambda: memory.pin(made.id),
        "archive": lambda: memory.archive(made.id),
        "supersede": lambda: memory.supersede(made.id, "the cat is called Sesame"),
        "remember": lambda: memory.remember("something new"),
    }
    acts[verb]()
    clock.move(minutes=1)
    memory.undo()
    after = (sorted(listed(memory)), sorted(listed(memory, wide=True)), memory.show(made.id).pinned)
    assert (after, other.created) == (before, True)


def test_undo_walks_back_and_redo_walks_forward(memory, clock):
    """Two undos, then the undo of each undo."""
    made = memory.remember("one")
    for text in ("two", "three"):
        clock.move(minutes=1)
        memory.edit(made.id, text=text)
    said = []
    undone = []
    for _ in range(2):
        clock.move(minutes=1)
        undone.append(memory.undo()[0].operation)
        said.append(memory.show(made.id).text)
    clock.move(minutes=1)
    memory.undo(undone[-1])
    said.append(memory.show(made.id).text)
    assert said == ["two", "one", "two"]


def test_undo_after_folding(memory, clock):
    """Old versions in the archive still serve an undo."""
    made = memory.remember("one")
    clock.move(minutes=1)
    memory.edit(made.id, text="two")
    memory.fold()
    memory.undo()
    assert memory.show(made.id).text == "one"


@pytest.mark.seed("S0.068")
def test_archiving_moves(memory, root):
    """After a fold the record stands in the archive file, out of default answers, and is not lost."""
    made = memory.remember("the cat is called Miso")
    memory.archive(made.id)
    memory.fold()
    archived = (root / "archive/records/facts.jsonl").read_text()
    assert (listed(memory), listed(memory, wide=True)) == ([], ["the cat is called Miso"])
    assert ("Miso" in archived, (root / "records/facts.jsonl").read_text()) == (True, "")


def test_plans_change_nothing(memory, root):
    """What would happen can be read first."""
    made = memory.remember("one")
    memory.edit(made.id, text="two")
    memory.search("two")
    before = contents(root)
    plans = [memory.plan_fold(), memory.plan_forget([made.id]), memory.plan_repair()]
    assert ([bool(plan) for plan in plans], contents(root)) == ([True, True, False], before)
    assert all(step.because for plan in plans for step in plan.steps)


# Tending


def test_a_healthy_memory_is_whole(memory):
    """Nothing to find, and the view equals a rebuild."""
    made = memory.remember("one")
    memory.edit(made.id, text="two")
    memory.recall("two")
    report = memory.check(deep=True)
    assert (report.ok, report.findings) == (True, ())


@pytest.mark.seed("F-58")
def test_one_bad_line_costs_one_line(memory, root):
    """Every other record still answers; the finding names the line; the answer mentions it."""
    memory.remember("one")
    with (root / "records/facts.jsonl").open("ab") as file:
        file.write(b'{"not": "ours"\n')
    memory.remember("two")
    found = memory.search("two")
    (finding,) = [finding for finding in memory.check().findings if finding.severity == "error"]
    assert (len(found.hits), len(found.warnings), finding.place) == (1, 1, "records/facts.jsonl#L2")


def test_search_leaves_a_damaged_memory_alone(memory, root):
    """The promise of `search` holds for damaged files too: not a byte outside the index changes."""
    memory.remember("one")
    with (root / "records/facts.jsonl").open("ab") as file:
        file.write(b'{"not": "ours"\n')
    before = contents(root)
    memory.search("one")
    assert contents(root) == before


@pytest.mark.seed("S2.097")
def test_stats_count_by_kind_and_importance(memory):
    """Critical from 0.9, high from 0.7, medium from 0.4, low below."""
    for importance in (1.0, 0.9, 0.7, 0.5, 0.4, 0.1):
        memory.remember(f"importance {importance}", importance=importance)
    memory.archive(memory.remember("cold", kind="belief").id)
    counts = memory.stats()
    assert (counts.total, counts.active, counts.archive, dict(counts.by_kind)) == (7, 6, 1, {"fact": 6})
    assert dict(counts.by_importance) == {"critical": 2, "high": 1, "medium": 2, "low": 1}


def test_rebuilding_gives_the_same_view(memory):
    """Throwing the view away and reading every file again changes nothing."""
    for number in range(5):
        memory.remember(f"number {number}")
    memory.recall("number")
    memory.status()
    before = memory.index.dump()
    memory.rebuild_index()
    assert memory.index.dump() == before


def test_line_ends_of_another_system_are_no_drift(memory, root):
    """A file that is read on from where it was left gives the same view as one read at once."""
    memory.remember("one")
    path = root / "records/facts.jsonl"
    line = path.read_bytes().rstrip(b"\n") + b"\r\n"
    path.write_bytes(line)
    memory.status()
    path.write_bytes(line + line)
    assert [finding.code for finding in memory.check(deep=True).findings if finding.severity == "error"] == []


# Composing


def test_profiles_choose_the_law(root):
    """The default law, and the flat one of the first seed."""
    assert law_of(Settings()) == Law()
    settings = load_settings(str(root), {"MEMORACLE_PROFILE": "vm-oracle"}).settings
    assert law_of(settings).half_life("belief", 1.0).days == 30


@pytest.mark.parametrize("line", ['profile = "nobody"', 'recipe = "nobody"'])
def test_a_choice_that_is_none_is_a_bad_setting(root, line):
    """It is refused when the memory is opened, not when somebody first asks."""
    (root / "memoracle.toml").write_text(f"{line}\n")
    with pytest.raises(BadSetting):
        open_memory(str(root), environment={})


def test_an_unknown_layout_is_said_so(root):
    """The error lists the known ones."""
    (root / "memoracle.toml").write_text('layout = "nowhere"\n')
    with pytest.raises(UnknownLayout):
        open_memory(str(root), environment=PLAIN)


@pytest.mark.parametrize("layout", ["native", "vm-oracle", "memory-system", "v4", "clawseat", "openclaw"])
def test_every_layout_keeps_and_finds(tmp_path, layout):
    """Whatever the layout, what is remembered is found and the memory is whole."""
    from memoracle.compose import init

    init(str(tmp_path / "m"), layout=layout, environment={})
    with open_memory(str(tmp_path / "m"), environment=PLAIN) as memory:
        memory.remember("the cat is called Miso")
        found = memory.search("cat")
        assert [hit.passage.text for hit in found.hits] == ["the cat is called Miso"]
        assert memory.check(deep=True).ok


# Asking leaves no more than a receipt


@pytest.fixture
def heard(memory, root, tmp_path):
    """A memory with a record, a note and a conversation in it."""
    memory.remember("the cat is called Miso")
    memory.remember("the cat sleeps a lot")
    write(root, "notes/semantic/cat.md", "# Cat\n#tags: home\n\nThe cat eats at seven.\n")
    memory.ingest(
        str(write(tmp_path, "chat.md", "User: my cat is hungry.\n\nAssistant: Feed the cat.\n")), embed=False
    )
    return memory


def receipts(root):
    return [
        json.loads(line)
        for path in (root / "usage").glob("*.jsonl")
        for line in path.read_text().splitlines()
    ]


@pytest.mark.seed("F-03")
@pytest.mark.parametrize("recipe", ["quick", "balanced", "deep", "openclaw"])
def test_search_leaves_the_store_byte_for_byte(heard, root, clock, recipe):
    """Whatever the recipe, the budget and the question."""
    before = contents(root)
    clock.move(days=3)
    for question in ("what is the cat called?", "zeppelin", "", "猫"):
        heard.search(question, recipe=recipe, budget=100, limit=50)
    assert contents(root) == before


@pytest.mark.parametrize("recipe", ["quick", "balanced", "openclaw"])
def test_recall_leaves_one_receipt(heard, root, recipe):
    """One line that names the records it handed over, nothing for notes and turns; no other file changes."""
    before = contents(root)
    found = heard.recall("what is the cat called?", recipe=recipe)
    records = [hit.passage.ref for hit in found.hits if hit.passage.source == "record"]
    after = contents(root)
    changed = {path for path in after if after[path] != before.get(path)}
    (receipt,) = receipts(root)
    assert changed == {path for path in changed if path.startswith("usage/")}
    assert (len(changed), len(records) >= 1, set(records) <= set(json.dumps(receipt).split('"'))) == (
        1,
        True,
        True,
    )


def test_recall_of_the_unknown_leaves_no_receipt(heard, root):
    """Nothing was handed over."""
    before = contents(root)
    heard.recall("zeppelin")
    assert contents(root) == before
