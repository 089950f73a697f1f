"""Any words survive any shape: out as a line or a bullet, and in again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.extensions.exchange import shapes
from memoracle.extensions.exchange.imports.memory_file import cut, pieces_in
from memoracle.extensions.exchange.imports.roots import record_in
from memoracle.model.record import Channel, Kind
from support.build import a_record

LETTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
WORDS = st.text(LETTERS, min_size=1, max_size=80).filter(lambda text: text.strip() == text)
ODD = st.lists(
    st.sampled_from(
        ["<!--", "-->", "\n", "  ", "- ", "# ", "```", "[x] ", "茶", "a", '"', "\\u003e", ">", "— mem_"]
    ),
    max_size=12,
).map("".join)
TEXTS = st.one_of(WORDS, ODD.map(str.strip).filter(bool))


@pytest.mark.parametrize("layout", ["vm-oracle", "memory-system", "clawseat"])
@given(text=TEXTS, kind=st.sampled_from(Kind))
def test_lines(layout, text, kind):
    """The record that comes back says the same, of the same kind."""
    record = a_record(text, kind=kind, entities=("Mei",))
    back = record_in(shapes.fields_in(layout, record))

    assert (back.id, back.text, back.kind, back.created, back.entities) == (
        record.id,
        text,
        kind,
        record.created,
        ("Mei",),
    )


@pytest.mark.parametrize("openclaw", [False, True])
@given(texts=st.lists(TEXTS, min_size=1, max_size=5))
def test_bullets(openclaw, texts):
    """One bullet never swallows its neighbour."""
    records = [a_record(text, kind=Kind.LESSON, tags=("trigger:a-->b",)) for text in texts]
    note = shapes.note_of("lessons", [shapes.bullet(record, openclaw=openclaw) for record in records])
    back = pieces_in(cut(note), "lessons.md", channel=Channel.AGENT, only_carried=True).pieces

    assert [(one.foreign, one.draft.statement.text) for one in back] == [(r.id, r.text) for r in records]
