"""`memoracle install`: into an agent's host, or into your own scheduler; without root."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from memoracle.clock import system_clock
from memoracle.errors import MemoracleError
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.install import cron, host, hosts, systemd
from memoracle.interfaces.install.change import Installed, backup_folder
from memoracle.interfaces.install.entry import Entry, entry_for
from memoracle.interfaces.install.hosts import HOSTS
from memoracle.settings import find_root, load_settings


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("what", choices=[*HOSTS, "cron", "systemd"], help="an agent's host, or a scheduler")
    parser.add_argument(
        "--print", action="store_true", help="print what would be put where, and do nothing else"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the difference and change nothing")
    parser.add_argument("--uninstall", action="store_true", help="take out what was put in")
    parser.add_argument("--yes", action="store_true", help="do not ask after the difference was shown")


def run(arguments: Namespace, session: Session) -> int:
    """Show the difference, then make it."""
    home = os.path.expanduser("~")
    root = find_root(session.root, os.environ, start=os.getcwd(), home=home)
    layout = _layout(root, is_needed=not arguments.uninstall)
    entry = entry_for(root, sys.executable)
    if arguments.print:
        text = _printed(arguments.what, entry, layout=layout, home=home)
        session.show({"what": arguments.what, "entry": text}, text.rstrip("\n"))
        return 0
    plan = install(arguments.what, entry, remove=arguments.uninstall, dry_run=True, home=home, layout=layout)
    if arguments.dry_run:
        session.show(plan, plan.diff or _told(plan, removed=arguments.uninstall))
        return 0
    if plan.diff:
        session.say(plan.diff)
        session.ask(f"{arguments.what}: this will be changed", agreed=arguments.yes)
    done = install(arguments.what, entry, remove=arguments.uninstall, dry_run=False, home=home, layout=layout)
    session.show(done, _told(done, removed=arguments.uninstall))
    return 0


def install(
    what: str, entry: Entry, *, remove: bool, dry_run: bool, home: str, layout: str = "native"
) -> Installed:
    """Put Memoracle into a host or a scheduler, bring it up to date, or take it out."""
    backups, now = backup_folder(os.environ, home), system_clock()
    if what == "cron":
        return cron.install(
            entry, remove=remove, dry_run=dry_run, environment=os.environ, backups=backups, now=now
        )
    if what == "systemd":
        return systemd.install(
            entry,
            remove=remove,
            dry_run=dry_run,
            environment=os.environ,
            home=home,
            backups=backups,
            now=now,
        )
    return host.install(
        what,
        lambda: hosts.wishes_of(what, entry, layout=layout, environment=os.environ, home=home, now=now),
        remove=remove,
        dry_run=dry_run,
        folder=backups,
        now=now,
    )


def _layout(root: str, *, is_needed: bool) -> str:
    """The layout of the root; a memory that is gone can still be taken out of its hosts."""
    try:
        return load_settings(root, os.environ).settings.layout
    except MemoracleError:
        if is_needed:
            raise
        return "native"


def _printed(what: str, entry: Entry, *, layout: str, home: str) -> str:
    if what == "cron":
        return cron.text_of(entry)
    if what == "systemd":
        return "\n".join(f"# {name}\n{text}" for name, text in systemd.units_of(entry).items())
    wishes = hosts.wishes_of(
        what, entry, layout=layout, environment=os.environ, home=home, now=system_clock(), insist=False
    )
    return hosts.printed(wishes)


def _told(done: Installed, *, removed: bool) -> str:
    nothing = f"{done.what}: nothing to {'take out' if removed else 'change'}"
    lines = [f"{done.what}: {'taken out' if removed else 'installed'}" if done.diff else nothing]
    lines += [f"a copy of what was there: {path}" for path in done.backups]
    lines += [f"note: {note}" for note in done.notes]
    return "\n".join(lines)
