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
    assert anybody.get("/today", headers={"cookie": f"memoracle={TOKEN}x"}).status_code == 401


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
