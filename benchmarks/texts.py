"""Made-up memories in English and Chinese, with a question for each; the same seed gives the same texts.

Nothing here comes from outside. Names and places are drawn with a long tail, as in real notes: a few
turn up everywhere, most of them seldom.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass


def _split(text: str, mark: str | None = None) -> list[str]:
    return [part.strip() for line in text.strip().split("\n") for part in line.strip().split(mark)]


_PEOPLE = _split(
    """
    Ana Bruno Chidi Dana Elif Farah Goran Hana Iris Jonas Kavya Liam Mei Nadia Omar Petra Quinn Rosa
    Sven Tara
    """
)
_SURNAMES = _split(
    """
    Abara Berg Castro Dietz Eriksen Fofana Garcia Haddad Ito Jansen Kowalski Lindqvist Moreau Novak
    Okafor
    """
)
_THINGS = _split(
    """
    invoice export|login page|search index|backup job|mobile app|billing service|onboarding guide
    price list|release notes|data model|test suite|landing page|support inbox|payment gateway
    image cache|rate limiter|audit log|staging cluster|feature flag|translation file|calendar sync
    licence check|video player|coffee machine|bike shed
    """,
    "|",
)
_REASONS = _split(
    """
    the old one kept failing at night|two customers asked for it|it saves about an hour a week
    the contract ends in spring|nobody could find it any more|the numbers did not match the ledger
    the vendor raised its prices|it was too slow on small phones|the tests were red for three days
    legal wanted a second signature|the cache was never cleared|it broke when the clock changed
    """,
    "|",
)
_PLACES = _split(
    """
    Lisbon Kyoto Bergen Nairobi Quito Tallinn Porto Hanoi Cork Malmö Graz Lyon Izmir Osaka Turin Ghent
    """
)
_FOODS = _split(
    """
    oat milk|peanuts|black tea without sugar|spicy noodles|rye bread|green olives|cold brew|shellfish
    sour cherries|lentil soup|dark chocolate|fresh ginger
    """,
    "|",
)
_DAYS = _split(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    """
)
_ZH_PEOPLE = _split(
    """
    王芳 李伟 张敏 刘洋 陈静 杨磊 赵婷 黄强 周丽 吴涛 徐明 孙悦 马超 朱琳 胡波 郭雪 何军 林晓 高峰 罗兰
    """
)
_ZH_THINGS = _split(
    """
    发票导出|登录页面|搜索索引|备份任务|手机应用|计费服务|入职手册|价格表|发布说明|数据模型|测试套件
    支付网关|图片缓存|限流组件|审计日志|预发集群|功能开关|翻译文件|日历同步|许可检查|视频播放器|咖啡机
    停车位|会议室
    """,
    "|",
)
_ZH_REASONS = _split(
    """
    旧的那个每晚都出错|有两位客户提出了要求|每周能省一个小时|合同到春天就结束了|数字和账本对不上
    供应商涨价了|在旧手机上太慢了|测试连续三天没有通过|法务要求第二个人签字|缓存从来没有清理过
    时钟调整以后就坏了|大家都找不到它了
    """,
    "|",
)
_ZH_PLACES = _split(
    """
    杭州 成都 厦门 昆明 西安 青岛 苏州 长沙 大连 贵阳 桂林 珠海 无锡 洛阳 扬州 丽江
    """
)
_ZH_FOODS = _split(
    """
    燕麦奶 花生 乌龙茶 麻辣火锅 黑麦面包 豆腐脑 冷萃咖啡 虾和蟹 酸梅汤 小米粥 黑巧克力 鲜姜
    """
)
_ZH_DAYS = _split(
    """
    周一 周二 周三 周四 周五 周六 周日
    """
)

_SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()


@dataclass(frozen=True)
class Sample:
    """Something to remember, and a question it answers."""

    text: str
    question: str
    language: str


def samples(number: int, *, seed: int = 1) -> Iterator[Sample]:
    """So many different memories, every third one in Chinese."""
    dice = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < number:
        made = _chinese(dice) if dice.random() < 1 / 3 else _english(dice)
        if made.text not in seen:
            seen.add(made.text)
            yield made


def _english(dice: random.Random) -> Sample:
    who, other = _person(dice), _person(dice)
    thing, why = _one(dice, _THINGS), _one(dice, _REASONS)
    code, day, place = _code(dice), _one(dice, _DAYS), _one(dice, _PLACES)
    food, hour, size = _one(dice, _FOODS), dice.randint(8, 18), dice.randint(2, 900)
    forms = (
        (f"{who} decided to move the {thing} to {code}, because {why}.", f"Why did {who} move the {thing}?"),
        (f"{who} and {other} meet every {day} at {hour}:00 to review the {thing} of {code}.",
         f"When do {who} and {other} review the {thing}?"),
        (f"{who} prefers {food} and asked {other} to order {size} portions for the workshop in {place}.",
         f"What does {who} prefer to eat or drink?"),
        (f"The {thing} of {code} failed with error E{size:04d}; {who} restarted the worker on {day}.",
         f"How was error E{size:04d} in the {thing} fixed?"),
        (f"{who} moved to {place} in {2015 + size % 11} and now works on {code} with {other}.",
         f"Where did {who} move to?"),
        (f"The password rotation of {code} is due on {day}; {who} owns it, {other} is the deputy.",
         f"Who owns the password rotation of {code}?"),
        (f"Customer {code} pays {size} euros a month for the {thing}; {who} signed the contract in {place}.",
         f"How much does customer {code} pay for the {thing}?"),
        (f"Lesson from {day}: never deploy the {thing} before {hour}:00, {why}. {who} wrote it down.",
         f"When should the {thing} not be deployed?"),
    )  # fmt: skip
    text, question = dice.choice(forms)
    return Sample(text=text, question=question, language="en")


def _chinese(dice: random.Random) -> Sample:
    who, other = _one(dice, _ZH_PEOPLE), _one(dice, _ZH_PEOPLE)
    thing, why = _one(dice, _ZH_THINGS), _one(dice, _ZH_REASONS)
    code, day, place = _code(dice), _one(dice, _ZH_DAYS), _one(dice, _ZH_PLACES)
    food, hour, size = _one(dice, _ZH_FOODS), dice.randint(8, 18), dice.randint(2, 900)
    forms = (
        (f"{who}决定把{thing}迁移到{code}，因为{why}。", f"{who}为什么要迁移{thing}？"),
        (f"{who}和{other}每{day}{hour}点在{place}会议室评审{code}的{thing}。",
         f"{who}和{other}什么时候评审{thing}？"),
        (f"{who}喜欢{food}，请{other}为{place}的培训订{size}份。", f"{who}喜欢吃什么或者喝什么？"),
        (f"{code}的{thing}报错 E{size:04d}，{who}在{day}重启服务以后恢复了。",
         f"错误 E{size:04d} 是怎么解决的？"),
        (f"{who}{2015 + size % 11}年搬到了{place}，现在和{other}一起做{code}。", f"{who}搬到了哪里？"),
        (f"{code}的密码在{day}之前要更换，负责人是{who}，{other}是候补。", f"谁负责更换{code}的密码？"),
        (f"客户{code}每个月为{thing}支付{size}元，合同由{who}在{place}签署。",
         f"客户{code}每个月支付多少钱？"),
        (f"{day}的教训：{hour}点以前不要发布{thing}，{why}。由{who}记录。", f"{thing}什么时候不要发布？"),
    )  # fmt: skip
    text, question = dice.choice(forms)
    return Sample(text=text, question=question, language="zh")


def _person(dice: random.Random) -> str:
    return f"{_one(dice, _PEOPLE)} {_one(dice, _SURNAMES)}"


def _code(dice: random.Random) -> str:
    """A name for a project or a customer: a few are common, most are rare."""
    common = dice.random() < 0.3
    rare = 3 if common else 3 + dice.randint(0, 1)
    letters = random.Random(dice.randint(0, 30)) if common else dice
    return "".join(letters.choice(_SYLLABLES) for _ in range(rare)).title()


def _one(dice: random.Random, words: list[str]) -> str:
    """One of the words, the first ones far more often than the last."""
    return words[min(int(dice.expovariate(4) * len(words)), len(words) - 1)]
