"""Chinese: the people and animals of somebody's life."""

from __future__ import annotations

from memoracle.extract.lexicon_zh import KIN as _WORDS
from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_zh import ADV, CALLED, END, KIN, ME, OF_ME, PERSON, SOFT, TITLE, me, who

_PET = _WORDS["pet"]
_MANY = r"(?:[一二两三四五六几\d]{0,2}(?:个|只|条|头|匹|对|位|窝)|[一两几])"
_NAME_END = rf"(?={SOFT}(?:[，。！？；,!?;：:、（(…～~]|$)|今年|在|是|和|跟|刚|已经|才|也|很|有)"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # relationship
    Pattern(
        name="relationship.named", predicate="",
        regex=rf"{OF_ME}?(?P<role>{KIN})的?(?:名字|大名|小名|英文名|全名)?(?:就)?(?:叫做?|名叫|大名|小名|姓)(?P<object>(?!我|不|他|她|你|什么|啥|了|醒|外卖|苦)(?:{PERSON}|{CALLED})){_NAME_END}",
        examples=(("我老婆叫沈曼", "沈曼"), ("我家猫叫煤球，今年三岁", "煤球"), ("我儿子小名叫豆豆", "豆豆"), ("我女朋友叫 Emma", "Emma")),
        counterexamples=("我妈叫我起床", "我老婆叫什么", "我妈叫了外卖"),
    ),
    Pattern(
        name="relationship.is", predicate="",
        regex=rf"{OF_ME}(?P<role>{KIN})(?:现在|一直|就)?是(?P<object>(?!我|个|一|不|很|那|这)(?:{PERSON})(?:{TITLE})?){_NAME_END}(?<![生员师者家工长手民人])",
        examples=(("我的直属领导是方总", "方总"), ("我老板是王建国", "王建国"), ("我导师是李教授", "李教授")),
        counterexamples=("我老婆是老师", "我爸是高中老师", "我老板是个好人"),
    ),
    Pattern(
        name="relationship.of_me", predicate="",
        regex=rf"(?P<object>{PERSON})(?:现在|以前|其实|才)?是{OF_ME}(?:的)?(?P<role>{KIN}){SOFT}{END}",
        examples=(("陈默是我大学室友，现在是我合伙人", "陈默"), ("小雅是我表妹，不是我妹妹", "小雅"), ("王静怡是我的同事", "王静怡")),
        counterexamples=("这是我老婆做的", "他是我的同事"),
    ),
    Pattern(
        name="relationship.beside", predicate="",
        regex=rf"{OF_ME}(?P<role>{KIN})(?P<object>(?!们)(?:{PERSON}))(?=在|是|对|喜欢|今年|今天|今晚|明天|下周|下个?月|上周|昨天|要|会|也|住|刚|[，,]|从)",
        examples=(("我哥王强在西门子上班", "王强"), ("我女朋友小敏今晚过来", "小敏"), ("我同事Anna也用这个", "Anna")),
        counterexamples=("我妈高兴在家", "我老婆在上海"),
    ),
    Pattern(
        name="relationship.elder", predicate="child",
        regex=rf"(?:{OF_ME})?(?:大|小|老大|老二|老三|一个|另一个|哥哥|姐姐|弟弟|妹妹)的?叫(?P<object>(?!我|不|他|她|你|什么|做)[一-龥A-Za-z]{{1,8}}){END}",
        examples=(("大的叫团团", "团团"), ("老大叫乐乐", "乐乐")),
        counterexamples=("大的叫什么",),
    ),
    Pattern(
        name="relationship.parent", predicate="child",
        regex=rf"{me('')}是(?P<object>[一二两三四\d]个(?:孩子|娃|宝宝|男孩|女孩|儿子|女儿)的(?:妈妈?|爸爸?|母亲|父亲|妈咪|爹|家长))",
        examples=(("我是两个孩子的妈妈", "两个孩子的妈妈"),),
        counterexamples=("我是孩子王",),
    ),
    Pattern(
        name="relationship.children", predicate="child",
        regex=rf"(?:{ME}(?:家|和[^，。]{{1,4}})?|家里)?(?:现在|已经|目前|还|就)?有(?:了)?(?P<object>(?:[一二两三四五\d]|一对)?个?(?:双胞胎|孩子|儿子|女儿|闺女|娃|小孩|宝宝|双胞胎(?:儿子|女儿))(?:[和、][一二两三]个(?:儿子|女儿))?)(?![，,][^，。]{{0,6}}叫)(?=[，。！？；,!?;：:…～~]|$|刚|在|今年|了|啦|叫|上)",
        examples=(("我有两个孩子", "两个孩子"), ("有个闺女刚上初中", "个闺女"), ("我有一个儿子", "一个儿子")),
        counterexamples=("我有两个孩子，大的叫团团", "我有两个文件"),
    ),
    Pattern(
        name="relationship.household", predicate="relative",
        regex=rf"{ME}家(?:里)?(?:一共|总共)?有?(?P<object>[二三四五六七八九\d]口人)",
        examples=(("我家有三口人，我、老公和女儿", "三口人"),),
        counterexamples=("我家有三台电视",),
    ),
    Pattern(
        name="relationship.passed_away", predicate="relative",
        regex=rf"{OF_ME}的?(?P<about>{KIN}){ADV}(?P<object>去世|过世|走了|不在了|离世)(?:了|[^，。！？]{{0,6}}年(?:了)?)?{SOFT}{END}",
        examples=(("我爸去年去世了", "爸: 去世"),),
        counterexamples=("我手机去世了",),
    ),
    Pattern(
        name="relationship.siblings", predicate="sibling",
        regex=rf"{ME}(?:家)?(?:还)?有(?P<object>(?:[一二两三四五\d]个|个)(?:亲|双胞胎)?(?:哥哥|弟弟|姐姐|妹妹|兄弟|姐妹|哥|弟|姐|妹)){SOFT}{END}",
        examples=(("我有一个姐姐", "一个姐姐"),),
        counterexamples=("我有一个问题",),
    ),
    Pattern(
        name="relationship.pet", predicate="pet",
        regex=rf"(?:(?:{ME})?(?:家里?|家)?){ADV}(?:一共|新)?(?:有|养了?|养着|收养了?|领养了?)(?:了)?(?P<object>{_MANY}[一-龥]{{0,6}}?(?:{_PET}|[一-龥]{{0,3}}(?:猫|狗|犬|鱼|鸟|龟|蛇|兔)))(?!粮|舍|窝|爬架|咖|的)",
        examples=(("养了一只柯基", "一只柯基"), ("我家有两只猫", "两只猫"), ("我养了条金毛", "条金毛")),
        counterexamples=("我有一只笔", "我想养一只猫"),
    ),
    Pattern(
        name="relationship.marital", predicate="marital_status", importance=0.8,
        regex=rf"{who('')}(?:(?:和|跟)[^，。]{{1,6}})?(?:是|还|处于|\d+月|年初|刚刚?|上个?月|五月){{0,2}}(?P<object>还没结婚|没结婚|没有结婚|未婚|已婚|结婚|离婚|离异|单身|丧偶|订婚|再婚|没有?对象|分手|刚?结的婚|结了婚|领证|单着)(?:了|状态|[一二三四五六七八九十\d]+年(?:了)?|中)?{SOFT}{END}",
        examples=(("我去年离婚了", "离婚"), ("我还没结婚，也没对象", "没结婚"), ("我已婚", "已婚"), ("我跟老公离婚了", "离婚")),
        counterexamples=("离婚要什么手续", "我不想结婚"),
    ),
)
