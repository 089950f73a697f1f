"""One seat of a team, as a process of its own: it calls `memoracle`, waits for what others do, and does its part.

Started as `python seats.py SEAT`, with the root, its seat and the repository in the environment. It prints one JSON
object: what it saw. Anything that goes wrong ends it with a traceback.
"""

import json
import os
import subprocess
import sys
import time

PROJECT = "arena"
PATIENCE = 90


def call(*words, stdin=""):
    """One command: its exit status and its document."""
    done = subprocess.run(
        [sys.executable, "-m", "memoracle", *words, "--json"],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else done.stderr


def must(*words, stdin=""):
    """One command that has to work."""
    status, document = call(*words, stdin=stdin)
    assert status == 0, (words, status, document)
    return document


def wait(for_what, look):
    """What `look` gives as soon as it gives something."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.2)
    raise TimeoutError(for_what)


def tasks(**fields):
    """Hand-offs that fit, such as `target` and `state`."""
    found = must("handoff", "list", "--project", PROJECT)["items"]
    return [
        one
        for one in found
        if all(one["dispatch"].get(name, one.get(name)) == held for name, held in fields.items())
    ]


def given(seat):
    """The task that is pending at a seat, once it is."""
    (task,) = wait(f"a task for {seat}", lambda: tasks(target=seat, state="pending"))
    name = task["dispatch"]["task_id"]
    must("handoff", "ack", "--project", PROJECT, "--task", name, "--seat", seat)
    return name


def finish(task, seat, *words):
    return must("handoff", "complete", "--project", PROJECT, "--task", task, "--seat", seat, *words)


def dispatch(task, source, target, title, *words):
    return must(
        "handoff", "dispatch", "--project", PROJECT, "--task", task, "--from", source, "--to", target, "--title", title,
        "--objective", f"{title}, checked", "--test-policy", "EXTEND", *words,
    )  # fmt: skip


def is_done(task):
    return bool(tasks(task_id=task, state="done"))


def write(kind, title, body, *words):
    return must(
        "page", "write", "--kind", kind, "--project", PROJECT, "--title", title, "--body", body, *words
    )


def memory():
    """Scans, asks the planner, and in the end gathers, proves, delivers and audits."""
    scan = must(
        "scan", "project", "--project", PROJECT, "--repo", os.environ["REPO"], "--depth", "medium", "--commit"
    )
    dispatch("ARENA-228", "memory", "planner", "Plan the new engine")
    wait("the plan's close-out", lambda: is_done("ARENA-228"))
    must("handoff", "consume", "--project", PROJECT, "--task", "ARENA-228", "--seat", "memory")
    page = must("synthesize", "--project", PROJECT, "engine")
    fact = must("get", "runtime.primary_language", "--project", PROJECT)
    finding = must("page", "list", "--project", PROJECT, "--seat", "reviewer", "--kind", "finding")["items"][
        0
    ]
    claims = [
        {
            "statement": "it is a Python project, and the reviewer found a risk",
            "evidence": [
                {"file": fact["file"], "path": fact["path"], "expected_value": "python"},
                {"page": finding["path"], "expected_value": "The engine has no limit."},
            ],
        }
    ]
    response = {"answer": "The engine is planned, built and reviewed.", "claims": claims}
    proof = must("verify", "-", stdin=json.dumps(response))
    false = {
        "claims": [
            {
                "statement": "x",
                "evidence": [{"file": fact["file"], "path": fact["path"], "expected_value": "go"}],
            }
        ]
    }
    lie, _ = call("verify", "-", stdin=json.dumps(false))
    sent = must(
        "deliver", "--project", PROJECT, "--task", "ARENA-228", "--to", "planner", "--response", "-",
        stdin=json.dumps(response),
    )  # fmt: skip
    audit = must("handoff", "audit", "--project", PROJECT, "--task", "ARENA-228")
    return {
        "scanned": len(scan["files"]),
        "synthesis": page["path"],
        "verified": proof["all_verified"],
        "lie": lie,
        "delivered": sent["response"],
        "audit": audit["ok"],
    }


def planner():
    """Decides, gives work to builder and patrol, then to the reviewer, and closes."""
    plan = given("planner")
    fact = wait("the scan", lambda: call("get", "runtime.primary_language", "--project", PROJECT)[1])
    write("plan", "Engine", "See [[north-star]]. ARENA-228 goes to the builder first.", "--task", plan)
    decision = must(
        "decision",
        "log",
        "append",
        PROJECT,
        plan,
        "Build the engine in Python",
        "The repository is Python already",
    )
    again = must(
        "decision",
        "log",
        "append",
        PROJECT,
        plan,
        "Build the engine in Python",
        "The repository is Python already",
    )
    dispatch("ARENA-229", "planner", "builder", "Build the engine")
    dispatch("ARENA-230", "planner", "patrol", "Watch the tests")
    wait("the builder", lambda: is_done("ARENA-229"))
    dispatch("ARENA-231", "planner", "reviewer", "Review the engine")
    wait("the review", lambda: is_done("ARENA-231"))
    wait("patrol", lambda: is_done("ARENA-230"))
    check, steps = call("handoff", "check", "--project", PROJECT, "--task", "ARENA-229")
    finish(plan, "planner", "--verdict", "PASS", "--summary", "planned, built, reviewed")
    return {
        "language": fact["value"],
        "decided_once": decision["id"] == again["id"] and again["created"] is False,
        "four_steps": (check, {step["name"]: step["result"] for step in steps["checks"]}),
        "edited": contend(),
    }


def builder():
    """Builds; tries to write in the reviewer's place and in a stranger's name, which it may not."""
    task = given("builder")
    page = write(
        "decision", "Engine in one file", "engine.py, commit abc1234. Follows ARENA-228.", "--task", task
    )
    foreign, _ = call(
        "page", "write", "--kind", "finding", "--project", PROJECT, "--seat", "reviewer", "--title", "All good",
        "--body", "Nothing to see", "--evidence", '[{"trust": "high", "source_url": "x"}]',
    )  # fmt: skip
    stranger, _ = call(
        "page",
        "write",
        "--kind",
        "plan",
        "--project",
        PROJECT,
        "--author",
        "wizard",
        "--title",
        "x",
        "--body",
        "y",
    )
    as_planner, _ = call("handoff", "ack", "--project", PROJECT, "--task", "ARENA-228", "--seat", "planner")
    finish(
        task, "builder", "--verdict", "PASS", "--commit", os.environ["COMMIT"], "--summary", "engine.py runs"
    )
    return {"page": page["path"], "refused": [foreign, stranger, as_planner], "edited": contend()}


def reviewer():
    """Reviews with a finding and a verdict."""
    task = given("reviewer")
    page = write(
        "finding", "No limit", "The engine has no limit. Seen in ARENA-229.", "--task", task, "--severity", "HIGH",
        "--evidence", '[{"trust": "high", "source_url": "engine.py"}]',
    )  # fmt: skip
    bare, _ = call("handoff", "complete", "--project", PROJECT, "--task", task, "--seat", "reviewer")
    finish(task, "reviewer", "--verdict", "APPROVED_WITH_NITS", "--summary", "a limit is missing")
    must("page", "close", page["id"], "--status", "resolved", "--reason", "a follow-up was planned")
    return {"page": page["path"], "without_a_verdict": bare, "edited": contend()}


def patrol():
    """Writes test results, and the same result again."""
    task = given("patrol")
    words = ("test_result", "Tests of the engine", "12 passed. ARENA-229.", "--task", task)
    first, again = write(*words), write(*words)
    finish(task, "patrol", "--verdict", "PASS")
    return {"page": first["path"], "once": again["created"] is False, "edited": contend()}


def contend():
    """Everybody changes the same record at version 1; the status each got."""
    return call("edit", os.environ["RECORD"], f"{sys.argv[1]} was here", "--expect", "1")[0]


if __name__ == "__main__":
    seat = {"memory": memory, "planner": planner, "builder": builder, "reviewer": reviewer, "patrol": patrol}
    print(json.dumps(seat[sys.argv[1]]()))
