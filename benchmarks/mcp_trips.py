"""Round trips of the MCP server, measured on this machine beside a bare echo tool of the same SDK.

    .venv/bin/python -m benchmarks mcp_trips
    .venv/bin/python -m benchmarks mcp_trips --records 10000 --calls 500 --embed --json trips.json
    .venv/bin/python -m benchmarks mcp_trips --starts 15

Both servers are real processes, asked in turns by the SDK's own client in the same run, so that ratios mean
something on a machine that others use. `start` is the time from the start of a process to its answer to `initialize`,
beside a bare Python that answers one line, and beside the reference server `@modelcontextprotocol/server-memory` where
it is installed in the folder that NODE_PATH names. `--starts` measures that alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared._httpx_utils import create_mcp_http_client

import memoracle
from benchmarks.texts import samples
from memoracle import make_draft

Asked = dict[str, tuple[Client, str, Callable[[int], dict[str, Any]]]]
TOKEN = "a-token-for-benchmarks"
WARM_UP = 10


def main() -> int:
    """Measure, print, and write the JSON if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--records", type=int, default=2_000, help="records in the memory (default 2,000)")
    parser.add_argument("--calls", type=int, default=300, help="calls of each tool (default 300)")
    parser.add_argument("--embed", action="store_true", help="give the records their vectors first")
    parser.add_argument("--starts", type=int, metavar="N", help="only N starts of each server")
    parser.add_argument("--json", metavar="FILE", help="also write the numbers here")
    parser.add_argument("--echo", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.echo:
        anyio.run(_echo)
        return 0
    folder = Path(tempfile.mkdtemp(prefix="memoracle-mcp-bench-"))
    try:
        found = measure(folder / "memory", arguments)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def measure(root: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Fill a memory, then ask both servers in turns."""
    texts = [sample.text for sample in samples(arguments.records)]
    memoracle.init(str(root))
    if arguments.starts:
        return _starts(root, arguments.starts)
    with memoracle.open_memory(str(root)) as memory:
        memory.remember_many([make_draft(text) for text in texts])
        memory.search("warm")
        if arguments.embed:
            memory.embed()
    with _http(root) as url:
        trips = anyio.run(_trips, root, url, texts, arguments.calls)
    bare = trips["stdio echo"]
    return {
        "records": len(texts),
        "vectors": arguments.embed,
        "calls": arguments.calls,
        "trips": {
            name: found
            | {f"{at}_ratio": round(found[f"{at}_ms"] / bare[f"{at}_ms"], 2) for at in ("p50", "p99")}
            for name, found in trips.items()
        },
        "start": _starts(root),
    }


async def _trips(root: Path, url: str, texts: list[str], calls: int) -> dict[str, dict[str, float]]:
    async with AsyncExitStack() as stack:
        ours = await stack.enter_async_context(Client(_ours(root), mode="legacy"))
        echo = await stack.enter_async_context(Client(_bare(), mode="legacy"))
        speaker = create_mcp_http_client(headers={"Authorization": f"Bearer {TOKEN}"})
        await stack.enter_async_context(speaker)
        far = Client(streamable_http_client(url, http_client=speaker), mode="legacy")
        http = await stack.enter_async_context(far)

        def words(turn: int) -> dict[str, Any]:
            return {"query": texts[turn * 7 % len(texts)][:60]}

        quiet: Asked = {
            "stdio echo": (echo, "echo", lambda n: {"text": texts[n % len(texts)]}),
            "stdio memory_search": (ours, "memory_search", words),
            "http memory_search": (http, "memory_search", words),
            "stdio memory_get": (
                ours,
                "memory_get",
                lambda n: {"path": f"records/facts.jsonl#L{n % len(texts) + 1}"},
            ),
        }
        # Every search here first takes in what two servers have written since the last one.
        busy: Asked = {
            "stdio echo, busy": quiet["stdio echo"],
            "stdio memory_search, busy": quiet["stdio memory_search"],
            "stdio memory_save": (
                ours,
                "memory_save",
                lambda n: {"text": f"new {n}: {texts[n % len(texts)]}"},
            ),
            "http memory_save": (
                http,
                "memory_save",
                lambda n: {"text": f"far {n}: {texts[n % len(texts)]}"},
            ),
        }
        times = await _asked(quiet, calls) | await _asked(busy, calls)
    return {name: {"p50_ms": _at(spans, 0.5), "p99_ms": _at(spans, 0.99)} for name, spans in times.items()}


async def _asked(asked: Asked, calls: int) -> dict[str, list[float]]:
    """How long each call took, in turns."""
    times: dict[str, list[float]] = {name: [] for name in asked}
    for turn in range(calls + WARM_UP):
        for name, (client, tool, arguments) in asked.items():
            began = time.perf_counter()
            result = await client.call_tool(tool, arguments(turn))
            if result.is_error:
                raise RuntimeError(result.content)
            if turn >= WARM_UP:
                times[name].append(1000 * (time.perf_counter() - began))
    return times


def _at(spans: list[float], share: float) -> float:
    return round(sorted(spans)[min(len(spans) - 1, int(share * len(spans)))], 2)


def _starts(root: Path, rounds: int = 5) -> dict[str, Any]:
    """How long each server takes to answer `initialize`, in turns: medians in milliseconds and bare Python starts."""
    code = "import sys; sys.stdin.readline(); print('{}', flush=True)"
    servers = {
        "python": StdioServerParameters(command=sys.executable, args=["-c", code], env=_surroundings()),
        "memoracle": _ours(root),
        "echo": _bare(),
    }
    script = Path(os.environ.get("NODE_PATH", "")) / "@modelcontextprotocol/server-memory/dist/index.js"
    if (node := shutil.which("node")) and script.is_file():
        env = _surroundings() | {"MEMORY_FILE_PATH": str(root.parent / "graph.jsonl")}
        servers["server-memory"] = StdioServerParameters(command=node, args=[str(script)], env=env)
    spans: dict[str, list[float]] = {name: [] for name in servers}
    for _ in range(rounds):
        for name, one in servers.items():
            spans[name].append(_start(one))
    middle = {name: statistics.median(found) for name, found in spans.items()}
    return {
        name: {"ms": round(found, 1), "ratio": round(found / middle["python"], 2)}
        for name, found in middle.items()
    }


def _start(server: StdioServerParameters) -> float:
    client = {"name": "benchmarks", "version": "1"}
    asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}
    began = time.perf_counter()
    with subprocess.Popen(
        [server.command, *server.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=server.env,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(hello).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        spent = 1000 * (time.perf_counter() - began)
        process.stdin.close()
    return spent


def _ours(root: Path) -> StdioServerParameters:
    words = ["-m", "memoracle", "--root", str(root), "mcp"]
    return StdioServerParameters(command=sys.executable, args=words, env=_surroundings())


def _bare() -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-m", "benchmarks.mcp_trips", "--echo"], env=_surroundings()
    )


def _surroundings() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMORACLE_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return kept | {"MEMORACLE_MCP_TOKEN": TOKEN, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}


@contextmanager
def _http(root: Path) -> Iterator[str]:
    words = [sys.executable, "-m", "memoracle", "--root", str(root), "mcp", "--http", "127.0.0.1:0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=_surroundings()) as server:
        assert server.stderr
        try:
            yield server.stderr.readline().split()[1]
        finally:
            server.terminate()


async def _echo() -> None:
    """The least a server of this SDK can do."""
    tool = types.Tool(name="echo", input_schema={"type": "object"}, output_schema={"type": "object"})

    async def listed(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool])

    async def called(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        said = params.arguments or {}
        text = types.TextContent(type="text", text=json.dumps(said))
        return types.CallToolResult(content=[text], structured_content=said)

    server: Server[Any] = Server("echo", on_list_tools=listed, on_call_tool=called)
    async with stdio_server() as (heard, said):
        await server.run(heard, said, server.create_initialization_options())


if __name__ == "__main__":
    sys.exit(main())
