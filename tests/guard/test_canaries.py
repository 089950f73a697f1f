"""A dozen secrets through every verb, every hook and every tool; then every byte on the disk and every word printed.

`test_canary.py` does the same for remembering and for the transcripts of every host, family by family.
"""

import io
import json
import os
import sys

import pytest

from interfaces.hooks.conftest import Home
from memoracle.compose import init, open_memory
from memoracle.errors import MemoracleError
from memoracle.extensions.seats.mcp import PAGE
from memoracle.interfaces.cli import main
from memoracle.interfaces.mcp.changing import SAVE, UPDATE
from memoracle.interfaces.mcp.fetching import GET
from memoracle.interfaces.mcp.finding import CONTEXT, SEARCH
from memoracle.interfaces.mcp.tool import Caller
from support.files import PLAIN, write

from .samples import TOKENS, a_private_key
from .test_canary import everything_under

FAMILIES = (
    "openai-key", "anthropic-key", "github-token", "aws-key-id", "google-key", "slack-token", "stripe-key", "npm-token",
    "telegram-token", "jwt", "huggingface-token", "gitlab-token",
)  # fmt: skip
PLANTED = [TOKENS[name] for name in FAMILIES]
SAID = "Deploy with " + " and ".join(PLANTED)
CANARIES = [*(token.rpartition("/")[2] for token in PLANTED), "Blue$Fish9x"]
KEY_LINES = a_private_key().split("\n")[1:-1]


def seen_in(text):
    """The canaries that stand in a text."""
    return [
        canary for canary in (*CANARIES, *KEY_LINES) if canary in text or json.dumps(canary)[1:-1] in text
    ]


def seen_under(root, *, theirs=()):
    """Which canaries stand where under a folder; `theirs` are files that somebody else wrote there."""
    wanted = [canary.encode() for canary in (*CANARIES, *KEY_LINES)]
    return [
        (place, canary)
        for place, content in everything_under(root)
        if place not in theirs
        for canary in wanted
        if canary in content
    ]


@pytest.fixture
def shell(root, capsys, monkeypatch):
    """Runs the command line here; everything it ever printed is remembered."""
    monkeypatch.setenv("MEMORACLE_RECIPE", "quick")
    monkeypatch.setenv("MEMORACLE_EMBEDDER", "none")
    printed = []

    def run(*words, stdin=""):
        given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", given)
        try:
            status = main(["--root", str(root), *map(str, words)])
        except SystemExit as ended:
            status = ended.code
        out, err = capsys.readouterr()
        printed.append((words[:3], status, out + err))
        return status, out

    run.printed = printed
    return run


def told(shell):
    """What was printed with a canary in it."""
    return [(words, seen_in(text)[:2]) for words, _, text in shell.printed if seen_in(text)]


COMMANDS = (
    ("remember", SAID, "--tags", "ops", "--who", SAID[:200], "--sources", SAID[:200]),
    ("remember", "", "--key", "db_password", "--value", "Blue$Fish9x"),
    ("note", SAID, "--heading", SAID[:120], "--entity", SAID[:60]),
    ("note", SAID, "--to", "infrastructure"),
    ("note", "--close", "--decisions", SAID, "--signal", SAID, "--open", SAID),
    ("buffer", "add", SAID),
    ("tags", "add", "garden", "--because", SAID),
    ("edit", "ID", SAID, "--because", SAID),
    ("supersede", "ID", f"{SAID} now", "--because", SAID),
    ("page", "write", "--kind", "finding", "--project", "arena", "--seat", "builder", "--title", SAID[:200], "--body", SAID,
     "--evidence", json.dumps([{"trust": "high", "source_url": f"https://x.example/?token={PLANTED[0]}"}])),
    ("page", "write", "--kind", "plan", "--project", "arena", "--seat", "planner", "--title", "x", "--body", SAID),
    ("decision", "log", "append", "arena", "T-1", SAID[:200], SAID, "--reason", SAID),
    ("seat", "add", "porter", "--because", SAID),
    ("project", "add", "arena", "--because", SAID),
    ("synthesize", "--project", "arena", SAID[:100]),
    ("deliver", "--project", "arena", "--task", "T-1", "--to", "planner", "--answer", SAID, "--summary", SAID),
    ("deliver", "--project", "arena", "--task", "T-2", "--to", "planner", "--response-inline",
     json.dumps({"query_id": "q", "answer": SAID, "claims": [{"statement": SAID, "evidence": [{"excerpt": SAID}]}]})),
    ("deliver", "--project", "arena", "--task", "T-2", "--to", "planner", "--response-inline", f'{{"answer": {SAID}'),
    ("handoff", "dispatch", "--project", "arena", "--task", "T-3", "--from", "planner", "--to", "builder", "--title",
     SAID[:200], "--objective", SAID, "--test-policy", "N/A", "--docs-skip", SAID),
    ("handoff", "complete", "--project", "arena", "--task", "T-3", "--seat", "builder", "--summary", SAID),
    ("policy", "test", SAID),
    ("recall", SAID),
    ("search", SAID, "--explain"),
    ("search", SAID, "--explain", "--json"),
    ("policy", "test", SAID, "--json"),
    ("context", SAID, "--after", "compact"),
    ("get", "--search", PLANTED[0]),
    ("get", SAID[:80]),
    ("federate", SAID),
    ("graph", "ID", "--depth", "2"),
    ("backlinks", SAID[:60]),
    ("show", PLANTED[0]),
    ("entity", SAID[:60]),
    ("intake", SAID),
    ("compact-advice", SAID),
    ("reply-language", SAID),
    ("inbox",), ("review",), ("pending",), ("audit", "verify"), ("audit", "show"), ("check",), ("health",),
    ("stats",), ("status",), ("digest",), ("snapshot",), ("fold",), ("list",), ("recover",), ("archive-hot",),
)  # fmt: skip


@pytest.mark.seed("F-20", "S4.087", "S1.226")
def test_no_verb_leaves_a_secret(shell, root, tmp_path):
    """Words, names, reasons, titles, evidence, claims, questions; on the disk and on the screen."""
    _, out = shell("remember", "the cat is called Miso", "--json")
    record = json.loads(out)["id"]
    for words in COMMANDS:
        shell(*(record if word == "ID" else word for word in words))
    done = [words[0] for words, status, _ in shell.printed if status == 0]
    assert set(done) >= {
        "remember",
        "note",
        "buffer",
        "edit",
        "page",
        "decision",
        "policy",
        "context",
        "audit",
    }
    assert (told(shell), seen_under(root)) == ([], [])
    for target in ("markdown", "jsonl", "openclaw"):
        shell("export", tmp_path / f"out-{target}", "--to", target)
    assert seen_under(tmp_path, theirs=()) == []
    assert told(shell) == []


@pytest.mark.seed("F-20", "S4.087")
def test_no_file_that_is_taken_in_leaves_a_secret(shell, root, tmp_path):
    """Conversations, imports, batches, scans, damaged lines; what cannot be read is named without its words."""
    chat = tmp_path / "chat.jsonl"
    lines = [{"role": "user", "content": f"{SAID}. I live in Boston.", "timestamp": "2026-05-14T10:00:00Z"}]
    lines.append(
        {
            "role": "user",
            "content": f"my key\n{a_private_key()}\nthat is it",
            "timestamp": "2026-05-14T10:01:00Z",
        }
    )
    chat.write_text(
        "".join(json.dumps(line) + "\n" for line in lines) + f'{{"role": "user", "content": {SAID}\n', "utf-8"
    )
    shell("ingest", chat, "--no-embed", "--keep")
    shell("flush", chat)
    shell("consolidate", "--force")
    export = tmp_path / "mem0.json"
    export.write_text(
        json.dumps({"results": [{"id": PLANTED[0], "memory": SAID, "metadata": {"note": SAID}}]}), "utf-8"
    )
    shell("import", export)
    broken = tmp_path / "broken.json"
    broken.write_text(f'{{"results": [{SAID}', "utf-8")
    shell("import", broken, "--from", "mem0")
    markdown = tmp_path / "MEMORY.md"
    markdown.write_text(
        f"# Mine\n\n- {SAID}\n\n## {SAID[:100]}\n\n- x <!-- importance: {PLANTED[0]} -->\n", "utf-8"
    )
    shell("import", markdown, "--from", "markdown")
    shell(
        "remember",
        "--stdin",
        stdin=json.dumps({"text": SAID, "kind": PLANTED[0]}) + f'\n{{"text": "{SAID}\n{SAID}\n',
    )
    shell("remember", "x", "--type", PLANTED[1])
    shell("verify", "-", stdin=f'{{"claims": [{SAID}')
    shell("verify", "-", "--json", stdin=json.dumps({"answer": SAID, "claims": [{"statement": SAID}]}))
    shell(
        "verify", "-", stdin=json.dumps({"answer": SAID, "claims": [{"statement": SAID, "confidence": SAID}]})
    )
    repo, home = tmp_path / "repo", tmp_path / "home"
    write(repo, ".env", "".join(f"KEY_{at}={token}\n" for at, token in enumerate(PLANTED)))
    write(repo, "pyproject.toml", f'[project]\nname = "arena"\ndescription = "{SAID}"\n')
    write(repo, ".github/workflows/ci.yml", f"on: push\nenv:\n  TOKEN: {PLANTED[2]}\n")
    write(home, ".env", f"OPENAI_API_KEY={PLANTED[0]}\n")
    write(home, ".openclaw/openclaw.json", json.dumps({"auth": {"token": PLANTED[3]}, "note": SAID}))
    write(home, ".config/gh/hosts.yml", f"github.com:\n  user: mei\n  oauth_token: {PLANTED[2]}\n")
    os.environ["HOME"], before = str(home), os.environ["HOME"]
    try:
        shell("scan", "project", "--project", "arena", "--repo", repo, "--depth", "deep")
        shell("scan", "machine")
        shell("scan", "diff", "--project", "arena")
        shell("get", "--search", "token")
        shell("drift", "--project", "arena")
    finally:
        os.environ["HOME"] = before
    records = root / "records/facts.jsonl"
    with records.open("a", encoding="utf-8") as file:
        file.write("{ torn line of nobody\n")
    for words in (
        ("check",),
        ("repair",),
        ("audit", "show"),
        ("tend",),
        ("rebuild-index",),
        ("sync", "--init"),
    ):
        shell(*words)
    assert {words[0] for words, status, _ in shell.printed if status == 0} >= {
        "ingest",
        "consolidate",
        "scan",
        "audit",
    }
    assert (told(shell), seen_under(root)) == ([], [])


@pytest.mark.seed("F-20", "S4.087")
def test_no_tool_leaves_a_secret(root):
    """What agents save, update, ask and write over MCP: neither kept nor repeated, not even in a refusal."""
    caller, heard = Caller(name="host"), []
    with open_memory(str(root), environment=PLAIN) as memory:
        kept = memory.remember("the cat is called Miso").id
        calls = (
            (SAVE, {"text": SAID, "tags": [SAID[:100]], "session": SAID[:80], "idempotencyKey": SAID[:80]}),
            (SAVE, {"text": "x", "project": PLANTED[0]}),
            (UPDATE, {"id": kept, "text": SAID, "because": SAID, "askedByOwner": True}),
            (UPDATE, {"id": PLANTED[1], "text": SAID}),
            (SEARCH, {"query": SAID}),
            (GET, {"id": PLANTED[2]}),
            (CONTEXT, {"prompt": SAID}),
            (PAGE, {"act": "write", "kind": "finding", "project": "arena", "seat": "builder", "title": SAID[:99], "body": SAID}),
        )  # fmt: skip
        for tool, given in calls:
            try:
                heard.append(
                    json.dumps(tool.run(memory, given, caller).document, ensure_ascii=False, default=str)
                )
            except (MemoracleError, KeyError) as problem:
                from memoracle.interfaces.render import safe

                heard.append(safe(str(problem)))
        memory.consolidate(force=True)
    assert len(heard) == len(calls)
    assert [seen_in(text) for text in heard if seen_in(text)] == []
    assert seen_under(root) == []


@pytest.mark.seed("F-20", "S4.087")
def test_no_hook_leaves_a_secret(tmp_path):
    """Every event, markers among them; then the spool, the log of hooks and everything the worker made of it."""
    home = Home(tmp_path)
    init(str(home.root), environment={})
    transcript = tmp_path / ".claude/projects/-home-mei-app/s1.jsonl"
    transcript.parent.mkdir(parents=True)
    marks = f"[memory: save {SAID}] [memory: deliver T-1 to planner: {SAID}] [memory: compact-me]"
    entries = [
        {"parentUuid": None, "isSidechain": False, "sessionId": "s1", "type": "user", "uuid": "u1",
         "message": {"role": "user", "content": f"{SAID}. I live in Boston."}, "timestamp": "2026-08-10T12:00:00.000Z"},
        {"parentUuid": "u1", "isSidechain": False, "sessionId": "s1", "type": "assistant", "uuid": "u2",
         "message": {"role": "assistant", "content": f"Decision: {SAID}\n{marks}"}, "timestamp": "2026-08-10T12:00:05.000Z"},
    ]  # fmt: skip
    transcript.write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")
    said = ""
    for event in ("session-start", "prompt", "stop", "pre-compact", "post-compact", "session-end"):
        payload = {
            "session_id": "s1", "transcript_path": str(transcript), "cwd": str(tmp_path), "hook_event_name": event,
            "prompt": SAID, "last_assistant_message": f"Decision: {SAID}\n{marks}", "compact_summary": SAID, "source": "startup",
        }  # fmt: skip
        called = home.call(event, payload)
        said += called.out + called.err
        called = home.call(event, stdin=f'{{"prompt": {SAID}'.encode())
        said += called.out + called.err
    home.settle()
    assert seen_in(said) == []
    assert seen_under(home.root) == []
