"""A directory in which another program's seats have worked: their records, pages and secrets, and what follows a page."""

import json

import pytest

from support.clawseat import SECRET, home, opened
from support.files import write


@pytest.fixture
def place(tmp_path, clock):
    return home(tmp_path / "agents", clock)


@pytest.fixture
def seats(place, clock):
    with opened(place, clock) as memory:
        yield memory


@pytest.mark.seed("S1.088", "S1.046")
@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("GraphQL", "projects/arena/decisions/decision-arena-0a1b2c3d.json"),
        ("Valkey jitter", "shared/patterns/pattern-shared-0a1b2c3d.json"),
        ("smaller changes", "projects/arena/reflections.jsonl"),
    ],
)
def test_documents_are_found_where_they_stand(seats, question, path):
    """Each is evidence with its place, its project and who wrote it."""
    hit = seats.recall(question).hits[0].passage
    assert (hit.path, hit.who) == (path, "memory")


def test_documents_are_pages_that_nobody_changes(seats, place):
    """They are listed and shown; closing one is refused and leaves its bytes."""
    path = "projects/arena/decisions/decision-arena-0a1b2c3d.json"
    before = (place / path).read_bytes()
    assert path in {page.path for page in seats.seats.pages(project="arena", kind="decision")}
    assert seats.seats.page(path).body == "REST was too chatty, see ARENA-228."
    with pytest.raises(Exception, match="no header that can be changed"):
        seats.seats.close_page(path, author="memory")
    assert (place / path).read_bytes() == before


@pytest.mark.seed("S1.090")
def test_a_title_with_a_colon_costs_nothing(seats):
    """Author, time and kind of such a page stand as its program wrote them, and its status can be changed."""
    (page,) = seats.seats.pages(project="arena", kind="finding")
    assert (page.title, page.fields["author"]) == ("Finding: [slow] 东京 #net", "patrol")
    assert page.ts is not None
    hit = seats.recall("p99 340 ms").hits[0].passage
    assert (hit.who, hit.kind, hit.text) == ("patrol", "finding", "p99 is 340 ms.")
    seats.seats.close_page(page.path, author="memory", reason="fixed: yes")
    again = seats.seats.page(page.path)
    assert (again.status, again.title, len(again.history)) == ("resolved", page.title, 1)


def test_a_secret_of_another_scanner_is_told_by_name_alone(seats):
    """However it looks: not by `get`, not by a search for it, not by a question; health says what to do."""
    told = seats.seats.get("credentials.keys.LOBBY")
    assert (told.status, SECRET in repr(told)) == ("found", False)
    assert SECRET not in repr(seats.seats.get("credentials"))
    assert SECRET not in repr(seats.seats.find_facts("LOBBY"))
    assert seats.recall("LOBBY plain words that no rule knows").hits == ()
    (check,) = [one for one in seats.health().checks if one.id == "scanned secrets"]
    assert (check.grade.value, "1 secrets in clear" in check.says) == ("warning", True)


@pytest.mark.seed("S1.095", "S1.134", "S1.142")
def test_links_and_index_follow_a_page(seats, place):
    """As it is written: its links, its lines among others' backlinks, its project's index, the root's counts."""
    made = seats.seats.write_page(
        kind="decision",
        project="arena",
        author="memory",
        title="Own region",
        body="For ARENA-228.",
        task_id="ARENA-9",
    )
    slug = made.path.removesuffix(".md")
    back = (place / "_backlinks/entity++taskid++ARENA-228.jsonl").read_text().splitlines()
    froms = [json.loads(line)["from"] for line in back]
    assert froms == ["projects/arena/decisions/decision-arena-0a1b2c3d", slug]
    files = json.loads((place / "projects/arena/_index/files.json").read_text())["files"]
    assert made.path in {one["path"] for one in files}
    index = json.loads((place / "index.json").read_text())
    assert index["memory_notes"] == [{"id": "arena-finding-1"}]
    assert [one["file_count"] for one in index["projects"]] == [3]


def test_a_link_that_goes_takes_its_line_along(seats, place):
    """What another page says of the same task stays."""
    made = seats.seats.write_page(
        kind="decision",
        project="arena",
        author="memory",
        title="Own region",
        body="For ARENA-228 and ARENA-77.",
    )
    assert (place / "_backlinks/entity++taskid++ARENA-77.jsonl").exists()
    text = (place / made.path).read_text()
    write(place, made.path, text.replace("For ARENA-228 and ARENA-77.", "For ARENA-228."))
    seats.seats.close_page(made.path, author="memory")
    assert not (place / "_backlinks/entity++taskid++ARENA-77.jsonl").exists()
    assert len((place / "_backlinks/entity++taskid++ARENA-228.jsonl").read_text().splitlines()) == 2


def test_a_kind_that_a_seat_has_can_be_written(seats):
    """Of the pages that stand there; a kind that nobody has is refused."""
    made = seats.seats.write_page(
        kind="implementation", project="arena", author="builder", title="pool", body="8 of them"
    )
    assert seats.seats.page(made.path).kind == "implementation"
    with pytest.raises(Exception, match="no kind of page"):
        seats.seats.write_page(kind="musing", project="arena", author="builder", title="x", body="y")


def test_the_digest_of_a_day_tells_its_decisions(seats, place, clock):
    """A page that was written after the directory was adopted stands in the digest of its day."""
    clock.move(minutes=1)
    seats.seats.write_page(kind="decision", project="arena", author="memory", title="Own region", body="Yes.")
    seats.digest()
    notes = "".join(path.read_text() for path in place.rglob("2026-05-15.md"))
    assert "memory@arena: Own region" in notes.partition("## Decisions Made")[2].partition("##")[0]
