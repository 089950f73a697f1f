"""`memoracle ingest`: read conversations. Transcripts are never changed."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import finding_text
from memoracle.model.receipt import Ingested

_PAUSE = 2.0


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("target", help="a file, a folder, or openclaw, claude, codex, gemini")
    parser.add_argument(
        "--keep", action="store_true", help="store a compressed copy that outlives the host's own"
    )
    parser.add_argument("--no-embed", action="store_true", help="leave the vectors for later")
    parser.add_argument("--watch", action="store_true", help="go on reading what is added, until stopped")


def run(arguments: Namespace, session: Session) -> int:
    """Read what is new, once or on and on."""
    while True:
        read = session.memory.ingest(arguments.target, keep=arguments.keep, embed=not arguments.no_embed)
        if read.turns or not arguments.watch:
            for finding in read.findings:
                session.say(finding_text(finding))
            session.show(read, _sentence(read))
        if not arguments.watch:
            return 0
        time.sleep(_PAUSE)


def _sentence(read: Ingested) -> str:
    copies = f", {read.kept} kept as copies" if read.kept else ""
    return f"{read.turns} new turns from {read.files} conversations{copies}; {read.embedded} vectors computed"
