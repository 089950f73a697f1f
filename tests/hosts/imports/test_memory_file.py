"""MEMORY.md and its kin: items and paragraphs become pieces, with their sections and metadata."""

import pytest

from memoracle.extensions.exchange.imports.memory_file import cut, read_memory_file
from memoracle.model.record import Channel, Kind, Status
from memoracle.times import read_time
from support.files import write

MEMORY = """# Memory

## 偏好

- 喜欢喝绿茶，不喝咖啡
- Prefer metric units in reports. <!-- trigger: units, report --> <!-- importance: 7 -->

## Decisions

- 2026-05-02: Staging deploys go through the blue cluster.
  Reason: the green one is too small.
  <!-- project: github.com/acme/shop -->

## People

Mei runs the kitchen.
She is Bob's sister.

## Open

- [ ] renew the passport
- [x] call the bank

<!-- memoracle:begin hot (generated; text outside is yours) -->
- generated line
<!-- memoracle:end hot -->
"""


def read(tmp_path, text, **how):
    return read_memory_file(str(write(tmp_path, "MEMORY.md", text)), "MEMORY.md", **how)


@pytest.mark.seed("S2.125", "S4.006", "F-15")
def test_bullets_and_sections_become_records(tmp_path):
    """An item or a paragraph is one piece; the section is its tag and may say its kind. What memory generated is not read."""
    held = read(tmp_path, MEMORY, channel=Channel.OWNER)

    assert [(p.draft.statement.text, p.draft.kind, p.draft.tags[:1]) for p in held.pieces] == [
        ("喜欢喝绿茶，不喝咖啡", Kind.PREFERENCE, ("偏好",)),
        ("Prefer metric units in reports.", Kind.PREFERENCE, ("偏好",)),
        (
            "2026-05-02: Staging deploys go through the blue cluster.\nReason: the green one is too small.",
            Kind.DECISION,
            ("Decisions",),
        ),
        ("Mei runs the kitchen.\nShe is Bob's sister.", Kind.RELATIONSHIP, ("People",)),
        ("renew the passport", Kind.TASK, ("Open",)),
        ("call the bank", Kind.TASK, ("Open",)),
    ]
    assert held.findings == ()


def test_inline_metadata_is_understood(tmp_path):
    """OpenClaw's trigger, importance and project stand on the line; a date at its beginning is when it was observed."""
    _, metric, deploy, *_ = read(tmp_path, MEMORY).pieces

    assert metric.draft.weight.importance == 0.7
    assert metric.draft.tags[1:] == ("trigger:units", "trigger:report")
    assert (deploy.draft.scope.project, deploy.extra["project_key"]) == ("shop", "github.com/acme/shop")
    assert deploy.draft.origin.observed == read_time("2026-05-02")
    assert deploy.draft.origin.where == "MEMORY.md#L10"


def test_a_comment_of_its_own_speaks_for_what_follows(tmp_path):
    """`observed` and `status` stand before a directive; a superseded one stays superseded."""
    text = (
        "<!-- observed: 2026-08-02 | status: active -->\n\n- 报告里用公制单位\n\n"
        "<!-- observed: 2025-01-01 | status: superseded -->\n\n- Use imperial units.\n"
    )
    first, second = read(tmp_path, text).pieces

    assert (first.draft.origin.observed, first.status) == (read_time("2026-08-02"), Status.ACTIVE)
    assert (second.draft.origin.observed, second.status) == (read_time("2025-01-01"), Status.SUPERSEDED)


def test_a_file_alone_is_a_document(tmp_path):
    """Nobody can tell from a file who wrote it: no section makes its lines steer, no allergy is the owner's."""
    held = read(tmp_path, f"{MEMORY}\n- I am allergic to peanuts. <!-- openclaw-memory-promotion: abc -->\n")

    assert {piece.draft.origin.channel for piece in held.pieces} == {Channel.DOCUMENT}
    assert {piece.draft.kind for piece in held.pieces} == {Kind.FACT, Kind.RELATIONSHIP}
    assert not held.findings


def test_a_comment_that_nobody_understands_is_told(tmp_path):
    """It is left out, at its line."""
    held = read(tmp_path, "- tea <!-- colour: green -->\n")
    (finding,) = held.findings

    assert (held.pieces[0].draft.statement.text, finding.code, finding.line) == ("tea", "kept-differently", 1)


def test_health_weighs_most_by_itself(tmp_path):
    """The owner's words about an allergy matter most, wherever they stand."""
    text = "## Misc\n\n- I am allergic to peanuts.\n"
    (piece,) = read(tmp_path, text, channel=Channel.OWNER).pieces

    assert (piece.draft.kind, piece.draft.weight.importance) == (Kind.HEALTH, 1.0)


def test_a_code_block_stays_whole(tmp_path):
    """What looks like an item or a heading inside it is neither."""
    held = read(tmp_path, "Run this:\n```\n# not a heading\n- not an item\n```\n\nafter\n")

    assert [p.draft.statement.text for p in held.pieces] == [
        "Run this:\n```\n# not a heading\n- not an item\n```",
        "after",
    ]


def test_nothing_is_lost_by_bytes_that_are_no_text(tmp_path):
    """A file that is not UTF-8 is read as far as possible, and told."""
    path = write(tmp_path, "MEMORY.md", b"- tea\n- caf\xe9\n")
    held = read_memory_file(str(path), "MEMORY.md")

    assert [p.draft.statement.text for p in held.pieces] == ["tea", "caf\ufffd"]
    assert [(f.code, f.line) for f in held.findings] == [("kept-differently", 2)]


@pytest.mark.parametrize(
    "piece", ["<!--", "- ", "# ", "- [", "[[", "`", "\n\n  ", "<!-- a -->", "— mem_", "* ", "1"]
)
def test_hostile_text_is_cut_in_one_pass(piece):
    """Two megabytes of anything: quadratic work would not end."""
    page = cut(piece * (2_000_000 // len(piece)))

    assert sum(len(block.text) for block in page.blocks) <= 2_000_000
