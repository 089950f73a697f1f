"""Where a turn stops being its speaker's own: labels, heads of mails, quotations over several lines."""

import pytest

from memoracle.learn.passages import paragraphs, spoken
from memoracle.learn.screen import fragments_of
from support.turns import a_turn

OTHERS = "I live in Rome. My favourite shop is Acme."


@pytest.mark.parametrize(
    "lead",
    [
        "Here is the mail I got:",
        "please summarise this article:",
        "Can you translate the following text:",
        "The newsletter said:",
        "帮我看看这封邮件：",
        "以下是网页内容：",
        "---------- Forwarded message ---------",
        "On Tue, May 12, 2026 at 9:14 AM Ann Lee wrote:",
        "From: sales@shop.example\nSubject: offer",
        "发件人：王芳\n主题：通知",
        "-----Original Message-----",
    ],
)
@pytest.mark.seed("F-24")
def test_what_follows_is_somebody_elses(lead):
    """The owner's sentence before it stays, on a line of its own or on the same one."""
    assert spoken(f"My dog is called Rex.\n\n{lead}\n\n{OTHERS}") == ["My dog is called Rex."]
    if lead.startswith(("Here", "please", "Can", "The")):
        assert spoken(f"My dog is called Rex. {lead}\n{OTHERS}") == ["My dog is called Rex."]


@pytest.mark.parametrize(
    "text",
    [
        "My plans for May:\n- paint the fence\n- visit Rome",
        "To do: call Ann",
        "From Monday on I work at Siemens.",
        "Subject to change, I arrive on Friday.",
        "我的计划如此：先去罗马",
        "I told him this: the door is open.",
    ],
)
def test_lists_and_plain_sentences_are_the_speakers(text):
    """A colon alone hands the word to nobody."""
    assert " ".join(spoken(text)) == " ".join(text.split())


def test_a_quotation_over_several_lines_is_left_out():
    """From its opening to its closing mark; one that is never closed is no quotation."""
    assert spoken('He wrote: "I live in Rome.\nMy shop is Acme."\nIs that true?') == [
        "He wrote: …",
        "Is that true?",
    ]
    assert spoken('He wrote: "I live in Rome.\nIs that true?') == [
        'He wrote: "I live in Rome.',
        "Is that true?",
    ]


def test_paragraphs_stand_apart():
    """Lines without a blank line between them belong together."""
    assert paragraphs("one two\nthree\n\nfour") == [["one two", "three"], ["four"]]


@pytest.mark.seed("F-24")
def test_behind_a_foreign_paragraph_nothing_is_the_speakers():
    """The first paragraph is, unless it is foreign itself."""
    said = a_turn("My dog is called Rex.\n\nI live in Rome.\n\nObey the page.\n\nMy shop is Acme.")
    found = fragments_of(said, lambda paragraph: "Obey" in paragraph)
    assert [one.pasted for one in found] == [False, True, True, True]
    assert not any(one.pasted for one in fragments_of(said))


ARTICLE = (
    (
        "For eight years I have worked at the same company, and I was asked how one gets on there. There is no secret to "
        "it but one: whatever is begun has to be finished, and somebody has to write it down for those who come later."
    ),
    (
        "In the second year I changed teams. I am a principal engineer now and I live in Zurich; my salary has doubled, "
        "my family is glad about it, and I would do all of it again, the long evenings and the early mornings too."
    ),
    (
        "My advice: always review your own code before you send it to anybody. I prefer small changes, and I never deploy "
        "on a Friday, which is a rule that I have kept for many years and that I would like to pass on to the young."
    ),
)
ARTICLE_ZH = (
    "我在这家公司工作了八年，从实习生做到了现在，很多人问我晋升的秘诀是什么，其实没有秘诀，只有一件事做到底，每天比别人多想一步，多写一行文档，多问一个为什么，时间久了就会不一样。",
    "后来我换了团队，跟着新的主管做支付系统。那段时间我每天早上七点起床，晚上十二点睡觉，周末也在看论文。一年以后我已经是 L6 工程师了，薪水翻了一倍，家里人都很高兴。",
    "我的建议是：永远不要只做别人让你做的事。以后所有的代码都要自己先评审一遍再交给别人，这是我坚持了很多年的规矩，也是我最想告诉年轻人的一句话，希望你们也能做到。",
)


@pytest.mark.parametrize("article", [ARTICLE, ARTICLE_ZH])
@pytest.mark.parametrize(
    ("before", "after", "own"),
    [
        ("My cat is called Miso. What do you think of this?", "", "Miso"),
        ("", "Summarise that. My cat is called Miso.", "Miso"),
        ("看看这个，我的猫叫咪咪。", "", "咪咪"),
        ("", "", ""),
    ],
)
def test_of_a_long_text_only_its_short_ends_are_typed(article, before, after, own):
    """An article without any mark: nobody can tell it from talk, so only what stands before or behind it is."""
    said = " ".join(spoken("\n\n".join(filter(None, [before, *article, after]))))
    assert own in said
    assert [part for part in article if part[:20] in said] == []


@pytest.mark.parametrize(
    "text",
    [
        (
            "Have a look.\n\n# How I work\n\nI prefer tabs. I live in Zurich and so on and on, as far as one can see.\n\n"
            "My name is Otto, and everything else stands in the book that I wrote last year about all of it, in detail."
        ),
        (
            "Have a look.\n\nBy Otto Ganz | 5 min read\n\nI prefer tabs. I live in Zurich and so on, as far as one can see.\n\n"
            "My name is Otto, and everything else stands in the book that I wrote last year about all of it, in detail."
        ),
        "Have a look. <article>I prefer tabs. My name is Otto and I live in Zurich.</article>",
        "Have a look.\n<zzz-context>\nI prefer tabs. My name is Otto.\nI live in Zurich.",
        "Have a look.\n" + "\n".join(f"- I prefer {word}, and my name is Otto" for word in "abcdefghijklmno"),
    ],
)
def test_shapes_of_pasted_texts(text):
    """Headings, bylines, tags and long lists begin somebody else's text."""
    said = " ".join(spoken(text))
    assert ("Have a look." in said, "prefer" in said, "Otto" in said) == (True, False, False)


def test_talk_of_a_few_paragraphs_is_the_speakers():
    """One, two or three short paragraphs, a word in bold and a type in code are talk."""
    text = "I moved to Oslo last week.\n\nMy <b>new</b> flat is small, and I use List<String> at work.\n\nI like it."
    assert "Oslo" in " ".join(spoken(text))
    assert "flat" in " ".join(spoken(text))
    assert "I like it." in spoken(text)


@pytest.mark.parametrize(
    "lead",
    [
        "What do you make of this page?\n\n",
        "Is that message serious?\n\n",
        "Please summarise this article\n\n",
        "Translate the following text.\n\n",
        "Look at this\n\n---\n",
        "My notes are above.\n=====\n",
        "这封邮件要回复吗？\n\n",
        "看看下面这篇文章\n\n",
    ],
)
def test_what_points_at_a_text_leads_over_to_it(lead):
    """Asked about, asked for, or behind a drawn line: what follows is not said by the one who asks."""
    assert "I always pay by cheque." not in spoken(f"{lead}I always pay by cheque.")


@pytest.mark.parametrize(
    "text",
    [
        "I read this article yesterday.\n\nI live in Boston.",
        "What do you think?\n\nI live in Boston.",
        "Is this page down again?\nI live in Boston.",
        "这篇文章我看过了，很好。\n\nI live in Boston.",
    ],
)
def test_what_only_mentions_a_text_does_not(text):
    """A statement about an article, a plain question, and what is said in one breath with it."""
    assert "I live in Boston." in spoken(text)
