"""How often the guard sets text apart: false alarms on harmless text, detection on attacks.

    python -m benchmarks injections --data DIR [--packs DIR] [--json]

DIR is a folder with `NotInject_one|two|three.json`, `valid.json` (rows with `prompt`, and `label` 1 for attacks) and
`BIPIA_text.json`, `BIPIA_code.json` (lists of attacks by kind); what is not there is left out. `--packs` names a
folder of conversation packs (`*.json.gz`) whose every turn is ordinary text. Each text is judged as if its owner had
told it, an agent, and a tool. Filters are a side figure: that outside text never steers is held by kinds and trust.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memoracle.guard.screening import suspicions
from memoracle.model.record import Channel

CHANNELS = (Channel.OWNER, Channel.AGENT, Channel.TOOL)


def corpora(folder: Path) -> Iterator[tuple[str, bool, list[str]]]:
    """Name, whether it is harmless, and texts of every set that is there."""
    prompts = [
        row["prompt"]
        for name in ("one", "two", "three")
        for row in _read(folder / f"NotInject_{name}.json", [])
    ]
    yield "NotInject", True, prompts
    labelled = _read(folder / "valid.json", [])
    yield "valid, harmless", True, [row["prompt"] for row in labelled if not row["label"]]
    yield "valid, attacks", False, [row["prompt"] for row in labelled if row["label"]]
    for name in ("text", "code"):
        kinds = _read(folder / f"BIPIA_{name}.json", {})
        yield f"BIPIA {name}", False, [text for texts in kinds.values() for text in texts]


def packs(folder: Path) -> Iterator[tuple[str, bool, list[str]]]:
    """The turns of every pack, in a name and its texts."""
    for path in sorted(folder.glob("*.json.gz")):
        with gzip.open(path) as file:
            yield path.name.removesuffix(".json.gz"), True, list(_texts(json.load(file)))


def measure(texts: Sequence[str]) -> dict[str, Any]:
    """How many are set apart in each channel, and by which rules a tool's."""
    hits = {channel.value: 0 for channel in CHANNELS}
    rules: Counter[str] = Counter()
    for text in texts:
        for channel in CHANNELS:
            found = suspicions(text, channel)
            hits[channel.value] += bool(found)
            if channel is Channel.TOOL:
                rules.update(found)
    return {"texts": len(texts), **hits, "rules": dict(rules.most_common())}


def _texts(thing: Any) -> Iterator[str]:
    if isinstance(thing, dict):
        for name, item in thing.items():
            if name in {"text", "content"} and isinstance(item, str):
                yield item
            else:
                yield from _texts(item)
    elif isinstance(thing, list):
        for item in thing:
            yield from _texts(item)


def _read(path: Path, default: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else default


def main() -> None:
    parser = argparse.ArgumentParser(description="How often the guard sets text apart.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--packs", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = [*corpora(arguments.data), *(packs(arguments.packs) if arguments.packs else ())]
    rows = {name: {"harmless": harmless, **measure(texts)} for name, harmless, texts in found if texts}
    if arguments.json:
        print(json.dumps(rows))
        return
    print(f"{'set':<18} {'':<9} {'texts':>7} " + " ".join(f"{channel.value:>16}" for channel in CHANNELS))
    for name, row in rows.items():
        sort = "harmless" if row["harmless"] else "attacks"
        rates = (f"{row[channel.value]} ({row[channel.value] / row['texts']:.1%})" for channel in CHANNELS)
        print(f"{name:<18} {sort:<9} {row['texts']:>7,} " + " ".join(f"{rate:>16}" for rate in rates))


if __name__ == "__main__":
    main()
