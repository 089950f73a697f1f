"""Directories as the users of the five designs have them, and somebody who adopts one and lives with it for days."""

import json
import os
import subprocess
from datetime import UTC, datetime, timedelta

from support.processes import PYTHON, surroundings

NOW = datetime.now(UTC)
LATER = """
import sys
from datetime import timedelta
import memoracle.times
today = memoracle.times.system_clock
memoracle.times.system_clock = lambda: today() + timedelta(days=int(sys.argv[1]))
from memoracle.interfaces.cli import main

sys.exit(main(sys.argv[2:]))
"""


def ago(days):
    return (NOW - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def lines(*objects):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)


def triple(name, subject, predicate, value, created, activation=1.0):
    return {
        "id": f"fact-{name}", "subject": subject, "predicate": predicate, "object": value, "source": "user-stated",
        "created": ago(created), "activation": activation,
    }  # fmt: skip


def content(name, text, score, created, importance=0.5):
    return {
        "id": f"f_{name}", "content": text, "importance": importance, "score": score, "entities": [],
        "created": ago(created), "source": "manual",
    }  # fmt: skip


def vm_oracle():
    old = [
        triple("a1", "user", "is_allergic_to", "penicillin", 1100),
        triple("a2", "用户", "对…过敏", "花生", 1000),
        triple("a3", "gateway", "listens_on_port", "8443", 900),
        triple("a4", "printer", "stands_in", "room 4", 800),
        *(triple(f"b{i}", "cluster", "has_node", f"node {i}", 400 + i) for i in range(5)),
    ]
    side = {one["id"]: {"activation": 0.95, "last_accessed": ago(1)} for one in old}
    side["fact-a4"] = {"activation": 0.03, "last_accessed": ago(150)}
    return {
        "knowledge-graph/facts.jsonl": lines(*old),
        "knowledge-graph/archived-facts.jsonl": lines(
            triple("z1", "lift", "stops_at", "floor 9", 1200, 0.01)
        ),
        "activation-metadata.json": json.dumps(side),
        "daily/2024-02-01.md": "# 2024-02-01\n\n- The lift was mended.\n",
        "embeddings/metadata.jsonl": "{}\n",
        "health.json": '{"status": "healthy"}',
        "MEMORY.md": "# Memory\n\nThe gateway moved to port 8443. It is behind nginx.\n",
    }


def memory_system():
    facts = [
        content("20240101_aaaaaa", "用户对花生过敏", 0.9, 700, 1.0),
        content("20240102_bbbbbb", "The user is allergic to penicillin.", 0.9, 690, 1.0),
        content("20240103_cccccc", "The gateway listens on port 8443.", 0.8, 680),
        content("20240104_dddddd", "The printer stands in room 4.", 0.03, 650),
    ]
    return {
        "layer1/snapshot.md": "# 工作记忆\n\n## 身份\n手写的一节。\n",
        "layer2/active/facts.jsonl": lines(*facts),
        "layer2/active/beliefs.jsonl": "",
        "layer2/active/summaries.jsonl": "",
        "layer2/archive/facts.jsonl": lines(
            content("20230101_eeeeee", "The lift stops at floor 9.", 0.01, 900)
        ),
        "layer2/entities/_index.json": "{}",
        "layer2/index/keywords.json": '{"printer": ["f_20240104_dddddd"]}',
        "state/consolidation.json": json.dumps({"last_run": ago(1), "last_success": ago(1), "mine": 1}),
        "state/rankings.json": "{}",
        "config.json": "{}",
    }


def v4():
    return {
        "MEMORY.md": "# Memory\n\n- The owner's own line.\n",
        "memory/episodic/2024-05-01.md": "# 2024-05-01\n\n- Decision: we deploy on Thursdays.\n",
        f"memory/episodic/{ago(1)[:10]}.md": "- The gateway moved to port 8443.\n",
        "memory/semantic/preferences.md": f"# Preferences\nlast_verified: {ago(3)[:10]}\n\n"
        "- The user is allergic to penicillin.\n",
        "memory/procedural/lessons-learned.md": "# Lessons\n\n- Stop coturn before the upgrade.\n",
        "memory/working-buffer.md": "# Working buffer\n\n- half a thought\n",
        "memory/archive/2023/05/2023-05-02.md": "# 2023-05-02\n\n- Long ago.\n",
    }


def clawseat():
    header = "---\nkind: finding\nauthor: memory\nts: 2025-01-02T03:04:05Z\ntitle: Allergy\n---\n"
    return {
        "index.json": '{"pages": 1}',
        "events.log": '{"ts": "2025-01-02T03:04:05Z", "event": "write"}\n',
        "projects/arena/memory/finding-1.md": header
        + "\nThe user is allergic to penicillin. See [[decision-1]].\n",
        "projects/arena/memory/decision-1.md": header.replace("finding", "decision")
        + "\nWe keep REST for the public API.\n",
        "projects/arena/_index/by_kind.json": "{}",
        "_links/projects__arena__memory__finding-1.jsonl": "{}\n",
        "machine/openclaw.json": '{"version": "1"}',
    }


def openclaw():
    return {
        "SOUL.md": "# Soul\n\nKind.\n",
        "AGENTS.md": "# Agents\n",
        "MEMORY.md": "# Memory\n\n- The user is allergic to penicillin.\n",
        "memory/2024-01-05.md": "W the user moved the gateway to port 8443.\n",
        f"memory/{ago(1)[:10]}.md": "O(c=0.7) the user likes dark mode.\n",
    }


DESIGNS = {
    "vm-oracle": vm_oracle, "memory-system": memory_system, "v4": v4, "clawseat": clawseat, "openclaw": openclaw,
}  # fmt: skip


class Adopter:
    """Somebody with a directory of one of the designs."""

    def __init__(self, folder, files):
        self.root, self.home = folder / "theirs", folder / "home"
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for path in (self.root / name for name in files):
            os.utime(path, times=(NOW.timestamp() - 3600,) * 2)
        self.found = self.tree()

    def memoracle(self, *words, days=0, ok=(0,), given=""):
        ran = subprocess.run(
            [PYTHON, "-c", LATER, str(days), "--root", str(self.root), *words],
            capture_output=True, text=True, check=False, timeout=120, input=given,
            env=surroundings(HOME=str(self.home), TZ="UTC"),
        )  # fmt: skip
        assert ran.returncode in ok, ran.stdout + ran.stderr
        return ran.stdout

    def json(self, *words, **how):
        return json.loads(self.memoracle(*words, "--json", **how))

    def tree(self):
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}

    def nights(self, first, last):
        for night in range(first, last + 1):
            self.memoracle("tend", days=night)
