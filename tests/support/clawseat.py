"""A small home in which several seats have worked: a memory of records and pages, and the tasks beside it."""

import json

from memoracle.compose import init, open_memory
from support.files import PLAIN, write

SECRET = "plain words that no rule knows"


def record(kind, project, title, body, at, **more):
    """A record as that design's program writes one, a document of its own."""
    held = {
        "schema_version": 1, "kind": kind, "id": f"{kind}-{project}-0a1b2c3d", "project": project, "author": "memory",
        "ts": at, "title": title, "body": body, "related_task_ids": [], "evidence": [], "supersedes": None,
        "confidence": "medium", "source": "write_api",
    }  # fmt: skip
    return json.dumps(held | more, indent=2, ensure_ascii=False)


def dropped(project, kind, title, at, author="memory", body="Text.\n"):
    """A page as that program writes one: every value as it is."""
    fields = {
        "schema_version": 1, "format": "markdown_note", "id": f"{project}-{kind}-1", "project": project, "kind": kind,
        "title": title, "author": author, "ts": at, "created_at": at,
    }  # fmt: skip
    return "---\n" + "".join(f"{name}: {held}\n" for name, held in fields.items()) + f"---\n\n{body}"


def dispatched(task, source, target, at):
    """A task as that program hands it over: no project, no objective, the queue as an absolute path."""
    held = {
            "kind": "dispatch",
            "task_id": task,
            "source": source,
            "target": target,
            "title": f"Do {task}",
            "test_policy": None,
            "todo_path": "/elsewhere/TODO.md",
            "reply_to": source,
            "assigned_at": at,
    }  # fmt: skip
    return json.dumps(held)


def completed(task, source, target, at):
    """The receipt for it, under the name of a hand-off the other way."""
    held = {
            "kind": "completion",
            "task_id": task,
            "source": source,
            "target": target,
            "status": "completed",
            "summary": f"{task} is done",
            "delivered_at": at,
            "verdict": None,
    }  # fmt: skip
    return json.dumps(held)


def home(place, clock):
    """The files; the folder of the memory is returned."""
    at = clock.ago(hours=30).strftime("%Y-%m-%dT%H:%M:%SZ")
    memory, tasks = place / "memory", place / "tasks/arena"
    write(memory, "projects/arena/decisions/decision-arena-0a1b2c3d.json",
          record("decision", "arena", "Use GraphQL", "REST was too chatty, see ARENA-228.", at))  # fmt: skip
    write(memory, "shared/patterns/pattern-shared-0a1b2c3d.json",
          record("pattern", "_shared", "Retry with jitter", "Back off when Valkey reconnects.", at))  # fmt: skip
    write(memory, "projects/arena/reflections.jsonl",
          json.dumps(json.loads(record("reflection", "arena", "Smaller changes", "Reviews go faster.", at))) + "\n")  # fmt: skip
    write(memory, "projects/arena/finding/arena-finding-1.md",
          dropped("arena", "finding", "Finding: [slow] 东京 #net", at, author="patrol", body="p99 is 340 ms.\n"))  # fmt: skip
    write(memory, "projects/arena/builder/2026-05-01-x.md",
          "---\nts: 2026-05-01T10:00:00Z\nproject: arena\nseat: builder\nkind: implementation\ntitle: cache\nstatus: open\n"
          "---\nThe cache holds 2 GB.\n")  # fmt: skip
    write(memory, "machine/credentials.json",
          json.dumps({"keys": {"LOBBY": {"value": SECRET, "source": "/home/x/.env"}}, "scanned_at": at}))  # fmt: skip
    write(memory, "_backlinks/entity++taskid++ARENA-228.jsonl",
          json.dumps({"from": "projects/arena/decisions/decision-arena-0a1b2c3d", "type": "references-task"}) + "\n")  # fmt: skip
    write(
        memory,
        "index.json",
        json.dumps({"version": 1, "projects": [], "memory_notes": [{"id": "arena-finding-1"}]}),
    )
    write(
        tasks,
        "patrol/handoffs/ARENA-1__planner__builder.json",
        dispatched("ARENA-1", "planner", "builder", at),
    )
    write(
        tasks,
        "patrol/handoffs/ARENA-2__planner__reviewer.json",
        dispatched("ARENA-2", "planner", "reviewer", at),
    )
    write(
        tasks,
        "patrol/handoffs/ARENA-2__reviewer__planner.json",
        completed("ARENA-2", "reviewer", "planner", at),
    )
    # The planner's script renames what it has seen.
    write(
        tasks,
        "patrol/handoffs/ARENA-3__memory__planner.json.consumed",
        dispatched("ARENA-3", "memory", "planner", at),
    )
    write(
        tasks,
        "builder/TODO.md",
        "# Queue: builder\n\n## [pending] ARENA-1\ntask_id: ARENA-1\n\n### Objective\n\nBuild it\n",
    )
    write(tasks, "peer-deliveries/peer-7/tasks/P-7/DELIVERY.md",
          f'---\npeer_id: "peer-7"\ntask_id: "P-7"\nstatus: "done"\nsummary: "Osaka answers in 90 ms"\ndate: "{at}"\n---\n\n# Delivery\n')  # fmt: skip
    write(
        place, "profiles/arena-profile-dynamic.toml", 'seats = ["memory", "planner", "builder", "reviewer"]\n'
    )
    return memory


def opened(memory, clock, **environment):
    """That memory, adopted."""
    init(str(memory), environment={}, clock=clock)
    return open_memory(str(memory), environment=PLAIN | environment, clock=clock)
