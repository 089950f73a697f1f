"""The working buffer: on disk before the command returns, and no line of it lost or doubled, whoever dies when."""

import os
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, timedelta

import pytest

from memoracle.compose import init, open_memory
from memoracle.extensions.notebook.buffer import is_full, recover, rotate
from memoracle.extensions.notebook.editing import bullet
from memoracle.store.daily import parse, read_buffer
from memoracle.store.disk import DiskVolume
from support.clock import START
from support.files import PLAIN, contents, write
from support.processes import PYTHON, surroundings
from support.stores import a_store

BUFFER, TODAY, PENDING = (
    "notes/working-buffer.md",
    "notes/daily/2026-05-15.md",
    "notes/working-buffer.md.pending",
)
HEADER = (
    "# Working Buffer\ncreated: 2026-05-15T09:30:00.000000Z\nlast_active: 2026-05-15T09:30:00.000000Z\n\n"
)
LIMITS = {"lines": 80, "items": 3}
CLOSING = "Updated: 2026-05-15\nDecisions: none\nSignal: none\nOpen: none\n"


@pytest.fixture
def memory(root, clock):
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as opened:
        yield opened


def note(root):
    place = root / TODAY
    return place.read_text() if place.exists() else ""


@pytest.mark.seed("S3.020", "S3.064", "S3.009")
def test_what_is_added_stands_there_under_the_header(memory, root, clock):
    """Four header lines, then items; the moment of the last use moves, that of the creation does not."""
    memory.buffer("add", "call Mei")
    clock.move(minutes=5)
    added = memory.buffer("add", "给梅打电话\n带上合同")
    assert (root / BUFFER).read_text() == (
        "# Working Buffer\ncreated: 2026-05-15T09:30:00.000000Z\nlast_active: 2026-05-15T09:35:00.000000Z\n\n"
        "- call Mei\n- 给梅打电话\n  带上合同\n"
    )
    assert (added.line, added.lines, added.items) == (6, 7, 2)


@pytest.mark.seed("S3.020", "S3.045")
def test_an_add_is_synced_before_it_returns(memory, root, monkeypatch):
    """The bytes, then the name; whoever pulls the plug after the acknowledgement loses nothing."""
    done = []
    monkeypatch.setattr(os, "fsync", lambda handle, real=os.fsync: (done.append("fsync"), real(handle))[1])
    monkeypatch.setattr(os, "rename", lambda *names, real=os.rename: (done.append("rename"), real(*names))[1])
    memory.buffer("add", "call Mei")
    named = len(done) - 1 - done[::-1].index("rename")
    assert done[named - 1 : named + 2] == ["fsync", "rename", "fsync"]


@pytest.mark.seed("S3.047", "F-20")
def test_a_secret_never_reaches_the_disk(memory, root):
    """It is masked, and the receipt says which type it was."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    told = memory.buffer("add", f"the token is {secret}")
    written = [path for path in contents(root) if secret.encode() in (root / path).read_bytes()]
    assert (written, "masked before it was written" in told.warnings[0]) == ([], True)


@pytest.mark.seed("S3.026", "S3.066", "F-64")
@pytest.mark.parametrize(("lines", "rotates"), [(79, False), (80, True)])
def test_eighty_lines_are_fine_and_one_more_is_not(memory, root, lines, rotates):
    """With the header 80 lines stay; the item that would be line 81 begins a fresh buffer."""
    write(root, BUFFER, HEADER + "".join(f"line {n}\n" for n in range(lines - 4)))
    memory.buffer("add", "one more")
    held = read_buffer(memory.store)
    assert (held.lines, "line 0\n" in note(root)) == ((5, True) if rotates else (80, False))


@pytest.mark.seed("S3.066")
def test_three_open_items_are_fine_and_a_fourth_is_not(memory, root):
    """Items that are done do not count."""
    for item in ("one", "two", "three", "[x] done", "~~gone~~"):
        memory.buffer("add", item)
    assert (read_buffer(memory.store).items, note(root)) == (3, "")
    memory.buffer("add", "four")
    assert [line for _, line in read_buffer(memory.store).entries] == ["- four"]
    assert "- one\n- two\n- three\n- [x] done\n- ~~gone~~\n" in note(root)


@pytest.mark.seed("S3.026")
def test_a_rotation_can_wait_for_the_end_of_a_task(memory, root):
    """`defer` lets the buffer grow; the next add without it moves everything."""
    for number in range(6):
        memory.buffer("add", f"item {number}", defer=True)
    assert (read_buffer(memory.store).items, note(root)) == (6, "")


@pytest.mark.seed("S3.024", "S3.065", "F-67")
def test_rotated_lines_stand_before_the_closing_ones(memory, root):
    """Under a heading with the time; the closing lines stay the last, in Chinese too."""
    closing = "更新：2026-05-15\n决定：无\n信号：无\n未决：无\n"
    write(root, TODAY, f"# 2026-05-15\n\n## 08:00 morning\n\n- tea\n\n{closing}")
    memory.buffer("add", "call Mei")
    done = memory.buffer("rotate")
    assert note(root) == (
        "# 2026-05-15\n\n## 08:00 morning\n\n- tea\n\n## 09:30 Working buffer\n\n- call Mei\n\n" + closing
    )
    assert ([step.target for step in done.steps], (root / BUFFER).read_text()) == ([TODAY], HEADER)


def test_the_day_is_the_owners(root, clock):
    """At 23:30 UTC it is tomorrow in Shanghai."""
    clock.move(hours=14)
    with open_memory(str(root), environment=PLAIN | {"TZ": "Asia/Shanghai"}, clock=clock) as memory:
        memory.buffer("add", "late")
        (step,) = memory.buffer("rotate").steps
    assert step.target == "notes/daily/2026-05-16.md"


def test_the_same_words_twice_are_two_events(memory, root):
    """A second rotation of equal lines is no repetition of the first."""
    for _ in range(2):
        memory.buffer("add", "tea")
        memory.buffer("rotate")
    assert note(root).count("- tea\n") == 2


@pytest.mark.seed("S3.064")
def test_a_buffer_is_stale_after_two_hours(memory, clock):
    """Exactly two hours are fine; an empty one is never stale."""
    memory.buffer("add", "call Mei")
    clock.move(hours=2)
    fresh = memory.buffer("show").stale
    clock.move(seconds=1)
    assert (fresh, memory.buffer("show").stale) == (False, True)
    memory.buffer("clear")
    clock.move(hours=3)
    assert memory.buffer("show").stale is False


def test_showing_changes_nothing(memory, root):
    """Not even the moment of the last use, and no buffer is made by looking."""
    before = contents(root)
    assert memory.buffer("show").entries == ()
    assert contents(root) == before


@pytest.mark.seed("S3.044")
def test_clearing_moves_to_the_trash(memory, root):
    """Nothing is deleted, and nothing in the trash is overwritten."""
    for words in ("one", "two"):
        memory.buffer("add", words)
        memory.buffer("clear")
    trash = sorted(path.read_text() for path in (root / "trash").iterdir())
    assert [("- one\n" in trash[0], "- two\n" in trash[1]), len(trash)] == [(True, True), 2]
    assert (read_buffer(memory.store).entries, note(root)) == ((), "")


def test_an_add_is_kept_when_the_note_cannot_take_the_rest(memory, root):
    """The buffer grows beyond its limit, and the receipt says why."""
    write(root, TODAY, b"\xff\xfe not text\n")
    told = [memory.buffer("add", f"item {number}") for number in range(5)]
    assert (read_buffer(memory.store).items, "could not be moved" in told[-1].warnings[0]) == (5, True)
    assert not (root / PENDING).exists()


def test_a_buffer_somebody_wrote_by_hand_is_taken_as_it_is(memory, root):
    """Without a header it gets one; its lines stay."""
    write(root, BUFFER, "- my own line\r\n")
    memory.buffer("add", "another")
    assert [line for _, line in read_buffer(memory.store).entries] == ["- my own line", "- another"]


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("a\nb", "- a\n  b"),
        ("```\ncode", "- ```\n  code"),
        ("x\n```\ncode", "- x\n  ```\n  code\n  ```"),
        ("x\n<!-- memoracle:begin hot -->", "- x\n  <! -- memoracle:begin hot -->"),
        (
            "x\nUpdated: y\nDecisions: y\nSignal: y\nOpen: y",
            "- x\n  Updated: y\n  Decisions: y\n  Signal: y\n  Open: y",
        ),
    ],
)
def test_an_item_stays_an_item(text, item):
    """Nothing in it reaches beyond it: no open code block, no marker of a block."""
    assert bullet(text) == item


# Kills


def die_at(number):
    """Let the process end without a word before its n-th storage call."""
    seen = 0

    def before(call):
        def dying(*words, **named):
            nonlocal seen
            seen += 1
            if seen == number:
                os._exit(9)
            return call(*words, **named)

        return dying

    for name in ("write", "fsync", "rename", "unlink", "mkdir"):
        setattr(os, name, before(getattr(os, name)))


@contextmanager
def forked(act):
    """A child that does something; how it ended is yielded."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0)
    yield os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


LINES = ["- 第一件事", "- second thing", "  with a second line", "- third 😀"]


@pytest.mark.seed("F-67", "S3.065", "S3.023", "F-60")
@pytest.mark.parametrize("layout", ["native", "v4"])
@pytest.mark.parametrize("meanwhile", ["nothing", "the owner writes"])
def test_a_kill_at_any_storage_call_loses_and_doubles_nothing(tmp_path, layout, meanwhile):
    """Every call of a rotation is a death once; after the next call each line stands in the note, once, in order."""
    deaths, number = 0, 0
    while True:
        number += 1
        root = tmp_path / f"{layout}-{number}"
        init(str(root), layout=layout, environment={})
        store = a_store(root, layout=layout)
        buffer, day = store.layout["buffer"], store.layout["daily"].format(date="2026-05-15")
        write(root, buffer, HEADER + "\n".join(LINES) + "\n")
        write(root, day, f"# 2026-05-15\n\n- before\n\n{CLOSING}")

        def act(store=store, number=number):
            die_at(number)
            with store.writing():
                rotate(store, now=START, zone=UTC)

        with forked(act) as ended:
            if ended == 0:
                break
        deaths += 1
        if meanwhile != "nothing":
            text = (root / day).read_text()
            write(root, day, text.replace("- before", "- before\n- the owner's own"))
        with store.writing():
            recover(store, now=START + timedelta(minutes=1), zone=UTC)
            rotate(store, now=START + timedelta(minutes=1), zone=UTC)
        text = (root / day).read_text()
        assert text.endswith(CLOSING)
        assert "\n".join(LINES) + "\n" in text
        assert [text.count(line) for line in LINES] == [1] * len(LINES)
        assert parse("", (root / buffer).read_text()).entries == ()
        assert not [path for path in contents(root) if path.endswith(".pending")]
    assert deaths >= 12


@pytest.mark.seed("S3.065")
def test_lines_that_came_while_a_rotation_was_interrupted_stay(memory, root):
    """What was added behind the interrupted lines is still in the buffer; they are not."""
    write(root, BUFFER, HEADER + "- old\n")

    def act():
        taken = DiskVolume.remove
        DiskVolume.remove = lambda volume, name: (
            os._exit(9) if name.endswith(".pending") else taken(volume, name)
        )
        with memory.store.writing():
            rotate(memory.store, now=START, zone=UTC)

    with forked(act) as ended:
        assert ended == 9
    assert (root / PENDING).exists()
    write(root, BUFFER, HEADER + "- old\n- new\n")  # as if the kill had come one step earlier
    memory.buffer("add", "newer")
    assert (note(root).count("- old\n"), (root / PENDING).exists()) == (1, False)
    assert [line for _, line in read_buffer(memory.store).entries] == ["- new", "- newer"]


def test_another_programs_pending_file_is_recovered(memory, root):
    """Its lines go into the note, the file goes to the trash."""
    write(root, "notes/.working-buffer.pending", "# Working Buffer\ncreated: x\n\n- 它的行\n")
    memory.buffer("add", "mine")
    assert ("- 它的行\n" in note(root), [path.name for path in (root / "trash").iterdir()]) == (
        True,
        ["working-buffer.pending"],
    )


def test_what_cannot_be_recovered_is_told_and_stays(memory, root):
    """The add is kept all the same."""
    write(root, PENDING, "- lines of another program\n")
    write(root, TODAY, b"\xff\xfe\n")
    told = memory.buffer("add", "mine")
    assert ("could not be finished" in told.warnings[0], (root / PENDING).exists()) == (True, True)
    assert [line for _, line in read_buffer(memory.store).entries] == ["- mine"]


# Together

ADDING = """
import sys
from memoracle.compose import open_memory
with open_memory(sys.argv[1], environment={"TZ": "UTC"}) as memory:
    for number in range(int(sys.argv[3])):
        memory.buffer("add", f"{sys.argv[2]}-{number}")
"""


@pytest.mark.seed("S3.070")
def test_adds_of_several_processes_lose_nothing(root):
    """Six writers, rotations among them: every item stands somewhere, once."""
    writers, each = 6, 15
    env = surroundings(PYTHONPATH=os.pathsep.join(sys.path))
    running = [
        subprocess.Popen([PYTHON, "-c", ADDING, str(root), f"w{name}", str(each)], env=env)
        for name in range(writers)
    ]
    assert [process.wait(120) for process in running] == [0] * writers
    said = (root / BUFFER).read_text() + "".join(
        path.read_text() for path in (root / "notes/daily").iterdir()
    )
    lines = [line[2:] for line in said.split("\n") if line.startswith("- w")]
    assert sorted(lines) == sorted(f"w{name}-{number}" for name in range(writers) for number in range(each))


def test_limits_are_at_a_limit_fine():
    """80 lines pass, 81 do not; 3 items pass, 4 do not."""
    eighty = parse("", HEADER + "x\n" * 76)
    assert (eighty.lines, is_full(eighty, **LIMITS)) == (80, False)
    assert is_full(parse("", HEADER + "x\n" * 77), **LIMITS)
    assert not is_full(parse("", HEADER + "- x\n" * 3), **LIMITS)
    assert is_full(parse("", HEADER + "- x\n" * 4), **LIMITS)
