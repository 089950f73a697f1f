"""Sessions of the OpenAI Agents SDK as transcripts, run by the library's own runner with a model of the test."""

import asyncio
import json
import os
import stat

import pytest

from memoracle.compose import open_memory
from memoracle.errors import BeyondScope
from support.files import PLAIN

KEY = "sk-proj-" + "abcdefghijklmnopqrstuvwxyz0123456789ABCD"


@pytest.fixture
def module(adapter):
    found = adapter("openai_agents")
    from agents import set_tracing_disabled

    set_tracing_disabled(True)
    return found


@pytest.fixture
def session(module, memory, tmp_path):
    return module.MemoracleSession("monday", memory, str(tmp_path / "app"))


def model_that_says(*turns):
    """A model of the library that gives these answers, a tuple being a call of a tool; it keeps what it was asked."""
    from agents import Model, ModelResponse, Usage
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    class Scripted(Model):
        def __init__(self):
            self.turns, self.asked = list(turns), []

        async def get_response(self, system_instructions, input, *given, **named):  # noqa: A002
            self.asked.append((system_instructions, input))
            turn = self.turns.pop(0)
            if isinstance(turn, str):
                text = ResponseOutputText(text=turn, type="output_text", annotations=[])
                out = ResponseOutputMessage(
                    id="__fake_id__", type="message", role="assistant", status="completed", content=[text]
                )
            else:
                out = ResponseFunctionToolCall(
                    id="fc",
                    call_id=f"call_{len(self.asked)}",
                    type="function_call",
                    name=turn[0],
                    arguments=turn[1],
                )
            return ModelResponse(output=[out], usage=Usage(), response_id=None)

        async def stream_response(self, *given, **named):
            raise NotImplementedError

    return Scripted()


def user(text):
    return {"role": "user", "content": text}


def agent(text):
    return {"role": "assistant", "content": [{"type": "output_text", "text": text}]}


def test_it_is_a_session_of_the_library(session):
    from agents.memory import Session

    assert isinstance(session, Session)


def test_it_gives_what_the_librarys_own_gives(module, session):
    """The same items in, the same items out: words, calls, reasoning, limits, pops."""
    from agents import SQLiteSession
    from agents.memory import SessionSettings

    call = {"type": "function_call", "name": "user", "call_id": "c1", "arguments": '{"a": "b"}', "id": "fc_1"}
    items = [
        user("hello there"),
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA" + 200 * "x7Yq/"},
        call,
        {"type": "function_call_output", "call_id": "c1", "output": "done\nwell"},
        agent("你好\u2028 there"),
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "look"}, {"type": "input_image", "image_url": "u"}],
        },
        {"role": "developer", "content": "be kind"},
    ]

    async def both():
        other = SQLiteSession("monday")
        for one in (session, other):
            await one.add_items(items[:4])
            await one.add_items(items[4:])
            await one.add_items([])
        found = []
        for one in (session, other):
            found.append([await one.get_items(limit) for limit in (None, 0, 1, 3, 99)])
            one.session_settings = SessionSettings(limit=2)
            found[-1] += [await one.get_items(), await one.get_items(4)]
            found[-1] += [await one.pop_item(), await one.get_items(99)]
            await one.clear_session()
            found[-1] += [await one.get_items(), await one.pop_item()]
            await one.add_items(items[:1])
            found[-1] += [await one.get_items()]
        return found

    ours, theirs = asyncio.run(both())
    assert ours == theirs


@pytest.mark.long
def test_what_a_user_said_in_one_run_is_known_in_the_next(module, warm, tmp_path):
    """The library's runner keeps the history; in another session the agent asks its tool, and is told unasked."""
    from agents import Agent, Runner

    first = model_that_says("How nice for her.")
    helper = Agent(name="Helper", model=first, instructions=module.with_memory(warm, "Be brief."))
    session = module.MemoracleSession("monday", warm, str(tmp_path / "app"))
    Runner.run_sync(helper, "My sister Ilse moved to Porto.", session=session)
    Runner.run_sync(
        Agent(name="Helper", model=model_that_says("Yes.")),
        "The ferry to Capri leaves at nine.",
        session=session,
    )
    found = warm.recall("Where did my sister Ilse move?").hits[0].passage
    assert (found.channel, found.session, found.who) == ("owner", "monday", "user")
    second = model_that_says(("recall", '{"question": "Where did my sister Ilse move?"}'), "To Porto.")
    helper = Agent(
        name="Helper",
        model=second,
        instructions=module.with_memory(warm, "Be brief."),
        tools=[module.recall_tool(warm)],
    )
    session = module.MemoracleSession("tuesday", warm, str(tmp_path / "app"))
    assert (
        Runner.run_sync(helper, "Where did my sister Ilse move?", session=session).final_output == "To Porto."
    )
    assert second.asked[0][0].startswith("Be brief.\n\n<memoracle")
    assert "Porto" in second.asked[0][0]
    assert "monday.jsonl#L1" in json.dumps(second.asked[1][1])
    assert first.asked[0][0] == "Be brief."


def test_a_question_and_its_answers_are_no_evidence_for_it(session, memory):
    asyncio.run(session.add_items([user("What is my dentist called?"), agent("I do not know that.")]))
    assert not memory.recall("What is my dentist called?").hits


def test_only_what_was_typed_is_the_owners(session, memory):
    items = [
        user("The parrot is called Coco"),
        agent("The turtle is called Tank"),
        user("<context>The lizard is called Liz</context>"),
        {"role": "system", "content": "The snake is called Sid"},
        {"type": "function_call_output", "call_id": "c", "output": "The spider is called Sam"},
    ]
    asyncio.run(session.add_items(items))
    said = {}
    for pet in ("parrot", "turtle", "lizard", "snake", "spider"):
        hits = memory.recall(f"What is the {pet} called?").hits
        said[pet] = hits[0].passage.channel if hits and pet in hits[0].passage.text else None
    assert said == {"parrot": "owner", "turtle": "agent", "lizard": "tool", "snake": None, "spider": None}


def test_what_was_popped_is_no_longer_heard(session, memory):
    asyncio.run(session.add_items([user("The parrot is called Coco"), user("The turtle is called Tank")]))
    assert memory.recall("What is the turtle called?").hits
    assert asyncio.run(session.pop_item()) == user("The turtle is called Tank")
    hits = memory.recall("What is the turtle called?").hits
    assert not any("Tank" in hit.passage.text for hit in hits)
    assert "Coco" in memory.recall("What is the parrot called?").hits[0].passage.text


def test_clearing_begins_anew_and_forgets_nothing(session, memory):
    asyncio.run(session.add_items([user("The parrot is called Coco")]))
    asyncio.run(session.clear_session())
    asyncio.run(session.add_items([user("The turtle is called Tank")]))
    assert asyncio.run(session.get_items()) == [user("The turtle is called Tank")]
    for name in ("parrot", "turtle"):
        assert memory.recall(f"What is the {name} called?").hits[0].passage.session == "monday"


def test_a_session_goes_on_in_another_process(session, module, root, clock, tmp_path):
    asyncio.run(session.add_items([user("The parrot is called Coco")]))
    with open_memory(str(root), environment=PLAIN, clock=clock) as other:
        again = module.MemoracleSession("monday", other, str(tmp_path / "app"))
        asyncio.run(again.add_items([user("The turtle is called Tank")]))
        assert len(asyncio.run(again.get_items())) == 2
        assert other.recall("What is the parrot called?").hits
    assert len(asyncio.run(session.get_items())) == 2


def test_secrets_never_reach_the_disk(session, tmp_path):
    call = {
        "type": "function_call",
        "name": "login",
        "call_id": "c",
        "arguments": '{"password": "correct horse battery"}',
    }
    asyncio.run(session.add_items([user(f"my key is {KEY}"), call]))
    text = (tmp_path / "app" / "monday.jsonl").read_text()
    assert KEY not in text
    assert "correct horse" not in text
    assert json.loads(asyncio.run(session.get_items())[1]["arguments"])["password"].startswith("[secret:")


def test_files_are_their_owners_alone_and_names_stay_in_the_folder(module, memory, tmp_path):
    before = os.umask(0)
    try:
        session = module.MemoracleSession("../../etc/passwd", memory, str(tmp_path / "app"))
        asyncio.run(session.add_items([user("The parrot is called Coco")]))
    finally:
        os.umask(before)
    folder = tmp_path / "app"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert len([path for path in folder.iterdir() if path.suffix == ".jsonl"]) == 1


def test_a_line_that_was_cut_short_costs_itself_alone(session, tmp_path):
    asyncio.run(session.add_items([user("The parrot is called Coco")]))
    with open(tmp_path / "app" / "monday.jsonl", "a") as file:
        file.write('{"id": "x", "message": {"role": "us')
    asyncio.run(session.add_items([user("The turtle is called Tank")]))
    assert [item["content"] for item in asyncio.run(session.get_items())] == [
        "The parrot is called Coco",
        "The turtle is called Tank",
    ]


def test_many_tasks_write_whole_lines(session):
    async def all_at_once():
        await asyncio.gather(
            *(session.add_items([user(f"number {n}"), agent(f"answer {n}")]) for n in range(12))
        )
        return await session.get_items()

    items = asyncio.run(all_at_once())
    assert len(items) == 24
    said = [item["content"] for item in items if item["role"] == "user"]
    assert sorted(said) == sorted(f"number {n}" for n in range(12))


# One user


def test_a_memory_for_one_user_hears_no_conversation(module, root, clock, tmp_path):
    """What is heard has no user, so that others would read it."""
    surroundings = PLAIN | {"MEMORACLE_USER": "ann"}
    with open_memory(str(root), environment=surroundings, clock=clock) as own, pytest.raises(BeyondScope):
        module.MemoracleSession("monday", own, str(tmp_path / "app"))


def test_no_user_is_told_what_is_anothers(module, warm):
    warm.remember("The parrot is called Coco", user="ann@example.org".replace("@", "-at-"))
    warm.remember("The turtle is called Tank", user="bob")
    from agents.tool_context import ToolContext

    async def told(name, question):
        tool = module.recall_tool(warm, user=name)
        given = json.dumps({"question": question})
        context = ToolContext(context=None, tool_name="recall", tool_call_id="c", tool_arguments=given)
        context.turn_input = [user(question)]
        unasked = await module.with_memory(warm, user=name)(context, None)
        return await tool.on_invoke_tool(context, given), unasked

    asked, unasked = asyncio.run(told("bob", "What is the turtle called?"))
    assert "Tank" in asked
    assert "Tank" in unasked
    asked, unasked = asyncio.run(told("bob", "What is the parrot called?"))
    assert "Coco" not in asked + unasked
    assert asyncio.run(told("eve", "What is the turtle called?")) == ("Not in memory.", "")
