"""`memoracle setup` and `doctor`: what is on this machine, a screen of what would be done, a question each, a trial.

Everything is asked before anything is done. What is stopped while it is put in is taken back: entries to the byte, and
a memory that was made for it. Conversations are read when that is done: what was read of them stays.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, Declined, MemoracleError, NeedsConsent
from memoracle.hosts.install.mcp_clients import CLIENTS
from memoracle.hosts.known_hosts import HOSTS, OPENCLAW
from memoracle.interfaces.cli.connect import carry_out, install, this_machine
from memoracle.interfaces.cli.keep import make_memory
from memoracle.interfaces.cli.session import DONE, FAILED, Parser, Session
from memoracle.interfaces.render import plain
from memoracle.model.value import replace, value
from memoracle.resolve import FILE

if TYPE_CHECKING:
    from memoracle.hosts.install.apply import Installed
    from memoracle.hosts.install.plan import ConfigEntry, Machine
    from memoracle.hosts.install.selftest import Diagnosis

_NEW, _CURRENT, _PLUGIN, _STUCK = "new", "current", "plugin", "stuck"
_NEXT = (
    "next: `memoracle install systemd` or `cron` has it tended; `memoracle doctor` tries all of this again; "
    "`memoracle install HOST --uninstall` takes it out"
)
_KNOWN = ", ".join(dict.fromkeys((*HOSTS, *CLIENTS)))


def _must_be_hosts(names: Sequence[str]) -> None:
    for name in names:
        if name not in HOSTS and name not in CLIENTS:
            raise BadInput(f"`{name}` is no host", f"there are: {_KNOWN}")


def _here(session: Session, *, is_needed: bool) -> tuple[Machine, ConfigEntry]:
    """This machine and what its hosts call; what `install openclaw` was asked for stays asked for."""
    from memoracle.hosts.install.apply import read_manifest

    machine, entry = this_machine(session.root, is_needed=is_needed)
    traces = read_manifest(machine.backups, OPENCLAW.name).values()
    ends = {want.path[-1] for trace in traces for want in trace.wants if want.path}
    return machine, replace(entry, searches="extraPaths" in ends, slot="memory" in ends)


@value
class _HostPlan:
    """One host that was found: what would be put into it, and which of its conversations would be read.

    `state` is `new` where there is something to put in, `current`, `plugin`, or `stuck` with a `problem`.
    """

    host: str
    state: str
    change: Installed | None = None
    problem: str = ""
    alias: str = ""
    """What `ingest` calls it."""
    chats: int = 0
    folders: tuple[str, ...] = ()

    @property
    def is_work(self) -> bool:
        """Whether there is something to ask for."""
        return self.state == _NEW or bool(self.chats)


@value
class _SetupPlan:
    """What `setup` would do: the memory, the hosts, and notes that it found and leaves alone."""

    root: str
    is_new: bool
    hosts: tuple[_HostPlan, ...]
    notes: tuple[str, ...]


def plan_setup(
    entry: ConfigEntry, machine: Machine, session: Session, names: Sequence[str] = ()
) -> _SetupPlan:
    """Look at this machine; nothing is changed."""
    from memoracle.hosts.install.selftest import hosts_here

    is_new = not os.path.exists(os.path.join(entry.root, FILE))
    known = frozenset() if is_new else frozenset(session.memory.store.sessions.by_path())
    found = names or hosts_here(entry, machine)
    hosts = tuple(_plan_host(name, entry, machine, known) for name in found)
    return _SetupPlan(root=entry.root, is_new=is_new, hosts=hosts, notes=_notes(machine))


def _plan_host(host: str, entry: ConfigEntry, machine: Machine, known: frozenset[str]) -> _HostPlan:
    from memoracle.hosts.install.plan import NOT_OURS, HostAbsent, PluginThere
    from memoracle.hosts.sources import FORMATS, discover

    plan = _HostPlan(host=host, state=_CURRENT)
    for form in FORMATS:
        if form.host.name == host:
            home = Path(machine.home)
            chats, _ = discover(form.host, home, machine.environment)
            new = [one for one in chats if str(one.path) not in known]
            folders = tuple(str(one) for one in form.folders(home, machine.environment) if one.is_dir())
            plan = replace(plan, alias=form.host.alias, chats=len(new), folders=folders if new else ())
    try:
        change = install(host, entry, machine, remove=False, dry_run=True)
    except PluginThere:
        return replace(plan, state=_PLUGIN)
    except HostAbsent as problem:
        says = f"{problem}: start it once, then `memoracle setup` again"
        return replace(plan, state=_STUCK, problem=says, chats=0, folders=())
    except MemoracleError as problem:
        return replace(plan, state=_STUCK, problem=str(problem), chats=0, folders=())
    strange = [note for note in change.notes if note.endswith(NOT_OURS)]
    if strange and not change.diff:
        return replace(plan, state=_STUCK, problem="; ".join(strange), chats=0, folders=())
    return replace(plan, state=_NEW if change.diff else _CURRENT, change=change)


def _notes(machine: Machine) -> tuple[str, ...]:
    """Folders of notes that programs of this machine know: named, and never read unasked."""
    path = os.path.join(machine.applications, "obsidian", "obsidian.json")
    try:
        with open(path, encoding="utf-8") as file:
            vaults = json.load(file)["vaults"].values()
        return tuple(sorted(one["path"] for one in vaults if os.path.isdir(one["path"])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()


def screen(plan: _SetupPlan) -> str:
    """Everything that would be done, on one screen."""
    rows = [f"memory   {plan.root}{' (will be made)' if plan.is_new else ''}"]
    for one in plan.hosts:
        change = one.change.summary if one.change else ()
        allowed = one.change.grants if one.change else ()
        said = {
            _NEW: "gets it",
            _CURRENT: "has it already",
            _PLUGIN: "has it by its plugin",
            _STUCK: f"left alone: {one.problem}",
        }
        rows += [f"{one.host:<15}{said[one.state]}", *(f"    {line}" for line in change)]
        rows += [f"    this allows: {grant}" for grant in allowed]
        if one.chats:
            rows.append(
                f"    {one.chats} conversations are read, on this machine alone: {', '.join(one.folders)}"
            )
    if not plan.hosts:
        rows.append("no agent's host was found; `memoracle install HOST --print` shows what one would get")
    home = re.compile(rf"(?<!\S){re.escape(os.path.expanduser('~'))}/")
    rows = [home.sub("~/", row) for row in rows]
    rows += [
        f"notes    {home.sub('~/', path)}: not read; "
        f"`memoracle import {shlex.quote(path)} --dry-run` shows what would come"
        for path in plan.notes
    ]
    return "\n".join(rows)


def add_to_setup(parser: Parser) -> None:
    parser.several(
        "--host", "NAME", f"only this one (may be repeated; without a terminal also a yes to it): {_KNOWN}"
    )
    parser.flag("--dry-run", "say what would be done and change nothing")
    parser.flag("--diff", "show every line of the difference, too")
    parser.flag("--no-chats", "leave the conversations that are there unread")
    parser.flag("--yes", "do not ask: every host that was found")


def run_setup(arguments: Namespace, session: Session) -> int:
    """Look, show, ask, do, try."""
    _must_be_hosts(arguments.host)
    machine, entry = _here(session, is_needed=False)
    plan = plan_setup(entry, machine, session, arguments.host)
    if arguments.no_chats:
        plan = replace(plan, hosts=tuple(replace(one, chats=0, folders=()) for one in plan.hosts))
    shown = screen(plan)
    if arguments.diff:
        shown = "\n".join([shown, *(one.change.diff for one in plan.hosts if one.change)])
    if arguments.dry_run:
        session.show(_document(plan, {}, [], dry_run=True), shown)
        return DONE
    session.say(shown)
    chosen = _chosen(plan, session, yes=arguments.yes, named=bool(arguments.host))
    done = _do(plan, chosen, entry, machine, session)
    tried = _try(plan, chosen, machine, session, entry)
    text = "\n".join([*map(diagnosis_text, tried), *_left(plan, chosen)])
    document = _document(plan, done, tried, dry_run=False)
    if arguments.host and any(one.state == _STUCK for one in plan.hosts):
        document["ok"] = False  # it was asked for by name, and is left alone
    session.show(document, text or "nothing was changed")
    return DONE if document["ok"] else FAILED


def _chosen(plan: _SetupPlan, session: Session, *, yes: bool, named: bool) -> list[_HostPlan]:
    """The hosts that a person agreed to; a pipe answers for nobody."""
    work = [one for one in plan.hosts if one.is_work]
    if not work and not plan.is_new:
        return []
    if yes or (named and not session.is_attended):
        return work
    if not session.is_attended:
        raise NeedsConsent("setup changes the settings of other programs")
    if not work:
        session.ask(f"a memory is made at {plan.root}", agreed=False)
    chosen = []
    for one in work:
        with suppress(Declined):
            session.ask(f"{one.host}: as above", agreed=False, diff=one.change.diff if one.change else "")
            chosen.append(one)
    if work and not chosen:
        raise Declined("setup changes the settings of other programs")
    return chosen


def _do(
    plan: _SetupPlan, chosen: Sequence[_HostPlan], entry: ConfigEntry, machine: Machine, session: Session
) -> dict[str, str]:
    """Make the memory, put the entries in, read the conversations; what became of each host."""
    from memoracle.hosts.install.apply import manifest_path
    from memoracle.hosts.install.plan import wishes_of
    from memoracle.store.roots import book_path, remove_root

    done: dict[str, str] = {}
    work = [one.host for one in chosen if one.state == _NEW]
    paths = [manifest_path(machine.backups, host) for host in work]
    paths += [target.path for host in work for target in wishes_of(host, entry, machine).targets]
    had_folder = os.path.exists(plan.root)
    with _put_back(paths):
        try:
            if plan.is_new:
                make_memory(plan.root)
            for host in work:
                carry_out(host, entry, machine, remove=False)
                done[host] = "installed"
        except BaseException:
            if plan.is_new and not had_folder:
                shutil.rmtree(plan.root, ignore_errors=True)
                with suppress(OSError, MemoracleError):
                    remove_root(book_path(machine.environment, home=machine.home), plan.root)
            raise
    for one in chosen:
        if one.chats:
            read = session.memory.ingest(one.alias)
            session.say(f"{one.host}: {read.turns} new turns from {read.files} conversations")
    return done


@contextmanager
def _put_back(paths: Sequence[str]) -> Iterator[None]:
    """Have files as they were when what is done to them is stopped, by Ctrl-C too; folders made for them go."""
    from memoracle.hosts.install.files import read_text, remove_file, write_file

    held = {path: read_text(path) for path in paths}
    above = {str(folder) for path in paths for folder in Path(path).parents}
    missing = sorted(folder for folder in above if not os.path.isdir(folder))
    try:
        yield
    except BaseException:
        for path, text in held.items():
            if text is None:
                remove_file(os.path.realpath(path))
            elif read_text(path) != text:
                write_file(path, text)
        for folder in reversed(missing):
            with suppress(OSError):
                os.rmdir(folder)
        raise


def _try(
    plan: _SetupPlan, chosen: Sequence[_HostPlan], machine: Machine, session: Session, entry: ConfigEntry
) -> list[Diagnosis]:
    from memoracle.hosts.install.selftest import diagnose

    there = [one.host for one in plan.hosts if one in chosen or one.state in {_CURRENT, _PLUGIN}]
    found = []
    for host in there:
        session.say(f"trying {host} …")
        found.append(diagnose(host, entry, machine))
    return found


def _left(plan: _SetupPlan, chosen: Sequence[_HostPlan]) -> list[str]:
    if not chosen and not plan.is_new:
        return []
    return [_NEXT]


def _document(
    plan: _SetupPlan, done: dict[str, str], tried: Sequence[Diagnosis], *, dry_run: bool
) -> dict[str, Any]:
    found = {one.host: plain(one) for one in tried}
    hosts = [
        {
            "host": one.host,
            "state": one.state,
            "outcome": done.get(one.host, "planned" if dry_run and one.is_work else "unchanged"),
            "problem": one.problem,
            "changes": list(one.change.summary) if one.change else [],
            "grants": list(one.change.grants) if one.change else [],
            "conversations": one.chats,
            "folders": list(one.folders),
            "trial": found.get(one.host),
        }
        for one in plan.hosts
    ]
    return {
        "root": plan.root,
        "created": plan.is_new and not dry_run,
        "dry_run": dry_run,
        "hosts": hosts,
        "notes": list(plan.notes),
        "ok": all(one.ok for one in tried),
    }


# The same trial at any time.


def add_to_doctor(parser: Parser) -> None:
    parser.add_argument(
        "hosts", nargs="*", metavar="HOST", help=f"which (default: all that have it): {_KNOWN}"
    )


def run_doctor(arguments: Namespace, session: Session) -> int:
    """Try every host, and say what works, what is broken and what is left to a person."""
    from memoracle.hosts.install.selftest import diagnose, hosts_here

    _must_be_hosts(arguments.hosts)
    machine, entry = _here(session, is_needed=True)
    found = [diagnose(name, entry, machine) for name in arguments.hosts or hosts_here(entry, machine)]
    # What nobody set up is not broken, unless it was asked for.
    told = [one for one in found if one.by or arguments.hosts]
    text = "\n".join(map(diagnosis_text, told)) or "no host has it yet; `memoracle setup` finds them"
    session.show({"root": entry.root, "items": plain(told), "ok": all(one.ok for one in told)}, text)
    return DONE if all(one.ok for one in told) else FAILED


def diagnosis_text(found: Diagnosis) -> str:
    """How a host does, in a few lines."""
    rows = [f"{found.host}: {'works' if found.ok else 'broken' if found.by else 'not connected'}"]
    rows += [f"  {'ok ' if one.ok else 'BAD'} {one.what:<8} {one.says}" for one in found.trials]
    rows += [f"  you {note}" for note in found.left]
    return "\n".join(rows)
