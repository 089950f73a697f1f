"""Settings become a ready memory."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from memoracle.compose import embedders_of, open_memory
from memoracle.embed.script import Space
from memoracle.errors import BadSetting, EmbedderProblem
from memoracle.settings import Settings


class _Vectors(BaseHTTPRequestHandler):
    """The shape of an OpenAI-compatible endpoint: three numbers for every text."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [
            {"index": n, "embedding": [float(len(text)), 1.0, 2.0]} for n, text in enumerate(asked["input"])
        ]
        body = json.dumps({"data": rows, "model": asked["model"]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nobody reads it."""


@pytest.fixture
def endpoint():
    server = HTTPServer(("127.0.0.1", 0), _Vectors)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1#tiny"
    server.shutdown()


def test_the_bundled_embedders_are_two():
    """One for English, one for everything else; both are there after a plain install."""
    assert set(embedders_of(Settings())) == {Space.ENGLISH, Space.MULTILINGUAL}


def test_none_means_words_alone():
    """No model is opened, and recall still works."""
    assert embedders_of(Settings(embedder="none")) == {}


def test_an_endpoint_named_by_the_owner_is_asked(root, endpoint):
    """The passages of this memory get their vectors from it."""
    surroundings = {"MEMORACLE_EMBEDDER": endpoint}
    with open_memory(str(root), environment=surroundings) as memory:
        memory.remember("the cat is called Miso")
        assert (memory.embed() > 0, memory.search("cat").hits[0].passage.text) == (
            True,
            "the cat is called Miso",
        )


def test_a_folder_that_is_none_says_so():
    """Naming something that is no model is an error, not silence."""
    with pytest.raises(EmbedderProblem):
        embedders_of(Settings(embedder="/nowhere/at/all"))


@pytest.mark.parametrize("named", ["http://elsewhere.example/v1#m", "/some/folder"])
def test_a_file_that_came_with_a_clone_names_no_embedder(root, named):
    """Neither what is loaded nor where texts are sent can be chosen by the memory's own file."""
    with open(root / "memoracle.toml", "a") as file:
        file.write(f'embedder = "{named}"\n')
    with pytest.raises(BadSetting):
        open_memory(str(root), environment={})
