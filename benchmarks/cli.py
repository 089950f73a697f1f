"""Measure recall on packs of conversations, latency on a large memory, or extraction: what `memoracle bench` calls."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput
from memoracle.interfaces.cli.session import DONE, Session, listed

if TYPE_CHECKING:
    from benchmarks.packs import Pack
    from benchmarks.remote import Remote

_DATA = os.path.join("..", "shared", "bench")
_WRITTEN = "print the JSON document, or write it to FILE and print the table"


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    kinds = parser.add_subparsers(dest="what", required=True, metavar="run|scorecard|latency|extract")
    run_ = kinds.add_parser("run", help="packs of conversations and questions")
    run_.add_argument(
        "--peers", nargs="?", const="all", metavar="NAMES", help="measure peers too: all, or A,B"
    )
    run_.add_argument("--only-peers", action="store_true", help="leave Memoracle itself out")
    card = kinds.add_parser("scorecard", help="every pack against every peer, on one page, losses first")
    card.add_argument("--peers", default="all", metavar="NAMES", help="only these: A,B")
    card.add_argument("--out", required=True, metavar="FILE", help="the page (Markdown)")
    for kind in (run_, card):
        _add_packs(kind)
    latency = kinds.add_parser("latency", help="recall over a large synthetic memory, warm and cold")
    latency.add_argument("--passages", type=int, default=100_000, metavar="N", help="how many turns it holds")
    latency.add_argument("--questions", type=int, default=200, metavar="N", help="how many are asked")
    extract = kinds.add_parser("extract", help="the rules of extraction on labelled turns")
    extract.add_argument(
        "--data", metavar="FOLDER", help="where the labelled turns are (default benchmarks/extraction)"
    )
    extract.add_argument(
        "--split", choices=("train", "dev", "test"), default="dev", help="which half (default dev)"
    )
    extract.add_argument("--language", choices=("en", "zh"), help="only this language (default: both)")
    extract.add_argument(
        "--tagger",
        choices=("bundled", "none"),
        default="none",
        help="who decides beside the rules (default: the rules alone)",
    )
    extract.add_argument("--show", choices=("misses", "false"), help="list the turns behind the numbers")
    for kind in (run_, card, latency, extract):
        kind.add_argument("--json", nargs="?", const="-", dest="written", metavar="FILE", help=_WRITTEN)


def _add_packs(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        action="append",
        metavar="FOLDER",
        help=f"where *.json.gz packs are; may be given several times (default {_DATA})",
    )
    parser.add_argument("--packs", type=listed, default=[], metavar="A,B", help="only these packs")
    parser.add_argument("--sample", type=int, metavar="N", help="at most N questions of a pack")
    parser.add_argument("--turns", type=int, metavar="N", help="at most N turns of a pack, in whole stores")
    parser.add_argument("--limit", type=float, metavar="S", help="seconds a subject may take for a pack")
    parser.add_argument(
        "--recipe", metavar="NAME", help="the recall recipe to measure (default: the product's)"
    )
    parser.add_argument("--venvs", metavar="FOLDER", help="environments of peers, each under the peer's name")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        type=_interpreter,
        metavar="NAME=PATH",
        help="the interpreter of a peer; may be given several times",
    )


def run(arguments: Namespace, session: Session) -> int:
    """Measure, print, and keep the document where it was asked for."""
    document, text = _measured(arguments, session)
    if arguments.written not in {None, "-"}:
        with open(arguments.written, "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=1)
            file.write("\n")
    session.json = session.json or arguments.written == "-"
    session.show(document, text)
    return DONE


def _measured(arguments: Namespace, session: Session) -> tuple[dict[str, Any], str]:
    if arguments.what == "latency":
        return _latency(arguments, session)
    if arguments.what == "scorecard":
        return _scorecard(arguments)
    return _extraction(arguments) if arguments.what == "extract" else _packs(arguments)


def _packs(arguments: Namespace) -> tuple[dict[str, Any], str]:
    from benchmarks.run import run as measure
    from benchmarks.run import table
    from benchmarks.subject import NAME

    peers = _peers(arguments.peers)
    first, rest = (peers[0], peers[1:]) if arguments.only_peers and peers else (NAME, peers)
    chosen = _chosen(arguments)
    document = measure(first, rest, _read(arguments, chosen), partial(_open, arguments), _say)
    return document, table(document, first)


def _scorecard(arguments: Namespace) -> tuple[dict[str, Any], str]:
    from benchmarks.run import run as measure
    from benchmarks.run import table
    from benchmarks.scorecard import page, surroundings
    from benchmarks.subject import NAME

    chosen = _chosen(arguments)
    told = surroundings(chosen, arguments)

    def keep(document: dict[str, Any]) -> None:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(page(document | told, NAME))

    peers = _peers(arguments.peers)
    document = measure(NAME, peers, _read(arguments, chosen), partial(_open, arguments), _say, keep)
    return document | told, table(document, NAME)


def _chosen(arguments: Namespace) -> dict[str, str]:
    from benchmarks.packs import choose_packs

    return choose_packs(arguments.data or [_default_data()], arguments.packs)


def _read(arguments: Namespace, chosen: Mapping[str, str]) -> Iterator[Pack]:
    from benchmarks.packs import few_stores, read_pack, sample

    for name, folder in chosen.items():
        yield sample(few_stores(read_pack(folder, name), arguments.turns), arguments.sample)


def _open(arguments: Namespace, name: str) -> Remote:
    from benchmarks.remote import Remote

    own = os.path.join(os.path.abspath(arguments.venvs), name) if arguments.venvs else ""
    python = dict(arguments.python).get(name) or (own and os.path.join(own, "bin", "python"))
    return Remote(
        name,
        environment=own or None,
        python=python if os.path.exists(python) else None,
        recipe=arguments.recipe,
        limit=arguments.limit,
    )


def _latency(arguments: Namespace, session: Session) -> tuple[dict[str, Any], str]:
    from benchmarks.latency import latency_text, measure_latency

    document = measure_latency(arguments.passages, arguments.questions, session.say)
    return document, latency_text(document)


def _extraction(arguments: Namespace) -> tuple[dict[str, Any], str]:
    from benchmarks.labelled import LANGUAGES, by_rules, extraction_text, measure_extraction
    from memoracle.inference.bundled import open_tagger

    extract = partial(by_rules, tagger=open_tagger() if arguments.tagger == "bundled" else None)
    languages = (arguments.language,) if arguments.language else LANGUAGES
    folder = arguments.data or os.path.join(os.path.dirname(__file__), "extraction")
    document = measure_extraction(folder, arguments.split, languages, extract, arguments.show)
    return document, extraction_text(document)


def _default_data() -> str:
    if os.path.isdir(_DATA):
        return _DATA
    raise BadInput("there is no benchmark data here", "--data FOLDER names a folder of *.json.gz packs")


def _peers(wanted: str | None) -> Sequence[str]:
    from benchmarks.peers import PEERS

    if wanted is None:
        return []
    names = list(PEERS) if wanted == "all" else listed(wanted)
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        raise BadInput(f"there is no peer called `{unknown[0]}`", f"there are: {', '.join(PEERS)}")
    return names


def _interpreter(text: str) -> tuple[str, str]:
    name, _, path = text.partition("=")
    if not os.path.isfile(path):
        raise ArgumentTypeError(f"`{text}` is not NAME=PATH of an interpreter")
    return name, os.path.abspath(path)


def _say(text: str) -> None:
    """Progress: a line that begins with a return overwrites the one before, on a terminal only."""
    if not text.startswith("\r"):
        sys.stderr.write(text)
    elif sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text[1:]}")
    elif text.endswith("\n"):
        sys.stderr.write(text[1:])
    sys.stderr.flush()
