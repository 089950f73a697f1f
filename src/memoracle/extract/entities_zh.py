"""Who and what a Chinese sentence names: people by their surnames, places and organisations by their endings.

Shapes and the words around them; no list of the world but the largest cities. Careful rather than complete:
a name that stands without any sign is left alone. Expressions are bounded and compiled at their first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_NOT_IN_ORGANISATIONS = (
    "在去到是从于的我你他她们叫进了和跟有做读上考一家个名这那某本该新老大小各为把被让给对来自"
)
_ORGANISATION = "大学|学院|中学|小学|幼儿园|医院|诊所|银行|公司|集团|研究所|研究院|事务所|律所|工作室|出版社|电视台|报社|协会|基金会|委员会|科技|证券|保险|法院|派出所|博物馆|图书馆"
_PLACE = "省|市|自治区|区|县|镇|村|路|街|大道|广场|小区|机场|火车站|高铁站"
_CITIES = (
    "北京|上海|广州|深圳|杭州|成都|重庆|武汉|西安|南京|苏州|天津|长沙|郑州|青岛|厦门|宁波|合肥|福州|济南|大连|沈阳|哈尔滨|昆明|贵阳|南宁|南昌|太原|兰州|乌鲁木齐"
    "|拉萨|海口|三亚|珠海|香港|澳门|台北|高雄|新加坡|东京|大阪|首尔|曼谷|伦敦|巴黎|柏林|纽约|旧金山|西雅图|洛杉矶|波士顿|多伦多|温哥华|悉尼|墨尔本"
)
_SAID_OF_PEOPLE = "是我|也?在|说|喜欢|的(?:邮箱|电话|手机|微信|生日|地址|联系)|对|住|叫|和我|跟我|今年|老师|先生|女士|经理|医生|总|会|要|来|过来|今晚|明晚|下周|明天|今天|昨天"


@lru_cache(maxsize=1)
def _expressions() -> tuple[tuple[str, re.Pattern[str]], ...]:
    from memoracle.extract.lexicon_zh import KIN, SURNAMES
    from memoracle.extract.pieces_zh import LETTER, TITLE

    kin = "|".join(KIN.values())
    full = rf"(?:[{SURNAMES}]{LETTER}{{1,2}})"
    titled = rf"(?:[{SURNAMES}]{TITLE})"
    called = rf"(?:{full}|{titled}|[小老阿]{LETTER})"
    organisation = rf"(?:(?![{_NOT_IN_ORGANISATIONS}])[一-龥A-Za-z0-9]){{2,10}}(?:{_ORGANISATION})"
    place = rf"[一-龥]{{1,8}}?(?:{_PLACE})"
    return (
        ("organization", re.compile(rf"({organisation})")),
        (
            "person",
            re.compile(
                rf"(?:叫做?|名叫|名字是|(?:我|咱)们?家?的?(?:{kin})(?:是|叫)?|我是)({called})(?={_SAID_OF_PEOPLE}|[，。！？、；,.!?;\s（(]|$)"
            ),
        ),
        ("person", re.compile(rf"(?<![一-龥])({called})(?={_SAID_OF_PEOPLE})")),
        (
            "person",
            re.compile(
                rf"(?:联系人|联系|找|问|给|跟|和|欠|约了?)({full}|{titled})(?=[，。！？、；,.!?;\s]|$|的|一|吃|开|打|见|说|要|拿|取)"
            ),
        ),
        (
            "project",
            re.compile(r"(?:项目|产品|代号)(?:名?(?:叫|是)|代号(?:叫|是)?)[“「]?([一-龥A-Za-z0-9_-]{2,12})"),
        ),
        (
            "project",
            re.compile(
                r"(?:^|[，。！？；\s“「])((?!这|那|该|我|你|他|新|老|整|某|做|个|一)[一-龥A-Za-z0-9_-]{2,10})项目"
            ),
        ),
        ("location", re.compile(rf"((?:{_CITIES})(?:市)?)")),
        (
            "location",
            re.compile(rf"(?:住在?|搬到了?|来自|老家(?:在|是)?|位于|地址(?:是|[：:])|去|到)\s?({place})"),
        ),
        ("other", re.compile(r"《([^《》]{1,30})》")),
    )


@lru_cache(maxsize=1)
def _alias() -> re.Pattern[str]:
    from memoracle.extract.lexicon_zh import SURNAMES
    from memoracle.extract.pieces_zh import LETTER

    name = rf"(?:[{SURNAMES}]{LETTER}{{1,2}}|[一-龥]{{2,12}}(?:{_ORGANISATION}|项目)|[A-Za-z][A-Za-z0-9_-]{{1,20}}|(?<![一-龥])(?!我|这|那|他|她)[一-龥]{{2,6}})"
    return re.compile(
        rf"(?P<name>{name})[（(，,]?(?:又名|又叫|也叫|小名|英文名|中文名|外号|绰号|别名|简称|人称|昵称)(?:是|叫)?[：: ]?[“\"「]?(?P<alias>[\w·]{{1,16}})"
    )


def names_in(text: str) -> list[tuple[str, int, str]]:
    """The names in a text, each with its place and what sort of thing it names."""
    from memoracle.extract.lexicon_zh import CHINESE
    from memoracle.extract.script_zh import FOLDS

    folded = text.translate(FOLDS)
    taken: list[tuple[int, int]] = []
    found = []
    for sort, expression in (*_expressions(), ("person", _alias())):
        for match in expression.finditer(folded):
            start, end = match.span(1)
            if (sort == "person" and match[1] in CHINESE.not_names) or any(
                start < last and first < end for first, last in taken
            ):
                continue
            taken.append((start, end))
            found.append((text[start:end], start, sort))
    return sorted(found, key=lambda one: one[1])


def aliases_in(text: str) -> Iterator[tuple[str, str]]:
    """Names, each with another name that the text gives it."""
    for match in _alias().finditer(text):
        yield match["name"], match["alias"]
