"""`memoracle get`: a fact by its dotted key, with the file and path it stands at."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from memoracle.errors import BadInput
from memoracle.federation.lookup import Fetched, Looked
from memoracle.interfaces.cli.exits import DONE, NOT_IN_FEDERATION, NOT_IN_MEMORY
from memoracle.interfaces.cli.given import read_text
from memoracle.interfaces.cli.parser import listed
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain, safe

_EXITS = {Fetched.FOUND: DONE, Fetched.NOT_IN_MEMORY: NOT_IN_MEMORY, Fetched.NOT_FEDERATED: NOT_IN_FEDERATION}


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "key", nargs="?", help="FILE.a.b.0, a key of the project's dev_env, or the name of a page"
    )
    parser.add_argument("--key", dest="named", metavar="KEY", help="the same")
    parser.add_argument("--project", default="", metavar="NAME", help="facts and pages of this project first")
    parser.add_argument("--seat", default="", metavar="NAME", help="only in the pages of this seat")
    parser.add_argument(
        "--context", metavar="JSON", help="what was said this turn, which goes first; @FILE reads it"
    )
    parser.add_argument("--file", metavar="NAME", help="a whole file of facts")
    parser.add_argument("--section", default="", metavar="A.B", help="with --file: a part of it")
    parser.add_argument("--search", metavar="TERM", help="every place in facts that holds a term")
    parser.add_argument("--files", type=listed, default=[], metavar="A,B", help="with --search: only these")
    parser.add_argument("--status", action="store_true", help="what there is to ask")


def run(arguments: Namespace, session: Session) -> int:
    """Look it up."""
    asked = [one for one in (arguments.key, arguments.named, arguments.file, arguments.search) if one]
    if len(asked) + arguments.status != 1:
        raise BadInput("name one thing: a key, --file, --search or --status")
    if arguments.status:
        held = session.memory.seats.holdings()
        session.show(held, "\n".join(f"{name}: {said}" for name, said in held.items()))
        return DONE
    if arguments.search:
        return _search(arguments, session)
    if arguments.file:
        found = session.memory.seats.get_file(
            arguments.file, section=arguments.section, project=arguments.project
        )
    else:
        found = session.memory.seats.get(
            arguments.key or arguments.named,
            project=arguments.project,
            seat=arguments.seat,
            context=_context(arguments.context),
        )
    return _answer(found, session)


def _answer(found: Looked, session: Session) -> int:
    if found.status is not Fetched.FOUND:
        key = safe(found.key)
        session.show({**plain(found), "key": key, "evidence": None}, f"{found.status.value}: {key}")
        return _EXITS[found.status]
    said = (
        found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False, indent=1)
    )
    cite = f"   {found.evidence}"
    session.show({**plain(found), "evidence": found.evidence}, f"found in {found.layer}: {said}\n{cite}")
    return DONE


def _search(arguments: Namespace, session: Session) -> int:
    found = session.memory.seats.find_facts(
        arguments.search, project=arguments.project, files=arguments.files
    )
    rows = [f"{one.file}#{one.path} ({one.match}): {one.value}" for one in found]
    status = Fetched.FOUND if found else Fetched.NOT_IN_MEMORY
    document = {
        "status": status.value,
        "term": safe(arguments.search),
        "count": len(found),
        "matches": plain(found),
    }
    session.show(document, "\n".join(rows) or status.value)
    return _EXITS[status]


def _context(given: str | None) -> Mapping[str, Any] | None:
    if given is None:
        return None
    text = read_text(given[1:]) if given.startswith("@") else given
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("--context is not JSON") from None
    if not isinstance(held, dict):
        raise BadInput("--context is not a JSON object")
    return held
