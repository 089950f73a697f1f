"""Pages, seats, facts and federation from the command line: shapes and exits that scripts rely on."""

import json

import pytest

from support.files import contents
from support.files import write as put
from support.processes import run, surroundings


@pytest.fixture
def write(cli):
    """Writes a page; gives its document."""

    def call(*words, kind="decision", project="arena", seat="planner", title="Use one file", **more):
        given = ["--kind", kind, "--project", project, "--title", title]
        if seat:
            given += ["--seat", seat]
        return cli("page", "write", *given, *words, "--json", **more)

    return call


FIRM = json.dumps([{"trust": "high", "source_url": "https://x.example"}])


# page write


@pytest.mark.seed("S1.080", "S1.082", "S1.092")
def test_every_flag_of_the_writer(write, cli, root):
    """What the design's own writer takes; out come id, path and warnings."""
    done = write(
        "--body", "Simple.", "--author", "planner", "--iso", "2026-05-01T10:00:00+08:00", "--evidence", FIRM,
        "--related-task-ids", "T-1,T-2", "--confidence", "high", "--source", "research", "--supersedes", "old-1",
        "--seats", "planner,builder", "--task", "T-9", "--detail", "one file", "--status", "open",
        "--field", "decision_type=manual", "--quiet",
    )  # fmt: skip
    shown = cli("page", "show", done.json["id"], "--json").json
    assert (done.status, {"id", "path", "warnings", "created"} <= done.json.keys()) == (0, True)
    assert (shown["ts"], shown["related_task_ids"], shown["confidence"], shown["source"]) == (
        "2026-05-01T02:00:00Z",
        ["T-1", "T-2"],
        "high",
        "research",
    )
    assert (shown["supersedes"], shown["task_id"], shown["fields"]["decision_type"]) == (
        "old-1",
        "T-9",
        "manual",
    )


@pytest.mark.seed("S1.083")
def test_the_thirteen_fields_of_a_record(write, cli):
    """As other tools read them."""
    done = write("--body", "Simple.").json
    shown = cli("page", "show", done["id"], "--json").json
    names = (
        "schema_version kind id project author ts title body related_task_ids evidence supersedes confidence source"
    ).split()
    assert [name for name in names if name not in shown] == []
    assert (shown["schema_version"], shown["author"], shown["body"]) == (1, "planner", "Simple.\n")


@pytest.mark.seed("C-23")
@pytest.mark.parametrize(
    ("number", "label"), [("0.8", "high"), ("0.79", "medium"), ("0.5", "medium"), ("0.4", "low")]
)
def test_a_confidence_may_be_a_number(write, cli, number, label):
    """Labels are for people."""
    done = write("--body", number, "--confidence", number).json
    assert cli("page", "show", done["id"], "--json").json["confidence"] == label


@pytest.mark.seed("S1.081", "S1.089")
def test_content_from_a_file_or_from_stdin(cli, write, tmp_path):
    """The first line is the title when none is given; the two ways exclude each other."""
    note = tmp_path / "note.md"
    note.write_text("\n# Why we wait\n\nBecause.\n")
    words = ["page", "write", "--kind", "issue", "--project", "arena", "--seat", "builder", "--json"]
    done = cli(*words, "--content-file", note)
    piped = cli(*words, "--content-stdin", stdin=b"Second\nline\n")
    both = cli(*words, "--content-stdin", "--content-file", note)
    titles = [cli("page", "show", one.json["id"], "--json").json["title"] for one in (done, piped)]
    assert (titles, both.status) == (["Why we wait", "Second"], 2)


@pytest.mark.seed("S1.092")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--evidence", "{not json"], 2),
        (["--evidence", "{}"], 2),
        (["--iso", "2026-05-01"], 2),
        (["--iso", "1714550400"], 2),
        (["--confidence", "sure"], 2),
        (["--confidence", "7"], 2),
        (["--source", "rumour"], 2),
        (["--status", "quarantined"], 2),
        (["--severity", "TERRIBLE"], 2),
        (["--field", "nonsense"], 2),
        (["--folder", "nowhere"], 2),
        (["--author", "memory"], 5),
        (["--seats", "builder"], 5),
        (["--operator"], 2),
        (["--because", "x"], 2),
    ],
)
def test_what_is_off_changes_nothing(write, root, words, status):
    """Exit 2 for the call's words, 5 for somebody else's place."""
    write("--body", "first")
    before = contents(root, skip=("index", "state", "events.jsonl"))
    done = write("--body", "second", *words)
    assert (done.status, contents(root, skip=("index", "state", "events.jsonl"))) == (status, before)


@pytest.mark.seed("F-29", "S1.035", "S1.093")
def test_another_seats_place_is_refused_with_its_own_exit(write):
    """5, with a code scripts can read; an unknown seat has another."""
    foreign, unknown = write("--author", "memory", seat="builder"), write(seat="ancestor")
    assert [(one.status, one.json["error"]["code"]) for one in (foreign, unknown)] == [
        (5, "not-your-place"),
        (5, "unknown-seat"),
    ]


def test_the_environment_says_who_writes(write, monkeypatch):
    """MEMORACLE_SEAT cannot be talked over."""
    monkeypatch.setenv("MEMORACLE_SEAT", "memory")
    assert [
        write(seat="builder").status,
        write("--author", "builder", seat="").status,
        write(seat="").status,
    ] == [5, 5, 0]


@pytest.mark.seed("F-29")
def test_the_operator_and_the_trail(write, cli):
    """`--operator --because` writes anywhere, and the trail tells it."""
    done = write("--operator", "--because", "the builder is away", seat="builder")
    told = cli("audit", "show", "--json").out
    assert (done.status, "override" in told, "the builder is away" in told) == (0, True, True)


@pytest.mark.seed("F-25")
@pytest.mark.parametrize("project", ["../../x", "/etc", "a/../b", "archive"])
def test_no_project_leads_outside(write, root, project):
    """Exit 2, and nothing stands anywhere."""
    before = sorted(path.name for path in root.parent.iterdir())
    assert (write(project=project).status, sorted(path.name for path in root.parent.iterdir())) == (2, before)


@pytest.mark.seed("F-26")
def test_a_title_cannot_add_a_field(write, cli):
    """Nor end the header."""
    title = 'x"\nstatus: "resolved"\n---\nbody: "y'
    done = write("--body", "text", title=title)
    shown = cli("page", "show", done.json["id"], "--json").json
    assert (shown["status"], shown["fields"]["title"], "body" in shown["fields"]) == ("open", title, False)


def test_a_dry_run(write, root):
    """Says where; touches nothing."""
    before = contents(root)
    done = write("--body", "x", "--dry-run")
    assert (done.json["path"], done.json["created"], contents(root)) == (
        "projects/arena/planner/",
        False,
        before,
    )


# page list and close


@pytest.mark.seed("S1.100", "S1.102", "C-27", "F-32")
def test_listing(write, cli):
    """Filters combine; instants are compared; no answer has its own exit."""
    write("--body", "a", "--iso", "2026-04-18T23:30:00-08:00")
    write("--body", "b", "--iso", "2026-04-18T10:00:00Z", seat="builder", title="Other")

    def ask(*words):
        done = cli("page", "list", *words, "--json")
        return done.status, done.json["status"], [one["title"] for one in done.json["items"]]

    assert ask("--project", "arena", "--since", "2026-04-19") == (0, "found", ["Use one file"])
    assert ask("--kind", "decision", "--seat", "builder", "--status", "open") == (0, "found", ["Other"])
    assert ask("--project", "arena", "--kind", "finding") == (3, "not_in_memory_db", [])
    assert ask("--project", "arena", "--seat", "designer") == (4, "not_in_federated_kb", [])
    assert ask("--project", "nowhere") == (4, "not_in_federated_kb", [])
    assert ask("--limit", "1") == (0, "found", ["Use one file"])


@pytest.mark.seed("S1.064")
def test_closing(write, cli, root):
    """A status, a line of history, and the file is still there."""
    page = write("--body", "x").json
    done = cli("page", "close", page["id"], "--author", "planner", "--reason", "done in a1b2c3d", "--json")
    shown = cli("page", "show", page["path"], "--json").json
    assert (done.json["status"], len(shown["history"]), (root / page["path"]).exists()) == (
        "resolved",
        2,
        True,
    )
    assert cli("page", "close", page["id"], "--author", "memory").status == 5


def test_unknown_pages(cli):
    """Exit 3."""
    assert [
        cli("page", "show", "mem_NOPENOPENOPE").status,
        cli("page", "close", "x", "--author", "planner").status,
    ] == [3, 3]


@pytest.mark.seed("S1.036", "S1.038")
def test_checking_an_edit(cli, tmp_path):
    """0 for a clean-up, 1 for what belongs to the owner."""
    old, new, other = (tmp_path / name for name in "abc")
    old.write_text("We recieve files.\n")
    new.write_text("We receive files.\n")
    other.write_text("We never receive files.\n")
    assert [cli("page", "check-edit", old, one, "--json").status for one in (new, other)] == [0, 1]


# The decision log


@pytest.mark.seed("S1.070", "S1.071", "S1.024")
def test_the_log(cli):
    """Appended, listed, counted by project; what is not given has its default."""
    done = cli("decision", "log", "append", "arena", "T-1", "Use SQLite", "One file is enough", "--json")
    cli(
        "decision", "log", "append", "other", "T-2", "X", "Y", "--seat", "memory", "--manual", "--reason", "Z"
    )
    (entry,) = cli("decision", "log", "list", "arena", "--json").json["items"]
    assert (entry["seat"], entry["kind"], entry["status"], entry["decision_type"], entry["auto_mode"]) == (
        "planner",
        "decision",
        "open",
        "auto",
        True,
    )
    assert (entry["detail"], entry["reason"], entry["issue_id"]) == (
        *["One file is enough"] * 2,
        done.json["id"],
    )
    assert entry["ts"].endswith("Z")
    assert "." not in entry["ts"]
    (manual,) = cli("decision", "log", "list", "other", "--json").json["items"]
    assert (manual["auto_mode"], manual["reason"], manual["path"].startswith("projects/other/decision/")) == (
        False,
        "Z",
        True,
    )
    assert cli("decision", "log", "projects", "--json").json["items"] == ["arena", "other"]


@pytest.mark.seed("S1.072")
@pytest.mark.parametrize("at", range(4))
def test_a_decision_has_all_its_parts(cli, at):
    """Empty project, task, title or detail is refused."""
    words = ["arena", "T-1", "Use SQLite", "One file"]
    words[at] = " "
    assert cli("decision", "log", "append", *words).status == 2


@pytest.mark.seed("S1.074")
def test_quotes_colons_and_lines_come_back(cli):
    """Values round-trip, and so do true and false."""
    title, detail = 'a "b": #c', "one\ntwo: three  "
    cli("decision", "log", "append", "arena", "T-1", title, detail, "--manual")
    (entry,) = cli("decision", "log", "list", "arena", "--json").json["items"]
    assert (entry["title"], entry["detail"], entry["auto_mode"]) == (title, detail.strip(), False)


@pytest.mark.seed("S1.075")
def test_the_newest_in_ascending_order(cli, write):
    """`--limit` takes from the end; below 1, or a missing project, gives none."""
    for day in (3, 1, 2):
        write("--body", "x", "--iso", f"2026-05-0{day}T00:00:00Z", title=f"Day {day}")

    def titles(*words):
        return [one["title"] for one in cli("decision", "log", "list", *words, "--json").json["items"]]

    assert titles("arena", "--limit", "2") == ["Day 2", "Day 3"]
    assert titles("arena", "--limit", "0") == titles("nowhere") == []


# Seats, projects, roots


def test_seats_and_projects(cli, write):
    """Listed, added, retired."""
    assert {one["name"] for one in cli("seat", "list", "--json").json["items"]} >= {
        "builder",
        "memory",
        "koder",
    }
    cli("seat", "add", "qa", "--projects", "arena", "--because", "tests")
    assert (write(seat="qa").status, write(seat="qa", project="other").status) == (0, 5)
    cli("seat", "retire", "qa")
    cli("project", "add", "arena", "--repo", "/src/arena")
    cli("project", "retire", "arena")
    assert cli("project", "list", "--json").json["items"] == []
    assert cli("project", "list", "--all", "--json").json["items"][0]["repo_path"] == "/src/arena"
    assert write(title="more").status == 5


def test_a_root_that_is_made_is_listed(cli, tmp_path):
    """`init` and `roots add` put it on the person's list; `remove` takes it off."""
    cli("init", tmp_path / "second", at=None)
    paths = [one["path"] for one in cli("roots", "--json").json["items"]]
    assert str(tmp_path / "second") in paths
    cli("roots", "remove", tmp_path / "second")
    assert str(tmp_path / "second") not in [
        one["path"] for one in cli("roots", "list", "--json").json["items"]
    ]
    assert cli("roots", "add", tmp_path / "nowhere").status == 1


# get


@pytest.mark.seed("S1.104", "S1.112", "C-27", "F-30")
def test_getting(cli, root):
    """0 with evidence, 3 not in memory, 4 not in the federation, 2 for no question."""
    put(root, "machine/network.json", '{"host": "box"}')
    done = cli("get", "network.host", "--json")
    assert (done.status, done.json["status"], done.json["value"], done.json["evidence"]) == (
        0,
        "found",
        "box",
        "machine/network.json#host",
    )
    assert [
        cli("get", *words).status
        for words in (["network.x"], ["x", "--project", "nowhere"], [], ["a", "--search", "b"])
    ] == [
        3,
        4,
        2,
        2,
    ]
    assert cli("get", "network.x", "--json").json["status"] == "not_in_memory_db"


@pytest.mark.seed("S1.111")
def test_context_goes_first(cli, root, tmp_path):
    """As JSON or from a file."""
    put(root, "machine/network.json", '{"host": "box"}')
    given = tmp_path / "turn.json"
    given.write_text('{"network": {"host": "said"}}')
    values = [
        cli("get", "network.host", "--context", one, "--json").json["value"]
        for one in (given.read_text(), f"@{given}")
    ]
    assert (values, cli("get", "a", "--context", "[]").status) == (["said", "said"], 2)


@pytest.mark.seed("S1.101", "S1.105", "S1.106")
def test_searching_and_status(cli, root):
    """Rows with file, path, value and what matched; none is exit 3; and what there is to ask."""
    put(root, "machine/network.json", '{"host": "box"}')
    done = cli("get", "--search", "BOX", "--json").json
    row = {"file": "machine/network.json", "path": "host", "value": "box", "match": "value"}
    assert (done["term"], done["count"], done["matches"]) == ("BOX", 1, [row])
    assert cli("get", "--search", "zzz").status == 3
    assert cli("get", "--file", "network", "--section", "host", "--json").json["value"] == "box"
    held = cli("get", "--status", "--json").json
    assert (held["exists"], held["machine_files"], held["projects"]) == (True, ["machine/network.json"], [])
    assert {"exists", "path", "flat_files", "machine_files", "projects", "index"} <= held.keys()
    assert cli("get", "--status", at=root.parent / "nowhere").status == 1


# federate and synthesize


@pytest.mark.seed("S1.022", "C-27")
def test_federating(write, cli):
    """Each hit names its owner, a missing seat is said; exit 3 when nobody knows, 4 when nobody is there."""
    write("--body", "Redis holds the cache.", seat="builder")
    done = cli("federate", "Redis", "--seats", "builder,designer", "--project", "arena", "--json")
    owner = done.json["hits"][0]["owner"]
    assert (done.status, owner["seat"], owner["project"], len(done.json["missing"])) == (
        0,
        "builder",
        "arena",
        1,
    )
    asked = [
        cli("federate", "submarine", "--seats", seat, "--json").status for seat in ("builder", "designer")
    ]
    assert asked == [3, 4]


@pytest.mark.parametrize("verb", ["recall", "search", "federate"])
def test_every_root_of_this_machine(cli, tmp_path, verb):
    """`--all-roots` asks the roots of the list; each hit says where it is from."""
    cli("init", tmp_path / "second", at=None)
    cli("remember", "the lighthouse keeper is called Ines", at=tmp_path / "second")
    done = cli(verb, "lighthouse", "--all-roots", "--json")
    assert (done.status, done.json["hits"][0]["owner"]["root"]) == (0, str(tmp_path / "second"))
    assert cli(verb, "submarine", "--all-roots").status == 3


@pytest.mark.seed("S1.021", "S1.022")
def test_synthesizing(write, cli):
    """One page, its sources, who is missing; without pages exit 4."""
    write("--body", "The cache is slow.", seat="builder", title="Cache")
    done = cli("synthesize", "cache", "--project", "arena", "--json")
    assert (done.status, len(done.json["sources"]), done.json["missing"]["patrol"]) == (
        0,
        1,
        "not_in_federated_kb",
    )
    assert [
        cli("synthesize", *words).status
        for words in (["--project", "nowhere"], ["submarine", "--project", "arena"])
    ] == [4, 3]


# Real processes


@pytest.mark.seed("F-31", "S1.094")
def test_two_processes_submit_one_page(root):
    """Both are told of the same id, and one page stands."""
    from concurrent.futures import ThreadPoolExecutor

    words = ["--root", root, "page", "write", "--kind", "decision", "--project", "arena", "--seat", "planner"]
    words += ["--title", "Same", "--body", "words", "--json"]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: run(*words, env=surroundings()), range(4)))
    documents = [json.loads(out) for _, out, _ in done]
    assert (len({one["id"] for one in documents}), sum(one["created"] for one in documents)) == (1, 1)
