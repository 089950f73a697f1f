"""Of whom a sentence tells."""

import pytest

from memoracle.learn.claims import claims_of
from memoracle.learn.entities import person_in
from support.turns import fragments


def said(text):
    return [claim for one in fragments(text) for claim in claims_of(one)]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("My cousin Ingrid is allergic to penicillin.", "Ingrid"),
        ("our neighbour Mr. Obi broke his ankle", "Mr. Obi"),
        ("Marta works night shifts at the depot in Leith", "Marta"),
        ("We saw her yesterday, and Pavel wants to come along", "Pavel"),
        ("my landlord, Stefan, put the rent up", "Stefan"),
        ("I told you that Joanna moved to Ghent in May", "Joanna"),
        ("that's Femke, she runs the bakery", "Femke"),
        ("Dr. Okafor thinks it is the thyroid", "Dr. Okafor"),
        ("his tutor is Professor Lind", "Professor Lind"),
        ("Rahel's having the baby in Dresden", "Rahel"),
        ("Uncle Teo sold the boat", "Uncle Teo"),
        ("my grandma has cataracts", "grandma"),
        ("Dad retired from the railway in April", "Dad"),
        ("the dog has arthritis in both hips", "dog"),
        ("I drove my aunt to Inverness", "aunt"),
        ("Our son starts at Bangor in September", "son"),
        ("我表姐叶婷在苏州当护士", "叶婷"),
        ("老范下周退休", "老范"),
        ("小蕾对花生过敏", "小蕾"),
        ("楼下邻居住院了", "邻居"),
        ("阿强是我的室友", "阿强"),
        ("我爷爷有糖尿病，每天打胰岛素", "爷爷"),
        ("女儿明年考高中", "女儿"),
        ("周老师说下周三家长会", "周老师"),
        ("乐乐今年上三年级", "乐乐"),
        ("猫得了肾病", "猫"),
        ("我姑姑搬到珠海去了", "姑姑"),
    ],
)
def test_people(text, who):
    """By a name that is treated as one, or by what somebody is to the speaker."""
    assert person_in(text) == who


@pytest.mark.parametrize(
    "text",
    [
        "She lives in Tampere now",
        "He went to Lagos for the wedding",
        "They met at Nordea in Turku",
        "back from Aberdeen on Thursday",
        "Sept is bad, Oct is worse",
        "Portuguese is harder than it looks",
        "paid in CHF, the rest in SEK",
        "the HR and IT people said no",
        "B is cheaper than C",
        "Easter is late this year",
        "DELIVERY CONFIRMED",
        "plan for Q2 and Q3",
        "took the flight via KLM",
        "他去了厦门",
        "小臂骨折，打了石膏",
        "老毛病又犯了",
        "圣诞节放三天",
        "在墨尔本读书",
        "常常加班到十点",
        "全组加班",
    ],
)
def test_nobody(text):
    """A place, a day, a people, a currency, capitals, a letter or a part of the body is no person."""
    assert person_in(text) == ""


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("My brother has epilepsy.", "brother"),
        ("Mum's a bus driver", "Mum"),
        ("我弟弟有哮喘", "弟弟"),
        ("My brother and I have epilepsy.", ""),
        ("my mum says I should see a doctor", ""),
        ("我妈让我去看医生", ""),
        ("I have a brother with epilepsy", ""),
    ],
)
def test_whom_a_sentence_opens_with(text, who):
    """Where the speaker has no part in it, it is of those it opens with."""
    assert person_in(text, "openings") == who


@pytest.mark.parametrize(
    "text",
    [
        "I'm Nils, covering for Ana this week.",
        "Hi, I'm Petra, writing on behalf of my uncle.",
        "I'm Jo, using Sam's phone.",
        "我是小郑，老韩病了，今天我来。",
        "我是阿芬，替我姐来问的。",
        "you're the narrator. I'm Corvin, a smuggler.",
        "你当掌柜，我当客人，我叫阿七。",
        "各位来宾：我叫罗一鸣。",
    ],
)
def test_who_is_not_the_owner(text):
    """Who stands in for somebody, plays a part or speaks to an audience gives the owner no name."""
    assert not [one for one in said(text) if one.draft.statement.predicate == "is_called"]


@pytest.mark.parametrize(
    ("text", "name"), [("I'm Nils, I work at a nursery.", "Nils"), ("我叫郑远。", "郑远")]
)
def test_who_is_the_owner(text, name):
    """A plain introduction does."""
    assert [one.draft.statement.object for one in said(text)][:1] == [name]
