"""The audit trail: what is told, what is never told, and that nothing can be taken out of it unseen."""

import json
import os
import random
import shutil
import signal
import subprocess
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoracle.compose import init, open_memory
from memoracle.errors import MemoracleError
from memoracle.extensions.sync.git import must_be_clean
from memoracle.extensions.sync.gitsync import SecretInTheWay
from memoracle.guard.guard import PolicyGuard
from memoracle.learn.draft import make_draft
from memoracle.model.event import Event
from memoracle.model.ids import IdSource, file_digest
from memoracle.model.value import replace
from memoracle.store import audit_trail as chain
from memoracle.store.audit_proof import verify
from memoracle.store.line import line_sum
from memoracle.store.store import Store, Unguarded
from support.clock import START
from support.files import PLAIN, contents, copy_root, write
from support.processes import start
from support.stores import FACTS, a_store, keep

EVENTS = "events.jsonl"
STATE = "state/audit.json"


@pytest.fixture
def root(tmp_path):
    """An empty memory."""
    init(str(tmp_path / "memory"), environment={})
    return tmp_path / "memory"


@pytest.fixture
def store(root):
    """Its files."""
    return a_store(root)


def opened(root, **more):
    return open_memory(str(root), environment=PLAIN, **more)


def codes(found):
    """The names of what is wrong, sorted and once each."""
    return sorted({problem.code for problem in found.problems})


def noted(found):
    return sorted({note.code for note in found.notes})


def acts(store):
    return [event.act for event in store.audit.read()]


def lines_of(root):
    return (root / EVENTS).read_bytes().split(b"\n")[:-1]


def a_token():
    """Something that looks like a secret, made here and now."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef0123456789"
    return "gh" + "p_" + "".join(random.Random(7).choices(letters, k=36))


# What is told


@pytest.mark.seed("S4.074", "S1.018", "S1.049")
def test_every_write_is_told_once_with_its_versions(root):
    """One append-only file; each act names its writer, its operation, and the versions it wrote."""
    with opened(root) as memory:
        one = memory.remember("the cat is called Miso")
        two = memory.edit(one.id, text="the cat is called Mo")
        memory.remember_many([])
        told = list(memory.store.audit.read())
        found = memory.verify_audit()
    assert [event.act for event in told] == ["adopted", "remember", "edit"]
    assert [event.number for event in told] == [1, 2, 3]
    assert (told[2].operation, told[2].by) == (two.operation, told[1].by)
    assert [(t.id, t.version, t.sequence) for t in told[2].records] == [(one.id, 2, 2)]
    assert (found.ok, found.entries, found.records, noted(found)) == (True, 3, 2, [])


def test_an_act_of_many_records_has_entries_of_a_bounded_size(root):
    """Twelve hundred records in one act: three entries with the same operation, and the chain is whole."""
    store = a_store(root)
    keep(store, *(f"number {n}" for n in range(1200)))
    sizes = [len(event.records) for event in store.audit.read() if event.records]
    assert sum(sizes) == 1200
    assert max(sizes) <= 500
    assert verify(store).ok


@pytest.mark.parametrize(
    ("act", "expected", "about"),
    [
        (lambda m: m.note("rain"), "note", "notes/daily/"),
        (lambda m: m.buffer("add", "rain"), "buffer", "notes/working-buffer.md"),
        (lambda m: m.note("tea", to="preferences"), "note", "notes/semantic/"),
    ],
    ids=["note", "buffer", "home"],
)
def test_notes_are_told_by_their_path(root, act, expected, about):
    """Where something was written, and not what."""
    with opened(root) as memory:
        act(memory)
        last = list(memory.store.audit.read())[-1]
    assert last.act == expected
    assert last.about[0].startswith(about)
    assert b"rain" not in (root / EVENTS).read_bytes()


def test_upkeep_is_told(root):
    """Fold, repair, consolidate and tend leave a line when they did something, and none when they did not."""
    with opened(root) as memory:
        one = memory.remember("the cat is called Miso")
        before = acts(memory.store)
        memory.fold()
        assert acts(memory.store) == before
        memory.edit(one.id, text="the cat is called Mo")
        memory.fold()
        memory.consolidate(force=True)
        with open(root / FACTS, "ab") as file:
            file.write(b'{"schema":1,"id"\n')
        memory.repair()
        assert {"fold", "consolidate", "repair"} <= set(acts(memory.store))
        assert memory.verify_audit().ok


def test_a_decision_of_the_policy_is_told_without_a_value(root):
    """Masked: the rule and the channel stand beside the write; the secret stands nowhere."""
    secret = a_token()
    with opened(root) as memory:
        memory.remember(f"the token is {secret}")
        told = [event for event in memory.store.audit.read() if event.act == "policy"]
    assert [event.facts["outcome"] for event in told] == ["masked"]
    assert told[0].rules
    assert secret.encode() not in (root / EVENTS).read_bytes()


def test_the_same_decision_of_one_batch_is_one_entry_with_a_count(root):
    """A thousand masked lines do not make a thousand entries."""
    with opened(root) as memory:
        memory.remember_many([make_draft(f"token {n}: {a_token()}") for n in range(5)])
        told = [event for event in memory.store.audit.read() if event.act == "policy"]
    assert [event.facts["times"] for event in told] == [5]


def test_a_reason_that_an_operator_gave_is_masked_too(root):
    """The only sentence that may stand in the trail passes the same guard."""
    with opened(root) as memory:
        event = Event(act="override", at=START, rules=(f"because the token is {a_token()}",))
        memory.store.audit.log(event)
        (told,) = memory.store.audit.read(act="override")
    assert told.rules[0].startswith("because the token is [secret:")
    assert a_token().encode() not in (root / EVENTS).read_bytes()


def test_a_refusal_is_told_although_nothing_was_written(root):
    """What was refused leaves its rule."""
    with opened(root) as memory:
        with pytest.raises(MemoracleError):
            memory.remember("the build is green", project=a_token(), channel="external")
        told = [event for event in memory.store.audit.read() if event.act == "policy"]
    assert [(event.facts["outcome"], event.facts["channel"]) for event in told] == [("refused", "external")]
    assert a_token().encode() not in (root / EVENTS).read_bytes()


@pytest.mark.seed("F-27", "S4.074")
@pytest.mark.parametrize("verb", ["search", "recall", "show", "history", "list"])
def test_reading_a_secret_record_is_told(root, verb):
    """Which record, by which verb, by whom; reading others is not, and their files stay as they are."""
    with opened(root) as memory:
        memory.remember("the bicycle is green")
        quiet = contents(root)
        memory.search("what colour is the bicycle?")
        memory.list()
        assert contents(root) == quiet
        one = memory.remember("the safe opens with seven eleven", sensitivity="secret")
        asked = {"search": "the safe opens", "recall": "the safe opens", "show": one.id, "history": one.id}
        getattr(memory, verb)(*([asked[verb]] if verb in asked else []))
        told = [event for event in memory.store.audit.read() if event.act == "read"]
    assert told
    assert all(event.about == (one.id,) for event in told)
    assert told[0].by


def test_the_trail_names_the_door(root):
    """An agent that asks over MCP is told apart from a person at the command line."""
    with opened(root) as memory:
        memory.remember("the safe opens with seven eleven", sensitivity="secret")
    with opened(root, via="mcp") as memory:
        memory.search("the safe opens")
        memory.export(str(root.parent / "out"))
        told = list(memory.store.audit.read())
    assert [(event.act, event.via) for event in told[-2:]] == [("read", "mcp"), ("export", "mcp")]


# What is never told


@pytest.mark.seed("S4.074")
def test_nothing_of_an_erased_record_is_left_in_the_trail(root):
    """No word of it, and nothing that a guess could be tried against without the root's key."""
    with opened(root) as memory:
        one = memory.remember("door: marmalade")
        memory.edit(one.id, text="door: mustard", because="said aloud")
        raw = [line for line in (root / FACTS).read_bytes().split(b"\n") if line]
        memory.forget([one.id])
        assert memory.verify_audit().ok
    trail = (root / EVENTS).read_bytes()
    for word in (b"marmalade", b"mustard", b"aloud"):
        assert word not in trail
    other = chain.key_from(b"another salt, 32 bytes long.....")
    for line in raw:
        guesses = {line_sum(line), file_digest(line), chain.line_digest(line, other)}
        assert not [guess for guess in guesses if guess.encode() in trail]


# What is found


def tampered(root, change):
    """The store after its trail was changed by hand."""
    lines = lines_of(root)
    change(lines)
    (root / EVENTS).write_bytes(b"".join(line + b"\n" for line in lines))
    return verify(a_store(root))


def altered(lines, at, **fields):
    """An entry that says something else, with a hash that fits again: what an attacker without the key can do."""
    held = chain.read_entry(lines[at]).event
    lines[at] = chain.write_entry(replace(held, **fields), chain.key_from(b"\0" * 32))[0].rstrip(b"\n")


@pytest.fixture(scope="module")
def told_root(tmp_path_factory):
    """A memory with a dozen entries."""
    root = tmp_path_factory.mktemp("told") / "memory"
    init(str(root), environment={})
    with opened(root) as memory:
        ids = [memory.remember(f"number {n}").id for n in range(8)]
        memory.edit(ids[0], text="another")
        memory.archive(ids[1])
        memory.note("rain")
        memory.forget([ids[2]])
    assert verify(a_store(root)).ok
    return root


@pytest.mark.seed("F-27", "S4.074")
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draw=st.data())
def test_any_single_edit_drop_swap_repeat_or_cut_is_found(told_root, tmp_path_factory, draw):
    """Whatever is done to one entry, `verify` has a problem; and it has none before."""
    root = tmp_path_factory.mktemp("one") / "memory"
    copy_root(told_root, root)
    count = len(lines_of(root))
    at = draw.draw(st.integers(0, count - 1))
    how = draw.draw(st.sampled_from(["byte", "drop", "swap", "repeat", "cut", "tail", "forge", "seal"]))

    def change(lines):
        if how == "byte":
            place = draw.draw(st.integers(0, len(lines[at]) - 1))
            other = draw.draw(st.integers(32, 126).filter(lambda code: code != lines[at][place]))
            lines[at] = lines[at][:place] + bytes([other]) + lines[at][place + 1 :]
        elif how == "drop":
            del lines[at]
        elif how == "swap":
            with_ = draw.draw(st.integers(0, count - 1).filter(lambda other: other != at))
            lines[at], lines[with_] = lines[with_], lines[at]
        elif how == "repeat":
            lines.insert(draw.draw(st.integers(0, count)), lines[at])
        elif how == "cut":
            lines[at] = lines[at][: draw.draw(st.integers(0, len(lines[at]) - 1))]
        elif how == "tail":
            del lines[at:]
        elif how == "forge":
            altered(lines, at, by="somebody else")
        else:
            seal = lines[at][-18:-2]
            lines[at] = lines[at][:-18] + seal[::-1] + b'"}' if seal != seal[::-1] else lines[at][:-1]

    found = tampered(root, change)
    assert found.problems, how


@pytest.mark.seed("F-27")
def test_a_record_line_that_was_edited_is_found_even_with_a_new_checksum(root):
    """An edited journal line is detected: its checksum can be made anew, its keyed digest in the trail cannot."""
    with opened(root) as memory:
        one = memory.remember("the rent is 900 euros")
        path = root / FACTS
        line = path.read_bytes().rstrip(b"\n")
        body = line.replace(b"900 euros", b"990 euros")[: -len(b',"sum":"0123456789abcdef"}')]
        path.write_bytes(body + b',"sum":"' + line_sum(body).encode() + b'"}\n')
        found = memory.verify_audit()
        assert codes(found) == ["altered-record"]
        assert one.id in found.problems[0].message
        assert not memory.check().ok


def test_a_record_line_that_nobody_told_of_is_found(root):
    """A line that another hand put there under this writer's name."""
    with opened(root) as memory:
        memory.remember("the rent is 900 euros")
        line = json.loads((root / FACTS).read_bytes())
        line.pop("sum")
        line |= {"id": "mem_01ARZ3NDEKTSV4RRFFQ69G5FAV", "text": "the rent is free"}
        line["change"]["sequence"] = 2
        with open(root / FACTS, "ab") as file:
            file.write(json.dumps(line).encode() + b"\n")
        assert codes(memory.verify_audit()) == ["untold-record"]


def test_a_record_line_that_vanished_is_found(root):
    """Taken out with its number: the trail remembers that it was there."""
    with opened(root) as memory:
        memory.remember("the rent is 900 euros")
        memory.remember("the cat is called Miso")
        content = (root / FACTS).read_bytes()
        (root / FACTS).write_bytes(content.split(b"\n", 1)[1])
        os.unlink(root / "state/sequence.json")
        assert codes(memory.verify_audit()) == ["missing-record"]


def test_what_was_accepted_is_known_and_reported_no_longer(root):
    """`repair` accepts what cannot be mended; the acceptance is an entry of its own, and new trouble is still found."""
    with opened(root) as memory:
        for number in range(4):
            memory.remember(f"number {number}")
        lines = lines_of(root)
        (root / EVENTS).write_bytes(b"".join(line + b"\n" for at, line in enumerate(lines) if at != 2))
        assert not memory.check().ok
        memory.health(fix=True)
        assert not memory.verify_audit().ok, "only a person accepts"
        memory.repair()
        found = memory.verify_audit()
        assert (found.ok, memory.check().ok) == (True, True)
        assert "missing-entries" in noted(found)
        assert acts(memory.store)[-2:] == ["accepted", "repair"]
        lines = lines_of(root)
        (root / EVENTS).write_bytes(b"".join(line + b"\n" for at, line in enumerate(lines) if at != 3))
        assert not memory.verify_audit().ok


def test_a_head_noted_elsewhere_still_stands_or_it_is_told(root):
    """Against somebody who recomputes everything: only a hash kept outside can tell."""
    with opened(root) as memory:
        memory.remember("one")
        (head,) = memory.verify_audit().heads.values()
        memory.remember("two")
        assert memory.verify_audit(heads=[head]).ok
        assert codes(memory.verify_audit(heads=["0" * 32])) == ["missing-head"]
        assert codes(memory.verify_audit(heads=[""])) == ["missing-head"]


# What is no crime


def test_a_root_without_a_trail_is_adopted(root):
    """Records written before there was a trail: it begins with the first act, and says from when on."""
    with opened(root) as memory:
        memory.remember("old")
        memory.remember("older")
    os.unlink(root / EVENTS)
    os.unlink(root / STATE)
    with opened(root) as memory:
        assert memory.verify_audit().entries == 0
        memory.remember("new")
        found = memory.verify_audit()
        first = next(iter(memory.store.audit.read()))
    assert (found.ok, noted(found)) == (True, ["adopted"])
    assert (first.act, first.facts["upto"]) == ("adopted", 2)


def test_an_end_that_nobody_noted_is_told(root):
    """Without the note of where the trail ended a cut cannot be told from a power cut; both facts are said."""
    with opened(root) as memory:
        memory.remember("one")
        memory.remember("two")
    lines = lines_of(root)
    (root / EVENTS).write_bytes(b"".join(line + b"\n" for line in lines[:-1]))
    os.unlink(root / STATE)
    with opened(root) as memory:
        found = memory.verify_audit()
        assert (found.ok, noted(found)) == (True, ["lost-entry", "no-anchor"])
        memory.remember("three")
        found = memory.verify_audit()
    assert (found.ok, noted(found)) == (True, ["resumed"])


def test_a_torn_end_is_told_and_chained_on(root):
    """What a kill in the middle of a line leaves: a note, no problem, and the next entry takes its number."""
    with opened(root) as memory:
        memory.remember("one")
        with open(root / EVENTS, "ab") as file:
            file.write(lines_of(root)[-1][:40])
        memory.remember("two")
        found = memory.verify_audit()
    assert (found.ok, noted(found), acts(a_store(root))) == (
        True,
        ["torn-entry"],
        ["adopted", "remember", "remember"],
    )


@pytest.mark.parametrize(("same_run", "expected"), [(False, []), (True, ["cut-tail"])])
def test_a_lost_end_is_a_power_cut_only_when_the_machine_was_off(root, monkeypatch, same_run, expected):
    """Entries that are gone: after a restart they may never have reached the disk, while it runs somebody took them."""
    with opened(root) as memory:
        for text in ("one", "two", "three"):
            memory.remember(text)
    lines = lines_of(root)
    (root / EVENTS).write_bytes(b"".join(line + b"\n" for line in lines[:-2]))
    if not same_run:
        monkeypatch.setattr(chain, "boot", lambda: "another run")
        monkeypatch.setattr("memoracle.store.audit_trail.boot", lambda: "another run")
        monkeypatch.setattr("memoracle.store.audit_proof.boot", lambda: "another run")
    with opened(root) as memory:
        first = memory.verify_audit()
        assert [code for code in codes(first) if code == "cut-tail"] == expected
        memory.remember("four")
        found = memory.verify_audit()
    assert codes(found) == expected
    resumed = [event for event in a_store(root).audit.read() if event.act == "resumed"]
    assert [(event.facts["lost"], event.number) for event in resumed] == [(2, len(lines) + 1)]


@pytest.mark.seed("S1.049")
def test_another_programs_lines_in_the_file_stay_and_are_no_entries(tmp_path):
    """A directory whose events.log is in use already."""
    root = tmp_path / "memory"
    init(str(root), layout="clawseat", environment={})
    write(root, "events.log", '{"ts":"2026-05-01T00:00:00Z","event":"milestone"}\n')
    with opened(root) as memory:
        memory.remember("one")
        found = memory.verify_audit()
    assert (found.ok, found.entries, noted(found)) == (True, 2, ["foreign-line"])
    assert (root / "events.log").read_text().startswith('{"ts":')


def test_a_lost_key_is_told_and_the_chain_still_checked(root):
    """On the machine that wrote the trail a key that is gone is an alarm, since whoever exchanges it could seal anything."""
    with opened(root) as memory:
        memory.remember("one")
    os.unlink(root / "state/salt")
    with opened(root) as memory:
        memory.remember("two")
        found = memory.verify_audit()
        assert (found.ok, noted(found), codes(found)) == (False, ["other-key"], ["key-replaced"])
        lines = lines_of(root)
        (root / EVENTS).write_bytes(b"".join(line + b"\n" for line in lines[1:]))
        assert "missing-entries" in codes(memory.verify_audit())


def test_a_disk_that_is_full_leaves_neither_record_nor_entry(root, monkeypatch):
    """What is not acknowledged is taken back from the trail too."""
    with opened(root) as memory:
        memory.remember("one")
        before = contents(root)

        def full(_handle):
            raise OSError(28, "no space")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(MemoracleError):
                memory.remember("two")
        assert contents(root) == before
        memory.remember("three")
        assert memory.verify_audit().ok


# Keeping it


def in_march(root):
    """The store on the first of March."""
    return Store(str(root), clock=lambda: datetime(2026, 3, 1, tzinfo=UTC), ids=IdSource(), guard=Unguarded())


def test_whole_months_move_to_the_archive_and_the_chain_goes_on(root):
    """The live file holds the present month; what moved is read, verified and found as before."""
    store = in_march(root)
    for month in (3, 4, 5):
        store.audit.log(
            Event(act="note", at=datetime(2026, month, 2, tzinfo=UTC), about=(f"notes/{month}.md",))
        )
    with store.writing():
        before = acts(store)
        moved = store.audit.rotate(datetime(2026, 5, 9, tzinfo=UTC))
        assert store.audit.rotate(datetime(2026, 5, 9, tzinfo=UTC)) == 0
    names = sorted(path.name for path in (root / "archive/events").iterdir())
    assert (moved, names) == (3, ["2026-03.jsonl", "2026-04.jsonl"])
    store.audit.log(Event(act="note", at=datetime(2026, 5, 10, tzinfo=UTC), about=("notes/6.md",)))
    found = verify(store)
    assert (found.ok, sorted(acts(store))) == (True, sorted([*before, "note"]))
    (root / "archive/events/2026-04.jsonl").unlink()
    assert codes(verify(store)) == ["missing-entries"]


def test_a_rotation_that_was_killed_between_its_steps_is_harmless(root):
    """An entry in the archive and in the live file counts once, and moves only once."""
    store = in_march(root)
    store.audit.log(Event(act="note", at=datetime(2026, 3, 2, tzinfo=UTC), about=("x",)))
    live = (root / EVENTS).read_bytes()
    with store.writing():
        store.audit.rotate(datetime(2026, 5, 9, tzinfo=UTC))
    (root / EVENTS).write_bytes(live)
    assert (verify(store).ok, len(acts(store))) == (True, 2)
    with store.writing():
        store.audit.rotate(datetime(2026, 5, 9, tzinfo=UTC))
    assert (verify(store).ok, len(acts(store))) == (True, 2)


def test_what_a_merge_repeated_or_turned_round_is_put_in_order(root):
    """Two writers' entries may lie between each other; each one's own keep their order."""
    store = a_store(root)
    for number in range(4):
        store.audit.log(Event(act="note", at=START, about=(str(number),)))
    lines = lines_of(root)
    (root / EVENTS).write_bytes(b"".join(line + b"\n" for line in [lines[2], *lines]))
    assert not verify(store).ok
    with store.writing():
        assert store.audit.put_in_order()
        assert not store.audit.put_in_order()
    assert (verify(store).ok, lines_of(root)) == (True, lines)


def test_a_hash_that_looks_like_a_secret_does_not_stop_an_exchange(root):
    """Entries are judged by the names in them, never by their hashes; any other line is judged like every file."""
    store = a_store(root)
    store.audit.log(*(Event(act="note", at=START, about=(f"notes/{number}.md",)) for number in range(400)))
    guard = PolicyGuard(lambda: b"x" * 32)
    must_be_clean(store, guard, [EVENTS])
    store.audit.log(Event(act="note", at=START, about=(f"notes/{a_token()}.md",)))
    with pytest.raises(SecretInTheWay, match=r"events\.jsonl#L402"):
        must_be_clean(store, guard, [EVENTS])
    (root / EVENTS).write_bytes(b"".join(line + b"\n" for line in lines_of(root)[:-1]) + a_token().encode())
    with pytest.raises(SecretInTheWay, match=r"events\.jsonl#L402"):
        must_be_clean(store, guard, [EVENTS])


# Many at once

WRITER = """
import sys
import memoracle
root, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with memoracle.open_memory(root, environment={"MEMORACLE_RECIPE": "quick"}) as memory:
    for number in range(count):
        memory.remember(f"{name} {number}")
        print(number, flush=True)
"""


@pytest.mark.seed("S4.074")
def test_four_processes_write_one_whole_chain(root):
    """Four times fifty writes at once: every one is told, in one chain, and verified while they run."""
    running = [start(WRITER, root, name, "50") for name in "abcd"]
    during = [verify(a_store(root)).problems for _ in range(5)]
    for one in running:
        one.communicate(timeout=120)
        assert one.returncode == 0
    found = verify(a_store(root))
    assert (found.problems, found.records) == ((), 200)
    told = [touched.id for event in a_store(root).audit.read() for touched in event.records]
    assert (len(told), len(set(told))) == (200, 200)
    assert during == [()] * 5


@pytest.mark.parametrize("turn", range(3))
def test_a_kill_in_the_middle_of_writing_is_no_tampering(root, turn):
    """Killed wherever it was, several times: the trail is whole, and nothing acknowledged is untold."""
    for _ in range(3):
        process = start(WRITER, root, "k", "100000")
        for _ in range(10 + turn * 7):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
    with opened(root) as memory:
        assert memory.verify_audit().problems == ()
        memory.remember("afterwards")
        found = memory.verify_audit()
    assert found.problems == ()
    assert set(noted(found)) <= {"torn-entry", "unfinished-write"}


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_two_machines_merge_their_trails(tmp_path, monkeypatch):
    """Each machine has a chain of its own; after the exchange both hold both, whole, and a cut of either is found."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)

    def git(folder, *words):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)

    one, two = tmp_path / "a", tmp_path / "b"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(tmp_path / "hub"))
    init(str(one), environment={})
    with opened(one) as a:
        a.remember("shared")
        a.sync(init=True)
        git(one, "remote", "add", "origin", str(tmp_path / "hub"))
        a.sync(push=True)
        git(tmp_path, "clone", "--quiet", str(tmp_path / "hub"), "b")
        with opened(two) as b:
            for number in range(3):
                a.remember(f"a {number}")
                b.remember(f"b {number}")
            for memory in (a, b, a, b):
                assert memory.sync(push=True).converged
            found = [a.verify_audit(), b.verify_audit()]
            assert [len(each.heads) for each in found] == [2, 2]
            assert [each.problems for each in found] == [(), ()]
            assert (one / EVENTS).read_bytes() == (two / EVENTS).read_bytes()
            a.remember("a last")  # from here on this machine knows how far the other's chain went
            mine = chain.read_entry(lines_of(one)[-1]).event.writer
            rest = [line for line in lines_of(one) if chain.read_entry(line).event.writer == mine]
            theirs = [line for line in lines_of(one) if line not in rest]
            (one / EVENTS).write_bytes(b"".join(line + b"\n" for line in [*theirs[:-1], *rest]))
            assert "cut-tail" in codes(a.verify_audit())
