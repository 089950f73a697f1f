"""The reference server's `memory.jsonl`, read as drafts."""

import json

from memoracle.extensions.exchange.graph_file import ENTITY, OBSERVATION, RELATION, TAG, import_graph
from memoracle.model.record import Channel

LINES = [
    {"type": "entity", "name": "小明", "entityType": "人", "observations": ["住在上海", "likes oolong"]},
    {"type": "relation", "from": "小明", "to": "Ada", "relationType": "knows"},
]


def written(tmp_path, *lines):
    place = tmp_path / "memory.jsonl"
    place.write_bytes(
        b"\n".join(one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines) + b"\n"
    )
    return str(place)


def test_entities_observations_and_relations(tmp_path):
    """Each is a draft of its own, about whom it is about, in the file's order."""
    read = import_graph(written(tmp_path, *LINES))
    said = [(draft.statement.text, draft.entities, draft.tags) for draft in read.drafts]
    assert said == [
        ("小明 (人)", ("小明",), (TAG, ENTITY)),
        ("小明: 住在上海", ("小明",), (TAG, OBSERVATION)),
        ("小明: likes oolong", ("小明",), (TAG, OBSERVATION)),
        ("小明 knows Ada", ("小明", "Ada"), (TAG, RELATION)),
    ]
    assert (read.entities, read.observations, read.relations, read.findings) == (1, 2, 1, ())
    assert {draft.origin.channel for draft in read.drafts} == {Channel.AGENT}


def test_reading_it_twice_keeps_it_once(tmp_path, memory):
    """The second import finds everything there."""
    read = import_graph(written(tmp_path, *LINES))
    memory.remember_many(read.drafts)
    again = memory.remember_many(import_graph(written(tmp_path, *LINES)).drafts)
    assert [receipt.created for receipt in again] == [False] * 4


def test_what_was_imported_is_the_graph(tmp_path, memory):
    """The tools of the knowledge graph see it as the server did."""
    from memoracle.extensions.exchange.graph_tools import read
    from memoracle.interfaces.mcp.tool import Caller

    lines = [*LINES, {"type": "entity", "name": "Ada", "entityType": "person", "observations": []}]
    memory.remember_many(import_graph(written(tmp_path, *lines)).drafts)
    graph = read(memory, Caller()).among()
    assert graph == {
        "entities": [
            {name: line[name] for name in ("name", "entityType", "observations")} for line in lines[::2]
        ],
        "relations": [{name: LINES[1][name] for name in ("from", "to", "relationType")}],
    }


def test_a_line_that_is_something_else_is_named(tmp_path):
    """The others are read."""
    odd = [
        b"{torn", b"\xff\xfe", b"5", b"[]", b"", b"[" * 50_000,
        {"type": "entity", "name": "x"},
        {"type": "entity", "name": 5, "entityType": "t", "observations": []},
        {"type": "entity", "name": "x", "entityType": "t", "observations": [5]},
        {"type": "entity", "name": " ", "entityType": "t", "observations": []},
        {"type": "relation", "from": "a", "to": "b"},
        {"type": "surprise"},
    ]  # fmt: skip
    read = import_graph(written(tmp_path, LINES[0], *odd, LINES[1]))
    assert (read.entities, read.relations) == (1, 1)
    assert [finding.line for finding in read.findings] == [2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13]
    assert {finding.code for finding in read.findings} == {"unknown-shape"}
