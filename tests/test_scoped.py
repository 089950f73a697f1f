"""A memory that is open for one reader: what is somebody else's is not there, by whatever way it is asked for."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from itertools import permutations

import pytest

from memoracle.compose import open_memory
from memoracle.errors import BeyondScope, MemoracleError, RefusedByPolicy, UnknownRecord
from memoracle.interfaces.mcp.resources import listed, read
from memoracle.interfaces.mcp.serve import tools
from memoracle.interfaces.mcp.tool import Caller
from memoracle.interfaces.render import plain
from memoracle.learn.forget import expired, propose_withdrawal
from memoracle.model.record import SCOPES, Scope
from memoracle.model.search import Filters
from support.files import PLAIN, write

OWN, OTHERS, SHARED = "canarymine", "canarytheirs", "canarycommon"


@pytest.fixture(params=SCOPES)
def dimension(request):
    """One of user, agent, project and seat."""
    return request.param


@pytest.fixture
def ids(memory, dimension):
    """One record of each: the reader's, somebody else's, everybody's."""
    return {
        word: memory.remember(
            f"the {word} meeting is about apples",
            kind="rule",
            importance=0.9,
            pinned=True,
            entities=[word],
            **({dimension: whose} if whose else {}),
        ).id
        for word, whose in ((OWN, "alice"), (OTHERS, "bob"), (SHARED, ""))
    }


@pytest.fixture
def mine(root, clock, dimension, ids):
    """The same memory, opened for alice."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as opened:
        yield opened.read_as(Scope(**{dimension: "alice"}))


READS = {
    "search": lambda memory, ids: memory.search("apples meeting"),
    "search wide": lambda memory, ids: memory.search(f"{OTHERS} apples", filters=Filters(wide=True)),
    "recall": lambda memory, ids: memory.recall("what is the meeting about?"),
    "recall, deep": lambda memory, ids: memory.recall("the meeting", recipe="balanced"),
    "list": lambda memory, ids: memory.list(limit=50),
    "entity": lambda memory, ids: memory.entity(),
    "context": lambda memory, ids: memory.context("what is the meeting about?"),
    "context, group": lambda memory, ids: memory.context("apples", audience="group"),
    "recover": lambda memory, ids: memory.recover("apples"),
    "snapshot": lambda memory, ids: memory.snapshot(),
}


@pytest.mark.parametrize("name", READS)
def test_what_is_somebody_elses_is_not_there(mine, ids, name):
    """Neither the words nor the id of it come back; the reader's own and everybody's do, where there is room."""
    answer = json.dumps(plain(READS[name](mine, ids)), ensure_ascii=False, default=str)
    assert (OTHERS in answer.replace(f"{OTHERS} apples", ""), ids[OTHERS] in answer) == (False, False)
    if name != "context, group":
        assert OWN in answer
        assert SHARED in answer


@pytest.mark.parametrize(
    "touch",
    [
        lambda memory, one: memory.show(one),
        lambda memory, one: memory.history(one),
        lambda memory, one: memory.why(one),
        lambda memory, one: memory.edit(one, text="mine now"),
        lambda memory, one: memory.pin(one, pinned=False),
        lambda memory, one: memory.archive(one),
        lambda memory, one: memory.restore(one),
        lambda memory, one: memory.supersede(one, "mine now"),
        lambda memory, one: memory.forget([one]),
        lambda memory, one: memory.withdraw([one]),
        lambda memory, one: memory.plan_withdraw([one]),
        lambda memory, one: propose_withdrawal(memory.root, [one], by="me"),
        lambda memory, one: memory.take_back([one]),
        lambda memory, one: memory.plan_forget([one]),
    ],
)
def test_forbidden_looks_like_absent(mine, memory, ids, touch):
    """An id of somebody else's answers as an id that nobody ever had, and nothing happens to it."""
    absent = "mem_" + "0" * 26
    with pytest.raises(UnknownRecord) as of_others:
        touch(mine, ids[OTHERS])
    with pytest.raises(UnknownRecord) as of_nobody:
        touch(mine, absent)
    assert str(of_others.value).replace(ids[OTHERS], absent) == str(of_nobody.value)
    assert memory.show(ids[OTHERS]).version == 1


def test_what_is_kept_is_the_readers(mine, memory, dimension):
    """Without a scope it gets the reader's; with another's it is refused."""
    kept = mine.remember("the oven is on")
    assert getattr(memory.show(kept.id).scope, dimension) == "alice"
    with pytest.raises(RefusedByPolicy, match="other-scope"):
        mine.remember("the oven is off", **{dimension: "bob"})


def test_filters_cannot_widen(mine, ids, dimension):
    """Asking for somebody else's scope by name finds nothing of theirs."""
    wanted = Filters(scope=Scope(**{dimension: "bob"}), wide=True)
    assert [hit.passage.ref for hit in mine.list(limit=50, filters=wanted)] == []


def test_forgetting_by_filter_is_the_owners(mine, memory, ids):
    """What came of a session or a time may be everybody's: one reader names records, and only what it sees."""
    with pytest.raises(BeyondScope):
        mine.forget(filters=Filters(since=datetime(2020, 1, 1, tzinfo=UTC)))
    mine.forget([ids[OWN]])
    assert {hit.passage.ref for hit in memory.list(limit=50)} == {ids[OTHERS], ids[SHARED]}


def test_counts_are_of_what_the_reader_sees(mine, memory):
    """That somebody else keeps something shows in no number."""
    assert (memory.stats().active, memory.status().active) == (3, 3)
    assert (mine.stats().active, mine.status().active) == (2, 2)
    assert (dict(mine.stats().by_kind), sum(mine.stats().by_importance.values())) == ({"rule": 2}, 2)


def test_the_snapshot_of_a_group_shows_public_records_alone(memory, root, clock):
    """As everything else does for it."""
    memory.remember("the canarypublic rule", kind="rule", importance=0.9, pinned=True, sensitivity="public")
    memory.remember("the canaryprivate rule", kind="rule", importance=0.9, pinned=True)
    with open_memory(str(root), environment=PLAIN, clock=clock) as mine:
        said = mine.read_as(Scope(), public=True).snapshot().text
    assert ("canarypublic" in said, "canaryprivate" in said) == (True, False)


def test_upkeep_runs_whoever_it_runs_for(mine):
    """A trigger in one reader's surroundings does the whole table, the review included, and tells counts."""
    told = mine.tend(job="review")
    assert [(one.job, one.outcome) for one in told.ran] == [("review", "done")]
    assert OTHERS not in json.dumps(plain(told), default=str)


@pytest.mark.parametrize(
    "verb",
    [
        lambda memory, place: memory.scan_project("bob", place, commit=True),
        lambda memory, place: memory.scan_diff(project="bob", since=datetime(2020, 1, 1, tzinfo=UTC)),
        lambda memory, place: memory.drift("bob"),
        lambda memory, place: memory.seats.pages(project="bob"),
        lambda memory, place: memory.seats.handoffs("bob"),
    ],
)
def test_another_project_is_refused_by_name(memory, root, clock, tmp_path, verb):
    """A memory that is open for one project works on that one."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as mine, pytest.raises(BeyondScope):
        verb(mine.read_as(Scope(project="alice")), str(tmp_path))


@pytest.mark.parametrize(
    "verb",
    [
        lambda memory: memory.inbox(),
        lambda memory: memory.undo(),
        lambda memory: memory.export("/x"),
        lambda memory: memory.audit(),
        lambda memory: memory.inspect(entity=OWN),
        lambda memory: memory.review(accept=["all"]),
        lambda memory: memory.pending(),
        lambda memory: memory.accept(["all"]),
        lambda memory: expired(memory.root),
    ],
)
def test_verbs_that_reach_everything_are_refused(mine, verb):
    """One reader among several does not take the whole memory along."""
    with pytest.raises(BeyondScope):
        verb(mine)


def call_everything(memory, ids):
    """What every tool and every resource of the MCP server says to a curious client."""
    calls = {
        "memory_search": [
            {"query": "apples"},
            {"query": OTHERS, "project": "bob"},
            {},
            {"history": True, "entity": OTHERS},
        ],
        "memory_get": [{"id": ids[OTHERS]}, {"path": "records/facts.jsonl"}, {"path": "MEMORY.md"}],
        "memory_save": [{"text": "a saved thing"}],
        "memory_update": [{"id": ids[OTHERS], "text": "taken over", "askedByOwner": True}],
        "memory_forget": [{"ids": [ids[OTHERS]], "confirm": True}],
        "memory_context": [{"prompt": "apples"}],
        "memory_status": [{}],
        "memory_review": [{}, {"answers": [{"id": "a1b2c3", "keep": False}]}],
    }
    said = []
    for tool in tools(graph=False):
        for given in calls.get(tool.name, []):
            with suppress(MemoracleError):
                answer = tool.run(memory, given, Caller(name="curious"))
                said += [json.dumps(answer.document, default=str), answer.text or ""]
    for uri in [*(one["uri"] for one in listed(memory)), f"memoracle://record/{ids[OTHERS]}"]:
        with suppress(MemoracleError):
            said.append(read(memory, uri)[0])
    return "\n".join(said)


def test_no_tool_of_the_server_tells_it(mine, memory, ids):
    """Every tool and resource, asked for it by id, by path, by project and by name; and the hot file is published."""
    memory.consolidate(force=True)
    said = call_everything(mine, ids)
    # The id is in the question of some calls; a plan or a receipt for it would hold the words.
    assert OTHERS not in said
    assert OWN in said
    assert memory.show(ids[OTHERS]).text == f"the {OTHERS} meeting is about apples"


def test_pages_of_other_projects_are_not_there(memory, root, clock):
    """A page of a project belongs to it; a note without one is everybody's."""
    write(root, "projects/bob/builder/plan.md", f"# Plan\n\nThe {OTHERS} engine ships in May.\n")
    write(root, "projects/alice/builder/plan.md", f"# Plan\n\nThe {OWN} engine ships in May.\n")
    write(root, "notes/semantic/engines.md", f"# Engines\n\nThe {SHARED} engine ships in May.\n")
    with open_memory(str(root), environment=PLAIN, clock=clock) as mine:
        mine.read_as(Scope(project="alice"))
        said = json.dumps(plain(mine.search("which engine ships in May", limit=20)), default=str)
        tool = next(one for one in tools(graph=False) if one.name == "memory_get")
        with pytest.raises(MemoracleError):
            tool.run(mine, {"path": "projects/bob/builder/plan.md"}, Caller())
    assert (OTHERS in said, OWN in said, SHARED in said) == (False, True, True)


def test_a_group_sees_public_records_alone(memory, root, clock):
    """The audience is part of the query: private words are not found, however they are asked for."""
    memory.remember("the canarypublic meeting is about apples", sensitivity="public")
    memory.remember("the canaryprivate meeting is about apples")
    write(root, "notes/semantic/apples.md", "# Apples\n\nThe canarynote apples are red.\n")
    with open_memory(str(root), environment=PLAIN, clock=clock) as mine:
        mine.read_as(Scope(), public=True)
        said = json.dumps(plain(mine.search("apples meeting", limit=20)), default=str)
        said += json.dumps(plain(mine.list(limit=20)), default=str) + mine.context("apples").text
    assert ("canarypublic" in said, "canaryprivate" in said, "canarynote" in said) == (True, False, False)


def test_many_readers_at_once(root, memory, clock):
    """Eight readers in turn, on one root: nobody meets anybody else's words."""
    names = [f"reader{number}" for number in range(8)]
    for name in names:
        memory.remember(f"the {name}canary is about apples", user=name)
    seen = {}
    for name in names:
        with open_memory(str(root), environment=PLAIN | {"MEMORACLE_USER": name}, clock=clock) as mine:
            seen[name] = json.dumps(plain(mine.search("apples", limit=20)), default=str)
    leaks = [(one, other) for one, other in permutations(names, 2) if f"{other}canary" in seen[one]]
    assert (leaks, all(f"{name}canary" in seen[name] for name in names)) == ([], True)


@pytest.mark.parametrize(
    "act", [lambda memory, one: memory.forget([one]), lambda memory, one: memory.supersede(one, "mine alone")]
)
def test_what_is_everybodys_stays_everybodys(mine, memory, ids, act):
    """One reader neither erases what all of them have nor puts words of its own in its place."""
    with pytest.raises(BeyondScope):
        act(mine, ids[SHARED])
    act(mine, ids[OWN])
    assert memory.show(ids[SHARED]).version == 1


def test_a_conversation_of_one_user_is_not_overheard(root, clock, tmp_path):
    """What is heard has no scope, so a memory that is open for one user learns from no conversation at all."""
    chat = write(
        tmp_path, "chat.jsonl", '{"role": "user", "content": "My name is Alice and I live in Porto."}\n'
    )
    with open_memory(str(root), environment=PLAIN | {"MEMORACLE_USER": "alice"}, clock=clock) as mine:
        for act in (lambda: mine.ingest(str(chat)), lambda: mine.flush([str(chat)])):
            with pytest.raises(BeyondScope):
                act()
    with open_memory(str(root), environment=PLAIN | {"MEMORACLE_USER": "bob"}, clock=clock) as other:
        assert other.search("Alice Porto").hits == ()


def test_a_successor_is_whose_and_as_secret_as_what_it_replaces(memory, mine, ids, dimension):
    """New words for somebody's record are theirs, and a secret put differently stays one."""
    new = memory.supersede(ids[OTHERS], f"the {OTHERS} meeting is about pears").id
    assert getattr(memory.show(new).scope, dimension) == "bob"
    assert not any("pears" in hit.passage.text for hit in mine.list(limit=50))
    secret = memory.remember("the code of the vault is teal", sensitivity="secret")
    assert memory.show(memory.supersede(secret.id, "the code is crimson").id).sensitivity == "secret"
    moved = memory.supersede(ids[OWN], f"the {OWN} meeting is for carol", **{dimension: "carol"}).id
    assert getattr(memory.show(moved).scope, dimension) == "carol"
