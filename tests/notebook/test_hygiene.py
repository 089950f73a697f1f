"""The checks of notes: for each one that passes and one that fails, in Chinese and in English."""

from datetime import UTC, date, datetime

import pytest

from memoracle.extensions.notebook.hygiene import note_checks
from memoracle.upkeep.checks import Grade
from support.files import write
from support.stores import a_store

NOW = datetime(2026, 5, 15, 9, 30, tzinfo=UTC)
TODAY = date(2026, 5, 15)
IDS = [
    "tags-line",
    "vocabulary",
    "last-verified",
    "buffer",
    "open-questions",
    "closure-blocks",
    "decision-links",
    "episodic-count",
    "orphaned-buffer",
    "one-home",
    "contradictions",
    "note-secrets",
]
PLAIN = "# Pump\n\nThe pump is a Grundfos.\n"
GOOD_WARM = "# Garden\n#tags: garden, tools\n> last_verified: 2026-05-14\n\nThe roses need water.\n"
GOOD_WARM_ZH = "# 花园\n#tags: 花园，工具\n> last_verified： 2026年5月14日\n\n玫瑰要浇水。\n"
CLOSED = "# 2026-05-14\n\nRain.\n\nUpdated: 2026-05-14\nDecisions: none\nSignal: snails\nOpen: none\n"
CLOSED_ZH = "# 2026-05-14\n\n下雨。\n\n更新：2026-05-14\n决定：无\n信号：蜗牛多\n未决：无\n"
GENERATED = (
    "# 2026-05-14\n\n<!-- memoracle:begin digest (generated; text outside is yours) -->\n"
    "- a digest\n<!-- memoracle:end digest -->\n"
)
VOCABULARY = '[tags]\ngarden = "what grows"\ntools = "what we use"\n"花园" = "同上"\n"工具" = "同上"\n'
SEMANTIC, DAILY, BUFFER = "notes/semantic/garden.md", "notes/daily/2026-05-14.md", "notes/working-buffer.md"


def grades(root, layout="native", **settings):
    store = a_store(root, layout=layout)
    limits = {"buffer_lines": 80, "daily_days": 365} | settings
    found = note_checks(store, now=NOW, today=TODAY, **limits)
    return {check.id: check for check in found}


def buffer_of(lines, active="2026-05-15T09:00:00Z"):
    header = f"# Working Buffer\ncreated: 2026-05-15\nlast_active: {active}\n\n"
    return header + "".join(f"- entry {number}\n" for number in range(lines - 4))


@pytest.mark.seed("S3.029", "F-63", "F-68")
def test_nine_and_three_with_stable_ids(root):
    """In their order, the nine of the design first; none of them is ever critical."""
    assert list(grades(root)) == IDS


def hot(title, *items):
    return f"# Memory\n\n## {title}\n\n" + "".join(f"- {item}\n" for item in items)


SIX = [f"why {number}?" for number in range(6)]
CASES = {
    "tags-line": [
        ({SEMANTIC: GOOD_WARM}, {SEMANTIC: GOOD_WARM.replace("#tags: garden, tools\n", "")}),
        ({SEMANTIC: GOOD_WARM_ZH}, {SEMANTIC: "# 花园\n\n#tags: 花园\n> last_verified: 2026-05-14\n"}),
        ({"notes/pump.md": PLAIN}, {SEMANTIC: PLAIN}),  # a note elsewhere has the shape that its owner likes
        ({SEMANTIC: "---\ntags: [garden]\n---\nx\n"}, {"notes/procedural/how.md": "just words\n"}),
    ],
    "vocabulary": [
        (
            {SEMANTIC: GOOD_WARM, "tags.toml": VOCABULARY},
            {SEMANTIC: GOOD_WARM.replace("tools", "toolz"), "tags.toml": VOCABULARY},
        ),
        (
            {SEMANTIC: GOOD_WARM_ZH, "tags.toml": VOCABULARY},
            {SEMANTIC: GOOD_WARM_ZH.replace("工具", "公具"), "tags.toml": VOCABULARY},
        ),
        ({SEMANTIC: GOOD_WARM, "tags.toml": 'tags = ["garden", "tools"]\n'}, {"tags.toml": "tags = 5\n"}),
        ({SEMANTIC: GOOD_WARM}, {"tags.toml": "not toml ["}),
    ],
    "last-verified": [
        ({SEMANTIC: GOOD_WARM}, {SEMANTIC: GOOD_WARM.replace("> last_verified: 2026-05-14\n", "")}),
        ({SEMANTIC: GOOD_WARM.replace("05-14", "04-16")}, {SEMANTIC: GOOD_WARM.replace("05-14", "04-15")}),
        ({SEMANTIC: GOOD_WARM_ZH}, {SEMANTIC: GOOD_WARM_ZH.replace("5月14日", "4月15日")}),
        (
            {SEMANTIC: "---\nlast_verified: 2026-05-01\ntags: x\n---\n"},
            {SEMANTIC: GOOD_WARM.replace("2026-05-14", "soon")},
        ),
    ],
    "buffer": [({BUFFER: buffer_of(80)}, {BUFFER: buffer_of(81)})],
    "open-questions": [
        ({"MEMORY.md": hot("Open Questions", *SIX[:5])}, {"MEMORY.md": hot("Open Questions", *SIX)}),
        ({"MEMORY.md": hot("未决问题", *SIX[:5])}, {"MEMORY.md": hot("未决问题", *SIX)}),
        (
            {"MEMORY.md": hot("Open Questions", "[x] done", "none", "无", *SIX[:5])},
            {"MEMORY.md": hot("Open Questions", "[ ] one", *SIX[:5])},
        ),
        ({"MEMORY.md": hot("Shopping", *SIX)}, {"MEMORY.md": "# M\n## Open questions\n" + "1. why?\n" * 6}),
    ],
    "closure-blocks": [
        ({DAILY: CLOSED}, {DAILY: CLOSED.replace("Signal: snails\n", "")}),
        ({DAILY: CLOSED_ZH}, {DAILY: CLOSED_ZH.replace("未决：无\n", "未决：无\n\n后来又写了一行。\n")}),
        (
            {"notes/daily/2026-05-15.md": "# today\n\nstill going\n"},
            {"notes/daily/2026-05-13.md": "# 2026-05-13\n\nRain.\n"},
        ),
        ({DAILY: GENERATED}, {DAILY: GENERATED + "\n我写了一行。\n"}),
        ({DAILY: GENERATED + CLOSED}, {DAILY: CLOSED.replace("Open: none", "And so on.") + GENERATED}),
    ],
    "decision-links": [
        (
            {
                "MEMORY.md": hot("Active Decisions", "[roses](notes/semantic/garden.md#why)"),
                SEMANTIC: GOOD_WARM,
            },
            {"MEMORY.md": hot("Active Decisions", "[roses](notes/semantic/gone.md)")},
        ),
        (
            {"MEMORY.md": hot("有效决定", "见 notes/semantic/garden.md"), SEMANTIC: GOOD_WARM},
            {"MEMORY.md": hot("有效决定", "见 notes/semantic/gone.md")},
        ),
        (
            {"MEMORY.md": hot("Decisions", "https://example.org/x.md", "plain words")},
            {"MEMORY.md": hot("Decisions", "mem_01M7F14QRRYVS6T55K828AZ7N0")},
        ),
        ({"MEMORY.md": hot("Links", "[x](gone.md)")}, {"MEMORY.md": hot("Active Decisions", "[[gone]]")}),
    ],
    "orphaned-buffer": [
        ({BUFFER: buffer_of(10)}, {BUFFER: buffer_of(10, active="2026-05-15T07:29:59Z")}),
        ({BUFFER: buffer_of(4, active="2026-05-01")}, {BUFFER: buffer_of(5, active="2026-05-01")}),
        ({BUFFER: buffer_of(10, active="2026-05-15T07:30:00Z")}, {"notes/working-buffer.pending": "half"}),
    ],
}


@pytest.mark.seed("S3.029", "S3.030", "S3.041", "S3.042", "S3.060", "S3.063", "F-63", "F-64", "F-65")
@pytest.mark.parametrize(
    ("check", "good", "bad"), [(name, good, bad) for name, pairs in CASES.items() for good, bad in pairs]
)
def test_each_check_passes_and_fails(root, check, good, bad):
    """With one note it passes, with the other it warns, and says where."""
    for path, text in good.items():
        write(root, path, text)
    fine = grades(root)[check]
    for path in good:
        (root / path).unlink()
    for path, text in bad.items():
        write(root, path, text)
    found = grades(root)[check]
    assert (fine.grade in {Grade.PASS, Grade.SKIPPED}, found.grade) == (True, Grade.WARNING)
    assert (bool(found.findings), {one.code for one in found.findings}) == (True, {check})


@pytest.mark.seed("S3.029", "F-64")
@pytest.mark.parametrize(("number", "grade"), [(61, Grade.PASS), (62, Grade.WARNING)])
def test_daily_notes_do_not_pile_up(root, number, grade):
    """All days that may stand here, and a month to put them away."""
    for day in range(number):
        write(root, f"notes/daily/{date.fromordinal(TODAY.toordinal() - day)}.md", CLOSED)
    assert grades(root, daily_days=30)["episodic-count"].grade is grade


@pytest.mark.seed("F-65")
def test_an_unknown_tag_gets_a_suggestion(root):
    """The nearest one; a tag like none of them is offered a line."""
    write(root, "tags.toml", VOCABULARY)
    write(root, SEMANTIC, "# G\n#tags: gardn, zzz, 猫\n> last_verified: 2026-05-14\n")
    hints = [one.hint for one in grades(root)["vocabulary"].findings]
    assert hints == [
        "did you mean `garden`?",
        'add `zzz = "why"` to tags.toml, or take it out',
        'add `"猫" = "why"` to tags.toml, or take it out',
    ]


@pytest.mark.seed("F-65")
def test_without_a_vocabulary_every_tag_is_welcome(root):
    """Nobody fails for not having another person's servers."""
    write(root, SEMANTIC, GOOD_WARM.replace("tools", "anything-at-all"))
    assert grades(root)["vocabulary"].grade is Grade.SKIPPED


@pytest.mark.seed("S3.041", "S3.042")
def test_a_frozen_vocabulary_of_37(tmp_path):
    """It comes with the design: its own tags pass, another is told, and is not written."""
    from memoracle.compose import init, open_memory
    from memoracle.errors import BadInput

    place, path = tmp_path / "workspace", "memory/semantic/garden.md"
    init(str(place), layout="v4", environment={})
    tags = (
        "tailscale tailnet docker synapse matrix coturn qdrant ubuntu systemd ufw fail2ban samba ssh networking gateway pm2 "
        "rules style workflow memory habits audit skills security review deepseek puppeteer benchmark troubleshooting tasks "
        "checklist backup diagnostics postmortem errors fixes anti-patterns"
    ).split()
    write(place, path, f"# G\n#tags: {' '.join(tags)}\n> last_verified: 2026-05-14\n")
    assert (len(tags), grades(place, layout="v4")["vocabulary"].says) == (37, "every tag is one of 37")
    write(place, path, "# G\n#tags: dockr\n> last_verified: 2026-05-14\n")
    (found,) = grades(place, layout="v4")["vocabulary"].findings
    assert found.hint == "did you mean `docker`?"
    before = (place / path).read_text()
    with open_memory(str(place), environment={}) as memory:
        with pytest.raises(BadInput, match="dockr"):
            memory.note("roses", to="garden", tags=["dockr"])
        assert (place / path).read_text() == before
        memory.add_tag("roses", because="they climb")
        memory.note("roses", to="garden", tags=["roses"])


def test_other_designs_keep_their_own_conventions(tmp_path):
    """Notes of a workspace that has no tags lines are not asked for them."""
    from memoracle.compose import init

    place = tmp_path / "workspace"
    init(str(place), layout="openclaw", environment={})
    write(place, "memory/plans.md", "no tags here\n")
    write(place, "memory/2026-05-01.md", "no closing lines\n")
    found = grades(place, layout="openclaw")
    assert [found[name].grade for name in ("tags-line", "last-verified", "closure-blocks")] == [
        Grade.SKIPPED
    ] * 3


@pytest.mark.seed("S3.029", "S3.060")
def test_the_places_are_those_of_the_layout(tmp_path):
    """A v4 workspace is looked at where its notes are."""
    from memoracle.compose import init

    place = tmp_path / "workspace"
    init(str(place), layout="v4", environment={})
    write(place, "memory/semantic/infrastructure.md", "# I\n")
    write(place, "memory/episodic/2026-05-13.md", "# 2026-05-13\n\n- 部署\n")
    write(place, "memory/working-buffer.md", buffer_of(81, active="2026-05-01"))
    found = grades(place, layout="v4")
    failing = [name for name, check in found.items() if check.grade is Grade.WARNING]
    assert failing == ["tags-line", "last-verified", "buffer", "closure-blocks", "orphaned-buffer"]


@pytest.mark.parametrize(
    "line", ["[" * 1_000_000, " " * 1_000_000, "-" * 1_000_000, "[[" * 500_000, "a" * 1_000_000]
)
def test_hostile_lines_cost_no_more_than_their_length(root, line):
    """A megabyte on one line in every kind of note."""
    write(root, "MEMORY.md", f"# M\n## Active Decisions\n{line}\n## Open questions\n{line}\n")
    for path in (SEMANTIC, DAILY, BUFFER):
        write(root, path, f"{line}\n{line}\n")
    assert list(grades(root)) == IDS
