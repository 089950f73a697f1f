"""What a question asks."""

import pytest

from memoracle.recall.question import Ask, Wants, read_question, wants, weights
from memoracle.recall.spelling import _cut, _sounds, respelt
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
    """They hint, the question counts."""
    (ask,) = read_question("I moved last month. Where is my new flat?").asks
    assert (ask.text, ask.around) == ("Where is my new flat?", "I moved last month.")
    assert ask.hint < 1
    assert ask.whole == ask.text


@pytest.mark.parametrize(
    "text",
    [
        "The security of my app worries me. What would you suggest?",
        "The parcel left Lyon. When is it due?",
        "厨房的灯坏了。有什么建议？",
    ],
)
def test_a_question_that_says_little_leans_on_what_is_around_it(text):
    """Advice, or “it”, is about what was said just before."""
    (ask,) = read_question(text).asks
    assert (ask.hint, ask.whole.replace(" ", "")) == (1.0, text.replace(" ", ""))


TALK = (
    "We had a long day at the office. The train was late again! Dr. Osei said it would be, in the U.S. it is worse. ",
    '今天上班累死了。火车又晚点了！他说"明天会好的。后天更好。"的时候我都笑了。',
)


@pytest.mark.parametrize(
    ("question", "talk"),
    [
        ("Where does Ilse keep the spare key?", 0),
        ("where does Ilse keep the spare key", 0),
        ("Did Ilse sell the blue bicycle", 0),
        ("Remind me where Ilse keeps the spare key.", 0),
        ("spare key of Ilse", 0),
        ("备用钥匙放在哪里？", 1),
        ("备用钥匙放在哪里", 1),
        ("钥匙是不是在门口", 1),
        ("备用钥匙的位置", 1),
    ],
)
def test_the_asking_sentence_is_found_in_talk(question, talk):
    """By its mark, by how it begins, or because it was typed without a full stop; wherever it stands."""
    assert read_question(TALK[talk] + question).asking == question
    assert read_question(f"{TALK[talk]}\n{question}\n{TALK[talk]}").asking == question


def test_small_talk_is_not_what_is_asked():
    """Nothing could be remembered of it."""
    assert read_question("Hi! How are you? Where does Ilse keep the spare key?").asking == (
        "Where does Ilse keep the spare key?"
    )


def test_what_talk_names_is_no_exact_name():
    """A path that is only mentioned would come before every answer."""
    names = read_question("I looked at src/app.py all day. Which port does the server of Ilse use?").names
    assert "src/app.py" not in names


STORE = {"appoint": 3, "carolin": 40, "tick": 2, "stay": 9, "garden": 5}
ORDINARY = {"ticket": 3, "vegan": 1, "account": 2, "paolo": 4}


def spelt(text, names=()):
    """The question as it is asked of a store that holds these words."""

    def known(terms):
        return {term: (1, STORE[term]) for term in terms if term in STORE}

    return respelt(read_question(text), known, ORDINARY.get, names).asking


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("When is the apponitment?", "When is the appointment?"),
        ("When is the appointmnt?", "When is the appointment?"),
        ("When is the appoinntment?", "When is the appointment?"),
        ("What did Carolien say?", "What did Caroline say?"),
        ("Which acount was it?", "Which account was it?"),
        ("我的apponitment是几点", "我的appointment是几点"),
    ],
)
def test_a_misspelt_word_is_read_as_the_store_spells_it(text, meant):
    """One slip of the fingers away; else as everybody spells it."""
    assert spelt(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "Is she vegan?",  # an ordinary word, though the store does not know it
        "Was there satay?",  # short: too much lies near it
        "Which ticket?",
        'Who said "apponitment"?',
        "open apponitment.py",
        "the APPONITMENT",
        "my_apponitment",
    ],
)
def test_what_may_be_right_stays_as_it_is(text):
    """Ordinary words, short ones, quoted ones and whatever is no plain word."""
    assert spelt(text) == text


def test_a_speaker_is_meant_even_by_an_ordinary_name():
    """Paolo is a name; where Paola speaks and nobody mentions him, she is meant."""
    assert spelt("What did Paolo cook?", names=["paola"]) == "What did Paola cook?"
    assert spelt("What did Paolo cook?") == "What did Paolo cook?"


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("Besides Luigi's, which restaurants did we visit?", "luigi", "restaurant"),
        ("Which cake other than carrot did she bake?", "carrot", "cake"),
        ("Who lives in the flat, not the house?", "house", "flat"),
        ("除了川菜以外他还喜欢吃什么", "川菜", "喜欢"),
        ("What does Ann not like?", "", "like"),
        ("Anything besides that?", "", "anything"),
    ],
)
def test_what_is_excepted_does_not_attract(text, gone, kept):
    """Whoever excepts something does not want to hear of it."""
    found = weights(text)
    assert found.keys().isdisjoint(terms(gone))
    assert found.keys() >= {*terms(kept)}


@pytest.mark.parametrize("text", ["Where is the key? Who took it?", "the blue door", "钥匙", ""])
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


MET = {"张三": 2, "三丰": 2, "会议": 3, "开会": 2, "张伟": 1, "李娜": 1, "机票": 2, "国旗": 1}
MET |= {letter: 3 for pair in MET for letter in pair} | {"birthday": 2, "zhou": 1}


def heard(text):
    """The question as it is asked of a store that holds these words and characters."""

    def known(terms):
        return {term: (1, MET[term]) for term in terms if term in MET}

    ranks = {"zhang": 9327, "wei": 11417, "can": 2064, "long": 2146}
    return respelt(read_question(text), known, ranks.get, ()).asking


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("章三丰的生日", "张三丰的生日"),
        ("今天的会意几点", "今天的会议几点"),
        ("机飘多少钱", "机票多少钱"),
        ("鸡票多少钱", "机票多少钱"),
        ("章玮在哪上班", "张伟在哪上班"),  # both characters, the same sounds
        ("吉票多少钱", "机票多少钱"),
        ("臧三丰是谁", "张三丰是谁"),  # zang for zhang
        ("李拉是谁", "李娜是谁"),  # la for na
        ("zhangwei的生日", "张伟的生日"),
        ("zhang wei 的生日", "张伟 的生日"),
        ("When is zhang wei's birthday?", "When is 张伟's birthday?"),
        ("When is Zhang Sanfeng's birthday?", "When is 张三丰's birthday?"),
        ("zangwei 的生日", "张伟 的生日"),
        ("lila的电话", "李娜的电话"),
    ],
)
def test_what_sounds_like_words_of_the_store_is_read_as_them(text, meant):
    """An input method offers many characters for a sound, and some leave it at the sound."""
    assert heard(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "护照什么时候过期",  # an ordinary word, though it sounds like 国旗
        "章鱼是谁",  # no word of the store sounds so
        "张伟的会议",
        "「章三丰」是谁",
        "Can he take long?",  # English, whatever it spells
        "When does zhou arrive?",  # the store holds it so
        "open zhangwei.py",
        'Who is "zhangwei"?',
    ],
)
def test_what_only_sounds_alike_stays_as_it_is(text):
    """Ordinary words, quoted ones, what the store holds and what it holds nothing of."""
    assert heard(text) == text


def test_a_word_that_can_be_cut_in_many_ways_is_cut_in_few():
    """Names have four characters at most; every way to cut four such words at once would fill any memory."""
    exact = _sounds()[0]
    assert list(_cut("xian", exact, 4)) == [["xi", "a", "n"], ["xi", "an"], ["xia", "n"], ["xian"]]
    assert list(_cut("xianxianxianxian", exact, 4)) == [["xian"] * 4]
    assert list(_cut("xianxian", exact, 1)) == []
    assert heard("xianxianxianxian liaoliaoliaoliao xianxianxianxian liaoliaoliaoliao") != ""


def test_no_table_is_read_for_a_question_of_known_words(monkeypatch):
    """Sounds cost nothing where nothing is strange."""
    monkeypatch.setattr("memoracle.recall.spelling._sounds", None)
    monkeypatch.setattr("memoracle.recall.spelling._ordinary", None)
    assert heard("张三丰的会议") == "张三丰的会议"
    assert heard("When is the birthday?") == "When is the birthday?"
