"""What a question asks."""

import pytest

from memoracle.recall.question import Ask, Wants, read_question, wants, weights
from memoracle.text import terms


def asked(text):
    return [ask.text.strip() for ask in read_question(text).asks]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("我的猫叫什么？另外，狗叫什么？", ["我的猫叫什么？", "狗叫什么？"]),
        ("我的猫叫什么？还有狗呢？", ["我的猫叫什么？", "狗呢？"]),
        ("Where is the key? Also, who has the car?", ["Where is the key?", "who has the car?"]),
        ("Where is it? And also when did it go?", ["Where is it?", "when did it go?"]),
        ("I also like tea, where is it?", ["I also like tea, where is it?"]),
        ("我另外买了茶，放哪儿了？", ["我另外买了茶，放哪儿了？"]),
    ],
)
def test_two_questions_are_two_asks(text, asks):
    """Split at 另外 and "also" behind a question mark, and nowhere else."""
    assert asked(text) == asks


def test_at_most_three_things_are_asked():
    """More would only thin out the answer."""
    assert asked("一？另外，二二？另外，三三？另外，四四？") == ["一？", "二二？", "三三？"]


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("说起来今天天气真好，真正想问的是，钥匙在哪里？", "钥匙在哪里？"),
        ("昨天去爬山了。言归正传，我对什么过敏？", "我对什么过敏？"),
        ("The weather is fine. What I really want to know is, where is the key?", "where is the key?"),
        ("I met Bob. Back to my question: who has the car?", "who has the car?"),
    ],
)
def test_the_question_stands_behind_the_turn(text, ask):
    """Talk before a turning phrase is only a faint hint."""
    (only,) = read_question(text).asks
    assert (only.text, only.hint, bool(only.around)) == (ask, 0.1, True)


def test_a_turn_with_nothing_behind_it_is_no_turn():
    """The whole text is then the question."""
    assert asked("钥匙在哪里？抱歉，嗯") == ["钥匙在哪里？"]


def test_sentences_around_a_question_are_its_context():
    """They count, the question counts more."""
    assert read_question("I moved last month. Where is my new flat?").asks == (
        Ask(text="Where is my new flat?", around="I moved last month."),
    )


@pytest.mark.parametrize("text", ["Where is it? Who took it?", "the blue door", "钥匙", ""])
def test_nothing_is_context_where_all_or_nothing_asks(text):
    """The text is one ask, as it stands."""
    assert read_question(text).asks == (Ask(text=text),)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("When did she leave?", Wants.TIME),
        ("how long did it take", Wants.TIME | Wants.NUMBER),
        ("她什么时候走的", Wants.TIME),
        ("how many cats are there", Wants.NUMBER),
        ("她有多少只猫", Wants.NUMBER),
        ("where does she live", Wants.PLACE),
        ("which city is it", Wants.PLACE),
        ("她住在哪里", Wants.PLACE),
        ("who has the car", Wants.PERSON),
        ("谁开车", Wants.PERSON),
        ("what did you recommend", Wants.OF_ASSISTANT | Wants.OF_YOU),
        ("remind me what it was", Wants.OF_ASSISTANT),
        ("你推荐了什么", Wants.OF_ASSISTANT | Wants.OF_YOU),
        ("do you like it", Wants.OF_YOU),
        ("the blue door", Wants.NOTHING),
        ("whenever somewhere", Wants.NOTHING),
    ],
)
def test_the_sort_of_answer_it_wants(text, want):
    """A time, a number, a place, a person; of the assistant, of whoever is addressed."""
    assert wants(text) == want


@pytest.mark.parametrize(
    ("text", "pair"),
    [("我对什么过敏", "对什"), ("我对什么过敏", "么过"), ("猫叫什么名字", "叫什"), ("钱放哪里了", "放哪")],
)
def test_question_words_make_no_pairs(text, pair):
    """Nobody says such a pair in an answer; the same pair inside ordinary words stays."""
    assert (pair in terms(text), pair in weights(text)) == (True, False)


def test_words_about_asking_weigh_little():
    """They say how the answer should look, not what it is about."""
    found = weights("please list the peanut")
    assert found[terms("peanut")[0]] > 2 * max(found[terms(word)[0]] for word in ("please", "list"))


def test_a_repeated_word_weighs_more():
    """Who says it twice means it."""
    assert weights("peanut peanut")[terms("peanut")[0]] == 2


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ('who said "Blue Door"?', "blue door"),
        ("who said “Blue Door”?", "blue door"),
        ("谁说过「蓝色的门」？", "蓝色的门"),
        ("what does 'blue door' mean", "blue door"),
    ],
)
def test_quoted_phrases_are_names(text, phrase):
    """Something may answer to exactly these words."""
    question = read_question(text)
    assert (question.phrases, phrase in question.names) == ((phrase,), True)


def test_an_apostrophe_quotes_nothing():
    """O'Brien's and the cat's are words."""
    assert read_question("is it O'Brien's or the cat's?").phrases == ()


@pytest.mark.seed("S4.024")
@pytest.mark.parametrize(
    ("text", "name"),
    [("what is E4021?", "e4021"), ("看一下 schema.sql 吧", "schema.sql"), ("is ARENA-228 done", "arena-228")],
)
def test_identifiers_are_names(text, name):
    """Error codes, files and tasks are looked up whole."""
    assert name in read_question(text).names


def test_the_whole_question_is_a_name():
    """A title may be asked for as it stands."""
    assert read_question("  Blue Door ").names[0] == "Blue Door"
