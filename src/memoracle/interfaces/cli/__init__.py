"""The command line: finds the verb, imports that verb alone, and translates errors into exits.

Data goes to stdout, talk goes to stderr. `interfaces/verbs.py` says which module holds a verb.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from memoracle.errors import BadInput, MemoracleError
from memoracle.interfaces.verbs import every_verb, groups, load, verb_named
from memoracle.registry import Verb

_USAGE = """usage: memoracle [--root PATH] VERB …

Long-term memory for AI agents that its owner can read, own and trust.

"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is returned."""
    words = [*(sys.argv[1:] if argv is None else argv)]
    wants_json = "--json" in words
    is_hook = _is_hook(words)
    try:
        status = _run(words)
        sys.stdout.flush()
        if is_hook and argv is None:
            os._exit(
                status
            )  # a host waits: there is nothing left to tidy, and tidying takes a tenth of the time
    except MemoracleError as error:
        if is_hook:
            return 0  # to a host, 2 means: stop the agent
        from memoracle.interfaces.cli.session import status_of

        _tell(error, wants_json=wants_json)
        return status_of(error)
    except BrokenPipeError:
        # The reader of our output has gone; that is its right. Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except RecursionError:
        if is_hook:
            return 0
        _tell(
            BadInput("what was given, or a file of this memory, nests too deeply to be read"),
            wants_json=wants_json,
        )
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped; what was acknowledged is kept\n")
        return 130
    return status


def _run(words: list[str]) -> int:
    root: str | None = None
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in {"-h", "--help"}:
            sys.stdout.write(help_text())
            return 0
        if option == "--version":
            from memoracle import __version__

            sys.stdout.write(f"memoracle {__version__}\n")
            return 0
        if option == "--root" or option.startswith("--root="):
            root = option.removeprefix("--root=") if "=" in option else words.pop(0) if words else ""
            if not root:  # an unset variable in a script must not mean another memory
                raise BadInput("--root names no folder", "memoracle --root PATH VERB …")
        else:
            raise BadInput(f"`{option}` is not an option here", "`memoracle --help` lists the verbs")
    if not words:
        sys.stderr.write(help_text())
        return 2
    if any("\ud800" <= ch <= "\udfff" for word in words for ch in word):
        raise BadInput("an argument is not UTF-8 text")
    name = words.pop(0)
    if name == "tend" and words == ["--heartbeat"] and _is_quiet(root):
        return 0  # what a scheduler asks a hundred times a day: nothing is parsed, opened or said
    if name == "hook" and words and not {"-h", "--help"} & {*words}:
        from memoracle.interfaces.hooks.entry import run_hook

        return run_hook(words, root)
    verb = verb_named(name)
    if verb is None:
        raise BadInput(f"there is no verb `{name}`", _nearest(name))
    return _run_verb(verb, name, words, root)


def _is_hook(words: Sequence[str]) -> bool:
    """True when the verb is `hook`, whatever stands before it."""
    rest = iter(words)
    for word in rest:
        if word == "--root":
            next(rest, None)
        elif not word.startswith("-"):
            return word == "hook"
    return False


def _is_quiet(root: str | None) -> bool:
    from memoracle.upkeep.schedule import quiet_here

    return bool(quiet_here(root, os.environ))


def _run_verb(verb: Verb, name: str, words: list[str], root: str | None) -> int:
    from memoracle.inference.blas import keep_blas_calm
    from memoracle.interfaces.cli.parser import Parser
    from memoracle.interfaces.cli.session import Session

    keep_blas_calm()  # before anything imports numpy: its threads make one question slower, not faster
    parser = Parser(prog=f"memoracle {name}", description=verb.help)
    add_arguments, run = load(verb)
    add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args(words)
    with Session(root=root, json=arguments.json) as session:
        return int(run(arguments, session))


def help_text() -> str:
    """The page that `--help` prints."""
    pages = [
        "\n".join([f"{group}:", *(f"  {verb.name:<14} {verb.help}" for verb in verbs)])
        for group, verbs in groups().items()
    ]
    closing = "\n`memoracle VERB --help` explains one. Every verb takes --json.\n"
    return _USAGE + "\n\n".join(pages) + "\n" + closing


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(
        name, [word for verb in every_verb() for word in (verb.name, *verb.aliases)], n=1
    )
    return f"did you mean `{near[0]}`?" if near else "`memoracle --help` lists the verbs"


def _tell(error: MemoracleError, *, wants_json: bool) -> None:
    from memoracle.interfaces.render import safe, to_json
    from memoracle.text import visible

    said = safe(str(error))
    sys.stderr.write(f"memoracle: {visible(said)}\n")
    hint = safe(error.hint) if error.hint else error.hint
    if hint:
        sys.stderr.write(f"\nhint: {visible(hint)}\n")
    if wants_json:
        document = {"error": {"code": error.code, "message": said, "hint": hint}}
        sys.stdout.write(to_json(document) + "\n")
