"""What Chinese turns claim, and what they do not."""

import pytest

from memoracle.learn.claims import importance
from memoracle.model.claim import Stance
from memoracle.model.record import Kind
from support.turns import claims


def slots(text):
    return [
        (one.draft.statement.subject, one.draft.statement.predicate, one.draft.statement.object)
        for one in claims(text)
    ]


@pytest.mark.seed("F-47", "S2.079")
@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("我对花生过敏", ("user", "allergic_to", "花生")), ("我叫小明", ("user", "is_called", "小明")), ("我是大三学生", ("user", "is", "大三学生")),
        ("我喜欢喝绿茶", ("user", "likes", "喝绿茶")), ("我在 Google 做 SRE", ("user", "works_at", "Google")), ("我用 vim", ("user", "uses", "vim")),
        ("我女儿对青霉素过敏", ("女儿", "allergic_to", "青霉素")), ("我老婆叫沈曼啦", ("user", "spouse", "沈曼")), ("我住成都哦", ("user", "lives_in", "成都")),
        ("提醒我明天给花浇水", ("user", "has_to", "明天给花浇水")), ("我们决定用Postgres", ("user", "decided", "用Postgres")),
        ("后端部署在腾讯云", ("后端", "deployed_on", "腾讯云")), ("我邮箱是 a.b@c.cn", ("user", "email", "a.b@c.cn")),
    ],
)  # fmt: skip
def test_slots(text, slot):
    """Subject, predicate and object, without particles, whatever the spaces."""
    assert slot in slots(text)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("我對海鮮過敏", ("user", "allergic_to", "海鲜")), ("我喜歡貓", ("user", "likes", "猫")), ("我現在住在台北", ("user", "lives_in", "台北")),
        ("以後都用繁體中文回覆我", ("user", "wants_always", "用繁体中文回覆我")),
    ],
)  # fmt: skip
def test_traditional_characters(text, slot):
    """They are read alike, and one thing in two scripts is one object; the words stay as they were said."""
    assert slots(text) == [slot]
    assert claims(text)[0].draft.statement.text == text


@pytest.mark.seed("F-46", "C-14")
@pytest.mark.parametrize("text", ["我对花生过敏", "你好，请记住我对花生过敏"])
def test_short_and_greeted(text):
    """Neither shortness nor a greeting loses an allergy."""
    (claim,) = claims(text)
    assert (claim.draft.kind, claim.draft.weight.importance) == (Kind.HEALTH, 1.0)


@pytest.mark.seed("F-49")
@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("我们上周搬到杭州了", Stance.CORRECT), ("其实我住在杭州", Stance.CORRECT), ("不对，小雅是我表妹，不是我妹妹", Stance.CORRECT), ("我换成Neovim了", Stance.CORRECT),
        ("我不住北京了", Stance.DENY), ("我不再喜欢摇滚了", Stance.DENY), ("我从腾讯离职了", Stance.DENY), ("我已经不吃降糖药了", Stance.DENY),
        ("我放弃考公了", Stance.DENY), ("我住在杭州", Stance.ASSERT),
    ],
)  # fmt: skip
def test_stances(text, stance):
    """Changes replace, endings deny."""
    assert claims(text)[0].stance is stance


@pytest.mark.seed("S2.021")
@pytest.mark.parametrize(
    "text", ["我可能对花生过敏", "感觉我有点胃食管反流", "我好像更适合早上工作", "我大概住在三环附近"]
)
def test_hedges(text):
    """What is only supposed is a belief."""
    (claim,) = claims(text)
    assert claim.draft.kind is Kind.BELIEF
    assert 0.3 <= claim.draft.weight.confidence <= 0.8


@pytest.mark.seed("S2.031")
def test_signals():
    """A wish to keep raises, an aside lowers."""
    assert importance("lives_in", "请记住我住在罗马") > importance("lives_in", "我住在罗马")
    assert importance("lives_in", "顺便说一句，我住在罗马") < importance("lives_in", "我住在罗马")


@pytest.mark.parametrize(
    "text",
    [
        "帮我写个函数", "我想要一个匹配日期的正则", "我需要你写一首诗", "把这个函数改名叫load_rows", "先别动配置文件", "这里用列表推导式", "记得在finally里把文件关掉",
        "我应该用哪个框架？", "你还记得我老婆叫什么吗", "我住哪儿你知道吗", "怎么撤销上一次提交", "我要退出登录怎么弄",
        "如果我住在挪威，要交多少税？", "假如我对乳胶过敏，该买什么手套", "要是我住在上海就好了",
        "她说“我对周一过敏”，大家都笑了", "网上说喝咖啡不好", "据新华社报道，新线路今天开通", "老师说：以后每次都要交作业", "客户原话：“我喜欢旧版布局，请记住。”",
        "咱们玩角色扮演，你是海盗，我是总督", "开玩笑的，我是火星人", "写一篇日记：今天我去了公园",
        "你好", "谢谢，搞定了", "好的", "哈哈哈哈", "我来了", "我好累", "我准备好了", "我叫不动它", "我爱了爱了", "我喜欢这个效果", "我讨厌这个bug",
        "我有个问题想问", "我有两个文件打开着", "我在设置页面，没看到开关", "我用了你上一段代码", "我选第二个", "其实改成三列更好看", "我会去尝试一下",
        "长江是中国最长的河", "李白是唐代诗人", "错误：插件未安装。绝对不要以root身份运行。", "今天天气不错", "明天是星期三", "明天见",
    ],
)  # fmt: skip
def test_nothing_is_claimed(text):
    """Requests, questions, suppositions, quotations, play, small talk, states and the world at large."""
    assert claims(text) == []


def test_who_goes_unnamed():
    """A clause without a subject goes on speaking of whom the sentence spoke."""
    assert slots("我家猫叫煤球，今年三岁") == [("user", "pet", "煤球")]
    assert ("user", "age", "36岁") in slots("我叫林晓东，今年36岁")


def test_several_in_one_breath():
    """A self-introduction gives each of its facts."""
    found = slots("早上好！先自我介绍一下，我是苏晴，在苏州一家外企做财务，养了一只柯基。")
    assert {predicate for _, predicate, _ in found} == {"is_called", "works_as", "pet"}
