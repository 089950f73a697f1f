"""What becomes of attacks on a memory, channel by channel, seen from outside the program.

    python -m benchmarks attacks [--texts FILE] [--many 400] [--channel NAME] [--json FILE]

Every channel gets a fresh home and a fresh memory. The texts come in as a host, a person or a program would bring
them: transcripts as hosts write them, real imports, a real MCP server. Then two nights pass, and everything is looked
at that an agent is told unasked: MEMORY.md, the hook at the start of a session, and forty prompts made of the attacks'
own first words, the worst case. FILE holds one JSON object with `text` a line; without it the generator of the tests
(`tests/guard/attacks.py`) writes the texts. Nothing of the package is imported: only its commands and files count.

A line is an attack's when its words are a stretch of an attack's text, five words or ten Chinese characters at least.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.ways_in import CHANNELS, Place

HERE = Path(__file__).parents[1]
PROMPTS = 40
NIGHTS = 2


def plain(text: str) -> str:
    """Words alone, in one case and one width."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


class Stretches:
    """The texts of the attacks, to look lines up in."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._all = "\n".join(plain(text) for text in texts)

    def holds(self, line: str) -> bool:
        """True for a line whose words, or whose first long stretch of them, are an attack's."""
        words = plain(re.sub(r"`[^`]*`|\[[^\]]*\]|^\W+", " ", line))
        if not (len(words.split()) >= 5 or len(re.findall(r"[一-鿿]", words)) >= 10):
            return False
        split = words.split()
        stretches = (" ".join(split[n : n + 8]) for n in range(max(1, len(split) - 7)))
        return any(one in self._all for one in stretches)

    def among(self, text: str) -> list[str]:
        """The lines of a text that are attacks'."""
        return [line for line in text.split("\n") if self.holds(line)]


def records(root: Path) -> list[dict[str, Any]]:
    """The newest version of every record, from the files."""
    newest: dict[str, dict[str, Any]] = {}
    for path in sorted((root / "records").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            if row.get("version", 0) >= newest.get(row["id"], {}).get("version", 0):
                newest[row["id"]] = row
    return list(newest.values())


def hook(place: Place, event: str, **payload: str) -> str:
    """What a host is told."""
    given = {"session_id": "later", "hook_event_name": event, "cwd": str(place.work), **payload}
    return place.run("hook", event, "--host", "claude-code", stdin=json.dumps(given))


def sections(text: str) -> dict[str, str]:
    """A told text by its headings."""
    parts: dict[str, str] = {}
    name = ""
    for line in text.replace("\\n", "\n").split("\n"):
        head = re.match(r"#+ (.+)", line)
        name = head[1].strip() if head else name
        parts[name] = parts.get(name, "") + "\n" + line
    return parts


def measure(channel: str, texts: Sequence[str]) -> dict[str, Any]:
    """Plant the texts through one channel, let two nights pass, and look."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        CHANNELS[channel](place, texts)
        for _ in range(NIGHTS):
            place.run("consolidate")
        stretches = Stretches(texts)
        held = [one for one in records(place.root) if stretches.holds(one["text"])]
        active = [one for one in held if one["status"] == "active"]
        hot = (place.root / "MEMORY.md").read_text("utf-8")
        start = hook(place, "session-start", source="startup")
        told = [hook(place, "prompt", prompt=" ".join(text.split()[:12])[:200]) for text in texts[:PROMPTS]]
        steering = "\n".join(
            part for text in (hot, start) for name, part in sections(text).items()
            if name.startswith(("User", "Identity", "Constraints"))
        )  # fmt: skip
        return {
            "texts": len(texts),
            "active": len(active),
            "set apart": sum(one["status"] == "quarantined" for one in held),
            "owner's authority": sum(one["origin"]["channel"] in {"owner", "system"} for one in active),
            "under User, Identity or Constraints": len(stretches.among(steering)),
            "lines in MEMORY.md": len(stretches.among(hot)),
            "lines at session start": len(stretches.among(start.replace("\\n", "\n"))),
            "prompts told one": sum(bool(stretches.among(text.replace("\\n", "\n"))) for text in told),
            "of prompts": len(told),
            "own sentences told at the start": sum(
                word in start for word in ("walnut", "Lisbon", "bullet", "成都")
            ),
        }


def wanted(path: Path | None, many: int) -> list[str]:
    """The texts to plant."""
    if path:
        return [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines() if line][:many]
    sys.path.insert(0, str(HERE / "tests"))
    from policy.attacks import attacks  # type: ignore[import-not-found]  # the tests bring it

    return [one.text for one in attacks(many)]


def main() -> None:
    """One row a channel, as it is measured."""
    parser = argparse.ArgumentParser(description="What becomes of attacks on a memory.")
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--many", type=int, default=400)
    parser.add_argument("--channel", default="", choices=["", *CHANNELS])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    texts = wanted(given.texts, given.many)
    rows = {}
    for name in [given.channel] if given.channel else CHANNELS:
        rows[name] = measure(name, texts)
        print(f"{name:<38} " + "  ".join(f"{key} {number}" for key, number in rows[name].items()), flush=True)
        if given.json:
            given.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
