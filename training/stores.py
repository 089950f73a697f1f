"""Written conversations: read, checked and counted.

python -m training.stores [FILE …]
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

WRITTEN = Path(__file__).parent / "written"
CATEGORIES = frozenset(
    "fact speaker time update multi list reason negation instruction un-speaker un-detail un-topic un-plan".split()
)
KINDS = frozenset(
    "identity preference dislike rule decision fact health relationship work plan task event skill location "
    "value".split()
)
LASTS = frozenset({"lasting", "dated", "done"})
_ABOUT = re.compile(r"(?:user|project|world|person:.+)\Z", re.DOTALL)
_NOT_PEOPLE = frozenset({"assistant", "tool"})


def read_stores(folder: Path = WRITTEN, more: Path | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every store with its kind, in the order of their names, then those of the packs (`KIND.json.gz`) in `more`."""
    for path in sorted(folder.glob("*/*.json")):
        yield path.parent.name, json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(more.glob("*.json.gz")) if more else ():
        for store in json.loads(gzip.decompress(path.read_bytes()))["spaces"]:
            yield path.name.partition(".")[0], store


def part_of(name: str) -> str:
    """What a store is for, by its name alone: `train`, or one in eight each for `choose` and `measure`."""
    return {0: "choose", 1: "measure"}.get(part_digest(name)[0] % 8, "train")


def part_digest(name: str) -> bytes:
    """What the draw is made by."""
    return blake2b(name.encode(), digest_size=2).digest()


def problems(store: dict[str, Any]) -> list[str]:
    """What is wrong with a store; nothing when it can be learnt from."""
    ids = [turn["id"] for turn in store["turns"]]
    found = [f"{one} stands twice" for one in sorted({one for one in ids if ids.count(one) > 1})]
    for turn in store["turns"]:
        found += _problems_of_turn(turn)
    for query in store["queries"]:
        found += _problems_of_query(query, set(ids))
    return found


def _problems_of_turn(turn: dict[str, Any]) -> list[str]:
    place = turn["id"]
    found = [f"{place}: no {name}" for name in ("session", "speaker", "date", "text") if not turn.get(name)]
    if not place.startswith(f"{turn.get('session')}:"):
        found.append(f"{place}: of another session")
    if turn["speaker"] not in _NOT_PEOPLE and "keep" not in turn:
        found.append(f"{place}: nobody said what to keep of it")
    for kept in turn.get("keep") or ():
        fits = {
            "span": kept.get("span", "") in turn["text"] and bool(kept.get("span")),
            "kind": kept.get("kind") in KINDS,
            "until": kept.get("until") in LASTS,
            "about": bool(_ABOUT.match(kept.get("about", ""))),
            "says": bool(kept.get("says")),
        }
        found += [f"{place}: {name} is {kept.get(name)!r}" for name, is_well in fits.items() if not is_well]
    return found


def _problems_of_query(query: dict[str, Any], ids: set[str]) -> list[str]:
    place, gold, answerable = query["id"], query["gold"], query["answerable"]
    found = [f"{place}: {one} is no turn" for one in gold if one not in ids]
    if query["category"] not in CATEGORIES or answerable == query["category"].startswith("un-"):
        found.append(
            f"{place}: category {query['category']} of an {'' if answerable else 'un'}answerable one"
        )
    if bool(gold) != answerable or (answerable and not query.get("answer")):
        found.append(f"{place}: an answer and its turns go together")
    return found


def main(names: list[str]) -> int:
    """Print what is wrong, then how many there are of each kind."""
    stores = (
        [(Path(name).parent.name, json.loads(Path(name).read_text(encoding="utf-8"))) for name in names]
        if names
        else list(read_stores())
    )
    wrong = [f"{kind}/{store['id']}: {one}" for kind, store in stores for one in problems(store)]
    for line in wrong:
        print(line)
    for kind in sorted({kind for kind, _ in stores}):
        own = [store for each, store in stores if each == kind]
        turns = [turn for store in own for turn in store["turns"]]
        queries = [query for store in own for query in store["queries"]]
        kept = sum(bool(turn.get("keep")) for turn in turns)
        open_ = sum(not query["answerable"] for query in queries)
        print(
            f"{kind:10} {len(own):3} stores {len(turns):6,} turns, {kept:5,} with something to keep, "
            f"{len(queries):5,} questions, {open_:5,} unanswerable"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
