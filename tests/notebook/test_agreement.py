"""Whether notes agree: facts that stand twice, lines that contradict each other, secrets in clear."""

import pytest

from memoracle.compose import open_memory
from support.files import PLAIN, write

HEAD = "# X\n#tags: x\n> last_verified: 2026-05-14\n\n"
A, B, DAY = "notes/semantic/a.md", "notes/semantic/b.md", "notes/daily/2026-05-14.md"


@pytest.fixture
def told(root, clock):
    def look(check):
        with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
            (found,) = [one for one in memory.health().checks if one.id == check]
        return [(one.place, one.message) for one in found.findings]

    return look


@pytest.mark.seed("S3.046")
def test_a_line_that_stands_twice_is_told(root, told):
    """In two homes, and twice in one; a step that a procedure repeats is none of our business, nor is a header."""
    write(root, A, f"{HEAD}- Answers are short.\n- The cat is called Miso.\n- Answers are short.\n")
    write(root, B, f"{HEAD}- The cat is called Miso.\n")
    write(root, "notes/procedural/p.md", f"{HEAD}1. Stop the writer.\n2. Copy.\n3. Stop the writer.\n")
    assert told("one-home") == [
        (f"{B}#L5", f"says the same as {A}#L6"),
        (f"{A}#L7", f"says the same as {A}#L5"),
    ]


@pytest.mark.parametrize(
    ("home", "day", "many"),
    [
        ("- qdrant listens on port 6333.", "- qdrant moved to port 6340. The client was changed.", 1),
        ("- qdrant listens on port 6333.", "- qdrant listens on port 6333 now", 0),
        ("- qdrant listens on port 6333.", "- coturn listens on port 3478", 0),
        ("- the gateway is 10.0.0.1", "- the gateway is 10.0.0.2", 1),
        ("- 网关监听 8443 端口", "- 网关监听 9443 端口", 1),
        ("- the backup runs on 120 hosts and 4 disks", "- the backup runs on 130 hosts", 0),
        ("- we meet at 1430", "- we meet at 1500", 0),
    ],
)
def test_two_ports_of_one_service_are_a_contradiction(root, told, home, day, many):
    """A home against another home, or against the newest day; what is no address is not compared."""
    write(root, A, f"{HEAD}{home}\n")
    write(root, DAY, f"# D\n\n{day}\n")
    assert len(told("contradictions")) == many


def test_days_alone_are_history(root, told):
    """What was and what is now may stand in two days."""
    write(root, DAY, "# D\n\n- qdrant listens on port 6333\n")
    write(root, "notes/daily/2026-05-13.md", "# D\n\n- qdrant listens on port 6340\n")
    assert told("contradictions") == []


@pytest.mark.seed("S3.047")
def test_a_secret_is_told_by_its_place(root, told):
    """In any note, never with its value."""
    write(root, DAY, "# D\n\n- rain\n- the samba password: hunter2secretXY9\n")
    ((place, says),) = told("note-secrets")
    assert (place, "hunter2" in says) == (f"{DAY}#L4", False)
