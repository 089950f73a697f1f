"""An OpenAI-compatible endpoint, served here for real."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from memoracle.errors import EmbedderUnavailable
from memoracle.inference.api import E5, EmbeddingKind
from memoracle.inference.endpoint import EmbeddingEndpoint


class Server:
    """Answers with vectors [length, 1, 0], after whatever faults were asked for."""

    def __init__(self):
        self.faults = []
        self.asked = []
        self.headers = []
        self.reply = lambda texts: {
            "data": [{"index": i, "embedding": [len(t), 1, 0]} for i, t in reversed(list(enumerate(texts)))]
        }
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self._http.shutdown()
        self._http.server_close()

    def _handler(server):  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.asked.append((self.path, body["model"], body["input"]))
                server.headers.append(dict(self.headers))
                status = server.faults.pop(0) if server.faults else 200
                if status == "hang up":
                    self.connection.close()
                    return
                content = server.reply(body["input"]) if status == 200 else {"error": "no such model"}
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", server.url + "/elsewhere")
                self.end_headers()
                self.wfile.write(content if isinstance(content, bytes) else json.dumps(content).encode())

            def log_message(self, *_):
                pass

        return Handler


@pytest.fixture
def server():
    running = Server()
    yield running
    running.close()


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def endpoint(server, pauses):
    return EmbeddingEndpoint(server.url, "small", sleep=pauses.append, timeout_s=5)


def test_rows_come_in_the_order_of_the_texts(endpoint):
    """Answers out of order are put right, and rows have length 1."""
    found = endpoint.embed(["aaa", "a"])

    np.testing.assert_allclose(found, np.array([[3, 1, 0], [1, 1, 0]]) / np.sqrt([[10], [2]]), rtol=1e-6)


def test_many_texts_travel_in_batches(endpoint, server):
    """Sixty-four at a time."""
    endpoint.embed(["x"] * 130)

    assert [len(texts) for _, _, texts in server.asked if texts != ["dims"]] == [64, 64, 2]


def test_name_and_dims_are_asked_once(endpoint, server):
    """The length of a vector is learnt from the server."""
    assert (endpoint.name, endpoint.dims, len(server.asked)) == ("small@endpoint:3", 3, 1)


def test_key_prefix_and_address(server):
    """The key travels as a bearer, the prefix before the text, to the address as given."""
    EmbeddingEndpoint(server.url + "/embeddings", "m", key="secret", dims=3, prefixes=E5).embed(
        ["tea"], EmbeddingKind.QUERY
    )

    assert server.asked == [("/v1/embeddings", "m", ["query: tea"])]
    assert server.headers[0]["Authorization"] == "Bearer secret"


@pytest.mark.parametrize("fault", [500, 503, 429, "hang up"])
def test_passing_faults_are_tried_again(endpoint, server, pauses, fault):
    """Three faults and then an answer: three growing pauses and no error."""
    server.faults = [fault] * 3
    endpoint.embed(["x"])

    assert pauses == [0.5, 1.0, 2.0]


def test_a_lasting_fault_is_an_unavailable_embedder(endpoint, server):
    """After four attempts it gives up and says what it heard."""
    server.faults = [500] * 9

    with pytest.raises(EmbedderUnavailable, match="500"):
        endpoint.embed(["x"])
    assert len(server.asked) == 4


@pytest.mark.parametrize("status", [400, 401, 404, 302])
def test_a_refusal_and_a_redirect_are_final(endpoint, server, pauses, status):
    """Nothing is tried again, and nothing is sent elsewhere."""
    server.faults = [status]

    with pytest.raises(EmbedderUnavailable, match=str(status)):
        endpoint.embed(["x"])
    assert (pauses, len(server.asked)) == ([], 1)


@pytest.mark.parametrize(
    "reply",
    [
        b"not json",
        {"data": []},
        {"nothing": 1},
        {"data": [{"index": 0, "embedding": ["a"]}]},
        {"data": [{"index": 0, "embedding": [float("nan"), 0, 0]}]},
        [],
    ],
)
def test_answers_that_make_no_sense(server, reply):
    """Not JSON, too few, not numbers: unavailable, whatever it was."""
    server.reply = lambda _: reply

    with pytest.raises(EmbedderUnavailable):
        EmbeddingEndpoint(server.url, "m", dims=3).embed(["x"])


def test_a_server_that_is_not_there(server, pauses):
    """A refused connection is tried again, then said."""
    server.close()

    with pytest.raises(EmbedderUnavailable, match="not available"):
        EmbeddingEndpoint(server.url, "m", sleep=pauses.append).embed(["x"])


@pytest.mark.parametrize("url", ["file:///etc/passwd", "localhost:11434", "ftp://x/v1"])
def test_only_http_addresses(url):
    """Anything else is refused before a text is sent."""
    with pytest.raises(EmbedderUnavailable):
        EmbeddingEndpoint(url, "m")


def test_an_empty_text_and_no_text(endpoint, server):
    """Servers refuse empty input, so a space goes in its place; no texts ask only for dims."""
    endpoint.embed([""])

    assert server.asked[0][2] == [" "]
    assert endpoint.embed([]).shape == (0, 3)
