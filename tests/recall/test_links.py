"""Links in texts: what counts as one, what only looks like one, and how well the rules do on labelled sentences."""

import json
from collections import Counter
from pathlib import Path

import pytest

from memoracle.model.link import LinkType
from memoracle.recall.links import LinkRules, find_links, read_rules

LABELLED = Path(__file__).parent / "data" / "links.jsonl"
TYPES = {kind.name.lower(): kind for kind in LinkType}


def links(text, **rules):
    """The targets of a text that count without a doubt."""
    return [link.target for link in find_links(text, LinkRules(**rules)) if not link.doubt]


def gold(label):
    """A label of the set as type and target."""
    name, to = label["type"], label["to"]
    spaces = {"task": "entity:taskid:", "wikilink": "page:", "evidence": "entity:file:"}
    is_record = to.startswith("mem_")
    before = "" if is_record else spaces.get(name, "page:" if name == "supersedes" else f"entity:{name}:")
    return TYPES[name], before + to


def rows(split):
    lines = LABELLED.read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["split"] == split]


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_labelled_sentences(split):
    """Precision and recall on both halves of the labelled set; `docs/benchmarks.md` has the figures by type."""
    count = Counter()
    for row in rows(split):
        wanted = set(map(gold, row["links"]))
        found = {(link.type, link.target) for link in find_links(row["text"]) if not link.doubt}
        count.update(right=len(wanted & found), wrong=len(found - wanted), missed=len(wanted - found))
    precision = count["right"] / (count["right"] + count["wrong"])
    recall = count["right"] / (count["right"] + count["missed"])
    assert (precision > 0.95, recall > 0.95) == (True, True), count


def test_the_set_is_large_and_in_both_languages():
    """At least 300 sentences, a third of them without any link, every type in both languages."""
    every = rows("dev") + rows("test")
    kinds = {(row["language"], label["type"]) for row in every for label in row["links"]}
    empty = sum(not row["links"] for row in every)
    assert (len(every) >= 300, empty * 3 >= len(every), len(kinds)) == (True, True, 2 * len(LinkType))


@pytest.mark.seed("F-36")
@pytest.mark.parametrize(
    "text",
    [
        "Everything is UTF-8.", "The sum is SHA-256.", "GPT-4 said so.", "ISO-8601 dates", "see RFC-2119", "since COVID-19",
        "paint it #336699", "color: #333;", "Node.js 20", "the page (defaced) is back", "AES-256-GCM", "CVE-2024-3094",
        "UTC-8", "&#39;", "编码是UTF-8。", "背景色#336699", "Vue.js和Next.js", "page.html?x=#12",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_link(text):
    """Encodings, hashes, models, standards, colours, products and words of hexadecimal letters are none."""
    assert [one for one in links(text) if one != "entity:file:page.html"] == []


@pytest.mark.seed("F-36")
def test_parts_of_an_address_are_no_links_of_their_own():
    """An address is one link, whatever its path spells."""
    found = links(
        "https://jira.example.com/browse/ARENA-228/notes.md?pr=#12 and https://x.org/commit/9f3c2ab"
    )
    assert found == [
        "entity:url:https://jira.example.com/browse/ARENA-228/notes.md?pr=",
        "entity:url:https://x.org/commit/9f3c2ab",
    ]


@pytest.mark.seed("S1.123", "S1.125")
def test_tasks():
    """Capitals and a number, `GH#n`, a bare `#n` that follows no word; each an entity of its namespace."""
    assert links("ARENA-228, GH#12, GH-13 and #14; not a/#15, x#16 or arena-17") == [
        "entity:taskid:ARENA-228",
        "entity:taskid:GH#12",
        "entity:taskid:GH#13",
        "entity:taskid:#14",
    ]


@pytest.mark.seed("F-36")
def test_a_registered_prefix_is_a_task():
    """A project that calls its tasks SHA-1 may say so."""
    assert links("SHA-1 and UTF-8", prefixes=frozenset({"SHA"})) == ["entity:taskid:SHA-1"]


def test_one_letter_is_doubtful():
    """B-52 is found, and marked: it counts only where its project has another B."""
    assert [(link.target, link.doubt) for link in find_links("the B-52 poster")] == [
        ("entity:taskid:B-52", "B")
    ]


@pytest.mark.seed("S1.126", "F-36")
def test_commits():
    """Hexadecimal counts behind a word for it or alone in brackets, with a digit and a letter; naked it does not."""
    text = "commit 9F3C2AB, merged 4be81d07 and a7d94e1, cherry-picked `1a2b3c4d`, (c0ffee42); trace 4bf92f35, (1234567)"
    assert links(text) == [
        f"entity:commit:{one}" for one in ("9f3c2ab", "4be81d07", "a7d94e1", "1a2b3c4d", "c0ffee42")
    ]


@pytest.mark.seed("S1.127")
@pytest.mark.parametrize("ending", "tsx ts py md toml sh json yaml yml sql js".split())
def test_files(ending):
    """A name that begins with a letter and has one of these endings; a path has one spelling."""
    assert links(f"see ./src//a/../main.{ending}.") == [f"entity:file:src/main.{ending}"]


@pytest.mark.seed("S1.128", "F-35")
def test_addresses():
    """Up to a space, a bracket or a quote; one spelling; 2,000 characters are no trouble."""
    long = "https://example.com/" + "x" * 2000
    text = f'(HTTPS://Example.com:443/a?b=c#d) "http://me:pw@x.org" <{long}> 见https://e.cn/a。'
    assert links(text) == [
        "entity:url:https://example.com/a?b=c",
        "entity:url:http://x.org/",
        f"entity:url:{long}",
        "entity:url:https://e.cn/a",
    ]


@pytest.mark.seed("S1.129")
def test_keys():
    """What stands in `[KEY: …]`, in any script and either sort of bracket."""
    assert links("[KEY: a.b] 【KEY：结算/新税率】 [KEY: ]") == ["entity:key:a.b", "entity:key:结算/新税率"]


@pytest.mark.seed("S1.130")
def test_projects():
    """The name after the folder of projects."""
    assert links("~/.agents/memory/projects/arena里, projects/pay-core/plan and side projects/x") == [
        "entity:project:arena",
        "entity:project:pay-core",
    ]


@pytest.mark.seed("S1.131")
def test_components():
    """Capitalised words with a configured ending; the ending alone is none, and invalid endings are ignored."""
    usual = links("MovePhasic ArenaPhysics PlayerView GameEngine FogLayer AComponent View OrderService")
    rules = read_rules({"suffixes": ["Service", "not valid", 7]})
    own = [link.target for link in find_links("PlayerView OrderService", rules)]
    assert (len(usual), own) == (6, ["entity:component:OrderService"])


@pytest.mark.seed("S1.132")
def test_code_blocks_are_not_searched():
    """Fenced code is removed, lines keep their numbers, and plain mentions make no edge."""
    text = "# A\n```py\nARENA-1\n```\n~~~\nARENA-2\n```\nARENA-3\n~~~\nARENA-4 and arena"
    assert [(link.target, link.line) for link in find_links(text)] == [("entity:taskid:ARENA-4", 10)]


@pytest.mark.seed("S1.133")
def test_five_mentions_are_one_link():
    """One link for a target and a type, at its first mention."""
    (link,) = find_links("first ARENA-1.\n" + "ARENA-1 " * 4)
    assert (link.target, link.line) == ("entity:taskid:ARENA-1", 1)


@pytest.mark.seed("S1.124")
def test_a_snippet_is_sixty_characters_either_side_on_one_line():
    """It shows where a link stands; a very long target is cut."""
    short, long = (
        find_links("a" * 100 + "\n(ARENA-1)\n" + "b" * 100),
        find_links("https://x.org/" + "y" * 3000),
    )
    assert (short[0].snippet, len(long[0].snippet) <= 241) == ("a" * 58 + " (ARENA-1) " + "b" * 58, True)


@pytest.mark.parametrize(
    "text",
    [
        "见ARENA-228。",
        "（ARENA-228）",
        "【ARENA-228】",
        "「ARENA-228」",
        "把ARENA-228关掉",
        "ARENA-228：完成",
    ],
)
def test_chinese_marks_and_letters_stand_beside_a_task(text):
    """No space is needed around it."""
    assert links(text) == ["entity:taskid:ARENA-228"]


def test_pages():
    """`[[name]]`, with a heading or other words; not what code spells that way."""
    assert links("[[A b|c]] [[./x/y.md#z]] [[1, 2]] if [[ -f x ]] a[[0]] [[:alpha:]] 见[[重试]]") == [
        "page:a b",
        "page:x/y",
        "page:重试",
    ]


def test_what_is_superseded_and_what_is_evidence():
    """Both say more than a mention, and take its place."""
    found = find_links("Supersedes [[a]] and [[b]]; see src/x.py#L3-L9. 取代了[[旧]]。 superseded by [[c]]")
    assert [(link.type, link.target) for link in found] == [
        (LinkType.SUPERSEDES, "page:a"),
        (LinkType.SUPERSEDES, "page:b"),
        (LinkType.EVIDENCE, "entity:file:src/x.py"),
        (LinkType.SUPERSEDES, "page:旧"),
        (LinkType.WIKILINK, "page:c"),
    ]


@pytest.mark.parametrize(
    "piece",
    [
        "a/",
        "A-",
        "[[",
        "[KEY: ",
        "http://",
        "commit ",
        "((",
        "#1",
        "abcdef1",
        "supersedes ",
        "A.",
        "`",
        "../",
        "GH#",
        "~~~\n",
    ],
)
def test_hostile_text_ends(piece):
    """Half a million characters of any beginning are read once."""
    assert len(find_links(piece * (500_000 // len(piece)))) <= 2
