"""Commands of other designs under their own names: each runs as a verb, or says what to do; the page says the same."""

import argparse
import re
from pathlib import Path

import pytest

from memoracle.errors import BadInput
from memoracle.extensions.layouts.compat import known_as, rows, translated
from memoracle.interfaces.cli import load, main, verb_named
from memoracle.interfaces.cli.session import Parser
from support.processes import run_here, surroundings

PAGE = Path(__file__).parents[2] / "docs" / "coming-from-the-seeds.md"
PROFILE = "~/.agents/profiles/arena-profile-dynamic.toml"
QUIETLY = "--test-policy EXTEND --reply-to planner --no-notify"
CALLS = [
    *(f"openclaw skill run vm-memory-oracle --action {one}" for one in ("summarize", "consolidate")),
    *(f"openclaw skill run vm-memory-oracle --action {one}" for one in ("health-check", "quality-probe")),
    "python3 scan_environment.py --output ROOT",
    "python3 query_memory.py --status",
    "python3 query_memory.py --backlinks entity:taskid:ARENA-228",
    "python3 memory_write.py --kind decision --project install --title Npm --body Yes --author memory",
    "python3 query_memory.py --project install --kind decision --since 2026-04-01",
    "project add arena",
    "seat add builder",
    f"dispatch_task.py --profile {PROFILE} --source planner --target builder --task-id A-1 --title T --objective O {QUIETLY}",
    f"python3 complete_handoff.py --profile {PROFILE} --source builder --target planner --task-id A-1 --summary S",
    f"complete_handoff.py --ack-only --profile {PROFILE} --source builder --target planner --task-id A-1",
    f"memory_deliver.py --profile {PROFILE} --task-id A-2 --target planner --response-inline={{}}",
    "python3 extract_links.py --file page.md",
    "scan_index.py rebuild --project arena",
    "decision-log.py append arena A-1 Title Detail",
    "decision-log.py list arena",
    "python3 scripts/memory.py capture 用户对花生过敏 --type fact --importance 1.0 --entities 用户",
    "python3 scripts/memory.py consolidate --phase 2",
    "python3 scripts/memory.py consolidate --force",
    *(f"python3 scripts/memory.py {one}" for one in ("init", "status", "stats", "rebuild-index", "validate")),
    "bash scripts/health-check.sh",
]
"""As those designs write them; the order matters, and two of ours make what they presuppose."""


@pytest.mark.long
@pytest.mark.seed("S2.095", "S2.096", "S2.097", "S2.098", "S2.099", "S3.014")
def test_their_calls_do_it_here(tmp_path):
    """Every call of their documents that is one line here ends well, in one memory."""
    root = tmp_path / "memory"
    env = surroundings(HOME=str(tmp_path), MEMORACLE_ROOT=str(root))
    assert run_here("init", "--layout", "clawseat", root, env=env)[0] == 0
    failed = {}
    for call in CALLS:
        words = call.replace("ROOT", str(root)).split()
        own = [] if words[0] in {"project", "seat"} else ["compat"]
        status, out, err = run_here(*own, *words, env=env)
        if status:
            failed[call] = (status, out + err)
    assert failed == {}


@pytest.mark.parametrize("row", rows())
def test_every_row_names_a_verb_that_takes_its_flags(row):
    does = rows()[row]
    if "run" not in does:
        names = re.findall(r"`(?:memoracle )?([\w-]+)[^`]*`", does["does"])
        assert [name for name in names[:1] if verb_named(name) is None] == []
        return
    verb = verb_named(does["run"].split()[0])
    assert verb is not None
    taken = options(verb)
    wanted = {flag if isinstance(flag, str) else flag[1] for flag in does.get("flags", {}).values()}
    wanted |= {word for word in does["run"].split() if word.startswith("--")}
    assert wanted - taken - {"", "--root"} == set()


def options(verb):
    """All that a verb and its acts take."""
    parser = Parser(prog=verb.name)
    load(verb)[0](parser)
    left, found = [parser], set()
    while left:
        for action in left.pop()._actions:
            found |= {*action.option_strings}
            if isinstance(action, argparse._SubParsersAction):
                left += action.choices.values()
    return found


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            "query_memory.py --graph projects/arena/decision/foo --depth 2",
            "graph projects/arena/decision/foo --depth 2",
        ),
        ("query_memory.py --depth=2 --graph foo", "graph --depth 2 foo"),
        ("/opt/claw/memory_deliver.py --profile arena.toml --task-id T", "deliver --project arena --task T"),
        ("scan_environment.py --output /m", "--root /m scan machine"),
        ("complete_handoff.py --source a --ack-only --target b", "handoff consume --seat b"),
    ],
)
def test_flags_get_the_names_they_have_here(call, words):
    assert translated(call.split()) == words.split()


@pytest.mark.parametrize("call", ["nosuch.py", "query_memory.py --timeout 3", "atomic-write.sh x.md"])
def test_what_is_not_one_line_is_said(call):
    with pytest.raises(BadInput) as problem:
        translated(call.split())
    assert problem.value.hint


def test_a_verb_of_another_design_is_named(capsys):
    """Asked for by mistake, it says which verb does it; the page of help leaves `compat` out."""
    assert main(["health-check"]) == 2
    assert "`memoracle health` does it" in capsys.readouterr().err
    assert (known_as("health-check.sh").split()[1], known_as("helth")) == ("health`", "")
    main(["--help"])
    assert "compat" not in capsys.readouterr().out


def test_the_page_names_every_command_and_only_real_verbs():
    page = PAGE.read_text(encoding="utf-8")
    assert [row for row in rows() if row.split()[0] not in page or row.split()[-1] not in page] == []
    cells = re.findall(r"^\|.*\|(.*)\|$", page, re.MULTILINE)
    spans = [span.split() for cell in cells for span in re.findall(r"`([a-z][^`]*)`", cell)]
    verbs = [words for words in spans if re.fullmatch(r"[a-z-]+", words[0])]
    assert [words for words in verbs if verb_named(words[0]) is None] == []
    assert [
        words
        for words in verbs
        if {one for one in words if one.startswith("--")} - options(verb_named(words[0]))
    ] == []
