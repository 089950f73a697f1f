"""`memoracle install`: have the memory tended by your own scheduler, without root."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from memoracle.clock import system_clock
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.install import cron, systemd
from memoracle.interfaces.install.change import Installed, backup_folder
from memoracle.interfaces.install.entry import Entry, entry_for
from memoracle.settings import find_root, load_settings


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("what", choices=["cron", "systemd"], help="where the entry goes")
    parser.add_argument("--print", action="store_true", help="print the entry and do nothing else")
    parser.add_argument("--dry-run", action="store_true", help="print the difference and change nothing")
    parser.add_argument("--uninstall", action="store_true", help="take out what was put in")


def run(arguments: Namespace, session: Session) -> int:
    """Show the difference, then make it."""
    home = os.path.expanduser("~")
    root = find_root(session.root, os.environ, start=os.getcwd(), home=home)
    load_settings(root, os.environ)
    entry = entry_for(root, sys.executable)
    if arguments.print:
        text = _printed(arguments.what, entry)
        session.show({"what": arguments.what, "entry": text}, text.rstrip("\n"))
        return 0
    plan = install(arguments.what, entry, remove=arguments.uninstall, dry_run=True, home=home)
    if arguments.dry_run:
        session.show(plan, plan.diff or _told(plan, removed=arguments.uninstall))
        return 0
    if plan.diff:
        session.say(plan.diff)
    done = install(arguments.what, entry, remove=arguments.uninstall, dry_run=False, home=home)
    session.show(done, _told(done, removed=arguments.uninstall))
    return 0


def install(what: str, entry: Entry, *, remove: bool, dry_run: bool, home: str) -> Installed:
    """Put an entry into a scheduler, bring it up to date, or take it out."""
    backups, now = backup_folder(os.environ, home), system_clock()
    if what == "cron":
        return cron.install(
            entry, remove=remove, dry_run=dry_run, environment=os.environ, backups=backups, now=now
        )
    return systemd.install(
        entry, remove=remove, dry_run=dry_run, environment=os.environ, home=home, backups=backups, now=now
    )


def _printed(what: str, entry: Entry) -> str:
    if what == "cron":
        return cron.text_of(entry)
    return "\n".join(f"# {name}\n{text}" for name, text in systemd.units_of(entry).items())


def _told(done: Installed, *, removed: bool) -> str:
    if not done.diff:
        return f"{done.what}: nothing to {'take out' if removed else 'change'}"
    act = "taken out" if removed else "installed"
    lines = [f"{done.what}: {act}"]
    lines += [f"a copy of what was there: {path}" for path in done.backups]
    lines += [f"note: {note}" for note in done.notes]
    return "\n".join(lines)
