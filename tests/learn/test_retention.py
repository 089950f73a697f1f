"""Old files move to the archive: only what was read, never over anything, and safely at any moment."""

import gzip
import json
import os
import signal
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from hosts.samples import claude_line, write_lines
from memoracle.compose import init, open_memory
from memoracle.context.digest import publish_digests
from memoracle.model.search import Standing
from memoracle.store.archive import followed, pointing_at
from memoracle.upkeep.retention import Retention, daily_days, retain
from support.build import a_passage
from support.files import PLAIN, contents, write
from support.stores import a_store

NOW = datetime(2026, 5, 15, 3, 0, tzinfo=UTC)
TALK = "sessions/2026-04-01-090000.jsonl"


def killed_between(root, **how):
    """A process that dies by SIGKILL while the first file stands in both places."""
    child = os.fork()
    if child == 0:
        try:
            run(root, between=lambda _target: os.kill(os.getpid(), signal.SIGKILL), **how)
        finally:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)


def a_root(tmp_path, layout="native"):
    root = tmp_path / layout
    init(str(root), layout=layout, environment={})
    (root / "sessions").mkdir(exist_ok=True)
    return root


@pytest.fixture
def root(tmp_path):
    return a_root(tmp_path)


def run(root, *, layout="native", finished=lambda _: True, retention=None, **how):
    how.setdefault("now", NOW)
    how.setdefault("zone", UTC)
    store = a_store(root, layout=layout)
    chosen = retention or Retention(daily=daily_days(layout, 0))
    with store.writing():
        return retain(store, retention=chosen, finished=finished, **how)


def targets(done):
    return [step.because.rpartition("; to ")[2] for step in done.steps]


def unpacked(path):
    return gzip.decompress(path.read_bytes())


# Conversations


@pytest.fixture
def talk(root):
    """A conversation that stands in the root, ingested."""
    path = write_lines(root / TALK, claude_line("u1", None, "the marmalade is in the cellar"))
    with open_memory(str(root), environment=PLAIN) as memory:
        memory.ingest(str(path), embed=False)
    return path


def heard(root):
    with open_memory(str(root), environment=PLAIN) as memory:
        return [hit.passage.path for hit in memory.search("marmalade").hits]


@pytest.mark.seed("S0.066", "C-03", "S0.068")
def test_a_conversation_that_was_read_moves_packed_and_goes_on_answering(root, talk):
    """Its bytes are all there; the list of transcripts follows; also a view that is built anew finds it."""
    content = talk.read_bytes()
    done = run(root)
    cold = root / "archive/sessions/2026-04-01-090000.jsonl.gz"
    assert ([step.target for step in done.steps], talk.exists(), unpacked(cold)) == ([TALK], False, content)
    assert heard(root) == ["archive/sessions/2026-04-01-090000.jsonl.gz"]
    with open_memory(str(root), environment=PLAIN) as memory:
        memory.rebuild_index()
        assert memory.check(deep=True).findings == ()
    assert heard(root) == ["archive/sessions/2026-04-01-090000.jsonl.gz"]


@pytest.mark.seed("F-08")
def test_a_conversation_that_was_not_read_stays(root, talk):
    """However old it is; so does one that nobody ingested."""
    write_lines(root / "sessions/2020-01-01-000000.jsonl", claude_line("x", None, "never read"))
    before = contents(root)
    assert (run(root, finished=lambda _: False).steps, contents(root)) == ((), before)
    assert [step.target for step in run(root).steps] == [TALK]
    assert (root / "sessions/2020-01-01-000000.jsonl").exists()


def test_the_predicate_is_asked_with_the_registered_path(root, talk):
    """As `ingest` wrote it down."""
    asked = []
    run(root, finished=lambda path: asked.append(path) or False)
    assert asked == [str(talk)]


@pytest.mark.parametrize(("day", "moved"), [("2026-04-14", True), ("2026-04-15", False)])
def test_thirty_days_are_thirty_days(root, day, moved):
    """By the day in the name, in the owner's zone."""
    path = write_lines(root / f"sessions/{day}-090000.jsonl", claude_line("u1", None, "words"))
    os.utime(path, (0, 0))
    with open_memory(str(root), environment=PLAIN) as memory:
        memory.ingest(str(path), embed=False)
    assert bool(run(root).steps) is moved


def test_a_kept_copy_moves_and_grows_where_it_is(root, tmp_path):
    """Its host tidied up; later the host brings it back with more: the copy in the archive takes it in."""
    host = write_lines(tmp_path / "talk.jsonl", claude_line("u1", None, "the marmalade is in the cellar"))
    with open_memory(str(root), environment=PLAIN) as memory:
        memory.ingest(str(host), keep=True, embed=False)
    (copy,) = (root / "sessions").glob("*.gz")
    os.utime(copy, (0, 0))
    run(root)
    cold = root / "archive/sessions" / copy.name
    away = host.rename(tmp_path / "away")
    assert (copy.exists(), heard(root)) == (False, [f"archive/sessions/{copy.name}"])
    away.rename(host)
    write_lines(
        host, claude_line("u1", None, "the marmalade is in the cellar"), claude_line("u2", "u1", "more")
    )
    with open_memory(str(root), environment=PLAIN) as memory:
        memory.ingest(str(host), embed=False)
    assert (unpacked(cold), copy.exists()) == (host.read_bytes(), False)


def test_killed_between_the_steps_the_next_run_ends_the_same(root, talk, tmp_path):
    """The file stands in both places; nothing is doubled, nothing lost."""
    content = talk.read_bytes()
    killed_between(root)
    assert (talk.exists(), heard(root)[0] in {TALK, str(talk)}) == (True, True)
    run(root)
    assert ([path.name for path in (root / "archive/sessions").iterdir()], talk.exists()) == (
        ["2026-04-01-090000.jsonl.gz"],
        False,
    )
    assert unpacked(root / "archive/sessions/2026-04-01-090000.jsonl.gz") == content
    rows = [json.loads(line) for line in (root / "state/sources.jsonl").read_text().splitlines()[1:]]
    assert [row["copy"] for row in rows] == ["archive/sessions/2026-04-01-090000.jsonl.gz"]


def test_a_conversation_that_grows_meanwhile_stays(root, talk):
    """What was added is not lost with the old file."""

    def grow(_target):
        with talk.open("a") as file:
            file.write(json.dumps(claude_line("u2", "u1", "more")) + "\n")

    assert (run(root, between=grow).steps, talk.read_text().count("\n")) == ((), 2)
    run(root)
    assert unpacked(root / "archive/sessions/2026-04-01-090000-2.jsonl.gz").count(b"\n") == 2


# Daily notes


@pytest.mark.seed("F-62", "S3.013", "S3.025", "S3.061")
def test_notes_age_by_the_day_in_their_name(tmp_path):
    """Never by the time of the file; in the v4 layout after thirty days, to archive/YYYY/MM."""
    root = a_root(tmp_path, "v4")
    old = write(root, "memory/episodic/2026-04-01.md", "# touched yesterday\n")
    young = write(root, "memory/episodic/2026-05-01.md", "# restored with an old time\n")
    named = write(root, "memory/episodic/2026-04-02-topic.md", "# more\n")
    os.utime(young, (0, 0))
    done = run(root, layout="v4")
    assert targets(done) == [
        "memory/archive/2026/04/2026-04-01.md",
        "memory/archive/2026/04/2026-04-02-topic.md",
    ]
    assert (old.exists(), named.exists(), young.exists()) == (False, False, True)
    assert (root / "memory/archive/2026/04/2026-04-01.md").read_text() == "# touched yesterday\n"


@pytest.mark.seed("S0.066", "C-03")
def test_a_year_old_note_is_packed(root):
    """In the native layout it leaves after a year, packed at once."""
    write(root, "notes/daily/2025-05-14.md", "# old\n")
    write(root, "notes/daily/2025-05-15.md", "# exactly a year\n")
    assert targets(run(root)) == ["archive/notes/daily/2025-05-14.md.gz"]
    assert unpacked(root / "archive/notes/daily/2025-05-14.md.gz") == b"# old\n"


def test_an_archived_note_is_packed_when_it_is_a_year_old(tmp_path):
    """Where it stands; the next run finds nothing to do."""
    root = a_root(tmp_path, "v4")
    write(root, "memory/archive/2025/04/2025-04-01.md", "# old\n")
    assert targets(run(root, layout="v4")) == ["memory/archive/2025/04/2025-04-01.md.gz"]
    assert run(root, layout="v4").steps == ()


@pytest.mark.seed("F-62", "S3.061")
def test_nothing_in_the_archive_is_replaced(tmp_path):
    """Another note of the same name gets a number; the same note is there once."""
    root = a_root(tmp_path, "v4")
    write(root, "memory/archive/2026/04/2026-04-01.md", "another\n")
    write(root, "memory/archive/2026/04/2026-04-02.md", "the same\n")
    write(root, "memory/episodic/2026-04-01.md", "mine\n")
    write(root, "memory/episodic/2026-04-02.md", "the same\n")
    run(root, layout="v4")
    found = {path.name: path.read_text() for path in (root / "memory/archive/2026/04").iterdir()}
    assert found == {"2026-04-01.md": "another\n", "2026-04-01-2.md": "mine\n", "2026-04-02.md": "the same\n"}


def test_a_dry_run_shows_the_plan(tmp_path):
    """And the real run does just that."""
    root = a_root(tmp_path, "v4")
    write(root, "memory/episodic/2026-04-01.md", "mine\n")
    write(root, ".memoracle/usage/2024-01.jsonl", "{}\n")
    run(root, layout="v4", now=datetime(2020, 1, 1, tzinfo=UTC))
    before = contents(root)
    planned = run(root, layout="v4", dry_run=True)
    assert (contents(root), len(planned.steps)) == (before, 2)
    assert run(root, layout="v4").steps == planned.steps


@pytest.mark.seed("F-62")
def test_links_go_on_leading_where_they_led(tmp_path):
    """To the note that moved, from it, and from one that moved before."""
    root = a_root(tmp_path, "v4")
    write(
        root,
        "memory/semantic/infra.md",
        "# Infra\nsee [the day](../episodic/2026-04-01.md#L3) and [[2026-04-01]]\n",
    )
    write(root, "memory/archive/2026/03/2026-03-31.md", "[next](../../../episodic/2026-04-01.md)\n")
    write(
        root, "memory/episodic/2026-04-01.md", "[infra](../semantic/infra.md) [web](https://a.b/c) f[i](x)\n"
    )
    run(root, layout="v4")
    moved = root / "memory/archive/2026/04/2026-04-01.md"
    assert (root / "memory/semantic/infra.md").read_text() == (
        "# Infra\nsee [the day](../archive/2026/04/2026-04-01.md#L3) and [[2026-04-01]]\n"
    )
    assert (root / "memory/archive/2026/03/2026-03-31.md").read_text() == "[next](../04/2026-04-01.md)\n"
    assert moved.read_text() == "[infra](../../../semantic/infra.md) [web](https://a.b/c) f[i](x)\n"


def test_killed_while_links_follow_the_next_run_ends_the_same(tmp_path):
    """As if nothing had happened."""
    root, other = a_root(tmp_path / "a", "v4"), a_root(tmp_path / "b", "v4")
    for place in (root, other):
        write(place, "memory/semantic/infra.md", "[the day](../episodic/2026-04-01.md)\n")
        write(place, "memory/episodic/2026-04-01.md", "[infra](../semantic/infra.md)\n")
    killed_between(root, layout="v4")
    run(root, layout="v4")
    run(other, layout="v4")
    assert contents(root / "memory") == contents(other / "memory")


def test_a_link_that_cannot_follow_is_told(tmp_path):
    """The note moves all the same."""
    root = a_root(tmp_path, "v4")
    closed = write(root, "memory/semantic/infra.md", "[the day](../episodic/2026-04-01.md)\n")
    closed.chmod(0o400)
    write(root, "memory/episodic/2026-04-01.md", "words\n")
    done = run(root, layout="v4")
    assert ([finding.code for finding in done.findings], len(done.steps)) == (["stale-link"], 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b.md)", "[a](../b.md)"),
        ("[a](b.md#top)", "[a](../b.md#top)"),
        ("![i](p/q.png)", "![i](../p/q.png)"),
        ("[a](/b.md) [b](#here) [c](mailto:x) [d](gone.md) [e](../../up.md)", None),
    ],
)
def test_links_of_a_note_that_moves_one_folder_down(text, expected):
    """Only those to something that is there."""
    there = {"n/b.md", "n/p/q.png"}
    moved = followed(text, source="n/x.md", target="n/old/x.md", exists=there.__contains__)
    assert moved == (text if expected is None else expected)


def test_a_hostile_line_is_looked_at_quickly():
    """A megabyte of almost links."""
    text = "](" * 200_000 + "[" * 200_000 + "](" + "a" * 600_000
    assert pointing_at(text, at="a.md", source="b.md", target="c.md") == text


def test_a_late_digest_reaches_a_note_in_the_archive(root):
    """Packed or not; it does not come back to life."""
    write(root, "notes/daily/2025-01-02.md", "# old\n")
    run(root)
    late = a_passage("read years later", at=datetime(2025, 1, 2, 9, tzinfo=UTC))
    store = a_store(root)
    with store.writing():
        publish_digests(store, [Standing(passage=late, activation=0.1)], zone=UTC)
    text = unpacked(root / "archive/notes/daily/2025-01-02.md.gz").decode()
    assert (text.startswith("# old\n"), "read years later" in text) == (True, True)
    assert not (root / "notes/daily/2025-01-02.md").exists()


def test_days_are_the_owners_days(root):
    """At 03:00 UTC it is still yesterday in Los Angeles."""
    write(root, "notes/daily/2025-05-14.md", "# old\n")
    assert run(root, zone=ZoneInfo("America/Los_Angeles"), dry_run=True).steps == ()
    assert run(root, dry_run=True).steps != ()


# Receipts


def test_old_receipts_are_packed_and_count_as_before(root, clock):
    """The activations are the same to the last digit, and forgetting reaches into the packed file."""
    clock.now = datetime(2025, 1, 10, tzinfo=UTC)
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        kept = memory.remember("the marmalade is in the cellar").id
        clock.move(days=20)
        memory.recall("marmalade")
        clock.now = NOW
        before = [hit.activation for hit in memory.list()]
        done = run(root)
        assert [step.target for step in done.steps] == ["usage/2025-01.jsonl"]
        assert [hit.activation for hit in memory.list()] == before
        memory.rebuild_index()
        assert [hit.activation for hit in memory.list()] == before
        memory.forget([kept])
    assert kept.encode() not in unpacked(root / "usage/2025-01.jsonl.gz")


def test_damaged_receipts_stop_nobody(root):
    """They are worth a little activation, nothing else."""
    write(root, "usage/2024-01.jsonl.gz", b"not packed at all")
    with open_memory(str(root), environment=PLAIN) as memory:
        memory.remember("the marmalade is in the cellar")
        assert len(memory.search("marmalade").hits) == 1


def test_nothing_is_ever_deleted(tmp_path):
    """After ten years of upkeep every line of every note is somewhere."""
    root = a_root(tmp_path, "v4")
    for month in range(1, 13):
        write(root, f"memory/episodic/2016-{month:02}-01.md", f"# day {month}\n")
    for year in range(2016, 2027):
        run(root, layout="v4", now=datetime(year, 12, 31, tzinfo=UTC))
    found = sorted(unpacked(path) for path in (root / "memory/archive").rglob("*.gz"))
    assert found == sorted(f"# day {month}\n".encode() for month in range(1, 13))
