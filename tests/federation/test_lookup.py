"""Facts by key: where they are looked for, in which order, and what proves them."""

import json
import os
import shutil

import pytest

from memoracle.compose import open_memory
from memoracle.errors import BadInput, BeyondScope
from memoracle.extensions.seats.federation.lookup import FactHolder, Layer, look_up
from memoracle.model.record import Scope
from seats.people import write as write_page
from support.files import PLAIN, write


def put(root, path, document):
    write(root, path, json.dumps(document))


@pytest.fixture
def facts(root):
    """What scanners leave, at their places."""
    put(
        root,
        "machine/network.json",
        {"schema_version": 1, "host": "box", "ports": [22, 80], "db": {"host": "m"}},
    )
    put(root, "machine/github.json", {"data": {"user": "mei"}})
    env = {"schema_version": 1, "data": {"runtime": {"python": "3.12"}, "db": {"host": "p"}, "node.js": "20"}}
    put(root, "projects/arena/dev_env.json", env)
    put(root, "projects/arena/ci.json", {"data": {"jobs": [{"name": "test"}]}})
    put(root, "old.json", {"host": "flat"})
    return root


@pytest.mark.seed("S1.100", "S1.104", "S1.112", "C-27", "F-30")
@pytest.mark.parametrize(
    ("key", "value", "evidence"),
    [
        ("network.host", "box", "machine/network.json#host"),
        ("network.ports.1", 80, "machine/network.json#ports.1"),
        ("network.ports.-1", 80, "machine/network.json#ports.-1"),
        ("github.user", "mei", "machine/github.json#data.user"),
        ("machine.network.host", "box", "machine/network.json#host"),
        ("dev_env.runtime.python", "3.12", "projects/arena/dev_env.json#data.runtime.python"),
        ("runtime.python", "3.12", "projects/arena/dev_env.json#data.runtime.python"),
        ("dev_env.node.js", "20", "projects/arena/dev_env.json#data.node.js"),
        ("ci.jobs.0.name", "test", "projects/arena/ci.json#data.jobs.0.name"),
        ("github", {"data": {"user": "mei"}}, "machine/github.json"),
    ],
)
def test_a_value_comes_with_its_place(memory, facts, key, value, evidence):
    """File and path; lists by number; one part alone is the whole file."""
    found = memory.seats.get(key, project="arena")
    assert (found.status, found.value, found.evidence) == ("found", value, evidence)


@pytest.mark.seed("S1.111")
def test_the_order_of_belief(memory, facts):
    """What was said this turn, the project, the machine, pages, records: each only where none before it answers."""
    memory.remember("the answer is kept", key="zeta.answer", value="from a record")
    page = write_page(memory, title="zeta", extra={"reason": "from a page"})
    layers = [
        memory.seats.get("db.host", project="arena", context={"db": {"host": "c"}}),
        memory.seats.get("db.host", project="arena"),
        memory.seats.get("network.db.host", project="arena"),
        memory.seats.get("zeta.reason", project="arena"),
        memory.seats.get("zeta.answer", project="arena"),
    ]
    assert [(one.layer, one.value) for one in layers] == [
        ("context", "c"),
        ("project", "p"),
        ("machine", "m"),
        ("page", "from a page"),
        ("record", "from a record"),
    ]
    assert (layers[3].owner, layers[3].file, layers[4].file) == (
        "planner@arena",
        page.path,
        "records/facts.jsonl#L1",
    )


@pytest.mark.seed("S1.111")
def test_an_earlier_source_wins():
    """Whatever stands later is not even looked at."""
    one = FactHolder(layer=Layer.CONTEXT, file="context", document={"a": None}, whole=True)
    two = FactHolder(layer=Layer.MACHINE, file="a.json", document={"b": 1}, names=("a",))
    assert (look_up("a", [one, two]).file, look_up("a.b", [one, two]).file) == ("context", "a.json")


@pytest.mark.seed("S1.112", "F-30", "C-27")
@pytest.mark.parametrize(
    "key", ["network.nothing", "nowhere.at.all", "network.host.deeper", "network.ports.9", "ports"]
)
def test_what_cannot_be_proved_is_not_in_memory(memory, facts, key):
    """Never a guess, never an empty value."""
    assert memory.seats.get(key).status == "not_in_memory_db"


@pytest.mark.seed("F-30", "C-27", "S1.022")
def test_a_project_or_seat_that_is_not_there(memory, facts):
    """Is said to be missing."""
    write_page(memory, seat="builder")
    missing = [
        memory.seats.get("x", project="nowhere"),
        memory.seats.get("x", project="arena", seat="designer"),
    ]
    there = memory.seats.get("x", project="arena", seat="builder")
    assert [one.status for one in (*missing, there)] == [
        "not_in_federated_kb",
        "not_in_federated_kb",
        "not_in_memory_db",
    ]


@pytest.mark.seed("S1.009", "C-21")
def test_old_flat_files_prove_nothing(memory, facts):
    """They are named by `--status` and believed by nobody."""
    assert memory.seats.get("old.host").status == "not_in_memory_db"
    assert memory.seats.holdings()["flat_files"] == ["old.json"]


def test_a_root_without_a_view_can_be_asked_all_the_same(memory):
    """`index` of `--status` says that an index answers; one that nobody has built yet is there when it is asked."""
    with open_memory(memory.root.store.root, environment=PLAIN) as fresh:
        shutil.rmtree(os.path.join(fresh.store.root, fresh.store.layout["index"]), ignore_errors=True)
        assert fresh.seats.holdings()["index"] is True


@pytest.mark.seed("S1.105")
def test_searching_facts(memory, facts):
    """Keys and values, whatever the case; a long value is cut."""
    put(facts, "machine/long.json", {"text": "needle " + "x" * 500})
    keys = [(one.file, one.path, one.match) for one in memory.seats.find_facts("HOST")]
    assert keys == [
        ("projects/arena/dev_env.json", "data.db.host", "key"),
        ("machine/network.json", "host", "key"),
        ("machine/network.json", "db.host", "key"),
    ]
    (found,) = memory.seats.find_facts("Needle")
    assert (found.match, len(found.value) <= 200, memory.seats.find_facts("needle", files=["github"])) == (
        "value",
        True,
        [],
    )


@pytest.mark.seed("S1.101")
def test_a_file_and_its_section(memory, facts):
    """By name, with or without its ending."""
    whole, part = memory.seats.get_file("network.json"), memory.seats.get_file("network", section="db")
    assert (whole.value["host"], part.value, memory.seats.get_file("nothing").status) == (
        "box",
        {"host": "m"},
        "not_in_memory_db",
    )


@pytest.mark.seed("S1.107", "F-58")
def test_a_damaged_file_is_passed_over(memory, facts, root):
    """The others still answer."""
    write(root, "machine/a.json", "{broken")
    assert memory.seats.get("network.host").value == "box"


@pytest.mark.seed("F-39")
def test_derived_files_are_no_facts(memory, facts, root):
    """Neither the registry nor an index."""
    memory.seats.add_project("arena")
    put(root, "projects/arena/_index/files.json", {"secretly": 1})
    put(root, "projects/arena/_x.json", {"secretly": 1})
    assert memory.seats.find_facts("secretly") == []


def test_a_key_has_words(memory):
    """An empty one is no question."""
    with pytest.raises(BadInput):
        memory.seats.get(" . ")


@pytest.mark.seed("C-20", "C-26", "S1.005")
def test_machine_facts_are_only_for_who_asks(memory, facts):
    """They are in no context pack, and not for a group."""
    assert "box" not in memory.context("which host is it?").text
    memory.read_as(Scope(), public=True)
    with pytest.raises(BeyondScope):
        memory.seats.get("network.host")
