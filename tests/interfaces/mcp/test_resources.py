"""What a client can attach, and what the server lists, through the SDK's client."""

import json

import pytest
from mcp.shared.exceptions import MCPError
from mcp.types import PromptReference, ResourceTemplateReference

from interfaces.mcp.conftest import call
from support.files import contents, write


def test_listing_and_reading(story, root):
    """MEMORY.md, daily notes and records; reading changes nothing."""
    write(root, "MEMORY.md", "# Memory\n\n早上好\n")
    write(root, "notes/daily/2026-05-14.md", "# 2026-05-14\n\nwe planted the oak\n")

    async def body(client):
        kept = await call(client, "memory_save", text="the oak is young")
        await call(client, "memory_search", query="oak")
        before = contents(root)
        listed = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        uris = ["memoracle://MEMORY.md", "memoracle://daily/2026-05-14", f"memoracle://record/{kept['id']}"]
        texts = [(await client.read_resource(uri)).contents[0].text for uri in uris]
        return listed, templates, texts, contents(root) == before

    listed, templates, (hot, day, record), unchanged = story(body)
    assert [one.uri for one in listed] == ["memoracle://MEMORY.md", "memoracle://daily/2026-05-14"]
    assert {one.uri_template for one in templates} == {"memoracle://record/{id}", "memoracle://daily/{date}"}
    assert ("早上好" in hot, "the oak" in day, json.loads(record)["text"], unchanged) == (
        True,
        True,
        "the oak is young",
        True,
    )


def test_a_day_is_completed_as_it_is_typed(story, root, raw):
    """The days there are, newest first, over HTTP's server and on the streams; nothing for words of a person's own."""
    for day in ("2026-05-14", "2026-05-16", "2025-12-31"):
        write(root, f"notes/daily/{day}.md", f"# {day}\n\nwe planted the oak\n")
    day = {"type": "ref/resource", "uri": "memoracle://daily/{date}"}
    prompt = {"type": "ref/prompt", "name": "recall"}

    async def body(client):
        days = await client.complete(
            ResourceTemplateReference(uri=day["uri"]), {"name": "date", "value": "2026-0"}
        )
        words = await client.complete(PromptReference(name="recall"), {"name": "question", "value": "wh"})
        return days.completion.values, words.completion.values

    assert story(body) == (["2026-05-16", "2026-05-14"], [])
    raw.shake_hands()
    for ref, begun, expected in ((day, "2025", ["2025-12-31"]), (day, "19", []), (prompt, "wh", [])):
        told = raw.ask("completion/complete", ref=ref, argument={"name": "x", "value": begun})
        assert told["result"]["completion"] == {"values": expected, "total": len(expected), "hasMore": False}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_an_unknown_resource_is_a_protocol_error(story, mode):
    """Whatever its address tries."""
    uris = [
        "memoracle://daily/2001-01-01",
        "memoracle://daily/yesterday",
        "memoracle://record/mem_NOPE",
        "file:///etc/passwd",
        "memoracle://record/..%2F",
    ]

    async def body(client):
        codes = []
        for uri in uris:
            with pytest.raises(MCPError) as caught:
                await client.read_resource(uri)
            codes.append(caught.value.code)
        return codes

    assert story(body, mode=mode) == [-32602] * len(uris)


def test_the_tools_as_a_client_sees_them(story):
    """Schemas for what goes in, and hints, on every one; nothing is said twice."""

    async def body(client):
        return (await client.list_tools()).tools, await client.call_tool("memory_status", {})

    listed, answer = story(body)
    assert len(listed) == 8
    for tool in listed:
        hints = tool.annotations
        writes = (hints.destructive_hint, hints.idempotent_hint)
        assert hints.read_only_hint is not (None not in writes)
        assert (hints.open_world_hint, bool(hints.title), tool.input_schema["type"], tool.output_schema) == (
            False,
            True,
            "object",
            None,
        )
    assert answer.structured_content is None


def test_the_prompts_that_people_call(story):
    """Three, in the language of the words they are called with; one without words asks for the whole."""

    async def body(client):
        names = [one.name for one in (await client.list_prompts()).prompts]
        given = [
            ("remember", {"text": "我的猫叫咪咪，今年三岁"}),
            ("recall", {"question": "who is Miso?"}),
            ("review", None),
        ]
        texts = [(await client.get_prompt(name, words)).messages[0].content.text for name, words in given]
        with pytest.raises(MCPError) as caught:
            await client.get_prompt("forget-all")
        return names, texts, caught.value.code

    names, (kept, asked, settled), code = story(body)
    assert (names, code) == (["remember", "recall", "review"], -32602)
    assert ("今年三岁" in kept, "memory_save 保存" in kept) == (True, True)
    assert (asked.endswith("who is Miso?"), "memory_search" in asked, "memory_review" in settled) == (
        True,
    ) * 3
