"""The official clients over real standard streams: Python's in every era, TypeScript's, and the inspector.

The last two are looked for in the folder that NODE_PATH names, as `npm install @modelcontextprotocol/sdk
@modelcontextprotocol/inspector` fills it.
"""

import json
import os
import shutil
import subprocess

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import Implementation

from interfaces.mcp.conftest import QUICK, call, words_of
from support.processes import PYTHON, surroundings

NODE = shutil.which("node")
STORY = """
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const [command, ...args] = JSON.parse(process.env.SERVER);
(async () => {
  const client = new Client({ name: 'typescript', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: process.env }));
  const call = async (name, given) =>
    JSON.parse((await client.callTool({ name, arguments: given })).content[0].text);
  const refused = async (work) => { try { await work(); return 0; } catch (problem) { return problem.code; } };
  const stopped = new AbortController();
  const kept = await call('memory_save', { text: 'the cat is called Miso' });
  const waiting = client.callTool({ name: 'memory_search', arguments: { query: 'x' } }, undefined, { signal: stopped.signal });
  stopped.abort('no longer wanted');
  const aborted = await waiting.then(() => false, () => true);
  console.log(JSON.stringify({
    version: client.getServerVersion().name,
    capabilities: Object.keys(client.getServerCapabilities()).sort(),
    tools: (await client.listTools()).tools.length,
    prompts: (await client.listPrompts()).prompts.map((one) => one.name),
    prompt: (await client.getPrompt({ name: 'recall', arguments: { question: 'who?' } })).messages[0].role,
    resources: (await client.listResources()).resources[0].uri,
    templates: (await client.listResourceTemplates()).resourceTemplates.length,
    text: (await client.readResource({ uri: 'memoracle://record/' + kept.id })).contents[0].mimeType,
    found: (await call('memory_search', { query: 'cat' })).results[0].id === kept.id,
    unknown: [
      await refused(() => client.callTool({ name: 'nothing' })),
      await refused(() => client.readResource({ uri: 'file:///etc/passwd' })),
      await refused(() => client.getPrompt({ name: 'nothing' })),
    ],
    aborted, kept: kept.created,
  }));
  await client.ping();
  await client.close();
})();
"""


def package(name):
    """The folder of a package; the test is skipped by its name where it is not installed."""
    if not NODE:
        pytest.skip("node is not installed")
    folder = os.path.join(os.environ.get("NODE_PATH", ""), *name.split("/"))
    if not os.environ.get("NODE_PATH") or not os.path.isdir(folder):
        pytest.skip(f"{name} is not installed where NODE_PATH points")
    return folder


def run_node(*words, **more):
    env = surroundings(**QUICK) | {"NODE_PATH": os.environ["NODE_PATH"], **more}
    done = subprocess.run([NODE, *words], capture_output=True, check=False, text=True, timeout=60, env=env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_the_client_of_python_in_every_era(root, tmp_path, mode):
    """Handshake, probe and the protocol without a handshake: keep, find, fetch, attach, ask for a prompt, be refused."""

    async def body():
        server = StdioServerParameters(
            command=PYTHON, args=words_of(root), env=surroundings(**QUICK), cwd=tmp_path
        )
        who = Implementation(name="by-hand", version="1")
        async with Client(stdio_client(server), mode=mode, client_info=who) as client:
            kept = await call(client, "memory_save", text="the cat is called Miso")
            found = await call(client, "memory_search", query="cat")
            shown = await call(client, "memory_get", id=kept["id"])
            listed = [len((await client.list_tools()).tools), len((await client.list_prompts()).prompts)]
            listed += [len((await client.list_resources()).resources)]
            attached = await client.read_resource(f"memoracle://record/{kept['id']}")
            codes = []
            for work in (client.call_tool("nothing", {}), client.read_resource("file:///x")):
                with pytest.raises(MCPError) as caught:
                    await work
                codes.append(caught.value.code)
            return kept["id"], found, shown, listed, attached.contents[0].text, codes

    kept, found, shown, listed, attached, codes = anyio.run(body)
    assert (found["results"][0]["id"], found["verdict"], shown["who"]) == (kept, "found", "by-hand")
    assert (listed, kept in attached, codes) == ([8, 3, 1], True, [-32602, -32602])


@pytest.mark.long
def test_the_client_of_typescript(root):
    """It reads everything that is offered, and a call that it aborts leaves the session usable."""
    package("@modelcontextprotocol/sdk")
    assert run_node("-e", STORY, SERVER=json.dumps([PYTHON, *words_of(root)])) == {
        "version": "memoracle",
        "capabilities": ["completions", "prompts", "resources", "tools"],
        "tools": 8,
        "prompts": ["remember", "recall", "review"],
        "prompt": "user",
        "resources": "memoracle://MEMORY.md",
        "templates": 2,
        "text": "application/json",
        "found": True,
        "unknown": [-32602] * 3,
        "aborted": True,
        "kept": True,
    }


@pytest.mark.long
def test_the_inspector(root):
    """Its command line lists and calls."""
    folder = package("@modelcontextprotocol/inspector")
    with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
        command = os.path.join(folder, json.load(file)["bin"]["mcp-inspector"])

    def inspect(*words):
        return run_node(command, "--cli", PYTHON, *words_of(root), *words)

    tools = inspect("--method", "tools/list")["tools"]
    told = inspect(
        "--method", "tools/call", "--tool-name", "memory_save", "--tool-arg", "text=the cat is Miso"
    )
    prompts = inspect("--method", "prompts/list")["prompts"]
    assert (len(tools), json.loads(told["content"][0]["text"])["created"], len(prompts)) == (8, True, 3)
