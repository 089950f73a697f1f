"""One question to several seats, projects and roots."""

import os

import pytest

from memoracle.compose import init, open_memory
from memoracle.errors import InvalidName
from memoracle.extensions.seats.federation.gather import FederatedReply, FederationMember, gather
from memoracle.model.search import EvidenceSource, Hit, Passage, Recollection, Verdict
from memoracle.store.roots import add_root, book_path, known_roots, remove_root
from seats.people import write
from support.files import PLAIN, contents
from support.files import write as put


@pytest.fixture
def other(tmp_path, clock):
    """A second root of the same person."""
    place = tmp_path / "other"
    init(str(place), environment={})
    with open_memory(str(place), environment=PLAIN, clock=clock) as memory:
        memory.remember("the lighthouse keeper is called Ines")
        write(memory, seat="builder", project="harbour", title="Lamp", body="The lighthouse lamp is LED.")
    return place


@pytest.fixture
def pages(memory):
    write(memory, seat="builder", title="Cache", body="The cache lives in Redis.")
    write(memory, seat="planner", title="Plan", body="The cache goes away in June.")
    return memory


@pytest.mark.seed("S1.019", "S1.020")
def test_each_hit_names_its_owner(pages):
    """Pages are read where they stand; nobody is asked by message."""
    found = pages.seats.federate("cache", seats=["builder", "planner"], projects=["arena"])
    assert (found.status, [(one.seat, one.project, one.root) for one in found.hits]) == (
        "found",
        [("builder", "arena", pages.store.root), ("planner", "arena", pages.store.root)],
    )


@pytest.mark.seed("S1.001", "C-01")
def test_files_alone_are_enough(pages, root, tmp_path, clock):
    """A copy of the files, without view and state, gives the same facts, answers and synthesis."""
    import shutil

    put(root, "machine/network.json", '{"host": "box"}')
    copy = tmp_path / "copy"
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns("index", "state"))

    def asked(memory):
        hits = [(one.hit.passage.cite, one.seat) for one in memory.seats.federate("cache").hits]
        return (
            memory.seats.get("network.host").evidence,
            hits,
            memory.seats.synthesize("arena", dry_run=True)[0].body,
        )

    with open_memory(str(copy), environment=PLAIN, clock=clock) as again:
        assert asked(again) == asked(pages)


@pytest.mark.seed("S1.022", "F-30")
def test_a_missing_seat_is_said(pages):
    """It is not fatal and nothing is invented for it."""
    found = pages.seats.federate("cache", seats=["builder", "designer"], projects=["arena", "nowhere"])
    root = pages.store.root
    assert found.members == {
        f"builder@arena {root}": "found",
        f"designer@arena {root}": "not_in_federated_kb",
        f"builder@nowhere {root}": "not_in_federated_kb",
        f"designer@nowhere {root}": "not_in_federated_kb",
    }
    assert (len(found.hits), len(found.missing)) == (1, 3)


@pytest.mark.seed("F-30", "C-27")
def test_nobody_answers(pages):
    """`not_in_memory_db` when somebody was there to be asked, `not_in_federated_kb` when nobody was."""
    asked = [
        pages.seats.federate("submarine", seats=seats)
        for seats in (["builder"], ["builder", "designer"], ["designer"])
    ]
    assert [(found.status, *found.members.values()) for found in asked] == [
        ("not_in_memory_db", "not_in_memory_db"),
        ("not_in_memory_db", "not_in_memory_db", "not_in_federated_kb"),
        ("not_in_federated_kb", "not_in_federated_kb"),
    ]


def test_several_roots(pages, other):
    """Both answer; nothing of theirs is changed but the view."""
    before = contents(other)
    found = pages.seats.federate("lighthouse", roots=[str(other)])
    assert {(one.root, one.seat) for one in found.hits} == {(str(other), ""), (str(other), "builder")}
    assert contents(other) == before


def test_a_root_that_is_gone_is_a_finding(pages, tmp_path):
    """The others answer."""
    found = pages.seats.federate("cache", roots=[str(tmp_path / "gone")])
    assert ([one.code for one in found.findings], found.status, len(found.hits)) == (
        ["root-unreadable"],
        "found",
        2,
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_root_that_cannot_be_read_is_a_finding(pages, other):
    """No permission is no crash."""
    other.chmod(0)
    try:
        found = pages.seats.federate("cache", roots=[str(other)])
    finally:
        other.chmod(0o700)
    assert [one.code for one in found.findings] == ["root-unreadable"]


def test_a_damaged_root_is_a_finding(pages, other):
    """Settings that nobody can read."""
    (other / "memoracle.toml").write_text("layout = [")
    found = pages.seats.federate("cache", roots=[str(other)])
    assert ([one.code for one in found.findings], len(found.hits)) == (["root-unreadable"], 2)


@pytest.mark.seed("F-25")
@pytest.mark.parametrize("names", [{"seats": ["../x"]}, {"projects": ["a/b"]}])
def test_names_are_checked(pages, names):
    """A seat or project is a name."""
    with pytest.raises(InvalidName):
        pages.seats.federate("cache", **names)


def a_reply(root, verdict, *scores):
    hits = tuple(
        Hit(
            passage=Passage(
                ref=f"{n}", source=EvidenceSource.NOTE, text="x", path="p", first_line=1, last_line=1
            ),
            score=score,
            activation=1.0,
        )
        for n, score in enumerate(scores)
    )
    return FederatedReply(
        member=FederationMember(root=root),
        found=Recollection(question="q", verdict=verdict, confidence=0.5, hits=hits),
    )


def test_firm_answers_go_before_weak_ones():
    """Whatever their scores."""
    found = gather("q", [a_reply("a", Verdict.WEAK, 9.0), a_reply("b", Verdict.FOUND, 1.0, 0.5)], limit=2)
    assert [(one.root, one.hit.score) for one in found.hits] == [("b", 1.0), ("b", 0.5)]


def test_a_passage_counts_once():
    """Two members of one root may know the same page."""
    found = gather("q", [a_reply("a", Verdict.FOUND, 1.0), a_reply("a", Verdict.FOUND, 1.0)], limit=9)
    assert len(found.hits) == 1


# The list of roots


def test_the_list_of_roots(tmp_path, root):
    """Added once, found, taken off; the root itself stays."""
    book = str(tmp_path / "config/roots.json")
    assert (add_root(book, str(root)), add_root(book, str(root))) == (True, False)
    assert [(one.path, one.name, one.present) for one in known_roots(book)] == [(str(root), "memory", True)]
    assert (remove_root(book, str(root)), known_roots(book), root.exists()) == (True, [], True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"roots": 5}', '{"roots": [1, {"path": "relative"}, {}]}'])
def test_a_damaged_list_is_empty(tmp_path, text):
    """And nobody stumbles over it."""
    (tmp_path / "roots.json").write_text(text)
    assert known_roots(str(tmp_path / "roots.json")) == []


def test_where_the_list_stands():
    """The variable, the configuration folder, the home."""
    assert [
        book_path({"MEMORACLE_ROOTS": "/x/r.json"}, home="/h"),
        book_path({"XDG_CONFIG_HOME": "/c"}, home="/h"),
        book_path({}, home="/h"),
    ] == ["/x/r.json", "/c/memoracle/roots.json", "/h/.config/memoracle/roots.json"]
