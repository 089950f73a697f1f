"""Chinese: somebody's health, and what must never happen."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_zh import ADV, END, KIN, ME, OF_ME, OTHER, PERSON, SOFT, THING, maybe, who
from memoracle.model.claim import Stance

_ILL = (
    r"(?:[^，。！？的了吗呢是我你他它这那个问什毛]{1,8}?(?:病(?!历|毒|人|房)|症|癌|瘤)|[^，。！？的了吗呢是我你他它这那个问什]{0,8}?"
    r"(?:[胃肠肝肾肺鼻咽喉皮肤关节膜腺管炎]炎|高血压|低血压|高血脂|高血糖|低血糖|糖尿病|哮喘|癫痫|抑郁|焦虑|脂肪肝|结石|痛风|贫血|近视|散光|老花|失眠|偏头痛"
    r"|胃食管反流|反流|椎间盘突出|腰突|障碍|心律不齐|早搏|不耐受?|色盲|色弱|鼻炎|湿疹|荨麻疹|白癜风|牛皮癣|银屑病|甲亢|甲减|三高|高尿酸|幽门螺杆菌|乙肝|综合[征症]|囊肿|息肉|结节"
    r"|静脉曲张|耳鸣|夜盲|帕金森|自闭|多动|ADHD|HIV|PTSD|胃溃疡|溃疡|心脏支架|起搏器|残疾|腱鞘炎|蚕豆病|过敏史|病史|家族史|过敏体质|骨质疏松|肺?结核|肺炎|新冠|水痘|骨折|中风|心梗|脑梗|类风湿|白血病|血友病|不孕|阿尔茨海默))"
)
_BODILY = r"(?:乳糖不耐受?|麸质不耐受?|酒精不耐受?|恐高|晕车|晕船|晕机|晕血|近视(?:[^，。]{0,6}度)?|色盲|色弱|(?:患有?)?哮喘|痛风|怀孕(?:[^，。]{0,8})?|孕[早中晚]期|高血压|低血糖|糖尿病|腰间盘突出|贫血|散光|三高|失聪|失明|听力受损|弱视|(?:听力|耳朵|心脏|牙齿?|皮肤|身体|嗓子|记性|胃|腰|膝盖|肠胃|颈椎|肝|肾|睡眠|眼睛|视力|脾胃)(?:一直|都|也)?不(?:太|怎么)?好|(?:血压|血糖|血脂|尿酸|胆固醇)(?:一直|有点|比较)?偏?[高低]|(?:膝盖|腰|肩膀|脚踝|手腕|颈椎|背)(?:有伤|受过伤|有旧伤|老疼)|幽闭恐惧)"
_DRUG = (
    r"(?:[^，。！？的了我你这那个点]{1,10}?药(?!店|房|膏店)|[^，。！？的了我你这那个点]{0,10}?(?:药片|胶囊|片剂|胰岛素|地平|他汀|沙坦|洛尔|西林|霉素|布洛芬|阿司匹林|二甲双胍|优甲乐|激素|维生素[A-Za-z]?\d{0,2}|维[A-Ea-e]"
    r"|叶酸|褪黑素|舍曲林|华法林|氯雷他定|西替利嗪|孟鲁司特|奥美拉唑|拉唑|普利|左甲状腺素|甲状腺素|抗抑郁|碳酸锂|益生菌|钙片|铁剂|鱼油|安眠药|褪黑激素|抗生素|喷雾|格列美脲|阿卡波糖|文拉法辛|草酸艾司西酞普兰|西汀|唑仑|司匹林|匹林|布地奈德|替尼))"
)
_DANGER = (
    r"(?:生产|线上|数据库|删|drop|rm |truncate|密码|密钥|身份证|银行卡|转账|打款|付款|汇款|支付|花钱|账户|账号|隐私|住址|地址|病历|服药|吃药|喝酒|开车|酒精|过敏|火|电源|混用|混合|force|main|master|root"
    r"|sudo|私钥|token|泄露|公开|外传|透露|告诉任何人|发给任何人|给任何人|外人|陌生人|备份|合同|签字|公章|打针|青霉素|花生)"
)
_NOT_I = r"(?!我(?:们)?(?:绝|从|永|可|是|也|都|真|就|千|一定|以后|必须)|他|她|你(?:可)?绝对)"
_ONCE = r"(?!这次|这回|学到|[^，。！？]{0,16}(?:那个|这个|链接|低估|浮点|下雨|迟到|堵车|生病|错过|输给|笑我|付清|再[^，。]{1,4}了))"
_NO_STYLE = (
    r"(?![^，。]{0,12}(?:表情|emoji|语气|注释|缩写|markdown|会议|客套|道歉|废话|总结|格式|空格|会(?:的|吧)))"
)
_NEVER = r"(?:不允许|不要|不能|不许|不准|不可以?|别|不得|勿|切勿|不应该?)"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # health
    Pattern(
        name="health.not_allergic", predicate="allergic_to", stance=Stance.DENY,
        regex=rf"{maybe('')}(?:不再|已经不)?对(?P<object>[^，。！？]{{1,20}}?)(?:已经|现在)?(?:都)?(?:不再|不)过敏(?:了)?{SOFT}{END}",
        examples=(("我现在对芒果不过敏了", "芒果"), ("我已经对花粉不过敏了", "花粉")),
        counterexamples=("我对花生过敏",),
    ),
    Pattern(
        name="health.allergic", predicate="allergic_to",
        regex=rf"{maybe('')}对(?P<object>(?!他|她|你|这|那)[^，。！？不]{{1,24}}?)(?:都|严重|有点儿?|重度|轻度|会|也|特别|容易|有些|很|非常|极度|有|是|中度|高度|急性|药物){{0,3}}过敏",
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
        regex=rf"(?:{ME}{ADV}|{OTHER}{ADV})(?:\d{{4}}年|小时候|年轻时|(?:膝盖|眼睛|胃|腰|心脏|牙|鼻子|肩膀|脚|手|阑尾|甲状腺|乳腺|子宫|肺))?(?:做过|动过|做了|做完|动了|戴着?|装了|植入了|装过)(?:一次|一个)?(?P<object>[^，。！？]{{1,12}}(?:手术|支架|起搏器|助听器|胰岛素泵|移植|假肢|钢板))",
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
        regex=rf"{who('')}(?:(?:不能|不可以|不宜|不敢|从来不|从不|不太能|没法)(?:吃|喝|碰|沾|食用|摄入|接触|闻)|忌口?|不吃|不喝|不碰|不沾|吃不了|喝不了|吃不得|沾不得|碰不得)(?P<object>(?!了|饭|早饭|早餐|晚饭|午饭|这|那|亏|到|完|下|动|就|起|惯|你|他|不|出|过|多少|什么|再|用|让|一个人|没有|香菜|葱|姜|蒜|芹菜|茄子|苦瓜|胡萝卜|洋葱|香菇|韭菜|榴莲|内脏|肥肉|皮蛋|甜)[^，。！？了]{{1,12}}?)(?:的(?:东西|食物)?)?{SOFT}{END}",
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
        regex=r"(?:我)?(?:万一|如果|要是|假如|一旦|若是)?(?:我|有)?(?:出(?:了|现)?(?:什么)?(?:事|紧急情况|状况|意外)|有(?:什么)?(?:事|意外)|发生意外|出(?:了)?意外|晕倒|昏倒|昏迷|发病|发作|不省人事|联系不上(?:我)?|紧急情况)(?:了|的话|时|的时候)?[，,]?(?:就|请|先|马上|立刻|立即|直接){0,2}(?:联系|打给|打电话给|通知|找|拨打|呼叫|打1[12][0-9]|打(?=[^，。]{1,8}(?:电话|手机)))(?P<object>[^，。！？]{2,20})",
        examples=(("万一我出事了就联系我同事老秦", "我同事老秦"), ("如果我晕倒了，请马上联系我老公", "我老公")),
        counterexamples=("万一我们用Rust重写会不会更快？",),
    ),
    Pattern(
        name="safety.never", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOT_I}{_ONCE}[^，。！？：:]{{0,16}}?(?:绝对|千万|任何情况下|任何时候|无论如何|不管怎样|不管什么情况|绝|万万|坚决)(?:都|也|是)?{_NEVER}{_NO_STYLE}[^。！？，]{{2,60}}){END}",
        examples=(("任何情况下都不许碰生产库", "任何情况下都不许碰生产库"), ("绝对不要把我的身份证号发给任何人", "绝对不要把我的身份证号发给任何人"), ("千万不能让我一个人开车", "千万不能让我一个人开车")),
        counterexamples=("不要改这个文件的开头", "先别动配置文件", "我绝对不会同意", "绝对不要用表情"),
    ),
    Pattern(
        name="safety.never_danger", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOT_I}{_ONCE}[^，。！？：:]{{0,16}}?(?:永远|一定|以后|今后|从来|都|必须)(?:都|也)?{_NEVER}(?=[^。！？，]{{0,40}}{_DANGER})[^。！？，]{{2,60}}){END}",
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
        name="safety.anybody", predicate="must_never", label_free=True, whole=True,
        regex=r"(?P<object>(?:不要|别|不能|不许|不准|不可以)[^，。！？]{0,10}(?:任何人|别人|外人|陌生人|第三方)[^，。！？]{0,6}(?:我的?|我们的?|公司的?|客户的?|家里的?)[^，。！？]{1,24})",
        examples=(("不要让任何人知道我的住址", "不要让任何人知道我的住址"),),
        counterexamples=("不要跟别人说",),
    ),
    Pattern(
        name="safety.forbidden", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>(?:严禁|禁止|切勿|不许|不准)(?![^，。]{{0,10}}(?:表情|emoji|注释|缩写|markdown))[^。！？，]{{0,16}}{_DANGER}[^。！？，]{{0,30}})",
        examples=(("严禁在生产环境执行drop", "严禁在生产环境执行drop"), ("不准把密码写进日志", "不准把密码写进日志")),
        counterexamples=("禁止套娃", "不许改第三行"),
    ),
)
