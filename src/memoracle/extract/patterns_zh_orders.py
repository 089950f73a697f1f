"""Chinese: standing rules and prohibitions beyond the plain “以后…”: conditions, topics first, labels, taken back."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_zh import END, KIN, ME, OF_ME, PERSON, SOFT
from memoracle.model.claim import Stance

_NEVER = r"(?:不(?:许|准|能|要|可以?|得|应该)|别|甭|禁止|勿|严禁)"
_FIRMLY = r"(?:绝对|千万|万万|坚决|任何情况下?都?|任何时候都?|无论如何都?|打死[也都]|死[也都]|说什么[也都]|永远[也都]?|决|一概|一律|谁(?:来|问|要|说|求)?[也都])"
_NOW = r"(?!这次|这回|这里|这个|这条|这段|那个|此处|当前|现在|今天|刚才|先|我(?!妈|爸|老|家|儿|女|的|们)|他|她|你们?(?:俩|谁)|大家)"
_ONCE = r"(?![^，。！？]{0,14}(?:那个|这个|这条|那条|这次|低估|小看|放弃|说永远|相信爱|再[^，。]{1,4}了|第[一二三四\d]|链接|为空|超过\d|重复提交|勾|选中|省略号))"
_DANGER = r"(?:生产|线上|正式环境|数据库|密码|密钥|私钥|身份证|银行卡|验证码|转账|转钱|打款|付款|汇款|账户|隐私|住址|病历|燃气|煤气|电源|明火|阳台|force|main|master|root|sudo|token|\.env|公开|外传|照片|陌生人|备份|合同|公章|阿司匹林|青霉素|头孢|花生|酒精|过敏|孩子|老人|药|刀|钥匙|保险柜|遗嘱|定位|行程)"
_ASK_ME = r"(?:问过?我|征得我|征求我|跟我确认|和我确认|找我确认|跟我商量|跟我打招呼|跟我说一声|告诉我一声|让我(?:确认|过目|看过|点头|拍板)|经过我|经我|得到我|等我(?:确认|同意|点头|回复))"
_STYLE = r"(?:回复|回答|答复|回我|解释|说明|注释|代码|文档|提交信息|commit(?: ?message)?s?|变量名?|函数名|类名|命名|邮件|报告|时间|日期(?:格式)?|金额|单位|图表|标题|标点|格式|输出|总结|翻译|价格|货币|报价单?|方案|周报|日报|会议纪要|纪要|PR|缩进|接口|日志|表格|语气|称呼|温度|距离|重量|数字|字体|字号|图片|文件名?|分支名?|引用|参考文献|术语|列表|摘要|结论|理由|消息|通知|示例|例子|链接|字段|单词|专有名词|人名|地名)"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # safety
    Pattern(
        name="safety.red_line", predicate="must_never", label_free=True, whole=True,
        regex=r"(?:红线|底线|铁律|死规矩|死命令|安全(?:提醒|须知|红线)|禁令|绝对禁止)(?:是|就是)?\s?[：:，,]\s?(?P<object>[^。！？]{3,60})",
        examples=(("红线：客户身份证号一律不进日志", "客户身份证号一律不进日志"),),
        counterexamples=("红线在哪里",),
    ),
    Pattern(
        name="safety.off_limits", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOW}[^，。！？我]{{2,24}}?(?:是|属于|就是|算)(?:绝对的?)?(?:禁区|红线|底线|高压线|雷区|禁忌|大忌|死规矩|铁律))",
        examples=(("往 main 上 force push 是禁区，碰都别碰", "往main上force push是禁区"),),
        counterexamples=("这里是禁区吗",),
    ),
    Pattern(
        name="safety.firmly_not", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOW}(?=[^。！？，]{{0,40}}{_DANGER})[^，。！？：:]{{0,24}}?{_FIRMLY}(?:你)?(?:{_NEVER}|不(?:给|放|说|进|碰|动|外传|外借)){_ONCE}[^。！？，]{{0,40}})",
        examples=(("生产库的数据你绝对不许动", "生产库的数据你绝对不许动"), ("孩子的照片谁要都不给", "孩子的照片谁要都不给")),
        counterexamples=("这次绝对不许再超时了啊", "永远不要低估周五下午的生产环境"),
    ),
    Pattern(
        name="safety.not_this", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOW}(?=[^。！？，]{{0,40}}{_DANGER})[^，。！？：:我]{{2,24}}?(?:不许|不准|不可以|严禁|禁止|切勿|别|不要)(?:再)?(?:commit|提交|外传|泄露|外泄|发(?!现|生)|传|给|告诉|动|删|碰|改|上传|印|打印|执行|写进|写入|贴|分享|外借|公开|透露|截图|进日志|乱动|乱吃|混吃|同服){_ONCE}[^。！？，]{{0,30}})",
        examples=(("線上環境的 .env 不可以 commit", "线上环境的 .env不可以commit"),),
        counterexamples=("这个密码不要提交",),
    ),
    Pattern(
        name="safety.without_my_nod", predicate="must_never", label_free=True, whole=True,
        regex=r"(?P<object>(?:没|没有|未经|不经|除非)(?:我|本人|得到我)(?:的)?(?:点头|同意|允许|授权|许可|批准|发话|签字|确认|开口|亲口)(?:之前|前|的话|，否则)?[，,]?(?:否则|谁|任何人|你|一律|都|绝对|也|统统|请|千万){0,4}(?:不能|不许|不准|不得|别|不要|禁止|不可以)[^。！？]{2,40})",
        examples=(("没我点头，谁都不能从这个账户往外转钱", "没我点头，谁都不能从这个账户往外转钱"),),
        counterexamples=("没我什么事", "没有确认邮件"),
    ),
    Pattern(
        name="safety.only_by", predicate="must_never", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOW}[^，。！？]{{0,10}}?只(?:能|许|准|可以)由?(?:我|我本人|{OF_ME}{KIN}|他[爸妈]|她[爸妈]|本人)[^，。！？]{{0,10}}?(?:接|取|碰|动|改|操作|签|开|拿|审批|批|决定)[^，。！？]{{0,10}})",
        examples=(("放学只能由我或者他爸接", "放学只能由我或者他爸接"),),
        counterexamples=("只能由系统生成",),
    ),
    Pattern(
        name="safety.must_be_off", predicate="must_never", label_free=True, whole=True,
        regex=r"(?P<object>(?!我们?(?:得|要|必)|这|那)[^，。！？]{0,10}?(?:燃气阀?|煤气|热水器|电闸|总闸|电源|门窗?|大门|药柜|刀具|插座|烟雾报警器|火|阀门|烤箱|熨斗)(?:一定|必须|务必|都|千万|得|要|随手){1,2}(?:要)?(?:关|锁|断|拔|反锁|收|检查)[^，。！？]{0,10})",
        examples=(("出门前燃气阀必须关，这是死规矩", "出门前燃气阀必须关"),),
        counterexamples=("我得关门了",),
    ),
    Pattern(
        name="safety.contact_changed", predicate="emergency_contact",
        regex=rf"(?:{OF_ME})?紧急联(?:系|络)人(?:已经|刚)?(?:换|改|变|更新)(?:了|成了?|为)?[，,：:]?(?:现在|以后|请)?(?:是|写|填|打给)?(?P<object>(?:{OF_ME}{KIN}|{PERSON})[^，。！？]{{0,6}})",
        examples=(("紧急联系人换了，现在是我弟阿诚，别再打我前夫", "我弟阿诚"),),
        counterexamples=("紧急联系人换了吗",),
    ),
    Pattern(
        name="safety.in_trouble", predicate="emergency_contact", label_free=True,
        regex=rf"(?:{ME})?(?:万一|如果|要是|真|一旦)?{ME}?(?:出了?事|出意外|出状况|晕倒|倒下|昏迷|发病|犯病|发作|急救|送医|联系不上我?|有个三长两短|不舒服)(?:了|的话|时|的时候)?[，,]?(?:就|请|先|马上|立刻|立即|直接|第一时间|麻烦|帮我){{0,3}}(?:联系|打给|打电话给|给|打|通知|找|拨打?|call)(?P<object>(?!我打|我发)(?:我|他|她|医生|急救|120|110|{PERSON}|[一-龥]{{2,4}}|\d)[^，。！？]{{0,20}})",
        examples=(("出了事先打给我姐", "我姐"), ("我发病了就打给老陈", "老陈")),
        counterexamples=("出了事怎么办",),
    ),
    # rule
    Pattern(
        name="rule.taken_back", predicate="wants_always", stance=Stance.DENY, label_free=True, whole=True,
        regex=r"(?P<object>(?:之前|上次|原来|以前|先前|上回)?(?:那条|那个|说的|定的|的|那套)?[^，。！？]{0,20}?(?:规矩|规则|要求|约定|设定|规定|限制|格式要求)(?:就|都|现在|已经|全|可以){0,2}(?:作废|取消|不算数?|不用(?:守|管|遵守)?|算了|废掉|废了|撤销|收回|失效|不作数))",
        examples=(("之前那条“先给结论”的规矩作废，照常聊就行", "之前那条“先给结论”的规矩作废"),),
        counterexamples=("这条规则怎么写",),
    ),
    Pattern(
        name="rule.topic_since", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?!我(?!的)|他|她|这|那|从|等|以后|今后)[^，。！？我]{1,16}?(?:以后|今后|往后|从今(?:天|往后)?起?|从现在起)(?:就|也|请|你)?(?:都|一律|全|统一|只|不要|别|甭|不用|不准|不许|用(?!户)|改用|按|必须|得先|要先|先)[^。！？，]{1,50})",
        examples=(("emoji 以後都不要用，看了眼花", "emoji以后都不要用"), ("周报以后一律发到群里", "周报以后一律发到群里")),
        counterexamples=("这个以后再说", "搬到成都以后就没消停过"),
    ),
    Pattern(
        name="rule.no_matter", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?P<object>(?:不管|无论|不论|不管是)(?!怎么|怎样|如何|什么原因)[^，。！？]{{1,16}}[，,]?(?=[^。！？]{{0,30}}(?:给我|跟我|问我|{_STYLE}|你都|都要|都得|都别|都不要|都先|一律|先|放|用|发))[^。！？]{{3,50}})",
        examples=(("不管我问啥，结论放最前头，理由放后头", "不管我问啥，结论放最前头，理由放后头"),),
        counterexamples=("不管了", "不管怎么说，还行"),
    ),
    Pattern(
        name="rule.whenever_i", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?:但凡|凡是?|只要(?:是|我)|每当|每逢|每次|每回|往后每次|一旦)(?![^，。]{0,6}(?:启动|运行|打开|点|报))[^，。！？]{1,24}?[，,]?(?:你)?(?:都|就|一律|必须|务必|请|要|先|得|别|不要|顺手|给我|记得){1,3}(?!会|拉肚子|过敏|难受|头疼|报|崩|卡|出错|失败|等|很|有|是|觉得|想|重启|闪退|慢|好|忘)[^。！？]{2,40})",
        examples=(("但凡我发英文邮件草稿过来，你都顺手把语法润一遍", "但凡我发英文邮件草稿过来，你都顺手把语法润一遍"), ("凡是超过五百块的开销都要先问过我", "凡是超过五百块的开销都要先问过我")),
        counterexamples=("每次点保存都闪退", "只要有你就好"),
    ),
    Pattern(
        name="rule.talking_to_me", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?:跟我|和我|对我|给我|回我|回复我|回答我|答我|同我)(?:讲话|说话|聊天|沟通|交流|对话|(?:看|发|写|回|报|做|列|推|推荐|给)?的[^，。！？]{1,8}?|推荐[^，。！？]{1,6})?(?:的时候|时)?[，,]?(?:请|你)?(?:要|别|不要|甭|尽量|必须|得|都|一律|统一|最好|只(?:用|要|说)|压到|控制在|用(?=中文|英文|人话|大白话|“)|按|不用|不必|务必)(?!这|那|多少|多久|怎么|什么)[^。！？，]{1,40})",
        examples=(("跟我讲话甭用“您”，听着别扭", "跟我讲话甭用“您"), ("给我的日报压到三句话以内", "给我的日报压到三句话以内"), ("給我看的金額請一律換算成台幣", "给我看的金额请一律换算成台幣"), ("回我尽量讲人话", "回我尽量讲人话")),
        counterexamples=("给我一台服务器要多少钱一年", "回我一下"),
    ),
    Pattern(
        name="rule.uniform", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?P<object>(?!我(?:们)?(?!的)|他|她|这|那|帮|请把|把|没|还|已)[^，。！？：:]{{0,10}}?{_STYLE}(?:里面?|中|上|的时候|时|部分|开头|结尾|后面|前面)?(?:请|都|要|全|你|就){{0,2}}(?:统一|一律|默认|永远|始终|固定|必须|务必|一定要?|只能|只|全部|都|全|尽量|最好)(?:是|都|要|请|得|给我){{0,2}}(?:成|用|走|带上?|写|按|换算|换成|改成|放|以|加上?|附上?|保留|转成|标注?|精确|不要|别|不准|控制|压|遵循|保持|为|[A-Z]|(?<=默认)[一-龥]{{2,4}}(?={SOFT}{END})|(?<=统一)[一-龥]{{2,4}}(?={SOFT}{END})|(?<=一律)[一-龥]{{2,4}}(?={SOFT}{END}))(?!了|过|户|勾|这|那)[^。！？，]{{0,40}})(?<!了)",
        examples=(("commit message 一律走 Conventional Commits", "commit message一律走Conventional Commits"), ("日期格式统一成 YYYY-MM-DD", "日期格式统一成YYYY-MM-DD"), ("温度默认摄氏，距离默认公里", "温度默认摄氏"), ("PR 标题里永远带上 Jira 单号", "PR标题里永远带上Jira单号")),
        counterexamples=("测试都通过了", "代码都改完了", "我代码都用这个写"),
    ),
    Pattern(
        name="rule.quiet_hours", predicate="wants_never", label_free=True, whole=True,
        regex=r"(?P<object>(?:周末|晚上|夜里|半夜|凌晨|中午|午休|早上|节假日|休息日|下班后?|上班时间|工作时间|睡觉时?|开会时?|[^，。！？我]{0,6}点(?:半)?(?:以后|之后|以前|之前|前|后)|[^，。！？]{1,8}的时候|周[一二三四五六日]|工作日|假期|放假)[^，。！？]{0,14}[，,]?(?:否则|都|请|就|千万|尽量|一律){0,2}(?:别|不要|勿|甭|不许|不准|不接)(?:给我|找我|打扰|打我|推|发|约|安排|吵|call|联系|叫我|打电话|艾特|@|喊我|催)[^。！？]{0,20})",
        examples=(("周末除非服务器着火，否则别给我推消息", "周末除非服务器着火，否则别给我推消息"), ("晚上十点以后别找我", "晚上十点以后别找我")),
        counterexamples=("晚上别忘了吃饭",),
    ),
    Pattern(
        name="rule.ask_first", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?P<object>{_NOW}[^，。！？]{{2,20}}?(?:之?前|的话|时|，|的时候)?(?:都|必须|要|得|一定要?|务必|记得|请|一律|需要|也){{1,3}}(?:先)?(?:来|给)?{_ASK_ME}[^，。]{{0,20}})",
        examples=(("新建文件要先征得我同意，每次都是", "新建文件要先征得我同意"), ("删文件之前必须先问我", "删文件之前必须先问我")),
        counterexamples=("你先问我",),
    ),
    Pattern(
        name="rule.agreed", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?:[^，。！？我]{0,10}?(?:咱们?|我们|团队|组里|大家)?(?:约定|说好|规定|定个规矩|立个规矩|规矩)(?:好了?|了|是|就是|如下|的是)?\s?[：:]\s?[^。！？]{3,60}))",
        examples=(("函数名咱们约定好：动词打头，驼峰", "函数名咱们约定好：动词打头，驼峰"), ("规矩：先跑测试再提交", "规矩：先跑测试再提交")),
        counterexamples=("我们约定好了吗",),
    ),
    Pattern(
        name="rule.i_mean", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?:当)?我(?:说|叫你|喊|讲|提到?|写)[“\"「『]?[^，。！？”\"」』]{1,10}[”\"」』]?(?:的时候|时|的话)?[，,]?(?:意思(?:都|就)?是|指的(?:都|就)?是|(?:就|都)是指|你就)[^。！？]{2,40})",
        examples=(("我叫你“翻译”的时候，意思都是翻成英式英语，不要美式", "我叫你“翻译”的时候，意思都是翻成英式英语，不要美式"),),
        counterexamples=("我说的话意思很简单",),
    ),
    Pattern(
        name="rule.all_in", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?:麻烦|请|以后|拜托)(?:你|您)?(?P<object>(?:全部|全都?|都|一律|统一)(?:发|用|写|打|说|回|给)(?!这|那|我看看)[^。！？，]{1,20})",
        examples=(("麻烦全部发文字", "全部发文字"),),
        counterexamples=("请全部选中",),
    ),
    Pattern(
        name="rule.not_that_name", predicate="wants_never", label_free=True, whole=True,
        regex=rf"(?:请|以后|你|能不能|拜托)?(?P<object>(?:别|不要|甭|不许|不准)(?:再|老|总)?(?:叫|喊|称呼|管)我(?!起|去|来|的|做|干|看|了)[^，。！？]{{1,8}}?)了?{SOFT}(?:[，。！？]|我|$)",
        examples=(("别再叫我小李了", "别再叫我小李"),),
        counterexamples=("别叫我起床",),
    ),
    Pattern(
        name="rule.changed", predicate="wants_always", stance=Stance.CORRECT, label_free=True, whole=True,
        regex=r"(?:上回|上次|之前|刚才)(?:讲|说|要求|定)的?(?P<object>[^，。！？]{2,16}[，,](?:我)?(?:改口|改一下|更正|改成|变一下)[，,]?[^。！？]{1,16})",
        examples=(("上回讲缩进两格，我改口，四格", "缩进两格，我改口，四格"),),
        counterexamples=("上回讲到哪儿了",),
    ),
)

SAFETY = tuple(row for row in PATTERNS if row.name.startswith("safety."))
RULES = tuple(row for row in PATTERNS if row.name.startswith("rule."))
