"""The page in a real browser, over a real server: keys, undo, two tabs, live news, hostile words, accessibility.

Debian's chromium, driven by Playwright; without one the tests are skipped by name.
"""

import os
import re
import shutil
import subprocess
import sys
import time

import pytest

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.long, pytest.mark.skipif(not CHROMIUM, reason="there is no chromium here")]

TOKEN = "a-token-of-this-test"
SCREENS = (
    "/today",
    "/ask?q=port",
    "/timeline",
    "/memories",
    "/things",
    "/graph",
    "/sources",
    "/review",
    "/told",
    "/health",
    "/settings",
)
MARKUP = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
HOSTILE = f"{MARKUP} \u202e}}gnp.x{{ " + "long" * 20_000
_QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A memory that was lived in: changes, people, a conversation, a note, a question, and what an attacker wrote."""
    from memoracle.compose import init, open_memory

    root = tmp_path_factory.mktemp("page") / "memory"
    init(str(root), environment={})
    talk = tmp_path_factory.mktemp("talk") / "talk.jsonl"
    talk.write_text(
        '{"role":"user","content":"Call me Ana. I am allergic to peanuts.","timestamp":"2026-03-02T09:00:00Z"}\n'
        '{"role":"user","content":"We decided to use PostgreSQL for billing.","timestamp":"2026-03-02T09:01:00Z"}\n',
        encoding="utf-8",
    )
    with open_memory(str(root), environment={"MEMORACLE_EMBEDDER": "none"}) as memory:
        memory.ingest(str(talk))
        memory.consolidate()
        old = memory.remember("The gateway listens on port 9443", entities=["gateway"])
        memory.supersede(old.id, "The gateway listens on port 9444", entities=["gateway"])
        memory.remember("Marta plays chess with Ana", entities=["Marta", "Ana"])
        memory.remember("我住在杭州，喜欢喝绿茶", entities=["杭州"])
        memory.remember(f"A shelf is labelled {MARKUP}", entities=["gateway", MARKUP])
        memory.remember(HOSTILE)
        memory.remember("The owner's blood type is AB", kind="health", channel="agent")
    return root


@pytest.fixture(scope="module")
def server(place):
    """`memoracle serve` as somebody starts it, on a port of its own."""
    words = [sys.executable, "-m", "memoracle", "--root", str(place), "serve", "--http", "127.0.0.1:0"]
    own = {
        **os.environ,
        "MEMORACLE_WEB_TOKEN": TOKEN,
        "MEMORACLE_EMBEDDER": "none",
        "MEMORACLE_RERANKER": "none",
    }
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=own)
    found = None
    while not found:
        line = process.stderr.readline()
        assert line, "the server ended"
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
    yield found[0]
    process.terminate()
    process.wait(20)


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=_QUIET)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium, server):
    """A function that opens a tab which has come in, and complains of every error and every request that leaves."""
    opened = []

    def open_tab(path="/today", **how):
        context = chromium.new_context(base_url=server, **how)
        opened.append(context)
        page = context.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on(
            "console",
            lambda said: (
                page.complaints.append(said.text) if said.type == "error" and "409" not in said.text else None
            ),
        )
        page.on(
            "request",
            lambda asked: (
                None if asked.url.startswith((server, "data:")) else page.complaints.append(asked.url)
            ),
        )
        page.goto(f"/today?token={TOKEN}")
        page.goto(path)
        return page

    yield open_tab
    for context in opened:
        for page in context.pages:
            assert page.complaints == []
        context.close()


@pytest.mark.parametrize("path", SCREENS)
def test_no_screen_has_a_serious_barrier(tab, path):
    """axe-core finds nothing serious, in light and in dark."""
    for scheme in ("light", "dark"):
        page = tab(path, color_scheme=scheme)
        found = axe.Axe().run(page).response["violations"]
        serious = [
            (one["id"], one["nodes"][0]["html"][:200])
            for one in found
            if one["impact"] in {"serious", "critical"}
        ]
        assert serious == []


@pytest.mark.parametrize(("width", "locale"), [(390, "en"), (1280, "zh-CN")])
def test_every_screen_fits_and_keeps_a_picture(tab, tmp_path_factory, width, locale):
    """Nothing makes the page itself scroll sideways, narrow or wide, in either language; pictures are kept for people."""
    folder = tmp_path_factory.getbasetemp().parent / "page-pictures"
    folder.mkdir(exist_ok=True)
    page = tab(viewport={"width": width, "height": 900}, locale=locale)
    for path in SCREENS:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.lang") == locale[:2]
        page.screenshot(path=folder / f"{path.strip('/').partition('?')[0]}-{width}.png")


def test_keys_lead_everywhere(tab):
    """`/` asks, `g m` goes, `j` and Enter open, `?` shows all keys."""
    page = tab()
    page.keyboard.press("/")
    page.keyboard.type("Which port does the gateway listen on?")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask?q=*")
    assert "9444" in page.text_content(".answer blockquote")
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url("**/memories")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/memories/mem_*")
    page.keyboard.press("?")
    assert page.is_visible("dialog#keys")
    page.keyboard.press("Escape")


def test_a_memory_is_edited_and_the_edit_undone(tab):
    """`e` opens the form with its words; `u` takes the change back."""
    page = tab("/memories?q=chess")
    page.click("text=Marta plays chess")
    page.wait_for_url("**/memories/mem_*")
    page.keyboard.press("e")
    page.fill("textarea[name=text]", "Marta plays chess with Ana on Sundays")
    page.click("form.edit button:has-text('Save')")
    page.wait_for_selector(".toast")
    assert "Sundays" in page.text_content("h1.sentence")
    page.click("h1")
    page.keyboard.press("u")
    page.wait_for_selector("text=undone")
    assert "Sundays" not in page.text_content("h1.sentence")


def test_two_tabs_in_conflict_lose_nothing(tab):
    """The slower tab is shown both texts, and may put its own over the other."""
    page = tab("/memories?q=tea")
    first, second = page, page.context.new_page()
    second.complaints = []
    first.goto("/memories?q=绿茶")
    first.click("a.open")
    first.wait_for_url("**/memories/mem_*")
    second.goto(first.url)
    for one in (first, second):
        one.keyboard.press("e")
        one.fill(
            "textarea[name=text]", "我住在杭州，喜欢喝龙井" if one is first else "我住在杭州，喜欢喝普洱"
        )
    first.click("form.edit button:has-text('Save')")
    first.wait_for_selector(".toast")
    second.click("form.edit button:has-text('Save')")
    assert "龙井" in second.text_content("main")
    assert "普洱" in second.text_content("main")
    second.click("button:has-text('Put mine over it')")
    second.wait_for_selector(".toast")
    assert "普洱" in second.text_content("h1.sentence")


def test_what_another_process_keeps_is_announced(tab, place):
    """Without a reload, and without anything moving."""
    page = tab("/memories")
    page.wait_for_timeout(1200)
    subprocess.run(
        [sys.executable, "-m", "memoracle", "--root", str(place), "remember", "The kettle is blue"],
        check=True,
        capture_output=True,
    )
    page.wait_for_selector("#changed", timeout=15_000)
    page.click("#changed a")
    page.wait_for_selector("text=The kettle is blue")


def test_review_is_answered_with_one_key(tab, place):
    """`n` declines the first card, `u` brings the question's answer back."""
    page = tab("/review")
    before = page.locator("[data-card]").count()
    assert before >= 1
    page.keyboard.press("y")
    page.wait_for_selector(".toast")
    assert page.locator("[data-card]").count() == before - 1


def test_hostile_words_are_words(tab):
    """Script, markup, direction marks and a hundred thousand letters: shown, and inert."""
    page = tab()
    for path in SCREENS:
        page.goto(path)
        assert page.evaluate("window.hit") is None
        assert "\u202e" not in page.content()
    page.goto("/memories")
    assert "onerror" in page.text_content("main")


def test_everything_can_be_read_without_script(tab):
    """Links, forms and pictures of the timeline work when scripts are off."""
    page = tab(java_script_enabled=False)
    for path in SCREENS:
        page.goto(path)
        assert page.locator("h1").count() == 1
    page.goto("/today")
    page.fill("form.keep input[name=text]", "Kept without a script")
    page.click("form.keep button")
    assert "Kept without a script" in page.text_content("main")


def test_the_graph_is_drawn_and_leads_on(tab):
    """A click on a node goes around it; the table says the same."""
    page = tab("/graph")
    page.wait_for_timeout(800)
    painted = page.evaluate(
        "() => { const c = document.getElementById('graph'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; "
        "let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; }"
    )
    assert painted > 100
    assert "gateway" in page.text_content("main table")


def test_a_copy_opens_from_disk(chromium, place, tmp_path):
    """Every link leads to a file that is there, the graph is drawn, nothing is asked of any server; secrets stay home."""
    from memoracle.compose import open_memory

    with open_memory(str(place), environment={"MEMORACLE_EMBEDDER": "none"}) as memory:
        memory.remember("The alarm of the cellar is 4711-secretly", sensitivity="secret")
    words = [
        sys.executable,
        "-m",
        "memoracle",
        "--root",
        str(place),
        "web",
        "--export",
        str(tmp_path / "copy"),
    ]
    subprocess.run(words, check=True, capture_output=True)
    files = sorted((tmp_path / "copy").rglob("*.html"))
    assert len(files) > 20
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert "4711-secretly" not in text
        assert "<form" not in text.replace('<form method="dialog"', "")
        for link in re.findall(r'(?:href|src)="([^"#]+)', text):
            assert (file.parent / link).resolve().is_file(), (file, link)
    page = chromium.new_page()
    asked = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto((tmp_path / "copy" / "graph.html").as_uri())
    page.wait_for_timeout(500)
    assert page.evaluate("document.getElementById('graph').width") > 300
    page.click("nav >> text=Memories")
    page.click("text=Marta plays chess")
    assert "Marta" in page.text_content("h1")
    assert [one for one in asked if not one.startswith("file:")] == []
    page.close()


def test_incognito_hides_words_until_they_are_pointed_at(chromium, place):
    """For a shared screen: blurred by style, not by script."""
    words = [
        sys.executable,
        "-m",
        "memoracle",
        "--root",
        str(place),
        "web",
        "--http",
        "127.0.0.1:0",
        "--incognito",
        "--read-only",
        "--no-open",
    ]
    own = {
        **os.environ,
        "MEMORACLE_WEB_TOKEN": TOKEN,
        "MEMORACLE_EMBEDDER": "none",
        "MEMORACLE_RERANKER": "none",
    }
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=own) as process:
        base = re.search(r"http://[\d.:]+", process.stderr.readline())[0]
        page = chromium.new_page()
        page.goto(f"{base}/memories?token={TOKEN}")
        assert "blur" in page.evaluate("getComputedStyle(document.querySelector('.words')).filter")
        assert page.locator("form[action^='/do/']").count() == 0
        page.close()
        process.terminate()
        deadline = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
