"""Measure recall on packs of conversations, latency on a large memory, or extraction: what `memoracle bench` calls."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from typing import Any

from memoracle.errors import BadInput
from memoracle.interfaces.cli.session import DONE, Session, listed

_DATA = os.path.join("..", "shared", "bench")
_WRITTEN = "print the JSON document, or write it to FILE and print the table"


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    kinds = parser.add_subparsers(dest="what", required=True, metavar="run|latency|extract")
    run_ = kinds.add_parser("run", help="packs of conversations and questions")
    run_.add_argument("--data", metavar="FOLDER", help=f"where the *.json.gz packs are (default {_DATA})")
    run_.add_argument("--packs", type=listed, default=[], metavar="A,B", help="only these packs")
    run_.add_argument("--sample", type=int, metavar="N", help="at most N questions of a pack")
    run_.add_argument(
        "--recipe", metavar="NAME", help="the recall recipe to measure (default: the product's)"
    )
    run_.add_argument(
        "--peers", nargs="?", const="all", metavar="NAMES", help="measure peers too: all, or A,B"
    )
    run_.add_argument("--only-peers", action="store_true", help="leave Memoracle itself out")
    run_.add_argument("--venvs", metavar="FOLDER", help="environments of peers, each under the peer's name")
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
    for kind in (run_, latency, extract):
        kind.add_argument("--json", nargs="?", const="-", dest="written", metavar="FILE", help=_WRITTEN)


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
    return _extraction(arguments) if arguments.what == "extract" else _packs(arguments)


def _packs(arguments: Namespace) -> tuple[dict[str, Any], str]:
    from benchmarks.packs import choose_packs, read_pack, sample
    from benchmarks.remote import Remote
    from benchmarks.run import run as measure
    from benchmarks.run import table
    from benchmarks.subject import NAME

    folder = arguments.data or _default_data()
    names = choose_packs(folder, arguments.packs)
    peers = _peers(arguments.peers)
    first, rest = (peers[0], peers[1:]) if arguments.only_peers and peers else (NAME, peers)

    def open_(name: str) -> Remote:
        return Remote(name, python=_python(arguments.venvs, name), recipe=arguments.recipe)

    packs = (sample(read_pack(folder, name), arguments.sample) for name in names)
    document = measure(first, rest, packs, open_, _say)
    return document, table(document, first)


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


def _python(venvs: str | None, name: str) -> str | None:
    """The interpreter of a peer's own environment, when there is one."""
    if venvs is None:
        return None
    own = os.path.join(os.path.abspath(venvs), name, "bin", "python")
    return own if os.path.exists(own) else None


def _say(text: str) -> None:
    """Progress: a line that begins with a return overwrites the one before, on a terminal only."""
    if not text.startswith("\r"):
        sys.stderr.write(text)
    elif sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text[1:]}")
    elif text.endswith("\n"):
        sys.stderr.write(text[1:])
    sys.stderr.flush()
