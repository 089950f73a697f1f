"""The verbs of the graph, as people and scripts call them."""

import json

import pytest

from support.pages import write_page

A, B, C = "projects/arena/decision/foo", "notes/semantic/b", "notes/semantic/alone"


@pytest.fixture
def linked(root, cli):
    write_page(root, A, "# Foo\n\nSettled in ARENA-228, see [[b]] and [[nobody]].\n")
    write_page(root, B, "# B\n\nAlso ARENA-228; proof in projects/arena/gone.md#L3.\n")
    write_page(root, C, "# Alone\n\nNothing here.\n")
    return cli


@pytest.mark.seed("S1.108", "S1.100")
def test_backlinks(linked):
    """The target, how many link to it, and each of them; none is an answer, too."""
    found = linked("backlinks", "entity:taskid:ARENA-228", "--json")
    none = linked("backlinks", "entity:taskid:NO-1", "--json")
    edge = found.json["incoming"][0]
    assert (found.json["incoming_count"], edge["from"], edge["to"], edge["type"], edge["snippet"]) == (
        2,
        B,
        "entity:taskid:ARENA-228",
        "references-task",
        "# B Also ARENA-228; proof in projects/arena/gone.md#L3.",
    )
    assert (none.status, none.json) == (
        0,
        {"target": "entity:taskid:NO-1", "incoming_count": 0, "incoming": []},
    )


@pytest.mark.seed("S1.110")
def test_the_forms_a_page_can_be_named_by(linked, root):
    """Bare, with an ending, as an absolute path, by its name, and an entity by its address or its plain name."""
    forms = [B, f"{B}.md", f"{B}.json", str(root / f"{B}.md"), "b", "page:b"]
    pages = {linked("backlinks", form, "--json").json["target"] for form in forms}
    tasks = {
        linked("backlinks", one, "--json").json["target"] for one in ("entity:taskid:ARENA-228", "ARENA-228")
    }
    assert (pages, tasks) == ({B}, {"entity:taskid:ARENA-228"})


@pytest.mark.seed("S1.109", "F-33", "S1.100")
def test_graph(linked):
    """Nodes and edges with their depth, breadth first, one step unless told otherwise, both directions."""
    one = linked("graph", A, "--json").json
    two = linked("graph", "ARENA-228", "--depth", "2", "--json").json
    assert (one["root"], one["depth"], one["node_count"], one["edge_count"], one["nodes"][0]) == (
        A,
        1,
        4,
        3,
        A,
    )
    assert {(e["from"], e["to"], e["depth"]) for e in two["edges"]} >= {
        (A, "entity:taskid:ARENA-228", 1),
        (A, B, 2),
    }
    assert sorted(two["edges"][0]) == ["depth", "from", "line", "path", "snippet", "to", "type"]


def test_a_graph_of_nothing_known_is_not_in_memory(linked):
    """It is said, with its own status."""
    assert linked("graph", "nobody-knows").status == 3


def test_hubs_are_said_to_be_capped(linked):
    """In the document and to a person."""
    document = linked("graph", A, "--cap", "2", "--json").json
    told = linked("graph", A, "--cap", "2").out
    assert (document["capped"], document["edge_count"], "--cap" in told) == ([A], 2, True)


def test_drawings(linked, root):
    """Mermaid and DOT; a name that would end its label is spelled out."""
    write_page(root, C, '# Alone\n\n[[y" ; drop]]\n')
    mermaid, dot = (linked("graph", C, "--format", one).out for one in ("mermaid", "dot"))
    assert mermaid.splitlines()[0] == "graph LR"
    assert 'n1["page:y#34; #59; drop"]' in mermaid
    assert 'label="page:y\\" ; drop"' in dot
    assert json.loads(linked("graph", C, "--format", "json").out)["root"] == C


def test_path(linked):
    """The shortest way, edge by edge; its own status when there is none."""
    found = linked("path", A, B, "--json").json
    none = linked("path", A, C, "--json")
    assert ([(e["from"], e["to"]) for e in found["edges"]], none.status, none.json["found"]) == (
        [(A, B)],
        3,
        False,
    )


def test_what_leads_nowhere_and_what_nobody_links(linked):
    """A page that is not there, a file of the root that is not there; and a page without any link."""
    broken = linked("links", "--broken", "--json").json["items"]
    orphans = linked("links", "--orphans", "--json").json["items"]
    assert ([(one["from"], one["to"]) for one in broken], orphans) == (
        [(B, "entity:file:projects/arena/gone.md"), (A, "page:nobody")],
        [C],
    )


@pytest.mark.seed("S1.135")
@pytest.mark.parametrize("words", [["notes/semantic/nobody.md"], ["/etc/hosts.md"], ["../outside.md"]])
def test_links_of_a_page_that_is_not_there_is_a_usage_error(linked, words):
    """Missing or outside of the root: status 2."""
    assert (linked("links", *words).status, linked("links", *words, "--write").status) == (2, 2)


@pytest.mark.seed("S1.120", "S1.095", "S1.136")
def test_every_write_is_in_the_graph_at_the_next_question(cli):
    """A record, an edit, a note: by rules, without any model."""
    kept = cli("remember", "we settled ARENA-9", "--json").json["id"]
    cli("note", "looked at ARENA-9 again")
    before = cli("backlinks", "ARENA-9", "--json").json["incoming_count"]
    cli("edit", kept, "we settled something else")
    after = cli("backlinks", "ARENA-9", "--json").json["incoming_count"]
    cli("rebuild-index")
    assert (before, after, cli("backlinks", "ARENA-9", "--json").json["incoming_count"]) == (2, 1, 1)
