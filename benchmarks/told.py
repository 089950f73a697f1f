"""What agents are told unasked: whether a prompt that memory answers hears it, and any other hears nothing.

    python -m benchmarks told --data FOLDER [--packs NAME …] [--stores 4] [--questions 12] [--half tuned|unread|both]

Each store of a pack is one memory of turns. Its questions with known evidence should be told that and little else;
questions that nothing answers, and what people typed in the other stores of the pack, should be told nothing. Only
questions that the owner's own words answer count: an agent's are not told unasked. The
rules were chosen on the stores of one half (by a checksum of their names); `unread` measures the others.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from zlib import crc32

from benchmarks.packs import Pack, Space, choose_packs, read_pack, write_transcript
from memoracle import open_memory
from memoracle.compose import init
from memoracle.model.value import value

KINDS = ("answered", "unanswerable", "ordinary")
_CITED = re.compile(r"`[^`]*#L(\d+)(?:-L\d+)?`$", re.MULTILINE)
_SHORTEST, _LONGEST = 12, 400


@value
class Prompt:
    """Something typed, the turns that answer it, and what kind of prompt it is."""

    text: str
    kind: str
    gold: frozenset[str] = frozenset()


@value
class Told:
    """What one prompt was told: how many items, how many of them answer it, how many tokens."""

    kind: str
    items: int = 0
    gold: int = 0
    tokens: int = 0


def main() -> int:
    """Measure, print, and write the JSON if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--data", nargs="+", required=True, help="folders of packs")
    parser.add_argument("--packs", nargs="+", default=[], help="only these")
    parser.add_argument("--stores", type=int, default=4, help="stores of each pack (default 4)")
    parser.add_argument(
        "--questions", type=int, default=12, help="prompts of each kind and store (default 12)"
    )
    parser.add_argument("--half", choices=("tuned", "unread", "both"), default="both")
    parser.add_argument("--json", metavar="FILE", help="also write the numbers here")
    given = parser.parse_args()
    found = {}
    for name, folder in choose_packs(given.data, given.packs).items():
        pack = read_pack(folder, name)
        told = list(measure(pack, given.stores, given.questions, given.half))
        found[name] = summary(told)
        print(f"{name:<16}" + "  ".join(_row(kind, row) for kind, row in found[name].items()), flush=True)
    if given.json:
        Path(given.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def measure(pack: Pack, stores: int, most: int, half: str) -> Iterator[Told]:
    """What the prompts of some stores are told."""
    is_tuned = {"tuned": (True,), "unread": (False,), "both": (True, False)}[half]
    chosen = [space for space in pack.spaces if (crc32(space.id.encode()) % 2 == 0) in is_tuned]
    for space in sorted(chosen, key=lambda one: crc32(one.id.encode()))[:stores]:
        yield from ask(space, prompts(pack, space, most))


def prompts(pack: Pack, space: Space, most: int) -> list[Prompt]:
    """Some of the store's own questions, and of what people typed elsewhere."""
    random = Random(space.id)
    theirs = {turn.id for turn in space.turns if turn.speaker == "user"}
    own = [
        Prompt(text=one.text, kind=KINDS[not one.answerable], gold=frozenset(one.gold))
        for one in space.questions
        if not (one.answerable and theirs.isdisjoint(one.gold))  # what an agent said is not told unasked
    ]
    typed = [
        Prompt(text=turn.text, kind=KINDS[2])
        for other in pack.spaces
        if other.id != space.id
        for turn in other.turns
        if turn.speaker == "user" and _SHORTEST <= len(turn.text) <= _LONGEST
    ]
    every = [random.sample(some, len(some)) for some in (own, typed)]
    return [
        one for kind in KINDS for one in [one for some in every for one in some if one.kind == kind][:most]
    ]


def ask(space: Space, asked: Sequence[Prompt]) -> Iterator[Told]:
    """Keep the turns of a store, then prompt it."""
    with tempfile.TemporaryDirectory(prefix="memoracle-told-") as folder:
        transcript, root = f"{folder}/turns.jsonl", f"{folder}/memory"
        write_transcript(transcript, space.turns)
        init(root, environment={})
        with open_memory(root, environment={"TZ": "UTC"}) as memory:
            memory.ingest(transcript)
            budget = memory.root.settings.hook_prompt_tokens
            for one in asked:
                made = memory.context(one.text, after="prompt", budget=budget)
                lines = [int(number) for number in _CITED.findall(made.text)]
                gold = sum(space.turns[number - 1].id in one.gold for number in lines)
                yield Told(kind=one.kind, items=len(lines), gold=gold, tokens=made.tokens)


def summary(told: Sequence[Told]) -> dict[str, dict[str, float]]:
    """By kind of prompt: how many are silent, how long a block is, what share of it answers."""
    found = {}
    for kind in KINDS:
        own = [one for one in told if one.kind == kind]
        blocks = [one for one in own if one.items]
        if own:
            items = sum(one.items for one in blocks)
            found[kind] = {
                "prompts": len(own),
                "blocks": len(blocks),
                "silent": 1 - len(blocks) / len(own),
                "answered": sum(one.gold > 0 for one in own) / len(own),
                "gold_share": sum(one.gold for one in blocks) / max(1, items),
                "items": items / max(1, len(blocks)),
                "tokens": sum(one.tokens for one in blocks) / max(1, len(blocks)),
            }
    return found


def _row(kind: str, row: dict[str, float]) -> str:
    said = f"{kind} {row['prompts']:.0f}: silent {row['silent']:.2f}"
    if kind == KINDS[0]:
        said += f", told what answers {row['answered']:.2f}, share {row['gold_share']:.2f}"
    return f"{said}, {row['items']:.1f} items of {row['tokens']:.0f} tokens"


if __name__ == "__main__":
    sys.exit(main())
