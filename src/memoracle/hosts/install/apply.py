"""Putting wishes into a host's files, and taking them out again: planned whole, then copied, written down and done.

Nothing is changed unless every file can be. Two calls do what one does.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from memoracle.errors import ChangedUnderneath, MemoracleError
from memoracle.guard.secrets import mask
from memoracle.hosts.install import config_text
from memoracle.hosts.install import plan as marked
from memoracle.hosts.install.config_text import Unclear
from memoracle.hosts.install.plan import (
    ConfigChange,
    ConfigItem,
    ConfigMember,
    ConfigSection,
    Installed,
    Table,
    Target,
    Trace,
    Want,
    Whole,
    Wishes,
    back_up,
    diff_of,
    digest,
    is_ours,
    is_same,
    read_manifest,
    remove_file,
    snippet,
    write_file,
    write_manifest,
)
from memoracle.model.value import value

# A host's file with what we want in it. Pure: a text goes in, a text comes out.


@value
class _ConfigPut:
    """The text as it should be, the wants that are in it, containers that had to be made, and what is to be said."""

    text: str | None
    wants: tuple[Want, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()


def put_in(text: str | None, wants: Sequence[Want], trace: Trace | None, path: str) -> _ConfigPut:
    """The file with every want in it; raises `Unclear` for a file that cannot be changed safely."""
    if any(isinstance(want, ConfigMember | ConfigItem) for want in wants):
        return _put_json(
            "{}\n" if text is None or not text.strip("\ufeff \t\r\n") else text, wants, trace, path
        )
    (want,) = wants
    if isinstance(want, Table):
        return _put_table(text or "", want, path)
    if isinstance(want, ConfigSection):
        if text is not None and marked.is_edited(text):
            return _ConfigPut(text=text, notes=(f"the section in {path} was changed by hand and stays",))
        return _ConfigPut(text=marked.put(text or "", want.text), wants=(want,))
    if isinstance(want, Whole) and (
        text in {None, want.text} or (trace and digest(text or "") == trace.after)
    ):
        return _ConfigPut(text=want.text, wants=(want,))
    return _ConfigPut(text=text, notes=(f"{path} is not ours, or was changed by hand, and stays",))


def _put_json(text: str, wants: Sequence[Want], trace: Trace | None, path: str) -> _ConfigPut:
    made: list[tuple[str, ...]] = []
    notes: list[str] = []
    kept: list[Want] = []
    for old in trace.wants if trace else ():
        # A plain name says nothing of whose it is: only what we wrote down tells that it was for another root.
        if isinstance(old, ConfigItem) and isinstance(old.value, str) and old not in wants:
            text = _take_equal(text, old)
    for want in wants:
        if not isinstance(want, ConfigMember | ConfigItem):
            raise Unclear("two kinds of file in one")
        made += [path for path in _missing(text, want) if path not in made]
        if isinstance(want, ConfigItem):
            text = _put_item(text, want)
            kept.append(want)
        else:
            found = config_text.find(text, want.path)
            if found is not None and not is_ours(found.value, want):
                notes.append(f"`{'.'.join(want.path)}` in {path} is not ours and stays")
                continue
            text = _put_member(text, want)
            kept.append(want)
    return _ConfigPut(text=text, wants=tuple(kept), made=tuple(made), notes=tuple(notes))


def _put_member(text: str, want: ConfigMember) -> str:
    found = config_text.find(text, want.path)
    if found is None:
        return config_text.put(text, want.path, want.value)
    for key, item in want.value.items() if found.is_object else ():
        if found.value.get(key) != item:
            text = config_text.put(text, (*want.path, key), item)
    return text


def _put_item(text: str, want: ConfigItem) -> str:
    found = config_text.find(text, want.path)
    if found is not None and not found.is_array:
        raise Unclear(f"`{'.'.join(want.path)}` is no list")
    ours = [at for at, item in enumerate(found.value) if is_ours(item, want)] if found else []
    if not ours or found is None:
        return config_text.append(text, want.path, want.value)
    for at in reversed(ours[1:]):
        text = config_text.take(text, want.path, at)
    if is_same(found.value[ours[0]], want):
        return text
    return config_text.swap(text, want.path, ours[0], want.value)


def _take_equal(text: str, want: ConfigItem) -> str:
    found = config_text.find(text, want.path)
    if found is None or not found.is_array or want.value not in found.value:
        return text
    return config_text.take(text, want.path, found.value.index(want.value))


def _missing(text: str, want: ConfigMember | ConfigItem) -> list[tuple[str, ...]]:
    """The containers that a want needs and that are not there."""
    paths = [want.path[:size] for size in range(1, len(want.path) + isinstance(want, ConfigItem))]
    return [path for path in paths if config_text.find(text, path) is None]


def _put_table(text: str, want: Table, path: str) -> _ConfigPut:
    found = config_text.at(config_text.parsed(text), want.path)
    if found is not None and not is_ours(found, want):
        return _ConfigPut(text=text, notes=(f"`{'.'.join(want.path)}` in {path} is not ours and stays",))
    if found is not None and is_same(found, want):
        return _ConfigPut(text=text, wants=(want,))
    return _ConfigPut(
        text=config_text.put_toml_text(text, want.path, {**(found or {}), **want.value}), wants=(want,)
    )


# A host's file without what we put into it. Pure but for reading the copy that was kept.


def take_out(text: str | None, trace: Trace) -> _ConfigPut:
    """The file as it should be once we are gone; raises `Unclear`."""
    if text is None:
        return _ConfigPut(text=None)
    if trace.after and digest(text) == trace.after:
        if trace.created:
            return _ConfigPut(text=None)
        before = _copy(trace)
        if before is not None:
            return _ConfigPut(text=before)
    left, notes = _without(text, trace)
    return _ConfigPut(text=left, notes=tuple(notes))


def _without(text: str, trace: Trace) -> tuple[str | None, list[str]]:
    notes: list[str] = []
    is_json = False
    for want in reversed(trace.wants):
        if isinstance(want, Whole):
            if text == want.text:
                return None, []
            return text, [f"{trace.path} was changed by hand and stays"]
        if isinstance(want, ConfigSection):
            if marked.is_edited(text):
                notes.append(f"the section in {trace.path} was changed by hand and stays")
            else:
                text = marked.take(text)
        elif isinstance(want, Table):
            found = config_text.at(config_text.parsed(text), want.path)
            text = (
                config_text.take_toml_text(text, want.path)
                if found is not None and is_ours(found, want)
                else text
            )
        else:
            is_json = True
            text = (
                _take_item(text, want)
                if isinstance(want, ConfigItem)
                else _take_member(text, want, trace, notes)
            )
    if is_json:
        for path in sorted(trace.made, key=len, reverse=True):
            left = config_text.find(text, path)
            if left is not None and left.value in ({}, []):
                text = config_text.take(text, path)
    if trace.created and (config_text.read(text).value == {} if is_json else not text.strip("\ufeff \t\r\n")):
        return None, notes
    return text, notes


def _take_member(text: str, want: ConfigMember, trace: Trace, notes: list[str]) -> str:
    found = config_text.find(text, want.path)
    if found is None:
        return text
    if not is_ours(found.value, want):
        notes.append(f"`{'.'.join(want.path)}` in {trace.path} is no longer ours and stays")
        return text
    return config_text.take(text, want.path)


def _take_item(text: str, want: ConfigItem) -> str:
    found = config_text.find(text, want.path)
    if found is None or not found.is_array:
        return text
    for at in reversed([at for at, item in enumerate(found.value) if is_ours(item, want)]):
        text = config_text.take(text, want.path, at)
    return text


def _copy(trace: Trace) -> str | None:
    """What was there before, when its copy is still whole."""
    if not trace.before or not os.path.isfile(trace.backup):
        return None
    with open(trace.backup, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    return text if digest(text) == trace.before else None


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
    change: ConfigChange
    put: _ConfigPut
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
    done = Installed(
        what=host,
        done=not dry_run,
        diff=mask(diff_of(changes), lambda: b"only for this sentence").text,
        notes=tuple(notes),
    )
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
    change = ConfigChange(name=target.path, before=text, after=put.text)
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
        is_prose = any(isinstance(want, ConfigSection | Whole) for want in plan.target.wants)
        write_file(path, after, mode=0o644 if is_prose else 0o600)
