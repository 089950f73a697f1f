"""Evidence that only a link leads to."""

import pytest

from memoracle.model.record import Scope
from support.pages import write_page

ASKED = "what was settled for ARENA-228?"
ARENA, POLICY = "notes/semantic/arena", "notes/semantic/backing-off"


@pytest.fixture
def linked(root, memory):
    """A page that names the task, one it links to that shares no word with the question, and some others."""
    write_page(root, ARENA, "# Arena\n\nARENA-228 was settled: see [[backing-off]].\n")
    write_page(root, POLICY, "# Backing off\n\nDouble the pause after every failure, five times at most.\n")
    for number in range(20):
        write_page(
            root, f"notes/semantic/other-{number}", f"# Other {number}\n\nThe garden needs water {number}.\n"
        )
    return memory


def paths(found):
    return [hit.passage.path.removesuffix(".md") for hit in found.hits]


@pytest.mark.parametrize("recipe", ["quick", "balanced"])
def test_the_answer_behind_a_link_is_found(linked, recipe):
    """It follows what it hangs on, says so, and nothing unrelated comes along."""
    found = linked.search(ASKED, recipe=recipe)
    assert (paths(found), found.hits[1].legs["linked"]) == ([ARENA, POLICY], 0.6)


def test_without_the_link_it_is_not(linked, root):
    """So it is the link that leads there."""
    write_page(root, ARENA, "# Arena\n\nARENA-228 was settled.\n")
    assert paths(linked.search(ASKED)) == [ARENA]


def test_a_link_backwards_leads_there_too(linked, root):
    """What links to the strong hit is its neighbour as well."""
    write_page(root, ARENA, "# Arena\n\nARENA-228 was settled.\n")
    write_page(root, POLICY, "# Backing off\n\nDouble the pause, because of [[arena]].\n")
    assert paths(linked.search(ASKED)) == [ARENA, POLICY]


def test_two_pages_that_share_a_rare_task_meet(linked, root):
    """A question by words finds the one, and the shared task brings the other."""
    write_page(root, ARENA, "# Arena\n\nThe quokka was settled under PAY-7.\n")
    write_page(root, POLICY, "# Backing off\n\nDouble the pause (PAY-7).\n")
    found = linked.search("which quokka was settled?")
    assert (paths(found), found.hits[1].legs["linked"]) == ([ARENA, POLICY], 0.36)


def test_a_hub_brings_nobody_along(linked, root):
    """A task that many pages name says little about any of them."""
    write_page(root, ARENA, "# Arena\n\nThe quokka was settled under PAY-7.\n")
    for number in range(20):
        write_page(root, f"notes/semantic/other-{number}", f"# Other {number}\n\nWater {number}, PAY-7.\n")
    assert paths(linked.search("which quokka was settled?")) == [ARENA]


def test_filters_hold_for_what_is_brought_along(linked):
    """A record of another project is not an answer, however it is linked."""
    linked.remember("the secret pause, see [[arena]]", project="pay")
    found = linked.read_as(Scope(project="arena")).search(ASKED)
    assert paths(found) == [ARENA, POLICY]


def test_a_direct_hit_is_never_overtaken(linked, root):
    """What is linked comes behind what it hangs on, and keeps its own score where that is greater."""
    write_page(
        root, POLICY, "# Backing off\n\nARENA-228 was settled so: double the pause. ARENA-228 settled.\n"
    )
    found = linked.search(ASKED)
    assert (set(paths(found)), found.hits[0].score >= found.hits[1].score) == ({ARENA, POLICY}, True)


def test_a_name_lends_nothing_of_its_weight(linked):
    """What is asked for by its id comes first by far; what it links to gets a share of what words are worth."""
    kept = linked.remember("the pause of tasks, see [[backing-off]]")
    found = linked.search(kept.id)
    (brought,) = [hit for hit in found.hits if "linked" in hit.legs]
    assert (found.hits[0].passage.ref, brought.passage.path) == (kept.id, f"{POLICY}.md")
    assert brought.score < 1.0 < found.hits[0].score
    assert brought.score == pytest.approx(0.6 * found.hits[1].score, abs=1e-5)
