"""An OpenAI-compatible chat endpoint, served here for real."""

import pytest

from memoracle.errors import ModelUnavailable
from memoracle.inference.chat import ChatEndpoint
from memoracle.inference.language import ModelReply
from memoracle.model.value import replace
from memoracle.text import estimate_tokens
from support.asking import QUICK


def test_an_answer_and_what_it_cost(model, server):
    """The text, and the server's own count of tokens."""
    server.answers = ['{"items":[]}']
    assert model.complete("s", "p", most_tokens=50) == ModelReply(
        text='{"items":[]}', tokens_in=100, tokens_out=40
    )


def test_what_is_asked(server):
    """One model, two messages, JSON mode, no chance, a limit; the key as a bearer, to the address as given."""
    server.answers = ["x"]
    ChatEndpoint(server.url + "/chat/completions", "small", key="secret").complete(
        "be brief", "hello", most_tokens=9
    )

    (body,) = server.asked
    assert body == {
        "model": "small",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}],
        "stream": False,
        "response_format": {"type": "json_object"},
        "temperature": 0,
        "max_tokens": 9,
    }
    assert (server.paths, server.headers[0]["Authorization"]) == (["/v1/chat/completions"], "Bearer secret")


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": "many", "completion_tokens": -1}, [1], {"prompt_tokens": True}]
)
def test_usage_that_is_missing_is_estimated(model, server, usage):
    """A server that does not count, or counts nonsense, is counted for."""
    server.usage, server.answers = usage, ["我住在杭州"]
    reply = model.complete("system", "prompt", most_tokens=50)
    assert (reply.tokens_in, reply.tokens_out) == (estimate_tokens("system\nprompt"), 5)


@pytest.mark.parametrize("fault", [429, 500, 502, 503])
def test_passing_faults_are_tried_again(model, server, pauses, fault):
    """Two faults and then an answer: two growing pauses, each a little longer than it must be."""
    server.answers = [fault, fault, "good", "good"]
    assert model.complete("s", "p", most_tokens=5).text == "good"
    assert (len(pauses), 0.5 <= pauses[0] <= 0.625, 1.0 <= pauses[1] <= 1.25) == (2, True, True)


@pytest.mark.parametrize(("named", "waited"), [("7", 7.0), ("9999", 20.0), ("soon", None), ("-3", None)])
def test_a_server_may_ask_for_time(model, server, pauses, named, waited):
    """`Retry-After` is honoured up to a limit; nonsense counts as nothing."""
    server.answers = [(429, {"Retry-After": named}, "slow down"), "good", "good"]
    model.complete("s", "p", most_tokens=5)
    assert pauses == [waited] if waited else pauses[0] < 1


def test_a_lasting_fault_is_said(model, server):
    """After four attempts it gives up; nothing was done, so nothing is owed."""
    server.answers = [500]
    with pytest.raises(ModelUnavailable, match="500") as caught:
        model.complete("s", "p", most_tokens=5)
    assert (len(server.asked), caught.value.may_have_cost) == (4, False)


def test_a_server_that_hangs_is_asked_once(server, pauses):
    """It may have done the work: asking again would pay for it twice, and this once is owed."""
    server.answers = ["hang"]
    slow = ChatEndpoint(server.url, "small", patience=replace(QUICK, timeout_s=0.2), sleep=pauses.append)
    with pytest.raises(ModelUnavailable, match=r"within 0\.2 s") as caught:
        slow.complete("s", "p", most_tokens=5)
    assert (len(server.asked), pauses, caught.value.may_have_cost) == (1, [], True)


def test_a_body_that_is_cut_off_is_owed_and_not_asked_again(model, server):
    """The server said how long its answer is, and stopped before."""
    server.answers = [(200, {"Content-Length": "9999"}, "short")]
    with pytest.raises(ModelUnavailable, match="middle") as caught:
        model.complete("s", "p", most_tokens=5)
    assert (len(server.asked), caught.value.may_have_cost) == (1, True)


@pytest.mark.parametrize(
    ("body", "owed"),
    [
        (b"<html>", False),
        (b"[]", True),
        (b'{"choices":[]}', True),
        (b'{"choices":[{"message":{"content":null}}]}', True),
        (b"{" * 100_000, False),
        (b"1", True),
    ],
)
def test_a_body_without_an_answer(model, server, body, owed):
    """JSON of another shape is owed; a gateway's page is nobody's work."""
    server.answers = [body]
    with pytest.raises(ModelUnavailable) as caught:
        model.complete("s", "p", most_tokens=5)
    assert caught.value.may_have_cost is owed


@pytest.mark.parametrize("status", [401, 403, 404, 302])
def test_refusals_and_redirects_are_final(model, server, pauses, status):
    """Nothing is tried again, and nothing is sent elsewhere."""
    server.answers = [(status, {"Location": server.url + "/elsewhere"}, "no")]
    with pytest.raises(ModelUnavailable, match=str(status)):
        model.complete("s", "p", most_tokens=5)
    assert (pauses, server.paths) == ([], ["/v1/chat/completions"])


def test_what_a_server_does_not_take_is_left_out_for_good(model, server):
    """JSON mode and temperature go; the limit gets its newer name, and is never left out."""

    def picky(body):
        for name in ("response_format", "temperature", "max_tokens"):
            if name in body:
                return (400, {}, f"Unsupported parameter: {name}")
        return "good"

    server.answers = [picky]
    assert [model.complete("s", "p", most_tokens=5).text for _ in range(2)] == ["good", "good"]
    assert (len(server.asked), sorted(server.asked[-1])) == (
        5,
        ["max_completion_tokens", "messages", "model", "stream"],
    )


def test_a_refusal_that_names_nothing_costs_json_mode_once(model, server):
    """Some servers refuse without saying what; then it is a refusal."""
    server.answers = [400]
    with pytest.raises(ModelUnavailable, match="400"):
        model.complete("s", "p", most_tokens=5)
    assert ["response_format" in body for body in server.asked] == [True, False]


def test_a_server_that_is_not_there(server, pauses):
    """A refused connection is tried again, then said; nothing is owed."""
    server.close()
    with pytest.raises(ModelUnavailable) as caught:
        ChatEndpoint(server.url, "m", patience=QUICK, sleep=pauses.append).complete("s", "p", most_tokens=5)
    assert (len(pauses), caught.value.may_have_cost) == (3, False)


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "localhost:11434", "ftp://x/v1", "http://", "http://me:pw@host/v1", "http://[::"],
)
def test_only_plain_http_addresses(url):
    """Anything else is refused before a word is sent; so is an address that holds a password."""
    with pytest.raises(ModelUnavailable):
        ChatEndpoint(url, "m")


def test_errors_do_not_repeat_what_follows_the_question_mark(server):
    """Some services want a key there."""
    server.answers = [401]
    with pytest.raises(ModelUnavailable) as caught:
        ChatEndpoint(server.url + "?key=hidden", "m").complete("s", "p", most_tokens=5)
    assert ("hidden" in str(caught.value), server.paths) == (False, ["/v1/chat/completions?key=hidden"])
