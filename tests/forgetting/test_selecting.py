"""What can be named to forget, what is shown first, and what is never read again."""

import json

import pytest

from memoracle.compose import open_memory
from memoracle.learn import forgetting
from memoracle.learn.forget import expired
from memoracle.learn.forgetting import foresee
from memoracle.learn.replay import replay
from memoracle.model.record import Status
from memoracle.model.search import Selection, selection_of
from support.files import PLAIN, contents, copy_root
from support.stores import standing, texts

from .worlds import World, everything, known

EVIL = Selection(session="evil")


@pytest.fixture
def world(tmp_path):
    """A memory that has slept over one honest session and one that was planted."""
    made = World(tmp_path / "world")
    made.say("honest", "I live in Boston.", "I like tea.", "I like mango.")
    made.night()
    made.say("evil", "Actually, I moved to Berlin.", "I like durian.")
    made.night()
    return made


def active(memory):
    return sorted(one.text for one in standing(memory.store).values() if one.status is Status.ACTIVE)


@pytest.mark.seed("S4.071")
def test_the_plan_shows_everything_and_changes_nothing(world):
    """Records, what was derived, what stands again, turns, pages, and what is out of reach."""
    before = contents(world.root)
    with world.open() as memory:
        plan = memory.plan_forget(selection=EVIL)
        steps = {(step.act, step.because.partition("`")[2].rstrip("`") or step.target) for step in plan.steps}
    assert contents(world.root) == before
    assert ("erase", "I like durian.") in steps
    assert ("erase", "Actually, I moved to Berlin.") in steps
    assert ("restore", "I live in Boston.") in steps
    assert ("erase", "likes tea, mango and durian") in steps
    evil = str(world.chats / "evil.jsonl")
    assert {("unregister", evil), ("out of reach", evil), ("write anew", "MEMORY.md")} <= steps


@pytest.mark.parametrize("changed", [False, True])
def test_what_was_shown_is_decided_once(world, monkeypatch, changed):
    """What was foreseen is done as it was shown; when something has changed since, it is decided anew."""
    decided = []
    with world.open() as memory:
        foreseen = foresee(memory.root, EVIL)
        monkeypatch.setattr(forgetting, "replay", lambda *given: decided.append(given) or replay(*given))
        if changed:
            memory.remember("I like plums")
        erased = memory.forget(selection=EVIL, foreseen=foreseen)
        assert (len(decided), len(erased.restored)) == (int(changed), 1)
        kept = ["I like mango.", *(["I like plums"] if changed else []), "I like tea.", "I live in Boston."]
        assert active(memory) == kept


def test_what_was_replaced_stands_again(world):
    """Not restored by hand, but as it was: valid since it was said, with no end and no successor."""
    with world.open() as memory:
        erased = memory.forget(selection=EVIL)
        (home,) = [one for one in standing(memory.store).values() if one.text == "I live in Boston."]
        assert (home.status, home.validity.until, home.validity.superseded_by) == (Status.ACTIVE, None, None)
        assert erased.restored == (home.id,)
        assert active(memory) == ["I like mango.", "I like tea.", "I live in Boston."]
        assert memory.verify_audit().ok
        assert memory.check(deep=True).ok


def test_a_forgotten_session_is_never_read_again(world):
    """Neither by later nights, nor when it goes on, nor after all watermarks are lost."""
    with world.open() as memory:
        memory.forget(selection=EVIL)
    world.say("evil", "My manager is Mallory.")
    world.night()
    (world.root / "state" / "consolidation.json").unlink()
    (world.root / "state" / "runs.jsonl").unlink()
    world.night()
    with world.open() as memory:
        memory.rebuild_index()
        assert active(memory) == ["I like mango.", "I like tea.", "I live in Boston."]
        found = memory.search("durian Berlin Mallory")
        assert not [one for one in (*found.hits, *found.near) if one.passage.session == "evil"]


def test_the_hosts_own_file_is_left_and_named(world):
    """It is not ours to change."""
    path = world.chats / "evil.jsonl"
    before = path.read_bytes()
    with world.open() as memory:
        erased = memory.forget(selection=EVIL)
    assert path.read_bytes() == before
    assert str(path) in erased.remaining


def test_forgetting_twice_is_forgetting_once(world):
    """The second time finds nothing."""
    with world.open() as memory:
        memory.forget(selection=EVIL)
        before = contents(world.root)
        again = memory.forget(selection=EVIL)
        assert (again.ids, again.lines, memory.plan_forget(selection=EVIL).steps) == ((), 0, ())
    assert contents(world.root) == before


def test_a_path_names_what_came_from_below_it(world):
    """A file or a folder; one that only begins alike is another."""
    with world.open() as memory:
        assert not memory.plan_forget(
            selection=selection_of(origin=str(world.chats / "evi"), now=world.clock())
        )
        memory.forget(selection=selection_of(origin=str(world.chats / "evil.jsonl"), now=world.clock()))
        assert active(memory) == ["I like mango.", "I like tea.", "I live in Boston."]
        memory.forget(selection=selection_of(origin=str(world.chats), now=world.clock()))
        assert texts(memory.store) == []


@pytest.mark.seed("S4.071")
def test_some_days_go_as_if_they_had_not_been(tmp_path):
    """Everything heard and typed since a moment; what was said before stands as it stood then."""
    outcome = []
    for is_silent in (False, True):
        world = World(tmp_path / "world")
        world.say("old", "I live in Boston.", "I like tea.")
        with world.open() as memory:
            memory.remember("The build runs at noon.")
        world.night()
        moment = world.clock.move(minutes=1)
        if is_silent:
            world.hush(4)
        else:
            world.say("new", "Actually, I moved to Berlin.", "I like tea.")
            world.say("old", "I hate tea.", "My manager is Ruth.")
            with world.open() as memory:
                memory.remember("The key is under the mat.")
        world.night()
        world.night()
        if not is_silent:
            with world.open() as memory:
                memory.forget(selection=selection_of(since=moment, now=world.clock()))
        outcome.append(everything(world, asked=("where do I live", "tea", "key")))
        (tmp_path / "world").rename(tmp_path / str(is_silent))
    assert outcome[0] == outcome[1]


def test_what_is_named_has_to_fit_together(world):
    """A session and a time: only what fits both; with ids, only those of them that fit."""
    with world.open() as memory:
        assert not memory.plan_forget(
            selection=selection_of(session="honest", since=world.clock.ago(hours=20), now=world.clock())
        )
        durian = next(one for one in standing(memory.store).values() if one.text == "I like durian.")
        tea = next(one for one in standing(memory.store).values() if one.text == "I like tea.")
        erased = memory.forget([durian.id, tea.id], selection=EVIL)
        assert durian.id in erased.ids
        assert tea.id not in erased.ids


@pytest.mark.seed("S4.071")
def test_what_the_owner_kept_by_hand_outlives_the_session(world):
    """Typed again after it was heard: it is the owner's own from then on, and does not go with the session."""
    with world.open() as memory:
        heard = next(one for one in standing(memory.store).values() if one.text == "I like durian.")
        slot = {"subject": heard.statement.subject, "predicate": "likes", "object": "durian"}
        kept = memory.remember("I do like durian.", kind=heard.kind, **slot)
        assert (kept.created, kept.id) == (False, heard.id)
        memory.forget(selection=EVIL)
        record = memory.show(kept.id)
        assert (record.status, record.origin.session, record.sources) == (Status.ACTIVE, "", ())


def test_what_people_did_meanwhile_is_done_again(world):
    """Pins, edits and archivings of other records stay; those of what is forgotten go with it."""
    with world.open() as memory:
        every = {one.text: one for one in standing(memory.store).values()}
        memory.pin(every["I live in Boston."].id)
        memory.archive(every["I like tea."].id)
        memory.edit(every["I like mango."].id, text="I like mango lassi.")
        memory.pin(every["I like durian."].id)
        memory.forget(selection=EVIL)
        left = {one.text: (one.status, one.pinned) for one in standing(memory.store).values() if one.text}
    assert left == {
        "I live in Boston.": (Status.ACTIVE, True),
        "I like tea.": (Status.ARCHIVED, False),
        "I like mango lassi.": (Status.ACTIVE, False),
    }


def test_runs_that_left_no_note_are_said(world):
    """Without `state/runs.jsonl` what came of a session is still found by what records say of themselves."""
    (world.root / "state" / "runs.jsonl").unlink()
    with world.open() as memory:
        erased = memory.forget(selection=EVIL)
        assert active(memory) == ["I like mango.", "I like tea.", "I live in Boston."]
        assert erased.unnoted
        assert memory.check().ok


def test_a_log_by_its_older_name_is_read_and_goes_on(world):
    """A memory that was made when the log was called `heard.jsonl` keeps it, and replays from it."""
    log, older = world.root / "state" / "runs.jsonl", world.root / "state" / "heard.jsonl"
    log.rename(older)
    before = older.read_bytes().count(b"\n")
    world.say("good", "My sister is called Alba.")
    world.night()
    assert (older.read_bytes().count(b"\n") > before, log.exists()) == (True, False)
    with world.open() as memory:
        erased = memory.forget(selection=EVIL)
        assert active(memory) == [
            "I like mango.",
            "I like tea.",
            "I live in Boston.",
            "My sister is called Alba.",
        ]
        assert not erased.unnoted


def test_a_kept_copy_loses_the_session(tmp_path):
    """Alone in its file: the copy goes. Among others: its lines do, and the others stay where they are cited."""
    world = World(tmp_path / "world")
    world.say("evil", "I like durian.")
    both = world.chats / "both.jsonl"
    lines = [
        {"role": "user", "content": text, "session": session, "timestamp": "2026-05-15T09:00:00Z"}
        for session, text in (("evil", "I like jackfruit."), ("good", "I like pears."))
    ]
    both.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with world.open() as memory:
        memory.ingest(str(world.chats), keep=True, embed=False)
        memory.consolidate(force=True)
        both.unlink()
        (world.chats / "evil.jsonl").unlink()
        erased = memory.forget(selection=EVIL)
        assert [path for path in erased.remaining if path.endswith(".gz")] == []
        memory.rebuild_index()
        assert active(memory) == ["I like pears."]
        found = [one for hit in memory.search("pears").hits for one in (hit.passage, *hit.also)]
        assert [one.first_line for one in found if one.path.endswith("gz")] == [2]
    import gzip

    held = [gzip.decompress(path.read_bytes()) for path in (world.root / "sessions").glob("*.gz")]
    assert len(held) == 1
    assert b"jackfruit" not in held[0]
    assert b"pears" in held[0]


@pytest.mark.seed("S4.061", "C-03")
def test_retention_by_sensitivity_is_off_until_it_is_set(root, clock):
    """Then what was said longer ago is erased at night, with the setting as the reason; pinned records stay."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        secret = memory.remember("the spare key hangs behind the clock", sensitivity="secret")
        pinned = memory.remember("the safe stands in the cellar", sensitivity="secret")
        memory.pin(pinned.id)
        private = memory.remember("the shed is green")
        clock.move(days=400)
        memory.consolidate()
        assert memory.show(secret.id).text
    chosen = PLAIN | {"MEMORACLE_RETENTION_SECRET_DAYS": "30"}
    with open_memory(str(root), environment=chosen, clock=clock) as memory:
        assert [step.target for step in expired(memory.root).steps] == [secret.id]
        planned = [step for phase in memory.consolidate(dry_run=True).phases for step in phase.steps]
        assert (secret.id, "erase") in {(step.target, step.act) for step in planned}
        assert memory.show(secret.id).text
        memory.consolidate(force=True)
        (stone,) = memory.store.journal.versions(secret.id)
        assert stone.status is Status.FORGOTTEN
        assert stone.change.because.startswith("retention_secret_days = 30")
        assert memory.show(private.id).text
        assert memory.show(pinned.id).text
        assert memory.check().ok
    assert not [path for path in contents(root, skip=()) if b"spare key" in (root / path).read_bytes()]


def test_a_summary_lets_go_of_a_forgotten_member(memory, clock, root):
    """Forgetting one record takes its words out of what was made of it; the rest is summed up again."""
    for fruit in ("mango", "pears", "durian", "papaya"):
        memory.remember(f"I like {fruit}.")
    clock.move(days=1)
    memory.consolidate()
    doomed = next(one for one in standing(memory.store).values() if one.text == "I like durian.")
    memory.forget([doomed.id])
    said = [one.text for one in standing(memory.store).values() if one.kind == "summary" and one.text]
    assert said == ["likes mango, pears and papaya"]
    assert not [path for path in contents(root, skip=()) if b"durian" in (root / path).read_bytes()]
    clock.move(days=1)
    memory.consolidate(force=True)
    assert memory.check().ok


class Stopped(BaseException):
    """The process ends here."""


@pytest.mark.long
def test_cut_off_anywhere_it_can_be_done_again(world, tmp_path, monkeypatch):
    """Killed before any of its replacements, forgetting again ends where an uninterrupted one does."""
    import os

    real = os.rename

    def forget_in(place, *, until):
        count = 0

        def counted(*words, **options):
            nonlocal count
            count += 1
            if count == until:
                raise Stopped
            return real(*words, **options)

        monkeypatch.setattr(os, "rename", counted)
        try:
            with open_memory(str(place), environment=PLAIN | {"TZ": "UTC"}, clock=world.clock) as memory:
                memory.forget(selection=EVIL)
        finally:
            monkeypatch.setattr(os, "rename", real)
        return count

    def outcome(place):
        with open_memory(str(place), environment=PLAIN | {"TZ": "UTC"}, clock=world.clock) as memory:
            found = memory.search("durian Berlin")
            heard = [one for one in (*found.hits, *found.near) if one.passage.session == "evil"]
            assert memory.check().ok
            return known(memory), heard, (place / "MEMORY.md").read_text(encoding="utf-8")

    whole = tmp_path / "whole"
    copy_root(world.root, whole)
    many = forget_in(whole, until=0)
    wanted = outcome(whole)
    assert many > 5
    for until in range(1, many + 1):
        cut = tmp_path / f"cut {until}"
        copy_root(world.root, cut)
        with pytest.raises(Stopped):
            forget_in(cut, until=until)
        forget_in(cut, until=0)
        assert outcome(cut) == wanted, until
