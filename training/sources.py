"""Public sets that may be learnt from, as plain texts. Where each comes from, and its licence: README.md."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from training.stores import part_digest, part_of, read_stores

_SENTENCE_ENDS = re.compile(r"(?<=[。！？!?；;])")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LONGEST = 400


class Answered(NamedTuple):
    """A question and the words that answer it; `of` is the article or the store they stand in."""

    question: str
    words: str
    of: str


def is_chinese(text: str) -> bool:
    """True when a third of its characters are Han."""
    return len(_HAN.findall(text)) * 3 > len(text)


def tatoeba(path: Path) -> Iterator[tuple[str, str]]:
    """English and Chinese."""
    for line in path.read_text(encoding="utf-8").splitlines():
        parts = line.split("\t")
        if len(parts) >= 2:
            yield parts[0].strip(), parts[1].strip()


def convlab(folder: Path) -> Iterator[tuple[str, str]]:
    """Turns of CrossWOZ and of MultiWOZ, English and Chinese."""
    for split in ("val", "test"):
        english, chinese = _zipped(folder / "crosswoz_en", split), _zipped(folder / "crosswoz", split)
        for name in chinese.keys() & english.keys():
            for one, other in zip(english[name]["messages"], chinese[name]["messages"], strict=False):
                yield one["content"].strip(), other["content"].strip()
        english, chinese = _zipped(folder / "multiwoz", split), _zipped(folder / "multiwoz_zh", split)
        for name in chinese.keys() & english.keys():
            if len(english[name]["log"]) == len(chinese[name]["log"]):
                for one, other in zip(english[name]["log"], chinese[name]["log"], strict=True):
                    yield one["text"].strip(), other["text"].strip()


def squad(path: Path) -> Iterator[Answered]:
    """Questions of a set in the shape of SQuAD, each with the sentence that its answer stands in."""
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            sentences = _SENTENCE_ENDS.split(paragraph["context"])
            for query in paragraph["qas"]:
                answer = query["answers"][0]
                start = answer.get("answer_start", paragraph["context"].find(answer["text"]))
                for sentence in sentences:
                    if start < len(sentence):
                        of = str(article.get("title") or article.get("id"))
                        yield Answered(query["question"].strip(), sentence.strip()[:_LONGEST], of)
                        break
                    start -= len(sentence)


def meetings(path: Path) -> Iterator[str]:
    """What somebody says in the meetings of QMSum."""
    for line in path.read_text(encoding="utf-8").splitlines():
        for turn in json.loads(line)["meeting_transcripts"]:
            if 20 < len(turn["content"]) < _LONGEST:
                yield turn["content"]


def pairs(tatoeba_file: Path, convlab_folder: Path, part: str) -> list[tuple[str, str]]:
    """Parallel sentences for this part, each once; only those of Tatoeba are measured on, no sentence twice."""
    own = [pair for pair in tatoeba(tatoeba_file) if (part_of(pair[0]) == "measure") == (part == "measure")]
    if part != "measure":
        return distinct([*own, *convlab(convlab_folder)])
    by_chinese = {other: one for one, other in dict(own).items()}
    # The file is sorted by length: without a draw the shortest would be measured alone.
    return sorted(((one, other) for other, one in by_chinese.items()), key=lambda pair: part_digest(pair[1]))


def answered(paths: Iterable[Path], part: str) -> Iterator[Answered]:
    """Questions on articles, split by article."""
    for path in paths:
        yield from (one for one in squad(path) if (part_of(one.of) == "measure") == (part == "measure"))


def stores(part: str) -> Iterator[dict[str, Any]]:
    """The written stores that are for this part."""
    yield from (store for _, store in read_stores() if part_of(store["id"]) == part)


def written(part: str) -> Iterator[Answered]:
    """Questions of the written stores for this part, each with the turns that answer it."""
    for store in stores(part):
        turns = {turn["id"]: turn for turn in store["turns"]}
        for query in store["queries"]:
            for name in query["gold"][:2]:
                turn = turns[name]
                yield Answered(query["text"], f"{turn['speaker']}: {turn['text'][:_LONGEST]}", store["id"])


def distinct(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs that say something on both sides, each once, in their order."""
    return [pair for pair in dict.fromkeys(pairs) if all(pair)]


def _zipped(folder: Path, split: str) -> dict[str, Any]:
    with zipfile.ZipFile(folder / f"{split}.json.zip") as packed:
        found: dict[str, Any] = json.loads(packed.read(packed.namelist()[0]))
        return found
