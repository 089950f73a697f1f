"""Where a turn stops being its speaker's own: labels, heads of mails, quotations over several lines."""

import pytest

from memoracle.extract.passages import paragraphs, spoken
from memoracle.extract.sentences import fragments_of
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
