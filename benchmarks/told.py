"""What agents are told unasked: whether a prompt that memory answers hears it, and any other hears nothing.

    python -m benchmarks told --data FOLDER [--packs NAME …] [--stores 4] [--questions 12] [--half tuned|unread|both]
    python -m benchmarks told --prompts FILE [--questions 40] [--show]

Each store of a pack is one memory of turns. Its questions with known evidence should be told that and little else;
questions that nothing answers, and what people typed in the other stores of the pack, should be told nothing. Only
questions that the owner's own words answer count: an agent's are not told unasked. The
rules were chosen on the stores of one half (by a checksum of their names); `unread` measures the others.

`--prompts` reads what people typed to coding agents, a line of JSON each (`source`, `session`, `text`, `prev`, `keep`):
the first two thirds of a project's sessions are its memory, and prompts of the rest are given to it. A line is of use
at most where its turn holds something that somebody marked as worth keeping; whatever else is told is noise.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any
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
    parser.add_argument("--data", nargs="+", default=[], help="folders of packs")
    parser.add_argument("--prompts", metavar="FILE", help="what people typed to coding agents")
    parser.add_argument(
        "--show", action="store_true", help="print every prompt of these that is told something"
    )
    parser.add_argument("--packs", nargs="+", default=[], help="only these")
    parser.add_argument("--stores", type=int, default=4, help="stores of each pack (default 4)")
    parser.add_argument(
        "--questions", type=int, default=12, help="prompts of each kind and store (default 12)"
    )
    parser.add_argument("--half", choices=("tuned", "unread", "both"), default="both")
    parser.add_argument("--json", metavar="FILE", help="also write the numbers here")
    given = parser.parse_args()
    if given.prompts:
        rows = [json.loads(line) for line in Path(given.prompts).read_text("utf-8").splitlines()]
        for source in sorted({row["source"] for row in rows}):
            project(
                source, [row for row in rows if row["source"] == source], given.questions, show=given.show
            )
        return 0
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


def project(source: str, rows: list[dict[str, Any]], most: int, *, show: bool) -> None:
    """Keep the earlier sessions of a project, learn from them, and give it prompts of the later ones."""
    sessions = sorted({row["session"] for row in rows})
    earlier = set(sessions[: 2 * len(sessions) // 3])
    kept = [row for row in rows if row["session"] in earlier]
    later = [row["text"] for row in rows if row["session"] not in earlier]
    asked = [text for text in dict.fromkeys(later) if _SHORTEST <= len(text) <= _LONGEST]
    if not kept or not asked:
        return
    asked = Random(source).sample(asked, min(most, len(asked)))
    blocks, tokens, lines = 0, 0, Counter[str]()
    with tempfile.TemporaryDirectory(prefix="memoracle-told-") as folder:
        transcript, root = Path(folder) / "turns.jsonl", f"{folder}/memory"
        said = [(who, row[key]) for row in kept for who, key in (("assistant", "prev"), ("user", "text"))]
        transcript.write_text(
            "".join(json.dumps({"role": who, "content": text}) + "\n" for who, text in said), encoding="utf-8"
        )
        init(root, environment={})
        with open_memory(root, environment={"TZ": "UTC"}) as memory:
            memory.ingest(str(transcript))
            memory.consolidate()
            for text in asked:
                made = memory.context(text, after="prompt", budget=memory.root.settings.hook_prompt_tokens)
                told = [line for line in made.text.split("\n") if line.startswith("- ")]
                turns = [
                    kept[(int(one[1]) - 1) // 2] if (one := _CITED.search(line)) else None for line in told
                ]
                kinds = ["record" if one is None else _KEEP[bool(one["keep"])] for one in turns]
                lines.update(kinds)
                blocks, tokens = blocks + bool(told), tokens + made.tokens
                if show and told:
                    shown = (f"  {kind}: {line[:300]}" for kind, line in zip(kinds, told, strict=True))
                    print(f"> {text[:200]!r}", *shown, sep="\n")
    said_of = ", ".join(f"{many} {kind}" for kind, many in sorted(lines.items())) or "nothing"
    print(
        f"{source}: {len(asked)} prompts, {blocks} blocks of {tokens / max(1, blocks):.0f} tokens: {said_of}",
        flush=True,
    )


_KEEP = {True: "worth keeping", False: "noise"}


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
