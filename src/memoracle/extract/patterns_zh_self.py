"""Chinese: who somebody is, what they are called, their health, and what must never happen."""

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
    maybe,
    me,
    who,
)
from memoracle.model.claim import Stance

_NAME_ENDS = (
    rf"(?={SOFT}(?:[，。！？；,!?;：:、（(…～~]|$)|我(?:是|在|今年|来自|住)|今年|就行|就好|就可以|即可|是我)"
)
_NO_NAME = r"(?!不|没|他|她|你|它|了|过|人|个|车|外卖|醒|停|的|什么|啥|做什么|一声|起床|去|来|帮|怎么|谁|别人|大家|我)"
_ROLE_END = r"[生员师者人家工长手民迷控党族医友客户星粉座痴派子奴狗]"
_NUMBER = r"(?:\d{1,3}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_ILL = (
    r"(?:[^，。！？的了吗呢是我你他它这那个问什毛]{1,8}?(?:病(?!历|毒|人|房)|症|癌|瘤)|[^，。！？的了吗呢是我你他它这那个问什]{0,8}?"
    r"(?:[胃肠肝肾肺鼻咽喉皮肤关节膜腺管炎]炎|高血压|低血压|高血脂|高血糖|低血糖|糖尿病|哮喘|癫痫|抑郁|焦虑|脂肪肝|结石|痛风|贫血|近视|散光|老花|失眠|偏头痛"
    r"|胃食管反流|反流|椎间盘突出|腰突|障碍|心律不齐|早搏|不耐受?|色盲|色弱|鼻炎|湿疹|荨麻疹|白癜风|牛皮癣|银屑病|甲亢|甲减|三高|高尿酸|幽门螺杆菌|乙肝|综合[征症]|囊肿|息肉|结节"
    r"|静脉曲张|耳鸣|夜盲|帕金森|自闭|多动|ADHD|HIV|PTSD|胃溃疡|溃疡|心脏支架|起搏器|残疾|腱鞘炎|蚕豆病|过敏史|病史|家族史|过敏体质|骨质疏松|肺?结核|肺炎|新冠|水痘|骨折|中风|心梗|脑梗|类风湿|白血病|血友病|不孕|阿尔茨海默))"
)
_BODILY = r"(?:乳糖不耐受?|麸质不耐受?|酒精不耐受?|恐高|晕车|晕船|晕机|晕血|近视(?:[^，。]{0,6}度)?|色盲|色弱|(?:患有?)?哮喘|痛风|怀孕(?:[^，。]{0,8})?|高血压|低血糖|糖尿病|腰间盘突出|贫血|散光|三高|失聪|失明|听力受损|弱视|(?:听力|心脏|胃|腰|膝盖|肠胃|颈椎|肝|肾|睡眠|眼睛|视力|脾胃)(?:一直|都|也)?不(?:太|怎么)?好|(?:血压|血糖|血脂|尿酸|胆固醇)(?:一直|有点|比较)?偏?[高低]|(?:膝盖|腰|肩膀|脚踝|手腕|颈椎|背)(?:有伤|受过伤|有旧伤|老疼)|幽闭恐惧)"
_DRUG = (
    r"(?:[^，。！？的了我你这那个点]{1,10}?药(?!店|房|膏店)|[^，。！？的了我你这那个点]{0,10}?(?:药片|胶囊|片剂|胰岛素|地平|他汀|沙坦|洛尔|西林|霉素|布洛芬|阿司匹林|二甲双胍|优甲乐|激素|维生素[A-Za-z]?\d{0,2}|维[A-Ea-e]"
    r"|叶酸|褪黑素|舍曲林|华法林|氯雷他定|西替利嗪|孟鲁司特|奥美拉唑|拉唑|普利|左甲状腺素|甲状腺素|抗抑郁|碳酸锂|益生菌|钙片|铁剂|鱼油|安眠药|褪黑激素|喷雾|格列美脲|阿卡波糖|文拉法辛|草酸艾司西酞普兰|西汀|唑仑|司匹林|匹林|布地奈德|替尼))"
)
_DANGER = (
    r"(?:生产|线上|数据库|删|drop|rm |truncate|密码|密钥|身份证|银行卡|转账|打款|付款|汇款|支付|花钱|账户|账号|隐私|住址|地址|病历|服药|吃药|喝酒|开车|酒精|过敏|火|电源|混用|混合|force|main|master|root"
    r"|sudo|私钥|token|泄露|公开|外传|透露|告诉任何人|发给任何人|给任何人|外人|陌生人|备份|合同|签字|公章|打针|青霉素|花生)"
)
_NOT_I = r"(?!我(?:们)?(?:绝|从|永|可|是|也|都|真|就|千|一定|以后|必须)|他|她|你(?:可)?绝对)"
_NO_STYLE = (
    r"(?![^，。]{0,12}(?:表情|emoji|语气|注释|缩写|markdown|会议|客套|道歉|废话|总结|格式|空格|会(?:的|吧)))"
)
_SOME_PERSON = (
    r"(?:好|坏|男|女|个|老|新|懒|俗|普通|过来|负责|联系|创始|主持|经纪|合伙|残疾|盲|聋哑|机器|成年|年轻|什么|怎样|这种|那种|一个|有|路|闲|外|当事|主|本|熟|别|大|小"
    r"|现代|打工|工|军|保险经纪|投资|自媒体|音乐|媒体|候选|监护|中间|传承|文化|独立音乐|法|证|介绍|发起|收件|寄件|申请|未成年|中年|上班|生意|商|猎|病|客|客家(?=x))"
)
_NEVER = r"(?:不允许|不要|不能|不许|不准|不可以?|别|不得|勿|切勿|不应该?)"

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
        regex=rf"{ME}是(?!(?:[IE][NS][TF][JP]|左撇子|小白|小菜|小可爱|小透明|小学|老手|老鸟|老铁|老粉|文科|高血|全栈|全职|路痴|高中|高三|高二|高一|应届|白羊|金牛|白领|蓝领|学[一-龥]|甲方|乙方|党员|文盲|石女|广场|何时|何人|任何|安卓|苹果|路人|万能|成年|常客|常驻|农村|向来|连续|越来|简单|终于|计划|解决|应该|相当|那边|那种|关于|成都|江西|江苏|云南|广东|广西|温州|武汉|白天|尚未))(?P<object>(?:{PERSON})){_NAME_ENDS}(?<!{_ROLE_END})",
        examples=(("你好，我是周予安，第一次用这个助手", "周予安"), ("你好，我是姚国栋。", "姚国栋"), ("我是苏晴", "苏晴"), ("我是 Leo", "Leo")),
        counterexamples=("我是程序员", "我是高中生", "我是路痴", "我是江苏人", "我是白羊座", "我是全栈", "我是Python程序员", "我是左撇子"),
    ),
    # identity
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
        regex=rf"{ME}(?:是)?(?:(?:出生于|生于|出生在)(?=\d{{4}}年)|(?=\d{{2,4}}年(?:\d{{1,2}}月(?:\d{{1,2}}[日号])?)?(?:出生|生人|生的|的)))(?P<object>(?:19|20)?\d{{2}}年(?:\d{{1,2}}月(?:\d{{1,2}}[日号])?)?)(?:出生|生人|生的|的)?{SOFT}{END}",
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
        name="identity.from", predicate="is_from",
        regex=rf"(?:{ME}{ADV}|{KINNED})?的?(?:(?:老家|籍贯|祖籍|家乡)(?:就)?(?:是|在)?|(?:是)?来自(?!于|各|不同|网)|出生(?:于|在)|生在|(?:是)?在(?=[一-龥]{{2,8}}(?:出生|长大)))(?P<object>[^，。！？的\d了吗]{{2,12}}?)(?:的|人|农村|出生|长大|土生土长|这边|那边){{0,3}}{SOFT}{END}",
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
    # health
    Pattern(
        name="health.not_allergic", predicate="allergic_to", stance=Stance.DENY,
        regex=rf"{maybe('')}(?:不再|已经不)?对(?P<object>[^，。！？]{{1,20}}?)(?:已经|现在)?(?:都)?(?:不再|不)过敏(?:了)?{SOFT}{END}",
        examples=(("我现在对芒果不过敏了", "芒果"), ("我已经对花粉不过敏了", "花粉")),
        counterexamples=("我对花生过敏",),
    ),
    Pattern(
        name="health.allergic", predicate="allergic_to",
        regex=rf"{maybe('')}对(?P<object>[^，。！？不]{{1,24}}?)(?:都|严重|有点儿?|重度|轻度|会|也|特别|容易|有些|很|非常|极度|有|是|中度|高度|急性|药物){{0,3}}过敏",
        examples=(("我对花生过敏", "花生"), ("你好，请记住我对花生过敏", "花生"), ("我女儿对青霉素过敏，开药的时候一定要注意", "女儿 | 青霉素"), ("我对peanut和shrimp都过敏", "peanut和shrimp"), ("我對海鮮過敏", "海鲜")),
        counterexamples=("我对芒果不过敏了",),
    ),
    Pattern(
        name="health.allergy", predicate="allergic_to",
        regex=rf"(?:{ME}|{OTHER})(?:从小|一直|有|是|就|严重|的){{0,2}}(?P<object>(?!容易|有点|皮肤|又|会|最近|好像|没|不|老是|经常|严重|对|一[喝吃]|已经|很|应该|可能)[^，。！？对不会的了我你]{{1,8}})过敏(?:症|史|体质)?{SOFT}{END}",
        examples=(("我青霉素过敏", "青霉素"), ("我有花粉过敏", "花粉"), ("我海鲜过敏哦", "海鲜")),
        counterexamples=("我容易过敏", "我皮肤过敏了", "我没有过敏"),
    ),
    Pattern(
        name="health.allergen", predicate="allergic_to",
        regex=rf"{ME}?的?过敏[原源](?:就)?(?:是|有|包括|[：:]){THING}",
        examples=(("我的过敏原是尘螨", "尘螨"),),
        counterexamples=("过敏原检测要多少钱",),
    ),
    Pattern(
        name="health.no_longer", predicate="has_condition", stance=Stance.DENY,
        regex=rf"(?:{ME}|{OTHER})的?(?P<object>{_ILL})(?:已经|终于|早就|总算|现在|都){{0,2}}(?:好了|痊愈了?|治好了|康复了?|治愈了?|没了)",
        examples=(("我的哮喘已经好了", "哮喘"), ("我的胃炎治好了", "胃炎")),
        counterexamples=("我的代码好了",),
    ),
    Pattern(
        name="health.condition", predicate="has_condition",
        regex=rf"(?:医生说|大夫说|体检(?:结果|报告)?(?:显示|说))?(?:{ME}{ADV}|{OTHER}{ADV})(?:体检)?(?:有|患有?|患上了?|得了|得过|被?查出(?:来)?(?:了|是|有|患有?)?|被?确诊(?:了|为|患有?|是)?|被?诊断(?:为|出|成|患有?)|检查出(?:来)?|是|存在|被查出)(?:一?点儿?|轻度的?|重度的?|中度的?|严重的?|轻微的?|慢性|先天性?|遗传性?|家族){{0,2}}(?P<object>{_ILL})(?:患者|病人|多年|好几年|\d+年)?(?!吗)",
        examples=(("医生说我有轻度脂肪肝", "脂肪肝"), ("我有高血压，每天早上吃一片氨氯地平", "高血压"), ("我爸去年查出来糖尿病，家里做菜都少糖", "爸 | 糖尿病"), ("我有癫痫，千万不能让我一个人开车", "癫痫"), ("我是糖尿病患者", "糖尿病")),
        counterexamples=("我有病吧", "我有个问题想问", "我没有糖尿病"),
    ),
    Pattern(
        name="health.diagnosed", predicate="has_condition",
        regex=rf"{maybe('')}(?:体检|检查)?(?:被)?(?:查出来?|确诊|诊断(?:为|出|成)|检查出来?)(?:了|是|有|患有?|为|得了){{0,2}}(?:轻度|重度|中度|慢性)?(?P<object>{_ILL})",
        examples=(("去年体检查出甲状腺结节", "甲状腺结节"), ("去年确诊了抑郁症", "抑郁症")),
        counterexamples=("查出来是网络问题",),
    ),
    Pattern(
        name="health.bodily", predicate="has_condition",
        regex=rf"(?:{ME}{ADV}|{OTHER}{ADV})(?:是|会|有)?(?P<object>{_BODILY}){SOFT}{END}",
        examples=(("我乳糖不耐受，拿铁要换燕麦奶", "乳糖不耐受"), ("我是色弱，红绿分不太清", "色弱"), ("我怀孕三个月了", "怀孕三个月"), ("我恐高", "恐高")),
        counterexamples=("我不恐高", "我晕了"),
    ),
    Pattern(
        name="health.surgery", predicate="has_condition",
        regex=rf"(?:{ME}{ADV}|{OTHER}{ADV})(?:\d{{4}}年|小时候|年轻时|(?:膝盖|眼睛|胃|腰|心脏|牙|鼻子|肩膀|脚|手|阑尾|甲状腺|乳腺|子宫|肺))?(?:做过|动过|做了|做完|动了|装了|植入了|装过)(?:一次|一个)?(?P<object>[^，。！？]{{1,12}}(?:手术|支架|起搏器|移植|假肢|钢板))",
        examples=(("我去年做过膝盖手术", "膝盖手术"), ("我爸装了心脏支架", "爸 | 心脏支架")),
        counterexamples=("我做过这个手术的研究吗",),
    ),
    Pattern(
        name="health.stopped_medicine", predicate="takes_medicine", stance=Stance.DENY,
        regex=rf"{maybe('')}(?:不(?:再|用再|用|需要再?)?|停(?:了|用|掉了?|止)?)(?:吃|服用|服|打|注射|用)?(?P<object>{_DRUG})(?:了|啦)?{SOFT}{END}",
        examples=(("我已经不吃降糖药了，上个月停的", "降糖药"), ("我停了二甲双胍", "二甲双胍")),
        counterexamples=("我每天吃降压药",),
    ),
    Pattern(
        name="health.medicine", predicate="takes_medicine",
        regex=rf"{maybe('')}(?:每[天日晚早周][^，。！？吃服打喝用]{{0,8}}|饭[前后]|睡前|早晚|需要|要|得|都|必须|在|靠|长期|定期){{0,4}}(?:吃|服用|口服|服|注射|打|喷|用)(?:着|的是)?(?:[一二两三半\d]{{1,3}}(?:片|粒|颗|支|针|毫克|mg|次|单位)?){{0,2}}(?:的)?(?P<object>{_DRUG})(?!了?吗|不|过敏)",
        examples=(("每天早上吃一片氨氯地平", "氨氯地平"), ("我在吃抗抑郁药", "抗抑郁药"), ("我妈每天打胰岛素", "妈 | 胰岛素"), ("我长期服用优甲乐", "优甲乐")),
        counterexamples=("我不吃药", "吃药没用"),
    ),
    Pattern(
        name="health.blood", predicate="blood_type",
        regex=rf"(?:{ME}|{OTHER})?的?血型(?:就)?(?:是)?(?P<object>(?:RH|Rh|rh)?[阴阳]?性?(?-i:AB|A|B|O)型?(?:RH|Rh|rh)?[阴阳]?性?)血?{SOFT}{END}",
        examples=(("我血型是O型", "O型"), ("血型AB", "AB")),
        counterexamples=("血型是什么",),
    ),
    Pattern(
        name="health.blood_of", predicate="blood_type",
        regex=rf"(?:{ME}|{OTHER})是(?:RH阴性|Rh阴性)?(?P<object>(?-i:AB|A|B|O)型)(?:血|RH阴性血|Rh阴性血)?{SOFT}{END}",
        examples=(("我是B型血", "B型"), ("我老婆是AB型血", "老婆 | AB型")),
        counterexamples=("我是B型选手",),
    ),
    Pattern(
        name="health.cannot_eat", predicate="cannot_eat",
        regex=rf"{who('')}(?:(?:不能|不可以|不宜|不敢|从来不|从不|不太能|没法)(?:吃|喝|碰|沾|食用|摄入|接触|闻)|忌口?|不吃|不喝|不碰|不沾|吃不了|喝不了|吃不得|沾不得|碰不得)(?P<object>(?!了|饭|早饭|早餐|晚饭|午饭|这|那|亏|到|完|下|动|就|起|惯|你|他|不|出|过|多少|什么|再|用|让|一个人|没有)[^，。！？了]{{1,12}}?)(?:的(?:东西|食物)?)?{SOFT}{END}",
        examples=(("我不吃辣，点菜的时候照顾一下哈", "辣"), ("我不能吃海鲜", "海鲜"), ("我儿子不能喝牛奶", "儿子 | 牛奶"), ("我不吃猪肉", "猪肉")),
        counterexamples=("我不吃了", "我先不吃饭", "我不能理解", "我不能用这个"),
    ),
    # safety
    Pattern(
        name="safety.emergency", predicate="emergency_contact",
        regex=rf"(?:{OF_ME})?紧急联系人(?:就)?(?:写|是|填|为|改成|换成|请写|[：:])?(?:{OF_ME}(?:{KIN})[，,、\s]?)?(?P<object>(?!电话|手机|号码|写|是|填)(?:{OF_ME}{KIN}|{PERSON}|[一-龥A-Za-z]{{2,8}}))",
        examples=(("紧急联系人写我姐，王丽娟，电话13800001234", "王丽娟"), ("我的紧急联系人是我老婆", "我老婆"), ("紧急联系人：陈建国", "陈建国")),
        counterexamples=("紧急情况怎么办",),
    ),
    Pattern(
        name="safety.if_something_happens", predicate="emergency_contact", label_free=True,
        regex=r"(?:我)?(?:万一|如果|要是|假如|一旦|若是)?(?:我|有)?(?:出(?:了)?(?:什么)?事|有(?:什么)?(?:事|意外)|发生意外|出(?:了)?意外|晕倒|昏倒|昏迷|发病|发作|不省人事|联系不上(?:我)?|紧急情况|有急事)(?:了|的话|时|的时候)?[，,]?(?:就|请|先|马上|立刻|立即|直接){0,2}(?:联系|打给|打电话给|通知|找|拨打|呼叫|打1[12][0-9]|打(?=[^，。]{1,8}(?:电话|手机)))(?P<object>[^，。！？]{2,20})",
        examples=(("万一我出事了就联系我同事老秦", "我同事老秦"), ("如果我晕倒了，请马上联系我老公", "我老公")),
        counterexamples=("万一我们用Rust重写会不会更快？",),
    ),
    Pattern(
        name="safety.never", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOT_I}[^，。！？：:]{{0,16}}?(?:绝对|千万|任何情况下|任何时候|无论如何|不管怎样|不管什么情况|绝|万万|坚决)(?:都|也|是)?{_NEVER}{_NO_STYLE}[^。！？，]{{2,60}}){END}",
        examples=(("任何情况下都不许碰生产库", "任何情况下都不许碰生产库"), ("绝对不要把我的身份证号发给任何人", "绝对不要把我的身份证号发给任何人"), ("千万不能让我一个人开车", "千万不能让我一个人开车")),
        counterexamples=("不要改这个文件的开头", "先别动配置文件", "我绝对不会同意", "绝对不要用表情"),
    ),
    Pattern(
        name="safety.never_danger", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOT_I}[^，。！？：:]{{0,16}}?(?:永远|一定|以后|今后|从来|都|必须)(?:都|也)?{_NEVER}(?=[^。！？，]{{0,40}}{_DANGER})[^。！？，]{{2,60}}){END}",
        examples=(("永远不要替我转账", "永远不要替我转账"),),
        counterexamples=("周日永远别给我安排会议", "以后不要用表情"),
    ),
    Pattern(
        name="safety.without_leave", predicate="must_never", label_free=True, whole=True,
        regex=r"(?P<object>(?:没有?|未经|不经)(?:我|本人|得到我)?的?[^，。！？我]{0,4}(?:允许|同意|许可|确认|批准|授权|点头)(?:之前|前|的情况下)?[，,]?(?:请|永远|绝对|一律|都|你|任何人){0,3}(?:禁止|严禁|不要|不得|不许|不能|别|不准)[^。！？]{2,40})",
        examples=(("未经我允许禁止删除任何文件", "未经我允许禁止删除任何文件"), ("没有我确认，永远不要替我转账", "没有我确认，永远不要替我转账")),
        counterexamples=("没有确认邮件",),
    ),
    Pattern(
        name="safety.forbidden", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>(?:严禁|禁止|切勿|不许|不准)(?![^，。]{{0,10}}(?:表情|emoji|注释|缩写|markdown))[^。！？，]{{0,16}}{_DANGER}[^。！？，]{{0,30}})",
        examples=(("严禁在生产环境执行drop", "严禁在生产环境执行drop"), ("不准把密码写进日志", "不准把密码写进日志")),
        counterexamples=("禁止套娃", "不许改第三行"),
    ),
)
