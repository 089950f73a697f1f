"""Input that nests without end, and readers that leave: a sentence or silence, never a trace of Python."""

import json
import subprocess

import pytest

from support.processes import PYTHON, run, surroundings

DEEP = "[" * 60_000 + "]" * 60_000


@pytest.fixture
def root(tmp_path):
    assert run("init", tmp_path / "root")[0] == 0
    return tmp_path / "root"


@pytest.mark.parametrize("verb", [("status",), ("recall", "cats"), ("remember", "cats"), ("check",)])
def test_settings_that_nest_too_deeply_are_refused(root, verb):
    """Whatever the verb: the file is named, and the exit status is 2."""
    (root / "memoracle.toml").write_text("a = " + DEEP)
    status, _, err = run("--root", root, *verb)
    assert (status, "nests too deeply" in err, "Traceback" in err) == (2, True, False)


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "stdin", "wanted"),
    [
        (("verify", "-"), DEEP, 2),
        (("remember", "--stdin"), '{"text": ' + DEEP + "}\n", 1),
        (("reply-language", "--stdin"), DEEP, 2),
        (("drift", "--project", "p", "--stdin"), DEEP, 2),
        (("get", "a.b", "--context", "@FILE"), "", 2),
        (("import", "FILE"), "", 2),
        (("ingest", "FILE"), "", 2),
        (("hook", "session-start"), DEEP, 0),
        (("hook", "prompt"), '{"prompt": ' + DEEP + "}", 0),
    ],
)
def test_documents_that_nest_too_deeply_are_refused(root, tmp_path, words, stdin, wanted):
    """At every door where JSON comes in; to a host a hook still says nothing."""
    (tmp_path / "deep.json").write_text(DEEP)
    words = [word.replace("FILE", str(tmp_path / "deep.json")) for word in words]
    status, _, err = run("--root", root, *words, stdin=stdin.encode())
    assert (status, "Traceback" in err) == (wanted, False), err


def test_a_client_that_dies_in_the_middle_of_an_answer_leaves_no_trace(root):
    """The server ends by itself, quietly."""
    asked = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "short-lived", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *({"jsonrpc": "2.0", "id": n, "method": "tools/list"} for n in range(2, 40)),
    ]
    server = subprocess.Popen(
        [PYTHON, "-m", "memoracle", "--root", root, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(),
    )
    server.stdin.write("".join(json.dumps(one) + "\n" for one in asked).encode())
    server.stdin.flush()
    server.stdout.read(10)
    server.stdout.close()
    err = server.stderr.read().decode()
    server.stdin.close()
    assert (server.wait(60), "Traceback" in err, "BrokenPipe" in err) == (0, False, False), err[-2000:]


def test_a_reader_of_the_command_line_may_leave(root):
    """As with `| head`: no complaint."""
    run("--root", root, "remember", "--stdin", stdin=b"".join(b"fact number %d\n" % n for n in range(2000)))
    done = subprocess.run(
        f"{PYTHON} -m memoracle --root {root} list --limit 2000 --json | head -c 10",
        shell=True,
        capture_output=True,
        check=False,
        env=surroundings(),
    )
    assert (len(done.stdout), done.stderr) == (10, b"")
