"""One sentence stands once in a block, markup is no evidence, and a resumed session is not told the same again."""

import json
import re
from datetime import UTC, datetime

import pytest

from memoracle.context.choose import Deduplicator
from support.files import write
from support.processes import run, run_here

MOVED = "My sister Ilse moved to Porto in October."


@pytest.fixture
def heard(home):
    """Memory after a conversation, read and understood by the command line."""

    def hear(*said):
        at = datetime.now(UTC).isoformat()
        lines = [{"role": "user", "content": one, "timestamp": at} for one in said]
        path = write(home.folder, "chat.jsonl", "\n".join(map(json.dumps, lines)))
        for words in (("ingest", path), ("consolidate",)):
            assert run_here(*words, env=home.surroundings(), cwd=home.folder)[0] == 0

    return hear


def test_a_sentence_stands_once(home, heard):
    """As fact, relationship, turn and an agent's note: as the owner's record."""
    heard(MOVED, "我妹妹小雨对花生过敏。")
    with home.open() as memory:
        memory.remember("The user's sister Ilse moved to Porto in October", channel="agent", who="agent")
        memory.remember("用户的妹妹小雨对花生过敏", channel="agent", who="agent")
        memory.search("anything")
    for event in ("prompt", "session-start"):
        asked = {"prompt": "Where did my sister Ilse move to? 小雨对什么过敏", "cwd": str(home.folder)}
        told = home.call(event, asked).told
        (line,) = re.findall(r".*Porto.*", told)
        assert MOVED in line
        assert "chat.jsonl" not in line
        assert told.count("花生过敏") == 1


def test_a_note_does_not_repeat_a_record(home, heard):
    """The same line in MEMORY.md and in the note of today."""
    heard("I am allergic to shellfish.")
    day = datetime.now(UTC).date()
    with (home.root / "MEMORY.md").open("a", encoding="utf-8") as file:
        file.write("\n- I am allergic to shellfish\n- The boat is called Swift\n")
    write(
        home.root,
        f"notes/daily/{day}.md",
        f"# {day}\n\n- the boat is called Swift!\n- It was launched in May\n",
    )
    told = home.call("session-start", {"source": "startup", "cwd": str(home.folder)}).told
    assert (told.count("shellfish"), told.casefold().count("swift"), "launched" in told) == (1, 1, True)


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("I am allergic to shellfish.", "i am allergic to shellfish", True),
        (MOVED, "The user's sister Ilse moved to Porto", True),
        ("我妹妹小雨对花生过敏。", "用户的妹妹小雨对花生过敏", True),
        ("We use npm", "We never use npm", False),
        ("我们用 npm", "我们不用 npm", False),
        ("Tom likes Ann", "Ann likes Tom", False),
        ("The port is 6340", "The port is 6333", False),
        ("Ilse moved to Porto", "Ilse moved to Porto in October", False),
        ("I like tea", "I like tea and my brother likes coffee", False),
    ],
)
def test_what_is_the_same(first, second, is_same):
    """Other words for the same; never what denies, counts otherwise or adds something."""
    assert Deduplicator([first]).knows(second) is is_same


@pytest.mark.parametrize("prompt", ["what is in Memory?", "Memory", "the reading list of books"])
def test_markup_is_not_told(home, prompt):
    """On a fresh memory, and of a template that nobody filled in."""
    write(
        home.root,
        "notes/semantic/books.md",
        "# Reading list of books\n#tags: books\n\n- [ ]\n![[books.base]]\n",
    )
    with home.open() as memory:
        memory.search("anything")
    assert home.call("prompt", {"prompt": prompt, "cwd": str(home.folder)}).told == ""


def test_a_resumed_session_is_not_told_again(home, claude):
    """While the block stands in its transcript; after the host has folded it away it is told."""
    home.remember("the cat is called Miso")
    start = claude.payload("SessionStart", source="startup")
    told = home.call("session-start", start).told
    claude.say("user", "hello")
    _stands(claude, told)
    resumed = claude.payload("SessionStart", source="resume")
    assert "Miso" in told
    assert home.call("session-start", resumed).told == ""
    with claude.transcript.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "system", "subtype": "compact_boundary"}) + "\n")
    assert "Miso" in home.call("session-start", resumed).told


def _stands(claude, told):
    """The block in the transcript, as the host puts it there."""
    block = {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [told]}}
    with claude.transcript.open("a", encoding="utf-8") as file:
        file.write(json.dumps(block) + "\n")


def test_what_a_prompt_was_told_is_not_told_again(home, claude):
    """While the block of that prompt, or of the start, stands in the transcript; what is new is told."""
    home.remember("the cat is called Miso")
    asked = claude.payload("UserPromptSubmit", prompt="What is the cat called?")
    claude.say("user", "hello")
    told = home.call("prompt", asked).told
    assert "Miso" in told
    _stands(claude, told)
    assert home.call("prompt", asked).told == ""
    home.remember("the second cat is called Suki")
    again = home.call(
        "prompt", claude.payload("UserPromptSubmit", prompt="What is the second cat called?")
    ).told
    assert ("Suki" in again, "Miso" in again) == (True, False)
    with claude.transcript.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "system", "subtype": "compact_boundary"}) + "\n")
    assert "Miso" in home.call("prompt", asked).told


def test_the_first_prompt_is_not_told_what_the_session_began_with(home, claude, heard):
    """The host has not written the start down yet: the record, its turn, a line of a note; after a compaction anew."""
    heard("I am allergic to shellfish.")
    day = datetime.now(UTC).date()
    boat, tram = "The boat of Ilse is called Swift", "The tram to the boat was late"
    write(home.root, f"notes/daily/{day}.md", f"# {day}\n\n- {boat}\n")
    start = claude.payload("SessionStart", source="startup", cwd=str(home.folder))

    def told(prompt):
        asked = claude.payload("UserPromptSubmit", prompt=prompt, cwd=str(home.folder))
        return home.call("prompt", asked).told

    began = home.call("session-start", start).told
    assert ("shellfish" in began, boat in began) == (True, True)
    assert told("What am I allergic to, shellfish or nuts?") == ""
    assert told("What is the boat of Ilse called?") == ""
    write(home.root, f"notes/daily/{day}.md", f"# {day}\n\n- {boat}\n- {tram}\n")
    late = told("What was late, the tram to the boat of Ilse?")
    assert (tram in late, boat in late) == (True, False)
    other = claude.payload("UserPromptSubmit", prompt="What am I allergic to, shellfish or nuts?")
    assert home.call("prompt", other | {"session_id": "another"}).told.count("shellfish") == 1
    home.call("pre-compact", claude.payload("PreCompact", trigger="manual"))
    assert "shellfish" in told("What am I allergic to, shellfish or nuts?")


def test_a_transcript_full_of_beginnings_is_read_once(home, claude):
    """What a tool printed stands in it, too: a page that begins a block again and again keeps no prompt waiting."""
    home.remember("the cat is called Miso")
    claude.say("user", '<memoracle kind="context"' * 160_000)
    asked = claude.payload("UserPromptSubmit", prompt="What is the cat called?")
    assert (
        run("hook", "prompt", stdin=json.dumps(asked).encode(), env=home.surroundings(), timeout=30)[0] == 0
    )
    assert "Miso" in home.call("prompt", asked).told


def test_a_session_does_not_hear_itself(home, claude):
    """Its own words stand before it until the host folds them away; another session is told them."""
    claude.say("user", "My sister Ilse moved to Porto in October.")
    assert run_here("ingest", str(claude.transcript), env=home.surroundings(), cwd=home.folder)[0] == 0
    asked = "Where did my sister Ilse move to?"
    own = claude.payload("UserPromptSubmit", prompt=asked)
    other = own | {"session_id": "another", "transcript_path": ""}
    assert home.call("prompt", own).told == ""
    assert "Porto" in home.call("prompt", other).told
    with claude.transcript.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "system", "subtype": "compact_boundary"}) + "\n")
    assert "Porto" in home.call("prompt", own).told


IRRELEVANT = (
    "run the tests",
    "Write a README for the server",
    "给服务器写一个 README",
    "fix the build",
    "运行测试",
    "push it",
)
MIXED = (
    "I am allergic to shellfish.",
    "The landlord wants the rent of the server room by noon.",
    "Our deploys always run on Thursdays.",
    "I was tested for the driving licence in Ghent.",
    MOVED,
    "我妹妹小雨对花生过敏。",
)


@pytest.mark.parametrize("prompt", IRRELEVANT)
def test_a_prompt_about_something_else_is_told_nothing(home, heard, prompt):
    """One shared word is an accident."""
    heard(*MIXED)
    assert home.call("prompt", {"prompt": prompt, "cwd": str(home.folder)}).told == ""


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("What am I allergic to, shellfish or nuts?", "allergic to shellfish"),
        ("When do our deploys run?", "on Thursdays"),
        ("Ilse?", "Ilse moved to Porto"),
        ("小雨对花生过敏吗？", "小雨对花生过敏"),
    ],
)
def test_a_prompt_brings_along_what_it_is_about(home, heard, prompt, told):
    """Two words that say something, or all that it says."""
    heard(*MIXED)
    assert told in home.call("prompt", {"prompt": prompt, "cwd": str(home.folder)}).told


@pytest.mark.parametrize("order", ["给这个函数写一个单元测试。", "Write a unit test for this function."])
def test_a_prompt_is_not_told_that_it_was_given_before(home, heard, order):
    """The same words of another day are no evidence."""
    heard(order, "The function returns the tax of an order.")
    assert order not in home.call("prompt", {"prompt": order, "cwd": str(home.folder)}).told


def test_an_order_of_another_day_is_not_told_to_the_next(home, heard):
    """Only who asks for it hears of it; what else was said with it is told."""
    heard(
        "Fix the failing test in test_lexer.py.",
        "Add a lexer. The failing test in test_tokens.py is known to Ilse.",
    )

    def told(prompt):
        return home.call("prompt", {"prompt": prompt, "cwd": str(home.folder)}).told

    assert "test_lexer" not in told("Fix the failing test in test_parser.py.")
    assert "test_lexer" in told("Which failing test did I want to have fixed?")
    assert "Ilse" in told("Fix the failing test in test_tokens.py.")
