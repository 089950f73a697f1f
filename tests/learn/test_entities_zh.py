"""Who and what Chinese sentences name."""

import pytest

from memoracle.learn.entities import entities_of


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("我哥王强在西门子上班", "王强"), ("我叫林晓东", "林晓东"),
        ("我女朋友小敏今晚过来", "小敏"), ("明天和张总吃饭", "张总"),
        ("我在浙江大学读书", "浙江大学"), ("青鸟项目的截止日期是5月30号", "青鸟"),
        ("我搬到杭州了", "杭州"), ("最近在看《三体》", "三体"), ("我用Neovim写代码", "Neovim"),
    ],
)  # fmt: skip
def test_names(text, name):
    """Surnames, endings and the words around a name tell that it is one."""
    assert list(entities_of(text)) == [name]


@pytest.mark.parametrize("text", ["我对花生过敏", "今天天气不错", "高兴就好", "马上就来", "我明白了"])
def test_no_names(text):
    """A surname's character does not make a name."""
    assert entities_of(text) == {}


@pytest.mark.parametrize(
    ("text", "name", "aliases"),
    [
        ("王建国，外号老王，是我邻居", "王建国", ("老王",)),
        ("我儿子张子涵（小名豆豆）三岁了", "张子涵", ("豆豆",)),
    ],
)
def test_aliases(text, name, aliases):
    """Another name of somebody belongs to them."""
    assert entities_of(text) == {name: aliases}


@pytest.mark.seed("S2.134")
def test_names_that_differ_in_a_digit():
    """robot_5 and robot_50 are two."""
    assert list(entities_of("robot_5和robot_50不一样")) == ["robot_5", "robot_50"]
