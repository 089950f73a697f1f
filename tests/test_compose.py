"""Settings become a ready memory."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from memoracle.compose import embedder_of, model_of, open_memory
from memoracle.errors import BadSetting, EmbedderProblem
from memoracle.settings import Settings
from support.chat import ChatServer
from support.weights import small_model_folder


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


def test_the_bundled_embedder_is_there():
    """After a plain install, with nothing to fetch."""
    assert embedder_of(Settings()).name.startswith("memoracle-")


def test_none_means_words_alone():
    """No model is opened, and recall still works."""
    assert embedder_of(Settings(embedder="none")) is None


def test_an_endpoint_named_by_the_owner_is_asked(root, endpoint):
    """The passages of this memory get their vectors from it."""
    surroundings = {"MEMORACLE_EMBEDDER": endpoint}
    with open_memory(str(root), environment=surroundings) as memory:
        memory.remember("the cat is called Miso")
        assert (memory.embed() > 0, memory.search("cat").hits[0].passage.text) == (
            True,
            "the cat is called Miso",
        )


def test_a_folder_named_by_the_owner_is_used(root, tmp_path):
    """A model of one's own serves for every language, under its own name."""
    folder = small_model_folder(tmp_path / "my-model")
    with open_memory(str(root), environment={"MEMORACLE_EMBEDDER": folder}) as memory:
        memory.remember("the cat is called Miso")
        memory.remember("我对花生过敏")
        assert memory.embed() >= 2
        (space,) = memory.index.spaces()
        assert (space.split("@")[0], space.split(":")[1]) == ("my-model", "8")
        found = memory.search("cat", recipe="balanced")
        assert (found.hits[0].passage.text, "vector" in found.hits[0].legs) == (
            "the cat is called Miso",
            True,
        )


def test_a_folder_that_is_none_says_so():
    """Naming something that is no model is an error, not silence."""
    with pytest.raises(EmbedderProblem):
        embedder_of(Settings(embedder="/nowhere/at/all"))


@pytest.mark.parametrize("named", ["http://elsewhere.example/v1#m", "/some/folder"])
def test_a_file_that_came_with_a_clone_names_no_embedder(root, named):
    """Neither what is loaded nor where texts are sent can be chosen by the memory's own file."""
    with open(root / "memoracle.toml", "a") as file:
        file.write(f'embedder = "{named}"\n')
    with pytest.raises(BadSetting):
        open_memory(str(root), environment={})


def test_no_model_by_default():
    """Nothing is opened, nothing is asked."""
    assert model_of(Settings(), {}) is None


def test_a_model_named_by_the_owner():
    """An endpoint by address and name, a command by its words."""
    endpoint = model_of(Settings(llm="http://127.0.0.1:11434/v1#qwen3:4b"), {})
    command = model_of(Settings(llm="command:/opt/my\\ tools/llm -m 'a b'"), {})
    assert (endpoint.name, command.name) == ("qwen3:4b", "command:llm")


def test_the_key_of_a_model_comes_from_the_environment():
    """It stands in no file and in no argument."""
    server = ChatServer()
    server.answers = ["good"]
    try:
        model = model_of(Settings(llm=f"{server.url}#small"), {"MEMORACLE_LLM_KEY": "secret"})
        model.complete("s", "p", most_tokens=5)
    finally:
        server.close()
    assert (server.asked[0]["model"], server.headers[0]["Authorization"]) == ("small", "Bearer secret")


@pytest.mark.parametrize(
    "named",
    [
        "http://host/v1",
        "http://host/v1#",
        "http://#m",
        "http://me:pw@host/v1#m",
        "command:",
        "command: ",
        "command:a 'b",
    ],
)
def test_a_model_that_is_not_named_whole_is_a_bad_setting(named):
    """No name, no host, a password in the address, no program, a quote that does not end."""
    with pytest.raises(BadSetting) as caught:
        model_of(Settings(llm=named), {})
    assert "pw@" not in str(caught.value)
