"""The language of a reply, by the operator's last messages."""

import pytest

from memoracle.extensions.seats.manners.language import choose, usual


@pytest.mark.seed("S1.240")
@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("七个中文字符在" + "abc", "zh"),
        ("我们先看看结果吧" + "ab", "zh"),
        ("please have a look at the numbers 吧", "en"),
        ("ok", "zh"),
        ("", "zh"),
        ("好", "zh"),
        ("Сделай это сегодня вечером", "zh"),
        ("明日までにお願いします", "zh"),
        ("我觉得这个 plan 不够 good", "zh"),
    ],
)
def test_the_language_of_one_message(message, language):
    """Clear majorities decide; mixed, short or other is the default."""
    assert choose([message], default="zh").language == language


@pytest.mark.seed("S1.240")
@pytest.mark.parametrize(
    ("chinese", "because"), [(7, "languages are mixed"), (8, "8 of 10 letters are Chinese")]
)
def test_seventy_percent_is_not_enough(chinese, because):
    """Seven of ten is mixed, eight of ten is Chinese."""
    found = choose(["中" * chinese + "a" * (10 - chinese)], default="en")
    assert (found.because, found.language) == (because, "zh" if chinese == 8 else "en")


@pytest.mark.seed("S1.240")
@pytest.mark.parametrize(("english", "language"), [(7, "zh"), (8, "en")])
def test_the_same_holds_for_english(english, language):
    """Seven of ten is mixed, eight of ten is English."""
    assert choose(["a" * english + "中" * (10 - english)], default="zh").language == language


@pytest.mark.seed("S1.240")
def test_only_the_last_three_count():
    """What was said before does not."""
    assert (
        choose(
            ["这是很久以前说的一大段中文内容" * 20, "please go on", "what about tests", "thank you"]
        ).language
        == "en"
    )


@pytest.mark.seed("S1.241")
@pytest.mark.parametrize(
    "message",
    [
        "看一下 `memory.search(question, limit=10)` 的结果",
        "打开 https://example.com/a/very/long/path?with=parameters 看看结果",
        "帮我改 src/memoracle/extensions/seats/cli_scan.py 这个文件",
        "用 --dry-run --project 再跑一次吧",
        "```python\nfor passage in memory.search('everything'):\n    print(passage)\n```\n这段代码有问题",
        "$ git rebase --interactive origin/main\n这条命令报错了",
        "MemoryError 和 read_document 是怎么回事呢",
        "给 API 和 CLI 都加上 README.md 的说明",
    ],
)
def test_what_stays_original_is_not_counted(message):
    """Code, commands, paths, addresses and names in code belong to no language."""
    assert choose([message], default="en").language == "zh"


@pytest.mark.seed("S1.241")
def test_a_conversation_keeps_its_language():
    """A short or mixed word in between does not turn it; a clear change does."""
    assert [
        choose([said], current="en").language for said in ("ok", "好 fine 的 then", "请用中文回答我的问题")
    ] == ["en", "en", "zh"]


@pytest.mark.parametrize(
    ("said", "locale", "language"),
    [
        ((), {}, "en"), ((), {"LANG": "zh_CN.UTF-8"}, "zh"), ((), {"LC_ALL": "de_DE", "LANG": "zh_CN"}, "en"),
        (["我住在杭州", "每周四部署"], {"LANG": "en_US.UTF-8"}, "zh"), (["I live in Boston"], {"LANG": "zh_CN"}, "en"),
    ],
)  # fmt: skip
def test_what_to_begin_in_when_nobody_chose(said, locale, language):
    """What the owner has been writing, then the locale; never Chinese without a reason."""
    assert usual(said, locale) == language
