"""A memory behind the gate, asked as a client on this machine asks."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")
pytest.importorskip("jinja2")

from starlette.testclient import TestClient

from memoracle.compose import open_memory
from memoracle.interfaces.http.server import application, guarded
from memoracle.interfaces.mcp.service import Lanes
from memoracle.interfaces.web.pages import Frame, routes
from support.files import PLAIN

TOKEN = "a-token-of-this-test"
HERE = "http://127.0.0.1:8766"


@pytest.fixture
def lanes(root, clock):
    found = Lanes(lambda: open_memory(str(root), environment=PLAIN, clock=clock, via="web"))
    yield found
    found.close()


@pytest.fixture
def served(lanes):
    """The application as `memoracle web` serves it."""

    def serve(**frame):
        app = application(lanes, read_only=frame.get("read_only", False), pages=routes(lanes, Frame(**frame)))
        return guarded(app, TOKEN, "127.0.0.1", 8766)

    return serve


@pytest.fixture
def anybody(served):
    """A client without the token."""
    return TestClient(served(), base_url=HERE, follow_redirects=False)


@pytest.fixture
def client(served):
    """A program that holds the token."""
    return TestClient(
        served(), base_url=HERE, headers={"authorization": f"Bearer {TOKEN}"}, follow_redirects=False
    )


@pytest.fixture
def browser(served):
    """A browser that came in through the address that was printed."""
    client = TestClient(served(), base_url=HERE, headers={"origin": HERE}, follow_redirects=False)
    arrived = client.get(f"/today?token={TOKEN}&days=3")
    assert (arrived.status_code, arrived.headers["location"]) == (303, "/today?days=3")
    return client
