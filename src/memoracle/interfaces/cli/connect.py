"""The verbs that connect: what hosts call, what is installed into them and into schedulers, and the MCP server."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError
from memoracle.hosts.install.mcp_clients import CLIENTS
from memoracle.hosts.known_hosts import HOSTS
from memoracle.interfaces.cli.session import Parser, Session, add_scope, given, scope_of
from memoracle.interfaces.mcp.serve import serve
from memoracle.model.value import replace
from memoracle.resolve import find_root, folder_here
from memoracle.settings import Settings, load_settings, reply_language
from memoracle.times import system_clock

if TYPE_CHECKING:
    from memoracle.hosts.install.apply import Installed
    from memoracle.hosts.install.plan import ConfigEntry, Machine


def add_to_hook(parser: Parser) -> None:
    parser.add_argument(
        "event",
        metavar="EVENT",
        help="session-start, prompt, stop, pre-compact, post-compact or session-end; the host's JSON comes on stdin."
        " `work` drains the spool",
    )
    parser.word("--host", "NAME", "claude-code, codex, gemini or openclaw (default: by the JSON)")
    parser.flag("--plugin", "a plugin calls: keep silent where the host's own settings call, too")


def run_hook(arguments: Namespace, session: Session) -> int:
    """The same as the short way through the door."""
    from memoracle.interfaces.hooks.entry import run_hook

    by_plugin = ["--plugin"] if arguments.plugin else []
    return run_hook([arguments.event, f"--host={arguments.host}", *by_plugin], session.root)


def add_to_install(parser: Parser) -> None:
    what = [*dict.fromkeys((*HOSTS, *CLIENTS)), "cron", "systemd"]
    parser.add_argument("what", choices=what, help="an agent's host, or a scheduler")
    parser.flag("--print", "print what would be put where, and do nothing else")
    parser.flag("--dry-run", "say what would be changed and change nothing")
    parser.flag("--diff", "show every line of the difference, not a summary")
    parser.flag("--uninstall", "take out what was put in")
    parser.flag("--search-paths", "OpenClaw: let its own search read the notes, too, and have it index again")
    parser.flag("--memory-slot", "OpenClaw: hold its memory slot, so that memory-core steps back")
    parser.flag("--yes", "do not ask")


def run_install(arguments: Namespace, session: Session) -> None:
    """Show what would be changed, then change it."""
    machine, entry = this_machine(
        session.root,
        is_needed=not arguments.uninstall,
        searches=arguments.search_paths,
        slot=arguments.memory_slot,
    )
    if arguments.print:
        text = _printed(arguments.what, entry, machine)
        session.show({"what": arguments.what, "entry": text}, text.rstrip("\n"))
        return
    plan = install(arguments.what, entry, machine, remove=arguments.uninstall, dry_run=True)
    shown = plan.diff if arguments.diff or not plan.summary else _summary(plan, entry, arguments.uninstall)
    if arguments.dry_run:
        session.show(plan, shown or _told(plan, removed=arguments.uninstall))
        return
    if plan.diff:
        session.say("\n".join([shown, *(f"this allows: {grant}" for grant in plan.grants)]))
        session.ask(f"{arguments.what}: this will be changed", agreed=arguments.yes, diff=plan.diff)
    done = carry_out(arguments.what, entry, machine, remove=arguments.uninstall)
    session.show(done, _told(done, removed=arguments.uninstall))


def carry_out(what: str, entry: ConfigEntry, machine: Machine, *, remove: bool) -> Installed:
    """Put it in or take it out, and have the host do what that asks of it."""
    from memoracle.hosts.openclaw.install import index_again, scope

    is_openclaw = what == "openclaw"
    before = scope(machine) if is_openclaw else None
    done = install(what, entry, machine, remove=remove, dry_run=False)
    if is_openclaw and scope(machine) != before:
        return replace(done, notes=(*done.notes, index_again(os.environ)))
    return done


def install(what: str, entry: ConfigEntry, machine: Machine, *, remove: bool, dry_run: bool) -> Installed:
    """Put Memoracle into a host or a scheduler, bring it up to date, or take it out."""
    from memoracle.hosts.install import apply, schedulers
    from memoracle.hosts.install.plan import wishes_of

    if what in HOSTS or what in CLIENTS:
        return apply.install(
            what, lambda: wishes_of(what, entry, machine), machine, remove=remove, dry_run=dry_run
        )
    put = schedulers.install_cron if what == "cron" else schedulers.install_systemd
    return put(entry, machine, remove=remove, dry_run=dry_run)


def this_machine(
    named: str | None, *, is_needed: bool, searches: bool = False, slot: bool = False
) -> tuple[Machine, ConfigEntry]:
    """This machine, and what hosts on it call; a memory that is gone can still be taken out of its hosts."""
    from memoracle.hosts.install.plan import Machine, entry_for

    machine = Machine(environment=os.environ, home=os.path.expanduser("~"), now=system_clock())
    root = find_root(named, os.environ, start=folder_here(), home=machine.home)
    settings = Settings()
    try:
        settings = load_settings(root, os.environ).settings
    except MemoracleError:
        if is_needed:
            raise
    language, layout = reply_language(settings), settings.layout
    return machine, entry_for(
        root, sys.executable, language=language, layout=layout, searches=searches, slot=slot
    )


def _summary(plan: Installed, entry: ConfigEntry, removed: bool) -> str:
    head = f"{plan.what}: {'taken out' if removed else f'the memory at {entry.root}, by {entry.python}'}"
    return "\n".join([head, *(f"  {line}" for line in plan.summary), "  (every line: --diff)"])


def _printed(what: str, entry: ConfigEntry, machine: Machine) -> str:
    from memoracle.hosts.install import plan, schedulers

    if what == "cron":
        return schedulers.text_of(entry)
    if what == "systemd":
        return "\n".join(f"# {name}\n{text}" for name, text in schedulers.units_of(entry).items())
    return plan.printed(plan.wishes_of(what, entry, machine, insist=False))


def _told(done: Installed, *, removed: bool) -> str:
    nothing = f"{done.what}: nothing to {'take out' if removed else 'change'}"
    lines = [f"{done.what}: {'taken out' if removed else 'installed'}" if done.diff else nothing]
    lines += [f"a copy of what was there: {path}" for path in done.backups]
    lines += [f"note: {note}" for note in done.notes]
    return "\n".join(lines)


def add_to_resident(parser: Parser) -> None:
    says = "`stop` ends it; `serve` is how commands and hooks start it"
    parser.add_argument("act", nargs="?", choices=("show", "stop", "serve"), default="show", help=says)


def run_resident(arguments: Namespace, session: Session) -> None:
    """Say whether there is one, end it, or be it."""
    from memoracle.interfaces.resident import server

    root = find_root(session.root, os.environ, start=folder_here(), home=os.path.expanduser("~"))
    settings = load_settings(root, os.environ).settings
    if arguments.act == "serve":
        server.serve(root, settings.resident_minutes)
        return
    is_stopping = arguments.act == "stop"
    found = server.stop(root) if is_stopping else server.about(root)
    none = "none" if settings.resident_minutes else "none, and the settings want none"
    said = server.described(found) + (", stopped" if is_stopping else "") if found else none
    session.show({"process": found, "stopped": bool(found and is_stopping)}, said)


def add_to_mcp(parser: Parser) -> None:
    parser.maybe("--http", "HOST:PORT", "streamable HTTP there, with a token (default: the standard streams)")
    parser.flag("--remote", "allow an address that other machines can reach")
    parser.flag("--graph", "also the nine tools of the knowledge-graph server")
    parser.flag(
        "--agent-only", "change nothing but what is an agent's own: for agents that read what strangers wrote"
    )
    parser.choice("--audience", ("private", "group"), "a group is served public records alone")
    add_scope(parser)


def run_mcp(arguments: Namespace, session: Session) -> None:
    """Serve until the client leaves."""
    how = given(arguments, "http", "remote", "graph", "agent_only", "audience")
    serve(session.root, scope=scope_of(arguments), say=session.say, **how)


def add_to_web(parser: Parser) -> None:
    _add_serving(parser)
    parser.flag("--incognito", "blur every text until it is pointed at")
    parser.flag("--no-open", "do not open the browser")
    parser.word("--export", "DIR", "write a static copy that opens from disk, and serve nothing")


def run_web(arguments: Namespace, session: Session) -> None:
    """Serve the page until a signal, or write a copy of it."""
    from memoracle.interfaces.web.serve import need_server, web

    if arguments.export:
        need_server()
        from memoracle.interfaces.web.export import export

        language = reply_language(session.memory.root.settings) or "en"
        pages = export(session.memory, arguments.export, language=language)
        first = os.path.join(arguments.export, "today.html")
        session.show({"pages": pages, "first": first}, f"{pages} pages; open {first}")
        return
    how = given(arguments, "http", "remote", "origins", "read_only", "incognito")
    web(session.root, say=session.say, show=not arguments.no_open, **how)


def add_to_serve(parser: Parser) -> None:
    _add_serving(parser)


def run_serve(arguments: Namespace, session: Session) -> None:
    """Serve page, API and MCP until a signal."""
    from memoracle.interfaces.web.serve import web

    how = given(arguments, "http", "remote", "origins", "read_only")
    web(session.root, say=session.say, show=False, mcp=True, **how)


def _add_serving(parser: Parser) -> None:
    from memoracle.interfaces.web.serve import USUAL

    where = f"where to listen (default {USUAL})"
    parser.add_argument("--http", default=USUAL, metavar="HOST:PORT", help=where)
    parser.flag("--remote", "allow an address that other machines can reach, behind TLS")
    says = "the address that people use from elsewhere, as https://memory.example.org"
    parser.add_argument("--origin", action="append", default=[], dest="origins", metavar="URL", help=says)
    parser.flag("--read-only", "refuse whatever would change memory")
