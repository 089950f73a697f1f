"""A server that a host started in a project searches and keeps there; what is about the person goes everywhere."""

import pytest

from interfaces.mcp.conftest import call, serve_here

RULE = "Migrations are applied by hand, never by the deploy script"
PERSON = "The user is allergic to shellfish"


@pytest.fixture
def working(root, tmp_path):
    """Runs a story with a client whose server was started in a folder."""

    def tell(folder, body):
        place = tmp_path / folder
        (place / ".git").mkdir(parents=True, exist_ok=True)
        return serve_here(root, body, cwd=place)

    return tell


def test_an_agent_keeps_and_finds_where_it_works(working):
    """A rule of the shop is found in the shop, by its id anywhere, and by name; an allergy is found everywhere."""

    async def keep(client):
        kept = await call(client, "memory_save", text=RULE)
        await call(client, "memory_save", text=PERSON)
        return kept["id"]

    async def find(client, asked, **more):
        found = await call(client, "memory_search", query=asked, **more)
        return {one["text"]: one.get("project", "") for one in found["results"]}

    name = working("shop", keep)
    here = working("shop", lambda client: find(client, "how are migrations applied"))
    (project,) = here.values()
    assert project.startswith("shop-")
    assert working("blog", lambda client: find(client, "how are migrations applied")) == {}
    assert working("blog", lambda client: find(client, "migrations applied", project=project)) == {
        RULE: project
    }
    assert working("blog", lambda client: find(client, "allergic to shellfish")) == {PERSON: ""}
    shown = working("blog", lambda client: call(client, "memory_get", id=name))
    assert RULE in str(shown)
