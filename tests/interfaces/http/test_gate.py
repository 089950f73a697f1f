"""Nobody comes in without the token, by another name, or sent by another site."""

import pytest

from interfaces.http.conftest import TOKEN

EVERYWHERE = ("/", "/today.json", "/memories", "/api/v1/status", "/api/v1/events", "/api/v1/openapi.json")


@pytest.mark.parametrize("path", EVERYWHERE)
def test_nothing_is_told_without_the_token(anybody, path):
    """Neither a page nor its twin nor the API says anything to whoever merely reaches the port."""
    answer = anybody.get(path)
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "not-admitted"


def test_a_wrong_token_is_no_token(anybody):
    """In the address, as a bearer, in a cookie."""
    assert anybody.get("/today?token=wrong").status_code == 401
    assert anybody.get("/today", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert anybody.get("/today", headers={"cookie": f"memoracle-8766={TOKEN}x"}).status_code == 401


def test_the_token_leaves_the_address_at_once(anybody):
    """Whoever arrives with it is sent to the same place without it, and script cannot read the cookie."""
    answer = anybody.get(f"/ask?q=port&token={TOKEN}")
    assert answer.headers["location"] == "/ask?q=port"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_an_arrival_stays_on_this_machine(anybody):
    """A path that begins like another machine's name leads nowhere else."""
    answer = anybody.get(f"http://127.0.0.1:8766//evil.example/?token={TOKEN}")
    assert answer.headers["location"].startswith("/")
    assert not answer.headers["location"].startswith("//")
    assert anybody.get(f"/%5Cevil.example?token={TOKEN}").headers["location"] == "/%5Cevil.example"


def test_an_arrival_leads_to_the_same_name(anybody):
    """What is escaped in a path stays so: a name with a question mark, letters of any script, an end of line."""
    for path in ("/things/%E5%BC%A0%3Fx", "/things/100%25", "/%0D%0Aset-cookie%3A%20x"):
        assert anybody.get(f"{path}?token={TOKEN}").headers["location"] == path


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8766", "127.0.0.1:80", "localhost"])
def test_another_name_for_this_machine_is_turned_away(client, host):
    """A name that was made to lead here (DNS rebinding) is not ours."""
    assert client.get("/api/v1/status", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9999"])
def test_a_form_of_another_site_does_nothing(browser, origin, memory):
    """The cookie alone is not enough: the page that sends has to be ours."""
    answer = browser.post("/do/remember", data={"text": "planted"}, headers={"origin": origin})
    assert answer.status_code == 403
    assert memory.list() == []


def test_a_browser_without_a_page_does_nothing(browser):
    """Without a word about the page that sends, the cookie does not act."""
    del browser.headers["origin"]
    assert browser.post("/do/remember", data={"text": "planted"}).status_code == 403


def test_every_answer_is_locked_down(client):
    """Nothing from elsewhere is loaded or run, nobody frames it, nothing is cached."""
    for path in ("/today", "/api/v1/status", "/static/page.css", "/nothing"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
    assert client.get("/today").headers["cache-control"] == "no-store"


def test_two_tokens_are_none(anybody):
    """A request that names two is not let through by one of them."""
    bearer = ("authorization", f"Bearer {TOKEN}")
    assert anybody.get("/api/v1/status", headers=[bearer]).status_code == 200
    assert (
        anybody.get("/api/v1/status", headers=[bearer, ("Authorization", "Bearer other")]).status_code == 401
    )


def test_a_form_without_end_is_turned_away(browser, memory):
    """It is told so, and nothing is kept of it."""
    assert browser.post("/do/remember", data={"text": "x" * 300_000}).status_code == 413
    assert browser.post("/language/zh", data={"back": "x" * 300_000}).status_code == 303
    assert memory.list() == []


def test_who_may_only_read_changes_nothing(served, lanes, root, memory):
    """Recall through a read-only server strengthens nothing, and MCP beside it offers no tool that writes."""
    pytest.importorskip("mcp_types")
    from starlette.testclient import TestClient

    from interfaces.http.conftest import HERE
    from memoracle.interfaces.web.serve import with_mcp

    memory.remember("The gateway listens on port 9443")
    uses = sorted(root.glob("usage/*")), [one.read_bytes() for one in sorted(root.glob("usage/*"))]
    reader = TestClient(served(read_only=True), base_url=HERE, headers={"authorization": f"Bearer {TOKEN}"})
    assert reader.get("/api/v1/recall", params={"q": "gateway port"}).json()["hits"]
    now = sorted(root.glob("usage/*")), [one.read_bytes() for one in sorted(root.glob("usage/*"))]
    assert now == uses

    app = with_mcp(served(read_only=True), lanes, "/mcp", "127.0.0.1", read_only=True)
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    kind = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    with TestClient(app, base_url=HERE) as client:
        begun = client.post("/mcp", headers=kind, json={**call, "method": "initialize", "params": start})
        kind["mcp-session-id"] = begun.headers.get("mcp-session-id", "")
        listed = client.post("/mcp", headers=kind, json=call).json()["result"]["tools"]
    assert {one["name"] for one in listed} == {
        "memory_search",
        "memory_get",
        "memory_context",
        "memory_status",
    }


def test_two_memories_on_one_machine_do_not_take_each_others_cookie(anybody):
    """The cookie is named by the port; that of a neighbour is none here."""
    cookie = anybody.get(f"/today?token={TOKEN}").headers["set-cookie"]
    assert cookie.startswith("memoracle-8766=")
    anybody.cookies.clear()
    assert anybody.get("/today", headers={"cookie": f"memoracle-8767={TOKEN}"}).status_code == 401


def test_behind_a_proxy_the_address_that_people_use_is_ours(lanes):
    """By its name and its scheme: forms of that page act, those of the same name without TLS do not."""
    from starlette.testclient import TestClient

    from memoracle.interfaces.http.server import application, guarded
    from memoracle.interfaces.web.pages import Frame, routes

    app = application(lanes, pages=routes(lanes, Frame()))
    outside = "https://memory.example.org"
    gate = guarded(app, TOKEN, "0.0.0.0", 8766, origins=[outside])
    client = TestClient(gate, base_url=outside, follow_redirects=False)
    assert "; Secure" in client.get(f"/today?token={TOKEN}").headers["set-cookie"]
    kept = {"data": {"text": "A jar of plums"}}
    assert client.post("/do/remember", headers={"origin": outside}, **kept).status_code == 303
    assert (
        client.post("/do/remember", headers={"origin": "http://memory.example.org"}, **kept).status_code
        == 403
    )
    assert client.get("/today", headers={"host": "other.example.org"}).status_code == 421
