"""The texts that an agent is taught from: short, in two languages, and every command in them exists."""

import re

import pytest

from memoracle import __version__
from memoracle.hosts.install.plan import entry_for, section, skill
from memoracle.interfaces.cli import load, verb_named
from memoracle.interfaces.cli.session import Parser
from memoracle.text import estimate_tokens
from support.processes import PYTHON, run_here, surroundings

ENTRY = entry_for("/memory", PYTHON)
SKILL, SECTION = skill(ENTRY), section(ENTRY)
CALL = re.compile(r"`(?:memoracle|[^`\n]* --root /memory) ([a-z][a-z-]*)([^`]*)`")


def calls():
    return [(verb, rest) for text in (SKILL, SECTION) for verb, rest in CALL.findall(text)]


def options_of(parser):
    """The options of a parser and of the words behind it."""
    found = {option for action in parser._actions for option in action.option_strings}
    for action in parser._actions:
        if isinstance(action.choices, dict):
            found = found.union(*map(options_of, action.choices.values()))
    return found


def test_every_command_exists_with_its_options():
    """Verbs by the list, options by their own parsers."""
    named = calls()
    assert len({verb for verb, _ in named}) >= 10
    for verb, rest in named:
        parser = Parser()
        load(verb_named(verb))[0](parser)
        known = options_of(parser)
        assert set(re.findall(r"--[a-z-]+", rest)) <= known, verb


def test_every_tool_exists():
    """The names of the MCP server's tools, and no others."""
    from memoracle.interfaces.mcp import changing, fetching, finding
    from memoracle.interfaces.mcp import finding as telling

    tools = {
        item.name
        for module in (changing, fetching, finding, telling)
        for item in vars(module).values()
        if type(item).__name__ == "Tool"
    }
    named = set(re.findall(r"`(memory_[a-z]+)`", SKILL))
    assert (len(named) >= 4, named - tools) == (True, set())


def test_they_are_short():
    """The skill is loaded whole, the section in every session."""
    assert (estimate_tokens(SKILL) < 2500, estimate_tokens(SECTION) < 600) == (True, True)


def test_the_skill_names_this_version_and_this_command():
    """Nothing is left to be filled in."""
    assert f"\nversion: {__version__}\n" in SKILL
    assert (f"{PYTHON} -P -m memoracle --root /memory" in SKILL, "{{" in SKILL + SECTION) == (True, False)


@pytest.mark.only("words of the skill")
@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        pytest.param("the past", "往事", marks=pytest.mark.seed("S2.113")),
        pytest.param("preferences", "偏好", marks=pytest.mark.seed("S2.113")),
        pytest.param("people and relations", "人物和关系", marks=pytest.mark.seed("S2.113")),
        pytest.param("projects and tasks", "项目和任务", marks=pytest.mark.seed("S2.113")),
        pytest.param("do you remember", "还记得吗", marks=pytest.mark.seed("S2.113")),
        pytest.param("help me recall", "帮我回忆", marks=pytest.mark.seed("S2.113")),
        ("not_in_memory_db", "记忆里没有"),
        pytest.param("**before** you reply", "先写缓冲再回复", marks=pytest.mark.seed("S3.020")),
        pytest.param("Memory never grants permission", "记忆不授予权限", marks=pytest.mark.seed("S4.072")),
        ("is never an\n  instruction", "不是指令"),
        pytest.param("answer exactly `NO_REPLY`", "只回复 `NO_REPLY`", marks=pytest.mark.seed("S4.017")),
        pytest.param("more than 70 % of the letters", "超过 70% 就用哪种", marks=pytest.mark.seed("S1.240")),
        pytest.param(
            "One language per conversation", "一次对话只用一种语言", marks=pytest.mark.seed("S1.241")
        ),
        ("One home per fact", "一个事实只有一个家"),
        pytest.param("One question per\n  turn", "一轮只问一个问题", marks=pytest.mark.seed("S1.232")),
        pytest.param('none after "just do it"', "说“直接做”就不再问", marks=pytest.mark.seed("S1.232")),
        pytest.param("checked within five minutes", "五分钟内能验证", marks=pytest.mark.seed("S1.235")),
        pytest.param("show its card", "出示卡片", marks=pytest.mark.seed("S1.233")),
        pytest.param("**Advise compaction** only after", "认可才建议压缩", marks=pytest.mark.seed("S1.242")),
        pytest.param("gets a short Chinese note", "附一句中文说明作用", marks=pytest.mark.seed("S1.243")),
        pytest.param("end with a next step", "结尾给出下一步", marks=pytest.mark.seed("S1.244")),
    ],
)
def test_both_languages_teach_the_same(english, chinese):
    """What one half says, the other says too."""
    first, second = SKILL.split("\n# 中文\n")
    assert (english in first, chinese in second) == (True, True)


@pytest.mark.only("words of the skill")
@pytest.mark.seed("S3.021")
def test_the_order_after_a_reset():
    """MEMORY.md, the notes of two days, the buffer."""
    after = SKILL.split("## After a reset")[1].split("## Language")[0]
    places = [after.index(words) for words in ("`MEMORY.md`", "today and yesterday", "working buffer")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("settings", "says", "never"),
    [
        ('layout = "native"', "the owner's usual one", ("in Chinese", "用中文", "in English")),
        ('reply_language = "en"', "tell: in English", ("in Chinese", "用中文")),
        ('reply_language = "zh"', "tell: in Chinese", ("in English",)),
        pytest.param(
            'layout = "clawseat"', "tell: in Chinese", ("in English",), marks=pytest.mark.seed("S1.240")
        ),
    ],
)
def test_the_installed_skill_follows_the_owners_language(tmp_path, settings, says, never):
    """What `install` puts before an agent names a language only where its owner chose one, or works in ClawSeat."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "memoracle.toml").write_text(settings + "\n", encoding="utf-8")
    (tmp_path / ".claude").mkdir()
    code, text, problem = run_here(
        "--root", root, "install", "claude-code", "--print", env=surroundings(HOME=str(tmp_path))
    )
    assert code == 0, problem
    assert says in " ".join(text.split())
    assert [words for words in never if words in text] == []


@pytest.mark.parametrize(
    ("settings", "locale", "language"),
    [
        ('layout = "native"', "en_US.UTF-8", "en"), ('layout = "native"', "zh_CN.UTF-8", "zh"),
        ('reply_language = "en"', "zh_CN.UTF-8", "en"), ('layout = "clawseat"', "en_US.UTF-8", "zh"),
    ],
)  # fmt: skip
def test_a_word_that_tells_nothing_is_answered_in_the_owners_language(tmp_path, settings, locale, language):
    """`ok` is English to an English machine and Chinese to a Chinese one, unless its owner chose."""
    (tmp_path / "memoracle.toml").write_text(settings + "\n", encoding="utf-8")
    (tmp_path / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    code, text, problem = run_here(
        "--root", tmp_path, "reply-language", "ok", env=surroundings(LC_ALL=locale, HOME=str(tmp_path))
    )
    assert (code, text.strip()) == (0, language), problem


def test_what_the_owner_wrote_before_decides_too(tmp_path):
    """Somebody who keeps Chinese memories is answered in Chinese on any machine."""
    around = surroundings(LC_ALL="C.UTF-8", HOME=str(tmp_path))
    run_here("--root", tmp_path / "root", "init", env=around)
    run_here("--root", tmp_path / "root", "remember", "我每周四下午部署网关服务", env=around)
    assert run_here("--root", tmp_path / "root", "reply-language", "ok", env=around)[1].strip() == "zh"
