"""Seven days in a home of five seats: the other program's writers go on between our commands, and nothing is lost."""

import hashlib
import json
import re

import pytest

from memoracle.compose import open_memory
from support.clawseat import completed, dispatched, dropped, home, opened, record
from support.files import PLAIN, write

pytestmark = pytest.mark.long

SEATS = ("builder", "reviewer", "patrol")
PROJECTS = ("arena", "harbor")
DERIVED = re.compile(
    r"/_index/|/_links/|/_backlinks/|^memory/index\.json$|^memory/events\.log$|^memory/MEMORY\.md$"
)


def digests(place):
    return {
        str(path.relative_to(place)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in place.rglob("*")
        if path.is_file() and ".memoracle" not in path.parts
    }


def header(text):
    """A header as that program reads one: each line at its first colon, values as they stand."""
    lines = text.split("---\n")[1].splitlines()
    return {name.strip(): held.strip() for name, _, held in (line.partition(":") for line in lines)}


def listed(memory, project, kind):
    """The titles its query gives: records of the plural folder, pages of the singular one whose header says so."""
    found = {
        json.loads(path.read_text())["title"]
        for path in (memory / f"projects/{project}/{kind}s").glob("*.json")
    }
    for path in (memory / f"projects/{project}/{kind}").glob("*.md"):
        held = header(path.read_text())
        if (held.get("project"), held.get("kind")) == (project, kind):
            found.add(held["title"].strip('"'))
    return found


def seen_in(queue, task, source):
    return re.search(rf"^Consumed: {task} from {source} at \S+$", queue.read_text(), re.MULTILINE) is not None


def furnish(place, clock):
    """Two projects, five seats, sixty pages, twenty tasks."""
    memory = home(place, clock)
    for number, project in enumerate(PROJECTS):
        for day in range(10):
            at = f"2026-05-{day + 1:02}T0{number}:00:00Z"
            write(memory, f"projects/{project}/decision/2026-05-{day + 1:02}-{project}-{day}.md",
                  dropped(project, "decision", f"Rule {day}: of {project}", at, body=f"Node {day} for {project.upper()}-{day}.\n"))  # fmt: skip
            write(memory, f"projects/{project}/builder/2026-05-{day + 1:02}-{day}.md",
                  f"---\nts: {at}\nproject: {project}\nseat: builder\nkind: implementation\ntitle: part {day}\nstatus: open\n---\nIt takes {day} threads.\n")  # fmt: skip
            write(memory, f"projects/{project}/issues/issue-{project}-{day:08x}.json",
                  record("issue", project, f"Flaky test {day}", f"It fails at {day} o'clock.", at, id=f"issue-{project}-{day:08x}"))  # fmt: skip
            desk = place / f"tasks/{project}/patrol/handoffs"
            target = SEATS[day % 3]
            write(
                desk,
                f"{project.upper()}-9{day}__planner__{target}.json",
                dispatched(f"{project.upper()}-9{day}", "planner", target, at),
            )
            if day < 9:
                write(
                    desk,
                    f"{project.upper()}-9{day}__{target}__planner.json",
                    completed(f"{project.upper()}-9{day}", target, "planner", at),
                )
    write(
        place,
        "profiles/harbor-profile-dynamic.toml",
        'seats = ["memory", "planner", "builder", "reviewer", "patrol"]\n',
    )
    return memory


def morning(place, memory, project, day, at):
    """What the other program's seats write before we come."""
    task, target = f"{project.upper()}-6{day}", SEATS[day % 3]
    desk = place / f"tasks/{project}/patrol/handoffs"
    write(desk, f"{task}__planner__{target}.json", dispatched(task, "planner", target, at))
    write(memory, f"projects/{project}/decision/{project}-decision-{day}.md",
          dropped(project, "decision", f"Day {day}: no deploys #rule", at, body=f"Because of {task}.\n"))  # fmt: skip
    write(memory, f"projects/{project}/issues/issue-{project}-f{day:07x}.json",
          record("issue", project, f"Slow page {day} of {project}", "It takes a second.", at, id=f"issue-{project}-f{day:07x}"))  # fmt: skip
    if project == "arena":
        write(place, f"tasks/arena/peer-deliveries/peer-9/tasks/P-{day}/DELIVERY.md",
              f'---\ntask_id: "P-{day}"\nstatus: "done"\nsummary: "Nagoya measured {day}0 ms"\ndate: "{at}"\n---\n\n# Delivery\n')  # fmt: skip
    return task, target


def our_day(root, project, day, task, target):
    """What seats do through us."""
    root.seats.acknowledge(task, project=project, seat=target)
    root.seats.complete(task, project=project, seat=target, summary=f"day {day}", verdict="APPROVED")
    root.seats.write_page(
        kind="decision", project=project, author="memory", title=f"Cache: {day + 1} GB for {project}", task_id=task,
        body=f"{task} needs {day + 1} GB. See src/cache/d{day}.py.",
    )  # fmt: skip
    root.seats.write_page(
        kind="implementation", project=project, author="builder", title=f"pool {day}", body="Eight."
    )
    if project == "arena":
        root.seats.synthesize("arena", f"Nagoya {day}0")


def evening(place, memory, project, day, task, target):
    """What its own scripts would check."""
    titles = listed(memory, project, "decision")
    assert {f"Day {day}: no deploys #rule", f"Cache: {day + 1} GB for {project}"} <= titles
    desk = place / f"tasks/{project}"
    receipt = json.loads((desk / f"patrol/handoffs/{task}__{target}__planner.json").read_text())
    assert (receipt["kind"], receipt["task_id"]) == ("completion", task)
    assert f"task_id: {task}\n" in (desk / target / "DELIVERY.md").read_text()
    assert seen_in(desk / target / "TODO.md", task, "planner")
    back = (memory / f"_backlinks/entity++taskid++{task}.jsonl").read_text().splitlines()
    assert any("cache" in json.loads(line)["from"] for line in back)


OURS = {"memoracle.toml", ".gitignore", ".gitattributes"}


@pytest.mark.seed("S1.019", "S1.023", "S1.064", "S1.121", "S1.186")
def test_a_week_of_two_programs(tmp_path, clock):
    """Every page, record, task and delivery of both stands at its end; what was there differs only where somebody wrote."""
    place = tmp_path / "agents"
    memory = furnish(place, clock)
    before = digests(place)
    with opened(memory, clock):
        pass
    assert {path: held for path, held in digests(place).items() if path in before} == before
    for day in range(7):
        at = clock.move(hours=1).strftime("%Y-%m-%dT%H:%M:%SZ")
        work = {project: morning(place, memory, project, day, at) for project in PROJECTS}
        clock.move(hours=2)
        with open_memory(str(memory), environment=PLAIN, clock=clock) as root:
            if day == 3:
                root.accept([item.id for item in root.inbox() if item.matter == "adoption"])
            for project, (task, target) in work.items():
                our_day(root, project, day, task, target)
            assert root.recall(f"Slow page {day} of arena").hits[0].passage.kind == "issue"
            root.tend()
            assert {one.id: one.grade.value for one in root.health().checks}["handoffs"] == "warning"
        for project, (task, target) in work.items():
            evening(place, memory, project, day, task, target)
        clock.move(hours=21)
    after = digests(place)
    changed = {path for path in before if after.get(path) != before[path] and not DERIVED.search(path)}
    assert changed == {"tasks/arena/builder/TODO.md"}
    with open_memory(str(memory), environment=PLAIN, clock=clock) as root:
        assert not [one for one in root.check().findings if one.severity.value == "error"]
        late = {notice.split(" ", 1)[0] for notice in root.review().notices}
        assert late == {"ARENA-1", "ARENA-3", "ARENA-99", "HARBOR-99"}
        assert len(root.seats.pages(project="arena", kind="decision")) == 1 + 10 + 7 + 7
        root_left = root.leave(to=str(tmp_path / "kept"), dry_run=True)
        root.leave(to=str(tmp_path / "kept"))
    # It is left: no page, task or delivery of either is gone, and what differs was told.
    left, told = digests(place), {step.target for step in root_left.differs}
    ours = {path for path in after if "/.memoracle/" in path or path.rpartition("/")[2] in OURS}
    assert {path for path in after.keys() - left.keys() - ours if not DERIVED.search(path)} == set()
    kept = {path for path in before if path.startswith("memory/") and not DERIVED.search(path)}
    assert {path.removeprefix("memory/") for path in kept if left.get(path) != before[path]} <= told
    assert not (memory / ".memoracle").exists()
