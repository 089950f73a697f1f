"""`memoracle install`: into an agent's host, or into your own scheduler; without root."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from memoracle.clock import system_clock
from memoracle.errors import MemoracleError
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.install import cron, host, hosts, openclaw, systemd
from memoracle.interfaces.install.change import Installed, backup_folder
from memoracle.interfaces.install.entry import Entry, entry_for
from memoracle.interfaces.install.hosts import HOSTS
from memoracle.model.value import replace
from memoracle.settings import Settings, find_root, load_settings, reply_language


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("what", choices=[*HOSTS, "cron", "systemd"], help="an agent's host, or a scheduler")
    parser.add_argument(
        "--print", action="store_true", help="print what would be put where, and do nothing else"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the difference and change nothing")
    parser.add_argument("--uninstall", action="store_true", help="take out what was put in")
    parser.add_argument(
        "--search-paths",
        action="store_true",
        help="OpenClaw: let its own search read the notes, too, and have it index again",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask after the difference was shown")


def run(arguments: Namespace, session: Session) -> int:
    """Show the difference, then make it."""
    home = os.path.expanduser("~")
    root = find_root(session.root, os.environ, start=os.getcwd(), home=home)
    settings = _settings(root, is_needed=not arguments.uninstall)
    layout = settings.layout
    entry = entry_for(root, sys.executable, language=reply_language(settings))
    if arguments.print:
        text = _printed(arguments.what, entry, layout=layout, home=home, searches=arguments.search_paths)
        session.show({"what": arguments.what, "entry": text}, text.rstrip("\n"))
        return 0
    how = {
        "remove": arguments.uninstall, "home": home, "layout": layout, "searches": arguments.search_paths
    }  # fmt: skip
    plan = install(arguments.what, entry, dry_run=True, **how)
    if arguments.dry_run:
        session.show(plan, plan.diff or _told(plan, removed=arguments.uninstall))
        return 0
    if plan.diff:
        session.say(plan.diff)
        session.ask(f"{arguments.what}: this will be changed", agreed=arguments.yes)
    is_openclaw = arguments.what == "openclaw"
    scope = openclaw.scope(os.environ, home) if is_openclaw else None
    done = install(arguments.what, entry, dry_run=False, **how)
    if is_openclaw and openclaw.scope(os.environ, home) != scope:
        done = replace(done, notes=(*done.notes, openclaw.index_again(os.environ)))
    session.show(done, _told(done, removed=arguments.uninstall))
    return 0


def install(
    what: str,
    entry: Entry,
    *,
    remove: bool,
    dry_run: bool,
    home: str,
    layout: str = "native",
    searches: bool = False,
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
        lambda: hosts.wishes_of(
            what, entry, layout=layout, environment=os.environ, home=home, now=now, searches=searches
        ),
        remove=remove,
        dry_run=dry_run,
        folder=backups,
        now=now,
    )


def _settings(root: str, *, is_needed: bool) -> Settings:
    """The settings of the root; a memory that is gone can still be taken out of its hosts."""
    try:
        return load_settings(root, os.environ).settings
    except MemoracleError:
        if is_needed:
            raise
        return Settings()


def _printed(what: str, entry: Entry, *, layout: str, home: str, searches: bool) -> str:
    if what == "cron":
        return cron.text_of(entry)
    if what == "systemd":
        return "\n".join(f"# {name}\n{text}" for name, text in systemd.units_of(entry).items())
    wishes = hosts.wishes_of(
        what,
        entry,
        layout=layout,
        environment=os.environ,
        home=home,
        now=system_clock(),
        insist=False,
        searches=searches,
    )
    return hosts.printed(wishes)


def _told(done: Installed, *, removed: bool) -> str:
    nothing = f"{done.what}: nothing to {'take out' if removed else 'change'}"
    lines = [f"{done.what}: {'taken out' if removed else 'installed'}" if done.diff else nothing]
    lines += [f"a copy of what was there: {path}" for path in done.backups]
    lines += [f"note: {note}" for note in done.notes]
    return "\n".join(lines)
