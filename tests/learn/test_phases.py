"""The ten phases: what each of them does, alone and after the others."""

import pytest

from learn.known import histories, known, pages
from memoracle.errors import BadInput
from memoracle.learn.unit_of_work import PHASES
from memoracle.model.record import Status
from support.files import contents, copy_root
from support.life import ALLERGY
from support.stores import standing


def texts(memory, **wanted):
    return [
        record.text
        for record in standing(memory.store).values()
        if all(getattr(record, name) == value for name, value in wanted.items())
    ]


@pytest.mark.seed("S2.050", "S2.051", "S2.052", "F-40", "S0.051", "S0.052")
def test_what_was_said_becomes_what_is_known(opened):
    """Transcripts in, records out, no model configured."""
    opened.consolidate()
    said = texts(opened)
    assert ALLERGY in said
    assert any("Boston" in text for text in said)


def test_every_record_names_the_turn_it_came_from(opened, life):
    """Origin: channel, session, time, and the line of the transcript."""
    opened.consolidate()
    _, folder, _ = life
    found = next(record for record in standing(opened.store).values() if record.text == ALLERGY)
    assert found.origin.where == f"{folder / '2025-01-01.jsonl'}#L4"


@pytest.mark.seed("S0.124", "F-01", "F-12")
def test_five_runs_change_nothing_the_first_did_not(opened, life):
    """Forced, one after the other: records, histories and pages stay as they are."""
    root, _, _ = life
    opened.consolidate()
    first = known(opened), histories(opened), pages(root)
    for _ in range(4):
        opened.consolidate(force=True)
    assert (known(opened), histories(opened), pages(root)) == first


@pytest.mark.seed("S2.067", "S2.068", "S2.096")
def test_a_run_with_nothing_new_is_skipped_unless_forced(opened):
    """Within the same day and with the same files there is nothing to do."""
    assert not opened.consolidate().skipped
    assert opened.consolidate().skipped
    assert not opened.consolidate(force=True).skipped


def test_a_dry_run_writes_nothing(opened, life):
    """It says what it would do, and every byte stays."""
    root, _, _ = life
    before = contents(root)
    planned = opened.consolidate(dry_run=True)
    assert contents(root) == before
    assert any(phase.counts.get("claims") for phase in planned.phases)


def test_the_phases_have_the_names_of_the_design(opened):
    """Ten of them, in this order."""
    assert [phase.name for phase in opened.consolidate().phases] == list(PHASES)


@pytest.mark.seed("S2.096")
def test_a_phase_by_its_number(opened):
    """From 1, as in `--phase 5`."""
    assert [phase.name for phase in opened.consolidate(phase="5").phases] == ["age"]


def test_an_unknown_phase_is_refused(opened):
    """With the list of those there are."""
    with pytest.raises(BadInput):
        opened.consolidate(phase="11")


@pytest.mark.seed("F-43")
def test_one_phase_alone_is_no_whole_run(opened):
    """The next run still does everything."""
    opened.consolidate(phase="age")
    assert not opened.consolidate().skipped


def test_phases_called_one_by_one_end_where_a_whole_run_ends(life, opened, tmp_path):
    """Each hands its work to the next through the checkpoint."""

    from memoracle.compose import open_memory
    from support.files import PLAIN

    root, _, clock = life
    copy_root(root, tmp_path / "twin")
    with open_memory(str(tmp_path / "twin"), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as twin:
        twin.consolidate()
        whole = {record.text for record in standing(twin.store).values()}
    for phase in PHASES:
        opened.consolidate(phase=phase)
    assert {record.text for record in standing(opened.store).values()} == whole


@pytest.mark.seed("S2.071")
def test_a_failure_is_counted_and_success_clears_the_count(opened, monkeypatch):
    """The next run takes up the phase that failed."""
    from memoracle.learn import run
    from memoracle.store.run_log import read_checkpoint

    def fails(_bench, _work):
        raise OSError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setitem(run._ACTS, "age", fails)
        with pytest.raises(OSError, match="disk is gone"):
            opened.consolidate()
    held = read_checkpoint(opened.store)
    assert (held["retry_count"], held["current_phase"]) == (1, "age")
    assert opened.consolidate().resumed == "age"
    held = read_checkpoint(opened.store)
    assert (held["retry_count"], held["current_phase"]) == (0, None)


@pytest.mark.seed("S0.045", "S0.063", "S2.043", "S2.057")
def test_what_has_faded_is_archived_and_can_come_back(opened, clock):
    """Below 0.05 a record leaves the live file for the archive; `restore` brings it back."""
    kept = opened.remember("the printer is on the third floor")
    opened.consolidate()
    opened.root.clock.move(days=3650)
    opened.consolidate()
    assert opened.show(kept.id).status is Status.ARCHIVED
    assert opened.show(kept.id).change.because.startswith("it has faded")
    opened.restore(kept.id)
    assert opened.show(kept.id).status is Status.ACTIVE


@pytest.mark.seed("F-41", "S2.046")
def test_an_allergy_is_there_after_ten_years(opened):
    """Identity, health and safety never leave."""
    opened.consolidate()
    opened.root.clock.move(days=3653)
    opened.consolidate()
    assert texts(opened, status=Status.ACTIVE).count(ALLERGY) == 1


def test_two_consolidations_never_run_together(opened, life):
    """The second is told so at once, and nothing is lost by it."""
    from memoracle.errors import AlreadyRunning

    def second(*_):
        with pytest.raises(AlreadyRunning):
            opened.consolidate(force=True)

    opened.consolidate(watch=second)
