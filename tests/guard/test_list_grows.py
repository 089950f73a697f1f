"""The privacy list only grows: lines that vanish are noticed."""

import pytest

from memoracle.compose import open_memory
from memoracle.errors import PolicyBroken
from memoracle.learn.policies import policy_check
from support.files import PLAIN, contents, write

LIST = "machine/privacy.md"
BOTH, ONE = "BLOCK: Project Nightingale\nBLOCK: Old Mill Lane\n", "BLOCK: Old Mill Lane\n"


@pytest.fixture
def reopened(root, clock):
    def opened():
        return open_memory(str(root), environment=PLAIN, clock=clock)

    return opened


def codes(memory):
    return [one.code for one in memory.check().findings]


@pytest.mark.seed("S1.227")
def test_a_line_that_vanished_is_noticed(root, reopened):
    """`policy` counts it and `check` names it, until the line is back."""
    write(root, LIST, BOTH)
    with reopened() as memory:
        assert (memory.policy().lost, codes(memory)) == (0, [])
        write(root, LIST, ONE)
        assert (memory.policy().lost, codes(memory)) == (1, ["privacy-list-shrank"])
        write(root, LIST, ONE + BOTH)
        assert (memory.policy().lost, codes(memory)) == (0, [])


def test_a_list_that_vanished_is_noticed(root, reopened):
    """All of its lines are gone."""
    write(root, LIST, BOTH)
    with reopened() as memory:
        memory.policy()
        (root / LIST).unlink()
        assert (memory.policy().lost, codes(memory)) == (2, ["privacy-list-shrank"])


def test_repair_accepts_the_list_as_it_is(root, reopened):
    """Its owner may mean it."""
    write(root, LIST, BOTH)
    with reopened() as memory:
        memory.policy()
        write(root, LIST, ONE)
        memory.repair()
        assert (memory.policy().lost, codes(memory)) == (0, [])


def test_what_is_noted_gives_no_line_away(root, reopened):
    """Keyed digests: no word of the list, and another root's are others."""
    write(root, LIST, BOTH)
    with reopened() as memory:
        memory.policy()
    noted = (root / "state/privacy.json").read_text()
    assert ("Nightingale" in noted, "nightingale" in noted, len(noted) > 30) == (False, False, True)


def test_checking_notes_nothing(root, reopened):
    """`check` reads: a list that nobody has noted is not noted by it."""
    write(root, LIST, BOTH)
    with reopened() as memory:
        memory.search("anything")
        before = contents(root)
        memory.check()
        assert contents(root) == before


@pytest.mark.seed("S1.227", "F-21")
def test_a_list_that_is_gone_stops_what_it_guarded(root, reopened):
    """Something was held against it; without it nothing is written or sent until the owner accepts that it is gone."""
    write(root, LIST, BOTH)
    with reopened() as memory:
        assert [one.type for one in policy_check(memory.root, "about Project Nightingale")] == ["blocked"]
    (root / LIST).unlink()
    with reopened() as memory:
        with pytest.raises(PolicyBroken, match="gone"):
            policy_check(memory.root, "about Project Nightingale")
        with pytest.raises(PolicyBroken):
            memory.remember("the oven is on")
        assert memory.search("oven").hits == ()
        memory.repair()
        assert memory.remember("the oven is on").created is True
