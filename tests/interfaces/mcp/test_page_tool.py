"""`memory_page`: a server speaks for one seat, fixed where it starts."""

import json

import pytest

from memoracle.errors import BadInput
from memoracle.extensions.seats.errors import NotYourPlace
from memoracle.interfaces.mcp.serve import tools
from memoracle.interfaces.mcp.tool import Caller, check
from memoracle.model.record import Scope
from seats.people import write
from support.files import write as put

SEATED = {tool.name: tool for tool in tools(graph=False, seat=True)}
BUILDER = Caller(name="a-host", scope=Scope(seat="builder", project="arena"))


@pytest.fixture
def use(memory):
    """Calls the tool as a server for the builder does."""
    memory.read_as(BUILDER.scope)

    def call(name="memory_page", caller=BUILDER, **given):
        tool = SEATED[name]
        check(given, tool.takes)
        document = tool.run(memory, given, caller).document
        return json.loads(json.dumps(document))

    return call


def test_a_server_without_a_seat_has_no_pages():
    """The list stays short."""
    assert set(SEATED) - {tool.name for tool in tools(graph=False)} == {"memory_page"}


def test_writing_listing_showing_closing(use):
    """All in the seat's own name."""
    made = use(action="write", kind="decision", title="Cache", body="Redis.", task="T-1")
    again = use(action="write", kind="decision", title="Cache", body="Redis.", task="T-1")
    listed = use(action="list", seat="builder", kind="decision")
    shown = use(action="show", page=made["id"])["pages"][0]
    closed = use(action="close", page=made["id"], because="done")
    assert (made["owner"], again["created"], [one["id"] for one in listed["pages"]]) == (
        "builder@arena",
        False,
        [made["id"]],
    )
    assert (
        "Redis." in shown["body"],
        shown["citation"].startswith("projects/arena/builder/"),
        closed["status"],
    ) == (
        True,
        True,
        "resolved",
    )


@pytest.mark.seed("F-29")
def test_no_call_can_speak_for_another_seat(use, root, clock):
    """Another seat's page can be read, not closed."""
    from memoracle.compose import open_memory

    with open_memory(str(root), environment={}, clock=clock) as owner:
        page = write(owner, seat="planner")
    assert use(action="show", page=page.id)["status"] == "found"
    with pytest.raises(NotYourPlace):
        use(action="close", page=page.id)
    with pytest.raises(NotYourPlace):
        use(action="write", kind="decision", title="Theirs", body="x", seat="planner")
    assert (
        use(action="write", kind="decision", title="Mine", body="x", seat="builder")["owner"]
        == "builder@arena"
    )


def test_a_missing_seat_is_said(use):
    """`not_in_federated_kb`, and never an empty list that looks like an answer."""
    assert use(action="list", seat="designer")["status"] == "not_in_federated_kb"


def test_a_page_has_to_be_named(use):
    """For show and close."""
    with pytest.raises(BadInput):
        use(action="show")


@pytest.mark.seed("S1.112")
def test_getting_a_fact_by_key(use, root):
    """`memory_get` with a key: the value and the place that proves it, or that it is not in memory."""
    put(root, "machine/network.json", '{"host": "box"}')
    found, missing = use("memory_get", key="network.host"), use("memory_get", key="network.x")
    assert (found["text"], found["citation"], missing["status"]) == (
        "box",
        "machine/network.json#host",
        "not_in_memory_db",
    )
