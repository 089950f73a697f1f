"""Git, as a memory needs it: ask, commit, fetch, push. The only code here that calls another program.

Words are lists, never a shell; nothing prompts, nothing is rebased or forced, and files that git writes are their
owner's alone.

A root may have come as a folder, its `.git` included, and a repository's own settings can name programs in dozens of
ways. None of them runs: hooks, monitors and helpers are turned off for every call, and a repository whose own settings
say more than the few things listed here is refused by name. A person's own settings (`~/.gitconfig`) stay in force.
"""

from __future__ import annotations

import os
import re
import subprocess
from shutil import which

from memoracle.errors import MemoracleError, Refused
from memoracle.model.value import value


class SyncProblem(MemoracleError):
    """An exchange with other machines that stopped; the sentence says what is kept."""


class NotPushed(SyncProblem):
    """Everything is committed and merged here, and the other side did not take it."""

    status = 7
    hint = "nothing is lost; repeat `memoracle sync --push`"

    def __init__(self, remote: str, because: str) -> None:
        super().__init__(f"committed here, but {remote} did not take it: {because}")


class SecretInTheWay(Refused):
    """A secret in what would be committed; nothing was."""

    hint = "take it out of the file, or name the file in .gitignore; then repeat"

    def __init__(self, places: list[str]) -> None:
        self.places = places
        more = f" and {len(places) - 5} more" if len(places) > 5 else ""
        super().__init__(f"nothing was committed: {', '.join(places[:5])}{more}")


class GitUnavailable(SyncProblem):
    """There is no git, or it does not run."""

    def __init__(self, because: str) -> None:
        super().__init__(
            f"git is needed to synchronise: {because}", "install git; everything else works without it"
        )


_PATIENCE_S = 300
_OURS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX")
_NO_HOOKS = "core.hooksPath=/dev/null"
_ALWAYS = (
    *("-c", "core.symlinks=false"),  # a link that arrives from elsewhere is a file with its words
    *("-c", "core.autocrlf=false"),
    *("-c", "core.quotepath=false"),
    *("-c", "commit.gpgsign=false"),  # a signature may ask for a password, and nobody is there to answer
    *("-c", "merge.conflictstyle=merge"),
    *("-c", "protocol.ext.allow=never"),
    *("-c", "safe.bareRepository=explicit"),  # files of a memory that look like a repository are none
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.pager=cat"),
    *("-c", "core.alternateRefsCommand="),
    *("-c", "diff.external="),
    *("-c", "diff.ignoreSubmodules=all"),
    *("-c", "submodule.recurse=false"),
    *("-c", "fetch.recurseSubmodules=false"),
    *("-c", "push.recurseSubmodules=no"),
    *("-c", "push.gpgSign=false"),
    *("-c", "merge.verifySignatures=false"),
    *("-c", "maintenance.auto=false"),
    *("-c", "gc.auto=0"),
)
_HARMLESS = re.compile(
    r"user\.(name|email|signingkey|useconfigonly)|author\..+|committer\..+|init\.defaultbranch"
    r"|core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf"
    r"|safecrlf|eol|quotepath|compression|loosecompression|bigfilethreshold|abbrev|checkstat|trustctime|fsync"
    r"|fsyncmethod|untrackedcache|sharedrepository|protecthfs|protectntfs|longpaths|hidedotfiles|commitgraph"
    r"|multipackindex|preloadindex)"
    r"|extensions\.(objectformat|compatobjectformat|refstorage|noop|preciousobjects)"
    r"|remote\..+\.(url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall|gh-resolved)"
    r"|remote\.pushdefault"
    r"|branch\..+\.(remote|merge|pushremote|rebase|description|vscode-merge-base|gh-merge-base)"
    r"|branch\.(autosetupmerge|autosetuprebase|sort)"
    r"|push\.(default|followtags|autosetupremote)|pull\.(rebase|ff)|fetch\.(prune|prunetags|parallel|writecommitgraph)"
    r"|merge\.(conflictstyle|ff|renames|renamelimit)|rerere\.enabled|gc\.(auto|autodetach|autopacklimit)"
    r"|(color|advice|index|feature|i18n)\.[^.]+(\.[^.]+)?|commit\.gpgsign|tag\.gpgsign|lfs\.repositoryformatversion"
)
"""What a repository's own settings may say: nothing of it names a program, another file, or a way there."""


@value
class GitOutput:
    """How git ended, and what it said."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """What it printed, without the line end."""
        return self.out.decode("utf-8", "replace").strip()


class Git:
    """The repository of one root."""

    def __init__(self, root: str) -> None:
        self.root = root
        found = which("git")
        if found is None:
            raise GitUnavailable("it is not installed")
        self._program = found
        self._own_hooks = os.devnull
        # Hooks that a person has for all repositories are theirs; those of one repository may be anybody's.
        self._own_hooks = (
            self.ask("config", "--global", "--path", "core.hooksPath", at="/").text or os.devnull
        )

    # Whether it may be worked with at all

    def must_be_harmless(self) -> None:
        """Refuse a repository whose own settings, or a repository inside it, could have a program run."""
        usual = os.path.join(self.root, ".git")
        if not os.path.lexists(usual):
            return
        if os.path.isdir(usual):
            self._look_into(os.path.join(usual, "config"))  # before git itself takes it to heart
        folders = self.must("rev-parse", "--git-dir", "--git-common-dir").text.split("\n")
        for folder in dict.fromkeys(os.path.join(self.root, one) for one in folders):
            for name in ("config", "config.worktree"):
                self._look_into(os.path.join(folder, name))
        for remote in self.remotes():
            for url in self.ask("remote", "get-url", "--all", "--push", "--", remote).text.split("\n"):
                if self._is_within_root(url):
                    raise SyncProblem(
                        f"the remote `{remote}` is a folder inside this memory, which could run programs of its own",
                        "name a remote that stands elsewhere",
                    )
        rows = self.must("ls-files", "--stage", "-z").out.split(b"\0")
        if inner := [
            row.partition(b"\t")[2].decode("utf-8", "replace") for row in rows if row[:6] == b"160000"
        ]:
            raise _another_repository(inner[0])

    def _look_into(self, path: str) -> None:
        """Read one file of settings by itself: what it would include is not looked up."""
        if not os.path.lexists(path):
            return
        words = ("config", "--file", path, "--no-includes", "--null", "--name-only", "--list")
        for key in self.must(*words, at="/").out.decode("utf-8", "replace").split("\0"):
            if key and not _HARMLESS.fullmatch(key.lower()):
                raise SyncProblem(
                    f"the settings of this repository say `{key}`, which may have a program run; nothing was done",
                    f"`git config --local --unset-all {key}`; what is yours belongs in `git config --global`",
                )

    def _is_within_root(self, url: str) -> bool:
        place = url.removeprefix("file://")
        if not place or "://" in place:
            return False
        there = os.path.realpath(os.path.join(self.root, place))
        return os.path.exists(there) and (there + "/").startswith(self.root + "/")

    def _without_hooks(self, remote: str, service: str, *, push: bool = False) -> tuple[str, ...]:
        """What keeps the hooks of a remote that is a folder of this machine from running."""
        words = ("remote", "get-url", *(("--push",) if push else ()), "--", remote)
        place = self.ask(*words).text.removeprefix("file://")
        if not os.path.isdir(os.path.join(self.root, place)):
            return ()
        return (f"--{service}=git -c {_NO_HOOKS} -c core.fsmonitor=false {service}",)

    # Asking

    def is_repository(self) -> bool:
        """True when the root itself is a repository's top."""
        top = self.ask("rev-parse", "--show-toplevel")
        return top.status == 0 and os.path.realpath(top.text) == self.root

    def branch(self) -> str:
        """The branch that is checked out."""
        said = self.ask("symbolic-ref", "--short", "HEAD")
        if said.status != 0:
            raise SyncProblem("no branch is checked out here", "`git switch main`, then repeat")
        return said.text

    def commit_at(self, name: str) -> str:
        """The commit a name stands for; empty when there is none."""
        said = self.ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        return said.text if said.status == 0 else ""

    def remotes(self) -> list[str]:
        """The other places this repository knows."""
        return self.ask("remote").text.split()

    def upstream_remote(self, branch: str) -> str:
        """Where the branch was set to go."""
        return self.ask("config", "--get", f"branch.{branch}.remote").text

    def changed(self) -> list[str]:
        """Every path that a commit would take, new and gone ones too."""
        rows = self.must("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all").out.split(
            b"\0"
        )
        paths = [row[3:].decode("utf-8", "surrogateescape") for row in rows if len(row) > 3]
        if inner := [path for path in paths if path.endswith("/")]:
            raise _another_repository(inner[0].rstrip("/"))
        return paths

    def tracked_between(self, old: str, new: str) -> list[str]:
        """The paths that differ between two commits, or all of the newer one."""
        words = (
            ("diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", "--no-renames", old, new)
            if old
            else ("ls-tree", "-r", "-z", "--name-only", new)
        )
        return [row.decode("utf-8", "surrogateescape") for row in self.must(*words).out.split(b"\0") if row]

    def holds(self, commit: str, path: str) -> bool:
        """True when a commit has a file of that name."""
        return self.ask("cat-file", "-e", f"{commit}:{path}").status == 0

    def file_at(self, commit: str, path: str) -> bytes:
        """A file as a commit has it; empty when it has none."""
        said = self.ask("cat-file", "blob", f"{commit}:{path}")
        return said.out if said.status == 0 else b""

    def is_within(self, older: str, newer: str) -> bool:
        """True when one commit is part of the history of the other."""
        return self.ask("merge-base", "--is-ancestor", older, newer).status == 0

    def count(self, old: str, new: str) -> int:
        """How many commits the newer one has beyond the older."""
        said = self.ask("rev-list", "--count", f"{old}..{new}" if old else new)
        return int(said.text) if said.text.isdigit() else 0

    # Doing

    def begin(self) -> None:
        """Make the root a repository."""
        self.must("init", "--quiet", "--initial-branch=main", self.root)

    def commit(self, message: str) -> bool:
        """Commit everything that changed; False when nothing did. The caller holds the root's lock."""
        self.must("add", "--all", "--", ".")
        if self.ask("diff", "--cached", "--quiet").status == 0 and not self.is_merging():
            return False
        self.must(*self.identity(), "commit", "--quiet", "--no-edit", "-m", message)
        return True

    def fetch(self, remote: str) -> GitOutput:
        """Hear what the other side has; nothing of ours changes."""
        quiet = self._without_hooks(remote, "upload-pack")
        return self.ask("fetch", "--quiet", "--no-tags", "--no-auto-gc", *quiet, "--", remote)

    def push(self, remote: str, branch: str) -> GitOutput:
        """Offer what is here; the other side may say no."""
        quiet = self._without_hooks(remote, "receive-pack", push=True)
        return self.ask("push", "--quiet", *quiet, "--", remote, f"HEAD:refs/heads/{branch}")

    def tip_of(self, remote: str, branch: str) -> str:
        """The commit the other side has, asked without changing anything; empty when it has none."""
        quiet = self._without_hooks(remote, "upload-pack")
        said = self.ask("ls-remote", *quiet, "--", remote, f"refs/heads/{branch}")
        if said.status != 0:
            raise SyncProblem(f"{remote} does not answer: {said.err}")
        return said.text.split("\t", 1)[0] if said.text else ""

    # Underneath

    def ask(self, *words: str, at: str = "") -> GitOutput:
        """Run git to its end, in the root unless a place is named; nothing is raised for what it says."""
        kept = {name: said for name, said in os.environ.items() if name not in _OURS}
        kept |= {"GIT_TERMINAL_PROMPT": "0", "GIT_MERGE_AUTOEDIT": "no", "GIT_EDITOR": "true", "LC_ALL": "C"}
        kept["SSH_ASKPASS_REQUIRE"] = "never"
        try:
            done = subprocess.run(  # noqa: S603 - an absolute path that `which` gave, and words of our own
                [self._program, *_ALWAYS, "-c", f"core.hooksPath={self._own_hooks}", *words],
                cwd=at or self.root,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE_S,
                check=False,
                env=kept,
                umask=0o077,
                start_new_session=True,  # without a terminal ssh cannot ask for a passphrase either
            )
        except subprocess.TimeoutExpired:
            return GitOutput(status=-1, out=b"", err=f"no answer within {_PATIENCE_S} s")
        except OSError as problem:
            raise GitUnavailable(str(problem)) from problem
        return GitOutput(
            status=done.returncode, out=done.stdout, err=done.stderr.decode("utf-8", "replace").strip()
        )

    def must(self, *words: str, at: str = "") -> GitOutput:
        """The same, and an error for anything but success."""
        said = self.ask(*words, at=at)
        if said.status != 0:
            act = next((word for word in words if not word.startswith("-") and "=" not in word), "git")
            raise SyncProblem(
                f"git {act} failed: {said.err or said.text}", "what was written is still in the files"
            )
        return said

    def is_merging(self) -> bool:
        """True while a merge waits to be finished."""
        return bool(self.commit_at("MERGE_HEAD"))

    def identity(self) -> tuple[str, ...]:
        """A name for commits where the person has set none."""
        if self.ask("config", "user.email").text:
            return ()
        return ("-c", "user.name=Memoracle", "-c", "user.email=memoracle@localhost")


def _another_repository(path: str) -> SyncProblem:
    return SyncProblem(
        f"{path} is a repository inside this memory, whose settings could have programs run; nothing was done",
        "move it elsewhere, or name it in `.gitignore`",
    )
