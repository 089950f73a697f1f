"""What adapters do on this side of a peer: notes, words, versions, vectors over HTTP. The packages are not needed."""

import json
import sys
from importlib import import_module
from threading import Thread
from types import ModuleType, SimpleNamespace
from urllib.request import Request, urlopen

import numpy as np
import pytest
from benchmarks.packs import Asked, Said
from benchmarks.peers import ENVIRONMENT_VARIABLE, PEERS, open_peer, version_of, words_of
from benchmarks.peers.notes import turns_of, write_notes
from benchmarks.peers.qmd import keywords

TURNS = [
    Said(id="a", session="s", speaker="Ann", date="2024-01-01", text="I keep bees\n# and a hive"),
    Said(id="b", session="s", speaker="Bo", date="", text="The boat is red"),
]
BOAT = Asked(id="q", text="boat", category="", date="", answerable=True, gold=("b",), gold_sessions=())


class Vectors:
    """Two dimensions: bees and boats."""

    dims = 2

    def passages(self, texts):
        return np.array([[float("bees" in text), float("boat" in text)] for text in texts])

    def question(self, text):
        return self.passages([text])[0]

    def take_charge(self):
        return 0.0


@pytest.fixture
def stub(monkeypatch):
    """Put modules in the place of a package, and the vectors above in the place of a model."""

    def stub(peer, **modules):
        for name, held in modules.items():
            module = ModuleType(name.replace("__", "."))
            vars(module).update(held)
            monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.delitem(sys.modules, f"benchmarks.peers.{peer}", raising=False)
        module = import_module(f"benchmarks.peers.{peer}")
        monkeypatch.delitem(sys.modules, f"benchmarks.peers.{peer}")
        if hasattr(module, "open_vectors"):
            monkeypatch.setattr(module, "open_vectors", Vectors)
        return module

    return stub


def test_every_peer_says_how_it_is_installed():
    """Or needs nothing."""
    assert {name for name, peer in PEERS.items() if peer.install is None} == {"bm25", "fts5"}
    assert PEERS["qmd"].install == "npm install @tobilu/qmd node@24"
    assert PEERS["mem0"].install == "pip install 'mem0ai>=2.2'"


def test_versions_are_those_of_packages():
    """What a subject says of itself goes before; what needs no package has none."""
    assert version_of("openclaw", SimpleNamespace(version="2026.9")) == "2026.9"
    assert [version_of(name, SimpleNamespace()) for name in ("bm25", "hybrid", "memoracle")] == ["", "", ""]


def test_notes_lead_back_to_their_turns(tmp_path):
    """By their name, each once."""
    write_notes([words_of(turn) for turn in TURNS], str(tmp_path / "notes"))

    assert (tmp_path / "notes" / "n1.md").read_text() == "Bo: The boat is red\n"
    assert turns_of(["qmd://notes/n1.md", "memory/n0.md", "n1.md"], ["a", "b"]) == ["b", "a"]


def test_keywords_leave_out_what_says_nothing():
    """qmd wants every word of a query in one note."""
    assert keywords("What did the captain's boat cost?") == "captain s boat cost"


@pytest.mark.parametrize("name", ["qmd", "openclaw"])
def test_a_package_that_npm_has_not_installed_is_absent(name, monkeypatch, tmp_path):
    """As one that pip has not."""
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(tmp_path))

    with pytest.raises(ImportError, match="npm"):
        open_peer(name)


def test_openclaw_is_given_vectors_as_its_endpoint_would(stub):
    """Questions and passages are told apart by what the request says."""
    module = stub("openclaw")
    endpoint = module._Endpoint(("127.0.0.1", 0), module._Embeddings)
    Thread(target=endpoint.serve, daemon=True).start()
    body = json.dumps({"model": "shared", "input": ["bees", "a boat"], "input_type": "passage"}).encode()
    with urlopen(
        Request(f"http://127.0.0.1:{endpoint.server_port}/v1/embeddings", body), timeout=10
    ) as reply:
        told = json.load(reply)
    endpoint.shutdown()
    endpoint.server_close()

    assert [row["embedding"] for row in told["data"]] == [[1.0, 0.0], [0.0, 1.0]]
    assert endpoint.vectors({"input": "boat", "input_type": "query"}) == [[0.0, 1.0]]


def test_langgraph_searches_the_words_by_their_vectors(stub):
    """Keys are turns."""

    class Store:
        def __init__(self, index):
            self.index, self.kept = index, {}

        def put(self, place, key, value):
            self.kept[key] = self.index["embed"]([value["text"]])[0]

        def search(self, place, *, query, limit):
            (asked,) = self.index["embed"]([query])
            found = [
                SimpleNamespace(key=key, score=float(np.dot(asked, row))) for key, row in self.kept.items()
            ]
            return sorted(found, key=lambda item: -item.score)[:limit]

    module = stub(
        "langgraph", langgraph={}, langgraph__store={}, langgraph__store__memory={"InMemoryStore": Store}
    )
    peer = module.LangGraph()
    peer.build(TURNS, "")
    answer = peer.search(BOAT, 1)

    assert (answer.chunks, answer.confidence) == ((("b",),), 1.0)


def test_memsearch_leads_lines_back_to_turns(stub, tmp_path):
    """A heading inside a turn begins no section of its own."""
    module = stub("memsearch", memsearch={}, memsearch__core={})
    starts = module._write(TURNS, str(tmp_path))
    peer = module.MemSearchPeer()
    peer._starts = starts

    assert (tmp_path / "session-0.md").read_text().split("\n") == [
        "## 2024-01-01",
        "Ann: I keep bees",
        " # and a hive",
        "",
        "## undated",
        "Bo: The boat is red",
        "",
    ]
    assert [peer._turn_of("/x/session-0.md", line) for line in (1, 3, 5, 6)] == ["a", "a", "b", "b"]


def test_mem0_keeps_turns_as_they_are_and_finds_them_by_its_metadata(stub, tmp_path):
    """No language model takes part."""
    added = []

    class Memory:
        @classmethod
        def from_config(cls, config):
            assert config["vector_store"]["config"]["embedding_model_dims"] == Vectors.dims
            return cls()

        def add(self, text, *, infer, metadata, user_id):
            added.append((text, infer, metadata))

        def search(self, text, *, filters, top_k, threshold):
            assert self.embedding_model.embed(text, "search") == [0.0, 1.0]
            return {
                "results": [{"metadata": metadata, "score": 0.5} for _, _, metadata in added[1 : 1 + top_k]]
            }

    peer = stub("mem0", mem0={"Memory": Memory}).Mem0()
    peer.build(TURNS, str(tmp_path))

    assert peer.search(BOAT, 1).chunks == (("b",),)
    assert [infer for _, infer, _ in added] == [False, False]


def test_mnemosyne_answers_with_what_it_was_told(stub, tmp_path):
    """Ids of its own lead back to turns; one it made itself fills a place and answers nothing."""

    class Mnemosyne:
        def __init__(self, **_):
            self.kept = []

        def remember(self, text, *, metadata):
            self.kept.append(text)
            return str(len(self.kept))

        def recall(self, text, *, top_k):
            return [{"id": "2", "score": 0.7}, {"id": "summary"}][:top_k]

    peer = stub("mnemosyne", mnemosyne={"Mnemosyne": Mnemosyne}).MnemosynePeer()
    peer.build(TURNS, str(tmp_path))

    assert peer.search(BOAT, 2).chunks == (("b",), ("?summary",))
