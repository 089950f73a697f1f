"""OpenClaw from end to end: its transcripts at night, its agent's tools by day, and out again."""

import json

import anyio
import pytest

from end_to_end.hosts import OpenClaw
from end_to_end.people import Home
from end_to_end.test_hosts import FIRST, FRAME, PASSWORD, SAID, SECOND, TODAY, TOKEN, host_files

pytestmark = pytest.mark.long

mcp = pytest.importorskip("mcp")


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path / "Mei 的家")
    made.memoracle("init")
    yield made
    made.wait_for_workers()


def ask(home, entry, calls):
    """What the tools answer: the server is begun as the entry of the config says, and spoken to by the SDK's client."""

    async def run():
        server = mcp.StdioServerParameters(command=entry["command"], args=entry["args"], env=home.environment)
        answers = []
        async with mcp.Client(server, mode="legacy") as client:
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                assert not result.is_error, result.content[0].text
                answers.append(result.content[0].text)
        return answers

    return anyio.run(run)


def test_what_was_said_yesterday_is_found_today(home):
    """Heard by the job in its cron file, found by the server in its config, in both languages; nothing is learnt twice."""
    for name, text in OpenClaw.files.items():
        home.write(name, text)
    before = host_files(home)
    home.memoracle("install", "openclaw", "--yes")
    entry, nightly = OpenClaw.config(home)["mcp"]["servers"]["memoracle"], OpenClaw.nightly(home)
    skill = (home.folder / "clawd/skills/memoracle/SKILL.md").read_text("utf-8")
    assert (str(home.root) in skill, "memoracle" in (home.folder / "clawd/AGENTS.md").read_text("utf-8")) == (
        True,
        True,
    )

    # Yesterday, and the night after.
    session = OpenClaw(home, FIRST, 1)
    for text in [*SAID, f"Deploy with the token {TOKEN} please.", f"我的密码是 {PASSWORD}。"]:
        session.asks(text)
        session.answers("I see.")
    home.run(nightly)
    known = home.records()
    assert set(SAID) <= {record["text"] for record in known.values()}

    # Today the agent asks by its tools.
    asked = [("memory_search", {"query": question}) for question, _ in SAID.values()]
    answers = [json.loads(text) for text in ask(home, entry, asked)]
    texts = [[hit["text"] for hit in answer["results"]] for answer in answers]
    assert [wanted for wanted, found in zip(SAID, texts, strict=True) if wanted not in found] == []
    assert {answer["verdict"] for answer in answers} == {"found"}
    (context,) = ask(home, entry, [("memory_context", {})])
    assert [text for text in SAID if text not in context] == []
    # What its own search reads is as it was, so that search goes on.
    assert OpenClaw.config(home)["agents"]["defaults"]["memorySearch"]["extraPaths"] == ["../team-docs"]
    assert "花生" in (home.root / "MEMORY.md").read_text("utf-8")

    # What it was told comes back in its transcript, and is not learnt.
    session = OpenClaw(home, SECOND, 0)
    session.is_told("", context)
    session.asks(TODAY)
    session.answers("What a name!")
    home.run(nightly)
    after = home.records()
    assert {key: after.get(key) for key in known} == known
    assert {record["text"] for key, record in after.items() if key not in known} == {TODAY}
    assert home.holds(FRAME) == []

    said = "".join([json.dumps(answers, ensure_ascii=False), context, *(out.decode() for out in home.told)])
    assert [secret for secret in (TOKEN, PASSWORD) if secret in said or home.holds(secret)] == []
    home.memoracle("check", "--deep")
    home.memoracle("install", "openclaw", "--uninstall", "--yes")
    assert host_files(home) == before
