"""Manners as acts on a memory: transcripts heard, facts looked up, the hot file tidied."""

import pytest

from memoracle.errors import InvalidName
from memoracle.extensions.seats.errors import NoNorthStar
from scan.places import put

CHAT = "User: 我们决定改用 PostgreSQL 16，端口是 5433。\n\nAssistant: 好的。The root cause was a stale lock file.\n\n"


@pytest.fixture
def chat(tmp_path):
    return put(tmp_path, "chat.md", CHAT)


@pytest.mark.seed("S1.240", "S1.241")
def test_only_the_operators_turns_count(memory, tmp_path):
    """Whatever the assistant says, and however much of it."""
    long = "Assistant: " + "English words all over the place. " * 30
    place = put(
        tmp_path, "chat.md", f"User: 请帮我看一下这个问题\n\n{long}\n\nUser: 另外再跑一次测试\n\n{long}\n"
    )
    assert memory.reply_language(transcript=str(place)).language == "zh"


@pytest.mark.seed("S1.242")
def test_compaction_is_not_advised_while_facts_are_missing(memory, chat):
    """The latest turn is looked through; what memory lacks is listed."""
    advice = memory.compact_advice(transcript=str(chat))
    assert (advice.advise, [fact.kind for fact in advice.missing]) == (False, ["decision", "root-cause"])


@pytest.mark.seed("S1.242")
def test_compaction_is_advised_once_all_is_stored(memory, chat):
    """A record and a note; each fact says where it stands."""
    memory.remember("我们决定改用 PostgreSQL 16，端口是 5433。")
    memory.note("The root cause was a stale lock file.", to="decisions")
    advice = memory.compact_advice(transcript=str(chat))
    assert (advice.advise, advice.missing) == (True, ())
    assert [fact.cite.split("/")[0] for fact in advice.facts] == ["records", "notes"]


@pytest.mark.seed("S1.242")
def test_a_conversation_is_no_place_of_storage(memory, chat):
    """What stands only in a transcript would be compacted away with it."""
    memory.ingest(str(chat), embed=False)
    assert memory.compact_advice(["The root cause was a stale lock file."]).advise is False


def test_a_turn_without_key_facts_may_go(memory):
    """There is nothing to lose."""
    assert memory.compact_advice(turn="Thanks, see you tomorrow.").advise is True


@pytest.mark.seed("S1.016", "S1.233", "S1.053")
def test_drift_is_held_against_the_projects_own_file(memory, root):
    """`projects/<p>/north-star.toml`; without one there is nothing to hold against."""
    with pytest.raises(NoNorthStar):
        memory.drift("arena", scope=3.0)
    with pytest.raises(InvalidName):
        memory.drift("../up")
    put(root, "projects/arena/north-star.toml", 'goal = "a quiet arena"\n')
    assert (memory.drift("arena", scope=3.0).drifted, memory.drift("arena", scope=1.0).drifted) == (
        True,
        False,
    )
