"""The graph in the view: both directions, names that lead somewhere, and the same graph however it came about."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.compose import init, open_memory
from memoracle.index.graph import Near, walk, way
from memoracle.model.link import Edge, LinkType
from support.files import PLAIN
from support.pages import write_page

A, B, C = "notes/semantic/a", "notes/semantic/b", "notes/semantic/c"


def links_of(memory):
    """A reader of the graph as it stands."""
    memory.search("anything")
    return memory.index.links()


def targets(edges):
    return [edge.target for edge in edges]


def sources(edges):
    return [edge.source for edge in edges]


@pytest.mark.long
@pytest.mark.seed("S1.136", "S1.134")
@given(
    edits=st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "sub/a", "c"]),
            st.sampled_from(
                [
                    None,
                    "see [[a]] and ARENA-1",
                    "commit 9f3c2ab, [[sub/a]]",
                    "commit 9f3c2abd01 and B-52",
                    "B-17, [[b|x]], notes/semantic/a.md#L1",
                    "---\ntitle: c\ntask_id: arena-1\nsupersedes: b\n---\nnothing",
                ]
            ),
        ),
        max_size=8,
    )
)
def test_a_rebuilt_graph_is_the_same(edits):
    """Whatever was written, changed and deleted in whatever order, a new view has the same links."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "memory"
        init(str(root), environment={})
        with open_memory(str(root), environment=PLAIN) as memory:
            for name, text in edits:
                if text is None:
                    (root / f"notes/semantic/{name}.md").unlink(missing_ok=True)
                else:
                    write_page(root, f"notes/semantic/{name}", text)
                    memory.remember(f"{text} ({name})")
                grown = _everything(memory)
            grown = _everything(memory)
            dump = memory.index.dump()
            memory.rebuild_index()
            assert (_everything(memory), memory.index.dump()) == (grown, dump)


def _everything(memory):
    with links_of(memory) as links:
        return {
            source: [(e.target, e.type, e.snippet, e.line) for e in links.outgoing(source)]
            for source in links.sources()
        }


@pytest.mark.seed("F-33", "S1.109")
def test_two_pages_that_share_a_task_are_two_steps_apart(root, memory):
    """Links are followed backwards, too."""
    write_page(root, A, "about ARENA-228")
    write_page(root, B, "also about ARENA-228")
    with links_of(memory) as links:
        near = [walk(A, depth, links.near).nodes for depth in (1, 2)]
    assert near == [
        {A: 0, "entity:taskid:ARENA-228": 1},
        {A: 0, "entity:taskid:ARENA-228": 1, B: 2},
    ]


def test_abbreviations_of_a_commit_are_one(root, memory):
    """The longest spelling stands for all; where two commits begin alike, the short one stays itself."""
    write_page(root, A, "commit 9f3c2ab")
    write_page(root, B, "commit 9f3c2abdd1")
    with links_of(memory) as links:
        one = (targets(links.outgoing(A)), sources(links.incoming("entity:commit:9f3c2abdd1")))
    write_page(root, C, "commit 9f3c2abff2")
    with links_of(memory) as links:
        two = targets(links.outgoing(A))
    assert (one, two) == ((["entity:commit:9f3c2abdd1"], [A, B]), ["entity:commit:9f3c2ab"])


def test_a_name_leads_to_the_nearest_page(root, memory):
    """By path from any folder down, by title, by alias; of several the one in the same folder."""
    write_page(root, "notes/semantic/x/limits", "---\ntitle: The Limits\naliases: [caps]\n---\nhere")
    write_page(root, "notes/procedural/limits", "there")
    write_page(
        root, "notes/semantic/x/asks", "[[limits]] [[The limits]] [[caps]] [[x/limits]] [[procedural/limits]]"
    )
    with links_of(memory) as links:
        found = sorted(targets(links.outgoing("notes/semantic/x/asks")))
    assert found == ["notes/procedural/limits", "notes/semantic/x/limits"]


def test_a_page_that_comes_later_is_found_by_older_links(root, memory):
    """Nothing is written anew for it."""
    write_page(root, A, "see [[b]] and ../procedural/how.md and [[../procedural/how]]")
    with links_of(memory) as links:
        before = targets(links.outgoing(A))
    write_page(root, B, "here")
    write_page(root, "notes/procedural/how", "so")
    with links_of(memory) as links:
        after = (targets(links.outgoing(A)), sources(links.incoming(B)))
    assert (before, after) == (
        ["entity:file:notes/procedural/how.md", "page:b", "page:notes/procedural/how"],
        (["notes/procedural/how", B, "notes/procedural/how"], [A]),
    )


@pytest.mark.seed("F-36")
def test_a_doubtful_prefix_is_learned_from_its_project(root, memory):
    """One letter and a number is a task where the project has another number of it, and only there."""
    write_page(root, "projects/arena/builder/a", "the B-52 poster")
    write_page(root, "projects/pay/builder/a", "B-1 first")
    write_page(root, "projects/pay/builder/b", "then B-2")
    with links_of(memory) as links:
        found = {source: targets(links.outgoing(source)) for source in links.sources()}
    assert found == {
        "projects/arena/builder/a": [],
        "projects/pay/builder/a": ["entity:taskid:B-1"],
        "projects/pay/builder/b": ["entity:taskid:B-2"],
    }


@pytest.mark.seed("S1.131")
def test_component_patterns_of_a_project_come_before_those_of_the_root(root, memory):
    """Changing the file changes the graph at the next question."""
    for project in ("arena", "pay"):
        write_page(root, f"projects/{project}/builder/a", "OrderService and PlayerView")
    (root / "component-patterns.toml").write_text('suffixes = ["Service"]\n')
    with links_of(memory) as links:
        by_root = [targets(links.outgoing(f"projects/{one}/builder/a")) for one in ("arena", "pay")]
    (root / "projects/pay/component-patterns.toml").write_text('suffixes = ["View", "no good"]\n')
    with links_of(memory) as links:
        by_project = [targets(links.outgoing(f"projects/{one}/builder/a")) for one in ("arena", "pay")]
    service, view = ["entity:component:OrderService"], ["entity:component:PlayerView"]
    assert (by_root, by_project) == ([service, service], [service, view])


def test_of_a_record_only_the_standing_version_links(memory):
    """An edit takes the old links along; what is forgotten links to nothing; what superseded it says so."""
    kept = memory.remember("see ARENA-1")
    memory.edit(kept.id, text="see ARENA-2")
    new = memory.supersede(kept.id, "see ARENA-3")
    with links_of(memory) as links:
        found = (targets(links.outgoing(kept.id)), targets(links.outgoing(new.id)))
    memory.forget([new.id])
    with links_of(memory) as links:
        gone = links.outgoing(new.id)
    assert (found, gone) == ((["entity:taskid:ARENA-2"], ["entity:taskid:ARENA-3", kept.id]), [])


def test_headers_link_too(root, memory):
    """Tasks, what a page supersedes, and its evidence, in any of the shapes people write."""
    header = (
        "---\ntask_id: ARENA-228\nrelated_task_ids: [arena-229, GH-7]\nsupersedes: b\n"
        "evidence:\n  - src/x.py#L3\n  - {path: notes/semantic/b.md, trust: high}\n---\nbody\n"
    )
    write_page(root, A, header)
    write_page(root, B, "old")
    with links_of(memory) as links:
        found = [(edge.type.value, edge.target) for edge in links.outgoing(A)]
    assert found == [
        ("evidence", "notes/semantic/b"),
        ("evidence", "entity:file:src/x.py"),
        ("references-task", "entity:taskid:ARENA-228"),
        ("references-task", "entity:taskid:ARENA-229"),
        ("references-task", "entity:taskid:GH#7"),
        ("supersedes", B),
    ]


@pytest.mark.seed("S1.095", "F-59")
def test_a_failing_rule_keeps_nothing_from_being_read(root, memory, monkeypatch):
    """The page and the record are there and found; the failure is a finding."""
    from memoracle.recall import links as link_sources

    monkeypatch.setattr(link_sources, "find_links", lambda *_, **__: 1 / 0)
    write_page(root, A, "the quokka of ARENA-1")
    memory.remember("the wombat of ARENA-2")
    hits = [memory.search(word).hits[0].passage.path for word in ("quokka", "wombat")]
    told = {finding.path for finding in memory.index.findings() if finding.code == "links-unread"}
    assert (hits, told >= set(hits)) == (["notes/semantic/a.md", "records/facts.jsonl"], True)


def test_links_of_others_stay_with_them(root, memory):
    """A reader of one project sees no record and no page of another, and in public nothing that is private."""
    from memoracle.model.record import Scope

    memory.remember("ARENA-1 is mine", project="pay")
    write_page(root, A, "ARENA-1 here")
    write_page(root, "projects/pay/builder/a", "ARENA-1 there")
    memory.search("x")
    with memory.index.links(reader=Scope(project="arena")) as links:
        seen = sources(links.incoming("entity:taskid:ARENA-1"))
    with memory.index.links(public=True) as links:
        shown = sources(links.incoming("entity:taskid:ARENA-1"))
    assert (seen, shown) == ([A], [])


def edge(source, target):
    return Edge(source=source, target=target, type=LinkType.WIKILINK, snippet="")


def neighbours(*pairs):
    """Neighbours in a graph of pairs."""

    def near(node, cap):
        edges = [edge(a, b) for a, b in pairs if node in {a, b}]
        return Near(edges=tuple(edges[:cap]), more=len(edges) > cap)

    return near


def test_hubs_are_capped_and_said():
    """Of a hub the first are followed, and it is named."""
    near = walk("hub", 1, neighbours(*(("hub", f"n{n}") for n in range(9))), cap=4)
    assert (list(near.nodes), near.capped) == (["hub", "n0", "n1", "n2", "n3"], ("hub",))


def test_the_shortest_way():
    """Against the direction of links, too; edge by edge from the one to the other."""
    pairs = [("a", "b"), ("c", "b"), ("c", "d"), ("a", "x"), ("x", "y"), ("y", "z"), ("z", "d")]
    found = way("a", "d", neighbours(*pairs))
    assert [(e.source, e.target) for e in found.edges] == [("a", "b"), ("c", "b"), ("c", "d")]


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), max_size=12))
def test_a_way_is_as_long_as_the_distance(pairs):
    """The way between two is as many edges as there are steps, and there is one exactly when one can be walked."""
    near = neighbours(*[(a, b) for a, b in pairs if a != b])
    nodes = walk("a", 10, near).nodes
    found = way("a", "g", near)
    assert (found.found, len(found.edges)) == ("g" in nodes, nodes.get("g", 0))
