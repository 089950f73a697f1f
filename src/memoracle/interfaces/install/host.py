"""Putting wishes into a host's files, and taking them out again: planned whole, then copied, written down and done.

Nothing is changed unless every file can be. Two calls do what one does.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime

from memoracle.errors import ChangedUnderneath, MemoracleError
from memoracle.interfaces.install.change import Change, Installed, back_up, diff_of, remove_file, write_file
from memoracle.interfaces.install.json5 import Unclear
from memoracle.interfaces.install.manifest import Trace, digest, read_manifest, write_manifest
from memoracle.interfaces.install.putting import Put, put_in
from memoracle.interfaces.install.taking import take_out
from memoracle.interfaces.install.wants import Section, Target, Whole, Wishes, snippet
from memoracle.interfaces.render import safe
from memoracle.model.value import value


class CannotEdit(MemoracleError):
    """A file of a host that cannot be changed safely; nothing was changed."""

    code = "cannot-edit"

    def __init__(self, path: str, because: str, paste: str = "") -> None:
        self.path = path
        self.hint = "nothing was changed" + (f"; add this yourself:\n{paste}" if paste else "")
        super().__init__(f"{path} cannot be changed safely: {because}")


class HostAbsent(MemoracleError):
    """A host that keeps nothing where it should."""

    code = "host-absent"

    def __init__(self, host: str, place: str, variable: str) -> None:
        self.hint = f"{variable} names another place; `--print` shows what would be installed"
        super().__init__(f"{host} keeps nothing at {place}")


@value
class _Plan:
    target: Target
    change: Change
    put: Put
    trace: Trace | None

    @property
    def is_all_ours(self) -> bool:
        """Whether nothing of anybody else's is replaced: no file yet, or one that we made and nobody touched."""
        before, trace = self.change.before, self.trace
        return before is None or (trace is not None and trace.created and digest(before) == trace.after)


def install(
    host: str, wish: Callable[[], Wishes], *, remove: bool, dry_run: bool, folder: str, now: datetime
) -> Installed:
    """Put a host's wishes in, bring them up to date, or take out what was put in."""
    traces = read_manifest(folder, host)
    wishes = _still_wished(wish) if remove else wish()
    targets = {target.path: target for target in wishes.targets}
    if remove:
        targets |= {path: Target(path=path, wants=trace.wants) for path, trace in traces.items()}
    plans = [_planned(target, traces.get(path), remove=remove) for path, target in targets.items()]
    changes = [plan.change for plan in plans]
    notes = [note for plan in plans for note in plan.put.notes]
    if not remove:
        notes += wishes.notes
    done = Installed(what=host, done=not dry_run, diff=safe(diff_of(changes)), notes=tuple(notes))
    if dry_run:
        return done
    needed = [plan for plan in plans if plan.change.is_needed]
    copies = {plan.target.path: back_up(plan.change, folder, now) for plan in needed if not plan.is_all_ours}
    left = _traces(plans, copies, traces, remove=remove)
    if not remove:
        write_manifest(folder, host, left)  # first: what is half done can be undone
    for plan in needed:
        _apply(plan)
    if remove:
        for trace in traces.values():
            for made in reversed(trace.folders):
                with suppress(OSError):
                    os.rmdir(made)
        write_manifest(folder, host, left)
    return Installed(what=host, done=True, diff=done.diff, backups=tuple(copies.values()), notes=done.notes)


def read_text(path: str, paste: str = "") -> str | None:
    """A host's file as it stands, line ends and all; None when there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise CannotEdit(path, "it is not UTF-8", paste) from None
    except OSError as problem:
        raise CannotEdit(path, problem.strerror or "it cannot be read", paste) from None


def _still_wished(wish: Callable[[], Wishes]) -> Wishes:
    """What an installation would want today, as far as that can be known: a host may be gone."""
    try:
        return wish()
    except MemoracleError:
        return Wishes(targets=())


def _planned(target: Target, trace: Trace | None, *, remove: bool) -> _Plan:
    paste = "" if remove else snippet(target)
    text = read_text(target.path, paste)
    try:
        put = (
            take_out(text, trace or _untraced(target))
            if remove
            else put_in(text, target.wants, trace, target.path)
        )
    except Unclear as problem:
        raise CannotEdit(target.path, str(problem), paste) from None
    change = Change(name=target.path, before=text, after=put.text)
    if change.is_needed and text is not None and not os.stat(target.path).st_mode & stat.S_IWUSR:
        raise CannotEdit(target.path, "it is read-only", paste)
    return _Plan(target=target, change=change, put=put, trace=trace)


def _untraced(target: Target) -> Trace:
    """Nothing was written down: entries that call us go, and nothing else."""
    return Trace(path=target.path, created=False, before="", after="", backup="", wants=target.wants)


def _traces(
    plans: list[_Plan], copies: Mapping[str, str], traces: Mapping[str, Trace], *, remove: bool
) -> dict[str, Trace]:
    """What will have to be undone after this."""
    left = {} if remove else dict(traces)
    for plan in plans:
        path, change, old = plan.target.path, plan.change, plan.trace
        if remove or not change.is_needed:
            continue
        if old and (digest(change.before) == old.before if change.before is not None else old.created):
            old = None  # it was written down, and then not done
        is_next = old is not None and change.before is not None and digest(change.before) == old.after
        left[path] = Trace(
            path=path,
            created=old.created if old else change.before is None,
            before=(old.before if is_next else "") if old else digest(change.before or ""),
            after=digest(change.after or "") if not old or is_next else "",
            backup=old.backup if old else copies.get(path, ""),
            wants=plan.put.wants,
            made=tuple(dict.fromkeys([*(old.made if old else ()), *plan.put.made])),
            folders=(plan.trace.folders if plan.trace else ()) or _missing_folders(path),
        )
    return left


def _missing_folders(path: str) -> tuple[str, ...]:
    missing: list[str] = []
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(missing)


def _apply(plan: _Plan) -> None:
    """Write one file, unless it changed since it was read."""
    path, before, after = plan.target.path, plan.change.before, plan.change.after
    found = read_text(path)
    if found != before:
        raise ChangedUnderneath(path, expected=digest(before or ""), found=digest(found or ""))
    if after is None:
        remove_file(os.path.realpath(path))
    else:
        is_prose = any(isinstance(want, Section | Whole) for want in plan.target.wants)
        write_file(path, after, mode=0o644 if is_prose else 0o600)
