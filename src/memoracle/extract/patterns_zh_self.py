"""Chinese: who somebody is and what they are called."""

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
    THING,
    me,
    who,
)

_NAME_ENDS = (
    rf"(?={SOFT}(?:[，。！？；,!?;：:、（(…～~]|$)|我(?:是|在|今年|来自|住)|今年|就行|就好|就可以|即可|是我)"
)
_NO_NAME = r"(?!不|没|他|她|你|它|了|过|人|个|车|外卖|醒|停|的|什么|啥|做什么|一声|起床|去|来|帮|怎么|谁|别人|大家|我)"
_ROLE_END = r"[生员师者人家工长手民迷控党族医友客户星粉座痴派子奴狗]"
_NUMBER = r"(?:\d{1,3}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_SOME_PERSON = (
    r"(?:好|坏|男|女|个|老|新|懒|俗|普通|过来|负责|联系|创始|主持|经纪|合伙|残疾|盲|聋哑|机器|成年|年轻|什么|怎样|这种|那种|一个|有|路|闲|外|当事|主|本|熟|别|大|小"
    r"|现代|打工|工|军|保险经纪|投资|自媒体|音乐|媒体|候选|监护|中间|传承|文化|独立音乐|法|证|介绍|发起|收件|寄件|申请|未成年|中年|上班|生意|商|猎|病|客|客家(?=x))"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # name
    Pattern(
        name="name.called", predicate="is_called",
        regex=rf"{ME}(?:就|都|现在|其实|本来|原名|大名|全名){{0,2}}(?:叫做?|名叫|叫作){_NO_NAME}(?P<object>{PERSON}|{CALLED}){_NAME_ENDS}",
        examples=(("我叫小明", "小明"), ("我叫林晓东，你可以叫我小东。", "林晓东"), ("我叫 Vivian", "Vivian"), ("我叫韩冬我在西安做装修", "韩冬"), ("我叫欧阳娜娜哦", "欧阳娜娜")),
        counterexamples=("我叫不动它，命令没反应", "我叫了外卖", "我叫什么名字"),
    ),
    Pattern(
        name="name.is", predicate="is_called",
        regex=rf"{ME}的?(?:全|真实|中文|英文|法文|日文|曾用|本|真|大|小|网|笔|艺|花)?(?:名字?|姓名|昵称|外号|绰号)(?:现在)?(?:就)?(?:是|叫做?|为|改成了?|改为了?|[：:])\s?[“\"「]?(?P<object>{CALLED}){END}?",
        examples=(("我的英文名是Vivian", "Vivian"), ("我的名字叫古丽，维吾尔语里是花的意思", "古丽"), ("我网名叫半糖", "半糖"), ("我的名字是周予安", "周予安")),
        counterexamples=("我的测试叫test_roundtrip", "我的名字写错了"),
    ),
    Pattern(
        name="name.latin", predicate="is_called",
        regex=rf"{ME}的?英文名(?:字)?(?P<object>{LATIN_NAME}){SOFT}{END}",
        examples=(("我英文名Jason", "Jason"),),
        counterexamples=("我英文名很难记",),
    ),
    Pattern(
        name="name.surname", predicate="is_called",
        regex=rf"{ME}(?:就)?姓(?P<object>(?!不)[一-龥]{{1,2}}(?:[，,]?名[一-龥]{{1,2}})?){SOFT}{END}",
        examples=(("我姓欧阳", "欧阳"), ("我姓王", "王")),
        counterexamples=("我姓什么你知道吗",),
    ),
    Pattern(
        name="name.call_me", predicate="is_called", label_free=True,
        regex=rf"(?:(?:以后|今后|平时|大家|同事们?|朋友们?|别人|他们|家里人?|你|您|身边人|也|都|就|可以|请|直接|一般|习惯){{0,5}})(?:(?:叫|喊|称呼)我(?:作|为|一声)?|管我叫)(?P<object>(?!起|去|来|的|做|干|看|写|吃|怎|什|回|帮|先|吧|就|了|过|不|早|别|下|上|一|出|等)(?:{PERSON}|{CALLED}?))(?:就行|就好|就可以|即可|就成|吧|好了)?(?:了|哦|啦|哈|呀)?{END}",
        examples=(("以后叫我阿哲就行，别叫全名", "阿哲"), ("你可以叫我小东。", "小东"), ("大家都叫我Max", "Max")),
        counterexamples=("晚上要去接孩子，记得叫我", "明早叫我起床", "老板叫我去开会", "他叫我帮忙"),
    ),
    Pattern(
        name="name.elided", predicate="is_called",
        regex=rf"(?:名字|我)?叫(?P<object>(?-i:[{SURNAMES}])(?:{LETTER}){{1,2}}){SOFT}{END}",
        examples=(("我是新来的实习生，叫陆遥", "陆遥"),),
        counterexamples=("叫外卖", "叫什么"),
    ),
    Pattern(
        name="name.i_am", predicate="is_called",
        regex=rf"{ME}是(?!(?-i:[A-Z]{{2,4}}(?![a-z]))|(?:[IE][NS][TF][JP]|左撇子|小白|小菜|小可爱|小透明|小学|老手|老鸟|老铁|老粉|文科|高血|全栈|全职|路痴|高中|高三|高二|高一|应届|白羊|金牛|白领|蓝领|学[一-龥]|甲方|乙方|党员|文盲|石女|广场|何时|何人|任何|安卓|苹果|路人|万能|成年|常客|常驻|农村|向来|连续|越来|简单|终于|计划|解决|应该|相当|那边|那种|关于|成都|江西|江苏|宁波|宁夏|温岭|云南|广东|广西|温州|武汉|白天|尚未))(?P<object>(?:{PERSON})){_NAME_ENDS}(?<!{_ROLE_END})",
        examples=(("你好，我是周予安，第一次用这个助手", "周予安"), ("你好，我是姚国栋。", "姚国栋"), ("我是苏晴", "苏晴"), ("我是 Leo", "Leo")),
        counterexamples=("我是程序员", "我是高中生", "我是路痴", "我是江苏人", "我是白羊座", "我是全栈", "我是Python程序员", "我是左撇子"),
    ),
    # identity
    Pattern(
        name="name.titled", predicate="is_called",
        regex=rf"{ME}是(?P<object>(?-i:[{SURNAMES}])(?:工|总|姐|哥|老师|经理|主任|医生|律师|师傅)){END}",
        examples=(("我是李工，负责硬件", "李工"),),
        counterexamples=("我是民工", "我是高工了"),
    ),
    Pattern(
        name="identity.age", predicate="age",
        regex=rf"(?:{ME}(?:{ADV}(?:快|刚满|满|刚过|马上|虚岁|周岁|是|过完生日就?)?)|{OTHER}{ADV}(?:快|刚满|满|刚过|虚岁|周岁)?|今年(?:刚满|满|快|已经|虚岁)?|(?=\d\d岁))(?P<object>{_NUMBER}(?:周?岁半?|嵗)|(?<=我)[1-8]\d(?=了)|(?:(?<=今年)|(?<=刚满))(?:[一二三四五六七八]?十[一二三四五六七八九]?|[1-8]\d))(?={SOFT}(?:[，。！？；,!?;：:、（(…～~]|$)|有|属|在|我)",
        examples=(("我今年三十六岁，属马", "三十六岁"), ("我28岁", "28岁"), ("我今年四十二", "四十二"), ("我上司今年38岁。", "上司 | 38岁")),
        counterexamples=("我三岁的时候去过北京", "今年20个项目"),
    ),
    Pattern(
        name="identity.sex", predicate="is",
        regex=r"(?:本人|我)[，,]?(?P<object>男|女)(?=[，,、。]|$)",
        examples=(("本人男，35岁", "男"),),
        counterexamples=("我男朋友来了",),
    ),
    Pattern(
        name="identity.sign", predicate="is",
        regex=rf"(?:{ME}(?:是)?)?(?P<object>属[鼠牛虎兔龙蛇马羊猴鸡狗猪])的?{SOFT}{END}",
        examples=(("我属马", "属马"), ("我是属猴的", "属猴")),
        counterexamples=("这个属性不对",),
    ),
    Pattern(
        name="identity.born", predicate="born_on",
        regex=rf"(?:{OF_ME}(?P<subject>{KIN})的?|{ME}的?)?(?:出生日期|生日|阳历生日|农历生日)(?:就)?(?:是在?|在|为|[：:])?(?P<object>(?:农历|阳历|阴历|公历)?(?:\d{{4}}[-年/])?[\d一二三四五六七八九十正腊]{{1,3}}(?:[-月/.][\d一二三四五六七八九十廿初]{{1,3}}[日号]?|月份?))",
        examples=(("我生日是八月十九号", "八月十九号"), ("我的生日是1990年5月20日", "1990年5月20日"), ("我老婆生日是3月8号", "老婆 | 3月8号")),
        counterexamples=("我生日想吃火锅", "生日快乐"),
    ),
    Pattern(
        name="identity.birthday_on", predicate="born_on",
        regex=rf"(?:{ME}|{KINNED})(?:是)?(?P<object>(?:农历|阳历|阴历)?[\d一二三四五六七八九十正腊]{{1,3}}月[\d一二三四五六七八九十廿初]{{1,3}}[日号]?)(?:的|过)?生日",
        examples=(("我农历三月初三生日", "农历三月初三"), ("我老公5月6号生日", "老公 | 5月6号")),
        counterexamples=("5月6号是建军节",),
    ),
    Pattern(
        name="identity.born_in", predicate="born_on",
        regex=rf"{ME}(?:是)?(?:(?:出生于|生于|出生在)(?=\d{{4}}年)|(?=\d{{2,4}}年(?:\d{{1,2}}月(?:\d{{1,2}}[日号])?)?(?:出生|生人|生的|的)))(?P<object>(?:19|20)?\d{{2}}年(?:\d{{1,2}}月(?:\d{{1,2}}[日号])?)?)(?:[春夏秋冬]天?)?(?:出生|生人|生的|的)?{SOFT}{END}",
        examples=(("我是1992年出生的", "1992年"), ("我92年的", "92年")),
        counterexamples=("我2020年的时候",),
    ),
    Pattern(
        name="identity.native", predicate="is_from",
        regex=rf"(?:{ME}|{KINNED}){ADV}是(?:土生土长的|地道的?|正宗的?|个|一个|地地道道的){{0,2}}(?P<object>(?!{_SOME_PERSON}人)(?:(?!的)[一-龥]){{2,7}}人){SOFT}{END}",
        examples=(("我是河南人，老家在洛阳", "河南人"), ("我是土生土长的北京人", "北京人"), ("我老公是德国人", "老公 | 德国人")),
        counterexamples=("我是好人", "我是负责人", "我是个怎样的人"),
    ),
    Pattern(
        name="identity.comes_from", predicate="is_from",
        regex=rf"(?:{ME}|{KINNED})是(?:从)?(?P<object>(?!昨|今|明|刚|后|新|哪|这|那|第|网上|半路|带|来|自己|慕名|按|照|根据|跟|冲|为|因|看|听|用|坐|走)[一-龥]{{2,6}}?)(?:来|过来)的{SOFT}{END}",
        examples=(("我是内蒙古来的", "内蒙古"),),
        counterexamples=("我是新来的", "我是昨天来的"),
    ),
    Pattern(
        name="identity.of_province", predicate="is_from",
        regex=rf"(?:{ME}|{KINNED})是(?P<object>(?:北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|广西|海南|四川|贵州|云南|西藏|陕西|甘肃|青海|宁夏|新疆|内蒙古?|台湾|香港|澳门|东北|潮汕|闽南)[一-龥]{{0,4}}?)(?:这边|那边)?的{SOFT}{END}",
        examples=(("我是浙江宁波的", "浙江宁波"),),
        counterexamples=("我是做饭的",),
    ),
    Pattern(
        name="identity.from", predicate="is_from",
        regex=rf"(?:{ME}{ADV}|{KINNED})?的?(?:(?:老家|籍贯|祖籍|家乡)(?:就)?(?:是|在)?|(?:是)?来自(?!于|各|不同|网|测|动|己)|出生(?:于|在)|生在|(?:是)?在(?=[一-龥]{{2,8}}(?:出生|长大)))(?P<object>[^，。！？的\d了吗]{{2,12}}?)(?:的|人|农村|出生|长大|土生土长|这边|那边){{0,3}}{SOFT}{END}",
        examples=(("老家在洛阳", "洛阳"), ("我来自新疆", "新疆"), ("我老家是重庆的", "重庆"), ("我叔叔老家是重庆的。", "叔叔 | 重庆"), ("我在兰州长大", "兰州")),
        counterexamples=("灵感来自于生活", "我老家下雪了吗"),
    ),
    Pattern(
        name="identity.speaks", predicate="speaks",
        regex=rf"{me('')}(?:(?:会|能|懂|精通|熟悉)(?:说|讲|用)?|(?:说|讲)的是)(?:一点儿?|点|流利的?|三种|两种)?(?P<object>(?:[^，。！？说听懂你的算会我A-Za-z]{{1,3}}(?:语|话)|英文|中文|日文|韩文|法文|德文|手语|English)(?:[和、跟与][^，。！？]{{1,12}})?){SOFT}{END}",
        examples=(("我会说粤语和一点日语", "粤语和一点日语"), ("我会讲四川话", "四川话"), ("我会英语", "英语")),
        counterexamples=("我会说话算话", "我会说明情况", "我能听懂你的话"),
    ),
    Pattern(
        name="identity.mother_tongue", predicate="speaks",
        regex=rf"{ME}的?母语(?:就)?是{THING}",
        examples=(("我母语是粤语", "粤语"),),
        counterexamples=("母语是什么",),
    ),
    Pattern(
        name="identity.trait", predicate="is",
        regex=rf"{me('')}(?:是|属于)(?:一?[个名位枚只])?(?P<object>[^，。！？的了]{{0,6}}?(?:左撇子|素食(?:主义)?者|纯素(?:者|主义者)?|单身(?:狗|汉)?|单亲(?:妈妈|爸爸)|独生(?:子女?|女)|党员|团员|基督徒|佛教徒|天主教徒|道教徒|穆斯林|无神论者|[汉回藏满苗壮彝]族|维吾尔族|蒙古族|朝鲜族|土家族|少数民族|[6-9０-９0]0后|0[05]后|[八九]五后|[零八九七六]零后|社恐|社牛|路痴|夜猫子|早起鸟|完美主义者|强迫症|[一-龥]{{2}}座(?:的?[IE][NS][TF][JP])?|[IE][NS][TF][JP](?:-[AT])?|[IE]人|内向(?:的人)?|外向(?:的人)?|留学生|应届生|毕业生|大[一二三四](?:学生|新生)?|研[一二三]|博[一二三四]|[本专]科生|大学生|高中生|初中生|文科生|理科生|学生|博士生|研究生|退伍军人|军人|残疾人|聋哑人|聋人|听障(?:人士)?|视障(?:人士)?|盲人|孕妇|准妈妈|新手(?:爸爸|妈妈|奶爸)|奶爸|宝妈|二胎妈妈|全职(?:妈妈|爸爸|太太)|家庭主妇|孤儿|混血儿?|移民|华裔|华侨|男生|女生|男的|女的|男性|女性|男孩子?|女孩子?|妹子|老年人|退休老人|球迷|铲屎官|零基础|丁克|不婚主义者?|同性恋|双性恋|跨性别|(?:中国|美国|日本|加拿大|新加坡|澳大利亚)公民|志愿者|易过敏体质|清真))(?:的)?{SOFT}{END}",
        examples=(("我是左撇子，所以这些快捷键用着很别扭", "左撇子"), ("我是双鱼座的INTJ哈哈", "双鱼座的INTJ"), ("我是大三学生", "大三学生"), ("我是回族", "回族"), ("我是个素食主义者", "素食主义者")),
        counterexamples=("我是说另外那个函数", "我是不是漏了一步", "我是第一次用", "我是你的智能助手"),
    ),
    Pattern(
        name="identity.measure", predicate="is",
        regex=rf"(?:{ME}|{OTHER})?的?(?P<about>身高|体重|个头儿?|个子|鞋码|尺码|衣服尺码|视力|度数)(?:现在|大概|是|有|大约|差不多){{0,2}}(?P<object>(?:\d[\d.]{{0,5}}|[一二两三]米[一二三四五六七八九\d]{{1,2}}|[一二三四五六七八九十百]{{1,5}}|[XSML]{{1,4}})(?:cm|厘米|公分|米|kg|公斤|斤|码|号|度)?){SOFT}{END}",
        examples=(("我身高175", "身高: 175"), ("我妈妈的身高是152厘米。", "妈妈 | 身高: 152厘米")),
        counterexamples=("我身高不够",),
    ),
    Pattern(
        name="identity.tall", predicate="is",
        regex=rf"(?:{ME}|{KINNED})(?:有|大概)?(?P<object>[一二1-2]米[一二三四五六七八九\d]{{1,2}})(?:高)?{SOFT}{END}",
        examples=(("我一米六八", "一米六八"),),
        counterexamples=("我一米外都看不清",),
    ),
    Pattern(
        name="identity.faith", predicate="is",
        regex=rf"{who('')}(?P<object>信(?:佛|教|基督|天主|伊斯兰|道)(?:教)?){SOFT}{END}",
        examples=(("我信佛，初一十五吃素", "信佛"),),
        counterexamples=("我信你",),
    ),
    Pattern(
        name="identity.a_person", predicate="is", weak=True,
        regex=rf"{me('')}是(?:一|个){{1,2}}[个名位]?(?!很大|大问题|小问题|一只)(?P<object>[^，。！？]{{2,20}}的人){SOFT}{END}",
        examples=(("我是一个很爱干净的人", "很爱干净的人"),),
        counterexamples=("我是一只小小鸟",),
    ),
    Pattern(
        name="identity.diet", predicate="is",
        regex=rf"{me('')}(?:只)?吃(?P<object>全素|纯素|素|斋|长素|清真(?:的|食品)?|生酮){SOFT}{END}",
        examples=(("我吃素", "素"), ("我一直吃全素", "全素")),
        counterexamples=("我吃素食披萨的时候",),
    ),
)
