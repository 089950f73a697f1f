"""`scan` on the command line: shapes, exits, and what it says to people."""

import json

import pytest

from memoracle.interfaces.cli import every_verb
from scan.places import a_home, a_repo, put


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return a_home(folder)


@pytest.fixture
def repo(tmp_path):
    folder = tmp_path / "arena"
    folder.mkdir()
    return a_repo(folder, "python")


@pytest.mark.seed("S1.150")
def test_scan_machine(cli, home):
    """Five files, and which homes were looked at."""
    document = cli("scan", "machine", "--home", home, "--json").json
    assert ([file["kind"] for file in document["files"]], document["homes"]) == (
        ["credentials", "network", "openclaw", "github", "current_context"],
        [f"{home} (the call)"],
    )


@pytest.mark.seed("S1.151", "S1.165")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["machine", "--only", "moods"], 2),
        (["machine", "--only", "system,network"], 0),
        (["machine", "extra"], 2),
        (["moon"], 2),
        ([], 2),
        (["project"], 2),
        (["project", "--project", "arena"], 2),
        (["project", "--project", "arena", "--repo", "/nowhere/at/all"], 1),
        (["project", "--project", "../x", "--repo", "REPO"], 2),
        (["project", "--project", "arena", "--repo", "REPO", "--depth", "abyssal"], 2),
        (["project", "--project", "arena", "--repo", "REPO", "--commit", "--dry-run"], 2),
        (["diff", "project"], 2),
        (["diff", "moon"], 2),
        (["diff", "--since", "sometime"], 2),
        (["diff", "machine", "--since", "2w"], 0),
    ],
)
def test_the_exits_of_scan(cli, repo, home, words, status):
    """2 for the call's words, 1 for a place that cannot be read."""
    given = [str(repo) if word == "REPO" else word for word in words]
    more = ["--home", str(home)] if given[:1] == ["machine"] else []
    assert cli("scan", *given, *more).status == status


@pytest.mark.seed("S1.151")
def test_a_scanner_that_fails_is_exit_1(cli, home, root, monkeypatch):
    """And the others have written."""
    from memoracle.extensions.seats.scan.machine import network

    monkeypatch.setattr(network, "look", lambda _around: 1 / 0)
    done = cli("scan", "machine", "--home", home, "--json")
    assert (done.status, done.json["errors"]) == (1, {"network": "ZeroDivisionError while looking"})
    assert ((root / "machine/github.json").exists(), (root / "machine/network.json").exists()) == (
        True,
        False,
    )


@pytest.mark.seed("S1.162")
def test_the_shape_of_a_dry_run(cli, repo, root):
    """`dry_run`, `project`, `repo`, `depth`, `files`; the records are printed, nothing is written."""
    document = cli(
        "scan", "project", "--project", "arena", "--repo", repo, "--depth", "medium", "--json"
    ).json
    facts = (
        document["dry_run"],
        document["project"],
        document["repo"],
        document["depth"],
        len(document["files"]),
    )
    assert facts == (True, "arena", str(repo), "medium", 7)
    assert document["files"][0]["record"]["data"]["python"]["version"] == "3.12.4"
    assert (root / "projects").exists() is False


@pytest.mark.seed("S1.163")
def test_already_there_is_exit_1(cli, repo):
    """With `--commit`; `--force-commit` replaces."""
    words = ["scan", "project", "--project", "arena", "--repo", repo]
    assert cli(*words, "--commit").status == 0
    put(repo, ".python-version", "3.13.0\n")
    refused = cli(*words, "--commit")
    assert (refused.status, "already exists" in refused.err) == (1, True)
    assert cli(*words, "--force-commit", "--json").json["files"][0]["written"] is True


@pytest.mark.seed("S1.168")
def test_a_committed_record_is_found(cli, repo):
    """`search --project P --kind runtime`."""
    cli("scan", "project", "--project", "arena", "--repo", repo, "--depth", "medium", "--commit")
    document = cli("search", "python", "--project", "arena", "--kind", "runtime", "--json").json
    assert {hit["path"] for hit in document["hits"]} == {"projects/arena/runtime.json"}


def test_what_changed_in_words(cli, home):
    """A person reads what came and what went."""
    cli("scan", "machine", "--home", home)
    put(home, ".gitconfig", "[user]\n\tname = Somebody\n")
    cli("scan", "machine", "--home", home)
    said = cli("scan", "diff").out
    assert ("git.name: Mei Lin → Somebody" in said, "- git.email: mei@example.com" in said) == (True, True)
    items = cli("scan", "diff", "machine", "--json").json["items"]
    assert {item["path"] for item in items} == {"git.name", "git.email", "git.signs_commits"}


@pytest.mark.seed("S1.007", "S1.157")
def test_init_scans_only_when_told(cli, tmp_path, monkeypatch):
    """`init` alone makes no machine document; `init --scan` looks once, and says which files it wrote."""
    monkeypatch.setattr("memoracle.extensions.seats.scan.homes.account_home", lambda: str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    cli("init", tmp_path / "plain", at=None)
    scanned = cli("init", tmp_path / "scanned", "--scan", "--json", at=None).json["scanned"]
    assert ((tmp_path / "plain/machine").exists(), len(scanned)) == (False, 5)
    assert json.loads((tmp_path / "scanned/machine/index.json").read_text())["errors"] == {}


@pytest.mark.seed("S1.157")
def test_no_tool_of_an_agent_scans():
    """Scanning is a verb of the command line and of Python."""
    from memoracle.interfaces.mcp.serve import tools

    assert "scan" in {verb.name for verb in every_verb()}
    assert [tool.name for tool in tools(graph=True) if "scan" in tool.name] == []
