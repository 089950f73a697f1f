"""A tiny pack and a memory that finds by words, for runs that take no time."""

from dataclasses import dataclass
from types import SimpleNamespace

from benchmarks.subject import Product
from benchmarks.worker import handle

from memoracle.hosts.reading import read
from memoracle.hosts.sources import recognise
from memoracle.model.value import as_fields

PACK = {
    "name": "tiny",
    "language": "en",
    "sessions": {
        "s1": [
            {
                "id": "t1",
                "session": "s1",
                "speaker": "Ann",
                "date": "29.12.2023, 22:42:04",
                "text": "I keep bees",
            },
            {
                "id": "t2",
                "session": "s1",
                "speaker": "Bo",
                "date": "1:56 pm on 8 May, 2023",
                "text": "Look",
                "caption": "a red boat",
            },
        ],
        "s2": [
            {
                "id": "t3",
                "session": "s2",
                "speaker": "Ann",
                "date": "2023/05/25 (Thu) 04:50",
                "text": "The bees left",
            },
            {"id": "t4", "session": "s2", "speaker": "user", "date": "", "text": "我养了一只猫"},
        ],
    },
    "spaces": [
        {
            "id": "a",
            "sessions": ["s1", "s2"],
            "queries": [
                {
                    "id": "q1",
                    "text": "bees",
                    "category": "pets",
                    "date": "",
                    "answerable": True,
                    "gold": ["t1", "t3"],
                    "gold_sessions": ["s1", "s2"],
                },
                {
                    "id": "q2",
                    "text": "boat",
                    "category": "things",
                    "date": "2023/06/01 (Thu) 10:00",
                    "answerable": True,
                    "gold": ["t2"],
                    "gold_sessions": ["s1"],
                },
                {
                    "id": "q3",
                    "text": "submarine",
                    "category": "things",
                    "date": "",
                    "answerable": False,
                    "gold": [],
                    "gold_sessions": [],
                },
            ],
        },
    ],
}


@dataclass
class FakeMemory:
    """Keeps what the real reader gives it and answers with the turns that hold the first word asked for."""

    turns: tuple = ()

    def ingest(self, path):
        from pathlib import Path

        self.turns = read(recognise(Path(path))).turns

    def search(self, question, *, limit, now=None, recipe=None, budget=None):
        assert now is not None
        hits = [_hit(turn) for turn in self.turns if question in turn.text][:limit]
        text = "\n".join(hit.passage.text for hit in hits)
        refs = [hit.passage.ref for hit in hits]
        return SimpleNamespace(
            hits=hits,
            near=[_hit(turn) for turn in self.turns if question not in turn.text],
            verdict="found" if hits else "not_in_memory_db",
            confidence=0.9 if hits else 0.1,
            pack=SimpleNamespace(text=text, refs=refs) if budget else None,
        )

    def close(self):
        pass


def _hit(turn):
    return SimpleNamespace(passage=SimpleNamespace(ref=turn.id, session=turn.session, text=turn.text))


class Here:
    """The product with a fake memory, in this process, speaking as its worker would."""

    version = ""

    def __init__(self):
        self._product = Product(lambda _: FakeMemory())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def build(self, turns, folder):
        reply = handle(
            self._product, {"do": "build", "turns": [as_fields(t) for t in turns], "folder": folder}
        )
        return reply["seconds"], reply["disk_mb"]

    def search(self, asked, k, budget):
        from benchmarks.subject import Answer

        reply = handle(self._product, {"do": "search", "asked": as_fields(asked), "k": k, "budget": budget})
        return Answer(**reply)

    def rss_mb(self):
        return 1.0
