"""The nine tools of the knowledge-graph server: what they take and give is what it takes and gives."""

import json

import pytest

from interfaces.mcp.conftest import call, refusal
from memoracle.errors import InvalidDraft, NotFound
from memoracle.extensions.exchange.graph_tools import GRAPH_TOOLS
from memoracle.interfaces.mcp.tool import Caller, check
from memoracle.model.record import Scope

TOOLS = {tool.name: tool for tool in GRAPH_TOOLS}
ADA = {"name": "Ada", "entityType": "person", "observations": ["likes oolong", "speaks French"]}
MING = {"name": "小明", "entityType": "人", "observations": ["住在上海"]}
KNOWS = {"from": "Ada", "to": "小明", "relationType": "knows"}


@pytest.fixture
def use(memory):
    """Calls a tool as the server does; the answer and its text."""

    def call_tool(name, caller=Caller(name="a-host"), **given):  # noqa: B008 - a value
        tool = TOOLS[name]
        check(given, tool.takes)
        answer = tool.run(memory, given, caller)
        check(answer.document, tool.gives)
        return answer.document, answer.text

    return call_tool


@pytest.fixture
def filled(use):
    use("create_entities", entities=[ADA, MING])
    use("create_relations", relations=[KNOWS])
    return use


def test_creating_and_reading(use):
    """New entities come back; known names are passed over; the text is the same as indented JSON."""
    made, text = use("create_entities", entities=[ADA, MING, ADA])
    assert (made, json.loads(text)) == ({"entities": [ADA, MING]}, [ADA, MING])
    again, _ = use("create_entities", entities=[{**ADA, "entityType": "robot"}])
    related, _ = use("create_relations", relations=[KNOWS, KNOWS])
    graph, _ = use("read_graph")
    assert (again, related) == ({"entities": []}, {"relations": [KNOWS]})
    assert graph == {"entities": [ADA, MING], "relations": [KNOWS]}


def test_observing(filled):
    """Only what is new is added; an unknown entity is an error and nothing is written."""
    added, _ = filled(
        "add_observations", observations=[{"entityName": "Ada", "contents": ["likes oolong", "sails"]}]
    )
    assert added == {"results": [{"entityName": "Ada", "addedObservations": ["sails"]}]}
    with pytest.raises(NotFound, match="Entity with name Bob not found"):
        filled(
            "add_observations",
            observations=[
                {"entityName": "Ada", "contents": ["flies"]},
                {"entityName": "Bob", "contents": ["x"]},
            ],
        )
    ada = filled("open_nodes", names=["Ada"])[0]["entities"][0]
    assert ada["observations"] == ["likes oolong", "speaks French", "sails"]


def test_the_same_words_about_two_are_two(filled):
    """An observation belongs to its entity."""
    long = "很长的观察" * 200
    for name in ("Ada", "小明"):
        filled("add_observations", observations=[{"entityName": name, "contents": ["is kind", long]}])
    nodes = filled("read_graph")[0]["entities"]
    assert [node["observations"][-2:] for node in nodes] == [["is kind", long]] * 2


def test_relations_need_their_ends(filled):
    """As the reference server has it."""
    with pytest.raises(NotFound):
        filled("create_relations", relations=[{"from": "Ada", "to": "Bob", "relationType": "knows"}])


def test_searching(filled):
    """By name, type or observation, in any case, with relations that touch what was found."""
    found = [
        filled("search_nodes", query=query)[0] for query in ("ada", "上海", "OOLONG", "PERSON", "nobody")
    ]
    names = [[node["name"] for node in one["entities"]] for one in found]
    assert names == [["Ada"], ["小明"], ["Ada"], ["Ada"], []]
    assert (found[0]["relations"], found[4]["relations"]) == ([KNOWS], [])


def test_deleting(filled, memory):
    """Observations, relations, entities with what hangs on them; what is not there is counted."""
    gone, text = filled(
        "delete_observations", deletions=[{"entityName": "Ada", "observations": ["likes oolong"]}]
    )
    assert (gone["success"], gone["message"] == text) == (True, True)
    assert text.startswith("Observations deleted successfully (withdrawn; `memoracle undo` within 30 days")
    some, _ = filled("delete_entities", entityNames=["Ada", "Bob"])
    assert some["message"].startswith("Deleted 1 of 2 entities. Not found: Bob (withdrawn;")
    none, _ = filled("delete_relations", relations=[KNOWS])
    assert none["message"] == "Deleted 0 of 1 relations. The rest matched nothing."
    assert filled("read_graph")[0] == {"entities": [MING], "relations": []}
    assert memory.search("French").hits == ()


def test_what_was_deleted_can_be_made_again(filled):
    """As new."""
    filled("delete_entities", entityNames=["Ada"])
    filled("create_entities", entities=[ADA])
    assert [node["name"] for node in filled("read_graph")[0]["entities"]] == ["小明", "Ada"]


def test_everything_else_finds_the_graph(filled, memory):
    """Its records are records: searched, cited, the agent's own."""
    (hit, *_) = memory.search("oolong").hits
    record = memory.show(hit.passage.ref)
    assert (record.text, record.statement.subject, record.origin.channel) == (
        "Ada: likes oolong",
        "Ada",
        "agent",
    )


def test_deleting_reaches_only_the_graph(filled, memory):
    """A record of the same words that is no part of it stays."""
    kept = memory.remember("Ada: likes oolong", subject="Ada", predicate="is_a", object="friend").id
    filled("delete_entities", entityNames=["Ada"])
    assert memory.show(kept).status == "active"


def test_scopes_are_graphs_of_their_own(use):
    """What a server keeps for one project is not in another's graph."""
    one, two = (Caller(scope=Scope(project=name)) for name in ("one", "two"))
    use("create_entities", one, entities=[ADA])
    assert [len(use("read_graph", caller)[0]["entities"]) for caller in (one, two)] == [1, 0]


def test_secrets_are_masked_here_too(use):
    """Neither kept nor given back."""
    secret = "ghp_" + "A1b2C3d4" * 4 + "e5F6"
    made, _ = use("create_entities", entities=[{**ADA, "observations": [f"token {secret}"]}])
    assert secret not in json.dumps([made, use("read_graph")[0]])


@pytest.mark.parametrize("name", ["", " ", "x" * 501, "a\0b"])
def test_names_that_cannot_be_kept(use, name):
    """One sentence; nothing is written."""
    with pytest.raises(InvalidDraft):
        use("create_entities", entities=[ADA, {**ADA, "name": name}])
    assert use("read_graph")[0]["entities"] == []


def test_the_hints_are_those_of_the_reference_server():
    """Reading, making, deleting."""
    hints = {name: (tool.read_only, tool.destructive, tool.idempotent) for name, tool in TOOLS.items()}
    assert hints == {
        **dict.fromkeys(("create_entities", "create_relations", "add_observations"), (False, False, False)),
        **dict.fromkeys(("delete_entities", "delete_observations", "delete_relations"), (False, True, True)),
        **dict.fromkeys(("read_graph", "search_nodes", "open_nodes"), (True, False, True)),
    }


def test_through_the_official_client(story):
    """Asked for with --graph, seventeen tools; the shapes pass the client's own check."""

    async def body(client):
        names = [tool.name for tool in (await client.list_tools()).tools]
        made = await call(client, "create_entities", entities=[ADA])
        error = await refusal(
            client, "add_observations", observations=[{"entityName": "Bob", "contents": ["x"]}]
        )
        graph = await call(client, "read_graph")
        return len(names), made, error, graph

    count, made, error, graph = story(body, "--graph")
    assert (count, made, error["message"]) == (17, {"entities": [ADA]}, "Entity with name Bob not found")
    assert graph == {"entities": [ADA], "relations": []}
