"""What an agent is told: within a budget, in order, framed as data, and nothing when there is nothing."""

import pytest

from memoracle.model.inbox import Waiting
from memoracle.store.inbox import add_pending
from memoracle.text import estimate_tokens
from support.asking import a_fragment
from support.clock import START

FOOD = [f"Mei ordered {n} boxes of tea number {n} for the office in room {n}" for n in range(200)]


@pytest.mark.seed("S3.021", "S3.020")
def test_after_a_compaction_everything_comes_back_in_order(home):
    """MEMORY.md, today, the working buffer: what went to the buffer before the reply is there again."""
    (home.root / "MEMORY.md").write_text("# Memory\n\nMei runs the staging cluster.\n", encoding="utf-8")
    with home.open() as memory:
        memory.note("moved the demo to Friday")
        memory.buffer("add", "half of the export is done")
    told = home.call("session-start", {"source": "compact", "session_id": "s"}).told
    places = [told.find(text) for text in ("staging cluster", "demo to Friday", "half of the export")]
    assert (places == sorted(places), -1 in places, 'after="compact"' in told) == (True, False, True)


@pytest.mark.parametrize(
    ("source", "after"), [("startup", "start"), ("resume", "start"), ("clear", "reset"), ("fork", "start")]
)
def test_how_a_session_begins(home, source, after):
    """A cleared session has lost what it had in mind."""
    home.remember("the cat is called Miso")
    assert f'after="{after}"' in home.call("session-start", {"source": source}).told


@pytest.mark.parametrize(("event", "budget"), [("session-start", 1_000), ("prompt", 400)])
def test_the_usual_budgets(home, event, budget):
    """1,000 tokens for a session, 400 for a prompt."""
    home.remember(*FOOD)
    told = home.call(event, {"prompt": "Which boxes of tea did Mei order for the office?"}).told
    assert budget // 3 < estimate_tokens(told) <= budget


@pytest.mark.parametrize(("host", "most"), [("claude-code", 10_000), ("codex", 10_000)])
def test_the_hosts_own_limits(home, host, most):
    """Whatever the settings say: beyond them a host cuts or hides what it was told."""
    home.remember(*FOOD, *(f"茶叶订单第{n}号由小美记录在办公室的白板上" for n in range(150)))
    told = home.call("session-start", {}, "--host", host, MEMORACLE_HOOK_TOKENS="50000").told
    assert (1_000 < len(told) <= most, host != "codex" or estimate_tokens(told) <= 2_500) == (True, True)
    assert told.endswith("</memoracle>")


@pytest.mark.parametrize(
    "prompt",
    [
        "ok",
        "好的，继续",
        "/clear",
        "",
        "   ",
        "<system-reminder>the cat</system-reminder>",
        "How long do eggs boil?",
    ],
)
def test_nothing_relevant_is_nothing(home, prompt):
    """No acknowledgement, command or unrelated question makes it speak."""
    home.remember("the cat is called Miso", "小美住在杭州")
    done = home.call("prompt", {"prompt": prompt})
    assert (done.status, done.out, done.err) == (0, "", "")


def test_an_empty_memory_says_nothing(home):
    """Nothing is printed on the first day."""
    (home.root / "MEMORY.md").unlink(missing_ok=True)
    assert home.call("session-start", {"source": "startup"}).out == ""


def test_chinese_is_told_like_english(home):
    """And comes out as it went in."""
    home.remember("小美对花生过敏", "the cat is called Miso")
    assert "小美对花生过敏" in home.call("prompt", {"prompt": "小美对什么过敏？"}).told


def test_a_prompt_is_told_what_fits_it_alone(home):
    """MEMORY.md and the notes were told when the session began."""
    (home.root / "MEMORY.md").write_text("# Memory\n\nMei runs the staging cluster.\n", encoding="utf-8")
    home.remember("the cat is called Miso")
    told = home.call("prompt", {"prompt": "What is the cat called?"}).told
    assert ("Miso" in told, "staging" in told) == (True, False)


def test_a_group_is_told_public_things_alone(home):
    """OpenClaw says when others listen."""
    (home.root / "MEMORY.md").write_text("# Memory\n\nMei is ill.\n", encoding="utf-8")
    home.remember("the cat is called Miso")
    done = home.call("session-start", {"sessionKey": "agent:main:telegram:group:42"})
    assert (done.status, "ill" in done.out, "Miso" in done.out) == (0, False, False)


@pytest.mark.parametrize(
    ("key", "project", "lines"),
    [
        ("agent:main:main", "", 1),
        ("agent:main:main", "atlas", 0),
        ("agent:main:cron:7", "", 0),
        ("agent:main:heartbeat", "", 0),
        ("agent:main:group:42", "", 0),
    ],
)
def test_who_is_asked_to_review(home, key, project, lines):
    """One line where a person takes part; a timer's session, a group and another project are told nothing of it."""
    home.remember("the cat is called Miso")
    with home.open() as memory, memory.store.writing():
        said = [a_fragment(f"remark {n}", n, project=project) for n in range(5)]
        add_pending(memory.store, [Waiting(fragment=one, since=START) for one in said])
    done = home.call("session-start", {"sessionKey": key})
    assert (done.status, done.out.count("memory_review")) == (0, lines)


def test_subagents_are_left_alone(home):
    """Their prompts are written by the agent that started them."""
    home.remember("the cat is called Miso")
    done = home.call("prompt", {"prompt": "What is the cat called?", "agent_id": "a1", "session_id": "s"})
    assert (done.status, done.out) == (0, "")


def test_an_agent_hears_that_nothing_can_be_kept(home):
    """A policy that cannot be read is told at the start of a session: what the agent saves would be refused."""
    with home.open() as memory:
        memory.remember("The cat is called Miso", sensitivity="public", pinned=True)
        memory.remember("The dog is called Rex", pinned=True)
        memory.search("anything")
    settings = home.root / "memoracle.toml"
    settings.write_text(settings.read_text("utf-8") + '\n[policy]\nsecret = "sometimes"\n', "utf-8")
    told = home.call("session-start", {"session_id": "s", "source": "startup"}).told
    assert ("nothing is written" in told, "Miso" in told, "Rex" in told) == (True, True, False)
