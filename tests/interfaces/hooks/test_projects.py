"""A rule of one project stays in it, and what is about the person goes along: said in one folder, told in another."""

import json
import shutil
import subprocess
from datetime import UTC, datetime

import pytest

from memoracle.project import project_of
from support.files import write
from support.processes import run_here

RULE = "In this repo we use pnpm, never npm."
ALLERGY = "I am allergic to shellfish."
GIT = {"GIT_AUTHOR_NAME": "m", "GIT_AUTHOR_EMAIL": "m@example.org"}
GIT |= {"GIT_COMMITTER_NAME": "m", "GIT_COMMITTER_EMAIL": "m@example.org"}


@pytest.fixture
def repos(home):
    """Two repositories and a folder beside them."""
    for name in ("shop", "blog"):
        (home.folder / "code" / name / ".git").mkdir(parents=True)
        (home.folder / "code" / name / "src/web").mkdir(parents=True)
    (home.folder / "papers").mkdir()
    return home.folder / "code"


class Talk:
    """Conversations as the hosts write them, read by the real command line."""

    def __init__(self, home):
        self._home = home
        self._count = 0

    def cli(self, *words, **options):
        status, out, err = run_here(*words, env=self._home.surroundings(), cwd=self._home.folder, **options)
        assert status in {0, 3}, err
        return out

    def claude(self, folder, *said):
        rows = [
            {
                "parentUuid": f"u{at}" if at else None,
                "sessionId": f"s{self._count}",
                "cwd": str(folder),
                "type": "user",
                "message": {"role": "user", "content": one},
                "uuid": f"u{at + 1}",
                "timestamp": self._now(),
            }
            for at, one in enumerate(said)
        ]
        self._read(".claude/projects/-x/{}.jsonl", rows)

    def codex(self, folder, *said):
        meta = {"id": f"c{self._count}", "cwd": str(folder), "timestamp": self._now()}
        rows = [{"timestamp": self._now(), "type": "session_meta", "payload": meta}]
        for one in said:
            message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": one}]}
            rows.append({"timestamp": self._now(), "type": "response_item", "payload": message})
        self._read(".codex/sessions/2026/08/10/rollout-2026-08-10T10-00-00-{}.jsonl", rows)

    def gemini(self, folder, *said):
        header = {"sessionId": f"g{self._count}", "projectHash": "0" * 64, "startTime": self._now()}
        write(self._home.folder, ".gemini/tmp/x/.project_root", str(folder))
        rows = [
            header,
            *({"id": one, "type": "user", "content": one, "timestamp": self._now()} for one in said),
        ]
        self._read(".gemini/tmp/x/chats/session-2026-08-10T10-00-{}.jsonl", rows)

    def openclaw(self, folder, *said):
        rows = [{"type": "session", "version": 3, "id": f"o{self._count}", "cwd": str(folder)}]
        for at, one in enumerate(said):
            message = {"role": "user", "content": [{"type": "text", "text": one}]}
            rows.append({"type": "message", "id": f"m{at}", "timestamp": self._now(), "message": message})
        self._read(".openclaw/agents/main/sessions/{}.jsonl", rows)

    def plain(self, *said):
        rows = [{"role": "user", "content": one, "timestamp": self._now()} for one in said]
        self._read("chats/{}.jsonl", rows)

    def _now(self):
        return datetime.now(UTC).isoformat()

    def _read(self, place, rows):
        self._count += 1
        path = write(self._home.folder, place.format(self._count), "\n".join(map(json.dumps, rows)) + "\n")
        self.cli("ingest", path)
        self.cli("consolidate")

    def start(self, folder, *words):
        return self._home.call("session-start", {"source": "startup", "cwd": str(folder)}, *words).told

    def prompt(self, folder, asked, *words):
        return self._home.call("prompt", {"prompt": asked, "cwd": str(folder)}, *words).told


@pytest.fixture
def talk(home):
    return Talk(home)


@pytest.mark.parametrize("host", ["claude", "codex", "gemini"])
def test_a_rule_stays_in_its_project(home, repos, talk, host):
    """Whichever host it was said in; subfolders belong to the project, other folders and the hot file do not."""
    getattr(talk, host)(repos / "shop", RULE, ALLERGY)
    assert RULE in talk.start(repos / "shop")
    assert RULE in talk.start(repos / "shop/src/web", "--host", "codex")
    assert "pnpm" in talk.prompt(repos / "shop", "pnpm or npm?")
    for other in (repos / "blog", home.folder / "papers", home.folder, "/"):
        assert "pnpm" not in talk.start(other)
        assert "pnpm" not in talk.prompt(other, "pnpm or npm?")
    assert "pnpm" not in (home.root / "MEMORY.md").read_text("utf-8")
    for anywhere in (repos / "shop", repos / "blog", home.folder / "papers", home.folder):
        assert ALLERGY in talk.start(anywhere)
    assert ALLERGY in (home.root / "MEMORY.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("said", "is_projects"),
    [
        ("我们项目用 pnpm 构建。", True),
        ("We decided to store sessions in Redis instead of Postgres.", True),
        ("Never commit directly to main.", True),
        ("以后不要直接提交到主分支。", True),
        ("From now on always use pytest in all my repos.", False),
        ("以后在所有项目里都不要用 npm。", False),
        ("Always answer me in English.", False),
        ("I live in Porto.", False),
        ("My sister Ilse lives in Ghent.", False),
        ("我对花生过敏。", False),
    ],
)
def test_what_is_the_projects_and_what_is_the_persons(repos, talk, said, is_projects):
    """About code, process and decisions: the project's. About the person, or for every project: told everywhere."""
    talk.claude(repos / "shop", said)
    assert said in talk.start(repos / "shop")
    assert (said in talk.start(repos / "blog")) is not is_projects


def test_two_projects_may_rule_differently(repos, talk):
    """Neither replaces the other."""
    talk.claude(repos / "shop", "In this repo we use tabs, never spaces.")
    talk.claude(repos / "blog", "In this repo we use spaces, never tabs.")
    assert ("never spaces" in talk.start(repos / "shop"), "never tabs" in talk.start(repos / "shop")) == (
        True,
        False,
    )
    assert ("never spaces" in talk.start(repos / "blog"), "never tabs" in talk.start(repos / "blog")) == (
        False,
        True,
    )


def test_whoever_asks_finds_it_and_sees_whose_it_is(repos, talk):
    """On the command line everything is there, with the name of its project."""
    talk.claude(repos / "shop", RULE)
    name = project_of(str(repos / "shop"), home=str(repos.parent))
    shown = talk.cli("recall", "pnpm or npm")
    assert RULE in shown
    assert name in shown


def test_talk_stays_where_it_was(home, repos, talk):
    """Nothing of a private chat or of another project is told at a prompt; in its own project talk is told."""
    talk.openclaw(home.folder / ".openclaw/workspace", "Now the landlord of the server room is shouting.")
    talk.plain("The tests at the driving school were dull today.")
    talk.claude(repos / "shop", "The flaky tests are in upload.spec.ts, they need a retry.")
    for asked in ("Write a README for the server", "run the tests", "fix the flaky tests"):
        told = talk.prompt(repos / "blog", asked)
        assert not any(word in told for word in ("landlord", "driving", "flaky"))
    assert "upload.spec.ts" in talk.prompt(repos / "shop", "fix the flaky tests")
    assert "landlord" not in talk.prompt(repos / "shop", "who is the landlord of the server room?")
    assert "landlord" in talk.prompt("", "who is the landlord of the server room?", "--host", "openclaw")


def test_a_registered_name_is_the_same_project(repos, talk):
    """What was kept under the name is told in the repository, and nothing that was heard there is lost by it."""
    talk.claude(repos / "shop", RULE)
    talk.cli("remember", "Releases are cut by Mei", "--project", "storefront", "--kind", "rule")
    talk.cli("project", "add", "storefront", "--repo", str(repos / "shop"))
    told = talk.start(repos / "shop")
    assert ("Releases are cut by Mei" in told, RULE in told) == (True, True)
    assert "Releases are cut by Mei" not in talk.start(repos / "blog")


def test_a_worktree_is_its_repository(tmp_path):
    """Only one that the repository itself knows: a folder that claims to be one is its own project."""
    main, tree, posing = (tmp_path / name for name in ("main", "tree", "posing"))
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"} | GIT
    for words in (
        ["init", "-q", str(main)],
        ["-C", str(main), "commit", "-q", "--allow-empty", "-m", "first"],
        ["-C", str(main), "worktree", "add", "-q", str(tree)],
    ):
        subprocess.run([git, *words], check=True, env=env, capture_output=True)
    write(posing, ".git", (tree / ".git").read_text())
    (tree / "deep/down").mkdir(parents=True)
    name = project_of(str(main), home="/nowhere")
    assert project_of(str(tree / "deep/down"), home="/nowhere") == name
    assert project_of(str(posing), home="/nowhere") != name


def test_what_is_no_project(tmp_path):
    """The home folder, the root of the disk, an assistant's own room, and what is no folder at all."""
    room = tmp_path / "room"
    write(room, "SOUL.md", "# Who I am\n")
    (room / ".git").mkdir()
    (tmp_path / ".git").mkdir()
    assert [project_of(str(one), home=str(tmp_path)) for one in (tmp_path, "/", room, "", "app")] == [""] * 5
    assert project_of(str(tmp_path / "gone/away"), home=str(tmp_path)).startswith("away-")
    assert project_of(str(tmp_path / "项目 一"), home=str(tmp_path)).startswith("项目-一-")
