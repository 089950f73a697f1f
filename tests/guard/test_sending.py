"""What goes to a model or an embedding endpoint passes the privacy gate; what it stops stays, alone."""

from datetime import UTC

import numpy as np
import pytest

from inference.test_endpoint import Server as EmbeddingServer
from memoracle.compose import open_memory
from memoracle.guard.guard import PolicyGuard
from memoracle.guard.modes import Policy
from memoracle.inference.api import EmbeddingKind
from memoracle.inference.chat import ChatEndpoint as ModelEndpoint
from memoracle.inference.endpoint import EmbeddingEndpoint, Gated
from memoracle.inference.language import ModelCaller
from memoracle.learn.ask_model import settle
from memoracle.learn.asking import Asking, Budget
from memoracle.model.inbox import Why
from memoracle.store.inbox import read_pending
from support.asking import QUICK, InMemory, a_fragment, waiting
from support.chat import ChatServer, answer, dropped
from support.files import PLAIN, write
from support.stores import a_store

from .samples import salt

PRIVATE = {
    "mail": "ask mei.lin@example.com about the roof",
    "phone": "my number is +49 170 5551234, call me",
    "private-path": "the plan lies in /home/mei/clients/plan.md somewhere",
    "blocked": "we met about Project Nightingale",
}
TEA = "I have been drinking green tea for years"


@pytest.fixture
def guard():
    return PolicyGuard(salt, Policy(never=("Project Nightingale",)))


@pytest.fixture
def chat():
    running = ChatServer()
    running.answers = [lambda body: answer(*dropped(*range(1, body["messages"][1]["content"].count("\n"))))]
    yield running
    running.close()


@pytest.fixture
def caller(chat, guard):
    return ModelCaller(ModelEndpoint(chat.url, "small", patience=QUICK), InMemory(), stops=guard.stops)


@pytest.fixture
def vectors():
    running = EmbeddingServer()
    yield running
    running.close()


@pytest.mark.seed("S1.226")
@pytest.mark.parametrize("name", PRIVATE)
def test_a_fragment_that_may_not_leave_waits_alone(caller, chat, name):
    """Not sent, waiting with its reason, told as a finding; the others are asked about as ever."""
    settled = settle(waiting(TEA, PRIVATE[name], "ha, right"), caller)
    assert [(one.fragment.text, one.why) for one in settled.waiting] == [(PRIVATE[name], Why.PRIVATE)]
    assert (len(settled.done), [one.code for one in settled.problems]) == (2, ["model-private"])
    assert PRIVATE[name] not in str(chat.asked)


def test_a_broken_policy_sends_nothing(chat):
    """Nobody knows what may go: everything waits, and nothing is raised."""
    caller = ModelCaller(
        ModelEndpoint(chat.url, "small", patience=QUICK),
        InMemory(),
        stops=PolicyGuard(salt, Policy(broken="no")).stops,
    )
    settled = settle(waiting(TEA), caller)
    assert ([one.why for one in settled.waiting], chat.asked) == ([Why.PRIVATE], [])


def test_the_reason_to_wait_is_kept(root, clock, chat, guard):
    """In the queue of the root, so that `pending` shows it."""
    asking = Asking(
        budget=Budget(store=a_store(root), tokens=100_000, zone=UTC, clock=clock),
        model=lambda: ModelEndpoint(chat.url, "small", patience=QUICK),
        stops=guard.stops,
    )
    asking.settle([a_fragment(PRIVATE["mail"]), a_fragment(TEA, 1)])
    assert {one.fragment.text: one.why for one in read_pending(a_store(root)).waiting}[
        PRIVATE["mail"]
    ] is Why.PRIVATE


@pytest.mark.parametrize("name", PRIVATE)
def test_a_passage_that_may_not_leave_gets_no_vector(vectors, guard, name):
    """Its row is zeros, near to nothing; the passages beside it get theirs, in their order."""
    embedder = Gated(EmbeddingEndpoint(vectors.url, "small", dims=3), stops=guard.stops, cut=guard.cut)
    rows = embedder.embed([TEA, PRIVATE[name], "ha"])
    assert (np.linalg.norm(rows, axis=1).round(3).tolist(), vectors.asked[0][2]) == ([1, 0, 1], [TEA, "ha"])


def test_a_question_goes_without_what_stops_it(vectors, guard):
    """A question cannot wait: the address is cut out and the rest is sent."""
    embedder = Gated(EmbeddingEndpoint(vectors.url, "small", dims=3), stops=guard.stops, cut=guard.cut)
    embedder.embed([PRIVATE["mail"]], EmbeddingKind.QUERY)
    sent = vectors.asked[0][2][0]
    assert ("mei.lin" in sent, sent.split()) == (False, "ask about the roof".split())


def test_a_memory_with_an_endpoint_stands_behind_the_gate(root, clock, vectors):
    """Composed so: nothing private reaches the server, and everything is still found by its words."""
    where = {**PLAIN, "MEMORACLE_EMBEDDER": f"{vectors.url}#small"}
    write(root, "notes/semantic/people.md", f"# People\n\n{PRIVATE['mail']}\n")
    with open_memory(str(root), environment=where, clock=clock) as memory:
        memory.remember(TEA)
        memory.remember(PRIVATE["phone"])
        memory.embed()
        found = memory.search("what is my number, to call me").hits
        assert PRIVATE["phone"] in [hit.passage.text for hit in found]
    sent = str(vectors.asked)
    assert ("green tea" in sent, "mei.lin" in sent, "5551234" in sent) == (True, False, False)


def test_a_mask_is_not_taken_for_a_number(guard):
    """What was masked may go: the letters of a fingerprint are nobody's telephone number."""
    assert guard.stops("the token is in [secret:github-token:13812345] now") == ()
