"""Links of the hot file: to notes wherever the layout has them, to records, never outside the root."""

import pytest

from memoracle.compose import init
from memoracle.extensions.notebook.hygiene import leads_somewhere, links_in
from support.files import write
from support.stores import a_store


@pytest.mark.parametrize(
    ("line", "links"),
    [
        ("- [a](notes/a.md) and [b](<b%20c.md>)", ["notes/a.md", "b c.md"]),
        ("- 见 [[决定]] 和 notes/semantic/园.md#为什么", ["决定", "notes/semantic/园.md"]),
        ("- mem_01M7F14QRRYVS6T55K828AZ7N0", ["mem_01M7F14QRRYVS6T55K828AZ7N0"]),
        ("- https://example.org/a.md, mailto:me@example.org, plain words", []),
    ],
)
def test_what_a_line_links_to(line, links):
    """Four forms, both languages; addresses elsewhere are nobody's business here."""
    assert list(links_in(line)) == links


def test_where_a_link_leads(root, memory):
    """A note, a note without its suffix, a record that was kept; nothing outside."""
    kept = memory.remember("the cat is called Miso").id
    write(root, "notes/semantic/garden.md", "x\n")
    write(root.parent, "secret.md", "x\n")
    links = [
        "notes/semantic/garden.md",
        "semantic/garden",
        "/notes/semantic/garden.md",
        kept,
        "../secret.md",
        "mem_" + "0" * 26,
    ]
    assert [leads_somewhere(memory.store, link) for link in links] == [True, True, True, True, False, False]


def test_links_in_another_layout(tmp_path):
    """Relative to the workspace or to its folder of notes."""
    place = tmp_path / "workspace"
    init(str(place), layout="v4", environment={})
    write(place, "memory/semantic/decisions.md", "x\n")
    store = a_store(place, layout="v4")
    assert [
        leads_somewhere(store, link) for link in ("memory/semantic/decisions.md", "semantic/decisions.md")
    ] == [True, True]
