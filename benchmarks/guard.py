"""What the guard finds and what it mistakes, beside detect-secrets in the same run.

    .venv/bin/python -m benchmarks guard --tokens 20
    .venv/bin/python -m benchmarks guard --peer-python PEER/bin/python --data PACKS
    .venv/bin/python -m benchmarks guard --samples OTHERS.jsonl --half B

Tokens are made from public descriptions of formats (tests/support/families.py), each in several carriers. A token
counts as found when no twelve characters of its secret part in a row are left. False alarms are counted by line on
texts that hold no secrets: packs of conversations (`--data`, not part of the project), Python's own library, installed
packages, minified scripts and lock files (`--code`, folders), and the history of this project. `--peer-python` is
an interpreter that has detect-secrets 1.5.0; `--samples` are texts that others wrote, such as the tests of scanners
(not part of the project): JSON lines with `corpus`, `family`, `carrier`, `text` and the `secrets` in it. They are
split by family into two halves; rules are written in sight of half A, half B is reported. The peer scans the same
texts as files of a fitting name, once with its default plugins and once with its named detectors only.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from memoracle.guard.personal import find_personal  # noqa: E402
from memoracle.guard.secrets import mask  # noqa: E402
from support.families import samples, survives  # noqa: E402 - its folder is named above

Masking = Callable[[list[tuple[str, str]]], list[str]]
"""Texts and the ends of the names of files they would stand in, to texts without secrets."""
LOCKS = ("package-lock.json", "yarn.lock", "Pipfile.lock", "poetry.lock", "Cargo.lock", "uv.lock", "RECORD")
SUFFIXES = {
    "json": ".json",
    "yaml": ".yaml",
    "python": ".py",
    "env": ".env",
    "export": ".sh",
    "curl": ".sh",
    "log": ".log",
}
PEER = """
import json, os, sys, tempfile
from detect_secrets.core.scan import scan_file
from detect_secrets.settings import default_settings, transient_settings, get_plugins
named = sys.argv[1] == "named"
with default_settings():
    every = [{"name": name} for name in sorted(type(plugin).__name__ for plugin in get_plugins())]
loud = {"Base64HighEntropyString", "HexHighEntropyString", "KeywordDetector"}
wanted = [one for one in every if one["name"] not in loud]
settings = transient_settings({"plugins_used": wanted}) if named else default_settings()
with settings, tempfile.TemporaryDirectory() as folder:
    for line in sys.stdin:
        text, suffix = json.loads(line)
        path = os.path.join(folder, "text" + suffix)
        with open(path, "w", encoding="utf-8") as opened:
            opened.write(text)
        rows = text.split("\\n")
        for one in scan_file(path):
            if one.secret_value and 0 < one.line_number <= len(rows):
                rows[one.line_number - 1] = rows[one.line_number - 1].replace(one.secret_value, "[secret]")
        print(json.dumps("\\n".join(rows)))
"""


def main() -> int:
    """Measure, print, and write what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--tokens", type=int, default=20, help="tokens of each family")
    parser.add_argument("--seed", default="0", help="another seed gives other tokens")
    parser.add_argument(
        "--data", type=Path, help="a folder with packs of conversations and a folder `security`"
    )
    parser.add_argument(
        "--code", type=Path, nargs="*", default=[], help="more folders of code, scripts and lock files"
    )
    parser.add_argument(
        "--lines", type=int, default=20_000, help="lines of each sort of ordinary text, at most"
    )
    parser.add_argument("--peer-python", type=Path, help="an interpreter with detect-secrets")
    parser.add_argument("--json", type=Path, help="write all figures there")
    parser.add_argument(
        "--samples", type=Path, help="texts of others, as JSON lines; nothing else is measured"
    )
    parser.add_argument("--half", choices=("A", "B"), default="A", help="which half of their families")
    wanted = parser.parse_args()
    if wanted.samples:
        _of_others(wanted.samples, wanted.half)
        return 0
    subjects: dict[str, Masking] = {"memoracle": _ours}
    if wanted.peer_python:
        subjects["detect-secrets"] = _peer(wanted.peer_python, "default")
        subjects["detect-secrets, named"] = _peer(wanted.peer_python, "named")
    figures = {
        "tokens": tokens(subjects, wanted.tokens, wanted.seed),
        "ordinary": ordinary(subjects, wanted.data, wanted.code, wanted.lines),
    }
    _print(figures, list(subjects))
    if wanted.json:
        wanted.json.write_text(json.dumps(figures, indent=1, sort_keys=True), encoding="utf-8")
    return 0


def half_of(family: str) -> str:
    """The half a family belongs to, whoever asks."""
    return "AB"[hashlib.sha256(family.encode()).digest()[0] % 2]


def _of_others(path: Path, half: str) -> None:
    """By corpus and carrier: texts of which no secret is left whole. No text is printed."""
    told: dict[tuple[str, str], list[tuple[str, bool]]] = {}
    with path.open(encoding="utf-8") as opened:
        for row in map(json.loads, opened):
            if half_of(row["family"]) == half:
                left = mask(row["text"], lambda: b"a salt").text
                is_clean = not any(secret in left for secret in row["secrets"])
                told.setdefault((row["corpus"], row["carrier"]), []).append((row["family"], is_clean))
    for (corpus, carrier), rows in sorted(told.items()):
        clean = sum(is_clean for _, is_clean in rows)
        lossy = {family for family, is_clean in rows if not is_clean}
        families = {family for family, _ in rows}
        print(
            f"{corpus}, {carrier}: {clean} of {len(rows)} ({100 * clean / len(rows):.1f} %),"
            f" {len(families - lossy)} of {len(families)} families without a loss"
        )


def tokens(subjects: dict[str, Masking], count: int, seed: str) -> dict[str, Any]:
    """By family and by carrier: how many tokens were made, and how many each subject left."""
    made = list(samples(count, seed))
    family, carrier = Counter(one[0] for one in made), Counter(one[1] for one in made)
    result: dict[str, Any] = {"family": dict(family), "carrier": dict(carrier), "lost": {}}
    texts = [(text, SUFFIXES.get(carrier, ".txt")) for _, carrier, text, _ in made]
    with ThreadPoolExecutor() as pool:
        answers = {name: pool.submit(masking, texts) for name, masking in subjects.items()}
    for name, answer in answers.items():
        lost = [one for one, text in zip(made, answer.result(), strict=True) if survives(one[3], text)]
        result["lost"][name] = {
            "family": Counter(one[0] for one in lost),
            "carrier": Counter(one[1] for one in lost),
        }
    return result


def ordinary(subjects: dict[str, Masking], data: Path | None, code: list[Path], most: int) -> dict[str, Any]:
    """By sort of text: how many lines, and in how many each subject saw a secret."""
    result: dict[str, Any] = {}
    for sort, lines in _texts(data, code):
        chosen = sorted({line for line in lines if len(line.strip()) > 8 and line.isprintable()})
        random.Random(sort).shuffle(chosen)
        chosen = chosen[:most]
        if not chosen:
            continue
        result[sort] = {"lines": len(chosen), "alarms": {}}
        for name, masking in subjects.items():
            # A scanner of files reads one file of many lines; the guard reads them one at a time.
            masked = (
                masking([("\n".join(chosen), _suffix(sort))])[0].split("\n")
                if "detect" in name
                else masking([(line, "") for line in chosen])
            )
            result[sort]["alarms"][name] = sum(
                before != after for before, after in zip(chosen, masked, strict=True)
            )
        result[sort]["personal"] = sum(bool(find_personal(line)) for line in chosen)
    return result


def _texts(data: Path | None, code: list[Path]) -> Iterator[tuple[str, list[str]]]:
    if data:
        for pack in sorted(data.glob("*.json.gz")):
            with gzip.open(pack) as opened:
                yield f"conversations: {pack.name.partition('.')[0]}", _lines(json.load(opened))
        for path in sorted(data.glob("security/notinject/NotInject*.json")):
            yield f"prompts: {path.stem}", _lines(json.loads(path.read_text(encoding="utf-8")))
    library = Path(os.__file__).parent
    yield "code: Python's library", _read(sorted(library.glob("*.py")))
    yield "code: its tests", _read(sorted(library.glob("test/test_*.py")))
    installed = sorted(Path(sys.prefix).glob("lib/python3*/site-packages/*/*.py"))
    yield "code: installed packages", _read(installed)
    log = subprocess.run(
        ["git", "log", "--stat", "--format=fuller", "--no-color"],
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    yield "history of this project", log.stdout.split("\n")
    folders = [*code, Path(sys.prefix)]
    yield (
        "lock files and digests",
        _read([path for one in folders for name in LOCKS for path in one.rglob(name)]),
    )
    yield "scripts", _read([path for one in folders for path in sorted(one.rglob("*.js"))[:400]])


def _lines(content: object) -> list[str]:
    if isinstance(content, str):
        return content.split("\n")
    inner = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    return [line for one in inner for line in _lines(one)]


def _read(paths: list[Path]) -> list[str]:
    return [line for path in paths for line in path.read_text(encoding="utf-8", errors="replace").split("\n")]


def _suffix(sort: str) -> str:
    return ".py" if sort.startswith("code") else ".js" if sort == "scripts" else ".txt"


def _ours(texts: list[tuple[str, str]]) -> list[str]:
    return [mask(text, lambda: b"a salt").text for text, _ in texts]


def _peer(python: Path, mode: str) -> Masking:
    def part(texts: list[tuple[str, str]]) -> list[str]:
        given = "\n".join(json.dumps(text) for text in texts)
        done = subprocess.run(
            [str(python), "-c", PEER, mode], input=given, capture_output=True, text=True, check=True
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    def masking(texts: list[tuple[str, str]]) -> list[str]:
        # As many processes as there are cores: it takes milliseconds a text.
        crew = min(os.cpu_count() or 1, len(texts))
        size = -(-len(texts) // crew)
        with ThreadPoolExecutor(crew) as pool:
            parts = pool.map(part, (texts[at : at + size] for at in range(0, len(texts), size)))
            return [one for found in parts for one in found]

    return masking


def _print(figures: dict[str, Any], subjects: list[str]) -> None:
    made = figures["tokens"]
    total = sum(made["family"].values())
    print(f"{len(made['family'])} families, {total} texts with a token")
    for name in subjects:
        lost = made["lost"][name]
        share = 100 - 100 * sum(lost["family"].values()) / total
        whole = sum(not lost["family"].get(family) for family in made["family"])
        print(f"  {name}: {share:.2f} % found, {whole} families without a loss")
        by_carrier = {
            carrier: f"{100 - 100 * lost['carrier'].get(carrier, 0) / count:.1f}"
            for carrier, count in made["carrier"].items()
        }
        print("    by carrier:", by_carrier)
    worst = made["lost"][subjects[0]]["family"].most_common(25)
    print("  lost by us:", {name: f"{count} of {made['family'][name]}" for name, count in worst})
    for sort, found in figures["ordinary"].items():
        shares = {name: f"{100 * count / found['lines']:.3f} %" for name, count in found["alarms"].items()}
        print(
            f"{sort}: {found['lines']} lines, alarms {found['alarms']} {shares}, personal {found['personal']}"
        )


if __name__ == "__main__":
    raise SystemExit(main())
