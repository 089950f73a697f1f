"""One home for each class of fact: where a text belongs, and which facts stand in two places."""

import random

import pytest

from memoracle.extensions.notebook.homes import DAILY, Stated, duplicates, fact_of, home_for, standing_in
from support.work import assert_linear


@pytest.mark.seed("S3.022", "S3.011", "S3.012")
@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("the database listens on port 5432", "infrastructure"),
        ("nas is at 192.168.1.20", "infrastructure"),
        ("数据库的端口是 5432", "infrastructure"),
        ("网站部署在阿里云上", "infrastructure"),
        ("Mei prefers green tea", "preferences"),
        ("always answer in one sentence", "preferences"),
        ("梅喜欢绿茶", "preferences"),
        ("请用中文回答", "preferences"),
        ("we decided to use SQLite because it needs no server", "decisions"),
        ("我们决定用 SQLite，因为不需要服务器", "decisions"),
        ("lesson: never deploy on a Friday", "lessons-learned"),
        ("教训：周五不要上线", "lessons-learned"),
        ("how to restore: first stop it, then copy the file", "procedures"),
        ("恢复的步骤见下", "procedures"),
        ("the arena project ends in June", "projects"),
        ("竞技场项目六月结束", "projects"),
        ("we had lunch at the lake", "daily"),
        ("今天下雨了", "daily"),
    ],
)
def test_a_text_has_one_home(text, home):
    """By the class of what it says, in both languages; what only happened belongs to its day."""
    assert home_for(text) == home


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("- W @Mei: likes tea", "likes tea"),
        ("- O(c=0.95) @Mei: tea is best", "tea is best"),
        ("- B: met Ada", "met Ada"),
        ("* 2026-05-14: use SQLite", "use SQLite"),
        ("3. 喝茶", "喝茶"),
        ("- use SQLite [[decisions]]", ""),
        ("- see [notes](../semantic/x.md)", ""),
        ("## Heading", ""),
        ("#tags: a, b", ""),
        ("plain words", "plain words"),
    ],
)
def test_the_fact_of_a_line(line, said):
    """Without bullet, type and date; a line that links to its home states nothing of its own."""
    assert fact_of(line) == said


def at(path, *texts, role="semantic"):
    return [
        Stated(path=path, line=number, role=role, text=text) for number, text in enumerate(texts, start=1)
    ]


A, B, DAY = "notes/semantic/a.md", "notes/semantic/b.md", "notes/daily/2026-05-15.md"


@pytest.mark.seed("S3.046", "F-66")
def test_the_same_fact_in_two_notes_is_found():
    """However it is spelled; the home comes first, then the day."""
    lines = [
        *at(DAY, "the server is at 10.0.0.7", role=DAILY),
        *at(A, "The server is at 10.0.0.7."),
        *at(B, "x" * 20),
    ]
    (found,) = duplicates(lines)
    assert (found.how, found.home, [one.place for one in found.lines]) == (
        "same",
        "infrastructure",
        [f"{A}#L1", f"{DAY}#L1"],
    )


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        (
            "the backup runs every night at three on the nas",
            "The backup  runs every night at three on the nas.",
            ["same"],
        ),
        (
            "the nightly backup job writes to the big nas in the cellar",
            "the nightly backup job writes to our big nas in the cellar now",
            ["near"],
        ),
        ("每天夜里三点备份到地下室的存储服务器上", "每天夜里三点备份到地下室存储服务器上", ["near"]),
        ("the backup runs on port 8080 every night", "the backup runs on port 8081 every night", []),
        ("the door is open to all guests", "the door is not open to all guests", []),
        ("the shop closes early on Monday evening", "the shop closes early on Friday evening", []),
        ("the office is in the north of Berlin", "the office is in the north of Hamburg", []),
        ("张伟负责服务器的维护工作", "张玮负责服务器的维护工作", []),
        ("Mei likes tea in the morning", "the printer is out of paper", []),
    ],
)
def test_near_is_near_and_different_is_different(one, other, how):
    """Numbers, names, days and a `not` make two facts of two lines."""
    assert [found.how for found in duplicates([*at(A, one), *at(B, other)])] == how


def test_two_days_may_tell_the_same():
    """And a note may repeat itself: that is its owner's business."""
    lines = [
        *at(DAY, "it rained all day", role=DAILY),
        *at("notes/daily/2026-05-14.md", "it rained all day", role=DAILY),
    ]
    assert duplicates(lines) == []
    assert duplicates(at(A, "the very same line", "the very same line")) == []


def test_what_stands_already_is_found_before_it_is_written():
    """A line as it would be written, beside those that stand."""
    found = list(standing_in("- 2026-05-15: Use SQLite!", at(A, "use SQLite", "use Postgres")))
    assert [(how, one.line) for how, one in found] == [("same", 1)]


def many_lines(count):
    """So many different facts of nine words, spread over forty notes; more facts have more words of their own."""
    chance = random.Random(3)
    words = [f"word{n}" for n in range(2 * count)]
    return [
        Stated(path=f"{n % 40}.md", line=n, role="semantic", text=" ".join(chance.choices(words, k=9)))
        for n in range(count)
    ]


@pytest.mark.long
def test_pairs_are_looked_at_only_where_rare_words_meet():
    """Counted: twice as many different facts are not four times the work, and the one near pair is found."""
    assert_linear(duplicates, many_lines, 600)
    lines = many_lines(600)
    lines.append(Stated(path="x.md", line=1, role="semantic", text=lines[77].text + " more"))
    (found,) = duplicates(lines)
    assert (found.how, {one.path for one in found.lines}) == ("near", {"x.md", lines[77].path})


@pytest.mark.long
@pytest.mark.parametrize("piece", ["first ", "`", "1.", "先", "- W @"])
def test_a_hostile_line_is_read_in_work_that_grows_with_it(piece):
    """A hundred thousand letters of anything, and twice as many."""
    assert_linear(home_for, lambda size: (piece * size)[:size], 100_000)
    assert_linear(fact_of, lambda size: (piece * size)[:size], 100_000)
    text = (piece * 100_000)[:100_000]
    assert (len(home_for(text)) < 40, len(fact_of(text)) <= len(text)) == (True, True)
