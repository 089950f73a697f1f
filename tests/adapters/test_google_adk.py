"""A memory service of Google's ADK, with the library's own sessions, runner and tools."""

import asyncio

import pytest

from memoracle import Filters, Scope

APP = "diary"


@pytest.fixture
def service(adapter, warm):
    return adapter("google_adk").MemoracleMemoryService(warm)


def event(text, author="user", **fields):
    from google.adk.events import Event
    from google.genai import types

    return Event(author=author, content=types.Content(role="user", parts=[types.Part(text=text)]), **fields)


async def talk(user, *said, session_id="monday", app=APP):
    """A session of the library's own in which this was said; an answer is a tuple of the agent's name and words."""
    from google.adk.sessions import InMemorySessionService

    sessions = InMemorySessionService()
    session = await sessions.create_session(app_name=app, user_id=user, session_id=session_id)
    for one in said:
        await sessions.append_event(session, event(one) if isinstance(one, str) else event(one[1], one[0]))
    return await sessions.get_session(app_name=app, user_id=user, session_id=session_id)


async def found(service, user, query, app=APP):
    answer = await service.search_memory(app_name=app, user_id=user, query=query)
    return [entry.content.parts[0].text for entry in answer.memories]


SISTER = "Where did my sister move?"


def test_no_user_is_shown_what_another_said(service, warm):
    """Not by a question, not in another app, and not under an address that is no name."""

    async def ask():
        await service.add_session_to_memory(await talk("ann@example.org", "My sister Ilse moved to Porto."))
        await service.add_session_to_memory(await talk("bob", "My sister Uta moved to Lima."))
        users = ("ann@example.org", "bob", "eve", "", "ann-example.org", "ann@example.ORG")
        told = {user: " ".join(await found(service, user, SISTER)) for user in users}
        return told, await found(service, "bob", SISTER, app="other")

    told, elsewhere = asyncio.run(ask())
    assert "Porto" in told.pop("ann@example.org")
    own = told.pop("bob")
    assert "Lima" in own
    assert "Porto" not in own
    assert set(told.values()) == {""}
    assert elsewhere == []
    for hit in warm.list(limit=9, filters=Filters(scope=Scope(user="bob"))):
        assert warm.show(hit.passage.ref).scope == Scope(user="bob", agent=APP)


def test_what_belongs_to_nobody_is_shown_to_all(service, warm):
    warm.remember("The ferry to Capri leaves at nine")
    assert "nine" in asyncio.run(found(service, "ann", "When does the ferry to Capri leave?"))[0]


def test_an_entry_says_who_and_when_and_where(service):
    async def ask():
        session = await talk("ann", "My sister Ilse moved to Porto.", ("helper", "My sister is a machine."))
        await service.add_session_to_memory(session)
        answer = await service.search_memory(app_name=APP, user_id="ann", query=SISTER)
        return session, {entry.author: entry for entry in answer.memories}

    session, entries = asyncio.run(ask())
    own = entries["ann"]
    assert own.custom_metadata == {"citation": "records/facts.jsonl#L1", "channel": "person"}
    assert own.timestamp[:19] == _iso(session.events[0].timestamp)[:19]
    assert own.content.role == "user"
    assert own.content.parts[0].text.startswith("[quoted data")
    if "helper" in entries:
        assert (entries["helper"].content.role, entries["helper"].custom_metadata["channel"]) == (
            "model",
            "agent",
        )


def _iso(stamp):
    from datetime import UTC, datetime

    return datetime.fromtimestamp(stamp, UTC).isoformat()


def test_a_session_may_be_added_again_and_again(service, warm):
    async def add():
        session = await talk("ann", "My sister Ilse moved to Porto.", ("helper", "How nice."), "ok")
        for _ in range(3):
            await service.add_session_to_memory(session)
        session.events.append(event("The parrot is called Coco."))
        await service.add_session_to_memory(session)

    asyncio.run(add())
    assert sorted(hit.passage.text for hit in warm.list(limit=50)) == [
        "How nice.",
        "My sister Ilse moved to Porto.",
        "The parrot is called Coco.",
    ]


def test_a_question_is_no_evidence_for_its_answer(service):
    async def ask():
        said = ("What is my dentist called?", ("helper", "I do not know that."))
        await service.add_session_to_memory(await talk("ann", *said))
        return await found(service, "ann", "What is my dentist called?")

    assert asyncio.run(ask()) == []


def test_pieces_thoughts_and_calls_are_not_what_was_said(service, warm):
    from google.adk.events import Event
    from google.genai import types

    parts = [
        types.Part(text="let me think about parrots", thought=True),
        types.Part(function_call=types.FunctionCall(name="look", args={"q": "parrots"})),
        types.Part(text="The parrot is called Coco."),
    ]
    events = [
        event("The par", "helper", partial=True),
        Event(author="helper", content=types.Content(role="model", parts=parts)),
        Event(author="helper"),
    ]
    asyncio.run(service.add_events_to_memory(app_name=APP, user_id="ann", events=events))
    assert [hit.passage.text for hit in warm.list(limit=9)] == ["The parrot is called Coco."]


def test_what_an_agent_notes_is_an_agents_word(service, warm):
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types

    note = MemoryEntry(content=types.Content(parts=[types.Part(text="Ann prefers tea.")]), author="user")
    asyncio.run(service.add_memory(app_name=APP, user_id="ann", memories=[note]))
    (hit,) = warm.list(limit=9)
    assert (hit.passage.channel, hit.passage.kind) == ("agent", "event")


def test_a_user_without_a_name_is_not_the_owner(service, warm):
    """Whom a service does not know is a stranger."""
    asyncio.run(
        service.add_events_to_memory(app_name=APP, user_id="", events=[event("I prefer tea in the morning.")])
    )
    assert [hit.passage.channel for hit in warm.list()] == ["person"]


def test_a_user_deletes_their_own_and_nothing_else(service, warm):
    warm.remember("The ferry to Capri leaves at nine")

    async def ask():
        session = await talk("ann", "My sister Ilse moved to Porto.")
        await service.add_session_to_memory(session)
        (entry,) = (await service.search_memory(app_name=APP, user_id="ann", query=SISTER)).memories
        await service.delete_memory(app_name=APP, user_id="bob", memory_id=entry.id)
        await service.delete_memory(app_name=APP, user_id="ann", memory_id="mem_unknown")
        await service.delete_memory(app_name=APP, user_id="ann")
        assert await found(service, "ann", SISTER)
        await service.delete_memory(app_name=APP, user_id="ann", memory_id=entry.id)
        await service.add_session_to_memory(session)
        return await found(service, "ann", SISTER)

    assert asyncio.run(ask()) == []
    assert warm.recall("When does the ferry to Capri leave?").hits


@pytest.mark.long
def test_a_real_runner_remembers_between_sessions(adapter, warm):
    """The library's runner, a model of the test, and the tool `load_memory`: asked in one session, known from another."""
    service = adapter("google_adk").MemoracleMemoryService(warm)
    from google.adk.agents import LlmAgent
    from google.adk.models.base_llm import BaseLlm
    from google.adk.models.llm_response import LlmResponse
    from google.adk.runners import Runner
    from google.adk.sessions import InMemorySessionService
    from google.adk.tools import load_memory
    from google.genai import types

    asked = []

    class Scripted(BaseLlm):
        async def generate_content_async(self, llm_request, stream=False):
            asked.append(llm_request)
            last = llm_request.contents[-1].parts[0]
            if last.function_response:
                part = types.Part(text=f"I know: {last.function_response.response}")
            elif "?" in (last.text or ""):
                part = types.Part(
                    function_call=types.FunctionCall(name="load_memory", args={"query": last.text}, id="c1")
                )
            else:
                part = types.Part(text="Noted.")
            yield LlmResponse(content=types.Content(role="model", parts=[part]))

    async def run():
        sessions = InMemorySessionService()
        agent = LlmAgent(name="helper", model=Scripted(model="scripted"), tools=[load_memory])
        runner = Runner(app_name=APP, agent=agent, session_service=sessions, memory_service=service)
        said = []
        for number, (user, text) in enumerate(
            [("ann", "My sister Ilse moved to Porto."), ("ann", SISTER), ("bob", SISTER)]
        ):
            name = f"s{number}"
            await sessions.create_session(app_name=APP, user_id=user, session_id=name)
            message = types.UserContent(text)
            answers = runner.run_async(user_id=user, session_id=name, new_message=message)
            said.append([one async for one in answers][-1].content.parts[0].text)
            session = await sessions.get_session(app_name=APP, user_id=user, session_id=name)
            await service.add_session_to_memory(session)
        return said

    noted, known, unknown = asyncio.run(run())
    assert noted == "Noted."
    assert "Porto" in known
    assert "Porto" not in unknown
