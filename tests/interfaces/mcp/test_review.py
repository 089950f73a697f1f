"""`memory_review`: a server on its standard streams hands out what is undecided, and settles what it is answered."""

import json

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import Implementation

from interfaces.mcp.conftest import QUICK, call, words_of
from memoracle.text import estimate_tokens
from support.processes import PYTHON, run_here, surroundings

ALONE = QUICK | {"MEMORACLE_TAGGER": "none"}
TALK = [
    ("assistant", "How is your sister Ruth doing?"),
    ("user", "She got transferred to the Lyon office last Monday"),
    ("assistant", "What do you drink there?"),
    ("user", "green tea has been my thing for years"),
    *(
        ("user", f"the {what} smells of paint again")
        for what in "attic barn cellar den foyer garage hall".split()
    ),
]


@pytest.fixture
def owner(root, tmp_path):
    """The person at the command line, after a talk of which rules could make nothing."""

    def run(*words):
        status, out, err = run_here("--root", root, *words, "--json", env=surroundings(**ALONE))
        assert status == 0, err
        return json.loads(out)

    rows = [{"role": who, "content": said, "timestamp": "2026-05-14T09:00:00Z"} for who, said in TALK]
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    run("ingest", tmp_path / "chat.jsonl")
    run("consolidate")
    return run


@pytest.fixture
def review(root, tmp_path):
    """Calls the tool over a real server's standard streams, by the official client."""
    import anyio

    def once(**arguments):
        async def body():
            server = StdioServerParameters(
                command=PYTHON, args=words_of(root), env=surroundings(**ALONE), cwd=tmp_path
            )
            async with Client(
                stdio_client(server), client_info=Implementation(name="by-hand", version="1")
            ) as client:
                return await call(client, "memory_review", **arguments)

        return anyio.run(body)

    return once


def test_three_answers_over_the_standard_streams(owner, review):
    """A batch is handed out; one is kept, one put to the owner, one dropped, one refused; records show it."""
    batch = review()
    found = {item[3].split()[1]: item for item in batch["items"]}
    assert (batch["waiting"], len(batch["items"]), "allergic_to" in batch["rules"]) == (9, 8, True)
    assert estimate_tokens(json.dumps(batch, ensure_ascii=False)) < 1_200
    assert found["tea"][1:3] == ["user", "2026-05-14"]
    assert found["tea"][4] == {"before": "assistant: What do you drink there?"}
    tea = {"subject": "user", "predicate": "likes", "object": "green tea", "text": "User likes green tea"}
    noted = {
        "subject": "user",
        "predicate": "noted",
        "object": "hall smells of paint",
        "text": found["hall"][3],
    }
    wrong = {"subject": "user", "predicate": "owns", "object": "a boat", "text": "User owns a boat"}
    done = review(
        answers=[
            {"id": found["tea"][0], "keep": True} | tea,
            {"id": found["hall"][0], "keep": True} | noted,
            {"id": found["barn"][0], "keep": True} | wrong,
            {"id": found["den"][0], "keep": False},
        ]
    )
    assert (len(done["kept"]), done["proposed"], done["dropped"], done["waiting"]) == (2, 1, 1, 6)
    assert done["refused"] == [{"id": found["barn"][0], "because": "the object was not said"}]
    shown = owner("show", done["kept"][0])
    assert (shown["origin"]["channel"], shown["origin"]["who"]) == ("agent", "by-hand")
    assert shown["origin"]["where"].endswith("chat.jsonl#L4")
    assert {item["id"] for item in owner("list")["items"]} == set(done["kept"])
    (question,) = owner("inbox")["items"]
    assert (question["matter"], question["about"]) == ("confirmation", done["kept"][:1])


def test_nothing_undecided_is_a_short_answer(root, review):
    """No rules are told where there is nothing to answer."""
    assert review() == {"waiting": 0, "items": []}
