"""Exchange with other machines through git: commit what changed, merge what others wrote, push only when asked.

Secrets are looked for first, and one of them stops everything before anything is committed. Commits and merges
happen under the root's lock. After a merge every line of both sides has to stand somewhere, what a merge tore is
set aside, and what was erased is erased again.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError
from memoracle.extensions.sync.gitmerge import Merged, lines_lost, merge
from memoracle.extensions.sync.gitsync import Git, NotPushed, SecretInTheWay, SyncProblem
from memoracle.model.event import Event
from memoracle.model.manifest import Role
from memoracle.model.report import Done, Exchanged, Finding, Report, Severity, Step
from memoracle.model.value import replace
from memoracle.store import roots as birth
from memoracle.store import sealed
from memoracle.store.erase import erased_ids
from memoracle.store.line import readable
from memoracle.store.store import Store
from memoracle.upkeep.clear_secrets import secrets_in
from memoracle.upkeep.maintenance import check
from memoracle.upkeep.repair import plan_repair, repair

if TYPE_CHECKING:
    from collections.abc import Callable

    from memoracle.guard.guard import PolicyGuard
    from memoracle.model.record import Change
    from memoracle.root import Root


# What must not be committed: secrets in the files of a root, by place and type, never by value.


def must_be_clean(store: Store, guard: PolicyGuard, paths: Sequence[str]) -> None:
    """Stop when one of these files holds a secret, or what its owner blocked; or when nobody can know."""
    guard.must_be_ready()
    if places := [place for path in paths for place in secrets_in(store, guard, path)]:
        raise SecretInTheWay(places)


_TRIES = 4
_TORN = frozenset(
    {"conflict-marker", "torn-line", "broken-line", "nul-line", "erased-content", "byte-order-mark", "crlf"}
)
_MESSAGE = "memoracle: what was kept"
_MERGE = "memoracle: merge what others kept"
_TIDY = "memoracle: tidy after a merge"


class Syncing:
    """One root and the others like it."""

    def __init__(
        self,
        store: Store,
        *,
        guard: PolicyGuard,
        check: Callable[[], Report],
        forget: Callable[[Sequence[str]], None],
        change: Callable[[], Change],
    ) -> None:
        self._store = store
        self._guard = guard
        self._check = check
        self._forget = forget
        self._change = change

    def plan(self, remote: str = "", *, push: bool = False, init: bool = False) -> Exchanged:
        """What `run` would do; nothing is changed, the other side is only asked."""
        git = self._opened(init=False, may_be_new=init)
        if git is None:
            step = Step(act="init", target=self._store.root, because="it is no repository yet")
            return Exchanged(branch="main", dry_run=True, converged=False, steps=(step,))
        branch, paths = git.branch(), git.changed()
        must_be_clean(self._store, self._guard, paths)
        where = _remote_of(git, remote, branch)
        steps = [Step(act="commit", target=path, because="it changed") for path in paths]
        tip = git.tip_of(where, branch) if where else ""
        behind = bool(tip) and not (git.commit_at(tip) and git.is_within(tip, "HEAD"))
        if behind:
            steps.append(
                Step(act="merge", target=f"{where}/{branch}", because=f"{tip[:12]} is not in here yet")
            )
        ahead = git.count(tip if tip and not behind else "", "HEAD") if git.commit_at("HEAD") else 0
        if push and where and (paths or behind or ahead):
            steps.append(Step(act="push", target=f"{where}/{branch}", because="it was asked for"))
        return Exchanged(
            branch=branch,
            remote=where,
            dry_run=True,
            ahead=ahead,
            converged=not steps,
            steps=tuple(steps),
        )

    def run(self, remote: str = "", *, push: bool = False, init: bool = False) -> Exchanged:
        """Commit, merge, and push if asked."""
        git = self._opened(init=init)
        assert git is not None, "it was opened or made"
        branch = git.branch()
        where = _remote_of(git, remote, branch)
        committed = self._commit(git, _MESSAGE)
        done = Exchanged(branch=branch, remote=where, committed=committed)
        for _ in range(_TRIES):
            if where:
                done = self._take(git, done)
            tip = git.commit_at(_ref(where, branch)) if where else ""
            done = replace(done, ahead=git.count(tip, "HEAD") if where else 0)
            if not (push and where) or not done.ahead:
                break
            must_be_clean(self._store, self._guard, git.tracked_between(tip, "HEAD"))
            said = git.push(where, branch)
            if said.status == 0:
                return replace(done, pushed=True, ahead=0)
            if not _was_overtaken(said.err):
                raise NotPushed(where, said.err)
        else:
            raise NotPushed(where, "others were faster every time")
        return done

    # Steps

    def _opened(self, *, init: bool, may_be_new: bool = False) -> Git | None:
        git = Git(self._store.root)
        git.must_be_harmless()
        if git.is_repository():
            if git.is_merging():
                raise SyncProblem(
                    "a merge is under way here", "finish it with git, or `git merge --abort`; then repeat"
                )
            if init:
                self._make_ready()
            return git
        if may_be_new:
            return None
        if not init:
            raise SyncProblem(
                "this memory is no git repository of its own", "`memoracle sync --init` makes it one"
            )
        self._make_ready()
        git.begin()
        return git

    def _make_ready(self) -> None:
        """The attributes and the ignores that a merge by lines needs; what the owner wrote there stays."""
        birth.create_root(self._store.root, self._store.layout_name)
        birth.add_for_git(self._store.root, self._store.layout_name)

    def _commit(self, git: Git, message: str) -> int:
        with self._store.writing():
            paths = git.changed()
            if not paths:
                return 0
            must_be_clean(self._store, self._guard, paths)
            self._tell(paths)
            return len(paths) if git.commit(message) else 0

    def _take(self, git: Git, done: Exchanged) -> Exchanged:
        """Merge what the other side has, and look at what came of it."""
        said = git.fetch(done.remote)
        if said.status != 0:
            kept = f"{done.committed} changed files are committed here; nothing was merged"
            raise SyncProblem(f"{done.remote} does not answer: {said.err}", kept)
        theirs = git.commit_at(_ref(done.remote, done.branch))
        ours = git.commit_at("HEAD")
        if not theirs or git.is_within(theirs, ours):
            return done
        self._must_be_kin(git, theirs, done.remote)
        news = git.count(ours, theirs)
        settled, more = self._merge(git, theirs)
        steps, findings = self._mend(git, ours, theirs)
        tidied = self._commit(git, _TIDY)
        steps = [*(Step(act="keep both", target=one.path, because=one.how) for one in settled), *steps]
        return replace(
            done,
            committed=done.committed + more + tidied,
            merged=done.merged + news,
            converged=git.is_within(theirs, "HEAD")
            and not any(one.severity is Severity.ERROR for one in findings),
            steps=(*done.steps, *steps),
            findings=(*done.findings, *findings),
        )

    def _tell(self, paths: Sequence[str]) -> None:
        """Have it in the audit trail, and in the same commit; the trail alone is no news to tell of."""
        trail = {self._store.layout["events"]}
        if news := [path for path in paths if path not in trail]:
            event = Event(act="sync", at=self._store.now(), facts={"files": len(news)})
            self._store.audit.log(event)

    def _merge(self, git: Git, theirs: str) -> tuple[list[Merged], int]:
        """Commit what was written meanwhile and merge, in one breath."""
        with self._store.writing():
            paths = git.changed()
            must_be_clean(self._store, self._guard, paths)
            more = len(paths) if paths and git.commit(_MESSAGE) else 0
            return merge(git, theirs, _MERGE), more

    def _mend(self, git: Git, ours: str, theirs: str) -> tuple[list[Step], list[Finding]]:
        steps = self._bring_back(git, (ours, theirs))
        report = self._check()
        torn = replace(report, findings=tuple(one for one in report.findings if one.code in _TORN))
        if plan := plan_repair(torn, adopt=False):
            with self._store.writing():
                repair(self._store, plan, change=self._change())
            if erased := [step.target for step in plan.steps if step.act == "erase"]:
                self._forget(erased)
            steps += plan.steps
            report = self._check()
        return steps, [one for one in report.findings if one.severity is not Severity.INFO]

    def _bring_back(self, git: Git, sides: Sequence[str]) -> list[Step]:
        """Record lines of either side that the merge left nowhere are appended again."""
        with self._store.writing():
            self._store.audit.put_in_order()
            files = self._store.journal.files()
            merged = [self._store.volume.read(path) for path in files]
            gone = erased_ids(self._store)
            steps = []
            for path in files:
                place = self._store.place(path)
                before = [sealed.opened(place, git.file_at(side, path), is_whole=False) for side in sides]
                lost = [line for line in lines_lost(before, merged) if _is_wanted(line, gone)]
                if lost:
                    self._store.volume.append({path: b"".join(line + b"\n" for line in lost)})
                    because = f"{len(lost)} lines of the two sides stood nowhere after the merge"
                    steps.append(Step(act="bring back", target=path, because=because))
        return steps

    def _must_be_kin(self, git: Git, theirs: str, remote: str) -> None:
        """Another memory, in the same layout; anything else is not merged into this one."""
        try:
            layout = tomllib.loads(git.file_at(theirs, "memoracle.toml").decode()).get("layout", "native")
        except (ValueError, UnicodeDecodeError):
            layout = self._store.layout_name
        if not git.holds(theirs, "memoracle.toml"):
            raise SyncProblem(
                f"what {remote} holds is no memory; nothing was merged", "name another with --remote"
            )
        if layout != self._store.layout_name:
            raise SyncProblem(
                f"{remote} has the layout {layout}, this memory {self._store.layout_name}; nothing was merged",
                "`memoracle export` and `memoracle import` carry memories between layouts",
            )


def _remote_of(git: Git, named: str, branch: str) -> str:
    """The other side: the named one, where the branch was set to go, `origin`, or the only one there is."""
    known = git.remotes()
    if named:
        if named not in known:
            raise SyncProblem(
                f"no remote is called `{named}`", f"known: {', '.join(known) or 'none'}; `git remote add`"
            )
        return named
    chosen = git.upstream_remote(branch)
    if chosen in known:
        return chosen
    return "origin" if "origin" in known else known[0] if len(known) == 1 else ""


def _ref(remote: str, branch: str) -> str:
    return f"refs/remotes/{remote}/{branch}"


def _was_overtaken(said: str) -> bool:
    return any(word in said for word in ("non-fast-forward", "fetch first", "stale info", "cannot lock ref"))


def _is_wanted(line: bytes, gone: frozenset[str]) -> bool:
    """True for a line that holds a record which was not erased."""
    return any(record.id not in gone or record.status == "forgotten" for _, record in readable(line))


def sync(
    root: Root, *, remote: str = "", push: bool = False, init: bool = False, dry_run: bool = False
) -> Exchanged:
    """Commit what changed, merge what others wrote, and push only when asked."""
    syncing = Syncing(
        root.store,
        guard=root.guard,
        check=partial(check, root),
        forget=root.view.forget,
        change=lambda: root.change("sync"),
    )
    if dry_run:
        return syncing.plan(remote, push=push, init=init)
    done = syncing.run(remote, push=push, init=init)
    if done.merged:
        root.view.catch_up()
    return done


_UPKEEP = "memoracle: upkeep"


def commit_changes(root: Root, *, dry_run: bool = False) -> Done:
    """Commit the memory's own files where its directory is a repository and its owner set `commit`; else say so.

    Nothing is pushed, nothing else that is staged is taken along, and a file that holds a secret is left out.
    """
    store = root.store
    if not os.path.lexists(os.path.join(store.root, ".git")):
        return Done()
    try:
        git = Git(store.root)
        git.must_be_harmless()
        if not git.is_repository() or git.is_merging():
            return Done()
        own = {state.path for state in store.manifest() if state.role in {Role.NOTE, Role.RECORDS}}
        folders = {os.path.dirname(path) for path in own if path.endswith(".md")} - {""}
        paths = [path for path in git.changed() if path in own or _is_gone_note(store, path, folders)]
        return _committed(root, git, paths, dry_run=dry_run)
    except MemoracleError as problem:
        return Done(findings=(_uncommitted(".git", str(problem), problem.hint),))


def _is_gone_note(store: Store, path: str, folders: Collection[str]) -> bool:
    return path.endswith(".md") and os.path.dirname(path) in folders and not store.volume.has(path)


def _committed(root: Root, git: Git, paths: Sequence[str], *, dry_run: bool) -> Done:
    if not paths:
        return Done()
    if root.settings.commit != "upkeep":
        says = f"{paths[0]}{f' and {len(paths) - 1} more' if paths[1:] else ''} changed since the last commit"
        return Done(findings=(_uncommitted(paths[0], says, 'commit it, or set `commit = "upkeep"`'),))
    root.guard.must_be_ready()
    clean = [path for path in paths if not any(secrets_in(root.store, root.guard, path))]
    told = tuple(
        _uncommitted(path, "it was not committed: it holds a secret", "take the secret out")
        for path in paths
        if path not in clean
    )
    if clean and not dry_run:
        with root.store.writing():
            git.must("add", "--all", "--", *clean)
            git.must(*git.identity(), "commit", "--quiet", "-m", _UPKEEP, "--", *clean)
    steps = (Step(act="commit", target=".git", because=f"{len(clean)} files changed"),) if clean else ()
    return Done(steps=steps, findings=told)


def _uncommitted(path: str, says: str, hint: str | None) -> Finding:
    return Finding(code="not-committed", severity=Severity.WARNING, path=path, message=says, hint=hint)
