"""The JSON API does what the verbs do, and says what they say."""

import jsonschema
import pytest

from memoracle.interfaces.http.api import ENDPOINTS, PREFIX
from memoracle.interfaces.http.openapi import document

API = PREFIX


def keep(client, text, **fields):
    answer = client.post(f"{API}/records", json={"text": text, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_what_is_kept_is_found_and_shown(client, memory):
    """Kept over HTTP, it stands in the files like anything else."""
    kept = keep(client, "The gateway listens on port 9443", kind="fact", tags=["infra"])
    found = client.get(f"{API}/recall", params={"q": "Which port does the gateway use?"}).json()
    assert found["hits"][0]["id"] == kept["id"]
    assert client.get(f"{API}/records/{kept['id']}").json()["tags"] == ["infra"]
    assert memory.show(kept["id"]).text == "The gateway listens on port 9443"


def test_a_change_needs_the_version_that_was_read(client):
    """The second of two edits of one version is told both."""
    kept = keep(client, "Ana lives in Lisbon")
    etag = client.get(f"{API}/records/{kept['id']}").headers["etag"]
    place = f"{API}/records/{kept['id']}"
    assert (
        client.patch(place, json={"text": "Ana lives in Porto"}, headers={"if-match": etag}).status_code
        == 200
    )
    late = client.patch(place, json={"text": "Ana lives in Faro"}, headers={"if-match": etag})
    assert late.status_code == 409
    assert [one["text"] for one in late.json()["error"]["versions"]] == [
        "Ana lives in Lisbon",
        "Ana lives in Porto",
    ]
    assert client.get(place, headers={"if-none-match": '"2"'}).status_code == 304


def test_forgetting_can_be_undone_and_erasing_has_to_be_said_twice(client):
    """A DELETE is a withdrawal; for good only with `erase` and `confirm`."""
    kept = keep(client, "A passing remark about the weather in June")
    place = f"{API}/records/{kept['id']}"
    done = client.delete(place)
    assert client.get(place).status_code == 404 or client.get(place).json()["status"] == "withdrawn"
    assert client.post(f"{API}/undo", json={"operation": done.json()["operation"]}).status_code == 200
    assert client.get(place).json()["status"] == "active"
    assert client.delete(place, params={"erase": "true"}).status_code == 428
    assert client.delete(place, params={"erase": "true", "confirm": "true"}).status_code == 200
    assert client.get(place).json()["text"] == ""


def test_lists_come_in_pages(client, clock):
    """`next` leads through everything, once; more records of one moment than a page holds end it no less."""
    texts = [f"The shelf number {number} holds jars of plums" for number in range(12)]
    for number, text in enumerate(texts):
        clock.move(minutes=number not in range(5, 10))
        keep(client, text)
    seen, until = [], None
    for _ in texts:
        page = client.get(f"{API}/records", params={"limit": 3, **({"until": until} if until else {})}).json()
        seen += [one["text"] for one in page["items"]]
        until = page["next"]
        if not until:
            break
    assert sorted(seen) == sorted(texts)
    assert (seen[:2], seen[-4:]) == (texts[:-3:-1], texts[3::-1])


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("GET", "/records/mem_nothing", {}, 404),
        ("GET", "/recall", {}, 422),
        ("GET", "/records?limit=0", {}, 422),
        ("GET", "/records?limit=many", {}, 422),
        ("GET", "/records?kind=nonsense", {}, 422),
        ("GET", "/records?surplus=1", {}, 422),
        ("GET", "/records?since=the day after never", {}, 422),
        ("POST", "/records", {"json": {}}, 422),
        ("POST", "/records", {"json": {"text": 3}}, 422),
        ("POST", "/records", {"content": b"{"}, 422),
        ("POST", "/records", {"content": b"[" * 100_000}, 422),
        ("POST", "/records", {"content": b"x" * (3 << 20)}, 422),
        ("PATCH", "/records/mem_nothing", {"json": {"text": "x"}, "headers": {"if-match": "now"}}, 422),
        ("POST", "/undo", {}, 404),
    ],
)
def test_what_is_off_is_said_and_changes_nothing(client, memory, method, path, sent, status):
    """A document with code and sentence, never a trace."""
    answer = client.request(method, API + path, **sent)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]
    assert memory.list() == []


def test_a_secret_is_masked_on_the_way_in(client, root):
    """What comes over HTTP passes the same guard."""
    keep(client, "The deploy token is ghp_0123456789abcdefghijABCDEFGHIJ012345")
    assert b"ghp_0123456789" not in b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())


def test_a_server_that_only_reads_refuses_every_write(served):
    """Whatever its row says it does."""
    from starlette.testclient import TestClient

    from interfaces.http.conftest import HERE, TOKEN

    client = TestClient(served(read_only=True), base_url=HERE, headers={"authorization": f"Bearer {TOKEN}"})
    for one in ENDPOINTS:
        if one.method != "GET":
            answer = client.request(one.method, API + one.path.replace("{id}", "x"), json={"text": "no"})
            assert answer.status_code in {403, 422}
    assert client.post(f"{API}/records", json={"text": "no"}).status_code == 403
    assert client.post("/do/remember", data={"text": "no"}, headers={"origin": HERE}).status_code == 403


def test_answers_have_the_shape_that_is_described(client):
    """The OpenAPI document describes what really comes."""
    described = document("0")
    shapes = {"components": described["components"]}
    kept = keep(client, "The gateway listens on port 9443", entities=["gateway"])
    for path, shape in {
        f"/records/{kept['id']}": "Record",
        "/records": "HitPage",
        "/recall?q=port": "Recollection",
        f"/records/{kept['id']}/history": "RecordList",
        "/records/mem_nothing": "Problem",
    }.items():
        schema = {"$ref": f"#/components/schemas/{shape}", **shapes}
        jsonschema.validate(client.get(API + path).json(), schema, cls=jsonschema.Draft202012Validator)
    jsonschema.validate(kept, {"$ref": "#/components/schemas/Receipt", **shapes})


def test_the_description_names_every_row(client):
    """One operation for each, each with a name of its own."""
    described = client.get(f"{API}/openapi.json").json()
    names = [operation["operationId"] for path in described["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names)) == len(ENDPOINTS)


def test_every_reading_row_answers(client):
    """Each GET without names gives a document on a new memory."""
    for one in ENDPOINTS:
        if one.method == "GET" and "{" not in one.path:
            given = {"q": "port"} if "q" in one.needs else {"node": "Ana"} if "node" in one.needs else {}
            assert client.get(API + one.path, params=given).status_code in {200, 404}, one.path
