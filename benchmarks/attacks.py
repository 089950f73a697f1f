"""What becomes of attacks on a memory, channel by channel: authority, automatic context, the owner's own words.

    python benchmarks/attacks.py [--data DIR] [--many 2000] [--channel NAME] [--json]

Texts come from the generator of the tests (`tests/policy/attacks.py`) and, with `--data`, from public collections in
DIR: `BIPIA_text.json`, `BIPIA_code.json` (lists of attacks by kind) and `valid.json` (rows with `prompt`, and `label` 1
for attacks). Each text is planted among the owner's own talk, three nights pass, and then everything is looked at that
an agent is told unasked. Rows behind the line are ways in which nothing says whose words they are.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from memoracle.compose import init, open_memory
from policy.attacks import Attack, attacks, of_texts
from policy.outcome import nights, outcome
from policy.planting import CHANNELS, UNTOLD
from support.clock import FrozenClock

_SURROUNDINGS = {"MEMORACLE_RECIPE": "quick", "TZ": "UTC"}
_NOTES = ("notes/semantic/", "notes/procedural/", "notes/daily/")


def collected(folder: Path) -> list[str]:
    """The attacks of the public collections that are there."""
    found: list[str] = []
    for name in ("BIPIA_text.json", "BIPIA_code.json"):
        kinds = json.loads((folder / name).read_text("utf-8")) if (folder / name).is_file() else {}
        found += [text for texts in kinds.values() for text in texts]
    rows = json.loads((folder / "valid.json").read_text("utf-8")) if (folder / "valid.json").is_file() else []
    return found + [row["prompt"] for row in rows if row["label"]]


def measure(name: str, texts: list[Attack]) -> dict[str, Any]:
    """Plant the texts through one channel, let three nights pass, and look."""
    plant = {**CHANNELS, **UNTOLD}[name]
    with tempfile.TemporaryDirectory() as place:
        root, clock = Path(place) / "memory", FrozenClock()
        init(str(root), environment={})
        with open_memory(str(root), environment=_SURROUNDINGS, clock=clock) as memory:
            in_notes = plant.__name__.endswith("note")
            plant(memory, root if in_notes else Path(place) / "there", texts)
            nights(memory, clock)
            found = outcome(memory, root, texts, theirs=_NOTES if in_notes else ())
    return {
        "attempts": len(texts),
        "kept as facts": len(found.held),
        "gained authority": len(found.gained),
        "told unasked": len(found.told),
        "in generated files": len(found.written),
        "own sentences": found.own,
        "remembered": found.remembered,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="What becomes of attacks on a memory.")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--many", type=int, default=2_000)
    parser.add_argument("--channel", default="")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    sets = {"made": attacks(arguments.many)} if arguments.many else {}
    if arguments.data:
        sets["collected"] = of_texts(collected(arguments.data))
    for which, texts in sets.items():
        for name in [*CHANNELS, *UNTOLD]:
            if not arguments.channel or arguments.channel == name:
                row = measure(name, texts)
                told = json.dumps({"set": which, "channel": name, **row}) if arguments.json else ""
                print(
                    told
                    or f"{which:<10} {name:<46} " + "  ".join(f"{key} {item}" for key, item in row.items()),
                    flush=True,
                )


if __name__ == "__main__":
    main()
