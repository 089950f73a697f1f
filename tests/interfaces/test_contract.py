"""What people's scripts rely on: one JSON document, exit codes, errors that say what to do."""

import json
import subprocess

import pytest

from memoracle.errors import (
    BadInput,
    Conflict,
    InvalidDraft,
    MemoracleError,
    MissingExtra,
    NoRoot,
    NotFound,
    NothingToUndo,
    Refused,
    RootLocked,
    UnknownRecord,
    VersionConflict,
)
from memoracle.interfaces.cli import every_verb
from memoracle.interfaces.cli.session import MEANING
from support.files import contents
from support.processes import PYTHON, run, surroundings
from support.questions import a_question

# One call of every verb that works on a root with one record; ID stands for its id.
EXAMPLES = {
    "init": ["init"],
    "remember": ["remember", "the dog is called Rex"],
    "ingest": ["ingest", "CHAT", "--no-embed"],
    "import": ["import", "CHAT"],
    "export": ["export", "OUT"],
    "sync": ["sync", "--init"],
    "embed": ["embed"],
    "consolidate": ["consolidate", "--force"],
    "recall": ["recall", "cat"],
    "search": ["search", "cat"],
    "context": ["context", "cat", "--after", "compact"],
    "recover": ["recover"],
    "note": ["note", "met Mei", "--type", "B"],
    "buffer": ["buffer", "add", "half of it is done"],
    "tags": ["tags", "add", "garden", "--because", "what grows"],
    "page": [
        "page",
        "write",
        "--kind",
        "plan",
        "--project",
        "arena",
        "--seat",
        "planner",
        "--title",
        "x",
        "--body",
        "y",
    ],
    "decision": ["decision", "log", "append", "arena", "T-1", "Use SQLite", "One file is enough"],
    "seat": ["seat", "list"],
    "verify": ["verify", "RESPONSE"],
    "deliver": [
        "deliver",
        "--project",
        "arena",
        "--task",
        "T-1",
        "--to",
        "planner",
        "--answer",
        "it is done",
    ],
    "handoff": ["handoff", "list"],
    "project": ["project", "add", "arena"],
    "get": ["get", "--status"],
    "federate": ["federate", "cat"],
    "synthesize": ["synthesize", "--project", "PAGES"],
    "resident": ["resident"],
    "roots": ["roots"],
    "show": ["show", "ID"],
    "list": ["list"],
    "edit": ["edit", "ID", "the cat is called Sesame"],
    "pin": ["pin", "ID"],
    "supersede": ["supersede", "ID", "the cat is called Sesame"],
    "archive": ["archive", "ID"],
    "reactivate": ["reactivate", "ARCHIVED"],
    "backup": ["backup", "OUT.tar"],
    "restore": ["restore", "BACKUP", "--to", "OUT"],
    "notify": ["notify", "cat", "--test"],
    "forget": ["forget", "ID", "--yes"],
    "purge": ["purge", "ID", "--yes"],
    "trash": ["trash"],
    "inspect": ["inspect", "ID"],
    "why": ["why", "ID"],
    "history": ["history", "ID"],
    "undo": ["undo"],
    "flush": ["flush", "CHAT"],
    "flush-check": ["flush-check", "--tokens", "176000", "--cycle", "1"],
    "prune": ["prune", "CHAT", "--dry-run"],
    "snapshot": ["snapshot", "--audience", "group", "--budget", "500"],
    "digest": ["digest"],
    "review": ["review"],
    "pending": ["pending"],
    "inbox": ["inbox"],
    "accept": ["accept", "QUESTION"],
    "reject": ["reject", "QUESTION"],
    "policy": ["policy", "test", "the cat is called Miso"],
    "entity": ["entity"],
    "links": ["links", "--orphans"],
    "backlinks": ["backlinks", "ID"],
    "graph": ["graph", "ID", "--depth", "2"],
    "path": ["path", "ID", "ID"],
    "scan": ["scan", "project", "--project", "arena", "--repo", "."],
    "reply-language": ["reply-language", "please look at the numbers"],
    "intake": ["intake", "make it better"],
    "compact-advice": ["compact-advice", "the cat is called Miso"],
    "drift": ["drift", "--project", "STAR"],
    "archive-hot": ["archive-hot"],
    "tend": ["tend"],
    "setup": ["setup", "--dry-run"],
    "install": ["install", "cron", "--print"],
    "health": ["health"],
    "probe": ["probe"],
    "status": ["status"],
    "stats": ["stats"],
    "check": ["check"],
    "audit": ["audit", "verify"],
    "repair": ["repair"],
    "fold": ["fold"],
    "encrypt": ["encrypt", "--dry-run"],
    "decrypt": ["decrypt", "--yes"],
    "unlock": ["unlock"],
    "keys": ["keys"],
    "rebuild-index": ["rebuild-index"],
}
# Verbs that do not answer once and end, or have a contract of their own.
OTHERS = {"mcp", "serve", "web", "hook", "bench", "lock", "doctor", "leave", "compat"}


@pytest.fixture
def example(cli, made, root, tmp_path):
    """The words of a verb's example with its placeholders filled in."""
    cold = cli("remember", "something cold", "--json").json["id"]
    cli("archive", cold)
    chat = tmp_path / "chat.md"
    chat.write_text("User: I am allergic to peanuts.\n\nAssistant: I will remember that.\n")

    def words(verb):
        out = str(tmp_path / "out")
        places = {"ID": made, "ARCHIVED": cold, "CHAT": str(chat), "OUT": out, "OUT.tar": f"{out}.tar"}
        if "BACKUP" in EXAMPLES[verb]:
            places["BACKUP"] = str(tmp_path / "kept.tar")
            cli("backup", places["BACKUP"])
        if "RESPONSE" in EXAMPLES[verb]:
            places["RESPONSE"] = str(root.parent / "response.json")
            (root.parent / "response.json").write_text('{"answer": "yes", "claims": []}')
        if "PAGES" in EXAMPLES[verb]:
            places["PAGES"] = "arena"
            cli(*EXAMPLES["page"])
        if "STAR" in EXAMPLES[verb]:
            places["STAR"] = "arena"
            (root / "projects/arena").mkdir(parents=True, exist_ok=True)
            (root / "projects/arena/north-star.toml").write_text('goal = "a quiet arena"\n')
        if "QUESTION" in EXAMPLES[verb]:
            places["QUESTION"] = a_question(root, made)
        return [places.get(word, word) for word in EXAMPLES[verb]]

    return words


def test_every_verb_has_an_example():
    """A new verb comes with one, so that everything below holds for it too."""
    assert {verb.name for verb in every_verb()} - OTHERS - EXAMPLES.keys() == set()


@pytest.mark.parametrize("verb", EXAMPLES)
def test_json_is_exactly_one_document(cli, example, verb):
    """`--json` on every verb prints one JSON object on one line, and nothing else on stdout."""
    done = cli(*example(verb), "--json")
    assert (done.status, isinstance(done.json, dict)) == (0, True)


@pytest.mark.long
@pytest.mark.parametrize("verb", EXAMPLES)
def test_every_verb_runs_in_a_process_of_its_own(root, example, verb):
    """As a shell starts it: with nothing imported before, by its exit, and without a word of Python."""
    status, out, err = run(
        "--root", root, *example(verb), "--json", env=surroundings(MEMORACLE_RECIPE="quick")
    )
    assert (status, isinstance(json.loads(out), dict), "Traceback" in err) == (0, True, False), err


@pytest.mark.parametrize("verb", EXAMPLES)
def test_every_verb_speaks_to_people_too(cli, example, verb):
    """Without `--json` there is text, and no JSON."""
    done = cli(*example(verb))
    assert (done.status, bool(done.out.strip()), done.out.lstrip()[:1] in {"{", "["}) == (0, True, False)


@pytest.mark.parametrize("verb", sorted(name for verb in every_verb() for name in (verb.name, *verb.aliases)))
def test_every_verb_explains_itself(cli, verb, capsys):
    """`--help` names every option."""
    with pytest.raises(SystemExit) as caught:
        cli(verb, "--help")
    assert (caught.value.code, "--json" in capsys.readouterr().out) == (0, True)


def test_the_help_page_names_every_verb(cli):
    """One line each."""
    page, shown = cli("--help", at=None), [verb for verb in every_verb() if not verb.is_hidden]
    assert (page.status, [verb.name for verb in shown if f"  {verb.name} " not in page.out]) == (0, [])


# Shapes


@pytest.mark.seed("S2.097")
def test_the_shape_of_remember(cli):
    """One thing: id, created, path, line."""
    document = cli("remember", "x", "--json").json
    assert (document["created"], document["path"], document["line"]) == (True, "records/facts.jsonl", 1)


@pytest.mark.seed("C-27", "S4.036")
@pytest.mark.parametrize("verb", ["recall", "search"])
def test_the_shape_of_an_answer(cli, made, verb):
    """status and hits, each with its evidence."""
    document = cli(verb, "cat", "--json").json
    (hit,) = document["hits"]
    assert (document["status"], hit["id"], hit["cite"]) == ("found", made, "records/facts.jsonl#L1")


@pytest.mark.parametrize("words", [["list"], ["history", "ID"], ["undo"], ["fold", "--dry-run"]])
def test_many_things_are_items(cli, made, words):
    """`{"items": […]}`."""
    document = cli(*[made if word == "ID" else word for word in words], "--json").json
    assert isinstance(document["items"], list)


def test_explain_shows_every_stage(cli, made):
    """The trace is part of the document when it is asked for."""
    assert len(cli("search", "cat", "--explain", "--json").json["trace"]) >= 3
    assert "trace" not in cli("search", "cat", "--json").json


# Exits


@pytest.mark.seed("F-30", "C-27", "S1.112")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["status"], 0),
        (["recall", "cat"], 0),
        (["recall", "submarine"], 3),
        (["search", "submarine"], 3),
        (["show", "mem_NOPE"], 3),
        (["archive", "mem_NOPE"], 3),
        ([], 2),
        (["no-such-verb"], 2),
        (["--no-such-option", "status"], 2),
        (["status", "--no-such-option"], 2),
        (["recall"], 2),
        (["recall", "cat", "--limit", "0"], 2),
        (["recall", "cat", "--limit", "ten"], 2),
        (["recall", "cat", "--since", "yesterday"], 2),
        (["recall", "cat", "--as-of", "2026-02-30"], 2),
        (["recall", "cat", "--project", "../up"], 2),
        (["remember"], 2),
        (["remember", ""], 2),
        (["remember", "x", "--type", "rumour"], 2),
        (["remember", "x", "--importance", "high"], 2),
        (["remember", "x", "--expires", "soon"], 2),
        (["remember", "x", "--seat", "a/b"], 2),
        (["edit", "ID"], 2),
        (["edit", "ID", "new words", "--expect", "7"], 6),
        (["forget"], 2),
        (["forget", "--last", "long"], 2),
        (["forget", "--origin", "owner"], 2),
        (["restore", "ID"], 5),
        (["undo", "op_NOPE"], 1),
        (["init", "--layout", "nowhere"], 2),
        (["recall", "\ud800"], 2),
    ],
)
def test_exit_codes(cli, made, words, status):
    """0 done, 1 failed, 2 usage, 3 not in memory, 5 refused, 6 conflict."""
    assert cli(*[made if word == "ID" else word for word in words]).status == status


def test_no_root_is_a_failure(cli, tmp_path):
    """Exit 1, and a hint how to make one."""
    done = cli("status", at=tmp_path / "nowhere")
    assert (done.status, "hint: `memoracle init`" in done.err) == (1, True)


def test_damage_makes_check_fail(cli, made, root):
    """Exit 1 when a finding is an error, 0 after it was mended."""
    with (root / "records/facts.jsonl").open("ab") as file:
        file.write(b"garbage\n")
    statuses = [cli(*words).status for words in (["check"], ["validate", "--json"], ["repair"], ["check"])]
    assert statuses == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MemoracleError("x"), 1),
        (NoRoot("x"), 1),
        (NothingToUndo("x"), 1),
        (RootLocked("x", holder="y", waited=1), 1),
        (MissingExtra("mcp", "mcp"), 1),
        (BadInput("x"), 2),
        (InvalidDraft("x"), 2),
        (NotFound("x"), 3),
        (UnknownRecord("x"), 3),
        (Refused("x"), 5),
        (Conflict("x"), 6),
        (VersionConflict("x", expected=1, found=2), 6),
    ],
)
def test_errors_have_their_exits(error, status):
    """The family of an error decides."""
    assert error.status == status


def test_every_exit_has_a_meaning():
    """0 to 8, as the contract lists them."""
    assert sorted(MEANING) == list(range(9))


# Errors

BAD_CALLS = [
    ["show", "mem_NOPE"],
    ["remember", ""],
    ["remember", "x", "--type", "rumour"],
    ["remember", "x", "--project", "../../up"],
    ["remember", "x" * 100_001],
    ["remember", "x", "--subject", "s" * 501],
    ["remember", "x", "--since", "never"],
    ["edit", "ID", "--importance", "much"],
    ["edit", "ID", "--text", "  "],
    ["edit", "ID", "the cat is called Miso"],
    ["supersede", "ID", " "],
    ["supersede", "mem_NOPE", "x"],
    ["restore", "ID"],
    ["forget", "ID", "mem_NOPE"],
    ["forget", "--origin", "owner"],
    ["pin", "mem_NOPE"],
    ["undo", "op_NOPE"],
    ["edit", "ID", "new", "--expect", "9"],
    ["ingest", "/no/such/place"],
]


@pytest.mark.seed("S0.036", "S2.097")
@pytest.mark.parametrize("words", BAD_CALLS, ids=lambda words: " ".join(words)[:40])
def test_bad_input_changes_nothing(cli, made, root, words):
    """One sentence, usually a hint, an exit above 0, and not a byte of the root is different."""
    cli("search", "cat")
    before = contents(root)
    done = cli(*[made if word == "ID" else word for word in words])
    said = done.err.strip().split("\n\nhint: ")
    assert (done.status > 0, done.out, contents(root)) == (True, "", before)
    assert said[0].startswith("memoracle: ")
    assert "\n" not in said[0]
    assert "Traceback" not in done.err


def test_an_error_with_json_is_a_document_too(cli):
    """Code, message and hint; the talk still goes to stderr."""
    done = cli("show", "mem_NOPE", "--json")
    error = done.json["error"]
    assert (error["code"], error["message"] in done.err, error["hint"] in done.err) == (
        "unknown-record",
        True,
        True,
    )


def test_a_mistyped_verb_gets_a_suggestion(cli):
    """The nearest verb is offered."""
    assert "did you mean `remember`?" in cli("rember", "x").err


# Old names


@pytest.mark.seed("S2.097")
def test_the_words_of_the_second_seed(cli):
    """`capture TEXT --type --importance --confidence --entities a,b`."""
    words = ["capture", "she may like oolong", "--type", "belief", "--importance", "0.8"]
    done = cli(*words, "--confidence", "0.4", "--entities", "Mei，tea", "--json").json
    record = cli("show", done["id"], "--json").json
    said = (record["kind"], record["importance"], record["confidence"], record["entities"])
    assert said == ("belief", 0.8, 0.4, ["Mei", "tea"])


@pytest.mark.seed("S2.099")
@pytest.mark.parametrize("words", [["validate"], ["rebuild-index"], ["status"], ["stats"]])
def test_commands_of_the_second_seed_exist(cli, made, words):
    """validate, rebuild-index, status and stats."""
    assert cli(*words, "--json").status == 0


@pytest.mark.seed("S2.099")
def test_archiving_an_unknown_id_says_so(cli):
    """Not found, exit 3."""
    done = cli("archive", "f_20260515_001")
    assert (done.status, "no record answers to" in done.err) == (3, True)


@pytest.mark.seed("S2.097")
def test_importance_outside_is_clamped_with_a_note(cli):
    """Kept, and mentioned on stderr."""
    done = cli("remember", "x", "--importance", "7", "--json")
    assert (cli("show", done.json["id"], "--json").json["importance"], "importance 7" in done.err) == (
        1.0,
        True,
    )


@pytest.mark.seed("S2.095", "S2.017")
def test_init_twice_changes_nothing(cli, root):
    """What exists is never touched."""
    before = contents(root)
    again = cli("init", "--json").json
    assert (again["created"], contents(root)) == (False, before)


# Batches


def batch(cli, *lines, words=()):
    return cli("remember", "--stdin", "--json", *words, stdin=b"\n".join(lines))


def test_a_batch_of_objects_and_plain_lines(cli):
    """One JSON object or one plain text per line, in one acknowledgement."""
    document = batch(
        cli, b'{"text": "one", "type": "belief", "tags": ["a"]}', "二".encode(), b"", b"three\r"
    ).json
    texts = [cli("show", item["id"], "--json").json["text"] for item in document["items"]]
    assert (texts, document["created"], document["errors"]) == (["one", "二", "three"], 3, [])


BAD_LINES = [
    b"{not json",
    b'{"text": 5}',
    b'{"text": ""}',
    b'{"text": "x", "surprise": 1}',
    b'{"text": "x", "type": "rumour"}',
    b'{"text": "x", "type": ["fact"]}',
    b'{"text": "x", "project": 5}',
    b'{"text": "x", "project": "../up"}',
    b'{"text": "x", "pinned": "no"}',
    b'{"text": "x", "importance": "high"}',
    b'{"text": "x", "importance": true}',
    b'{"text": "x", "tags": 5}',
    b'{"text": "x", "tags": [5]}',
    b'{"text": "x", "expires": 5}',
    b'{"text": "x", "expires": "soon"}',
    b'{"text": "x", "who": {}}',
    b'{"text": "\\ud800"}',
    b'{"text": "x", "idempotency_key": 5}',
    b"\xff\xfe",
    b'{"text": ' + b"[" * 100_000,
    b'{"text": ' + b"9" * 10_000 + b"}",
    b'{"a": 1}',
]


@pytest.mark.parametrize("line", BAD_LINES, ids=lambda line: line[:32].decode("ascii", "replace"))
def test_a_bad_line_does_not_cost_the_others(cli, line):
    """The good lines are kept, the bad one is named by number, the exit is 1."""
    done = batch(cli, b"first", line, b"third")
    said = [hit["text"] for hit in cli("list", "--json").json["items"]]
    assert (done.status, sorted(said), [error["line"] for error in done.json["errors"]]) == (
        1,
        ["first", "third"],
        [2],
    )


def test_flags_are_the_defaults_of_a_batch(cli):
    """A line's own fields go before the call's flags."""
    items = batch(
        cli, b'{"text": "a"}', b'{"text": "b", "project": "own"}', words=["--project", "arena"]
    ).json["items"]
    projects = [cli("show", item["id"], "--json").json["scope"]["project"] for item in items]
    assert projects == ["arena", "own"]


def test_nothing_on_stdin_is_nothing(cli, root):
    """An empty batch is no error and writes nothing."""
    before = contents(root)
    assert (batch(cli).status, contents(root)) == (0, before)


# Consent


def test_forgetting_by_filter_needs_consent(cli, made, root):
    """Without --yes and without a terminal nothing happens; --dry-run shows what would."""
    cli("search", "cat")
    before = contents(root)
    plan = cli("forget", "--origin", "owner", "--dry-run", "--json").json
    refused = cli("forget", "--origin", "owner")
    assert ([step["target"] for step in plan["items"]], refused.status, contents(root)) == ([made], 2, before)
    assert cli("forget", "--origin", "owner", "--yes").status == 0


@pytest.mark.parametrize("verb", ["fold", "repair", "forget"])
def test_a_dry_run_changes_nothing(cli, made, root, verb):
    """The plan is printed, every step has a reason."""
    cli("edit", made, "the cat is called Sesame")
    cli("search", "cat")
    before = contents(root)
    words = [verb, made] if verb == "forget" else [verb]
    document = cli(*words, "--dry-run", "--json").json
    assert (document["dry_run"], all(step["because"] for step in document["items"])) == (True, True)
    assert contents(root) == before


# Where the root is


@pytest.mark.seed("C-10")
def test_the_root_stands_before_the_verb(cli, root):
    """`--root PATH` and `--root=PATH`; after the verb it is no option."""
    assert cli(f"--root={root}", "status", at=None).status == 0
    assert cli("status", "--root", root, at=None).status == 2


@pytest.mark.parametrize("words", [["--root", "", "status"], ["--root=", "status"], ["--root"]])
def test_an_empty_root_is_refused(cli, words, monkeypatch, root):
    """An unset variable in a script must not mean another memory."""
    monkeypatch.setenv("MEMORACLE_ROOT", str(root))
    assert cli(*words, at=None).status == 2


def test_the_variable_names_a_root(cli, root, monkeypatch):
    """MEMORACLE_ROOT, when no flag is given."""
    monkeypatch.setenv("MEMORACLE_ROOT", str(root))
    assert cli("status", "--json", at=None).json["root"] == str(root)


def test_the_nearest_ancestor_is_found(cli, root, monkeypatch):
    """A call from inside a root works on it."""
    monkeypatch.chdir(root / "notes/semantic")
    assert cli("status", "--json", at=None).json["root"] == str(root)


# Hidden characters

HOSTILE = "red \x1b[31m alert\x07 \u202egnp\u202c zero\u200bwidth"


@pytest.mark.parametrize("verb", ["recall", "search", "show", "list", "history"])
def test_hidden_characters_are_spelled_out_for_people(cli, verb):
    """No escape sequence or direction mark reaches a terminal; JSON carries the text as it is."""
    made = cli("remember", HOSTILE, "--tags", "a\x1bb", "--json").json["id"]
    cli("accept", made)  # it is set apart, as hidden text is
    words = [verb, *([] if verb == "list" else [made] if verb in {"show", "history"} else ["alert"])]
    shown, document = cli(*words), cli(*words, "--json")
    assert [ch for ch in "\x1b\x07\u202e\u202c\u200b" if ch in shown.out + shown.err] == []
    assert "\\x1b[31m alert" in shown.out
    assert HOSTILE in _strings(document.json)


def _strings(value):
    if isinstance(value, dict):
        return [text for item in value.values() for text in _strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return [value]


def test_hidden_characters_in_errors_are_spelled_out(cli):
    """What was typed comes back harmless."""
    done = cli("show", "\x1b[2Jgone")
    assert ("\x1b" in done.err, "\\x1b[2Jgone" in done.err) == (False, True)


# Real processes


@pytest.fixture
def shell(root):
    """Runs one command as a process of its own."""

    def call(*words, **options):
        return run("--root", root, *words, env=surroundings(MEMORACLE_RECIPE="quick"), **options)

    return call


def test_a_real_process_keeps_and_finds(shell):
    """Kept by one process, found by the next."""
    status, out, _ = shell("remember", "我对花生过敏", "--json")
    kept = json.loads(out)
    status, out, err = shell("recall", "花生", "--json")
    assert (status, json.loads(out)["hits"][0]["id"], err) == (0, kept["id"], "")


def test_a_real_process_reports_not_found(shell):
    """Exit 3 and the status in the document."""
    status, out, _ = shell("recall", "submarine", "--json")
    assert (status, json.loads(out)["status"]) == (3, "not_in_memory_db")


def test_a_real_process_takes_a_batch(shell):
    """From a pipe."""
    status, out, _ = shell("remember", "--stdin", "--json", stdin=b'one\n{"text": "two"}\n{bad\n')
    assert (status, json.loads(out)["created"]) == (1, 2)


def test_bytes_that_are_no_text_are_refused(root):
    """Arguments that are not UTF-8 get a sentence, not a traceback."""
    done = subprocess.run(
        [PYTHON, "-m", "memoracle", "--root", str(root), "recall", b"\xff\xfe", "--json"],
        capture_output=True,
        check=False,
        env=surroundings(),
    )
    assert (done.returncode, b"Traceback" in done.stderr, json.loads(done.stdout)["error"]["code"]) == (
        2,
        False,
        "bad-input",
    )


@pytest.mark.parametrize("many", [1, 400])
def test_a_reader_that_leaves_is_no_error(shell, root, many):
    """`memoracle list | head -0` ends quietly, whether the output was short or long."""
    shell("remember", "--stdin", stdin=b"\n".join(b"line %d " % n + b"x" * 200 for n in range(many)))
    done = subprocess.run(
        [
            "bash",
            "-c",
            f'set -o pipefail; "{PYTHON}" -m memoracle --root "{root}" list --limit 1000 --json | true',
        ],
        capture_output=True,
        text=True,
        check=False,
        env=surroundings(),
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.seed("S0.120", "C-19")
def test_nothing_opens_a_socket(root):
    """Keeping and finding need no network: a Python that cannot open sockets does both."""
    code = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise AssertionError('a socket was opened')\n"
        "socket.socket = socket.create_connection = refuse\n"
        "from memoracle.interfaces.cli import main\n"
        "root = sys.argv[1]\n"
        "sys.exit(main(['--root', root, 'remember', 'the cat is called Miso']) or main(['--root', root, 'recall', 'cat']))"
    )
    env = surroundings(MEMORACLE_RECIPE="quick")
    done = subprocess.run(
        [PYTHON, "-c", code, str(root)], capture_output=True, text=True, check=False, env=env
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_that_is_gone_stops_no_command(root, tmp_path):
    """Who stands in a folder that somebody removed can still name a memory."""
    gone = tmp_path / "gone"
    gone.mkdir()
    code = (
        "import os, sys; os.rmdir(os.getcwd()); from memoracle.interfaces.cli import main;"
        " sys.exit(main(['--root', sys.argv[1], 'status']))"
    )
    done = subprocess.run(
        [PYTHON, "-c", code, str(root)], cwd=gone, capture_output=True, check=False, env=surroundings()
    )
    assert (done.returncode, done.stderr) == (0, b"")
