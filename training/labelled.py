"""Turns with labels of what is worth keeping: those that were written for this, and what others published."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from training import sources

_FREE = re.compile(r"\b(?:MIT|Apache|BSD|CC0|CC[- ]BY(?:-SA)?(?![- ]*(?:NC|ND|SA-NC))|same as project)\b")


def rows_of_stores(part: str, more: Path | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """What people say in the written stores."""
    for kind, store in sources.stores(part, more):
        for turn, heard in zip(store["turns"], sources.turns_of(store), strict=True):
            if turn["speaker"] not in {"assistant", "tool"} and turn.get("keep") is not None:
                yield (
                    f"written {kind}",
                    {
                        "text": turn["text"],
                        "speaker": turn["speaker"],
                        "prev": heard.before,
                        "keep": turn["keep"],
                    },
                )


def rows_of_records(more: Path | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """What was once written down of the stores that are learnt from, as somebody judged it who read only that."""
    judged: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in (sources.HERE / "readings" / "records.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        judged.setdefault((one["store"], one["turn"]), []).append(one)
    for _, store in sources.stores("train", more):
        for turn, heard in zip(store["turns"], sources.turns_of(store), strict=True):
            for one in judged.get((store["id"], turn["id"]), ()):
                text = turn["text"][one["begin"] : one["end"]]
                is_worth = one["verdict"] in {"GOOD", "UNCLEAR"}
                labels = {name: one[name] for name in ("kind", "about", "until")}
                held = " held" if sources.part_digest(store["id"])[1] % 6 == 0 else ""
                yield (
                    f"records{held}",
                    {
                        "text": text,
                        "speaker": turn["speaker"],
                        "prev": f"{heard.before} {turn['text'][: one['begin']]}".strip(),
                        "keep": [{**labels, "span": text}] if is_worth else [],
                        "alone": one["verdict"] == "GOOD" if is_worth else None,
                    },
                )


def rows_of_turns() -> Iterator[tuple[str, dict[str, Any]]]:
    """Single turns, written and labelled one by one."""
    for path in sorted((sources.HERE / "turns").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            row["prev"] = f"{row['prev_speaker']}: {row['prev']}" if row["prev"] else ""
            yield "turns", row


def rows_of_services(data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What people say to a service that books for them: requests of the moment, nothing to keep."""
    for name, said in sources.asked_of_services(data / "convlab"):
        for n in range(0, len(said), 2):
            yield (
                f"services {name}",
                {
                    "text": said[n],
                    "speaker": "user",
                    "prev": f"assistant: {said[n - 1]}" if n else "",
                    "keep": [],
                },
            )


def rows_of_labelled(data: Path, more: Path | None) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Labelled turns of others, and whether their licence lets us learn from them; `readings/` adds what we read.

    They are the coding histories that were gathered, where they were, and all files of the folder `more`.
    """
    own = (sources.HERE / "readings" / "coding.jsonl").read_text(encoding="utf-8").splitlines()
    read = {row["digest"]: row["keep"] for row in map(json.loads, own)}
    paths = sorted(data.glob("coding.jsonl"))
    if more:
        paths += sorted(more.glob("*.jsonl")) + sorted(more.glob("*.jsonl.gz"))
    for path in paths:
        name = re.split(r"[._]", path.name)[0]
        if name == "chains":
            continue
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for line in raw.decode().splitlines():
            row = json.loads(line)
            if row.get("keep") is None:
                row["keep"] = read.get(blake2b(row["text"].encode(), digest_size=12).hexdigest())
            if row["keep"] is None:
                continue
            for one in row["keep"]:
                if "begin" in one:
                    one["span"] = row["text"][one["begin"] : one["end"]]
            row["prev"] = (
                f"{'assistant' if name == 'coding' else 'other'}: {row['prev']}" if row.get("prev") else ""
            )
            row["speaker"] = row.get("speaker") or "user"
            free = bool(_FREE.search(row.get("licence") or "")) and name in {"coding", "messy"}
            where = row["source"] if name == "coding" else row["lang"] if name == "messy" else ""
            yield f"{name} {where}".strip(), row, free
