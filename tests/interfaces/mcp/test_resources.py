"""What a client can attach, and what the server lists, through the SDK's client."""

import json

import pytest
from mcp.shared.exceptions import MCPError

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


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_an_unknown_resource_is_a_protocol_error(story, mode):
    """Whatever its address tries."""
    uris = [
        "memoracle://daily/2001-01-01",
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
    """Schemas for what goes in and comes out, and hints, on every one."""

    async def body(client):
        return (await client.list_tools()).tools

    listed = story(body)
    assert len(listed) == 9
    for tool in listed:
        hints = tool.annotations
        assert None not in (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)
        assert (hints.open_world_hint, tool.input_schema["type"], tool.output_schema["type"]) == (
            False,
            "object",
            "object",
        )
