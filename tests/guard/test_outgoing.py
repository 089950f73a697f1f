"""On the way out: what the policy masks or keeps back now, whichever verb hands it over."""

import json

import pytest

from memoracle.compose import open_memory
from memoracle.errors import MemoracleError, NotFound, UnknownPage, UnknownRecord
from memoracle.interfaces.mcp.fetching import get
from memoracle.interfaces.mcp.resources import read
from memoracle.interfaces.mcp.tool import Caller
from memoracle.interfaces.render import plain
from memoracle.model.record import Scope
from support.files import PLAIN, write

CALLER = Caller(scope=Scope(), agent_only=False)
STRICT = '[policy]\nmail = "mask"\n'
TYPO = '[policy.show]\nprivate = "ower"\n'
MAIL = "club@example.com"


@pytest.fixture
def opened(root, clock):
    """Opens the memory under a policy, through a door."""

    def open_under(toml="", via="cli", **environment):
        (root / "memoracle.toml").write_text(toml)
        return open_memory(str(root), environment={**PLAIN, **environment}, clock=clock, via=via)

    return open_under


@pytest.fixture
def club(opened):
    """A record with a mail address in every field that is told, from before the policy, and one it replaced."""
    with opened() as memory:
        old = memory.remember(f"the club writes from old-{MAIL}", entities=[f"desk {MAIL}"])
        new = memory.supersede(old.id, f"the club answers at {MAIL}", because=f"{MAIL} said so")
    return new.id


TELLS = {
    "show": lambda memory, one: memory.show(one),
    "history": lambda memory, one: memory.history(one),
    "why": lambda memory, one: memory.why(one),
    "inspect": lambda memory, one: memory.inspect(one),
    "list": lambda memory, _: memory.list(),
    "search": lambda memory, _: memory.search("club"),
    "context": lambda memory, _: memory.context("the club"),
    "get": lambda memory, one: get(memory, {"id": one}, CALLER).document,
    "lines": lambda memory, _: get(memory, {"path": "records/facts.jsonl"}, CALLER).document,
    "resource": lambda memory, one: read(memory, f"memoracle://record/{one}")[0],
}


@pytest.mark.parametrize("verb", TELLS)
def test_a_policy_set_later_holds_for_every_verb(opened, club, verb):
    """The address was stored before it was to be masked: no verb hands it over, and each still tells the rest."""
    with opened() as memory:
        before = json.dumps(plain(TELLS[verb](memory, club)), default=str, ensure_ascii=False)
    with opened(STRICT) as memory:
        after = json.dumps(plain(TELLS[verb](memory, club)), default=str, ensure_ascii=False)
    assert (MAIL in before, MAIL in after, "[secret:mail:" in after) == (True, False, True)


def test_a_masked_record_keeps_its_place(opened, club):
    """What is shown masked still says in which line it stands."""
    with opened(STRICT) as memory:
        shown = memory.show(club)
        assert MAIL not in shown.text
        assert memory.why(club).cite == get(memory, {"id": club}, CALLER).document["citation"] != ""


@pytest.mark.parametrize("level", ["private", "secret"])
@pytest.mark.parametrize("verb", ["show", "history", "why", "get", "resource"])
def test_what_is_the_owners_alone_is_not_there_for_agents(opened, verb, level):
    """By its id too: forbidden looks like absent. At the command line it is there."""
    toml = f'[policy.show]\n{level} = "owner"\n'
    with opened() as memory:
        kept = memory.remember("the garden gate", sensitivity=level).id
    with opened(toml) as memory:
        TELLS[verb](memory, kept)
    with opened(toml, via="mcp") as memory, pytest.raises((UnknownRecord, NotFound)):
        TELLS[verb](memory, kept)


def test_a_lineage_leaves_out_what_its_reader_may_not_see(opened):
    """A public record that replaced a secret one: an agent is not told the words of that one."""
    with opened() as memory:
        old = memory.remember("the safe stands in the cellar", sensitivity="secret").id
        new = memory.supersede(old, "the safe is gone", sensitivity="public").id
    with opened('[policy.show]\nsecret = "owner"\n', via="mcp") as memory:
        assert "cellar" not in str(memory.why(new))


def test_pages_are_masked_and_withheld_too(opened):
    """A page of a seat: masked under a stricter policy, and not there for agents when what is private is not."""
    with opened(MEMORACLE_SEAT="builder") as memory:
        page = memory.seats.write_page(
            kind="observation", project="atlas", title="Desk", body=f"ask {MAIL}\n", task_id="t"
        )
    with opened(STRICT) as memory:
        assert MAIL not in str([memory.seats.page(page.id), *memory.seats.pages(project="atlas")])
    with opened('[policy.show]\nprivate = "owner"\n', via="mcp") as memory:
        with pytest.raises(UnknownPage):
            memory.seats.page(page.id)
        with pytest.raises(MemoracleError):
            memory.seats.pages(project="atlas")


def test_notes_are_withheld_from_agents(opened, root):
    """Notes count as private: neither lines nor resources of them are handed over."""
    write(root, "notes/semantic/garden.md", "# Garden\n\nthe roses\n")
    ask = {"path": "notes/semantic/garden.md"}
    with opened(via="mcp") as memory:
        assert "roses" in get(memory, ask, CALLER).document["text"]
    with opened('[policy.show]\nprivate = "owner"\n', via="mcp") as memory, pytest.raises(NotFound):
        get(memory, ask, CALLER)


@pytest.mark.parametrize("via", ["mcp", "hook"])
def test_a_typo_lifts_nothing(opened, via):
    """While the policy cannot be read agents are handed what is public, and are told so; their owner reads on."""
    with opened() as memory:
        kept = {
            level: memory.remember(f"the {level} gate", sensitivity=level).id
            for level in ("public", "private")
        }
    with opened(TYPO, via=via) as memory:
        found = memory.search("gate")
        assert [hit.passage.ref for hit in found.hits] == [kept["public"]]
        assert any("agents are handed public records alone" in one for one in found.warnings)
        with pytest.raises(UnknownRecord):
            memory.show(kept["private"])
    with opened(TYPO) as memory:
        assert memory.show(kept["private"]).text == "the private gate"


def test_a_list_that_cannot_be_read_lifts_nothing(opened, root):
    """The same for the privacy list, also when it breaks while a connection is open."""
    with opened() as memory:
        memory.remember("the private gate")
    with opened(via="mcp") as memory:
        assert memory.search("gate").hits
        write(root, "machine/privacy.md", "BLOCK: (unclosed\n")
        assert memory.search("gate").hits == ()


@pytest.mark.parametrize("prompt", ["", "the gate"])
def test_the_context_says_that_the_policy_is_broken(opened, prompt):
    """With a prompt or without one; once."""
    with opened() as memory:
        memory.remember("the gate")
    with opened(TYPO) as memory:
        said = [one for one in memory.context(prompt).warnings if "policy" in one]
    assert len(said) == 1
    assert "nothing is written" in said[0]
