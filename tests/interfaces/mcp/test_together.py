"""Several servers over one root: each host starts its own, and nothing is lost."""

import json
from concurrent.futures import ThreadPoolExecutor

from interfaces.mcp.conftest import raw_server
from support.processes import run

SERVERS, EACH = 4, 15


def test_servers_that_write_at_the_same_time_lose_nothing(root):
    """Four stdio servers and a command line: every acknowledged save is there, nobody is shown a lock."""

    def write(number):
        answers = []
        with raw_server(root) as one:
            one.shake_hands()
            for turn in range(EACH):
                saved = one.call("memory_save", turn, text=f"server {number} says item {turn}")
                found = one.call("memory_search", turn, query=f"server {number}")
                answers += [saved["result"], found["result"]]
            status, rest, err = one.leave()
        return answers, (status, rest, err)

    def command(turn):
        return run("--root", root, "remember", f"command says item {turn}")[0]

    with ThreadPoolExecutor(SERVERS + 1) as crew:
        servers = [crew.submit(write, number) for number in range(SERVERS)]
        commands = crew.submit(lambda: [command(turn) for turn in range(5)])
        answers = [one for server in servers for one in server.result()[0]]
        endings = [server.result()[1] for server in servers]
        statuses = commands.result()

    assert ([one for one in answers if one["isError"]], set(statuses)) == ([], {0})
    assert endings == [(0, [], "")] * SERVERS
    listed = json.loads(run("--root", root, "list", "--limit", "1000", "--json")[1])["items"]
    assert len({item["text"] for item in listed}) == SERVERS * EACH + 5


def test_one_server_sees_what_another_saved(root):
    """At once, without being told."""
    with raw_server(root) as one, raw_server(root) as two:
        one.shake_hands()
        two.shake_hands("2025-06-18")
        kept = one.document("memory_save", text="the harbour master is Ines")
        found = two.document("memory_search", query="harbour")
        two.call("memory_update", id=kept["id"], text="the harbour master is Tomas")
        again = one.document("memory_search", query="harbour")
    assert ([hit["id"] for hit in found["results"]], again["results"][0]["text"]) == (
        [kept["id"]],
        "the harbour master is Tomas",
    )
