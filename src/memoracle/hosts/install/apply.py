"""Putting wishes into a host's files, and taking them out again: planned whole, then copied, written down and done.

Nothing is changed unless every file can be. Two calls do what one does. The manifest is written before anything is
done, one file per host in the person's state folder: `--uninstall` undoes exactly that. It holds our own edits and
digests, never a file of the host's.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from memoracle.errors import ChangedUnderneath, MemoracleError
from memoracle.hosts.install import config_text
from memoracle.hosts.install.config_text import Unclear
from memoracle.hosts.install.files import (
    CannotEdit,
    ConfigChange,
    back_up,
    diff_of,
    digest,
    drop_copies,
    read_text,
    remove_file,
    write_file,
)
from memoracle.hosts.install.plan import (
    NOT_OURS,
    Machine,
    PluginThere,
    Target,
    Want,
    WantKind,
    Wishes,
    is_ours,
    is_same,
    snippet,
    summary_of,
    with_ours,
    without_ours,
)
from memoracle.model.value import as_fields, replace, value

# What an installation did.


@value
class Installed:
    """What an installation did or would do: its changes as a diff, what it allows, copies, what is left to do.

    `summary` has a line for each file: what is put into it or taken out of it.
    """

    what: str
    done: bool
    diff: str
    summary: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


# The manifest.

_VERSION = 1


@value
class Trace:
    """What we did to one file: its digests before and after, where the copy is, and which containers we made."""

    path: str
    created: bool = False
    before: str = ""
    """Empty when the file was not there, or when the way back byte for byte is gone."""
    after: str = ""
    backup: str = ""
    wants: tuple[Want, ...]
    made: tuple[tuple[str, ...], ...] = ()
    folders: tuple[str, ...] = ()
    """Folders that were not there before, the outermost first."""


def manifest_path(folder: str, host: str) -> str:
    """Where it is kept."""
    return os.path.join(folder, "installed", f"{host}.json")


def read_manifest(folder: str, host: str) -> dict[str, Trace]:
    """What was done to a host's files, by path; nothing when that is not known."""
    try:
        with open(manifest_path(folder, host), encoding="utf-8") as file:
            files = json.load(file)["files"]
        return {one["path"]: _trace(one) for one in files}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def write_manifest(folder: str, host: str, traces: Mapping[str, Trace]) -> None:
    """Write it down, or take it away when there is nothing left to undo."""
    path = manifest_path(folder, host)
    if not traces:
        remove_file(path)
        return
    files = [
        as_fields(trace) | {"wants": [_plain(want) for want in trace.wants]} for trace in traces.values()
    ]
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    document = {"version": _VERSION, "host": host, "files": files}
    write_file(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def _plain(want: Want) -> dict[str, Any]:
    placed = {"path": want.path, "value": want.value} if want.path else {"text": want.value}
    return {"kind": want.kind.value, **placed}


def _trace(one: dict[str, Any]) -> Trace:
    wants = tuple(
        Want(
            kind=WantKind(want["kind"]),
            path=tuple(want.get("path", ())),
            value=want["value"] if "path" in want else want["text"],
        )
        for want in one["wants"]
    )
    kept = {key: one[key] for key in ("path", "created", "before", "after", "backup")}
    made = tuple(tuple(path) for path in one["made"])
    return Trace(**kept, wants=wants, made=made, folders=tuple(one["folders"]))


# A host's file with what we want in it, and without it. Pure but for reading the copy that was kept.


@value
class _ConfigPut:
    """The text as it should be, the wants that are in it, containers that had to be made, and what is to be said."""

    text: str | None
    wants: tuple[Want, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()


def put_in(text: str | None, wants: Sequence[Want], trace: Trace | None, path: str) -> _ConfigPut:
    """The file with every want in it; raises `Unclear` for a file that cannot be changed safely."""
    first = wants[0]
    if first.kind is WantKind.SECTION:
        if text is not None and config_text.is_edited(text):
            return _ConfigPut(text=text, notes=(f"the section in {path} was changed by hand and stays",))
        return _ConfigPut(text=config_text.put_section(text or "", first.value), wants=(first,))
    if first.kind is WantKind.WHOLE:
        if text in {None, first.value} or (trace and digest(text or "") == trace.after):
            return _ConfigPut(text=first.value, wants=(first,))
        return _ConfigPut(text=text, notes=(f"{path} is not ours, or was changed by hand, and stays",))
    if first.kind is not WantKind.TABLE and not (text or "").strip("\ufeff \t\r\n"):
        text = "{}\n"
    text = text or ""
    made: list[tuple[str, ...]] = []
    notes: list[str] = []
    kept: list[Want] = []
    for old in trace.wants if trace else ():
        # A plain name says nothing of whose it is: only what we wrote down tells that it was for another root.
        if old.kind is WantKind.ITEM and isinstance(old.value, str) and old not in wants:
            text = _take_items(text, old, is_name=True)
        elif old.kind is WantKind.MEMBER and all(old.path != want.path for want in wants):
            found = config_text.find(text, old.path)  # what an earlier edition put there
            text = config_text.take(text, old.path) if found and is_ours(found.value, old) else text
    for want in wants:
        put = _put(text, want)
        if put is None:
            notes.append(f"`{'.'.join(want.path)}` in {path} {NOT_OURS}")
            continue
        if want.kind is not WantKind.TABLE:
            # The containers that it needed and that were not there.
            paths = [want.path[:size] for size in range(1, len(want.path) + (want.kind is WantKind.ITEM))]
            made += [one for one in paths if one not in made and config_text.find(text, one) is None]
        text = put
        kept.append(want)
    return _ConfigPut(text=text, wants=tuple(kept), made=tuple(made), notes=tuple(notes))


def _put(text: str, want: Want) -> str | None:
    """The text with one want; None when somebody else's stands in its place."""
    if want.kind is WantKind.TABLE:
        table = config_text.at(config_text.parsed(text), want.path)
        if table is None or (is_ours(table, want) and not is_same(table, want)):
            return config_text.put_toml_text(text, want.path, {**(table or {}), **want.value})
        return text if is_ours(table, want) else None
    found = config_text.find(text, want.path)
    if want.kind is WantKind.ITEM:
        if found is not None and not found.is_array:
            raise Unclear(f"`{'.'.join(want.path)}` is no list")
        ours = [at for at, item in enumerate(found.value) if is_ours(item, want)] if found else []
        if not ours or found is None:
            return config_text.append(text, want.path, want.value)
        text = _take_at(text, want, reversed(ours[1:]), found.value)
        first = found.value[ours[0]]
        if is_same(first, want):
            return text
        return config_text.put(text, want.path, with_ours(first, want), ours[0])
    if found is None:
        return config_text.put(text, want.path, want.value)
    if not is_ours(found.value, want):
        return None
    if not isinstance(want.value, Mapping):
        return text
    return config_text.merge(text, want.path, found.value, want.value)


def take_out(text: str | None, trace: Trace) -> _ConfigPut:
    """The file as it should be once we are gone; raises `Unclear`."""
    if text is None or not text.strip("\ufeff \t\r\n"):
        return _ConfigPut(text=text)
    if trace.after and digest(text) == trace.after:
        before = None if trace.created else _copy(trace)
        if trace.created or before is not None:
            return _ConfigPut(text=before)
    return _without(text, trace)


def _without(text: str, trace: Trace) -> _ConfigPut:
    notes: list[str] = []
    for want in reversed(trace.wants):
        if want.kind is WantKind.WHOLE:
            if text == want.value:
                return _ConfigPut(text=None)
            return _ConfigPut(text=text, notes=(f"{trace.path} was changed by hand and stays",))
        if want.kind is WantKind.SECTION and config_text.is_edited(text):
            notes.append(f"the section in {trace.path} was changed by hand and stays")
        elif want.kind is WantKind.SECTION:
            text = config_text.take_section(text)
        elif want.kind is WantKind.TABLE:
            table = config_text.at(config_text.parsed(text), want.path)
            is_there = table is not None and is_ours(table, want)
            text = config_text.take_toml_text(text, want.path) if is_there else text
        elif want.kind is WantKind.ITEM:
            text = _take_items(text, want)
        elif (found := config_text.find(text, want.path)) and is_ours(found.value, want):
            text = config_text.take(text, want.path)
        elif found:
            notes.append(f"`{'.'.join(want.path)}` in {trace.path} is no longer ours and stays")
    is_empty = not text.strip("\ufeff \t\r\n")
    if any(want.kind in {WantKind.ITEM, WantKind.MEMBER} for want in trace.wants):
        for path in sorted(trace.made, key=len, reverse=True):
            node = config_text.find(text, path)
            if node is not None and node.value in ({}, []):
                text = config_text.take(text, path)
        is_empty = config_text.read(text).value == {}
    return _ConfigPut(text=None if trace.created and is_empty else text, notes=tuple(notes))


def _take_items(text: str, want: Want, *, is_name: bool = False) -> str:
    """The text without our items of a list, or without one that is just a name."""
    found = config_text.find(text, want.path)
    if found is None or not found.is_array:
        return text
    ours = [at for at, item in enumerate(found.value) if is_ours(item, want)]
    return _take_at(text, want, reversed(ours[:1] if is_name else ours), found.value)


def _take_at(text: str, want: Want, places: Iterable[int], items: Sequence[Any]) -> str:
    for at in places:
        left = without_ours(items[at])
        text = config_text.put(text, want.path, left, at) if left else config_text.take(text, want.path, at)
    return text


def _copy(trace: Trace) -> str | None:
    """What was there before, when its copy is still whole."""
    if not trace.before or not os.path.isfile(trace.backup):
        return None
    with open(trace.backup, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    return text if digest(text) == trace.before else None


# The installation of one host.


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
    host: str, wish: Callable[[], Wishes], machine: Machine, *, remove: bool, dry_run: bool
) -> Installed:
    """Put a host's wishes in, bring them up to date, or take out what was put in."""
    from memoracle.guard.secrets import mask

    folder = machine.backups
    traces = read_manifest(folder, host)
    try:
        wishes = wish()
    except MemoracleError:
        if not remove:
            raise
        wishes = Wishes(targets=())  # the host may be gone
    if wishes.plugin and not remove:
        raise PluginThere(host, wishes.plugin)
    targets = {target.path: target for target in wishes.targets}
    if remove:
        targets |= {path: Target(path=path, wants=trace.wants) for path, trace in traces.items()}
    plans = [_planned(target, traces.get(path), remove=remove) for path, target in targets.items()]
    diff = diff_of([plan.change for plan in plans])
    done = Installed(
        what=host,
        done=not dry_run,
        diff=mask(diff, lambda: b"only for this sentence").text,
        summary=tuple(
            summary_of(plan.target, plan.change.before, plan.change.after, remove=remove)
            for plan in plans
            if plan.change.is_needed
        ),
        grants=() if remove or not diff else wishes.grants,
        notes=(*(note for plan in plans for note in plan.put.notes), *(() if remove else wishes.notes)),
    )
    if dry_run:
        return done
    needed = [plan for plan in plans if plan.change.is_needed]
    copies = {
        plan.target.path: back_up(plan.change, folder, machine.now) for plan in needed if not plan.is_all_ours
    }
    if not remove:
        left = dict(traces)
        left |= {plan.target.path: _traced(plan, copies.get(plan.target.path, "")) for plan in needed}
        write_manifest(folder, host, left)  # first: what is half done can be undone
    for plan in needed:
        _apply(plan)
    if remove:
        for trace in traces.values():
            for made in reversed(trace.folders):
                with suppress(OSError):
                    os.rmdir(made)
        write_manifest(folder, host, {})
        kept = [path for plan in needed for path in _outlived(plan, folder)]
        copies = {path: place for path, place in copies.items() if os.path.exists(place)}
        done = replace(done, notes=(*done.notes, *(f"how it was before is kept in {path}" for path in kept)))
    return replace(done, backups=tuple(copies.values()))


def _outlived(plan: _Plan, folder: str) -> list[str]:
    """Take away the copies of a file that is again what it was; of one that others changed since, they are named."""
    trace, change = plan.trace, plan.change
    if trace is None or not trace.before:
        return []
    if digest(change.after or "") != trace.before:
        return [trace.backup] if os.path.exists(trace.backup) else []
    drop_copies(change.name, folder, {trace.before, trace.after, digest(change.before or "")})
    return []


def _planned(target: Target, trace: Trace | None, *, remove: bool) -> _Plan:
    paste = "" if remove else snippet(target)
    text = read_text(target.path, paste)
    try:
        if remove:
            # Where nothing was written down, entries that call us go, and nothing else.
            put = take_out(text, trace or Trace(path=target.path, wants=target.wants))
        else:
            put = put_in(text, target.wants, trace, target.path)
    except Unclear as problem:
        raise CannotEdit(target.path, str(problem), paste) from None
    change = ConfigChange(name=target.path, before=text, after=put.text)
    if change.is_needed and text is not None and not os.stat(target.path).st_mode & stat.S_IWUSR:
        raise CannotEdit(target.path, "it is read-only", paste)
    return _Plan(target=target, change=change, put=put, trace=trace)


def _traced(plan: _Plan, copy: str) -> Trace:
    """What will have to be undone after this."""
    path, change, old = plan.target.path, plan.change, plan.trace
    if old and (digest(change.before) == old.before if change.before is not None else old.created):
        old = None  # it was written down, and then not done
    is_next = old is not None and change.before is not None and digest(change.before) == old.after
    missing: list[str] = []
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return Trace(
        path=path,
        created=old.created if old else change.before is None,
        before=(old.before if is_next else "") if old else digest(change.before or ""),
        after=digest(change.after or "") if not old or is_next else "",
        backup=old.backup if old else copy,
        wants=plan.put.wants,
        made=tuple(dict.fromkeys([*(old.made if old else ()), *plan.put.made])),
        folders=(plan.trace.folders if plan.trace else ()) or tuple(missing),
    )


def _apply(plan: _Plan) -> None:
    """Write one file, unless it changed since it was read."""
    path, before, after = plan.target.path, plan.change.before, plan.change.after
    found = read_text(path)
    if found != before:
        raise ChangedUnderneath(path, expected=digest(before or ""), found=digest(found or ""))
    if after is None:
        remove_file(os.path.realpath(path))
    else:
        is_prose = any(not want.path for want in plan.target.wants)
        write_file(path, after, mode=0o644 if is_prose else 0o600)
