"""The store and its view, measured on this machine, each number beside a bare baseline from the same run.

    python3 dev.py bench store
    python3 dev.py bench store --records 10000 --json store.json

Ratios travel between machines, seconds do not; so every line shows what the same work costs without
Memoracle: bare `write` + `fsync`, bare `json.loads`, a bare FTS5 table, a bare Python start. Texts are
made up in English and Chinese from a seed. It needs a real disk: on a memory file system fsync is free
and the first ratios mean nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import memoracle
from benchmarks.texts import samples
from memoracle import make_draft

BATCH = 1000
WRITERS = 8
STARTS = 15


def main() -> int:
    """Measure everything, print the table, and write the JSON if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--records", type=int, default=100_000, help="how many records (default 100,000)")
    parser.add_argument("--writes", type=int, default=1000, help="how many single writes (default 1,000)")
    parser.add_argument("--json", metavar="FILE", help="also write the numbers here")
    parser.add_argument("--folder", help="where to work (default: a temporary folder)")
    parser.add_argument("--part", nargs=2, metavar=("NAME", "ROOT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        name, root = arguments.part
        sys.stdout.write(json.dumps(PARTS[name](root)))
        return 0
    folder = tempfile.mkdtemp(prefix="memoracle-store-bench-", dir=arguments.folder)
    try:
        table = Table()
        small = measure_writes(table, folder, arguments.writes)
        measure_writers(table, folder, arguments.writes)
        large = measure_batches(table, folder, arguments.records)
        measure_reading(table, large, arguments.records)
        measure_questions(table, large)
        measure_starts(table, small)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(f"\n{machine()}\n\n{table.text()}\n")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(
                {"machine": machine(), "records": arguments.records, "rows": table.rows}, file, indent=1
            )
            file.write("\n")
    return 0


class Table:
    """Rows of what, how much, beside which baseline, and the ratio of the two."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def add(
        self, what: str, value: float, unit: str, *, beside: str = "", baseline: float | None = None
    ) -> None:
        """One row. The ratio says how many times the baseline's time, or its size, we take."""
        slower_is_less = unit.endswith("/s")
        ratio = None
        if baseline:
            ratio = baseline / value if slower_is_less else value / baseline
        self.rows.append(
            {
                "what": what,
                "value": value,
                "unit": unit,
                "beside": beside,
                "baseline": baseline,
                "ratio": ratio,
            }
        )
        sys.stderr.write(f"{what}: {figure(value)} {unit}\n")

    def text(self) -> str:
        """The table in Markdown."""
        lines = ["| what | times the baseline | measured | baseline |", "|---|---:|---:|---|"]
        for row in self.rows:
            ratio = f"{row['ratio']:.2f}" if row["ratio"] else ""
            beside = (
                f"{row['beside']}: {figure(row['baseline'])} {row['unit']}"
                if row["baseline"]
                else row["beside"]
            )
            lines.append(f"| {row['what']} | {ratio} | {figure(row['value'])} {row['unit']} | {beside} |")
        return "\n".join(lines)


# Writing


def measure_writes(table: Table, folder: str, number: int) -> str:
    """One acknowledgement after another, beside the same number of bare appends of the same lines."""
    root = new_root(folder, "single")
    ours: list[float] = []
    bare: list[float] = []
    with memoracle.open_memory(root) as memory:
        receipt = memory.remember("the first one pays for folders and names")
        facts = os.path.join(root, receipt.path)
        wishes = list(samples(number))
        # Taken in turns, so that both see the same noise.
        for start in range(0, number, 100):
            size = os.path.getsize(facts)
            some = wishes[start : start + 100]
            ours += [timed(partial(memory.remember, sample.text)) for sample in some]
            with open(facts, "rb") as file:
                file.seek(size)
                lines = file.read().splitlines(keepends=True)
            bare += bare_appends(os.path.join(folder, "bare.jsonl"), lines)
    table.add(
        "single writes, each acknowledged after fsync", number / sum(ours), "records/s",
        beside="bare write + fsync", baseline=number / sum(bare),
    )  # fmt: skip
    for name, place in (("p50", 0.5), ("p99", 0.99)):
        table.add(
            f"one write, {name}", quantile(ours, place) * 1000, "ms",
            beside=f"bare write + fsync, {name}", baseline=quantile(bare, place) * 1000,
        )  # fmt: skip
    return root


def measure_writers(table: Table, folder: str, number: int) -> None:
    """Several processes on one root; then the same number of bare ones on one file."""
    root = new_root(folder, "writers")
    each = max(1, number // WRITERS)
    ours = together(["writer", root, str(each)])
    bare = together(["bare", os.path.join(folder, "bare-together.jsonl"), str(each)])
    with memoracle.open_memory(root) as memory:
        kept = memory.status().active
    if kept != each * WRITERS:
        raise SystemExit(f"{each * WRITERS} writes were acknowledged, {kept} are there")
    table.add(
        f"{WRITERS} writer processes, all of them together", kept / ours, "records/s",
        beside=f"{WRITERS} bare processes on one file", baseline=kept / bare,
    )  # fmt: skip


def measure_batches(table: Table, folder: str, number: int) -> str:
    """Batches, each with one acknowledgement."""
    root = new_root(folder, "batches")
    spent = 0.0
    with memoracle.open_memory(root) as memory:
        batch = []
        for place, sample in enumerate(samples(number), start=1):
            batch.append(make_draft(sample.text))
            if len(batch) == BATCH or place == number:
                spent += timed(partial(memory.remember_many, tuple(batch)))
                batch.clear()
    with open(os.path.join(root, "records", "facts.jsonl"), "rb") as file:
        lines = file.read().splitlines(keepends=True)
    blocks = [b"".join(lines[start : start + BATCH]) for start in range(0, number, BATCH)]
    bare = sum(bare_appends(os.path.join(folder, "bare-batches.jsonl"), blocks))
    table.add(
        f"batches of {BATCH:,}", number / spent, "records/s",
        beside="bare write + fsync of the same bytes", baseline=number / bare,
    )  # fmt: skip
    return root


def bare_appends(path: str, pieces: Sequence[bytes]) -> list[float]:
    """How long each piece takes without any of our care."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def append(piece: bytes) -> None:
        os.write(handle, piece)
        os.fsync(handle)

    try:
        return [timed(partial(append, piece)) for piece in pieces]
    finally:
        os.close(handle)


def together(words: list[str]) -> float:
    """Start the writers, let them begin at the same moment, and time them to the last one's end."""
    code = "import sys; from benchmarks import store; store.work(*sys.argv[1:])"
    command = [sys.executable, "-c", code, *words]
    running = [
        subprocess.Popen(
            [*command, str(place)], env=clean(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for place in range(WRITERS)
    ]
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()
    began = time.perf_counter()
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    if any(process.wait() for process in running):
        raise SystemExit("a writer failed")
    return time.perf_counter() - began


def work(name: str, target: str, number: str, place: str) -> None:
    """One writer among many."""
    WORKERS[name](target, int(number), int(place))


def wait_for_go() -> None:
    """Say that everything is loaded, and wait for the others."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()


def write_as_one_of_many(root: str, number: int, place: int) -> None:
    """Its own texts, one acknowledgement after another."""
    texts = [f"{sample.text} ({place})" for sample in samples(number, seed=100 + place)]
    with memoracle.open_memory(root) as memory:
        wait_for_go()
        for text in texts:
            memory.remember(text)


def write_bare(path: str, number: int, _place: int) -> None:
    """The same without us."""
    wait_for_go()
    bare_appends(path, [b"x" * 640 + b"\n"] * number)


WORKERS = {"writer": write_as_one_of_many, "bare": write_bare}


# Reading


def measure_reading(table: Table, root: str, number: int) -> None:
    """Everything read back in a fresh process; everything read into an empty view."""
    load, parse = in_new_process("load", root), in_new_process("parse", root)
    table.add(
        f"read {number:,} records from the files", load["seconds"], "s",
        beside="bare json.loads of every line", baseline=parse["seconds"],
    )  # fmt: skip
    table.add(
        "memory of that process at its peak",
        load["peak_mb"],
        "MB",
        beside="bare json.loads",
        baseline=parse["peak_mb"],
    )
    view, bare = in_new_process("view", root), in_new_process("fts5", root)
    table.add(
        f"build the view of {number:,} records", view["seconds"], "s",
        beside="bare FTS5 table of the same texts", baseline=bare["seconds"],
    )  # fmt: skip
    table.add("memory of that process at its peak", view["peak_mb"], "MB")
    truth = os.path.getsize(os.path.join(root, "records", "facts.jsonl"))
    table.add(
        "size of the view", size_of(os.path.join(root, "index")) / 1e6, "MB", beside="the files of truth",
        baseline=truth / 1e6,
    )  # fmt: skip


def load(root: str) -> dict[str, float]:
    """Every version in the files, as values."""
    memory = memoracle.open_memory(root)
    return cost(lambda: sum(1 for _ in memory.store.journal.all_versions()))


def parse(root: str) -> dict[str, float]:
    """The same lines through json alone, kept as dictionaries."""
    path = os.path.join(root, "records", "facts.jsonl")

    def read() -> int:
        with open(path, "rb") as file:
            return len([json.loads(line) for line in file])

    return cost(read)


def build_view(root: str) -> dict[str, float]:
    """The view thrown away and built again."""
    with memoracle.open_memory(root) as memory:
        return cost(memory.rebuild_index)


def build_fts5(root: str) -> dict[str, float]:
    """The texts alone in a word index with SQLite's own tokenizer."""
    path = os.path.join(root, "records", "facts.jsonl")
    with open(path, "rb") as file:
        texts = [(json.loads(line)["text"],) for line in file]
    target = os.path.join(os.path.dirname(root), "bare.db")
    connection = sqlite3.connect(target)
    connection.execute("PRAGMA journal_mode = WAL")

    def fill() -> None:
        connection.execute("CREATE VIRTUAL TABLE texts USING fts5 (text)")
        connection.executemany("INSERT INTO texts VALUES (?)", texts)
        connection.commit()

    return cost(fill)


def cost(work: Callable[[], object]) -> dict[str, float]:
    """Seconds, and the most memory this process ever had."""
    seconds = timed(work)
    return {"seconds": seconds, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


# Asking


def measure_questions(table: Table, root: str) -> None:
    """Questions in both languages, warm; beside a bare FTS5 query of the same words."""
    asked = in_new_process("ask", root)
    for language, name in (("en", "English"), ("zh", "Chinese")):
        times, bare = asked[language], asked["bare"] if language == "en" else {}
        for place in ("p50", "p99"):
            table.add(
                f"`search`, {name}, {place}", times[place], "ms",
                beside="bare FTS5, same words" if bare else "", baseline=bare.get(place),
            )  # fmt: skip
    for place in ("p50", "p99"):
        table.add(
            f"`recall` (leaves a receipt), English, {place}", asked["recall"][place], "ms",
            beside="`search`", baseline=asked["en"][place],
        )  # fmt: skip
    later = "`recall` after 2,000 receipts, English, p50"
    table.add(later, asked["later"]["p50"], "ms", beside="`recall`", baseline=asked["recall"]["p50"])


def ask(root: str) -> dict[str, Any]:
    """How long questions take in one process that stays open."""
    pool = list(samples(3000, seed=1))
    questions = {lang: [s.question for s in pool if s.language == lang][:300] for lang in ("en", "zh")}
    times: dict[str, Any] = {}
    with memoracle.open_memory(root) as memory:
        for language, asked in questions.items():
            memory.search(asked[0])
            times[language] = spread([timed(partial(memory.search, q)) for q in asked])
        times["bare"] = spread(bare_questions(root, questions["en"]))
        times["recall"] = spread([timed(partial(memory.recall, q)) for q in questions["en"][:150]])
        memory.search("level with the files")
        place = next(os.scandir(os.path.join(root, "usage"))).path
        with open(place, "rb") as file:
            receipts = file.read().splitlines(keepends=True)
        with open(place, "ab") as file:
            file.writelines((receipts * (2000 // len(receipts) + 1))[: 2000 - len(receipts)])
        memory.search("level with the files")
        times["later"] = spread([timed(partial(memory.recall, q)) for q in questions["en"][150:250]])
    return times


def bare_questions(root: str, questions: Sequence[str]) -> list[float]:
    """The ten best by BM25 for any of the words, from the bare table."""
    connection = sqlite3.connect(os.path.join(os.path.dirname(root), "bare.db"))

    def query(question: str) -> None:
        words = "".join(ch if ch.isalnum() else " " for ch in question).split()
        match = " OR ".join(f'"{word}"' for word in words)
        connection.execute(
            "SELECT rowid, text, bm25(texts) FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10", (match,)
        ).fetchall()

    return [timed(partial(query, question)) for question in questions]


# Starting


def measure_starts(table: Table, root: str) -> None:
    """Whole processes, taken in turns so that all of them see the same noise."""
    command = os.path.join(os.path.dirname(sys.executable), "memoracle")
    subprocess.run(
        [sys.executable, "-m", "compileall", "-q", os.path.dirname(memoracle.__file__)], check=True
    )
    calls = {
        "bare": [sys.executable, "-c", "pass"],
        "memoracle --help": [command, "--help"],
        "memoracle recall": [command, "--root", root, "recall", "Why did Ana Abara move the invoice export?"],
        "memoracle remember": [command, "--root", root, "remember", "one more"],
    }
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(STARTS + 1):
        for name, words in calls.items():
            extra = [str(turn)] if words[-1] == "one more" else []
            seconds = timed(partial(start, [*words, *extra]))
            if turn:  # the first round fills the caches
                spent[name].append(seconds * 1000)
    for how, pick in (("best", min), ("median", statistics.median)):
        for name in calls:
            if name != "bare":
                table.add(
                    f"`{name}`, cold process, {how} of {STARTS}", pick(spent[name]), "ms",
                    beside=f"python -c pass, {how}", baseline=pick(spent["bare"]),
                )  # fmt: skip


def start(words: Sequence[str]) -> None:
    """One whole process; “not in memory” (3) is an answer too."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=clean())
    if done.returncode not in {0, 3}:
        raise SystemExit(f"{words[0]} failed: {done.stderr}")


# Underneath

PARTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "load": load,
    "parse": parse,
    "view": build_view,
    "fts5": build_fts5,
    "ask": ask,
}


def in_new_process(name: str, root: str) -> dict[str, Any]:
    """One part of the work where no cache of ours is warm."""
    words = [sys.executable, "-m", "benchmarks.store", "--part", name, root]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True, env=clean())
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def clean() -> dict[str, str]:
    """Surroundings in which bytecode is kept, as on a person's machine, and this folder is found."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPATH": os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}


def new_root(folder: str, name: str) -> str:
    """An empty memory."""
    root = os.path.join(folder, name)
    memoracle.init(root)
    return root


def timed(work: Callable[[], object]) -> float:
    """Seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """The middle and the slow end, in milliseconds."""
    return {"p50": quantile(seconds, 0.5) * 1000, "p99": quantile(seconds, 0.99) * 1000}


def quantile(numbers: Sequence[float], place: float) -> float:
    """The number at that share of the sorted list."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(place * len(ordered)))]


def size_of(folder: str) -> int:
    """All bytes below a folder."""
    return sum(
        os.path.getsize(os.path.join(where, name)) for where, _, names in os.walk(folder) for name in names
    )


def figure(number: float) -> str:
    """A number with as many digits as it deserves."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def machine() -> str:
    """What was measured on: enough to judge the numbers."""
    here = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    with_ = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return f"{here}, {with_}, load {os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
