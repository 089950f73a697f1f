"""A question that was only asked is never evidence for its own answer, and neither is "I don't know"."""

import json

import pytest

from support.processes import run_here

RECIPES = ("quick", "balanced", "deep", "openclaw")
ASKED = {
    "What is the name of my dentist?": "That is not in memory.",
    "Which server do we use for staging?": "I do not know that.",
    "我的护照放在哪里？": "我不知道，记忆里没有找到。",
}
NOT_KNOWN = (
    "I have no information about that. If you tell me, I'll remember it.",
    "I couldn't find anything about your dentist in memory. You could check your calendar.",
    "Nothing in memory about that. Shall I look elsewhere?",
    "I'm not sure who your dentist is.",
    "You haven't told me who your dentist is yet.",
    "Let me search memory for your dentist. There is no record of your dentist's name.",
    "抱歉，我没有找到关于牙医的记录。如果你告诉我，我会记住。",
    "你还没有告诉我牙医的名字。",
)
WAYS_TO_ASK = (
    "who is my dentist",
    "Tell me who my dentist is.",
    "Do you remember the name of my dentist?",
    "I wonder who my dentist is",
    "Can you find the name of my dentist",
    "I forgot what my dentist is called",
    "hey, so, what was my dentist called again",
    "Please look up my dentist",
    "My dentist's name?",
    "我的牙医是谁",
    "你知道我的牙医叫什么吗",
    "帮我查一下我的牙医",
    "我想知道我的牙医叫什么名字",
)


@pytest.fixture
def said(cli, tmp_path):
    """Lets a conversation be heard: users and assistants in turn."""

    def hear(*turns):
        lines = [
            {
                "role": "assistant" if place % 2 else "user",
                "content": text,
                "timestamp": f"2026-05-01T10:{place:02d}:00Z",
            }
            for place, text in enumerate(turns)
        ]
        path = tmp_path / "chat.jsonl"
        path.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
        )
        assert cli("ingest", path).status == 0

    return hear


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_question_is_not_its_own_evidence(cli, said, recipe):
    """Asked and not answered: asking again ends the same way, in either language and by every recipe."""
    said(*(text for pair in ASKED.items() for text in pair))
    for question in (*ASKED, "Who is my dentist?"):
        ran = cli("recall", "--json", "--recipe", recipe, question)
        assert (ran.json["status"], ran.json["hits"], ran.status) == ("not_in_memory_db", [], 3), question


@pytest.mark.parametrize("recipe", ["quick", "balanced"])
def test_however_it_is_asked_and_declined(cli, said, recipe):
    """Without a mark, indirectly, as a request; declined with an offer, advice or an apology."""
    said(
        *(text for place, way in enumerate(WAYS_TO_ASK) for text in (way, NOT_KNOWN[place % len(NOT_KNOWN)])),
        "Thanks anyway.",
        "You're welcome!",
    )
    for question in ("What is the name of my dentist?", "Who is my dentist?", "我的牙医叫什么？"):
        ran = cli("recall", "--json", "--recipe", recipe, question)
        assert ([hit["text"] for hit in ran.json["hits"]], ran.status) == ([], 3), question


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_fact_is_told_and_not_the_question(cli, said, recipe):
    """Forty times the question stands in the way of nothing."""
    said(*["Which server do we use for staging?", "I do not know that."] * 40)
    cli("remember", "We use the server heron-7 for staging")
    hits = cli("recall", "--json", "--recipe", recipe, "Which server do we use for staging?").json["hits"]
    assert [hit["text"] for hit in hits] == ["We use the server heron-7 for staging"]


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize(
    ("turn", "question"),
    [
        ("My dentist is Dr Okafor. When is my appointment?", "Who is my dentist?"),
        ("What was the name of my dentist, Dr Okafor's colleague?", "Who is my dentist?"),
        ("My dentist is Dr Okafor, right?", "Who is my dentist?"),
        ("I'm moving to Lisbon in May, can you recommend a removal company?", "When am I moving to Lisbon?"),
        ("When does the train of my sister Ilse arrive?", "What is the name of my sister?"),
        ("我的牙医是王医生。下次预约是什么时候？", "我的牙医是谁？"),
        ("我对花生过敏，能推荐一家餐厅吗？", "我对什么过敏？"),
    ],
)
def test_what_is_stated_beside_a_question_is_evidence(cli, said, recipe, turn, question):
    """A turn keeps what it says, whatever it asks besides."""
    said(turn, "Noted.")
    ran = cli("recall", "--json", "--recipe", recipe, question)
    assert (ran.status, ran.json["hits"][0]["text"]) == (0, turn)


@pytest.mark.parametrize("recipe", RECIPES)
def test_only_what_a_mixed_turn_states_counts(cli, said, recipe):
    """The question inside a turn that says something else is no evidence either."""
    said("My cat is called Miso. Who is my dentist?", "I don't know. Miso is a lovely name!")
    ran = cli("recall", "--json", "--recipe", recipe, "Who is my dentist?")
    assert (ran.json["status"], ran.status) == ("not_in_memory_db", 3)
    assert cli("recall", "--recipe", recipe, "What is my cat called?").status == 0


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("I don't know how to swim.", "Do I know how to swim?"),
        ("I have no siblings.", "Do I have siblings?"),
        ("When I moved to Denver I bought a red car.", "What did I buy when I moved to Denver?"),
        ("What I like most is jasmine tea.", "What do I like most?"),
        ("I never found my grandmother's ring.", "Did I find my grandmother's ring?"),
        ("I'm looking for a flat in Lisbon.", "Where am I looking for a flat?"),
        ("Remind me to call Bob on Friday.", "When do I have to call Bob?"),
        ("我没有兄弟姐妹。", "我有兄弟姐妹吗？"),
    ],
)
def test_statements_that_sound_alike_stay_evidence(cli, said, recipe, text, question):
    """A lack, an inability, a clause that begins like a question: all of them say something."""
    said(text, "Noted.")
    assert cli("recall", "--recipe", recipe, question).status == 0


@pytest.mark.parametrize("recipe", RECIPES)
def test_records_and_notes_that_only_ask(cli, root, recipe):
    """What holds for turns holds for everything that is kept."""
    cli("remember", "Who is my dentist?")
    (root / "notes").mkdir(exist_ok=True)
    (root / "notes" / "open.md").write_text("Who is my dentist?\n\nI don't know.\n", encoding="utf-8")
    assert cli("recall", "--recipe", recipe, "Who is my dentist?").status == 3


def test_a_record_that_only_asks_is_found_by_its_id(cli):
    """Nothing that is kept is out of reach: whoever names it gets it."""
    made = cli("remember", "Who is my dentist?", "--json").json["id"]
    assert [hit["id"] for hit in cli("recall", "--json", made).json["hits"]] == [made]


def test_an_order_that_says_no_more_than_the_question_is_not_told(cli, said):
    """The same request again is no memory; one that says more is."""
    said("Write a README for the server", "Done.")
    assert cli("recall", "Write a README for the server").status == 3
    said("Write a README for the server in German", "Done.")
    assert cli("recall", "Write a README for the server").status == 0


def test_the_same_over_mcp(root, said, cli):
    """Agents are told what people are told."""
    from memoracle.compose import open_memory
    from memoracle.interfaces.mcp.finding import SEARCH
    from memoracle.interfaces.mcp.tool import Caller

    said(*(text for pair in ASKED.items() for text in pair))
    with open_memory(str(root)) as memory:
        for question in (*ASKED, "Who is my dentist?"):
            found = SEARCH.run(memory, {"query": question}, Caller(name="a-host")).document
            assert (found["verdict"], found["results"]) == ("not_in_memory_db", [])


def test_a_prompt_is_told_no_question(root, said, cli):
    """What was asked and not answered in an earlier session is nothing to go on from; what was said is."""

    def told(prompt):
        payload = json.dumps({"prompt": prompt}).encode()
        status, out, _ = run_here("--root", root, "hook", "prompt", "--host", "claude-code", stdin=payload)
        assert status == 0
        return out

    said(*(text for pair in ASKED.items() for text in pair))
    cli("remember", "The deploys of heron run on Thursdays")
    assert [told(prompt) for prompt in ASKED] == ["", "", ""]
    assert "on Thursdays" in told("When do the deploys of heron run?")
