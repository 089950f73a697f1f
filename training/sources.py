"""What may be learnt from, as plain values. Where each set comes from, and its licence: README.md.

Public sets lie in one folder, made by `python -m training.gather`; what we wrote ourselves lies beside this file.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from training.stores import part_digest, part_of, read_stores

HERE = Path(__file__).parent
_SENTENCE_ENDS = re.compile(r"(?<=[。！？!?；;])|(?<=[.!?])\s+(?=[A-Z\"“])")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LONGEST = 400


class Answered(NamedTuple):
    """A question and the words that answer it; `of` is the article or the store, `near` answers nothing."""

    question: str
    words: str
    of: str
    near: str = ""


class Turn(NamedTuple):
    """Something said: by whom, on which day, and what stood before it."""

    who: str
    when: str
    text: str
    before: str = ""


class Talk(NamedTuple):
    """Turns, and questions on them: each with the places of the turns that answer it, none when nothing does."""

    of: str
    turns: list[Turn]
    questions: list[tuple[str, list[int]]]


def is_chinese(text: str) -> bool:
    """True when a third of its characters are Han."""
    return len(_HAN.findall(text)) * 3 > len(text)


# Pairs of sentences that say the same.


def pairs(data: Path, part: str) -> dict[str, list[tuple[str, str]]]:
    """English and Chinese, by source; only Tatoeba and the written facts are measured on."""
    own = [
        pair
        for pair in _tabbed(data / "tatoeba.txt")
        if (part_of(pair[0]) == "measure") == (part == "measure")
    ]
    if part == "measure":
        by_chinese = {other: one for one, other in dict(own).items()}
        # The file is sorted by length: without a draw the shortest would be measured alone.
        drawn = sorted(
            ((one, other) for other, one in by_chinese.items()), key=lambda pair: part_digest(pair[1])
        )
        return {"tatoeba": drawn}
    found = {
        "tatoeba": own,
        "convlab": list(convlab(data / "convlab")),
        "kubernetes": list(_tabbed(data / "kubernetes.txt")),
        "cedict": list(_tabbed(data / "cedict.txt")),
        "facts": [(fact["fact_en"], fact["fact_zh"]) for fact in facts("train")]
        + [(fact["near_en"], fact["near_zh"]) for fact in facts("train")],
        "questions": list(translated()),
    }
    return {name: list(dict.fromkeys(pair for pair in many if all(pair))) for name, many in found.items()}


def _tabbed(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        parts = line.split("\t")
        if len(parts) >= 2:
            yield parts[0].strip(), parts[1].strip()


def convlab(folder: Path) -> Iterator[tuple[str, str]]:
    """Turns of CrossWOZ and of MultiWOZ, English and Chinese."""
    for name, inner, key in (("crosswoz", "messages", "content"), ("multiwoz", "log", "text")):
        for split in ("val", "test"):
            english, chinese = (
                _zipped(folder / which, split)
                for which in ((f"{name}_en", name) if name == "crosswoz" else (name, f"{name}_zh"))
            )
            for own in sorted(chinese.keys() & english.keys()):
                one, other = english[own][inner], chinese[own][inner]
                if len(one) == len(other):
                    yield from ((a[key].strip(), b[key].strip()) for a, b in zip(one, other, strict=True))


def asked_of_services(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """What people say to a service that books for them, dialogue by dialogue with its answers: nothing to keep."""
    for name, inner, key in (
        ("crosswoz", "messages", "content"),
        ("crosswoz_en", "messages", "content"),
        ("multiwoz", "log", "text"),
        ("multiwoz_zh", "log", "text"),
    ):
        for split in ("val", "test"):
            for dialogue in _zipped(folder / name, split).values():
                yield name, [turn[key].strip() for turn in dialogue[inner]]


# Questions beside what answers them.


def answered(data: Path, part: str) -> Iterator[Answered]:
    """Questions on articles, split by article; those of XQuAD in both languages and across."""
    for path in sorted(data.glob("cmrc*.json")) + sorted(data.glob("DRCD*.json")):
        for one in _squad(path):
            if (part_of(one.of) == "measure") == (part == "measure"):
                yield one
    if part != "measure":
        english, chinese = (list(_squad(data / f"xquad.{name}.json")) for name in ("en", "zh"))
        for one, other in zip(english, chinese, strict=True):
            yield from (one, other)
            yield Answered(one.question, other.words, one.of)
            yield Answered(other.question, one.words, one.of)


def _squad(path: Path) -> Iterator[Answered]:
    """Questions of a set in the shape of SQuAD, each with the sentence that its answer stands in."""
    for of, sentences, query in _squad_questions(path):
        yield Answered(query["question"].strip(), sentences[_place(sentences, query)].strip()[:_LONGEST], of)


def _squad_questions(path: Path) -> Iterator[tuple[str, list[str], dict[str, Any]]]:
    for number, article in enumerate(json.loads(path.read_text(encoding="utf-8"))["data"]):
        for paragraph in article["paragraphs"]:
            sentences = [one for one in _SENTENCE_ENDS.split(paragraph["context"]) if one]
            for query in paragraph["qas"]:
                query["context"] = paragraph["context"]
                yield str(article.get("title") or article.get("id") or number), sentences, query


def _place(sentences: list[str], query: dict[str, Any]) -> int:
    answer = query["answers"][0]
    start = answer.get("answer_start", query["context"].find(answer["text"]))
    reached = 0
    for place, sentence in enumerate(sentences):
        reached = query["context"].find(sentence, reached) + len(sentence)
        if start < reached:
            return place
    return len(sentences) - 1


def facts(part: str) -> Iterator[dict[str, Any]]:
    """Written facts with questions in both languages: `measure` was written by other hands."""
    for path in sorted((HERE / "facts").glob("*.jsonl")):
        if (path.stem == "measure") == (part == "measure"):
            yield from _lines(path)


def translated() -> Iterator[tuple[str, str]]:
    """Questions of the written stores in both languages, English first."""
    for one, other in _translations():
        yield (other, one) if is_chinese(one) else (one, other)


def _translations() -> Iterator[tuple[str, str]]:
    for path in sorted((HERE / "questions").glob("*.jsonl")):
        for line in _lines(path):
            if part_of(line["store"]) == "train":
                yield line["text"], line["other"]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


# Conversations with questions on them.


def stores(part: str, more: Path | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The written stores that are for this part, with their kind; `more` is a folder of others of the same shape."""
    for kind, store in read_stores(HERE / "written", more):
        if part_of(store["id"]) == part:
            yield kind, store


def turns_of(store: dict[str, Any]) -> list[Turn]:
    """The turns of a store, each with what was said before it in its session."""
    found: list[Turn] = []
    before, session = "", None
    for turn in store["turns"]:
        found.append(
            Turn(
                turn["speaker"], turn["date"][:10], turn["text"], before if turn["session"] == session else ""
            )
        )
        before, session = f"{turn['speaker']}: {turn['text']}", turn["session"]
    return found


def talks(data: Path, part: str, more: Path | None = None) -> Iterator[tuple[str, Talk]]:
    """Everything that a reader can learn from, by source."""
    yield from conversations(data, part, more)
    if part == "train":
        yield from (("timelines", talk) for talk in _timelines())
        own = [*data.glob("cmrc*.json"), *data.glob("DRCD*.json"), *data.glob("xquad.*.json")]
        yield from (("articles", talk) for path in sorted(own) for talk in _articles(path))
        yield from (("squad", talk) for talk in _articles(data / "dev-v2.0.json"))


def conversations(data: Path, part: str, more: Path | None = None) -> Iterator[tuple[str, Talk]]:
    """What people say to each other, by source; questions of stores also in the other language."""
    other = {
        (one["store"], one["id"]): one["other"]
        for path in sorted((HERE / "questions").glob("*.jsonl"))
        for one in _lines(path)
    }
    for kind, store in stores(part, more):
        place = {turn["id"]: n for n, turn in enumerate(store["turns"])}
        questions = []
        for query in store["queries"]:
            # What answered it once answers it to who sees nothing else.
            gold = [place[name] for name in (*query["gold"], *query.get("once", ())) if name in place]
            questions.append((query["text"], gold))
            if text := other.get((store["id"], query["id"])):
                questions.append((text, gold))
        yield kind, Talk(store["id"], turns_of(store), questions)
    if part == "train":
        yield from (("friendsqa", talk) for talk in _friends(data))
        yield from (("molweni", talk) for talk in _molweni(data))
        yield from (("qmsum", talk) for talk in _meetings(data))


MEASURED = ("c4", "c8", "c19", "c26")
"""Timelines that nothing is learnt from, each by another hand."""
_TOGETHER = 12


def timelines(*names: str) -> Iterator[dict[str, Any]]:
    """Those of these files, or all that are learnt from."""
    for path in sorted((HERE / "changes").glob("*.jsonl")):
        if path.stem in names if names else path.stem not in MEASURED:
            yield from _lines(path)


def _batched(every: Iterator[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    while several := list(islice(every, size)):
        yield several


def _timelines() -> Iterator[Talk]:
    """Timelines side by side, as one memory holds them: what answers a question now, and what answered it once."""
    for of, several in enumerate(_batched(timelines(), _TOGETHER)):
        turns: list[Turn] = []
        questions: list[tuple[str, list[int]]] = []
        for one in several:
            place = {said["id"]: len(turns) + n for n, said in enumerate(one["statements"])}
            turns += [
                Turn(said.get("speaker") or one["who"], said["date"][:10], said["text"])
                for said in one["statements"]
            ]
            questions += [
                (asked["text"], [place[name] for name in (*asked["now"], *asked["past"])])
                for asked in one["questions"]
            ]
        yield Talk(f"timelines {of}", turns, questions)


def _heard(said: Iterable[tuple[str, str]], when: str = "") -> list[Turn]:
    turns: list[Turn] = []
    before = ""
    for who, text in said:
        turns.append(Turn(who, when, text, before))
        before = f"{who}: {text}"
    return turns


def _friends(data: Path) -> Iterator[Talk]:
    for path in sorted(data.glob("friendsqa_*.json")):
        for scene in json.loads(path.read_text(encoding="utf-8"))["data"]:
            for paragraph in scene["paragraphs"]:
                said = [
                    (" and ".join(one["speakers"]), _plain(one["utterance"]))
                    for one in paragraph["utterances:"]
                ]
                asked = [
                    (_plain(query["question"]), sorted({one["utterance_id"] for one in query["answers"]}))
                    for query in paragraph["qas"]
                ]
                yield Talk(scene["title"], _heard(said), asked)


def _plain(text: str) -> str:
    """Words that stand apart for a parser, put together again."""
    return re.sub(r"\s+([.,!?;:'’]|n't)", r"\1", text).strip()


def _molweni(data: Path) -> Iterator[Talk]:
    path = data / "molweni.json"
    for number, scene in enumerate(json.loads(path.read_text(encoding="utf-8"))["data"]["dialogues"]):
        said = [(turn["speaker"], turn["text"]) for turn in scene["edus"]]
        texts, asked = [text for _, text in said], []
        for query in scene["qas"]:
            gold = sorted(
                {n for one in query["answers"] for n, text in enumerate(texts) if one["text"] in text}
            )
            if query["is_impossible"] or gold:
                asked.append((query["question"], [] if query["is_impossible"] else gold[:2]))
        yield Talk(str(number), _heard(said), asked)


def _meetings(data: Path) -> Iterator[Talk]:
    """Meetings of QMSum: what answers is a stretch of turns, of which the longest few are taken."""
    for path in sorted((data / "qmsum").glob("*.json")):
        meeting = json.loads(path.read_text(encoding="utf-8"))
        said = [
            (one["speaker"], re.sub(r"\{\w+\}|\s+", " ", one["content"]).strip())
            for one in meeting["meeting_transcripts"]
        ]
        asked = []
        for query in meeting["specific_query_list"]:
            words = set(re.findall(r"[a-z]{4,}", query["answer"].lower()))
            within = [
                n
                for one in query["relevant_text_span"]
                for n in range(int(one[0]), int(one[1]) + 1)
                if n < len(said)
            ]
            told = {n: len(words & set(re.findall(r"[a-z]{4,}", said[n][1].lower()))) for n in within}
            best = sorted(told, key=lambda n: -told[n])[:3]
            if best and told[best[0]] >= 3:
                asked.append((query["query"], [n for n in best if told[n] >= 3]))
        yield Talk(path.stem, _heard(said), asked)


def meetings(data: Path) -> Iterator[str]:
    """What somebody says in the meetings of QMSum."""
    for path in sorted((data / "qmsum").glob("*.json")):
        for turn in json.loads(path.read_text(encoding="utf-8"))["meeting_transcripts"]:
            text = re.sub(r"\{\w+\}|\s+", " ", turn["content"]).strip()
            if 20 < len(text) < _LONGEST:
                yield text


def _articles(path: Path) -> Iterator[Talk]:
    """Paragraphs on which questions were asked, a sentence a turn; some have no answer there."""
    found: dict[str, Talk] = {}
    for of, sentences, query in _squad_questions(path):
        if part_of(of) == "measure":
            continue
        talk = found.setdefault(
            query["context"], Talk(of, _heard(("", one.strip()) for one in sentences), [])
        )
        gold = [_place(sentences, query)] if query["answers"] else []
        talk.questions.append((query["question"].strip(), gold))
    yield from found.values()


def _zipped(folder: Path, split: str) -> dict[str, Any]:
    with zipfile.ZipFile(folder / f"{split}.json.zip") as packed:
        found: dict[str, Any] = json.loads(packed.read(packed.namelist()[0]))
        return found
