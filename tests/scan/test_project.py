"""What repositories tell of themselves, language by language."""

import os
import sys

import pytest

from memoracle.errors import BadInput
from memoracle.extensions.seats.errors import UnreadableRepository
from memoracle.extensions.seats.scan.project.look import DEEP, DEPTHS, look_at_project

from .places import REPOS, put

AT = "2026-11-15T00:00:00Z"


def look(repo, depth="deep"):
    return look_at_project(str(repo), project="arena", depth=depth, at=AT)


@pytest.mark.seed("S1.161")
@pytest.mark.parametrize(("depth", "number"), [("shallow", 1), ("medium", 7), ("deep", 8)])
def test_depth_decides_how_much_is_told(repo, depth, number):
    """One document, seven, or eight; the short answer is always among them."""
    seen = look(repo("python"), depth)
    assert (len(seen.documents), next(iter(seen.documents))) == (number, "dev_env")


@pytest.mark.seed("S1.165")
@pytest.mark.parametrize("name", REPOS)
def test_every_fact_names_the_file_that_says_it(repo, name):
    """Schema, kind, data; and for every leaf a source with its trust."""
    for kind, document in look(repo(name)).documents.items():
        told = {place for one in document["evidence"] for place in one["facts"]}
        assert (document["schema_version"], document["kind"], document["project"]) == (1, kind, "arena")
        assert [one for one in document["evidence"] if one["trust"] not in {"high", "medium", "low"}] == []
        assert [one for one in document["evidence"] if not os.path.lexists(one["source_url"])] == []
        assert [leaf for leaf in leaves(document["data"]) if not covered(leaf, told)] == []


def leaves(said, path=""):
    if isinstance(said, dict):
        for name, one in said.items():
            yield from leaves(one, f"{path}.{name}".lstrip("."))
    else:
        yield path


def covered(leaf, told):
    return any(leaf == place or leaf.startswith(f"{place}.") for place in told)


@pytest.mark.seed("S1.166")
@pytest.mark.parametrize(
    ("name", "primary", "facts"),
    [
        ("python", "python", {"version": "3.12.4", "version_range": ">=3.11", "managers": ["uv"], "build_backend": "hatchling.build", "package": "arena"}),
        ("pnpm", "node", {"version": "20.11.0", "version_range": ">=20", "manager": "pnpm", "package_manager_version": "pnpm@9.1.0", "package": "shop", "typescript": True, "frameworks": ["next", "react"]}),
        ("yarn", "node", {"manager": "yarn"}),
        ("npm", "node", {"manager": "npm"}),
        ("bun", "node", {"manager": "bun", "package": "b", "typescript": True}),
        ("go", "go", {"module": "example.com/arena", "version": "1.22", "toolchain": "go1.22.3", "manager": "go modules"}),
        ("rust", "rust", {"version_range": "1.75", "edition": "2021", "package": "arena", "version": "1.78", "manager": "cargo"}),
        ("ruby", "ruby", {"version": "3.3.1", "version_range": "3.3.1", "manager": "bundler", "frameworks": ["rails"]}),
        ("maven", "java", {"build_tool": "maven", "version": "21", "wrapper": "mvnw"}),
        ("gradle", "kotlin", {"build_tool": "gradle", "version": "17", "wrapper": "gradlew", "gradle_version": "8.7"}),
    ],
)  # fmt: skip
def test_the_runtime_of_each_language(told, name, primary, facts):
    """Version, manager and what else its files state."""
    runtime = told(name)["runtime"]
    under = {"kotlin": "java"}.get(primary, primary)
    assert (runtime["primary_language"], runtime[under]) == (primary, facts)


@pytest.mark.seed("S1.166")
def test_python_goes_before_node(repo):
    """Where both are there, Python is the primary language and both are named."""
    folder = repo("python")
    put(folder, "package.json", {"name": "site"})
    runtime = look(folder).documents["runtime"]["data"]
    assert (runtime["primary_language"], runtime["languages"]) == ("python", ["python", "node"])


@pytest.mark.seed("S1.166")
@pytest.mark.parametrize(
    ("file", "text", "manager"),
    [
        ("poetry.lock", "", "poetry"),
        ("pdm.lock", "", "pdm"),
        ("Pipfile", "[requires]\npython_version = '3.11'\n", "pipenv"),
        ("requirements.txt", "flask\n", "pip"),
    ],
)
def test_the_managers_of_python(tmp_path, file, text, manager):
    """By lock file, or pip."""
    put(tmp_path, "setup.py", "")
    put(tmp_path, file, text)
    assert look(tmp_path).documents["runtime"]["data"]["python"]["managers"] == [manager]


@pytest.mark.seed("S1.167")
@pytest.mark.parametrize(
    ("name", "frameworks", "command"),
    [
        ("python", ["pytest"], "uv run pytest"),
        ("pnpm", ["vitest", "playwright"], "pnpm test"),
        ("yarn", ["jest", "cypress"], "npx jest"),
        ("npm", ["mocha"], "npm test"),
        ("go", ["go"], "go test ./..."),
        ("rust", ["cargo"], "cargo test"),
        ("ruby", ["rspec"], "bundle exec rspec"),
        ("maven", ["junit"], "./mvnw test"),
        ("gradle", ["kotest"], "./gradlew test"),
    ],
)
def test_how_each_is_tested(told, name, frameworks, command):
    """Frameworks, and the command that runs them."""
    tests = told(name)["tests"]
    assert (tests["frameworks"], tests["test_command"]) == (frameworks, command)


@pytest.mark.seed("S1.167")
@pytest.mark.parametrize(
    ("name", "kind", "key", "wanted"),
    [
        ("python", "deploy", "platforms", ["docker"]),
        ("python", "deploy", "compose", True),
        ("pnpm", "deploy", "platforms", ["vercel"]),
        ("yarn", "deploy", "platforms", ["netlify"]),
        ("ruby", "deploy", "platforms", ["heroku", "render"]),
        ("python", "ci", "systems", ["github actions"]),
        ("go", "ci", "systems", ["circleci"]),
        ("ruby", "ci", "systems", ["jenkins"]),
        ("pnpm", "ci", "systems", ["gitlab"]),
        ("rust", "ci", "systems", ["travis"]),
        ("maven", "ci", "systems", ["bitbucket"]),
        ("python", "lint", "tools", ["mypy", "ruff"]),
        ("pnpm", "lint", "tools", ["eslint", "prettier"]),
        ("go", "lint", "tools", ["golangci-lint"]),
        ("rust", "lint", "tools", ["rustfmt"]),
        ("ruby", "lint", "tools", ["rubocop"]),
        ("maven", "lint", "tools", ["checkstyle"]),
    ],
)
def test_where_it_goes_who_builds_it_who_checks_it(told, name, kind, key, wanted):
    """Deployment, CI and style, by the files they want."""
    assert told(name)[kind][key] == wanted


@pytest.mark.seed("S1.167")
@pytest.mark.parametrize("tool", ["black", "flake8", "pylint", "isort"])
def test_the_other_checkers_of_python(tmp_path, tool):
    """By what is depended on."""
    put(tmp_path, "requirements-dev.txt", f"{tool}==1.0\n")
    assert look(tmp_path).documents["lint"]["data"]["tools"] == [tool]


@pytest.mark.seed("S1.167")
def test_the_structure_of_a_repository(told):
    """Folders by purpose, names at the top, how many files."""
    structure = told("python")["structure"]
    flags = [structure[name] for name in ("has_src", "has_docs", "has_tests", "has_scripts")]
    assert (flags, structure["file_count"], "pyproject.toml" in structure["top_level"]) == (
        [True, True, True, False],
        6,
        True,
    )


@pytest.mark.seed("S1.167")
def test_templates_give_names_alone(told):
    """At most fifty are listed, all are counted, and no value comes along."""
    template = told("python")["env_templates"]
    assert (template["template"], len(template["keys"]), template["key_count"], template["keys"][:2]) == (
        ".env.example",
        50,
        62,
        ["A_KEY", "B_KEY"],
    )


@pytest.mark.parametrize(
    ("name", "packages"),
    [
        ("pnpm", [("@shop/web", "apps/web", "node"), ("@shop/ui", "packages/ui", "node")]),
        ("rust", [("arena-core", "crates/core", "rust")]),
        ("maven", [("core", "core", "java")]),
        ("gradle", [("app", "app", "java"), ("core", "lib/core", "java")]),
    ],
)
def test_the_packages_of_a_workspace(told, name, packages):
    """Each with name, path and language."""
    found = told(name)["structure"]["packages"]
    assert [(one["name"], one["path"], one["language"]) for one in found] == packages


def test_workspaces_of_npm_uv_and_go(tmp_path):
    """Whatever lists them."""
    put(tmp_path, "package.json", {"workspaces": {"packages": ["libs/**", "!libs/old", "../outside"]}})
    put(tmp_path, "libs/a/b/package.json", {"name": "b"})
    put(tmp_path, "pyproject.toml", '[tool.uv.workspace]\nmembers = ["py/*"]\n')
    put(tmp_path, "py/one/pyproject.toml", '[project]\nname = "one"\n')
    put(tmp_path, "go.work", "go 1.22\nuse (\n\t./svc\n)\n")
    put(tmp_path, "svc/go.mod", "module example.com/svc\n")
    packages = look(tmp_path).documents["structure"]["data"]["packages"]
    assert [one["name"] for one in packages] == ["b", "one", "example.com/svc"]


def test_remotes_come_without_a_login(tmp_path):
    """Branch and address; nobody's token."""
    put(tmp_path, ".git/HEAD", "ref: refs/heads/feature/x\n")
    put(
        tmp_path,
        ".git/config",
        '[remote "origin"]\n\turl = https://me:hunter2hunter2@git.example.com/a/b.git\n',
    )
    git = look(tmp_path, "shallow").documents["dev_env"]["data"]["git"]
    assert git == {
        "branch": "feature/x",
        "remotes": [{"name": "origin", "url": "https://git.example.com/a/b.git"}],
    }


# Bounds


def test_no_link_leads_out_of_a_repository(tmp_path):
    """A file that is a link to somewhere else is not read, and that is said."""
    outside = put(tmp_path / "outside", "package.json", {"name": "stolen"})
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "package.json").symlink_to(outside)
    (repo / "apps").symlink_to(tmp_path / "outside")
    seen = look(repo)
    assert "stolen" not in repr(seen.documents)
    assert seen.unread[str(repo / "package.json")] == "a link leads out of the folder"


def test_large_files_pipes_and_rubbish_do_no_harm(tmp_path):
    """They are passed over; what else is there is told."""
    put(tmp_path, "package.json", "x" * 2_000_000)
    put(tmp_path, "pyproject.toml", "[[[not toml")
    os.mkfifo(tmp_path / "Makefile")
    put(tmp_path, "Cargo.toml", "a = " + "[" * 5_000)
    put(tmp_path, "go.mod", "go 1.21\n")
    (tmp_path / "Gemfile").write_bytes(b"\xff\xfe\x00ruby")
    seen = look(tmp_path)
    assert seen.documents["runtime"]["data"]["go"]["version"] == "1.21"
    assert {os.path.basename(path) for path in seen.unread} >= {
        "package.json",
        "pyproject.toml",
        "Cargo.toml",
    }


@pytest.mark.parametrize("said", [1, [], "text", None, {"test": ["x"]}, {"test": {"a": 1}}])
def test_manifests_of_any_shape(tmp_path, said):
    """What is not what it should be counts as absent."""
    put(
        tmp_path,
        "package.json",
        {"scripts": said, "dependencies": said, "workspaces": said, "engines": said, "name": said},
    )
    assert look(tmp_path).documents["runtime"]["data"]["primary_language"] == "node"


def test_many_names_are_cut_short(tmp_path):
    """Two hundred names are listed, all are counted."""
    for number in range(300):
        put(tmp_path, f"f{number:03}.txt", "")
    structure = look(tmp_path).documents["structure"]["data"]
    assert (len(structure["top_level"]), structure["top_level_count"]) == (200, 300)


@pytest.mark.seed("S1.165")
def test_a_place_that_is_no_folder(tmp_path):
    """An error that names it."""
    with pytest.raises(UnreadableRepository):
        look(tmp_path / "nowhere")
    with pytest.raises(BadInput):
        look(tmp_path, "abyssal")


def test_the_depths_are_nested():
    """Each adds to the one before."""
    assert [DEEP[: len(kinds)] == kinds for kinds in DEPTHS.values()] == [True, True, True]


@pytest.mark.seed("S1.164", "F-57")
@pytest.mark.parametrize(
    "module", ["socket", "subprocess", "urllib.request", "http", "ssl", "multiprocessing", "ctypes", "pty"]
)
def test_the_room_knows_no_network_and_no_program(module):
    """No file of it imports anything that could call out."""
    import ast
    from pathlib import Path

    import memoracle.extensions.seats.scan

    found = []
    for path in Path(memoracle.extensions.seats.scan.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            found += [path.name for name in names if name == module or name.startswith(f"{module}.")]
    assert found == []
    assert sys.version_info >= (3, 11)
