"""A memory block of LlamaIndex, in the library's own chat memory."""

import asyncio

import pytest

QUESTION = "Which town did my sister Ilse move to?"


@pytest.fixture
def module(adapter):
    return adapter("llama_index")


def said(text, role="user"):
    from llama_index.core.llms import ChatMessage

    return ChatMessage(role=role, content=text)


def chat_with(block, session_id="tuesday", **limits):
    from llama_index.core.memory import Memory

    return Memory.from_defaults(session_id=session_id, memory_blocks=[block], **limits)


async def told(block, question=QUESTION):
    """What a model would be given in a new session."""
    chat = chat_with(block)
    await chat.aput(said(question))
    return "\n".join(message.content for message in await chat.aget())


@pytest.mark.long
def test_what_left_the_short_term_memory_is_told_in_another_session(module, warm):
    """The library flushes old messages into the block; whose they are stays known."""

    async def run():
        chat = chat_with(
            module.MemoracleBlock(warm, user="ann"),
            session_id="monday",
            token_limit=60,
            chat_history_token_ratio=0.5,
            token_flush_size=10,
        )
        await chat.aput(said("My sister Ilse moved to Porto in October."))
        await chat.aput(said("How nice for your sister, it is a fine old town.", "assistant"))
        for number in range(6):
            await chat.aput(said(f"Now the number {number} and some words about rain and wind."))
            await chat.aput(said(f"The answer to {number} with more words about the rain.", "assistant"))
        return [await told(module.MemoracleBlock(warm, user=user)) for user in ("ann", "bob")]

    ann, bob = asyncio.run(run())
    assert '<memoracle kind="recall">' in ann
    assert "Porto" in ann
    assert bob == QUESTION
    kept = {hit.passage.text: hit.passage for hit in warm.list(limit=50)}
    sister = kept["My sister Ilse moved to Porto in October."]
    assert (sister.channel, sister.session, sister.who) == ("person", "monday", "ann")
    assert kept["How nice for your sister, it is a fine old town."].channel == "agent"


def test_without_a_user_whoever_chats_is_the_owner(module, warm):
    block = module.MemoracleBlock(warm)
    asyncio.run(
        block.aput([said("My sister Ilse moved to Porto."), said("be kind", "system"), said("x=1", "tool")])
    )
    (hit,) = warm.list(limit=9)
    assert hit.passage.channel == "owner"
    assert "Porto" in asyncio.run(told(block))


def test_scopes_of_agents_and_projects_hold_as_well(module, warm):
    for what in ("agent", "project"):
        own = module.MemoracleBlock(warm, **{what: "one"})
        asyncio.run(own.aput([said(f"My sister Ilse moved to Porto, says the {what}.")]))
        assert "Porto" in asyncio.run(told(own))
        assert asyncio.run(told(module.MemoracleBlock(warm, **{what: "two"}, user=what))) == QUESTION
        warm.forget([hit.passage.ref for hit in warm.list(limit=9)])


def test_what_was_told_is_not_learnt_again(module, warm):
    """The library may put the block into the user's message; that comes back when it is flushed."""
    block = module.MemoracleBlock(warm)
    asyncio.run(block.aput([said("My sister Ilse moved to Porto.")]))
    again = asyncio.run(block.aget([said(QUESTION)]))
    assert "Porto" in again
    asyncio.run(block.aput([said(f"{again}\n\nThe parrot is called Coco.")]))
    assert {hit.passage.text for hit in warm.list(limit=9)} == {
        "My sister Ilse moved to Porto.",
        "The parrot is called Coco.",
    }


def test_nothing_is_told_to_nothing(module, warm):
    block = module.MemoracleBlock(warm)
    warm.remember("The parrot is called Coco")
    assert asyncio.run(block.aget()) == asyncio.run(block.aget([said("ok")])) == ""
    assert asyncio.run(block.aget([said("Who is the mayor of Atlantis?")])) == ""
    asyncio.run(block.aput([]))


def test_it_is_named_as_the_library_wants(module, warm):
    from llama_index.core.memory import Memory

    blocks = [module.MemoracleBlock(warm), module.MemoracleBlock(warm, name="other", priority=2)]
    assert [block.name for block in Memory.from_defaults(memory_blocks=blocks).memory_blocks] == [
        "long_term",
        "other",
    ]
