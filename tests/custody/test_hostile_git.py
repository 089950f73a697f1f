"""`sync` in a folder that came with its `.git`: whatever that names, no program of it runs."""

import os
import shutil
import subprocess
import sys

import pytest

from memoracle.interfaces.cli import main

pytestmark = [pytest.mark.long, pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")]

HOOKS = (
    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "post-merge", "pre-push",
    "post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman", "post-rewrite",
)  # fmt: skip

KEYS = (
    "core.fsmonitor", "filter.x.clean", "filter.x.smudge", "filter.x.process", "core.hooksPath", "core.sshCommand",
    "core.gitProxy", "core.askPass", "core.editor", "core.pager", "core.alternateRefsCommand", "core.worktree",
    "core.attributesFile", "credential.helper", "credential.https://x.helper", "gpg.program", "gpg.ssh.program",
    "gpg.ssh.defaultKeyCommand", "merge.x.driver", "diff.external", "diff.x.command", "diff.x.textconv",
    "diff.x.cachetextconv", "include.path", "includeIf.gitdir:/.path", "alias.commit", "alias.status",
    "protocol.ext.allow", "protocol.allow", "remote.origin.uploadpack", "remote.origin.receivepack",
    "remote.origin.vcs", "remote.origin.proxy", "url.ext::sh.insteadOf", "submodule.x.update", "submodule.recurse",
    "gc.recentObjectsHook", "sequence.editor", "trailer.x.command", "trailer.x.cmd", "lfs.customtransfer.x.path",
    "http.proxy", "http.cookieFile", "pager.status", "extensions.worktreeConfig", "receive.procReceiveRefs",
    "a.key.nobody.knows.yet",
)  # fmt: skip


def git(folder, *words):
    return subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def run(root, *words, **more):
    done = subprocess.run(
        [sys.executable, "-m", "memoracle", "--root", str(root), *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **more},
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A home of its own, a program that leaves a canary, and a memory that is a repository with a hub."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    git(home, "config", "--global", "user.name", "someone")
    git(home, "config", "--global", "user.email", "someone@localhost")
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> {tmp_path}/canary\ncat 2>/dev/null\nexit 0\n')
    program.chmod(0o755)
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", "hub.git")
    root = tmp_path / "root"
    assert run(root, "init", str(root))[0] == 0
    assert run(root, "remember", "The kettle is blue")[0] == 0
    assert run(root, "sync", "--init")[0] == 0
    git(root, "remote", "add", "origin", str(tmp_path / "hub.git"))
    assert run(root, "sync", "--push", "--yes")[0] == 0
    return tmp_path


def exchange(place):
    """Everything `sync` does: a commit, a merge with news of another machine, a push, and the plan of it."""
    other = place / "other"
    git(place, "clone", "--quiet", str(place / "hub.git"), "other")
    (other / "notes" / "daily").mkdir(parents=True, exist_ok=True)
    (other / "notes" / "daily" / "2026-01-01.md").write_text("# 2026-01-01\n\n- elsewhere\n")
    git(other, "add", "--all")
    git(other, "commit", "--quiet", "-m", "elsewhere")
    git(other, "push", "--quiet")
    run(place / "root", "remember", "The lamp is green")
    (place / "root" / "MEMORY.md").write_text("# Memory\n\nMine.\n")
    (place / "canary").unlink(missing_ok=True)  # what the hub itself ran for the other machine
    return [run(place / "root", "sync", *words) for words in (("--dry-run",), (), ("--push", "--yes"))]


def test_hooks_of_the_repository_and_of_a_hub_on_this_machine_do_not_run(place):
    """All kinds of them are there, and `sync` does its work without one."""
    for where in ("root/.git/hooks", "hub.git/hooks"):
        folder = place / where
        folder.mkdir(exist_ok=True)
        for name in (*HOOKS, "pre-receive", "update", "post-receive", "post-update", "proc-receive"):
            shutil.copy(place / "program", folder / name)

    assert [status for status, _ in exchange(place)] == [0, 0, 0]
    assert not (place / "canary").exists()
    assert "The lamp is green" in git(place / "hub.git", "show", "main:records/facts.jsonl")


def test_a_setting_that_may_run_a_program_is_refused_by_name(place, capsys):
    """Nothing is committed, nothing runs, and the sentence says what to do; without it the exchange goes on."""
    root = place / "root"
    attributes = root / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* filter=x diff=x merge=x\n")
    before = git(place, f"--git-dir={place}/hub.git", "rev-parse", "main")
    run(root, "remember", "The lamp is green")

    for key in KEYS:
        git(root, "config", "--file", ".git/config", key, str(place / "program"))
        for words in ((), ("--init", "--push", "--yes")):
            assert main(["--root", str(root), "sync", *words]) == 1, key
            assert key.lower() in capsys.readouterr().err.lower()
        git(place, "config", "--file", str(root / ".git" / "config"), "--unset-all", key)

    assert not (place / "canary").exists()
    assert git(place, f"--git-dir={place}/hub.git", "rev-parse", "main") == before
    assert run(root, "sync", "--push", "--yes")[0] == 0


def test_a_repository_inside_a_memory_is_refused(place):
    """Its own settings would be read by git: neither as a new folder nor as one that is committed."""
    root = place / "root"
    inner = root / "notes" / "inner"
    git(place, "init", "--quiet", str(inner))
    (inner / "x").write_text("x")
    git(inner, "add", "x")
    git(inner, "commit", "--quiet", "-m", "x")
    git(inner, "config", "core.fsmonitor", str(place / "program"))

    status, said = run(root, "sync")
    assert (status, "notes/inner" in said) == (1, True)

    git(root, "-c", "core.fsmonitor=false", "add", "notes/inner")
    (place / "canary").unlink(missing_ok=True)
    status, said = run(root, "sync")
    assert (status, "notes/inner" in said) == (1, True)
    assert not (place / "canary").exists()


def test_a_remote_inside_the_memory_is_refused(place):
    """It came along with the folder."""
    git(place / "root", "init", "--quiet", "--bare", ".hub.git")
    shutil.copy(place / "program", place / "root" / ".hub.git" / "hooks" / "pre-receive")
    git(place / "root", "remote", "set-url", "origin", ".hub.git")

    status, said = run(place / "root", "sync", "--push", "--yes")
    assert (status, "inside this memory" in said) == (1, True)
    assert not (place / "canary").exists()


def test_files_that_look_like_a_repository_are_none(tmp_path, place):
    """A memory without `.git` whose own files are a bare repository's."""
    root = tmp_path / "bare"
    run(root, "init", str(root))
    git(tmp_path, "init", "--quiet", "--bare", str(root))
    git(root, "config", "core.bare", "false")
    git(root, "config", "core.worktree", str(root))
    git(root, "config", "core.fsmonitor", str(place / "program"))

    status, said = run(root, "sync")
    assert (status, "no git repository of its own" in said) == (1, True)
    assert not (place / "canary").exists()


def test_what_a_person_has_set_for_all_repositories_stays_in_force(place):
    """Their own hooks run."""
    shutil.copy(place / "program", place / "home" / "pre-commit")
    git(place, "config", "--global", "core.hooksPath", str(place / "home"))

    assert [status for status, _ in exchange(place)] == [0, 0, 0]
    assert "pre-commit" in (place / "canary").read_text()
