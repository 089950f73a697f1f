"""How long recall takes over a large synthetic memory: warm in one process, and cold from the command line.

The turns are made from a seed, in English and Chinese. Their vectors are made up as well, because what a scan
costs does not depend on what they mean; questions are embedded by the real model. One thread throughout.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.packs import Said, write_transcript
from benchmarks.scores import percentile
from benchmarks.subject import disk_mb, peak_rss_mb
from memoracle.errors import MemoracleError
from memoracle.inference.api import Embedder, EmbeddingKind
from memoracle.interfaces.cli.session import DONE, NOT_IN_MEMORY
from memoracle.settings import Settings

if TYPE_CHECKING:
    from memoracle.inference.api import Vectors

SEED = 20260115
_VOCABULARY = 12_000
_TURNS_A_SESSION = 24
_COLD_RUNS = 9
_ONSETS = "b br c ch d dr f fl g gr h j k l m n p pr r s sh st t tr v w".split()
_VOWELS = "a e i o u ai ea oo ou".split()
_ENDS = [*"n r s t l ck nd st m".split(), ""]
_HAN = (
    "山水风云花鸟鱼虫春夏秋冬东西南北红黄蓝绿猫狗书信车船桥路门窗茶饭米面医院学校老师朋友工作会议旅行电影音乐"
)
_SURROUNDINGS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class BuildFailed(MemoracleError):
    """The synthetic memory could not be built or asked."""

    code = "bench-latency-failed"


def measure_latency(passages: int, questions: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Warm p50 and p99, cold command line, and bare Python beside it."""
    with TemporaryDirectory(prefix="memoracle-latency-") as folder:
        root = os.path.join(folder, "root")
        say(f"building a memory of {passages:,} turns")
        built = _child("build", root, str(passages))
        say("asking, warm")
        asked = _child("ask", root, str(questions))
        say("asking, cold")
        question = next(ask(Random(SEED + 2)))
        cold = _run_cold([sys.executable, "-m", "memoracle", "--root", root, "recall", question, "--json"])
        bare = _run_cold([sys.executable, "-c", "pass"])
        return {
            "passages": passages,
            **built,
            **asked,
            "cold_ms": cold.wall_ms,
            "cold_cpu_ms": cold.cpu_ms,
            "bare_python_ms": bare.wall_ms,
            "bare_python_cpu_ms": bare.cpu_ms,
            "cold_ratio": cold.wall_ms / bare.wall_ms,
            "cold_cpu_ratio": cold.cpu_ms / bare.cpu_ms,
            "disk_mb": disk_mb(root),
        }


def latency_text(document: Mapping[str, Any]) -> str:
    """The document for people."""
    return (
        f"{document['passages']:,} turns, built in {document['build_s']:.1f} s with made-up vectors, "
        f"{document['disk_mb']:.0f} MB on disk\n"
        f"warm recall   p50 {document['p50_ms']:.1f} ms   p99 {document['p99_ms']:.1f} ms   "
        f"first {document['first_ms']:.0f} ms   RSS {document['rss_mb']:.0f} MB\n"
        f"  CPU alone   p50 {document['p50_cpu_ms']:.1f} ms   p99 {document['p99_cpu_ms']:.1f} ms\n"
        f"cold recall   {document['cold_ms']:.0f} ms, {document['cold_ratio']:.1f}× bare Python "
        f"({document['bare_python_ms']:.0f} ms)\n"
        f"  CPU alone   {document['cold_cpu_ms']:.0f} ms, {document['cold_cpu_ratio']:.1f}× bare Python "
        f"({document['bare_python_cpu_ms']:.0f} ms)"
    )


def synthetic_turns(passages: int, random: Random) -> Iterator[Said]:
    """Turns of sessions over two years, three in four English; a few words are common, most are rare."""
    words, characters = vocabulary(random), _HAN
    begun = datetime(2024, 1, 1, tzinfo=UTC)
    for number in range(passages):
        session, place = divmod(number, _TURNS_A_SESSION)
        at = begun + timedelta(hours=session * 17520 / (passages / _TURNS_A_SESSION + 1), minutes=place)
        text = (
            "".join(random.choices(characters, k=random.randint(8, 40))) + "。"
            if session % 4 == 3
            else " ".join(_common(words, random) for _ in range(random.randint(5, 40))).capitalize() + "."
        )
        speaker = ("user", "assistant")[place % 2]
        yield Said(id=str(number), session=f"s{session}", speaker=speaker, date=at.isoformat(), text=text)


def ask(random: Random) -> Iterator[str]:
    """Questions without end, one in four Chinese."""
    words = vocabulary(Random(SEED))
    while True:
        if random.random() < 0.25:
            yield "".join(random.choices(_HAN, k=6)) + "是什么时候？"
        else:
            yield f"What did I say about {' '.join(_common(words, random) for _ in range(4))}?"


def vocabulary(random: Random) -> list[str]:
    """Words that can be spoken."""
    syllable = [onset + vowel for onset in _ONSETS for vowel in _VOWELS]
    made = (
        "".join((*random.choices(syllable, k=random.randint(1, 3)), random.choice(_ENDS)))
        for _ in range(10**6)
    )
    found: dict[str, None] = {}
    for word in made:
        found[word] = None
        if len(found) == _VOCABULARY:
            break
    return list(found)


def build(root: str, passages: int) -> dict[str, float]:
    """Make the memory; the seconds it took."""
    from memoracle import compose

    def embedder() -> Embedder | None:
        model = compose.embedder_of(Settings())
        return MadeUp(model) if model else None

    transcript = f"{root}.jsonl"
    write_transcript(transcript, synthetic_turns(passages, Random(SEED)))
    compose.init(root)
    started = perf_counter()
    with compose.open_memory(root, embedder=embedder) as memory:
        memory.ingest(transcript)
    return {"build_s": perf_counter() - started}


def time_questions(root: str, questions: int) -> dict[str, float | None]:
    """What warm questions cost; the first one pays for opening and is told apart."""
    from memoracle.compose import open_memory

    asked = ask(Random(SEED + 1))
    with open_memory(root) as memory:
        first, *_ = [_timed(memory.recall, next(asked)) for _ in range(10)]
        times = [_timed(memory.recall, next(asked)) for _ in range(questions)]
    walls, cpus = [time.wall_ms for time in times], [time.cpu_ms for time in times]
    return {
        "questions": questions,
        "first_ms": first.wall_ms,
        "p50_ms": percentile(walls, 0.5),
        "p99_ms": percentile(walls, 0.99),
        "p50_cpu_ms": percentile(cpus, 0.5),
        "p99_cpu_ms": percentile(cpus, 0.99),
        "rss_mb": peak_rss_mb(),
    }


class Spent(NamedTuple):
    """What something took: by the clock, and of the processor alone, which a busy machine changes less."""

    wall_ms: float
    cpu_ms: float


class MadeUp:
    """An embedder that draws the vectors of passages from their words and computes those of questions."""

    def __init__(self, inner: Embedder) -> None:
        self.name = inner.name
        self.dims = inner.dims
        self._inner = inner

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:
        """One unit vector per text."""
        if kind is EmbeddingKind.QUERY:
            return self._inner.embed(texts, kind)
        import numpy as np

        seed = blake2b("\0".join(texts).encode(), digest_size=8).digest()
        drawn = np.random.default_rng(int.from_bytes(seed)).standard_normal(
            (len(texts), self.dims), np.float32
        )
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
        return drawn


def _common(words: Sequence[str], random: Random) -> str:
    # The square of an even draw: the first tenth of the words makes up a third of what is said.
    return words[int(len(words) * random.random() ** 2)]


def _timed(recall: Callable[[str], Any], question: str) -> Spent:
    wall, cpu = perf_counter(), process_time()
    recall(question)
    return Spent((perf_counter() - wall) * 1000, (process_time() - cpu) * 1000)


def _child(*words: str) -> dict[str, Any]:
    """A stage in a process of its own, so that its memory is its own and BLAS keeps to one thread."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, *words],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | _SURROUNDINGS,
        cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    )
    if done.returncode:
        raise BuildFailed(f"the {words[0]} stage failed: {done.stderr.strip()[-1500:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _run_cold(command: Sequence[str]) -> Spent:
    """The median of several runs; the first one, which writes bytecode, is left out."""
    surroundings = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = []
    for _ in range(_COLD_RUNS + 1):
        wall, cpu = perf_counter(), _children_cpu()
        done = subprocess.run(command, capture_output=True, check=False, env=surroundings | _SURROUNDINGS)
        runs.append(Spent((perf_counter() - wall) * 1000, (_children_cpu() - cpu) * 1000))
        if done.returncode not in {DONE, NOT_IN_MEMORY}:
            raise BuildFailed(f"cold recall failed: {done.stderr.decode('utf-8', 'replace')[-1500:]}")
    walls, cpus = [run.wall_ms for run in runs[1:]], [run.cpu_ms for run in runs[1:]]
    return Spent(percentile(walls, 0.5) or 0.0, percentile(cpus, 0.5) or 0.0)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    _stage, _root, _count = sys.argv[1:]
    _done = build(_root, int(_count)) if _stage == "build" else time_questions(_root, int(_count))
    sys.stdout.write(json.dumps(_done))
