"""`memoracle ingest`: read conversations. Transcripts are never changed."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from contextlib import suppress

from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import finding_text
from memoracle.model.receipt import Ingested
from memoracle.model.value import replace

_PAUSE = 2.0


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("target", help="a file, a folder, or openclaw, claude, codex, gemini")
    parser.add_argument(
        "--keep", action="store_true", help="store a compressed copy that outlives the host's own"
    )
    parser.add_argument(
        "--owner", default="", metavar="NAME", help="who of the speakers is the owner, from now on"
    )
    parser.add_argument("--no-embed", action="store_true", help="leave the vectors for later")
    parser.add_argument("--watch", action="store_true", help="go on reading what is added, until stopped")


def run(arguments: Namespace, session: Session) -> int:
    """Read what is new, once, or on and on until stopped; then say what was read."""
    if arguments.owner:
        from memoracle.compose import name_owner

        if name_owner(session.root, arguments.owner):
            session.say(f"{arguments.owner.strip()} is the owner from now on (`owner` in memoracle.toml)")
    read = session.memory.ingest(arguments.target, keep=arguments.keep, embed=not arguments.no_embed)
    with suppress(KeyboardInterrupt):
        while arguments.watch:
            time.sleep(_PAUSE)
            more = session.memory.ingest(arguments.target, keep=arguments.keep, embed=not arguments.no_embed)
            if more.turns:
                session.say(_sentence(more))
            read = replace(more, turns=read.turns + more.turns, embedded=read.embedded + more.embedded)
    for finding in read.findings:
        session.say(finding_text(finding))
    session.show(read, _sentence(read))
    return FAILED if read.unread else DONE


def _sentence(read: Ingested) -> str:
    copies = f", {read.kept} kept as copies" if read.kept else ""
    unread = f"\n{read.unread} could not be read; the rest was" if read.unread else ""
    counts = f"{read.turns} new turns from {read.files} conversations{copies}"
    return f"{counts}; {read.embedded} vectors computed{unread}"
