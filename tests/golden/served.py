"""MCP by hand: the handshake, the list of tools, a call of each, resources and errors."""

import json
import subprocess

from support.processes import PYTHON

SECRET = "ghp_" + "A1b2C3d4" * 4 + "e5F6"
ASKED = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "recall", "arguments": {"question": "who is Miso?"}}),
    ("memory_search", {"query": "cat"}),
    ("memory_search", {"query": "submarine"}),
    ("memory_search", {"query": ""}),
    ("memory_search", {"question": "cat"}),
    ("memory_get", {"id": "{cat}"}),
    ("memory_get", {"path": "records/facts.jsonl#L1-L1"}),
    ("memory_get", {"id": "mem_NOPE"}),
    ("memory_save", {"text": "the dog is called Rex"}),
    ("memory_save", {"text": "I prefer trains", "kind": "preference"}),
    ("memory_save", {"text": f"the key is {SECRET}"}),
    ("memory_update", {"id": "{tea}", "text": "Mei prefers green tea"}),
    ("memory_context", {}),
    ("memory_context", {"prompt": "what does Mei drink"}),
    ("memory_search", {}),
    ("memory_search", {"entity": "tea", "history": True}),
    ("memory_status", {}),
    ("memory_review", {}),
    ("memory_review", {"answers": [{"id": "a1b2c3", "keep": False}]}),
    ("memory_forget", {"id": "{deploy}"}),
    ("memory_forget", {"id": "{mem}"}),
    ("memory_nothing", {}),
    ("no/such/method", {}),
]
GRAPH = [
    ("tools/list", {}),
    ("create_entities", {"entities": [{"name": "Rex", "entityType": "dog", "observations": ["he barks"]}]}),
    ("create_relations", {"relations": [{"from": "Rex", "to": "Mei", "relationType": "belongs to"}]}),
    ("add_observations", {"observations": [{"entityName": "Rex", "contents": ["he is brown"]}]}),
    ("read_graph", {}),
    ("search_nodes", {"query": "Rex"}),
    ("open_nodes", {"names": ["Rex"]}),
    ("delete_observations", {"deletions": [{"entityName": "Rex", "observations": ["he barks"]}]}),
    ("delete_relations", {"relations": [{"from": "Rex", "to": "Mei", "relationType": "belongs to"}]}),
    ("delete_entities", {"entityNames": ["Rex"]}),
]


def play_mcp(world):
    """The transcript."""
    world.run(["search", "cat"])
    lines = ["# mcp", "", *talk(world, [], ASKED), *talk(world, ["--graph"], GRAPH)]
    return "\n".join([*lines, *talk(world, ["--agent-only"], ASKED[4:5])]).rstrip() + "\n"


def talk(world, words, asked):
    """What a server with these options answers, one question after the other."""
    env = world.environment | {"GOLDEN_NOW": world.now.isoformat()}
    process = subprocess.Popen(
        [PYTHON, "-m", "memoracle", "--root", str(world.root), "mcp", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=world.place,
    )  # fmt: skip

    def ask(method, number, params):
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline().decode()
        world.notice(answer)
        return answer

    told = [f"$ mcp {' '.join(words)}".rstrip(), ""]
    client = {"name": "by-hand", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    greeted = world.plain(ask("initialize", 0, hello)).rstrip()
    if asked is ASKED:
        told += ["> initialize", f"| {greeted}", ""]
    process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    for number, (name, wanted) in enumerate(asked, 1):
        given = json.loads(world.name([json.dumps(wanted)])[0])
        is_method = "/" in name
        method = name if is_method else "tools/call"
        answer = ask(method, number, given if is_method else {"name": name, "arguments": given})
        told += [f"> {name} {world.plain(json.dumps(given))}", f"| {world.plain(answer).rstrip()}", ""]
    out, err = process.communicate(timeout=60)
    told += [f"| {row}" for row in world.plain(out.decode()).splitlines()]
    told += [f"! {row}" for row in world.plain(err.decode()).splitlines()]
    return [*told, f"= {process.returncode}", ""]
