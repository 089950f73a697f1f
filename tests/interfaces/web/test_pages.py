"""Every screen is rendered, has a twin, and its forms do what they say: all of it without script."""

import re

import pytest

from memoracle.interfaces.web.pages import NAVIGATION, words_of
from memoracle.interfaces.web.screens import SCREENS

HOSTILE = "<script>alert(1)</script> \u202egnp.exe & \"quotes\" 'single'"


@pytest.fixture
def lived(memory):
    """A memory with a change, two people, something hostile and a question for its owner."""
    first = memory.remember("The gateway listens on port 9443", entities=["gateway"])
    memory.supersede(first.id, "The gateway listens on port 9444")
    memory.remember("Marta plays chess with Ana", entities=["Marta", "Ana"])
    memory.remember("我住在杭州", entities=["杭州"])
    memory.remember(f"Somebody is called {HOSTILE}", entities=[HOSTILE[:30]])
    return memory.list()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", [place for place, _, _ in NAVIGATION])
def test_every_screen_is_shown_in_both_languages(browser, lived, path, language):
    """With its heading, and nothing hostile in it but text."""
    page = browser.get(path, headers={"accept-language": language})
    assert page.status_code == 200
    assert f'<html lang="{language}">' in page.text
    assert "<h1" in page.text
    assert "<script>alert" not in page.text
    assert "\u202e" not in page.text


@pytest.mark.parametrize("path", [place for place in SCREENS if "{" not in place and place != "/source"])
def test_every_screen_has_a_twin(browser, lived, path):
    """The document that the page was made of."""
    assert isinstance(browser.get(f"{path}.json").json(), dict)


def test_screens_work_on_an_empty_memory(browser):
    """With a sentence in place of what is not there."""
    for place, _, _ in NAVIGATION:
        assert browser.get(place).status_code == 200


def test_a_memory_says_why_it_is_here_and_what_it_replaced(browser, lived):
    """The new value names the old one, and the old one the new."""
    by_text = {hit.passage.text: hit.passage.ref for hit in lived}
    page = browser.get(f"/memories/{by_text['The gateway listens on port 9444']}").text
    assert "port 9443" in page
    assert "facts.jsonl#L" in page


def test_a_form_does_its_verb_and_can_be_undone(browser, lived, memory):
    """Pin, archive and forget lead back, say so, and offer to undo it."""
    record = lived[0].passage.ref
    for verb, status in (("archive", "archived"), ("restore", "active"), ("forget", "withdrawn")):
        answer = browser.post(f"/do/{verb}", data={"id": record, "back": "/memories?kind=fact"})
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/memories?kind=fact&done=")
        assert memory.store.journal.versions(record)[-1].status.value == status
    page = browser.get(answer.headers["location"]).text
    operation = re.search(r'name="operation" value="([^"]+)"', page)[1]
    browser.post("/do/undo", data={"operation": operation, "back": "/today"})
    assert memory.show(record).status.value == "active"


def test_two_tabs_in_conflict_are_shown_both_texts(browser, lived, memory):
    """Nothing is overwritten; what was typed is not lost."""
    record = memory.show(lived[0].passage.ref)
    form = {"id": record.id, "version": str(record.version), "back": "/today"}
    assert browser.post("/do/edit", data={**form, "text": "The first tab's words"}).status_code == 303
    late = browser.post("/do/edit", data={**form, "text": "The second tab's words"})
    assert late.status_code == 409
    assert "The first tab&#39;s words" in late.text
    assert "The second tab&#39;s words" in late.text
    assert memory.show(record.id).text == "The first tab's words"


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "today", ""]
)
def test_a_form_leads_back_to_this_server(browser, back):
    """Wherever it was told to lead."""
    answer = browser.post("/do/remember", data={"text": "A jar of plums", "back": back})
    assert answer.headers["location"].startswith("/today?done=")


@pytest.mark.parametrize(
    ("path", "form", "status"), [("/do/nothing", {"id": "x"}, 404), ("/do/pin", {}, 422)]
)
def test_a_form_that_is_off_is_told_so(browser, path, form, status):
    """An action that is none, and one without its record."""
    assert browser.post(path, data=form).status_code == status


def test_more_files_than_a_page_holds_come_in_pages(browser, root):
    """Every note is reached."""
    for number in range(203):
        note = root / f"notes/semantic/n{number:03}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"# N{number}\n\nShelf {number} holds plums.\n")
    first = browser.get("/sources.json").json()
    assert (len(first["items"]), first["pages"]) == (200, 2)
    assert "page=2" in browser.get("/sources").text
    assert len(browser.get("/sources.json?page=2").json()["items"]) == first["total"] - 200


def test_a_problem_is_a_page_too(browser):
    """With its sentence, and a way on."""
    page = browser.get("/memories/mem_nothing")
    assert page.status_code == 404
    assert "mem_nothing" in page.text
    assert "/today" in page.text


def test_time_travel_shows_what_was_known_then(browser, memory, clock):
    """The answer of another day, and a band that says so."""
    old = memory.remember("The gateway listens on port 9443")
    clock.move(days=10)
    memory.supersede(old.id, "The gateway listens on port 9444")
    day = clock.ago(days=5).date().isoformat()
    page = browser.get("/ask", params={"q": "Which port does the gateway listen on?", "as_of": day}).text
    assert "9443" in re.search(r"<blockquote>.*?</blockquote>", page, re.DOTALL)[0]
    assert day in page


def test_what_agents_see_leads_to_the_memories(browser, memory):
    """Every told record is a link to why it is there."""
    kept = memory.remember("I am allergic to peanuts", kind="health")
    assert f"/memories/{kept.id}" in browser.get("/told").text


def test_every_word_of_the_interface_has_a_chinese_one():
    """Each text in a template that is translated stands in the table."""
    from pathlib import Path

    from memoracle.interfaces.web import pages

    table = words_of("zh")
    used = set()
    for path in (Path(pages.HERE) / "templates").glob("*.html"):
        used |= set(re.findall(r"""\b_\("([^"]+)"\)""", path.read_text(encoding="utf-8")))
        used |= set(re.findall(r"""\b_\('([^']+)'\)""", path.read_text(encoding="utf-8")))
    used |= {name for _, name, _ in NAVIGATION}
    assert sorted(used - set(table)) == []
