"""Notes as people and agents write them: the day's, those of homes, closing lines, tags; each durable, each guarded."""

import os
from datetime import date

import pytest

from memoracle.compose import init, open_memory
from memoracle.errors import BadInput, MemoracleError
from memoracle.extensions.notebook.hygiene import has_tags_line, is_closed, verified_on
from memoracle.store.disk import DiskVolume
from memoracle.store.notes import read_note
from support.files import PLAIN, contents, write

TODAY = "notes/daily/2026-05-15.md"
DECISIONS, INFRASTRUCTURE = "notes/semantic/decisions.md", "notes/semantic/infrastructure.md"


@pytest.fixture
def memory(root, clock):
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as opened:
        yield opened


# Days


@pytest.mark.seed("S4.002", "S4.004", "S3.003")
@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "- met Ada"),
        ({"type": "W", "entity": "Mei"}, "- W @Mei: met Ada"),
        ({"type": "b"}, "- B: met Ada"),
        ({"type": "O", "confidence": 0.95, "entity": "@梅"}, "- O(c=0.95) @梅: met Ada"),
        ({"type": "S", "entity": "a: b"}, "- S @a b: met Ada"),
        ({"entity": "Mei"}, "- @Mei: met Ada"),
    ],
)
def test_a_note_stands_under_its_time(memory, root, fields, line):
    """Heading with time and topic, then the line with its type, whom it is about and how sure it is."""
    written = memory.note("met Ada", heading="lunch", **fields)
    assert (root / TODAY).read_text() == f"# 2026-05-15\n\n## 09:30 lunch\n\n{line}\n"
    assert (written.path, written.line) == (TODAY, 5)


def test_notes_of_one_minute_and_topic_share_a_heading(memory, root, clock):
    """A later one gets its own."""
    memory.note("one")
    memory.note("二")
    clock.move(minutes=1)
    third = memory.note("three")
    assert (root / TODAY).read_text() == ("# 2026-05-15\n\n## 09:30\n\n- one\n- 二\n\n## 09:31\n\n- three\n")
    assert third.line == 10


def test_a_note_of_the_same_minute_outlives_the_digest(memory, root):
    """The digest stands behind it, and is made anew from time to time."""
    memory.note("met Ada")
    for number in range(3):
        memory.remember(f"We decided to use tool {number}.")
        memory.digest()
        memory.note(f"met Bo, {number}")
    text = (root / TODAY).read_text("utf-8")
    assert [
        said for said in ("met Ada", "met Bo, 0", "met Bo, 1", "met Bo, 2") if f"- {said}\n" not in text
    ] == []


@pytest.mark.seed("S3.024", "S3.069")
def test_the_closing_lines_stay_the_last(memory, root):
    """Whatever is noted afterwards stands before them; renewing them keeps what is not given."""
    memory.note("one")
    memory.close_day(decisions="use SQLite", left_open="ask Mei")
    memory.note("two", heading="later")
    closed = memory.close_day(signal="rain helps")
    text = (root / TODAY).read_text()
    assert text.endswith(
        "- two\n\nUpdated: 2026-05-15\nDecisions: use SQLite\nSignal: rain helps\nOpen: ask Mei\n"
    )
    assert is_closed(read_note(DiskVolume(str(root)), TODAY))
    assert text.split("\n")[closed.line - 1] == "Updated: 2026-05-15"
    assert text.count("Updated:") == 1


def test_chinese_closing_lines_keep_their_labels(memory, root):
    """Renewed in their own language."""
    write(root, TODAY, "# d\n\n- 雨\n\n更新：2026-05-14\n决定：无\n信号：下雨\n未决：无\n")
    memory.close_day(decisions="用 SQLite")
    assert (root / TODAY).read_text() == (
        "# d\n\n- 雨\n\n更新： 2026-05-15\n决定： 用 SQLite\n信号： 下雨\n未决： none\n"
    )


def test_closing_lines_are_one_line_each(memory, root):
    """No value can add a line of its own."""
    memory.close_day(decisions="a\nOpen: b\n\nc", left_open="x\ry")
    assert (root / TODAY).read_text().split("\n\n")[1] == (
        "Updated: 2026-05-15\nDecisions: a Open: b c\nSignal: none\nOpen: x y\n"
    )


def test_v4_notes_are_closed_from_the_start(tmp_path, clock):
    """Where a design closes its notes, a new one ends with the four lines."""
    init(str(tmp_path / "r"), layout="v4", environment={})
    with open_memory(str(tmp_path / "r"), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        memory.note("met Ada")
    text = (tmp_path / "r/memory/episodic/2026-05-15.md").read_text()
    assert text.endswith("- met Ada\n\nUpdated: 2026-05-15\nDecisions: none\nSignal: none\nOpen: none\n")


def test_another_day_has_no_time_of_its_own(memory, root):
    """The moment of writing is told, not claimed as the moment of the event."""
    memory.note("forgot this", day=date(2026, 5, 10))
    assert "## Noted 2026-05-15 09:30\n\n- forgot this\n" in (root / "notes/daily/2026-05-10.md").read_text()


def test_a_day_that_was_archived_is_written_where_it_stands(memory, root):
    """No second note of the same day is begun."""
    write(root, "archive/notes/daily/2020-01-01.md", "# 2020-01-01\n\nold\n")
    assert memory.note("late", day=date(2020, 1, 1)).path == "archive/notes/daily/2020-01-01.md"


def test_the_owners_bytes_stay(memory, root):
    """Carriage returns, a missing last newline, a byte-order mark."""
    write(root, TODAY, b"\xef\xbb\xbf# d\r\n\r\nrain")
    memory.note("sun", heading="x")
    assert (root / TODAY).read_bytes() == (b"\xef\xbb\xbf# d\r\n\r\nrain\r\n\r\n## 09:30 x\r\n\r\n- sun\r\n")


@pytest.mark.seed("S3.047", "F-20", "S0.036")
def test_no_credential_reaches_a_note(memory, root):
    """In the text, the topic, the entity, the closing lines or a home."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    told = memory.note(f"token {secret}", heading=f"h {secret}", entity=secret)
    memory.close_day(decisions=f"rotate {secret}")
    memory.note(f"the deploy token is {secret}", to="infrastructure")
    held = [path for path in contents(root) if secret.encode() in (root / path).read_bytes()]
    assert (held, "masked" in told.warnings[0]) == ([], True)


@pytest.mark.parametrize(
    "fields",
    [{"text": ""}, {"text": "  \n"}, {"text": "x", "type": "Z"}, {"text": "x", "type": "W", "confidence": 0.5},
     {"text": "x", "type": "O", "confidence": 1.5}, {"text": "x" * 100_001}, {"text": "a\0b"}, {"text": "\ud800"},
     {"text": "x", "to": "../up"}, {"text": "x", "to": "records/facts"}, {"text": "x", "to": "a b"}],
)  # fmt: skip
def test_what_cannot_be_noted_changes_nothing(memory, root, fields):
    """An error that says why."""
    with memory.store.writing():
        pass
    before = contents(root)
    with pytest.raises((BadInput, MemoracleError)):
        memory.note(**fields)
    assert contents(root) == before


def test_a_note_is_durable_before_it_returns(memory, monkeypatch):
    """Bytes, then the name, then the folder that holds it."""
    done = []
    monkeypatch.setattr(os, "fsync", lambda handle, real=os.fsync: (done.append("fsync"), real(handle))[1])
    monkeypatch.setattr(os, "rename", lambda *names, real=os.rename: (done.append("rename"), real(*names))[1])
    memory.note("one")
    named = len(done) - 1 - done[::-1].index("rename")
    assert done[named - 1 : named + 2] == ["fsync", "rename", "fsync"]


def test_a_note_is_found_again(memory):
    """With its line."""
    memory.note("the ferry leaves at noon")
    (hit,) = memory.search("ferry noon").hits
    assert hit.passage.path == TODAY


@pytest.mark.parametrize("layout", ["native", "vm-oracle", "memory-system", "v4", "clawseat", "openclaw"])
def test_every_layout_has_a_place_for_everything(tmp_path, layout, clock):
    """Note, home, buffer, rotation and context, wherever a design keeps its files; `check` finds nothing wrong."""
    init(str(tmp_path / "r"), layout=layout, environment={})
    with open_memory(str(tmp_path / "r"), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        memory.note("met Ada")
        memory.note("the nas is at 10.0.0.7", to="infrastructure")
        memory.buffer("add", "一件事")
        memory.buffer("rotate")
        memory.buffer("add", "another")
        memory.buffer("clear")
        text = memory.context().text
        assert [word for word in ("met Ada", "一件事") if word not in text] == []
        assert (memory.search("nas").hits != (), memory.check(deep=True).findings) == (True, ())


# Homes


@pytest.mark.seed("S3.004", "S3.005", "S3.011", "S3.012", "S3.030", "S3.063")
@pytest.mark.parametrize(
    ("to", "path"),
    [
        ("infrastructure", INFRASTRUCTURE),
        ("lessons-learned", "notes/procedural/lessons-learned.md"),
        ("procedures", "notes/procedural/procedures.md"),
        ("procedural/backup", "notes/procedural/backup.md"),
        ("people", "notes/semantic/people.md"),
        ("人物", "notes/semantic/人物.md"),
    ],
)
def test_a_home_has_its_header(memory, root, to, path):
    """Title, tags on line 2, the day it was last verified, then the line."""
    written = memory.note("Ada keeps the keys of the shed", to=to)
    note = read_note(DiskVolume(str(root)), path)
    assert (written.path, written.created) == (path, True)
    assert (has_tags_line(note), verified_on(note)[1]) == (True, date(2026, 5, 15))
    assert note.text.split("\n")[written.line - 1] == "- Ada keeps the keys of the shed"


def test_a_note_that_is_there_is_added_to(memory, root):
    """Also a procedural one that only its owner knows; its date stays, for nobody verified it."""
    text = "# Backup\n#tags: nas\n> last_verified: 2026-01-01\n\n- rsync\n"
    write(root, "notes/procedural/backup.md", text)
    memory.note("check the log", to="backup", tags=["logs", "nas"])
    assert (root / "notes/procedural/backup.md").read_text() == (
        "# Backup\n#tags: nas, logs\n> last_verified: 2026-01-01\n\n- rsync\n- check the log\n"
    )
    memory.note("", to="backup", verified=True)
    assert "> last_verified: 2026-05-15\n" in (root / "notes/procedural/backup.md").read_text()


@pytest.mark.seed("F-66", "S3.022")
def test_a_decision_has_one_home_and_its_day_a_link(memory, root):
    """Dated in its home; the event names the home, so it is no second one."""
    written = memory.note("use SQLite, because it needs no server", to="decisions")
    assert "- 2026-05-15: use SQLite, because it needs no server\n" in (root / DECISIONS).read_text()
    assert (
        "## 09:30 Decisions\n\n- use SQLite, because it needs no server [[decisions]]\n"
        in (root / TODAY).read_text()
    )
    assert (written.also, memory.duplicates()) == (f"{TODAY}#L5", [])


@pytest.mark.seed("S3.046", "S3.022")
def test_a_fact_is_not_written_into_a_second_home(memory, root):
    """It stands where it stands, and the receipt says where."""
    first = memory.note("the server listens on port 8080", to="infrastructure")
    again = memory.note("The server listens on port 8080.", to="projects")
    assert (again.created, again.path, again.line) == (False, first.path, first.line)
    assert not (root / "notes/semantic/projects.md").exists()
    assert memory.note("the server listens on port 8081", to="infrastructure").created


def test_a_wrong_home_is_mentioned(memory):
    """It is written all the same: the owner knows best."""
    written = memory.note("the server listens on port 8080", to="preferences")
    assert (written.created, written.warnings) == (True, ("this looks like something for `infrastructure`",))


def test_a_home_can_be_found_by_itself(memory):
    """`auto` goes by what the text says; what only happened goes to its day."""
    homes = [
        memory.note(text, to="auto").path
        for text in ("数据库的端口是 5432", "梅喜欢绿茶", "we had lunch at the lake")
    ]
    assert homes == [INFRASTRUCTURE, "notes/semantic/preferences.md", TODAY]


def test_duplicates_are_found_across_notes(memory, root):
    """As somebody's hand left them; generated blocks do not count."""
    write(root, INFRASTRUCTURE, "# I\n#tags: x\n\n- the nas is at 10.0.0.7\n")
    write(root, "MEMORY.md", "# M\n\n- The NAS is at 10.0.0.7\n")
    (found,) = memory.duplicates()
    assert {one.place for one in found.lines} == {f"{INFRASTRUCTURE}#L4", "MEMORY.md#L3"}


# Tags


@pytest.mark.seed("F-65", "S3.042")
def test_an_unknown_tag_is_mentioned_with_the_nearest(memory, root):
    """Never refused; before there is a vocabulary every tag is welcome."""
    assert memory.note("a", to="one", tags=["never-seen"]).warnings == ()
    memory.add_tag("garden", because="what grows")
    told = memory.note("b", to="two", tags=["gardne"]).warnings
    assert told == ("the tag `gardne` is not in the vocabulary: did you mean `garden`?",)


def test_tags_are_listed_with_their_reasons_and_uses(memory, root):
    """Those of the vocabulary, then strangers with a suggestion."""
    memory.note("a", to="one", tags=["garden"])
    memory.add_tag("roses", because="they climb")
    write(root, "notes/semantic/two.md", "# T\n#tags: roses, rozes\n")
    found = {tag.name: tag for tag in memory.tags()[0]}
    assert (found["roses"].because, found["roses"].notes, found["garden"].known) == ("they climb", 1, True)
    assert (found["rozes"].known, found["rozes"].hint) == (False, "did you mean `roses`?")


# Friction


@pytest.mark.seed("S3.043")
def test_friction_that_comes_back_is_proposed_as_a_lesson(memory, root, clock):
    """Once in the buffer and once in a note is twice; once is not yet."""
    memory.buffer("add", "#friction: the build waits ten minutes for the linter")
    assert memory.review().items == ()
    memory.buffer("rotate")
    clock.move(days=1)
    memory.note("#friction: The build waits ten minutes for the linter.")
    (item,) = memory.review().items
    assert item.proposal.startswith("lesson: The build waits") or item.proposal.startswith(
        "lesson: the build"
    )
    (made,) = memory.accept([item.id])
    assert memory.show(made.id).kind == "lesson"


@pytest.mark.seed("S3.002", "S3.010", "S3.023", "S3.028", "C-25")
def test_a_day_with_every_type_and_tier(tmp_path, clock):
    """In a directory of v4: buffer first, the day, homes, tags, closing lines, rotation, archive, recovery, review."""
    root = tmp_path / "r"
    init(str(root), layout="v4", environment={})
    old = write(root, "memory/episodic/2026-03-01.md", "# 2026-03-01\n\nsnow\n")
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        memory.buffer("add", "梅要换服务器")  # buffer
        memory.note("met Mei", type="B", entity="Mei")  # episodic
        memory.note("the server is at 10.0.0.7", to="infrastructure")  # semantic
        memory.note("lesson: label every cable", to="lessons-learned")  # procedural
        memory.add_tag("cables", because="there are many")
        memory.buffer("rotate")
        memory.close_day(signal="labels help", left_open="none")
        assert memory.review().message != "No meaningful changes"
        assert memory.review().message == "No meaningful changes"
        assert [check.id for check in memory.health().checks if not check.ok] == []
        made = memory.recover().context.text
        warm = [hit.passage.path for hit in memory.search("cable").hits]
    day = (root / "memory/episodic/2026-05-15.md").read_text()
    assert day.endswith("Updated: 2026-05-15\nDecisions: none\nSignal: labels help\nOpen: none\n")
    assert ("- 梅要换服务器" in day, "梅要换服务器" in made) == (True, True)
    assert (old.exists(), (root / "memory/archive/2026/03/2026-03-01.md").exists()) == (False, True)
    assert "memory/procedural/lessons-learned.md" in warm
