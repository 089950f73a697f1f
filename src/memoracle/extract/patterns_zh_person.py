"""Chinese: names and identity beyond “我叫” and “我是”: labels, bare traits, ages, tongues, origins."""

from __future__ import annotations

from memoracle.extract.lexicon_zh import SURNAMES
from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_zh import (
    ADV,
    CALLED,
    END,
    KIN,
    KINNED,
    LATIN_NAME,
    LETTER,
    ME,
    OF_ME,
    OTHER,
    PERSON,
    SOFT,
    maybe,
    who,
)
from memoracle.model.claim import Stance

_FULL = (
    rf"(?:(?:欧阳|司马|诸葛|上官|慕容|令狐|皇甫|夏侯|端木|(?-i:[{SURNAMES}])){LETTER}{{1,2}}|{LATIN_NAME})"
)
_NAME_END = rf"(?={SOFT}(?:[，。！？；,!?;：:、（(…～~\s]|$)|就行|就好|就可以|即可)"
_PLACE = r"(?:北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|广西|海南|四川|贵州|云南|西藏|陕西|甘肃|青海|宁夏|新疆|内蒙古?|台湾|香港|澳门|东北|潮汕|闽南|客家|江浙|[一-龥]{2,3}(?:州|山|阳|海|江|河|城|都|安|津|京|门|宁|德|昌|沙|岛|连|庆|波|锡|通|原|川|林|口|南|北|东|西|县|市))"
_TONGUE = r"(?:英语|英文|日语|日文|韩语|韩文|法语|德语|俄语|西班牙语|西语|葡萄牙语|阿拉伯语|意大利语|泰语|越南语|粤语|闽南[语话]|客家话|上海话|四川话|普通话|手语|维语|藏语|蒙语|潮汕话|温州话|吴语|湖南话|东北话|[一-龥]{2}方言)"
_TRAIT = r"(?:左撇子|素食(?:主义)?者?|纯素|社恐|社牛|路痴|脸盲|音痴|夜猫子|早鸟|早起鸟|完美主义者?|拖延症|强迫症|选择困难(?:症)?|独生(?:子女?|女)|独生子女|单亲(?:妈妈|爸爸|家庭)|宝妈|宝爸|奶爸|全职(?:妈妈|爸爸|奶爸|太太)|新手(?:爸爸|妈妈|奶爸)|二胎妈妈?|退伍军人|复员军人|残疾人?|听障(?:人士)?|视障(?:人士)?|聋人|盲人|回民|[汉回藏满苗壮彝侗瑶白傣黎]族|维吾尔族|蒙古族|朝鲜族|土家族|哈萨克族|穆斯林|基督徒|佛教徒|天主教徒|无神论者|中共党员|党员|华裔|华侨|混血|留守儿童|海归|北漂|沪漂|深漂|丁克(?:族)?|不婚(?:主义|族)者?|[6-9]0后|0[05]后|[八九]五后|[零八九七六]零后|[白双金巨狮处天射摩水][一-龥]座|[IE][NS][TF][JP](?:-[AT])?|[IE]人|工作狂|佛系|宅男|宅女|乐天派|急性子|慢性子|直男|彝人|夜型人|晨型人|慢热|内向|外向)"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="name.renamed", predicate="is_called", stance=Stance.CORRECT,
        regex=rf"(?:{ME}|{KINNED})?(?:已经|早就|现在|去年|刚){{0,2}}(?:不叫[^，。！？]{{1,6}}[，,]?(?:改|现在|了，)?叫|改名(?:叫|成|为|字叫)?了?[，,]?(?:现在)?(?:叫)?|名字改成了?|名字换成了?)(?!失败|成功)(?P<object>{PERSON}|{CALLED}){_NAME_END}",
        examples=(("现在不叫陈招娣，叫陈知许", "陈知许"), ("我改名叫林一诺了", "林一诺")),
        counterexamples=("改名失败",),
    ),
    Pattern(
        name="name.family", predicate="is_called",
        regex=rf"(?:幸会[，,]?)?(?:{ME}|免贵|敝|小姓|敝人)(?:就|是)?姓(?P<object>(?!什么|不|名)[一-龥]{{1,2}}?)(?=[，。！？；,!?;：:]|$|单名|名|(?P<twice>[一-龥])[一-龥]?的|[一-龥]{{1,3}}的)",
        examples=(("敝姓沈，单名一个“砚”字，请多指教", "沈"), ("免贵姓王", "王"), ("我姓黎黎明的黎", "黎")),
        counterexamples=("我姓什么你知道吗",),
    ),
    Pattern(
        name="name.label", predicate="is_called",
        regex=rf"(?:{ME}的?|{OF_ME}(?P<subject>{KIN})的?)?(?:(?:姓名|名字|全名|本名|真名|原名|大名|网名|昵称|笔名|艺名|花名|外号|绰号|英文名|中文名|日文名|小名|乳名|署名(?:请)?|落款(?:请)?|落款处)(?:是|叫|为|写|用|先叫|就叫|\s?[：:])?|(?:身份证|户口本|护照|驾照|证件|学生证)上?(?:的名字)?(?:写的)?(?:是|叫))\s?[“\"「]?(?P<object>(?!什么|起|取|是|写错|的|很|不|还|太|怎|打|没|好|这|那|都|也|列表|字段|长度|格式|错|空|一|有|在)(?:{_FULL}|{CALLED})){_NAME_END}",
        examples=(("姓名：覃小雨（这个字念qín）", "覃小雨"), ("网名北岛以北，熟了的一般省成阿北", "北岛以北"), ("署名请写 Karen Qiu，那是我护照上的拼写", "Karen Qiu"), ("身份证上是汤承业", "汤承业"), ("全名簡柏宇", "简柏宇")),
        counterexamples=("名字写错了", "我的名字很难念"),
    ),
    Pattern(
        name="name.this_is", predicate="is_called",
        regex=rf"(?:本人|在下|鄙人|这边是|这里是|这是|我就是)(?P<object>(?!(?-i:[IE][NS][TF][JP])|我|你|他|安全|高级|成功|马上|明天|方案|文档){_FULL})(?=[，,。！!](?!这|那)|$)",
        examples=(("本人罗大成，头一回用，多关照", "罗大成"), ("这边是高铭，前面几天是我同事", "高铭")),
        counterexamples=("这是马上，要用的", "这里是安全的"),
    ),
    Pattern(
        name="name.known_as", predicate="is_called", label_free=True,
        regex=rf"(?:[^，。！？我你]{{0,10}}?(?:朋友|同事|同学|大家|大伙儿?|家里人?|身边人|圈里人?|网友|客户|学生|他们|粉丝|老乡|邻居|群里|公司里)(?:们)?(?:都|一般|平时|习惯|常|也){{0,2}})?(?:(?:喊|叫|称呼|唤)我|管我叫)(?P<object>(?!起|去|来|的|做|干|看|写|吃|怎|什|回|帮|先|吧|就|了|过|不|早|别|下|上|一|出|等|快|赶|过去)[一-龥A-Za-z]{{1,10}}?)(?:就行|就好|就可以|即可|就成|吧|好了)?(?:哈{{0,4}}|[哦啦呀])?{END}",
        examples=(("道上的朋友都管我叫强哥哈哈", "强哥"), ("称呼我Momo就好", "Momo"), ("大家都喊我老六", "老六")),
        counterexamples=("叫我怎么说呢", "老婆喊我了"),
    ),
    Pattern(
        name="name.misspelt", predicate="is_called", stance=Stance.CORRECT,
        regex=rf"(?:你)?(?:把)?{ME}的?(?:名字|姓名|姓)(?:写|打|拼|念|叫|搞|弄)错了[^。！？]{{0,24}}?[，,](?:是|应该是)?(?P<object>{_FULL}){END}",
        examples=(("你把我名字打错了，是“祎”不是“伟”，刘祎", "刘祎"),),
        counterexamples=("我名字写错了",),
    ),
    # identity
    Pattern(
        name="identity.grew_up", predicate="is_from",
        regex=rf"(?:{ME}|{KINNED})?(?:是|从小|打小|自幼|小时候|一直|都){{0,2}}(?:在|生在|长在|出生(?:在|于))(?P<object>(?!家|这|那|哪|外面|农村$)[一-龥]{{2,8}}?)(?:土生土长|长大|出生|生人)(?:的)?",
        examples=(("打小在伊犁长大", "伊犁"), ("从小在海边长大", "海边")),
        counterexamples=("他在国外长大吗",),
    ),
    Pattern(
        name="identity.native_bare", predicate="is_from",
        regex=rf"(?:{ME}(?:是|就是)?|{KINNED}是)?(?:土生土长的?|地道的?|正宗的?|地地道道的?|纯|老|典型的?|标准的?|实打实的?|一个|是|作为)*(?P<object>(?!不是){_PLACE}(?:人|姑娘|妹子|小伙儿?|汉子|女孩|男孩))(?:一[枚个名只])?{SOFT}{END}",
        examples=(("土生土长的潮汕人，喝茶是刻在骨子里的", "潮汕人"), ("山东人一枚", "山东人"), ("四川妹子", "四川妹子")),
        counterexamples=("他装得像个潮汕人似的",),
    ),
    Pattern(
        name="identity.origin", predicate="is_from",
        regex=rf"(?:{ME}的?|{KINNED}的?)?(?:祖籍|籍贯|老家|家乡|原籍|户籍|国籍|出生地)(?:就|是|在|于|\s?[：:]){{0,2}}\s?(?P<object>(?!下雪|的|有|那边|那里|特产|人|这|来)[一-龥A-Za-z]{{2,12}}?)(?:的|人|农村|那边|这边)?{SOFT}{END}",
        examples=(("祖籍绍兴，爷爷那辈闯关东来的", "绍兴"), ("籍贯：江苏盐城", "江苏盐城"), ("老家在赣南一个小县城", "赣南一个小县城")),
        counterexamples=("老家下雪了吗",),
    ),
    Pattern(
        name="identity.is_of", predicate="is_from",
        regex=rf"(?:{ME}|{KINNED}){ADV}是(?P<object>{_PLACE}[一-龥]{{0,3}}?)(?:那边|这边|那儿)?的{SOFT}{END}",
        examples=(("我对象是内蒙的，草原上长大", "对象 | 内蒙"),),
        counterexamples=("我是做饭的",),
    ),
    Pattern(
        name="identity.birth_year", predicate="born_on",
        regex=rf"(?:{ME}|{OTHER})?(?:是)?(?P<object>(?:(?:19|20)?\d\d|[一二三四五六七八九零〇]{{2,4}})年(?:[\d一二三四五六七八九十]{{1,2}}月)?)(?:生人|出生的?|生的|(?<=我\d\d年)的|的(?=[，,]属))(?!时候|版本|代码|项目){SOFT}(?={END}|，)",
        examples=(("九八年生人，刚好赶上", "九八年"), ("我妈66年的，属马", "妈 | 66年")),
        counterexamples=("2020年的时候",),
    ),
    Pattern(
        name="identity.kin_year", predicate="born_on",
        regex=rf"(?:{ME}|{OTHER})(?:是)?(?P<object>(?:(?:19|20)\d\d|[3-9]\d|0\d)年)的{SOFT}{END}",
        examples=(("我弟03年的", "弟 | 03年"),),
        counterexamples=("我买的是98年的酒",),
    ),
    Pattern(
        name="identity.aged", predicate="age",
        regex=rf"(?:{ME}{ADV}|{OTHER}{ADV})?(?:过了?年就?|马上|快|明年就?)?(?:奔[二三四五六七八]了?[，,])?(?:年龄|周岁|虚岁|实岁|芳龄|今年刚?满?)(?:是|为|\s?[：:])?\s?(?P<object>\d{{1,2}}|[一二三四五六七八九]?十[一二三四五六七八九]?)(?:岁|了)?{SOFT}{END}",
        examples=(("周岁39", "39"), ("年龄：34", "34")),
        counterexamples=("年龄限制18岁以上",),
    ),
    Pattern(
        name="identity.turning", predicate="age",
        regex=rf"(?:{ME}|{OTHER})?(?:过了?年就?|马上|快|也|都|明年就?|就|今年){{0,2}}(?P<object>奔[二三四五六七八](?:张)?(?!环)|年过半百|年近[三四五六七八]十|而立之年|不惑之年|三十出头|四十出头|五十出头|二十出头|三十好几|四十好几)(?:了|的人)?",
        examples=(("过了年就奔四了", "奔四"),),
        counterexamples=("奔三环的车",),
    ),
    Pattern(
        name="identity.birthday", predicate="born_on",
        regex=rf"(?:{ME}的?|{OTHER}的?|她的?|他的?)?(?:农历|阳历|阴历|公历|身份证)?生日(?:就)?(?:是|在)?(?P<object>(?:农历|阳历|阴历)?(?:[\d一二三四五六七八九十正腊冬]{{1,3}}月(?:初|廿)?[\d一二三四五六七八九十]{{1,3}}[日号]?|\d{{1,2}}[./-]\d{{1,2}}|(?:\d{{1,2}}|[一二三四五六七八九十]{{1,3}})[号日]))",
        examples=(("我农历生日是五月初七，不是六月初七", "五月初七"), ("生日3月8号", "3月8号")),
        counterexamples=("生日快乐",),
    ),
    Pattern(
        name="identity.mother_tongue_bare", predicate="speaks",
        regex=rf"(?:{ME}的?|{OTHER}的?)?(?:母语|第一语言|家里讲|在家(?:都)?(?:说|讲))(?:就)?(?:是|\s?[：:])?\s?(?P<object>(?!什么|是)[一-龥]{{2,6}}){SOFT}{END}",
        examples=(("母语是闽南话，普通话上小学才开始讲", "闽南话"),),
        counterexamples=("母语是什么",),
    ),
    Pattern(
        name="identity.tongue_level", predicate="speaks",
        regex=rf"(?:{ME}的?|{OTHER}的?)?(?P<object>{_TONGUE}(?:水平|能力)?(?:是|有|大概|考过了?|过了?|能到|达到|只有)?(?:N[1-5]|[ABC][12]|[一二三四六八\d]级|专[四八]|雅思\d[\d.]*|托福\d+|母语水平|流利|一般|马马虎虎|不太行|只够[^，。！？]{{1,6}}|只会[^，。！？]{{1,6}}|能(?:日常)?(?:交流|沟通)|很?流利|日常交流没问题|半吊子|不好|很烂|还行)){SOFT}{END}",
        examples=(("日语N1，德语嘛只够点菜", "日语N1"), ("英语一般", "英语一般")),
        counterexamples=("英语怎么学",),
    ),
    Pattern(
        name="identity.trait_bare", predicate="is", weak=True,
        regex=rf"(?:{ME}(?:就|其实|一直|家里|家)?(?:是|属于|算)?|{KINNED}(?:是|属于)|家里就我一个[，,])?(?:天生的?|典型的?|资深|重度|轻度|纯|妥妥的?|标准的?|十足的?|一个|一名|个|算是?|是){{0,2}}(?P<object>{_TRAIT})(?:一[枚个名只])?(?:一个)?{SOFT}{END}",
        examples=(("社恐一枚，人多的场合能躲就躲", "社恐"), ("天生的夜猫子，越晚脑子越清楚", "夜猫子"), ("咱是回民", "回民"), ("素食。", "素食")),
        counterexamples=("你是夜猫子吗", "社恐怎么办"),
    ),
    Pattern(
        name="identity.passport", predicate="is",
        regex=rf"(?:{ME}|{KINNED})?(?:拿|持|有|用)(?:的)?(?:是|着|了)?(?P<object>[一-龥]{{2,5}}(?:护照|绿卡|永居|国籍|身份证|永久居留|枫叶卡|工签|户口)){SOFT}{END}",
        examples=(("拿的是加拿大护照，所以进出都得看签证", "加拿大护照"),),
        counterexamples=("我有两本护照要寄",),
    ),
    Pattern(
        name="identity.believes", predicate="is",
        regex=rf"{who('')}(?:是)?(?P<object>信(?:奉|仰)?(?:的是)?(?:天主教|基督教|伊斯兰教|佛教?|道教|东正教|印度教|妈祖|主|犹太教)|皈依[^，。！？]{{1,6}}|吃斋念佛|受过洗)(?:的|了)?{SOFT}{END}",
        examples=(("我信天主教的，周日上午要去望弥撒", "信天主教"),),
        counterexamples=("我信你",),
    ),
    Pattern(
        name="identity.build", predicate="is",
        regex=rf"(?:{ME}的?|{OTHER}的?)?(?P<about>身高|体重|净身高|鞋码|三围|腰围|胸围)(?:是|大概|差不多|有|\s?[：:]){{0,2}}\s?(?P<object>[一二两三]米[一二三四五六七八九\d]{{1,2}}|[\d.]{{2,5}}|[一二三四五六七八九十百]{{2,6}})(?:cm|厘米|公分|米|kg|公斤|斤|码)?(?=体重|[，,、。\s]|{SOFT}{END})",
        examples=(("身高一米八三体重七十五公斤，给我推荐衣服按这个来", "身高: 一米八三"),),
        counterexamples=("身高和体重要分两列存",),
    ),
    Pattern(
        name="identity.turned_veggie", predicate="is",
        regex=rf"{maybe('')}(?:改|开始|坚持|常年|长期|只)?(?P<object>吃(?:全|纯|蛋奶|长)?(?:素|斋)|素的|清真的?|纯素|蛋奶素|只吃清真){SOFT}(?={END}|\s)(?<!吃素的人)",
        examples=(("我改吃素了", "吃素"), ("我素的，给我留份没肉的", "素的")),
        counterexamples=("吃素的人多吗",),
    ),
)
