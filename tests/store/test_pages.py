"""Pages on disk: names, headers that nothing can break out of, history that only grows."""

import stat
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.errors import BadInput, ChangedUnderneath, OutsideRoot
from memoracle.extensions.seats.files_facets import owner_of_path
from memoracle.extensions.seats.files_pages import (
    change_page,
    find_twin,
    page_files,
    put_page,
    read_page,
    slug_of,
)
from memoracle.extensions.seats.model import PageDraft
from memoracle.model.ids import IdSource
from memoracle.model.value import replace
from memoracle.store import frontmatter
from memoracle.store.store import Store, Unguarded
from memoracle.times import system_clock
from support.files import write
from support.layouts import LAYOUTS

NOW = datetime(2026, 5, 15, 9, 30, 12, 345, tzinfo=UTC)
DRAFT = PageDraft(kind="decision", project="arena", seat="planner", title="Use one file", body="Simple.\n")


@pytest.fixture
def store(root):
    return Store(str(root), clock=system_clock, ids=IdSource(), guard=Unguarded())


def put(store, draft=DRAFT, **changes):
    with store.writing():
        return put_page(store, replace(draft, **changes), page_id="mem_1", now=NOW, said="open by planner")


@pytest.mark.seed("S1.050")
def test_the_name_of_a_page(store):
    """Its moment with `-` for `:`, then its title as a slug."""
    assert put(store).path == "projects/arena/planner/2026-05-15T09-30-12Z-use-one-file.md"


@pytest.mark.seed("S1.073")
@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("关于 M2.0-C reporting", "m2-0-c-reporting"),
        ("Ärger über Öl", "arger-uber-ol"),
        ("用一个文件", "decision"),
        ("!!!", "decision"),
        ("a" * 100, "a" * 64),
        (f"{'a' * 63} b", "a" * 63),
    ],
)
def test_slugs(title, slug):
    """Plain lower-case letters and digits, at most 64, and a word where nothing is left."""
    assert slug_of(title) == slug


@pytest.mark.seed("S1.060", "S1.061")
def test_the_nine_common_fields_come_first(store, root):
    """In their order; a plain word and the moment stand bare, so that every reader takes them as they are."""
    text = (root / put(store).path).read_text()
    names = [line.partition(":")[0] for line in text.split("\n")[1:10]]
    common = ["issue_id", "ts", "task_id", "project", "seat", "kind", "title", "status", "detail"]
    assert (names, {"ts: 2026-05-15T09:30:12Z", "project: arena"} <= {*text.split("\n")}) == (common, True)


@pytest.mark.seed("S1.094")
def test_a_page_is_its_owners_alone(store, root):
    """Mode 0600."""
    assert stat.S_IMODE((root / put(store).path).stat().st_mode) == 0o600


HOSTILE = st.text(max_size=80) | st.sampled_from(
    [
        'x"\nstatus: "resolved',
        "x\n---\nbody",
        "---",
        "x\r\n---\r\n",
        "a: b # c",
        "[x]",
        "{a: b}",
        "&a *a !!python/object",
        "\\",
        '\\"\n',
        "true",
        "null",
        "  edge  ",
        "\u2028\u2029\x85",
        "\ufeff---",
        "'",
        "%YAML 1.2",
        "- a",
        "? a",
        "|",
        ">",
    ]
)


@pytest.mark.seed("F-26", "S1.074")
@given(title=HOSTILE, detail=HOSTILE, body=HOSTILE, value=HOSTILE)
def test_nothing_in_a_header_reaches_beyond_its_field(tmp_path_factory, title, detail, body, value):
    """Whatever a title, a detail, a field or a body says, it is read back as it was, and no field is added."""
    from memoracle.compose import init

    root = tmp_path_factory.mktemp("fuzz") / "m"
    init(str(root), environment={})
    store = Store(str(root), clock=system_clock, ids=IdSource(), guard=Unguarded())
    draft = replace(
        DRAFT,
        title=title or "x",
        detail=detail,
        body=body,
        extra={"reason": value, "auto_mode": True},
        evidence=({"trust": "high", "source_url": value},),
        related_task_ids=(value,),
    )
    try:
        page = put(store, draft)
    except BadInput:
        assert any("\ud800" <= ch <= "\udfff" for ch in title + detail + body + value) or "\0" in title
        return
    fields = page.fields
    assert (fields["title"], fields["detail"], fields["reason"], fields["auto_mode"]) == (
        draft.title,
        detail,
        value,
        True,
    )
    assert (fields["status"], page.related_task_ids, page.evidence[0]["source_url"]) == (
        "open",
        (value,),
        value,
    )
    assert page.body == (body if body.endswith("\n") or not body else f"{body}\n")
    assert len(fields) == 18


@pytest.mark.seed("S1.064")
def test_a_change_adds_a_line_and_leaves_the_rest(store, root):
    """Status and history change; every other byte stays."""
    page = put(store, body="One.\n\n---\n\nTwo.")
    before = (root / page.path).read_text()
    with store.writing():
        changed = change_page(store, page, {"status": "resolved"}, said="resolved by planner: done")
    after = (root / page.path).read_text()
    assert (changed.status, changed.history) == ("resolved", ("open by planner", "resolved by planner: done"))
    assert (
        after.replace("status: resolved", "status: open").replace('  - "resolved by planner: done"\n', "")
        == before
    )


def test_history_is_added_to_a_header_by_other_hands(store, root):
    """Comments and unknown fields stay where they are."""
    path = "projects/arena/builder/2026-05-01-x.md"
    write(root, path, "---\ntitle: X # mine\nstatus: open\nown: [1, 2]\n---\nText\n")
    with store.writing():
        changed = change_page(store, read_page(store, path), {"status": "resolved"}, said="a")
        change_page(store, changed, {"status": "open"}, said="b")
    text = (root / path).read_text()
    assert "title: X # mine\n" in text
    assert frontmatter.parse(text).fields["history"] == ["a", "b"]


def test_a_page_that_changed_meanwhile_is_left_alone(store, root):
    """Nothing of a person's edit is overwritten."""
    page = put(store)
    write(root, page.path, "---\ntitle: mine\n---\nmine\n")
    with store.writing(), pytest.raises(ChangedUnderneath):
        change_page(store, page, {"status": "resolved"}, said="x")


@pytest.mark.seed("F-31", "S1.087")
def test_the_same_words_are_found_again_by_name(store):
    """Title, body, task, kind, project and seat make a page; its moment does not."""
    page = put(store)
    twin = find_twin(store, replace(DRAFT, ts=datetime(2027, 1, 1, tzinfo=UTC)))
    assert (twin.path, find_twin(store, replace(DRAFT, body="Other.\n"))) == (page.path, None)


def test_a_twin_with_a_chinese_title_is_found(store):
    """A title that leaves no slug is found by its key."""
    draft = replace(DRAFT, title="用一个文件")
    page = put(store, draft)
    assert (find_twin(store, draft).path, find_twin(store, replace(draft, title="别的"))) == (page.path, None)


def test_two_pages_of_one_moment_and_title_both_stand(store):
    """Nothing is overwritten."""
    first, second = put(store), put(store, body="Other.\n")
    assert (first.path != second.path, read_page(store, first.path).body) == (True, "Simple.\n")


@pytest.mark.seed("S1.046", "S1.047", "S1.051")
@pytest.mark.parametrize(
    ("changes", "folder"),
    [
        ({"seat": "memory", "kind": "decision"}, "projects/arena/decision"),
        ({"seat": "memory", "kind": "finding"}, "projects/arena/finding"),
        ({"seat": "memory", "kind": "task"}, "projects/arena/task"),
        ({"seat": "memory", "kind": "plan"}, "projects/arena/plan"),
        ({"seat": "builder"}, "projects/arena/builder"),
        ({"seat": "reviewer", "kind": "finding", "folder": "findings"}, "projects/arena/reviewer/findings"),
        ({"seat": "memory", "project": "_shared", "kind": "pattern"}, "shared/patterns"),
        ({"seat": "memory", "project": "_shared", "kind": "learning"}, "learnings"),
    ],
)
def test_places(store, changes, folder):
    """Singular folders for memory's own kinds, a folder per seat, and what is shared outside of projects."""
    page = put(store, **changes)
    kind = changes.get("kind", "decision")
    project = "" if changes.get("project") else "arena"
    assert (page.path.rpartition("/")[0], page.kind) == (folder, kind)
    assert (page.project, page.seat) == (project, changes["seat"])


@pytest.mark.seed("F-25")
def test_a_link_is_never_followed(store, root, tmp_path):
    """A place that is a link is refused, and nothing is written where it leads."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "projects/arena").mkdir(parents=True)
    (root / "projects/arena/planner").symlink_to(outside)
    with pytest.raises(OutsideRoot):
        put(store)
    assert list(outside.iterdir()) == []


@pytest.mark.seed("S1.143", "F-39")
def test_what_is_no_page(store, root):
    """A note without a header is none; derived files are not even looked at."""
    write(root, "projects/arena/builder/plain.md", "# Plain\n")
    write(root, "projects/arena/_index/files.md", "---\nkind: decision\n---\nx\n")
    assert (read_page(store, "projects/arena/builder/plain.md"), page_files(store)) == (
        None,
        ["projects/arena/builder/plain.md"],
    )


def test_the_place_says_whose_a_page_is(store, root):
    """A header that names another seat changes nothing."""
    path = "projects/arena/builder/2026-05-01-x.md"
    write(root, path, "---\ntitle: X\nseat: memory\nproject: other\n---\nText\n")
    page = read_page(store, path)
    assert (page.project, page.seat) == ("arena", "builder")


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_every_layout_has_places_for_pages(layout):
    """And says whose they are."""
    path = LAYOUTS[layout]["page"].format(project="p", seat="builder", name="x")
    assert owner_of_path(LAYOUTS[layout], path) == ("p", "builder", "")
