"""Forty questions, asked months later, of notes, talk and records in two languages that lie in one memory."""

import json
from pathlib import Path

import pytest

from memoracle.compose import open_memory
from memoracle.model.search import Verdict

MIXED = json.loads((Path(__file__).parent / "data" / "mixed.json").read_text(encoding="utf-8"))


def flat(text):
    """The words of a text on one line."""
    return " ".join(text.split())


@pytest.fixture
def memory(root, tmp_path):
    for name, text in MIXED["notes"].items():
        place = root / "notes" / "semantic" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    talk = tmp_path / "talk"
    talk.mkdir()
    for name, turns in MIXED["chats"].items():
        lines = (json.dumps(turn, ensure_ascii=False) for turn in turns)
        (talk / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with open_memory(str(root), environment={}) as opened:
        for record in MIXED["records"]:
            opened.remember(record["text"], observed=record["time"])
        opened.ingest(str(talk))
        opened.embed()
        yield opened


@pytest.mark.long
def test_most_questions_find_their_evidence_first(memory):
    """What was reached: 27 of 35 first, 33 among the first five, 4 of 5 that nobody answered not taken for answered."""
    first = among = doubted = 0
    for asked in MIXED["questions"]:
        found = memory.search(asked["question"])
        told = [
            any(flat(gold) in flat(one.text) for one in (hit.passage, *hit.also) for gold in asked["gold"])
            for hit in found.hits[:5]
        ]
        first += any(told[:1])
        among += any(told)
        doubted += not asked["answerable"] and found.verdict is not Verdict.FOUND
    assert first >= 26
    assert among >= 32
    assert doubted >= 4
